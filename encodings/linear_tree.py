"""Branch and bound by linear relaxations, whose duals are proofs of the bounds.

The relaxation is that of the grouped program (``encodings/README.md``). Its dual values divide each
term among its pairs: a pair of a term gets the dual values of its two rows with that term, one for
the left variables and one for the right ones. By such shares, the dual bound of exactmatch is that
of the relaxation, so a tree of cases with shares is a proof in the form of certificates
(`exactmatch.certificate.checker`, leaves and splits). Whoever reads the tree computes its bounds
anew, in whole numbers; nothing here has to be trusted.

Cliques that the first relaxation violates are added to it, as long as they pay
(`exactmatch.encodings.linear_relaxation`). Each case has them, and so multipliers of its own.

Each case starts the dual simplex method of GLOP from the basis of the case above it. The pair to
branch on is the one whose two cases lower the bound most. That is known from other cases with the
pair (Benichou et al. 1971); of pairs that are new, those with a value near one half are tried, by a
few iterations for each case (strong branching).
"""

from itertools import chain

from ortools.math_opt.python import mathopt

from exactmatch.encodings.base import Encoding, Outcome, OwnWork, Split, Tree
from exactmatch.encodings.linear_relaxation import NOISE, LinearRelaxation, Relaxed, TrialStart
from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.stopping.deadline import Deadline, OutOfTime

#: A case ends so much below the next score, in parts of a triple, since shares will be rounded.
_MARGIN = 0.02
#: So many new pairs are tried before a branch.
_NEW = 1
#: So many times at most, cliques are added, and as long as they lower the bound by this part of
#: what is missing.
_ROUNDS, _LEAST_GAIN = 40, 0.01
#: The least fall of a bound that counts: a pair with one effective case is better than none.
_LEAST = 1e-3
#: If the known bound leaves a gap, the first relaxation may leave one so many times as large.
_FARTHER = 2
#: More branches than these one below the other are not followed: readers of trees are recursive.
_DEEPEST = 100
#: A tree is hopeless, and given up, if its first cases close less than this part of it: the root is
#: 1, and each case has half of the part of the one above.
_FIRST_CASES, _LEAST_CLOSED = 20, 0.02


class LinearTree:
    """A tree of linear relaxations of the grouped program."""

    name = "linear-tree"

    def solve(
        self,
        problem: MatchingProblem,
        *,
        hint: Mapping,
        upper: int,
        deadline: Deadline,
        seed: int,
    ) -> Outcome:
        """Solve *problem*: see `exactmatch.encodings.base.Encoding`.

        The outcome has the tree if it is complete, and then its bound; without one, *upper* is all
        that is known. *seed* is not used. Raises `OutOfTime` if *deadline* comes before the program
        of the first relaxation is written.
        """
        search = _TreeSearch(problem, dict(hint), deadline)
        tree = search.tree(upper)
        lower = search.lower
        search.work.found(lower)
        if tree is None:
            return Outcome(lower, max(lower, upper), search.mapping, search.work.own)
        search.work.bounded(lower)
        return Outcome(lower, lower, search.mapping, search.work.own, tree)


class _GaveUp(Exception):  # noqa: N818
    """A relaxation was not solved, or the tree is too deep, or hopeless."""


class _TreeSearch:
    """Branch and bound, depth first; *mapping* is the best one so far, and *lower* its score."""

    def __init__(
        self, problem: MatchingProblem, mapping: dict[int, int], deadline: Deadline
    ) -> None:
        self.work = OwnWork()
        self.mapping = mapping
        self.lower = problem.value(mapping)
        self._problem = problem
        self._relaxation = LinearRelaxation(problem, deadline)
        self._groups = _groups(problem)
        self._falls = _Falls()
        self._n_cases = 0
        self._closed = 0.0  # the part of the tree in closed cases

    def tree(self, upper: int) -> Tree | None:
        """Return the tree that proves the best mapping; None if it is given up, or time is over.

        *upper* is a known bound.
        """
        try:
            return self._prove(frozenset(), self._root(upper), 0)
        except (_GaveUp, OutOfTime):
            return None

    def _solved(self, banned: frozenset[int], basis: mathopt.Basis | None) -> Relaxed:
        relaxed = self._relaxation.solve(banned, basis)
        if relaxed is None:
            raise _GaveUp
        return relaxed

    def _root(self, upper: int) -> Relaxed:
        """Solve the relaxation of the whole problem, with the cliques that lower its value."""
        relaxed = self._solved(frozenset(), None)
        if upper > self.lower and self._enough(relaxed) > _FARTHER * (upper - self.lower):
            raise _GaveUp  # what has given the bound is stronger
        for _ in range(_ROUNDS):
            if self._is_closed(relaxed) or not self._relaxation.cut_off(relaxed):
                break
            before = relaxed
            relaxed = self._solved(frozenset(), self._relaxation.completed(before.basis))
            if before.value - relaxed.value < _LEAST_GAIN * self._enough(before):
                break
        self._relaxation.keep_binding(relaxed)
        return relaxed._replace(basis=self._relaxation.completed(relaxed.basis))

    def _is_closed(self, relaxed: Relaxed) -> bool:
        return relaxed.value <= self.lower + 1 - _MARGIN

    def _prove(self, banned: frozenset[int], relaxed: Relaxed, depth: int) -> Tree:
        self._n_cases += 1
        open_ones = self._open_candidates(banned, relaxed)
        if not open_ones:
            self._take(relaxed)
        if self._is_closed(relaxed):
            self._closed += 0.5**depth
            return self._relaxation.bounded(relaxed, banned)
        is_hopeless = self._n_cases >= _FIRST_CASES and self._closed < _LEAST_CLOSED
        if is_hopeless or depth == _DEEPEST or not open_ones:
            raise _GaveUp
        c = self._best(banned, relaxed, open_ones)
        cases = []
        for side, left_out in enumerate(self._cases(banned, c)):
            case = self._solved(left_out, relaxed.basis)
            self._falls.note((c, side), relaxed.value - case.value)
            cases.append(self._prove(left_out, case, depth + 1))
        return Split(self._problem.candidates[c], *cases)

    def _open_candidates(self, banned: frozenset[int], relaxed: Relaxed) -> list[int]:
        """Return the candidates that the relaxation neither takes nor leaves out, but for the free.

        A free one has no rivals left. To branch on it changes nothing, and a mapping may hold it.
        """
        return [
            c
            for c, value in enumerate(relaxed.chosen)
            if NOISE < value < 1 - NOISE and c not in banned and not self._rivals(c) <= banned
        ]

    def _take(self, relaxed: Relaxed) -> None:
        """Take the mapping of a relaxed solution without open candidates, if it is better.

        It holds the free candidates that are present in part.
        """
        pairs = zip(self._problem.candidates, relaxed.chosen, strict=True)
        mapping = dict(pair for pair, value in pairs if value > NOISE)
        value = self._problem.value(mapping)
        if value > self.lower and len({*mapping.values()}) == len(mapping):
            self.mapping, self.lower = mapping, value

    def _cases(self, banned: frozenset[int], c: int) -> tuple[frozenset[int], frozenset[int]]:
        """Return what the case with candidate *c* leaves out, and the case without it."""
        return banned | self._rivals(c), banned | {c}

    def _rivals(self, c: int) -> frozenset[int]:
        """Return the candidates that no mapping with candidate *c* holds."""
        return frozenset(chain(*self._groups[c])) - {c}

    def _best(self, banned: frozenset[int], relaxed: Relaxed, open_ones: list[int]) -> int:
        """Return the candidate to branch on, of those that are known and a few new ones."""
        known = [c for c in open_ones if c in self._falls]
        new = [c for c in open_ones if c not in self._falls]
        new.sort(key=lambda c: (abs(relaxed.chosen[c] - 0.5), c))
        if new:
            self._try(banned, relaxed, new[:_NEW])
        enough = self._enough(relaxed)
        return max(known + new[:_NEW], key=lambda c: (self._falls.merit(c, enough), -c))

    def _try(self, banned: frozenset[int], relaxed: Relaxed, candidates: list[int]) -> None:
        start = TrialStart(relaxed.basis)
        for c in candidates:
            for side, left_out in enumerate(self._cases(banned, c)):
                bound = self._relaxation.bound(left_out, start)
                if bound is None:
                    raise _GaveUp
                self._falls.note((c, side), relaxed.value - bound)

    def _enough(self, above: Relaxed) -> float:
        """Return how far a bound has to fall."""
        return above.value - self.lower - 1 + _MARGIN


class _Falls:
    """How far bounds fell in the cases with candidates (side 0), and without (side 1), by mean."""

    def __init__(self) -> None:
        self._falls: dict[tuple[int, int], tuple[float, int]] = {}

    def __contains__(self, candidate: int) -> bool:
        return (candidate, 0) in self._falls

    def note(self, case: tuple[int, int], fall: float) -> None:
        """Note one more *fall*, in a *case* of a candidate and a side."""
        total, number = self._falls.get(case, (0.0, 0))
        self._falls[case] = (total + max(0.0, fall), number + 1)

    def merit(self, candidate: int, enough: float) -> float:
        """Return the product of both falls, as far as they are needed; *enough* closes a case."""
        merit = 1.0
        for side in (0, 1):
            total, number = self._falls[candidate, side]
            merit *= max(_LEAST, min(total / number, enough))
        return merit


def _groups(problem: MatchingProblem) -> list[list[tuple[int, ...]]]:
    """Return, by candidate, the groups of candidates that share a variable with it."""
    groups: list[list[tuple[int, ...]]] = [[] for _ in problem.candidates]
    for group in problem.rivals:
        for c in group:
            groups[c].append(group)
    return groups


ENCODING: Encoding = LinearTree()
