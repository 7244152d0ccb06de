"""The matching problem as an integer linear program, for SCIP as OR-tools ships it.

Two programs of the same variables, one 0/1 variable a candidate pair (v_ij in Cai and Knight 2013)
and one a term (t_kl there, where terms over the same pairs are not yet merged into one). Both have
the one-to-one constraints. They differ in how a term is bound to its pairs:

* ``ilp-paper``, as published in section 3: a term is at most each of its pairs;
* ``ilp``, grouped: all terms that exclude each other given a pair are together at most that pair.

The second has fewer rows and a tighter relaxation.
"""

import datetime
import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress

from ortools.math_opt.python import mathopt

from exactmatch.deadline import Deadline
from exactmatch.encodings.base import Encoding, Outcome
from exactmatch.errors import VerificationError
from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.waiting import run_interruptibly

#: Bounds are whole numbers here; the solver reports them as floats.
_ROUNDING = 1e-6
#: A year in seconds, as much as a time limit needs to hold.
_LONGEST = 3e7
_FOUND = (mathopt.TerminationReason.OPTIMAL, mathopt.TerminationReason.FEASIBLE)
_NOT_FOUND = mathopt.TerminationReason.NO_SOLUTION_FOUND

_Variables = list[mathopt.Variable]


@dataclass(frozen=True, slots=True)
class Ilp:
    """A 0/1 program; *bind* adds the rows that bind terms to pairs."""

    name: str
    bind: Callable[[mathopt.Model, MatchingProblem, _Variables, _Variables, Deadline], None]

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
        model, mapped = self._model(problem, deadline)
        hinted = [float(hint.get(left) == right) for left, right in problem.candidates]
        solution_hint = mathopt.SolutionHint(variable_values=dict(zip(mapped, hinted, strict=True)))
        model_parameters = mathopt.ModelSolveParameters(solution_hints=[solution_hint])
        result = run_interruptibly(
            lambda: mathopt.solve(
                model,
                mathopt.SolverType.GSCIP,
                params=_parameters(deadline, seed),
                model_params=model_parameters,
            ),
            # SCIP cannot be told to stop without complaining; it goes on until its time limit.
            lambda: None,
            Deadline(),
        )
        return _outcome(problem, hint, upper, result, mapped)

    def _model(
        self, problem: MatchingProblem, deadline: Deadline
    ) -> tuple[mathopt.Model, _Variables]:
        """Return the program and the variables of its candidate pairs."""
        model = mathopt.Model()
        mapped = [model.add_binary_variable(name=f"v_{i}_{j}") for i, j in problem.candidates]
        matched = [model.add_binary_variable(name=f"t_{t}") for t in range(len(problem.terms))]
        deadline.check()
        for group in problem.rivals:
            model.add_linear_constraint(mathopt.LinearSum(mapped[c] for c in group) <= 1)
        self.bind(model, problem, mapped, matched, deadline)
        weights = [term.weight for term in problem.terms]
        model.maximize(mathopt.LinearSum(map(operator.mul, weights, matched)))
        return model, mapped


def _bind_one_by_one(
    model: mathopt.Model,
    problem: MatchingProblem,
    mapped: _Variables,
    matched: _Variables,
    deadline: Deadline,
) -> None:
    for candidate, terms in enumerate(problem.terms_of):
        deadline.check()
        for t in terms:
            model.add_linear_constraint(matched[t] <= mapped[candidate])


def _bind_in_groups(
    model: mathopt.Model,
    problem: MatchingProblem,
    mapped: _Variables,
    matched: _Variables,
    deadline: Deadline,
) -> None:
    for candidate, terms in problem.grouped_rows:
        deadline.check()
        matches = mathopt.LinearSum(matched[t] for t in terms)
        model.add_linear_constraint(matches <= mapped[candidate])
    for candidate, terms in enumerate(problem.terms_of):
        for t in terms:
            if len(problem.terms[t].pairs) == 1:
                model.add_linear_constraint(matched[t] <= mapped[candidate])


def _parameters(deadline: Deadline, seed: int) -> mathopt.SolveParameters:
    seconds = min(deadline.remaining(), _LONGEST)
    limit = None if math.isinf(deadline.at) else datetime.timedelta(seconds=seconds)
    parameters = mathopt.SolveParameters(
        time_limit=limit,
        threads=1,
        random_seed=seed,
        relative_gap_tolerance=0.0,
        # Scores are whole numbers: a gap below 1 is none.
        absolute_gap_tolerance=0.999,
    )
    # Else SCIP would take an interrupt for itself.
    parameters.gscip.bool_params["misc/catchctrlc"] = False
    return parameters


def _outcome(
    problem: MatchingProblem,
    hint: Mapping,
    upper: int,
    result: mathopt.SolveResult,
    mapped: _Variables,
) -> Outcome:
    reason = result.termination.reason
    if reason not in (*_FOUND, _NOT_FOUND):
        # The empty mapping is always feasible, and the score is bounded.
        raise VerificationError(f"SCIP calls a program {reason.name}")
    bound = result.best_objective_bound()
    if math.isfinite(bound):
        upper = min(upper, math.floor(bound + _ROUNDING))
    best = dict(hint)
    if result.has_primal_feasible_solution():
        chosen = [value > 0.5 for value in result.variable_values(mapped)]
        best = max(best, dict(compress(problem.candidates, chosen)), key=problem.value)
    return Outcome(problem.value(best), upper, best)


PAPER: Encoding = Ilp("ilp-paper", _bind_one_by_one)
GROUPED: Encoding = Ilp("ilp", _bind_in_groups)
