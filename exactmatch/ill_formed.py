"""Graphs that break the rules of their notation, and what becomes of their pairs.

Parsers that write graphs as text write some that are none. Scores that leave them out cannot be
compared: a parser would gain by failing.
"""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from exactmatch.errors import GraphError
from exactmatch.graph import Graph

#: ``error``: the graph cannot be read, like any other. ``zero``: the pair counts 0 in the mean of
#: the pairs, and nowhere else. ``lenient``: as ``zero``, unless what is wrong can be overlooked.
#: ``skip``: the pair is left out.
Treatment = Literal["error", "zero", "lenient", "skip"]

#: The sides of a pair.
Side = Literal["system", "gold"]


class IllFormedError(GraphError):
    """A graph that breaks the rules of its notation, as outputs of parsers do.

    *lenient* is what it says if that is overlooked; None if that cannot be told.
    """

    def __init__(self, reason: str, *, lenient: Graph | None = None, **place: Any) -> None:
        self.lenient = lenient
        super().__init__(reason, **place)

    def __reduce__(self) -> tuple[Any, ...]:
        return _ill_formed_error, (
            self.reason,
            {k: v for k, v in vars(self).items() if k != "reason"},
        )


def _ill_formed_error(reason: str, place: dict[str, Any]) -> IllFormedError:
    """Make an error again that was pickled."""
    return IllFormedError(reason, **place)


class IllFormedPolicy(NamedTuple):
    """What becomes of pairs with an ill-formed graph on either side."""

    system: Treatment = "error"
    gold: Treatment = "error"


#: That of all formats that do not tell ill-formed graphs from unreadable ones.
ALL_ERRORS = IllFormedPolicy()

#: The sides of a pair that have an ill-formed graph; None where the format does not tell.
IllFormedSides = Sequence[Side] | None
