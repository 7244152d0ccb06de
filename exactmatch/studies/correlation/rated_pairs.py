"""What metrics and people say of pairs of graphs, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exactmatch.studies.correlation.human import HumanRatings
from exactmatch.studies.correlation.opinions import SystemScores

#: What all systems together are called, and people among metrics.
EVERY, HUMAN = "all systems", "human"


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPairs:
    """The pairs of a system, or of all.

    items: the position of each pair in the study.
    values: of each pair, by the name of the metric, and by `HUMAN` if there are ratings; None
        where people have not rated a pair.
    """

    items: Sequence[int]
    values: Mapping[str, Sequence[float | None]]

    def of(self, rater: str) -> list[float]:
        """Return the values that a metric gives, or people do."""
        return [value for value in self.values[rater] if value is not None]

    def both(self, one: str, other: str) -> tuple[list[float], list[float]]:
        """Return the values of the pairs that two raters have rated."""
        pairs = zip(self.values[one], self.values[other], strict=True)
        rated = [(x, y) for x, y in pairs if x is not None and y is not None]
        return [x for x, _ in rated], [y for _, y in rated]


def rated_pairs(
    scores: Mapping[str, SystemScores], human: HumanRatings | None
) -> dict[str, RatedPairs]:
    """Return the pairs of each system, by its name."""
    rated = {}
    for system, scored in scores.items():
        values: dict[str, Sequence[float | None]] = {}
        if human is not None:
            values[HUMAN] = [human.values[item] for item in scored.items]
        rated[system] = RatedPairs(items=scored.items, values={**values, **scored.values})
    return rated


def with_all(rated: Mapping[str, RatedPairs]) -> list[tuple[str, RatedPairs]]:
    """Return the pairs of each system with its name, after those of all if there are several."""
    systems = [*rated.values()]
    if len(systems) == 1:
        return [*rated.items()]
    raters = systems[0].values
    every = RatedPairs(
        items=[item for one in systems for item in one.items],
        values={rater: [x for one in systems for x in one.values[rater]] for rater in raters},
    )
    return [(EVERY, every), *rated.items()]
