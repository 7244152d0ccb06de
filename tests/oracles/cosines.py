"""The similarity of concepts by word vectors, from its definition, in fractions.

Written from docs/metrics-amr.md; shares no code with exactmatch. A file is its text. A rounded root
is found by halving: the largest of whole numbers whose square is not too large.
"""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

Components = Sequence[Fraction]


def components(text: str) -> dict[str, Components]:
    """Return the vectors that a file of lines writes."""
    lines = (line.split() for line in text.splitlines())
    return {word: [Fraction(number) for number in numbers] for word, *numbers in lines}


def similarity(
    vectors: Mapping[str, Components],
    one: str,
    other: str,
    cut_off: Fraction,
    factor: Fraction,
    by_program: bool,
) -> int:
    """Return how similar two concepts are, in thousandths: by the paper, or by the program."""
    if one == other:
        return 1000
    (word, is_sensed), (other_word, other_is_sensed) = (
        _word(vectors, concept, by_program) for concept in (one, other)
    )
    if word in (other_word, other) or other_word == one:
        return _rounded(factor**2)
    left, right = (
        _vector(vectors, text, by_program and sensed)
        for text, sensed in ((word, is_sensed), (other_word, other_is_sensed))
    )
    square = _square(left, right)
    if square < cut_off**2 or (by_program and square == cut_off**2):
        return 0
    halved = by_program and (is_sensed or other_is_sensed)
    return _rounded(square * factor**2 if halved else square)


def nearest(vectors: Mapping[str, Components], word: str, above: Fraction) -> str | None:
    """Return the most similar other word, the first by alphabet, if it is more so than *above*."""
    squares = {
        other: _square(vectors[word], vector) for other, vector in vectors.items() if other != word
    }
    found = min(squares, key=lambda other: (-squares[other], other))
    return found if squares[found] > above**2 else None


def _word(vectors: Mapping[str, Components], concept: str, by_program: bool) -> tuple[str, bool]:
    """Return the word of a concept, and whether it is another text than the concept."""
    if by_program:
        word, hyphen, _ = concept.rpartition("-")
        is_sensed = bool(word and hyphen and re.search("[0-9]", concept))
        return (word, True) if is_sensed else (concept, False)
    word, _, sense = concept.rpartition("-")
    is_sensed = concept not in vectors and bool(word) and re.fullmatch("[0-9]+", sense) is not None
    return (word, True) if is_sensed else (concept, False)


def _vector(vectors: Mapping[str, Components], word: str, with_plural: bool) -> Components:
    if with_plural:
        parts = [word, f"{word}s"] if word in vectors else []
    else:
        parts = [word] if word in vectors else word.split("-")
    known = [vectors[part] for part in parts if part in vectors]
    return [sum(column, Fraction(0)) for column in zip(*known, strict=True)]


def _square(left: Components, right: Components) -> Fraction:
    """Return the square of the cosine, 0 if it is negative or not defined."""
    product = sum((a * b for a, b in zip(left, right, strict=False)), Fraction(0))
    lengths = sum(a * a for a in left) * sum(b * b for b in right)
    return product * product / lengths if product > 0 else Fraction(0)


def _rounded(square: Fraction) -> int:
    """Return the root of *square* to the nearest thousandth: the largest k - 1/2 below it."""
    least, most = 0, 1001
    while most - least > 1:
        middle = (least + most) // 2
        if Fraction(2 * middle - 1, 2000) ** 2 <= square:
            least = middle
        else:
            most = middle
    return least
