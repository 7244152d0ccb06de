"""Making an item of the graphs of several annotators."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import UMR, Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.paths import encodable, shown_path
from exactmatch.graphs.readers.blocks import read_block
from exactmatch.graphs.readers.detect import parse
from exactmatch.graphs.readers.examined import Defect
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.umr import without_levels
from exactmatch.graphs.sentence_text import sentence
from exactmatch.graphs.sentences import strangers
from exactmatch.many.adjudication.common_nodes import BestOf, BestOfPair, CommonNode, common_nodes
from exactmatch.many.adjudication.drawn_item import drawn_item
from exactmatch.many.adjudication.item import (
    AnnotatedGraph,
    Differing,
    Item,
    ItemFault,
    differing,
)
from exactmatch.many.candidates import CandidatePairs
from exactmatch.many.choice import best_of, choose
from exactmatch.many.in_penman import in_penman
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.validity.checks import defects
from exactmatch.stopping.deadline import Deadline

#: The mappings are the best under this metric.
METRIC = Smatch.profiles["default"]
#: The triples that are decided: as they are written, but that inverse roles are turned round.
AS_WRITTEN = METRIC.with_choices(mod="separate", case="keep", quotes="keep")


def made_item(
    identifier: str,
    annotators: Sequence[str],
    texts: Sequence[GraphText | None],
    settings: Settings,
    *,
    consensus: int | None,
) -> Item:
    """Return the item of *texts*, one of each annotator; *consensus* is the position of the pivot.

    Without that, it is the graph that agrees most with the others. Raises `VerificationError` if
    two computations of the same number disagree.
    """
    both = zip(annotators, texts, strict=True)
    given = _without_strangers([_given(name, text, identifier) for name, text in both])
    graphs = {i: one.graph for i, one in enumerate(given) if isinstance(one.graph, Graph)}
    pivot = 0
    found, nodes = Differing([], [], [], []), list[CommonNode]()
    if graphs:
        pivot = consensus if consensus in graphs else _nearest(annotators, graphs, settings)
        written = {i: AS_WRITTEN.normalise(graph) for i, graph in graphs.items()}
        nodes = common_nodes(written, pivot, _best_of(identifier, graphs, settings))
        found = differing(written, nodes)
    names = [node.name for node in nodes]
    return Item(
        id=identifier,
        sentences=_sentences(annotators, graphs),
        metadata=_metadata(graphs),
        pivot=pivot,
        graphs=[_annotated(one, i, nodes) for i, one in enumerate(given)],
        nodes=names,
        holders=[node.holders for node in nodes],
        triples=found.triples,
        by=found.by,
        settled=found.settled,
        differences=found.differences,
        drawn=drawn_item(names, found),
    )


class _GivenGraph(NamedTuple):
    """The graph of an annotator or its error, its text, and its faults."""

    graph: Graph | GraphError | str
    body: str
    faults: Sequence[Defect]


def _given(annotator: str, text: GraphText | None, identifier: str) -> _GivenGraph:
    if text is None:
        return _GivenGraph(f"{annotator} has no graph {identifier}", "", [])
    # Errors are part of the page, whose readers do not have the folders of this machine.
    text = text._replace(source=shown_path(text.source))
    graph = parse(text)
    if text.format == UMR:
        text, body = without_levels(text)
        graph = parse(text)
    else:
        rows = read_block(in_penman(text, graph)).body.split("\n")
        body = "\n".join(row for row in rows if row.strip())  # an empty line would end the graph
    return _GivenGraph(graph, body, defects(text))


def _without_strangers(given: Sequence[_GivenGraph]) -> Sequence[_GivenGraph]:
    """Return what is given, with an error for each graph of UMR that is of another sentence."""
    graphs = {i: one.graph for i, one in enumerate(given) if isinstance(one.graph, Graph)}
    errors = strangers([*graphs.values()])
    wrong = {i: errors[place] for place, i in enumerate(graphs) if place in errors}
    return [one._replace(graph=wrong.get(i, one.graph)) for i, one in enumerate(given)]


def _annotated(one: _GivenGraph, i: int, nodes: Sequence[CommonNode]) -> AnnotatedGraph:
    names = {node.variables[i]: node.name for node in nodes if i in node.variables}
    wrong = [
        ItemFault(fault.kind, fault.reason, [names.get(v, v) for v in fault.nodes], fault.words)
        for fault in one.faults
    ]
    error = None if isinstance(one.graph, Graph) else encodable(str(one.graph))  # it names a file
    return AnnotatedGraph(one.body, wrong, error)


def _nearest(annotators: Sequence[str], graphs: Mapping[int, Graph], settings: Settings) -> int:
    """Return the position of the graph that agrees most with the others."""
    positions = [*graphs]
    pairs = CandidatePairs(
        [annotators[i] for i in positions],
        [METRIC.normalise(graphs[i]) for i in positions],
        [0] * len(positions),
        [1] * len(positions),
        METRIC,
        settings,
    )
    if len(positions) > 1:
        choose(pairs)
    return positions[best_of(pairs)]


def _best_of(identifier: str, graphs: Mapping[int, Graph], settings: Settings) -> BestOf:
    @cache
    def best(i: int, j: int) -> BestOfPair:
        pair = GraphPair(identifier, graphs[i], graphs[j])
        score = score_pair(pair, METRIC, settings, Deadline())
        if score.best is None:
            return BestOfPair(score.mapping, None)
        return BestOfPair(score.best.mappings[0], score.best)

    return best


def _sentences(annotators: Sequence[str], graphs: Mapping[int, Graph]) -> list[tuple[str, str]]:
    """Return the sentences, each with who has it; with nobody where all have the same."""
    found: dict[str, list[str]] = {}
    for i, graph in graphs.items():
        if said := sentence(graph):
            found.setdefault(said, []).append(annotators[i])
    if len(found) == 1:
        return [("", said) for said in found]
    return [(", ".join(names), said) for said, names in found.items()]


def _metadata(graphs: Mapping[int, Graph]) -> dict[str, str]:
    """Return what all graphs say that say anything of it, but for spaces."""
    found: dict[str, str] = {}
    differing_keys = set()
    for graph in graphs.values():
        for key, value in _said(graph):
            if found.setdefault(key, value).split() != value.split():
                differing_keys.add(key)
    return {key: value for key, value in found.items() if key not in differing_keys}


def _said(graph: Graph) -> Iterator[tuple[str, str]]:
    """Yield the metadata of a graph. The tokens of UMR are the words, wherever they stand."""
    for key, value in graph.metadata.items():
        if not (graph.sentences and key == "input"):  # the reader's word for the tokens
            yield key, value
    if graph.sentences and "Words" not in graph.metadata:
        yield "Words", " ".join(graph.sentences[0].tokens)
