"""Reports as one self-contained HTML page: tables, and plots as pictures inside it."""

from collections.abc import Sequence
from functools import cache
from html import escape
from importlib import resources
from urllib.parse import quote

from exactmatch.graphs.paths import encodable
from exactmatch.report.document import Linked, Plot, Provenance, Report, Table, plot_key
from exactmatch.report.plots import svg
from exactmatch.report.table_csv import table_csv
from exactmatch.runtime.harmless import harmless

#: Nothing is loaded from elsewhere; points of large plots are pictures inside the plots.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
#: The characters that `encodeURIComponent` leaves unchanged, besides letters, digits and those of
#: `quote`.
_UNQUOTED = "!*'()"
_ORIGIN, _HOW = "origin", "How this was made"
#: The characters, besides letters and digits, that the address of a CSV has as they are.
_IN_ADDRESS = "!*'()/:;,@$=?+-._~|"


def html(report: Report) -> str:
    """Return the page; it loads nothing from elsewhere, and is readable without its script."""
    title = escape(report.title)
    tables = report.for_people()
    whole = {table.key: table for table in report.tables}
    page = "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{_resource('base.css')}{_resource('report.css')}</style></head><body>",
            f"<header><h1>{title}</h1>",
            *_results(report),
            *(f'<p class="quiet">{escape(note)}</p>' for note in report.notes_beside_sentence),
            "</header>",
            _contents(report, tables),
            "<main>",
            *_plots(report.plots),
            *(f'<p class="quiet">{escape(reason)}</p>' for reason in report.not_drawn),
            *(_section(table, whole[table.key], report) for table in tables),
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


def _results(report: Report) -> list[str]:
    """Return the result and the sentence for a paper; the script makes a button that copies it."""
    result, sentence = escape(report.result), escape(report.sentence)
    if sentence == result:
        return [f'<p class="lead" data-copied>{result}</p>']
    paper = f'<p class="quiet">For a paper: <span data-copied>{sentence}</span></p>'
    return [f'<p class="lead">{result}</p>', *([paper] if sentence else [])]


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


def _plots(plots: Sequence[Plot]) -> list[str]:
    return ['<div class="plots">', *map(_plot, plots), "</div>"] if plots else []


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


def _section(table: Table, whole: Table, report: Report) -> str:
    """Return the section of a table as people see it, and a link that saves the *whole* table."""
    name = escape(plot_key(f"{report.study}-{table.key}.csv"))
    data = quote(encodable(table_csv(whole)), safe=_IN_ADDRESS)
    address = escape(f"data:text/csv;charset=utf-8,{data}")
    note = f'\n<p class="quiet small">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<section><h2 id="{escape(table.key)}">{escape(table.title)}</h2>\n'
        f'{table_html(table, report)}{note}\n<p class="small saved"><a download="{name}" '
        f'href="{address}">Save as CSV<span class="spoken">: {escape(table.title)}</span></a></p>'
        "</section>"
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
