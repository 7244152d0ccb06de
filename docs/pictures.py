"""Make the pictures of docs/pictures: python docs/pictures.py [NAME ...]

Each page is made by a command from the graphs in instances/, and photographed in Chromium, in light
on a wide screen and in dark on a narrow one. Needs the browser of the tests, and Pillow.
"""

import base64
import io
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "tests"))
from chromium import Window, window  # noqa: E402 (which the line above finds)

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


def photograph(browser: Window, address: str, width: int) -> Image.Image:
    """Return what a page looks like, as far as a picture goes."""
    browser.visit("about:blank")  # a change of the fragment alone would load nothing
    browser.resize(width)
    browser.visit(address)
    browser.resize(
        width, min(browser.run("return document.documentElement.scrollHeight"), _LONGEST)
    )
    data = browser.command("Page.captureScreenshot")["data"]
    return Image.open(io.BytesIO(base64.b64decode(data)))


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
            with window() as browser:
                browser.emulate("", scheme)
                browser.command("Emulation.setScrollbarsHidden", hidden=True)
                for name, address in addresses.items():
                    image = photograph(browser, address, width).convert("RGB")
                    image.quantize().save(FOLDER / f"{name}-{scheme}.png", optimize=True)
                    print(f"{name}-{scheme}.png", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
