"""Read PENMAN graphs that stand as text in JSON lines, as data sets and outputs of models do.

Each line holds an object with a graph, which may have comments and empty lines of its own, under
one of the keys ``amr``, ``graph``, ``penman``, ``output`` and ``prediction``::

    {"id": "x.1", "snt": "A bird sings.", "amr": "(s / sing-01\\n   :ARG0 (b / bird))"}

``id`` is the identifier. The sentence, under ``snt``, ``sentence`` or ``text``, is the metadata
``snt``. Both take precedence over comments in the text. Other keys are skipped. Of several graphs
in a record, none is preferred, so such a record is unreadable.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import PENMAN, Graph
from exactmatch.graphs.readers.blocks import read_block
from exactmatch.graphs.readers.cutting import identified
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.json_records import (
    GRAPH_KEYS,
    comments,
    error_about,
    identifier_under,
    read_record,
    record_in,
)
from exactmatch.graphs.readers.penman import examine_graph as examine_penman
from exactmatch.graphs.readers.penman import read_graph as read_penman
from exactmatch.graphs.readers.source import numbered_lines

if TYPE_CHECKING:
    from exactmatch.graphs.readers.examined import ExaminedGraph

_ID = "id"
#: The keys of the sentence; the first one that a record has counts.
_SENTENCE = ("snt", "sentence", "text")


def cut_graphs(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    """Yield the lines of a file that hold an object, numbered, each with its identifier, if any."""
    for line, raw in numbered_lines(chunks):
        if raw.strip():
            yield line, raw, _identifier(record_in(raw))


def read_graph(text: GraphText) -> Graph:
    """Return the graph in *text*. Raises `GraphError` if it is unusable."""
    return read_penman(as_penman(text))


def examine_graph(text: GraphText) -> "ExaminedGraph":
    """Return the graph in *text* with all its faults. Raises `GraphError` as above."""
    return examine_penman(as_penman(text))


def read_metadata(text: GraphText) -> Mapping[str, str]:
    """Return the metadata of the graph in *text*; none if it is unreadable."""
    try:
        return read_block(as_penman(text)).metadata
    except GraphError:
        return {}


def as_penman(text: GraphText) -> GraphText:
    """Return the PENMAN text in a record. Raises `GraphError` with the reason if there is none."""
    record = read_record(text)
    graph = _graph(record, text)
    # The text may be written to a file, where an empty line would end the graph.
    lines = [line for line in re.split("\r\n|[\r\n]", graph) if line.strip()]
    n_comments = len([*takewhile(lambda line: line.lstrip().startswith("#"), lines)])
    sentence = next((record[key] for key in _SENTENCE if isinstance(record.get(key), str)), None)
    lines[n_comments:n_comments] = comments({_ID: identifier_under(record, _ID), "snt": sentence})
    data = "\n".join(lines).encode("utf-8", errors="surrogatepass")
    return text._replace(data=data, format=PENMAN, is_one_line=True)


def _graph(record: dict[str, Any], text: GraphText) -> str:
    """Return the text of the graph in *record*. Raises `GraphError` if there is not one."""
    keys = [key for key in GRAPH_KEYS if key in record]
    if not keys:
        raise error_about(text, f"no graph; expected one of the keys {', '.join(GRAPH_KEYS)}")
    if len(keys) > 1:
        remedy = f"keep one key, for example by jq -c '{{id, {keys[0]}}}'"
        raise error_about(text, f"both {keys[0]} and {keys[1]} may hold the graph; {remedy}")
    graph = record[keys[0]]
    if not isinstance(graph, str) or not graph.strip():
        shown = json.dumps(graph)[:40]
        raise error_about(text, f"found {shown} under {keys[0]}, expected the text of a graph")
    return graph


def _identifier(record: dict[str, Any] | None) -> str | None:
    """Return the identifier of a record, or else that in the comments of its graph."""
    found = identifier_under(record, _ID)
    if found is not None or record is None:
        return found
    texts = [record[key] for key in GRAPH_KEYS if isinstance(record.get(key), str)]
    if len(texts) != 1:
        return None
    return identified(texts[0].strip("\n").encode("utf-8", errors="surrogatepass"), "#")[0]
