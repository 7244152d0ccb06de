"""How the sentences of two documents fare under a mapping: triples by the sentence they are in.

A triple is in the sentences that all of its variables share. Where these are several (what is said
in one and taken up in another), or none (the root, edges from one sentence to another), it is in a
row of its own, so that all rows together are all triples. A matched triple is counted where it
stands on either side: what is in one sentence of the system's document may be in several of the
other one.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from exactmatch.errors import VerificationError
from exactmatch.metrics.counts import NONE, SEVERAL, Range, SentenceTriples
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.scoring.comparison import Comparison

#: Returns what the best mappings match of parts, where that is known.
Ranges = Callable[[Mapping[str, Comparison]], Mapping[str, Range]]

#: No sentence has a larger number: they have nine digits.
_MOST = 10**9


def counts_by_sentence(
    comparison: Comparison, mapping: Mapping[str, str], ranges: Ranges
) -> dict[str, SentenceTriples]:
    """Return the counts of each sentence, by its number, and of what is in several or none.

    *mapping* is by name. None are returned where the metric does not tell sentences. Raises
    `VerificationError` if the sentences are not all.
    """
    if comparison.system.keys is None or comparison.gold.keys is None:
        return {}
    ours, theirs = _by_row(comparison.system), _by_row(comparison.gold)
    rows = sorted({*ours, *theirs}, key=_order)
    systems = {
        f"system {row}": replace(comparison, system=comparison.system.with_triples(ours[row]))
        for row in rows
    }
    near = _Reach(comparison)
    golds = {
        f"gold {row}": replace(
            comparison,
            system=comparison.system.with_triples(near.triples(theirs[row])),
            gold=comparison.gold.with_triples(theirs[row]),
        )
        for row in rows
    }
    known = ranges({**systems, **golds})
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
        raise VerificationError(f"the sentences add up to {total}, but all there is, is {whole}")


class _Reach:
    """The triples of the system that may match some of the gold standard, as keys have it."""

    def __init__(self, comparison: Comparison) -> None:
        self._triples = comparison.system.triples
        self._gold_keys = comparison.gold.keys or {}
        self._with_key: defaultdict[str, list[int]] = defaultdict(list)
        for place, triple in enumerate(self._triples):
            for key in (comparison.system.keys or {}).get(triple.variables[0], ()):
                self._with_key[key].append(place)

    def triples(self, gold: Iterable[NormalisedTriple]) -> list[NormalisedTriple]:
        """Return them in order: their first variable may be mapped to that of one in *gold*."""
        keys = {key for triple in gold for key in self._gold_keys[triple.variables[0]]}
        places = {place for key in keys for place in self._with_key.get(key, ())}
        return [self._triples[place] for place in sorted(places)]


def _by_row(graph: NormalisedGraph) -> defaultdict[str, list[NormalisedTriple]]:
    keys = {variable: {*of_variable} for variable, of_variable in (graph.keys or {}).items()}
    by_row: defaultdict[str, list[NormalisedTriple]] = defaultdict(list)
    for triple in graph.triples:
        shared = set.intersection(*(keys[variable] for variable in triple.variables))
        by_row[_row(shared)].append(triple)
    return by_row


def _row(keys: set[str]) -> str:
    """Return the row of what is in these sentences; other keys than numbers are none."""
    numbers = [key for key in keys if key.isdecimal()]
    if len(numbers) == 1:
        return numbers[0]
    return SEVERAL if numbers else NONE


def _order(row: str) -> int:
    return int(row) if row.isdecimal() else _MOST + (row == NONE)
