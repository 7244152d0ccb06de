# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Words by number, and what a reader of numbers knows of each.

Written in Cython's pure Python mode; `known_words.pxd` has the types for compiled code.
"""

from array import array
from typing import Any

import cython

if cython.compiled:
    from cython.cimports.libc.string import memcmp

#: What is not known yet of a word.
UNKNOWN = -2
#: The sizes of the tables at first; that of places is twice as large as that of words or more.
_FEW = cython.declare(cython.Py_ssize_t, 1 << 11)
#: A place is some bits of a product, which is less than 2^64.
_FACTOR = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_SHIFT = cython.declare(cython.int, 32)
#: By chance, no word is further from the place of its letters; words made to collide are.
_FAR = cython.declare(cython.Py_ssize_t, 128)


@cython.final
@cython.cclass
class KnownWords:
    """The words of graphs by number, in the order of their first occurrences, and their meanings.

    spelling: by word, its letters. concept, edge: by word, the numbers of its labels, see
    `exactmatch.graphs.readers.numbered.NumberedWords`. target: by word, the word that it stands
    for. position: by word, the variable of that name in graph number *graph*. attribute: the
    numbers of roles with constants, by both words.

    Interpreted code finds words in a dictionary, compiled code in a table. The letters of a word
    give its place in the table, and words with the same place form a chain. If chains grow too
    long to be searched fast, the dictionary takes over.
    """

    def __init__(self) -> None:
        self.n_graphs = 0
        self.spelling: list[bytes]
        self.by_letters: dict[bytes, int]
        self.attribute: dict[int, int]
        self.clear()

    @cython.cfunc
    def clear(self) -> cython.void:
        """Forget all words."""
        self.n_words, self.spelling, self.attribute = 0, [], {}
        self.concept, self.edge, self.target = zeros(_FEW), zeros(_FEW), zeros(_FEW)
        self.graph, self.position = zeros(_FEW), zeros(_FEW)
        self.places, self.by_letters = zeros(2 * _FEW), {}

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def number(
        self, text: cython.p_const_uchar, start: cython.Py_ssize_t, stop: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return the number of the word in a part of a text."""
        found: cython.Py_ssize_t
        place: cython.Py_ssize_t
        if cython.compiled and not self.by_letters:
            place = self._place(text, start, stop)
            if place >= 0:
                found = self.places[place] - 1
                if found < 0:
                    found = self._add(text[start:stop])
                    self.places[place] = found + 1
                    if 2 * self.n_words > len(self.places):
                        self._place_anew()
                return found
            self._take_dictionary()
        word = text[start:stop]
        known: Any = self.by_letters.get(word)
        if known is None:
            known = self.by_letters[word] = self._add(word)
        return known

    @cython.cfunc
    def spelled(self, word: cython.Py_ssize_t) -> str:
        """Return the letters of a word."""
        letters: bytes = self.spelling[word]
        return letters.decode("utf-8")

    @cython.cfunc
    @cython.exceptval(check=False)
    def _place(
        self, text: cython.p_const_uchar, start: cython.Py_ssize_t, stop: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return the place of a word, or the free one that it can have; -1 if that is too far."""
        k: cython.Py_ssize_t
        n_seen: cython.Py_ssize_t = 0
        key: cython.ulonglong = 0
        last: cython.Py_ssize_t = len(self.places) - 1
        for k in range(start, stop):
            key = (key + text[k] + 1) * _FACTOR
        place: cython.Py_ssize_t = key >> _SHIFT & last
        while self.places[place] > 0 and n_seen <= _FAR:
            word: bytes = self.spelling[self.places[place] - 1]
            letters: cython.p_const_uchar = word
            if len(word) == stop - start and memcmp(letters, text + start, stop - start) == 0:
                return place
            place = place + 1 & last
            n_seen += 1
        return place if n_seen <= _FAR else -1

    @cython.cfunc
    def _take_dictionary(self) -> cython.void:
        """Find words in a dictionary from now on."""
        k: cython.Py_ssize_t
        for k in range(self.n_words):
            self.by_letters[self.spelling[k]] = k

    @cython.cfunc
    def _add(self, word: bytes) -> cython.Py_ssize_t:
        """Return the number of a new word, whose meanings are still unknown."""
        n: cython.Py_ssize_t = self.n_words
        if n == len(self.concept):
            self.concept, self.edge = longer(self.concept), longer(self.edge)
            self.target, self.graph = longer(self.target), longer(self.graph)
            self.position = longer(self.position)
        self.spelling.append(word)
        self.concept[n] = self.edge[n] = self.target[n] = UNKNOWN
        self.graph[n] = 0
        self.n_words = n + 1
        return n

    @cython.cfunc
    def _place_anew(self) -> cython.void:
        """Place all words in a table of twice the size."""
        k: cython.Py_ssize_t
        place: cython.Py_ssize_t
        self.places = zeros(2 * len(self.places))
        for k in range(self.n_words):
            word: bytes = self.spelling[k]
            place = self._place(word, 0, len(word))
            if place < 0:
                self._take_dictionary()
                break
            self.places[place] = k + 1


def zeros(length: cython.Py_ssize_t) -> Any:
    """Return an array of zeros."""
    return array("q", bytes(8 * length))


@cython.cfunc
def longer(values: cython.longlong[::1]) -> Any:
    """Return an array of twice the length that begins with *values*."""
    k: cython.Py_ssize_t
    found = zeros(2 * len(values))
    target: cython.longlong[::1] = found
    for k in range(len(values)):
        target[k] = values[k]
    return found
