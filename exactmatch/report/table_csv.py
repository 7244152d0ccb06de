"""Tables of reports as comma-separated values, and as records for programs."""

from exactmatch.report.csv_line import csv_line
from exactmatch.report.document import Table

#: Digits after the point in JSON and CSV: further digits would differ between machines.
_DIGITS = 12


def table_csv(table: Table) -> str:
    """Return *table* as comma-separated values, after RFC 4180 but with plain line feeds."""
    keys = [column.key for column in table.columns]
    lines = [keys, *(record.values() for record in records(table))]
    return "".join(f"{csv_line(cells)}\n" for cells in lines)


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
