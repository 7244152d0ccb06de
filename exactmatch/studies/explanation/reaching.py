"""Decide whether some mapping reaches a number of matched triples."""

from collections import Counter
from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from exactmatch.problem import MatchingProblem, Pair

#: The number of mappings from which the search continues before it gives up.
_MAPPINGS = 1_000


class _Near(NamedTuple):
    """A mapping that differs from another in the partner of *left*; None if it has none."""

    value: int
    left: int
    right: int | None


def is_reached(problem: MatchingProblem, best: Mapping[int, int], low: int, high: int) -> bool:
    """Tell whether a mapping is found that scores from *low* to *high*.

    The search begins at the mapping *best*, changes the partner of one variable at a time, and
    continues from the nearest mapping. False means that none was found, and not that there is none.
    """
    value = problem.value(best)
    if low <= value <= high:
        return True
    queue: list[tuple[int, int, dict[int, int], _Near | None]] = [(0, 0, dict(best), None)]
    seen: set[frozenset[Pair]] = set()
    number = 0
    while queue and len(seen) < _MAPPINGS:
        _, _, before, change = heappop(queue)
        mapping = before if change is None else _changed(before, change)
        key = frozenset(mapping.items())
        if key in seen:
            continue
        seen.add(key)
        for near in _nearby(problem, mapping, value if change is None else change.value):
            if low <= near.value <= high:
                return True
            number += 1
            heappush(queue, (max(low - near.value, near.value - high), number, mapping, near))
    return False


def values_near(problem: MatchingProblem, best: Mapping[int, int]) -> set[int]:
    """Return the values of some mappings: *best* with one change, and parts of it down to none."""
    values = {near.value for near in _nearby(problem, best, problem.value(best))}
    rest = dict(best)
    while rest:
        rest.popitem()
        values.add(problem.value(rest))
    return values


def _changed(mapping: Mapping[int, int], change: _Near) -> dict[int, int]:
    rest = {left: right for left, right in mapping.items() if left != change.left}
    return rest if change.right is None else {**rest, change.left: change.right}


def _nearby(problem: MatchingProblem, mapping: Mapping[int, int], value: int) -> Iterator[_Near]:
    """Yield the mappings that differ in one partner, with values, in one pass over the terms."""
    lost: Counter[int] = Counter()
    won: Counter[Pair] = Counter()
    for weight, pairs in problem.terms:
        lacking = [pair for pair in pairs if mapping.get(pair[0]) != pair[1]]
        if not lacking:
            for left, _ in pairs:
                lost[left] += weight
        elif len(lacking) == 1:
            won[lacking[0]] += weight
    for left in mapping:
        yield _Near(value - lost[left], left, None)
    taken = set(mapping.values())
    for left, right in problem.candidates:
        if right not in taken:
            yield _Near(value - lost[left] + won[left, right], left, right)
