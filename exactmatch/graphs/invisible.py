"""Find invisible characters in words of graphs, where people take them for blanks, or for nothing.

Only blanks of ASCII divide words, as in penman. So a no-break space is a part of the role or the
concept beside it. Within strings, such characters are text like any other.
"""

from collections.abc import Iterator

from exactmatch.errors import spelled_out
from exactmatch.graphs.graph import ANCHOR, CONCEPT, MRP, Constant, Graph, Triple

#: Invisible characters that belong to words in some scripts.
_JOINERS = "\u200c\u200d"
#: Unicode's categories of blanks, controls, and marks of format, such as those of direction.
_CATEGORIES = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})


def invisible_in(word: str) -> list[str]:
    """Return the invisible characters of a word, in order."""
    return [] if word.isprintable() else list(filter(_is_invisible, word))


def escaped(word: str) -> str:
    """Return a word with its invisible characters written as in ``\\u00a0``."""
    if word.isprintable():
        return word
    return "".join(spelled_out(each) if _is_invisible(each) else each for each in word)


def _is_invisible(character: str) -> bool:
    from unicodedata import category

    is_odd = not character.isprintable() and character not in _JOINERS
    return is_odd and category(character) in _CATEGORIES


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
