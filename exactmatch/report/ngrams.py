"""Lay out the n-grams of a pair: as text, as JSON, and their graphs as a drawing for Graphviz."""

from collections.abc import Iterator, Sequence
from typing import Any

from exactmatch.metrics.labelled_graph import LabelledGraph, Path, Step
from exactmatch.metrics.ngrams import NGram, NGramList
from exactmatch.report.text_layout import Part, TextLayout
from exactmatch.report.text_table import Grid
from exactmatch.report.wording import counted

#: The titles of the columns of numbers.
_NUMBERS = ("matched", "of system", "of gold")


def ngrams_layout(found: NGramList, rows: int) -> TextLayout:
    """Return the n-grams, a table of up to *rows* rows for each order."""
    parts: list[Part] = []
    for order, ngrams in enumerate(found.orders, start=1):
        total = (sum(numbers) for numbers in zip(*map(_numbers, ngrams), strict=True))
        cells = [["all", *map(str, total)]] if ngrams else []
        cells += [[_arrows(one.path), *map(str, _numbers(one))] for one in ngrams[:rows]]
        titles = (f"{order}-grams", *_NUMBERS)
        parts += [Grid(titles, cells, (True, False, False, False), "--format json"), ""]
        if len(ngrams) > rows:
            parts += [f"and {counted(len(ngrams) - rows, f'more {order}-gram')}; see --rows", ""]
    return TextLayout(parts[:-1])


def _numbers(ngram: NGram) -> tuple[int, int, int]:
    return ngram.matched, ngram.system, ngram.gold


def _arrows(path: Path) -> str:
    """Return a path in one line: a word for each node, an arrow for each step."""
    steps = zip(path[1::2], path[2::2], strict=True)
    arrows = (f" -{label.removeprefix(':')}-> {node}" for label, node in steps)
    return "".join((path[0], *arrows))


def ngrams_json(found: NGramList) -> str:
    """Return the n-grams and their graphs as one line of JSON."""
    import json

    content = {
        "orders": [[_content(one) for one in ngrams] for ngrams in found.orders],
        "system": _graph(found.system),
        "gold": _graph(found.gold),
    }
    return json.dumps(content)


def _content(ngram: NGram) -> dict[str, Any]:
    matched, system, gold = _numbers(ngram)
    return {"path": ngram.path, "matched": matched, "system": system, "gold": gold}


def _graph(graph: LabelledGraph) -> dict[str, Any]:
    steps = [[step.start, step.label, step.end, step.edge] for step in graph.steps]
    return {"labels": [*graph.labels], "steps": steps}


def ngrams_dot(found: NGramList) -> str:
    """Return both graphs side by side, in the language of Graphviz.

    An edge that goes both ways under one label is one line with two heads, drawn in red.
    """
    lines = ["digraph {"]
    for name, graph in (("system", found.system), ("gold", found.gold)):
        lines += [f"  subgraph cluster_{name} {{", f"    label={name}"]
        lines += (f"    {name}{i} [label={_quoted(text)}]" for i, text in enumerate(graph.labels))
        lines += (f"    {line}" for line in _lines(name, graph.steps))
        lines.append("  }")
    return "\n".join([*lines, "}"])


def _lines(name: str, steps: Sequence[Step]) -> Iterator[str]:
    """Yield a line for each step, or for two steps along one edge under one label."""
    by_edge: dict[tuple[int, str], list[Step]] = {}
    for step in steps:
        by_edge.setdefault((step.edge, step.label), []).append(step)
    for (_, label), (first, *back) in by_edge.items():
        both = ", dir=both, color=red" if back else ""
        yield f"{name}{first.start} -> {name}{first.end} [label={_quoted(label)}{both}]"


def _quoted(text: str) -> str:
    """Return *text* as a string of Graphviz, whose own escapes begin with a backslash."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
