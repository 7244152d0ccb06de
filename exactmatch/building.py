"""From the normalised triples of two graphs to their matching problem, in full or compact."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import partial

from exactmatch.compact import CompactProblem, Kind, Occurrence
from exactmatch.deadline import Deadline
from exactmatch.problem import MatchingProblem, Pair, Term
from exactmatch.triples import (
    NOT_SIMILAR,
    Duplicates,
    Label,
    NormalisedGraph,
    NormalisedTriple,
    Similar,
    credit,
)

_NEVER = Deadline()
#: Terms written down between two looks at the clock.
_INTERVAL = 10_000

#: The triples of a graph by label, and then by the pattern of equal variables.
_Shapes = dict[Label, dict[tuple[int, ...], list[Occurrence]]]


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
    left = {variable: i for i, variable in enumerate(system.variables)}
    right = {variable: j for j, variable in enumerate(gold.variables)}
    by_label: dict[Label, list[tuple[list[int], int]]] = defaultdict(list)
    for (label, variables), times in Counter(gold.as_gold()).items():
        by_label[label].append(([right[w] for w in variables], times))
    alike: dict[Label, list[tuple[Label, int]]] = defaultdict(list)
    for (label, other), worth in similar.items():
        alike[label].append((other, worth))
    weights: defaultdict[tuple[Pair, ...], int] = defaultdict(int)
    next_look = _INTERVAL
    for (label, variables), times in Counter(system.triples).items():
        if len(weights) >= next_look:
            next_look = len(weights) + _INTERVAL
            deadline.check()
        lefts = [left[v] for v in variables]
        for other, worth in [(label, scale), *alike.get(label, ())]:
            for rights, other_times in by_label.get(other, ()):
                pairs = _pairs(lefts, rights)
                if pairs is not None:
                    weights[pairs] += worth * credit(times, other_times, duplicates)
    terms = tuple(Term(weight, pairs) for pairs, weight in sorted(weights.items()))
    return MatchingProblem(len(left), len(right), terms)


def build_compact(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    duplicates: Duplicates,
    similar: Similar,
    scale: int,
) -> CompactProblem:
    """Return the problem that `build_problem` would write down, without its terms.

    Triples without variables are left out: what they count does not depend on the mapping.
    """
    ours, theirs = (
        _shapes(system.triples, system.variables),
        _shapes(gold.as_gold(), gold.variables),
    )
    alike: dict[Label, list[tuple[Label, int]]] = {label: [(label, scale)] for label in ours}
    for (label, other), worth in similar.items():
        if label in alike:
            alike[label].append((other, worth))
    # Only triples of one pattern match: a one-to-one mapping takes (a, a) to (b, b), not to (b, c).
    kinds = [
        Kind(worth, occurrences, theirs[other][pattern], is_equal=label == other)
        for label, by_pattern in ours.items()
        for other, worth in alike[label]
        if other in theirs
        for pattern, occurrences in by_pattern.items()
        if pattern in theirs[other]
    ]
    how_often = partial(credit, duplicates=duplicates)
    return CompactProblem(len(system.variables), len(gold.variables), kinds, how_often)


def _pairs(lefts: Sequence[int], rights: Sequence[int]) -> tuple[Pair, ...] | None:
    """Return the pairs that take *lefts* to *rights*, sorted, or None if not one-to-one."""
    if len(lefts) != len(rights):  # a label may have triples of several sizes
        return None
    if len(lefts) == 1 == len(rights):  # most are of one or two variables
        return ((lefts[0], rights[0]),)
    if len(lefts) == 2 == len(rights) and lefts[0] != lefts[1] and rights[0] != rights[1]:
        one, other = (lefts[0], rights[0]), (lefts[1], rights[1])
        return (one, other) if one < other else (other, one)
    pairs = sorted(set(zip(lefts, rights, strict=True)))
    is_one_to_one = len(set(lefts)) == len(pairs) == len(set(rights))
    return tuple(pairs) if is_one_to_one else None


def _shapes(triples: Iterable[NormalisedTriple], variables: Sequence[str]) -> _Shapes:
    position = {variable: k for k, variable in enumerate(variables)}
    found: _Shapes = defaultdict(lambda: defaultdict(list))
    for (label, names), times in Counter(triples).items():
        if names:
            pattern = tuple([names.index(name) for name in names])
            distinct = tuple([position[name] for name in dict.fromkeys(names)])
            found[label][pattern].append(Occurrence(distinct, times))
    return found
