"""Inter-annotator agreement: every two annotators compared (Cai and Knight 2013, section 5)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from statistics import fmean
from typing import NamedTuple

import numpy as np

from exactmatch.errors import UsageError
from exactmatch.graphs.items import FilePair, Study
from exactmatch.graphs.pairing import Skipped
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import mending_policy
from exactmatch.scoring.settings import Settings
from exactmatch.studies.agreement.chance import ChanceAgreement
from exactmatch.studies.agreement.compared_pair import ComparedPair, compared_pair
from exactmatch.studies.agreement.document_layers import ValuePair
from exactmatch.studies.agreement.layers import (
    Layer,
    LayerAgreement,
    LayerCollector,
)
from exactmatch.studies.agreement.means import MeanAgreement, MeanAgreements, PartScore
from exactmatch.studies.agreement.similar import SimilarConcepts, similar_concepts
from exactmatch.studies.agreement.varying import SORTS, Sort
from exactmatch.studies.common.contests import Contest, contests
from exactmatch.studies.common.differences import Difference
from exactmatch.studies.common.extremes import Extremes, extremes
from exactmatch.studies.common.pairs import ProofCounts, ScoreCollector, ScoredPairs, with_items
from exactmatch.studies.common.statistics import Interval, Resampling, confidence_interval
from exactmatch.studies.common.sweep import Sweep, SweepSettings, collect

#: The number of best mappings of a pair that are examined; few pairs have more.
_MOST_LISTED = 20


class KindCounts(NamedTuple):
    """The numbers of triples of a kind that are relabelled, or on one side alone.

    Each number is the least under any best mapping; *most* has the largest numbers.
    """

    relabelled: int
    surplus: int
    missing: int
    most: tuple[int, int, int]


class Frequent(NamedTuple):
    """A difference: how often it occurs under every best mapping, and under some."""

    difference: Difference
    times: int
    times_some: int


@dataclass(frozen=True)
class Compared:
    """Two annotators: their score, and their differences under the best mappings, by kind.

    interval: the bootstrap confidence interval of the F1, None for fewer than two items.
    unlisted: the number of pairs of graphs whose best mappings are not all known; their least
        numbers are 0.
    layers: the agreement in each layer of UMR; None for other graphs.
    """

    score: ScoredPairs
    interval: Interval | None
    kinds: Mapping[str, KindCounts]
    unlisted: int
    layers: LayerAgreement | None


@dataclass(frozen=True, kw_only=True)
class Annotator:
    """The agreement of an annotator with the others, and with the consensus.

    items: the readable graphs of the annotator; *lacking* are items that only others have.
    micro_f1, macro_f1: means over all other annotators, None if there are none.
    consensus_f1: micro F1 with the consensus, None if there is none.
    months: scores with the consensus by year and month, if the annotator's graphs have dates.
    """

    name: str
    items: int
    lacking: int
    micro_f1: float | None
    macro_f1: float | None
    consensus_f1: float | None
    months: Mapping[str, PartScore]


@dataclass(frozen=True, kw_only=True)
class DisputedItem:
    """An item on which annotators disagree: mean and least F1 of every two, and the differences.

    lowest: the pair of files with the least F1, the first of equals.

    differences, differences_some: the least and the largest number of differences under any best
        mappings; *most_frequent* are all differences, the most frequent first.
    """

    name: str
    mean_f1: float
    lowest_f1: float
    lowest: FilePair
    differences: int
    differences_some: int
    most_frequent: Sequence[Frequent]


@dataclass(frozen=True)
class Agreement:
    """The agreement of annotators.

    study: the files and their items.
    annotators: all but the consensus; *consensus* is the name of the agreed version, if any.
    compared: every two annotators with an item in common; the consensus is always second.
    apart: every two without a common item.
    means: the mean over these.
    contests: tests of every two annotators by their scores with the consensus.
    months: all months that any annotator has scores of.
    relabelled, omitted: the differences between every two annotators or, for a single one, between
        that one and the consensus, in either direction, the most frequent first. A triple that one
        side omits is first in its `Difference`.
    similar: the relabelled concepts that match in part, by a metric with graded matches.
    unlisted: as in `Compared`, the total.
    disputed: the items of the lowest mean F1 over the same pairs, the lowest first.
    chance: the agreement of every two annotators corrected for chance; None if not asked for.
    group_means: the mean of every two annotators on each group of items, by its name; None for a
        group of which no two have an item. Empty if no groups are asked for.
    group_scores: for each annotator, the scores with the consensus on groups of items by their
        names; empty without groups or a consensus.
    """

    study: Study
    annotators: Sequence[Annotator]
    consensus: str | None
    compared: Mapping[FilePair, Compared]
    apart: Sequence[FilePair]
    means: MeanAgreements
    contests: Sequence[Contest]
    months: Sequence[str]
    relabelled: Sequence[Frequent]
    omitted: Sequence[Frequent]
    similar: Sequence[SimilarConcepts]
    unlisted: int
    disputed: Sequence[DisputedItem]
    proofs: ProofCounts
    resampling: Resampling
    chance: ChanceAgreement | None = None
    group_means: Mapping[str, MeanAgreement | None] = field(default_factory=dict)
    group_scores: Mapping[str, Mapping[str, PartScore]] = field(default_factory=dict)

    @property
    def among_scores(self) -> dict[FilePair, ScoredPairs]:
        """The scores of every two annotators, without those with the consensus."""
        return {
            files: found.score
            for files, found in self.compared.items()
            if files[1] != self.consensus
        }

    @property
    def consensus_scores(self) -> dict[str, ScoredPairs]:
        """The scores of annotators with the consensus."""
        return {
            one: found.score
            for (one, other), found in self.compared.items()
            if other == self.consensus
        }

    @property
    def among_people(self) -> Extremes[FilePair]:
        """The range of the micro F1 of every two annotators; of one alone, with the consensus."""
        people = {pair: found for pair, found in self.compared.items() if pair[1] != self.consensus}
        return extremes({pair: _ends(found) for pair, found in (people or self.compared).items()})

    @property
    def by_consensus(self) -> list[str]:
        """The annotators, in the order of their micro F1 with the consensus."""
        scores = {pair: found.score for pair, found in self.compared.items()}
        return [*_by_consensus(scores, self.consensus)]

    @property
    def with_consensus(self) -> Extremes[str] | None:
        """The range of the micro F1 of annotators with the consensus; None if there is none."""
        found = {
            one: _ends(f) for (one, other), f in self.compared.items() if other == self.consensus
        }
        return extremes(found) if found else None

    @property
    def layers(self) -> Mapping[str, Mapping[FilePair, Layer]]:
        """The agreement of every two annotators of UMR, layer by layer; empty for other graphs."""
        found = {pair: agreed.layers for pair, agreed in self._layer_agreement.items()}
        names = dict.fromkeys(name for layers in found.values() for name in layers)
        return {
            name: {pair: layers[name] for pair, layers in found.items() if name in layers}
            for name in names
        }

    @property
    def unranged(self) -> int:
        """The number of pairs of graphs whose layers are known under one mapping only."""
        return sum(agreed.unknown for agreed in self._layer_agreement.values())

    @property
    def other_values(self) -> list[tuple[FilePair, ValuePair, int]]:
        """Values of one annotator and different values of the other, the most frequent first."""
        found = [
            (pair, value, times)
            for pair, agreed in self._layer_agreement.items()
            for value, times in agreed.values
        ]
        return sorted(found, key=lambda entry: -entry[2])

    @property
    def _layer_agreement(self) -> Mapping[FilePair, LayerAgreement]:
        return {p: c.layers for p, c in self.compared.items() if c.layers is not None}

    def score(self, one: str, other: str) -> ScoredPairs | None:
        """Return the score of two annotators; None if they have no item in common.

        Their order decides on precision and recall.
        """
        found = self.compared.get((one, other)) or self.compared.get((other, one))
        return None if found is None else found.score


def _ends(compared: Compared) -> tuple[float, float]:
    # The smaller of two ratios is never the larger float (`exactmatch.metrics.counts.Score`).
    return compared.score.f1, compared.score.f1_upper


class ComparedAnnotators(NamedTuple):
    """All pairs of graphs of every two annotators, before anything is computed of them.

    every: the pairs of files to compare, also those without a common item.
    people: the pairs of files whose differences are listed, as positions in those of *collectors*.
    """

    study: Study
    metric: AlignmentMetric
    consensus: str | None
    every: Sequence[FilePair]
    people: Sequence[int]
    collectors: Mapping[FilePair, "_AgreementCollector"]
    disputes: "_Disputes"


def compare_annotators(
    study: Study,
    metric: AlignmentMetric,
    settings: Settings,
    sweeping: SweepSettings,
    *,
    consensus: str | None = None,
    disputed: int = 15,
) -> ComparedAnnotators:
    """Compare every two annotators of *study*, and each with the *consensus* if one is named.

    The result names so many *disputed* items. Raises `UsageError` for fewer than two files,
    `InputError` if a graph cannot be read, and `VerificationError` if two computations disagree or
    two equal graphs do not score 1.
    """
    names = [source.name for source in study.sources if source.name != consensus]
    every = compared_pairs(names, consensus)
    if not every:
        raise UsageError("agreement takes at least two files, or one and a consensus")
    pairs = study.sharing(every)
    collectors = {pair: _AgreementCollector(study.names, metric) for pair in pairs}
    people = [k for k, pair in enumerate(pairs) if consensus not in pair] or range(len(pairs))
    disputes = _Disputes(study.names, {k: pairs[k] for k in people}, disputed)
    listing = replace(settings, best_mappings=_MOST_LISTED)
    job = partial(compared_pair, metric, listing)
    policy = mending_policy([metric])
    sweep = Sweep(study, pairs, job, sweeping, ill_formed=policy, rotating=True)
    collect(sweep, collectors, disputes.see)
    return ComparedAnnotators(sweep.study, metric, consensus, every, people, collectors, disputes)


def agreement_of(compared_annotators: ComparedAnnotators, resampling: Resampling) -> Agreement:
    """Return the agreement of annotators, with intervals and tests by *resampling*.

    Raises `InputError` if no two have an item in common.
    """
    # Complex: each table of the study is made from the same pairs, one table a line.
    study, metric, consensus, every, people, collectors, disputes = compared_annotators
    names = [source.name for source in study.sources if source.name != consensus]
    pairs = [*collectors]
    finished = {pair: collector.finish(resampling) for pair, collector in collectors.items()}
    scores = with_items(study, {pair: found.score for pair, found in finished.items()})
    compared = {pair: finished[pair] for pair in scores}
    months = {
        one: collectors[one, other].by_month(compared[one, other].score, resampling)
        for one, other in scores
        if other == consensus
    }
    relabelled = disputes.frequent(omitted=False)
    among = [scores[pair] for pair in (pairs[k] for k in people) if pair in scores]
    return Agreement(
        study,
        [_annotator(name, study, scores, consensus, months.get(name, {})) for name in names],
        consensus,
        compared,
        apart=[pair for pair in every if pair not in compared],
        means=MeanAgreements.of(scores, consensus, resampling),
        contests=contests(_by_consensus(scores, consensus), resampling),
        months=sorted({month for found in months.values() for month in found}),
        relabelled=relabelled,
        omitted=disputes.frequent(omitted=True),
        similar=similar_concepts(
            relabelled, metric, sum(score.system_total + score.gold_total for score in among)
        ),
        unlisted=sum(found.unlisted for found in compared.values()),
        disputed=disputes.worst(),
        proofs=ProofCounts.of(list(scores.values())),
        resampling=resampling,
    )


def _annotator(
    name: str,
    study: Study,
    scores: Mapping[FilePair, ScoredPairs],
    consensus: str | None,
    months: Mapping[str, PartScore],
) -> Annotator:
    agreed = None if consensus is None else scores.get((name, consensus))
    others = [score for pair, score in scores.items() if name in pair and consensus not in pair]
    return Annotator(
        name=name,
        items=study.held(name),
        lacking=len(study.lacking[name]),
        micro_f1=fmean(score.f1 for score in others) if others else None,
        macro_f1=fmean(score.macro_f1 for score in others) if others else None,
        consensus_f1=None if agreed is None else agreed.f1,
        months=months,
    )


def _by_consensus(
    scores: Mapping[FilePair, ScoredPairs], consensus: str | None
) -> dict[str, ScoredPairs]:
    """Return the annotators' scores with the consensus, the best first."""
    found = [(one, score) for (one, other), score in scores.items() if other == consensus]
    return dict(sorted(found, key=lambda entry: -entry[1].exact))


def compared_pairs(annotators: Sequence[str], consensus: str | None) -> list[FilePair]:
    """Return the pairs of files to compare: every two annotators, and each with the consensus."""
    return list(combinations(annotators, 2)) + [
        (name, consensus) for name in annotators if consensus
    ]


class _AgreementCollector:
    """Collects the results of the pairs of two files."""

    def __init__(self, names: Sequence[str], metric: AlignmentMetric) -> None:
        self._scores = ScoreCollector(names, metric)
        self._least: Counter[Sort] = Counter()
        self._most: Counter[Sort] = Counter()
        self._unlisted = 0
        self._months: list[str] = []
        self._known: dict[str, str] = {}  # so that each month is stored once
        self._layers = LayerCollector()

    def add(self, item: int, found: ComparedPair) -> None:
        self._scores.add(item, found)
        self._least.update(found.differences.least)
        self._most.update(found.differences.most)
        self._unlisted += not found.differences.are_all
        if found.layers is not None:
            self._layers.add(found.layers)
        month = found.month or ""
        self._months.append(self._known.setdefault(month, month))

    def skip(self, item: int) -> None:
        self._scores.skip(item)

    def finish(self, resampling: Resampling) -> Compared:
        kinds = {
            kind: KindCounts(*_by_sort(self._least, kind), most=_by_sort(self._most, kind))
            for kind in sorted({kind for kind, _ in self._most})
        }
        score = self._scores.finish()
        interval = confidence_interval(score.resampled(), resampling)
        return Compared(
            score,
            interval,
            kinds,
            unlisted=self._unlisted,
            layers=self._layers.finish(),
        )

    def by_month(self, score: ScoredPairs, resampling: Resampling) -> dict[str, PartScore]:
        """Return *score* by the months of the first graphs, without graphs that have no date."""
        months = np.array(self._months)
        parts = {
            str(month): score.restricted(months == month) for month in np.unique(months) if month
        }
        return {month: PartScore.of(part, resampling) for month, part in parts.items()}


class _Disputes:
    """The differences on all items between some *pairs* of files, and the items of lowest F1."""

    def __init__(self, names: Sequence[str], pairs: Mapping[int, FilePair], most: int) -> None:
        self._names = names
        self._pairs = pairs
        self._most = most
        self._every: Counter[Difference] = Counter()
        self._some: Counter[Difference] = Counter()
        self._worst: list[tuple[tuple[float, int, int], DisputedItem]] = []

    def see(self, item: int, found: Sequence[ComparedPair | Skipped | None]) -> None:
        """Add the results of an item, one for each pair of files."""
        scored = [(k, one) for k in self._pairs if isinstance(one := found[k], ComparedPair)]
        if not scored:
            return
        every, some = (
            _unordered(getattr(outcome.differences, which) for _, outcome in scored)
            for which in ("every", "some")
        )
        self._every.update(every)
        self._some.update(some)
        f1 = [outcome.row.f1 for _, outcome in scored]
        lowest, _ = scored[f1.index(min(f1))]
        disputed = DisputedItem(
            name=self._names[item],
            mean_f1=fmean(f1),
            lowest_f1=min(f1),
            lowest=self._pairs[lowest],
            differences=sum(outcome.differences.fewest for _, outcome in scored),
            differences_some=sum(outcome.differences.largest for _, outcome in scored),
            most_frequent=_most_frequent(every, some),
        )
        # Of items with one mean, those that the first files have come first.
        self._worst.append(((disputed.mean_f1, scored[0][0], item), disputed))
        if len(self._worst) > 2 * self._most + 100:
            self._prune()

    def frequent(self, *, omitted: bool) -> list[Frequent]:
        """Return the omissions and confusions on all items."""
        return [
            found
            for found in _most_frequent(self._every, self._some)
            if (found.difference.gold is None) == omitted
        ]

    def worst(self) -> list[DisputedItem]:
        """Return the items of the lowest mean, the lowest first."""
        self._prune()
        return [disputed for _, disputed in self._worst]

    def _prune(self) -> None:
        self._worst.sort(key=lambda entry: entry[0])
        del self._worst[self._most :]


def _most_frequent(every: Counter[Difference], some: Counter[Difference]) -> list[Frequent]:
    """Return the differences, the most frequent first, those of one frequency in order."""
    found = [Frequent(difference, every[difference], times) for difference, times in some.items()]
    return sorted(
        found, key=lambda f: (-f.times, -f.times_some, *(part or "" for part in f.difference))
    )


def _by_sort(counts: Counter[Sort], kind: str) -> tuple[int, int, int]:
    relabelled, surplus, missing = (counts[kind, sort] for sort in SORTS)
    return relabelled, surplus, missing


def _unordered(found: Iterable[Counter[Difference]]) -> Counter[Difference]:
    """Return all differences, regardless of their direction."""
    total: Counter[Difference] = Counter()
    for counts in found:
        for (kind, *sides), times in counts.items():
            one, other = sorted(sides, key=lambda text: (text is None, text))
            total[Difference(kind, one, other)] += times
    return total
