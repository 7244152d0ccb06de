"""Read a sentence of UMR: its tokens, its graph, its surface alignment and document level."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import Triple
from exactmatch.graphs.readers.blocks import Block, undecodable
from exactmatch.graphs.readers.examined import (
    DAMAGED,
    REPAIRED,
    UNCLOSED,
    UNKNOWN_VARIABLE,
    USED_TWICE,
    Defect,
)
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.umr_blocks import (
    DOCUMENT_LEVEL,
    GRAPH,
    HEADER,
    SURFACE,
    SentenceText,
)
from exactmatch.graphs.readers.umr_levels import (
    Break,
    Surface,
    WrittenLevel,
    counted,
    read_document_level,
    read_surface,
)
from exactmatch.graphs.readers.well_formed import read_well_formed

#: A string, closed or not, or a concept, which are kept, or a comment up to the end of the line.
_COMMENT = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|/\s*#\w)|#.*')
#: The name of a sentence, and the text that may follow it.
_NAME = re.compile(r"#\s*::\s*snt\d+(.*)")
#: The field of a comment, as in ``# meta-info :: sent_id = x``.
_SAID = re.compile(r"(?:^#|::)\s*([\w-]+)\s*=\s*(.*?)\s*(?=$|::)")


@dataclass(frozen=True, slots=True)
class Header:
    """The tokens of a sentence, and the fields of its header by key; ``input`` are the tokens."""

    tokens: tuple[str, ...]
    metadata: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class SentenceGraph:
    """The graph of a sentence, with the lines of its triples on request."""

    variables: Mapping[str, str]
    triples: tuple[Triple, ...]
    lines: tuple[int, ...] = ()
    defects: tuple[Defect, ...] = ()


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a sentence, with all names as written.

    surface_line, level_line: the first lines of these blocks, from 1.
    """

    header: Header
    graph: SentenceGraph
    surface: Surface
    surface_line: int
    level: WrittenLevel
    level_line: int

    @property
    def damaged(self) -> frozenset[str]:
        """The blocks in which programs that allow for no faults stop reading."""
        damaged = set()
        if any(defect.kind == DAMAGED for defect in self.graph.defects):
            damaged.add(GRAPH)
        if self.surface.before_fault is not None:
            damaged.add(SURFACE)
        if self.level.fault is not None or self.level.resumed:
            damaged.add(DOCUMENT_LEVEL)
        return frozenset(damaged)

    def defects(self) -> Iterator[Defect]:
        """Yield all faults of the sentence that leave it usable."""
        yield from self.graph.defects
        for fault in self.surface.faults:
            kind = UNKNOWN_VARIABLE if fault.is_unknown else DAMAGED
            yield _defect(kind, SURFACE, fault, self.surface_line)
        for row, variable in self.surface.repeated:
            reason = f"{SURFACE}: {variable} occurs again; this line counts"
            yield Defect(USED_TWICE, self.surface_line + row, reason)
        for row, written in self.surface.turned:
            reason = f"{SURFACE}: an interval of {written!r} is reversed, and is read turned around"
            yield Defect(REPAIRED, self.surface_line + row, reason)
        for row, kind in self.level.resumed:
            reason = f"{DOCUMENT_LEVEL}: closed before {kind!r}; reading goes on there"
            yield Defect(REPAIRED, self.level_line + row, reason)
        if self.level.fault is not None:
            yield _defect(DAMAGED, DOCUMENT_LEVEL, self.level.fault, self.level_line)
        if self.level.unclosed:
            reason = _unclosed(DOCUMENT_LEVEL, self.level.unclosed)
            yield Defect(UNCLOSED, self.level_line + self.level.last_row, reason)


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence, the text that it was cut from, and its number in the file, from 1."""

    text: GraphText
    sentence: SentenceText
    number: int

    def error(self, reason: str, line: int) -> GraphError:
        """Return an error about a line of the sentence."""
        return GraphError(
            reason,
            source=self.text.source,
            line=line,
            number=self.number,
            identifier=self.sentence.identifier,
        )

    def block(self, body: str, line: int) -> Block:
        """Return the *body* that begins in a *line* as a block of PENMAN."""
        identifier = self.sentence.identifier
        text = self.text._replace(line=line, number=self.number, identifier=identifier)
        return Block(text, "", body, 0)


def read_content(place: Place, *, strict: bool = True) -> Content:
    """Return the content of a sentence. Raises `GraphError` if its graph is unreadable.

    Unless *strict*, as much as possible is read, and its triples have lines.
    """
    sentence = place.sentence
    if undecodable(b"\n".join(sentence.lines)) is not None:
        raise _decoding_error(place)
    graph = _graph(place, strict=strict)
    surface_line, rows = uncommented(sentence, SURFACE)
    surface = read_surface(rows, graph.variables)
    level_line, rows = uncommented(sentence, DOCUMENT_LEVEL)
    level = read_document_level(rows)
    return Content(read_header(sentence), graph, surface, surface_line, level, level_line)


def _decoding_error(place: Place) -> GraphError:
    """Return the error of the first line that is not UTF-8 text."""
    faults = map(undecodable, place.sentence.lines)
    row, reason = next((row, reason) for row, reason in enumerate(faults) if reason is not None)
    return place.error(reason, place.sentence.line + row)


def read_header(sentence: SentenceText) -> Header:
    """Return the header of a sentence."""
    _, rows = _rows(sentence, HEADER)
    metadata: dict[str, str] = {}
    beside_name = ""
    for row in map(str.strip, rows):
        if row.startswith("#"):
            named = _NAME.match(row)
            beside_name = beside_name or (named[1] if named else "")
            for key, value in _SAID.findall(row):
                metadata.setdefault(key, value)
        else:
            key, colon, value = row.partition(":")  # Words: Estonians elected parliament
            if key and colon:
                metadata.setdefault(key.rstrip(), value.lstrip())
    tokens = tuple(metadata.get("Words", beside_name).split())
    if tokens:
        metadata["input"] = " ".join(tokens)
    return Header(tokens, metadata)


def read_body(sentence: SentenceText) -> str:
    """Return the text of the graph of a sentence, without comments and empty lines."""
    return "\n".join(row for row in uncommented(sentence, GRAPH)[1] if row.strip())


def _graph(place: Place, *, strict: bool) -> SentenceGraph:
    line, written = _rows(place.sentence, GRAPH)
    rows = _without_comments(written)
    empty = next((i for i, row in enumerate(rows) if row.strip()), len(rows))
    line, rows = line + empty, rows[empty:]
    if not rows:
        raise place.error("no sentence level graph", place.sentence.line)
    body = "\n".join(rows)
    content = read_well_formed(body) if strict else None
    if content is not None:
        return SentenceGraph(*content)
    from exactmatch.graphs.readers.penman_parser import (  # few sentences need this
        parsed_beginning,
        repaired_beginning,
    )

    read = repaired_beginning if strict and place.text.repair else parsed_beginning
    block = place.block("\n".join(written[empty:]), line)
    beginning = read(block, body, strict=strict)
    variables, triples, lines, defects = beginning.found
    more = []
    if beginning.unclosed:
        reason = _unclosed(GRAPH, beginning.unclosed)
        more.append(Defect(UNCLOSED, line + len(rows) - 1, reason))
    if beginning.rest is not None:
        row, column = beginning.rest
        lost = sum(1 for text in (rows[row][column:], *rows[row + 1 :]) if text.strip())
        reason = f"graph: text after its end; {counted(lost, 'line')} lost from here on"
        more.append(Defect(DAMAGED, line + row, reason))
    return SentenceGraph(variables, triples, lines, (*defects, *more))


def _rows(sentence: SentenceText, kind: str) -> tuple[int, list[str]]:
    """Return the first line of a block, and its rows; lines of other blocks are empty."""
    places = sentence.blocks.get(kind)
    if not places:
        return sentence.line, []
    first, theirs = places[0], set(places)
    lines = sentence.lines[first : places[-1] + 1]
    return sentence.line + first, [
        line.decode("utf-8", errors="replace") if first + row in theirs else ""
        for row, line in enumerate(lines)
    ]


def uncommented(sentence: SentenceText, kind: str) -> tuple[int, list[str]]:
    """Return the first line of a block, and its rows without comments."""
    line, rows = _rows(sentence, kind)
    return line, _without_comments(rows)


def _without_comments(rows: Iterable[str]) -> list[str]:
    return [_COMMENT.sub(lambda m: m[1] or "", r) if "#" in r else r for r in rows]


def _defect(kind: str, block: str, fault: Break, line: int) -> Defect:
    return Defect(kind, line + fault.row, f"{block}: {fault.reason}; {fault.lost}")


def _unclosed(block: str, times: int) -> str:
    missing = counted(times, "parenthesis", "parentheses")
    return f"{block}: not closed; {missing} missing"
