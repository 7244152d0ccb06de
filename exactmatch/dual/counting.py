"""Upper bounds from what there is on each side, without a single term.

*Labels*: a one-to-one mapping matches the triples of a kind one to one, so that they count no more
than if the most frequent of both sides met, the second most frequent, and so on.

*Stars*: each match hands its worth in equal parts to the pairs of variables that it consists of. So
a pair is worth no more than the same count of the triples around its two variables, and the best
assignment of such worths bounds all mappings (Gilmore 1962, Lawler 1963, for stars without other
ends). Any prices of right variables prove a bound; those of the linear program, which is solved for
classes of variables with equal stars, prove the best.

The checker computes both anew: see `exactmatch.certificate.checker`, which has the proofs.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap
from math import lcm
from typing import Any, NamedTuple

from exactmatch.compact import CompactProblem, Occurrence
from exactmatch.deadline import Deadline
from exactmatch.dual.transportation import best_prices

#: With more pairs of classes than these, labels alone make the bound. The checker has this limit.
MOST_CLASSES = 250_000

#: By kind and place in it, how often the triples occur that hold a variable there; the most first.
_Star = Mapping[tuple[int, int], Sequence[int]]


@dataclass(frozen=True, slots=True)
class CountsProof:
    """No mapping scores more than *upper*: by labels alone, or with *prices* of right variables."""

    upper: int
    prices: Mapping[int, int] | None

    def as_json(self) -> dict[str, Any]:
        """Return the proof as the checker reads it; prices of 0 are left out."""
        if self.prices is None:
            return {"counts": {}}
        return {"counts": {"prices": {str(j): price for j, price in self.prices.items() if price}}}


def prove_by_counts(
    problem: CompactProblem, deadline: Deadline, most_classes: int = MOST_CLASSES
) -> CountsProof:
    """Return the better of both bounds; after *deadline*, no prices are looked for."""
    by_labels = CountsProof(_label_bound(problem), None)
    if deadline.passed():
        return by_labels
    stars = _Stars.of(problem)
    if len(stars.lefts) * len(stars.rights) > most_classes:
        return by_labels
    by_stars = stars.prove(deadline)
    return by_stars if by_stars.upper < by_labels.upper else by_labels


def _label_bound(problem: CompactProblem) -> int:
    total = 0
    for worth, left, right, _ in problem.kinds:
        lefts, rights = ([one.times for one in side] for side in (left, right))
        total += max(0, worth) * _most(sorted(lefts)[::-1], sorted(rights)[::-1], problem.credit)
    return total


def _most(times: Sequence[int], others: Sequence[int], credit: Callable[[int, int], int]) -> int:
    """Return the largest credit of any one-to-one choice; both are sorted, the largest first."""
    return sum(starmap(credit, zip(times, others, strict=False)))


class _Class(NamedTuple):
    """Variables that have the same *star*."""

    star: _Star
    variables: Sequence[int]


@dataclass(frozen=True, slots=True)
class _Stars:
    """Classes of variables of both graphs, and the *worths* of pairs of a left and a right class.

    Worths are in units of 1 / *scale*; those that are 0 are left out.
    """

    lefts: Sequence[_Class]
    rights: Sequence[_Class]
    problem: CompactProblem
    scale: int

    @classmethod
    def of(cls, problem: CompactProblem) -> "_Stars":
        return cls(
            lefts=_classes(kind.left for kind in problem.kinds),
            rights=_classes(kind.right for kind in problem.kinds),
            problem=problem,
            scale=lcm(*(kind.size for kind in problem.kinds)),
        )

    def prove(self, deadline: Deadline) -> CountsProof:
        worths = self._worths()
        prices = best_prices(
            worths,
            [len(c.variables) for c in self.lefts],
            [len(c.variables) for c in self.rights],
            deadline,
        )
        gains = [0] * len(self.lefts)
        for (a, b), worth in worths.items():
            gains[a] = max(gains[a], worth - prices[b])
        total = sum(len(c.variables) * gain for c, gain in zip(self.lefts, gains, strict=True))
        total += sum(len(c.variables) * price for c, price in zip(self.rights, prices, strict=True))
        by_variable = {
            j: price for c, price in zip(self.rights, prices, strict=True) for j in c.variables
        }
        return CountsProof(total // self.scale, dict(sorted(by_variable.items())))

    def _worths(self) -> dict[tuple[int, int], int]:
        kinds, credit = self.problem.kinds, self.problem.credit
        share = [max(0, kind.worth) * self.scale // kind.size for kind in kinds]
        holders = defaultdict(list)
        for b, (star, _) in enumerate(self.rights):
            for key, times in star.items():
                holders[key].append((b, times))
        worths: defaultdict[tuple[int, int], int] = defaultdict(int)
        for a, (star, _) in enumerate(self.lefts):
            for key, times in star.items():
                for b, others in holders[key]:
                    worths[a, b] += share[key[0]] * _most(times, others, credit)
        return worths


def _classes(groups: Iterable[Sequence[Occurrence]]) -> list[_Class]:
    stars: defaultdict[int, defaultdict[tuple[int, int], list[int]]]
    stars = defaultdict(lambda: defaultdict(list))
    for k, group in enumerate(groups):
        for variables, times in group:
            for place, variable in enumerate(variables):
                stars[variable][k, place].append(times)
    members: dict[Any, list[int]] = defaultdict(list)
    for variable, star in sorted(stars.items()):
        sorted_star = ((key, tuple(sorted(star[key], reverse=True))) for key in sorted(star))
        members[tuple(sorted_star)].append(variable)
    return [_Class(dict(star), variables) for star, variables in members.items()]
