"""Drawings for tests."""

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.mrp import Mrp
from exactmatch.metrics.smatch import Smatch
from exactmatch.report.views.graph_drawing import Drawing, drawing

_METRICS: dict[str, AlignmentMetric] = {
    "PENMAN": Smatch(),
    "MRP": Mrp(),
    "clause form": CounterMetric(),
}


def only_graph(text: str) -> Graph:
    """Return the graph that *text* holds."""
    (graph,) = read_text(text, "test").graphs
    assert isinstance(graph, Graph)
    return graph


def drawn(text: str, metric: AlignmentMetric | None = None) -> Drawing:
    """Return the drawing of the graph in *text*, as *metric* or the default one counts."""
    graph = only_graph(text)
    normalised = (metric or _METRICS[graph.format]).normalise(graph)
    triples = normalised.triples
    return drawing(normalised.variables, triples, graph.metadata.get("input", ""))
