"""Read Chinese AMR: its text form, and its table, which the scorer Align-smatch reads.

In the text form, numbers of nodes are places in the sentence, and a relation may have a word of the
sentence in parentheses::

    # ::id export_amr.7
    # ::wid x1_他 x2_把 x3_书 x4_卖 x5_了
    (x4 / 卖-01
        :arg0() (x1 / 他)
        :arg1(x2/把) (x3 / 书)
        :aspect() (x5 / 了))

The table has a line of ten columns, with tabs between, for each relation::

    7  x4  卖-01  -  :arg1  x2  把  x3  书  -

Both become the same graph. `exactmatch.graphs.readers.camr_nodes` says what its nodes are.
"""

from collections.abc import Iterable, Iterator

from exactmatch.graphs.graph import CAMR, Graph, Location
from exactmatch.graphs.readers.blocks import Block, read_block
from exactmatch.graphs.readers.camr_nodes import Nodes
from exactmatch.graphs.readers.camr_table import read_table
from exactmatch.graphs.readers.camr_text import read_notation
from exactmatch.graphs.readers.cutting import cut_blocks
from exactmatch.graphs.readers.examined import ExaminedGraph
from exactmatch.graphs.readers.graph_text import GraphText

#: Identifiers begin so in texts, and lack it in tables.
_PREFIX = "export_amr."
#: The first columns of the two lines above a table.
_HEADERS = ("句子编号".encode(), b"sid")


def cut_graphs(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    """Cut a file into blocks; in tables, another number of a sentence begins another graph."""
    for line, data, identifier in cut_blocks(chunks):
        if _is_table(data):
            yield from _tables(line, data)
        else:
            yield line, data, None if identifier is None else identifier.removeprefix(_PREFIX)


def read_graph(text: GraphText) -> Graph:
    """Return the graph in *text*. Raises `GraphError` if it is unusable."""
    return examine_graph(text).graph


def examine_graph(text: GraphText) -> ExaminedGraph:
    """Return the graph in *text* with the lines of its triples. Raises `GraphError` as above."""
    block = read_block(text)
    if block.undecodable is not None:
        raise block.error(block.undecodable)
    if not block.body.strip():
        raise block.error("an identifier without a graph after it")
    nodes = Nodes()
    read = read_table if _is_table(text.data) else read_notation
    read(block, nodes)
    graph = Graph(
        identifier=block.identifier,
        variables=dict.fromkeys(nodes.concepts, ""),
        triples=nodes.triples(),
        tops=tuple(nodes.tops),
        location=Location(block.source, block.body_line),
        metadata=block.metadata,
        notes=_notes(block, nodes),
        format=CAMR,
    )
    return ExaminedGraph(graph, nodes.lines(), nodes.defects)


def _notes(block: Block, nodes: Nodes) -> tuple[str, ...]:
    """Return the first fault of each kind."""
    first = {fault.kind: fault for fault in reversed(nodes.defects)}
    return tuple(str(block.error_in(fault.line, fault.reason)) for fault in first.values())


def _is_table(data: bytes) -> bool:
    """Tell whether more lines of a block may be rows than may be lines of the text form."""
    lines = [line.strip() for line in data.split(b"\n") if not line.lstrip().startswith(b"#")]
    n_rows = sum(b"\t" in line for line in lines)
    return n_rows > sum(line.startswith((b"(", b":")) for line in lines)


def _tables(line: int, data: bytes) -> Iterator[tuple[int, bytes, str | None]]:
    """Yield the graphs in a block of rows; comments belong to the row after them.

    Where sentences have numbers, a row without one begins no graph.
    """
    sentences = [row.partition(b"\t")[0].strip() for row in data.split(b"\n")]
    are_numbered = any(map(bytes.isdigit, sentences))
    known: bytes | None = None
    rows: list[bytes] = []
    comments = 0  # at the end of *rows*
    for number, row in enumerate(data.split(b"\n"), start=line):
        sentence = sentences[number - line]
        is_comment = row.lstrip().startswith(b"#")
        is_number = sentence.isdigit() or sentence in _HEADERS or not are_numbered
        names_sentence = is_number and not is_comment
        if known is not None and names_sentence and sentence != known:
            kept = len(rows) - comments
            yield number - len(rows), b"\n".join(rows[:kept]), _decoded(known)
            rows, known = rows[kept:], None
        if sentence in _HEADERS:
            rows = []
        else:
            rows.append(row)
            known = sentence if names_sentence else known
        comments = comments + 1 if is_comment else 0
    if known is not None:
        yield line + data.count(b"\n") + 1 - len(rows), b"\n".join(rows), _decoded(known)


def _decoded(sentence: bytes) -> str | None:
    return sentence.decode("utf-8", errors="replace") or None
