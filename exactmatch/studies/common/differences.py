"""Differences between two graphs under a mapping of their variables."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from exactmatch.metrics.triples import Duplicates, NormalisedGraph, NormalisedTriple

Label = tuple[str, ...]
_Paired = TypeVar("_Paired", bound=tuple[Any, ...])

#: The kinds of triples that say what a variable stands for.
_CONCEPTS = ("instance", "label", "concept")


class Difference(NamedTuple):
    """A triple without an equal one on the other side.

    *kind* is that of the triple (the first part of its label); *system* and *gold* are the labels
    on either side. If both are there, the triple is relabelled: it has the same variables, or is
    the one root of either side. If *gold* is None the triple is surplus, if *system* is None it is
    missing.
    """

    kind: str
    system: str | None
    gold: str | None


def differences(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    mapping: Mapping[str, str],
    duplicates: Duplicates,
) -> list[Difference]:
    """Return the differences of *system* from *gold* under *mapping* (by name).

    Repeated triples are one if *duplicates* count as a set, otherwise several.
    """
    back = {right: left for left, right in mapping.items()}
    lefts = _counted(system.triples, duplicates)
    own = [_renamed(triple, back) for triple in gold.triples]
    turned: list[NormalisedTriple] = []
    if gold.targets is not None:
        known = set(own)
        targets = dict.fromkeys(_renamed(triple, back) for triple in gold.targets)
        turned = [target for target in targets if target in lefts and target not in known]
    rights = _counted((_matching(triple, lefts, turned) for triple in own), duplicates)
    surplus = _grouped(lefts - rights, _concepts(system.triples))
    missing = _grouped(rights - lefts, _concepts(own))
    paired: list[Difference] = []
    for place in sorted(surplus.keys() | missing.keys()):
        paired += _paired(place[0], surplus.get(place, []), missing.get(place, []))
    return sorted(paired, key=lambda d: (d.kind, d.system or "", d.gold or ""))


def _counted(
    triples: Iterable[NormalisedTriple], duplicates: Duplicates
) -> Counter[NormalisedTriple]:
    return Counter(dict.fromkeys(triples, 1) if duplicates == "set" else triples)


def _matching(
    triple: NormalisedTriple,
    lefts: Collection[NormalisedTriple],
    turned: Iterable[NormalisedTriple],
) -> NormalisedTriple:
    """Return *triple* in the form in *lefts*, if any: *turned* has other orders of variables."""
    if triple in lefts:
        return triple
    own = (triple.label, set(triple.variables))
    same = (other for other in turned if (other.label, set(other.variables)) == own)
    return next(same, triple)


def _renamed(triple: NormalisedTriple, back: Mapping[str, str]) -> NormalisedTriple:
    """Return *triple* with the system's names; a variable without partner keeps no name."""
    return NormalisedTriple(triple.label, tuple(back.get(v, f"\0{v}") for v in triple.variables))


def _concepts(triples: Iterable[NormalisedTriple]) -> dict[str, str]:
    """Return what each variable stands for, in the terms of its metric."""
    return {triple.variables[0]: triple.name for triple in triples if triple.kind in _CONCEPTS}


def _grouped(
    triples: Counter[NormalisedTriple], concepts: Mapping[str, str]
) -> dict[tuple[str, tuple[str, ...]], list[Label]]:
    """Return the labels by their kind and variables.

    A graph has one root. It is compared with the root of the other graph, whichever variables they
    are, and shown as its concept.
    """
    groups: defaultdict[tuple[str, tuple[str, ...]], list[Label]] = defaultdict(list)
    for label, variables in triples.elements():
        if label[0] == "top":
            groups["top", ()].append(("top", concepts.get(variables[0], "")))
        else:
            groups[label[0], variables].append(label)
    return groups


def _paired(kind: str, surplus: list[Label], missing: list[Label]) -> Iterator[Difference]:
    """Pair different labels in one place, the most similar first."""
    for system, gold in most_alike_first(surplus, missing, _alike):
        yield Difference(
            kind,
            None if system is None else _shown(system),
            None if gold is None else _shown(gold),
        )


def most_alike_first(
    ones: Iterable[_Paired], others: Iterable[_Paired], alike: Callable[[_Paired, _Paired], int]
) -> Iterator[tuple[_Paired | None, _Paired | None]]:
    """Pair each of *ones* with one of *others*, the most similar first; None for the rest."""
    lefts, rights = sorted(ones), sorted(others)
    while lefts and rights:
        left, right = max(
            ((one, other) for one in lefts for other in rights), key=lambda pair: alike(*pair)
        )
        lefts.remove(left)
        rights.remove(right)
        yield left, right
    for left in lefts:
        yield left, None
    for right in rights:
        yield None, right


def _alike(one: Label, other: Label) -> int:
    return sum(a == b for a, b in zip(one, other, strict=False))


def _shown(label: Label) -> str:
    return " ".join(label[1:])
