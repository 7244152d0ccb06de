"""Files of word vectors on which arithmetic that is not exact goes wrong, and what they must give.

    python tests/vector_samples.py COUNT [SEED]

looks at COUNT pairs of concepts. Exponents are from -300 to 300; many cosines are at the middle
of two thousandths or at the cut-off, or differ from these in the fortieth digit.
"""

import random
import sys
import tempfile
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import isqrt
from pathlib import Path

from oracles import cosines

from exactmatch.graphs.readers.word_files import read_vectors
from exactmatch.metrics.similarity import PAPER, ConceptRules, Similarity

PROGRAM = ConceptRules("excluded", "all", "word-and-plural")


def differing(pairs: int, seed: str, folder: Path) -> Iterator[str]:
    """Yield what is wrong among the first so many *pairs* of concepts of random files."""
    rng = random.Random(seed)
    path = folder / "vectors.txt"
    while pairs > 0:
        text = random_file(rng)
        path.write_text(text, encoding="utf-8")
        vectors, words = cosines.components(text), read_vectors(path)
        cut_off, factor = random_cut_off(rng, vectors), Fraction(rng.randint(0, 2000), 2000)
        alike = Similarity(words, cut_off, factor)
        concepts = random_concepts(rng, [*vectors])
        ones, others = concepts[::2], concepts[1::2]
        for rules in (PAPER, PROGRAM):
            found = {(ones[i], others[j]): k for i, j, k in alike.alike(ones, others, rules)}
            for one in ones:
                for other in others:
                    pairs -= 1
                    wanted = cosines.similarity(
                        vectors, one, other, cut_off, factor, by_program=rules is PROGRAM
                    )
                    at_once = found.get((one, other), 0) if one != other else 1000
                    each = (alike.of(one, other, rules), alike.of(other, one, rules))
                    if (at_once, *each) != (wanted,) * 3:
                        yield f"{one} {other}: {at_once} {each}, not {wanted}; {cut_off} of\n{text}"
        for word in vectors:
            if words.nearest(word, cut_off) != cosines.nearest(vectors, word, cut_off):
                yield f"nearest to {word} above {cut_off} of\n{text}"


def random_file(rng: random.Random) -> str:
    """Return the text of a file of some vectors of 1 to 50 components."""
    length = rng.choice([1, 2, 3, 5, 6, 7, rng.randint(1, 50)])
    vectors: list[list[Fraction]] = []
    while len(vectors) < 8:
        if length > 5 and rng.random() < 0.5:
            vectors += _around_a_middle(rng, length)
        elif vectors and rng.random() < 0.3:
            vectors.append(
                [x * rng.choice([1, -1, 3, 7, 11, 13, 10**9 + 1]) for x in rng.choice(vectors)]
            )
        else:
            width = rng.choice([1, 10, 10**6])
            spread = rng.choice([0, 0, 2, 40, 300])
            vectors.append(
                [
                    Fraction(rng.randint(-width, width)) * _power(rng.randint(-spread, spread))
                    for _ in range(length)
                ]
            )
    names = [f"{c}{s}" for c in ("ant", "bee", "cat", "dog", "elk") for s in ("", "s")]
    rng.shuffle(names)
    shift = _power(rng.choice([0, rng.randint(-300, 300)]))
    lines = []
    for name, vector in zip(names, vectors, strict=False):
        own = shift if rng.random() < 0.8 else _power(rng.randint(-300, 300))
        lines.append(" ".join([name, *(_written(x * own, rng) for x in vector)]))
    return "\n".join(lines) + "\n"


def random_cut_off(rng: random.Random, vectors: Mapping[str, cosines.Components]) -> Fraction:
    """Return any number of thousandths and a half, or one that is a cosine."""
    one, other = rng.sample([*vectors], 2)
    k = cosines.similarity(vectors, one, other, Fraction(0), Fraction(1), by_program=False)
    return Fraction(rng.choice([2 * k, 2 * k - 1, rng.randint(0, 2000), 1000]) % 2001, 2000)


def random_concepts(rng: random.Random, words: list[str]) -> list[str]:
    """Return words, senses of words, and sums of words."""
    ends = ["", "", "", "", "-01", "-02", "-x"]
    sums = [f"{rng.choice(words)}-{rng.choice(words)}" for _ in range(4)]
    chosen = [word + rng.choice(ends) for word in [*words, *words, *sums]]
    rng.shuffle(chosen)
    return chosen


def _around_a_middle(rng: random.Random, length: int) -> list[list[Fraction]]:
    """Return two vectors of a cosine of k / 2000, or one that is nearly so."""
    k = rng.randint(1, 2000)
    other = [k, *_four_squares(2000**2 - k * k)]
    one = [Fraction(1), *[Fraction(0)] * (length - 1)]
    nearly = rng.choice([0, 0, 1, -1]) * _power(-rng.choice([12, 17, 40]))
    two = [Fraction(x) + (nearly if n == 0 else 0) for n, x in enumerate(other)]
    two += [Fraction(0)] * (length - len(two))
    order = list(range(length))
    rng.shuffle(order)
    return [[vector[n] for n in order] for vector in (one, two)]


@cache
def _four_squares(number: int) -> tuple[int, int, int, int]:
    """Return four whole numbers whose squares sum up to *number*."""
    for a in range(isqrt(number), -1, -1):
        for b in range(isqrt(number - a * a), -1, -1):
            rest = number - a * a - b * b
            for c in range(isqrt(rest), -1, -1):
                d = isqrt(rest - c * c)
                if c * c + d * d == rest:
                    return a, b, c, d
                if 2 * c * c < rest:
                    break
    raise AssertionError("every number is a sum of four squares")


def _power(exponent: int) -> Fraction:
    return Fraction(10) ** exponent


def _written(number: Fraction, rng: random.Random) -> str:
    """Return a decimal fraction as text, with an exponent."""
    places = 0
    while number.denominator != 1:
        number, places = number * 10**20, places + 20
    digits = number.numerator
    while digits and digits % 10 == 0:
        digits, places = digits // 10, places - 1
    shift = rng.choice([0, 0, 1, 7])
    return f"{digits * 10**shift}{rng.choice('eE')}{-places - shift}"


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        wrong = list(differing(int(sys.argv[1]), sys.argv[2] if sys.argv[2:] else "", Path(folder)))
    print(*wrong[:3], f"{len(wrong)} differ", sep="\n")
