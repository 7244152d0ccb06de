"""Join the sentences of documents, or of files, to one text each.

Metrics that compare a document of UMR as a whole, or a file, get one text for all of its sentences.
One file may number its sentences anew in each document, while another file of the same sentences
does not. So if the files have equally many sentences, a document ends where the numbering begins
anew in all of them; otherwise each file's own numbering decides.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeVar

from exactmatch.graphs.graph import Extent
from exactmatch.graphs.pairing import Unread
from exactmatch.graphs.readers.graph_text import GraphText

_Unread = TypeVar("_Unread", bound=Unread)


def by_extent(sides: Sequence[Sequence[_Unread]], extent: Extent) -> list[list[_Unread]]:
    """Return the documents, or the files, of several sides.

    *sides* are the texts of their sentences, in order. A graph that is no text stays unchanged.
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
    """Return the positions at which documents, or files, begin."""
    wholes = [
        (text.source, text.document if extent == "document" else 0)
        if isinstance(text, GraphText)
        else place
        for place, text in enumerate(texts)
    ]
    return [place for place, whole in enumerate(wholes) if place == 0 or whole != wholes[place - 1]]


def _joined(texts: Sequence[_Unread], extent: Extent, number: int) -> _Unread:
    """Return consecutive texts of a file as one text, with the same line numbers."""
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
