"""``exactmatch web``: a page that scores in a browser."""

from pathlib import Path

import click

from exactmatch.cli.answers import say_note
from exactmatch.cli.click_options import WRITTEN, GroupedCommand, option
from exactmatch.cli.named_files import ReadInPart
from exactmatch.cli.short_help import Example
from exactmatch.scoring.declaration import INPUT, OUTPUT


@click.command(
    cls=GroupedCommand,
    examples=(
        Example("web", "the page, opened in the browser"),
        Example("web -o page", "the same as a folder, for any server of files"),
        Example("web -o page --runtime node_modules/pyodide", "for places without a network"),
    ),
)
@option(
    "--output",
    "-o",
    type=WRITTEN["folder"],
    metavar="DIR",
    group=OUTPUT,
    help="Write the page to DIR.  [default: a temporary folder, served to this machine alone and "
    "opened in the browser, until Ctrl-C]",
)
@option(
    "--runtime",
    type=ReadInPart(path_type=Path, file_okay=False),
    metavar="DIR",
    group=INPUT,
    help="Copy the browser's Python from DIR, the npm package pyodide or the whole distribution, "
    "with numpy and matplotlib if they are there; the page then needs no network.  [default: load "
    "Python from a public address, and check it]",
)
@option(
    "--port",
    type=click.IntRange(min=1, max=65535),
    metavar="N",
    group=OUTPUT,
    help="Without --output, serve the page at port N.  [default: any free port]",
)
def web(output: Path | None, runtime: Path | None, port: int | None) -> None:
    """Make a page that scores, proves and shows graphs in a browser.

    Readers of the page install nothing, and graphs stay in their browser. The page connects to its
    own server. Without --runtime, it also loads Python from a public network. Any server of static
    files can hold the page. Scores are those of this command line, by the dual bound alone. Two
    programs check the proofs.
    """
    from exactmatch.cli.web_form import form_content
    from exactmatch.errors import UsageError
    from exactmatch.report.web.folder import write_page

    if output is not None:
        if port is not None:
            raise UsageError("--port goes without --output")
        click.echo(write_page(output, form_content(), runtime, say_note))
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory(prefix="exactmatch-") as folder:
        write_page(Path(folder), form_content(), runtime, say_note)
        _serve(Path(folder), port or 0)


def _serve(folder: Path, port: int) -> None:
    """Serve the page in *folder* until an interrupt."""
    from contextlib import suppress
    from threading import Thread

    from exactmatch.errors import InputError
    from exactmatch.runtime.browser import open_address
    from exactmatch.runtime.local_server import serving
    from exactmatch.stopping.interrupts import LOOK, check

    try:
        with serving(folder, port) as (address, server):
            thread = Thread(target=server.serve_forever, daemon=True)
            thread.start()
            with suppress(KeyboardInterrupt):  # an interrupt is how this ends
                click.echo(address)
                if not open_address(address):
                    say_note("there is no browser here to open it")
                while thread.is_alive():
                    thread.join(LOOK)
                    check()
            server.shutdown()
    except OSError as error:
        raise InputError(f"port {port}: {error.strerror or error}") from error
