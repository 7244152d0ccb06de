"""The report on metrics compared with each other and with human ratings."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from exactmatch.graphs.distinct_names import distinct
from exactmatch.report.document import (
    Column,
    Curves,
    Plot,
    Provenance,
    Report,
    Rows,
    Scatter,
    Series,
    Table,
    at_most,
    plot_key,
)
from exactmatch.report.wording import between, counted, listed
from exactmatch.studies.common.extremes import Extremes
from exactmatch.studies.common.notes import (
    idle_notes,
    reading_notes,
    signatures_table,
    unchecked,
    unreadable,
)
from exactmatch.studies.correlation.measure import (
    Correlated,
    Correlation,
    MeanOfRuns,
    Points,
    RankedScore,
)
from exactmatch.studies.correlation.rated_pairs import HUMAN


def correlation_report(correlation: Correlation, provenance: Provenance, top: int) -> Report:
    """Return the report; people see the scores of the first *top* pairs."""
    is_alone = len(correlation.metrics) == 1
    tables = [] if is_alone else [_correlations(correlation)]
    if correlation.human is not None:
        tables.append(_human(correlation))
    if correlation.preferences:
        tables.append(_preferences(correlation))
    tables += [
        *_means(correlation),
        _rankings(correlation),
        _structure(correlation),
        _metrics(correlation),
    ]
    if correlation.unit_groups:
        tables.append(_units(correlation))
    tables += [
        _scores(correlation, top),
        signatures_table([(one.metric, one.signature) for one in correlation.metrics]),
        *([replace(_correlations(correlation), aside=True)] if is_alone else []),
    ]
    return Report(
        "correlation",
        "Correlation of metrics",
        _result(correlation),
        tables,
        provenance,
        notes=_notes(correlation),
        plots=_plots(correlation),
    )


def _result(correlation: Correlation) -> str:
    """Return how far metrics correlate, and which correlates best with human ratings."""
    said = []
    if correlation.human is not None:
        said.append(_with_people(correlation))
    both = correlation.metrics_together
    if both is not None:
        metrics = [one.metric for one in correlation.metrics]
        which = "every two metrics" if len(metrics) > 2 else listed(metrics)
        r = between(both.low, both.high)
        said.append(f"Pearson's r of {which} is {r}{_most(both)}")
    elif len(correlation.metrics) > 1:
        said.append("no correlation of metrics is defined")
    if not said:
        only, *_ = correlation.metrics
        said.append(f"the mean score by {only.metric} is {only.mean:.4f}")
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}."


def _most(both: Extremes[tuple[str, str]]) -> str:
    return "" if both.highest is None else f" ({listed(both.highest)} most)"


def _with_people(correlation: Correlation) -> str:
    people = correlation.people_together
    if people is None:
        return "no correlation with human ratings is defined"
    _, best = people.highest or (None, None)
    most = f" ({best} most)" if best is not None else ""
    return f"Pearson's r of metrics with human ratings is {between(people.low, people.high)}{most}"


def _notes(correlation: Correlation) -> list[str]:
    every = correlation.opinions
    proven = ", ".join(f"{one.proven} by {one.metric}" for one in correlation.metrics)
    notes = idle_notes(every.solver)
    notes.append(f"{counted(every.pairs, 'pair')} of graphs. Proven: {proven}.")
    for one in correlation.metrics:
        if one.timed_out:
            notes.append(f"Pairs that reached the time limit, {one.metric}: {one.timed_out}.")
        if one.too_large:
            notes.append(f"Pairs too large for the memory limit, {one.metric}: {one.too_large}.")
    notes += [*unchecked(every.unchecked), *unreadable(every.skipped)]
    if len(correlation.metrics) == 1:
        notes.append("A single metric correlates with no other; --metric names several.")
    human = correlation.human
    if human is not None:
        notes.append(f"Human ratings from {human.low:g} to {human.high:g} are scaled to 0 to 1.")
        if human.unknown:
            notes.append(f"Ratings that belong to no item: {human.unknown}.")
    return [*notes, *reading_notes(every.study)]


_ASSOCIATION: list[Column[Correlated]] = [
    Column("system", "system", lambda one: one.system),
    Column("pairs", "pairs", lambda one: one.found.pairs),
    Column("pearson", "Pearson", lambda one: one.found.pearson),
    Column("spearman", "Spearman", lambda one: one.found.spearman),
    Column("kendall", "Kendall", lambda one: one.found.kendall),
    Column("rmse", "RMSE", lambda one: one.found.rmse),
    Column("rmse_quantiles", "RMSE (quant)", lambda one: one.found.rmse_quantiles),
    Column("difference", "difference", lambda one: one.found.difference),
    Column("p", "p", lambda one: one.found.p, "p"),
]
_RMSE = (
    "RMSE (quant) is that of the quantiles 0.1 to 0.9. The difference is that of the means; p is "
    "from the t-test for paired samples."
)


def _correlations(correlation: Correlation) -> Table:
    return Rows((one,) for one in correlation.correlations).table(
        "correlations",
        "Correlation of every two metrics",
        [
            Column("metric", "metric", lambda one: one.raters[0]),
            Column("other", "other", lambda one: one.raters[1]),
            *_ASSOCIATION,
        ],
        f"Of the scores of pairs of graphs; Kendall's tau is tau-b. {_RMSE}",
    )


def _human(correlation: Correlation) -> Table:
    return Rows((one,) for one in correlation.with_people).table(
        "human",
        "Human ratings and metrics",
        [Column("metric", "metric", lambda one: one.raters[1]), *_ASSOCIATION],
        f"Opitz et al. (2020), Table 7. {_RMSE}",
    )


def _preferences(correlation: Correlation) -> Table:
    return Rows((one,) for one in correlation.preferences).table(
        "preferences",
        "Preferences of metrics between systems, graph by graph",
        [
            Column("system", "system", lambda one: one.systems[0]),
            Column("other_system", "other", lambda one: one.systems[1]),
            Column("metric", "metric", lambda one: one.metrics[0]),
            Column("other", "other", lambda one: one.metrics[1]),
            Column("items", "items", lambda one: one.items),
            Column("opposite", "opposite", lambda one: one.opposite),
            Column("share", "share", lambda one: one.share, "percent"),
            Column("p", "p", lambda one: one.p, "p"),
        ],
        "Opposite: items on which the two metrics prefer the graphs of different systems. p is "
        "from the t-test for paired samples, on the differences between the systems by either "
        "metric (Opitz et al. 2020, Table 8).",
    )


def _rankings(correlation: Correlation) -> Table:
    def by(name: str) -> list[Column[str, Mapping[str, RankedScore]]]:
        return [
            Column(name, name, lambda _, ranked: ranked[name].score.value),
            at_most(name, lambda _, ranked: ranked[name].score.value_upper),
            Column(f"{name}_rank", "rank", lambda _, ranked: ranked[name].rank),
        ]

    return Rows(correlation.rankings.items()).table(
        "rankings",
        "Ranking of systems by several metrics",
        [
            Column("system", "system", lambda system, _: system),
            Column("pairs", "pairs", lambda system, _: len(correlation.rated[system].items)),
            *(column for one in correlation.metrics for column in by(one.metric)),
        ],
        "Scores of all pairs of a system together (Opitz et al. 2020, Table 9).",
    )


def _means(correlation: Correlation) -> list[Table]:
    """Return the table of the means of runs, if a system has several."""

    def by(name: str) -> list[Column[str, Mapping[str, MeanOfRuns]]]:
        return [
            Column(name, name, lambda _, means: means[name].value),
            at_most(name, lambda _, means: means[name].upper),
            Column(f"{name}_rank", "rank", lambda _, means: means[name].rank),
        ]

    if not correlation.runs:
        return []
    columns: list[Column[str, Mapping[str, MeanOfRuns]]] = [
        Column("system", "system", lambda system, _: system),
        Column("runs", "runs", lambda system, _: len(correlation.runs[system])),
        *(column for one in correlation.metrics for column in by(one.metric)),
    ]
    title = "Ranking of systems by the means of their runs"
    return [Rows(correlation.means.items()).table("means", title, columns)]


def _structure(correlation: Correlation) -> Table:
    return Rows((one,) for one in correlation.structures).table(
        "structure",
        "Structure of the graphs",
        [
            Column("file", "file", lambda one: one.file),
            Column("graphs", "graphs", lambda one: one.graphs),
            Column("nodes", "nodes", lambda one: one.nodes),
            Column("edges", "edges", lambda one: one.edges),
            Column("degree", "degree", lambda one: one.degree),
            Column("density", "density", lambda one: one.density),
            Column("degree_error", "degree error", lambda one: one.degree_error),
            Column("density_error", "density error", lambda one: one.density_error),
        ],
        "Means over graphs. Degree: of the nodes of a graph. Density: its edges by those that are "
        "possible. Error: the mean of |f(gold) - f(system)| over pairs (Opitz et al. 2020, Table "
        "9).",
    )


def _metrics(correlation: Correlation) -> Table:
    return Rows((one,) for one in correlation.metrics).table(
        "metrics",
        "Scores of pairs",
        [
            Column("metric", "metric", lambda one: one.metric),
            Column("pairs", "pairs", lambda one: one.pairs),
            Column("proven", "proven", lambda one: one.proven),
            Column("mean", "mean", lambda one: one.mean),
            Column("low", "least", lambda one: one.low),
            Column("high", "largest", lambda one: one.high),
        ],
    )


def _units(correlation: Correlation) -> Table:
    return Rows((one,) for one in correlation.unit_groups).table(
        "units",
        "N-grams by the size of the graphs",
        [
            Column("metric", "metric", lambda one: one.metric),
            Column("order", "n-grams", lambda one: one.order),
            Column("size", "nodes and edges", lambda one: one.size),
            Column("graphs", "graphs", lambda one: one.graphs),
            Column("mean", "mean", lambda one: one.mean),
            Column("most", "most", lambda one: one.most),
        ],
        "Of the gold graphs (Liu et al. 2020, Figure 2).",
    )


def _scores(correlation: Correlation, top: int) -> Table:
    def by(number: int, rater: str) -> Column[str, str, list[float]]:
        return Column(rater, rater, lambda item, system, values: values[number])

    raters = [one.metric for one in correlation.metrics]
    if correlation.human is not None:
        raters.insert(0, HUMAN)
    names = correlation.opinions.study.names
    return Rows(
        (names[item], system, values)
        for system, pairs in correlation.rated.items()
        for item, *values in zip(pairs.items, *(pairs.values[r] for r in raters), strict=True)
    ).table(
        "scores",
        "Scores of pairs, one by one",
        [
            Column("item", "item", lambda item, system, values: item),
            Column("system", "system", lambda item, system, values: system),
            *(by(number, rater) for number, rater in enumerate(raters)),
        ],
        top=top,
    )


def _plots(correlation: Correlation) -> list[Plot]:
    plots: list[Plot] = []
    if correlation.densities:
        title = "Distribution of scores"
        plots.append(Curves("densities", title, "score", "density", _series(correlation.densities)))
    keys = distinct(plot_key("-".join(one.raters)) for one in correlation.scattered)
    for key, one in zip(keys, correlation.scattered, strict=True):
        x, y = one.raters
        title = f"{y} by {x}"
        plots.append(Scatter(key, title, x, y, _series(one.points), unit_square=True))
    if correlation.units:
        size = "nodes and edges of the gold graph"
        title = "N-grams by the size of the graphs"
        plots.append(Scatter("units", title, size, "n-grams", _series(correlation.units)))
    return plots


def _series(points: Sequence[Points]) -> list[Series]:
    return [Series(one.label, one.xs, one.ys) for one in points]
