"""The core of a problem: the pairs that the bound depends on, and mappings within it.

*Core*: most pairs are candidates because of a single relation, and are worth less than their
variables gain elsewhere. If a pair stays below its ceiling even with all weight of its terms, these
terms cost nothing for the time being. Without them, the dual converges much faster. Afterwards,
they return, and the bound of the whole problem is computed from the shares found.

*Fusion* (Haller et al. 2022): each mapping that the dual of the core suggests is good in some part.
The candidates of all these mappings together make a problem that is much smaller than the whole,
but much larger than any neighbourhood of a local search. The same dual solves it, starting from its
current shares. The best known mapping is among its mappings, so the result is never worse.

*Nearby search*: candidates that the dual has not suggested may still be needed if they cost little
by its prices. Such candidates make another problem, solved in the same way. If the bound is only 1
above the best mapping, that is left to the level between them, which needs a proof anyway.
"""

from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual.branching import Branching
from exactmatch.solving.dual.case_tree import CaseTree
from exactmatch.solving.dual.descent import Descent, Incumbent
from exactmatch.solving.dual.neighbourhoods import search_neighbourhoods


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
    if root.upper > incumbent.value + 1:
        search_nearby(core, incumbent, budgets)
    if root.upper > incumbent.value + 1:
        search_neighbourhoods(root, incumbent, budgets)


def fuse(descent: Descent, incumbent: Incumbent, budgets: DualBudgets) -> None:
    """Look for a better mapping among the candidates that *descent* has seen last.

    Raises `OutOfTime` if its deadline comes first.
    """
    kept = set(descent.recent())
    dropped = set(range(len(descent.relaxation.candidates))) - kept
    fused = descent.without(dropped)
    fused.shake(budgets.fused_shakes, fused.passes())
    tree = CaseTree(incumbent, budgets, Branching(budgets), *budgets.fusion_tree)
    tree.prove_rest(fused)


def search_nearby(descent: Descent, incumbent: Incumbent, budgets: DualBudgets) -> None:
    """Look for a better mapping among the candidates of the lowest costs, unless they are many.

    Few candidates are left beyond those that the best bound's shares agree on (Danna, Rothberg and
    Le Pape 2005). Raises `OutOfTime` if the deadline of *descent* comes first.
    """
    far = descent.far(budgets.nearby_part)
    if len(descent.relaxation.candidates) - len(far) > budgets.most_nearby:
        return
    tree = CaseTree(incumbent, budgets, Branching(budgets), *budgets.nearby_tree)
    tree.prove_rest(descent.without(far))
