"""Read the surface alignment and the document level of a UMR sentence.

Lines of a surface alignment do not depend on each other: a faulty line loses itself. A document
level is read up to its first fault. Both losses are counted.
"""

import re
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

#: All tokens are listed: no sentence has more.
_INTERVAL = r"[0-9]{1,5}-[0-9]{1,5}"
#: The value of a variable without tokens, in the specification and in release 1.0.
_NO_TOKEN, _NO_TOKEN_IN_RELEASE_1 = "0-0", "-1--1"
#: A variable, and its aligned tokens as intervals.
_INTERVALS = re.compile(
    rf"([^\s:]+)\s*:\s*({_INTERVAL}(?:\s*,\s*{_INTERVAL})*|{_NO_TOKEN_IN_RELEASE_1})"
)
#: The beginning of a line as programs read it: the specification has letters, digits and a colon.
_STRICT = re.compile(r"[^\W_]+:")
#: The most tokens that are listed for one sentence, for all of its variables together.
_MOST_TOKENS = 1_000_000
_TOKEN = re.compile(r"[()/]|:[^\s()/:]*|[^\s()/:]+")
#: The beginning of a triple, not of the sentence (``(s1s0 /``) nor of several triples (``((``).
_OPENING = re.compile(r"\(\s*[^\s()/]++\s*+(?!/)")


class Break(NamedTuple):
    """Where reading a block failed: its *row*, from 0, the *reason*, and what is *lost* by it.

    is_unknown: the fault is the surface alignment of an unknown variable.
    """

    row: int
    reason: str
    lost: str
    is_unknown: bool = False


class Surface(NamedTuple):
    """The tokens of each variable, from 1, ascending, from all lines without *faults*.

    rows: the row of each variable with tokens. repeated: the rows and variables that contradict an
    earlier row, which then does not count. turned: the rows and lines with a reversed interval.
    before_fault: the tokens before the first line that is not as the specification has it, where
    programs stop reading; None if there is no such line.
    """

    tokens_of: dict[str, tuple[int, ...]]
    rows: dict[str, int]
    faults: tuple[Break, ...] = ()
    repeated: tuple[tuple[int, str], ...] = ()
    turned: tuple[tuple[int, str], ...] = ()
    before_fault: dict[str, tuple[int, ...]] | None = None


class LevelTriple(NamedTuple):
    """A triple of the document level as written, kind and relation without colon, and its row."""

    kind: str
    source: str
    relation: str
    target: str
    row: int


class WrittenLevel(NamedTuple):
    """The triples, and the number of parentheses left open, at the latest in the last row.

    resumed: the rows of kinds of triples that follow the end, and the kinds. before_end: the number
    of triples before the first end.
    """

    triples: tuple[LevelTriple, ...]
    unclosed: int
    last_row: int
    fault: Break | None
    resumed: tuple[tuple[int, str], ...]
    before_end: int


def read_surface(rows: Sequence[str], variables: Container[str]) -> Surface:
    """Read lines such as ``s1v: 2-2, 4-5``, without comments.

    ``0-0`` and ``-1--1`` mean no token; a reversed interval is turned around. Faults are other
    lines, invalid intervals, and alignments of variables that are not among *variables*.
    """
    reader = _SurfaceReader(variables)
    for row, line in enumerate(map(str.strip, rows)):
        if line:
            reader.read(row, line)
    return reader.surface()


def read_document_level(rows: Sequence[str]) -> WrittenLevel:
    """Read ``(s1s0 / sentence :temporal ((a :before b) ...) ...)``, without comments."""
    return _LevelParser(rows).parse()


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number and its noun in words: ``1 line``, ``2 lines``."""
    return f"{number} {one if number == 1 else several or one + 's'}"


class _SurfaceReader:
    """Reads the lines of a surface alignment of *variables*."""

    def __init__(self, variables: Container[str]) -> None:
        self._variables = variables
        self._tokens_of: dict[str, tuple[int, ...]] = {}
        self._rows: dict[str, int] = {}
        self._faults: list[Break] = []
        self._repeated: list[tuple[int, str]] = []
        self._turned: list[tuple[int, str]] = []
        self._before_fault: dict[str, tuple[int, ...]] | None = None
        self._listed = 0

    def read(self, row: int, line: str) -> None:
        """Read a *line* that is not empty."""
        found = _INTERVALS.fullmatch(line)
        intervals = _intervals(found[2]) if found else None
        if found is None or intervals is None:
            self._lose(row, f"{line!r} is no variable with intervals of tokens")
            return
        variable, tokens = found[1], _tokens(intervals)
        if variable not in self._variables:
            self._lose(row, f"{variable} is no variable of the graph", is_unknown=True)
        elif self._listed + len(tokens) > _MOST_TOKENS:
            self._lose(row, f"more than {_MOST_TOKENS:,} tokens are aligned")
        else:
            if any([start > end for start, end in intervals]):
                self._turned.append((row, line))
            if self._turned or found[2] == _NO_TOKEN_IN_RELEASE_1 or _STRICT.match(line) is None:
                self._end_for_programs()
            self._add(row, variable, tokens)

    def surface(self) -> Surface:
        """Return what was read."""
        return Surface(
            _with_tokens(self._tokens_of),
            self._rows,
            tuple(self._faults),
            tuple(self._repeated),
            tuple(self._turned),
            self._before_fault,
        )

    def _add(self, row: int, variable: str, tokens: tuple[int, ...]) -> None:
        if self._tokens_of.get(variable, tokens) != tokens:
            self._repeated.append((row, variable))
        self._listed += len(tokens)
        self._rows[variable] = row
        self._tokens_of[variable] = tokens

    def _lose(self, row: int, reason: str, *, is_unknown: bool = False) -> None:
        self._end_for_programs()
        self._faults.append(Break(row, reason, "this line is lost", is_unknown))

    def _end_for_programs(self) -> None:
        if self._before_fault is None:
            self._before_fault = _with_tokens(self._tokens_of)


def _with_tokens(tokens_of: dict[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    return {variable: tokens for variable, tokens in tokens_of.items() if tokens}


def _intervals(text: str) -> list[tuple[int, int]] | None:
    """Return the ends of intervals as written, none for no token; None if one is invalid."""
    if text in (_NO_TOKEN, _NO_TOKEN_IN_RELEASE_1):
        return []
    ends = [*map(int, text.replace("-", ",").split(","))]
    return None if 0 in ends else list(zip(ends[::2], ends[1::2], strict=True))


def _tokens(intervals: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """Return the tokens of intervals, ascending."""
    tokens: list[int] = []
    for start, end in sorted(map(sorted, intervals)):  # they may overlap, and be many
        tokens += range(max(start, tokens[-1] + 1 if tokens else 0), end + 1)
    return tuple(tokens)


class _Word(NamedTuple):
    """A token of the document level, and its place."""

    text: str
    row: int
    column: int


class _Broken(Exception):  # noqa: N818
    """Reading the document level failed: the reason, and the number of the first lost token."""

    def __init__(self, reason: str, number: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.number = number


#: The names of the parts of a triple, and the beginnings of their tokens.
_NAME, _RELATION = "a name", "a relation"
#: The kinds of triples. Behind the end of a document level, they can be nothing else.
_KINDS = (":temporal", ":modal", ":coref")


class _LevelParser:
    """A parser of the tokens of a document level; *depth* counts the open parentheses."""

    def __init__(self, rows: Sequence[str]) -> None:
        self._rows = rows
        self._words = list(_words(rows))
        self._next = 0
        self._triples: list[LevelTriple] = []
        self._depth = 0
        self._left_open = 0
        self._resumed: list[tuple[int, str]] = []
        self._before_end: int | None = None

    def parse(self) -> WrittenLevel:
        fault = None
        try:
            self._read_sentence()
        except _Broken as broken:
            fault = self._break(broken)
        last_row = self._words[-1].row if self._words else 0
        unclosed = self._left_open + (self._depth if fault is None else 0)
        unclosed = max(0, unclosed - len(self._resumed))  # what closed too early is missing later
        triples = tuple(self._triples)
        before_end = len(triples) if self._before_end is None else self._before_end
        return WrittenLevel(triples, unclosed, last_row, fault, tuple(self._resumed), before_end)

    def _read_sentence(self) -> None:
        if self._ends():
            return
        for expected in ("(", _NAME, "/", _NAME):
            self._take(expected)
        self._read_kinds()
        while not self._ends() and self._text() in _KINDS:
            if self._before_end is None:
                self._before_end = len(self._triples)
            self._resumed.append((self._words[self._next].row, self._text()))
            self._read_kinds()
        if not self._ends():
            raise _Broken(f"{self._text()!r} follows its end", self._next)

    def _read_kinds(self) -> None:
        """Read triples, kind by kind, up to the parenthesis that closes the sentence."""
        self._depth = 1
        while self._depth and not self._ends():
            if self._kind() == ")":
                self._next += 1
                self._depth = 0
            else:
                self._read_triples(self._take(_RELATION))

    def _read_triples(self, kind: str) -> None:
        """Read the triples of a kind; they may end with the text, or where the next kind begins."""
        self._take("(")
        self._depth = 2
        while not self._ends():
            if self._kind() == ")":
                self._next += 1
                self._depth = 1
                return
            if self._kind() == _RELATION:
                self._left_open += 1
                self._depth = 1
                return
            self._read_triple(kind)

    def _read_triple(self, kind: str) -> None:
        start = self._next
        row = self._words[start].row
        expected = ("(", _NAME, _RELATION, _NAME, ")")
        try:
            _, source, relation, target, _ = [self._take(part) for part in expected]
        except _Broken as broken:
            raise _Broken(broken.reason, start) from None
        self._triples.append(
            LevelTriple(kind.removeprefix(":"), source, relation.removeprefix(":"), target, row)
        )

    def _ends(self) -> bool:
        return self._next == len(self._words)

    def _text(self) -> str:
        return self._words[self._next].text

    def _kind(self) -> str:
        text = self._text()
        if text[0] == ":":
            return _RELATION
        return text if text in "()/" else _NAME

    def _take(self, expected: str) -> str:
        """Return the text of the next token. Raises `_Broken` if it is unexpected."""
        shown = expected if len(expected) > 1 else repr(expected)
        if self._ends():
            raise _Broken(f"it ends where {shown} is expected", self._next)
        if self._kind() != expected:
            raise _Broken(f"found {self._text()!r}, expected {shown}", self._next)
        self._next += 1
        return self._words[self._next - 1].text

    def _break(self, broken: _Broken) -> Break:
        """Return where reading failed; at the end of the text, that is its last token."""
        _, row, column = self._words[min(broken.number, len(self._words) - 1)]
        rest = "\n".join((self._rows[row][column:], *self._rows[row + 1 :]))
        lost = counted(len(_OPENING.findall(rest)), "triple")
        return Break(row, broken.reason, f"{lost} lost from here on")


def _words(rows: Sequence[str]) -> Iterator[_Word]:
    for row, line in enumerate(rows):
        for found in _TOKEN.finditer(line):
            yield _Word(found.group(), row, found.start())
