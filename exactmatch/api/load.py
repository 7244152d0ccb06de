"""Read graphs without scoring them."""

from os import PathLike
from pathlib import Path

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.inputs import opened
from exactmatch.graphs.pairing import unreadable
from exactmatch.graphs.readers.detect import parse
from exactmatch.graphs.readers.graph_text import GraphText


def load(path: str | PathLike[str]) -> list[Graph]:
    """Return the graphs of a file in any format; ``-`` is standard input.

    Raises `InputError` if the file cannot be read, holds no graph, or holds an unreadable graph.

    Example:
        >>> import exactmatch
        >>> [graph.identifier for graph in exactmatch.load("instances/paper/gold.amr")]
        ['paper.1']
    """
    return _read(Path(path), str(path))


def loads(text: str) -> list[Graph]:
    """Return the graphs of a text in any format. Raises `InputError` as `load` does.

    Example:
        >>> import exactmatch
        >>> [graph.tops for graph in exactmatch.loads("(b / bird)")]
        [('b',)]
    """
    return _read(text, "text")


def _read(given: str | PathLike[str], name: str) -> list[Graph]:
    with opened(given, name) as found:
        graphs = [parse(g) if isinstance(g, GraphText) else g for g in found.graphs]
    errors = [graph for graph in graphs if isinstance(graph, GraphError)]
    if errors:
        raise unreadable(errors)
    return [graph for graph in graphs if isinstance(graph, Graph)]
