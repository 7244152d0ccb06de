"""Read synonyms from WordNet's own files, or from the Python table that Counter ships.

Concepts of one synset count as the first word of the synset, with its sense there. A folder of
WordNet's files has ``index.noun``, ``data.noun`` and so on; see wndb(5WN) in the manual of WordNet.
The table, ``wordnet_dict_en.py``, is a dictionary of strings: a concept with its sense, and the
concept that it counts as. The strings are read, and no code of the file runs.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from os import PathLike
from pathlib import Path

from exactmatch.errors import InputError
from exactmatch.graphs.readers.source import LARGEST_WHOLE, read_lines, source_name
from exactmatch.graphs.words import Concept, Synonyms

#: The parts of speech by their letters in senses, as in the names of WordNet's files. Adjective
#: satellites are numbered among the adjectives.
_PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}

#: A word has at most as many synsets as these digits can number.
_LONGEST_COUNT = 9

_CONCEPT = re.compile(r"(.+)\.([nvars]\.\d+)")

_STRING = r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\""""
#: The parts of a table: entries in braces, entries set one by one, and text to skip.
_PIECE = re.compile(
    rf"(?P<key>{_STRING})\s*:\s*(?P<value>{_STRING})\s*(?:,|(?=[}}#]))"
    rf"|[A-Za-z_]\w*\s*\[\s*(?P<set>{_STRING})\s*\]\s*=\s*(?P<to>{_STRING})"
    r"|[A-Za-z_]\w*\s*=\s*\{|\}|\#[^\n]*|\s+"
)


def is_python(path: str | PathLike[str]) -> bool:
    """Tell whether a file has the name of a Python program, possibly compressed."""
    return str(path).removesuffix(".gz").endswith(".py")


def read_table(path: str | PathLike[str]) -> Synonyms:
    """Read the dictionary in a Python file. Raises `InputError`, with the line, for others."""
    name = source_name(path)
    try:
        text = read_lines(path, longest=LARGEST_WHOLE).whole().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8; convert the file") from error
    return _synonyms(_concepts(text, name), name)


def read_wordnet(folder: str | PathLike[str]) -> Synonyms:
    """Read the synsets of WordNet's files. Raises `InputError`, with the line, for others."""
    return _synonyms(_of_files(Path(folder)), source_name(folder))


def _synonyms(pairs: Iterator[tuple[Concept, Concept]], name: str) -> Synonyms:
    """Return the table of *pairs*; the last pair of a concept counts, as in Python.

    The digest is that of the content, the same from either source.
    """
    import hashlib

    table = {one: other for one, other in dict(pairs).items() if one != other}
    if not table:
        raise InputError(f"{name}: holds no synonym")
    lines = sorted(f"{_written(one)} {_written(other)}\n" for one, other in table.items())
    text = "".join(lines).encode("utf-8", errors="surrogatepass")
    return Synonyms(hashlib.sha256(text).hexdigest(), table)


def _written(concept: Concept) -> str:
    word, sense = concept
    return f"{word}.{sense[1:-1]}"


def _concepts(text: str, name: str) -> Iterator[tuple[Concept, Concept]]:
    """Yield the entries of a table in Python, in their order.

    No clause of a DRS has a concept without a sense, so entries without senses are skipped.
    """
    position, line = 0, 1
    while position < len(text):
        piece = _PIECE.match(text, position)
        if piece is None:
            raise InputError(
                f"{name}:{line}: {text[position : position + 40]!r}: expected a dictionary of "
                "strings alone (name = {'human.n.01': 'person.n.01', ...})"
            )
        key, value = piece["key"] or piece["set"], piece["value"] or piece["to"]
        if key is not None and (concept := _concept(_string(key, name, line))):
            synonym = _concept(_string(value, name, line))
            if synonym is None:
                raise InputError(f"{name}:{line}: {value} is no concept with a sense (person.n.01)")
            yield concept, synonym
        position = piece.end()
        line += piece[0].count("\n")


def _string(literal: str, name: str, line: int) -> str:
    if "\\" not in literal:
        return literal[1:-1]
    try:
        return str(ast.literal_eval(literal))
    except (SyntaxError, ValueError) as error:
        raise InputError(f"{name}:{line}: {literal} is no Python string") from error


def _concept(text: str) -> Concept | None:
    match = _CONCEPT.fullmatch(text)
    return None if match is None else (match[1], f'"{match[2]}"')


def _of_files(folder: Path) -> Iterator[tuple[Concept, Concept]]:
    """Yield each sense of each word, and the name of its synset."""
    for letter, part in _PARTS.items():
        senses = _senses(folder / f"index.{part}")
        first = _first_words(folder / f"data.{part}")
        names: dict[bytes, Concept] = {}
        for offset, word in first.items():
            offsets = senses.get(word, ())
            if offset not in offsets:
                raise InputError(
                    f"{folder / f'index.{part}'}: {word!r} lacks the synset {offset.decode()}, "
                    f"which data.{part} has"
                )
            names[offset] = _sense(word, letter, offsets.index(offset))
        for word, offsets in senses.items():
            for number, offset in enumerate(offsets):
                if offset not in names:
                    raise InputError(
                        f"{folder / f'data.{part}'}: synset {offset.decode()} of {word!r} is "
                        f"missing, though index.{part} has it"
                    )
                yield _sense(word, letter, number), names[offset]


def _sense(word: str, letter: str, number: int) -> Concept:
    return word, f'"{letter}.{number + 1:02d}"'


def _senses(path: Path) -> Mapping[str, list[bytes]]:
    """Return, for each word, the positions of its synsets, in the order of its senses."""
    found = {}
    for line, words in _records(path):
        count = words[2] if len(words) > 2 else b""
        is_count = count.isdigit() and len(count) <= _LONGEST_COUNT
        if not is_count or not 0 < int(count) <= len(words) - 6:
            raise InputError(f"{path}:{line}: not a line of WordNet's index")
        found[words[0].decode("utf-8", errors="replace")] = words[-int(count) :]
    return found


def _first_words(path: Path) -> Mapping[bytes, str]:
    """Return the first word of each synset, by the position of the synset."""
    found = {}
    for line, words in _records(path):
        if len(words) < 6 or not words[0].isdigit():
            raise InputError(f"{path}:{line}: not a line of WordNet's data")
        word = words[4].decode("utf-8", errors="replace").lower()
        found[words[0]] = word.split("(")[0]  # (p), (a), (ip): the position of an adjective
    return found


def _records(path: Path) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the lines of one of WordNet's files, without the licence at its head."""
    for number, raw in enumerate(read_lines(path), start=1):
        if raw and not raw.startswith(b" "):
            yield number, raw.split()
