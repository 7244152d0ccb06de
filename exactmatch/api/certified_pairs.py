"""Certificates, and the pairs of graphs that they are about, as checkers take them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactmatch.api.metrics import StrPath, with_words
from exactmatch.api.pairs import Note, check_one_stdin, read_pairs, with_graphs
from exactmatch.api.range_certificates import RangeCertificates
from exactmatch.certificate.checker import MALFORMED, parse
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
from exactmatch.progress import Progress
from exactmatch.readers.source import LONGEST_CERTIFICATE, read_lines, source_name
from exactmatch.standardisation.tables import ReificationTable
from exactmatch.words import Synonyms


@dataclass(frozen=True, kw_only=True)
class CertifiedPairs:
    """Certificates and what they are about.

    metric: what they say that is counted.
    lines: a certificate each.
    pairs: the graphs, as JSON; of one id, the k-th certificate is for the k-th pair.
    misfits: once all pairs have come, those with a mapping that reaches the end of a range, but is
        not a best one.
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
    *,
    metric: str | None,
    profile: str | None,
    similarity: Similarity | None,
    synonyms: Synonyms | None,
    table: ReificationTable | None,
    pair_by: PairBy,
    on_error: OnError,
    progress: Progress,
    note: Note,
    only: str | None = None,
) -> Iterator[CertifiedPairs]:
    """Yield the *certificates* of a score of *system* against *gold*, with the pairs.

    *only* is the identifier or the number of one pair.

    The graphs are counted anew under the profile that the certificates name. Raises `InputError`
    and `UsageError` as `exactmatch.verify` does.
    """
    check_one_stdin(Path(certificates), system, gold)
    written = read_lines(certificates, longest=LONGEST_CERTIFICATE)
    lines = [text for text in written if text.strip()]
    if not lines:
        raise InputError(f"{source_name(certificates)}: no certificate in it")
    counted = _metric(lines, source_name(certificates), similarity, synonyms, table)
    _insist(counted, metric, profile)

    def choose(form: str) -> AlignmentMetric:
        check_format(counted, form)
        return counted

    with read_pairs(
        system,
        gold,
        doing,
        pair_by=pair_by,
        on_error=on_error,
        progress=progress,
        note=note,
        choose=choose,
        only=only,
    ) as (read, _):
        ranges = RangeCertificates(lines)
        pairs = (
            content
            for pair in with_graphs(read)
            for content in ranges.contents(compare(pair, counted), pair.identifier)
        )
        yield CertifiedPairs(metric=counted, lines=lines, pairs=pairs, misfits=ranges.misfits)


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
