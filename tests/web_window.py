"""The page that scores, in a browser, and what a person does there."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from chromium import Window

from exactmatch.report.web import folder as web_folder
from exactmatch.runtime.local_server import serving

EXAMPLES = Path(str(web_folder.__file__)).parent / "examples"
PAIR = ["parser.amr", "gold.amr"]
#: Seconds for all that a page does at once, on a machine that does a lot besides.
_PATIENCE = 300
_IS_DONE = (
    "return !isBusy && (!byId('result').hidden || byId('state').classList.contains('alarm'))"
    " && byId('progress').hidden"
)


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as ``exactmatch web`` does."""
    with serving(folder) as (address, server):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield address
        finally:
            server.shutdown()


def opened(browser: Window, address: str) -> Window:
    browser.visit("about:blank")
    browser.errors()
    browser.visit(address)
    return browser


def wait(window: Window, script: str) -> None:
    """Wait until a script returns what is true."""
    window.wait(script, patience=_PATIENCE)


def choose(window: Window, files: dict[str, str]) -> None:
    window.run(
        "choose(arguments[0].map(([name, text]) => new File([text], name)))", [*files.items()]
    )


def score(window: Window, files: dict[str, str]) -> str:
    """Score files; return what is printed and said."""
    choose(window, files)
    window.run("byId('result').hidden = true")
    window.click("#start")
    return result(window)


def result(window: Window) -> str:
    """Return what is printed and said, once what goes on is done."""
    wait(window, _IS_DONE)
    return window.text("#text") + window.text("#said")


def of_examples(*names: str) -> dict[str, str]:
    return {name: (EXAMPLES / name).read_text("utf-8") for name in names}


def later(window: Window, script: str) -> Any:
    """Return what a promise comes to."""
    return window.run(f"return (async () => {{ {script} }})().catch(String)", patience=_PATIENCE)


def press(window: Window, label: str) -> None:
    """Click on the button below a result which is called so."""
    labels = window.texts("#saving button")
    assert labels.count(label) == 1
    window.click("#saving button", labels.index(label))


def save(window: Window, place: Path, *labels: str, files: int = 1) -> dict[str, bytes]:
    """Click on buttons, so many *files* each; return the files that are in *place* then."""
    window.download_to(place)
    for label in labels:
        before = len([*place.iterdir()])
        press(window, label)
        end = time.monotonic() + _PATIENCE
        while len([*place.iterdir()]) < before + files or [*place.glob("*.crdownload")]:
            assert time.monotonic() < end, label
            time.sleep(0.02)
    return {path.name: path.read_bytes() for path in place.iterdir()}
