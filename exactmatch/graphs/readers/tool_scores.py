"""Read the scores that other scorers claim: the matched triples of each pair.

The reader understands

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
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike
from typing import Any

from exactmatch.errors import InputError
from exactmatch.graphs.paths import shown_path
from exactmatch.graphs.readers.graph_lines import holds_graphs
from exactmatch.graphs.readers.source import LONGEST_LINE, fraction, read_lines, source_name

#: Any other tool.
OTHER = "other"
TOOLS = ("smatch", "smatchpp", "mtool", "counter", OTHER)

#: What a score has to say, for messages.
_NEEDED = (
    "give the number of matched triples of each pair ('matched') and, if known, of both its graphs "
    "('system_triples', 'gold_triples')"
)
#: Names of ratios, which alone do not tell the number of matched triples.
_RATIOS = frozenset({"p", "r", "f", "f1", "precision", "recall", "fscore", "fmeasure", "score"})

#: The names here of Counter's columns.
_COLUMNS = {"produced_clauses": "system_triples", "gold_clauses": "gold_triples"}
_F_SCORE = "F-score:"


@dataclass(frozen=True, slots=True)
class ToolPair:
    """The claims of a tool about a pair.

    claims: by the name of the run, the matched triples, or an F1 as printed.
    totals: the triples of both sides, if the tool reports them.
    """

    identifier: str | None
    claims: Mapping[str, int | str]
    totals: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class ToolScores:
    """The pairs of a file that a tool wrote, in order; *digest* is its SHA-256.

    *tool* is one of `TOOLS`.
    """

    tool: str
    path: str
    digest: str
    pairs: tuple[ToolPair, ...]

    @property
    def source(self) -> str:
        """The name of the tool, or of the file of an unknown tool."""
        return shown_path(self.path) if self.tool == OTHER else self.tool


def read_tool_scores(path: str | PathLike[str], tool: str) -> ToolScores:
    """Read the file of *tool*. Raises `InputError` for a file that is not understood."""
    name, whole = source_name(path), sha256()
    try:
        lines = read_lines(path, watch=whole.update, longest=LONGEST_LINE)
    except InputError as error:
        if not _is_number(name):
            raise
        said = f"{error}; write a published score to a file, on a line such as 'F-score: {name}'"
        raise InputError(said) from error
    try:
        text = lines.whole().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 text") from error
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
        whose = "" if tool == OTHER else f" of {tool}"
        raise InputError(f"{name}: these are no scores{whose}: {error}") from error
    if not pairs and holds_graphs(text.encode().splitlines()):
        raise InputError(
            f"{name}: holds graphs; expected the scores that a tool has written for them"
        )
    if not pairs:
        raise InputError(
            f"{name}: holds no score of a pair; {_NEEDED}, as JSON, or "
            "one published score, on a line such as 'F-score: 0.80'"
        )
    return ToolScores(tool, name, whole.hexdigest(), pairs)


def _is_number(name: str) -> bool:
    try:
        fraction(name)
    except (ValueError, ZeroDivisionError):
        return False
    return True


def _from_text(text: str) -> Iterator[ToolPair]:
    for line in text.splitlines():
        if line.strip().startswith(_F_SCORE):
            value = line.split(":", 1)[1].strip()
            fraction(value)  # raises for other text, and for nan
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
    if _has_ratios_alone(content):
        raise ValueError(f"only ratios; {_NEEDED}")
    if not (isinstance(content, dict) and isinstance(content.get("pairs"), list)):
        raise ValueError("expected an object with a list of pairs, or with scores by item")
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
        return f"{error.args[0]} is missing"
    if isinstance(error, ValueError):
        return str(error)
    return "expected an object of numbers of triples"


def _has_ratios_alone(row: object) -> bool:
    """Tell whether an object has precision, recall or F1, and no counts."""
    if not isinstance(row, dict) or {"matched", "matched_runs", "pairs"} & row.keys():
        return False
    return any(re.sub(r"[\W_]", "", str(key)).lower() in _RATIOS for key in row)


def _pair(row: Mapping[str, Any]) -> ToolPair:
    if _has_ratios_alone(row):
        raise ValueError(f"only ratios; {_NEEDED}")
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
    """Return a whole number; tools also write it as 4.0. Raises `ValueError` for any other."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value != int(value) or value < 0:
        raise ValueError(f"{value!r} is no number of triples")
    return int(value)
