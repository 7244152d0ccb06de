"""Print reports in formats for programs and papers: JSON, CSV, Markdown, LaTeX, plain text."""

import json
from collections.abc import Callable

from exactmatch.report.document import Marked, Report, Table
from exactmatch.report.html import html
from exactmatch.report.json import SCHEMA
from exactmatch.report.table_csv import records, table_csv
from exactmatch.report.text_layout import CommandLine, ForTerminal, Part, TextLayout
from exactmatch.report.text_table import Grid
from exactmatch.runtime.harmless import harmless, on_one_line

_MARKDOWN_SPECIAL = str.maketrans({c: f"\\{c}" for c in "\\|*_`<>[]#"})
_LATEX_SPECIAL = str.maketrans(
    {c: f"\\{c}" for c in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
    | {"<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedbl{}"}
)


def as_text(report: Report) -> TextLayout:
    """Return the report for people."""
    parts: list[Part] = [report.title, "=" * len(report.title), "", report.result, ""]
    parts += [*report.notes, *([""] if report.notes else [])]
    if report.next_step:
        parts += [ForTerminal(report.next_step), ForTerminal("")]
    for table in report.for_people():
        parts += [table.title, "", _grid(table), "", *([table.note, ""] if table.note else [])]
    for note in report.footnotes:
        parts += [note, ""]
    origin = report.provenance
    parts += [origin.signature, origin.versions]
    parts += [f"{digest[:16]}  {path}" for path, digest in origin.inputs]
    return TextLayout([*parts, CommandLine(origin.command)])


def as_json(report: Report) -> str:
    """Return the report as one JSON object; rows of tables are objects with the columns' keys."""
    origin = report.provenance
    content = {
        "schema": SCHEMA,
        "study": report.study,
        "result": report.result,
        "signature": origin.signature,
        "long_signature": origin.long_signature,
        "versions": origin.versions,
        "command": origin.command,
        **({"sentence": report.sentence} if report.sentence else {}),
        **({} if origin.proofs is None else origin.proofs.as_json()),
        "inputs": [{"path": path, "sha256": digest} for path, digest in origin.inputs],
        "notes": list(report.notes),
        "tables": {table.key: records(table) for table in report.tables},
    }
    return json.dumps(content, indent=1)


def as_csv(report: Report) -> str:
    """Return the main table as comma-separated values."""
    return table_csv(report.tables[0]).rstrip("\n")


def as_markdown(report: Report) -> str:
    """Return the report in GitHub's Markdown."""
    parts = [f"# {report.title}", f"**{_markdown(report.result)}**", *map(_markdown, report.notes)]
    for table in report.for_people():
        texts = [table.is_text(k) for k in range(len(table.columns))]
        lines = [
            _markdown_row([_markdown(column.title) for column in table.columns]),
            "|" + "|".join("---" if is_text else "---:" for is_text in texts) + "|",
            *map(_markdown_row, table.shown(_markdown, "**{}**".format)),
        ]
        parts += [f"## {table.title}", "\n".join(lines)]
        if table.note:
            parts.append(_markdown(table.note))
    parts += map(_markdown, report.footnotes)
    origin = report.provenance
    inputs = "\n".join(f"* `{path}`: SHA-256 `{digest}`" for path, digest in origin.inputs)
    parts += [
        "## How this was made",
        f"    {origin.command}",
        f"`{origin.long_signature}`",
        f"{origin.versions}",
        inputs,
    ]
    return harmless("\n\n".join(parts))


def as_latex(report: Report) -> str:
    """Return the sentence and the tables for a LaTeX document that loads booktabs and graphicx."""
    origin = report.provenance
    lines = [
        "% Needs \\usepackage[T1]{fontenc} and \\usepackage{booktabs,graphicx}.",
        _latex_comment(origin.command),
        _latex_comment(origin.long_signature),
        _latex_comment(origin.versions),
        *(_latex_comment(f"{digest}  {path}") for path, digest in origin.inputs),
        *(
            _latex_comment(line)
            for note in (report.result, *report.notes_beside_sentence)
            for line in note.split("\n")
        ),
    ]
    if report.sentence:
        lines += ["", _latex(report.sentence)]
    for table in report.for_people():
        lines += ["", *_latex_table(table)]
    return "\n".join(lines)


#: The name on the command line, and the function that prints a report in that format.
FORMATS: dict[str, Callable[[Report], str]] = {
    "text": lambda report: str(as_text(report)),
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
    "latex": as_latex,
    "html": html,
}


def _grid(table: Table) -> Grid:
    """Return a table for a terminal, which says where all its columns are."""
    titles = [column.title for column in table.columns]
    texts = [table.is_text(k) for k in range(len(table.columns))]
    return Grid(titles, _starred(table), texts, f"--table {table.key} --format csv")


def _starred(table: Table) -> list[list[str]]:
    """Return the rows for a terminal: numbers that stand out have a star, others a blank."""
    rows = table.shown(mark="{}*".format)
    for k in range(len(table.columns)):
        if any(isinstance(row[k], Marked) for row in table.rows):
            for shown, row in zip(rows, table.rows, strict=True):
                shown[k] += "" if isinstance(row[k], Marked) else " "
    return rows


def _markdown(text: str) -> str:
    return text.translate(_MARKDOWN_SPECIAL)


def _markdown_row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _latex_comment(text: str) -> str:
    return f"% {on_one_line(text)}"


def _latex(text: str) -> str:
    return harmless(text).translate(_LATEX_SPECIAL)


def _latex_table(table: Table) -> list[str]:
    spec = "".join("l" if table.is_text(k) else "r" for k in range(len(table.columns)))
    title = table.title if table.title.endswith("?") else f"{table.title}."
    note = f" {table.note}" if table.note else ""
    return [
        "\\begin{table}",
        "  \\centering",
        # Shrunk to the width of the page if it is wider.
        "  \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
        f"  \\begin{{tabular}}{{{spec}}}",
        "    \\toprule",
        _latex_row([_latex(column.title) for column in table.columns]),
        "    \\midrule",
        *map(_latex_row, table.shown(_latex, r"\textbf{{{}}}".format)),
        "    \\bottomrule",
        "  \\end{tabular}}",
        f"  \\caption{{{_latex(f'{title}{note}')}}}",
        f"  \\label{{tab:{table.key}}}",
        "\\end{table}",
    ]


def _latex_row(cells: list[str]) -> str:
    return "    " + " & ".join(cells) + " \\\\"
