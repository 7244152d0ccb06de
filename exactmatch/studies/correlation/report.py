"""The report on metrics against each other and against people."""

from collections.abc import Sequence

from exactmatch.graphs.distinct_names import distinct
from exactmatch.report.document import (
    Cell,
    Column,
    Curves,
    Plot,
    Provenance,
    Report,
    Scatter,
    Series,
    Table,
    plot_key,
)
from exactmatch.report.wording import between, listed
from exactmatch.studies.common.extremes import Extremes
from exactmatch.studies.common.notes import counted, reading_notes
from exactmatch.studies.correlation.measure import Correlated, Correlation, Points
from exactmatch.studies.correlation.rated_pairs import HUMAN


def correlation_report(found: Correlation, provenance: Provenance, top: int) -> Report:
    """Return the report; people see the scores of the first *top* pairs."""
    tables = [_correlations(found)]
    if found.human is not None:
        tables.append(_human(found))
    if found.preferences:
        tables.append(_preferences(found))
    tables += [_rankings(found), _structure(found), _metrics(found)]
    if found.unit_groups:
        tables.append(_units(found))
    tables += [_scores(found, top), _signatures(found)]
    return Report(
        study="correlation",
        title="Correlation of metrics",
        result=_result(found),
        tables=tables,
        provenance=provenance,
        notes=_notes(found),
        plots=_plots(found),
    )


def _result(found: Correlation) -> str:
    """Return how far metrics go together, and which goes best with people."""
    said = []
    if found.human is not None:
        said.append(_with_people(found))
    both = found.metrics_together
    if both is not None:
        metrics = [one.metric for one in found.metrics]
        which = "every two metrics" if len(metrics) > 2 else listed(metrics)
        r = between(both.low, both.high)
        said.append(f"Pearson's r of {which} is {r}{_most(both)}")
    elif len(found.metrics) > 1:
        said.append("no correlation of metrics is defined")
    if not said:
        only, *_ = found.metrics
        said.append(f"in the mean, {only.metric} gives {only.mean:.4f} to a pair")
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}."


def _most(both: Extremes[tuple[str, str]]) -> str:
    return "" if both.highest is None else f" ({listed(both.highest)} most)"


def _with_people(found: Correlation) -> str:
    people = found.people_together
    if people is None:
        return "no correlation with human ratings is defined"
    _, best = people.highest or (None, None)
    most = f" ({best} most)" if best is not None else ""
    return f"Pearson's r of metrics with people is {between(people.low, people.high)}{most}"


def _notes(found: Correlation) -> list[str]:
    every = found.opinions
    proven = ", ".join(f"{one.proven} by {one.metric}" for one in found.metrics)
    notes = [f"{counted(every.pairs, 'pair')} of graphs. Proven: {proven}."]
    for one in found.metrics:
        if one.timed_out:
            notes.append(f"Pairs that reached the time limit, {one.metric}: {one.timed_out}.")
        if one.too_large:
            notes.append(f"Pairs too large for the memory limit, {one.metric}: {one.too_large}.")
    if every.skipped:
        notes.append(f"Pairs of which a graph is missing or cannot be read: {every.skipped}.")
    human = found.human
    if human is not None:
        notes.append(f"Human ratings from {human.low:g} to {human.high:g} are taken as 0 to 1.")
        if human.unknown:
            notes.append(f"Ratings of no item: {human.unknown}.")
    return [*notes, *reading_notes(every.study)]


_ASSOCIATION = [
    Column("pairs", "pairs"),
    Column("pearson", "Pearson"),
    Column("spearman", "Spearman"),
    Column("kendall", "Kendall"),
    Column("rmse", "RMSE"),
    Column("rmse_quantiles", "RMSE (quant)"),
    Column("difference", "difference"),
    Column("p", "p"),
]
_RMSE = (
    "RMSE (quant) is that of the quantiles 0.1 to 0.9. The difference is that of the means, and p "
    "is from the t-test for paired samples."
)


def _associations(found: Sequence[Correlated]) -> list[list[Cell]]:
    return [
        [*one.raters, one.system, *(getattr(one.found, column.key) for column in _ASSOCIATION)]
        for one in found
    ]


def _correlations(found: Correlation) -> Table:
    return Table(
        "correlations",
        "Correlation of every two metrics",
        [
            Column("metric", "metric"),
            Column("other", "other"),
            Column("system", "system"),
            *_ASSOCIATION,
        ],
        _associations(found.correlations),
        f"Of the scores of pairs of graphs; Kendall's tau is tau-b. {_RMSE}",
    )


def _human(found: Correlation) -> Table:
    rows = _associations(found.with_people)
    return Table(
        "human",
        "Human ratings and metrics",
        [Column("metric", "metric"), Column("system", "system"), *_ASSOCIATION],
        [row[1:] for row in rows],
        f"Opitz et al. (2020), Table 7. {_RMSE}",
    )


def _preferences(found: Correlation) -> Table:
    columns = [
        Column("system", "system"),
        Column("other_system", "other"),
        Column("metric", "metric"),
        Column("other", "other"),
        Column("items", "items"),
        Column("opposite", "opposite"),
        Column("share", "share", "percent"),
        Column("p", "p"),
    ]
    rows: list[list[Cell]] = [
        [*one.systems, *one.metrics, one.items, one.opposite, one.share, one.p]
        for one in found.preferences
    ]
    return Table(
        "preferences",
        "Do metrics prefer the same graph?",
        columns,
        rows,
        "Opposite: items on which one metric prefers the graph of one system, and the other metric "
        "that of the other system. p is from the t-test for paired samples, on the differences "
        "between the systems by either metric (Opitz et al. 2020, Table 8).",
    )


def _rankings(found: Correlation) -> Table:
    columns = [Column("system", "system"), Column("pairs", "pairs")]
    for one in found.metrics:
        name = one.metric
        columns += [
            Column(name, name),
            Column(f"{name}_upper", "at most", upper_of=name),
            Column(f"{name}_rank", "rank"),
        ]
    rows: list[list[Cell]] = []
    for system, ranked in found.rankings.items():
        row: list[Cell] = [system, len(found.rated[system].items)]
        for entry in ranked.values():
            row += [entry.score.value, entry.score.value_upper, entry.rank]
        rows.append(row)
    return Table(
        "rankings",
        "Ranking of systems by several metrics",
        columns,
        rows,
        "Scores of all pairs of a system together (Opitz et al. 2020, Table 9).",
    )


def _structure(found: Correlation) -> Table:
    columns = [
        Column("file", "file"),
        Column("graphs", "graphs"),
        Column("nodes", "nodes"),
        Column("edges", "edges"),
        Column("degree", "degree"),
        Column("density", "density"),
        Column("degree_error", "degree error"),
        Column("density_error", "density error"),
    ]
    rows: list[list[Cell]] = [
        [getattr(one, column.key) for column in columns] for one in found.structures
    ]
    return Table(
        "structure",
        "Structure of the graphs",
        columns,
        rows,
        "Means over graphs. Degree: of the nodes of a graph. Density: its edges by those that are "
        "possible. Error: the mean of |f(gold) - f(system)| over pairs (Opitz et al. 2020, Table "
        "9).",
    )


def _metrics(found: Correlation) -> Table:
    columns = [
        Column("metric", "metric"),
        Column("pairs", "pairs"),
        Column("proven", "proven"),
        Column("mean", "mean"),
        Column("low", "least"),
        Column("high", "largest"),
    ]
    rows: list[list[Cell]] = [
        [getattr(one, column.key) for column in columns] for one in found.metrics
    ]
    return Table("metrics", "Scores of pairs", columns, rows)


def _units(found: Correlation) -> Table:
    columns = [
        Column("metric", "metric"),
        Column("order", "n-grams"),
        Column("size", "nodes and edges"),
        Column("graphs", "graphs"),
        Column("mean", "mean"),
        Column("most", "most"),
    ]
    rows: list[list[Cell]] = [
        [getattr(one, column.key) for column in columns] for one in found.unit_groups
    ]
    return Table(
        "units",
        "N-grams by the size of the graphs",
        columns,
        rows,
        "Of the gold graphs (Liu et al. 2020, Figure 2).",
    )


def _scores(found: Correlation, top: int) -> Table:
    raters = [one.metric for one in found.metrics]
    if found.human is not None:
        raters.insert(0, HUMAN)
    names = found.opinions.study.names
    rows: list[list[Cell]] = [
        [names[item], system, *values]
        for system, pairs in found.rated.items()
        for item, *values in zip(pairs.items, *(pairs.values[r] for r in raters), strict=True)
    ]
    columns = [Column("item", "item"), Column("system", "system")]
    columns += [Column(rater, rater) for rater in raters]
    return Table("scores", "Scores of pairs, one by one", columns, rows, top=top)


def _signatures(found: Correlation) -> Table:
    columns = [Column("metric", "metric"), Column("signature", "signature")]
    rows = [[one.metric, one.signature] for one in found.metrics]
    return Table("signatures", "The metrics", columns, rows)


def _plots(found: Correlation) -> list[Plot]:
    plots: list[Plot] = []
    if found.densities:
        title = "Distribution of scores"
        plots.append(Curves("densities", title, "score", "density", _series(found.densities)))
    keys = distinct(plot_key("-".join(one.raters)) for one in found.scattered)
    for key, one in zip(keys, found.scattered, strict=True):
        x, y = one.raters
        title = f"{y} by {x}"
        plots.append(Scatter(key, title, x, y, _series(one.points), unit_square=True))
    if found.units:
        size = "nodes and edges of the gold graph"
        title = "N-grams by the size of the graphs"
        plots.append(Scatter("units", title, size, "n-grams", _series(found.units)))
    return plots


def _series(points: Sequence[Points]) -> list[Series]:
    return [Series(one.label, one.xs, one.ys) for one in points]
