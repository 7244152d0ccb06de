"""A proof by cases: the dual bound where it is tight enough, a sieve or a case split where not.

*Sieve*: a mapping with a candidate that the assignment would have to be bent for falls short of
the bound by the cost of that. If it then cannot beat the best mapping known, the candidate is out
(fixing by reduced costs), and what is left is smaller.

*Split*: every mapping holds a candidate, and then none of its rivals, or does not hold it. Bounds
for both cases make a bound for all mappings; each is the dual again, with what is ruled out banned.
"""

from collections.abc import Sequence
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
#: What to split on is chosen after so many iterations for both cases.
_TRIAL = 10
#: The case that stays farther from being closed counts so many times as much as the other.
_WORSE = 8
#: Superfluous pairs are sieved out if they are this part of all.
_SIEVED = 0.2
#: The search begins anew after so many cases, each time choosing what to split on from so many
#: candidates: trees differ a lot in size, and by then better mappings are known.
_ATTEMPTS = ((60, 8), (60, 16), (60, 5), (300, 12), (300, 7), (2000, 16), (2000, 8))
#: And so many splits one below the other: both this search and the checker are recursive.
_DEEPEST = 150


@dataclass(frozen=True, slots=True)
class Leaf:
    """A case that the dual bounds: *shares* are in units of 1 / *scale*, see `Relaxation`."""

    relaxation: Relaxation
    shares: Any
    scale: int
    banned: frozenset[int]


@dataclass(frozen=True, slots=True)
class Split:
    """Two cases: mappings with *pair*, and mappings without it."""

    pair: Pair
    with_pair: "Node"
    without_pair: "Node"


@dataclass(frozen=True, slots=True)
class Sieve:
    """A bound that shows which pairs are in no mapping of a score above *score*, and the rest.

    *removed* are these candidates of the relaxation of *leaf*, and those that were banned there.
    """

    leaf: Leaf
    score: int
    removed: frozenset[int]
    rest: "Node"


Node = Leaf | Split | Sieve


@dataclass(frozen=True, slots=True)
class Proof:
    """A mapping that scores *lower*, and a proof that no mapping scores more than *upper*.

    cases: how many cases were looked at; 1 if there was no need to split.
    rest: what is left to be solved: mappings that score more than *lower* score as much here.
    """

    lower: int
    upper: int
    mapping: dict[int, int]
    node: Node
    cases: int
    rest: MatchingProblem


def prove(problem: MatchingProblem, deadline: Deadline) -> Proof:
    """Return the best mapping that is found, and the lowest bound that is proven for all.

    Stopped by *deadline*, or where too many cases would be needed, both hold all the same.
    """
    incumbent = Incumbent()
    root = Ascent(Relaxation(problem), incumbent)
    root.run(_ROOT, deadline)
    node: Node | None = _leaf(root) if root.is_closed else None
    cases = 1
    for most_cases, n_trials in _ATTEMPTS if node is None else ():
        search = _Search(incumbent, deadline, most_cases, n_trials)
        node = search.go_on(root)
        cases += search.cases
        if node is not None or deadline.passed():
            break
    upper = root.upper if node is None or root.is_closed else incumbent.value
    rest = problem if node else root.relaxation.without(root.superfluous()).problem
    return Proof(
        lower=incumbent.value,
        upper=upper,
        mapping=incumbent.mapping,
        node=node or _leaf(root),
        cases=cases,
        rest=rest,
    )


def quick_bound(problem: MatchingProblem) -> tuple[int, dict[int, int]]:
    """Return a bound on the score of any mapping, and the mapping that it suggests.

    The first step of `prove` alone: all shares equal, one assignment (Gilmore 1962, Lawler 1963).
    """
    incumbent = Incumbent()
    upper = Ascent(Relaxation(problem), incumbent).upper
    return upper, incumbent.mapping


@dataclass(frozen=True, slots=True)
class _Trial:
    """The two cases of a candidate after a few iterations; *merit* is higher for smaller gaps."""

    merit: int
    candidate: int
    with_pair: Ascent
    without_pair: Ascent


class _Search:
    """Depth first, the case with the pair before the one without."""

    def __init__(
        self, incumbent: Incumbent, deadline: Deadline, most_cases: int, n_trials: int
    ) -> None:
        self.cases = 0
        self._most_cases = most_cases
        self._n_trials = n_trials
        self._depth = 0
        self._incumbent = incumbent
        self._deadline = deadline

    def go_on(self, case: Ascent) -> Node | None:
        """Return a proof for a case that its dual leaves open, None if it is given up."""
        if self._deadline.passed():
            return None
        removed = case.superfluous()
        if len(removed) < _SIEVED * len(case.relaxation.candidates):
            return self._split(case)
        score = self._incumbent.value
        relaxation = case.relaxation.without(removed)
        shares = relaxation.taken_over(case.shares, case.relaxation)
        rest = self._prove(Ascent(relaxation, self._incumbent, shares=shares), _ROOT)
        return rest and Sieve(_leaf(case), score, removed, rest)

    def _prove(self, case: Ascent, iterations: int) -> Node | None:
        case.run(iterations, self._deadline)
        return _leaf(case) if case.is_closed else self.go_on(case)

    def _split(self, case: Ascent) -> Split | None:
        rivals = _Rivals(case.relaxation.candidates)
        if self.cases >= self._most_cases or self._depth >= _DEEPEST:
            return None
        torn = _torn(case, rivals, self._n_trials)
        trials = [self._try(case, c, rivals.of(c)) for c in torn]
        if not trials or self._deadline.passed():
            return None
        self.cases += 2
        self._depth += 1
        best = max(trials, key=lambda trial: trial.merit)
        with_pair = self._prove(best.with_pair, _CASE)
        without_pair = with_pair and self._prove(best.without_pair, _CASE)
        self._depth -= 1
        if with_pair is None or without_pair is None:
            return None
        return Split(case.relaxation.candidates[best.candidate], with_pair, without_pair)

    def _try(self, case: Ascent, candidate: int, rivals: set[int]) -> _Trial:
        """Begin with both cases of *candidate*, to see how far the bound sinks."""
        cases = []
        for banned in (rivals, {candidate}):
            child = Ascent(
                case.relaxation,
                self._incumbent,
                shares=case.shares,
                banned=case.banned | banned,
            )
            child.run(_TRIAL, self._deadline, searches=False)
            cases.append(child)
        smaller, larger = sorted(child.gap() for child in cases)
        return _Trial(-(_WORSE * larger + smaller), candidate, *cases)


class _Rivals:
    """The candidates that share a variable with another one."""

    def __init__(self, candidates: Sequence[Pair]) -> None:
        self._candidates = candidates
        self._by_left: dict[int, set[int]] = {}
        self._by_right: dict[int, set[int]] = {}
        for c, (left, right) in enumerate(candidates):
            self._by_left.setdefault(left, set()).add(c)
            self._by_right.setdefault(right, set()).add(c)

    def of(self, candidate: int) -> set[int]:
        """Return the rivals of *candidate*."""
        left, right = self._candidates[candidate]
        return (self._by_left[left] | self._by_right[right]) - {candidate}


def _torn(case: Ascent, rivals: _Rivals, number: int) -> list[int]:
    """Return the *number* undecided candidates on which the last few bounds agree least."""
    undecided = [
        (-case.disagreement(c), c)
        for c in range(len(case.relaxation.candidates))
        if c not in case.banned and not rivals.of(c) <= case.banned
    ]
    return [c for _, c in nsmallest(number, undecided)]


def _leaf(case: Ascent) -> Leaf:
    return Leaf(case.relaxation, case.shares, case.scale, case.banned)
