"""Brute force, written from the definition, that shares no code with exactmatch.

A graph here is a list of triples (label, variables); see `samples.py`.
"""

from collections import Counter
from collections.abc import Sequence
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
    return best_count(left, right, Counter(system), Counter(gold), duplicates)


def best_count(
    left: Sequence[str],
    right: Sequence[str],
    ours: Counter[Triple],
    theirs: Counter[Triple],
    duplicates: str,
) -> int:
    """Return the largest number of matched triples over all one-to-one mappings of all of *left*.

    Only the images of its variables matter to a triple. So it is counted when the last of these
    gets its image, once for all mappings that differ in later variables alone.
    """
    place = {name: k for k, name in enumerate(left)}
    #: For each variable, the triples of which it is the last: variables, and the credit by images.
    due: list[list[tuple[tuple[str, ...], dict[tuple[str, ...], int]]]] = [[] for _ in left]
    always = 0
    for (label, names), times in ours.items():
        credits = {
            others: _credit(times, theirs[other, others], duplicates)
            for other, others in theirs
            if other == label
        }
        if names:
            due[max([place[name] for name in names])].append((names, credits))
        else:
            always += credits.get((), 0)
    mapping: dict[str, str] = {}

    def search(k: int, free: frozenset[str]) -> int:
        """Return the largest count of what is due from *k* on, for the mapping so far."""
        best = 0
        for image in free:
            mapping[left[k]] = image
            count = search(k + 1, free - {image}) if k + 1 < len(left) else 0
            for names, credits in due[k]:
                count += credits.get(tuple([mapping[name] for name in names]), 0)
            best = max(best, count)
        return best

    return always + (search(0, frozenset(right)) if left else 0)


def renamed(triple: Triple, mapping: dict[str, str]) -> tuple[str, tuple[str | None, ...]]:
    label, names = triple
    return label, tuple(map(mapping.get, names))


def matched(
    system: Sequence[Triple], gold: Sequence[Triple], mapping: dict[str, str], duplicates: str
) -> int:
    """Count the triples that are equal after *mapping* has renamed the variables of *system*.

    Mappings are one-to-one, so different triples never become equal.
    """
    theirs: Counter[Any] = Counter(gold)
    return sum(
        _credit(times, theirs.get(renamed(triple, mapping), 0), duplicates)
        for triple, times in Counter(system).items()
    )


def _credit(times: int, others: int, duplicates: str) -> int:
    """Return what triples count that occur so many times on both sides."""
    if duplicates == "product":
        return times * others
    return min(times, others) if duplicates == "multiset" else int(min(times, others) > 0)


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
            *others, last = sorted(pairs)
            ending.setdefault(last, []).append((weight, others))
    images: list[int | None] = [None] * n_left

    def search(left: int, free: frozenset[int]) -> int:
        """Return the most that the variables from *left* on gain, the images before being set."""
        is_last = left + 1 == n_left
        images[left] = None
        best = 0 if is_last else search(left + 1, free)
        for right in free:
            images[left] = right
            gain = 0 if is_last else search(left + 1, free - {right})
            for weight, others in ending.get((left, right), ()):
                if all([images[i] == j for i, j in others]):
                    gain += weight
            best = max(best, gain)
        return best

    always = sum(weight for weight, pairs in terms if not pairs)
    return always + (search(0, frozenset(range(n_right))) if n_left else 0)
