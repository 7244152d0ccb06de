"""Brute force, written from the definition, that shares no code with exactmatch.

A graph here is a list of triples (label, variables); see `samples.py`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
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

    def count(some: Sequence[Triple], mapping: dict[str, str]) -> int:
        return _equal({triple: ours[triple] for triple in some}, theirs, mapping, duplicates)

    return best_count(left, right, [*ours], count)


def best_count(
    left: Sequence[str],
    right: Sequence[str],
    triples: Sequence[Triple],
    count: Callable[[Sequence[Triple], dict[str, str]], int],
) -> int:
    """Return the largest *count* of *triples* over all one-to-one mappings of all of *left*.

    Each triple counts by itself, and only the images of its variables matter. So it is counted when
    the last of these gets its image, once for all mappings that differ in later variables alone.
    """
    place = {name: k for k, name in enumerate(left, start=1)}
    due: list[list[Triple]] = [[] for _ in range(len(left) + 1)]
    for triple in triples:
        due[max((place[name] for name in triple[1]), default=0)].append(triple)

    def search(mapping: dict[str, str]) -> int:
        k = len(mapping)
        counted = count(due[k], mapping)
        if k == len(left):
            return counted
        free = [image for image in right if image not in mapping.values()]
        return counted + max(search({**mapping, left[k]: image}) for image in free)

    return search({})


def matched(
    system: Sequence[Triple], gold: Sequence[Triple], mapping: dict[str, str], duplicates: str
) -> int:
    """Count the triples that are equal after *mapping* has renamed the variables of *system*."""
    return _equal(Counter(system), Counter(gold), mapping, duplicates)


def _equal(
    ours: Mapping[Triple, int], theirs: Counter[Any], mapping: dict[str, str], duplicates: str
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
