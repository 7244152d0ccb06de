"""The exact scores that heuristics are compared with, in a sentence for a paper."""

from collections.abc import Mapping

from exactmatch.graphs.items import FilePair
from exactmatch.report.wording import between, listed
from exactmatch.studies.common.notes import certified_text
from exactmatch.studies.common.pairs import ProofCounts, ScoredPairs


def search_error_sentence(scores: Mapping[FilePair, ScoredPairs], title: str) -> str:
    """Return the exact *scores* of each two files by the metric of that *title*."""
    said = [
        f"{' / '.join(files)} {between(score.f1, score.f1_upper)}"
        for files, score in scores.items()
    ]
    proofs = ProofCounts.of([*scores.values()])
    certified = certified_text(proofs.certified, proofs.pairs, proofs.by_word)
    return f"Exact {title} F1: {listed(said)}; {certified}."
