"""Scores of metrics and human ratings of pairs of graphs, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exactmatch.studies.correlation.human import HumanRatings
from exactmatch.studies.correlation.opinions import SystemScores

#: The name of all systems together, and of people among metrics.
EVERY, HUMAN = "all systems", "human"


@dataclass(frozen=True, slots=True)
class RatedPairs:
    """The rated pairs of a system, or of all.

    items: the position of each pair in the study.
    values: the score of each pair, by the name of the metric, and the rating by `HUMAN`, if there
        are ratings; None for a pair without rating.
    """

    items: Sequence[int]
    values: Mapping[str, Sequence[float | None]]

    def of(self, rater: str) -> list[float]:
        """Return the values of a rater: a metric, or people."""
        return [value for value in self.values[rater] if value is not None]

    def both(self, one: str, other: str) -> tuple[list[float], list[float]]:
        """Return the values of the pairs that both raters have rated."""
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
        rated[system] = RatedPairs(scored.items, values={**values, **scored.values})
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
