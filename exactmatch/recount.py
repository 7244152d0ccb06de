# cython: language_level=3
"""Counting what a mapping matches, from the triples alone.

Written from the definition, and sharing nothing with the problem that was solved: this is the
number that is printed.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import cython

from exactmatch.triples import NOT_SIMILAR, Duplicates, NormalisedGraph, Similar


def count_matched(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    mapping: Mapping[str, str],
    duplicates: Duplicates,
    similar: Similar = NOT_SIMILAR,
    scale: int = 1,
) -> int:
    """Count the triples of *system* that *mapping*, by name, turns into targets of *gold*.

    Equal ones count *scale*, and *similar* ones what is said there. *mapping* must be one-to-one.
    """
    renamed = _renamed(system.triples, dict(mapping))
    wanted = gold.as_gold()
    matched = scale * _count_equal(renamed, wanted, duplicates)
    for (label, other), credit in similar.items():
        relabelled = [(other, variables) for own, variables in renamed if own == label]
        matched += credit * _count_equal(relabelled, wanted, duplicates)
    return matched


@cython.cfunc
@cython.inline
def _as_tuple(value: Any) -> tuple[Any, ...]:
    """Return *value*, a tuple; a named one, too, compiled code then reads as such, and fast."""
    if not isinstance(value, tuple):
        raise TypeError(f"not a tuple: {value!r}")
    return cython.cast(tuple, value)


def _renamed(triples: Sequence[Any], mapping: dict[str, str]) -> list[tuple[Any, ...]]:
    """Return the labels and the images of the triples all of whose variables are mapped."""
    found: list[Any] = []
    for each in triples:
        triple: tuple[Any, ...] = _as_tuple(each)
        variables: tuple[Any, ...] = _as_tuple(triple[1])
        images = [mapping.get(variable) for variable in variables]
        if None not in images:
            found.append((triple[0], tuple(images)))
    return found


def _count_equal(
    found: Sequence[tuple[Any, ...]], wanted: Sequence[tuple[Any, ...]], duplicates: str
) -> int:
    if duplicates == "set":
        return len(set(found) & set(wanted))
    times = Counter(wanted)
    if duplicates == "multiset":
        return (Counter(found) & times).total()
    return sum([times[triple] for triple in found])
