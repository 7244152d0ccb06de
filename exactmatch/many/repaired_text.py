"""The text of a repaired graph, written anew so that others read it without a repair."""

from exactmatch.graphs.graph import UMR, Graph
from exactmatch.graphs.readers.blocks import read_block
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.umr import with_graph
from exactmatch.many.consensus import AS_WRITTEN, penman_text

#: The triples as they are written, but that inverse roles are turned round.
_TURNED = AS_WRITTEN.with_choices(mod="separate")


def repaired_text(text: GraphText, graph: Graph) -> bytes:
    """Return *text* with *graph*, which a repair made of it, instead of its own.

    All else stays. What PENMAN notation cannot write stays as well.
    """
    triples = _TURNED.normalise(graph).triples
    written = penman_text(triples, graph.tops[0], _TURNED) if graph.tops else None
    if written is None:
        return text.data
    if text.format == UMR:
        return with_graph(text, written)
    before = text.data.split(b"\n")[: read_block(text).body_row]
    return b"\n".join([*before, written.encode()])
