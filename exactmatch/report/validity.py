"""Faults of graphs as text, as JSON, and as a table beside scores."""

import json
from collections.abc import Sequence
from typing import Any

from exactmatch.errors import FileError, GraphError
from exactmatch.report.document import NOTHING, Column, Rows, Table
from exactmatch.report.json import SCHEMA
from exactmatch.report.text_layout import TextLayout
from exactmatch.report.text_table import Grid
from exactmatch.runtime.harmless import harmless
from exactmatch.scoring.validity.checks import Fault
from exactmatch.scoring.validity.file_faults import FileValidity
from exactmatch.scoring.validity.kinds import KINDS


def validity_text(files: Sequence[FileValidity]) -> TextLayout:
    """Return the faults, one a line, and the number of each kind in each file."""
    lines = []
    for file in files:
        lines += [_line(fault) for fault in file.faults]
        more = file.found - len(file.faults)
        if more and file.faults:
            lines.append(f"{file.name}: {more} more")
    return TextLayout([*map(harmless, lines), *([""] if lines else []), counts_table(files)])


def counts_table(files: Sequence[FileValidity]) -> Grid:
    """Return the table of the numbers of faults in each file, for the kinds that occur."""
    kinds = _kinds(files)
    rows = []
    for file in files:
        counts = (file.counts.get(kind) for kind in kinds)
        shown = (NOTHING if count is None else str(count) for count in counts)
        rows.append([file.name, str(file.graphs), str(file.faulty), *shown])
    titles = ["validity", "graphs", "faulty", *kinds]
    return Grid(titles, rows, [True, *(False for _ in titles[1:])], distinct=True)


def validity_json(files: Sequence[FileValidity]) -> str:
    """Return the faults and their counts as a JSON object."""
    contents = [
        {
            "file": file.name,
            "format": file.format or None,  # no format, if none is recognised
            **counts_content(file),
            "faults": [_fault(fault) for fault in file.faults],
        }
        for file in files
    ]
    return json.dumps({"schema": SCHEMA, "files": contents}, indent=2)


def counts_content(file: FileValidity) -> dict[str, Any]:
    """Return the numbers of graphs and of faults, as values for JSON."""
    return {"graphs": file.graphs, "faulty": file.faulty, "counts": dict(file.counts)}


def validity_table(files: Sequence[FileValidity]) -> Table:
    """Return the table of the numbers of faults in the files of a report."""

    def of_kind(kind: str) -> Column[FileValidity]:
        return Column(kind, kind, lambda file: file.counts.get(kind))

    kinds = _kinds(files)
    return Rows((file,) for file in files).table(
        "validity",
        "Validity of the graphs",
        [
            Column("file", "file", lambda file: file.name),
            Column("graphs", "graphs", lambda file: file.graphs),
            Column("faulty", "faulty", lambda file: file.faulty),
            *map(of_kind, kinds),
        ],
        " ".join(["faulty: graphs with any fault.", *(f"{k}: {KINDS[k]}." for k in kinds)]),
    )


def _kinds(files: Sequence[FileValidity]) -> list[str]:
    """Return the kinds of faults that occur."""
    return [kind for kind in KINDS if any(file.counts.get(kind) for file in files)]


def _line(fault: Fault) -> str:
    """Return a fault in the form of reading errors, without control characters."""
    said = f"{fault.kind}: {fault.reason}"
    if fault.number is None:
        return str(FileError(said, source=fault.source, line=fault.line))
    error = GraphError(
        said,
        source=fault.source,
        line=fault.line,
        number=fault.number,
        identifier=fault.identifier,
    )
    return str(error)


def _fault(fault: Fault) -> dict[str, Any]:
    return {
        "kind": fault.kind,
        "line": fault.line,
        "graph": fault.number,
        "id": fault.identifier,
        "reason": fault.reason,
    }
