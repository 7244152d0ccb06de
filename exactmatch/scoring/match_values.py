"""The values of matches in the problem of a pair. They are loaded for pairs that need one."""

from typing import NamedTuple

from exactmatch.metrics.triples import NOT_SIMILAR, Duplicates, Similar


class MatchValues(NamedTuple):
    """The value of a match: of equal labels *scale*, of *similar* ones their value there."""

    duplicates: Duplicates
    similar: Similar = NOT_SIMILAR
    scale: int = 1
