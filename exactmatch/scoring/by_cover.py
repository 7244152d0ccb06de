"""Counting what pairs of sentences match, proven by covers, where counts and a mapping are enough.

Texts are read into numbers, or normalised triples are numbered; the best mapping and a cover come
from tables of these (`exactmatch.solving.covers`). The cover is checked by other code
(`exactmatch.certificate.cover_check`), and the mapping is counted anew from the triples as they are
written (`exactmatch.scoring.recount`). What is not understood to the last character, or is larger,
or has no cover, is left to `exactmatch.scoring.pair`.
"""

from functools import lru_cache
from threading import Lock
from typing import NamedTuple

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
from exactmatch.scoring.options import Settings
from exactmatch.scoring.recount import TableCheck, WrittenRecount, count_matched
from exactmatch.solving.covers import USUAL_STEPS, Covers
from exactmatch.solving.names import AUTO, DUAL, EXACT

#: What has proven a pair that was counted here.
COVER = "cover"
#: What a pair may take, in bytes, here.
_MEMORY = 1 << 20
#: Seconds. A pair takes a fraction of them here, and nobody looks at the clock.
_LEAST_TIMEOUT = 1.0


class ProvenCounts(NamedTuple):
    """What the best mapping of a pair matches, and the totals that it is divided by."""

    matched: int
    system_total: int
    gold_total: int

    def statistics(self) -> Statistics:
        """Return the same in the words of metrics."""
        return Statistics(self.matched, self.matched, self.system_total, self.gold_total)


class CoverRoad:
    """Counts what pairs match by *metric*; to be handed to another process, where it begins anew.

    One thread at a time uses it: a worker of a cluster may have several.
    """

    def __init__(self, metric: AlignmentMetric, steps: tuple[int, int] = USUAL_STEPS) -> None:
        self._metric = metric
        self._steps = steps
        self._lock = Lock()
        self._begin()

    def _begin(self) -> None:
        metric = self._metric
        self._system = GraphTable()
        self._gold = GraphTable(self._system)
        tables = (self._system.table, self._gold.table)
        self._covers = Covers(*tables, metric.scale, metric.duplicates, self._steps)
        self._check = CoverCheck(*tables, self._covers, metric.scale, metric.duplicates)
        # A subclass may normalise in a way of its own.
        is_ours = METRICS.get(metric.name) is type(metric)
        self._words = metric.numbered_labels() if is_ours else None
        if self._words is not None:
            self._readers = [
                NumberReader(self._words, side.label, side.first, side.second)
                for side in (self._system, self._gold)
            ]
            self._table_checks = TableCheck(self._system), TableCheck(self._gold)
            self._recount = WrittenRecount(self._system, self._gold, metric.duplicates)
        self._is_half_done = False

    def __reduce__(self) -> tuple[object, ...]:
        return _road, (self._metric,)

    def count_texts(self, couple: Couple) -> ProvenCounts | None:
        """Count what the texts of two graphs match; None where this is left to others.

        Raises `VerificationError` if two computations disagree.
        """
        with self._lock:
            self._start()
            found = self._count_texts(couple)
            self._is_half_done = False
            return found

    def map_texts(self, couple: Couple) -> tuple[ProvenCounts, dict[str, str]] | None:
        """Return what `count_texts` does, and the defined mapping that it counts, by name."""
        with self._lock:
            self._start()
            counts = self._count_texts(couple, is_defined=True)
            found = None if counts is None else (counts, self._mapping())
            self._is_half_done = False
            return found

    def _mapping(self) -> dict[str, str]:
        names, its_names = (reader.names() for reader in self._readers)
        pairs = zip(names, self._covers.image, strict=False)  # which has room for more
        return {name: its_names[right] for name, right in pairs if right >= 0}

    def _count_texts(self, couple: Couple, *, is_defined: bool = False) -> ProvenCounts | None:
        written = self._read(couple)
        if written is None or not self._covers.solve(0, 0):
            return None
        if is_defined and not self._covers.take_first(0):
            return None
        checks = zip(self._table_checks, written, strict=True)
        if not all([check.holds(n_triples) for check, n_triples in checks]):
            raise VerificationError("a table of triples is not what is written")
        scale = self._metric.scale
        if self._metric.duplicates == "set":
            totals = self._system.total, self._gold.total
        else:
            totals = written
        matched = self._recount.count(self._covers.image, *written)
        return self._checked(scale * matched, scale * totals[0], scale * totals[1])

    def _read(self, couple: Couple) -> tuple[int, int] | None:
        """Read two texts into tables, and return how many triples are written there."""
        texts = couple.system, couple.gold
        if self._words is None:
            return None
        self._words.forget_if_many()
        written = []
        for text, reader, side in zip(
            texts, self._readers, (self._system, self._gold), strict=True
        ):
            if type(text) is not GraphText or text.format != PENMAN:
                return None
            n_triples = reader.read(text.data)
            if n_triples < 0 or not side.sort(n_triples, reader.n_variables):
                return None
            written.append(n_triples)
        return written[0], written[1]

    def count_triples(self, system: NormalisedGraph, gold: NormalisedGraph) -> ProvenCounts | None:
        """Count what two graphs match; None, and `VerificationError`, as above."""
        with self._lock:
            self._start()
            found = self._count_triples(system, gold)
            self._is_half_done = False
            return found

    def _start(self) -> None:
        """Begin anew if an interrupt, or an error, has left the last pair half done."""
        if self._is_half_done:
            self._begin()
        self._is_half_done = True

    def _count_triples(self, system: NormalisedGraph, gold: NormalisedGraph) -> ProvenCounts | None:
        if system.keys is not None or gold.keys is not None:
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
        duplicates, scale = self._metric.duplicates, self._metric.scale
        return self._checked(
            count_matched(system, gold, mapping, duplicates, scale=scale),
            scale * system.total(duplicates),
            scale * gold.total(duplicates),
        )

    def _checked(self, matched: int, system_total: int, gold_total: int) -> ProvenCounts:
        """Return these counts if the mapping is one, and the cover shows that none matches more."""
        try:
            known, upper = self._check.matched(0, 0), self._check.bound(0, 0)
        except (Uncovered, OverflowError) as error:
            raise VerificationError(f"a cover is wrong: {error}") from error
        if not matched == known == upper:
            raise VerificationError(
                f"a cover shows {upper}, and a mapping matches {known} by one count, "
                f"{matched} by another"
            )
        if upper > min(system_total, gold_total) and not self._metric.can_exceed:
            raise VerificationError(
                f"of all, {upper} match, where there are {system_total} and {gold_total}"
            )
        return ProvenCounts(matched, system_total, gold_total)


def road_of(metric: Metric, settings: Settings) -> CoverRoad | None:
    """Return what counts pairs by *metric*; None where *settings* ask for more than counts.

    Where code is interpreted, the usual way is faster. It takes next to no time to ask again.
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
    return mapping_road_of(metric) if COMPILED and is_enough else None


def mapping_road_of(metric: Metric) -> CoverRoad | None:
    """Return what maps pairs by *metric*, where nothing else is asked.

    None where labels that differ may be similar, or a formula takes the place of counts. It is
    there where code is interpreted, too: results name what has proven them.
    """
    if not isinstance(metric, AlignmentMetric):
        return None
    counts_labels = type(metric).similar is AlignmentMetric.similar
    has_formula = type(metric).figures is not Metric.figures
    if not counts_labels or has_formula or not _has_hash(metric):
        return None
    return _road(metric)


def _has_hash(metric: Metric) -> bool:
    """Tell whether a metric can be a key: that of a user may not."""
    try:
        hash(metric)
    except TypeError:
        return False
    return True


@lru_cache(maxsize=8)
def _road(metric: AlignmentMetric) -> CoverRoad:
    """Return the road of this process, which is made once."""
    return CoverRoad(metric)
