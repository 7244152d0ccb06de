"""Anchors: the stretches of the input text that a variable of a graph in MRP stands for.

Tokenisers do not agree whether a comma belongs to the word before it. So anchors are compared as
mtool does, the scorer of the shared tasks (Oepen et al. 2019, *MRP 2019*): without punctuation and
white space on their edges, and as the characters that they cover, white space left out. Where the
input is not in the file, every character counts.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from exactmatch.graph import ANCHOR, Constant, Graph, Variable

#: Start and end, in characters from 0.
Span = tuple[int, int]

_SPACE = " \t\n\f"
_PUNCTUATION = ".?!;,:“\"”‘'’()[]{}"


class Anchor(NamedTuple):
    """One stretch of the input: start and end as written, and the text there, if it is known.

    The text is shorter than the stretch if that runs beyond the end of the input.
    """

    start: int
    end: int
    text: str | None


def anchors_of(graph: Graph) -> dict[str, list[Anchor]]:
    """Return the anchors of each variable that has any."""
    found: defaultdict[str, list[Anchor]] = defaultdict(list)
    for relation, arguments, _ in graph.triples:
        if relation == ANCHOR:
            variable = arguments[0]
            assert isinstance(variable, Variable)
            start, end, *text = [a.text for a in arguments[1:] if isinstance(a, Constant)]
            anchor = Anchor(int(start), int(end), text[0] if text else None)
            found[variable.name].append(anchor)
    return dict(found)


def trimmed(anchor: Anchor) -> Span:
    """Return the span of *anchor* without the punctuation and white space on its edges."""
    if anchor.text is None:
        return anchor.start, anchor.end
    rest = anchor.text.lstrip(_PUNCTUATION + _SPACE)
    start = anchor.start + len(anchor.text) - len(rest)
    return start, start + len(rest.rstrip(_PUNCTUATION + _SPACE))


def characters(anchors: Iterable[Anchor]) -> frozenset[int]:
    """Return the positions of all characters that count in *anchors*."""
    return frozenset(
        position
        for anchor in anchors
        for position in range(*trimmed(anchor))
        if anchor.text is None or anchor.text[position - anchor.start] not in _SPACE
    )
