"""Find where a file of graphs with comments continues after a broken graph.

An empty line ends a graph, and a comment with an identifier begins one. If a parser writes an empty
line into a graph, or none after it, the file seems to have more or fewer graphs, and pairing by
position would shift all the following ones. So if unreadable graphs are tolerated, the following
text is examined, too.

* A text after an empty line belongs to the graph before, if that is not closed and the text neither
  has an identifier nor can begin a graph; also if it can begin a graph and the graph before has an
  identifier. The text is skipped with that graph. That graph is then an error, even where missing
  parentheses at its end would be added: more than those are missing.
* An unreadable text ends where a comment in it names the next graph.
"""

import re
from collections.abc import Iterable, Iterator

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import CAMR, CLAUSES, PENMAN, TRIPLES, RepairableError
from exactmatch.graphs.pairing import Unread
from exactmatch.graphs.readers.blocks import read_block
from exactmatch.graphs.readers.detect import identifier_in, parse
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.penman_parser import NOT_CLOSED

_COMMENT = {PENMAN: b"#", CLAUSES: b"%", CAMR: b"#", TRIPLES: b"#"}


def resumed(graphs: Iterable[Unread]) -> Iterator[Unread]:
    """Yield unread *graphs*, each from its true beginning even if one before it is broken."""
    before: GraphText | None = None
    held: Unread | None = None  # the text, or its error, until the following text is known
    number = 0
    for graph in graphs:
        if not isinstance(graph, GraphText) or graph.format not in _COMMENT:
            if held is not None:
                yield held
            before = held = None
            yield graph
            continue
        error = None if before is None else _broken_before(graph, before)
        if error is not None:
            held = error
            continue
        for part in _parts(graph):
            if held is not None:
                yield held
            number += 1
            before = held = part._replace(number=number)
    if held is not None:
        yield held


def _broken_before(text: GraphText, before: GraphText) -> GraphError | None:
    """Return the error of *before* if *text* is its rest, cut off by an empty line."""
    if text.format != PENMAN or text.identifier is not None:
        return None
    can_begin = read_block(text).body.lstrip().startswith("(")
    if can_begin and before.identifier is None:
        return None
    error = parse(before)
    if not isinstance(error, GraphError) or not error.reason.startswith(NOT_CLOSED):
        return None
    return error.beyond_repair() if isinstance(error, RepairableError) else error


def _parts(text: GraphText) -> Iterator[GraphText]:
    """Yield *text* or, if it is unreadable, its parts with an identifier each."""
    starts = _starts(text)
    if len(starts) == 1 or not isinstance(parse(text), GraphError):
        yield text
        return
    for start, end in zip(starts, [*starts[1:], len(text.data)], strict=True):
        data = text.data[start:end].rstrip(b"\n")
        line = text.line + text.data.count(b"\n", 0, start)
        part = text._replace(data=data, line=line)
        yield part._replace(identifier=identifier_in(part))


def _starts(text: GraphText) -> list[int]:
    """Return where graphs begin in *text*: at comments with an identifier after other lines."""
    comment = re.escape(_comment(text))
    named = re.compile(rb"^[^\S\n]*" + comment + rb".*::id\b", re.MULTILINE)
    starts = [0]
    for match in named.finditer(text.data):
        lines = text.data[starts[-1] : match.start()].split(b"\n")
        if any(line.strip() and not line.lstrip().startswith(_comment(text)) for line in lines):
            starts.append(match.start())
    return starts


def _comment(text: GraphText) -> bytes:
    return _COMMENT[text.format]
