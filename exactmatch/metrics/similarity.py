"""Graded similarity of concepts, for S2match (Opitz, Parcalabescu and Frank 2020, section 4).

Equation 7 turns a distance d into the match 1 - d, and equation 8 gives the distance of vectors:
together they give the cosine of the two concepts, cut to [0, 1], and 0 if it is below the
*cut-off*. The paper does not say which vector a concept with a sense has, since there is none. Here
it has the vector of its word without the sense. The senses of one word would then be exactly equal,
which no distance of different concepts is. So they count the *sense factor*: in Figure 11b,
``shape-01`` and ``shape`` count 1/2 (`tests/test_instances.py`).

A cosine is the root of a fraction, and rarely a fraction itself. So the square is compared and
multiplied. Only at the end is its root rounded to the nearest part in `PARTS`.

The authors' program differs in each of the choices of `ConceptRules`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import isqrt
from typing import Literal, NamedTuple

from exactmatch.graphs.words import Stem, Word, Words, text_of
from exactmatch.stopping.deadline import NEVER, Deadline, looking

Threshold = Literal["included", "excluded"]
Senses = Literal["one-word", "all"]
Lookup = Literal["concept-or-word", "word-and-plural"]

#: The sense of a frame is a number.
_FRAME = re.compile(r"(.+)-[0-9]+", re.DOTALL)
#: The sense of a concept of a DRS is its word class and its number in WordNet.
_SYNSET = re.compile(r"(.+)\.[nvars]\.[0-9]+", re.DOTALL)
#: The program takes the text after the last hyphen for a sense if it has any digit.
_DIGIT_AND_HYPHEN = re.compile(r"(?=.*[0-9])(.+)-[^-]*", re.DOTALL)

#: Similarities are whole multiples of one part in so many.
PARTS = 1000

#: The number of cached similarities; then the cache is cleared.
_MOST_KNOWN = 500_000


class ConceptRules(NamedTuple):
    """How concepts are compared.

    threshold: whether a similarity equal to the cut-off counts (the paper: 0 if below).
    senses: the sense factor applies to the senses of one word, or wherever a sense was removed.
    lookup: a concept has a vector of its own, or that of its word, without the number of a frame;
        or always that of its word, plus that of the plural where a sense was removed; or that of
        its word without a sense of WordNet (``ice_cream.n.01``), or else of the parts of the word.
    """

    threshold: Threshold = "included"
    senses: Senses = "one-word"
    lookup: Lookup | Literal["synset-or-word"] = "concept-or-word"


#: The rules of the paper.
PAPER = ConceptRules()


@dataclass(frozen=True, slots=True)
class Similarity:
    """The similarity of concepts, from 0 to `PARTS`."""

    words: Words
    cut_off: Fraction = Fraction(1, 2)
    sense_factor: Fraction = Fraction(1, 2)
    _known: dict[tuple[str, str, ConceptRules], int] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def of(self, one: str, other: str, rules: ConceptRules = PAPER) -> int:
        """Return the similarity of two concepts, which is symmetric."""
        key = (one, other, rules) if one <= other else (other, one, rules)
        if key not in self._known:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[key] = self._of(*key)
        return self._known[key]

    def alike(
        self,
        ones: Sequence[str],
        others: Sequence[str],
        rules: ConceptRules = PAPER,
        deadline: Deadline = NEVER,
    ) -> Iterator[tuple[int, int, int]]:
        """Yield the positions of similar concepts that differ, in order, and their similarity.

        Raises `OutOfTime` if there are many and *deadline* comes first.
        """
        lefts = [self._word(concept, rules) for concept in ones]
        rights = [self._word(concept, rules) for concept in others]
        same = defaultdict(list)
        for j, word in enumerate(rights):
            for text in {others[j], text_of(word)}:
                same[text].append(j)
        alike = (
            (i, j)
            for i, word in enumerate(lefts)
            for text in (ones[i], text_of(word))
            for j in same.get(text, ())
        )
        pairs = {*looking(alike, deadline)}
        near = self.words.near(lefts, rights, self.cut_off, deadline)
        pairs.update(looking(near, deadline))
        for i, j in looking(sorted(pairs), deadline):
            if ones[i] != others[j] and (credit := self.of(ones[i], others[j], rules)):
                yield i, j, credit

    def parameters(self) -> dict[str, str]:
        """Return everything that the similarity depends on, by name."""
        return {
            "similarity": self.words.digest[:12],
            "cut-off": _text(self.cut_off),
            "sense-factor": _text(self.sense_factor),
        }

    def _of(self, one: str, other: str, rules: ConceptRules) -> int:
        if one == other:
            return PARTS
        word, other_word = self._word(one, rules), self._word(other, rules)
        text, other_text = text_of(word), text_of(other_word)
        if text in (other, other_text) or other_text == one:
            return _root(self.sense_factor**2)
        square, least = self.words.square(word, other_word), self.cut_off**2
        if square < least or (square == least and rules.threshold == "excluded"):
            return 0
        is_sensed = text != one or other_text != other
        if is_sensed and rules.senses == "all":
            square *= self.sense_factor**2
        return _root(square)

    def _word(self, concept: str, rules: ConceptRules) -> Word:
        """Return the key of *concept* for the lookup."""
        if rules.lookup == "word-and-plural":
            stem = _without_sense(concept, _DIGIT_AND_HYPHEN)
            return concept if stem is None else Stem(stem)
        if self.words.knows(concept):
            return concept
        if rules.lookup == "synset-or-word":
            word = _without_sense(concept, _SYNSET) or concept
            return word if self.words.knows(word) else word.replace("_", "-")
        return _without_sense(concept, _FRAME) or concept


@lru_cache(maxsize=100_000)
def _without_sense(concept: str, sensed: re.Pattern[str]) -> str | None:
    """Return the word of a concept; None if it has no sense."""
    match = sensed.fullmatch(concept)
    return match[1] if match else None


def _root(square: Fraction) -> int:
    """Return the root of *square* in parts, rounded to the nearest; half a part is rounded up."""
    halves = isqrt(4 * PARTS * PARTS * square.numerator // square.denominator)
    return (halves + 1) // 2


def _text(number: Fraction) -> str:
    """Return a number as a short decimal if that is exact, otherwise as a fraction."""
    decimal = str(float(number))
    return decimal if Fraction(decimal) == number else str(number)
