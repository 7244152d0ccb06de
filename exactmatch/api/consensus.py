"""What several graphs for one sentence agree on."""

from fractions import Fraction

from exactmatch.api.candidates import CandidateOnError, Weights, check_position, prepared
from exactmatch.api.pairs import Note, unheard
from exactmatch.errors import UsageError
from exactmatch.inputs import Graphs
from exactmatch.many.choosing import best_of, choose
from exactmatch.many.consensus import Consensus, consensus_of
from exactmatch.metrics.base import Choice, Metric
from exactmatch.readers.source import fraction


def consensus(
    graphs: Graphs,
    threshold: float | str | Fraction = 0.5,
    pivot: int | None = None,
    weights: Weights | None = None,
    *,
    metric: str | Metric | None = None,
    profile: str = "default",
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    on_error: CandidateOnError = "empty",
    note: Note = unheard,
    **choices: Choice,
) -> Consensus:
    """Have several graphs for one sentence vote for triples, and keep those of enough votes.

    All are mapped to one of them, the pivot, by the best mappings. A variable that is not mapped
    is one of its own, under a new name. AMRs vote for triples as they are written, but that inverse
    roles are turned round; others for triples as the metric counts them. Nothing is repaired: what
    is kept may lack a root or concepts, or be in parts.

    Args:
        threshold: from 0 to 1, the share of votes that a triple needs; as text it is exact.
        pivot: the position of a graph; None: the one that `candidates` calls the best.
        weights: how much the vote of each graph counts, and its score for others.

    The other arguments, and what is raised, are those of `candidates`.

    Example:
        >>> import exactmatch
        >>> graphs = [
        ...     "(s / sing-01 :ARG0 (b / bird))",
        ...     "(x / sing-01 :ARG0 (y / bird) :time (n / now))",
        ...     "(s / shout-01 :ARG0 (b / bird))",
        ... ]
        >>> found = exactmatch.consensus(graphs)
        >>> found.to_penman()
        '(s / sing-01\\n   :ARG0 (b / bird))'
        >>> [(vote.label, vote.voters) for vote in found.votes if vote.kind == "instance"][:2]
        [(('instance', 'sing-01'), (0, 1)), (('instance', 'bird'), (0, 1, 2))]
    """
    exact = checked_threshold(threshold)
    found = prepared(
        graphs, weights, metric, profile, choices, timeout, memory, seed, on_error, note
    )
    if pivot is None:
        choose(found.pairs)
        pivot = best_of(found.pairs)
    else:
        check_position(pivot, len(found.graphs))
    return consensus_of(found.graphs, found.pairs, pivot, exact)


def checked_threshold(threshold: float | str | Fraction) -> Fraction:
    """Return a share of votes, exactly. Raises `UsageError` if it is none."""
    try:
        exact = fraction(str(threshold))
    except (ValueError, ZeroDivisionError):
        exact = Fraction(-1)
    if not 0 <= exact <= 1:
        raise UsageError(f"threshold is {threshold!r}: not a number from 0 to 1")
    return exact
