"""The sentence of a graph, as its file gives it."""

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.blocks import Comments

#: The keys that hold the sentence: in AMR releases, their tokens as a last resort, and MRP.
_KEYS = ("snt", "sentence", "input", "tok")


def sentence(graph: Graph) -> str:
    """Return the sentence of *graph*; empty if its file does not give it."""
    for key in _KEYS:
        if graph.metadata.get(key):
            return graph.metadata[key]
    return graph.metadata.remark if isinstance(graph.metadata, Comments) else ""


def sentences(system: Graph, gold: Graph) -> list[tuple[str, str]]:
    """Return the sentences, each with its side; one for both sides if they are equal."""
    one, other = sentence(system), sentence(gold)
    if not one or not other or one == other:
        return [("both", one or other)] if one or other else []
    return [("system", one), ("gold", other)]
