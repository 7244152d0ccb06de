"""All best mappings by a look at every mapping, partial ones too; shares no code with exactmatch.

Terms are weights by the pairs of variables that they need.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

V = TypeVar("V")
Terms = Mapping[tuple[tuple[int, int], ...], int]


def all_mappings(left: Sequence[V], right: Sequence[V]) -> Iterator[dict[V, V]]:
    """Yield all one-to-one mappings, partial ones too."""
    if not left:
        yield {}
        return
    first, *rest = left
    for mapping in all_mappings(rest, right):
        yield mapping
        yield from ({first: image, **mapping} for image in right if image not in mapping.values())


def matched(terms: Terms, mapping: Mapping[int, int]) -> int:
    """Return the weight of the terms whose pairs *mapping* has."""
    return sum(w for pairs, w in terms.items() if all(mapping.get(i) == j for i, j in pairs))


def best_mappings(
    left: Sequence[V], right: Sequence[V], score: Callable[[dict[V, V]], int]
) -> list[dict[V, V]]:
    """Return all mappings of the highest score, including those with pairs that score nothing."""
    scored = [(score(mapping), mapping) for mapping in all_mappings(left, right)]
    best = max(value for value, _ in scored)
    return [mapping for value, mapping in scored if value == best]


def needed(mapping: dict[V, V], score: Callable[[dict[V, V]], int]) -> dict[V, V]:
    """Return the scoring pairs of *mapping*: without one of them, the mapping scores less."""
    whole = score(mapping)
    without = {left: {k: v for k, v in mapping.items() if k != left} for left in mapping}
    return {k: v for k, v in mapping.items() if score(without[k]) < whole}


def in_order(left: Sequence[V], right: Sequence[V], best: Iterable[dict[V, V]]) -> list[dict[V, V]]:
    """Return *best*, each once, by the images of *left* in the order of *right*, no image last."""
    place = {image: k for k, image in enumerate(right)}
    once = {tuple(place.get(m[v], 0) if v in m else len(right) for v in left): m for m in best}
    return [{v: m[v] for v in left if v in m} for _, m in sorted(once.items())]
