"""A browser for tests of pages: Debian's chromium without a window, or its smaller shell."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from devtools import CommandError, Connection, Event, connection

#: The first has no toolbars, extensions, history and so on, and takes less.
_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
#: Seconds after which a page that does nothing more has failed.
_PATIENCE = 120

_FLAGS = (
    "--headless=new",
    "--no-startup-window",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--no-first-run",
    "--no-default-browser-check",
    "--password-store=basic",
    # Else what is pressed before a page is drawn for the first time would be lost.
    "--allow-pre-commit-input",
    # Pages live for a second: to optimise their scripts costs more than it saves.
    "--js-flags=--no-opt",
)

#: Has axe-core tell elements without their HTML, which it would write down for each check of each.
_BARE = "\naxe.configure({ noHtml: true });"
_AXE = """
const rules = [...arguments];
const only = rules.length ? { runOnly: rules } : {};
const bare = { resultTypes: ["violations"], elementRef: true, selectors: false, preload: false };
const isSerious = ({ impact }) => impact === "serious" || impact === "critical";
const places = ({ nodes }) => nodes.map(({ element }) => element.outerHTML);
// Sizes, which axe-core asks for again for each text in an element, and which do not change.
const all = Element.prototype, restore = [];
for (const name of ["scrollWidth", "clientWidth", "scrollHeight", "clientHeight"]) {
  const own = Object.getOwnPropertyDescriptor(all, name), known = new Map();
  const get = function () {
    if (!known.has(this)) known.set(this, own.get.call(this));
    return known.get(this);
  };
  Object.defineProperty(all, name, { ...own, get });
  restore.push(() => Object.defineProperty(all, name, own));
}
return axe.run(document, { ...bare, ...only }).then(({ violations }) =>
  violations.filter(isSerious).map((rule) => [rule.id, places(rule)])
).finally(() => restore.forEach((each) => each()));
"""

_LOADED = """
return new Promise((done) => {
  if (document.readyState === "complete") done();
  else addEventListener("load", () => setTimeout(done));
});
"""

#: The page looks by itself, which costs less than to ask it again and again.
_WAIT = """
return new Promise((done, fail) => {
  const isSo = () => { %s };
  const look = () => { try { isSo() ? done() : setTimeout(look, 20); } catch (e) { fail(e); } };
  look();
});
"""

_EACH = "return [...document.querySelectorAll(arguments[0])].map((each) => %s);"
_ONLY = """
const [only, ...others] = document.querySelectorAll(arguments[0]);
if (!only || others.length) throw new Error(`not one element: ${arguments[0]}`);
"""

#: Of an element that has a size, something is left by all that cuts off what does not fit.
_IS_SEEN = """
const isCut = (way) => ["hidden", "clip"].includes(way);
const isSeen = (each) => {
  if (!each.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  let { left, right, top, bottom } = each.getBoundingClientRect();
  for (let outer = each.parentElement; outer; outer = outer.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(outer), box = outer.getBoundingClientRect();
    if (isCut(overflowX)) [left, right] = [Math.max(left, box.left), Math.min(right, box.right)];
    if (isCut(overflowY)) [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)];
  }
  return left < right && top < bottom;
};
"""

#: Chooses as a user does, of what can be chosen.
_CHOOSE = (
    _ONLY
    + """
if (![...only.options].some((one) => one.value === arguments[1] && !one.disabled))
  throw new Error(`no option ${arguments[1]} in ${arguments[0]}`);
if (only.disabled) throw new Error(`${arguments[0]} is disabled`);
only.focus();
only.value = arguments[1];
for (const name of ["input", "change"]) only.dispatchEvent(new Event(name, { bubbles: true }));
"""
)

#: The middle of the first, or only, element of a selector, which nothing covers there.
_MIDDLE = """
const [selector, place] = arguments;
const found = document.querySelectorAll(selector);
if (place === null && found.length !== 1) throw new Error(`${found.length} of ${selector}`);
const element = found[place ?? 0];
const middle = () => {
  const { x, y, width, height } = element.getClientRects()[0];
  return [x + width / 2, y + height / 2];
};
const isThere = () => element.contains(document.elementFromPoint(...middle()));
if (!isThere()) element.scrollIntoView({ block: "center", behavior: "instant" });
if (!isThere()) throw new Error(`something covers ${selector}`);
return middle();
"""

#: Events that a console would show, and questions that would keep a user from going on.
_COMPLAINTS = (
    "Runtime.consoleAPICalled",
    "Runtime.exceptionThrown",
    "Log.entryAdded",
    "Page.javascriptDialogOpening",
)

#: Keys that are no characters: what they are called and their codes, and what they write.
_KEYS: dict[str, tuple[str, int, str]] = {
    "TAB": ("Tab", 9, ""),
    "ENTER": ("Enter", 13, "\r"),
    "ESCAPE": ("Escape", 27, ""),
    "END": ("End", 35, ""),
    "HOME": ("Home", 36, ""),
    "ARROW_LEFT": ("ArrowLeft", 37, ""),
    "ARROW_UP": ("ArrowUp", 38, ""),
    "ARROW_RIGHT": ("ArrowRight", 39, ""),
    "ARROW_DOWN": ("ArrowDown", 40, ""),
}


class ScriptError(AssertionError):
    """A script in a page has failed."""


def program() -> str | None:
    """Return the path of the browser, or None if it is missing."""
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


@contextmanager
def window() -> Iterator["Window"]:
    """Open a browser; in the end close it, and remove all that it has written."""
    found = program()
    assert found is not None
    root = ("--no-sandbox",) if os.geteuid() == 0 else ()
    heard: list[Event] = []
    # A folder with a short name: those of sockets must not be long.
    with TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, "TMPDIR": folder, "HOME": folder}
        command = [found, *_FLAGS, *root, f"--user-data-dir={folder}/profile"]
        with connection(command, environment, heard.append) as told:
            yield Window(told, heard)


class Window:
    """A window of the browser, with the actions of a user.

    What takes a CSS selector is about the only element that it selects, unless it says otherwise.
    """

    def __init__(self, told: Connection, heard: list[Event]) -> None:
        self._connection, self._heard = told, heard
        self._visits = count()
        #: What was last told of the screen, by the name of the command.
        self._told: dict[str, dict[str, object]] = {}
        for domain in ("Runtime", "Log", "Page"):
            self.command(f"{domain}.enable")

    def command(self, name: str, **given: Any) -> Any:
        """Run a command of the DevTools Protocol and return its result."""
        return self._connection.call(name, **given)

    def open(
        self,
        page: Path,
        identifier: str | None = None,
        *,
        width: int = 1280,
        height: int = 900,
        scheme: str = "light",
        media: str = "",
    ) -> None:
        """Reload a page and, if *identifier* is given, open that pair; wait until it is drawn."""
        self.errors()
        self.resize(width, height)
        self.emulate(media, scheme)
        # Else what comes to be under a pointer left somewhere would be pointed at.
        self.command("Input.dispatchMouseEvent", type="mouseMoved", x=0, y=0)
        # An address of its own, so that what differs only in its anchor is loaded anew.
        address = f"{page.as_uri()}?{next(self._visits)}"
        if identifier is not None:
            address += "#id=" + quote(identifier, safe="")
        self.visit(address)
        if identifier is not None:
            self.wait_for_pair(identifier)

    def visit(self, address: str) -> None:
        """Open an address and wait until the page is loaded."""
        found = self.command("Page.navigate", url=address)
        assert "errorText" not in found, found
        self.run(_LOADED)

    def wait_for_pair(self, identifier: str) -> None:
        """Wait until a pair is drawn."""
        self.wait("return typeof current === 'object' && current?.pair.id === arguments[0]"
                  " && document.getElementById('mapping') !== null", identifier)  # fmt: skip

    def resize(self, width: int, height: int = 900) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._tell("Emulation.setDeviceMetricsOverride", **size)

    def emulate(self, media: str, scheme: str) -> None:
        """Show the page as on a screen (``screen``) or on paper (``print``), light or dark."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._tell("Emulation.setEmulatedMedia", media=media, features=features)

    def _tell(self, name: str, **given: object) -> None:
        """Run a command about the screen, unless that is so already."""
        if self._told.get(name) != given:
            self.command(name, **given)
            self._told[name] = given

    def pdf(self) -> str:
        """Print; return the document in base 64."""
        found: str = self.command("Page.printToPDF", printBackground=False)["data"]
        return found

    def run(self, script: str, *given: object, patience: float = _PATIENCE) -> Any:
        """Run the body of a JavaScript function and return its result, or what it promises."""
        expression = f"(function () {{ {script}\n}})(...{json.dumps(given)})"
        found = self._connection.call(
            "Runtime.evaluate",
            patience=patience,
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
            userGesture=True,
        )
        if "exceptionDetails" in found:
            raise ScriptError(f"{found['exceptionDetails']}: {script[:500]}")
        return found["result"].get("value")

    def wait(self, script: str, *given: object, patience: float = _PATIENCE) -> None:
        """Wait until the result of a script is true, in this page or in one that comes."""
        end = time.monotonic() + patience
        while True:
            try:
                self.run(_WAIT % script, *given, patience=patience)
                return
            except CommandError:
                if time.monotonic() > end:
                    raise

    def count(self, selector: str) -> int:
        """Return the number of elements."""
        found: int = self.run("return document.querySelectorAll(arguments[0]).length", selector)
        return found

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all elements, as they are displayed; each space is a plain one."""
        found: list[str] = self.run(
            # What is not displayed at all would be told whole.
            _EACH % 'each.checkVisibility() ? each.innerText.trim() : ""',
            selector,
        )
        return [text.replace("\u00a0", " ") for text in found]

    def text(self, selector: str) -> str:
        """Return the text of an element, displayed or not."""
        return str(self.run(f"{_ONLY} return only.textContent;", selector))

    def attribute(self, selector: str, name: str) -> str | None:
        """Return an attribute of an element."""
        found: str | None = self.run(
            f"{_ONLY} return only.getAttribute(arguments[1]);", selector, name
        )
        return found

    def value(self, selector: str) -> str:
        """Return what is in a field, or chosen of a list."""
        return str(self.run(f"{_ONLY} return only.value;", selector))

    def boxes(self, selector: str) -> list[dict[str, float]]:
        """Return the places and sizes of all elements: ``x``, ``y``, ``width``, ``height``."""
        found: list[dict[str, float]] = self.run(
            _EACH % "each.getBoundingClientRect().toJSON()", selector
        )
        return found

    def displayed(self, selector: str) -> list[bool]:
        """Return of all elements whether they can be seen."""
        found: list[bool] = self.run(_IS_SEEN + _EACH % "isSeen(each)", selector)
        return found

    def click(self, selector: str, place: int | None = None) -> None:
        """Click on an element, or on that of several which has this place."""
        x, y = self.run(_MIDDLE, selector, place)
        button: dict[str, Any] = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self._connection.call_all(
            _pointer("mouseMoved", x, y),
            *(
                ("Input.dispatchMouseEvent", {"type": kind, **button})
                for kind in ("mousePressed", "mouseReleased")
            ),
        )

    def point_at(self, selector: str) -> None:
        """Move the pointer to the first element."""
        self._connection.call_all(_pointer("mouseMoved", *self.run(_MIDDLE, selector, 0)))

    def type(self, selector: str, text: str) -> None:
        """Replace the text of a field."""
        self.run(_MIDDLE, selector, None)  # which a user could reach
        self.run(f"{_ONLY} only.focus(); only.select();", selector)
        self.press(*text)

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a list by its value."""
        self.run(_MIDDLE, selector, None)  # which a user could reach
        self.run(_CHOOSE, selector, value)

    def give(self, selector: str, file: Path) -> None:
        """Choose a file."""
        expression = f"document.querySelector({json.dumps(selector)})"
        field = self.command("Runtime.evaluate", expression=expression)["result"]["objectId"]
        self.command("DOM.setFileInputFiles", objectId=field, files=[str(file)])

    def press(self, *keys: str) -> None:
        """Press keys: single characters, or the names of other keys."""
        self._connection.call_all(*(event for key in keys for event in _key(key)))

    def download_to(self, folder: Path) -> None:
        """Put what pages save into *folder*, without asking."""
        self.command(
            "Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder.resolve())
        )

    def errors(self) -> list[str]:
        """Return the console messages and dialogs since the last call."""
        self.run("")  # what the page has said before comes before the result
        found = [str(event["params"]) for event in self._heard if event["method"] in _COMPLAINTS]
        self._heard.clear()
        return found

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        found: int = self.run(
            "const page = document.documentElement; return page.scrollWidth - page.clientWidth"
        )
        return found

    def violations(self, *rules: str) -> list[tuple[str, list[str]]]:
        """Return the serious violations of accessibility rules (axe-core), with their places.

        *rules* limits the check to some rules; by default, all are checked.
        """
        if not self.run("return 'axe' in window"):
            script = files("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
            self.run(script + _BARE)
        found = self.run(_AXE, *rules)
        return [(rule, places) for rule, places in found]

    def violations_in_light_and_dark(self) -> tuple[list[Any], list[Any]]:
        """Return the violations of a page that is light, and what its colours violate in the dark.

        Nothing else changes with the scheme.
        """
        light = self.violations()
        self.emulate("", "dark")
        return light, self.violations("color-contrast")


def _pointer(kind: str, x: float, y: float) -> tuple[str, dict[str, Any]]:
    return "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y}


def _key(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the commands that press and release a key."""
    key, code, text = _KEYS.get(name) or (name, ord(name.upper()) if name.isalnum() else 0, name)
    given = {"key": key, "windowsVirtualKeyCode": code}
    down = {"type": "keyDown", "text": text} if text else {"type": "rawKeyDown"}
    yield "Input.dispatchKeyEvent", {**given, **down}
    yield "Input.dispatchKeyEvent", {**given, "type": "keyUp"}
