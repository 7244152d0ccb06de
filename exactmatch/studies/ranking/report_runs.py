"""The report of a comparison of systems with several runs."""

from collections.abc import Sequence
from dataclasses import replace

from exactmatch.graphs.distinct_names import distinct
from exactmatch.report.document import (
    Column,
    Estimate,
    Forest,
    Linked,
    Plot,
    Provenance,
    Report,
    Rows,
    Table,
    at_most,
    plot_key,
)
from exactmatch.report.validity import validity_table
from exactmatch.report.wording import counted, listed
from exactmatch.scoring.validity.file_faults import FileValidity
from exactmatch.studies.common.contest_table import contest_table, contests_plot
from exactmatch.studies.common.notes import word_columns
from exactmatch.studies.common.pairs import ScoredPairs
from exactmatch.studies.common.statistics import Resampling
from exactmatch.studies.ranking.report import (
    Standing,
    parts_table,
    ranking_notes,
    score_column,
    standings_table,
    together,
)
from exactmatch.studies.ranking.report_runs_sentence import (
    mean_text,
    runs_difference,
    runs_score_name,
    runs_sentence,
)
from exactmatch.studies.ranking.runs import (
    RunsContest,
    RunsRanking,
    RunsRankings,
    SystemRuns,
)


def runs_report(
    rankings: RunsRankings, provenance: Provenance, validity: Sequence[FileValidity] = ()
) -> Report:
    """Return the report: means, runs, and differences for these runs and for new runs.

    *validity* are the faults of the graphs of the files.
    """
    by_metric, resampling = rankings.by_metric, rankings.resampling
    every = [score for ranking in by_metric.values() for score in ranking.scores.values()]
    key, name, said = score_column(every)
    tables = [
        together({metric: _means_table(one, key, name) for metric, one in by_metric.items()}),
        together({metric: _runs_table(one, key, name, every) for metric, one in by_metric.items()}),
    ]
    if len(by_metric) > 1:
        tables.insert(0, _side_by_side(rankings))
    if any(ranking.contests for ranking in by_metric.values()):
        note = " p-values are adjusted for each metric separately."
        for table in (_these_table, _new_table):
            found = {
                metric: table(one.contests, resampling, said) for metric, one in by_metric.items()
            }
            tables.append(together(found, note))
    parts = {metric: parts_table(one.scores) for metric, one in by_metric.items()}
    if any(table.rows for table in parts.values()):
        tables.append(together(parts))
    if validity:
        tables.append(validity_table(validity))
    return Report(
        "ranking",
        "Comparison of systems with several runs",
        _result(rankings),
        tables,
        provenance,
        sentence=" ".join(map(runs_sentence, by_metric.values())),
        notes=[
            *ranking_notes(
                rankings.study,
                rankings.gold,
                {name: (one.metric, one.proofs) for name, one in by_metric.items()},
            ),
            "These runs: would the same files differ on other items? New runs: would other runs of "
            "the systems differ, too?",
        ],
        plots=_plots(rankings),
    )


def _result(rankings: RunsRankings) -> str:
    """Return the leader by each metric, and its differences from the others."""
    several = len(rankings.by_metric) > 1
    said = []
    for metric, ranking in rankings.by_metric.items():
        of = f"{metric}: " if several else ""
        said.append(f"{of}{_result_of(ranking)}.")
    return " ".join(said)


def _result_of(ranking: RunsRanking) -> str:
    first, *tied = ranking.leaders
    score = f"mean {runs_score_name(ranking)}"
    text = mean_text(ranking, ranking.systems[first])
    if len(ranking.systems) == 1:
        return f"{first} reaches {score} {text} against {ranking.gold}"
    if tied:
        return f"{listed(ranking.leaders)} lead together with {score} {text}"
    known = "" if ranking.leader_is_known else ", as far as is proven"
    if len(ranking.contests) == 1:
        return f"{runs_difference(ranking.contests[0], score)}{known}"
    beaten = [
        f"it is significantly better than {listed(names)} for {runs}"
        if names
        else f"it is significantly better than no other system for {runs}"
        for runs, names in (
            ("these runs", _beaten(ranking, first, new=False)),
            ("new runs", _beaten(ranking, first, new=True)),
        )
    ]
    return f"{first} leads with {score} {text}{known}: {'; '.join(beaten)}"


def _beaten(ranking: RunsRanking, name: str, *, new: bool) -> list[str]:
    """Return the systems that a system beats significantly, for new runs or for these."""
    tested = [one.new if new else one.these for one in ranking.contests]
    return [one.other for one in tested if one.one == name and one.significant]


def _means_table(ranking: RunsRanking, key: str, name: str) -> Table:
    def ends(one: SystemRuns) -> tuple[float, float] | tuple[None, None]:
        return one.interval or (None, None)

    resampling = ranking.resampling
    return Rows(ranking.systems.items()).table(
        "ranking",
        f"Systems against {ranking.gold}, mean of runs",
        [
            Column("rank", "rank", lambda system, one: ranking.ranks[system]),
            Column("system", "system", lambda system, one: system),
            Column("runs", "runs", lambda system, one: len(one.runs)),
            Column(key, f"mean {name}", lambda system, one: one.mean),
            at_most(key, lambda system, one: one.mean_upper),
            Column(f"{key}_low", "from", lambda system, one: ends(one)[0]),
            Column(f"{key}_high", "to", lambda system, one: ends(one)[1]),
            Column("deviation", "deviation", lambda system, one: one.deviation),
            Column("least", "least", lambda system, one: one.least),
            Column("most", "most", lambda system, one: one.most),
            Column("pairs", "pairs", lambda system, one: one.pairs),
            Column("skipped", "skipped", lambda system, one: one.skipped),
            Column("proven", "proven", lambda system, one: one.optimal),
        ],
        f"from/to: {resampling.percent} confidence interval of the mean over runs and items "
        f"(two-stage bootstrap, {resampling.resamples} resamples, seed {resampling.seed}, and "
        "Student's t); for a single run over items alone (BCa bootstrap). deviation: standard "
        "deviation over runs.",
    )


def _runs_table(ranking: RunsRanking, key: str, name: str, every: Sequence[ScoredPairs]) -> Table:
    """Return the table of each run; tables of all metrics have the same columns."""
    gold, unit = ranking.gold, ranking.metric.unit
    return Rows(
        (system, run, score)
        for system, one in ranking.systems.items()
        for run, score in one.runs.items()
    ).table(
        "runs",
        f"Runs against {gold}",
        [
            Column("system", "system", lambda system, run, score: system),
            Column("run", "run", lambda system, run, score: Linked(run, (run, gold))),
            Column(key, name, lambda system, run, score: score.value),
            at_most(key, lambda system, run, score: score.value_upper),
            Column("precision", "precision", lambda system, run, score: score.figure("precision")),
            Column("recall", "recall", lambda system, run, score: score.figure("recall")),
            Column(f"macro_{key}", f"macro {name}", lambda system, run, score: score.macro_f1),
            Column("matched", "matched", lambda system, run, score: score.matched),
            at_most("matched", lambda system, run, score: score.matched_upper),
            Column("system_total", unit, lambda system, run, score: score.system_total),
            Column("gold_total", "of gold", lambda system, run, score: score.gold_total),
            Column("pairs", "pairs", lambda system, run, score: score.pairs),
            Column("skipped", "skipped", lambda system, run, score: score.skipped),
            Column("proven", "proven", lambda system, run, score: score.optimal),
            *word_columns(every, lambda system, run, score: score.by_word),
        ],
    )


def _these_table(contests: Sequence[RunsContest], resampling: Resampling, score: str) -> Table:
    table = contest_table(
        [one.these for one in contests], "Differences, for these runs", resampling
    )
    return replace(
        table,
        note=f"Difference of mean {score} on common items. For these runs: items are exchanged, "
        f"runs are fixed. p by paired approximate randomisation ({resampling.resamples} resamples, "
        f"seed {resampling.seed}), adjusted after Holm (1979); significant at "
        f"{resampling.level:.2g}.",
    )


def _new_table(contests: Sequence[RunsContest], resampling: Resampling, score: str) -> Table:
    """Return the table of the tests for new runs, with the interval of each difference."""

    def ends(one: RunsContest) -> tuple[float, float] | tuple[None, None]:
        return one.interval or (None, None)

    tested = contest_table([one.new for one in contests], "", resampling)
    between_runs = Rows((one,) for one in contests).table(
        "", "", [Column("low", "from", lambda one: ends(one)[0]),
                 Column("high", "to", lambda one: ends(one)[1])]
    )  # fmt: skip
    after = [column.key for column in tested.columns].index("p")

    def joined(one: Sequence, other: Sequence) -> list:  # type: ignore[type-arg]
        return [*one[:after], *other, *one[after:]]

    return replace(
        tested,
        key="new-runs",
        title="Differences, for new runs",
        columns=joined(tested.columns, between_runs.columns),
        rows=[*map(joined, tested.rows, between_runs.rows)],
        note=f"Difference of mean {score} on common items, with its {resampling.percent} "
        "confidence interval. For new runs: runs and items are drawn. p by a two-stage bootstrap "
        f"({resampling.resamples} resamples, seed {resampling.seed}) and Student's t, adjusted "
        f"after Holm (1979); significant at {resampling.level:.2g}; none for systems with a "
        "single run.",
    )


def _side_by_side(rankings: RunsRankings) -> Table:
    """Return the table of the means by all metrics."""
    return standings_table(
        f"Systems against {rankings.gold}, mean of runs by several metrics",
        Column("system", "system", lambda system: system),
        {
            name: {
                system: Standing(ranking.ranks[system], runs.mean, runs.mean_upper)
                for system, runs in ranking.systems.items()
            }
            for name, ranking in rankings.by_metric.items()
        },
    )


def _plots(rankings: RunsRankings) -> list[Plot]:
    keys = distinct(map(plot_key, rankings.by_metric))
    several = len(keys) > 1
    return [
        plot
        for (name, ranking), key in zip(rankings.by_metric.items(), keys, strict=True)
        for plot in _plots_of(
            ranking, f", by {name}" if several else "", f"-{key}" if several else ""
        )
    ]


def _plots_of(ranking: RunsRanking, by: str, key: str) -> list[Plot]:
    """Return the plots of a metric: means with their runs, and the significant differences."""
    score, resampling, names = runs_score_name(ranking), ranking.resampling, [*ranking.systems]
    return [
        Forest(
            f"scores{key}",
            f"Systems against {ranking.gold}{by}",
            f"mean {score} with its {resampling.percent} confidence interval, and each run",
            [
                Estimate(
                    f"{system} ({counted(len(one.runs), 'run')})",
                    one.mean,
                    one.mean_upper,
                    one.interval,
                    one.values,
                )
                for system, one in ranking.systems.items()
            ],
        ),
        contests_plot(
            names,
            [one.these for one in ranking.contests],
            resampling,
            f"Significance of differences for these runs{by}",
            f"differences{key}",
        ),
        contests_plot(
            names,
            [one.new for one in ranking.contests],
            resampling,
            f"Significance of differences for new runs{by}",
            f"new-runs{key}",
        ),
    ]
