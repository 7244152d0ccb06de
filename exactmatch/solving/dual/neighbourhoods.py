"""Large neighbourhood search (Shaw 1998): improve one part of a mapping after the other.

Some left variables near each other are *free*, and all others keep their partners. The dual and a
few cases solve what this leaves. Parts become larger as long as the dual alone solves them, and
smaller if that takes cases.
"""

from random import Random

from exactmatch.problem import Mapping
from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual.branching import Branching
from exactmatch.solving.dual.case_tree import CaseTree
from exactmatch.solving.dual.descent import Descent, Incumbent
from exactmatch.solving.dual.layout import Relaxation

#: One of so many steps of a walk begins elsewhere.
_ELSEWHERE = 20
#: The most steps of a walk, for each variable that it shall reach.
_STEPS = 8


def search_neighbourhoods(descent: Descent, incumbent: Incumbent, budgets: DualBudgets) -> None:
    """Look for a better mapping in one part of *descent* after the other.

    Only candidates that cost little take part, and those of the best mapping. Ends with a part of
    the work that has been done before, or when everything is free. Leaves *descent* as it is.
    Raises `OutOfTime` if the deadline comes first.
    """
    most_work = incumbent.work + incumbent.work * budgets.part_work // 100
    most_work = min(most_work, incumbent.most_work)
    size = budgets.first_part
    if incumbent.work >= most_work or size > descent.relaxation.n_left:
        return
    copy = descent.case(frozenset())  # to ask what is far moves shares
    far = copy.far(budgets.nearby_part)
    near = copy.without(far.difference(_held(copy.relaxation, incumbent.mapping)))
    walk = _Walk(near.relaxation)
    while incumbent.work < most_work and size <= near.relaxation.n_left and not near.is_closed:
        descent.deadline.check()  # parts may be solved without any iteration
        known = incumbent.value
        tree = CaseTree(incumbent, budgets, Branching(budgets), *budgets.part_tree)
        part = near.without(walk.ruled_out(size, incumbent.mapping))
        node = tree.prove_rest(part)
        if node and part.size == near.size:
            return  # that was everything
        if incumbent.value > known:
            continue
        size += size // 10 + 1 if node and not tree.cases else -(size // 10)


def _held(relaxation: Relaxation, mapping: Mapping) -> list[int]:
    """Return the candidates of *mapping*."""
    candidates = enumerate(relaxation.candidates)
    return [c for c, (left, right) in candidates if mapping.get(left) == right]


class _Walk:
    """Random walks between candidates that share a term, or a variable with a pair of a mapping."""

    def __init__(self, relaxation: Relaxation) -> None:
        self._relaxation = relaxation
        self._random = Random(0)
        self._number = {pair: c for c, pair in enumerate(relaxation.candidates)}

    def ruled_out(self, size: int, mapping: Mapping) -> list[int]:
        """Return what is ruled out if all but some *size* left variables keep their partner."""
        held = {left: right for left, right in mapping.items() if (left, right) in self._number}
        free = self._free(size, held)
        taken = {right for left, right in held.items() if left not in free}
        return [
            c
            for (left, right), c in self._number.items()
            if (left not in free or right in taken) and held.get(left) != right
        ]

    def _free(self, size: int, held: Mapping) -> set[int]:
        """Return some *size* left variables that a walk reaches, or that hold what it reaches."""
        holders = {right: left for left, right in held.items()}
        free: set[int] = set()
        here = self._anywhere()
        for _ in range(_STEPS * size):
            if len(free) >= size:
                break
            left, right = self._relaxation.candidates[here]
            lefts = {left, holders.get(right, left)}
            free |= lefts
            partners = [self._number[i, held[i]] for i in sorted(lefts) if i in held]
            nearby = [here, *partners]
            here = self._next(nearby[self._below(len(nearby))])
        return free

    def _anywhere(self) -> int:
        return self._below(len(self._relaxation.candidates))

    def _below(self, number: int) -> int:
        """Return a random number below *number*, the same in all versions of Python."""
        return int(self._random.random() * number)

    def _next(self, here: int) -> int:
        """Return a candidate in one of the terms of *here*, or now and then any other one."""
        start, end = self._relaxation.share_start[here : here + 2]
        if start == end or self._below(_ELSEWHERE) == 0:
            return self._anywhere()
        h = start + self._below(end - start)
        return int(self._relaxation.holder[self._relaxation.ring[h]])
