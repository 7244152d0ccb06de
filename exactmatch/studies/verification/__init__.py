"""Verify the certificates of a study all at once: from a folder to the results they prove."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, get_args

from exactmatch.certificate import coq_program
from exactmatch.certificate.checker import VERDICTS, check_all
from exactmatch.errors import InputError
from exactmatch.graphs.items import FilePair, Study, pair_items, read_sources, total_size
from exactmatch.graphs.readers.group_file import read_groups
from exactmatch.graphs.readers.source import LONGEST_CERTIFICATE, read_lines
from exactmatch.graphs.run_files import run_labels
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import (
    check_format,
    extent_for,
    files_labelled,
    metric_labelled,
)
from exactmatch.report.certified_pairs import MetricWords, certified_metric
from exactmatch.runtime.progress import BYTES
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import VerifyStudyOptions
from exactmatch.scoring.options import Checker, Watching
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import check_known
from exactmatch.studies.agreement.by_group import group_means, group_scores
from exactmatch.studies.agreement.chance import chance_agreement
from exactmatch.studies.agreement.every_pair import Solving
from exactmatch.studies.agreement.means import MeanAgreements
from exactmatch.studies.agreement.report_groups import group_texts, groups_sentence
from exactmatch.studies.agreement.report_layers import layer_texts
from exactmatch.studies.agreement.report_sentence import agreement_sentence
from exactmatch.studies.common.item_groups import Groups, groups_by_key, groups_of_file
from exactmatch.studies.common.manifest import MANIFEST, GroupsFile, Manifest, StudyChoices
from exactmatch.studies.common.pairs import ScoredPairs, with_items
from exactmatch.studies.common.statistics import showing_resampling
from exactmatch.studies.ranking.measure import ranking_of
from exactmatch.studies.ranking.report_runs_sentence import runs_sentence
from exactmatch.studies.ranking.report_sentence import ranking_sentence
from exactmatch.studies.ranking.runs import runs_ranking_of
from exactmatch.studies.search_error.report_sentence import search_error_sentence
from exactmatch.studies.verification.checking import CheckAll, StudyFinding, check_study
from exactmatch.studies.verification.files import check_digests, check_files, read_plain
from exactmatch.studies.verification.manifest_reader import LONGEST, read_manifest

_CHECKERS: Mapping[Checker, CheckAll] = {"python": check_all, "coq": coq_program.check_all}


@dataclass(frozen=True, kw_only=True)
class StudyVerification:
    """The result of checking the certificates of a study.

    study: the kind of study. sentence: the proven result in an English sentence, computed again
        from the certificates without trusting any claim. It is empty if anything is refuted.
    manifest: the SHA-256 of the manifest.
    signatures: the signature of each metric.
    checker: the checker of the proofs.
    graphs: the number of files of graphs.
    files: for each file of certificates, the number of each verdict.
    findings: every verdict other than verified.
    remark: the reason why the report of the study may have other intervals; empty if it has none.
    solved_again: the number of pairs of graphs of different items, which have no certificates; they
        were solved again to correct the agreement for chance.
    groups: the agreement on each group of items in words, computed in the same way.
    layers: alpha of each layer of UMR in words. It rests on ranges over the best mappings, which
        have no certificates, so all of its pairs were solved again.
    """

    study: str
    sentence: str
    manifest: str
    signatures: Sequence[str]
    checker: Checker
    graphs: int
    files: Mapping[str, Mapping[str, int]]
    findings: Sequence[StudyFinding]
    remark: str
    solved_again: int
    groups: Mapping[str, str]
    layers: Mapping[str, str]

    @property
    def counts(self) -> dict[str, int]:
        """The number of each verdict in all files."""
        return {
            verdict: sum(counts[verdict] for counts in self.files.values()) for verdict in VERDICTS
        }

    @property
    def verified(self) -> int:
        """The number of pairs, and ends of their ranges, whose mapping is proven to be the best."""
        return self.counts["verified"]

    @property
    def refuted(self) -> int:
        """The number of pairs, certificates and claims of the manifest that do not hold."""
        return self.counts["refuted"]

    def __repr__(self) -> str:
        counts = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items())
        return f"<StudyVerification {self.study}: {counts}>"


def files_of_study(folder: Path, graphs: Path) -> list[Path]:
    """Return the files read that the manifest in *folder* names, relative to *graphs*.

    Raises `InputError` for an invalid manifest.
    """
    place = folder / MANIFEST
    manifest = read_manifest(_manifest_of(folder), place)
    return [graphs / one.path for one in manifest.read]


def _manifest_of(folder: Path) -> bytes:
    """Return the manifest of *folder*. Raises `InputError` for a folder that has none."""
    if folder.is_dir() and not os.path.lexists(folder / MANIFEST):
        raise InputError(
            f"{folder}: no folder of proofs, which has {MANIFEST} and the certificates of each two "
            "files; iaa, compare and search-error write one by --certificates FOLDER. (For the "
            "file of score --certificates, name SYSTEM and GOLD as well.)"
        )
    return read_plain(folder / MANIFEST, LONGEST + 1)


@keywords
def verify_study(
    folder: StrPath,
    *,
    graphs: StrPath = ".",
    asked: VerifyStudyOptions,
) -> StudyVerification:
    """Check a folder of certificates that a study has written, and every claim of its manifest.

    All files have to exist and to be unchanged. The graphs are read and paired as in the study, a
    separate program checks each certificate, and the result of the study is computed again from the
    proven scores.

    Args:
        folder: the folder that the study got as *certificates*.
        graphs: the folder that the manifest's paths of graphs are relative to.
        checker: as for `exactmatch.verify`.
        vectors, similarity, synonyms, reification_table, lengths, credits, cut_off, sense_factor:
            as for `exactmatch.verify`.
        {options}

    Returns:
        The verdicts. A refuted certificate raises nothing; see ``refuted``.

    Raises:
        InputError: for an invalid manifest, files that are missing or not named in it, and graphs
            that cannot be used.
        UsageError: for unknown options, and for other similarities, synonyms, tables, lengths
            or credits than those of the certificates.
        VerificationError: for files that have changed.
        WorkerError: if the program proven in Coq dies.

    Example:
        >>> import exactmatch, tempfile
        >>> system, gold = "instances/paper/system.amr", "instances/paper/gold.amr"
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     study = exactmatch.compare([system], gold, resamples=99, certificates=folder)
        ...     exactmatch.verify_study(folder)
        <StudyVerification ranking: 1 verified, 0 bounded, 0 refuted, 0 unproven>
    """
    check_known("checker", asked.checker, get_args(Checker))
    place, base = Path(folder), Path(graphs)
    data = _manifest_of(place)
    manifest = read_manifest(data, place / MANIFEST)
    check_files(manifest, place, base)
    metrics = _metrics(manifest, MetricWords.of(asked))
    _check_metrics(manifest, metrics, place / MANIFEST)
    study = _read(manifest, base, metrics, asked)
    groups = _groups(manifest, base, study)
    lines = _certificates(manifest, place)
    files = [*dict.fromkeys((one.first, one.second) for one in manifest.certificates)]
    total = study.pairs_on_all(files)
    with asked.progress("verifying", total, "pairs") as advance:
        known, checked, scores = check_study(
            study, manifest, metrics, lines, _CHECKERS[asked.checker], advance, groups
        )
    findings = [finding for one in checked for finding in one.findings]
    is_refuted = any(finding.verdict == "refuted" for finding in findings)
    result = None if is_refuted else _result(manifest, known, metrics, scores, groups, asked)
    return StudyVerification(
        study=manifest.study,
        sentence="" if result is None else result.sentence,
        manifest=sha256(data).hexdigest(),
        signatures=[metric.signature() for metric in metrics.values()],
        checker=asked.checker,
        graphs=len(manifest.graphs),
        files={one.file.file: one.counts for one in checked},
        findings=findings,
        remark="" if is_refuted else _remark(manifest),
        solved_again=0 if result is None else result.solved_again,
        groups={} if result is None else result.groups,
        layers={} if result is None else result.layers,
    )


def _certificates(manifest: Manifest, folder: Path) -> dict[str, list[bytes]]:
    """Return the certificates of each file."""
    found = {}
    for one in manifest.certificates:
        path, digest = folder / one.file, sha256()
        written = read_lines(path, longest=LONGEST_CERTIFICATE, watch=digest.update)
        found[one.file] = [line for line in written if line.strip()]
        # The file was unchanged a moment ago; this check is of the bytes that were read.
        check_digests([(path, digest.hexdigest(), one.sha256)])
    return found


def _metrics(manifest: Manifest, words: MetricWords) -> dict[str, AlignmentMetric]:
    """Return the metrics of a study, each with the *words* it takes; some metric takes each."""
    takers = [_taken(one.label, words) for one in manifest.metrics]
    if any(
        given is not None and all(taken[k] is None for taken in takers)
        for k, given in enumerate(words)
    ):
        takers = [words] * len(takers)
    return {
        one.key: certified_metric(one.label, taken)
        for one, taken in zip(manifest.metrics, takers, strict=True)
    }


def _taken(label: str, words: MetricWords) -> MetricWords:
    """Return the *words* that the metric with this *label* takes."""
    metric = metric_labelled(label)
    has_table = getattr(metric, "reification_table", None) == "file"
    return MetricWords(
        words.similarity if "similarity" in metric.takes else None,
        words.synonyms if "synonyms" in metric.takes else None,
        words.table if has_table else None,
        words.lengths if "lengths" in metric.takes else None,
        words.credits if "credits" in files_labelled(label) else None,
    )


def _check_metrics(manifest: Manifest, metrics: Mapping[str, AlignmentMetric], place: Path) -> None:
    """Raise `InputError` unless the manifest's entries on metrics agree with their labels."""
    for said in manifest.metrics:
        metric = metrics[said.key]
        if said.name != metric.name:
            raise InputError(
                f"{place}: {said.label} is a profile of {metric.name}, not {said.name}"
            )
        for choice, value in said.choices.items():
            if choice not in metric.choices() or getattr(metric, choice) != value:
                raise InputError(f"{place}: {said.label} is not with {choice} {value!a}")


def _read(
    manifest: Manifest, base: Path, metrics: Mapping[str, AlignmentMetric], watching: Watching
) -> Study:
    """Read the graphs, and find those of the same item, as the study does."""
    paths = [str(base / one.path) for one in manifest.graphs]
    with watching.progress("reading", total_size(paths), BYTES) as advance:
        sources = read_sources(paths, advance, manifest.choices.repair)
    # The files were unchanged a moment ago; this check is of the bytes that were read.
    check_digests(
        (Path(source.path), source.digest, one.sha256)
        for source, one in zip(sources, manifest.graphs, strict=True)
    )
    choices = manifest.choices
    study = pair_items(
        [
            replace(source, name=one.name)
            for source, one in zip(sources, manifest.graphs, strict=True)
        ],
        choices.pair_by,
        choices.missing,
        skip_unreadable=choices.on_error == "skip",
    )
    for metric in metrics.values():
        check_format(metric, study.format)
    return study.of_extent(extent_for(study.format, [*metrics.values()]))


def _groups(manifest: Manifest, base: Path, study: Study) -> Groups | None:
    """Return the groups of items; None if the study has none."""
    group_by = manifest.choices.group_by
    if not isinstance(group_by, GroupsFile):
        return None if group_by is None else groups_by_key(study, group_by)
    place = base / group_by.path
    file = read_groups(place)
    # The file was unchanged a moment ago; this check is of the bytes that were read.
    check_digests([(place, file.sha256, group_by.sha256)])
    return groups_of_file(study, file)


def _remark(manifest: Manifest) -> str:
    """Return a note if the study drew the intervals of its means in another way."""
    if manifest.schema > 1 or manifest.study != "agreement" or len(manifest.certificates) == 1:
        return ""
    return (
        f"exactmatch {manifest.version} wrote this folder (manifest of schema {manifest.schema}) "
        "and drew the items of all means together; here, each mean draws its own, so the intervals "
        "of means may differ in the last digits from those of the report"
    )


class _Result(NamedTuple):
    """The result of a study in a sentence, for groups and layers; and the pairs solved for it."""

    sentence: str
    solved_again: int
    groups: Mapping[str, str]
    layers: Mapping[str, str]


def _result(
    manifest: Manifest,
    study: Study,
    metrics: Mapping[str, AlignmentMetric],
    scores: Mapping[tuple[FilePair, str], ScoredPairs],
    groups: Groups | None,
    watching: Watching,
) -> _Result:
    """Return the result of the study, by each metric."""
    choices, solved_again = manifest.choices, 0
    said: list[str] = []
    by_group: dict[str, str] = {}
    by_layer: dict[str, str] = {}
    for key, metric in metrics.items():
        of_all = {files: score for (files, name), score in scores.items() if name == key}
        of_metric = with_items(study, of_all)
        if manifest.study == "agreement":
            with showing_resampling(watching.progress):
                means = MeanAgreements.of(of_metric, choices.against, choices.resampling)
            among = {files: one for files, one in of_metric.items() if files[1] != choices.against}
            solving = Solving(Settings(), progress=watching.progress)
            chance = chance_agreement(
                study, among, metric, choices.chance, choices.resampling, solving, groups
            )
            said.append(agreement_sentence(means, metric.title, chance))
            solved_again += 0 if chance is None else chance.solved
            by_layer |= layer_texts(chance, choices.resampling)
            if groups is not None:
                agreed = {
                    one: s for (one, other), s in of_metric.items() if other == choices.against
                }
                with showing_resampling(watching.progress):
                    of_groups = group_means(groups, among, choices.resampling)
                    consensus_scores = group_scores(groups, agreed, choices.resampling)
                said.append(groups_sentence(of_groups, chance))
                by_group |= group_texts(of_groups, consensus_scores, chance, choices.resampling)
        elif manifest.study == "search-error":
            labels = run_labels(choices.runs)
            labelled = {
                (labels.get(one, one), labels.get(other, other)): score
                for (one, other), score in of_metric.items()
            }
            said.append(search_error_sentence(labelled, metric.title))
        elif choices.against is not None:
            systems = {system: score for (system, _), score in of_metric.items()}
            with showing_resampling(watching.progress):
                said.append(_ranked(study, choices, metric, systems))
    return _Result(" ".join(filter(None, said)), solved_again, by_group, by_layer)


def _ranked(
    study: Study,
    choices: StudyChoices,
    metric: AlignmentMetric,
    scores: Mapping[str, ScoredPairs],
) -> str:
    """Return the ranking of systems in a sentence."""
    gold, runs, resampling = str(choices.against), choices.runs, choices.resampling
    if any(len(files) > 1 for files in runs.values()):
        found = runs_ranking_of(study, gold, metric, scores, runs, resampling)
        return runs_sentence(found)
    called = {file: system for system, (file,) in runs.items()}
    named = {called.get(file, file): score for file, score in scores.items()}
    return ranking_sentence(ranking_of(study, gold, metric, named, resampling))
