"""Test metrics against the principles of Opitz et al. (2020), from files to a report."""

from collections.abc import Sequence
from dataclasses import replace

from exactmatch.metrics.registry import check_mending, check_sentences
from exactmatch.scoring.choices import StrPath, chosen_metric
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.options import StudyOptions
from exactmatch.scoring.sides import check_number
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.common.metric_names import MetricWithSearch, chosen_judges, listed
from exactmatch.studies.common.plan import Plan, StudyResult, study_result
from exactmatch.studies.common.scipy_there import check_scipy
from exactmatch.studies.principles.measure import Measurements, measure_principles
from exactmatch.studies.principles.report import principles_report


@keywords
def principles(
    first: StrPath,
    second: StrPath,
    *,
    metric: MetricWithSearch | Sequence[MetricWithSearch] = (),
    seeds: int = 10,
    sample: int | None = None,
    profile: str = "default",
    shared: StudyOptions,
    **choices: str,
) -> StudyResult[Measurements]:
    """Test metrics against seven principles, on the pairs of graphs of two files.

    Args:
        first, second: the paths of the files.
        metric: a metric, or a list of several: each a name, optionally with a heuristic, a profile
            or choices (``smatch:s+4r``, ``smatch:top=none``), a `Metric`, or a pair of a `Metric`
            and a heuristic. None is all metrics that suit the files and need no other file, and
            hill climbing.
        seeds: how often to score each pair, with seeds from *seed* on.
        sample: the number of pairs to draw at random; None is all.

    The other arguments, and the errors, are those of `exactmatch.agreement`.

    Example:
        >>> import exactmatch
        >>> first, second = "instances/paper/system.amr", "instances/paper/gold.amr"
        >>> exactmatch.principles(first, second, metric="smatch", seeds=2)
        <StudyResult Principles of metrics: 1 of 1 pair optimal>
    """
    metric = listed(metric)
    check_number("seeds", seeds, 1)
    if sample is not None:
        check_number("sample", sample, 1)
    check_scipy()
    plan = Plan.of_call(principles, locals(), packages=("numpy", "scipy"))
    study = plan.read([first, second])
    form = study.format
    judges = chosen_judges(metric, form, profile, choices, plan.settings)
    usual = chosen_metric(form, None, profile, choices)
    exact = Judge(usual.name, usual, plan.settings)
    chosen = [judge.metric for judge in judges]
    check_mending(form, chosen)
    for one in (usual, *chosen):
        check_sentences(one, form)
    study = study.of_extent("sentence")
    items = study.common_items() if sample is None else study.drawn_items(sample, shared.seed)
    every_seed = range(shared.seed, shared.seed + seeds)
    with plan.sweeping("judging", len(items), items=items) as sweeping:
        measured = measure_principles(study, judges, exact, every_seed, sweeping)
    document = principles_report(measured, plan.provenance(study, exact.metric))
    result = study_result(measured, document, measured.study, [])
    return replace(
        result, pairs=measured.pairs, optimal=measured.proven, certified=measured.certified
    )
