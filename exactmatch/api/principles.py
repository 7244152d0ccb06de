"""What metrics do to the principles of Opitz et al. (2020), from files to a report."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from exactmatch.api.metrics import StrPath, chosen_metric
from exactmatch.api.pairs import check_number, check_several
from exactmatch.api.study import Plan, StudyOnError, StudyResult, as_written, study_result
from exactmatch.errors import UsageError
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import ALIGNMENT_BASED, METRICS, metric_called, metric_for
from exactmatch.pairing import PairBy, distinct
from exactmatch.progress import Progress, unwatched
from exactmatch.report.principles import principles_report
from exactmatch.search.methods import METHODS
from exactmatch.solving.strategy import EXACT
from exactmatch.studies.judges import Judge
from exactmatch.studies.principles import Measurements, measure_principles
from exactmatch.studies.sources import Missing, Study

#: A metric, perhaps with the heuristic that searches its mappings: ``smatch``, ``smatch:s+4r``,
#: a `Metric`, or one with the name of a heuristic.
MetricWithSearch: TypeAlias = str | Metric | tuple[Metric, str]


def principles(
    first: StrPath,
    second: StrPath,
    *,
    metrics: Sequence[MetricWithSearch] = (),
    seeds: int = 10,
    sample: int | None = None,
    profile: str = "default",
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
) -> StudyResult[Measurements]:
    """Measure what metrics do to the seven principles, on the pairs of graphs of two files.

    Args:
        first, second: the paths of the files.
        metrics: metrics by name, each perhaps with a heuristic (``smatch:s+4r``); or `Metric`s,
            or pairs of one and a heuristic. If there are none, all that suit the files and need
            nothing else, and one with hill climbing.
        seeds: so often each pair is scored, from *seed* on.
        sample: so many pairs are drawn at random; None is all.

    The other arguments, and what is raised, are those of `exactmatch.agreement`.
    """
    check_several("metrics", metrics)
    check_number("seeds", seeds, 1)
    if sample is not None:
        check_number("sample", sample, 1)
    plan = Plan(
        command=command or as_written(principles, locals()),
        metric=None,
        profile=profile,
        choices=choices,
        certificates=None,
        timeout=timeout,
        memory=memory,
        seed=seed,
        workers=workers,
        pair_by=pair_by,
        missing=missing,
        on_error=on_error,
        progress=progress,
    )
    study = plan.read([first, second])
    form = study.format
    asked = [_asked(one) for one in metrics or usual_judges(form)]
    names = distinct(one.name for one in asked)
    usual = metric_for(form).name
    searches = [(one.metric, one.method) for one in asked] + [(usual, EXACT)]
    *judges, exact = (
        Judge(
            name,
            chosen_metric(form, metric, profile, choices),
            replace(plan.settings, method=method),
        )
        for name, (metric, method) in zip([*names, usual], searches, strict=True)
    )
    items = _items(study, sample, seed)
    with progress("judging", len(items), "pairs") as advance:
        found = measure_principles(
            study,
            judges,
            exact,
            seeds=seeds,
            first_seed=seed,
            items=items,
            workers=workers,
            advance=advance,
        )
    document = principles_report(found, plan.provenance(study, exact.metric))
    result = study_result(found, document, found.study, [])
    return replace(result, pairs=found.pairs, optimal=found.proven, certified=found.certified)


def usual_judges(form: str, *, takes: Sequence[str] = ()) -> list[str]:
    """Return the metrics of a format that need nothing but what they *take*, and hill climbing."""
    usual = metric_for(form).name
    fitting = [
        name
        for name, kind in METRICS.items()
        if kind.format == form and ("similarity" in takes or "similarity" not in kind.takes)
    ]
    aligning = [name for name in fitting if name in ALIGNMENT_BASED]
    return [*aligning, f"{usual}:s+4r", *(name for name in fitting if name not in aligning)]


class Search(NamedTuple):
    """A metric and the *method* that searches its mappings; *name* is what both are called."""

    name: str
    metric: str | Metric
    method: str


def named_search(name: str) -> Search:
    """Return what a name like ``smatch:s+4r`` says. Raises `UsageError` if it does not exist."""
    metric, _, method = name.partition(":")
    _check_method(metric_called(metric).name, method)
    return Search(name, metric, method or EXACT)


def _asked(given: MetricWithSearch) -> Search:
    if isinstance(given, str):
        return named_search(given.strip())
    if isinstance(given, Metric):
        return Search(given.name, given, EXACT)
    metric, method = given
    if method == EXACT:
        return Search(metric.name, metric, EXACT)
    _check_method(metric.name, method)
    return Search(f"{metric.name}:{method}", metric, method)


def _check_method(metric: str, method: str) -> None:
    if method and (method not in METHODS or metric not in ALIGNMENT_BASED):
        raise UsageError(f"'{metric}:{method}': no heuristic of {metric} is called {method!r}")


def _items(study: Study, sample: int | None, seed: int) -> list[int]:
    """Return the items that both files have, or a sample of them."""
    items = study.common_items()
    if sample is None or sample >= len(items):
        return items
    return sorted(random.Random(seed).sample(items, sample))
