"""Make the pictures of docs/pictures: python docs/pictures.py [NAME ...]

Each page is made by a command from the graphs in instances/, and photographed in Chromium, in light
on a wide screen and in dark on a narrow one. Needs Debian's chromium and chromium-driver, selenium
and Pillow.
"""

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "pictures"
AGREEMENT = [f"instances/agreement/{name}.amr" for name in ("a", "b", "c", "d")]
CONSENSUS = "instances/agreement/consensus.amr"

#: Pictures are not longer than this, in px.
_LONGEST = 1200


class Picture(NamedTuple):
    """A picture: the words of the command that makes its page, and what of it is opened.

    changed: with certificates in the page, in which this stands instead of something else.
    """

    command: list[str]
    fragment: str = ""
    changed: tuple[str, str] | None = None


PICTURES = {
    "overview": Picture(["show", AGREEMENT[0], CONSENSUS]),
    "amr": Picture(["show", AGREEMENT[0], CONSENSUS], "#id=study.7"),
    "amr-large": Picture(["show", AGREEMENT[2], AGREEMENT[3]], "#id=study.10"),
    "refuted": Picture(
        ["show", AGREEMENT[0], CONSENSUS], "#id=study.7", ('"value":18,', '"value":19,')
    ),
    "mrp": Picture(
        ["show", "instances/mrp/system.mrp", "instances/mrp/gold.mrp"], "#id=eds%2Fpunctuation"
    ),
    "drs": Picture(["show", "instances/drs/system.clf", "instances/drs/gold.clf"], "#id=names"),
    "iaa": Picture(["iaa", *AGREEMENT, "--consensus", CONSENSUS, "--format", "html"]),
    "compare": Picture(["compare", *AGREEMENT, "--gold", CONSENSUS, "--format", "html"]),
    "search-error": Picture(
        ["search-error", *AGREEMENT[:2], "--gold", CONSENSUS, "--format", "html"]
    ),
    "principles": Picture(
        ["principles", AGREEMENT[0], CONSENSUS, "--seeds", "1", "--format", "html"]
    ),
}


@contextmanager
def browser(width: int, scheme: str) -> Iterator[webdriver.Chrome]:
    """Yield a browser with a window of *width* px that asks for a colour scheme."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(word)
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        command: Any = driver.execute_cdp_cmd
        feature = {"name": "prefers-color-scheme", "value": scheme}
        command("Emulation.setEmulatedMedia", {"features": [feature]})
        resize(driver, width, 900)
        yield driver
    finally:
        driver.quit()


def resize(driver: webdriver.Chrome, width: int, height: int) -> None:
    """Make the window of a browser so wide and high, in px."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def photograph(driver: webdriver.Chrome, address: str, width: int) -> Image.Image:
    """Return what a page looks like, as far as a picture goes."""
    driver.get("about:blank")  # a change of the fragment alone would load nothing
    resize(driver, width, 900)
    driver.get(address)
    height = driver.execute_script("return document.documentElement.scrollHeight")
    resize(driver, width, min(height, _LONGEST))
    return Image.open(io.BytesIO(driver.get_screenshot_as_png()))


def _run(words: list[str]) -> None:
    command = [sys.executable, "-m", "exactmatch", *words]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def make(name: str, folder: Path) -> str:
    """Make the page of a picture in *folder*; return its address."""
    picture = PICTURES[name]
    page = folder / f"{name}.html"
    command = [*picture.command, "-o", str(page)]
    if picture.changed:
        proofs = folder / "proofs.jsonl"
        _run(["score", *picture.command[1:], "--certificates", str(proofs)])
        text = proofs.read_text(encoding="utf-8")
        proofs.write_text(text.replace(*picture.changed), encoding="utf-8")
        command += ["--certificates", str(proofs)]
    _run(command)
    return f"{page.as_uri()}{picture.fragment}"


def main(names: list[str]) -> None:
    """Make the pictures called so, or all."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        addresses = {name: make(name, Path(folder)) for name in names or PICTURES}
        for scheme, width in (("light", 1280), ("dark", 400)):
            with browser(width, scheme) as driver:
                for name, address in addresses.items():
                    image = photograph(driver, address, width).convert("RGB")
                    image.quantize().save(FOLDER / f"{name}-{scheme}.png", optimize=True)
                    print(f"{name}-{scheme}.png", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
