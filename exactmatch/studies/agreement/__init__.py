"""Inter-annotator agreement, from files to a report."""

from collections.abc import Sequence
from dataclasses import replace

from exactmatch.graphs.items import Missing
from exactmatch.graphs.pairing import PairBy
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import extent_for
from exactmatch.runtime.progress import Progress, unwatched
from exactmatch.runtime.workers import ClusterAddress, Workers
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.sides import check_number, check_several, sharing
from exactmatch.studies.agreement.measure import Agreement, compared_pairs
from exactmatch.studies.agreement.measure import agreement as measure_agreement
from exactmatch.studies.agreement.report import agreement_report
from exactmatch.studies.common.plan import Plan, StudyOnError, StudyResult, as_written, study_result
from exactmatch.studies.common.statistics import Resampling


def agreement(
    annotators: Sequence[StrPath],
    consensus: StrPath | None = None,
    *,
    metric: str | Metric | None = None,
    profile: str = "default",
    resamples: int = 9999,
    confidence: float = 0.95,
    rows: int = 15,
    certificates: StrPath | None = None,
    pages: StrPath | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    progress: Progress = unwatched,
    command: str | None = None,
    **choices: str,
) -> StudyResult[Agreement]:
    """Compare every two annotators, and each with the version that all agreed upon.

    Args:
        annotators: the paths of their files.
        consensus: the path of the agreed version, if there is one.
        metric: the name of a metric that maps variables, or such a `Metric`; None is the usual one
            for the format of the files.
        profile: how a metric counts that is named.
        resamples: how often is resampled for confidence intervals and significance tests.
        confidence: their level, between 0 and 1.
        rows: of the tables that show the worst or most frequent.
        certificates: a folder that gets the proofs for `exactmatch.verify`, one file for each two
            files.
        pages: a folder that gets pages which show the pairs, as `exactmatch.show` makes them, in a
            folder for each two files; in HTML, the report leads to them. Each pair is solved once
            more for that.
        timeout, memory, seed, workers, cluster: as for `exactmatch.score`.
        pair_by: ``position`` or ``id``; None is by position if all files have the same identifiers
            in the same order, else by identifier.
        missing: an item that a file lacks is left out where that file is compared (``pairwise``),
            or everywhere (``common``), or an empty graph stands for it (``empty``).
        on_error: a graph that cannot be read ends it all (``stop``), or is missing (``skip``).
        progress: shows how far it is; see `exactmatch.runtime.progress.Progress`.
        command: what the report says it was made by; None is this call.
        **choices: single choices of the metric, such as ``top="none"``.

    Raises:
        InputError: for files and graphs that cannot be used, or that have no item in common.
        UsageError: for fewer than two files, and options that do not exist.
        VerificationError: if two computations disagree, or equal graphs do not agree in full.
        WorkerError: if a worker process has died.
    """
    check_several("annotators", annotators)
    check_number("rows", rows, 0)
    workers = sharing(workers, cluster)
    plan = Plan(
        command=command or as_written(agreement, locals()),
        metric=metric,
        profile=profile,
        choices=choices,
        certificates=certificates,
        timeout=timeout,
        memory=memory,
        seed=seed,
        workers=workers,
        pair_by=pair_by,
        missing=missing,
        on_error=on_error,
        progress=progress,
        pages=pages,
    )
    resampling = Resampling(resamples, confidence, seed)
    study = plan.read([*annotators, *([] if consensus is None else [consensus])])
    counted = plan.alignment_metric(study.format)
    study = study.of_extent(extent_for(study.format, [counted]))
    agreed = None if consensus is None else study.sources[-1].name
    pairs = compared_pairs([s.name for s in study.sources if s.name != agreed], agreed)
    total = study.pairs_on_all(pairs)
    with plan.keeping(pairs) as keep, progress("comparing", total, "pairs") as advance:
        found = measure_agreement(
            study,
            counted,
            plan.settings,
            resampling,
            consensus=agreed,
            disputed=rows,
            workers=workers,
            advance=advance,
            keep=keep,
        )
    document = agreement_report(found, plan.provenance(study, counted), rows)
    document = replace(document, pages=plan.write_pages(found.study, pairs, counted))
    scores = [compared.score for compared in found.compared.values()]
    return study_result(found, document, found.study, scores)
