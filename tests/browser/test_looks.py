"""Pages in light and dark, on narrow screens and on paper, and with hostile graphs."""

import base64
import re

import pytest
from browser_pages import HOSTILE_ID, LONG, RIGHT_TO_LEFT, SCRIPT, Pages
from chromium import Window
from nightly import by_day

pytestmark = pytest.mark.browser


def test_overviews_are_accessible(screen: Window, pages: Pages) -> None:
    """No rule of axe-core is broken that it calls serious or critical, in light and dark."""
    screen.open(pages.agreement.page)
    screen.click("#by-kind")
    assert screen.violations_in_light_and_dark() == ([], [])


@pytest.mark.parametrize(
    ("name", "identifier"), by_day([("agreement", "study.7"), ("s2match", "figure-11b-camr")])
)
def test_pairs_are_accessible(screen: Window, pages: Pages, name: str, identifier: str) -> None:
    sample = pages.agreement if name == "agreement" else pages.samples[name]
    screen.open(sample.page, identifier)
    screen.run("for (const each of document.querySelectorAll('details')) each.open = true")
    screen.run("mapByHand(0, null); document.querySelectorAll('#drawings .node')[1].focus()")
    screen.wait("return document.querySelector('#all-triples table')")
    assert screen.violations_in_light_and_dark() == ([], [])


_COLOURS = """
const style = (selector) => getComputedStyle(document.querySelector(selector));
return [style("body").backgroundColor, style("body").color, style(".node .box").fill];
"""


def test_light_and_dark_have_colours_of_their_own(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page, "study.7")
    light = screen.run(_COLOURS)
    screen.emulate("screen", "dark")
    dark = screen.run(_COLOURS)
    assert light[0] == "rgb(255, 255, 255)"
    assert all(one != other for one, other in zip(light, dark, strict=True))
    screen.emulate("print", "dark")
    assert screen.run(_COLOURS)[:2] == light[:2]  # paper is white


@pytest.mark.parametrize("width", by_day([400, 1280]))
def test_no_page_is_wider_than_the_window(screen: Window, pages: Pages, width: int) -> None:
    for page, identifier in (
        (pages.agreement.page, None),
        (pages.agreement.page, "study.10"),
        (pages.samples["counter"].page, "nested"),
        (pages.hostile, None),
        (pages.hostile, HOSTILE_ID),
    ):
        screen.open(page, identifier, width=width)
        screen.run("for (const each of document.querySelectorAll('details')) each.open = true")
        assert screen.overflow() <= 0


@pytest.mark.nightly
def test_a_printed_pair_has_all_that_cannot_be_pressed(screen: Window, pages: Pages) -> None:
    """A printed page has no controls, fits graphs on the paper, and keeps the glyphs of marks."""
    screen.open(pages.agreement.page, "study.7")
    screen.emulate("print", "light")
    for selector in ("nav", "#drawings > .controls", "#mapping select", "#info", "#overview"):
        assert not any(screen.displayed(selector)), selector
    assert all(screen.displayed("#mapping .print-only"))
    width = screen.run("return document.body.clientWidth")
    drawings = screen.boxes("#drawings svg")
    assert len(drawings) == 2
    assert all(0 < drawing["width"] <= width for drawing in drawings)
    assert screen.count("#texts bdi.mark:not([data-mark=matched])")
    assert screen.count("#texts .glyph")
    assert 1 <= printed_pages(screen) <= 4
    screen.open(pages.agreement.page)
    screen.emulate("print", "light")
    assert [*screen.displayed("#filters"), *screen.displayed("#pairs")] == [False, True]
    assert 1 <= printed_pages(screen) <= 2


def printed_pages(screen: Window) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", base64.b64decode(screen.pdf())))


def test_hostile_labels_are_text(screen: Window, pages: Pages) -> None:
    screen.open(pages.hostile)
    link = "#pairs tbody tr:first-child a"
    assert screen.text(link) == HOSTILE_ID
    screen.click(link)
    screen.wait_for_pair(HOSTILE_ID)
    screen.run("document.getElementById('all-triples').open = true")
    screen.wait("return document.querySelector('#all-triples table')")
    assert screen.text("#pair-title") == HOSTILE_ID
    for room in ("#texts", "#all-triples", "#mapping"):
        assert SCRIPT in screen.text(room)
    assert SCRIPT in screen.text(".sentence") and RIGHT_TO_LEFT in screen.text(".sentence")
    assert LONG in screen.text("#texts") and LONG in screen.text("#all-triples")
    assert "bell␇ and ⟨U+202E⟩override" in screen.text("#texts")
    assert screen.count("img") == 0 and screen.count("script") == 4
    turning = screen.run(
        r"return /[\u202a-\u202e\u0000-\u0008]/.test(document.getElementById('pair').textContent)"
    )
    assert not turning
