"""Read the surface alignment and the document level of a UMR sentence.

Both are read up to the first fault, and the loss is counted.
"""

import re
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

_INTERVAL = r"\d{1,5}-\d{1,5}"  # all tokens are listed: no sentence has more
#: A variable, and its aligned tokens as intervals.
_INTERVALS = re.compile(rf"([^\s:]+)\s*:\s*({_INTERVAL}(?:\s*,\s*{_INTERVAL})*)", re.ASCII)
#: The most tokens that are listed for one sentence, for all of its variables together.
_MOST_TOKENS = 1_000_000
_TOKEN = re.compile(r"[()/]|:[^\s()/:]*|[^\s()/:]+")
#: The beginning of a triple, not of the sentence (``(s1s0 /``) nor of several triples (``((``).
_OPENING = re.compile(r"\(\s*[^\s()/]++\s*+(?!/)")


class Break(NamedTuple):
    """Where reading a block failed: its *row*, from 0, the *reason*, and what is *lost*.

    is_unknown: the fault is the surface alignment of an unknown variable.
    """

    row: int
    reason: str
    lost: str
    is_unknown: bool = False


class Surface(NamedTuple):
    """The tokens of each variable, from 1, ascending, up to the first of the *faults*.

    rows: the row of each variable with tokens. repeated: the rows and variables that contradict an
    earlier row, which then does not count.
    """

    tokens_of: dict[str, tuple[int, ...]]
    rows: dict[str, int]
    faults: tuple[Break, ...]
    repeated: tuple[tuple[int, str], ...] = ()


class LevelTriple(NamedTuple):
    """A triple of the document level as written, kind and relation without colon, and its row."""

    kind: str
    source: str
    relation: str
    target: str
    row: int


class WrittenLevel(NamedTuple):
    """The triples, and the number of parentheses left open, at the latest in the last row."""

    triples: tuple[LevelTriple, ...]
    unclosed: int
    last_row: int
    fault: Break | None


def read_surface(rows: Sequence[str], variables: Container[str]) -> Surface:
    """Read lines such as ``s1v: 2-2, 4-5``, without comments.

    ``0-0`` means no token. Faults are other lines, invalid intervals, and alignments of variables
    that are not among *variables*.
    """
    tokens_of: dict[str, tuple[int, ...]] = {}
    places: dict[str, int] = {}
    faults: list[Break] = []
    repeated: list[tuple[int, str]] = []
    lines = [(row, line.strip()) for row, line in enumerate(rows) if line.strip()]
    listed = 0
    for place, (row, line) in enumerate(lines):
        left = counted(len(lines) - place, "line")  # the text not read yet
        variable, tokens = _listed(line)
        if tokens is None:
            faults.append(Break(row, _no_tokens(line), left))
        elif variable not in variables:
            reason = f"{variable} is no variable of the graph"
            faults.append(Break(row, reason, left, is_unknown=True))
        elif faults:
            continue
        elif (listed := listed + len(tokens)) > _MOST_TOKENS:
            faults.append(Break(row, f"more than {_MOST_TOKENS:,} tokens are aligned", left))
        else:
            if tokens_of.get(variable, tokens) != tokens:
                repeated.append((row, variable))
            places[variable] = row
            tokens_of[variable] = tokens
    tokens_of = {variable: tokens for variable, tokens in tokens_of.items() if tokens}
    return Surface(tokens_of, places, tuple(faults), tuple(repeated))


def read_document_level(rows: Sequence[str]) -> WrittenLevel:
    """Read ``(s1s0 / sentence :temporal ((a :before b) ...) ...)``, without comments."""
    return _LevelParser(rows).parse()


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number and its noun in words: ``1 line``, ``2 lines``."""
    return f"{number} {one if number == 1 else several or one + 's'}"


def _listed(line: str) -> tuple[str, tuple[int, ...] | None]:
    """Return the variable of a line and its tokens; None if the line is malformed."""
    found = _INTERVALS.fullmatch(line)
    return (found[1], _tokens(found[2])) if found else ("", None)


def _tokens(intervals: str) -> tuple[int, ...] | None:
    """Return the tokens of the intervals; None if an interval is invalid."""
    ends = [tuple(map(int, interval.split("-"))) for interval in intervals.split(",")]
    if ends == [(0, 0)]:
        return ()
    if any(start == 0 or start > end for start, end in ends):
        return None
    tokens: list[int] = []
    for start, end in sorted(ends):  # intervals may overlap, and be many
        tokens += range(max(start, tokens[-1] + 1 if tokens else 0), end + 1)
    return tuple(tokens)


def _no_tokens(line: str) -> str:
    return f"{line!r} is no variable with intervals of tokens"


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


class _LevelParser:
    """A parser of the tokens of a document level; *depth* counts the open parentheses."""

    def __init__(self, rows: Sequence[str]) -> None:
        self._rows = rows
        self._words = list(_words(rows))
        self._next = 0
        self._triples: list[LevelTriple] = []
        self._depth = 0
        self._left_open = 0

    def parse(self) -> WrittenLevel:
        fault = None
        try:
            self._read_sentence()
        except _Broken as broken:
            fault = self._break(broken)
        last_row = self._words[-1].row if self._words else 0
        unclosed = self._left_open + (self._depth if fault is None else 0)
        return WrittenLevel(tuple(self._triples), unclosed, last_row, fault)

    def _read_sentence(self) -> None:
        if self._ends():
            return
        for expected in ("(", _NAME, "/", _NAME):
            self._take(expected)
        self._depth = 1
        while self._depth and not self._ends():
            if self._kind() == ")":
                self._next += 1
                self._depth = 0
            else:
                self._read_triples(self._take(_RELATION))
        if not self._ends():
            raise _Broken(f"{self._text()!r} follows its end", self._next)

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
        return Break(row, broken.reason, counted(len(_OPENING.findall(rest)), "triple"))


def _words(rows: Sequence[str]) -> Iterator[_Word]:
    for row, line in enumerate(rows):
        for found in _TOKEN.finditer(line):
            yield _Word(found.group(), row, found.start())
