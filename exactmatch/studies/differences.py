"""What differs between two graphs under a mapping of their variables."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from exactmatch.triples import Duplicates, Item, ItemGraph

Label = tuple[str, ...]

#: The kinds of triples that say what a variable stands for.
_CONCEPTS = ("instance", "label", "concept")


class Difference(NamedTuple):
    """A triple that has no equal on the other side.

    *kind* is that of the triple (the first part of its label); *test* and *gold* are what it says
    on either side. If both are there, the triple is relabelled: it speaks of the same variables,
    or is the one root of either side. If *gold* is missing it is surplus, if *test*, missing.
    """

    kind: str
    test: str | None
    gold: str | None


def differences(
    test: ItemGraph, gold: ItemGraph, mapping: Mapping[str, str], duplicates: Duplicates
) -> list[Difference]:
    """Return how *test* differs from *gold* when *mapping* (by name) identifies variables.

    What is written more than once is one triple if *duplicates* count as a set, else several.
    """
    back = {right: left for left, right in mapping.items()}
    lefts = _counted(test.items, duplicates)
    targets = (_renamed(item, back) for item in gold.as_gold())
    orders = dict.fromkeys(target for target in targets if target in lefts)
    renamed = (_matching(_renamed(item, back), orders) for item in gold.items)
    rights = _counted(renamed, duplicates)
    surplus = _grouped(lefts - rights, _concepts(test.items))
    missing = _grouped(rights - lefts, _concepts(_renamed(item, back) for item in gold.items))
    found: list[Difference] = []
    for place in sorted(surplus.keys() | missing.keys()):
        found += _paired(place[0], surplus.get(place, []), missing.get(place, []))
    return sorted(found, key=lambda d: (d.kind, d.test or "", d.gold or ""))


def _counted(items: Iterable[Item], duplicates: Duplicates) -> Counter[Item]:
    return Counter(dict.fromkeys(items, 1) if duplicates == "set" else items)


def _matching(item: Item, orders: Collection[Item]) -> Item:
    """Return *item* with its variables in that order of *orders* that it is matched in, if any."""
    if item in orders:
        return item
    same = (o for o in orders if o.label == item.label and set(o.variables) == set(item.variables))
    return next(same, item)


def _renamed(item: Item, back: Mapping[str, str]) -> Item:
    """Return *item* with the names of the test side; a variable without partner keeps no name."""
    return Item(item.label, tuple(back.get(v, f"\0{v}") for v in item.variables))


def _concepts(items: Iterable[Item]) -> dict[str, str]:
    """Return what each variable stands for, in the words of its metric."""
    return {item.variables[0]: item.label[1] for item in items if item.label[0] in _CONCEPTS}


def _grouped(
    items: Counter[Item], concepts: Mapping[str, str]
) -> dict[tuple[str, tuple[str, ...]], list[Label]]:
    """Return the labels by what they speak of: kind and variables.

    A graph has one root: whatever variable it is, it is compared with the root of the other
    graph, and shown as the concept of that variable.
    """
    groups: defaultdict[tuple[str, tuple[str, ...]], list[Label]] = defaultdict(list)
    for label, variables in items.elements():
        if label[0] == "top":
            groups["top", ()].append(("top", concepts.get(variables[0], "")))
        else:
            groups[label[0], variables].append(label)
    return groups


def _paired(kind: str, surplus: list[Label], missing: list[Label]) -> Iterator[Difference]:
    """Pair the labels that say different things in one place, those most alike first."""
    surplus, missing = sorted(surplus), sorted(missing)
    while surplus and missing:
        test, gold = max(
            ((s, m) for s in surplus for m in missing),
            key=lambda pair: sum(a == b for a, b in zip(*pair, strict=False)),
        )
        surplus.remove(test)
        missing.remove(gold)
        yield Difference(kind, _shown(test), _shown(gold))
    for label in surplus:
        yield Difference(kind, _shown(label), None)
    for label in missing:
        yield Difference(kind, None, _shown(label))


def _shown(label: Label) -> str:
    return " ".join(label[1:])
