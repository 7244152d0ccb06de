"""Say what a solver that was asked for by name received, and what it found by itself."""

from typing import TYPE_CHECKING, Protocol

from exactmatch.metrics.base import Metric
from exactmatch.report.text_table import whole
from exactmatch.report.wording import counted
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings

if TYPE_CHECKING:
    from exactmatch.scoring.solver_totals import SolverTotals

#: The reasons why a solver did not answer for a pair.
_FAILURES = {
    "late": "the solver did not answer in time",
    "large": "the solver exceeded its memory",
    "not loaded": "the time for all pairs ended while the solver was loading",
    "never loaded": "the solver never loaded",
}


class Asked(Protocol):
    """The work of a solver on so many *pairs*, such as `exactmatch.CorpusScore` has it.

    settings, solver_totals: None if no solver was asked for by name.
    """

    @property
    def settings(self) -> Settings | None: ...
    @property
    def pairs(self) -> int: ...
    @property
    def solver_totals(self) -> "SolverTotals | None": ...


class AskedScore(Protocol):
    """A score by *metric* with the work of a solver, as in `Asked`."""

    @property
    def metric(self) -> Metric: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def pairs(self) -> int: ...
    @property
    def solver_totals(self) -> "SolverTotals | None": ...


def idle_solver(score: Asked) -> list[str]:
    """Return a line if a solver was to run by name, and never worked: the reason, and a remedy."""
    totals = score.solver_totals
    if totals is None or totals.worked or score.settings is None:
        return []
    untried = score.pairs - totals.presolved - totals.met - totals.asked
    limit = "--timeout" if score.settings.total_timeout is None else "--timeout or --total-timeout"
    limits = {
        f"no time or memory was left for it in {untried}; raise {limit} or --memory": untried,
        f"its time ended in {totals.late}; raise {limit}": totals.late,
        f"its memory ended in {totals.large}; raise --memory": totals.large,
        "it was still loading when the time for all pairs ended; raise --total-timeout": (
            totals.not_loaded
        ),
        "it never loaded; use another --solver, or install it anew": totals.never_loaded,
    }
    why = "; ".join(what for what, count in limits.items() if count)
    pairs = counted(score.pairs, "pair")
    return [f"{score.settings.solver} worked on none of {pairs}: {why}"] if why else []


def solver_lines(score: AskedScore, *, with_seconds: bool) -> list[str]:
    """Return the input and the findings of a solver that ran by name."""
    totals = score.solver_totals
    if totals is None or not score.pairs:
        return []
    solver, scale = score.settings.solver, score.metric.scale
    late = score.pairs - totals.presolved - totals.met - totals.asked
    not_asked = {
        "presolve leaves nothing": totals.presolved,
        "the start meets the bound": totals.met,
        "no time or memory is left": late,
    }
    why = ", ".join(f"{count} where {what}" for what, count in not_asked.items() if count)
    given = ", ".join(score.settings.given_parts) or "nothing"
    asked = f"asked for {totals.asked} of {counted(score.pairs, 'pair')}"
    asked += f", not for {why}" if why else ""
    of_asked = counted(totals.asked, "pair")
    lines = [f"given to {solver}: {given}; {asked}"]
    if totals.worked < totals.asked:
        lines.append(f"{solver} answered for {totals.worked} of {of_asked}")
    if totals.asked:
        seconds = f", after {totals.seconds:.2f} s" if with_seconds else ""
        lines.append(
            f"{solver} by itself: mappings of {whole(totals.lower, scale)} {score.metric.unit} "
            f"({totals.found} of {of_asked}), bounds of {whole(totals.upper, scale)} "
            f"({totals.bounded}){seconds}; the two meet in {totals.closed}"
        )
    if totals.loading and with_seconds:
        lines.append(
            f"pairs waited {totals.loading:.2f} s for {solver} to load, beyond their time limits"
        )
    if totals.restarts:
        restarts = "once" if totals.restarts == 1 else f"{totals.restarts} times"
        lines.append(f"{solver} restarted {restarts}, since it did not stop at a limit")
    return lines


def solver_line(score: PairScore) -> str | None:
    """Return the input and the findings of a solver that ran by name on a pair; None for others."""
    work = score.work
    if work is None:
        return None
    parts = {"presolve, which leaves terms:": work.terms, "start": work.start, "bound": work.bound}
    given = ", ".join(f"{name} {value}" for name, value in parts.items() if value is not None)
    if not work.asked:
        return f"given: {given or 'nothing'}; no solver was asked"
    if work.failure is not None:
        return f"given: {given or 'nothing'}; {_FAILURES[work.failure]}"
    lower, upper = ("none" if one is None else str(one) for one in work.own[:2])
    return f"given: {given or 'nothing'}; the solver itself found {lower}, its bound: {upper}"
