"""UMR: sentence graphs in PENMAN notation with tokens, surface alignment and a document level.

Van Gysel et al. (2021), *Designing a Uniform Meaning Representation for Natural Language
Processing*, introduce it; the files of its releases have four blocks a sentence (see
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

A ``#`` that stands in no string begins a comment, wherever it is; but release 3.0 has concepts
such as ``#Percnt``, and as no variable goes without, these are read. Where there is no line
``Words:``, the tokens are what follows the name, as in the samples of AnCast.

A sentence whose graph cannot be read is a `GraphError`: in a graph of its own it is raised; in a
graph of several sentences it stands in `Graph.unread`, and the sentence is empty. What leaves a
sentence usable stands in `Graph.notes`:

* a graph, or a document level, in which parentheses are left open at the end, or where the triples
  of another kind begin: it ends there;
* text after a graph, which is lost;
* a surface alignment or a document level with a fault: what comes before it is read, what follows
  is lost, and counted. An alignment of a variable that the graph does not have is such a fault.
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
from exactmatch.graphs.readers.umr_blocks import GRAPH, cut_sentences
from exactmatch.graphs.readers.umr_levels import LevelTriple, Surface, WrittenLevel
from exactmatch.graphs.readers.umr_sentence import (
    Content,
    Place,
    SentenceGraph,
    read_content,
    read_header,
)


def cut_graphs(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None, int]]:
    """Cut a file into the texts of its sentences.

    Yields the first line of each, the text, what the sentence is called, and the number of its
    document.
    """
    for sentence in cut_sentences(numbered_lines(chunks)):
        data = b"\n".join(sentence.lines).rstrip(b"\n")
        yield sentence.line, data, sentence.identifier, sentence.document


def read_graph(text: GraphText) -> Graph:
    """Return the graph in *text*, which holds one sentence or many.

    Raises `GraphError` if it is the text of one sentence and that cannot be read.
    """
    return _read(text).graph()


def examine_graph(text: GraphText) -> ExaminedGraph:
    """Return the graph in *text* with all that is wrong with it. Raises `GraphError` as above."""
    sentences = _read(text, strict=False)
    contents = sentences.contents
    return ExaminedGraph(
        sentences.graph(),
        [line for content in contents for line in content.graph.lines],
        [defect for content in contents for defect in content.defects()],
        [*sentences.lines()],
    )


def read_metadata(text: GraphText) -> Mapping[str, str]:
    """Return what the header of the first sentence in *text* says, by key."""
    sentence = next(cut_sentences(enumerate(text.data.split(b"\n"), start=text.line)))
    return read_header(sentence).metadata


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
    """The sentences of a graph as they are read, and the names of their variables."""

    def __init__(self, text: GraphText) -> None:
        self.contents: list[Content] = []
        self._text = text
        self._places: list[Place] = []
        self._unread: dict[int, GraphError] = {}
        #: Of each sentence, from names that are written to those that differ.
        self._names: list[dict[str, str]] = []
        self._given = DistinctNames()
        #: Of each document, the sentences that have a variable of a name.
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
        nothing = SentenceGraph({}, ()), Surface({}, {}, ()), 1, WrittenLevel((), 0, 0, None), 1
        self.add(place, Content(header, *nothing))

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
        """Yield the lines of what stands beside the graph of each sentence."""
        for content, names in zip(self.contents, self._names, strict=True):
            rows = content.surface.rows
            surface = {names[name]: content.surface_line + row for name, row in rows.items()}
            level = [content.level_line + triple.row for triple in content.level.triples]
            yield SentenceLines(surface, level)

    def _notes(self) -> Iterator[str]:
        for place, content in zip(self._places, self.contents, strict=True):
            told = set()  # what follows the first fault of a block is lost
            for kind, line, reason in content.defects():
                block, _, _ = reason.partition(":")
                if block not in told or kind == REPAIRED:
                    yield str(place.error(reason, line))
                if kind != REPAIRED:
                    told.add(block)

    def _sentence(self, number: int) -> Sentence:
        sentence, content = self._places[number].sentence, self.contents[number]
        names = self._names[number]
        variables = tuple(names.values())
        tokens_of = content.surface.tokens_of
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
            tokens_of={names[name]: tokens for name, tokens in tokens_of.items()},
            document_level=tuple(self._triple(t, number) for t in content.level.triples),
            damaged=frozenset([GRAPH]) if is_unread else content.damaged,
            number=self._places[number].number,
            text=b"\n".join(sentence.lines).decode("utf-8", errors="replace"),
        )

    def _triple(self, triple: LevelTriple, number: int) -> DocumentTriple:
        source, target = (self._end(name, number) for name in (triple.source, triple.target))
        return DocumentTriple(triple.kind, source, triple.relation, target)

    def _end(self, name: str, number: int) -> Argument:
        """Return the variable that *name* is in the document level of a sentence, if it is one.

        That is the variable of this sentence, or else of the latest sentence before it in the
        document that has such, or else of the first one after it.
        """
        having = self._having.get((self._places[number].sentence.document, name))
        if not having:
            return Constant(name)
        near = next((one for one in reversed(having) if one <= number), having[0])
        return Variable(self._names[near][name])


def _renamed(triples: tuple[Triple, ...], names: Mapping[str, str]) -> tuple[Triple, ...]:
    """Return *triples* with the names of their variables replaced."""
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
