"""Measure the growth of time and memory: with variables, with pairs, and with workers.

    python benchmarks/growth.py SYSTEM GOLD [--against variables pairs workers] [--plot FILE.svg]

*variables*: sentences of two files of AMRs are joined to documents of about the requested numbers
of variables, and each pair is scored in a process of its own. *pairs* and *workers*: sentences are
repeated (`many_pairs.py`), and the command scores them. Needs exactmatch installed. The tables go
to standard output, in Markdown, with the powers that fit best; progress goes to standard error.
"""

import argparse
import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import linear_regression, median
from typing import Any, NamedTuple

import many_pairs
from join import Sentence, declared_variables, join_sentences, read_sentences, tokenize

#: The number of variables of a document may deviate so much from the requested one.
TOLERANCE = 0.05
#: The default sizes.
SIZES = [10, 20, 50, 100, 200, 400, 700, 1000, 2000]
#: With fewer variables, time and memory are mostly those of the process.
LEAST_FITTED = 50
#: The numbers of pairs, unless others are asked for; workers are compared on the middle one.
COUNTS = [1_000, 10_000, 100_000, 1_000_000]
#: Everything that every pair needs is loaded by this one, which is not measured.
FIRST = "(b / bark-01 :ARG0 (d / dog))"


class Document(NamedTuple):
    """Texts of two graphs that have about *size* variables."""

    size: int
    system: str
    gold: str


class Point(NamedTuple):
    """The result of one pair.

    variables: of the larger graph. seconds: CPU time, from the graphs to the checked result.
    gap: the triples between the mapping found and the upper bound.
    megabytes: the peak of the whole process.
    """

    size: int
    variables: int
    candidates: int
    terms: int
    seconds: float
    certified: bool
    gap: int
    megabytes: float


def documents(system: Path, gold: Path, size: int, count: int) -> Iterator[Document]:
    """Yield *count* documents of about *size* variables, which begin at points all over the files.

    Those that would extend beyond the end are left out.
    """
    sides = [read_sentences(path.read_text(encoding="utf-8-sig")) for path in (system, gold)]
    pairs = list(zip(*sides, strict=True))
    variables = [(_variables(left), _variables(right)) for left, right in pairs]
    for number in range(count):
        run = _run_of(variables, number * len(pairs) // count, size)
        if run is not None:
            texts = [join_sentences([*side], len(side)) for side in zip(*pairs[run], strict=True)]
            yield Document(size, *texts)


def _run_of(variables: Sequence[tuple[int, int]], begin: int, size: int) -> slice | None:
    """Return the first sentences from *begin* on that make about *size* variables together."""
    for start in range(begin, len(variables)):
        left = right = 1  # the root of a document
        for end, (system, gold) in enumerate(variables[start:], start + 1):
            left, right = left + system, right + gold
            if max(left, right) > (1 + TOLERANCE) * size:
                break
            if max(left, right) >= (1 - TOLERANCE) * size:
                return slice(start, end)
    return None


def _variables(sentence: Sentence) -> int:
    return len(declared_variables(tokenize(sentence)))


def measured(document: Document, timeout: float) -> Point:
    """Score a document in a fresh process."""
    import resource
    import time
    from unittest.mock import patch

    from exactmatch.metrics.smatch import Smatch
    from exactmatch.scoring.comparison import compare
    from exactmatch.scoring.pair import score_pair
    from exactmatch.scoring.settings import Settings
    from exactmatch.stopping.deadline import Deadline

    metric, settings = Smatch.profiles["default"], Settings(timeout=timeout)
    score_pair(graph_pair(FIRST, FIRST), metric, settings, Deadline())
    pair = graph_pair(document.system, document.gold)
    start = time.process_time()
    # Limits in CPU time, so that other work on the machine leaves no pair open.
    with patch("time.monotonic", time.process_time):
        found = score_pair(pair, metric, settings, Deadline())
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    problem = compare(pair, metric).built(Deadline())
    return Point(
        size=document.size,
        variables=max(problem.n_left, problem.n_right),
        candidates=len(problem.candidates),
        terms=problem.n_terms,
        seconds=seconds,
        certified=found.certified and found.status == "optimal",
        gap=found.matched_upper - found.matched,
        megabytes=peak / (1 << 20 if sys.platform == "darwin" else 1 << 10),
    )


def graph_pair(system: str, gold: str) -> Any:
    from exactmatch.graphs.coupling import couple_graphs
    from exactmatch.graphs.inputs import opened
    from exactmatch.graphs.pairing import GraphPair, read_pair

    with opened(system, "system") as ours, opened(gold, "gold") as theirs:
        graphs = (ours.graphs, theirs.graphs)
        (couple,) = couple_graphs(*graphs, system_name="system", gold_name="gold")
    pair = read_pair(couple, "stop").pair
    assert isinstance(pair, GraphPair)
    return pair


def table(points: Sequence[Point]) -> str:
    """Return a row for each size, in Markdown: the medians that the head names."""
    lines = [
        "| variables | candidates | terms | CPU s | longest | certified | gap | MB at most |",
        "|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for group in by_size(points):
        middle = [
            median(getattr(point, name) for point in group)
            for name in ("variables", "candidates", "terms")
        ]
        seconds = [point.seconds for point in group]
        cells = [
            *(f"{value:.0f}" for value in middle),
            f"{median(seconds):.4f}",
            f"{max(seconds):.4f}",
            f"{sum(point.certified for point in group)} of {len(group)}",
            str(sum(point.gap for point in group)),
            f"{max(point.megabytes for point in group):.0f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def powers(points: Sequence[Point]) -> str:
    """Return the powers of the number of variables that fit medians best, of the larger sizes."""
    groups = [group for group in by_size(points) if group[0].size >= LEAST_FITTED]
    if len(groups) < 2:
        return ""
    sizes = [median(point.variables for point in group) for group in groups]
    found = {
        name: power(sizes, [median(getattr(point, name) for point in group) for group in groups])
        for name in ("terms", "seconds", "megabytes")
    }
    said = ", ".join(f"{name} variables^{value:.2f}" for name, value in found.items())
    return f"\n\nFrom {sizes[0]:.0f} variables on: {said}."


def power(numbers: Sequence[float], values: Sequence[float]) -> float:
    """Return the power of *numbers* that is nearest to *values*, where both are logarithms."""
    from math import log

    return linear_regression([*map(log, numbers)], [*map(log, values)]).slope


def by_size(points: Sequence[Point]) -> list[list[Point]]:
    """Return the points of each requested size."""
    sizes = dict.fromkeys(point.size for point in points)
    return [[point for point in points if point.size == size] for size in sizes]


def plot(points: Sequence[Point], timeout: float, path: Path) -> None:
    """Draw the points as an SVG file: the same bytes for the same points."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    settings: Any = {"svg.hashsalt": "exactmatch", "svg.fonttype": "none", "font.size": 11}
    settings |= {"xtick.labelsize": 9, "ytick.labelsize": 9}  # so that 700 and 1000 stay apart
    with rc_context(settings):
        figure = Figure(figsize=(6.4, 4.4), layout="constrained")
        axes = figure.add_subplot(xscale="log", yscale="log")
        groups = by_size(points)
        axes.plot(
            [median(point.variables for point in group) for group in groups],
            [median(point.seconds for point in group) for group in groups],
            color="0.7",
            label="median",
        )
        for is_checked, marker, colour, label in (
            (True, "o", "#0072b2", "proven, proof checked"),
            (False, "X", "#d55e00", "open"),
        ):
            chosen = [point for point in points if point.certified == is_checked]
            axes.plot(
                [point.variables for point in chosen],
                [point.seconds for point in chosen],
                linestyle="none",
                markersize=8,
                markeredgecolor="white",
                marker=marker,
                color=colour,
                label=label,
            )
        axes.axhline(timeout, color="0.3", linestyle="--", linewidth=1, label="limit")
        sizes = [group[0].size for group in groups]
        axes.xaxis.set_major_locator(FixedLocator(sizes))
        axes.xaxis.set_minor_locator(NullLocator())
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_xlabel("variables of the larger graph")
        axes.set_ylabel("CPU seconds for a pair")
        axes.grid(color="0.9")
        axes.set_axisbelow(True)
        axes.legend(loc="lower right", frameon=False)
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


def against_variables(arguments: argparse.Namespace) -> str:
    """Measure documents, draw them on request, and return their table."""
    points = []
    fresh = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=fresh, max_tasks_per_child=1) as process:
        for size in arguments.sizes:
            for document in documents(arguments.system, arguments.gold, size, arguments.pairs):
                points.append(process.submit(measured, document, arguments.timeout).result())
                print(points[-1], file=sys.stderr)
    if arguments.plot is not None:
        plot(points, arguments.timeout, arguments.plot)
    return table(points) + powers(points)


def against_pairs(arguments: argparse.Namespace) -> str:
    """Measure many sentences, with two workers, and return their table."""
    runs = []
    for count in [1, *arguments.counts]:
        with many_pairs.pairs_of(arguments.system, arguments.gold, count) as files:
            runs.append(many_pairs.measured(files, count, 2))
            print(runs[-1], file=sys.stderr)
    start, *runs = runs
    if len(runs) < 2:
        return many_pairs.table(runs)
    found = power([run.pairs for run in runs], [run.cpu - start.cpu for run in runs])
    memory = power([run.pairs for run in runs], [run.megabytes for run in runs])
    said = f"CPU time without the start of {start.cpu:.2f} s: pairs^{found:.2f}; memory"
    return f"{many_pairs.table(runs)}\n\n{said} pairs^{memory:.2f}."


def against_workers(arguments: argparse.Namespace) -> str:
    """Measure the same sentences with one worker and with several, and return their table."""
    count = sorted(arguments.counts)[len(arguments.counts) // 2]
    with many_pairs.pairs_of(arguments.system, arguments.gold, count) as files:
        runs = [many_pairs.measured(files, count, workers) for workers in (1, 2)]
        if arguments.dask:
            runs.append(many_pairs.measured_on_cluster(files, count, 2))
    is_same = len({run.output for run in runs}) == 1
    same = "All have printed the same." if is_same else "THEY HAVE NOT PRINTED THE SAME."
    return f"{many_pairs.table(runs)}\n\n{same}"


AGAINST = {"variables": against_variables, "pairs": against_pairs, "workers": against_workers}


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("system", metavar="SYSTEM", type=Path)
    parser.add_argument("gold", metavar="GOLD", type=Path)
    parser.add_argument("--against", choices=AGAINST, nargs="+", default=["variables"])
    parser.add_argument(
        "--sizes", metavar="N", type=int, nargs="+", default=SIZES, help="numbers of variables"
    )
    parser.add_argument("--pairs", metavar="N", type=int, default=5, help="of each size (5)")
    parser.add_argument(
        "--timeout", metavar="SECONDS", type=float, default=60.0, help="CPU time for a pair (60)"
    )
    parser.add_argument("--plot", metavar="FILE.svg", type=Path, help="draw them, too")
    parser.add_argument(
        "--counts", metavar="N", type=int, nargs="+", default=COUNTS, help="numbers of pairs"
    )
    parser.add_argument("--dask", action="store_true", help="workers of a Dask cluster, too")
    return parser.parse_args()


def main() -> None:
    """Print the requested tables."""
    arguments = parse_arguments()
    print("\n\n".join(AGAINST[name](arguments) for name in arguments.against))


if __name__ == "__main__":
    main()
