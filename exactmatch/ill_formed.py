"""What becomes of a pair if a graph of it breaks the rules of its notation.

Parsers that write graphs as text write some that are none. Scores that leave them out cannot be
compared: a parser would gain by failing.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

#: ``error``: the graph cannot be read, like any other. ``zero``: the pair counts 0 in the mean of
#: the pairs, and nowhere else. ``lenient``: as ``zero``, unless what is wrong can be overlooked.
#: ``skip``: the pair is left out.
Treatment = Literal["error", "zero", "lenient", "skip"]

#: The sides of a pair.
Side = Literal["system", "gold"]


class IllFormedPolicy(NamedTuple):
    """What becomes of pairs with an ill-formed graph on either side."""

    system: Treatment = "error"
    gold: Treatment = "error"


#: That of all formats that do not tell ill-formed graphs from unreadable ones.
ALL_ERRORS = IllFormedPolicy()

#: The sides of a pair that have an ill-formed graph; None where the format does not tell.
IllFormedSides = Sequence[Side] | None
