"""Print matrices and neighbours: a summary for people and programs, and tables in files."""

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from exactmatch.errors import UsageError
from exactmatch.many.matrix_results import Matrix, NearestGraphs
from exactmatch.report.csv_line import csv_line
from exactmatch.report.json import SCHEMA, run_content
from exactmatch.report.solver_text import idle_solver
from exactmatch.report.text_layout import TextLayout
from exactmatch.report.text_table import Grid
from exactmatch.report.wording import noun
from exactmatch.runtime.output import write_bytes, writing
from exactmatch.scoring.frames import check_parquet

#: The format of a table, by the ending of its file.
MATRIX_ENDINGS = (".npz", ".csv", ".parquet")
NEAREST_ENDINGS = (".csv", ".parquet")

#: The stages that decide a pair, in words.
STAGES_IN_WORDS = {
    "totals": "ruled out by numbers of triples",
    "labels": "ruled out by numbers of labels",
    "dual": "ruled out by a first bound",
    "cover": "small, solved and proven at once",
    "proof": "solved and proven one by one",
    "word": "solved one by one, bounded by the word of a solver alone",
}

#: The columns that a terminal shows, with their titles; those of names are texts.
_FOR_PEOPLE = {
    "query": "query",
    "rank": "rank",
    "neighbour": "neighbour",
    "system": "system",
    "gold": "gold",
    "f1": "F1",
    "f1_upper": "at most",
    "matched": "matched",
    "system_total": "of system",
    "gold_total": "of gold",
}
_NAMES = frozenset({"query", "neighbour", "system", "gold"})


def check_ending(path: Path, endings: Sequence[str]) -> None:
    """Raise `UsageError` if the ending of *path* names no format for tables."""
    if path.suffix.lower() not in endings:
        raise UsageError(f"{path}: expected a name that ends in {', '.join(endings)}")
    check_parquet(path)


def write_table(result: Matrix | NearestGraphs, path: Path) -> None:
    """Write the cells or neighbours to *path*, in the format of its ending.

    Raises `InputError` if that fails.
    """
    if path.suffix.lower() == ".npz":
        assert isinstance(result, Matrix)
        write_bytes(path, _arrays(result))
    elif path.suffix.lower() == ".parquet":
        write_bytes(path, _parquet(result.columns()))
    else:
        with writing(path) as file:
            file.writelines(f"{line}\n" for line in _csv_lines(result.columns()))


def table_text(result: Matrix | NearestGraphs) -> str:
    """Return the cells or neighbours as comma-separated values, after RFC 4180."""
    return "\n".join(_csv_lines(result.columns()))


def table_for_people(result: Matrix | NearestGraphs) -> TextLayout:
    """Return the names and scores of the cells or neighbours, for a terminal."""
    columns = result.columns()
    titles = {name: title for name, title in _FOR_PEOPLE.items() if name in columns}
    cells = [[_shown(cell) for cell in columns[name]] for name in titles]
    texts = [name in _NAMES for name in titles]
    grid = Grid([*titles.values()], [*zip(*cells, strict=True)], texts, "--output FILE.csv")
    return TextLayout([grid])


def _shown(cell: Any) -> str:
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


def summary_text(result: Matrix | NearestGraphs, sign: Callable[[str], str] = str) -> TextLayout:
    """Return a summary: sizes, how many pairs each stage decided, the signature by *sign*."""
    lines = [*idle_solver(result.solver), _size(result)]
    width = max(len(f"{count:,}") for count in [result.pairs, *result.stages.values()])
    lines.append(f"{result.pairs:>{width},} {noun(result.pairs, 'pair')}, of these")
    lines += [
        f"{count:>{width},} {STAGES_IN_WORDS[stage]}"
        for stage, count in result.stages.items()
        if count
    ]
    if result.open:
        lines.append(f"not proven: {result.open} {_unit(result)}")
    if result.skipped:
        lines.append(f"graphs skipped: {result.skipped}")
    if result.mended:
        lines.append(f"repairs of graphs, or replacements: {result.mended}")
    return TextLayout([*lines, sign(result.signature)])


def summary_json(result: Matrix | NearestGraphs) -> str:
    """Return the summary as one JSON object."""
    sizes: dict[str, Any]
    if isinstance(result, Matrix):
        sizes = {
            "system_graphs": len(result.system_ids),
            "gold_graphs": len(result.gold_ids),
            "symmetric": result.is_symmetric,
            "at_least": result.at_least,
            "cells": len(result.row),
        }
    else:
        sizes = {"queries": len(result.query_ids), "corpus": len(result.corpus_ids)}
    content = {
        "schema": SCHEMA,
        "metric": result.metric.name,
        "signature": result.signature,
        **sizes,
        "pairs": result.pairs,
        "stages": dict(result.stages),
        "open": result.open,
        "skipped": result.skipped,
        "seconds": round(result.seconds, 3),
        **run_content(result.solver),
    }
    if result.mended:
        content["mended"] = result.mended
    return json.dumps(content, indent=2)


def _size(result: Matrix | NearestGraphs) -> str:
    if isinstance(result, NearestGraphs):
        queries, graphs = len(result.query_ids), len(result.corpus_ids)
        return (
            f"{queries:,} {noun(queries, 'query', 'queries')}, "
            f"{graphs:,} {noun(graphs, 'graph')} in the corpus"
        )
    size = f"{len(result.system_ids):,} x {len(result.gold_ids):,} graphs"
    if result.at_least is None:
        return size
    return f"{size}, {len(result.row):,} cells of an F1 that may reach {result.at_least}"


def _unit(result: Matrix | NearestGraphs) -> str:
    return "cells" if isinstance(result, Matrix) else "queries"


def _csv_lines(columns: Mapping[str, list[Any]]) -> Iterator[str]:
    yield csv_line(columns)
    yield from map(csv_line, zip(*columns.values(), strict=True))


def _arrays(matrix: Matrix) -> bytes:
    """Return the matrix for numpy: in two dimensions, or by cell if not all pairs are cells."""
    import numpy as np

    figures = ("matched", "upper", "f1")
    if matrix.at_least is None:
        arrays = {name: matrix.dense(name) for name in figures}
    else:
        arrays = {name: getattr(matrix, name) for name in ("row", "column", *figures)}
    file = io.BytesIO()
    np.savez_compressed(
        file,
        allow_pickle=False,
        system_ids=np.array(matrix.system_ids, dtype=np.str_),
        gold_ids=np.array(matrix.gold_ids, dtype=np.str_),
        system_totals=matrix.system_totals,
        gold_totals=matrix.gold_totals,
        signature=np.array(matrix.signature),
        **arrays,
    )
    return file.getvalue()


def _parquet(columns: Mapping[str, list[Any]]) -> bytes:
    import pyarrow
    from pyarrow.parquet import write_table as write

    file = io.BytesIO()
    write(pyarrow.table(dict(columns)), file)
    return file.getvalue()
