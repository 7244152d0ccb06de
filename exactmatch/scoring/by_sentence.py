"""Count the losses of the sentences of two documents: triples by sentence under a mapping.

A triple belongs to the sentences that all of its variables share. A triple of several sentences
(mentioned in one and taken up in another), or of none (the root, edges from one sentence to
another), is in a row of its own, so that all rows together have all triples. A matched triple is
counted by its sentence on each side: what is in one sentence of the system's document may be in
several of the other.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace

from exactmatch.errors import VerificationError
from exactmatch.metrics.counts import NONE, SEVERAL, Range
from exactmatch.metrics.sentence_triples import SentenceTriples
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.scoring.comparison import Comparison
from exactmatch.stopping.deadline import NEVER, Deadline, OutOfTime

#: Returns the matches of parts under the best mappings, if they are known.
Ranges = Callable[[Mapping[str, Comparison]], Mapping[str, Range]]

#: The variables to which a mapping takes those of a triple; None for those that are not mapped.
_Images = tuple[str | None, ...]

#: No sentence has a larger number: they have nine digits.
_MOST = 10**9


def counts_by_sentence(
    comparison: Comparison,
    mapping: Mapping[str, str],
    ranges: Ranges | None,
    deadline: Deadline = NEVER,
) -> dict[str, SentenceTriples]:
    """Return the counts of each sentence, by number, and of triples in several or none.

    *mapping* is by name. *ranges* are None if they are not known; if *deadline* comes first, they
    are left unknown, while counting takes time in proportion to the triples. Returns nothing if the
    metric does not know sentences. Raises `VerificationError` if the sentences do not add up to the
    whole.
    """
    if comparison.system.keys is None or comparison.gold.keys is None:
        return {}
    ours, theirs = _by_row(comparison.system), _by_row(comparison.gold)
    rows = sorted({*ours, *theirs}, key=_order)
    known: Mapping[str, Range] = {}
    if ranges is not None:
        with suppress(OutOfTime):
            known = ranges(_within_reach(comparison, ours, theirs, rows, deadline))
    near = _Mapped(comparison, mapping)
    found, unit = {}, comparison.unit
    for row in rows:
        system, gold = near.of_system(ours[row]), near.of_gold(theirs[row])
        found[row] = SentenceTriples(
            unit * near.matched(system),
            unit * system.system_total,
            unit * near.matched(gold),
            unit * gold.gold_total,
            *(known.get(f"{side} {row}", Range(unknown=1)) for side in ("system", "gold")),
        )
    _check(comparison, mapping, found.values())
    return found


def _within_reach(
    comparison: Comparison,
    ours: Mapping[str, Sequence[NormalisedTriple]],
    theirs: Mapping[str, Sequence[NormalisedTriple]],
    rows: Sequence[str],
    deadline: Deadline,
) -> dict[str, Comparison]:
    """Return the comparisons of all rows of both sides with what may match under any mapping.

    Raises `OutOfTime` if *deadline* comes first: all nodes may be within the reach of each row.
    """
    reach = _Reach(comparison)
    found = {}
    for row in rows:
        deadline.check()
        found[f"system {row}"] = reach.of_system(ours[row])
        found[f"gold {row}"] = reach.of_gold(theirs[row])
    return found


def _check(
    comparison: Comparison, mapping: Mapping[str, str], rows: Iterable[SentenceTriples]
) -> None:
    matched = comparison.count_matched(mapping)
    counts = (matched, comparison.system_total, matched, comparison.gold_total)
    whole = tuple(comparison.unit * count for count in counts)
    total = sum(rows, SentenceTriples())[:4]
    if total != whole:
        raise VerificationError(f"the sentences add up to {total}, but the whole is {whole}")


class _Mapped:
    """Compares some triples with those that match them under *mapping*, by name.

    There are many such parts: with all triples of the other side, they would take too long. Triples
    match only where the mapping takes all variables of the one to those of the other.
    """

    def __init__(self, comparison: Comparison, mapping: Mapping[str, str]) -> None:
        self._comparison = comparison
        self._mapping = comparison.permitted_names(mapping)
        self._to: defaultdict[_Images, list[NormalisedTriple]] = defaultdict(list)
        for triple in comparison.system.triples:
            self._to[self._images(triple)].append(triple)
        self._at: defaultdict[_Images, list[NormalisedTriple]] = defaultdict(list)
        for triple in comparison.gold.as_gold():
            self._at[triple.variables].append(triple)

    def of_system(self, triples: Sequence[NormalisedTriple]) -> Comparison:
        """Return the comparison of these *triples* of the system."""
        images = dict.fromkeys(map(self._images, triples))
        near = [t for image in images for t in self._at.get(image, ())]
        return _compared(self._comparison, triples, near)

    def of_gold(self, triples: Sequence[NormalisedTriple]) -> Comparison:
        """Return the comparison of these gold *triples*."""
        places = dict.fromkeys(triple.variables for triple in triples)
        near = [t for place in places for t in self._to.get(place, ())]
        return _compared(self._comparison, near, triples)

    def matched(self, part: Comparison) -> int:
        """Count the matches of a part under the mapping, of which it takes what it needs."""
        named = dict.fromkeys(v for triple in part.system.triples for v in triple.variables)
        near = {v: self._mapping[v] for v in named if v in self._mapping}
        return part.count_permitted(near)

    def _images(self, triple: NormalisedTriple) -> _Images:
        return tuple(map(self._mapping.get, triple.variables))


class _Reach:
    """Compares some triples with those that may match them under any mapping.

    Their first variables share a key. With all triples of the other side, it would take too long.
    """

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._system = _ByKey(comparison.system, comparison.system.triples)
        self._gold = _ByKey(comparison.gold, comparison.gold.as_gold())

    def of_system(self, triples: Sequence[NormalisedTriple]) -> Comparison:
        """Return the comparison of these *triples* of the system."""
        return _compared(self._comparison, triples, self._gold.near(self._system.keys_of(triples)))

    def of_gold(self, triples: Sequence[NormalisedTriple]) -> Comparison:
        """Return the comparison of these gold *triples*."""
        return _compared(self._comparison, self._system.near(self._gold.keys_of(triples)), triples)


class _ByKey:
    """The *triples* of *graph* by the keys of their first variables."""

    def __init__(self, graph: NormalisedGraph, triples: Sequence[NormalisedTriple]) -> None:
        self._keys = graph.keys or {}
        self._triples = triples
        self._with_key: defaultdict[str, list[int]] = defaultdict(list)
        for place, triple in enumerate(triples):
            for key in self._keys.get(triple.variables[0], ()):
                self._with_key[key].append(place)

    def keys_of(self, triples: Iterable[NormalisedTriple]) -> set[str]:
        """Return the keys of the first variables of some *triples*."""
        return {key for triple in triples for key in self._keys[triple.variables[0]]}

    def near(self, keys: Iterable[str]) -> list[NormalisedTriple]:
        """Return in order the triples whose first variables have one of *keys*."""
        places = {place for key in keys for place in self._with_key.get(key, ())}
        return [self._triples[place] for place in sorted(places)]


def _compared(
    whole: Comparison, system: Sequence[NormalisedTriple], gold: Sequence[NormalisedTriple]
) -> Comparison:
    """Return the comparison of some triples of both sides of *whole*."""
    return replace(
        whole, system=whole.system.with_triples(system), gold=whole.gold.with_triples(gold)
    )


def _by_row(graph: NormalisedGraph) -> defaultdict[str, list[NormalisedTriple]]:
    keys = graph.keys or {}
    by_row: defaultdict[str, list[NormalisedTriple]] = defaultdict(list)
    rows: dict[tuple[int, ...], str] = {}  # many triples may have the same keys, and these many
    sets = {id(of_one): frozenset(of_one) for of_one in {id(k): k for k in keys.values()}.values()}
    for triple in graph.triples:
        same = tuple([id(keys[variable]) for variable in triple.variables])
        if same not in rows:  # the smallest set decides how long that takes
            of_variables = sorted({sets[one] for one in same}, key=len)
            rows[same] = _row(of_variables[0].intersection(*of_variables[1:]))
        by_row[rows[same]].append(triple)
    return by_row


def _row(keys: Set[str]) -> str:
    """Return the row for triples of these sentences; keys that are not numbers belong to none."""
    numbers = [key for key in keys if key.isdecimal()]
    if len(numbers) == 1:
        return numbers[0]
    return SEVERAL if numbers else NONE


def _order(row: str) -> int:
    return int(row) if row.isdecimal() else _MOST + (row == NONE)
