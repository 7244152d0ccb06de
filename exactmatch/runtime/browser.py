"""Open pages at once: a temporary file for a page, and the browser that opens it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: Browsers of terminals run no scripts; they would show an empty page.
_WITHOUT_SCRIPTS = frozenset({"www-browser", "w3m", "lynx", "links", "elinks"})


@contextmanager
def temporary_page() -> Iterator[Path]:
    """Yield the path of a page in a new temporary folder; an error removes the folder."""
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix="exactmatch-"))
    try:
        yield folder / "pairs.html"
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def open_in_browser(page: Path) -> bool:
    """Open a page in the browser; tell whether there is one."""
    return open_address(page.absolute().as_uri())


def open_address(address: str) -> bool:
    """Open an address in the browser; tell whether there is one."""
    import webbrowser

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if Path(browser.name).name in _WITHOUT_SCRIPTS:
        return False
    return browser.open(address)
