"""The table of all pairs: sorted, filtered, quick."""

import json
from pathlib import Path
from typing import Any

import pytest
from browser_pages import Pages
from chromium import Window

import exactmatch
from exactmatch.report.pages.site import PairStore, writing_pages

pytestmark = pytest.mark.browser

_ROWS = """
return [...document.querySelectorAll("#pairs tbody tr")].map((row) =>
  [...row.cells].map((cell) => cell.textContent));
"""
_HEADS = """
return [...document.querySelectorAll("#pairs thead th")].map((head) =>
  [head.dataset.column, head.getAttribute("aria-sort")]);
"""


def rows(screen: Window) -> list[list[str]]:
    found: list[list[str]] = screen.run(_ROWS)
    return found


def number_of_rows(screen: Window) -> int:
    found: int = screen.run("return document.querySelectorAll('#pairs tbody tr').length")
    return found


def told(screen: Window, name: str) -> list[str]:
    """Return the texts of the cells of a column, without the parts of sums."""
    found: list[str] = screen.run(
        "return [...document.querySelectorAll(arguments[0])].map((cell) =>"
        " cell.firstChild.textContent)",
        f'td[data-column="{name}"]',
    )
    return found


def test_what_is_skipped_or_left_out_is_said_once(screen: Window, tmp_path: Path) -> None:
    for side, texts in {
        "system": ["(a / b", "(c / d)", "(e / f)"],
        "gold": ["(a / b)", "(c / e)", "(e / g :mod (h / i))"],
    }.items():
        (tmp_path / f"{side}.amr").write_text("\n\n".join(texts) + "\n", encoding="utf-8")
    page = exactmatch.show(
        tmp_path / "system.amr",
        tmp_path / "gold.amr",
        tmp_path / "page.html",
        on_error="skip",
        worst=1,
    )
    screen.open(page)
    assert screen.texts("#notes li") == [
        "pairs skipped: 1",
        "Shown: the worst pair by difference; the scores above are those of all 2 pairs.",
    ]


def sort(screen: Window, name: str) -> None:
    screen.click(button(name))


def button(name: str) -> str:
    return f'#pairs th[data-column="{name}"] button'


#: Clicks on the head of a column, and returns the figures of the column, and how all are sorted.
_SORTED = """
const [button, cells] = arguments;
document.querySelector(button).click();
return [
  [...document.querySelectorAll(cells)].map((cell) => Number(cell.firstChild.textContent)),
  [...document.querySelectorAll("#pairs thead th[aria-sort]")].map((head) =>
    [head.dataset.column, head.ariaSort]),
];
"""


def test_what_is_the_matter_is_told_once(screen: Window, tmp_path: Path) -> None:
    system = "(a / b\n\n(c / d\n\n(e / f)\n"
    page = exactmatch.show(system, system.replace("b", "b)"), tmp_path / "x.html", on_error="skip")
    screen.open(page)
    assert screen.text("#notes") == "pairs skipped: 2"


def test_the_result_is_told_first(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page)
    content = pages.agreement.contents["page-data"]
    assert screen.text("#result") == (
        f"Smatch F1 {content['corpus']['f1']:.4f}, proven: no mapping scores higher."
    )
    assert screen.text("title") == screen.text("#title") == "a.amr / b.amr"
    assert content["signature"] in screen.text("#made")
    assert screen.text("#count") == "24 pairs."


def test_rows_tell_the_figures(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page)
    for shown, row in zip(rows(screen), pages.agreement.contents["page-data"]["rows"], strict=True):
        sums = [sum(counts[which] for counts in row["kinds"].values()) for which in range(4)]
        assert shown[:7] == [
            row["id"],
            f"{row['score']:.4f}",
            row["words"],
            *(str(row[name]) for name in ("matched", "system_total", "gold_total")),
            str(sum(sums)),
        ]
        assert shown[-1] == "checked"
    by_kind = pages.agreement.contents["page-data"]["rows"][0]["kinds"]
    parts = [f"{kind} {counts[1]}" for kind, counts in sorted(by_kind.items()) if counts[1]]
    cell = 'tr[data-pair="0"] td[data-column="extra"]'
    assert screen.texts(cell) == [str(sum(counts[1] for counts in by_kind.values()))]
    screen.click("#by-kind")
    (told,) = screen.texts(cell)
    assert sorted(told.split("\n")[1].split(", ")) == parts


def test_every_column_sorts(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page)
    names = [name for name, _ in screen.run(_HEADS)]
    assert names == [
        *("id", "score", "words", "matched", "system", "gold", "differences"),
        *("other", "extra", "missing", "proof"),
    ]
    before = rows(screen)
    for name in ["score", *names[3:-1]]:
        given = button(name), f'td[data-column="{name}"]'
        (up, sorted_up), (down, sorted_down) = (screen.run(_SORTED, *given) for _ in range(2))
        assert up == sorted(up) and sorted_up == [[name, "ascending"]]
        assert down == sorted(up, reverse=True) and sorted_down == [[name, "descending"]]
    sort(screen, "id")  # numbers in names are numbers
    assert rows(screen) == before
    sort(screen, "proof")  # all the same: nothing moves
    assert rows(screen) == before


def figures(screen: Window, name: str) -> list[float]:
    return [float(text) for text in told(screen, name)]


def test_filters_by_id_words_and_kind(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page)
    screen.type("#find", "STUDY.2")
    assert [row[0] for row in rows(screen)] == ["study.2", *(f"study.2{k}" for k in range(5))]
    assert screen.text("#count") == "6 of 24 pairs."
    screen.type("#find", "old cat does not")
    assert [row[0] for row in rows(screen)] == ["study.1"]
    screen.type("#find", "no such words")
    assert rows(screen) == [] and screen.text("#count") == "0 of 24 pairs."
    screen.open(pages.samples["counter"].page)
    content = pages.samples["counter"].contents["page-data"]["rows"]
    identical = [row["id"] for row in content if row["score"] == 1]
    screen.choose("#which", "identical")
    assert [row[0] for row in rows(screen)] == identical != []
    screen.choose("#which", "differing")
    assert [row[0] for row in rows(screen)] == [r["id"] for r in content if r["score"] < 1]
    screen.choose("#which", "unproven")
    assert rows(screen) == []


def many_pairs(folder: Path, pages: Pages, number: int) -> Path:
    """Return a page with a table of many pairs, not all of them proven."""
    content = json.loads(json.dumps(pages.agreement.contents["page-data"]))
    row: dict[str, Any] = content.pop("rows")[0]
    store = PairStore()
    store.rows = [
        {
            **row,
            "id": f"pair {k}",
            "words": "",
            "score": (k * 7919 % 1000) / 1000,
            "upper": row["upper"] + (k % 10 == 3),
            "status": "feasible" if k % 10 == 3 else "optimal",
        }
        for k in range(number)
    ]
    content["corpus"] |= {"pairs": number, "optimal": number * 9 // 10, "f1_upper": 0.9}
    with writing_pages(folder / "index.html") as write:
        page = write(content, store)
    # A third of the rows at once: to draw hundreds takes a browser seconds.
    text = page.read_text(encoding="utf-8")
    assert text.count("ROWS_AT_ONCE = 500;") == 1
    page.write_text(text.replace("ROWS_AT_ONCE = 500;", "ROWS_AT_ONCE = 160;"), encoding="utf-8")
    return page


@pytest.mark.nightly
def test_of_many_pairs_some_are_shown(screen: Window, pages: Pages, tmp_path: Path) -> None:
    screen.open(many_pairs(tmp_path, pages, 1500))
    assert number_of_rows(screen) == 160
    assert screen.text("#count") == "1,500 pairs; the first 160 are shown."
    assert "between 0.7843 and 0.9000: 150 pairs are not proven" in screen.text("#result")
    screen.click("#more")
    assert number_of_rows(screen) == 320
    screen.choose("#which", "unproven")
    assert screen.text("#count") == "150 of 1,500 pairs."
    assert set(figures(screen, "gap")) == {1} and set(told(screen, "proof")) == {"not proven"}
    screen.choose("#which", "all")
    sort(screen, "score")
    sort(screen, "score")
    assert figures(screen, "score")[:3] == [0.999] * 2 + [0.998]
    screen.type("#find", "1499")
    assert [row[0] for row in rows(screen)] == ["pair 1499"]


def test_from_the_table_to_a_pair_and_on(screen: Window, pages: Pages) -> None:
    """Pairs follow in the order of the table, by link, button and key, and back again."""
    screen.open(pages.agreement.page)
    sort(screen, "differences")
    screen.type("#find", "study.1")
    order = [row[0] for row in rows(screen)]
    assert len(order) == 11
    screen.click("#pairs tbody a", 1)
    screen.wait_for_pair(order[1])
    assert screen.text("#pair-title") == order[1] and screen.displayed("#overview") == [False]
    assert "2 of 11" in screen.text("#pair nav")
    screen.click("#next")
    screen.wait_for_pair(order[2])
    screen.press("n")
    screen.wait_for_pair(order[3])
    screen.press("p")
    screen.wait_for_pair(order[2])
    screen.click("#previous")
    screen.wait_for_pair(order[1])
    screen.press("p")
    screen.wait_for_pair(order[0])
    assert screen.attribute("#previous", "disabled") is not None
    screen.run("history.back()")
    screen.wait_for_pair(order[1])
    screen.press("ESCAPE")
    screen.wait("return !document.getElementById('overview').hidden")
    assert [row[0] for row in rows(screen)] == order
    assert screen.texts(":focus")[-1] == order[1]


def test_pairs_of_a_folder_are_read_when_opened(screen: Window, pages: Pages) -> None:
    screen.open(pages.in_folder)
    assert screen.run("return performance.getEntriesByType('resource').length") == 0
    screen.open(pages.in_folder, "study.24")
    content = pages.agreement.contents["pair-23"]
    assert screen.text("#pair-title") == "study.24"
    assert screen.run("return current.pair") == content


def test_what_is_not_there_is_said(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page)
    screen.run("location.hash = 'id=nothing'")
    screen.wait("return document.querySelector('#pair .alarm')")
    assert "no pair" in screen.text("#pair .alarm") and "nothing" in screen.text("#pair .alarm")
    screen.run("location.hash = 'id=%E0%A4%A'")  # not a well-formed address
    screen.wait("return document.querySelector('#pair .alarm').textContent.includes('%E0')")


@pytest.mark.nightly
def test_pairs_of_another_run_are_not_shown(screen: Window, pages: Pages, tmp_path: Path) -> None:
    first, second = (tmp_path / name for name in ("first", "second"))
    exactmatch.show(pages.agreement.system, pages.agreement.gold, first)
    exactmatch.show(pages.agreement.system, pages.agreement.system, second)
    (second / "pairs" / "0000.js").replace(first / "pairs" / "0000.js")
    screen.open(first / "index.html")
    screen.run("location.hash = 'id=study.1'")
    screen.wait("return document.querySelector('#pair .alarm')")
    assert "another run" in screen.text("#pair .alarm")


def test_who_goes_back_at_once_sees_the_overview(screen: Window, pages: Pages) -> None:
    screen.open(pages.in_folder)
    screen.run("location.hash = 'id=study.3'; setTimeout(() => { location.hash = ''; }, 0)")
    screen.wait("return location.hash === '' && chunks.has(0)")
    screen.run("return chunkOf(0).pairs.then(() => {})")
    screen.wait("return !document.getElementById('overview').hidden")
    assert screen.displayed("#pair") == [False]
