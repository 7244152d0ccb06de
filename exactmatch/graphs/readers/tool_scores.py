"""What other scorers claim: the matched triples of each pair, from the files that they write.

Understood are

* JSON with a list of ``pairs``, each an object with ``matched`` or, for several runs,
  ``matched_runs``, and if known ``id``, ``system_triples`` (or ``test_triples``), ``gold_triples``
  and ``objective`` (what the tool says it has optimised), or a list whose ``columns`` are named in
  the file;
* such objects one a line;
* JSON of mtool (``--trace``): items with ``g``, ``s`` and ``c``, or such counts by kind;
* text of smatch (``--ms``): the F-score of each pair, as it is rounded there.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from exactmatch.errors import InputError
from exactmatch.graphs.readers.graph_lines import holds_graphs
from exactmatch.graphs.readers.source import LONGEST_LINE, fraction, read_lines, source_name

TOOLS = ("smatch", "smatchpp", "mtool", "counter")

#: What the columns of Counter are called here.
_COLUMNS = {"produced_clauses": "system_triples", "gold_clauses": "gold_triples"}
_F_SCORE = "F-score:"


@dataclass(frozen=True, slots=True)
class ToolPair:
    """What a tool says of a pair.

    claims: by the name of the run, matched triples, or an F1 as printed.
    totals: triples of both sides, if the tool tells them.
    """

    identifier: str | None
    claims: Mapping[str, int | str]
    totals: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class ToolScores:
    """The pairs of a file that a tool wrote, in order; *digest* is the SHA-256 of its
    lines.

    *tool* is one of `TOOLS`.
    """

    tool: str
    path: str
    digest: str
    pairs: tuple[ToolPair, ...]


def read_tool_scores(path: str | PathLike[str], tool: str) -> ToolScores:
    """Read what *tool* wrote. Raises `InputError` for a file that is none of what is understood."""
    name = source_name(path)
    lines = read_lines(path, longest=LONGEST_LINE)
    try:
        text = lines.whole().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not a text in UTF-8") from error
    is_json = text.lstrip().startswith(("{", "["))
    try:
        pairs = tuple(_from_json(text) if is_json else _from_text(text))
    except (
        ArithmeticError,
        AttributeError,
        KeyError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise InputError(f"{name}: not scores of {tool}: {error}") from error
    if not pairs and holds_graphs(text.encode().splitlines()):
        raise InputError(f"{name}: graphs; this has to be what a tool has written as their scores")
    if not pairs:
        raise InputError(f"{name}: no score of a pair in it")
    return ToolScores(tool, name, lines.digest(), pairs)


def _from_text(text: str) -> Iterator[ToolPair]:
    for line in text.splitlines():
        if line.strip().startswith(_F_SCORE):
            value = line.split(":", 1)[1].strip()
            fraction(value)  # raises for what is no number, and for nan
            if "/" in value:
                raise ValueError(f"{value} is no decimal")
            yield ToolPair(None, {"run 1": value}, None)


def _from_json(text: str) -> Iterator[ToolPair]:
    try:
        content = json.loads(text)
    except json.JSONDecodeError:
        content = {"pairs": [json.loads(line) for line in text.splitlines() if line.strip()]}
    if isinstance(content, dict) and isinstance(content.get("scores"), dict):
        yield from _from_trace(content["scores"])
        return
    if not (isinstance(content, dict) and isinstance(content.get("pairs"), list)):
        raise ValueError("an object with a list of pairs, or with scores by item, is expected")
    columns = [_COLUMNS.get(column, column) for column in content.get("columns", ())]
    for number, row in enumerate(content["pairs"], start=1):
        try:
            yield _pair(_named(columns, row) if isinstance(row, list) else row)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise ValueError(f"pair {number}: {_reason(error)}") from error


def _named(columns: list[str], row: list[Any]) -> dict[str, Any]:
    if len(row) != len(columns):
        raise ValueError(f"{len(row)} numbers, but there are {len(columns)} columns")
    return dict(zip(columns, row, strict=True))


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"there is no {error.args[0]}"
    if isinstance(error, ValueError):
        return str(error)
    return "not an object of numbers of triples"


def _pair(row: Mapping[str, Any]) -> ToolPair:
    runs = row["matched_runs"] if "matched_runs" in row else [row["matched"]]
    claims = {f"run {number}": _whole(value) for number, value in enumerate(runs, start=1)}
    if "objective" in row:
        claims["objective"] = _whole(row["objective"])
    totals = None
    system = row.get("system_triples", row.get("test_triples"))
    if system is not None and "gold_triples" in row:
        totals = (_whole(system), _whole(row["gold_triples"]))
    identifier = row.get("id")
    return ToolPair(None if identifier is None else str(identifier), claims, totals)


def _from_trace(scores: Mapping[str, Any], group: str = "") -> Iterator[ToolPair]:
    """Read the trace of mtool: items, or items by framework, with counts, or counts by kind.

    With a framework, identifiers are those of our reader of MRP graphs (``eds/20001001``).
    """
    for key, entry in scores.items():
        name = group + key
        kinds = [entry] if "c" in entry else [k for k in entry.values() if isinstance(k, dict)]
        if all("c" in kind for kind in kinds):
            gold, system, matched = (sum(_whole(kind[key]) for kind in kinds) for key in "gsc")
            yield ToolPair(name, {"run 1": matched}, (system, gold))
        else:
            yield from _from_trace(entry, f"{name}/")


def _whole(value: Any) -> int:
    """Return a whole number; tools write them as 4.0 too. Raises `ValueError` for any other."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value != int(value) or value < 0:
        raise ValueError(f"{value!r} is no number of triples")
    return int(value)
