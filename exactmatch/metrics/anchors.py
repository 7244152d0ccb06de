"""Anchors: the stretches of the input text that a variable of a graph in MRP stands for.

Tokenisers do not agree whether a comma belongs to the word before it. So anchors are compared as
mtool does, the scorer of the shared tasks (Oepen et al. 2019, *MRP 2019*): those that touch or
overlap are joined, then punctuation and white space on the edges are taken off, and white space in
between does not count. Where the input is not in the file, every character counts.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from exactmatch.graph import ANCHOR, Constant, Graph, Variable

#: Start and end, in characters from 0.
Span = tuple[int, int]

_SPACE = frozenset(" \t\n\f")
_PUNCTUATION = frozenset(".?!;,:“\"”‘'’()[]{}")


class Anchor(NamedTuple):
    """A stretch of the input as the file has it, and the text there, if it is known."""

    start: int
    end: int
    text: str | None


def anchors_of(graph: Graph) -> dict[str, list[Anchor]]:
    """Return the anchors of each variable that has any, in the order of the file."""
    found: defaultdict[str, list[Anchor]] = defaultdict(list)
    for relation, arguments, _ in graph.triples:
        if relation == ANCHOR:
            variable = arguments[0]
            assert isinstance(variable, Variable)
            start, end, *text = [a.text for a in arguments[1:] if isinstance(a, Constant)]
            anchor = Anchor(int(start), int(end), text[0] if text else None)
            found[variable.name].append(anchor)
    return dict(found)


def trimmed(anchors: Sequence[Anchor]) -> tuple[Span, ...]:
    """Return the spans of *anchors*, joined, without punctuation and white space on their edges."""
    letters = _letters(anchors)
    found = []
    for start, end in joined((anchor.start, anchor.end) for anchor in anchors):
        while start < end and letters.get(start) in _PUNCTUATION | _SPACE:
            start += 1
        while start < end and letters.get(end - 1) in _PUNCTUATION | _SPACE:
            end -= 1
        found.append((start, end))
    return tuple(found)


def characters(anchors: Sequence[Anchor]) -> tuple[Span, ...]:
    """Return what counts in *anchors*, as the longest spans that leave out white space."""
    spaces = sorted(position for position, c in _letters(anchors).items() if c in _SPACE)
    found = []
    for start, end in trimmed(anchors):
        gaps = [position for position in spaces if start <= position < end]
        words = zip([start, *(gap + 1 for gap in gaps)], [*gaps, end], strict=True)
        found += [word for word in words if word[0] < word[1]]
    return tuple(found)


def characters_of(graph: Graph) -> dict[str, tuple[Span, ...]]:
    """Return the characters that count of every variable; there are none without anchors."""
    anchors = anchors_of(graph)
    return {variable: characters(anchors.get(variable, ())) for variable in graph.variables}


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return *spans* in order, those that touch or overlap made one, and without empty ones."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        elif start < end:
            found.append((start, end))
    return found


def _letters(anchors: Iterable[Anchor]) -> Mapping[int, str]:
    """Return the characters of the input by position, as far as they are known."""
    return {
        anchor.start + k: letter for anchor in anchors for k, letter in enumerate(anchor.text or "")
    }
