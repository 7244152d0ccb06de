"""Read files about words: word vectors, similarities of pairs of words, synonyms, classes, lengths.

Word vectors are text as word2vec and GloVe write it: a word and its numbers on each line, and
perhaps a first line with the number of words and of components. Numbers are read exactly.
Similarities are lines of two words and a number from 0 to 1. Words are read in lower case; of words
that differ only in case, the first counts. Synonyms are lines of two concepts with their senses
(``human.n.01 person.n.01``), where the first counts as the second; or they are read from WordNet
(`exactmatch.graphs.readers.wordnet`). Classes are lines of a concept and its class, which is read
as written. Lengths are lines of a sentence's identifier and its number of words. In lists of pairs,
lines that start with ``#`` are comments. All files may be compressed with gzip.
"""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import lcm
from os import PathLike
from pathlib import Path
from typing import TypeVar

from exactmatch.errors import InputError, shown
from exactmatch.graphs.camr_places import SentenceLengths
from exactmatch.graphs.readers.graph_lines import is_graph_line
from exactmatch.graphs.readers.source import (
    MOST_CHARACTERS,
    MOST_POWERS,
    OutOfRange,
    fraction,
    read_lines,
    source_name,
)
from exactmatch.graphs.readers.wordnet import is_python, read_table, read_wordnet
from exactmatch.graphs.words import Classes, Concept, SimilarityTable, Synonyms, Vector, Vectors

_Number = TypeVar("_Number")

#: The characters of a wrong number that a message shows.
_SHOWN = 40

_CONCEPT = re.compile(r"(.+)\.([nvars]\.\d+)")


def read_vectors(path: str | PathLike[str]) -> Vectors:
    """Read word vectors. Raises `InputError`, with the line, for a malformed file."""
    lines, name = read_lines(path), source_name(path)
    vectors: dict[str, Vector] = {}
    length = None
    for number, raw in enumerate(lines, start=1):
        words = _words(raw, name, number)
        if not words or (number == 1 and _is_count(words)):
            continue
        word, *components = words
        length = length or len(components)
        if len(components) != length or not components:
            raise InputError(
                f"{name}:{number}: {len(components)} numbers after {word!r}, expected {length or 1}"
            )
        vectors.setdefault(word.lower(), _vector(components, name, number))
    if not vectors:
        raise InputError(f"{name}: holds no word vector")
    return Vectors(lines.digest(), vectors)


def read_similarities(path: str | PathLike[str]) -> SimilarityTable:
    """Read similarities of words. Raises `InputError`, with the line, for a malformed file."""
    lines, name = read_lines(path), source_name(path)
    values: dict[tuple[str, str], Fraction] = {}
    for number, raw in enumerate(lines, start=1):
        words = _words(raw, name, number)
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 3:
            raise InputError(f"{name}:{number}: {len(words)} words, expected two and a number")
        one, other = words[0].lower(), words[1].lower()
        value = _number(fraction, words[2], name, number)
        if not 0 <= value <= 1:
            raise InputError(
                f"{name}:{number}: similarity {shown(words[2])} is not between 0 and 1"
            )
        known = values.get((one, other), values.get((other, one), value))
        if known != value:
            raise InputError(
                f"{name}:{number}: {one} and {other} have similarity {words[2]} here, but "
                f"{float(known)} before"
            )
        values[one, other] = value
    if not values:
        raise InputError(f"{name}: holds no similarity")
    return SimilarityTable(lines.digest(), values)


def read_synonyms(path: str | PathLike[str]) -> Synonyms:
    """Read synonyms: a list, Counter's table in Python, or the folder of WordNet's files.

    Raises `InputError`, with the line, for a malformed file.
    """
    if is_python(path):
        return read_table(path)
    if str(path) != "-" and Path(path).is_dir():
        return read_wordnet(path)
    lines, name = read_lines(path), source_name(path)
    table: dict[Concept, Concept] = {}
    for number, raw in enumerate(lines, start=1):
        words = _words(raw, name, number)
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2:
            raise InputError(f"{name}:{number}: {len(words)} words, expected two concepts")
        concept, synonym = (_concept(word, name, number) for word in words)
        if table.setdefault(concept, synonym) != synonym:
            raise InputError(f"{name}:{number}: {shown(words[0])} counts as another concept before")
    if not table:
        raise InputError(f"{name}: holds no synonym")
    return Synonyms(lines.digest(), table)


def read_classes(path: str | PathLike[str]) -> Classes:
    """Read classes of concepts. Raises `InputError`, with the line, for a malformed file."""
    lines, name = read_lines(path), source_name(path)
    table: dict[str, str] = {}
    for number, raw in enumerate(lines, start=1):
        words = _words(raw, name, number)
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2:
            raise InputError(f"{name}:{number}: {len(words)} words, expected a concept and a class")
        concept, concept_class = words[0].lower(), words[1]
        if table.setdefault(concept, concept_class) != concept_class:
            before = shown(table[concept])
            raise InputError(f"{name}:{number}: {shown(words[0])} has class {before} before")
    if not table:
        raise InputError(f"{name}: holds no class")
    return Classes(lines.digest(), table)


def read_lengths(path: str | PathLike[str]) -> SentenceLengths:
    """Read the numbers of words of sentences. Raises `InputError`, with the line, as above."""
    lines, name = read_lines(path), source_name(path)
    table: dict[str, int] = {}
    for number, raw in enumerate(lines, start=1):
        words = _words(raw, name, number)
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2 or not re.fullmatch("[0-9]{1,9}", words[1]):
            raise InputError(f"{name}:{number}: expected a sentence and its number of words")
        length = int(words[1])
        if table.setdefault(words[0], length) != length:
            before = table[words[0]]
            raise InputError(f"{name}:{number}: {shown(words[0])} has {before} words before")
    if not table:
        raise InputError(f"{name}: holds no length")
    return SentenceLengths(lines.digest(), table)


def _concept(text: str, name: str, number: int) -> Concept:
    match = _CONCEPT.fullmatch(text)
    if not match:
        raise InputError(
            f"{name}:{number}: {shown(text)!r} is no concept with a sense (person.n.01)"
        )
    return match[1], f'"{match[2]}"'


def _words(raw: bytes, name: str, number: int) -> list[str]:
    if is_graph_line(raw):
        raise InputError(f"{name}:{number}: holds graphs; expected a file of words")
    try:
        return raw.decode("utf-8").split()
    except UnicodeDecodeError as error:
        byte = f"byte 0x{raw[error.start]:02x}"
        raise InputError(f"{name}:{number}: {byte} is not UTF-8; convert the file") from error


def _is_count(words: Sequence[str]) -> bool:
    """Tell whether a first line is word2vec's, with the numbers of words and of components."""
    return len(words) == 2 and all(word.isdecimal() for word in words)


def _vector(components: Sequence[str], name: str, number: int) -> Vector:
    ratios = [_number(_decimal, text, name, number) for text in components]
    denominator = lcm(*{below for _, below in ratios})
    return Vector([above * (denominator // below) for above, below in ratios], denominator)


def _decimal(text: str) -> tuple[int, int]:
    """Return the exact decimal number that *text* writes: numerator and denominator.

    It is faster than `fraction`: there may be millions of numbers. Raises `ValueError` or
    `ArithmeticError`.
    """
    number = Decimal(text)
    if len(text) > MOST_CHARACTERS or abs(number.adjusted()) > MOST_POWERS:
        raise OutOfRange
    return number.as_integer_ratio()


def _number(exactly: Callable[[str], _Number], text: str, name: str, number: int) -> _Number:
    try:
        return exactly(text)
    except OutOfRange as error:
        raise InputError(f"{name}:{number}: {_shown(text)} {error}") from error
    except (ValueError, ArithmeticError) as error:
        raise InputError(f"{name}:{number}: {_shown(text)} is no number") from error


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")
