"""Lay out tables in plain text, also for a terminal that is too narrow for them."""

from collections.abc import Mapping, Sequence

from exactmatch.report.folding import folded, text_width
from exactmatch.runtime.harmless import harmless

#: Separates columns, and does so where columns are left out for want of room.
_GAP = "   "
_NARROW_GAP = "  "
#: Columns of words are folded, but not below this width.
_NARROWEST = 24
#: The titles of columns of the score, and of those that count what was measured. They matter more
#: than others.
_FIRST = frozenset({"F1", "pairs", "items", "graphs"})
#: The title of upper ends. The proof line tells that they equal the lower ends.
_UPPER = "at most"


class Grid:
    """A table; columns of *texts* are aligned to the left, others to the right.

    *elsewhere* says where people find the columns that a terminal does not show. *distinct*: a
    terminal shows columns that repeat their neighbour, too, since their titles say something.
    """

    def __init__(
        self,
        titles: Sequence[str],
        rows: Sequence[Sequence[str]],
        texts: Sequence[bool],
        elsewhere: str = "--format html",
        distinct: bool = False,
    ) -> None:
        self.titles, self.rows, self.texts = titles, rows, texts
        self.elsewhere, self.distinct = elsewhere, distinct

    def at(self, width: int | None) -> str:
        """Return the table in *width* columns of a terminal, or with all columns for None.

        On a terminal, columns of numbers that repeat their neighbour are left out. Where the others
        find no room, titles and words are folded, and then the last columns are left out. A line
        below the table names what is left out.
        """
        titles, *rows = ([*map(_in_one_line, line)] for line in (self.titles, *self.rows))
        if width is None:
            return _Columns(titles, rows, self.texts).drawn(_GAP)
        rows = [[cell.expandtabs(1) for cell in row] for row in rows]
        columns = _Columns(titles, rows, self.texts)
        repeating = {} if self.distinct else columns.repeating()
        return _fitted(columns, repeating, width, self.elsewhere)


def whole(count: int, scale: int) -> str:
    """Return a count in triples, with a fraction if the metric counts parts of them."""
    return str(count) if scale == 1 else f"{count / scale:.3f}"


class _Columns:
    """The columns of a table, each with its cells on one line."""

    def __init__(
        self, titles: Sequence[str], rows: Sequence[Sequence[str]], texts: Sequence[bool]
    ) -> None:
        self.titles, self.rows, self.texts = titles, rows, texts

    def only(self, kept: Sequence[int]) -> "_Columns":
        """Return the columns at the positions *kept*."""
        return _Columns(
            [self.titles[k] for k in kept],
            [[row[k] for k in kept] for row in self.rows],
            [self.texts[k] for k in kept],
        )

    def cells(self, position: int) -> list[str]:
        """Return the cells of a column, without its title."""
        return [row[position] for row in self.rows]

    def widths(self) -> list[int]:
        """Return the width of each column."""
        lines = [self.titles, *self.rows]
        return [max(map(text_width, column)) for column in zip(*lines, strict=True)]

    def least_widths(self) -> list[int]:
        """Return the least width of each column: numbers are never folded."""
        widths = []
        for k, (title, natural) in enumerate(zip(self.titles, self.widths(), strict=True)):
            cells = max(map(text_width, self.cells(k)), default=0)
            if self.texts[k]:
                cells = min(cells, _NARROWEST)
            longest = max(map(text_width, title.split()), default=0)
            widths.append(min(natural, max(cells, longest)))
        return widths

    def repeating(self) -> dict[int, int]:
        """Return the columns of numbers that repeat the numbers to their left, and these."""
        found: dict[int, int] = {}
        for k in range(1, len(self.titles)):
            if not self.texts[k] and not self.texts[k - 1] and self.cells(k) == self.cells(k - 1):
                found[k] = found.get(k - 1, k - 1)
        return found

    def by_importance(self) -> list[int]:
        """Return the columns: the first one, score and sizes of what was measured, the others."""
        positions = range(len(self.titles))
        return sorted(positions, key=lambda k: (k > 0, self.titles[k] not in _FIRST, k))

    def drawn(self, gap: str, widths: Sequence[int] | None = None) -> str:
        """Return the table; cells that are wider than the *widths* of their columns are folded."""
        widths = widths or self.widths()
        head, *body = (self._line(line, gap, widths) for line in (self.titles, *self.rows))
        return "\n".join([head, "-" * _total(widths, gap), *body])

    def _line(self, cells: Sequence[str], gap: str, widths: Sequence[int]) -> str:
        """Return a row, in as many lines as its highest cell needs."""
        pieces = [folded(cell, width) for cell, width in zip(cells, widths, strict=True)]
        lines = []
        for k in range(max(map(len, pieces))):
            row = [piece[k] if k < len(piece) else "" for piece in pieces]
            lines.append(gap.join(map(_padded, row, widths, self.texts)).rstrip())
        return "\n".join(lines)


def _fitted(columns: _Columns, repeating: Mapping[int, int], width: int, elsewhere: str) -> str:
    """Return the table in *width* columns of a terminal, with a line on what is left out.

    *repeating* has the columns that repeat others, and these.
    """
    if not columns.rows:  # nothing repeats, and nothing is missed
        return columns.only(_fitting(columns, width)).drawn(_NARROW_GAP)
    kept = [k for k in range(len(columns.titles)) if k not in repeating]
    shown = columns.only(kept)
    notes = _on_repeating(columns.titles, repeating)
    if _total(shown.widths(), _GAP) <= width:
        table = shown.drawn(_GAP)
    else:
        fitting = _fitting(shown, width)
        left_out = [title for k, title in enumerate(shown.titles) if k not in fitting]
        notes = [", ".join(left_out)] * bool(left_out) + notes
        shown = shown.only(fitting)
        table = shown.drawn(_NARROW_GAP, _shared(shown, width))
    if not notes:
        return table
    note = f"Not shown: {'; '.join(notes)}. For all columns: {elsewhere}."
    return "\n".join([table, *folded(note, width)])


def _on_repeating(titles: Sequence[str], repeating: Mapping[int, int]) -> list[str]:
    """Name the columns that repeat others, by these others."""
    by_other: dict[int, list[str]] = {}
    for k, other in repeating.items():
        if titles[k] != _UPPER:
            by_other.setdefault(other, []).append(titles[k])
    return [f"{' and '.join(names)}, as {titles[other]}" for other, names in by_other.items()]


def _fitting(columns: _Columns, width: int) -> list[int]:
    """Return the most important columns that find room at their least widths, at least one."""
    least, order = columns.least_widths(), columns.by_importance()
    number = len(order)
    while number > 1 and _total([least[k] for k in order[:number]], _NARROW_GAP) > width:
        number -= 1
    return sorted(order[:number])


def _shared(columns: _Columns, width: int) -> list[int]:
    """Return the widths of columns, which share the room that their least widths leave."""
    widths = columns.least_widths()
    room = width - _total(widths, _NARROW_GAP)
    if room < 0:  # a single column that is too wide
        return [max(1, width)]
    for k, natural in enumerate(columns.widths()):
        more = min(room, natural - widths[k])
        widths[k] += more
        room -= more
    return widths


def _total(widths: Sequence[int], gap: str) -> int:
    return sum(widths) + len(gap) * (len(widths) - 1)


def _in_one_line(text: str) -> str:
    return harmless(" ".join(text.splitlines()))


def _padded(text: str, width: int, is_text: bool) -> str:
    blank = " " * (width - text_width(text))
    return text + blank if is_text else blank + text
