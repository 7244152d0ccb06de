"""A proof by cases: the dual bound where it is tight enough, a case split where it is not.

Every mapping holds a candidate, and then none of its rivals, or does not hold it. Bounds for both
cases make a bound for all mappings; each is the dual again, with what the case rules out banned.
"""

from dataclasses import dataclass
from heapq import nsmallest
from typing import Any

from exactmatch.bounds.ascent import Ascent, Incumbent
from exactmatch.bounds.relaxation import Relaxation
from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem, Pair

#: So many iterations for the problem as it is, and for each case.
_ROOT = 1500
_CASE = 30
#: What to split on is chosen from so many candidates, after so many iterations for both cases.
_TRIALS = 8
_TRIAL = 10
#: The case that stays farther from being closed counts so many times as much as the other.
_WORSE = 8
#: So many cases at most.
_MOST_CASES = 1000


@dataclass(slots=True)
class Leaf:
    """A case that the dual bounds: *shares* are in units of 1 / *scale*, see `Relaxation`."""

    shares: Any
    scale: int
    banned: frozenset[int]


@dataclass(slots=True)
class Split:
    """Two cases: mappings with *pair*, and mappings without it."""

    pair: Pair
    with_pair: "Leaf | Split"
    without_pair: "Leaf | Split"


@dataclass(frozen=True, slots=True)
class Proof:
    """A mapping that scores *lower*, and a proof that no mapping scores more than *upper*.

    cases: how many cases were looked at; 1 if there was no need to split.
    """

    lower: int
    upper: int
    mapping: dict[int, int]
    relaxation: Relaxation
    node: Leaf | Split
    cases: int


def prove(problem: MatchingProblem, deadline: Deadline) -> Proof:
    """Return the best mapping that is found, and the lowest bound that is proven for all.

    Stopped by *deadline*, or where too many cases would be needed, both hold all the same.
    """
    relaxation = Relaxation(problem)
    incumbent = Incumbent(-1, None)
    root = Ascent(relaxation, incumbent)
    root.run(_ROOT, deadline)
    node: Leaf | Split = _leaf(root)
    upper, cases = root.upper, 1
    if not root.is_closed and not deadline.passed():
        search = _Search(relaxation, incumbent, deadline)
        split = search.split(root)
        cases += search.cases
        if split is not None:
            node, upper = split, incumbent.value
    return Proof(
        lower=incumbent.value,
        upper=upper,
        mapping=_mapping(problem.candidates, incumbent.chosen),
        relaxation=relaxation,
        node=node,
        cases=cases,
    )


def quick_bound(problem: MatchingProblem) -> tuple[int, dict[int, int]]:
    """Return a bound on the score of any mapping, and the mapping that it suggests.

    The first step of `prove` alone: all shares equal, one assignment (Gilmore 1962, Lawler 1963).
    """
    incumbent = Incumbent(-1, None)
    upper = Ascent(Relaxation(problem), incumbent).upper
    return upper, _mapping(problem.candidates, incumbent.chosen)


@dataclass(frozen=True, slots=True)
class _Trial:
    """The two cases of a candidate after a few iterations; *merit* is higher for smaller gaps."""

    merit: int
    candidate: int
    with_pair: Ascent
    without_pair: Ascent


class _Search:
    """Depth first, the case with the pair before the one without."""

    def __init__(self, relaxation: Relaxation, incumbent: Incumbent, deadline: Deadline) -> None:
        self.cases = 0
        self._relaxation = relaxation
        self._incumbent = incumbent
        self._deadline = deadline
        self._by_left: dict[int, set[int]] = {}
        self._by_right: dict[int, set[int]] = {}
        for c, (left, right) in enumerate(relaxation.candidates):
            self._by_left.setdefault(left, set()).add(c)
            self._by_right.setdefault(right, set()).add(c)

    def split(self, open_case: Ascent) -> Split | None:
        """Return a proof for a case that its dual leaves open, None if it is given up."""
        trials = [trial for c in self._torn(open_case) if (trial := self._try(open_case, c))]
        if not trials or self._deadline.passed():
            return None
        best = max(trials, key=lambda trial: trial.merit)
        with_pair = self._prove(best.with_pair)
        without_pair = self._prove(best.without_pair) if with_pair else None
        if with_pair is None or without_pair is None:
            return None
        return Split(self._relaxation.candidates[best.candidate], with_pair, without_pair)

    def _prove(self, case: Ascent) -> Leaf | Split | None:
        if self.cases >= _MOST_CASES or self._deadline.passed():
            return None
        self.cases += 1
        case.run(_CASE, self._deadline)
        return _leaf(case) if case.is_closed else self.split(case)

    def _torn(self, case: Ascent) -> list[int]:
        """Return the undecided candidates on which the last few bounds agree least."""
        undecided = [
            (-case.disagreement(c), c)
            for c in range(len(self._relaxation.candidates))
            if c not in case.banned and not self._rivals(c) <= case.banned
        ]
        return [c for _, c in nsmallest(_TRIALS, undecided)]

    def _rivals(self, candidate: int) -> set[int]:
        """Return the candidates that share a variable with *candidate*."""
        left, right = self._relaxation.candidates[candidate]
        return (self._by_left[left] | self._by_right[right]) - {candidate}

    def _try(self, case: Ascent, candidate: int) -> _Trial | None:
        """Begin with both cases of *candidate*, to see how far the bound sinks."""
        if self._deadline.passed():
            return None
        cases = []
        for banned in (self._rivals(candidate), {candidate}):
            child = Ascent(
                self._relaxation,
                self._incumbent,
                shares=case.shares,
                banned=case.banned | banned,
            )
            child.run(_TRIAL, self._deadline, searches=False)
            cases.append(child)
        smaller, larger = sorted(child.gap() for child in cases)
        return _Trial(-(_WORSE * larger + smaller), candidate, *cases)


def _mapping(candidates: tuple[Pair, ...], chosen: Any) -> dict[int, int]:
    return dict(pair for pair, flag in zip(candidates, chosen, strict=True) if flag)


def _leaf(case: Ascent) -> Leaf:
    return Leaf(case.shares, case.scale, case.banned)
