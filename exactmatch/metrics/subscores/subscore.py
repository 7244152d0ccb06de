"""The counts of one phenomenon. They are loaded where subscores are asked for."""

from typing import NamedTuple, Self

from exactmatch.metrics.counts import Score, score_of


class Subscore(NamedTuple):
    """The matches of a phenomenon, in a pair of graphs or, added up, in many.

    matched, matched_upper: as in `Score`, or the least and the most matches under any best mapping.
        system_total, gold_total: as there.
    pairs: the pairs in which either graph has the phenomenon.
    exact, exact_upper: the bounds of the number of pairs in which the whole phenomenon matches.
    unproven: the pairs whose *matched* and *matched_upper* are bounds that are not proven to be
        reached.
    """

    matched: int = 0
    matched_upper: int = 0
    system_total: int = 0
    gold_total: int = 0
    pairs: int = 0
    exact: int = 0
    exact_upper: int = 0
    unproven: int = 0

    @classmethod
    def of(
        cls, interval: tuple[int, int], system_total: int, gold_total: int, *, proven: bool = True
    ) -> Self:
        """Return the subscore of a pair of graphs; *interval* is what matches."""
        matched, matched_upper = interval
        occurs = system_total + gold_total > 0
        is_exact, may_be_exact = (occurs and m == system_total == gold_total for m in interval)
        return cls(
            matched,
            matched_upper,
            system_total,
            gold_total,
            pairs=int(occurs),
            exact=int(is_exact),
            exact_upper=int(may_be_exact),
            unproven=int(not proven),
        )

    def score(self) -> Score:
        """Return precision, recall and F1."""
        return score_of(self)

    def __add__(self, other: "Subscore") -> "Subscore":  # type: ignore[override]
        return Subscore(*(one + another for one, another in zip(self, other, strict=True)))
