"""Show a pair in the terminal: its texts side by side or one below the other, with differences."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from exactmatch.report.solver_text import solver_line
from exactmatch.report.terminal import filled, folded, listed, plain, printed
from exactmatch.report.text import how_many
from exactmatch.report.text_table import whole
from exactmatch.report.views.excerpt import Part
from exactmatch.report.views.lines import (
    Level,
    Places,
    in_system_order,
    opened_by,
    rows,
)
from exactmatch.report.views.marks import Mark
from exactmatch.report.views.pair_view import PairView
from exactmatch.report.views.shown_graph import ELLIPSIS, TOP, ShownGraph
from exactmatch.report.views.written_graphs import Line, Piece
from exactmatch.scoring.results import PairScore

if TYPE_CHECKING:
    from rich.text import Text

#: The width from which the texts stand side by side.
SIDE_BY_SIDE = 100
#: The blanks of a step of indentation, and the number of steps if lines are not folded.
_STEP = 2
_STEPS = 40
#: Separates the texts.
_RULE = " | "


class _Way(NamedTuple):
    """The marks of differences: a *sign* in the margin, *brackets* or colours in the text."""

    sign: str
    brackets: str
    style: str
    means: str


_WAYS: Mapping[Mark, _Way] = {
    "extra": _Way("+", "[]", "bold blue", "only system"),
    "missing": _Way("-", "[]", "bold red", "only gold"),
    "other": _Way("!", "{}", "bold magenta", "other label"),
    "partly": _Way("%", "{}", "green", "similar"),
}
#: The sign of lines that match, but not beside each other.
_ELSEWHERE = "="


class DiffLayout(NamedTuple):
    """The layout of a pair: the width in columns (None: lines are not folded), and colours."""

    width: int | None = None
    color: bool = False

    @property
    def has_columns(self) -> bool:
        """Whether the texts stand side by side."""
        return self.width is not None and self.width >= SIDE_BY_SIDE


def differs(view: PairView) -> bool:
    """Tell whether the graphs of a pair differ."""
    return any(mark != "matched" for mark in (*view.marks.system, *view.marks.gold))


def pair_text(view: PairView, look: DiffLayout) -> str:
    """Return a pair as text: the counts, the signs that occur, and both graphs."""
    body = _Body(view, look)
    lines = [*_head(view, look.width), *body.legend(), *body.lines()]
    return "\n".join(printed(line, color=look.color) for line in lines)


def _head(view: PairView, width: int | None) -> "Iterator[Text]":
    score = view.score
    yield from _comment(f"::id {score.identifier}", width, "bold")
    for side, sentence in view.sentences:
        yield from _comment(sentence if side == "both" else f"{side}: {sentence}", width)
    yield from _comment(_verdict(view), width)
    if (line := solver_line(score)) is not None:
        yield from _comment(line, width)
    if score.best is not None:
        yield from _comment(how_many(score.best), width)
    elif score.status == "optimal":
        yield from _comment("other mappings may be as good", width)
    if view.shown.parts is not None:
        yield from _comment(_left_out(view), width)
        for side, part in zip(("system", "gold"), view.shown.parts, strict=True):
            yield from _comment(f"{side}: {_shown_of(part)}", width)


def _comment(text: str, width: int | None, style: str = "") -> "Iterator[Text]":
    yield from folded(plain(text, style), width, "# ", "# ")


def _left_out(view: PairView) -> str:
    return (
        f"an excerpt, since {view.size} nodes and triples exceed --view-limit {view.limit}: the "
        f"differences, and some of their surroundings; {ELLIPSIS} after a node: it has more "
        "triples"
    )


def _shown_of(part: Part) -> str:
    """Return a note on the part of a graph that is shown."""
    figures = zip(part, ("nodes", "triples", "that differ"), strict=True)
    return ", ".join(f"{shown} of {all_} {what}" for (shown, all_), what in figures)


def _verdict(view: PairView) -> str:
    """Return the counts, and how much of them is proven by which solver."""
    score, scale = view.score, view.metric.scale
    totals = f"{whole(score.system_total, scale)} and {whole(score.gold_total, scale)}"
    found, unit = whole(score.matched, scale), view.metric.unit
    matched = f"{found} {unit.removesuffix('s') if found == '1' else unit} matched of {totals}"
    counted = f"{matched}, {score.value_name} {score.value:.4f}"
    return f"{counted}; {_proof(score, scale)}" + ("; one graph is missing" * score.emptied)


def _proof(score: PairScore, scale: int) -> str:
    by = f"{score.solver}, proof checked" if score.checked else f"by the word of {score.solver}"
    if score.status == "optimal":
        return f"proven ({by}): no mapping matches more"
    why = ""
    if score.timed_out:
        why = ", the time limit was reached"
    elif score.too_large:
        why = ", too large for the memory limit"
    most = f"at most {whole(score.matched_upper, scale)} ({by})"
    return f"not proven{why}: {most}, {score.value_name} at most {score.value_upper:.4f}"


@dataclass(frozen=True)
class _Side:
    """One of the texts: its lines, the marks of its triples, and the mapping of its variables.

    partners: the triples of the other side that correspond to those of this one. names: the names
    of the variables. images: the variables of the other side to which they are mapped. unsure: the
    variables on which the best mappings differ. All are numbers. is_drs: whether the lines are
    clauses.
    """

    lines: Sequence[Line]
    marks: Sequence[Mark]
    partners: Mapping[int, int]
    names: Sequence[str]
    images: Mapping[int, int]
    unsure: Collection[int]
    is_drs: bool

    @cached_property
    def places(self) -> Places:
        return Places(self.lines)

    def triples(self, number: int) -> list[int]:
        """Return the triples of a line."""
        told = (piece.triple for piece in self.lines[number].pieces)
        return list(dict.fromkeys(triple for triple in told if triple is not None))

    def opened(self, number: int) -> set[int]:
        """Return the variables that a line opens."""
        opened = map(opened_by, self.lines[number].pieces)
        return {variable for variable in opened if variable is not None}

    @cached_property
    def introduced(self) -> dict[tuple[int, int], int]:
        """The variables by the line and the piece where each is first named (in PENMAN, opened).

        In clauses, no variable is opened.
        """
        first_places: dict[int, tuple[int, int]] = {}
        for number, line in enumerate(self.lines):
            for k, piece in enumerate(line.pieces):
                variable = piece.variable if self.is_drs else opened_by(piece)
                if variable is not None:
                    first_places.setdefault(variable, (number, k))
        return {place: variable for variable, place in first_places.items()}

    def named(self, number: int) -> set[int]:
        """Return the variables that a line opens, or in clauses the variables that it names."""
        if not self.is_drs:
            return self.opened(number)
        return {p.variable for p in self.lines[number].pieces if p.variable is not None}

    def signs(self, number: int) -> str:
        """Return the signs of the differences on a line."""
        marks = {self.marks[triple] for triple in self.triples(number)}
        return "".join(way.sign for mark, way in _WAYS.items() if mark in marks)

    def runs(self, number: int) -> Iterator[tuple[Mark | None, list[int]]]:
        """Yield the numbers of the pieces of a line; adjacent differing pieces come together."""
        pieces = self.lines[number].pieces
        told = [
            None if piece.triple is None or self.marks[piece.triple] == "matched" else piece.triple
            for piece in pieces
        ]
        for k in range(1, len(told) - 1):
            if pieces[k].text.isspace() and told[k - 1] == told[k + 1]:
                told[k] = told[k - 1]
        for triple, run in groupby(range(len(told)), key=told.__getitem__):
            yield None if triple is None else self.marks[triple], [*run]


class _Body:
    """The texts of a pair, row by row; in tuples, the system's part comes first."""

    def __init__(self, view: PairView, look: DiffLayout) -> None:
        self._look = look
        self._counts = view.marks.counts(view.system, view.gold)
        self._sides = _sides(view)
        left, right = self._sides
        self._rows = rows(
            left.lines, right.lines, view.shown.marks, left.images, in_order=not view.is_drs
        )
        self._signs = [tuple(self._sign(row, k) for k in (0, 1)) for row in self._rows]
        #: As many columns as a line has signs at most, and a blank.
        self._margin = 1 + max(len(sign) for signs in self._signs for sign in signs)

    def legend(self) -> "Iterator[Text]":
        """Yield the meaning of each sign that occurs, with the number of its triples."""
        signs = [] if self._look.has_columns else [plain("< system"), plain("> gold")]
        for mark, way in _WAYS.items():
            count = sum(counts[mark] for counts in self._counts.values())
            if count:
                said = self._marked(way.means, mark, bracketed=True)
                signs.append(plain(f"{way.sign} ") + said + plain(f": {count}"))
        if any(_ELSEWHERE in signs for signs in self._signs):
            signs.append(plain(f"{_ELSEWHERE} matched on another line"))
        if self._has_images():
            signs.append(plain("a=b mapped to b"))
        yield from listed(signs, self._look.width, "# ")

    def _has_images(self) -> bool:
        """Tell whether any variable is followed by its image."""
        return any(
            self._note(row, k, place).strip("~")
            for row in self._rows
            for k, number in enumerate(row)
            if number is not None
            for place in range(len(self._sides[k].lines[number].pieces))
        )

    def lines(self) -> "Iterator[Text]":
        """Yield the rows as lines."""
        if self._look.has_columns:
            return self._side_by_side()
        return self._one_below_the_other()

    def _side_by_side(self) -> "Iterator[Text]":
        assert self._look.width is not None
        width = (self._look.width - len(_RULE)) // 2
        rule = plain(_RULE, "dim")
        blank = " " * self._margin
        yield filled(plain(f"{blank}system", "bold"), width) + rule + plain(f"{blank}gold", "bold")
        for row, signs in zip(self._rows, self._signs, strict=True):
            both = (self._said(row, k, signs[k].ljust(self._margin), width) for k in (0, 1))
            for left, right in zip_longest(*both, fillvalue=plain("")):
                yield filled(left, width) + rule + right

    def _one_below_the_other(self) -> "Iterator[Text]":
        for row, signs in zip(self._rows, self._signs, strict=True):
            is_same = self._is_same(row)
            for k in (0,) if is_same else (0, 1):
                margin = f"{' ' if is_same else '<>'[k]}{signs[k].ljust(self._margin)}"
                yield from self._said(row, k, margin, self._look.width)

    def _is_same(self, row: Level) -> bool:
        """Tell whether both lines of a row are the same, and nothing is added to them."""
        if row.system is None or row.gold is None:
            return False
        left, right = self._sides
        triples = left.triples(row.system)
        return (
            all(left.marks[triple] == "matched" for triple in triples)
            and {left.partners[triple] for triple in triples} == {*right.triples(row.gold)}
            and {left.images.get(v) for v in left.opened(row.system)} == right.opened(row.gold)
        )

    def _sign(self, row: Level, k: int) -> str:
        """Return the signs of a line."""
        number = row[k]
        if number is None:
            return ""
        signs = self._sides[k].signs(number)
        return signs or (_ELSEWHERE if self._is_elsewhere(number, row, k) else "")

    def _is_elsewhere(self, number: int, row: Level, k: int) -> bool:
        """Tell whether a part of a line matches on another line of the other side."""
        side, other = self._sides[k], self._sides[1 - k]
        partners = (side.partners.get(triple) for triple in side.triples(number))
        images = (side.images.get(variable) for variable in side.opened(number))
        lines = [other.places.triple[partner] for partner in partners if partner is not None]
        lines += [other.places.opening[i] for i in images if i in other.places.opening]
        return any(line != row[1 - k] for line in lines)

    def _said(self, row: Level, k: int, margin: str, width: int | None) -> "list[Text]":
        """Return a line, folded; its depth is written if indentation would take too much."""
        number = row[k]
        if number is None:
            return []
        indent = self._sides[k].lines[number].indent
        most = _STEPS if width is None else max(0, (width - len(margin)) // (2 * _STEP))
        step = " " * (_STEP * indent) if indent <= most else f"{indent} ".rjust(_STEP * most)
        hanging = " " * (len(margin) + len(step) + _STEP)
        lines = list(folded(self._text(row, k), width, margin + step, hanging))
        if self._look.color:
            for way in _WAYS.values():
                at = margin.find(way.sign)
                if at >= 0:
                    lines[0].stylize(way.style, at, at + 1)
        return lines

    def _text(self, row: Level, k: int) -> "Text":
        """Return a line with its differences marked; if all of it differs, the sign is enough."""
        number = row[k]
        assert number is not None
        side = self._sides[k]
        bracketed = len({side.marks[triple] for triple in side.triples(number)}) > 1
        shown = plain("")
        pieces = side.lines[number].pieces
        for mark, run in side.runs(number):
            text = "".join(pieces[place].text + self._note(row, k, place) for place in run)
            shown.append(self._marked(text, mark, bracketed=bracketed) if mark else plain(text))
        return shown

    def _marked(self, text: str, mark: Mark, *, bracketed: bool) -> "Text":
        way = _WAYS[mark]
        said = text.lstrip()
        before = plain(text[: len(text) - len(said)])
        if self._look.color:
            return before + plain(said, f"{way.style} underline")
        return before + plain(f"{way.brackets[0]}{said}{way.brackets[1]}" if bracketed else said)

    def _note(self, row: Level, k: int, place: int) -> str:
        """Return the note after a piece that introduces a variable.

        Give the image, if the line beside it does not show it. A ~ means that the best mappings
        differ on the variable.
        """
        side, other, number, beside = self._sides[k], self._sides[1 - k], row[k], row[1 - k]
        variable = None if number is None else side.introduced.get((number, place))
        if variable is None:
            return ""
        unsure = "~" if variable in side.unsure else ""
        image = side.images.get(variable)
        if image is None:
            return unsure
        is_beside = beside is not None and image in other.named(beside)
        is_called_alike = side.names[variable] == other.names[image]
        if is_beside and (self._look.has_columns or k == 1 or is_called_alike):
            return unsure
        return f"{unsure or _ELSEWHERE}{other.names[image]}"


def _sides(view: PairView) -> tuple[_Side, _Side]:
    """Return both sides; a graph without a line is shown as an empty one in brackets."""
    shown, marks = view.shown, view.shown.marks
    mapping = {i: j for i, j in shown.numbers(view.score.mapping.items())}
    back = {image: variable for variable, image in mapping.items()}
    partner_of_gold = {other: triple for triple, other in marks.partner.items()}
    system, gold = (
        _with_roots(text, graph) or [Line(0, [Piece("()")])]
        for text, graph in zip(view.texts, (shown.system, shown.gold), strict=True)
    )
    if not view.is_drs:
        gold = in_system_order(system, gold, marks, mapping, are_clauses=False)
    unsure = [_unsure(view, k) for k in (0, 1)]
    names = shown.system.variables, shown.gold.variables
    is_drs = view.is_drs
    return (
        _Side(system, marks.system, marks.partner, names[0], mapping, unsure[0], is_drs),
        _Side(gold, marks.gold, partner_of_gold, names[1], back, unsure[1], is_drs),
    )


def _with_roots(lines: Sequence[Line], graph: ShownGraph) -> list[Line]:
    """Return *lines*, marking roots in the lines that open them."""
    joined: list[Line] = []
    for line in lines:
        told = [piece.triple for piece in line.pieces if piece.triple is not None]
        if joined and told and all(graph.triples[triple].kind == TOP for triple in told):
            joined[-1] = Line(joined[-1].indent, [*joined[-1].pieces, Piece(" "), *line.pieces])
        else:
            joined.append(line)
    return joined


def _unsure(view: PairView, k: int) -> set[int]:
    """Return the variables of a side that only some best mappings map."""
    best = view.score.best
    if best is None:
        return set()
    place = (view.shown.system, view.shown.gold)[k].place
    return {place[pair[k]] for pair in best.some - best.every if pair[k] in place}
