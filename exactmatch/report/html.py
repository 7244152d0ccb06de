"""Reports as one self-contained HTML page: tables, and plots as pictures inside it."""

from collections.abc import Sequence
from functools import cache
from html import escape
from importlib import resources
from urllib.parse import quote

from exactmatch.report.document import Linked, Plot, Provenance, Report, Table
from exactmatch.report.plots import svg
from exactmatch.runtime.harmless import harmless

#: Nothing is loaded from elsewhere; points of large plots are pictures inside the plots.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
#: The characters that `encodeURIComponent` leaves unchanged, besides letters, digits and those of
#: `quote`.
_UNQUOTED = "!*'()"
_ORIGIN, _HOW = "origin", "How this was made"


def html(report: Report) -> str:
    """Return the page; it loads nothing from elsewhere, and is readable without its script."""
    title = escape(report.title)
    tables = report.for_people()
    page = "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{_resource('base.css')}{_resource('report.css')}</style></head><body>",
            f'<header><h1>{title}</h1>\n<p class="lead">{escape(report.result)}</p>',
            *(f'<p class="quiet">{escape(note)}</p>' for note in report.notes),
            "</header>",
            _contents(report, tables),
            "<main>",
            *(_plot(plot) for plot in report.plots),
            *(f'<p class="quiet">{escape(reason)}</p>' for reason in report.not_drawn),
            *(_section(table, report) for table in tables),
            *(f'<p class="quiet small">{escape(note)}</p>' for note in report.footnotes),
            _provenance(report.provenance),
            "</main>",
            f"<script>{report_script()}</script>",
            "</body></html>",
        ]
    )
    return harmless(page)


def table_html(table: Table, report: Report) -> str:
    """Return a table of *report* as a piece of HTML, in a scrolling box."""
    kinds = ["" if table.is_text(k) else ' class="number"' for k in range(len(table.columns))]
    head = "".join(
        f'<th scope="col"{kind}>{escape(column.title)}</th>' if column.title else "<td></td>"
        for kind, column in zip(kinds, table.columns, strict=True)
    )
    rows = "\n".join(
        "<tr>"
        + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True))
        + "</tr>"
        for row in table.shown(
            escape, "<b>{}</b>".format, lambda text, cell: _link(text, cell, report)
        )
    )
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(table.title)}">'
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


@cache
def _resource(name: str) -> str:
    return resources.files("exactmatch.report").joinpath(name).read_text("utf-8")


def _link(text: str, cell: Linked, report: Report) -> str:
    """Return the link to the page of a pair, or to the overview of all pairs."""
    folder = report.pages.get(cell.files)
    if folder is None:
        return text
    place = "" if cell.item is None else f"#id={quote(cell.item, safe=_UNQUOTED)}"
    return f'<a href="{escape(f"{folder}/index.html{place}")}">{text}</a>'


def report_script() -> str:
    """Return the script of a report as its element has it, so a policy can allow it by digest."""
    return f"\n{_resource('report.js')}"


def _contents(report: Report, tables: Sequence[Table]) -> str:
    entries = [
        *((_plot_id(plot), f"Plot: {plot.title}") for plot in report.plots),
        *((table.key, table.title) for table in tables),
        (_ORIGIN, _HOW),
    ]
    items = "\n".join(
        f'<li><a href="#{escape(key)}">{escape(title)}</a></li>' for key, title in entries
    )
    return f'<nav aria-label="Contents">\n<ul>\n{items}\n</ul></nav>'


def _plot(plot: Plot) -> str:
    title = escape(plot.title)
    return (
        f'<section><h2 id="{escape(_plot_id(plot))}">{title}</h2>\n'
        f'<figure class="scroll" role="region" tabindex="0" aria-label="{title}">'
        f"{svg(plot)}</figure></section>"
    )


def _plot_id(plot: Plot) -> str:
    """Return the identifier of a plot, which may share its key with a table."""
    return f"plot-{plot.key}"


def _section(table: Table, report: Report) -> str:
    note = f'\n<p class="quiet small">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<section><h2 id="{escape(table.key)}">{escape(table.title)}</h2>\n'
        f"{table_html(table, report)}{note}</section>"
    )


def _provenance(origin: Provenance) -> str:
    inputs = "\n".join(
        f"<li>{escape(path)}: SHA-256 <code>{digest}</code></li>" for path, digest in origin.inputs
    )
    return (
        f'<section><h2 id="{_ORIGIN}">{_HOW}</h2>\n<pre>{escape(origin.command)}</pre>\n'
        f"<p><code>{escape(origin.long_signature)}</code></p>\n<p>{escape(origin.versions)}</p>\n"
        f"<ul>\n{inputs}\n</ul></section>"
    )
