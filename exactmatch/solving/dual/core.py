"""The core of a problem: the pairs that the bound depends on, and mappings within it.

*Core*: most pairs are there for the sake of one relation, and worth less than what their variables
bring elsewhere. Where there is room below their ceiling even for all weight of their terms, these
terms cost nothing as long as it stays so: without them, the dual goes down faster by far. Then they
come back, and the bound of the whole problem shows what the shares that have been found are worth.

*Fusion* (Haller et al. 2022): each mapping that the dual of the core suggests is good somewhere.
All their candidates together make a problem that is smaller by far than the whole one, but much
larger than any neighbourhood of a local search; the same dual solves it, with the shares that it
has reached. The best mapping known remains among what it chooses from, and so nothing is lost.

*Search nearby*: what the dual has not suggested may still be needed, and costs little by its
prices. The same is done among all candidates that do.
"""

from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual.branching import Branching
from exactmatch.solving.dual.case_tree import CaseTree
from exactmatch.solving.dual.descent import Descent, Incumbent


def descend_in_core(root: Descent, incumbent: Incumbent, budgets: DualBudgets) -> None:
    """Lower the bound of *root* by that of its core, and look for mappings there.

    Raises `OutOfTime` if its deadline comes first.
    """
    spared = root.spared()
    core = root.without(spared, same_scale=True)
    core.set_pace(budgets.slow)
    core.run(budgets.core_iterations)
    root.take_back(core, spared)
    if not root.is_closed:
        fuse(core, incumbent, budgets)
    if not root.is_closed:
        search_nearby(core, incumbent, budgets)


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
