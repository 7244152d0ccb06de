"""The matching problem as an integer linear program, for SCIP as OR-tools ships it.

There are two programs (`exactmatch.problem.linear_program`): ``ilp`` solves the grouped one, which
is also what is exported, and ``ilp-paper`` the one that was published.
"""

import datetime
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress

from ortools.math_opt.python import mathopt

from exactmatch.encodings.base import Encoding, Outcome, OwnWork
from exactmatch.encodings.waiting import run_interruptibly
from exactmatch.errors import VerificationError
from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.problem.linear_program import LinearProgram, grouped, one_by_one
from exactmatch.stopping.deadline import Deadline

#: Bounds are whole numbers here; the solver reports them as floats, which err by 1e-9 of all
#: weights together at most. That is below 0.27 (`_LARGEST_TOTAL` in `exactmatch.solving.strategy`).
_ROUNDING, _RELATIVE = 1e-6, 1e-9
#: A year in seconds, as much as a time limit needs to hold.
_LONGEST = 3e7
_FOUND = (mathopt.TerminationReason.OPTIMAL, mathopt.TerminationReason.FEASIBLE)
_NOT_FOUND = mathopt.TerminationReason.NO_SOLUTION_FOUND


@dataclass(frozen=True, slots=True)
class Ilp:
    """A 0/1 program, as *write* writes it down for a problem, in time before a deadline."""

    name: str
    write: Callable[[MatchingProblem, Deadline], LinearProgram]

    def solve(
        self,
        problem: MatchingProblem,
        *,
        hint: Mapping,
        upper: int,
        deadline: Deadline,
        seed: int,
    ) -> Outcome:
        """Solve *problem*: see `exactmatch.encodings.base.Encoding`."""
        work = OwnWork()
        model, variables = _model(self.write(problem, deadline), deadline)
        mapped = variables[: len(problem.candidates)]
        hinted = [float(hint.get(left) == right) for left, right in problem.candidates]
        solution_hint = mathopt.SolutionHint(variable_values=dict(zip(mapped, hinted, strict=True)))
        model_parameters = mathopt.ModelSolveParameters(solution_hints=[solution_hint])
        result = run_interruptibly(
            lambda: mathopt.solve(
                model,
                mathopt.SolverType.GSCIP,
                params=_parameters(deadline, seed, _error(problem)),
                model_params=model_parameters,
            ),
            # SCIP cannot be told to stop without complaining; it goes on until its time limit.
            lambda: None,
            Deadline(),
        )
        return _outcome(problem, hint, upper, result, mapped, work)


def _model(
    program: LinearProgram, deadline: Deadline
) -> tuple[mathopt.Model, list[mathopt.Variable]]:
    """Return *program* as the solver takes it, and its variables, in order."""
    model = mathopt.Model()
    variables = [model.add_binary_variable(name=name) for name in program.names]
    deadline.check()
    for summands, limit in program.rows:
        deadline.check()
        row = model.add_linear_constraint(ub=limit)
        for coefficient, position in summands:
            row.set_coefficient(variables[position], coefficient)
    model.objective.is_maximize = True
    for weight, position in program.objective:
        model.objective.set_linear_coefficient(variables[position], weight)
    return model, variables


def _parameters(deadline: Deadline, seed: int, error: float) -> mathopt.SolveParameters:
    seconds = min(deadline.remaining(), _LONGEST)
    limit = None if math.isinf(deadline.at) else datetime.timedelta(seconds=seconds)
    parameters = mathopt.SolveParameters(
        time_limit=limit,
        threads=1,
        random_seed=seed,
        relative_gap_tolerance=0.0,
        # Scores are whole numbers: a gap below 1 is none, but for what the bound errs by.
        absolute_gap_tolerance=0.999 - (error - _ROUNDING),
    )
    # Else SCIP would take an interrupt for itself.
    parameters.gscip.bool_params["misc/catchctrlc"] = False
    return parameters


def _outcome(
    problem: MatchingProblem,
    hint: Mapping,
    upper: int,
    result: mathopt.SolveResult,
    mapped: list[mathopt.Variable],
    work: OwnWork,
) -> Outcome:
    reason = result.termination.reason
    if reason not in (*_FOUND, _NOT_FOUND):
        # The empty mapping is always feasible, and the score is bounded.
        raise VerificationError(f"SCIP calls a program {reason.name}")
    bound = result.best_objective_bound()
    if math.isfinite(bound):
        work.bounded(math.floor(bound + _error(problem)))
        upper = min(upper, math.floor(bound + _error(problem)))
    best = dict(hint)
    if result.has_primal_feasible_solution():
        chosen = [value > 0.5 for value in result.variable_values(mapped)]
        found = dict(compress(problem.candidates, chosen))
        work.found(problem.value(found))
        best = max(best, found, key=problem.value)
    return Outcome(problem.value(best), upper, best, work.own)


def _error(problem: MatchingProblem) -> float:
    """Return what the solver's bound of *problem* errs by at most."""
    return max(_ROUNDING, _RELATIVE * problem.total)


PAPER: Encoding = Ilp("ilp-paper", one_by_one)
GROUPED: Encoding = Ilp("ilp", grouped)
