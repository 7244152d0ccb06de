"""Certificates with the pairs of graphs that they are about, in the form for checkers."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

from exactmatch.certificate.checker import MALFORMED, parse
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.camr_places import SentenceLengths
from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.readers.graph_lines import holds_graphs
from exactmatch.graphs.readers.source import LONGEST_CERTIFICATE, read_lines, source_name
from exactmatch.graphs.words import Synonyms
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.amr.reifications import ReificationTable
from exactmatch.metrics.credits import Credits
from exactmatch.metrics.registry import (
    alignment_based,
    metric_labelled,
    profile_called,
    without_range,
)
from exactmatch.metrics.similarity import Similarity
from exactmatch.report.range_certificates import RangeCertificates
from exactmatch.scoring.choices import (
    StrPath,
    credits_of,
    lengths_of,
    reification_table,
    similarity_of,
    synonyms_of,
    with_words,
)
from exactmatch.scoring.comparison import compare_for_proof
from exactmatch.scoring.joint_options import CertificateOptions, WordFiles
from exactmatch.scoring.options import Pairing, Telling
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.sides import check_one_stdin, with_graphs


class MetricWords(NamedTuple):
    """The words and tables that metrics take from files."""

    similarity: Similarity | None
    synonyms: Synonyms | None
    table: ReificationTable | None
    lengths: SentenceLengths | None
    credits: Credits | None

    @classmethod
    def of(cls, files: WordFiles) -> Self:
        """Read the *files*. Raises `InputError` and `UsageError` as `exactmatch.metric` does."""
        return cls(
            similarity_of(files.vectors, files.similarity, files.cut_off, files.sense_factor),
            synonyms_of(files.synonyms),
            reification_table(files.reification_table),
            lengths_of(files.lengths),
            credits_of(files.credits),
        )


@dataclass(frozen=True)
class CertifiedPairs:
    """Certificates and their subjects.

    metric: the metric that the certificates name.
    lines: one certificate each.
    pairs: the graphs, as JSON; the k-th certificate of an id is for the k-th pair with it.
    misfits: after the last pair, the pairs whose mapping for the end of a range proves no end.
    """

    metric: AlignmentMetric
    lines: Sequence[bytes]
    pairs: Iterator[dict[str, Any]]
    misfits: Sequence[str]


@contextmanager
def certified_pairs(
    certificates: StrPath,
    system: Graphs,
    gold: Graphs,
    doing: str,
    asked: CertificateOptions,
    only: str | None = None,
) -> Iterator[CertifiedPairs]:
    """Yield the *certificates* of a score of *system* against *gold*, with the pairs.

    *only* is the identifier or the number of one pair.

    The graphs are counted again under the profile that the certificates name. Raises `InputError`
    and `UsageError` as `exactmatch.verify` does.
    """
    words = MetricWords.of(asked)
    check_one_stdin(Path(certificates), system, gold)
    written = read_lines(certificates, longest=LONGEST_CERTIFICATE)
    lines = [text for text in written if text.strip()]
    if not lines:
        raise InputError(f"{source_name(certificates)}: holds no certificate")
    name = source_name(certificates)
    counted = _metric(lines, name, words)
    _insist(counted, asked.metric, asked.profile)
    request = PairRequest(
        system, gold, (counted,), pairing=asked.only(Pairing), telling=asked.only(Telling)
    )
    with request.reading(doing, only) as (read, _):
        ranges = RangeCertificates(lines)
        pairs = (
            content
            for pair in with_graphs(read)
            for content in ranges.contents(compare_for_proof(pair, counted), pair.identifier)
        )
        yield CertifiedPairs(counted, lines, pairs, ranges.misfits)


def _insist(counted: AlignmentMetric, metric: str | None, profile: str | None) -> None:
    """Raise `InputError` unless the certificates have the requested metric and profile."""
    if metric not in (None, counted.name):
        raise InputError(f"these certificates are of the metric {counted.name}, not of {metric}")
    if profile is None:
        return
    wanted = profile_called(type(counted), profile)
    if any(getattr(counted, name) != getattr(wanted, name) for name in counted.choices()):
        raise InputError(
            f"these certificates are not of the profile {profile}: {counted.signature()}"
        )


def _metric(lines: list[bytes], name: str, words: MetricWords) -> AlignmentMetric:
    """Return the metric of the first readable certificate; the others have to agree."""
    for text in lines:
        try:
            label = str(parse(text).get("profile"))
            metric_labelled(label)
        except (*MALFORMED, UsageError):
            continue
        return certified_metric(label, words)
    if holds_graphs(lines):
        raise InputError(f"{name}: holds graphs; the certificates are the first of the three files")
    raise InputError(f"{name}: holds no certificate that names a metric")


def certified_metric(label: str, words: MetricWords) -> AlignmentMetric:
    """Return the metric of certificates with this *label*.

    Raises `UsageError` if there is none, and if the label has other similarities, synonyms, tables,
    lengths or credits.
    """
    found = metric_labelled(label)
    if words.table is not None:
        found = found.with_choices(reification_table=words.table)
    if words.credits is not None:
        found = found.with_choices(credits=words.credits)
    metric = alignment_based(
        with_words(found, words.similarity, words.synonyms, lengths=words.lengths)
    )
    if metric.label() != without_range(label):
        raise UsageError(
            "these certificates have other similarities, synonyms, tables, lengths or credits: "
            f"{label}"
        )
    return metric
