# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Read well-formed PENMAN into numbers in one pass, without making a graph.

The grammar is that of `exactmatch.graphs.readers.well_formed`. A text that is not understood to the
last character is left to that reader. Written in Cython's pure Python mode.
"""

from typing import Any, Protocol

import cython

_SYMBOL = cython.declare(cython.int, 0)
_STRING = cython.declare(cython.int, 1)
_ROLE = cython.declare(cython.int, 2)
_MARK = cython.declare(cython.int, 3)
_OPEN = cython.declare(cython.int, 4)
_CLOSE = cython.declare(cython.int, 5)
_SLASH = cython.declare(cython.int, 6)
_NOTHING = cython.declare(cython.int, 7)
_END = cython.declare(cython.int, 8)


class NumberedWords(Protocol):
    """The numbers of words in graphs, each computed when it is first missing.

    The bytes of a word are read as Latin-1, so that there is one character for each.
    keeps_marks: whether a surface alignment mark is part of its word, or is skipped.
    targets: the name, or the constant, that the word after a role stands for; None if each word
        stands for itself.
    concepts, edges: the number of a concept; twice the number of a role between two variables, plus
        1 if the role is inverted. attributes: by role, the number of a constant, or -1 if it is
        left out. top: the number of the root's own triple, or -1 if there is none.
    """

    keeps_marks: bool
    targets: dict[str, str] | None
    concepts: dict[str, int]
    edges: dict[str, int]
    attributes: dict[str, dict[str, int]]
    top: int

    def target(self, word: str) -> str: ...
    def concept(self, word: str) -> int: ...
    def edge(self, role: str) -> int: ...
    def attribute(self, role: str, word: str) -> int: ...
    def forget_if_many(self) -> None: ...


@cython.cclass
class NumberReader:
    """A reader of graphs, one by one, into arrays of *room* numbers.

    label, first, second: for each triple, the number of its label and the positions of its
        variables; *second* is -1 if it has only one variable.
    n_variables: the variables of the last graph.
    """

    n_variables = cython.declare(cython.Py_ssize_t, visibility="readonly")
    label: cython.longlong[::1]
    first: cython.longlong[::1]
    second: cython.longlong[::1]
    room: cython.Py_ssize_t
    n_triples: cython.Py_ssize_t
    words: Any
    keeps_marks: cython.bint
    targets: Any
    concepts: dict[str, int]
    edges: dict[str, int]
    attributes: dict[str, Any]
    # The text as bytes, and as a string with as many characters.
    view: cython.const[cython.uchar][::1]  # type: ignore[valid-type]
    text: str
    end: cython.Py_ssize_t
    # The next token: its kind, its start, and its end.
    kind: cython.int
    start: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    positions: dict[str, int]
    opened: list[int]  # the variables whose descriptions are open, outermost first
    constants: list[tuple[int, str, str]]  # constants that may turn out to be variables

    def __init__(self, words: NumberedWords, label: Any, first: Any, second: Any) -> None:
        self.words = words
        self.keeps_marks, self.targets = words.keeps_marks, words.targets
        self.concepts, self.edges, self.attributes = words.concepts, words.edges, words.attributes
        self.label, self.first, self.second = label, first, second
        self.room = len(label)
        self.n_triples = self.n_variables = 0
        self.text, self.positions = "", {}

    def read(self, data: bytes) -> cython.Py_ssize_t:
        """Return the number of triples in the text of a graph, or -1 if in doubt."""
        start: cython.Py_ssize_t = self._body(data)
        if start < 0:
            return -1
        self.view = data
        self.text = data.decode("latin-1")
        self.stop = start
        self.end = len(data)
        self.n_triples = self.n_variables = 0
        self.positions = {}
        self.opened = []
        self.constants = []
        self._go_on()
        if self.kind != _OPEN or self._begin() < 0 or not self._read_edges():
            return -1
        if not self._add_constants() or not self._add_top():
            return -1
        return self.n_triples

    def names(self) -> list[str]:
        """Return the names of the variables of the last graph, by position."""
        names: list[str] = list(self.positions)
        if self.text.isascii():
            return names
        return [name.encode("latin-1").decode("utf-8") for name in names]

    @cython.cfunc
    def _body(self, data: bytes) -> cython.Py_ssize_t:
        """Return where the graph begins after its comments; -1 if in doubt."""
        start: cython.Py_ssize_t = 0
        if b"\n\n" in data or b"\0" in data:
            return -1
        while data.startswith(b"#", start):
            start = data.find(b"\n", start) + 1
            if start == 0:
                return -1
        if data.find(b"#", start) >= 0:
            return -1
        if not data.isascii():
            try:
                data.decode("utf-8")
            except UnicodeDecodeError:
                return -1
        return start

    @cython.cfunc
    def _begin(self) -> cython.Py_ssize_t:
        """Return the variable after a parenthesis, if a slash and a concept follow; else -1."""
        number: cython.Py_ssize_t = self.n_variables
        self._go_on()
        if self.kind != _SYMBOL or number == self.room:
            return -1
        name = self._token()
        if name in self.positions or self._target(name) != name:
            return -1
        self._go_on()
        if self.kind != _SLASH:
            return -1
        self._go_on()
        if self.kind != _SYMBOL and self.kind != _STRING:
            return -1
        concept = self._marked(self._token())
        label: Any = self.concepts.get(concept)
        if label is None:
            label = self.words.concept(concept)
        self.positions[name] = number
        self.opened.append(number)
        self.n_variables = number + 1
        return number if self._add(label, number, -1) else -1

    @cython.cfunc
    def _read_edges(self) -> cython.bint:
        """Read what follows the root's concept, up to the end; tell whether it is well-formed."""
        source: cython.Py_ssize_t
        target: cython.Py_ssize_t
        known: Any
        while len(self.opened) > 0:
            if self.kind == _CLOSE:
                self.opened.pop()
                self._go_on()
                continue
            if self.kind != _ROLE:
                return False
            source = self.opened[len(self.opened) - 1]
            role = self._marked(self.text[self.start + 1 : self.stop])
            if self.kind == _OPEN:
                target = self._begin()
                if target < 0 or not self._add_edge(role, source, target):
                    return False
                continue
            if self.kind != _SYMBOL and self.kind != _STRING:
                return False
            word = self._target(self._marked(self._token()))
            known = self.positions.get(word)
            if known is None:
                self.constants.append((source, role, word))
            elif not self._add_edge(role, source, known):
                return False
        return self.kind == _END

    @cython.cfunc
    def _add_constants(self) -> cython.bint:
        """Add the triples whose target was not yet known to be a variable or a constant."""
        source: cython.Py_ssize_t
        known: Any
        for entry in self.constants:
            source, role, word = entry[0], entry[1], entry[2]
            known = self.positions.get(word)
            if known is not None:
                if not self._add_edge(role, source, known):
                    return False
                continue
            of_role: Any = self.attributes.get(role)
            if of_role is not None:
                known = of_role.get(word)
            if known is None:
                known = self.words.attribute(role, word)
            if known >= 0 and not self._add(known, source, -1):
                return False
        return True

    @cython.cfunc
    def _add_top(self) -> cython.bint:
        top: cython.longlong = self.words.top
        return top < 0 or self._add(top, 0, -1)

    @cython.cfunc
    def _add_edge(
        self, role: str, source: cython.Py_ssize_t, target: cython.Py_ssize_t
    ) -> cython.bint:
        label: cython.longlong
        known: Any = self.edges.get(role)
        if known is None:
            known = self.words.edge(role)
        label = known
        if label & 1:
            return self._add(label >> 1, target, source)
        return self._add(label >> 1, source, target)

    @cython.cfunc
    @cython.inline
    def _add(
        self, label: cython.longlong, first: cython.longlong, second: cython.longlong
    ) -> cython.bint:
        """Add a triple; return whether there is room."""
        n: cython.Py_ssize_t = self.n_triples
        if n == self.room:
            return False
        self.label[n], self.first[n], self.second[n] = label, first, second
        self.n_triples = n + 1
        return True

    @cython.cfunc
    @cython.inline
    def _token(self) -> str:
        return self.text[self.start : self.stop]

    @cython.cfunc
    def _marked(self, word: str) -> str:
        """Move past *word* and the mark after it; return both, if marks are kept."""
        self._go_on()
        if self.kind == _MARK:
            if self.keeps_marks:
                word = word + self._token()
            self._go_on()
        return word

    @cython.cfunc
    @cython.inline
    def _target(self, word: str) -> str:
        """Return the number of the word after a role."""
        if self.targets is None:
            return word
        found: Any = self.targets.get(word)
        return self.words.target(word) if found is None else found

    @cython.cfunc
    def _go_on(self) -> cython.void:
        """Move to the next token."""
        i: cython.Py_ssize_t = self.stop
        first: cython.int
        while i < self.end and _is_space(self.view[i]):
            i += 1
        self.start = i
        if i == self.end:
            self.kind, self.stop = _END, i
            return
        first = self.view[i]
        i += 1
        if first == 40:  # (
            self.kind = _OPEN
        elif first == 41:  # )
            self.kind = _CLOSE
        elif first == 47:  # /
            self.kind = _SLASH
        elif first == 34:  # "
            i = self._string_end(i)
            self.kind = _STRING if i > self.start + 1 else _NOTHING
        elif first == 126:  # ~
            i = self._mark_end(i)
            self.kind = _MARK if i > self.start + 1 else _NOTHING
        else:
            while i < self.end and not _is_delimiter(self.view[i]):
                i += 1
            self.kind = _ROLE if first == 58 else _SYMBOL  # :
        self.stop = i

    @cython.cfunc
    def _string_end(self, start: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of a string that continues at *start*; *start* itself if it has no end."""
        i: cython.Py_ssize_t = start
        while i < self.end and self.view[i] != 10:
            if self.view[i] == 34:  # "
                return i + 1
            i += 1
            if self.view[i - 1] == 92:  # a backslash
                if i == self.end or self.view[i] == 10:
                    break
                i += 1
        return start

    @cython.cfunc
    def _mark_end(self, start: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of a mark that continues at *start*; without a mark, *start* itself."""
        i: cython.Py_ssize_t = start
        found: cython.Py_ssize_t = start
        if i < self.end and 97 <= self.view[i] <= 122:  # a to z
            i += 1
            if i < self.end and self.view[i] == 46:  # .
                i += 1
        while i < self.end and _is_digit(self.view[i]):
            i += 1
            found = i
            if i + 1 < self.end and self.view[i] == 44 and _is_digit(self.view[i + 1]):  # ,
                i += 1
        return found


@cython.cfunc
@cython.inline
def _is_space(byte: cython.int) -> cython.bint:
    return byte == 32 or 9 <= byte <= 13


@cython.cfunc
@cython.inline
def _is_digit(byte: cython.int) -> cython.bint:
    return 48 <= byte <= 57


@cython.cfunc
@cython.inline
def _is_delimiter(byte: cython.int) -> cython.bint:
    """Tell whether a byte ends a symbol: a space or one of ``"()/:~``."""
    if byte > 58:
        return byte == 126
    return _is_space(byte) or byte == 34 or byte == 40 or byte == 41 or byte == 47 or byte == 58
