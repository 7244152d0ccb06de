# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Read well-formed PENMAN into numbers in one pass, without making a graph.

The grammar is that of `exactmatch.graphs.readers.well_formed`. A text that is not understood to the
last character is left to that reader. Written in Cython's pure Python mode.
"""

from array import array
from typing import Any, Protocol

import cython

from exactmatch.errors import VerificationError

_SYMBOL = cython.declare(cython.int, 0)
_STRING = cython.declare(cython.int, 1)
_ROLE = cython.declare(cython.int, 2)
_MARK = cython.declare(cython.int, 3)
_OPEN = cython.declare(cython.int, 4)
_CLOSE = cython.declare(cython.int, 5)
_SLASH = cython.declare(cython.int, 6)
_NOTHING = cython.declare(cython.int, 7)
_END = cython.declare(cython.int, 8)


#: So many words are known at most before they are forgotten.
MOST_KNOWN = 100_000
#: What is not known yet of a word.
_UNKNOWN = cython.declare(cython.longlong, -2)
#: The sizes of the tables at first; that of places is twice as large as that of words or more.
_FEW = cython.declare(cython.Py_ssize_t, 1 << 11)
#: A place is some bits of a product of numbers below 2^64.
_FACTOR = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_OTHER = cython.declare(cython.ulonglong, 0xC2B2AE3D27D4EB4F)
_SHIFT = cython.declare(cython.int, 32)
#: By chance, no word is further from the place of its letters; words made to collide are.
_FAR = cython.declare(cython.Py_ssize_t, 128)
_LOW = cython.declare(cython.longlong, (1 << 32) - 1)


class NumberedWords(Protocol):
    """The numbers of the labels that words in graphs make.

    The bytes of a word are read as Latin-1, so that there is one character for each.
    keeps_marks: whether a surface alignment mark is part of its word, or is skipped.
    changes_targets: whether the word after a role may stand for another word.
    top: the number of the root's own triple, or -1 if there is none.
    """

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


@cython.cclass
class KnownWords:
    """Words by number, in the order in which they are met, and what is known of each.

    concept, edge: the numbers of `NumberedWords`. target: the word that it stands for. position:
    the variable of that name in graph number *graph*. Interpreted code finds words in a dictionary,
    compiled code in a table: the place of a word follows from its letters, and words that have the
    same place are one behind the other. If these are too many, the dictionary takes over, since
    each look would take longer than the one before. text: the bytes in which words are met.
    """

    text: cython.const[cython.uchar][::1]  # type: ignore[valid-type]

    n_words: cython.Py_ssize_t
    n_graphs: cython.longlong
    concept: cython.longlong[::1]
    edge: cython.longlong[::1]
    target: cython.longlong[::1]
    graph: cython.longlong[::1]
    position: cython.longlong[::1]
    # The letters of all words, and where those of each begin; words by place, from 1.
    letters: cython.uchar[::1]
    begin: cython.longlong[::1]
    places: cython.longlong[::1]
    by_letters = cython.declare(dict, visibility="readonly")
    # Roles with constants by place: both words as one number, and the number of their label.
    n_constants: cython.Py_ssize_t
    constants: cython.longlong[::1]
    constant_label: cython.longlong[::1]

    def __init__(self) -> None:
        self.n_graphs = 0
        self.text = b""
        self.clear()

    @cython.ccall
    def clear(self) -> cython.void:
        """Forget all words."""
        self.n_words = self.n_constants = 0
        self.concept, self.edge, self.target = _zeros(_FEW), _zeros(_FEW), _zeros(_FEW)
        self.graph, self.position, self.begin = _zeros(_FEW), _zeros(_FEW), _zeros(_FEW)
        self.letters, self.places, self.by_letters = bytearray(_FEW), _zeros(2 * _FEW), {}
        self.constants, self.constant_label = _zeros(2 * _FEW), _zeros(2 * _FEW)

    @cython.cfunc
    def number(
        self,
        start: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        mark: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Return the number of the word in a part of the text, and in another part, of its mark."""
        found: cython.Py_ssize_t
        place: cython.Py_ssize_t
        if cython.compiled and not self.by_letters:
            place = self._place(start, stop, mark, end)
            if place >= 0:
                found = self.places[place] - 1
                if found < 0:
                    found = self._add(bytes(self.text[start:stop]) + bytes(self.text[mark:end]))
                    self.places[place] = found + 1
                    if 2 * self.n_words > len(self.places):
                        self._place_anew()
                return found
            self._take_dictionary()
        word = bytes(self.text[start:stop]) + bytes(self.text[mark:end])
        known: Any = self.by_letters.get(word)
        if known is None:
            known = self.by_letters[word] = self._add(word)
        return known

    @cython.cfunc
    @cython.exceptval(check=False)
    def _place(
        self,
        start: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        mark: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Return the place of a word, or the free one that it can have; -1 if that is too far."""
        k: cython.Py_ssize_t
        n_seen: cython.Py_ssize_t = 0
        key: cython.ulonglong = 0
        last: cython.Py_ssize_t = len(self.places) - 1
        for k in range(start, stop):
            key = (key + self.text[k] + 1) * _FACTOR
        for k in range(mark, end):
            key = (key + self.text[k] + 1) * _FACTOR
        place: cython.Py_ssize_t = key >> _SHIFT & last
        while self.places[place] > 0:
            k = self.places[place] - 1
            if (
                self.begin[k] + stop - start + end - mark == self.begin[k + 1]
                and self._is_at(self.begin[k], start, stop)
                and self._is_at(self.begin[k] + stop - start, mark, end)
            ):
                break
            place = place + 1 & last
            n_seen += 1
            if n_seen > _FAR:
                return -1
        return place

    @cython.cfunc
    def _take_dictionary(self) -> cython.void:
        """Find words in a dictionary from now on."""
        k: cython.Py_ssize_t
        for k in range(self.n_words):
            self.by_letters[bytes(self.letters[self.begin[k] : self.begin[k + 1]])] = k

    @cython.cfunc
    @cython.exceptval(check=False)
    def _is_at(
        self, begin: cython.Py_ssize_t, start: cython.Py_ssize_t, stop: cython.Py_ssize_t
    ) -> cython.bint:
        """Tell whether the letters from *begin* on are those of a part of the text."""
        k: cython.Py_ssize_t = start
        while k < stop and self.letters[begin + k - start] == self.text[k]:
            k += 1
        return k == stop

    @cython.cfunc
    def _add(self, word: bytes) -> cython.Py_ssize_t:
        """Return the number of a new word, of which nothing is known."""
        k: cython.Py_ssize_t
        n: cython.Py_ssize_t = self.n_words
        begin: cython.Py_ssize_t = self.begin[n]
        if n + 2 > len(self.begin):
            self.concept, self.edge = _longer(self.concept), _longer(self.edge)
            self.target, self.graph = _longer(self.target), _longer(self.graph)
            self.position, self.begin = _longer(self.position), _longer(self.begin)
        while begin + len(word) > len(self.letters):
            self.letters = bytearray(self.letters) + bytearray(len(self.letters))
        for k in range(len(word)):
            self.letters[begin + k] = word[k]
        self.begin[n + 1] = begin + len(word)
        self.concept[n] = self.edge[n] = self.target[n] = _UNKNOWN
        self.graph[n] = 0
        self.n_words = n + 1
        return n

    def spelled(self, word: cython.Py_ssize_t) -> str:
        """Return the letters of a word."""
        return bytes(self.letters[self.begin[word] : self.begin[word + 1]]).decode("latin-1")

    @cython.cfunc
    def _place_anew(self) -> cython.void:
        """Place all words in a table of twice the size."""
        k: cython.Py_ssize_t
        place: cython.Py_ssize_t
        text = self.text
        self.text, self.places = self.letters, _zeros(2 * len(self.places))
        for k in range(self.n_words):
            place = self._place(self.begin[k], self.begin[k + 1], 0, 0)
            if place < 0:
                self._take_dictionary()
                break
            self.places[place] = k + 1
        self.text = text

    @cython.cfunc
    @cython.exceptval(check=False)
    def constant(self, role: cython.longlong, word: cython.longlong) -> cython.Py_ssize_t:
        """Return the place of a constant under a role, or the free one that it can have."""
        last: cython.Py_ssize_t = len(self.constants) - 1
        key: cython.longlong = role << 32 | word + 1
        place: cython.Py_ssize_t = (role * _FACTOR + word * _OTHER >> _SHIFT) & last
        while self.constants[place] != key and self.constants[place] > 0:
            place = place + 1 & last
        return place

    @cython.cfunc
    def add_constant(
        self, role: cython.longlong, word: cython.longlong, label: cython.longlong
    ) -> cython.void:
        """Note the number of the label of a constant that had none."""
        place: cython.Py_ssize_t = self.constant(role, word)
        self.constants[place], self.constant_label[place] = role << 32 | word + 1, label
        self.n_constants += 1
        if 2 * self.n_constants > len(self.constants):
            self._place_constants_anew()

    @cython.cfunc
    def _place_constants_anew(self) -> cython.void:
        k: cython.Py_ssize_t
        place: cython.Py_ssize_t
        keys: cython.longlong[::1] = self.constants
        labels: cython.longlong[::1] = self.constant_label
        self.constants, self.constant_label = _zeros(2 * len(keys)), _zeros(2 * len(keys))
        for k in range(len(keys)):
            if keys[k] > 0:
                place = self.constant(keys[k] >> 32, (keys[k] & _LOW) - 1)
                self.constants[place], self.constant_label[place] = keys[k], labels[k]


@cython.cclass
class NumberReader:
    """A reader of graphs, one by one, into arrays of *room* numbers.

    label, first, second: for each triple, the number of its label and the positions of its
        variables; *second* is -1 if it has only one variable.
    n_variables: the variables of the last graph.
    known: what is known of words.
    beside: another reader by the same *words*, which shares what it knows of them.
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
    # The text, and the next token: its kind, its start, and its end.
    data: bytes
    view: cython.const[cython.uchar][::1]  # type: ignore[valid-type]
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
        self.name, self.name_end = _zeros(self.room), _zeros(self.room)
        self.opened, self.source = _zeros(self.room), _zeros(self.room)
        self.role, self.constant = _zeros(self.room), _zeros(self.room)
        self.n_triples = self.n_variables = self.n_opened = self.n_constants = 0
        self.data = b""

    def read(self, data: bytes) -> cython.Py_ssize_t:
        """Return the number of triples in the text of a graph, or -1 if in doubt."""
        start: cython.Py_ssize_t = self._body(data)
        if start < 0:
            return -1
        self.data = self.view = self.known.text = data
        self.stop = start
        self.end = len(data)
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
        known: KnownWords = self.known
        self._go_on()
        if self.kind != _SYMBOL or number == self.room:
            return -1
        self.name[number], self.name_end[number] = self.start, self.stop
        name: cython.Py_ssize_t = self._word(self.start, self.stop, 0, 0)
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
        label: cython.longlong
        place: cython.Py_ssize_t = self.known.constant(role, word)
        if self.known.constants[place] > 0:
            return self.known.constant_label[place]
        label = self.words.attribute(self.known.spelled(role), self.known.spelled(word))
        self.known.add_constant(role, word, label)
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
    def _marked(self, start: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Move past the token, whose word begins at *start*, and past the mark after it.

        Returns the word, with the mark if marks are kept.
        """
        stop: cython.Py_ssize_t = self.stop
        mark: cython.Py_ssize_t = 0
        mark_end: cython.Py_ssize_t = 0
        self._go_on()
        if self.kind == _MARK:
            if self.keeps_marks:
                mark, mark_end = self.start, self.stop
            self._go_on()
        return self._word(start, stop, mark, mark_end)

    @cython.cfunc
    def _target(self, word: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the word that a word after a role stands for."""
        if not self.changes_targets:
            return word
        if self.known.target[word] == _UNKNOWN:
            self.known.text = found = self.words.target(self.known.spelled(word)).encode("latin-1")
            self.known.target[word] = self.known.number(0, len(found), 0, 0)
            self.known.text = self.view
        return self.known.target[word]

    @cython.cfunc
    def _word(
        self,
        start: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        mark: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Return the number of a word with its mark. Raises `VerificationError` if it is another's.

        Letters are compared from the last one on, and not by the code that has found the word.
        """
        found: cython.Py_ssize_t = self.known.number(start, stop, mark, end)
        if cython.compiled:  # interpreted code finds words by a dictionary of Python
            first: cython.Py_ssize_t = self.known.begin[found]
            k: cython.Py_ssize_t = self.known.begin[found + 1]
            while end > mark and k > first and self.known.letters[k - 1] == self.view[end - 1]:
                k, end = k - 1, end - 1
            while stop > start and k > first and self.known.letters[k - 1] == self.view[stop - 1]:
                k, stop = k - 1, stop - 1
            if k > first or stop > start or end > mark:
                raise VerificationError("two words have one number")
        return found

    @cython.cfunc
    @cython.exceptval(check=False)
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
    @cython.exceptval(check=False)
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
    @cython.exceptval(check=False)
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
@cython.exceptval(check=False)
def _is_space(byte: cython.int) -> cython.bint:
    return byte == 32 or 9 <= byte <= 13


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_digit(byte: cython.int) -> cython.bint:
    return 48 <= byte <= 57


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_delimiter(byte: cython.int) -> cython.bint:
    """Tell whether a byte ends a symbol: a space or one of ``"()/:~``."""
    if byte > 58:
        return byte == 126
    return _is_space(byte) or byte == 34 or byte == 40 or byte == 41 or byte == 47 or byte == 58


@cython.cfunc
def _zeros(length: cython.Py_ssize_t) -> Any:
    """Return an array of zeros."""
    return array("q", bytes(8 * length))


@cython.cfunc
def _longer(values: cython.longlong[::1]) -> Any:
    """Return an array of twice the length that begins with *values*."""
    k: cython.Py_ssize_t
    found = _zeros(2 * len(values))
    target: cython.longlong[::1] = found
    for k in range(len(values)):
        target[k] = values[k]
    return found
