"""The sentence that a graph is of, as its file tells it."""

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.blocks import Comments

#: Where files say it: AMR releases, their tokens where there is nothing else, and MRP.
_KEYS = ("snt", "sentence", "input", "tok")


def sentence(graph: Graph) -> str:
    """Return the sentence of *graph*; empty if its file does not tell."""
    for key in _KEYS:
        if graph.metadata.get(key):
            return graph.metadata[key]
    return graph.metadata.remark if isinstance(graph.metadata, Comments) else ""


def sentences(system: Graph, gold: Graph) -> list[tuple[str, str]]:
    """Return the sentences, each with the side that it is of: one of both, if that is the same."""
    one, other = sentence(system), sentence(gold)
    if not one or not other or one == other:
        return [("both", one or other)] if one or other else []
    return [("system", one), ("gold", other)]
