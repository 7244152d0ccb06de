"""The text of a graph in PENMAN notation, if it is in another notation for the same graphs."""

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import PENMAN, PENMAN_IN_JSON, Graph
from exactmatch.graphs.readers.formats import FORMATS
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.json_records import comments
from exactmatch.many.consensus import AS_WRITTEN, penman_text

#: The triples as they are written.
_WRITTEN = AS_WRITTEN.with_choices(mod="separate")


def in_penman(text: GraphText, graph: Graph | GraphError | None) -> GraphText:
    """Return *text*, of which *graph* was read, in PENMAN notation.

    A text in another format, and a graph that PENMAN cannot write, stay as they are.
    """
    if text.format == PENMAN_IN_JSON:
        from exactmatch.graphs.readers.penman_json import as_penman

        try:
            return as_penman(text)
        except GraphError:
            return text
    if not FORMATS[text.format].is_penman or not isinstance(graph, Graph) or not graph.tops:
        return text
    written = penman_text(_WRITTEN.normalise(graph).triples, graph.tops[0], _WRITTEN)
    if written is None:
        return text
    said = comments({**graph.metadata, "id": text.identifier})
    data = "\n".join([*said, written]).encode()
    return text._replace(data=data, format=PENMAN, is_one_line=True)
