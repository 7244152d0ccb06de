"""Turn the floating-point answers of SCIP into claims about whole numbers."""

from functools import partial
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from exactmatch.encodings.base import OwnWork
from exactmatch.problem import MatchingProblem, Term


@pytest.mark.parametrize("weight", [1, 1000, 2**27])
@pytest.mark.parametrize("share", [0, 0.5, 0.99])
def test_a_bound_that_errs_is_no_false_bound(weight: int, share: float) -> None:
    """The bound errs by at most 1e-9 of all weights, so the next whole number stays possible."""
    from ortools.math_opt.python import mathopt

    problem = MatchingProblem(1, 1, (Term(weight, ((0, 0),)),))
    result: Any = SimpleNamespace(
        termination=SimpleNamespace(reason=mathopt.TerminationReason.NO_SOLUTION_FOUND),
        best_objective_bound=partial(float, weight - share * 1e-9 * weight),
        has_primal_feasible_solution=lambda: False,
    )
    outcome = import_module("exactmatch.encodings.ilp")._outcome
    assert outcome(problem, {}, 2 * weight, result, [], OwnWork()).upper == weight
