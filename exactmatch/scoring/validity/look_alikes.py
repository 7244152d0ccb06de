"""Text that looks like other text: invisible characters in words, and letters not in NFC."""

from collections.abc import Iterator

from exactmatch.errors import spelled_out
from exactmatch.graphs.graph import ANCHOR, Constant
from exactmatch.graphs.invisible import escaped, odd_words
from exactmatch.graphs.readers.examined import Defect, ExaminedGraph
from exactmatch.graphs.unicode_form import nfc
from exactmatch.scoring.validity.kinds import INVISIBLE, NOT_NFC


def invisible(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield words with invisible characters, which are shown escaped."""
    triples = examined.graph.triples
    for number, kind, word in odd_words(examined.graph):
        reason = f"the {kind} {escaped(word)} has an invisible character"
        nodes = (triples[number].arguments[0][0],)
        yield Defect(INVISIBLE, examined.lines[number], reason, nodes, (word,))


def not_nfc(examined: ExaminedGraph) -> Iterator[Defect]:
    """Yield roles, concepts and values that are not in Unicode's Normalization Form C."""
    for triple, line in zip(examined.graph.triples, examined.lines, strict=True):
        if triple.relation == ANCHOR:
            continue
        constants = (end.text for end in triple.arguments if isinstance(end, Constant))
        for text in (triple.relation, *constants):
            if text != nfc(text):
                reason = f"{_spelled(text)} is not in NFC, which is {_spelled(nfc(text))}"
                yield Defect(NOT_NFC, line, reason, (triple.arguments[0][0],), (text,))


def _spelled(text: str) -> str:
    """Return *text* with all characters beyond ASCII escaped."""
    return "".join(each if each.isascii() else spelled_out(each) for each in text)
