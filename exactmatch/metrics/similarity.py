"""Graded similarity of concepts, for S2match (Opitz, Parcalabescu and Frank 2020, section 5).

Concepts are compared as the words they are made of: a sense (``-01``) is taken off. Words that are
the same but for that, and all that are compared without it, count only *sense factor* times their
similarity; what does not exceed the *cut-off* is no similarity at all. The authors' program also
adds the vector of a word's plural where a sense was taken off; here words stand for themselves.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from exactmatch.words import Words

#: Something, the last hyphen and something: a sense is taken off where there is a digit as well.
_SENSED = re.compile(r"(?=.*\d)(.+)-[^-]*", re.DOTALL)

#: So many similarities are remembered; then it begins anew.
_MOST_KNOWN = 500_000

_NONE, _ALL = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Similarity:
    """How similar concepts are, from 0 to 1."""

    words: Words
    cut_off: Fraction = Fraction(1, 2)
    sense_factor: Fraction = Fraction(1, 2)
    _known: dict[tuple[str, str], Fraction] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def of(self, one: str, other: str) -> Fraction:
        """Return the similarity of two concepts; it is the same for *other* and *one*."""
        key = (one, other) if one <= other else (other, one)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._of(*key)
        return self._known[key]

    def alike(
        self, ones: Sequence[str], others: Sequence[str]
    ) -> Iterator[tuple[int, int, Fraction]]:
        """Yield the positions of different concepts that are similar, in order, and how much."""
        lefts = [_without_sense(concept)[0] for concept in ones]
        rights = [_without_sense(concept)[0] for concept in others]
        same = defaultdict(list)
        for j, word in enumerate(rights):
            same[word].append(j)
        pairs = {(i, j) for i, word in enumerate(lefts) for j in same.get(word, ())}
        pairs.update(self.words.near(lefts, rights, self.cut_off))
        for i, j in sorted(pairs):
            if ones[i] != others[j] and (found := self.of(ones[i], others[j])):
                yield i, j, found

    def parameters(self) -> dict[str, str]:
        """Return all that the similarity depends on, by name."""
        return {
            "similarity": self.words.digest[:12],
            "cut-off": str(float(self.cut_off)),
            "sense-factor": str(float(self.sense_factor)),
        }

    def _of(self, one: str, other: str) -> Fraction:
        if one == other:
            return _ALL
        word, sensed = _without_sense(one)
        other_word, other_sensed = _without_sense(other)
        alike = _ALL if word == other_word else self.words.similarity(word, other_word)
        if alike <= self.cut_off:
            return _NONE
        return alike * self.sense_factor if sensed or other_sensed else alike


@lru_cache(maxsize=100_000)
def _without_sense(concept: str) -> tuple[str, bool]:
    """Return the word that a concept is made of, and whether a sense was taken off."""
    found = _SENSED.fullmatch(concept)
    return (found[1], True) if found else (concept, False)
