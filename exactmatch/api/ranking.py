"""Systems ranked against a gold standard, from files to a report."""

from collections.abc import Sequence

from exactmatch.api.metrics import StrPath
from exactmatch.api.pairs import check_several
from exactmatch.api.study import Plan, StudyOnError, StudyResult, as_written, study_result
from exactmatch.metrics.base import Metric
from exactmatch.pairing import PairBy
from exactmatch.progress import Progress, unwatched
from exactmatch.report.ranking import ranking_report
from exactmatch.studies.ranking import Ranking, rank
from exactmatch.studies.sources import Missing
from exactmatch.studies.statistics import Resampling


def compare(
    systems: Sequence[StrPath],
    gold: StrPath,
    *,
    metric: str | Metric | None = None,
    profile: str = "default",
    resamples: int = 9999,
    confidence: float = 0.95,
    certificates: StrPath | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: int = 1,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    progress: Progress = unwatched,
    command: str | None = None,
    **choices: str,
) -> StudyResult[Ranking]:
    """Rank systems by their score against a gold standard, with the significance of differences.

    Args:
        systems: the paths of their files.
        gold: the path of the gold standard.

    The other arguments, and what is raised, are those of `exactmatch.agreement`.
    """
    check_several("systems", systems)
    plan = Plan(
        command=command or as_written(compare, locals()),
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
    )
    resampling = Resampling(resamples, confidence, seed)
    study = plan.read([*systems, gold])
    counted = plan.alignment_metric(study.format)
    standard = study.sources[-1].name
    pairs = [(source.name, standard) for source in study.sources[:-1]]
    total = study.pairs_on_all(pairs)
    with plan.keeping(pairs) as keep, progress("scoring", total, "pairs") as advance:
        found = rank(
            study,
            standard,
            counted,
            plan.settings,
            resampling,
            workers=workers,
            advance=advance,
            keep=keep,
        )
    document = ranking_report(found, plan.provenance(study, counted))
    return study_result(found, document, found.study, list(found.scores.values()))
