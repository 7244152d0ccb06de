"""A proof of the best mapping: by the dual bound, by levels of scores, and by cases.

The dual of the whole problem is lowered while mappings are searched for. If only a single score is
then left to rule out, that is tried next. Otherwise, or if that fails, the dual of the core
continues, and the mappings seen are fused. If a gap is left, its scores are ruled out one by one,
from the top.
"""

from contextlib import suppress
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from exactmatch.problem import Mapping, MatchingProblem
from exactmatch.problem.proof import Leaf, Node
from exactmatch.solving.budgets import DualBudgets, Effort
from exactmatch.solving.dual.descent import Descent, Incumbent
from exactmatch.solving.dual.kernel import LARGEST_TOTAL, relax
from exactmatch.stopping.deadline import Deadline, OutOfTime

if TYPE_CHECKING:
    from exactmatch.solving.dual.levels import Levels

_EMPTY: Mapping = MappingProxyType({})
_USUAL = DualBudgets()


class Proof(NamedTuple):
    """A mapping of *problem* that scores *lower*, and a proof that none scores more than *upper*.

    cases: the number of examined cases; 1 if no branching was needed.
    rest: the remaining problem, in which mappings that score more than *lower* keep their score, as
        the reduced costs of *root* show.
    """

    problem: MatchingProblem
    lower: int
    upper: int
    mapping: dict[int, int]
    node: Node
    cases: int
    rest: MatchingProblem
    root: Leaf


def prove(
    problem: MatchingProblem,
    deadline: Deadline,
    hint: Mapping = _EMPTY,
    rest_by: Deadline | None = None,
    budgets: DualBudgets = _USUAL,
    effort: Effort | None = None,
) -> Proof:
    """Return the best mapping found, and the lowest proven upper bound.

    *hint* is a mapping to start from. Both results also hold if *deadline* or *budgets* stop the
    search, or all of the *effort* is spent. The rest of the problem is then computed if *rest_by*,
    a later deadline, is given. Raises `OutOfTime` if no bound is found in time.
    """
    incumbent = Incumbent(problem.value(hint), dict(hint)) if hint else Incumbent()
    root = Descent(relax(problem, rest_by or deadline), incumbent, deadline, budgets=budgets)
    levels = None
    rest = problem
    with suppress(OutOfTime):
        root.run(budgets.root_iterations)
        if not root.is_closed:
            from exactmatch.solving.dual.levels import Levels

            if effort is not None:
                incumbent.most_work = _most_work(root, effort, budgets)
            budgets = budgets.for_terms(problem.n_terms)
            levels = Levels(root, incumbent, budgets)
            _go_on(root, levels, incumbent, budgets)
    upper = levels.upper if levels and levels.node else root.upper
    if incumbent.value < upper and rest_by is not None:
        with suppress(OutOfTime):
            rest = root.relaxation.without(root.fixed()).problem
    leaf = root.leaf()
    return Proof(
        problem,
        incumbent.value,
        upper,
        incumbent.mapping,
        node=(levels and levels.node) or leaf,
        cases=1 if levels is None else 1 + levels.cases,
        rest=rest,
        root=leaf,
    )


def _most_work(root: Descent, effort: Effort, budgets: DualBudgets) -> int:
    """Return the work on the whole problem.

    Weights decide whether it is interpreted, not the machine: the work is the same on all.
    """
    problem = root.relaxation.whole
    passes, least = effort.for_terms(problem.n_terms, problem.largest_term)
    most = max(passes * root.size, least)
    return most // budgets.interpreted if root.relaxation.total >= LARGEST_TOTAL else most


def _go_on(root: Descent, levels: "Levels", incumbent: Incumbent, budgets: DualBudgets) -> None:
    """Close the gap of *root* by its core, by random changes, and by *levels*.

    A single level is tried first, since its remaining problem may be tiny. Random changes pay even
    if all work has been done: a solver begins with their mapping.
    """
    from exactmatch.solving.dual.core import descend_in_core

    if root.upper == incumbent.value + 1:
        levels.run(budgets.first_tree)
    if root.is_closed or levels.node:
        return
    with suppress(OutOfTime):
        descend_in_core(root, incumbent, budgets)
    root.shake(budgets.shakes, root.passes())
    if not root.is_closed:
        levels.run(budgets.level_tree)


def quick_bound(problem: MatchingProblem, deadline: Deadline) -> Proof:
    """Return an upper bound on the score of any mapping, and the mapping that it suggests.

    The first step of `prove` alone: all shares equal, one assignment (Gilmore 1962, Lawler 1963).
    Raises `OutOfTime` if *deadline* comes first.
    """
    incumbent = Incumbent()
    root = Descent(relax(problem, deadline), incumbent, deadline)
    leaf = root.leaf()
    return Proof(
        problem,
        incumbent.value,
        root.upper,
        incumbent.mapping,
        node=leaf,
        cases=1,
        rest=problem,
        root=leaf,
    )
