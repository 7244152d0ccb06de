"""What several graphs for one sentence agree on, if enough of them do."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from exactmatch.errors import UsageError
from exactmatch.graph import PENMAN, Graph
from exactmatch.many.candidates import CandidatePairs
from exactmatch.many.consensus_text import faults, penman_text, voting_form
from exactmatch.many.votes import Vote, outline, votes


@dataclass(frozen=True, kw_only=True, repr=False)
class Consensus:
    """The triples of several graphs, with the votes for each.

    pivot: the graph to which the others were mapped, by position.
    votes: all triples, those of the pivot first.
    threshold: the share of votes that a triple needs to be kept.
    triples: those that are kept.
    is_connected: whether all variables of the triples that are kept hang together.
    is_rooted: whether just one root is kept.
    faults: why what is kept is no AMR, one reason each; nothing if it is one.
    """

    pivot: int
    votes: Sequence[Vote] = field(repr=False)
    triples: Sequence[Vote] = field(repr=False)
    threshold: Fraction
    is_connected: bool
    is_rooted: bool
    faults: Sequence[str]
    _text: str | None

    def to_penman(self) -> str:
        """Return the AMR of what is kept. Raises `UsageError`, which says why, if it is none."""
        if self._text is None:
            raise UsageError(f"the consensus is no AMR: {'; '.join(self.faults)}")
        return self._text

    def __repr__(self) -> str:
        number = f"{len(self.triples)} of {len(self.votes)} triples"
        return f"<Consensus {number}{''.join(f', {fault}' for fault in self.faults)}>"


def consensus_of(
    graphs: Sequence[Graph], pairs: CandidatePairs, pivot: int, threshold: Fraction
) -> Consensus:
    """Return the consensus of *graphs*, of which *pairs* are, on what reaches *threshold*."""
    metric = voting_form(pairs.pairwise.metric)
    voting = [metric.normalise(graph) for graph in graphs]
    found = votes(voting, pairs.weights, pivot, pairs.mapping)
    kept = [vote for vote in found if vote.share >= threshold]
    form = outline(kept)
    text = None
    if all(graph.format == PENMAN for graph in graphs):
        wrong = faults(kept, form)
        if not wrong and (text := penman_text(kept, form.tops[0])) is None:
            wrong = ["PENMAN notation cannot write it"]
    else:
        wrong = ["these are no AMRs in PENMAN notation"]
    return Consensus(
        pivot=pivot,
        votes=found,
        triples=kept,
        threshold=threshold,
        is_connected=form.parts == 1,
        is_rooted=len(form.tops) == 1,
        faults=wrong,
        _text=text,
    )
