"""The content of a study's report in any format: tables, plots, provenance."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Literal, Self, TypeVarTuple

from exactmatch.report.wording import LEAST_P


class Marked(float):
    """A number marked for people; the note of its table says why."""


class Linked(str):
    """Words about two files; an HTML report links them to the pages of the files, if there are any.

    *item* is the pair of graphs that they are about; None is all pairs of the two *files*.
    """

    files: tuple[str, str]
    item: str | None

    def __new__(cls, text: str, files: tuple[str, str], item: str | None = None) -> Self:
        linked = super().__new__(cls, text)
        linked.files, linked.item = files, item
        return linked

    def __reduce__(self) -> tuple[type[Self], tuple[object, ...]]:
        """Return what `pickle` rebuilds the object from."""
        return type(self), (str(self), self.files, self.item)


#: Where metrics count ``mod`` as the inverse of ``domain``, annotators have written either.
MOD_NOTE = "domain stands for mod, too: :mod x counts as :domain-of x."
_DOMAIN = re.compile(r"(?<![\w-])domain(?![\w-])|(?<![\w-])domain-of(?![\w-])")

#: The content of a cell. None is "not known" or "does not apply".
Cell = str | int | float | None

#: How the floating-point numbers of a column are printed: with four digits; as a count, or a mean
#: of counts, without zeros at the end; times 100, with one digit; as seconds, with two; or as
#: p-values, which are never 0.
Style = Literal["number", "count", "percent", "seconds", "p"]

#: Stands for None.
NOTHING = "-"


_Objects = TypeVarTuple("_Objects")


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a column: its *key* in JSON and CSV, and its *title* for people.

    *upper_of* is the key of the column of lower ends: people see this column only where the two
    differ, that is, where something is not proven. *if_known*: people see the column only if any of
    its values is known.
    """

    key: str
    title: str
    style: Style = "number"
    upper_of: str | None = None
    if_known: bool = False

    def shown(self, cell: Cell) -> str:
        """Return the printed form of *cell*."""
        if cell is None:
            return NOTHING
        if not isinstance(cell, float):
            return str(cell)
        if self.style == "p" and cell < LEAST_P:
            return f"< {LEAST_P:.4f}"
        if self.style == "percent":
            return f"{100 * cell:.1f} %"
        if self.style == "count":
            return f"{cell:.4f}".rstrip("0").rstrip(".")
        return f"{cell:.2f}" if self.style == "seconds" else f"{cell:.4f}"


class Column(Generic[*_Objects]):
    """A column of a table: its heading, and its *value*, computed from the objects of a row."""

    def __init__(
        self,
        key: str,
        title: str,
        value: Callable[[*_Objects], Cell],
        style: Style = "number",
        *,
        upper_of: str | None = None,
        if_known: bool = False,
    ) -> None:
        """See `Heading`."""
        self.heading = Heading(key, title, style, upper_of, if_known)
        self.value = value


def at_most(key: str, value: Callable[[*_Objects], Cell]) -> Column[*_Objects]:
    """Return the column of the upper ends of the column *key*."""
    return Column(f"{key}_upper", "at most", value, upper_of=key)


@dataclass(frozen=True, slots=True)
class Table:
    """A table; *key* names it on the command line, and *note* explains it.

    *top*: the number of rows for people, None is all; programs get every row. *aside*: people see
    the table only if they name it, since other tables say the same, or nothing is in it.
    """

    key: str
    title: str
    columns: Sequence[Heading]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    top: int | None = None
    aside: bool = False

    def is_text(self, position: int) -> bool:
        """Tell whether the column at *position* holds words, which are aligned to the left."""
        cells = [row[position] for row in self.rows if row[position] is not None]
        return all(isinstance(cell, str) for cell in cells)

    def for_people(self) -> "Table":
        """Return the table without redundant columns, cut to its *top* rows."""
        kept = [k for k, column in enumerate(self.columns) if self._says_something(k, column)]
        rows = [[row[k] for k in kept] for row in self.rows[: self.top]]
        more = len(self.rows) - len(rows)
        note = f"{self.note} And {more} more rows, in JSON and CSV.".strip() if more else self.note
        return replace(self, columns=[self.columns[k] for k in kept], rows=rows, note=note)

    def _says_something(self, position: int, column: Heading) -> bool:
        if column.if_known:
            return any(row[position] is not None for row in self.rows)
        if column.upper_of is None:
            return True
        lower = [one.key for one in self.columns].index(column.upper_of)
        return any(row[position] != row[lower] for row in self.rows)

    def shown(
        self,
        escape: Callable[[str], str] = str,
        mark: Callable[[str], str] = str,
        link: Callable[[str, Linked], str] = lambda text, _: text,
    ) -> list[list[str]]:
        """Return the rows as they are printed for people.

        *escape* escapes plain text for a format, *mark* highlights a cell, and *link* links it to
        its pages.
        """

        def printed(column: Heading, cell: Cell) -> str:
            text = escape(column.shown(cell))
            if isinstance(cell, Linked):
                return link(text, cell)
            return mark(text) if isinstance(cell, Marked) else text

        return [[*map(printed, self.columns, row)] for row in self.rows]


class Rows(Generic[*_Objects]):
    """The rows of a table: each has one object, or several."""

    def __init__(self, rows: Iterable[tuple[*_Objects]]) -> None:
        """Take the objects of the rows."""
        self._rows = [*rows]

    def table(
        self,
        key: str,
        title: str,
        columns: Sequence[Column[*_Objects]],
        note: str = "",
        top: int | None = None,
    ) -> Table:
        """Return the table with *columns* computed for each row; the rest is as in `Table`."""
        headings = [column.heading for column in columns]
        cells = [[column.value(*row) for column in columns] for row in self._rows]
        return Table(key, title, headings, cells, note, top)


@dataclass(frozen=True, slots=True)
class Series:
    """The points of a chart that belong together; *intervals* has the interval of each, if any.

    is_reference: the others are measured by it, so it has a look of its own.
    continues: it goes on where the series before it ends, and has the colour and mark of that one.
    """

    label: str
    xs: Sequence[float | str]
    ys: Sequence[float]
    intervals: Sequence[tuple[float, float] | None] = ()
    is_reference: bool = False
    continues: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """Points over two axes, joined by lines or each with its label; *log_x* sets a log scale.

    *categories* are all values of x in order, if x is a word.
    """

    key: str
    title: str
    x_title: str
    y_title: str
    series: Sequence[Series]
    lines: bool = True
    log_x: bool = False
    categories: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Scatter:
    """Many points; with *unit_square*, both axes go from 0 to 1, and a line shows equality.

    Otherwise, y is on a log scale, with room for 0.
    """

    key: str
    title: str
    x_title: str
    y_title: str
    series: Sequence[Series]
    unit_square: bool = False


@dataclass(frozen=True, slots=True)
class Curves:
    """Functions, given by enough of their points."""

    key: str
    title: str
    x_title: str
    y_title: str
    series: Sequence[Series]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its upper bound *upper*, and the ends of an interval, if there is one.

    dots: the values of which *value* is the mean, if they are to be seen.
    """

    label: str
    value: float
    upper: float
    interval: tuple[float, float] | None
    dots: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Forest:
    """Estimates one below the other, each with its interval."""

    key: str
    title: str
    x_title: str
    estimates: Sequence[Estimate]


@dataclass(frozen=True, slots=True)
class Contested:
    """The result of testing two sides: whether the first is better, and the p-value.

    *outcome* is None if nothing can be compared.
    """

    outcome: Literal["better", "worse", "open"] | None
    p: float | None


@dataclass(frozen=True, slots=True)
class Contests:
    """A square of test results of the side of the row against that of the column.

    *level* is the p-value up to which a difference is significant.
    """

    key: str
    title: str
    labels: Sequence[str]
    cells: Sequence[Sequence[Contested | None]]
    level: float


@dataclass(frozen=True, slots=True)
class Histograms:
    """Shares by ranges of a value, one histogram above the other.

    The *xs* of a series are the ends of its ranges, one more than its *ys*, the shares.
    """

    key: str
    title: str
    x_title: str
    series: Sequence[Series]


Plot = Chart | Scatter | Curves | Forest | Contests | Histograms


def plot_key(name: str) -> str:
    """Return *name* without characters that some file systems do not allow."""
    return re.sub(r"[^\w.+,-]", "_", name)


@dataclass(frozen=True, slots=True)
class ProofFolder:
    """The *command* that checks a folder of certificates, and the *digest* of its manifest."""

    command: str
    digest: str

    def as_json(self) -> dict[str, str]:
        """Return both values under their names in JSON."""
        return {"verify": self.command, "manifest": self.digest}


@dataclass(frozen=True, slots=True)
class Provenance:
    """The origin of a report: everything needed to make it again, and to see that it is the same.

    inputs: paths and SHA-256 digests of the files.
    signature: every choice that changes the scores; the long one has limits and versions as well.
    proofs: the command that checks the certificates, if any were written.
    """

    command: str
    inputs: Sequence[tuple[str, str]]
    signature: str
    long_signature: str
    versions: str
    proofs: "ProofFolder | None" = None


@dataclass(frozen=True, slots=True)
class Report:
    """A report: the first of its *tables* is the main one. *notes* come before them.

    result: the result in a sentence. sentence: the same sentence, worded for a paper.
    not_drawn: the plots that are left out, and why: one message each.
    pages: for two files, the folder of the pages that show their pairs, if there are any.
    next_step: what to do next, in sentences; only terminals show it.
    """

    study: str
    title: str
    result: str
    tables: Sequence[Table]
    provenance: Provenance
    sentence: str = ""
    notes: Sequence[str] = ()
    plots: Sequence[Plot] = field(default_factory=tuple)
    not_drawn: Sequence[str] = ()
    pages: Mapping[tuple[str, str], str] = field(default_factory=dict)
    next_step: str = ""

    def for_people(self) -> list[Table]:
        """Return the tables that people see: all but those set aside; a single table always."""
        alone = len(self.tables) == 1
        return [table.for_people() for table in self.tables if alone or not table.aside]

    @property
    def notes_beside_sentence(self) -> list[str]:
        """The notes that the sentence for a paper does not have already."""
        return [note for note in self.notes if note not in self.sentence]

    @property
    def footnotes(self) -> list[str]:
        """Notes below the tables that people see, on words that graphs have in another way."""
        counts_mod = re.search(r"\|mod:(?:unified|plain)\b", self.provenance.long_signature)
        words = (
            cell
            for table in self.for_people()
            for row in table.rows
            for cell in row
            if isinstance(cell, str)
        )
        return [MOD_NOTE] if counts_mod and any(map(_DOMAIN.search, words)) else []
