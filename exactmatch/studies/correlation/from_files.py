"""Compare metrics with each other and with human ratings, from files to a report."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from exactmatch.errors import UsageError
from exactmatch.graphs.readers.ratings import read_ratings
from exactmatch.metrics.registry import check_mending, extent_for
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.options import StudyOptions, TableLength
from exactmatch.scoring.sides import check_number, several
from exactmatch.studies.common.given_systems import given_systems
from exactmatch.studies.common.metric_names import MetricWithSearch, chosen_judges, listed
from exactmatch.studies.common.plan import Plan, StudyResult, study_result
from exactmatch.studies.common.scipy_there import check_scipy
from exactmatch.studies.correlation.human import human_ratings
from exactmatch.studies.correlation.measure import Correlation, correlation
from exactmatch.studies.correlation.report import correlation_report


@keywords
def correlate(
    systems: Sequence[StrPath] | Mapping[str, StrPath | Sequence[StrPath]],
    gold: StrPath,
    *,
    metric: MetricWithSearch | Sequence[MetricWithSearch] = (),
    human: StrPath | None = None,
    human_range: tuple[float, float] | None = None,
    sample: int | None = None,
    tables: TableLength,
    profile: str = "default",
    shared: StudyOptions,
    **choices: str,
) -> StudyResult[Correlation]:
    """Compare metrics with each other, and with human ratings, on systems and a gold standard.

    Args:
        systems: the paths of their files; or, by the name of each system, its file or the files of
            its runs. Each run is scored by itself; systems are also ranked by the means of runs.
        gold: the path of the gold standard.
        metric: as for `exactmatch.principles`.
        human: a file of human ratings: a number a line in the order of the gold standard, or
            identifier, tab, number. They apply to every system.
        human_range: the least and the greatest possible rating; None is those of the file.
        sample: the number of items to draw at random; None is all.

    The other arguments, and the errors, are those of `exactmatch.agreement`.

    Example:
        >>> import exactmatch
        >>> system, gold = "instances/paper/system.amr", "instances/paper/gold.amr"
        >>> study = exactmatch.correlate([system], gold, metric=["smatch", "sembleu"])
        >>> study.tables
        ['correlations', 'rankings', 'structure', 'metrics', 'units', 'scores', 'signatures']
    """
    given, metric = given_systems(systems), listed(metric)
    check_number("rows", tables.rows, 0)
    if not given.files:
        raise UsageError("name a system and a gold standard")
    if sample is not None:
        check_number("sample", sample, 1)
    human_range = _checked_range(human, human_range)
    check_scipy()
    plan = Plan.of_call(correlate, locals(), packages=("numpy", "scipy"))
    study = plan.read([*given.files, gold], given.labels(gold))
    judges = chosen_judges(metric, study.format, profile, choices, plan.settings)
    chosen = [judge.metric for judge in judges]
    check_mending(study.format, chosen)
    study = study.of_extent(extent_for(study.format, chosen))
    ratings = None if human is None else read_ratings(human)
    items = None if sample is None else study.drawn_items(sample, shared.seed)
    *names, gold_name = (source.name for source in study.sources)
    files = [(name, gold_name) for name in names]
    taken = range(len(study.names)) if items is None else items
    total = sum(study.pairs_on(item, files) for item in taken)
    human_rated = None
    if ratings is not None:
        order = study.in_order_of(gold_name)
        human_rated = human_ratings(ratings, study.names, order, human_range)
    runs = given.runs(names) if given.has_several_runs else {}
    with plan.sweeping("scoring", total, items=items) as sweeping:
        correlated = correlation(study, names, gold_name, judges, sweeping, runs, human_rated)
    others = [] if ratings is None else [(ratings.path, ratings.digest)]
    every = correlated.opinions
    first = judges[0]
    origin = replace(
        plan.provenance(every.study, first.metric, *others),
        signature=first.signed(first.settings.signature(first.metric)),
        long_signature=first.signed(first.settings.long_signature(first.metric)),
    )
    result = study_result(
        correlated, correlation_report(correlated, origin, tables.rows), every.study, []
    )
    return replace(result, pairs=every.pairs, optimal=every.optimal, certified=every.certified)


def _checked_range(
    human: StrPath | None, bounds: Iterable[float] | None
) -> tuple[float, float] | None:
    """Return the ends of the range of ratings.

    Raises `UsageError` for an invalid range, or a range without ratings.
    """
    if bounds is None:
        return None
    if human is None:
        raise UsageError("--human-range needs --human")
    ends = several("human_range", bounds)
    if len(ends) != 2 or not all(isinstance(end, int | float) for end in ends):
        raise UsageError(f"human_range is {ends!r}; give two numbers")
    low, high = ends
    if not low < high:
        raise UsageError(
            f"human ratings from {low:g} to {high:g}: the first has to be the lower one"
        )
    if not math.isfinite(high - low):
        raise UsageError(f"human ratings from {low:g} to {high:g}: too far apart")
    return low, high
