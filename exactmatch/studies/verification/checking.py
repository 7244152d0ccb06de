"""Check the certificates of a study against its graphs, read and paired as in the study."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

from exactmatch.certificate.checker import (
    BOUNDED,
    MALFORMED,
    REFUTED,
    VERDICTS,
    VERIFIED,
    parse,
)
from exactmatch.graphs.items import FilePair, Study
from exactmatch.graphs.pairing import GraphPair, Skipped
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import without_range
from exactmatch.report.range_certificates import MISFIT, RangeCertificates
from exactmatch.scoring.comparison import Comparison, compare_for_proof
from exactmatch.studies.agreement.by_group import group_parts
from exactmatch.studies.common.item_groups import Groups
from exactmatch.studies.common.manifest import CertificateFile, Manifest, counted_pairs
from exactmatch.studies.common.outcomes import CERTIFIED, CHECKED, OPTIMAL, PairOutcome, PairRow
from exactmatch.studies.common.pairs import ScoreCollector, ScoredPairs
from exactmatch.studies.common.sweep import Sweep, SweepSettings

#: The checker of certificates of pairs: see `exactmatch.certificate.checker.check_all`.
CheckAll = Callable[[Iterable[dict[str, Any]], Iterable[bytes]], Iterable[tuple[str, str, str]]]


class StudyFinding(NamedTuple):
    """The verdict on a pair of graphs, or on a whole *file* of certificates.

    *identifier* is None for a claim of the manifest.
    """

    file: str
    identifier: str | None
    verdict: str
    reason: str


class CheckedFile:
    """The verdicts on a file of certificates, pair by pair; each line is used once."""

    def __init__(
        self,
        file: CertificateFile,
        metric: AlignmentMetric,
        lines: Sequence[bytes],
        names: Sequence[str],
        check_all: CheckAll,
    ) -> None:
        self.file = file
        self.counts = dict.fromkeys(VERDICTS, 0)
        self.findings: list[StudyFinding] = []
        self._metric = metric
        self._check_all = check_all
        self._scores = ScoreCollector(names, metric)
        self._lines: defaultdict[str, list[bytes]] = defaultdict(list)
        self._rest: list[bytes] = []
        for line in lines:
            try:
                self._lines[parse(line)["id"]].append(line)
            except MALFORMED:
                self._rest.append(line)

    def check(self, item: int, comparison: Comparison, identifier: str) -> None:
        """Check the certificates of a pair of graphs, and use its score as far as it is proven."""
        lines = self._lines.pop(identifier, [])
        content = comparison.as_json(identifier)
        own, of_ranges = _apart(lines)
        verdicts = self._verdicts([content], own)
        verdict = verdicts[0] if len(verdicts) == 1 else REFUTED
        self._scores.add(item, _outcome(comparison, verdict, own))
        if of_ranges:
            ranges = RangeCertificates(lines)
            ends = [
                end
                for end in ranges.contents(comparison, identifier)
                if end["profile"] != content["profile"]
            ]
            self._verdicts(ends, of_ranges)
            for name in ranges.misfits:
                self._note(name, REFUTED, MISFIT)

    def finish(self, groups: Groups | None) -> ScoredPairs:
        """Return the score of all pairs, and check the other claims of the manifest."""
        rest = [*chain(self._rest, *self._lines.values())]
        if rest:
            self._verdicts([], rest)
        score = self._scores.finish()
        self._claims("", self.file._asdict(), score)
        parts = {} if groups is None else group_parts(groups, score)
        claimed = self.file.groups
        for name in dict.fromkeys([*claimed, *parts]):
            if name in claimed and name in parts:
                self._claims(f" of group {name}", claimed[name], parts[name])
            else:
                lacks = "lacks" if name in parts else "has"
                self._note(None, REFUTED, f"the manifest {lacks} group {name} of these files")
        return score

    def _claims(self, of: str, claimed: Mapping[str, Any], score: ScoredPairs) -> None:
        """Check the numbers that the manifest claims, *of* all pairs or a group."""
        for what, found in counted_pairs(score).items():
            if found != claimed[what]:
                reason = f"the manifest says that {what}{of} is {claimed[what]}, but it is {found}"
                self._note(None, REFUTED, reason)

    def _verdicts(self, contents: Iterable[dict[str, Any]], lines: Iterable[bytes]) -> list[str]:
        """Return the verdicts, and count them all."""
        found = [*self._check_all(contents, lines)]
        for identifier, verdict, reason in found:
            self._note(identifier, verdict, reason)
        return [verdict for _, verdict, _ in found]

    def _note(self, identifier: str | None, verdict: str, reason: str) -> None:
        self.counts[verdict] += 1
        if verdict != VERIFIED:
            self.findings.append(StudyFinding(self.file.file, identifier, verdict, reason))


def check_study(
    study: Study,
    manifest: Manifest,
    metrics: Mapping[str, AlignmentMetric],
    lines: Mapping[str, Sequence[bytes]],
    check_all: CheckAll,
    advance: Callable[[int], object],
    groups: Groups | None = None,
) -> tuple[Study, list[CheckedFile], dict[tuple[FilePair, str], ScoredPairs]]:
    """Check the certificates on *lines*, those of each file, against the graphs of *study*.

    The claims of the manifest on *groups* of items are checked, too.
    Returns the study after its graphs were read, the verdicts on each file, and the scores of each
    two files by each metric.
    """
    checked = {
        ((one.first, one.second), one.metric): CheckedFile(
            one, metrics[one.metric], lines[one.file], study.names, check_all
        )
        for one in manifest.certificates
    }
    pairs = [*dict.fromkeys(files for files, _ in checked)]
    rotating = manifest.study != "ranking"
    if rotating:
        pairs = study.sharing(pairs)
    sweep = Sweep(
        study,
        pairs,
        partial(_compared, metrics),
        SweepSettings(advance=advance),
        ill_formed=manifest.choices.ill_formed,
        rotating=rotating,
    )
    for item, found in sweep:
        for files, comparisons in zip(pairs, found, strict=True):
            if comparisons is None or isinstance(comparisons, Skipped):
                continue
            for key, comparison in comparisons.items():
                checked[files, key].check(item, comparison, study.names[item])
    scores = {which: one.finish(groups) for which, one in checked.items()}
    return sweep.study, [*checked.values()], scores


def _compared(metrics: Mapping[str, AlignmentMetric], pair: GraphPair) -> dict[str, Comparison]:
    return {key: compare_for_proof(pair, metric) for key, metric in metrics.items()}


def _apart(lines: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """Return the certificates of a pair, and those of the ends of its ranges."""
    own: list[bytes] = []
    of_ranges: list[bytes] = []
    for line in lines:
        label = str(parse(line).get("profile"))
        (own if without_range(label) == label else of_ranges).append(line)
    return own, of_ranges


def _outcome(comparison: Comparison, verdict: str, lines: Sequence[bytes]) -> PairOutcome:
    """Return the score of a pair, as far as its certificate proves it."""
    totals = comparison.system_total, comparison.gold_total
    most = comparison.most_by_labels() if comparison.metric.can_exceed else min(totals)
    matched, upper, flags = 0, most, 0
    if verdict in (VERIFIED, BOUNDED):
        certificate = parse(lines[0])
        matched, upper = certificate["value"], min(upper, certificate["upper"])
        flags = CHECKED | (CERTIFIED | OPTIMAL if verdict == VERIFIED else 0)
    unit = comparison.unit
    row = PairRow(
        unit * matched, unit * upper, unit * totals[0], unit * totals[1], flags, "certificate", 0.0
    )
    return PairOutcome(row=row)
