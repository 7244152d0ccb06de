"""Tables of reports as comma-separated values, and as records for programs."""

import csv
from io import StringIO

from exactmatch.report.document import Table

#: Digits after the point in JSON and CSV: further digits would differ between machines.
_DIGITS = 12


def table_csv(table: Table) -> str:
    """Return *table* as comma-separated values, after RFC 4180 but with plain line feeds."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.key for column in table.columns])
    for record in records(table):
        writer.writerow(record.values())
    return text.getvalue()


def records(table: Table) -> list[dict[str, str | int | float | None]]:
    """Return the rows of *table* as objects with the columns' keys."""
    keys = [column.key for column in table.columns]
    return [
        {
            key: round(cell, _DIGITS) if isinstance(cell, float) else cell
            for key, cell in zip(keys, row, strict=True)
        }
        for row in table.rows
    ]
