"""From the normalised triples of two graphs to their matching problem, in full or compact."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from exactmatch import joining
from exactmatch.deadline import Deadline
from exactmatch.interpreted import interpreted
from exactmatch.joining import Occurrences, credit
from exactmatch.links import Links, Worths
from exactmatch.problem import MatchingProblem, TermArrays
from exactmatch.triples import NOT_SIMILAR, Duplicates, Label, NormalisedGraph, Similar

if TYPE_CHECKING:
    from exactmatch.compact import CompactProblem, Occurrence

_NEVER = Deadline()
#: Triples between two looks at the clock.
_INTERVAL = 10_000

#: The triples of a graph by label, and then by the pattern of equal variables.
_Shapes = dict[Label, dict[tuple[int, ...], list["Occurrence"]]]


def build_problem(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    duplicates: Duplicates,
    similar: Similar = NOT_SIMILAR,
    scale: int = 1,
    deadline: Deadline = _NEVER,
) -> MatchingProblem:
    """Return the problem whose optimal mapping matches the most triples of *system* and *gold*.

    Triples of one label count *scale*, and those of *similar* ones (system, gold) what is said
    there. Raises `OutOfTime` if *deadline* comes first.
    """

    links = Links.of(system, gold)
    if links is not None:
        by_label = worths(system.occurrences, similar, scale)
        sides = (system.occurrences, gold.gold_occurrences)
        arrays = links.terms(*sides, by_label, duplicates, deadline)
        return MatchingProblem.of(len(system.variables), len(gold.variables), arrays)

    def joined(module: Any) -> TermArrays:
        return TermArrays(
            *module.join(
                system.occurrences,
                gold.gold_occurrences,
                _by_label(similar),
                scale,
                duplicates,
                deadline,
            )
        )

    try:
        arrays = joined(joining)
    except OverflowError:  # the compiled code cannot hold such weights
        arrays = joined(interpreted("exactmatch", "joining"))
    return MatchingProblem.of(len(system.variables), len(gold.variables), arrays)


def most_terms(
    system: NormalisedGraph, gold: NormalisedGraph, similar: Similar, links: Links
) -> int:
    """Return a number that the terms of the problem do not exceed, where keys restrict it."""
    by_label = worths(system.occurrences, similar, 1)
    return links.most_terms(system.occurrences, gold.gold_occurrences, by_label)


def build_compact(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    duplicates: Duplicates,
    similar: Similar,
    scale: int,
    deadline: Deadline = _NEVER,
) -> "CompactProblem":
    """Return the problem that `build_problem` would write down, without its terms.

    Triples without variables are left out: what they count does not depend on the mapping. Raises
    `OutOfTime` if *deadline* comes first.
    """
    from exactmatch.compact import CompactProblem, Kind

    ours = _shapes(system.occurrences, deadline)
    theirs = _shapes(gold.gold_occurrences, deadline)
    alike = _by_label(similar)
    # Only triples of one pattern match: a one-to-one mapping takes (a, a) to (b, b), not to (b, c).
    kinds = [
        Kind(worth, occurrences, theirs[other][pattern], is_equal=label == other)
        for label, by_pattern in ours.items()
        for other, worth in [(label, scale), *alike.get(label, ())]
        if other in theirs
        for pattern, occurrences in by_pattern.items()
        if pattern in theirs[other]
    ]
    how_often = partial(credit, duplicates=duplicates)
    return CompactProblem(len(system.variables), len(gold.variables), kinds, how_often)


def _by_label(similar: Similar) -> Mapping[Label, Sequence[tuple[Label, int]]]:
    found: dict[Label, list[tuple[Label, int]]] = {}
    for (label, other), worth in similar.items():
        found.setdefault(label, []).append((other, worth))
    return found


def worths(by_label: Occurrences, similar: Similar, scale: int) -> Worths:
    """Return what each label matches, itself among them, and what that counts."""
    alike = _by_label(similar)
    return {label: [(label, scale), *alike.get(label, ())] for label in by_label}


def _shapes(by_label: Occurrences, deadline: Deadline) -> _Shapes:
    from exactmatch.compact import Occurrence

    found: _Shapes = defaultdict(lambda: defaultdict(list))
    looked_at = 0
    for label, occurrences in by_label.items():
        for times, *variables in occurrences:
            looked_at += 1
            if looked_at % _INTERVAL == 0:
                deadline.check()
            if variables:
                pattern = tuple([variables.index(variable) for variable in variables])
                found[label][pattern].append(Occurrence(tuple(dict.fromkeys(variables)), times))
    return found
