"""Prices of the transportation problem: the dual of moving goods from lefts to rights for gain.

Minimum-cost flow solves the problem in whole numbers (OR-tools). Which of several best flows it
finds does not matter: the prices are the longest way on which gains can be made by exchanging
goods, and that is the same for all best flows. So they are exact, and the same on every machine.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from exactmatch.stopping.deadline import Deadline

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

#: Costs times nodes must stay below this: the flow computes in 64 bits.
_LARGEST = 1 << 60


def best_prices(
    worths: Mapping[tuple[int, int], int],
    lefts: Sequence[int],
    rights: Sequence[int],
    deadline: Deadline,
) -> list[int]:
    """Return the best prices of *rights*: whole numbers, of which none is negative.

    Prices are best if the sum is least of each right's price times its size, and each left's
    largest gain (worth minus price, or nothing) times its size. *worths* holds, by left and right,
    the worth of moving one unit between them; *lefts* and *rights* are sizes in units.

    Where worths are too large for 64 bits, they are rounded, and the prices are good but perhaps
    not the best. After *deadline*, all prices are 0.
    """
    free = [0] * len(rights)
    if not any(worths.values()) or deadline.passed():
        return free
    nodes = len(lefts) + len(rights) + 2
    shift = max(0, (max(worths.values()) * nodes // _LARGEST).bit_length())
    gains = {pair: worth >> shift for pair, worth in worths.items()}
    network = _Transport(gains, lefts, rights)
    prices = network.prices(network.flow(), deadline)
    return free if prices is None else [price << shift for price in prices]


class _Transport:
    """Arcs from lefts to rights; a spare left and a spare right take amounts without gain."""

    def __init__(
        self, gains: Mapping[tuple[int, int], int], lefts: Sequence[int], rights: Sequence[int]
    ) -> None:
        import numpy as np

        a, b = len(lefts), len(rights)
        pairs = np.array(list(gains), dtype=np.int64)
        own, other = np.arange(a + 1), np.arange(b)
        self.lefts = a + 1
        #: Sizes of lefts, the spare one last, and of rights, likewise.
        self.supplies = np.array([*lefts, sum(rights)], dtype=np.int64)
        self.demands = np.array([*rights, sum(lefts)], dtype=np.int64)
        self.tails: Numbers = np.concatenate([pairs[:, 0], own, np.full(b, a)])
        self.heads: Numbers = np.concatenate([pairs[:, 1], np.full(a + 1, b), other])
        self.gains: Numbers = np.zeros(len(self.tails), dtype=np.int64)
        self.gains[: len(pairs)] = list(gains.values())

    def flow(self) -> "Numbers":
        """Return the flow along each arc with the largest gain."""
        import numpy as np
        from ortools.graph.python.min_cost_flow import SimpleMinCostFlow

        solver = SimpleMinCostFlow()
        unlimited = np.full(len(self.tails), self.supplies.sum())
        arcs = solver.add_arcs_with_capacity_and_unit_cost(
            self.tails, self.lefts + self.heads, unlimited, -self.gains
        )
        nodes = np.arange(self.lefts + len(self.demands))
        solver.set_nodes_supplies(nodes, np.concatenate([self.supplies, -self.demands]))
        status = solver.solve()
        if status != solver.OPTIMAL:
            raise ArithmeticError(f"minimum-cost flow: {status}")
        found: Numbers = solver.flows(arcs)
        return found

    def prices(self, flow: "Numbers", deadline: Deadline) -> list[int] | None:
        """Return the most that exchanges along *flow* can gain for a unit at each right.

        This is Bellman and Ford's computation of longest ways from the spare left, which has no
        gain of its own. Returns None if *deadline* comes first.
        """
        import numpy as np

        used = flow > 0
        tails, heads, gains = self.tails[used], self.heads[used], self.gains[used]
        rights = np.zeros(len(self.demands), dtype=np.int64)
        while not deadline.passed():
            before = rights.copy()
            lefts = np.full(self.lefts, -_LARGEST, dtype=np.int64)
            np.maximum.at(lefts, tails, rights[heads] - gains)
            lefts[-1] = 0
            np.maximum.at(rights, self.heads, lefts[self.tails] + self.gains)
            if np.array_equal(before, rights):
                return [int(price) for price in rights[:-1]]
        return None
