"""The core of a problem: the pairs that the bound turns on.

Most pairs are there for the sake of one relation, and worth less than what their variables bring
elsewhere. Where there is room below their ceiling even for all weight of their terms, these terms
cost nothing as long as it stays so: without them, the dual goes down faster by far. Then they come
back, and the bound of the whole problem shows what the shares that have been found are worth.
"""

from exactmatch.dual.budgets import DualBudgets
from exactmatch.dual.descent import Descent, Incumbent
from exactmatch.dual.fusion import fuse, search_nearby


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
