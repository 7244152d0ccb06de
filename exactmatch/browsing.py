"""Opening a page in the browser."""

from collections.abc import Callable
from pathlib import Path

#: Writes a page to a path, and returns the file to open.
WritePage = Callable[[Path], Path]


def open_page(write: WritePage, output: Path | None) -> Path:
    """Have a page written to *output*, a new temporary folder if that is None, and open it.

    Returns the file that was opened; where there is no browser, it is there all the same.
    """
    import tempfile
    import webbrowser

    path = Path(tempfile.mkdtemp(prefix="exactmatch-"), "pairs.html") if output is None else output
    page = write(path)
    webbrowser.open(page.absolute().as_uri())
    return page
