"""No elements overlap, no element is cut off, and none is too small, on any screen."""

from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from browser_pages import Pages
from chromium import Window
from nightly import by_day
from study_files import ANNOTATORS, IAA, run, write_files

import exactmatch

pytestmark = pytest.mark.browser

WIDTHS = [400, 1280]

#: Alike triples between the same nodes, a loop, and more to say on one side than on the other.
SYSTEM = """# ::id crowded
# ::snt One two
(a / say :OBLIQUE (b / thing) :OBLIQUE-of b :ADVCL b :ADVCL-of (c / thing) :OBLIQUE c :MOD c
   :OBLIQUE a :aspect state :polarity -)
"""
GOLD = """# ::id crowded
# ::snt One two
(a / tell :ADVCL (b / thing :quant 3 :mod 4 :name "x") :ADVCL b :OBLIQUE (c / other) :MOD c
   :ARG0 (d / person))
"""

_CUT = """
const isCut = (each) => {
  const style = getComputedStyle(each);
  const scrolls = ["auto", "scroll"].includes(style.overflowX);
  return !scrolls && style.overflowX !== "visible" && each.scrollWidth > each.clientWidth + 1;
};
return [...document.querySelectorAll("body *:not(.spoken, select, input, svg *)")]
  .filter((each) => each.checkVisibility() && isCut(each))
  .map((each) => each.outerHTML.slice(0, 200));
"""

_SMALL = """
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const found = [];
while (texts.nextNode()) {
  const around = texts.currentNode.parentElement;
  if (!texts.currentNode.data.trim() || !around.checkVisibility()) continue;
  if (around.closest("title")) continue;
  if (around.closest("figure:not([data-side]) svg")) continue; // plots, which are drawn elsewhere
  const drawing = around.closest("svg");
  const scale = drawing ? drawing.getScreenCTM().a : 1;
  const size = Number.parseFloat(getComputedStyle(around).fontSize) * scale;
  if (size < 10.99) found.push([size, texts.currentNode.data]);
}
return found;
"""

_DRAWN = """
const box = (each) => {
  const {x, y, width, height} = each.getBoundingClientRect();
  return [x, y, width, height];
};
return [...document.querySelectorAll("#drawings svg")].map((drawing) => ({
  labels: [...drawing.querySelectorAll(".edge-label")].map(box),
  nodes: [...drawing.querySelectorAll(".node")].map((node) => ({
    box: box(node.querySelector(".box")),
    signs: [...node.querySelectorAll(".glyph")].map(box),
    lines: [...node.querySelectorAll("text:not(.glyph)")].map(box),
  })),
}));
"""

_BOX = list[float]


def overlap(one: _BOX, other: _BOX, by: float = 1.0) -> bool:
    """Tell whether two boxes overlap by more than so many pixels both ways."""
    return all(
        min(one[k] + one[k + 2], other[k] + other[k + 2]) - max(one[k], other[k]) > by
        for k in (0, 1)
    )


def within(inner: _BOX, outer: _BOX) -> bool:
    return all(
        inner[k] >= outer[k] - 1 and inner[k] + inner[k + 2] <= outer[k] + outer[k + 2] + 1
        for k in (0, 1)
    )


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of one pair with many alike triples."""
    return exactmatch.show(SYSTEM, GOLD, tmp_path_factory.mktemp("crowded") / "page.html")


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports with many columns, of few items."""
    folder = tmp_path_factory.mktemp("wide")
    few = ("--resamples", "99", "--format", "html", "-o")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write_files()
        run(*IAA, *few, "iaa.html")
        run("compare", *ANNOTATORS, "--gold", "consensus.amr", *few, "compare.html")
    return {name: folder / f"{name}.html" for name in ("iaa", "compare")}


class Seen(NamedTuple):
    """What there is to see of the page of a pair, at some width of the window."""

    name: str
    drawn: list[Any]
    cut: list[str]
    small: list[Any]
    has_loose_text: bool
    mapping_out_of_sight: int


_LOOSE = """
return [...document.getElementById("pair").childNodes]
  .some((each) => each.nodeType === Node.TEXT_NODE);
"""

_OUT_OF_SIGHT = """
const {scrollWidth, clientWidth} = document.getElementById("mapping").parentElement;
return scrollWidth - clientWidth;
"""


@pytest.fixture(scope="module", params=by_day(WIDTHS))
def seen(
    request: pytest.FixtureRequest, browser: Window, pages: Pages, crowded: Path
) -> list[Seen]:
    """Pairs of all kinds, each opened once."""
    found = []
    for page, identifier in (
        (crowded, "crowded"),
        (pages.agreement.page, "study.7"),
        (pages.samples["s2match"].page, "figure-11b-camr"),
        (pages.samples["counter"].page, "nested"),
        (pages.samples["mrp"].page, pages.samples["mrp"].pairs[0].identifier),
    ):
        browser.open(page, identifier, width=request.param)
        looked = map(browser.run, (_DRAWN, _CUT, _SMALL, _LOOSE, _OUT_OF_SIGHT))
        found.append(Seen(identifier, *looked))
        assert browser.errors() == []
    return found


def test_in_a_drawing_nothing_lies_on_anything(seen: list[Seen]) -> None:
    for pair in seen:
        assert len(pair.drawn) == 2
        for drawing in pair.drawn:
            check_drawing(drawing, pair.name)


def test_by_hand_too_nothing_lies_on_anything(screen: Window, crowded: Path) -> None:
    """Without any mapped variable, every triple has a sign."""
    screen.open(crowded, "crowded")
    screen.run(
        "current.partner = current.partner.map(() => null); showMapping(); arrangeDrawings()"
    )
    for drawing in screen.run(_DRAWN):
        assert sum(len(node["signs"]) for node in drawing["nodes"]) >= 5
        check_drawing(drawing, "by hand")


def check_drawing(drawing: Any, name: str) -> None:
    """Check labels against labels and nodes, and in nodes signs against lines."""
    labels = drawing["labels"]
    for number, label in enumerate(labels):
        assert not any(overlap(label, other) for other in labels[:number]), name
        assert not any(overlap(label, node["box"]) for node in drawing["nodes"]), name
    for node in drawing["nodes"]:
        for text in (*node["signs"], *node["lines"]):
            assert within(text, node["box"]), name
        assert not any(overlap(s, line) for s in node["signs"] for line in node["lines"]), name
        _, y, _, height = node["lines"][-1]
        below = node["box"][1] + node["box"][3] - y - height
        assert below < height, f"{name}: an empty row"


def test_of_pairs_nothing_is_cut_or_too_small(seen: list[Seen]) -> None:
    for pair in seen:
        assert pair.cut == [] and pair.small == [], pair.name
        assert not pair.has_loose_text


def test_of_overviews_nothing_is_cut_or_too_small(screen: Window, pages: Pages) -> None:
    for page in (pages.agreement.page, pages.samples["mrp"].page, pages.hostile):
        screen.open(page)
        for width in reversed(WIDTHS):
            screen.resize(width)
            assert screen.run(_CUT) == [] and screen.run(_SMALL) == [], (page, width)


def test_all_columns_of_a_mapping_are_in_sight(seen: list[Seen]) -> None:
    for pair in seen:
        assert pair.mapping_out_of_sight <= 0, pair.name


def test_identifiers_are_in_one_line_and_sentences_have_room(screen: Window, pages: Pages) -> None:
    for page in (pages.agreement.page, pages.samples["mrp"].page):
        screen.open(page)
        lines = screen.run(
            "return [...document.querySelectorAll('#pairs tbody th a')].map((each) =>"
            " each.getClientRects().length)"
        )
        assert lines and {*lines} == {1}
        wide = screen.run(
            "return document.querySelector('#pairs td[data-column=words]').clientWidth"
        )
        assert wide >= 400


@pytest.mark.nightly
def test_the_contents_of_a_report_take_no_column(screen: Window, reports: dict[str, Path]) -> None:
    for page in reports.values():
        screen.open(page)
        main, contents = (*screen.boxes("main"), *screen.boxes("nav"))
        assert main["x"] < 60 and main["width"] > 1150
        assert contents["height"] < 150 and contents["y"] < main["y"]


@pytest.mark.nightly
def test_in_reports_nothing_is_cut_or_too_small(screen: Window, reports: dict[str, Path]) -> None:
    for page in reports.values():
        screen.open(page)
        wide = screen.run(  # what would have to be scrolled to
            "return [...document.querySelectorAll('.scroll')].filter((each) =>"
            " each.scrollWidth > each.clientWidth).map((each) => each.ariaLabel)"
        )
        assert wide == [], page
        for width in reversed(WIDTHS):
            screen.resize(width)
            assert screen.run(_CUT) == [] and screen.run(_SMALL) == [], (page, width)


@pytest.mark.nightly
def test_no_two_columns_side_by_side_are_called_the_same(
    screen: Window, reports: dict[str, Path]
) -> None:
    for page in reports.values():
        screen.open(page)
        heads = screen.run(
            "return [...document.querySelectorAll('thead tr')].map((row) =>"
            " [...row.cells].map((cell) => cell.innerText))"
        )
        for row in heads:
            assert all(one != other for one, other in pairwise(row)), row
