"""A table and a plot of the differences between sides in a score, and their significance."""

from collections.abc import Sequence

from exactmatch.report.document import Column, Contested, Rows, Table, at_most
from exactmatch.report.document import Contests as ContestsPlot
from exactmatch.studies.common.contests import Contest
from exactmatch.studies.common.statistics import Resampling


def contest_table(
    contests: Sequence[Contest], title: str, resampling: Resampling, score: str = "micro F1"
) -> Table:
    """Return the table of the differences of every two sides in their *score*, with p-values."""
    return Rows((contest,) for contest in contests).table(
        "differences",
        title,
        [
            Column("better", "better", lambda contest: contest.one),
            Column("other", "other", lambda contest: contest.other),
            Column("difference", "difference", lambda contest: _if_any(contest, "low")),
            at_most("difference", lambda contest: _if_any(contest, "high")),
            Column("p", "p", lambda contest: contest.difference.p, "p"),
            Column("p_holm", "p (Holm)", lambda contest: contest.p_adjusted, "p"),
            Column("significant", "significant", lambda contest: _answer(contest.significant)),
        ],
        f"Difference of {score} on common items; p by paired approximate randomisation "
        f"({resampling.resamples} resamples, seed {resampling.seed}), adjusted after Holm (1979); "
        f"significant at {resampling.level:.2g}.",
    )


def _if_any(contest: Contest, end: str) -> float | None:
    """Return an end of the difference; None if there is no common item."""
    value: float = getattr(contest.difference, end)
    return value if contest.items else None


def _answer(answer: bool | None) -> str | None:
    return None if answer is None else "yes" if answer else "no"


def contests_plot(
    names: Sequence[str],
    contests: Sequence[Contest],
    resampling: Resampling,
    title: str,
    key: str = "differences",
) -> ContestsPlot:
    """Return the plot of the significant differences between the sides with these names."""
    cells: dict[tuple[str, str], Contested] = {}
    for contest in contests:
        p = contest.p_adjusted
        won, lost = Contested("better", p), Contested("worse", p)
        if not contest.significant:
            won = lost = Contested(None if contest.significant is None else "open", p)
        cells[contest.one, contest.other], cells[contest.other, contest.one] = won, lost
    square = [[cells.get((one, other)) for other in names] for one in names]
    return ContestsPlot(key, title, names, square, resampling.level)
