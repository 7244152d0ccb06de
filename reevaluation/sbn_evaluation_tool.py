"""DRSs of wangchunliu/SBN-evaluation-tool as graphs in PENMAN, scored exactly.

    python reevaluation/sbn_evaluation_tool.py CLONE --output FOLDER

The repository (MIT, in 1.evaluation-tool-overall) has ten pairs, twice each, with the scores that
its program printed: strict, and lenient, which ignores senses.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from digests import checked
from rescoring import TRACES, Workshop
from result_tables import Cell, Table, write_tables
from study_arguments import study_parser

import exactmatch

_RESULTS = "1.evaluation-tool-overall/results"
_COLUMNS = {"strict": "f1", "lenient": "f1_lenient"}


def published(results: Path, kind: str) -> dict[str, float]:
    """Return the F1 that smatch.scores tells of each pair that has one."""
    with (results / "smatch.scores").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    column = _COLUMNS[kind]
    return {row["pmb_id"]: float(row[column]) for row in rows if row[column]}


def there(results: Path, kind: str, pairs: Iterator[str]) -> dict[str, tuple[str, str]]:
    """Return the graphs of the pairs whose files are in the repository: system and gold."""
    found = {}
    for pair in pairs:
        files = [results / pair / f"en.{side}.{kind}.penman" for side in ("test", "gold")]
        if all(file.exists() for file in files):
            system, gold = (closed(file.read_text("utf-8").strip()) for file in files)
            found[pair] = (system, gold)
    return found


def closed(graph: str) -> str:
    """Return *graph* with the missing parentheses at its end, as smatch reads it.

    The lenient files lack the parentheses that close constants.
    """
    plain = re.sub(r'"[^"]*"', "", graph)
    return graph + ")" * (plain.count("(") - plain.count(")"))


def main() -> None:
    """Write the tables."""
    asked = study_parser(__doc__, "clone").parse_args()
    checked(asked.clone, "sbn_evaluation_tool")
    metric = exactmatch.metric("smatch", profile="smatch-1.0.4")
    workshop = Workshop(folder=asked.output / "sbn_evaluation_tool", workers=asked.workers)
    results = asked.clone / _RESULTS
    rows: list[list[Cell]] = []
    proofs: list[list[Cell]] = []
    for kind in _COLUMNS:
        scores = published(results, kind)
        graphs = there(results, kind, iter(scores))
        files = [
            workshop.written(
                f"{kind}.{side}.amr", "\n\n".join(g[k] for g in graphs.values()) + "\n"
            )
            for k, side in enumerate(("system", "gold"))
        ]
        run = workshop.rescore(kind, files[0], files[1], metric)
        for pair, row in zip(graphs, run.rows, strict=True):
            rows.append([kind, pair, scores[pair], row.f1, row.f1 - scores[pair],
                         "yes" if row.matched == row.upper else "no"])  # fmt: skip
        proofs.append([kind, len(scores), len(run.rows), run.proven, run.certified, *run.traces])
    columns = ["kind", "published pairs", "pairs there", "proven", "certified", *TRACES]
    tables = [
        Table("files", "What is there", columns, proofs),
        Table(
            "pairs", "Pairs", ["kind", "pair", "published", "exact", "difference", "proven"], rows
        ),
    ]
    write_tables(asked.output, "sbn_evaluation_tool", tables)


if __name__ == "__main__":
    main()
