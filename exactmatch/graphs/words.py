"""Similarities, synonyms and classes of words.

Every decision is made in whole numbers, so that it is the same on every machine.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import lcm
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from exactmatch.stopping.deadline import NEVER, Deadline, looking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: The number of cached words; then the cache is cleared.
_MOST_KNOWN = 20_000
#: Rows of cosines that are computed at once, in floating point.
_ROWS = 256
#: A bound on the error of such a cosine. With n components and e = 2 ** -53: `_unit_row` gives a
#: vector that is not further than (n + 8) e from the true one of length 1. The product of two such
#: rows, summed in any order, errs by n e more. Together that is less than (3 n + 20) e, including
#: underflow and the rounding of the threshold: 4e-7 for a thousand million components.
_MARGIN = 1e-6

_NONE = Fraction(0)


class Stem(NamedTuple):
    """A word whose vector is the sum of its own and its plural's (``run`` and ``runs``).

    The word is looked up whole, not by its parts between hyphens.
    """

    text: str


#: The key of a lookup: a word as it is, or with its plural.
Word = str | Stem


def text_of(word: Word) -> str:
    """Return the word itself."""
    return word if isinstance(word, str) else word.text


@dataclass(frozen=True, slots=True)
class Words(ABC):
    """A source of similarities of words; *digest* identifies it."""

    digest: str

    @abstractmethod
    def knows(self, word: str) -> bool:
        """Tell whether the source has anything on *word* itself."""

    @abstractmethod
    def square(self, one: Word, other: Word) -> Fraction:
        """Return the square of the similarity of two different words, from 0 to 1.

        The similarity itself may be irrational.
        """

    @abstractmethod
    def near(
        self,
        ones: Sequence[Word],
        others: Sequence[Word],
        least: Fraction,
        deadline: Deadline = NEVER,
    ) -> Iterator[tuple[int, int]]:
        """Yield the positions of all words of at least this similarity, and perhaps of others.

        Raises `OutOfTime` if there are many and *deadline* comes first.
        """

    @abstractmethod
    def nearest(self, word: str, above: Fraction) -> str | None:
        """Return the most similar other word, of equal ones the first in the alphabet.

        None if no known word is more similar than *above*.
        """


@dataclass(frozen=True, slots=True)
class SimilarityTable(Words):
    """Similarities of pairs of words, in either order; all other pairs have similarity 0.

    Plurals do not count.
    """

    values: Mapping[tuple[str, str], Fraction] = field(repr=False, compare=False)
    _words: set[str] = field(default_factory=set, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._words.update(word for pair in self.values for word in pair)

    def knows(self, word: str) -> bool:
        return word in self._words

    def square(self, one: Word, other: Word) -> Fraction:
        left, right = text_of(one), text_of(other)
        return self.values.get((left, right), self.values.get((right, left), _NONE)) ** 2

    def near(
        self,
        ones: Sequence[Word],
        others: Sequence[Word],
        least: Fraction,
        deadline: Deadline = NEVER,
    ) -> Iterator[tuple[int, int]]:
        lefts, rights = _positions(ones), _positions(others)
        for one, other in looking(self.values, deadline):
            for left, right in ((one, other), (other, one)):
                yield from product(lefts.get(left, ()), rights.get(right, ()))

    def nearest(self, word: str, above: Fraction) -> str | None:
        others = {other for pair in self.values if word in pair for other in pair}
        return _nearest(self, word, others - {word}, above)


class Vector(NamedTuple):
    """A vector as written: *numbers*, each divided by *denominator*."""

    numbers: Sequence[int]
    denominator: int = 1


class _Known(NamedTuple):
    """Cached values of a word: its *numbers*, the sum of their squares, and `_unit_row`.

    The *row* is None if all numbers are 0.
    """

    numbers: Sequence[int]
    squares: int
    row: "NDArray[np.float64] | None"


@dataclass(frozen=True, slots=True)
class Vectors(Words):
    """Vectors of words; similarity is their cosine, and 0 if the cosine is negative.

    An unknown word with hyphens is the sum of its known parts. Similarity with an unknown word or a
    vector of zeros is 0.
    """

    vectors: Mapping[str, Vector] = field(repr=False, compare=False)
    _known: dict[Word, _Known] = field(default_factory=dict, init=False, repr=False, compare=False)

    def knows(self, word: str) -> bool:
        return word in self.vectors

    def square(self, one: Word, other: Word) -> Fraction:
        left, right = self._of(one), self._of(other)
        dot = _dot(left.numbers, right.numbers)
        return Fraction(dot * dot, left.squares * right.squares) if dot > 0 else _NONE

    def near(
        self,
        ones: Sequence[Word],
        others: Sequence[Word],
        least: Fraction,
        deadline: Deadline = NEVER,
    ) -> Iterator[tuple[int, int]]:
        import numpy as np

        sides = []
        for words in (ones, others):
            known = [
                (k, row)
                for k, word in enumerate(looking(words, deadline))
                if (row := self._of(word).row) is not None
            ]
            if not known:
                return
            sides.append(([k for k, _ in known], np.stack([row for _, row in known])))
        (left, rows), (right, columns) = sides
        for start in range(0, len(left), _ROWS):
            if start:
                deadline.check()
            cosines = rows[start : start + _ROWS] @ columns.T
            for i, j in np.argwhere(cosines > float(least) - _MARGIN).tolist():
                yield left[start + i], right[j]

    def nearest(self, word: str, above: Fraction) -> str | None:
        import numpy as np

        row = self._of(word).row
        if row is None:
            return None
        words, rows = _unit_rows(self)
        cosines = rows @ row
        cosines[[other == word for other in words]] = -1
        close = np.flatnonzero(cosines >= cosines.max() - 2 * _MARGIN).tolist()
        return _nearest(self, word, {words[k] for k in close} - {word}, above)

    def _of(self, word: Word) -> _Known:
        """Return the values of *word*, and cache them."""
        known = self._known.get(word)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            numbers = self._vector(word).numbers
            known = _Known(numbers, _dot(numbers, numbers), _unit_row(numbers))
            self._known[word] = known
        return known

    def _vector(self, word: Word) -> Vector:
        if isinstance(word, Stem):
            forms = [word.text, f"{word.text}s"] if word.text in self.vectors else []
        else:
            forms = [word] if word in self.vectors else word.split("-")
        return _sum([self.vectors[form] for form in forms if form in self.vectors])


#: A word and its sense in a DRS clause: ``person`` and ``"n.01"``.
Concept = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Concepts and their synonyms; *digest* identifies the table."""

    digest: str
    table: Mapping[Concept, Concept] = field(repr=False, compare=False)

    def of(self, word: str, sense: str) -> Concept:
        """Return the concept that stands for a concept: itself, if the table does not have it."""
        return self.table.get((word, sense), (word, sense))


@dataclass(frozen=True, slots=True)
class Classes:
    """Concepts, and the class of each; *digest* identifies the table."""

    digest: str
    table: Mapping[str, str] = field(repr=False, compare=False)

    def of(self, concept: str) -> str:
        """Return the class of a concept: the concept itself, if the table does not have it."""
        return self.table.get(concept, concept)


def _positions(words: Sequence[Word]) -> Mapping[str, Sequence[int]]:
    positions = defaultdict(list)
    for k, word in enumerate(words):
        positions[text_of(word)].append(k)
    return positions


def _sum(vectors: Sequence[Vector]) -> Vector:
    """Return the sum of vectors, as it is."""
    denominator = lcm(*(vector.denominator for vector in vectors))
    shares = [
        [number * (denominator // vector.denominator) for number in vector.numbers]
        for vector in vectors
    ]
    return Vector([sum(numbers) for numbers in zip(*shares, strict=True)], denominator)


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(map(mul, left, right))


def _nearest(words: Words, word: str, others: Iterable[str], above: Fraction) -> str | None:
    """Return the one of *others* that is most similar to *word*, if more so than *above*."""
    known = [(-words.square(word, other), other) for other in others]
    least, nearest = min(known, default=(_NONE, None))
    return nearest if -least > above**2 else None


@lru_cache(maxsize=1)
def _unit_rows(vectors: Vectors) -> "tuple[list[str], NDArray[np.float64]]":
    """Return the words with nonzero vectors, and a matrix of their unit rows."""
    import numpy as np

    rows = {word: _unit_row(vector.numbers) for word, vector in vectors.vectors.items()}
    there = {word: row for word, row in rows.items() if row is not None}
    return list(there), np.stack(list(there.values()))


def _unit_row(numbers: Sequence[int]) -> "NDArray[np.float64] | None":
    """Return the unit vector in the direction of *numbers*; None if all are 0.

    The numbers are divided by a power of 2 first, so that the largest is between 1/2 and 1 and
    nothing overflows. Python rounds a quotient of two whole numbers correctly.
    """
    import numpy as np

    largest = max(map(int.bit_length, numbers), default=0)
    if not largest:
        return None
    power = 1 << largest
    row = np.array([number / power for number in numbers], dtype=np.float64)
    unit: NDArray[np.float64] = row / np.linalg.norm(row)
    return unit
