"""Branch and bound by linear relaxations, whose duals are proofs of the bounds.

The relaxation is that of the grouped program (``encodings/README.md``). Its dual values divide each
term among its pairs: a pair of a term gets the dual values of its two rows with that term, one for
the left variables and one for the right ones. By such shares, the dual bound of exactmatch is that
of the relaxation, so a tree of cases with shares is a proof in the form of certificates
(`exactmatch.certificate.checker`, leaves and splits). Whoever reads the tree computes its bounds
anew, in whole numbers; nothing here has to be trusted.

Each case starts the dual simplex method of GLOP from the basis of the case above it. The pair to
branch on is the one whose two cases lower the bound most, of a few that are tried (strong
branching): pairs that were effective elsewhere, and new ones with a value near one half.
"""

import datetime
import math
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from ortools.math_opt.python import mathopt

from exactmatch.encodings.base import Bounded, Encoding, Outcome, OwnWork, Split, Tree
from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.problem.linear_program import grouped
from exactmatch.stopping.deadline import Deadline

#: A case ends so much below the next score, in parts of a triple, since shares will be rounded.
_MARGIN = 0.02
#: Values in floating point that are so near to 0 or 1 are meant to be 0 or 1.
_NOISE = 1e-6
#: So many effective pairs, and so many new ones, are tried before a branch.
_AGAIN, _NEW = 4, 4
#: The least effect of a case that counts: a pair with one effective case is better than none.
_LEAST = 1e-3
#: More branches than these one below the other are not followed: readers of trees are recursive.
_DEEPEST = 100
#: A year in seconds, the largest time limit that is needed.
_LONGEST = 3e7


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
        that is known. *seed* is not used. Raises `OutOfTime` if *deadline* comes first.
        """
        search = _TreeSearch(problem, dict(hint), deadline)
        tree = search.tree()
        lower = search.lower
        search.work.found(lower)
        if tree is None:
            return Outcome(lower, max(lower, upper), search.mapping, search.work.own)
        search.work.bounded(lower)
        return Outcome(lower, lower, search.mapping, search.work.own, tree)


class _Relaxed(NamedTuple):
    """A solved relaxation: its value, those of the candidates, and what the next one starts from.

    duals: of the rows for groups of terms, in order.
    """

    value: float
    chosen: Sequence[float]
    duals: Sequence[float]
    basis: mathopt.Basis


class _Relaxation:
    """The linear relaxation of *problem*, in which candidates can be banned."""

    def __init__(self, problem: MatchingProblem, deadline: Deadline) -> None:
        program = grouped(problem, deadline)
        self._deadline = deadline
        self._model = mathopt.Model()
        variables = [self._model.add_variable(lb=0.0, ub=1.0) for _ in program.names]
        rows = []
        for summands, limit in program.rows:
            row = self._model.add_linear_constraint(ub=limit)
            for coefficient, position in summands:
                row.set_coefficient(variables[position], coefficient)
            rows.append(row)
        self._model.objective.is_maximize = True
        for weight, position in program.objective:
            self._model.objective.set_linear_coefficient(variables[position], weight)
        self._candidates = variables[: len(problem.candidates)]
        self._groups = rows[len(rows) - len(problem.grouped_rows) :]
        self._solver = mathopt.IncrementalSolver(self._model, mathopt.SolverType.GLOP)

    def solve(self, banned: frozenset[int], basis: mathopt.Basis | None) -> _Relaxed | None:
        """Solve the relaxation without *banned* candidates; None if GLOP fails.

        Raises `OutOfTime` if the deadline comes first.
        """
        self._deadline.check()
        parameters = mathopt.SolveParameters(
            presolve=mathopt.Emphasis.OFF, lp_algorithm=mathopt.LPAlgorithm.DUAL_SIMPLEX
        )
        if not math.isinf(self._deadline.due()):
            seconds = min(self._deadline.remaining(), _LONGEST)
            parameters.time_limit = datetime.timedelta(seconds=seconds)
        start = mathopt.ModelSolveParameters(initial_basis=basis)
        for c in banned:
            self._candidates[c].upper_bound = 0.0
        try:
            result = self._solver.solve(params=parameters, model_params=start)
        except (AttributeError, RuntimeError, ValueError):  # OR-tools does not say how it failed
            return None
        for c in banned:
            self._candidates[c].upper_bound = 1.0
        self._deadline.check()
        if result.termination.reason != mathopt.TerminationReason.OPTIMAL:
            return None
        found = result.solutions[0].basis
        if found is None:
            return None
        return _Relaxed(
            value=result.objective_value(),
            chosen=result.variable_values(self._candidates),
            duals=result.dual_values(self._groups),
            basis=found,
        )


class _GaveUp(Exception):  # noqa: N818
    """A relaxation was not solved, or the tree is too deep."""


class _TreeSearch:
    """Branch and bound, depth first; *mapping* is the best one so far, and *lower* its score."""

    def __init__(
        self, problem: MatchingProblem, mapping: dict[int, int], deadline: Deadline
    ) -> None:
        self.work = OwnWork()
        self.mapping = mapping
        self.lower = problem.value(mapping)
        self._problem = problem
        self._relaxation = _Relaxation(problem, deadline)
        self._rivals = _rivals(problem)
        self._place = _places(problem)
        self._effects: dict[int, float] = {}

    def tree(self) -> Tree | None:
        """Return the tree that proves the best mapping; None if it is given up."""
        try:
            return self._prove(frozenset(), self._solved(frozenset(), None), 0)
        except _GaveUp:
            return None

    def _solved(self, banned: frozenset[int], basis: mathopt.Basis | None) -> _Relaxed:
        relaxed = self._relaxation.solve(banned, basis)
        if relaxed is None:
            raise _GaveUp
        return relaxed

    def _is_closed(self, relaxed: _Relaxed) -> bool:
        return relaxed.value <= self.lower + 1 - _MARGIN

    def _prove(self, banned: frozenset[int], relaxed: _Relaxed, depth: int) -> Tree:
        if self._is_closed(relaxed):
            return self._bounded(relaxed)
        open_ones = self._open_candidates(banned, relaxed)
        if not open_ones:
            self._take(relaxed)
            if self._is_closed(relaxed):
                return self._bounded(relaxed)
        if depth == _DEEPEST or not open_ones:
            raise _GaveUp
        c, with_pair, without_pair = self._branched(banned, relaxed, open_ones)
        rivals = banned | self._rivals[c]
        return Split(
            self._problem.candidates[c],
            self._prove(rivals, with_pair, depth + 1),
            self._prove(banned | {c}, without_pair, depth + 1),
        )

    def _open_candidates(self, banned: frozenset[int], relaxed: _Relaxed) -> list[int]:
        """Return the candidates that the relaxation neither takes nor leaves out."""
        return [
            c
            for c, value in enumerate(relaxed.chosen)
            if _NOISE < value < 1 - _NOISE and c not in banned
        ]

    def _take(self, relaxed: _Relaxed) -> None:
        """Take the mapping of a relaxed solution that is a mapping, if it is better."""
        pairs = zip(self._problem.candidates, relaxed.chosen, strict=True)
        mapping = dict(pair for pair, value in pairs if value > 0.5)
        value = self._problem.value(mapping)
        if value > self.lower and len({*mapping.values()}) == len(mapping):
            self.mapping, self.lower = mapping, value

    def _branched(
        self, banned: frozenset[int], relaxed: _Relaxed, open_ones: list[int]
    ) -> tuple[int, _Relaxed, _Relaxed]:
        """Return the candidate to branch on, and its two cases."""
        best: tuple[int, _Relaxed, _Relaxed] | None = None
        most = -1.0
        for c in self._to_try(relaxed, open_ones):
            with_pair = self._solved(banned | self._rivals[c], relaxed.basis)
            without_pair = self._solved(banned | {c}, relaxed.basis)
            effect = self._effect(relaxed, with_pair) * self._effect(relaxed, without_pair)
            self._effects[c] = effect
            if effect > most:
                best, most = (c, with_pair, without_pair), effect
        assert best is not None
        return best

    def _effect(self, above: _Relaxed, case: _Relaxed) -> float:
        """Return how far a case lowers the bound, as far as that is needed."""
        enough = above.value - self.lower - 1 + _MARGIN
        return max(_LEAST, min(above.value - case.value, enough))

    def _to_try(self, relaxed: _Relaxed, open_ones: list[int]) -> list[int]:
        known = [c for c in open_ones if c in self._effects]
        known.sort(key=lambda c: (-self._effects[c], c))
        new = [c for c in open_ones if c not in self._effects]
        new.sort(key=lambda c: (abs(relaxed.chosen[c] - 0.5), c))
        return known[:_AGAIN] + new[:_NEW]

    def _bounded(self, relaxed: _Relaxed) -> Bounded:
        """Return the shares of a case: those of all terms of several pairs, in order."""
        shares = array("d", bytes(8 * self._place.size))
        for dual, places in zip(relaxed.duals, self._place.of_row, strict=True):
            if dual > 0:
                for place in places:
                    shares[place] += dual
        return Bounded(shares)


class _Places(NamedTuple):
    """The places of the pairs of all terms of several pairs, in order; *size* is their number.

    of_row: by grouped row, the places of its candidate in its terms.
    """

    size: int
    of_row: list[list[int]]


def _places(problem: MatchingProblem) -> _Places:
    sizes = [len(term.pairs) if len(term.pairs) > 1 else 0 for term in problem.terms]
    start = [0, *accumulate(sizes)]
    terms, candidates = problem.terms, problem.candidates
    of_row = [
        [start[t] + terms[t].pairs.index(candidates[c]) for t in row]
        for c, row in problem.grouped_rows
    ]
    return _Places(start[-1], of_row)


def _rivals(problem: MatchingProblem) -> list[frozenset[int]]:
    """Return, by candidate, those that no mapping with it holds."""
    rivals: list[set[int]] = [set() for _ in problem.candidates]
    for group in problem.rivals:
        for c in group:
            rivals[c].update(group)
    return [frozenset(found - {c}) for c, found in enumerate(rivals)]


ENCODING: Encoding = LinearTree()
