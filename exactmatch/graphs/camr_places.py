"""Places in the sentence that the identifiers of Chinese AMR name.

``x3`` is the third word, ``x3_x5`` are two words, and ``x3_1`` is the first character of the third
word. A larger number than the sentence has words is no place: the node stands for no word.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

#: An identifier of a node. No sentence has a word of a longer number.
IDENTIFIER = re.compile(r"x+\d{1,9}(?:_x?\d{1,9})*")


@dataclass(frozen=True, slots=True)
class SentenceLengths:
    """The number of words of each sentence, by its identifier; *digest* identifies the file."""

    digest: str
    by_sentence: Mapping[str, int] = field(repr=False, compare=False)


def places(identifier: str) -> list[str]:
    """Return the places that an identifier names: ``3``, or ``3.1`` for a character.

    None are found in what is no identifier.
    """
    if not IDENTIFIER.fullmatch(identifier):
        return []
    found = []
    for part in identifier.lstrip("x").split("_x"):
        word, *characters = part.split("_")
        found += [f"{word}.{character}" for character in characters] or [word]
    return found


def words_by_place(metadata: Mapping[str, str]) -> dict[int, str]:
    """Return the words of a sentence by their numbers, from its comment ``# ::wid x1_他 x2_来``."""
    found = {}
    for entry in metadata.get("wid", "").split():
        identifier, _, word = entry.partition("_")
        if IDENTIFIER.fullmatch(identifier):
            found[int(identifier.lstrip("x"))] = word
    return found
