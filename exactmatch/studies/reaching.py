"""Is a number of matched triples one that some mapping reaches?"""

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush

from exactmatch.problem import MatchingProblem

#: So many mappings are looked at.
_MAPPINGS = 2_000


def is_reached(problem: MatchingProblem, best: Mapping[int, int], low: int, high: int) -> bool:
    """Tell whether a mapping is found that scores from *low* to *high*.

    The search begins at the mapping *best*, changes one variable at a time, and goes on where it
    is nearest. False means that none is found, and not that there is none.
    """
    start = dict(best)
    seen = {frozenset(start.items())}
    queue = [(_distance(problem.value(start), low, high), 0, start)]
    while queue:
        distance, _, mapping = heappop(queue)
        if not distance:
            return True
        for changed in _changed(problem, mapping):
            key = frozenset(changed.items())
            if key not in seen and len(seen) < _MAPPINGS:
                seen.add(key)
                distance = _distance(problem.value(changed), low, high)
                heappush(queue, (distance, len(seen), changed))
    return False


def _distance(value: int, low: int, high: int) -> int:
    return max(low - value, value - high, 0)


def _changed(problem: MatchingProblem, mapping: dict[int, int]) -> Iterator[dict[int, int]]:
    """Yield the mappings in which one variable has another partner, or none."""
    taken = set(mapping.values())
    for left in mapping:
        yield {key: value for key, value in mapping.items() if key != left}
    for left, right in problem.candidates:
        if right not in taken:
            yield {**mapping, left: right}
