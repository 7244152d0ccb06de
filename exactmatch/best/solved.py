"""From the solution of a pair of graphs to what can be asked about all of its best mappings."""

from functools import partial

from exactmatch.best.optimum import Optimum
from exactmatch.comparison import Comparison
from exactmatch.deadline import Deadline, OutOfTime
from exactmatch.dual.branch_and_bound import Proof
from exactmatch.settings import Settings
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.strategy import Solution, solve


def optimum_of(
    comparison: Comparison,
    solution: Solution,
    settings: Settings,
    deadline: Deadline,
    budgets: Budgets,
) -> Optimum | None:
    """Return the problem of *comparison*, solved; None if *solution* is not known to be best.

    Neither is it if *deadline* comes first.
    """
    if not solution.is_optimal or solution.too_large:
        return None
    proof = solution.proof
    try:
        problem = proof.problem if isinstance(proof, Proof) else comparison.built(deadline)
    except OutOfTime:
        return None
    again = partial(
        solve,
        method=settings.method,
        solver=settings.solver,
        seed=settings.seed,
        deadline=deadline,
        budgets=budgets,
    )
    return Optimum(problem, solution, lambda problem, hint: again(problem, hint=hint), deadline)
