"""Two graphs as a problem whose terms are not written down."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import partial

from exactmatch.compact import CompactProblem, Kind, Occurrence
from exactmatch.triples import Duplicates, Item, ItemGraph, Label, Similar, credit

#: The items of a graph by label, and then by the pattern of equal variables.
_Shapes = dict[Label, dict[tuple[int, ...], list[Occurrence]]]


def build_compact(
    test: ItemGraph, gold: ItemGraph, duplicates: Duplicates, similar: Similar, scale: int
) -> CompactProblem:
    """Return the problem that `exactmatch.triples.build_problem` would write down.

    Items without variables are left out: what they count does not depend on the mapping.
    """
    ours, theirs = _shapes(test.items, test.variables), _shapes(gold.as_gold(), gold.variables)
    alike: dict[Label, list[tuple[Label, int]]] = {label: [(label, scale)] for label in ours}
    for (label, other), worth in similar.items():
        if label in alike:
            alike[label].append((other, worth))
    # Only items of one pattern match: a one-to-one mapping takes (a, a) to (b, b), not to (b, c).
    kinds = [
        Kind(worth, items, theirs[other][pattern], is_equal=label == other)
        for label, by_pattern in ours.items()
        for other, worth in alike[label]
        if other in theirs
        for pattern, items in by_pattern.items()
        if pattern in theirs[other]
    ]
    how_often = partial(credit, duplicates=duplicates)
    return CompactProblem(len(test.variables), len(gold.variables), kinds, how_often)


def _shapes(items: Iterable[Item], variables: Sequence[str]) -> _Shapes:
    position = {variable: k for k, variable in enumerate(variables)}
    found: _Shapes = defaultdict(lambda: defaultdict(list))
    for (label, names), times in Counter(items).items():
        if names:
            pattern = tuple([names.index(name) for name in names])
            distinct = tuple([position[name] for name in dict.fromkeys(names)])
            found[label][pattern].append(Occurrence(distinct, times))
    return found
