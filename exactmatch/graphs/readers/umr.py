"""Read UMR: sentence graphs in PENMAN with tokens, surface alignment and a document level.

The format comes from Van Gysel et al. (2021), *Designing a Uniform Meaning Representation for
Natural Language Processing*. The files of its releases have four blocks a sentence (see
`exactmatch.graphs.readers.umr_blocks`)::

    # :: snt1
    Words: Estonians elected parliament

    # sentence level graph:
    (s1e / elect-01
        :ARG0 (s1p / person)
        :aspect performance)

    # alignment:
    s1e: 2-2
    s1p: 1-1

    # document level annotation:
    (s1s0 / sentence
        :temporal ((document-creation-time :before s1e)))

A ``#`` outside strings begins a comment. But release 3.0 has concepts such as ``#Percnt``; since
every variable needs a concept, these are read as concepts. Without a line ``Words:``, the tokens
are the text after the name, as in the samples of AnCast.

A sentence with an unreadable graph is a `GraphError`. In a graph of its own, the error is raised.
In a graph of several sentences, it is in `Graph.unread`, and the sentence is empty. Faults that
leave a sentence usable are in `Graph.notes`:

* A graph, or a document level, with parentheses left open at the end, or where triples of another
  kind begin: it ends there.
* Text after a graph: it is lost.
* A fault in a line of a surface alignment: the line is lost. An alignment of an unknown variable is
  such a fault. A reversed interval is turned around.
* A document level that is closed before other kinds of triples: reading goes on there.
* Another fault in a document level: the part before it is read, the rest is lost and counted.

Programs stop reading a block at its first fault; `Sentence.before_faults` has what they read.
"""

from collections.abc import Iterable, Iterator, Mapping

from exactmatch.errors import GraphError
from exactmatch.graphs.distinct_names import DistinctNames
from exactmatch.graphs.graph import (
    UMR,
    Argument,
    Constant,
    DocumentTriple,
    Graph,
    Location,
    Sentence,
    Triple,
    Variable,
)
from exactmatch.graphs.readers.examined import REPAIRED, ExaminedGraph, SentenceLines
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import numbered_lines
from exactmatch.graphs.readers.umr_blocks import DOCUMENT_LEVEL, GRAPH, SURFACE, cut_sentences
from exactmatch.graphs.readers.umr_levels import LevelTriple, Surface, WrittenLevel
from exactmatch.graphs.readers.umr_sentence import (
    Content,
    Place,
    SentenceGraph,
    read_body,
    read_content,
    read_header,
)


def cut_graphs(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None, int]]:
    """Cut a file into the texts of its sentences.

    Yields the first line of each text, the text, the name of the sentence, and the number of its
    document.
    """
    for sentence in cut_sentences(numbered_lines(chunks)):
        data = b"\n".join(sentence.lines).rstrip(b"\n")
        yield sentence.line, data, sentence.identifier, sentence.document


def read_graph(text: GraphText) -> Graph:
    """Return the graph in *text*, which holds one sentence or many.

    Raises `GraphError` if it is the text of a single, unreadable sentence.
    """
    return _read(text).graph()


def examine_graph(text: GraphText) -> ExaminedGraph:
    """Return the graph in *text* with all its faults. Raises `GraphError` as above."""
    sentences = _read(text, strict=False)
    contents = sentences.contents
    return ExaminedGraph(
        sentences.graph(),
        [line for content in contents for line in content.graph.lines],
        [defect for content in contents for defect in content.defects()],
        [*sentences.lines()],
    )


def read_metadata(text: GraphText) -> Mapping[str, str]:
    """Return the header of the first sentence in *text*, by key."""
    sentence = next(cut_sentences(enumerate(text.data.split(b"\n"), start=text.line)))
    return read_header(sentence).metadata


def without_levels(text: GraphText) -> tuple[GraphText, str]:
    """Return the text of a sentence, and that of its graph.

    The lines of the surface alignment and the document level are empty there.
    """
    sentence = next(cut_sentences(enumerate(text.data.split(b"\n"), start=text.line)))
    beside = {row for kind in (SURFACE, DOCUMENT_LEVEL) for row in sentence.blocks.get(kind, ())}
    rows = enumerate(sentence.lines)
    data = b"\n".join(b"" if row in beside else line for row, line in rows).rstrip(b"\n")
    return text._replace(data=data, line=sentence.line), read_body(sentence)


def with_graph(text: GraphText, graph: str) -> bytes:
    """Return the text of a sentence with another *graph*, in PENMAN notation."""
    sentence = next(cut_sentences(enumerate(text.data.split(b"\n"), start=text.line)))
    rows = [
        row for row in sentence.blocks[GRAPH] if not sentence.lines[row].lstrip().startswith(b"#")
    ]
    lines = [line for row, line in enumerate(sentence.lines) if row not in rows[1:]]
    lines[rows[0]] = graph.encode()
    return b"\n".join(lines).rstrip(b"\n")


def _read(text: GraphText, *, strict: bool = True) -> "_Sentences":
    lines = enumerate(text.data.split(b"\n"), start=text.line)
    sentences = _Sentences(text)
    for number, sentence in enumerate(cut_sentences(lines, text.document), start=text.number):
        place = Place(text, sentence, number)
        try:
            sentences.add(place, read_content(place, strict=strict))
        except GraphError as error:
            if text.extent == "sentence":
                raise
            sentences.add_unread(place, error)
    return sentences


class _Sentences:
    """The sentences of a graph as they are read, with the names of their variables."""

    def __init__(self, text: GraphText) -> None:
        self.contents: list[Content] = []
        self._text = text
        self._places: list[Place] = []
        self._unread: dict[int, GraphError] = {}
        #: For each sentence, the distinct name of each written name.
        self._names: list[dict[str, str]] = []
        self._given = DistinctNames()
        #: For each document, the sentences that have a variable of a name.
        self._having: dict[tuple[int, str], list[int]] = {}

    def add(self, place: Place, content: Content) -> None:
        number = len(self._places)
        self._places.append(place)
        self.contents.append(content)
        self._names.append({name: self._given.distinct(name) for name in content.graph.variables})
        for name in content.graph.variables:
            self._having.setdefault((place.sentence.document, name), []).append(number)

    def add_unread(self, place: Place, error: GraphError) -> None:
        self._unread[len(self._places)] = error
        header = read_header(place.sentence)
        level = WrittenLevel((), 0, 0, None, (), 0)
        self.add(place, Content(header, SentenceGraph({}, ()), Surface({}, {}), 1, level, 1))

    def graph(self) -> Graph:
        """Return the graph of all sentences."""
        sentences = tuple(self._sentence(number) for number in range(len(self._places)))
        is_one = self._text.extent == "sentence"
        return Graph(
            identifier=self._text.identifier,
            variables={name: "" for sentence in sentences for name in sentence.variables},
            triples=tuple(triple for sentence in sentences for triple in sentence.triples),
            tops=tuple(sentence.top for sentence in sentences if sentence.top),
            location=Location(self._text.source, self._text.line),
            metadata=self.contents[0].header.metadata if is_one else {},
            notes=tuple(self._notes()),
            format=UMR,
            sentences=sentences,
            unread=self._unread,
            mended=sum(
                defect.kind == REPAIRED
                for content in self.contents
                for defect in content.graph.defects
            ),
        )

    def lines(self) -> Iterator[SentenceLines]:
        """Yield the lines of the surface alignment and the document level of each sentence."""
        for content, names in zip(self.contents, self._names, strict=True):
            rows = content.surface.rows
            surface = {names[name]: content.surface_line + row for name, row in rows.items()}
            level = [content.level_line + triple.row for triple in content.level.triples]
            yield SentenceLines(surface, level)

    def _notes(self) -> Iterator[str]:
        for place, content in zip(self._places, self.contents, strict=True):
            told = set()  # the rest of these blocks after their first fault is lost
            for kind, line, reason, *_ in content.defects():
                block, _, _ = reason.partition(":")
                if block not in told or kind == REPAIRED:
                    yield str(place.error(reason, line))
                if block != SURFACE and kind != REPAIRED:
                    told.add(block)

    def _sentence(self, number: int) -> Sentence:
        sentence, content = self._places[number].sentence, self.contents[number]
        names = self._names[number]
        variables = tuple(names.values())
        surface, level = content.surface, content.level
        is_unread = number in self._unread
        return Sentence(
            name=sentence.name,
            document=sentence.document,
            line=sentence.line,
            tokens=content.header.tokens,
            variables=variables,
            triples=_renamed(content.graph.triples, names),
            top=next(iter(variables), ""),
            written={name: written for written, name in names.items() if name != written},
            tokens_of=_named(surface.tokens_of, names),
            document_level=tuple(self._triple(t, number) for t in level.triples),
            damaged=frozenset([GRAPH]) if is_unread else content.damaged,
            number=self._places[number].number,
            text=b"\n".join(sentence.lines).decode("utf-8", errors="replace"),
            tokens_before_fault=(
                None if surface.before_fault is None else _named(surface.before_fault, names)
            ),
            triples_before_fault=level.before_end if level.resumed else None,
        )

    def _triple(self, triple: LevelTriple, number: int) -> DocumentTriple:
        source, target = (self._end(name, number) for name in (triple.source, triple.target))
        return DocumentTriple(triple.kind, source, triple.relation, target)

    def _end(self, name: str, number: int) -> Argument:
        """Return the variable that *name* stands for in the document level of a sentence, if any.

        It is the variable of this sentence; otherwise that of the latest earlier sentence of the
        document that has one, otherwise that of the first later one.
        """
        having = self._having.get((self._places[number].sentence.document, name))
        if not having:
            return Constant(name)
        near = next((one for one in reversed(having) if one <= number), having[0])
        return Variable(self._names[near][name])


def _named(
    tokens_of: Mapping[str, tuple[int, ...]], names: Mapping[str, str]
) -> dict[str, tuple[int, ...]]:
    return {names[name]: tokens for name, tokens in tokens_of.items()}


def _renamed(triples: tuple[Triple, ...], names: Mapping[str, str]) -> tuple[Triple, ...]:
    """Return *triples* with distinct names of their variables."""
    if all(written == name for written, name in names.items()):
        return triples
    return tuple(
        triple._replace(
            arguments=tuple(
                Variable(names[argument.name]) if isinstance(argument, Variable) else argument
                for argument in triple.arguments
            )
        )
        for triple in triples
    )
