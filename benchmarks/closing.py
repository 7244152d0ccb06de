"""Measure how the gap of documents closes with time, with cliques and without them.

    python benchmarks/closing.py SYSTEM GOLD [--sizes N ...] [--plot FILE.svg]

Joins sentences of two files of AMRs to documents of about the requested numbers of variables. The
dual proves each document twice, with and without cliques, each time in a process of its own. Every
improvement is noted with its time. Needs exactmatch installed. The table goes to standard output,
in Markdown; progress goes to standard error.
"""

import argparse
import multiprocessing
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from growth import Document, documents, graph_pair

#: The sizes that are asked for unless others are: some 140 sentences, and 300.
SIZES = [900, 2000]
#: CPU seconds after which the table says how much is open.
TIMES = (1, 2, 5, 10, 20, 30, 60, 120)
#: What is compared, in the order of the table.
WITHOUT, WITH = "without cliques", "with cliques"
#: Time in the plot begins here, in seconds.
EARLIEST = 0.3
#: Of sizes, one after the other.
COLOURS = ("#0072b2", "#d55e00", "#009e73")


class Run(NamedTuple):
    """The bounds known of a document at each time.

    gaps: CPU seconds, and the gap in triples between the bounds known by then.
    """

    size: int
    form: str
    gaps: list[tuple[float, int]]

    def at(self, seconds: float) -> int | None:
        """Return the gap after so many *seconds*, or None if no bound was known yet."""
        known = [gap for when, gap in self.gaps if when <= seconds]
        return known[-1] if known else None


class _Known:
    """The best mapping and the lowest bound of a running proof, and the times of their changes."""

    def __init__(self) -> None:
        self.lower = -1
        self.upper: int | None = None
        self.gaps: list[tuple[float, int]] = []
        self.start = time.process_time()

    def is_now(self, *, lower: int | None = None, upper: int | None = None) -> None:
        """Note the gap that a mapping of score *lower*, or the bound *upper*, leaves."""
        self.lower = max(self.lower, -1 if lower is None else lower)
        if upper is not None:
            self.upper = upper if self.upper is None else min(self.upper, upper)
        if self.upper is not None and self.lower >= 0:
            gap = max(0, self.upper - self.lower)
            if not self.gaps or gap != self.gaps[-1][1]:
                self.gaps.append((time.process_time() - self.start, gap))


def followed(document: Document, form: str, timeout: float) -> Run:
    """Prove *document* within *timeout* CPU seconds, and return how its gap closed."""
    from exactmatch.metrics.smatch import Smatch
    from exactmatch.scoring.comparison import compare
    from exactmatch.solving.budgets import DualBudgets
    from exactmatch.solving.dual.branch_and_bound import prove
    from exactmatch.stopping.deadline import Deadline

    metric, budgets = Smatch.profiles["default"], DualBudgets()
    pair = graph_pair(document.system, document.gold)
    known = _Known()
    with ExitStack() as stack:
        # Limits in CPU time, so that other work on the machine changes nothing.
        stack.enter_context(patch("time.monotonic", time.process_time))
        for where, what in _followers(known).items():
            stack.enter_context(patch(where, what))
        problem = compare(pair, metric).built(Deadline())
        if form == WITHOUT:
            budgets = replace(budgets, level_tree=(*budgets.level_tree[:2], 0))
        proof = prove(problem, Deadline.after(timeout), budgets=budgets)
    known.is_now(lower=proof.lower, upper=proof.upper)
    return Run(document.size, form, known.gaps)


def _followers(known: _Known) -> dict[str, Any]:
    """Return, by the names they replace, classes that report their findings to *known*."""
    from exactmatch.solving.dual.descent import Descent, Incumbent
    from exactmatch.solving.dual.levels import Levels

    class FollowedIncumbent(Incumbent):
        def update(self, value: int, mapping: dict[int, int]) -> None:
            super().update(value, mapping)
            known.is_now(lower=value)

    class FollowedRoot(Descent):
        def _keep(self, bound: int) -> None:
            super()._keep(bound)
            known.is_now(upper=self.upper)

    class FollowedLevels(Levels):
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            if name == "upper":
                known.is_now(upper=value)

    module = "exactmatch.solving.dual"
    return {
        f"{module}.branch_and_bound.Incumbent": FollowedIncumbent,
        f"{module}.branch_and_bound.Descent": FollowedRoot,
        f"{module}.levels.Levels": FollowedLevels,
    }


def open_at(runs: Sequence[Run], seconds: float) -> int | None:
    """Return the sum of the gaps of all *runs* after so many *seconds*; None before all bounds."""
    gaps = [run.at(seconds) for run in runs]
    known = [gap for gap in gaps if gap is not None]
    return sum(known) if len(known) == len(gaps) else None


def groups(runs: Sequence[Run]) -> Iterator[tuple[int, str, list[Run]]]:
    """Yield the runs of each size and form, in the order of the table."""
    for size in dict.fromkeys(run.size for run in runs):
        for form in (WITHOUT, WITH):
            yield size, form, [run for run in runs if (run.size, run.form) == (size, form)]


def table(runs: Sequence[Run], timeout: float) -> str:
    """Return a Markdown row for each size and form: the sum of gaps, and the proven documents."""
    times = [seconds for seconds in TIMES if seconds < timeout] + [timeout]
    lines = [
        f"| variables | | {' | '.join(f'{seconds:g} s' for seconds in times)} | proven |",
        f"|---:|---|{'---:|' * len(times)}---|",
    ]
    for size, form, group in groups(runs):
        gaps = [open_at(group, seconds) for seconds in times]
        cells = ["" if gap is None else str(gap) for gap in gaps]
        proven = sum(run.gaps[-1][1] == 0 for run in group)
        lines.append(f"| {size} | {form} | {' | '.join(cells)} | {proven} of {len(group)} |")
    return "\n".join(lines)


def plot(runs: Sequence[Run], timeout: float, path: Path) -> None:
    """Draw the gap against time as an SVG file: the same bytes for the same numbers."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    settings: Any = {"svg.hashsalt": "exactmatch", "svg.fonttype": "none", "font.size": 11}
    sizes = dict.fromkeys(run.size for run in runs)
    colours = dict(zip(sizes, cycle(COLOURS), strict=False))
    with rc_context(settings):
        figure = Figure(figsize=(6.4, 4.4), layout="constrained")
        axes = figure.add_subplot(xscale="log")
        axes.set_yscale("symlog", linthresh=1)  # a gap of 0 is what this is about
        most = 1
        for size, form, group in groups(runs):
            changes = {when for run in group for when, _ in run.gaps}
            times = [EARLIEST, *sorted(when for when in changes if when > EARLIEST), timeout]
            gaps = [open_at(group, seconds) for seconds in times]
            known = [(t, gap) for t, gap in zip(times, gaps, strict=True) if gap is not None]
            most = max(most, *(gap for _, gap in known))
            axes.step(
                *zip(*known, strict=True),
                where="post",
                color=colours[size],
                linestyle="-" if form == WITH else (0, (2, 1.5)),
                label=f"{size} variables, {form}",
            )
        axes.set_xlim(EARLIEST, timeout)
        axes.set_ylim(-0.1, 1.5 * most)
        ticks = [seconds for seconds in (0.5, *TIMES) if seconds <= timeout]
        axes.xaxis.set_major_locator(FixedLocator(ticks))
        axes.yaxis.set_major_locator(FixedLocator([0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]))
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_minor_locator(NullLocator())
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_xlabel("CPU seconds for each document")
        axes.set_ylabel("triples that are open, in all documents")
        axes.grid(color="0.9")
        axes.set_axisbelow(True)
        axes.legend(loc="lower left", frameon=False)
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("system", metavar="SYSTEM", type=Path)
    parser.add_argument("gold", metavar="GOLD", type=Path)
    parser.add_argument(
        "--sizes", metavar="N", type=int, nargs="+", default=SIZES, help="numbers of variables"
    )
    parser.add_argument(
        "--pairs", metavar="N", type=int, nargs="+", default=[3], help="of each size in turn (3)"
    )
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=float, default=30.0, help="CPU time for a pair (30)"
    )
    parser.add_argument("--plot", metavar="FILE.svg", type=Path, help="draw them, too")
    return parser.parse_args()


def main() -> None:
    """Print the requested table."""
    arguments = parse_arguments()
    runs = []
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh, max_tasks_per_child=1) as process:
        for size, pairs in zip(arguments.sizes, cycle(arguments.pairs), strict=False):
            for document in documents(arguments.system, arguments.gold, size, pairs):
                for form in (WITHOUT, WITH):
                    work = process.submit(followed, document, form, arguments.timeout)
                    runs.append(work.result())
                    print(size, form, runs[-1].gaps[-1], file=sys.stderr)
    if arguments.plot is not None:
        plot(runs, arguments.timeout, arguments.plot)
    print(table(runs, arguments.timeout))


if __name__ == "__main__":
    main()
