"""Explain the difference of two scores of the same pairs: by choice, then by a tool's errors.

From one profile of a metric to another, one choice changes at a time, and every pair is solved
again if the change affects its problem. (Or the first score is that of juːmæʧ, which maps nodes of
UMR by rules: then the first change is to search for the best mapping.) So the parts add up to the
whole difference, in matched triples, in totals, and in F1. The part of a choice depends on the
choices changed before it, if they concern the same triples.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from exactmatch.graphs.items import Study
from exactmatch.graphs.pairing import Skipped
from exactmatch.graphs.readers.tool_scores import ToolScores
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.counts import Score
from exactmatch.metrics.registry import alignment_based, mending_policy
from exactmatch.metrics.triples import Label, NormalisedTriple
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.solver_totals import SolverRun
from exactmatch.studies.common.claims import is_one_number
from exactmatch.studies.common.outcomes import PairOutcome
from exactmatch.studies.common.pairs import ProofCounts, ScoreCollector, ScoredPairs
from exactmatch.studies.common.sweep import Sweep, SweepSettings
from exactmatch.studies.explanation.leftover import Leftover, leftover
from exactmatch.studies.explanation.moved import PairPath, Side, along
from exactmatch.studies.explanation.one_number import OneNumber, one_number
from exactmatch.studies.explanation.profile_path import ChoiceChange, in_one_scale, metrics_on

#: The position of a step, a side, and the labels before and after.
_Relabelling = tuple[int, Side, str | None, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The increase of a score; below 0 for a decrease.

    matched, system_total, gold_total, f1: as in `exactmatch.metrics.counts.Score`.
    """

    matched: int
    system_total: int
    gold_total: int
    f1: float

    @classmethod
    def of(cls, before: Score, after: Score) -> "Change":
        """Return the increase from *before* to *after*."""
        return cls(
            matched=after.matched - before.matched,
            system_total=after.system_total - before.system_total,
            gold_total=after.gold_total - before.gold_total,
            f1=after.f1 - before.f1,
        )

    def __bool__(self) -> bool:
        return bool(self.matched or self.system_total or self.gold_total)


@dataclass(frozen=True, kw_only=True)
class ExplainedStep:
    """The effect of changing one choice on the score.

    pairs: the number of pairs with a changed number; *more* and *fewer* are those with more or
        fewer matched triples.
    unproven: pairs with a changed problem that are not proven before or after; their part in the
        matched triples is that of the mappings found.
    score: the score after the change.
    """

    changed: ChoiceChange
    change: Change
    pairs: int
    more: int
    fewer: int
    unproven: int
    score: ScoredPairs


@dataclass(frozen=True, slots=True, kw_only=True)
class PairChange:
    """The effect of a step on a pair; *proven* if its scores before and after are."""

    choice: str
    item: str
    change: Change
    proven: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelChange:
    """How often a step turns triples of one label into triples of another, and in how many *pairs*.

    before, after: None if triples are added, or removed.
    """

    choice: str
    side: Side
    before: str | None
    after: str | None
    triples: int
    pairs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelMatch:
    """The additional matches of a system label after a step, over all pairs."""

    choice: str
    label: str
    matched: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TripleMatch:
    """A triple of the system whose match changes in a step.

    before, after: None if the triple does not exist; equal, if only the mapping changes.
    matched: the increase of its match; below 0 if it no longer matches.
    """

    choice: str
    item: str
    before: str | None
    after: str | None
    matched: int


@dataclass(frozen=True, slots=True)
class TripleChange:
    """A triple of a graph that a step turns into another one; as in `LabelChange`."""

    choice: str
    item: str
    side: Side
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Explanation:
    """The explanation of a difference between two scores.

    names: the names of the two profiles; one, if only a tool is compared.
    first, last: the scores by the two profiles.
    difference: the whole difference, to which the changes of *steps* add up.
    pairs, matched: those of all steps, the greatest first.
    labels: those of all steps, the greatest first; labels of steps without a changed number come
        last.
    gains: the matches gained, by step and item; their sums are the changes of the steps.
    triples: the triples by step and item; those of pairs without a changed number come last.
    leftover: the difference between the last score and those of a tool, if there are any.
    one: the last score beside the one number of a tool, if it has one for all pairs together.
    solver: the work of a solver by name, on all scores of the pairs.
    """

    study: Study
    names: Sequence[str]
    metrics: Sequence[Metric]
    first: ScoredPairs
    last: ScoredPairs
    difference: Change
    steps: Sequence[ExplainedStep]
    pairs: Sequence[PairChange]
    labels: Sequence[LabelChange]
    matched: Sequence[LabelMatch]
    gains: Sequence[TripleMatch]
    triples: Sequence[TripleChange]
    proofs: ProofCounts
    solver: SolverRun
    leftover: Leftover | None = None
    one: OneNumber | None = None

    @property
    def greatest(self) -> ExplainedStep | None:
        """The step that changes F1 most, the first of equals; None if none changes it."""
        changing = [step for step in self.steps if step.change.f1]
        return max(changing, key=lambda step: abs(step.change.f1), default=None)

    @property
    def scores(self) -> list[ScoredPairs]:
        """The score before the first step, and after each."""
        return [self.first, *(step.score for step in self.steps)]


class ExplainedPath(NamedTuple):
    """A metric, and the changes of its choices that lead to another one.

    names: the profiles at the ends, as they are called in reports.
    """

    names: Sequence[str]
    first: Metric
    changes: Sequence[ChoiceChange]


def explanation(
    study: Study,
    path: ExplainedPath,
    settings: Settings,
    sweeping: SweepSettings,
    tool_scores: ToolScores | None = None,
    profiles: Mapping[str, AlignmentMetric] = {},
) -> Explanation:
    """Score the two files of *study* by the first metric of *path*, and after each of its changes.

    *tool_scores* are compared with the last score; one number for all pairs is compared with the
    other *profiles*, too. Raises `InputError` if the files have no item in common, a graph cannot
    be read, or scores of a tool do not belong to them, and `VerificationError` if two computations
    disagree.
    """
    names, first, changes = path
    metrics = in_one_scale(metrics_on(first, changes))
    files = (study.sources[0].name, study.sources[1].name)
    job = partial(along, metrics, settings)
    policy = mending_policy(metrics)
    sweep = Sweep(study, [files], job, sweeping, ill_formed=policy)
    collectors = [ScoreCollector(study.names, metric) for metric in metrics]
    paths: dict[str, PairPath] = {}
    for item, (walked,) in sweep:
        if isinstance(walked, Skipped):
            for collector in collectors:
                collector.skip(item)
        elif walked is not None:
            for collector, row in zip(collectors, walked.rows, strict=True):
                collector.add(item, PairOutcome(row=row))
            if walked.moves:
                paths[study.names[item]] = walked
    scores = [collector.finish() for collector in collectors]
    choices = [changed.choice for changed in changes]
    left, one = None, None
    if tool_scores is not None:
        last = alignment_based(metrics[-1])
        if is_one_number(tool_scores, study.pairs_on_all([files])):
            one = one_number(
                sweep.study,
                tool_scores,
                last,
                names[-1],
                profiles,
                settings,
                sweeping,
            )
        else:
            left = leftover(sweep.study, tool_scores, scores[-1], last, settings, sweeping.workers)
    return Explanation(
        sweep.study,
        names,
        metrics,
        first=scores[0],
        last=scores[-1],
        difference=Change.of(scores[0], scores[-1]),
        steps=_steps(changes, scores, paths),
        pairs=_pairs(choices, paths),
        labels=_labels(choices, paths),
        matched=_matched(choices, paths),
        gains=_gains(choices, paths),
        triples=_triples(choices, paths),
        proofs=ProofCounts.of([score for score in scores if score.metric.maps_variables]),
        solver=sweep.solver,
        leftover=left,
        one=one,
    )


def _steps(
    path: Sequence[ChoiceChange], scores: Sequence[ScoredPairs], paths: Mapping[str, PairPath]
) -> list[ExplainedStep]:
    steps = []
    for k, changed in enumerate(path):
        moved = [
            walked for walked in paths.values() if any(move.step == k for move in walked.moves)
        ]
        changes = [_change(walked, k) for walked in moved]
        steps.append(
            ExplainedStep(
                changed=changed,
                change=Change.of(scores[k], scores[k + 1]),
                pairs=sum(map(bool, changes)),
                more=sum(change.matched > 0 for change in changes),
                fewer=sum(change.matched < 0 for change in changes),
                unproven=sum(not _is_proven(walked, k) for walked in moved),
                score=scores[k + 1],
            )
        )
    return steps


def _change(path: PairPath, step: int) -> Change:
    return Change.of(path.rows[step].score, path.rows[step + 1].score)


def _is_proven(path: PairPath, step: int) -> bool:
    return not any(row.score.gap for row in path.rows[step : step + 2])


def _pairs(choices: Sequence[str], paths: Mapping[str, PairPath]) -> list[PairChange]:
    changed = [
        PairChange(
            choice=choices[move.step],
            item=item,
            change=_change(path, move.step),
            proven=_is_proven(path, move.step),
        )
        for item, path in paths.items()
        for move in path.moves
    ]
    order = {choice: k for k, choice in enumerate(choices)}
    return sorted(
        (pair for pair in changed if pair.change),
        key=lambda pair: (-abs(pair.change.f1), order[pair.choice], pair.item),
    )


def _labels(choices: Sequence[str], paths: Mapping[str, PairPath]) -> list[LabelChange]:
    times: Counter[_Relabelling] = Counter()
    items: defaultdict[_Relabelling, set[str]] = defaultdict(set)
    moving = set()
    for item, path in paths.items():
        for move in path.moves:
            if _change(path, move.step):
                moving.add(move.step)
            for side, before, after in move.triples:
                key = (move.step, side, _label_of(before), _label_of(after))
                times[key] += 1
                items[key].add(item)
    return [
        LabelChange(
            choice=choices[key[0]],
            side=key[1],
            before=key[2],
            after=key[3],
            triples=number,
            pairs=len(items[key]),
        )
        for key, number in sorted(
            times.items(), key=lambda entry: (entry[0][0] not in moving, -entry[1], str(entry[0]))
        )
    ]


def _matched(choices: Sequence[str], paths: Mapping[str, PairPath]) -> list[LabelMatch]:
    total: Counter[tuple[int, Label]] = Counter()
    for path in paths.values():
        for move in path.moves:
            for label, more in move.by_label.items():
                total[move.step, label] += more
    ordered = sorted(total.items(), key=lambda entry: (-abs(entry[1]), entry[0]))
    return [
        LabelMatch(choice=choices[step], label=" ".join(label), matched=more)
        for (step, label), more in ordered
        if more
    ]


def _gains(choices: Sequence[str], paths: Mapping[str, PairPath]) -> list[TripleMatch]:
    moves = [(move, item) for item, path in paths.items() for move in path.moves]
    return [
        TripleMatch(
            choice=choices[move.step],
            item=item,
            before=_shown(one.before),
            after=_shown(one.after),
            matched=one.more,
        )
        for move, item in sorted(moves, key=lambda entry: entry[0].step)
        for one in move.matched
    ]


def _triples(choices: Sequence[str], paths: Mapping[str, PairPath]) -> list[TripleChange]:
    moves = [(move, item, path) for item, path in paths.items() for move in path.moves]
    moves.sort(key=lambda entry: (not _change(entry[2], entry[0].step), entry[0].step))
    return [
        TripleChange(
            choices[move.step],
            item,
            side,
            before=_shown(before),
            after=_shown(after),
        )
        for move, item, _ in moves
        for side, before, after in move.triples
    ]


def _label_of(triple: NormalisedTriple | None) -> str | None:
    return None if triple is None else " ".join(triple.label)


def _shown(triple: NormalisedTriple | None) -> str | None:
    """Return a triple as people read it: ``relation domain (c, r)``."""
    if triple is None:
        return None
    return f"{' '.join(triple.label)} ({', '.join(triple.variables)})"
