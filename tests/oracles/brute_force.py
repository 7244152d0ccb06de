"""Brute force, written from the definition, that shares no code with exactmatch.

A graph here is a list of triples (label, variables); see `samples.py`.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from typing import Any

Triple = tuple[str, tuple[str, ...]]


def optimum(system: Sequence[Triple], gold: Sequence[Triple], duplicates: str) -> int:
    """Return the largest number of matched triples over all one-to-one mappings.

    Only mappings of all variables of the smaller side are tried: one more mapped variable never
    loses a match.
    """
    left, right = variables(system), variables(gold)
    if len(left) > len(right):
        return optimum(gold, system, duplicates)
    ours, theirs = Counter(system), Counter(gold)
    return max(
        _equal(ours, theirs, dict(zip(left, images, strict=True)), duplicates)
        for images in permutations(right, len(left))
    )


def matched(
    system: Sequence[Triple], gold: Sequence[Triple], mapping: dict[str, str], duplicates: str
) -> int:
    """Count the triples that are equal after *mapping* has renamed the variables of *system*."""
    return _equal(Counter(system), Counter(gold), mapping, duplicates)


def _equal(
    ours: Counter[Triple], theirs: Counter[Any], mapping: dict[str, str], duplicates: str
) -> int:
    """Count equal triples; mappings are one-to-one, so different triples never become equal."""
    count = 0
    for (label, names), times in ours.items():
        same = theirs[label, tuple(map(mapping.get, names))]
        if duplicates == "product":
            count += times * same
        elif duplicates == "multiset":
            count += min(times, same)
        else:
            count += same > 0
    return count


def total(graph: Sequence[Triple], duplicates: str) -> int:
    """Count the triples of *graph*."""
    return len(set(graph)) if duplicates == "set" else len(graph)


def variables(graph: Sequence[Triple]) -> list[str]:
    """Return the variables of *graph*, in the order of their concepts."""
    return [names[0] for label, names in graph if label.startswith("instance ")]


def best_score(
    n_left: int, n_right: int, terms: Sequence[tuple[int, Sequence[tuple[int, int]]]]
) -> int:
    """Return the best score of a matching problem given as (weight, pairs) terms.

    All mappings are tried. The gain of a pair is counted when the pair is chosen: the terms whose
    last pair it is, and whose other pairs are chosen.
    """
    ending: dict[tuple[int, int], list[tuple[int, Sequence[tuple[int, int]]]]] = {}
    for weight, pairs in terms:
        if pairs:
            ending.setdefault(max(pairs), []).append((weight, pairs))

    def search(left: int, mapping: dict[int, int]) -> int:
        if left == n_left:
            return 0
        best = search(left + 1, mapping)
        for right in set(range(n_right)) - set(mapping.values()):
            more = {**mapping, left: right}
            added = sum(
                weight
                for weight, pairs in ending.get((left, right), ())
                if all(more.get(i) == j for i, j in pairs)
            )
            best = max(best, added + search(left + 1, more))
        return best

    return sum(weight for weight, pairs in terms if not pairs) + search(0, {})
