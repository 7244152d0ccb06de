"""Inter-annotator agreement: every two annotators compared (Cai and Knight 2013, section 5)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

import numpy as np

from exactmatch.deadline import Deadline
from exactmatch.errors import UsageError, VerificationError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.pair_scoring import score_pair
from exactmatch.pairing import GraphPair, Skipped
from exactmatch.settings import Settings
from exactmatch.studies.columns import PairRow, ScoreCollector, ScoredPairs
from exactmatch.studies.differences import Difference, differences
from exactmatch.studies.sources import FilePair, Study
from exactmatch.studies.sweep import Sweep

#: Where the metadata of a graph may say when it was annotated (AMR releases of ISI and LDC).
_DATES = ("date", "save-date")
_DATE_FORMATS = ("%a %b %d, %Y", "%Y/%m/%d", "%d.%m.%Y")


class KindCounts(NamedTuple):
    """How many triples of a kind are relabelled, and how many are on one side alone."""

    relabelled: int
    surplus: int
    missing: int


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Two annotators: their score, and what differs under the mappings found, by kind.

    months: for each pair of graphs, year and month of the first one's date; None without date.
    """

    score: ScoredPairs
    kinds: Mapping[str, KindCounts]
    months: Sequence[str | None]


@dataclass(frozen=True, kw_only=True)
class DisputedItem:
    """An item on which people disagree: the F1 of every two, and what differs."""

    name: str
    f1: Sequence[float]
    differences: Counter[Difference]


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """To what extent annotators agree.

    study: the files and their items.
    annotators: their names; *consensus* is the name of the agreed version, if there is one.
    compared: every two of them, the consensus always second.
    confusions: what differs between every two annotators or, if there is but one, between that
        one and the consensus, whichever side says what; what one side alone says stands first.
    disputed: the items of the lowest mean F1 over the same pairs, the lowest first.
    """

    study: Study
    annotators: Sequence[str]
    consensus: str | None
    compared: Mapping[FilePair, Compared]
    confusions: Counter[Difference]
    disputed: Sequence[DisputedItem]

    def score(self, one: str, other: str) -> ScoredPairs:
        """Return the score of two annotators. Precision and recall are those of their order."""
        return self.compared[(one, other) if (one, other) in self.compared else (other, one)].score

    def with_consensus(self) -> list[FilePair]:
        """Return the pairs of an annotator and the consensus."""
        return [pair for pair in self.compared if self.consensus in pair]

    def mean_f1(self, annotator: str, f1: Callable[[ScoredPairs], float]) -> float:
        """Return the mean of *f1* over the scores of an annotator with all other annotators."""
        others = [name for name in self.annotators if name != annotator]
        return fmean(f1(self.score(annotator, other)) for other in others)

    def by_month(self, annotator: str) -> dict[str, ScoredPairs]:
        """Return an annotator's scores with the consensus by month, where graphs have dates."""
        assert self.consensus is not None
        compared = self.compared[annotator, self.consensus]
        months = np.array([month or "" for month in compared.months])
        return {
            str(month): compared.score.restricted(months == month)
            for month in np.unique(months)
            if month
        }


def agreement(
    study: Study,
    metric: AlignmentMetric,
    settings: Settings,
    *,
    consensus: str | None = None,
    disputed: int = 15,
    workers: int = 1,
    advance: Callable[[int], object] = lambda _: None,
    keep: Callable[[FilePair, str], object] = lambda *_: None,
) -> Agreement:
    """Compare every two annotators of *study*, and each with the *consensus* if one is named.

    So many *disputed* items are named. *advance* is called with the number of pairs of graphs that
    have been compared since, and *keep* with each certificate and the files that it is about, if
    *settings* ask for certificates. Raises `UsageError` if there are no two files, `InputError` if
    two have no item in common or a graph cannot be read, and `VerificationError` if two
    computations disagree or equal graphs do not agree in full.
    """
    names = [source.name for source in study.sources if source.name != consensus]
    pairs = compared_pairs(names, consensus)
    if not pairs:
        raise UsageError("agreement takes at least two files, or one and a consensus")
    collectors = {pair: _Collector(study.names, metric) for pair in pairs}
    disputes = _Disputes(study.names, disputed)
    people = [k for k, pair in enumerate(pairs) if consensus not in pair] or range(len(pairs))
    job = partial(_compared, metric=metric, settings=settings)
    sweep = Sweep(study, pairs, job, workers=workers, advance=advance)
    for item, found in sweep:
        for pair, one in zip(pairs, found, strict=True):
            collectors[pair].add(item, one)
            if isinstance(one, _Outcome) and one.certificate is not None:
                keep(pair, one.certificate)
        disputes.add(item, [(k, one) for k in people if isinstance(one := found[k], _Outcome)])
    return Agreement(
        study=sweep.study,
        annotators=names,
        consensus=consensus,
        compared={pair: collector.finish() for pair, collector in collectors.items()},
        confusions=disputes.differences,
        disputed=disputes.worst(),
    )


def compared_pairs(annotators: Sequence[str], consensus: str | None) -> list[FilePair]:
    """Return who is compared with whom: every two, and each with the consensus."""
    return list(combinations(annotators, 2)) + [
        (name, consensus) for name in annotators if consensus
    ]


class _Outcome(NamedTuple):
    """What is kept of a pair of graphs."""

    row: PairRow
    certificate: str | None
    differences: Sequence[Difference]
    month: str | None


class _Collector:
    """Takes what comes of the pairs of two files."""

    def __init__(self, names: Sequence[str], metric: AlignmentMetric) -> None:
        self._scores = ScoreCollector(names, metric)
        self._kinds: Counter[tuple[str, int]] = Counter()
        self._months: list[str | None] = []
        self._known: dict[str | None, str | None] = {}  # so that each month is stored once

    def add(self, item: int, found: _Outcome | Skipped | None) -> None:
        if isinstance(found, Skipped):
            self._scores.skip(item)
        elif found is not None:
            self._scores.add(item, found.row)
            self._kinds.update((d.kind, _sort(d)) for d in found.differences)
            self._months.append(self._known.setdefault(found.month, found.month))

    def finish(self) -> Compared:
        kinds = {
            kind: KindCounts(*(self._kinds[kind, sort] for sort in range(3)))
            for kind in sorted({kind for kind, _ in self._kinds})
        }
        return Compared(score=self._scores.finish(), kinds=kinds, months=self._months)


class _Disputes:
    """What differs on all items, and the items of the lowest mean F1."""

    def __init__(self, names: Sequence[str], most: int) -> None:
        self.differences: Counter[Difference] = Counter()
        self._names = names
        self._most = most
        self._worst: list[tuple[tuple[float, int, int], DisputedItem]] = []

    def add(self, item: int, found: Sequence[tuple[int, _Outcome]]) -> None:
        """Take what was found of an item, with the numbers of the pairs of files."""
        if not found:
            return
        unordered = Counter(_unordered(d) for _, outcome in found for d in outcome.differences)
        self.differences.update(unordered)
        f1 = [outcome.row.f1 for _, outcome in found]
        disputed = DisputedItem(name=self._names[item], f1=f1, differences=unordered)
        # Of items of one mean, those come first that the first files have.
        self._worst.append(((fmean(f1), found[0][0], item), disputed))
        if len(self._worst) > 2 * self._most + 100:
            self._prune()

    def worst(self) -> list[DisputedItem]:
        """Return the items of the lowest mean, the lowest first."""
        self._prune()
        return [disputed for _, disputed in self._worst]

    def _prune(self) -> None:
        self._worst.sort(key=lambda entry: entry[0])
        del self._worst[self._most :]


def _compared(pair: GraphPair, metric: AlignmentMetric, settings: Settings) -> _Outcome:
    score = score_pair(pair, metric, settings, Deadline())
    system, gold = metric.normalise(pair.system), metric.normalise(pair.gold)
    can_match = bool(system.triples) and set(system.triples) <= set(system.as_gold())
    if system == gold and can_match and score.f1_upper < 1:
        raise VerificationError(
            f"{pair.identifier}: two equal graphs score {score.f1_upper}, not 1"
        )
    return _Outcome(
        PairRow.of(score),
        score.certificate,
        differences(system, gold, score.mapping, metric.duplicates),
        _month(pair.system.metadata),
    )


def _sort(difference: Difference) -> int:
    """Return the place of a difference in `KindCounts`."""
    if difference.gold is None:
        return KindCounts._fields.index("surplus")
    return KindCounts._fields.index("relabelled" if difference.system is not None else "missing")


def _unordered(difference: Difference) -> Difference:
    one, other = sorted((difference.system, difference.gold), key=lambda text: (text is None, text))
    return Difference(difference.kind, one, other)


def _month(metadata: Mapping[str, str]) -> str | None:
    """Return year and month of a graph's date, None if there is none that can be read."""
    for key in _DATES:
        if key in metadata:
            date = _parsed(metadata[key])
            return None if date is None else f"{date:%Y-%m}"
    return None


def _parsed(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    for known in _DATE_FORMATS:
        try:
            return datetime.strptime(text, known)
        except ValueError:
            continue
    return None
