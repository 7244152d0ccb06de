"""The pairs of certificates: all their mappings, and the score of each.

Written from the definition at the head of `checker.py`; shares no code with exactmatch. A mapping
is a list with, for each test variable, the position of its image, or None.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from oracles.best_mappings import all_mappings

Mapping = Sequence[int | None]


def mappings(pair: Any) -> Iterator[Mapping]:
    """Yield all one-to-one mappings that the keys of *pair* allow."""
    n, m = (len(pair[side]["variables"]) for side in ("test", "gold"))
    for found in all_mappings(range(n), range(m)):
        if all(_allowed(pair, i, j) for i, j in found.items()):
            yield [found.get(i) for i in range(n)]


def _allowed(pair: Any, i: int, j: int) -> bool:
    if "keys" not in pair["test"]:
        return True
    return bool(set(pair["test"]["keys"][i]) & set(pair["gold"]["keys"][j]))


def score(pair: Any, mapping: Mapping) -> int:
    """Return the score of *mapping*: the sum of the values of all matched triples."""
    return scorer(pair)(mapping)


def best(pair: Any) -> tuple[int, Mapping]:
    """Return the highest score, and a mapping that has it: the first one found."""
    score_of = scorer(pair)
    return max(((score_of(one), one) for one in mappings(pair)), key=lambda found: found[0])


def scorer(pair: Any) -> Callable[[Mapping], int]:
    """Return the function that scores a mapping of *pair*, whose triples are counted only once."""
    tests, golds = (_occurrences(pair[side]) for side in ("test", "gold"))
    worths = [(label, label, pair["scale"]) for label in {label for label, _ in tests}]
    worths += [(tuple(own), tuple(other), worth) for own, other, worth in pair["similar"]]
    matchable = [
        (variables, times, other, worth)
        for (label, variables), times in tests.items()
        for own, other, worth in worths
        if own == label and variables
    ]

    def score_of(mapping: Mapping) -> int:
        found = 0
        for variables, times, other, worth in matchable:
            others = golds.get((other, tuple([mapping[v] for v in variables])), 0)
            found += worth * _credit(pair["duplicates"], times, others)
        return found

    return score_of


def _occurrences(graph: Any) -> Counter[Any]:
    """Count the triples, each a label and positions of variables."""
    place = {name: k for k, name in enumerate(graph["variables"])}
    return Counter(
        (tuple(label), tuple(map(place.get, names))) for label, names in graph["triples"]
    )


def _credit(duplicates: str, times: int, others: int) -> int:
    if not others:
        return 0
    return {"set": 1, "multiset": min(times, others), "product": times * others}[duplicates]
