"""Files of graphs that are read in one piece, by the reader of a format."""

from types import ModuleType

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.graph_text import GraphText


def read_graphs(reader: ModuleType, data: bytes, source: str) -> list[Graph | GraphError]:
    """Return the graphs in *data*, and what is wrong with those that cannot be read."""
    found: list[Graph | GraphError] = []
    cut = reader.cut_graphs([b"\n".join(data.splitlines())])
    for number, (line, raw, identifier) in enumerate(cut, start=1):
        try:
            found.append(reader.read_graph(GraphText(raw, source, line, number, "", identifier)))
        except GraphError as error:
            found.append(error)
    return found
