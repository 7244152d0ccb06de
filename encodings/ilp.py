"""The matching problem as an integer linear program, for SCIP and HiGHS as OR-tools ships them.

There are two programs (`exactmatch.problem.linear_program`): ``ilp`` and ``highs`` solve the
grouped one, folded, by SCIP and by HiGHS; ``ilp-paper`` solves the published one, by SCIP. The
start gives all variables their values in a mapping.
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
from exactmatch.problem.linear_program import LinearProgram, PlacedProgram, folded, one_by_one
from exactmatch.stopping.deadline import Deadline

#: Bounds are whole numbers here; the solver reports them as floats, which err by at most 1e-9 of
#: all weights together. That is below 0.27 (`LARGEST_TOTAL` in `exactmatch.solving.asking`).
_ROUNDING, _RELATIVE = 1e-6, 1e-9
#: A year in seconds, the largest time limit that is needed.
_LONGEST = 3e7
_FOUND = (mathopt.TerminationReason.OPTIMAL, mathopt.TerminationReason.FEASIBLE)
_NOT_FOUND = mathopt.TerminationReason.NO_SOLUTION_FOUND


@dataclass(frozen=True, slots=True)
class Ilp:
    """A 0/1 program, which *write* writes for a problem within a deadline.

    *solver* solves it.
    """

    name: str
    solver: mathopt.SolverType
    write: Callable[[MatchingProblem, Deadline], PlacedProgram]

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
        placed = self.write(problem, deadline)
        model, variables = _model(placed.program, deadline)
        start = map(float, placed.start(problem, hint))
        solution_hint = mathopt.SolutionHint(dict(zip(variables, start, strict=True)))
        model_parameters = mathopt.ModelSolveParameters(solution_hints=[solution_hint])
        result = run_interruptibly(
            lambda: mathopt.solve(
                model,
                self.solver,
                params=_PARAMETERS[self.solver](deadline, seed, _error(problem)),
                model_params=model_parameters,
            ),
            # SCIP cannot be stopped without complaining, and HiGHS not at all; they run until their
            # time limit.
            lambda: None,
            Deadline(),
        )
        mapped = [variables[position] for position in placed.mapped]
        return _outcome(problem, hint, upper, result, mapped, work)


def _published(problem: MatchingProblem, deadline: Deadline) -> PlacedProgram:
    first, last = len(problem.candidates), len(problem.candidates) + len(problem.terms)
    return PlacedProgram(one_by_one(problem, deadline), range(first), range(first, last))


def _model(
    program: LinearProgram, deadline: Deadline
) -> tuple[mathopt.Model, list[mathopt.Variable]]:
    """Return *program* in the solver's form, and its variables, in order."""
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


def _usual(deadline: Deadline, seed: int, error: float) -> mathopt.SolveParameters:
    seconds = min(deadline.remaining(), _LONGEST)
    limit = None if math.isinf(deadline.at) else datetime.timedelta(seconds=seconds)
    return mathopt.SolveParameters(
        time_limit=limit,
        random_seed=seed,
        relative_gap_tolerance=0.0,
        # Scores are whole numbers: a gap below 1 is none, apart from the error of the bound.
        absolute_gap_tolerance=0.999 - (error - _ROUNDING),
    )


def _for_scip(deadline: Deadline, seed: int, error: float) -> mathopt.SolveParameters:
    parameters = _usual(deadline, seed, error)
    parameters.threads = 1
    # Otherwise SCIP would handle an interrupt itself.
    parameters.gscip.bool_params["misc/catchctrlc"] = False
    return parameters


def _for_highs(deadline: Deadline, seed: int, error: float) -> mathopt.SolveParameters:
    parameters = _usual(deadline, seed, error)
    parameters.highs.string_options["parallel"] = "off"
    return parameters


_PARAMETERS = {mathopt.SolverType.GSCIP: _for_scip, mathopt.SolverType.HIGHS: _for_highs}


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
        raise VerificationError(f"the solver reports the status {reason.name} for a program")
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
    """Return the largest error of the solver's bound of *problem*."""
    return max(_ROUNDING, _RELATIVE * problem.total)


PAPER: Encoding = Ilp("ilp-paper", mathopt.SolverType.GSCIP, _published)
GROUPED: Encoding = Ilp("ilp", mathopt.SolverType.GSCIP, folded)
HIGHS: Encoding = Ilp("highs", mathopt.SolverType.HIGHS, folded)
