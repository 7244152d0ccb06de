"""Tables of a study as JSON, CSV and Markdown: the same bytes for the same numbers."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

Cell = str | int | float | None

#: Columns that differ from run to run.
TIMES = ("seconds",)


@dataclass(frozen=True)
class Table:
    """Rows under the names of columns; *note* explains them."""

    key: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""

    def markdown(self) -> str:
        """Return the table in GitHub's Markdown; columns without words are set to the right."""
        numbers = [
            all(not isinstance(row[k], str) for row in self.rows) for k in range(len(self.columns))
        ]
        rule = ["---:" if is_number else "---" for is_number in numbers]
        rows = [[shown(cell, name) for cell, name in zip(row, self.columns, strict=True)]
                for row in self.rows]  # fmt: skip
        lines = [f"| {' | '.join(cells)} |" for cells in [list(self.columns), rule, *rows]]
        return "\n".join([f"## {self.title}", "", *lines, *(["", self.note] if self.note else [])])

    def csv(self) -> str:
        """Return the table as comma-separated values."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return text.getvalue()


def shown(cell: Cell, column: str) -> str:
    """Return a cell as people see it."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:.1f}" if column in TIMES else f"{cell:.4f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def write_tables(folder: Path, name: str, tables: Sequence[Table]) -> None:
    """Write *tables* to *folder*: all as JSON and Markdown, and each as CSV."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {
        table.key: [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        for table in tables
    }
    text = "\n\n".join(table.markdown() for table in tables)
    (folder / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", "utf-8")
    (folder / f"{name}.md").write_text(text + "\n", "utf-8")
    for table in tables:
        (folder / f"{name}.{table.key}.csv").write_text(table.csv(), "utf-8")
