"""Count the losses of the sentences of two documents: triples by sentence under a mapping.

A triple belongs to the sentences that all of its variables share. A triple of several sentences
(mentioned in one and taken up in another), or of none (the root, edges from one sentence to
another), is in a row of its own, so that all rows together have all triples. A matched triple is
counted by its sentence on each side: what is in one sentence of the system's document may be in
several of the other.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from exactmatch.errors import VerificationError
from exactmatch.metrics.counts import NONE, SEVERAL, Range, SentenceTriples
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.scoring.comparison import Comparison

#: Returns the matches of parts under the best mappings, if they are known.
Ranges = Callable[[Mapping[str, Comparison]], Mapping[str, Range]]

#: No sentence has a larger number: they have nine digits.
_MOST = 10**9


def counts_by_sentence(
    comparison: Comparison, mapping: Mapping[str, str], ranges: Ranges | None
) -> dict[str, SentenceTriples]:
    """Return the counts of each sentence, by number, and of triples in several or none.

    *mapping* is by name. *ranges* are None if they are not known. Returns nothing if the metric
    does not know sentences. Raises `VerificationError` if the sentences do not add up to the
    whole.
    """
    if comparison.system.keys is None or comparison.gold.keys is None:
        return {}
    ours, theirs = _by_row(comparison.system), _by_row(comparison.gold)
    rows = sorted({*ours, *theirs}, key=_order)
    systems = {
        f"system {row}": replace(comparison, system=comparison.system.with_triples(ours[row]))
        for row in rows
    }
    near = _Mapped(comparison, mapping)
    golds = {f"gold {row}": near.comparison(theirs[row]) for row in rows}
    known: Mapping[str, Range] = {}
    if ranges is not None:
        reach = _Reach(comparison)
        reached = {f"gold {row}": reach.comparison(theirs[row]) for row in rows}
        known = ranges({**systems, **reached})
    found = {
        row: SentenceTriples(
            system.count_matched(mapping),
            system.system_total,
            gold.count_matched(mapping),
            gold.gold_total,
            *(known.get(f"{side} {row}", Range(unknown=1)) for side in ("system", "gold")),
        )
        for row, system, gold in zip(rows, systems.values(), golds.values(), strict=True)
    }
    _check(comparison, mapping, found.values())
    return found


def _check(
    comparison: Comparison, mapping: Mapping[str, str], rows: Iterable[SentenceTriples]
) -> None:
    matched = comparison.count_matched(mapping)
    whole = (matched, comparison.system_total, matched, comparison.gold_total)
    total = sum(rows, SentenceTriples())[:4]
    if total != whole:
        raise VerificationError(f"the sentences add up to {total}, but the whole is {whole}")


class _MayMatch(ABC):
    """Compares some gold triples with the system's triples that may match them.

    There are many such parts: with all triples of the system, they would take too long.
    """

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison

    @abstractmethod
    def triples(self, gold: Iterable[NormalisedTriple]) -> list[NormalisedTriple]:
        """Return in order the system's triples that may match those of *gold*."""

    def comparison(self, gold: Sequence[NormalisedTriple]) -> Comparison:
        """Return the comparison of these triples."""
        whole = self._comparison
        return replace(
            whole,
            system=whole.system.with_triples(self.triples(gold)),
            gold=whole.gold.with_triples(gold),
        )


class _Mapped(_MayMatch):
    """The triples that may match under a mapping by name: their first variables are mapped."""

    def __init__(self, comparison: Comparison, mapping: Mapping[str, str]) -> None:
        super().__init__(comparison)
        self._from: defaultdict[str, list[int]] = defaultdict(list)
        for place, triple in enumerate(comparison.system.triples):
            image = mapping.get(triple.variables[0])
            if image is not None:
                self._from[image].append(place)

    def triples(self, gold: Iterable[NormalisedTriple]) -> list[NormalisedTriple]:
        images = {triple.variables[0] for triple in gold}
        places = sorted(place for image in images for place in self._from.get(image, ()))
        return [self._comparison.system.triples[place] for place in places]


class _Reach(_MayMatch):
    """The triples that may match under any mapping: their first variables share a key."""

    def __init__(self, comparison: Comparison) -> None:
        super().__init__(comparison)
        self._triples = comparison.system.triples
        self._gold_keys = comparison.gold.keys or {}
        self._with_key: defaultdict[str, list[int]] = defaultdict(list)
        for place, triple in enumerate(self._triples):
            for key in (comparison.system.keys or {}).get(triple.variables[0], ()):
                self._with_key[key].append(place)

    def triples(self, gold: Iterable[NormalisedTriple]) -> list[NormalisedTriple]:
        keys = {key for triple in gold for key in self._gold_keys[triple.variables[0]]}
        places = {place for key in keys for place in self._with_key.get(key, ())}
        return [self._triples[place] for place in sorted(places)]


def _by_row(graph: NormalisedGraph) -> defaultdict[str, list[NormalisedTriple]]:
    keys = graph.keys or {}
    by_row: defaultdict[str, list[NormalisedTriple]] = defaultdict(list)
    rows: dict[tuple[int, ...], str] = {}  # many triples may have the same keys, and these many
    for triple in graph.triples:
        of_variables = [keys[variable] for variable in triple.variables]
        same = tuple(map(id, of_variables))
        if same not in rows:
            rows[same] = _row(set.intersection(*map(set, of_variables)))
        by_row[rows[same]].append(triple)
    return by_row


def _row(keys: set[str]) -> str:
    """Return the row for triples of these sentences; keys that are not numbers belong to none."""
    numbers = [key for key in keys if key.isdecimal()]
    if len(numbers) == 1:
        return numbers[0]
    return SEVERAL if numbers else NONE


def _order(row: str) -> int:
    return int(row) if row.isdecimal() else _MOST + (row == NONE)
