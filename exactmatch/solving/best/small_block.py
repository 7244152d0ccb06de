"""Visit all best mappings of a small block one by one, which is fast if there are few.

Variables are mapped in turn, or left out. A branch is cut off if even the best images of all later
variables do not make up for the loss; after too many branches, the block is left to other code.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from operator import itemgetter

from exactmatch.problem import Pair
from exactmatch.solving.best.optimum import ProblemBlock

#: A larger block is not small: the search is recursive, and visits terms repeatedly.
_MOST_VARIABLES = 200
MOST_TERMS = 1000


class TooLarge(Exception):  # noqa: N818
    """There are too many mappings to visit."""


def visit_best_mappings(
    block: ProblemBlock,
    visit: Callable[[dict[int, int]], None],
    most_branches: int,
    *,
    in_order: bool = False,
) -> None:
    """Call *visit* with each best mapping of *block*; *visit* must copy it to keep it.

    Pairs that are in no term are in none of them. They come *in_order* of the images of the first
    left variable, of the second one and so on, no image last, or in any that is quick. Raises
    `TooLarge`, perhaps after some visits, if there are more branches, or the block is not small.
    """
    if len(block.weights) > MOST_TERMS or len(block.lefts) > _MOST_VARIABLES:
        raise TooLarge
    lefts = block.lefts if in_order else _neighbours_together(block)
    _Enumeration(block, lefts, visit, most_branches).go_on(0, block.value)


class _Enumeration:
    """Left variables in turn; each term belongs to the last variable that it needs.

    images: for each left variable, its images, and for each of these the terms that it is the last
        pair of: what else they need, and their weights.
    hope: for each left variable, what those from it on can gain at most.
    """

    def __init__(
        self,
        block: ProblemBlock,
        lefts: list[int],
        visit: Callable[[dict[int, int]], None],
        most_branches: int,
    ) -> None:
        images: dict[int, dict[int, list[tuple[tuple[Pair, ...], int]]]] = {}
        for pairs in block.weights:
            for left, right in pairs:
                images.setdefault(left, {}).setdefault(right, [])
        self._lefts = lefts
        turn = {left: k for k, left in enumerate(lefts)}
        for pairs, weight in block.weights.items():
            *others, (left, right) = sorted(pairs, key=lambda pair: turn[pair[0]])
            images[left][right].append((tuple(others), weight))
        self._images = [sorted(images[left].items(), key=itemgetter(0)) for left in self._lefts]
        self._hope = [0]
        for images_of in reversed(self._images):
            self._hope.append(self._hope[-1] + max(_most(terms) for _, terms in images_of))
        self._hope.reverse()
        self._visit = visit
        self._mapping: dict[int, int] = {}
        self._used: set[int] = set()
        self._branches_left = most_branches

    def go_on(self, place: int, missing: int) -> None:
        """Map the variables from *place* on so that they gain *missing*."""
        if place == len(self._lefts):
            if missing == 0:
                self._visit(self._mapping)
            return
        self._branches_left -= 1
        if self._branches_left < 0:
            raise TooLarge
        hope = self._hope[place + 1]
        mapping, used, left = self._mapping, self._used, self._lefts[place]
        for right, terms in self._images[place]:
            if right in used:
                continue
            rest = missing
            for others, weight in terms:
                if all([mapping.get(i) == j for i, j in others]):
                    rest -= weight
            if rest <= hope:
                mapping[left] = right
                used.add(right)
                self.go_on(place + 1, rest)
                used.remove(right)
                del mapping[left]
        if missing <= hope:
            self.go_on(place + 1, missing)


def _neighbours_together(block: ProblemBlock) -> list[int]:
    """Return the left variables, each after those with which it shares most terms."""
    shared: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for pairs in block.weights:
        for left, _ in pairs:
            shared[left].update(other for other, _ in pairs if other != left)
    order: list[int] = []
    waiting = dict.fromkeys(block.lefts, 0)
    while waiting:
        chosen = max(waiting, key=waiting.__getitem__)
        order.append(chosen)
        del waiting[chosen]
        for other, times in shared[chosen].items():
            if other in waiting:
                waiting[other] += times
    return order


def _most(terms: Sequence[tuple[tuple[Pair, ...], int]]) -> int:
    """Return a bound on what terms of one last pair gain: one of the same left variables counts."""
    best: Counter[tuple[int, ...]] = Counter()
    for others, weight in terms:
        row = tuple([left for left, _ in others])
        best[row] = max(best[row], weight)
    return best.total()
