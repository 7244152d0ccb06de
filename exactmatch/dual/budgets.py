"""How much work the dual may do: all its budgets, with values that measurements have settled."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DualBudgets:
    """What may be spent on a proof; less leaves more open, and proves nothing wrong.

    Of the descent of one dual (`exactmatch.dual.descent`), in iterations:
    sweeps: that it begins with; sweeps_again: where another dual has been before.
    sweep_every: of those that follow, one in so many is a sweep, the others are steps.
    assign_every, insert_every: of all, one in so many looks for a mapping by assigning again, and
        one in so many by inserting, which takes longer; insert_early: one more such iteration, at
        the beginning, since it often ends there.
    patience: after so many without progress, the steps become half as long.
    most_halvings: when they have been halved so often, the bound will hardly sink any more.

    Of the root (`exactmatch.dual.branch_and_bound`):
    root_iterations: of each descent, on the problem as it is or what is left of it.
    rounds: the patience of each further descent at the root, after a fusion; halvings_again: they
        begin with steps that have been halved so often.

    Of a fusion (`exactmatch.dual.fusion`):
    recent: it takes the candidates of mappings that are so many iterations old at most.
    fusion_tree: its cases and branching candidates, as in *attempts*.

    Of branch and bound (`exactmatch.dual.case_tree`):
    case_iterations: of each case.
    trial_iterations: of both cases of a branching candidate, before one is chosen.
    farther: the case that stays farther from being closed counts so many times as much as the
        other.
    least_fixed: candidates are fixed if they are this part (0 to 1) of all.
    attempts: the search begins anew after so many cases, each time choosing from so many branching
        candidates: trees differ a lot in size, and by then better mappings are known.
    deepest: so many branches one below the other; both this search and the checker are recursive.
    most_shares: a tree is given up before its cases hold more, for each is kept as a proof.
    """

    sweeps: int = 5
    sweeps_again: int = 4
    sweep_every: int = 3
    assign_every: int = 4
    insert_every: int = 48
    insert_early: int = 8
    patience: int = 3
    most_halvings: int = 12

    root_iterations: int = 1500
    rounds: tuple[int, ...] = (6, 10)
    halvings_again: int = 4

    recent: int = 60
    fusion_tree: tuple[int, int] = (30, 5)

    case_iterations: int = 30
    trial_iterations: int = 10
    farther: int = 8
    least_fixed: float = 0.2
    attempts: tuple[tuple[int, int], ...] = (
        (60, 8),
        (60, 16),
        (60, 5),
        (300, 12),
        (300, 7),
        (2000, 16),
        (2000, 8),
    )
    deepest: int = 150
    most_shares: int = 1 << 24
