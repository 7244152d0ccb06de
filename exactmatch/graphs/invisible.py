"""Find invisible characters in words of graphs, where people take them for blanks, or for nothing.

Only blanks of ASCII divide words, as in penman. So a no-break space is a part of the role or the
concept beside it. Within strings, such characters are text like any other.
"""

import re
from collections.abc import Iterator
from functools import cache

from exactmatch.errors import spelled_out
from exactmatch.graphs.graph import ANCHOR, CONCEPT, MRP, Constant, Graph, Triple

#: Blanks beyond ASCII, controls, marks of direction, fillers, and what joins or divides words in no
#: script. The joiners U+200C and U+200D belong to words in some.
INVISIBLE = (
    "\x80-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180e\u2000-\u200b\u200e\u200f"
    "\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e007f"
)


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(f"[{INVISIBLE}]")


def invisible_in(text: str) -> list[str]:
    """Return the invisible characters of *text*, in order."""
    return [] if text.isascii() else _pattern().findall(text)


def escaped(text: str) -> str:
    """Return *text* with its invisible characters written as in ``\\u00a0``."""
    return text if text.isascii() else _pattern().sub(lambda match: spelled_out(match[0]), text)


def odd_words(graph: Graph) -> Iterator[tuple[int, str, str]]:
    """Yield words with invisible characters: the number of the triple, the kind, and the word.

    Names of variables, roles, concepts and symbols are words; strings, and values in MRP, are not.
    """
    for number, triple in enumerate(graph.triples):
        for kind, word in _words(triple, are_values=graph.format == MRP):
            if invisible_in(word):
                yield number, kind, word


def _words(triple: Triple, *, are_values: bool) -> Iterator[tuple[str, str]]:
    relation, arguments, _ = triple
    if relation == ANCHOR:
        return
    if relation == CONCEPT:
        yield "variable", arguments[0][0]
    else:
        yield "role", relation
    for argument in arguments[1:]:
        if isinstance(argument, Constant) and not argument.text.startswith(('"', "'")):
            if relation == CONCEPT:
                yield "concept", argument.text
            elif not are_values:
                yield "value", argument.text
