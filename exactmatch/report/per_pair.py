"""Files with a row for each pair: JSON lines, CSV or Parquet, by the ending of the name."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from exactmatch.errors import InputError
from exactmatch.graphs.pairing import GraphPair, Skipped
from exactmatch.metrics.base import Measurement, Metric, Statistics
from exactmatch.report.csv_line import csv_line
from exactmatch.report.json import pair_content, pair_json
from exactmatch.runtime.output import writing
from exactmatch.scoring.corpus import Output
from exactmatch.scoring.frames import check_parquet
from exactmatch.scoring.results import PairScore

#: Columns that are no real numbers. Nested values, such as ``mapping``, are JSON text.
_TYPES = {
    **dict.fromkeys(("matched", "upper", "system_total", "gold_total", "mended"), "int64"),
    **dict.fromkeys(("timed_out", "too_large", "emptied", "noted"), "bool"),
    **dict.fromkeys(("certified", "confirmed", "mapping_defined"), "bool"),
    **dict.fromkeys(("id", "status", "score_name", "solver"), "string"),
    **dict.fromkeys(("mapping", "breakdown", "framework"), "string"),
    **dict.fromkeys(("subscores", "sentences", "given", "own"), "string"),
}
#: The number of pairs in a row group of Parquet; no more are held in memory.
_ROWS = 10_000


def per_pair_output(
    path: Path, metric: Metric, *, with_seconds: bool = True, further: Sequence[str] = ()
) -> Output:
    """Return the output that writes the results of pairs by *metric* to *path*.

    The file is CSV or Parquet if its name ends so, otherwise JSON lines. *further* are columns of
    tables that were asked for. Raises as `check_parquet` does.
    """
    check_parquet(path)
    ending = path.suffix.lower()
    columns = [*_columns(metric), *further]
    if ending == ".csv":
        line = partial(_csv_line, columns, with_seconds)
        return Output("per-pair", path, line, partial(_csv, columns))
    as_json = partial(_json_line, with_seconds)
    if ending == ".parquet":
        return Output("per-pair", path, as_json, partial(_parquet, columns))
    return Output("per-pair", path, as_json)


def _columns(metric: Metric) -> Sequence[str]:
    """Return the keys of the JSON lines of *metric*, and those that not all lines have."""
    empty = PairScore.of("", metric, Measurement(Statistics()), seconds=0.0)
    return [*dict.fromkeys([*pair_content(empty), "breakdown", "framework"])]


def _json_line(with_seconds: bool, pair: GraphPair | Skipped, score: PairScore) -> str:
    return pair_json(score, with_seconds=with_seconds)


def _csv_line(
    columns: Sequence[str], with_seconds: bool, pair: GraphPair | Skipped, score: PairScore
) -> str:
    content = pair_content(score, with_seconds=with_seconds)
    return csv_line([_csv_cell(content.get(column)) for column in columns])


def _csv_cell(value: Any) -> str:
    """Return a value as text: nothing for None, texts unchanged, and JSON for others."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


@contextmanager
def _csv(columns: Sequence[str], path: Path) -> Iterator[Callable[[str], object]]:
    with writing(path) as file:
        file.write(f"{csv_line(columns)}\n")
        yield file.write


@contextmanager
def _parquet(columns: Sequence[str], path: Path) -> Iterator[Callable[[str], object]]:
    """Yield a function that writes a JSON line as a row; the file is always readable."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    types = [(name, _TYPES.get(name, "float64")) for name in columns]
    schema = pyarrow.schema([(name, pyarrow.type_for_alias(alias)) for name, alias in types])
    rows: list[dict[str, Any]] = []

    def flush() -> None:
        taken, rows[:] = rows[:], []
        table = {name: [_plain(row.get(name)) for row in taken] for name in columns}
        with _errors_about(path):
            writer.write_table(pyarrow.table(table, schema), row_group_size=_ROWS)

    def write(line: str) -> None:
        rows.append(json.loads(line))
        if len(rows) == _ROWS:
            flush()

    with writing(path) as file:
        with _errors_about(path):
            writer = ParquetWriter(file.buffer, schema)
        try:
            yield write
        finally:
            if rows:
                flush()
            with _errors_about(path):
                writer.close()


@contextmanager
def _errors_about(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from error


def _plain(value: Any) -> Any:
    return json.dumps(value) if isinstance(value, list | dict) else value
