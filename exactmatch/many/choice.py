"""Choosing among what several files have for a sentence, from text to text."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from exactmatch.graph import Graph
from exactmatch.many.candidates import EMPTY, CandidatePairs
from exactmatch.many.choosing import best_of, choose, is_decided
from exactmatch.many.consensus import consensus_of
from exactmatch.many.side_by_side import Alternatives
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.readers.detect import parse
from exactmatch.sentences import strangers
from exactmatch.settings import Settings


class Chosen(NamedTuple):
    """What was chosen of the alternatives for a sentence.

    best: the position of the file whose graph it is.
    means, means_upper: the weighted mean F1 of the graph of each file to the others, and what it
        does not exceed. What decides nothing is not solved, and leaves a gap.
    is_proven: whether no graph is better.
    stages: how many pairs were decided by what.
    errors: why graphs could not be read, by the position of the file.
    notes: what else there is to note of graphs, one message each.
    faults: why the consensus is no AMR; None if none was asked for.
    text: the graph as it stands in its file.
    agreed: the consensus or, if it is no AMR, *text*; empty if none was asked for.
    """

    identifier: str
    best: int
    means: Sequence[float]
    means_upper: Sequence[float]
    is_proven: bool
    stages: Mapping[str, int]
    errors: Mapping[int, str]
    notes: Sequence[str]
    faults: Sequence[str] | None
    text: bytes
    agreed: bytes


def chosen_of(
    alternatives: Alternatives,
    *,
    metric: AlignmentMetric,
    settings: Settings,
    weights: Sequence[int],
    solve_all: bool,
    threshold: Fraction | None,
) -> Chosen:
    """Read the graphs of alternatives and choose one; with a threshold, look for a consensus, too.

    Raises `VerificationError` if two computations of the same number disagree.
    """
    identifier, sources, texts = alternatives
    graphs: list[Graph] = []
    errors: dict[int, str] = {}
    for position, (source, text) in enumerate(zip(sources, texts, strict=True)):
        graph = None if text is None else parse(text)
        if isinstance(graph, Graph):
            graphs.append(graph)
        else:
            errors[position] = f"{source}: no graph {identifier}" if graph is None else str(graph)
            graphs.append(EMPTY)
    for position, error in strangers(graphs).items():
        errors[position] = str(error)
        graphs[position] = EMPTY
    pairs = CandidatePairs(
        [f"{identifier} of {source}" for source in sources],
        [metric.normalise(graph) for graph in graphs],
        # What cannot be read comes after what can be, and what is not there comes last.
        [(text is not None) + (k not in errors) for k, text in enumerate(texts)],
        weights,
        metric,
        settings,
    )
    if solve_all:
        pairs.solve_all()
    else:
        choose(pairs)
    best = best_of(pairs)
    chosen = texts[best]
    assert chosen is not None  # some file has a graph
    agreed, faults = b"", None
    if threshold is not None:
        found = consensus_of(graphs, pairs, best, threshold)
        faults = found.faults
        agreed = chosen.data if faults else _with_identifier(found.to_penman(), chosen.identifier)
    return Chosen(
        identifier,
        best,
        pairs.mean_f1(pairs.lower),
        pairs.mean_f1(pairs.upper),
        is_decided(pairs),
        pairs.stages(),
        errors,
        [note for graph in graphs for note in graph.notes],
        faults,
        chosen.data,
        agreed,
    )


def _with_identifier(text: str, identifier: str | None) -> bytes:
    comment = "" if identifier is None else f"# ::id {identifier}\n"
    return f"{comment}{text}".encode()
