"""Several files that hold graphs for the same sentences, read side by side."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from exactmatch.distinct_names import DistinctNames
from exactmatch.errors import InputError
from exactmatch.graph import UMR
from exactmatch.pairing import BY_IDENTIFIER
from exactmatch.readers.graph_text import GraphText


class Alternatives(NamedTuple):
    """What several files have for one sentence, in their order: a text, or None.

    sources: what messages call the files.
    """

    identifier: str
    sources: Sequence[str]
    texts: Sequence[GraphText | None]


def by_position(
    sources: Sequence[str], files: Sequence[Iterator[GraphText]]
) -> Iterator[Alternatives]:
    """Yield what belongs together in *files*, which are called *sources*, as it comes.

    Sentences of one identifier are numbered. Raises `InputError` where the files do not hold as
    many graphs, or graphs at one position have different identifiers; in UMR, tokens tell.
    """
    given = DistinctNames()
    for number, texts in enumerate(zip_longest(*files), start=1):
        found = [text for text in texts if text is not None]
        if len(found) < len(texts):
            ended = sources[texts.index(None)]
            raise InputError(
                f"number of graphs: {number - 1} in {ended}, more in {found[0].source} "
                f"({BY_IDENTIFIER})"
            )
        named = [text for text in found if text.identifier is not None]
        for text in named:
            if text.identifier != named[0].identifier and text.format != UMR:
                raise InputError(
                    f"graph {number}: identifier {named[0].identifier} at {_place(named[0])}, but "
                    f"{text.identifier} at {_place(text)} ({BY_IDENTIFIER})"
                )
        name = (named[0].identifier if named else None) or str(number)
        yield Alternatives(given.distinct(name), sources, found)


def _place(text: GraphText) -> str:
    return f"{text.source}:{text.line}"
