"""Build the matching problem of two graphs from their normalised triples, in full or compact.

Keys may restrict which variables are mapped to each other: only variables that share a key. `Links`
holds these pairs. A key is a text, such as a token that a variable is aligned with. A variable
without keys is mapped to none.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from exactmatch.metrics.triples import Duplicates, Label, NormalisedGraph, Similar
from exactmatch.problem import MatchingProblem, Pair, TermArrays, joining
from exactmatch.problem.interpreted import interpreted
from exactmatch.problem.joining import Occurrences, credit
from exactmatch.scoring.match_values import MatchValues
from exactmatch.stopping.deadline import NEVER, Deadline, looking

if TYPE_CHECKING:
    from exactmatch.problem.compact import CompactProblem, Occurrence

#: The right labels that a label matches, and the value of each match.
Worths = Mapping[Label, Sequence[tuple[Label, int]]]

#: The triples of a graph by label, and then by the pattern of equal variables.
_Shapes = dict[Label, dict[tuple[int, ...], list["Occurrence"]]]

#: Terms made between two looks at the clock.
_INTERVAL = 10_000


class Links:
    """The pairs of variables, by position, that may be mapped; each pair is a *link*."""

    def __init__(self, left: Sequence[Sequence[str]], right: Sequence[Sequence[str]]) -> None:
        """*left* and *right* are the keys of the variables of both sides."""
        # Large sets of keys recur, such as those of nodes that all sentences share.
        once = {id(keys): keys for keys in chain(left, right)}
        known = {identity: frozenset(keys) for identity, keys in once.items()}
        self._left = [known[id(keys)] for keys in left]
        self._right = [known[id(keys)] for keys in right]
        self._with_keys: defaultdict[frozenset[str], list[int]] = defaultdict(list)
        for j, of_variable in enumerate(self._right):
            self._with_keys[of_variable].append(j)
        self._with_key: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
        for of_some in self._with_keys:
            for key in of_some:
                self._with_key[key].append(of_some)
        self._images: dict[frozenset[str], list[int]] = {}

    @classmethod
    def of(cls, left: NormalisedGraph, right: NormalisedGraph) -> "Links | None":
        """Return the links between two graphs; None if there is no restriction."""
        if left.keys is None and right.keys is None:
            return None
        none: Mapping[str, Sequence[str]] = {}
        sides = ((graph.variables, graph.keys or none) for graph in (left, right))
        return cls(*([keys.get(v, ()) for v in variables] for variables, keys in sides))

    def allows(self, pair: Pair) -> bool:
        """Tell whether the variables of *pair* share a key."""
        left, right = pair
        return not self._left[left].isdisjoint(self._right[right])

    def images(self, left: int) -> Sequence[int]:
        """Return the candidates of a left variable, in order."""
        keys = self._left[left]
        if keys not in self._images:
            alike = {others for key in keys for others in self._with_key.get(key, ())}
            found = (self._with_keys[others] for others in alike)
            self._images[keys] = sorted(chain.from_iterable(found))
        return self._images[keys]

    def most_terms(
        self, system: Occurrences, gold: Occurrences, worths: Worths, deadline: Deadline
    ) -> int:
        """Return an upper bound on the number of terms of two graphs, without listing them.

        Raises `OutOfTime` if *deadline* comes first.
        """
        products = (
            times * theirs[key]
            for label, alike in system.items()
            for other, _ in worths[label]
            if other in gold
            for theirs in [_by_key(gold[other], self._right)]
            for key, times in _by_key(alike, self._left).items()
        )
        return sum(looking(products, deadline))

    def terms(
        self,
        system: Occurrences,
        gold: Occurrences,
        worths: Worths,
        duplicates: Duplicates,
        deadline: Deadline,
    ) -> TermArrays:
        """Return the terms made by triples of two graphs that match only along links.

        Raises `OutOfTime` if *deadline* comes first.
        """
        found: Counter[tuple[Pair, ...]] = Counter()
        looked_at = 0
        for label, alike in system.items():
            for other, worth in worths[label]:
                for ours, theirs in self._linked(alike, gold.get(other, ()), deadline):
                    looked_at += 1
                    if looked_at % _INTERVAL == 0:
                        deadline.check()
                    times, *variables = ours
                    its_times, *its_variables = theirs
                    pairs = self._joined(variables, its_variables)
                    if pairs:
                        found[pairs] += worth * credit(times, its_times, duplicates)
        return _arrays(found)

    def _linked(
        self,
        ours: Sequence[tuple[int, ...]],
        theirs: Sequence[tuple[int, ...]],
        deadline: Deadline,
    ) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Yield the triples of both sides whose first variables a link joins."""
        by_first = _by_first(theirs)
        for triple in ours:
            if not by_first:
                return
            deadline.check()
            for j in self.images(triple[1]):
                for other in by_first.get(j, ()):
                    yield triple, other

    def _joined(self, ours: Sequence[int], theirs: Sequence[int]) -> tuple[Pair, ...]:
        """Return the pairs that map *ours* to *theirs*; none if the links do not allow it."""
        pairs = joined(ours, theirs)
        return pairs if all(map(self.allows, pairs)) else ()


def joined(ours: Sequence[int], theirs: Sequence[int]) -> tuple[Pair, ...]:
    """Return the pairs that map *ours* to *theirs*, sorted; none if they are not one-to-one."""
    if len(ours) != len(theirs):
        return ()
    pairs = tuple(sorted(set(zip(ours, theirs, strict=True))))
    return pairs if len(set(ours)) == len(pairs) == len(set(theirs)) else ()


def build_problem(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    values: MatchValues,
    deadline: Deadline = NEVER,
) -> MatchingProblem:
    """Return the problem whose best mapping matches the most triples of *system* and *gold*.

    Raises `OutOfTime` if *deadline* comes first.
    """
    links = Links.of(system, gold)
    if links is not None:
        by_label = worths(system.occurrences, values)
        sides = (system.occurrences, gold.gold_occurrences)
        arrays = links.terms(*sides, by_label, values.duplicates, deadline)
        return MatchingProblem.of(len(system.variables), len(gold.variables), arrays)

    def arrays_by(module: Any) -> TermArrays:
        return TermArrays(
            *module.join(
                system.occurrences,
                gold.gold_occurrences,
                _by_label(values.similar),
                values.scale,
                values.duplicates,
                deadline,
            )
        )

    try:
        arrays = arrays_by(joining)
    except OverflowError:  # the compiled code cannot hold these weights
        arrays = arrays_by(interpreted("exactmatch.problem.joining"))
    return MatchingProblem.of(len(system.variables), len(gold.variables), arrays)


def most_terms(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    values: MatchValues,
    links: Links,
    deadline: Deadline = NEVER,
) -> int:
    """Return an upper bound on the number of terms of the problem, restricted by keys.

    Raises `OutOfTime` if *deadline* comes first.
    """
    by_label = worths(system.occurrences, values)
    return links.most_terms(system.occurrences, gold.gold_occurrences, by_label, deadline)


def build_compact(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    values: MatchValues,
    deadline: Deadline = NEVER,
) -> "CompactProblem":
    """Return the problem of `build_problem` without listing its terms.

    Triples without variables are left out, since their value does not depend on the mapping. Raises
    `OutOfTime` if *deadline* comes first.
    """
    from exactmatch.problem.compact import CompactProblem, Kind

    ours = _shapes(system.occurrences, deadline)
    theirs = _shapes(gold.gold_occurrences, deadline)
    alike = _by_label(values.similar)
    # Only triples of one pattern match: a one-to-one mapping takes (a, a) to (b, b), not to (b, c).
    kinds = [
        Kind(worth, occurrences, theirs[other][pattern], is_equal=label == other)
        for label, by_pattern in ours.items()
        for other, worth in [(label, values.scale), *alike.get(label, ())]
        if other in theirs
        for pattern, occurrences in by_pattern.items()
        if pattern in theirs[other]
    ]
    how_often = partial(credit, duplicates=values.duplicates)
    return CompactProblem(len(system.variables), len(gold.variables), kinds, how_often)


def worths(by_label: Occurrences, values: MatchValues) -> Worths:
    """Return the labels that each label matches, including itself, and the value of each match."""
    alike = _by_label(values.similar)
    return {label: [(label, values.scale), *alike.get(label, ())] for label in by_label}


def _by_label(similar: Similar) -> Mapping[Label, Sequence[tuple[Label, int]]]:
    found: dict[Label, list[tuple[Label, int]]] = {}
    for (label, other), worth in similar.items():
        found.setdefault(label, []).append((other, worth))
    return found


def _shapes(by_label: Occurrences, deadline: Deadline) -> _Shapes:
    from exactmatch.problem.compact import Occurrence

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


def _by_key(alike: Sequence[tuple[int, ...]], keys: Sequence[frozenset[str]]) -> Counter[str]:
    """Return the number of triples whose first variable has a key, for each key."""
    found: Counter[str] = Counter()
    for of_some, times in Counter(keys[first] for _, first, *_ in alike).items():
        for key in of_some:
            found[key] += times
    return found


def _by_first(alike: Sequence[tuple[int, ...]]) -> Mapping[int, list[tuple[int, ...]]]:
    """Return triples by their first variable."""
    found: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
    for triple in alike:
        found[triple[1]].append(triple)
    return found


def _arrays(weights: Mapping[tuple[Pair, ...], int]) -> TermArrays:
    """Return terms, sorted by their pairs."""
    terms = sorted(weights)
    start = [0]
    for pairs in terms:
        start.append(start[-1] + len(pairs))
    flat = [pair for pairs in terms for pair in pairs]
    return TermArrays(
        weight=[weights[pairs] for pairs in terms],
        start=start,
        left=[left for left, _ in flat],
        right=[right for _, right in flat],
    )
