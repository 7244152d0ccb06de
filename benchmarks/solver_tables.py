"""The tables and plots of `solvers.py`: summaries, and the worth of the parts given to solvers."""

import math
import random
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from exactmatch.solving.names import GIVEN, NOTHING

ALL = ",".join(GIVEN)
#: Below this, CPU time is that of the clock.
_LEAST = 1e-4
_RESAMPLES = 2_000
_EVERY = "all of them"
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999")
_DASHES = ("-", "--", ":", "-.")

_Key = TypeVar("_Key", bound=Hashable)


class Row(NamedTuple):
    """The result of a solver for a pair; *total* is an upper bound on any mapping.

    *own_lower* and *own_upper* are the solver's own bounds, None if it found none.
    """

    family: str
    pair: str
    solver: str
    given: str
    limit: float
    matched: int
    upper: int
    total: int
    own_lower: int | None
    own_upper: int | None
    wall: float
    cpu: float

    @property
    def is_proven(self) -> bool:
        """Whether the optimum is proven."""
        return self.matched == self.upper

    @property
    def own(self) -> int:
        """The bound that the solver has proven by itself, or otherwise the bound known before."""
        if self.own_upper is None:
            return self.upper if self.is_proven else self.total
        return min(self.own_upper, self.total)


class Spread(NamedTuple):
    """A mean, and the interval that holds 95 percent of the resampled means."""

    mean: float
    low: float
    high: float


def report(rows: Sequence[Row]) -> str:
    """Return all tables, in Markdown."""
    best = best_known(rows)
    whole = without_parts(rows)
    longest = max(row.limit for row in rows)
    last = [row for row in rows if row.limit == longest]
    parts = [f"limit: {longest:g} s\n\n{summary(last, best)}", worth_of_parts(last)]
    if len({row.limit for row in whole}) > 1:
        parts.append(gaps(whole, best))
    return "\n".join(part for part in parts if part)


def without_parts(rows: Iterable[Row]) -> list[Row]:
    """Return the rows except those of single parts, which cover fewer families than the others."""
    return [row for row in rows if row.given not in GIVEN]


def best_known(rows: Iterable[Row]) -> dict[tuple[str, str], int]:
    """Return the best that any solver has found, by family and pair; a contradiction raises."""
    best: dict[tuple[str, str], int] = defaultdict(int)
    least: dict[tuple[str, str], int] = {}
    for row in rows:
        key = row.family, row.pair
        best[key] = max(best[key], row.matched)
        least[key] = min(least.get(key, row.upper), row.upper, row.own)
    wrong = [key for key in best if best[key] > least[key]]
    if wrong:
        raise ValueError(f"a mapping scores more than what is proven: {wrong}")
    return best


def summary(rows: Sequence[Row], best: dict[tuple[str, str], int]) -> str:
    """Return a line for each family, solver and set of given parts."""
    lines = [
        "| family | solver | given | proven | CPU s | own bound above best | bound above best "
        "| found below best |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for (family, solver, given), group in _by(
        rows, lambda row: (row.family, row.solver, row.given)
    ).items():
        known = [best[row.family, row.pair] for row in group]
        proven = sum(row.is_proven for row in group)
        own = sum(row.own for row in group) - sum(known)
        upper = sum(row.upper for row in group) - sum(known)
        below = sum(known) - sum(row.matched for row in group)
        lines.append(
            f"| {family} | {solver} | {given.replace(',', ', ')} | {proven} of {len(group)} "
            f"| {_mean(row.cpu for row in group):.3f} | {own} | {upper} | {below} |"
        )
    return "\n".join(lines) + "\n"


def worth_of_parts(rows: Sequence[Row]) -> str:
    """Return the worth of each part by itself: the ratio of CPU seconds with it and without."""
    families = list(dict.fromkeys(row.family for row in rows))
    chosen = {family: [row for row in rows if row.family == family] for family in families}
    if len(families) > 1:
        chosen[_EVERY] = list(rows)
    lines = []
    for family, group in chosen.items():
        for solver, by_solver in _by(group, lambda row: row.solver).items():
            for given in (*GIVEN, ALL):
                both = _with_and_without(by_solver, given)
                if both:
                    what = given.replace(",", ", ")
                    lines.append(f"| {family} | {solver} | {what} {_worth(both)} |")
    if not lines:
        return ""
    head = "| family | solver | given | CPU, of that with nothing | 95 % | proven | with nothing |"
    return "\n".join([head, "|---|---|---|---:|---:|---:|---:|", *lines]) + "\n"


def _with_and_without(rows: Sequence[Row], given: str) -> list[tuple[Row, Row]]:
    """Return the pairs tried both with *given* and with nothing, with both results."""
    sides = [
        {(row.family, row.pair): row for row in rows if row.given == one}
        for one in (given, NOTHING)
    ]
    return [(sides[0][pair], sides[1][pair]) for pair in sides[0] if pair in sides[1]]


def _worth(both: Sequence[tuple[Row, Row]]) -> str:
    spread = ratio([(max(_LEAST, a.cpu), max(_LEAST, b.cpu)) for a, b in both])
    proven = [sum(row.is_proven for row in side) for side in zip(*both, strict=True)]
    return (
        f"| {spread.mean:.2f} | {spread.low:.2f} to {spread.high:.2f} "
        f"| {proven[0]} of {len(both)} | {proven[1]}"
    )


def ratio(pairs: Sequence[tuple[float, float]]) -> Spread:
    """Return the geometric mean of ratios, and its interval by bootstrap over the pairs."""
    logarithms = [math.log(a / b) for a, b in pairs]
    rng = random.Random(0)
    means = sorted(_mean(rng.choices(logarithms, k=len(logarithms))) for _ in range(_RESAMPLES))
    ends = means[int(0.025 * _RESAMPLES)], means[int(0.975 * _RESAMPLES)]
    return Spread(*map(math.exp, (_mean(logarithms), *ends)))


def gaps(rows: Sequence[Row], best: dict[tuple[str, str], int]) -> str:
    """Return the solvers' own gaps by limit, in percent of the best that is known."""
    limits = sorted({row.limit for row in rows})
    lines = [
        "| solver | given | " + " | ".join(f"gap at {limit:g} s" for limit in limits) + " |",
        "|---|---|" + "---:|" * len(limits),
    ]
    for (solver, given), found in mean_gaps(rows, best).items():
        cells = [f"{found[limit]:.1f} %" if limit in found else "" for limit in limits]
        lines.append(f"| {solver} | {given.replace(',', ', ')} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def mean_gaps(
    rows: Sequence[Row], best: dict[tuple[str, str], int]
) -> dict[tuple[str, str], dict[float, float]]:
    """Return the mean of own bound minus own mapping, by solver, given parts, and limit.

    Pairs that were not tried at all limits are left out.
    """
    found: dict[tuple[str, str], dict[float, float]] = {}
    for key, group in _by(rows, lambda row: (row.solver, row.given)).items():
        by_limit = {
            limit: {(row.family, row.pair): row for row in at}
            for limit, at in _by(group, lambda row: row.limit).items()
        }
        common = set.intersection(*(set(at) for at in by_limit.values()))
        found[key] = {
            limit: _mean(_gap(at[pair], best[pair]) for pair in sorted(common))
            for limit, at in sorted(by_limit.items())
            if common
        }
    return found


def _gap(row: Row, best: int) -> float:
    lower = row.matched if row.is_proven else row.own_lower or 0
    upper = row.upper if row.is_proven else row.own
    return 100 * (upper - lower) / max(1, best)


def cactus(rows: Sequence[Row], path: Path) -> None:
    """Draw how many problems each solver proves within a time; equal rows give equal bytes."""
    longest = max(row.limit for row in rows)
    last = [row for row in without_parts(rows) if row.limit == longest]
    lines = {}
    for key, group in _by(last, lambda row: (row.solver, row.given)).items():
        times = sorted(max(_LEAST, row.cpu) for row in group if row.is_proven)
        lines[key] = (list(range(1, len(times) + 1)), times)
    _draw(lines, path, ("problems proven", "CPU seconds for the last of them"), log=True)


def gap_plot(rows: Sequence[Row], path: Path) -> None:
    """Draw the solvers' own gaps over the limits."""
    lines = {
        key: (list(found), list(found.values()))
        for key, found in mean_gaps(without_parts(rows), best_known(rows)).items()
    }
    _draw(lines, path, ("limit, s", "own gap, % of the best known"), log=False)


def _draw(
    lines: Mapping[tuple[str, str], tuple[Sequence[float], Sequence[float]]],
    path: Path,
    labels: tuple[str, str],
    *,
    log: bool,
) -> None:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    settings: Any = {"svg.hashsalt": "exactmatch", "svg.fonttype": "none", "font.size": 10}
    solvers = list(dict.fromkeys(solver for solver, _ in lines))
    givens = list(dict.fromkeys(given for _, given in lines))
    with rc_context(settings):
        figure = Figure(figsize=(7.2, 4.8), layout="constrained")
        axes = figure.add_subplot(yscale="log" if log else "linear")
        for (solver, given), (across, up) in lines.items():
            axes.plot(
                across,
                up,
                color=_COLOURS[solvers.index(solver) % len(_COLOURS)],
                linestyle=_DASHES[givens.index(given) % len(_DASHES)],
                marker="." if len(across) < 40 else "",
                label=f"{solver}, {given.replace(',', ', ')}",
            )
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.grid(color="0.9")
        axes.set_axisbelow(True)
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8)
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def _by(rows: Iterable[Row], key: Callable[[Row], _Key]) -> dict[_Key, list[Row]]:
    groups: defaultdict[_Key, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return dict(groups)


def _mean(numbers: Iterable[float]) -> float:
    found = list(numbers)
    return sum(found) / len(found)
