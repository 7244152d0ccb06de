"""The matching problem for CP-SAT, the constraint solver of OR-tools.

The model has one Boolean for each candidate pair (whether it is in the mapping) and one for each
term of two or more pairs (whether its triples match); a candidate and its only term share one. The
mapping is one-to-one. A term needs all its pairs, which the grouped rows of Adams and Johnson
(1994, level 1, sparse) express. If a pair is in the mapping, at most one of the terms is scored
that need other images of the same other left variables, and likewise for right variables; if the
pair is not in the mapping, none is. Terms of three pairs have tighter rows
(`exactmatch.problem.pair_rows`). So all constraints are at-most-ones over literals: for such a row,
over its terms and "not this pair".

The bound of the linear relaxation closes these problems. So all constraints are in it
(`linearization_level` 2), from the beginning (`add_lp_constraints_lazily`), and its simplex is
solved completely at the root. Probing, cliques merged from the at-most-ones, and cuts cost more
than they gain. The score of the start and the given bound are no constraints, since rows over all
terms are dense: they slow everything down.
"""

import math
from functools import partial
from itertools import compress
from typing import NamedTuple

from ortools.sat.python import cp_model

from exactmatch.encodings.base import Encoding, Outcome, OwnWork
from exactmatch.encodings.waiting import run_interruptibly
from exactmatch.errors import VerificationError
from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.problem.linear_program import LinearProgram, PlacedProgram, folded
from exactmatch.stopping.deadline import Deadline

#: The work of the search near a start, in CP-SAT's own seconds, which do not depend on the machine.
_NEAR_START = 20.0
#: Problems of more terms, such as documents, take longer for the relaxation at the root alone.
_MOST_TERMS = 6_000
#: Iterations of the simplex at the root: as many as needed.
_MOST_ITERATIONS = 10_000_000
#: Bounds are whole numbers here; the solver computes with integers, and reports them as floats,
#: which hold whole numbers below 2**53.
_ROUNDING = 1e-6


class CpSat:
    """Booleans for pairs and terms, with grouped rows."""

    name = "cpsat"

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
        fold = folded(problem, deadline)
        model, variables = build_model(fold.program, deadline)
        search = _ModelSearch(problem, fold, model, variables, work)
        best = Outcome(problem.value(hint), upper, dict(hint))
        is_small = problem.n_terms <= _MOST_TERMS
        known = -1
        while hint and known < best.lower < best.upper and not deadline.passed():
            known = best.lower
            search.start_from(best.mapping)
            best = search.run(best, deadline, seed, _NEAR_START if is_small else math.inf)
        begins_anew = is_small and best.lower < best.upper and not deadline.passed()
        if begins_anew or not hint:
            model.clear_hints()  # type: ignore[no-untyped-call]
            best = search.run(best, deadline, seed, math.inf)
        return best._replace(own=work.own)


class _ModelSearch(NamedTuple):
    """A *model* of *problem*, with its *variables*, and a record of its *work*."""

    problem: MatchingProblem
    fold: PlacedProgram
    model: cp_model.CpModel
    variables: list[cp_model.IntVar]
    work: OwnWork

    def start_from(self, mapping: Mapping) -> None:
        """Let the next search begin near *mapping*."""
        self.model.clear_hints()  # type: ignore[no-untyped-call]
        start = self.fold.start(self.problem, mapping)
        for variable, value in zip(self.variables, start, strict=True):
            self.model.add_hint(variable, value)

    def run(self, known: Outcome, deadline: Deadline, seed: int, most_work: float) -> Outcome:
        """Return the *known* outcome as the solver improves it, at most with so much work."""
        before = self.work.own
        solver = cp_model.CpSolver()
        _set_parameters(solver, deadline, seed)
        solver.parameters.max_deterministic_time = most_work
        solver.best_bound_callback = lambda bound: self.work.bounded(_rounded_down(bound))
        solve = partial(solver.solve, self.model, _Solutions(self.work, known.upper))
        status = run_interruptibly(solve, solver.stop_search, Deadline())
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.UNKNOWN):
            # The empty mapping satisfies every constraint, so this answer is wrong.
            raise VerificationError(
                f"CP-SAT reports the status {solver.status_name(status)} for a model"
            )
        if status == cp_model.UNKNOWN:
            # Stopped before the search began; the bound that it then reports is just 0.
            self.work.own = before
            return known
        bound = _rounded_down(solver.best_objective_bound)
        self.work.bounded(bound)
        chosen = [solver.value(self.variables[place]) for place in self.fold.mapped]
        mapping = dict(compress(self.problem.candidates, chosen))
        found = self.problem.value(mapping)
        self.work.found(found)
        if found < known.lower:
            found, mapping = known.lower, known.mapping
        return Outcome(found, min(known.upper, bound), mapping)


class _Solutions(cp_model.CpSolverSolutionCallback):
    """Records when mappings are found, and ends the search with one that scores *upper*."""

    def __init__(self, work: OwnWork, upper: int) -> None:
        super().__init__()
        self._work = work
        self._upper = upper

    def on_solution_callback(self) -> None:
        """Use a solution if it is better."""
        value = round(self.objective_value)
        self._work.found(value)
        if value >= self._upper:
            self.stop_search()


def _rounded_down(bound: float) -> int:
    return math.floor(bound + _ROUNDING)


def _set_parameters(solver: cp_model.CpSolver, deadline: Deadline, seed: int) -> None:
    parameters = solver.parameters
    parameters.num_workers = 1
    parameters.linearization_level = 2
    parameters.add_lp_constraints_lazily = False
    parameters.root_lp_iterations = _MOST_ITERATIONS
    parameters.cut_level = 0
    parameters.cp_model_probing_level = 0
    parameters.merge_at_most_one_work_limit = 0
    parameters.random_seed = seed
    parameters.catch_sigint_signal = False
    # A wrong claim of optimality is reported for OR-tools 9.15 (google/or-tools issue 5293);
    # it does not occur without this step of the presolve.
    parameters.presolve_inclusion_work_limit = 0
    if not math.isinf(deadline.at):
        parameters.max_time_in_seconds = deadline.remaining()


def build_model(
    program: LinearProgram, deadline: Deadline
) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """Return the model of a program, and its variables. Raises `OutOfTime`."""
    model = cp_model.CpModel()
    variables = [model.new_bool_var(name) for name in program.names]
    for row in program.rows:
        deadline.check()
        held = [variables[place] for sign, place in row.summands if sign > 0]
        model.add_at_most_one([*(~variables[x] for sign, x in row.summands if sign < 0), *held])
    scored = [variables[place] for _, place in program.objective]
    weights = [weight for weight, _ in program.objective]
    model.maximize(cp_model.LinearExpr.weighted_sum(scored, weights))
    return model, variables


ENCODING: Encoding = CpSat()
