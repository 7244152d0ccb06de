"""Read graphs without scoring them."""

from os import PathLike
from pathlib import Path

from exactmatch.errors import GraphError, InputError, briefly
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.inputs import Given, as_path, opened
from exactmatch.graphs.pairing import unreadable
from exactmatch.graphs.readers.detect import parse
from exactmatch.graphs.readers.graph_text import GraphText


@briefly
def load(path: str | PathLike[str]) -> list[Graph]:
    """Return the graphs of a file in any format; ``-`` is standard input.

    Raises `InputError` if the file cannot be read, holds no graph, or holds an unreadable graph.

    Example:
        >>> import exactmatch
        >>> [graph.identifier for graph in exactmatch.load("instances/paper/gold.amr")]
        ['paper.1']
    """
    with opened(Path(path), str(path)) as found:
        return _graphs(found)


@briefly
def loads(text: str) -> list[Graph]:
    """Return the graphs of a text in any format.

    Raises `InputError` as `load` does, and for a path.

    Example:
        >>> import exactmatch
        >>> [graph.tops for graph in exactmatch.loads("(b / bird)")]
        [('b',)]
    """
    if isinstance(text, str) and as_path(text) is not None:
        raise InputError(f"text: {text!r} is the path of a file, which exactmatch.load reads")
    with opened(text, "text", is_text=True) as found:
        return _graphs(found)


def _graphs(given: Given) -> list[Graph]:
    graphs = [parse(g) if isinstance(g, GraphText) else g for g in given.graphs]
    errors = [graph for graph in graphs if isinstance(graph, GraphError)]
    if errors:
        raise unreadable(errors)
    return [graph for graph in graphs if isinstance(graph, Graph)]
