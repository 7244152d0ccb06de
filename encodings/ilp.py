"""The matching problem as an integer linear program, for SCIP as OR-tools ships it.

The same grouped rows as in `cp_sat.py`, for a solver of another kind: branch and cut on the
linear program. It is what results are cross-checked with.
"""

import datetime
import math
import operator
from itertools import compress

from ortools.math_opt.python import mathopt

from exactmatch.deadline import Deadline
from exactmatch.errors import VerificationError
from exactmatch.problem import Encoding, Mapping, MatchingProblem, Outcome

_ROUNDING = 1e-6
_DONE = (mathopt.TerminationReason.OPTIMAL, mathopt.TerminationReason.FEASIBLE)
_STOPPED = mathopt.TerminationReason.NO_SOLUTION_FOUND


class GroupedIlp:
    """0/1 variables for pairs and terms, with grouped rows."""

    name = "ilp"

    def solve(
        self,
        problem: MatchingProblem,
        *,
        hint: Mapping,
        upper: int,
        deadline: Deadline,
        seed: int,
    ) -> Outcome:
        """Solve *problem*: see `exactmatch.problem.Encoding`."""
        model, mapped = _model(problem)
        solution_hint = mathopt.SolutionHint(
            variable_values={
                x: float(hint.get(i) == j)
                for (i, j), x in zip(problem.candidates, mapped, strict=True)
            }
        )
        result = mathopt.solve(
            model,
            mathopt.SolverType.GSCIP,
            params=_parameters(deadline, seed),
            model_params=mathopt.ModelSolveParameters(solution_hints=[solution_hint]),
        )
        lower = problem.value(hint)
        if result.termination.limit == mathopt.Limit.INTERRUPTED:
            # SCIP has caught the signal that Python would have turned into this.
            raise KeyboardInterrupt
        reason = result.termination.reason
        if reason not in (*_DONE, _STOPPED):
            # The empty mapping is always feasible, and the score is bounded.
            raise VerificationError(f"SCIP calls a program {reason.name}")
        upper = _upper(result, upper)
        if not result.has_primal_feasible_solution():
            return Outcome(lower, upper, dict(hint))
        chosen = [value > 0.5 for value in result.variable_values(mapped)]
        mapping = dict(compress(problem.candidates, chosen))
        found = problem.value(mapping)
        if found < lower:
            return Outcome(lower, upper, dict(hint))
        return Outcome(found, upper, mapping)


def _upper(result: mathopt.SolveResult, known: int) -> int:
    bound = result.best_objective_bound()
    return known if math.isinf(bound) else min(known, math.floor(bound + _ROUNDING))


def _parameters(deadline: Deadline, seed: int) -> mathopt.SolveParameters:
    limit = None if math.isinf(deadline.at) else datetime.timedelta(seconds=deadline.remaining())
    return mathopt.SolveParameters(
        time_limit=limit,
        threads=1,
        random_seed=seed,
        relative_gap_tolerance=0.0,
        # Scores are whole numbers: a gap below 1 is none.
        absolute_gap_tolerance=0.999,
    )


def _model(problem: MatchingProblem) -> tuple[mathopt.Model, list[mathopt.Variable]]:
    """Return the program and the variables of its candidate pairs."""
    model = mathopt.Model()
    mapped = [model.add_binary_variable(name=f"x_{i}_{j}") for i, j in problem.candidates]
    of_pair = dict(zip(problem.candidates, mapped, strict=True))
    matched = [
        of_pair[term.pairs[0]] if len(term.pairs) == 1 else model.add_binary_variable(name=f"y_{t}")
        for t, term in enumerate(problem.terms)
    ]
    for group in problem.rivals:
        model.add_linear_constraint(mathopt.LinearSum(mapped[c] for c in group) <= 1)
    for candidate, terms in problem.grouped_rows:
        matches = mathopt.LinearSum(matched[t] for t in terms)
        model.add_linear_constraint(matches <= mapped[candidate])
    weights = [term.weight for term in problem.terms]
    model.maximize(mathopt.LinearSum(map(operator.mul, weights, matched)))
    return model, mapped


ENCODING: Encoding = GroupedIlp()
