# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Read well-formed PENMAN into numbers in one pass, without making a graph.

The grammar is that of `exactmatch.graphs.readers.well_formed`. A text that is not understood to the
last character is left to that reader. Written in Cython's pure Python mode.
"""

from collections.abc import Callable
from typing import Any, Protocol

import cython

from exactmatch.errors import VerificationError
from exactmatch.graphs.readers.known_words import UNKNOWN, zeros

if cython.compiled:
    from cython.cimports.exactmatch.graphs.readers.known_words import KnownWords
else:
    from exactmatch.graphs.readers.known_words import KnownWords

# The kinds of tokens, and of bytes that begin none.
_SYMBOL = cython.declare(cython.int, 0)
_STRING = cython.declare(cython.int, 1)
_ROLE = cython.declare(cython.int, 2)
_MARK = cython.declare(cython.int, 3)
_OPEN = cython.declare(cython.int, 4)
_CLOSE = cython.declare(cython.int, 5)
_SLASH = cython.declare(cython.int, 6)
_SPACE = cython.declare(cython.int, 7)
_LINE_FEED = cython.declare(cython.int, 8)
_DOUBT = cython.declare(cython.int, 9)
_END = cython.declare(cython.int, 10)
#: What bytes begin, if not a symbol. A comment sign in a graph, or a NUL, leaves it in doubt.
_BEGIN = {
    **{_STRING: b'"', _ROLE: b":", _MARK: b"~", _OPEN: b"(", _CLOSE: b")", _SLASH: b"/"},
    **{_SPACE: b" \t\v\f\r", _LINE_FEED: b"\n", _DOUBT: b"#\0"},
}
_table = bytearray(256)
for _kind, _letters in _BEGIN.items():
    for _letter in _letters:
        _table[_letter] = _kind
#: What each byte begins.
_KINDS = cython.declare(bytes, bytes(_table))

#: So many words are known at most before they are forgotten.
MOST_KNOWN = 100_000
_UNKNOWN = cython.declare(cython.longlong, UNKNOWN)


class NumberedWords(Protocol):
    """The numbers of the labels that words in graphs make.

    keeps_marks: whether a surface alignment mark is part of its word, or is skipped.
    changes_targets: whether the word after a role may stand for another word.
    top: the number of the root's own triple, or -1 if there is none.
    leaves: tells whether a text is left to the other reader, since its words are split in another
        way; None if no text is.
    """

    leaves: Callable[[bytes], bool] | None
    keeps_marks: bool
    changes_targets: bool
    top: int

    def target(self, word: str) -> str:
        """Return the name, or the constant, that the word after a role stands for."""

    def concept(self, word: str) -> int:
        """Return the number of a concept."""

    def edge(self, role: str) -> int:
        """Return twice the number of a role between variables, plus 1 if it is inverted."""

    def attribute(self, role: str, word: str) -> int:
        """Return the number of a constant under a role; -1 if it is left out."""

    def forget(self) -> None:
        """Forget all numbers; *top* may have another one then."""


@cython.final
@cython.cclass
class NumberReader:
    """A reader of graphs, one by one, into arrays of *room* numbers.

    label, first, second: for each triple, the number of its label and the positions of its
        variables; *second* is -1 if it has only one variable.
    n_variables: the variables of the last graph.
    known: the words met so far.
    beside: another reader by the same *words*, with which this one shares *known*.
    """

    n_variables = cython.declare(cython.Py_ssize_t, visibility="readonly")
    known = cython.declare(KnownWords, visibility="readonly")
    label: cython.longlong[::1]
    first: cython.longlong[::1]
    second: cython.longlong[::1]
    room: cython.Py_ssize_t
    n_triples: cython.Py_ssize_t
    words: Any
    keeps_marks: cython.bint
    changes_targets: cython.bint
    # The text, with a NUL at its end, and the next token: its kind, its start, and its end.
    data: bytes
    text: cython.p_const_uchar
    kinds: cython.p_const_uchar
    end: cython.Py_ssize_t
    kind: cython.int
    start: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    # Where the name of each variable begins and ends.
    name: cython.longlong[::1]
    name_end: cython.longlong[::1]
    # The variables whose descriptions are open, outermost first.
    n_opened: cython.Py_ssize_t
    opened: cython.longlong[::1]
    # Constants that may turn out to be variables: the source, and the words for role and target.
    n_constants: cython.Py_ssize_t
    source: cython.longlong[::1]
    role: cython.longlong[::1]
    constant: cython.longlong[::1]

    def __init__(
        self,
        words: NumberedWords,
        label: Any,
        first: Any,
        second: Any,
        beside: "NumberReader | None" = None,
    ) -> None:
        self.words = words
        self.known = KnownWords() if beside is None else beside.known
        self.keeps_marks, self.changes_targets = words.keeps_marks, words.changes_targets
        self.label, self.first, self.second = label, first, second
        self.room = len(label)
        self.name, self.name_end = zeros(self.room), zeros(self.room)
        self.opened, self.source = zeros(self.room), zeros(self.room)
        self.role, self.constant = zeros(self.room), zeros(self.room)
        self.n_triples = self.n_variables = self.n_opened = self.n_constants = 0
        self.data, self.kinds = b"", _KINDS

    def read(self, data: bytes) -> cython.Py_ssize_t:
        """Return the number of triples in the text of a graph, or -1 if in doubt."""
        if not data.isascii() and not _is_utf8(data):
            return -1
        self.data = data if cython.compiled else data + b"\0"  # as compiled code finds it
        self.text = self.data
        self.end = len(data)
        self.stop = self._body()
        if self.stop < 0:
            return -1
        self.n_triples = self.n_variables = self.n_opened = self.n_constants = 0
        self.known.n_graphs += 1
        self._go_on()
        if self.kind != _OPEN or self._begin() < 0 or not self._read_edges():
            return -1
        if not self._add_constants() or not self._add_top():
            return -1
        return self.n_triples

    def names(self) -> list[str]:
        """Return the names of the variables of the last graph, by position."""
        return [
            self.data[self.name[k] : self.name_end[k]].decode("utf-8")
            for k in range(self.n_variables)
        ]

    def forget_if_many(self, most: cython.Py_ssize_t = MOST_KNOWN) -> None:
        """Forget all words if they are many; call it only between pairs, since numbers change."""
        if self.known.n_words >= most:
            self.known.clear()
            self.words.forget()

    @cython.cfunc
    @cython.exceptval(check=False)
    def _body(self) -> cython.Py_ssize_t:
        """Return where the graph begins after its comments; -1 if in doubt."""
        i: cython.Py_ssize_t = 0
        while self.text[i] == 35:  # a comment sign
            while self.text[i] != 10:
                if self.text[i] == 0:
                    return -1
                i += 1
            i += 1
        return -1 if i > 0 and self.text[i] == 10 else i

    @cython.cfunc
    def _begin(self) -> cython.Py_ssize_t:
        """Return the variable after a parenthesis, if a slash and a concept follow; else -1."""
        number: cython.Py_ssize_t = self.n_variables
        known: KnownWords = self.known
        self._go_on()
        if self.kind != _SYMBOL or number == self.room:
            return -1
        self.name[number], self.name_end[number] = self.start, self.stop
        name: cython.Py_ssize_t = self._word(self.text, self.start, self.stop)
        if known.graph[name] == known.n_graphs or self._target(name) != name:
            return -1
        self._go_on()
        if self.kind != _SLASH:
            return -1
        self._go_on()
        if self.kind != _SYMBOL and self.kind != _STRING:
            return -1
        start: cython.Py_ssize_t = self.start
        concept: cython.Py_ssize_t = self._marked(start)
        if known.concept[concept] == _UNKNOWN:
            known.concept[concept] = self.words.concept(self.known.spelled(concept))
        known.graph[name], known.position[name] = known.n_graphs, number
        self.opened[self.n_opened] = number
        self.n_opened += 1
        self.n_variables = number + 1
        return number if self._add(known.concept[concept], number, -1) else -1

    @cython.cfunc
    def _read_edges(self) -> cython.bint:
        """Read what follows the root's concept, up to the end; tell whether it is well-formed."""
        source: cython.Py_ssize_t
        target: cython.Py_ssize_t
        role: cython.Py_ssize_t
        word: cython.Py_ssize_t
        while self.n_opened > 0:
            if self.kind == _CLOSE:
                self.n_opened -= 1
                self._go_on()
                continue
            if self.kind != _ROLE:
                return False
            source = self.opened[self.n_opened - 1]
            role = self._marked(self.start + 1)
            if self.kind == _OPEN:
                target = self._begin()
                if target < 0 or not self._add_edge(role, source, target):
                    return False
                continue
            if self.kind != _SYMBOL and self.kind != _STRING:
                return False
            word = self._target(self._marked(self.start))
            if not self._add_target(source, role, word):
                return False
        return self.kind == _END

    @cython.cfunc
    def _add_target(
        self, source: cython.Py_ssize_t, role: cython.Py_ssize_t, word: cython.Py_ssize_t
    ) -> cython.bint:
        """Add the triple of a word after a role, or keep it if the word is no variable yet."""
        n: cython.Py_ssize_t = self.n_constants
        if self.known.graph[word] == self.known.n_graphs:
            return self._add_edge(role, source, self.known.position[word])
        if n == self.room:
            return False
        self.source[n], self.role[n], self.constant[n] = source, role, word
        self.n_constants = n + 1
        return True

    @cython.cfunc
    def _add_constants(self) -> cython.bint:
        """Add the triples whose target was not yet known to be a variable or a constant."""
        k: cython.Py_ssize_t
        label: cython.longlong
        known: KnownWords = self.known
        for k in range(self.n_constants):
            if known.graph[self.constant[k]] == known.n_graphs:
                if not self._add_target(self.source[k], self.role[k], self.constant[k]):
                    return False
                continue
            label = self._label_of(self.role[k], self.constant[k])
            if label >= 0 and not self._add(label, self.source[k], -1):
                return False
        return True

    @cython.cfunc
    def _label_of(self, role: cython.Py_ssize_t, word: cython.Py_ssize_t) -> cython.longlong:
        """Return the number of the label of a constant under a role, -1 if it is left out."""
        known: KnownWords = self.known
        both: cython.longlong = role << 32 | word
        label: Any = known.attribute.get(both)
        if label is None:
            label = self.words.attribute(known.spelled(role), known.spelled(word))
            known.attribute[both] = label
        return label

    @cython.cfunc
    def _add_top(self) -> cython.bint:
        top: cython.longlong = self.words.top
        return top < 0 or self._add(top, 0, -1)

    @cython.cfunc
    def _add_edge(
        self, role: cython.Py_ssize_t, source: cython.Py_ssize_t, target: cython.Py_ssize_t
    ) -> cython.bint:
        label: cython.longlong = self.known.edge[role]
        if label == _UNKNOWN:
            label = self.known.edge[role] = self.words.edge(self.known.spelled(role))
        if label & 1:
            return self._add(label >> 1, target, source)
        return self._add(label >> 1, source, target)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
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
    @cython.exceptval(-1, check=True)
    def _marked(self, start: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Move past the token, whose word begins at *start*, and past the mark after it.

        Returns the word, with the mark if marks are kept.
        """
        stop: cython.Py_ssize_t = self.stop
        self._go_on()
        if self.kind != _MARK:
            return self._word(self.text, start, stop)
        if not self.keeps_marks:
            self._go_on()
            return self._word(self.text, start, stop)
        joined: bytes = self.data[start:stop] + self.data[self.start : self.stop]
        self._go_on()
        return self._word(joined, 0, len(joined))

    @cython.cfunc
    @cython.inline
    @cython.exceptval(-1, check=True)
    def _target(self, word: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the word that a word after a role stands for."""
        if not self.changes_targets:
            return word
        if self.known.target[word] == _UNKNOWN:
            found: bytes = self.words.target(self.known.spelled(word)).encode("utf-8")
            self.known.target[word] = self.known.number(found, 0, len(found))
        return self.known.target[word]

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _word(
        self, text: cython.p_const_uchar, start: cython.Py_ssize_t, stop: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return the number of a word. Raises `VerificationError` if it is that of another word.

        Letters are compared from the last one on, and not by the code that has found the word.
        """
        found: cython.Py_ssize_t = self.known.number(text, start, stop)
        if cython.compiled:  # interpreted code finds words by a dictionary of Python
            word: bytes = self.known.spelling[found]
            k: cython.Py_ssize_t = len(word)
            while stop > start and k > 0 and word[k - 1] == text[stop - 1]:
                k, stop = k - 1, stop - 1
            if k > 0 or stop > start:
                raise VerificationError("two words have one number")
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
    def _go_on(self) -> cython.void:
        """Move to the next token."""
        text: cython.p_const_uchar = self.text
        kinds: cython.p_const_uchar = self.kinds
        i: cython.Py_ssize_t = self.stop
        kind: cython.int = kinds[text[i]]
        while kind == _SPACE or (kind == _LINE_FEED and text[i + 1] != 10):
            i += 1
            kind = kinds[text[i]]
        self.start = i
        i += 1
        if kind in (_SYMBOL, _ROLE):
            while kinds[text[i]] == _SYMBOL:
                i += 1
        elif kind == _STRING:
            i = self._string_end(i)
        elif kind == _MARK:
            i = self._mark_end(i)
        elif kind >= _LINE_FEED:
            kind = _END if self.start == self.end else _DOUBT
            i = self.start
        if kind in (_STRING, _MARK) and i == self.start + 1:
            kind = _DOUBT
        self.kind, self.stop = kind, i

    @cython.cfunc
    @cython.exceptval(check=False)
    def _string_end(self, start: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of a string that continues at *start*; *start* itself if it has no end."""
        i: cython.Py_ssize_t = start
        while self.kinds[self.text[i]] < _LINE_FEED:
            i += 1
            if self.text[i - 1] == 34:  # "
                return i
            if self.text[i - 1] == 92 and self.kinds[self.text[i]] < _LINE_FEED:  # a backslash
                i += 1
        return start

    @cython.cfunc
    @cython.exceptval(check=False)
    def _mark_end(self, start: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of a mark that continues at *start*; without a mark, *start* itself."""
        i: cython.Py_ssize_t = start
        found: cython.Py_ssize_t = start
        if 97 <= self.text[i] <= 122:  # a to z
            i += 1
            if self.text[i] == 46:  # .
                i += 1
        while 48 <= self.text[i] <= 57:
            i += 1
            found = i
            if self.text[i] == 44 and 48 <= self.text[i + 1] <= 57:  # ,
                i += 1
        return found


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
