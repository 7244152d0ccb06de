"""A proof by cases: the dual bound where it is tight enough, a sieve or a case split where not.

*Sieve*: a mapping with a candidate that the assignment would have to be bent for falls short of
the bound by the cost of that. If it then cannot beat the best mapping known, the candidate is out
(fixing by reduced costs), and what is left is smaller.

*Split*: every mapping holds a candidate, and then none of its rivals, or does not hold it. Bounds
for both cases make a bound for all mappings; each is the dual again, with what is ruled out banned.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from heapq import nsmallest
from types import MappingProxyType

from exactmatch.deadline import Deadline, OutOfTime
from exactmatch.dual.descent import Ascent, Incumbent, scale_for
from exactmatch.dual.kernel import relax
from exactmatch.problem import Mapping, MatchingProblem, Pair
from exactmatch.proof import Node, Sieve, Split

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
#: Candidates looked at between two looks at the clock.
_INTERVAL = 256
#: A tree is given up before its cases hold more shares than this: each is kept as a proof.
_MOST_SHARES = 1 << 24
_EMPTY: Mapping = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Proof:
    """A mapping of *problem* that scores *lower*, and a proof that none scores more than *upper*.

    cases: how many cases were looked at; 1 if there was no need to split.
    rest: what is left to be solved: mappings that score more than *lower* score as much here.
    """

    problem: MatchingProblem
    lower: int
    upper: int
    mapping: dict[int, int]
    node: Node
    cases: int
    rest: MatchingProblem


def prove(
    problem: MatchingProblem,
    deadline: Deadline,
    hint: Mapping = _EMPTY,
    rest_by: Deadline | None = None,
) -> Proof:
    """Return the best mapping that is found, and the lowest bound that is proven for all.

    *hint* is a mapping to start from. Stopped by *deadline*, or where too many cases would be
    needed, both hold all the same. What is then left to be solved is worked out *rest_by* some
    later point, if that is given. Raises `OutOfTime` if no bound is found in time.
    """
    incumbent = Incumbent(problem.value(hint), dict(hint)) if hint else Incumbent()
    root = Ascent(relax(problem, rest_by or deadline), incumbent, deadline)
    searches = [_Search(incumbent, *attempt) for attempt in _ATTEMPTS]
    node: Node | None = None
    rest = problem
    with suppress(OutOfTime):
        root.run(_ROOT)
        node = root.leaf() if root.is_closed else _first_proof(searches, root)
    if node is None and rest_by is not None:
        with suppress(OutOfTime):
            rest = root.relaxation.without(root.superfluous()).problem
    return Proof(
        problem=problem,
        lower=incumbent.value,
        upper=root.upper if node is None or root.is_closed else incumbent.value,
        mapping=incumbent.mapping,
        node=node or root.leaf(),
        cases=1 + sum(search.cases for search in searches),
        rest=rest,
    )


def _first_proof(searches: Iterable["_Search"], root: Ascent) -> Node | None:
    found = (search.go_on(root) for search in searches)
    return next((node for node in found if node is not None), None)


def quick_bound(problem: MatchingProblem, deadline: Deadline) -> Proof:
    """Return a bound on the score of any mapping, and the mapping that it suggests.

    The first step of `prove` alone: all shares equal, one assignment (Gilmore 1962, Lawler 1963).
    Raises `OutOfTime` if *deadline* comes first.
    """
    incumbent = Incumbent()
    root = Ascent(relax(problem, deadline), incumbent, deadline)
    return Proof(
        problem=problem,
        lower=incumbent.value,
        upper=root.upper,
        mapping=incumbent.mapping,
        node=root.leaf(),
        cases=1,
        rest=problem,
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    """The two cases of a candidate after a few iterations; *merit* is higher for smaller gaps."""

    merit: int
    candidate: int
    with_pair: Ascent
    without_pair: Ascent


class _Search:
    """Depth first, the case with the pair before the one without.

    Raises `OutOfTime` if the deadline of the relaxation comes first.
    """

    def __init__(self, incumbent: Incumbent, most_cases: int, n_trials: int) -> None:
        self.cases = 0
        self._most_cases = most_cases
        self._n_trials = n_trials
        self._depth = 0
        self._incumbent = incumbent
        self._shares_left = _MOST_SHARES

    def go_on(self, case: Ascent) -> Node | None:
        """Return a proof for a case that its dual leaves open, None if it is given up."""
        case.deadline.check()
        removed = case.superfluous()
        if len(removed) < _SIEVED * len(case.relaxation.candidates):
            return self._split(case)
        score = self._incumbent.value
        relaxation = case.relaxation.without(removed)
        # With a smaller total, the scale may be larger, by a power of 2.
        scale = max(case.scale, scale_for(relaxation))
        shares = relaxation.taken_over(case.shares, case.relaxation, scale // case.scale)
        inner = Ascent(relaxation, self._incumbent, case.deadline, scale=scale, shares=shares)
        rest = self._prove(inner, _ROOT)
        return rest and Sieve(case.leaf(), score, removed, rest)

    def _prove(self, case: Ascent, iterations: int) -> Node | None:
        case.run(iterations)
        return case.leaf() if case.is_closed else self.go_on(case)

    def _split(self, case: Ascent) -> Split | None:
        rivals = _Rivals(case.relaxation.candidates)
        self._shares_left -= 2 * len(case.shares)
        if self.cases >= self._most_cases or self._depth >= _DEEPEST or self._shares_left < 0:
            return None
        torn = _torn(case, rivals, self._n_trials)
        trials = [self._try(case, c, rivals.of(c)) for c in torn]
        if not trials:
            return None
        self.cases += 2
        self._depth += 1
        best = max(trials, key=lambda trial: trial.merit)
        del trials  # they take much memory
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
                case.deadline,
                scale=case.scale,
                shares=case.shares,
                banned=case.banned | banned,
            )
            child.run(_TRIAL, searches=False)
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
    undecided = []
    for c in range(len(case.relaxation.candidates)):
        if c % _INTERVAL == _INTERVAL - 1:
            case.deadline.check()
        if c not in case.banned and not rivals.of(c) <= case.banned:
            undecided.append((-case.disagreement(c), c))
    return [c for _, c in nsmallest(number, undecided)]
