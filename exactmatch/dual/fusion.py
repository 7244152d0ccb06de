"""Fusion: the best mapping among the candidates of several (Haller et al. 2022).

Each mapping that the dual suggests is good somewhere. All their candidates together make a problem
that is smaller by far than the whole one, but much larger than any neighbourhood of a local search;
the same dual solves it, with the shares that it has reached. Whatever comes out, the best mapping
known remains among what it chooses from, and so nothing is lost.

What the dual has not suggested may still be needed, and costs little by its prices: the search
nearby is the same among all candidates that do.
"""

from exactmatch.dual.branching import Branching
from exactmatch.dual.budgets import DualBudgets
from exactmatch.dual.case_tree import CaseTree
from exactmatch.dual.descent import Descent, Incumbent


def fuse(descent: Descent, incumbent: Incumbent, budgets: DualBudgets) -> None:
    """Look for a better mapping among the candidates that *descent* has seen last.

    Raises `OutOfTime` if its deadline comes first.
    """
    kept = set(descent.recent())
    dropped = set(range(len(descent.relaxation.candidates))) - kept
    tree = CaseTree(incumbent, budgets, Branching(budgets), *budgets.fusion_tree)
    tree.prove_rest(descent.without(dropped))


def search_nearby(descent: Descent, incumbent: Incumbent, budgets: DualBudgets) -> None:
    """Look for a better mapping among the candidates that cost next to nothing.

    What the shares of the best bound so far agree on, and little else, is left (Danna, Rothberg and
    Le Pape 2005). Raises `OutOfTime` if the deadline of *descent* comes first.
    """
    tree = CaseTree(incumbent, budgets, Branching(budgets), *budgets.nearby_tree)
    tree.prove_rest(descent.without(descent.far(budgets.nearby_part)))
