"""Upper bounds from the triples of each side, without any term.

*Labels*: a one-to-one mapping matches the triples of a kind one to one. So they count no more than
if the most frequent triples of both sides matched, then the second most frequent, and so on.

*Stars*: each match gives its worth in equal parts to its pairs of variables. So a pair is worth no
more than the label bound of the triples around its two variables, and the best assignment of these
worths bounds all mappings (Gilmore 1962, Lawler 1963, for stars without other ends). Any prices of
right variables prove a bound; those of the linear program, which is solved for classes of variables
with equal stars, prove the best one.

The checker computes both anew: see `exactmatch.certificate.checker`, which has the proofs.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from math import lcm
from typing import Any, NamedTuple

from exactmatch.problem.compact import CompactProblem, Occurrence
from exactmatch.problem.joining import Occurrences, credit
from exactmatch.solving.dual.transportation import best_prices
from exactmatch.stopping.deadline import Deadline, OutOfTime

#: With more pairs of classes, only labels give the bound. The checker has the same limit.
MOST_CLASSES = 250_000

#: Triples between two looks at the clock.
_INTERVAL = 10_000

#: By kind and place in it, how often the triples with a variable there occur; the most frequent
#: first.
_Star = Mapping[tuple[int, int], Sequence[int]]


@dataclass(frozen=True, slots=True)
class CountsProof:
    """A proof that no mapping scores more than *upper*: by labels alone, or by *prices*."""

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
    """Return the better of both bounds; after *deadline*, prices are not computed."""
    by_labels = CountsProof(_label_bound(problem), None)
    try:
        deadline.check()
        stars = _Stars.of(problem, deadline)
        if len(stars.lefts) * len(stars.rights) > most_classes:
            return by_labels
        by_stars = stars.prove(deadline)
    except OutOfTime:
        return by_labels
    return by_stars if by_stars.upper < by_labels.upper else by_labels


def prove_by_labels(
    system: Occurrences,
    gold: Occurrences,
    worths: Mapping[Any, Sequence[tuple[Any, int]]],
    duplicates: str,
) -> CountsProof:
    """Return the bound by labels alone, which needs no problem to be built.

    *system* and *gold* are the triples of both sides by label. *worths* gives, for each label, the
    labels that it matches, and the value of each match.
    """
    how_often = partial(credit, duplicates=duplicates)
    theirs = {label: _times_by_pattern(alike) for label, alike in gold.items()}
    total = 0
    for label, alike in system.items():
        ours = _times_by_pattern(alike)
        for other, worth in worths[label]:
            for pattern, times in theirs.get(other, {}).items():
                total += max(0, worth) * _most(ours.get(pattern, ()), times, how_often)
    return CountsProof(total, None)


def _times_by_pattern(
    alike: Sequence[tuple[int, ...]],
) -> Mapping[tuple[int, ...], Sequence[int]]:
    """Return how often triples of a label occur, the most frequent first, by equal variables."""
    found: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for times, *variables in alike:
        if variables:
            found[tuple([variables.index(variable) for variable in variables])].append(times)
    return {pattern: sorted(times, reverse=True) for pattern, times in found.items()}


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
    """Variables with the same *star*."""

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
    def of(cls, problem: CompactProblem, deadline: Deadline) -> "_Stars":
        """Return the stars of *problem*; raise `OutOfTime` if *deadline* comes first."""
        return cls(
            lefts=_classes([kind.left for kind in problem.kinds], deadline),
            rights=_classes([kind.right for kind in problem.kinds], deadline),
            problem=problem,
            scale=lcm(*(kind.size for kind in problem.kinds)),
        )

    def prove(self, deadline: Deadline) -> CountsProof:
        worths = self._worths(deadline)
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

    def _worths(self, deadline: Deadline) -> dict[tuple[int, int], int]:
        kinds, credit = self.problem.kinds, self.problem.credit
        share = [max(0, kind.worth) * self.scale // kind.size for kind in kinds]
        holders = defaultdict(list)
        for b, (star, _) in enumerate(self.rights):
            for key, times in star.items():
                holders[key].append((b, times))
        worths: defaultdict[tuple[int, int], int] = defaultdict(int)
        for a, (star, _) in enumerate(self.lefts):
            for key, times in star.items():
                if len(holders[key]) * len(times) > _INTERVAL:
                    deadline.check()
                for b, others in holders[key]:
                    worths[a, b] += share[key[0]] * _most(times, others, credit)
        return worths


def _classes(groups: Iterable[Sequence[Occurrence]], deadline: Deadline) -> list[_Class]:
    stars: defaultdict[int, defaultdict[tuple[int, int], list[int]]]
    stars = defaultdict(lambda: defaultdict(list))
    looked_at = 0
    for k, group in enumerate(groups):
        for variables, times in group:
            looked_at += 1
            if looked_at % _INTERVAL == 0:
                deadline.check()
            for place, variable in enumerate(variables):
                stars[variable][k, place].append(times)
    members: dict[Any, list[int]] = defaultdict(list)
    for variable, star in sorted(stars.items()):
        sorted_star = ((key, tuple(sorted(star[key], reverse=True))) for key in sorted(star))
        members[tuple(sorted_star)].append(variable)
    return [_Class(dict(star), variables) for star, variables in members.items()]
