"""The documents of UMR files, put together from the texts of their sentences.

Metrics that compare a document as a whole, or a file, get one text for all of its sentences. A file
may number its sentences anew in each document, and another one that holds the same sentences may
not. So if the files have as many sentences, a document ends where all of them begin another one;
else each ends where its numbering says so.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from exactmatch.graph import Extent
from exactmatch.pairing import Unread
from exactmatch.readers.graph_text import GraphText

_Unread = TypeVar("_Unread", bound=Unread)


def by_extent(sides: Sequence[Sequence[_Unread]], extent: Extent) -> list[list[_Unread]]:
    """Return the documents, or the files, of several sides.

    *sides* are the texts of their sentences, in order. What is no text, but a graph, stays as it
    is.
    """
    if extent == "sentence":
        return [[*texts] for texts in sides]
    starts = [_starts(texts, extent) for texts in sides]
    if len({len(texts) for texts in sides}) == 1:
        common = set.intersection(*map(set, starts))
        starts = [sorted(common)] * len(sides)
    return [
        [
            _joined(texts[start:end], extent, number)
            for number, (start, end) in enumerate(pairwise([*ends, len(texts)]), start=1)
        ]
        for texts, ends in zip(sides, starts, strict=True)
    ]


def _starts(texts: Sequence[Unread], extent: Extent) -> list[int]:
    """Return where documents, or files, begin."""
    wholes = [
        (text.source, text.document if extent == "document" else 0)
        if isinstance(text, GraphText)
        else place
        for place, text in enumerate(texts)
    ]
    return [place for place, whole in enumerate(wholes) if place == 0 or whole != wholes[place - 1]]


def _joined(texts: Sequence[_Unread], extent: Extent, number: int) -> _Unread:
    """Return one text of several that follow each other in a file, with its lines as they are."""
    first = texts[0]
    if not isinstance(first, GraphText):
        return first
    others = [text for text in texts[1:] if isinstance(text, GraphText)]
    pieces = [first.data]
    line = first.line + first.data.count(b"\n")
    for text in others:
        pieces.append(b"\n" * (text.line - line) + text.data)
        line = text.line + text.data.count(b"\n")
    return first._replace(
        data=b"".join(pieces),
        identifier=f"d{number}" if extent == "document" else None,
        extent=extent,
    )
