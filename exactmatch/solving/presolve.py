"""Make a matching problem smaller without losing its optimum.

For a pair p, let base(p) be the weight of the terms of p alone, which every mapping with p scores,
and most(p) a bound on what p adds to any mapping, from the terms that hold it (`star_bounds`). The
rivals of p are the pairs that share its left or its right variable.

*Forced*: if base(p) is at least the largest most(q) among the rivals on the left plus the largest
among those on the right, some best mapping holds p. Proof by exchange: a mapping without p holds
at most one rival on each side; without these two it loses no more than the two bounds, since each
term that it loses holds one of them, and with p in their place it gains base(p) or more.

*Dominated*: if base(p) is at least most(q) for a rival q on one side, plus the largest bound of the
rivals on the other side, some best mapping does not hold q. Proof: in a mapping with q, p can take
its place; that costs at most q and one rival on the other side.

A forced pair is removed from all terms, so that some become terms of its neighbours alone, and the
rules are tried again until nothing changes. Bounds computed before a change still hold after it:
base only grows and most only shrinks.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from exactmatch.problem import Mapping, MatchingProblem, Pair, Term, others
from exactmatch.stopping.deadline import NEVER, Deadline, OutOfTime, looking

#: The largest share for a candidate and some other variables on one side.
_Largest = dict[tuple[Pair, tuple[int, ...]], int]


@dataclass(frozen=True, slots=True)
class Presolved:
    """A smaller problem, the forced pairs, and their score.

    The optimum of the original problem is that of *problem* plus *gained*.
    """

    problem: MatchingProblem
    forced: dict[int, int]
    gained: int

    def undo(self, mapping: Mapping) -> dict[int, int]:
        """Return the mapping of the original problem for a mapping of the smaller one."""
        return {**self.forced, **mapping}


def presolve(problem: MatchingProblem, deadline: Deadline) -> Presolved:
    """Return *problem* without forced and dominated pairs, as far as *deadline* allows."""
    forced: dict[int, int] = {}
    gained = 0
    with suppress(OutOfTime):
        while True:
            deadline.check()
            taken, dropped = _decide(problem, deadline)
            if not taken and not dropped:
                break
            problem, more = _without(problem, set(taken), dropped)
            forced.update(taken)
            gained += more
    return Presolved(problem, forced, gained)


def _decide(problem: MatchingProblem, deadline: Deadline) -> tuple[list[Pair], set[Pair]]:
    """Return forced pairs, and pairs that are dominated or rivals of forced ones.

    Raises `OutOfTime`.
    """
    bounds = star_bounds(problem, [term.weight for term in problem.terms], deadline)
    base = {term.pairs[0]: term.weight for term in problem.terms if len(term.pairs) == 1}
    on_left, on_right = _Sides(bounds, 0), _Sides(bounds, 1)
    taken: list[Pair] = []
    dropped: set[Pair] = set()
    for pair, own in looking(base.items(), deadline):
        if pair in dropped:
            continue
        most_left, most_right = on_left.most(pair), on_right.most(pair)
        if own >= most_left + most_right:
            taken.append(pair)
            dropped.update(on_left.rivals(pair), on_right.rivals(pair))
        if own > most_right:
            dropped.update(q for q in on_left.rivals(pair) if own >= bounds[q] + most_right)
        if own > most_left:
            dropped.update(q for q in on_right.rivals(pair) if own >= bounds[q] + most_left)
    return taken, dropped


class _Sides:
    """The candidates by their variable on one side, with the two largest bounds of each."""

    def __init__(self, bounds: dict[Pair, int], side: int) -> None:
        self._side = side
        self._bounds = bounds
        self._groups: dict[int, list[Pair]] = {}
        for pair in bounds:
            self._groups.setdefault(pair[side], []).append(pair)
        self._largest = {
            variable: sorted(map(bounds.__getitem__, group), reverse=True)[:2]
            for variable, group in self._groups.items()
        }

    def rivals(self, pair: Pair) -> list[Pair]:
        """Return the other candidates of the same variable."""
        return [other for other in self._groups[pair[self._side]] if other != pair]

    def most(self, pair: Pair) -> int:
        """Return the largest bound among the rivals of *pair*, 0 if there are none."""
        largest = self._largest[pair[self._side]]
        rest = largest[1:] if self._bounds[pair] == largest[0] else largest
        return rest[0] if rest else 0


def _without(
    problem: MatchingProblem, taken: set[Pair], dropped: set[Pair]
) -> tuple[MatchingProblem, int]:
    """Return the problem with *taken* mapped and without *dropped*, and the score gained."""
    weights: Counter[tuple[Pair, ...]] = Counter()
    for weight, pairs in problem.terms:
        if not any(pair in dropped for pair in pairs):
            weights[tuple(pair for pair in pairs if pair not in taken)] += weight
    gained = weights.pop((), 0)
    smaller = MatchingProblem(
        problem.n_left,
        problem.n_right,
        terms=tuple(Term(weight, pairs) for pairs, weight in sorted(weights.items())),
    )
    return smaller, gained


def star_bounds(
    problem: MatchingProblem, shares: Sequence[int], deadline: Deadline = NEVER
) -> dict[Pair, int]:
    """Return bounds, for each candidate, on the *shares* of the terms scored together with it.

    *shares* holds a number >= 0 for each term. Terms of the candidate alone are always scored
    with it. Of the others, those that ask for other images of the same left variables exclude
    each other, so that the largest of them counts; likewise for right variables, and the
    smaller of the two sums holds. Raises `OutOfTime`.
    """
    own = dict.fromkeys(problem.candidates, 0)
    by_left: _Largest = {}
    by_right: _Largest = {}
    shared = zip(problem.terms, shares, strict=True)
    for (_, pairs), share in looking(shared, deadline):
        if len(pairs) == 1:
            own[pairs[0]] += share
            continue
        for pair in pairs:
            key = (pair, others(pairs, pair, 0))
            if share > by_left.get(key, 0):
                by_left[key] = share
            key = (pair, others(pairs, pair, 1))
            if share > by_right.get(key, 0):
                by_right[key] = share
    most_left, most_right = _sums(by_left), _sums(by_right)
    return {pair: alone + min(most_left[pair], most_right[pair]) for pair, alone in own.items()}


def _sums(largest: _Largest) -> defaultdict[Pair, int]:
    sums: defaultdict[Pair, int] = defaultdict(int)
    for (pair, _), share in largest.items():
        sums[pair] += share
    return sums
