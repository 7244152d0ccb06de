"""Certificates against the graphs that they are about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, cast

from exactmatch.api.metrics import Share, StrPath, similarity_of, synonyms_of, with_words
from exactmatch.api.metrics import reification_table as table_of
from exactmatch.api.pairs import Note, check_one_stdin, read_pairs, unheard, with_graphs
from exactmatch.api.range_certificates import RangeCertificates
from exactmatch.certificate.checker import MALFORMED, VERDICTS, VERIFIED, check_all, parse
from exactmatch.comparison import compare
from exactmatch.errors import InputError, UsageError
from exactmatch.inputs import Graphs
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import (
    alignment_based,
    check_format,
    metric_labelled,
    profile_called,
    without_range,
)
from exactmatch.metrics.similarity import Similarity
from exactmatch.pairing import OnError, PairBy
from exactmatch.progress import Progress, unwatched
from exactmatch.readers.source import read_lines, source_name
from exactmatch.standardisation.tables import ReificationTable
from exactmatch.words import Synonyms

_MISFIT = "the mapping of an end of a range does not score what the pair's own does"

Verdict = Literal["verified", "bounded", "refuted", "unproven"]


class Finding(NamedTuple):
    """What is said of a pair, or of a certificate that belongs to none."""

    identifier: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What has come of checking certificates.

    metric: how they say that the graphs are compared.
    counts: how often each verdict was given.
    findings: whatever is not verified.
    """

    metric: AlignmentMetric
    counts: Mapping[Verdict, int]
    findings: Sequence[Finding]

    @property
    def total(self) -> int:
        """The number of verdicts."""
        return sum(self.counts.values())

    @property
    def verified(self) -> int:
        """Pairs whose mapping is proven to be the best."""
        return self.counts["verified"]

    @property
    def refuted(self) -> int:
        """Pairs and certificates with a claim that does not hold."""
        return self.counts["refuted"]

    @property
    def signature(self) -> str:
        """Metric and choices in one line."""
        return self.metric.signature()

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items())
        return f"<Verification {counts}>"


def verify(
    certificates: StrPath,
    system: Graphs,
    gold: Graphs,
    *,
    metric: str | None = None,
    profile: str | None = None,
    vectors: StrPath | None = None,
    similarity: StrPath | None = None,
    synonyms: StrPath | None = None,
    reification_table: StrPath | None = None,
    cut_off: Share = "0.5",
    sense_factor: Share = "0.5",
    pair_by: PairBy = "position",
    on_error: OnError = "stop",
    progress: Progress = unwatched,
    note: Note = unheard,
) -> Verification:
    """Check the certificates of a score of *system* against *gold*.

    The graphs are counted anew under the profile that the certificates name; the checking is done
    by a program of its own, which uses nothing else of exactmatch.

    Args:
        certificates: the path of the file that scoring has written.
        system, gold: the graphs that were scored, as for `exactmatch.score`.
        metric: insist on certificates of this metric.
        profile: insist on certificates of this profile of the metric.
        vectors, similarity, synonyms, cut_off, sense_factor: as for `exactmatch.metric`, where the
            metric of the certificates takes them.
        reification_table: the file of that table, where the certificates are about one.
        pair_by, on_error, progress, note: as for `exactmatch.score`.

    Returns:
        The verdicts. A certificate that is refuted raises nothing; see ``refuted``.

    Raises:
        InputError: for files and graphs that cannot be used, or certificates of another metric.
        UsageError: for options that do not exist, or other similarities, synonyms or tables.
    """
    check_one_stdin(Path(certificates), system, gold)
    lines = [text for text in read_lines(certificates) if text.strip()]
    if not lines:
        raise InputError(f"{source_name(certificates)}: no certificate in it")
    words = similarity_of(vectors, similarity, cut_off, sense_factor)
    table = table_of(reification_table)
    counted = _metric(lines, source_name(certificates), words, synonyms_of(synonyms), table)
    _insist(counted, metric, profile)
    counts = dict.fromkeys(VERDICTS, 0)
    findings = []

    def choose(form: str) -> AlignmentMetric:
        check_format(counted, form)
        return counted

    with read_pairs(
        system,
        gold,
        "verifying",
        pair_by=pair_by,
        on_error=on_error,
        progress=progress,
        note=note,
        choose=choose,
    ) as (pairs, _):
        known = RangeCertificates(lines)
        triples = (
            content
            for pair in with_graphs(pairs)
            for content in known.contents(compare(pair, counted), pair.identifier)
        )
        for identifier, verdict, reason in check_all(triples, lines):
            counts[verdict] += 1
            if verdict != VERIFIED:
                findings.append(Finding(identifier, cast(Verdict, verdict), reason))
    for identifier in known.misfits:
        counts["refuted"] += 1
        findings.append(Finding(identifier, "refuted", _MISFIT))
    return Verification(
        metric=counted, counts=cast(dict[Verdict, int], counts), findings=tuple(findings)
    )


def _insist(counted: AlignmentMetric, metric: str | None, profile: str | None) -> None:
    """Raise `InputError` unless the certificates are of the metric and profile asked for."""
    if metric not in (None, counted.name):
        raise InputError(f"these certificates are of {counted.name}, not of {metric}")
    if profile is None:
        return
    wanted = profile_called(type(counted), profile)
    if any(getattr(counted, name) != getattr(wanted, name) for name in counted.choices()):
        raise InputError(f"these certificates are not of profile {profile}: {counted.signature()}")


def _metric(
    lines: list[bytes],
    name: str,
    similarity: Similarity | None,
    synonyms: Synonyms | None,
    table: ReificationTable | None,
) -> AlignmentMetric:
    """Return the metric that the first readable certificate names; the others have to agree."""
    for text in lines:
        try:
            label = str(parse(text).get("profile"))
            found = metric_labelled(label)
        except (*MALFORMED, UsageError):
            continue
        if table is not None:
            found = found.with_choices(reification_table=table)
        metric = alignment_based(with_words(found, similarity, synonyms))
        if metric.label() != without_range(label):
            raise UsageError(
                f"these certificates are about other similarities, synonyms or tables: {label}"
            )
        return metric
    raise InputError(f"{name}: no certificate in it that names a metric")
