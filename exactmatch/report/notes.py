"""What the notes of a report say of proofs, and of graphs as they were read."""

from collections import Counter
from collections.abc import Sequence

from exactmatch.studies.columns import ScoredPairs
from exactmatch.studies.sources import Study


def proven(scores: Sequence[ScoredPairs], what: str = "pairs of graphs") -> str:
    """Return how many pairs are proven; and by what, unless every proof was checked."""
    optimal, pairs = sum(s.optimal for s in scores), sum(s.pairs for s in scores)
    text = f"Proven: {optimal} of {pairs} {what}"
    words: Counter[str] = Counter()
    for score in scores:
        words += score.by_word
    if not words:
        return text
    parts = [f"{optimal - words.total()} by a checked proof"]
    parts += [f"{words[solver]} by the word of {solver}" for solver in sorted(words)]
    return ", ".join([text, *parts])


def caveats(scores: Sequence[ScoredPairs]) -> list[str]:
    """Return what has to be known of numbers that are not all proven, or count parts of triples."""
    notes = []
    if any(score.optimal < score.pairs for score in scores):
        notes.append("Where a pair is not proven, the true F1 lies between F1 and 'at most'.")
    scale = scores[0].metric.scale
    if scale != 1:
        notes.append(f"Matched triples and totals are counted in 1/{scale} of a triple.")
    return notes + limits(scores)


def limits(scores: Sequence[ScoredPairs]) -> list[str]:
    """Return what limits have struck, and what upper bounds are but the word of a solver."""
    words: Counter[str] = Counter()
    for score in scores:
        words += score.bounded_by_word
    counts = {
        "Pairs that reached the time limit": sum(score.timed_out for score in scores),
        "Pairs too large for the memory limit": sum(score.too_large for score in scores),
        **{f"Upper bounds by the word of {solver}": words[solver] for solver in sorted(words)},
    }
    return [f"{what}: {count}." for what, count in counts.items() if count]


def reading_notes(study: Study) -> list[str]:
    """Return what is wrong with graphs that could not be read, and how many have notes."""
    notes = [f"Not read: {reason}" for reason in study.unread]
    if study.remarks:
        notes.append(f"Notes on graphs, see standard error: {len(study.remarks)}.")
    return notes
