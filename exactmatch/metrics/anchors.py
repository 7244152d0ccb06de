"""Anchors: the spans of the input text that a variable of a graph in MRP stands for.

Tokenisers disagree whether a comma belongs to the word before it. So the evaluation of the shared
tasks (Oepen et al. 2019, *MRP 2019*, page Evaluation, section Software Support) compares anchors as
sets of characters: all spans together, without white space, and without punctuation on the left and
right edge of the whole (`characters`).

mtool, the scorer of the tasks, joins spans that touch or overlap, and then removes punctuation from
the edges of each (`characters_by_span`). So ``Mr. Smith`` is another anchor there than ``Mr.`` and
``Smith``.

If the input is not in the file, every character counts.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from exactmatch.graphs.graph import ANCHOR, Constant, Graph, Variable

#: Start and end, in characters from 0.
Span = tuple[int, int]

#: The basic punctuation marks of the evaluation.
_PUNCTUATION = frozenset(".?!;,:“\"”‘'’()[]{}")
#: The white space of mtool.
_SPACE = frozenset(" \t\n\f")


class Anchor(NamedTuple):
    """A span of the input as in the file, and its text, if it is known."""

    start: int
    end: int
    text: str | None


def anchors_of(graph: Graph) -> dict[str, list[Anchor]]:
    """Return the anchors of each variable that has any, in the order of the file."""
    anchors: defaultdict[str, list[Anchor]] = defaultdict(list)
    for relation, arguments, _ in graph.triples:
        if relation == ANCHOR:
            variable = arguments[0]
            assert isinstance(variable, Variable)
            start, end, *text = [a.text for a in arguments[1:] if isinstance(a, Constant)]
            anchor = Anchor(int(start), int(end), text[0] if text else None)
            anchors[variable.name].append(anchor)
    return dict(anchors)


def characters(anchors: Sequence[Anchor]) -> tuple[Span, ...]:
    """Return the characters of *anchors* that count, as the longest spans without white space.

    This is the normalised anchor of the evaluation page: it is trimmed last, as a whole.
    """
    letters = _letters(anchors)
    covered = joined((anchor.start, anchor.end) for anchor in anchors)
    words = _without(covered, [at for at, letter in letters.items() if letter.isspace()])
    words.reverse()  # a list is shortened fast at its end
    while words and letters.get(words[-1][0]) in _PUNCTUATION:
        words[-1:] = joined([(words[-1][0] + 1, words[-1][1])])
    words.reverse()
    while words and letters.get(words[-1][1] - 1) in _PUNCTUATION:
        words[-1:] = joined([(words[-1][0], words[-1][1] - 1)])
    return tuple(words)


def text_of(anchors: Sequence[Anchor]) -> str:
    """Return the words of `characters`, with blanks between; empty if the input is unknown."""
    letters = _letters(anchors)
    words = ("".join(letters.get(k, "") for k in range(*span)) for span in characters(anchors))
    return " ".join(words).strip()


def trimmed(anchors: Sequence[Anchor]) -> tuple[Span, ...]:
    """Return the spans of *anchors*, joined, each without punctuation and white space on its edges.

    mtool does the same.
    """
    letters = _letters(anchors)
    spans = []
    for start, end in joined((anchor.start, anchor.end) for anchor in anchors):
        while start < end and letters.get(start) in _PUNCTUATION | _SPACE:
            start += 1
        while start < end and letters.get(end - 1) in _PUNCTUATION | _SPACE:
            end -= 1
        spans.append((start, end))
    return tuple(spans)


def characters_by_span(anchors: Sequence[Anchor]) -> tuple[Span, ...]:
    """Return the characters of *anchors* that mtool counts, as spans without white space.

    It is trimmed first, span by span.
    """
    spaces = [position for position, letter in _letters(anchors).items() if letter in _SPACE]
    return tuple(_without(trimmed(anchors), spaces))


def places_of(graph: Graph) -> dict[str, tuple[Span, ...]]:
    """Return the place of every variable in the sentence: its `trimmed` spans; none without."""
    anchors = anchors_of(graph)
    return {v: trimmed(anchors.get(v, ())) for v in graph.variables}


def characters_of(graph: Graph) -> dict[str, tuple[Span, ...]]:
    """Return the characters that mtool counts for every variable; none without anchors."""
    anchors = anchors_of(graph)
    return {v: characters_by_span(anchors.get(v, ())) for v in graph.variables}


def joined(spans: Iterable[Span]) -> list[Span]:
    """Return *spans* in order; spans that touch or overlap are joined, and empty ones left out."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif start < end:
            merged.append((start, end))
    return merged


def _without(spans: Iterable[Span], positions: Iterable[int]) -> list[Span]:
    """Return *spans* without some *positions*."""
    gaps = sorted(positions)
    pieces_left = []
    for start, end in spans:
        inside = gaps[bisect_left(gaps, start) : bisect_left(gaps, end)]
        pieces = zip([start, *(gap + 1 for gap in inside)], [*inside, end], strict=True)
        pieces_left += [piece for piece in pieces if piece[0] < piece[1]]
    return pieces_left


def _letters(anchors: Iterable[Anchor]) -> Mapping[int, str]:
    """Return the characters of the input by position, as far as they are known."""
    return {
        anchor.start + k: letter for anchor in anchors for k, letter in enumerate(anchor.text or "")
    }
