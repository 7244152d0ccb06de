"""A bound by one assignment (Gilmore 1962, Lawler 1963), in integers.

Every term hands its weight in equal shares to its pairs. A pair then is worth what it can get at
most from its terms (`star_bounds`), and the best assignment under these worths bounds the score
of every mapping. It is proven by the prices of the right variables alone
(`dual_value`), so that no defect of the assignment itself could make the bound wrong.
"""

import heapq
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

from exactmatch.bounds.star import star_bounds
from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem, Pair


def assignment_bound(problem: MatchingProblem, deadline: Deadline) -> tuple[int, dict[int, int]]:
    """Return an upper bound on the score of any mapping, and the mapping that it suggests.

    Stopped by *deadline*, the bound is valid all the same, only larger than it could be.
    """
    scale = math.lcm(*{len(term.pairs) for term in problem.terms})
    shares = [term.weight * scale // len(term.pairs) for term in problem.terms]
    worth = star_bounds(problem, shares)
    assigned, prices = assign(problem.n_left, problem.n_right, worth, deadline)
    return dual_value(worth, prices) // scale, assigned


def dual_value(worth: Mapping[Pair, int], prices: Sequence[int]) -> int:
    """Return what no one-to-one set of pairs is worth more than, whatever the prices.

    A set that uses each left and each right variable at most once is worth at most the prices
    of all right variables (a negative one counts as 0) and, for each left variable, its best
    pair less its price.
    """
    paid = [max(0, price) for price in prices]
    best: defaultdict[int, int] = defaultdict(int)
    for (left, right), value in worth.items():
        best[left] = max(best[left], value - paid[right])
    return sum(best.values()) + sum(paid)


def assign(
    n_left: int, n_right: int, worth: Mapping[Pair, int], deadline: Deadline
) -> tuple[dict[int, int], list[int]]:
    """Return an assignment of the highest worth, and the prices that prove it highest.

    Shortest augmenting paths (Kuhn 1955, Tomizawa 1971): each left variable in turn is brought
    in along the path that costs least, which may end with some left variable left out. Those
    that are not brought in before *deadline* are left out.
    """
    assignment = _Assignment(n_left, n_right, worth)
    for left in range(n_left):
        if deadline.passed():
            break
        assignment.bring_in(left)
    return assignment.image, assignment.prices


class _Assignment:
    """An assignment that is optimal among the left variables brought in so far.

    Throughout, ``profits[left] + prices[right] >= worth``, with equality for assigned pairs;
    right variables that are free have price 0, left variables that are left out profit 0.
    """

    def __init__(self, n_left: int, n_right: int, worth: Mapping[Pair, int]) -> None:
        self.prices = [0] * n_right
        self.image: dict[int, int] = {}
        self._profits = [0] * n_left
        self._owner: dict[int, int] = {}
        self._edges: list[list[tuple[int, int]]] = [[] for _ in range(n_left)]
        for (left, right), value in worth.items():
            if value > 0:
                self._edges[left].append((right, value))

    def bring_in(self, root: int) -> None:
        """Assign *root*, or leave out whichever left variable is missed least."""
        best = max((value - self.prices[right] for right, value in self._edges[root]), default=0)
        self._profits[root] = max(0, best)
        distances: dict[int, int] = {}
        previous: dict[int, int] = {}
        queue: list[tuple[int, int, int]] = []
        left, reached = root, 0
        left_out, length = root, self._profits[root]
        end = None
        while True:
            for right, value in self._edges[left]:
                if right not in distances:
                    slack = self._profits[left] + self.prices[right] - value
                    heapq.heappush(queue, (reached + slack, right, left))
            while queue and queue[0][1] in distances:
                heapq.heappop(queue)
            if not queue or queue[0][0] >= length:
                break
            reached, right, left = heapq.heappop(queue)
            previous[right] = left
            if right not in self._owner:
                end, length = right, reached
                break
            distances[right] = reached
            left = self._owner[right]
            if reached + self._profits[left] < length:
                left_out, length = left, reached + self._profits[left]
        self._adjust(root, distances, length)
        if end is None and left_out != root:
            end = self.image.pop(left_out)
        if end is not None:
            self._reassign(root, end, previous)

    def _adjust(self, root: int, distances: Mapping[int, int], length: int) -> None:
        self._profits[root] -= length
        for right, distance in distances.items():
            self.prices[right] += length - distance
            self._profits[self._owner[right]] -= length - distance

    def _reassign(self, root: int, end: int, previous: Mapping[int, int]) -> None:
        """Give each left variable on the path from *root* the right variable after it."""
        right: int | None = end
        while right is not None:
            left = previous[right]
            following = self.image.get(left)
            self.image[left], self._owner[right] = right, left
            right = None if left == root else following
