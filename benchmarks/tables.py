"""The tables of compare.py, in Markdown."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from processes import Command
from seconds import Seconds
from tools import SMATCH, SMATCHPP, Pair, Tool

#: The clocks, as columns call them.
CLOCKS = {"CPU": "cpu", "wall clock": "wall"}


class Corpus(NamedTuple):
    """Pairs with their name in tables, and the results of the tools, ours first."""

    name: str
    tools: list[Tool]

    @property
    def ours(self) -> Tool:
        """The tool that all others are compared with."""
        return self.tools[0]

    def tool(self, name: str) -> Tool:
        """Return a tool by its name."""
        return next(tool for tool in self.tools if tool.name == name)


def report(corpora: Sequence[Corpus], context: Sequence[str]) -> str:
    """Return all tables with their explanations."""
    parts = [
        "# exactmatch, smatch and smatch++ on the same files",
        "\n".join(f"* {line}" for line in context),
        "## Whole processes",
        "Start, reading, scoring and output, by each tool's own command line: seconds of "
        "exactmatch, and how many times as long the others took.",
        overview(corpora, _whole, corpora[0].tools),
        "## From triples",
        "The same for all pairs together, without start and reading, on the pairs that both "
        "tools scored.",
        overview(corpora, _from_triples, [tool for tool in corpora[0].tools if tool.single]),
        *(part for corpus in corpora for part in _details(corpus)),
    ]
    return "\n\n".join(parts)


def _details(corpus: Corpus) -> Iterator[str]:
    first = [pair for pair in corpus.ours.runs[0] if pair]
    proven = sum(pair.matched == pair.upper for pair in first)
    yield f"## {corpus.name[0].upper()}{corpus.name[1:]}"
    yield f"exactmatch proved the optimum of {proven} of {len(first)} pairs."
    yield "### Time of the whole process"
    yield whole_table(corpus)
    yield "### Time per pair, from triples"
    yield "CPU time. A pair counts with the median of its runs; ratios are on the same pairs."
    yield pair_table(corpus)
    yield "### Quality of smatch"
    yield quality_table(corpus.tool(SMATCH), corpus.ours)
    yield "### smatch++ by its own rules"
    yield "It counts other triples than Smatch, so these numbers compare with no others here."
    yield own_table(corpus.tool(SMATCHPP))


def table(head: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1) -> str:
    """Return a Markdown table; the first columns hold *words*, the others numbers."""
    rule = [*["---"] * words, *["---:"] * (len(head) - words)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [head, rule, *rows])


def ratio(theirs: float, ours: float) -> str:
    """Return the time of a tool as a multiple of ours."""
    if not ours:
        return "-"
    times = theirs / ours
    return f"{times:.2f}" if times < 10 else f"{times:.1f}" if times < 100 else f"{times:.0f}"


#: The cell of a tool for a clock and a corpus: seconds for ours, multiples for others.
_Cell = Callable[[Corpus, Tool, str], str]


def overview(corpora: Sequence[Corpus], cell: _Cell, tools: Sequence[Tool]) -> str:
    """Return our seconds for each corpus, and the times of others as multiples."""
    rows = [
        [corpus.name, title, *(cell(corpus, corpus.tool(tool.name), clock) for tool in tools)]
        for corpus in corpora
        for title, clock in CLOCKS.items()
    ]
    ours, *others = [tool.name for tool in tools]
    return table(["pairs", "clock", f"{ours}, s", *others], rows, words=2)


def _whole(corpus: Corpus, tool: Tool, clock: str) -> str:
    if not tool.whole.times:
        return "-"
    theirs, ours = (
        statistics.median(by_clock(each.whole.times, clock)) for each in (tool, corpus.ours)
    )
    return f"{ours:.2f}" if tool is corpus.ours else _at_least(tool.whole) + ratio(theirs, ours)


def _from_triples(corpus: Corpus, tool: Tool, clock: str) -> str:
    theirs, base = pair_seconds(tool, clock), pair_seconds(corpus.ours, clock)
    shared = theirs.keys() & base.keys()
    ours = sum(base[i] for i in shared)
    if tool is corpus.ours:
        return f"{ours:.2f}"
    missing = f" ({len(shared)} of {len(base)} pairs)" if len(shared) < len(base) else ""
    return ratio(sum(theirs[i] for i in shared), ours) + missing if shared else "-"


def _at_least(command: Command) -> str:
    return "> " if command.stopped else ""


def by_clock(times: Sequence[Seconds], clock: str) -> list[float]:
    """Return the times of one clock."""
    return [getattr(seconds, clock) for seconds in times]


def whole_table(corpus: Corpus) -> str:
    """Return the table of whole processes."""
    head = ["tool"]
    for title in CLOCKS:
        head += [f"{title} s", "fastest", "slowest", "ratio"]
    rows = [[_named(tool, tool.whole), *_whole_cells(corpus, tool)] for tool in corpus.tools]
    return table(head, rows)


def _named(tool: Tool, command: Command) -> str:
    return f"{tool.name} ({command.trouble})" if command.trouble else tool.name


def _whole_cells(corpus: Corpus, tool: Tool) -> Iterator[str]:
    for clock in CLOCKS.values():
        times = by_clock(tool.whole.times, clock)
        if not times:
            yield from ["-"] * 4
            continue
        ours = statistics.median(by_clock(corpus.ours.whole.times, clock))
        theirs = statistics.median(times)
        sign = _at_least(tool.whole)
        yield from (f"{sign}{value:.2f}" for value in (theirs, min(times), max(times)))
        yield sign + ratio(theirs, ours)


def percentile_95(values: Sequence[float]) -> float:
    """Return the smallest value that 95 percent of the values do not exceed."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]


MEASURES: dict[str, Callable[[Sequence[float]], float]] = {
    "sum": sum,
    "median": statistics.median,
    "p95": percentile_95,
    "max": max,
}


def pair_table(corpus: Corpus) -> str:
    """Return the table of times per pair."""
    head = ["tool", "pairs", "not scored"]
    head += [column for name in MEASURES for column in (f"{name} ms", "ratio")]
    rows = [
        [_named(tool, tool.single), *pair_cells(tool, corpus.ours)]
        for tool in corpus.tools
        if tool.single is not None
    ]
    return table(head, rows)


def pair_cells(tool: Tool, ours: Tool) -> list[str]:
    """Return the text after the name of a tool in the table of times per pair."""
    theirs, base = pair_seconds(tool, "cpu"), pair_seconds(ours, "cpu")
    shared = sorted(theirs.keys() & base.keys())
    if not shared:
        return ["0", *["-"] * (1 + 2 * len(MEASURES))]
    cells = [str(len(shared)), str(len(ours.runs[0]) - len(theirs))]
    for measure in MEASURES.values():
        # Compared with our time on the same pairs, so that a failure makes no tool look faster.
        value = measure([theirs[i] for i in shared])
        cells += [f"{1000 * value:.2f}", ratio(value, measure([base[i] for i in shared]))]
    return cells


def pair_seconds(tool: Tool, clock: str) -> dict[int, float]:
    """Return the median time of each pair over the runs in which it was scored."""
    times: dict[int, list[Seconds]] = {}
    for run in tool.runs:
        for position, pair in enumerate(run):
            if pair:
                times.setdefault(position, []).append(pair.seconds)
    return {i: statistics.median(by_clock(found, clock)) for i, found in times.items()}


def f1(pairs: Sequence[Pair]) -> float:
    """Return the F1 of a corpus, which is 0 if there are no triples."""
    total = sum(pair.system_total + pair.gold_total for pair in pairs)
    return 2 * sum(pair.matched for pair in pairs) / total if total else 0.0


def quality_table(rival: Tool, ours: Tool) -> str:
    """Return the table of smatch's results compared with the proven ones, run by run."""
    if not rival.runs:
        return no_result(rival)
    head = ["run", "pairs", "totals differ", "compared", "below optimum", "triples lost"]
    head += ["above upper bound", "above ours, unproven"]
    head += [f"F1 {rival.name}", f"F1 {ours.name}"]
    rows = [
        [str(number), *quality_cells(run, ours.runs[0])]
        for number, run in enumerate(rival.runs, start=1)
    ]
    return table(head, rows)


def no_result(rival: Tool) -> str:
    """Return why a table is missing."""
    return f"{rival.name}: no result ({rival.single.trouble if rival.single else ''})."


def quality_cells(theirs: list[Pair | None], ours: list[Pair | None]) -> list[str]:
    """Return the cells of one run in the quality table."""
    both = [(x, y) for x, y in zip(theirs, ours, strict=True) if x and y]
    # Matches can be compared only where both tools read the same number of triples.
    same = [(x, y) for x, y in both if totals(x) == totals(y)]
    # A mapping that we found exists, proven best or not, so a tool that found less is below the
    # optimum.
    lost = [y.matched - x.matched for x, y in same if x.matched < y.matched]
    impossible = sum(x.matched > y.upper for x, y in same)
    better = sum(y.matched < x.matched <= y.upper for x, y in same)
    counts = [len(both), len(both) - len(same), len(same), len(lost), sum(lost)]
    scores = [f1([x for x, _ in same]), f1([y for _, y in same])]
    return [
        *(str(count) for count in [*counts, impossible, better]),
        *(f"{score:.6f}" for score in scores),
    ]


def totals(pair: Pair) -> tuple[int, int]:
    """Return the numbers of triples of both graphs."""
    return pair.system_total, pair.gold_total


def own_table(rival: Tool) -> str:
    """Return the table of smatch++'s results by its own rules."""
    if not rival.runs:
        return no_result(rival)
    rows = []
    for number, run in enumerate(rival.runs, start=1):
        pairs = [pair for pair in run if pair]
        matched = sum(pair.matched for pair in pairs)
        system = sum(pair.system_total for pair in pairs)
        gold = sum(pair.gold_total for pair in pairs)
        counts = [number, len(pairs), len(run) - len(pairs), matched, system, gold]
        rows.append([*map(str, counts), f"{f1(pairs):.6f}"])
    head = ["run", "pairs", "not scored", "matched", "system triples", "gold triples", "F1"]
    return table(head, rows)
