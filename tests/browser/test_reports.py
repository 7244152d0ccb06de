"""Reports in a browser: they are sorted, lead to their pairs, and suit every screen and reader."""

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from chromium import Window
from nightly import by_day
from study_files import AGREEMENT, blocks_of, run, write

from exactmatch.report.document import Heading, Provenance, Report, Table
from exactmatch.report.html import html

pytestmark = pytest.mark.browser

ANNOTATORS = ["a.amr", "b.amr"]
CONSENSUS = "consensus.amr"
#: Of the items of the study, so many, and so many rows in a table of the worst.
ITEMS, ROWS = 10, "8"


class Reports(Mapping[str, Path]):
    """Reports by their names; each is made when it is asked for."""

    def __init__(self, folder: Path, commands: Mapping[str, Sequence[str]]) -> None:
        self._folder, self._commands = folder, commands

    def __getitem__(self, name: str) -> Path:
        page = self._folder / f"{name}.html"
        if not page.exists():
            with pytest.MonkeyPatch.context() as patch:
                patch.chdir(self._folder)
                done = run(name, *self._commands[name], "--format", "html", "-o", page.name)
                assert done.exit_code == 0, done.stderr
        return page

    def __iter__(self) -> Iterator[str]:
        return iter(self._commands)

    def __len__(self) -> int:
        return len(self._commands)


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Reports:
    """Some reports, the first with pages that it leads to."""
    folder = tmp_path_factory.mktemp("reports")
    few = ("--resamples", "99")
    cut = ("--rows", ROWS)
    every = {
        "iaa": (*ANNOTATORS, "--consensus", CONSENSUS, *few, *cut, "--pages", "pages"),
        "compare": (*ANNOTATORS, "--gold", CONSENSUS, *few),
        "principles": (
            *ANNOTATORS,
            "--sample",
            "4",
            "--seeds",
            "2",
            "--metric",
            "smatch",
            "--metric",
            "sembleu",
        ),
        "correlate": (*ANNOTATORS, CONSENSUS, "--metrics", "smatch,sembleu"),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in (*ANNOTATORS, CONSENSUS):
            write(name, blocks_of(AGREEMENT / name)[:ITEMS])
    return Reports(folder, every)


_SAID = """
for (const details of document.querySelectorAll("details")) details.open = true;
const told = [...document.querySelectorAll("[aria-label], [title]")].map((element) =>
  `${element.getAttribute("aria-label")} ${element.getAttribute("title")}`);
return [document.body.innerText, ...told].join("\\n");
"""


@pytest.mark.nightly
def test_pages_of_annotators_call_them_by_their_names(screen: Window, reports: Reports) -> None:
    """No file is a system or a gold standard, neither in the page nor for screen readers."""
    page = reports["iaa"].parent / "pages" / "a--b" / "index.html"
    for place in (None, "study.7"):
        screen.open(page, *([] if place is None else [place]))
        said = screen.run(_SAID)
        assert "only a" in said and "only b" in said
        told = re.sub("the gold coin", "", said)  # a sentence has one
        assert not re.findall(r".{,40}\b(?:system|gold)\b.{,40}", told, re.IGNORECASE)


@pytest.mark.nightly
def test_reports_are_accessible(screen: Window, reports: Reports) -> None:
    """No rule of axe-core is broken that it calls serious or critical, in light and dark."""
    for page in reports.values():
        screen.open(page)
        assert screen.violations_in_light_and_dark() == ([], []), page


@pytest.mark.parametrize("name", by_day(["iaa", "compare", "principles", "correlate"]))
def test_no_report_is_wider_than_the_window(screen: Window, reports: Reports, name: str) -> None:
    screen.open(reports[name])
    for width in (1280, 400):
        screen.resize(width)
        assert screen.overflow() <= 0, width


_COLUMN = """
const table = document.querySelector("#items").closest("section").querySelector("table");
const place = [...table.tHead.rows[0].cells].findIndex((head) => head.innerText.startsWith("mean"));
if (arguments[0]) table.tHead.rows[0].cells[place].querySelector("button").click();
return [table.tHead.rows[0].cells[place].getAttribute("aria-sort"),
        [...table.tBodies[0].rows].map((row) => Number(row.cells[place].innerText))];
"""


def test_columns_are_sorted(screen: Window, reports: Reports) -> None:
    screen.open(reports["iaa"])
    before = screen.run(_COLUMN, False)
    assert before[0] is None and len({*before[1]}) > 5
    up, down = (screen.run(_COLUMN, True) for _ in range(2))
    assert up == ["ascending", sorted(before[1])]
    assert down == ["descending", sorted(before[1], reverse=True)]


def test_the_least_p_values_come_first(screen: Window, tmp_path: Path) -> None:
    values = [0.5, 0.00001, None, 0.02, 0.00001, 0.3]
    rows = [[f"s{number}", p] for number, p in enumerate(values)]
    table = Table("tests", "Tests", [Heading("s", "s"), Heading("p", "p", "p")], rows)
    origin = Provenance("command", [], "signature", "signature", "versions")
    page = tmp_path / "page.html"
    page.write_text(html(Report("study", "Title", "Result.", [table], origin)), encoding="utf-8")
    screen.open(page)
    screen.click("th.number button")
    assert screen.texts("tbody td:first-child") == ["s1", "s4", "s3", "s5", "s0", "s2"]


def test_the_contents_are_at_the_side_of_a_wide_screen(screen: Window, reports: Reports) -> None:
    screen.open(reports["iaa"], width=1920)
    for _ in range(2):
        (contents,), (main,) = screen.boxes("nav"), screen.boxes("main")
        assert contents["x"] + contents["width"] < main["x"]
        assert 0 <= contents["y"] < 60
        screen.run("document.querySelector('#items').scrollIntoView({ behavior: 'instant' })")


_COPIED = """
window.copied = [];
navigator.clipboard.writeText = (text) => arguments[0] ? Promise.resolve(copied.push(text))
  : Promise.reject(new Error("not allowed"));
document.querySelector(".copying button").click();
return document.querySelector("[data-copied]").textContent;
"""


def test_the_sentence_for_a_paper_is_copied_or_selected(screen: Window, reports: Reports) -> None:
    screen.open(reports["iaa"])
    sentence = screen.run(_COPIED, True)
    screen.wait("return document.querySelector('.copying [role=status]').textContent")
    assert sentence.startswith("Smatch F1 of") and screen.run("return copied") == [sentence]
    assert screen.text(".copying [role=status]") == "Copied."
    screen.run(_COPIED, False)
    screen.wait("return getSelection().toString()")
    assert screen.run("return getSelection().toString()") == sentence


def test_a_table_is_saved_from_the_page(screen: Window, reports: Reports, tmp_path: Path) -> None:
    """Every digit, of which the page shows four."""
    screen.open(reports["iaa"])
    screen.download_to(tmp_path)
    screen.run(
        "document.querySelector('#items').closest('section').querySelector('.saved a').click()"
    )
    saved = tmp_path / "agreement-items.csv"
    deadline = time.monotonic() + 60
    while not saved.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    lines = saved.read_text("utf-8").splitlines()
    assert len(lines) == 1 + int(ROWS) and re.search(r"0\.\d{12}", lines[1])


_BARS = """
return [...document.querySelectorAll("figure.scroll")].map((each) =>
  [each.scrollWidth > each.clientWidth, each.offsetHeight - each.clientHeight]);
"""


@pytest.mark.nightly
def test_plots_on_narrow_screens_scroll_visibly(screen: Window, reports: Reports) -> None:
    for page in reports.values():
        screen.open(page, width=400)
        bars = screen.run(_BARS)
        assert all(height >= 8 for scrolls, height in bars if scrolls), page
    assert any(scrolls for scrolls, _ in bars)


def test_a_report_leads_to_its_pairs(screen: Window, reports: Reports) -> None:
    screen.open(reports["iaa"])
    item = screen.run(
        "const link = document.querySelector('#items').closest('section').querySelector('td a');"
        "link.click(); return link.textContent"
    )
    screen.wait_for_pair(item)
    assert screen.text("#pair-title") == item


def test_on_paper_there_is_nothing_to_press(screen: Window, reports: Reports) -> None:
    screen.open(reports["iaa"], scheme="dark")
    screen.emulate("print", "dark")
    assert screen.displayed("nav") == [False]
    assert (
        screen.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    )
