"""The drawing of a graph: nodes with lines of text, edges between them, and their sizes.

The drawing shows what was counted: every normalised triple is in one place, either a piece of text
in a node, or an edge. In most graphs there is a node for each variable; triples of one variable are
lines of its node (its concept is in the title), triples of several are edges.

A discourse representation structure is drawn as the boxes of Kamp and Reyle (1993, *From Discourse
to Logic*): each has its referents on top and its conditions below; what relates boxes is an edge.

Sizes are in px; they are estimates for the fonts that the page asks for.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from exactmatch.graphs.graph import BOX, REFERENT, SENSE
from exactmatch.metrics.triples import NormalisedTriple
from exactmatch.report.views.shown_graph import CONCEPTS, ELLIPSIS
from exactmatch.report.views.written_graphs import NOTHING, Piece

#: The longest lines, and the longest labels of edges, in characters.
LINE_LENGTH = 40
LABEL_LENGTH = 24

#: The width of a character of the nodes' font, which is monospaced, and the height of a line.
CHARACTER = 7.2
LINE_HEIGHT = 16

#: The space between the text of a node and its border: left and right, above and below. The left
#: space has room for the sign of a difference.
PADDING_X, PADDING_Y = 16, 5

#: The least width of a node, and of the distance between the ends of edges; edges widen a node to
#: at most the second number.
LEAST_WIDTH, WIDE_ENOUGH = 44, 180
END_GAP = 9

#: The labels of edges have the same font; before them there is room for a sign.
LABEL_HEIGHT = 16
_SIGN = 2

#: The mark of a root.
_ROOT = "⊤"

#: The kinds of the clauses of a DRS.
_CLAUSES = frozenset({"operator", "role", "concept"})

#: The pieces of a line stand side by side.
Pieces = list[Piece]


class Node(NamedTuple):
    """A node: the position of its variable, and its lines, of which the first is the title."""

    variable: int
    lines: list[Pieces]


class Edge(NamedTuple):
    """An edge: the number of its triple, its label, and the numbers of the nodes at both ends.

    *within* is the node that the edge belongs to, if that is neither end: the box of a clause that
    relates two others. The edge then begins there, and passes its source.
    """

    triple: int
    label: str
    source: int
    target: int
    within: int | None = None


class Drawing(NamedTuple):
    """The nodes and edges of a graph, and the numbers of its root nodes."""

    nodes: list[Node]
    edges: list[Edge]
    tops: list[int]


def drawing(
    variables: Sequence[str], triples: Sequence[NormalisedTriple], text: str = ""
) -> Drawing:
    """Return the drawing of a graph.

    Args:
        variables: its variables; a piece of text has the position of one.
        triples: its triples as they count; a piece or an edge has the number of one.
        text: the text of its anchors, if it has any and the text is known.
    """
    if triples and all(triple.kind in _CLAUSES for triple in triples):
        return _Boxes(variables, triples).drawing()
    return _Network(variables, triples, text).drawing()


def with_ellipses(drawn: Drawing, variables: Collection[int]) -> Drawing:
    """Return a drawing in which the nodes of *variables* have an extra line for omitted triples."""
    more: Pieces = [Piece(ELLIPSIS)]
    nodes = [
        node._replace(lines=[*node.lines, more]) if node.variable in variables else node
        for node in drawn.nodes
    ]
    return drawn._replace(nodes=nodes)


def cut(text: str, length: int) -> str:
    """Return *text*, or its beginning and an ellipsis if it is longer than *length*."""
    return text if len(text) <= length else text[: length - 1] + ELLIPSIS


class _Network:
    """A graph in which each variable is a node."""

    def __init__(
        self, variables: Sequence[str], triples: Sequence[NormalisedTriple], text: str
    ) -> None:
        self._variables = variables
        self._triples = triples
        self._text = text
        self._position = {variable: i for i, variable in enumerate(variables)}

    def drawing(self) -> Drawing:
        unary: dict[int, list[int]] = {i: [] for i in range(len(self._variables))}
        edges = []
        for number, triple in enumerate(self._triples):
            if len(triple.variables) == 1:
                unary[self._position[triple.variables[0]]].append(number)
            else:
                edges.append(self._edge(number, triple))
        nodes = [Node(i, self._lines(i, numbers)) for i, numbers in unary.items()]
        tops = [i for i, numbers in unary.items() if any(map(self._is_top, numbers))]
        return Drawing(nodes, edges, tops)

    def _lines(self, variable: int, numbers: Sequence[int]) -> list[Pieces]:
        naming = [number for number in numbers if self._triples[number].kind in CONCEPTS][:1]
        rest = [number for number in numbers if number not in naming]
        title = self._title(variable, naming[0]) if naming else [self._name(variable)]
        lines = [title, *([Piece(self._said(number), number)] for number in rest)]
        return [_shortened(line) for line in lines]

    def _title(self, variable: int, number: int) -> Pieces:
        """Return concept and name; names of MRP nodes are left out, since they are only numbers."""
        triple = self._triples[number]
        named, concept = self._name(variable), Piece(" ".join(triple.label[1:]), number)
        if triple.kind == "label":
            return [concept, Piece(" "), named]
        return [named, Piece(" / "), concept]

    def _name(self, variable: int) -> Piece:
        return Piece(self._variables[variable], None, variable)

    def _said(self, number: int) -> str:
        """Return a triple of one variable in words."""
        label = self._triples[number].label
        if self._is_top(number):
            return " ".join((_ROOT, *label)) if label[0] == "top" else f"{_ROOT} {label[1]}"
        if label[0] in CONCEPTS:
            return " ".join(("/", *label[1:]))
        if label[0] == "anchor":
            return f"{label[1]} {self._words_at(label[1])}".rstrip() or f"anchor {NOTHING}"
        return " ".join(label[1:] or label)

    def _words_at(self, spans: str) -> str:
        """Return the text of an anchor, shortened for the drawing."""
        ends = [map(int, span.split(":")) for span in spans.split()[:LINE_LENGTH]]
        return " ".join(self._text[start:end][:LINE_LENGTH] for start, end in ends)

    def _is_top(self, number: int) -> bool:
        label = self._triples[number].label
        return label[0] == "top" or tuple(map(str.lower, label)) == ("attribute", "top", "top")

    def _edge(self, number: int, triple: NormalisedTriple) -> Edge:
        words = " ".join((*triple.label[1:], *triple.variables[1:-1]))
        source, target = (self._position[triple.variables[i]] for i in (0, -1))
        return Edge(number, cut(words, LABEL_LENGTH), source, target)


class _Boxes:
    """A DRS in which each box is a node."""

    def __init__(self, variables: Sequence[str], triples: Sequence[NormalisedTriple]) -> None:
        self._variables = variables
        self._triples = triples
        self._position = {variable: i for i, variable in enumerate(variables)}
        self._boxes = self._numbered_boxes()

    def drawing(self) -> Drawing:
        clauses: dict[str, list[int]] = {box: [] for box in self._boxes}
        edges = []
        for number, triple in enumerate(self._triples):
            boxes = [variable for variable in triple.variables[1:] if variable in self._boxes]
            if boxes:
                edges.append(self._edge(number, triple, boxes))
            else:
                clauses[triple.variables[0]].append(number)
        first_named = self._first_named()
        nodes = [
            Node(self._position[box], [*self._title(box, first_named[box], numbers)])
            for box, numbers in clauses.items()
        ]
        below = {edge.target for edge in edges}
        below.update(edge.source for edge in edges if edge.within is not None)
        tops = [number for number in range(len(nodes)) if number not in below]
        return Drawing(nodes, edges, tops)

    def _numbered_boxes(self) -> Mapping[str, int]:
        """Return the nodes: variables with clauses, variables named as boxes, or named nowhere."""
        boxes = {triple.variables[0] for triple in self._triples}
        named: set[str] = set()
        for triple in self._triples:
            named.update(triple.variables)
            boxes.update(word for word, sort in _arguments(triple) if sort == BOX)
        nodes = [v for v in self._variables if v in boxes or v not in named]
        return {variable: number for number, variable in enumerate(nodes)}

    def _first_named(self) -> Mapping[str, Sequence[str]]:
        """Return the referents that a box names first and that no clause introduces."""
        introduced = {t.variables[-1] for t in self._triples if introduces(t)}
        first_named: defaultdict[str, list[str]] = defaultdict(list)
        for triple in self._triples:
            for variable in triple.variables[1:]:
                if variable not in introduced and variable not in self._boxes:
                    introduced.add(variable)
                    first_named[triple.variables[0]].append(variable)
        return first_named

    def _title(
        self, box: str, referents: Sequence[str], numbers: Sequence[int]
    ) -> Iterator[Pieces]:
        """Yield the lines of a box: its referents, several to a line, then its clauses."""
        own = [n for n in numbers if introduces(self._triples[n])]
        pieces = [Piece(self._triples[n].variables[-1], n) for n in own]
        pieces += [Piece(referent) for referent in referents]
        line = [Piece(box, None, self._position[box])]
        for piece in pieces:
            if sum(len(p.text) for p in line) + 1 + len(piece.text) > LINE_LENGTH:
                yield _shortened(line)
                line = []
            space = [Piece(" ")] if line else []
            line += [*space, piece._replace(variable=self._position[piece.text])]
        yield _shortened(line)
        for number in numbers:
            if number not in own:
                yield _shortened([*self._clause(number)])

    def _clause(self, number: int) -> Iterator[Piece]:
        """Yield the pieces of a clause: its relation, and its arguments in parentheses."""
        triple = self._triples[number]
        sense = triple.label[3] if triple.kind == "concept" else ""
        name = f"{triple.name}.{sense[1:-1]}" if SENSE.fullmatch(sense) else triple.name
        yield Piece(f"{name}(", number)
        arguments = [*_arguments(triple)][1:]
        if triple.kind == "concept":
            del arguments[0]
        for i, (word, sort) in enumerate(arguments):
            if i:
                yield Piece(", ", number)
            yield Piece(word, number, self._position[word] if sort else None)
        yield Piece(")", number)

    def _edge(self, number: int, triple: NormalisedTriple, boxes: Sequence[str]) -> Edge:
        """Return the edge of a clause about boxes: from its own box, or between two others."""
        own, last = triple.variables[0], boxes[-1]
        source = boxes[-2] if len(boxes) > 1 else own
        others = [word for word, _ in _arguments(triple) if word not in (own, source, last)]
        words = " ".join((triple.name, *others))
        if source == own:
            return Edge(number, cut(words, LABEL_LENGTH), self._boxes[own], self._boxes[last])
        ends = self._boxes[source], self._boxes[last]
        return Edge(number, cut(words, LABEL_LENGTH), *ends, self._boxes[own])


def introduces(triple: NormalisedTriple) -> bool:
    """Tell whether a clause introduces its last variable as a referent of a box."""
    return triple.name == "REF" and len(triple.label) == 4 and len(triple.variables) == 2


def _arguments(triple: NormalisedTriple) -> Iterator[tuple[str, str]]:
    """Yield the arguments of a clause, each with its sort; constants have none."""
    variables = iter(triple.variables)
    for word in triple.label[2:]:
        yield (next(variables), word) if word in (BOX, REFERENT) else (word, "")


def _shortened(line: Pieces) -> Pieces:
    """Return *line*, the longest of its pieces cut if it is too long."""
    over = sum(len(piece.text) for piece in line) - LINE_LENGTH
    if over <= 0:
        return line
    pieces = list(line)
    for number in sorted(range(len(line)), key=lambda i: -len(line[i].text)):
        piece = line[number]
        kept = max(len(piece.text) - over, min(len(piece.text), LINE_LENGTH // 4))
        over -= len(piece.text) - kept
        pieces[number] = piece._replace(text=cut(piece.text, kept))
        if over <= 0:
            break
    return pieces


def _columns(text: str) -> int:
    """Return the width of *text* in characters of a monospaced font; wide ones count twice."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(character) else 1 + (east_asian_width(character) in "WF")
        for character in text
    )


def node_size(node: Node) -> tuple[int, int]:
    """Return the width and height of a node."""
    longest = max(sum(_columns(piece.text) for piece in line) for line in node.lines)
    width = max(round(longest * CHARACTER) + 2 * PADDING_X, LEAST_WIDTH)
    return width, len(node.lines) * LINE_HEIGHT + 2 * PADDING_Y


def label_width(label: str) -> int:
    """Return the width of the label of an edge."""
    return round((_SIGN + _columns(label)) * CHARACTER) + 4 if label else 0


def width_for(ends: int) -> int:
    """Return the width that a node needs for so many edges at one side."""
    return min(2 * PADDING_X + ends * END_GAP, WIDE_ENOUGH)
