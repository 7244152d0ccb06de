"""The linear relaxation of the grouped program, to which violated cliques are added.

Cliques, of terms and candidates any two of which exclude each other, are rows beside those of the
grouped program (``encodings/README.md``): a mapping holds one of their members at most. A relaxed
solution that holds more of them in all is cut off. Each clique is valid in every case of a tree,
wherever it is found.
"""

import datetime
import math
from array import array
from collections.abc import Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from ortools.math_opt.python import mathopt

from exactmatch.encodings.base import Bounded, Weighed
from exactmatch.problem import MatchingProblem
from exactmatch.problem.clique_search import CliqueMembers
from exactmatch.problem.linear_program import undominated
from exactmatch.stopping.deadline import Deadline

#: Values in floating point that are so near to 0 or 1 are meant to be 0 or 1.
NOISE = 1e-6
#: The iterations of a trial: more cost more than better choices save.
_TRIAL_ITERATIONS = 100
#: A year in seconds, the largest time limit that is needed.
_LONGEST = 3e7
#: Members are looked at of which so much is present, and not more than all but that, in parts of
#: `_ONE`.
_ONE, _MARGIN = 1 << 10, 10


class _Limits(NamedTuple):
    """The limits of a search for cliques."""

    least_present: int = 1034
    most_found: int = 200
    most_members: int = 200
    partners: int = 16


_LIMITS = _Limits()


class Relaxed(NamedTuple):
    """A solved relaxation: its value, those of the candidates and terms, and its dual.

    chosen: the values of the candidates. values: of all variables, and reduced: the values of the
        dual rows of these, 0 or less for variables of value 0.
    duals: of the rows for groups of terms, in order. multipliers: of the cliques.
    basis: what the next relaxation starts from, of all rows that there are then.
    """

    value: float
    values: Sequence[float]
    reduced: Sequence[float]
    chosen: Sequence[float]
    duals: Sequence[float]
    multipliers: dict[tuple[int, ...], float]
    basis: mathopt.Basis


_NOTHING: Any = mathopt.SparseVectorFilter(filtered_items=())


class TrialStart:
    """The start of trials from one *basis*, which is converted once; no values are asked for."""

    def __init__(self, basis: mathopt.Basis) -> None:
        self._converted = mathopt.ModelSolveParameters(
            initial_basis=basis,
            variable_values_filter=_NOTHING,
            dual_values_filter=_NOTHING,
            reduced_costs_filter=_NOTHING,
        ).to_proto()

    def to_proto(self) -> Any:
        """Return it in the form of the solver, as `mathopt.ModelSolveParameters` does."""
        return self._converted


class LinearRelaxation:
    """The linear relaxation of *problem*, in which candidates can be banned."""

    def __init__(self, problem: MatchingProblem, deadline: Deadline) -> None:
        program = undominated(problem, deadline)
        self._deadline = deadline
        self._model = mathopt.Model()
        self._variables = [self._model.add_variable(lb=0.0, ub=1.0) for _ in program.names]
        rows = [self._add_row(summands, limit) for summands, limit in program.rows]
        self._model.objective.is_maximize = True
        for weight, position in program.objective:
            self._model.objective.set_linear_coefficient(self._variables[position], weight)
        self._candidates = self._variables[: len(problem.candidates)]
        self._groups = rows[len(rows) - len(problem.undominated_rows) :]
        self._places = _places(problem)
        # The sets of pairs behind the variables.
        several = (pairs for _, pairs in problem.terms if len(pairs) > 1)
        self._sets = [*((pair,) for pair in problem.candidates), *several]
        self._members = CliqueMembers(dict(enumerate(self._sets)))
        self._cliques: dict[tuple[int, ...], mathopt.LinearConstraint] = {}
        self._solver = mathopt.IncrementalSolver(self._model, mathopt.SolverType.GLOP)

    def _add_row(self, summands: Sequence[tuple[int, int]], limit: int) -> mathopt.LinearConstraint:
        row = self._model.add_linear_constraint(ub=limit)
        for coefficient, position in summands:
            row.set_coefficient(self._variables[position], coefficient)
        return row

    def solve(self, banned: frozenset[int], basis: mathopt.Basis | None) -> Relaxed | None:
        """Solve the relaxation without *banned* candidates; None if GLOP fails.

        Raises `OutOfTime` if the deadline comes first.
        """
        result = self._result(banned, mathopt.ModelSolveParameters(initial_basis=basis))
        if result is None or result.termination.reason != mathopt.TerminationReason.OPTIMAL:
            return None
        found = result.solutions[0].basis
        if found is None:
            return None
        values = result.variable_values(self._variables)
        return Relaxed(
            value=result.objective_value(),
            values=values,
            reduced=result.reduced_costs(self._variables),
            chosen=values[: len(self._candidates)],
            duals=result.dual_values(self._groups),
            multipliers=dict(
                zip(self._cliques, result.dual_values(self._cliques.values()), strict=True)
            ),
            basis=found,
        )

    def bound(self, banned: frozenset[int], start: TrialStart) -> float | None:
        """Return a bound of the relaxation without *banned*, by a few iterations; None if it fails.

        Raises `OutOfTime` if the deadline comes first.
        """
        result = self._result(banned, start, _TRIAL_ITERATIONS)
        return None if result is None else result.termination.objective_bounds.dual_bound

    def _result(
        self,
        banned: frozenset[int],
        start: mathopt.ModelSolveParameters | TrialStart,
        most_iterations: int | None = None,
    ) -> mathopt.SolveResult | None:
        self._deadline.check()
        parameters = mathopt.SolveParameters(
            presolve=mathopt.Emphasis.OFF,
            lp_algorithm=mathopt.LPAlgorithm.DUAL_SIMPLEX,
            iteration_limit=most_iterations,
        )
        if not math.isinf(self._deadline.due()):
            seconds = min(self._deadline.remaining(), _LONGEST)
            parameters.time_limit = datetime.timedelta(seconds=seconds)
        for c in banned:
            self._candidates[c].upper_bound = 0.0
        try:
            result = self._solver.solve(params=parameters, model_params=start)
        except (AttributeError, RuntimeError, ValueError):  # OR-tools does not say how it failed
            result = None
        finally:
            for c in banned:
                self._candidates[c].upper_bound = 1.0
        self._deadline.check()
        return result

    def completed(self, basis: mathopt.Basis) -> mathopt.Basis:
        """Return *basis* with the rows that it does not know, which do not bind there."""
        known = basis.constraint_status
        status = {
            row: known.get(row, mathopt.BasisStatus.BASIC)
            for row in self._model.linear_constraints()
        }
        return mathopt.Basis(variable_status=basis.variable_status, constraint_status=status)

    def cut_off(self, relaxed: Relaxed) -> bool:
        """Add cliques that a *relaxed* solution violates; tell if there are any new ones.

        Raises `OutOfTime` if the deadline comes first.
        """
        present = {
            variable: part
            for variable, value in enumerate(relaxed.values)
            if _MARGIN <= (part := int(_ONE * value)) <= _ONE - _MARGIN
        }
        violated = self._members.violated(present, _LIMITS, self._deadline)
        found = dict.fromkeys(map(tuple, violated))
        new = [clique for clique in found if clique not in self._cliques]
        for clique in new:
            self._cliques[clique] = self._add_row([(1, variable) for variable in clique], 1)
        return bool(new)

    def keep_binding(self, relaxed: Relaxed) -> None:
        """Delete the cliques that do not bind *relaxed*, the last one solved."""
        status = relaxed.basis.constraint_status
        for clique, row in list(self._cliques.items()):
            if status.get(row) == mathopt.BasisStatus.BASIC:  # so its multiplier is 0
                self._model.delete_linear_constraint(self._cliques.pop(clique))

    def bounded(self, relaxed: Relaxed, banned: frozenset[int]) -> Bounded:
        """Return the shares of all terms of several pairs, in order, and the cliques of a case."""
        shares = array("d", bytes(8 * self._places.size))
        for dual, places in zip(relaxed.duals, self._places.of_row, strict=True):
            if dual > 0:
                for place in places:
                    shares[place] += dual
        return Bounded(shares, self._weighed(relaxed, banned))

    def _weighed(self, relaxed: Relaxed, banned: frozenset[int]) -> list[Weighed]:
        """Return the cliques that bound a case, each with the members that it needs for that.

        Those of banned candidates are out. So are those whose dual row holds without the clique.
        """
        slack = [-value for value in relaxed.reduced]
        banned_pairs = {self._sets[c][0] for c in banned}
        weighed = []
        for clique, multiplier in relaxed.multipliers.items():
            if multiplier < NOISE:
                continue
            needed = []
            for variable in clique:
                if slack[variable] >= multiplier:
                    slack[variable] -= multiplier
                elif banned_pairs.isdisjoint(self._sets[variable]):
                    needed.append(self._sets[variable])
            weighed.append(Weighed(multiplier, tuple(sorted(needed))))
        return weighed


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
        for c, row in problem.undominated_rows
    ]
    return _Places(start[-1], of_row)
