"""A browser for tests of pages: Debian's chromium, without a window, driven by selenium."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
#: Seconds after which a page that does nothing more has failed.
_PATIENCE = 120

_FLAGS = (
    "--headless=new",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--no-default-browser-check",
    # Nobody sees its toolbar and tabs, which it would draw.
    "--kiosk",
    # Pages live for a second: to optimise their scripts costs more than it saves.
    "--js-flags=--no-opt",
)

#: Has axe-core tell elements without their HTML, which it would write down for each check of each.
_BARE = "\naxe.configure({ noHtml: true });"
_AXE = """
const [rules, done] = arguments;
const only = rules.length ? { runOnly: rules } : {};
const bare = { resultTypes: ["violations"], elementRef: true, selectors: false, preload: false };
const isSerious = ({ impact }) => impact === "serious" || impact === "critical";
const places = ({ nodes }) => nodes.map(({ element }) => element.outerHTML);
axe.run(document, { ...bare, ...only }).then(({ violations }) =>
  done(violations.filter(isSerious).map((rule) => [rule.id, places(rule)])));
"""


def programs() -> tuple[str, str] | None:
    """Return the paths of the browser and of its driver, or None if either is missing."""
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@contextmanager
def window() -> Iterator["Window"]:
    """Open a browser; in the end close it, and remove all that it has written."""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    found = programs()
    assert found is not None
    options = ChromeOptions()
    options.binary_location = found[0]
    root = ("--no-sandbox",) if os.geteuid() == 0 else ()
    for flag in (*_FLAGS, *root):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    # A folder with a short name: those of sockets must not be long.
    with TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as folder:
        options.add_argument(f"--user-data-dir={folder}/profile")
        environment = {**os.environ, "TMPDIR": folder, "HOME": folder}
        # With the path of the driver, nothing is looked for, let alone downloaded.
        service = Service(found[1], env=environment)
        driver = Chrome(options=options, service=service)
        try:
            driver.set_script_timeout(_PATIENCE)
            yield Window(driver)
        finally:
            driver.quit()


class Window:
    """A window of the browser, with the actions of a user."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver
        self._visits = count()
        #: What was last told of the screen, by the name of the command.
        self._told: dict[str, dict[str, object]] = {}

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
        self._command("Input.dispatchMouseEvent", type="mouseMoved", x=0, y=0)
        # An address of its own, so that what differs only in its anchor is loaded anew.
        address = f"{page.as_uri()}?{next(self._visits)}"
        if identifier is not None:
            address += "#id=" + quote(identifier, safe="")
        self.driver.get(address)
        if identifier is not None:
            self.wait_for_pair(identifier)

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
            self._command(name, **given)
            self._told[name] = given

    def pdf(self) -> str:
        """Print; return the document in base 64."""
        found: str = self._command("Page.printToPDF", printBackground=False)["data"]
        return found

    def _command(self, name: str, **given: object) -> Any:
        return self.driver.execute_cdp_cmd(name, given)

    def run(self, script: str, *given: object) -> Any:
        """Run the body of a JavaScript function and return its result."""
        return self.driver.execute_script(script, *given)

    def wait(self, script: str, *given: object) -> None:
        """Wait until the result of a script is true."""
        from selenium.webdriver.support.ui import WebDriverWait

        def is_so(_: object) -> Any:
            return self.run(script, *given)

        WebDriverWait(self.driver, _PATIENCE, poll_frequency=0.02).until(is_so)

    def all(self, selector: str) -> list[Any]:
        """Return the elements of a CSS selector."""
        from selenium.webdriver.common.by import By

        found: list[Any] = self.driver.find_elements(By.CSS_SELECTOR, selector)
        return found

    def one(self, selector: str) -> Any:
        """Return the only element of a CSS selector."""
        (found,) = self.all(selector)
        return found

    def text(self, selector: str) -> str:
        """Return the text of the only element of a CSS selector, visible or not."""
        (found,) = self.run(
            "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)",
            selector,
        )
        return str(found)

    def click(self, selector: str) -> None:
        self.one(selector).click()

    def type(self, selector: str, text: str) -> None:
        """Replace the text of a field."""
        field = self.one(selector)
        field.clear()
        field.send_keys(text)

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a list by its value."""
        from selenium.webdriver.support.ui import Select

        Select(self.one(selector)).select_by_value(value)

    def press(self, *keys: str) -> None:
        """Press keys, by the names that selenium has for them, or single characters."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        ActionChains(self.driver).send_keys(*(getattr(Keys, key, key) for key in keys)).perform()

    def point_at(self, selector: str) -> None:
        """Move the pointer to the first element of a CSS selector."""
        from selenium.webdriver.common.action_chains import ActionChains

        element = self.all(selector)[0]
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        ActionChains(self.driver, duration=0).move_to_element(element).perform()

    def download_to(self, folder: Path) -> None:
        """Put what pages save into *folder*, without asking."""
        self._command(
            "Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder.resolve())
        )

    def errors(self) -> list[str]:
        """Return the console messages since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

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
        found = self.driver.execute_async_script(_AXE, rules)
        return [(rule, places) for rule, places in found]

    def violations_in_light_and_dark(self) -> tuple[list[Any], list[Any]]:
        """Return the violations of a page that is light, and what its colours violate in the dark.

        Nothing else changes with the scheme.
        """
        light = self.violations()
        self.emulate("", "dark")
        return light, self.violations("color-contrast")
