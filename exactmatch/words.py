"""What is known of words: how similar they are, and which of them mean the same.

All is computed in whole numbers, so that it is the same on every machine.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Components of vectors are whole multiples of one part in so many, and so are their cosines.
UNIT = 1_000_000

#: So many words are remembered; then it begins anew.
_MOST_KNOWN = 100_000
#: Rows of cosines that are computed at once, in floating point; and what they may err by.
_ROWS = 256
_MARGIN = 1e-5

_NONE = Fraction(0)


class Stem(NamedTuple):
    """A word of whose vector that of its plural is a part (``run``, with that of ``runs``).

    It is looked up whole: its parts between hyphens are not.
    """

    text: str


#: What is looked up: a word as it is, or with its plural.
Word = str | Stem


def text_of(word: Word) -> str:
    """Return the word itself."""
    return word if isinstance(word, str) else word.text


@dataclass(frozen=True, slots=True)
class Words(ABC):
    """A source of similarities of words; *digest* tells one from another."""

    digest: str

    @abstractmethod
    def knows(self, word: str) -> bool:
        """Tell whether anything is said of *word* itself."""

    @abstractmethod
    def similarity(self, one: Word, other: Word) -> Fraction:
        """Return the similarity of two different words, from 0 to 1."""

    @abstractmethod
    def near(
        self, ones: Sequence[Word], others: Sequence[Word], least: Fraction
    ) -> Iterator[tuple[int, int]]:
        """Yield the positions of all words of at least this similarity, and perhaps of others."""

    @abstractmethod
    def nearest(self, word: str, above: Fraction) -> str | None:
        """Return the most similar other word, the first of equals by alphabet.

        None if none is known that is more similar than *above*.
        """


@dataclass(frozen=True, slots=True)
class SimilarityTable(Words):
    """Similarities of pairs of words, in either order; of all others it is 0.

    Plurals are no part of it.
    """

    values: Mapping[tuple[str, str], Fraction] = field(repr=False, compare=False)
    _words: set[str] = field(default_factory=set, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._words.update(word for pair in self.values for word in pair)

    def knows(self, word: str) -> bool:
        return word in self._words

    def similarity(self, one: Word, other: Word) -> Fraction:
        left, right = text_of(one), text_of(other)
        return self.values.get((left, right), self.values.get((right, left), _NONE))

    def near(
        self, ones: Sequence[Word], others: Sequence[Word], least: Fraction
    ) -> Iterator[tuple[int, int]]:
        lefts, rights = _positions(ones), _positions(others)
        for one, other in self.values:
            for left, right in ((one, other), (other, one)):
                yield from product(lefts.get(left, ()), rights.get(right, ()))

    def nearest(self, word: str, above: Fraction) -> str | None:
        others = {other for pair in self.values if word in pair for other in pair}
        return _nearest(self, word, others - {word}, above)


@dataclass(frozen=True, slots=True)
class Vectors(Words):
    """Vectors of words, their components in units of 1 / `UNIT`; similarity is their cosine.

    It is rounded down to a unit, and 0 if negative. A word that is not known but has hyphens is
    the sum of its known parts; of what is not known at all, the similarity is 0.
    """

    vectors: Mapping[str, Sequence[int]] = field(repr=False, compare=False)
    _known: dict[Word, tuple[Sequence[int], int]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def knows(self, word: str) -> bool:
        return word in self.vectors

    def similarity(self, one: Word, other: Word) -> Fraction:
        left, left_square = self._squared(one)
        right, right_square = self._squared(other)
        squares = left_square * right_square
        dot = _dot(left, right) if squares else 0
        if dot <= 0:
            return _NONE
        return Fraction(isqrt(UNIT * UNIT * dot * dot // squares), UNIT)

    def near(
        self, ones: Sequence[Word], others: Sequence[Word], least: Fraction
    ) -> Iterator[tuple[int, int]]:
        import numpy as np

        sides = []
        for words in (ones, others):
            known = [k for k, word in enumerate(words) if self._squared(word)[1]]
            vectors = np.array([self._squared(words[k])[0] for k in known], dtype=np.float64)
            if not known:
                return
            sides.append((known, vectors / np.linalg.norm(vectors, axis=1, keepdims=True)))
        (left, rows), (right, columns) = sides
        for start in range(0, len(left), _ROWS):
            cosines = rows[start : start + _ROWS] @ columns.T
            for i, j in np.argwhere(cosines > float(least) - _MARGIN).tolist():
                yield left[start + i], right[j]

    def nearest(self, word: str, above: Fraction) -> str | None:
        import numpy as np

        vector, square = self._squared(word)
        if not square:
            return None
        words, rows = _unit_rows(self)
        cosines = rows @ (np.array(vector, dtype=np.float64) / square**0.5)
        cosines[[other == word for other in words]] = -1
        close = np.flatnonzero(cosines >= cosines.max() - 2 * _MARGIN).tolist()
        return _nearest(self, word, {words[k] for k in close} - {word}, above)

    def _squared(self, word: Word) -> tuple[Sequence[int], int]:
        """Return the vector of *word*, and the square of its length; remembered for the next."""
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            vector = self._vector(word)
            found = self._known[word] = (vector, _dot(vector, vector))
        return found

    def _vector(self, word: Word) -> Sequence[int]:
        if isinstance(word, Stem):
            forms = [word.text, f"{word.text}s"] if word.text in self.vectors else []
        else:
            forms = [word] if word in self.vectors else word.split("-")
        known = [self.vectors[form] for form in forms if form in self.vectors]
        return [sum(components) for components in zip(*known, strict=True)]


#: A word and its sense, as DRS clauses write them: ``person`` and ``"n.01"``.
Concept = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Synonyms:
    """Concepts, and those that they count as; *digest* tells one table from another."""

    digest: str
    table: Mapping[Concept, Concept] = field(repr=False, compare=False)

    def of(self, word: str, sense: str) -> Concept:
        """Return what a concept counts as: itself, if the table does not say."""
        return self.table.get((word, sense), (word, sense))


@dataclass(frozen=True, slots=True)
class Classes:
    """Concepts, and the class of each; *digest* tells one table from another."""

    digest: str
    table: Mapping[str, str] = field(repr=False, compare=False)

    def of(self, concept: str) -> str:
        """Return the class of a concept: itself, if the table does not say."""
        return self.table.get(concept, concept)


def _positions(words: Sequence[Word]) -> Mapping[str, Sequence[int]]:
    found = defaultdict(list)
    for k, word in enumerate(words):
        found[text_of(word)].append(k)
    return found


def _dot(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(a * b for a, b in zip(left, right, strict=False))


def _nearest(words: Words, word: str, others: Iterable[str], above: Fraction) -> str | None:
    """Return which of *others* is most similar to *word*, if it is more so than *above*."""
    known = [(-words.similarity(word, other), other) for other in others]
    least, found = min(known, default=(_NONE, None))
    return found if -least > above else None


@lru_cache(maxsize=1)
def _unit_rows(vectors: Vectors) -> "tuple[list[str], NDArray[np.float64]]":
    """Return the known words, and a matrix with their vectors of length 1 as rows."""
    import numpy as np

    words = [word for word, vector in vectors.vectors.items() if any(vector)]
    rows = np.array([vectors.vectors[word] for word in words], dtype=np.float64)
    return words, rows / np.linalg.norm(rows, axis=1, keepdims=True)
