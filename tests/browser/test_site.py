"""The documentation as a site, in a browser: wide and narrow, light and dark."""

from pathlib import Path

import pytest
from chromium import Window

#: Links in text that colour alone tells, and boxes that scroll out of reach of the keyboard.
_UNREACHED = """
    const links = document.querySelectorAll(".md-content p > a:not(.headerlink)");
    const boxes = document.querySelectorAll("pre > code, .md-typeset__scrollwrap");
    return [
        ...[...links].filter(a => getComputedStyle(a).textDecorationLine !== "underline"),
        ...[...boxes].filter(box => box.scrollWidth > box.clientWidth && box.tabIndex < 0),
    ].map(element => element.textContent);
"""

pytestmark = [pytest.mark.browser, pytest.mark.checkout, pytest.mark.nightly, pytest.mark.site]


@pytest.mark.parametrize(
    "page", ["index.html", "docs/metrics.html", "docs/notebooks/parser-errors.html"]
)
def test_pages_of_the_site_are_legible_everywhere(page: str, site: Path, browser: Window) -> None:
    for width in (1280, 400):
        for scheme in ("light", "dark"):
            browser.open(site / page, width=width, scheme=scheme)
            dark = browser.run("return document.body.dataset.mdColorScheme") == "slate"
            assert dark == (scheme == "dark")
            assert browser.overflow() <= 0
            assert browser.violations() == []
            assert browser.run(_UNREACHED) == []
