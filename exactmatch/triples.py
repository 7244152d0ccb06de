"""Items: the triples of a graph as a metric compares them, and how two sets of them match.

This is what all aligning metrics share. An item is a label and the variables it speaks of; two
items match under a mapping if their labels are equal and the mapping takes the variables of the
one to those of the other, in order.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem, Pair, Term

#: How triples that occur more than once are counted: once; as often as they occur on both sides
#: (the smaller number); or once for every pair of occurrences (the product, as smatch does).
Duplicates = Literal["set", "multiset", "product"]


#: All of a triple that is no variable.
Label = tuple[str, ...]

#: How much two triples of different labels count for, if the mapping identifies their variables.
Similar = Mapping[tuple[Label, Label], int]
_NOTHING: Similar = MappingProxyType({})
_NEVER = Deadline()
#: Terms written down between two looks at the clock.
_INTERVAL = 10_000


class Item(NamedTuple):
    """A triple, normalised: all that is no variable in *label*, and the variables in order."""

    label: Label
    variables: tuple[str, ...]


class ItemGraph(NamedTuple):
    """The items of a graph, as often as they occur, and its variables in order.

    *targets* are what the items of another graph have to equal, where this graph is the gold
    standard; None if these are its own items. They differ where an item can be written in two
    ways, or counts although nothing matches it.
    """

    variables: tuple[str, ...]
    items: Sequence[Item]
    targets: Sequence[Item] | None = None

    def as_gold(self) -> Sequence[Item]:
        """Return what the items of a test graph have to equal."""
        return self.items if self.targets is None else self.targets

    def total(self, duplicates: Duplicates) -> int:
        """Return the number of triples that precision or recall is divided by."""
        return len(set(self.items) if duplicates == "set" else self.items)


def build_problem(
    test: ItemGraph,
    gold: ItemGraph,
    duplicates: Duplicates,
    similar: Similar = _NOTHING,
    scale: int = 1,
    deadline: Deadline = _NEVER,
) -> MatchingProblem:
    """Return the problem whose optimal mapping matches the most items of *test* and *gold*.

    Items of one label count *scale*, and items of *similar* ones (test, gold) what is said there.
    Raises `OutOfTime` if *deadline* comes first.
    """
    left = {variable: i for i, variable in enumerate(test.variables)}
    right = {variable: j for j, variable in enumerate(gold.variables)}
    by_label: dict[Label, list[tuple[list[int], int]]] = defaultdict(list)
    for (label, variables), times in Counter(gold.as_gold()).items():
        by_label[label].append(([right[w] for w in variables], times))
    alike: dict[Label, list[tuple[Label, int]]] = defaultdict(list)
    for (label, other), worth in similar.items():
        alike[label].append((other, worth))
    weights: defaultdict[tuple[Pair, ...], int] = defaultdict(int)
    next_look = _INTERVAL
    for (label, variables), times in Counter(test.items).items():
        if len(weights) >= next_look:
            next_look = len(weights) + _INTERVAL
            deadline.check()
        lefts = [left[v] for v in variables]
        for other, worth in [(label, scale), *alike.get(label, ())]:
            for rights, other_times in by_label.get(other, ()):
                pairs = _pairs(lefts, rights)
                if pairs is not None:
                    weights[pairs] += worth * credit(times, other_times, duplicates)
    return MatchingProblem(
        n_left=len(left),
        n_right=len(right),
        terms=tuple(Term(weight, pairs) for pairs, weight in sorted(weights.items())),
    )


def count_matched(
    test: ItemGraph,
    gold: ItemGraph,
    mapping: Mapping[str, str],
    duplicates: Duplicates,
    similar: Similar = _NOTHING,
    scale: int = 1,
) -> int:
    """Count the items of *test* that *mapping*, by name, turns into targets of *gold*.

    Equal ones count *scale*, and *similar* ones what is said there.

    Written from the definition, and sharing nothing with the problem that was solved: this is
    the number that is printed. *mapping* must be one-to-one.
    """
    renamed = [
        (label, tuple([mapping[v] for v in variables]))
        for label, variables in test.items
        if all(v in mapping for v in variables)
    ]
    wanted = gold.as_gold()
    matched = scale * _count_equal(renamed, wanted, duplicates)
    for (label, other), credit in similar.items():
        relabelled = [(other, variables) for own, variables in renamed if own == label]
        matched += credit * _count_equal(relabelled, wanted, duplicates)
    return matched


def _count_equal(
    found: Sequence[tuple[object, ...]],
    wanted: Sequence[tuple[object, ...]],
    duplicates: Duplicates,
) -> int:
    if duplicates == "set":
        return len(set(found) & set(wanted))
    times = Counter(wanted)
    if duplicates == "multiset":
        return (Counter(found) & times).total()
    return sum(times[item] for item in found)


def credit(times: int, other_times: int, duplicates: Duplicates) -> int:
    """Return how often two items count that match and occur so often in their graphs."""
    if times == 1 == other_times:
        return 1
    if duplicates == "product":
        return times * other_times
    fewer = min(times, other_times)
    return min(fewer, 1) if duplicates == "set" else fewer


def _pairs(lefts: Sequence[int], rights: Sequence[int]) -> tuple[Pair, ...] | None:
    """Return the pairs that take *lefts* to *rights*, sorted, or None if not one-to-one."""
    if len(lefts) != len(rights):  # a label may have items of several sizes
        return None
    if len(lefts) == 1 == len(rights):  # most are of one or two variables
        return ((lefts[0], rights[0]),)
    if len(lefts) == 2 == len(rights) and lefts[0] != lefts[1] and rights[0] != rights[1]:
        one, other = (lefts[0], rights[0]), (lefts[1], rights[1])
        return (one, other) if one < other else (other, one)
    pairs = sorted(set(zip(lefts, rights, strict=True)))
    is_one_to_one = len(set(lefts)) == len(pairs) == len(set(rights))
    return tuple(pairs) if is_one_to_one else None
