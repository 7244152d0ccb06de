"""Reports as one self-contained HTML page: tables, and plots as pictures inside it."""

from html import escape

from exactmatch.report.document import Report, Table
from exactmatch.report.plots import svg

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 72em; margin: 2em auto;
       padding: 0 1em; }
h1 { font-size: 1.7em; } h2 { font-size: 1.2em; margin-top: 2em; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th { border-bottom: 2px solid #444; } td, th { padding: .25em .8em; text-align: right; }
td { border-bottom: 1px solid #ddd; } td.text, th.text { text-align: left; }
tbody tr:hover { background: #f3f6fa; }
.wide { overflow-x: auto; } .plots { display: flex; flex-wrap: wrap; gap: 1em; }
figure { margin: 0; } figure svg { max-width: 100%; height: auto; }
code, pre { font-size: .9em; overflow-wrap: anywhere; white-space: pre-wrap; }
.note { color: #555; }
"""


def html(report: Report) -> str:
    """Return the page; it loads nothing from anywhere."""
    title = escape(report.title)
    body = [f"<h1>{title}</h1>", *(f"<p>{escape(note)}</p>" for note in report.notes)]
    if report.plots:
        figures = "\n".join(f"<figure>{svg(plot)}</figure>" for plot in report.plots)
        body.append(f'<div class="plots">\n{figures}\n</div>')
    for table in (table.for_people() for table in report.tables):
        body += [f'<h2 id="{escape(table.key)}">{escape(table.title)}</h2>', table_html(table)]
        if table.note:
            body.append(f'<p class="note">{escape(table.note)}</p>')
    body += ["<h2>How this was made</h2>", _provenance(report)]
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{title}</title><style>{_STYLE}</style></head><body>",
            *body,
            "</body></html>",
        ]
    )


def table_html(table: Table) -> str:
    """Return a table as a piece of HTML."""
    kinds = [' class="text"' if table.is_text(k) else "" for k in range(len(table.columns))]
    head = "".join(
        f"<th{kind}>{escape(column.title)}</th>"
        for kind, column in zip(kinds, table.columns, strict=True)
    )
    rows = "\n".join(
        "<tr>"
        + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True))
        + "</tr>"
        for row in table.shown(escape, "<b>{}</b>".format)
    )
    return (
        f'<div class="wide"><table><thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody></table></div>"
    )


def _provenance(report: Report) -> str:
    origin = report.provenance
    inputs = "\n".join(
        f"<li>{escape(path)}: SHA-256 <code>{digest}</code></li>" for path, digest in origin.inputs
    )
    return (
        f"<pre>{escape(origin.command)}</pre>\n<p><code>{escape(origin.long_signature)}</code></p>"
        f"\n<p>{escape(origin.versions)}</p>\n<ul>\n{inputs}\n</ul>"
    )
