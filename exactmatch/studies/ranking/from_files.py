"""Systems ranked against a gold standard, from files to a report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from exactmatch.errors import UsageError
from exactmatch.graphs.distinct_names import distinct
from exactmatch.graphs.inputs import Given
from exactmatch.graphs.items import FilePair, Source, Study
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import (
    alignment_based,
    check_ill_formed,
    extent_for,
    ill_formed_policy,
)
from exactmatch.report.document import Provenance
from exactmatch.scoring.choices import Several, StrPath, chosen_metric
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.options import Intervals, Planning, StudyFiles, StudyOptions
from exactmatch.scoring.sides import several
from exactmatch.scoring.validity.file_faults import FileValidity, validity_of
from exactmatch.solving.names import EXACT
from exactmatch.studies.common.given_systems import given_systems
from exactmatch.studies.common.item_numbers import check_width
from exactmatch.studies.common.metric_names import MetricWithSearch, NamedMetric, named_metric
from exactmatch.studies.common.plan import Plan, StudyResult, study_result
from exactmatch.studies.common.sealing import Certified
from exactmatch.studies.common.statistics import Resampling, showing_resampling
from exactmatch.studies.ranking.measure import (
    Ranking,
    Rankings,
    ScoredSystems,
    rank,
    score_systems,
)
from exactmatch.studies.ranking.planning import plan_rankings
from exactmatch.studies.ranking.report import ranking_report
from exactmatch.studies.ranking.report_plan import with_ranking_plan
from exactmatch.studies.ranking.report_runs import runs_report
from exactmatch.studies.ranking.runs import RunsRanking, RunsRankings, runs_ranking_of


@keywords
def compare(
    systems: Sequence[StrPath] | Mapping[str, StrPath | Sequence[StrPath]],
    gold: StrPath,
    *,
    metric: str | Metric | NamedMetric | Several | list[str | NamedMetric] | None = None,
    profile: str = "default",
    breakdown: bool = False,
    check: bool = False,
    intervals: Intervals,
    planning: Planning,
    files: StudyFiles,
    shared: StudyOptions,
    **choices: str,
) -> (
    StudyResult[Ranking]
    | StudyResult[Rankings]
    | StudyResult[RunsRanking]
    | StudyResult[RunsRankings]
):
    """Rank systems by their score against a gold standard, with the significance of differences.

    Args:
        systems: the paths of their files; or, by the name of each system, its file or the files of
            its runs. If a system has several, systems are ranked by the mean score of their runs.
        gold: the path of the gold standard.
        metric: the name of any metric, optionally with a profile or choices (``dscorer:order=2``),
            or a `Metric`; None is the usual one for the format of the files. With a list of
            several, systems are ranked side by side; each graph is read once.
        breakdown: count the matched triples of each kind as well, as `exactmatch.score` does.
        check: count the faults of each file's graphs as well, see `exactmatch.check`.
        certificates: a folder for the proofs of the alignment-based metrics, one file for each two
            files and, with several metrics, for each metric.
        pages: a folder for pages that show the pairs by the first alignment-based metric, see
            `exactmatch.agreement`.

    Returns:
        The ranking in ``found``; with several metrics one for each, in its ``by_metric``. It is a
        `RunsRanking` if a system has several runs, otherwise a `Ranking`.

    The other arguments, and the errors, are those of `exactmatch.agreement`.

    Example:
        >>> import exactmatch
        >>> system, gold = "instances/paper/system.amr", "instances/paper/gold.amr"
        >>> ranking = exactmatch.compare([system], gold, resamples=99)
        >>> {name: round(score.f1, 4) for name, score in ranking.found.scores.items()}
        {'system': 0.7692}
    """
    # Complex: one metric or several, with or without runs, certificates, pages and faults.
    given = given_systems(systems)
    if planning.plan is not None:
        check_width(planning.plan)
    asked: list[MetricWithSearch | None] = []
    if metric is None or isinstance(metric, str | Metric | NamedMetric):
        asked.append(metric)
    else:
        asked.extend(several("metric", metric))
    if not asked:
        raise UsageError("no metric is named")
    plan = Plan.of_call(compare, locals())
    resampling = Resampling(intervals.resamples, intervals.confidence, shared.seed)
    study = plan.read([*given.files, gold], given.names)
    sources = study.sources
    named = [_exact(one, study.format, profile, choices) for one in asked]
    chosen = [one.metric for one in named]
    check_ill_formed(study.format, chosen)
    study = study.of_extent(extent_for(study.format, chosen))
    metrics = dict(zip(distinct(one.name for one in named), chosen, strict=True))
    standard = study.sources[-1].name
    pairs = [(source.name, standard) for source in study.sources[:-1]]
    total = study.pairs_on_all(pairs)
    shown = _first_aligning(chosen) if files.pages is not None else None
    keys = _keys_of_certificates(pairs, metrics) if files.certificates is not None else {}
    with plan.certificates(study, [*keys.values()]) as certificates:
        with plan.sweeping("scoring", total) as sweeping:
            scored = score_systems(
                study,
                standard,
                metrics,
                replace(plan.settings, breakdown=breakdown),
                sweeping,
                keep=lambda pair, name, certificate: certificates.keep(
                    keys[pair, name], certificate
                ),
            )
        runs = given.runs([source.name for source in study.sources[:-1]])
        found: Rankings | RunsRankings
        validity = [_validity(source) for source in sources] if check else []
        provenance = _provenance(plan, study, chosen)
        if given.has_several_runs:
            with showing_resampling(shared.progress):
                found = _ranked_runs(scored, standard, metrics, runs, resampling)
            document = runs_report(found, provenance, validity)
        else:
            with showing_resampling(shared.progress):
                found = rank(scored, standard, metrics, resampling)
            document = ranking_report(found, provenance, validity)
        certified = [
            Certified(key, pair, name, alignment_based(metrics[name]), scores[pair[0]])
            for (pair, name), key in keys.items()
            for scores in [scored.by_metric[name]]
        ]
        study_choices = plan.study_choices(study, ill_formed_policy(chosen), standard)._replace(
            resampling=resampling, runs=runs if given.are_named else {}
        )
        document = plan.sealed(document, certificates, "ranking", study, certified, study_choices)
    if planning.plan is not None:
        with showing_resampling(shared.progress):
            plans = plan_rankings(found, planning.plan)
        document = with_ranking_plan(document, found, plans, planning.plan)
    if shown is not None:
        document = replace(document, pages=plan.write_pages(found.study, pairs, shown))
    by_metric = {name: [*one.values()] for name, one in scored.by_metric.items()}
    document = plan.with_solver(document, by_metric)
    scores = [score for of_metric in by_metric.values() for score in of_metric]
    if not isinstance(metric, str | Metric | NamedMetric | None):
        return study_result(found, document, found.study, scores)  # type: ignore[return-value]
    (only,) = found.by_metric.values()
    return study_result(only, document, found.study, scores)  # type: ignore[return-value]


def _ranked_runs(
    scored: ScoredSystems,
    gold: str,
    metrics: Mapping[str, Metric],
    runs: Mapping[str, Sequence[str]],
    resampling: Resampling,
) -> RunsRankings:
    """Return the rankings by the means of *runs*."""
    return RunsRankings(
        scored.study,
        gold,
        {
            name: runs_ranking_of(
                scored.study, gold, metric, scored.by_metric[name], runs, resampling
            )
            for name, metric in metrics.items()
        },
        resampling,
    )


def _validity(source: Source) -> FileValidity:
    """Return the faults of the graphs of a file."""
    graphs = (source.texts[place] for place in range(len(source.texts)))
    return validity_of(Given(source.name, source.format, graphs))


def _exact(
    given: MetricWithSearch | None, form: str, profile: str, choices: Mapping[str, str]
) -> NamedMetric:
    """Return the metric of a name. Raises `UsageError` if it comes with a search."""
    if given is None:
        usual = chosen_metric(form, None, profile, choices)
        return NamedMetric(usual.name, usual)
    one = named_metric(given, form, profile, choices)
    if one.method != EXACT or one.exchanged:
        raise UsageError(f"{one.name}: compare ranks by exact scores; leave out the search")
    return one


def _first_aligning(metrics: Sequence[Metric]) -> AlignmentMetric:
    """Return the first alignment-based metric. Raises `UsageError` if there is none."""
    aligning = [one for one in metrics if one.maps_variables]
    return alignment_based((aligning or metrics)[0])


def _keys_of_certificates(
    pairs: Sequence[FilePair], metrics: Mapping[str, Metric]
) -> dict[tuple[FilePair, str], tuple[str, ...]]:
    """Return the key of the certificates of two files by a metric.

    Raises `UsageError` if no metric has certificates.
    """
    aligning = [name for name, one in metrics.items() if one.maps_variables]
    if not aligning:
        alignment_based(next(iter(metrics.values())))
    return {
        (pair, name): pair if len(metrics) == 1 else (*pair, name)
        for pair in pairs
        for name in aligning
    }


def _provenance(plan: Plan, study: Study, metrics: Sequence[Metric]) -> Provenance:
    """Return the provenance of the report, with the signatures of all metrics."""
    origins = [plan.provenance(study, one) for one in metrics]
    return replace(
        origins[0],
        signature="; ".join(origin.signature for origin in origins),
        long_signature="; ".join(origin.long_signature for origin in origins),
    )
