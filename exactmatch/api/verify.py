"""Check certificates against the graphs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast, get_args

from exactmatch.certificate import coq_program
from exactmatch.certificate.checker import VERDICTS, VERIFIED, check_all
from exactmatch.graphs.inputs import Graphs
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.report.certified_pairs import certified_pairs
from exactmatch.report.range_certificates import MISFIT
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import VerifyOptions
from exactmatch.scoring.options import Checker
from exactmatch.scoring.sides import check_known

_CHECKERS = {"python": check_all, "coq": coq_program.check_all}

Verdict = Literal["verified", "bounded", "refuted", "unproven"]


class Finding(NamedTuple):
    """The verdict on a pair, or on a certificate that belongs to no pair."""

    identifier: str
    verdict: Verdict
    reason: str


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The result of checking certificates.

    metric: the metric that the certificates name.
    checker: the checker that was used.
    counts: the number of each verdict.
    findings: every verdict other than verified.
    """

    metric: AlignmentMetric
    checker: Checker
    counts: Mapping[Verdict, int]
    findings: Sequence[Finding]

    @property
    def total(self) -> int:
        """The number of verdicts."""
        return sum(self.counts.values())

    @property
    def verified(self) -> int:
        """The number of pairs whose mapping is proven to be the best."""
        return self.counts["verified"]

    @property
    def refuted(self) -> int:
        """The number of pairs and certificates with a claim that does not hold."""
        return self.counts["refuted"]

    @property
    def signature(self) -> str:
        """Metric and choices in one line."""
        return self.metric.signature()

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items())
        return f"<Verification {counts}>"


@keywords
def verify(
    certificates: StrPath,
    system: Graphs,
    gold: Graphs,
    *,
    asked: VerifyOptions,
) -> Verification:
    """Check the certificates of a score of *system* against *gold*.

    The graphs are counted again under the profile that the certificates name. A separate program,
    which uses nothing else of exactmatch, checks the proofs.

    Args:
        certificates: the path of the file that scoring has written.
        system, gold: the graphs that were scored, as for `exactmatch.score`.
        checker: ``python`` is `exactmatch.certificate.checker`; ``coq`` is the program
            ``exactmatch-coqcheck``, proven in Coq, which has to be built first.
        metric: require certificates of this metric.
        profile: require certificates of this profile of the metric.
        vectors, similarity, synonyms, lengths, cut_off, sense_factor: as for `exactmatch.metric`,
            if the metric of the certificates takes them.
        reification_table: the file of the reification table, if the certificates name one.
        credits: the table of credits, if the certificates name one.
        {options}

    Returns:
        The verdicts. A refuted certificate raises nothing; see ``refuted``.

    Raises:
        InputError: for files and graphs that cannot be used, or certificates of another metric.
        UsageError: for unknown options, and for other similarities, synonyms, tables, lengths
            or credits than those of the certificates.
        WorkerError: if the program proven in Coq dies.

    Example:
        >>> import exactmatch, tempfile
        >>> from pathlib import Path
        >>> system, gold = "(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))"
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     proofs = Path(folder, "proofs.jsonl")
        ...     score = exactmatch.score(system, gold, certificates=proofs)
        ...     exactmatch.verify(proofs, system, gold)
        <Verification 1 verified, 0 bounded, 0 refuted, 0 unproven>
    """
    check_known("checker", asked.checker, get_args(Checker))
    counts = dict.fromkeys(VERDICTS, 0)
    findings = []
    with certified_pairs(certificates, system, gold, "verifying", asked) as certified:
        verdicts = _CHECKERS[asked.checker](certified.pairs, certified.lines)
        for identifier, verdict, reason in verdicts:
            counts[verdict] += 1
            if verdict != VERIFIED:
                findings.append(Finding(identifier, cast(Verdict, verdict), reason))
    for identifier in certified.misfits:
        counts["refuted"] += 1
        findings.append(Finding(identifier, "refuted", MISFIT))
    return Verification(
        metric=certified.metric,
        checker=asked.checker,
        counts=cast(dict[Verdict, int], counts),
        findings=tuple(findings),
    )
