"""Count the matches of pairs of sentences, proven by covers, if counts and a mapping are enough.

Texts are read into numbers, or normalised triples are numbered. The best mapping and a cover come
from tables of these numbers (`exactmatch.solving.covers`). Other code checks the cover
(`exactmatch.certificate.cover_check`), and counts the mapping again from the written triples
(`exactmatch.scoring.recount`). A pair that is not understood to the last character, is too large,
or has no cover, is left to `exactmatch.scoring.pair`.
"""

from collections.abc import Callable
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from exactmatch.certificate.cover_check import CoverCheck, Uncovered
from exactmatch.errors import VerificationError
from exactmatch.graphs.graph import PENMAN
from exactmatch.graphs.pairing import Couple
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.numbered import NumberReader
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.metrics.registry import METRICS
from exactmatch.metrics.triples import Label, NormalisedGraph
from exactmatch.problem.integers import COMPILED
from exactmatch.problem.tables import GraphTable
from exactmatch.scoring.recount import TableCheck, WrittenRecount, count_matched
from exactmatch.scoring.settings import Settings
from exactmatch.solving.covers import USUAL_STEPS, Covers
from exactmatch.solving.names import AUTO, DUAL, EXACT

if TYPE_CHECKING:
    from exactmatch.solving.first_mapping import FirstMapping

_Found = TypeVar("_Found")

#: The name of the proof of a pair that was counted here.
COVER = "cover"
#: The memory for a pair in bytes.
_MEMORY = 1 << 20
#: The seconds for a pair. It takes a fraction of them, and the clock is not read.
_LEAST_TIMEOUT = 1.0
#: The largest value of a full match by which no sum of 512 matches exceeds 64 bits, even if both
#: triples occur a thousand times.
_LARGEST_SCALE = 1 << 34


class ProvenCounts(NamedTuple):
    """The matches of the best mapping of a pair, and the totals that they are divided by."""

    matched: int
    system_total: int
    gold_total: int

    def statistics(self) -> Statistics:
        """Return the counts in the terms of metrics."""
        return Statistics(self.matched, self.matched, self.system_total, self.gold_total)


class CoverCounter:
    """Counts the matches of pairs by *metric*; a copy in another process starts afresh.

    One thread at a time may use it: a worker of a cluster may have several.
    """

    def __init__(self, metric: AlignmentMetric, steps: tuple[int, ...] = USUAL_STEPS) -> None:
        self._metric = metric
        self._scale = metric.scale
        self._steps = steps
        self._lock = Lock()
        self._begin()

    def _begin(self) -> None:
        metric = self._metric
        self._system = GraphTable()
        self._gold = GraphTable(self._system)
        tables = (self._system.table, self._gold.table)
        self._covers = Covers(*tables, metric.scale, metric.duplicates, self._steps)
        self._first: FirstMapping | None = None
        self._check = CoverCheck(*tables, self._covers, metric.scale, metric.duplicates)
        # A subclass may normalise in a way of its own.
        is_ours = METRICS.get(metric.name) is type(metric)
        counts_labels = is_ours and metric.counts_labels
        self._words = metric.numbered_labels() if counts_labels else None
        if self._words is not None:
            ours, theirs = self._system, self._gold
            reader = NumberReader(self._words, ours.label, ours.first, ours.second)
            beside = NumberReader(self._words, theirs.label, theirs.first, theirs.second, reader)
            self._readers = reader, beside
            self._table_checks = first, second = TableCheck(ours), TableCheck(theirs)
            triples = first.written, second.written
            self._recount = WrittenRecount(*triples, self._covers.image, metric.duplicates)
        self._is_unfinished = False

    def __reduce__(self) -> tuple[object, ...]:
        return _counter, (self._metric,)

    def count_texts(self, couple: Couple) -> ProvenCounts | None:
        """Count the matches of the texts of two graphs; None if the pair is left to other code.

        Raises `VerificationError` if two computations disagree.
        """
        return self._locked(self._count_texts, couple)

    def map_texts(self, couple: Couple) -> tuple[ProvenCounts, dict[str, str]] | None:
        """Return what `count_texts` does, and the defined mapping that it counts, by name."""
        return self._locked(self._map_texts, couple)

    def count_triples(self, system: NormalisedGraph, gold: NormalisedGraph) -> ProvenCounts | None:
        """Count what two graphs match; None, and `VerificationError`, as above."""
        return self._locked(self._count_triples, system, gold)

    def _locked(self, count: Callable[..., _Found], *given: object) -> _Found:
        """Return what *count* finds, while no other thread counts.

        It starts afresh if an interrupt, or an error, has left the last pair unfinished.
        """
        with self._lock:
            if self._is_unfinished:
                self._begin()
            self._is_unfinished = True
            found = count(*given)
            self._is_unfinished = False
            return found

    def _map_texts(self, couple: Couple) -> tuple[ProvenCounts, dict[str, str]] | None:
        counts = self._count_texts(couple, is_defined=True)
        return None if counts is None else (counts, self._mapping())

    def _take_first(self) -> bool:
        """Make the mapping the defined one, if that is easy."""
        if self._first is None:
            from exactmatch.solving.first_mapping import FirstMapping

            self._first = FirstMapping(self._covers)
        return bool(self._first.take(self._readers[0].n_variables))

    def _mapping(self) -> dict[str, str]:
        names, its_names = (reader.names() for reader in self._readers)
        pairs = zip(names, self._covers.image, strict=False)  # which has room for more
        return {name: its_names[right] for name, right in pairs if right >= 0}

    def _count_texts(self, couple: Couple, *, is_defined: bool = False) -> ProvenCounts | None:
        written = self._read(couple)
        if written is None or not self._covers.solve(0, 0):
            return None
        if is_defined and not self._take_first():
            return None
        ours, theirs = self._table_checks
        if not (ours.holds(written[0]) and theirs.holds(written[1])):
            raise VerificationError("a table of triples differs from the written triples")
        scale = self._scale
        if self._metric.duplicates == "set":
            totals = self._system.total, self._gold.total
        else:
            totals = written
        matched = self._recount.count()
        return self._checked(scale * matched, scale * totals[0], scale * totals[1])

    def _read(self, couple: Couple) -> tuple[int, int] | None:
        """Read two texts into tables, and return how many triples are written there."""
        if self._words is None:
            return None
        leaves = self._words.leaves
        if leaves is not None and any(_is_left(text, leaves) for text in couple[1:3]):
            return None
        reader, beside = self._readers
        reader.forget_if_many()
        n_system = _tabulated(couple.system, reader, self._system)
        n_gold = -1 if n_system < 0 else _tabulated(couple.gold, beside, self._gold)
        return None if n_gold < 0 else (n_system, n_gold)

    def _count_triples(self, system: NormalisedGraph, gold: NormalisedGraph) -> ProvenCounts | None:
        if system.keys is not None or gold.keys is not None:
            return None
        if not self._metric.counts_labels and self._metric.similar(system, gold):
            return None
        ours, theirs = self._system, self._gold
        numbers: dict[Label, int] = {}
        if not ours.take(system.occurrences, len(system.variables), numbers):
            return None
        if not theirs.take(gold.gold_occurrences, len(gold.variables), numbers):
            return None
        if not self._covers.solve(0, 0):
            return None
        image = self._covers.image
        pairs = zip(system.variables, image[: len(system.variables)], strict=True)
        mapping = {left: gold.variables[right] for left, right in pairs if right >= 0}
        duplicates, scale = self._metric.duplicates, self._scale
        return self._checked(
            count_matched(system, gold, mapping, duplicates, scale=scale),
            scale * system.total(duplicates),
            scale * gold.total(duplicates),
        )

    def _checked(self, matched: int, system_total: int, gold_total: int) -> ProvenCounts:
        """Return these counts if the mapping is one-to-one and the cover proves it best."""
        try:
            known, upper = self._check.matched(0, 0), self._check.bound(0, 0)
        except (Uncovered, OverflowError) as error:
            raise VerificationError(f"a cover is wrong: {error}") from error
        if not matched == known == upper:
            raise VerificationError(
                f"a cover proves at most {upper}, and a mapping matches {known} by one count, "
                f"{matched} by another"
            )
        if upper > min(system_total, gold_total) and not self._metric.can_exceed:
            raise VerificationError(
                f"{upper} triples match, but there are only {system_total} and {gold_total}"
            )
        return ProvenCounts(matched, system_total, gold_total)


def _is_left(text: object, leaves: Callable[[bytes], bool]) -> bool:
    return type(text) is GraphText and leaves(text.data)


def _tabulated(text: object, reader: NumberReader, table: GraphTable) -> int:
    """Make the table of a text, and return how many triples are written; -1 if in doubt."""
    if type(text) is not GraphText or text.format != PENMAN:
        return -1
    n_triples: int = reader.read(text.data)
    if n_triples >= 0:
        table.sort(n_triples, reader.n_variables)
    return n_triples


def counter_of(metric: Metric, settings: Settings) -> CoverCounter | None:
    """Return the counter of pairs by *metric*; None if *settings* ask for more than counts.

    Repeated calls take next to no time. Interpreted code takes the usual way, which is faster.
    """
    is_enough = (
        settings.method == EXACT
        and settings.solver in (AUTO, DUAL)
        and (settings.timeout is None or settings.timeout >= _LEAST_TIMEOUT)
        and settings.memory >= _MEMORY
        and settings.subscores is None
        and settings.best_mappings is None
        and not (settings.cross_check or settings.certificates)
        and not (settings.breakdown or settings.by_sentence)
    )
    return mapping_counter_of(metric) if COMPILED and is_enough else None


def mapping_counter_of(metric: Metric) -> CoverCounter | None:
    """Return what maps pairs by *metric*, where nothing else is asked.

    The result is None where different labels may be similar except by credits, a formula replaces
    counts, or these may exceed 64 bits. The counter exists in interpreted code, too, since results
    name the method of their proof.
    """
    if not isinstance(metric, AlignmentMetric) or metric.scale > _LARGEST_SCALE:
        return None
    if not metric.is_similar_by_credits or metric.has_formula or not _has_hash(metric):
        return None
    return _counter(metric)


def _has_hash(metric: Metric) -> bool:
    """Tell whether a metric can be a key; a user's metric may not."""
    try:
        hash(metric)
    except TypeError:
        return False
    return True


@lru_cache(maxsize=8)
def _counter(metric: AlignmentMetric) -> CoverCounter:
    """Return the counter of this process, which is made once."""
    return CoverCounter(metric)
