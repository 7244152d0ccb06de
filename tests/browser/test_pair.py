"""A pair: partners light up, keys lead through drawings, mappings by hand are counted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser_pages import Pages, Sample
from chromium import Window
from nightly import day_share

pytestmark = pytest.mark.browser

ID = "study.7"


def node(side: str, variable: int) -> str:
    return f'#drawings .node[data-side="{side}"][data-variable="{variable}"]'


def hot(screen: Window, side: str, room: str) -> list[int]:
    """Return the variables that are lit on a side."""
    found = screen.run(
        "return [...document.querySelectorAll(arguments[0])].map((each) =>"
        " Number(each.dataset.variable))",
        f'#{room} .hot[data-side="{side}"][data-variable]',
    )
    return sorted(set(found))


def pair_of(pages: Pages, identifier: str = ID) -> dict[str, Any]:
    (found,) = (p for p in pages.agreement.contents.values() if p.get("id") == identifier)
    return dict(found)


def test_pointing_shows_the_partner(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page, ID)
    pair = pair_of(pages)
    i, j = pair["mapping"][2]
    names = pair["system"]["names"][i], pair["gold"]["names"][j]
    for target in (
        node("system", i),
        node("gold", j),
        f'#texts [data-side="system"][data-variable="{i}"]',
        f'#texts [data-side="gold"][data-variable="{j}"]',
        f'#mapping tr[data-side="system"][data-variable="{i}"] th',
    ):
        screen.point_at("#pair-title")
        screen.point_at(target)
        assert hot(screen, "system", "drawings") == hot(screen, "system", "texts") == [i]
        assert hot(screen, "gold", "drawings") == hot(screen, "gold", "texts") == [j]
        assert hot(screen, "system", "mapping") == [i]
        assert all(name in screen.text("#info") for name in names)


def test_pointing_at_an_edge_shows_its_triple(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page, ID)
    triple = screen.run(
        "return document.querySelector('#drawings .edge-label[data-side=gold][data-mark=missing]')"
        ".dataset.triple"
    )
    screen.point_at(f'#drawings .edge-label[data-side="gold"][data-triple="{triple}"]')
    assert "(only gold)" in screen.text("#info .first")
    assert screen.count(f'#texts .hot[data-side="gold"][data-triple="{triple}"]')


def test_tab_stops_once_at_a_drawing_and_arrows_go_on(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page, ID)
    stops: list[str] = []
    while "summary" not in stops[3:]:
        screen.press("TAB")
        stops.append(screen.run(
            "const {tagName, classList, dataset} = document.activeElement;"
            "return classList.contains('node') ? dataset.side"
            " : classList.contains('text-line') ? 'line' : tagName.toLowerCase()"
        ))  # fmt: skip
    variables = pair_of(pages)["system"]["variables"]
    assert stops == [
        *("button", "button", "button", "button"),  # the size of the drawings
        *("system", "gold", "line", "line"),
        *("select" for _ in variables),
        "summary",
    ]


def test_arrows_and_enter_in_a_drawing(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page, ID)
    pair = pair_of(pages)
    screen.run("document.querySelector('#drawings .node').focus()")
    first = focused(screen)
    screen.press("ARROW_DOWN")
    second = focused(screen)
    assert second["side"] == "system" and second["variable"] != first["variable"]
    boxes = pair["system"]["nodes"]
    top = {str(box["variable"]): box["y"] for box in boxes}
    assert top[second["variable"]] > top[first["variable"]]
    screen.press("END")
    assert focused(screen)["node"] == str(len(boxes) - 1)
    screen.press("HOME")
    i, j = pair["mapping"][0]
    screen.run("document.querySelector(arguments[0]).focus()", node("system", i))
    assert hot(screen, "gold", "drawings") == [j]
    screen.press("ENTER")
    assert focused(screen)["side"] == "gold" and focused(screen)["variable"] == str(j)
    label = screen.attribute(node("system", i), "aria-label")
    assert label is not None
    assert pair["system"]["names"][i] in label and pair["gold"]["names"][j] in label


#: Places aside and ahead of a node, which has number 0, and which one an arrow key leads to.
NEAREST = [
    ([(0, 90), (0, 50)], 2),  # the nearer one of two straight ahead
    ([(0, 100), (60, 20)], 1),  # straight ahead, although the other is nearer
    ([(0, 100), (30, 20)], 2),  # aside, but much nearer
    ([(0, 100), (-60, 20)], 1),  # the same on the other side
    ([(0, 100), (-30, 20)], 2),
    ([(30, 40), (0, 90)], 2),
    ([(10, 50), (-10, 50)], 1),  # of two as near, the first
    ([(80, 0), (0, 200)], 2),  # what is beside is not ahead
    ([(0, -20), (0, 200)], 2),  # nor is what is behind
    ([(80, 0), (0, -20)], 0),  # nothing is ahead
]
#: How what is aside and ahead of an arrow key lies on the screen.
TURNED: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "ArrowDown": lambda aside, ahead: (aside, ahead),
    "ArrowUp": lambda aside, ahead: (aside, -ahead),
    "ArrowRight": lambda aside, ahead: (ahead, aside),
    "ArrowLeft": lambda aside, ahead: (-ahead, aside),
}


def test_arrows_lead_to_what_is_nearest_straight_ahead(screen: Window, pages: Pages) -> None:
    """Nodes differ in size: it is their middles that count."""
    screen.open(pages.agreement.page, ID)
    for key, turned in TURNED.items():
        for others, found in NEAREST:
            middles = [turned(*place) for place in [(0, 0), *others]]
            sizes = [(4 + 8 * k, 10 - 2 * k) for k in range(len(middles))]
            nodes = [
                {"x": 7 + x - w / 2, "y": 5 + y - h / 2, "w": w, "h": h}
                for (x, y), (w, h) in zip(middles, sizes, strict=True)
            ]
            to = screen.run("return nearest(arguments[0], 0, arguments[1])", nodes, key)
            assert to == found, (key, others)


def focused(screen: Window) -> dict[str, str]:
    found: dict[str, str] = screen.run("return {...document.activeElement.dataset}")
    return found


def test_lines_of_a_text_by_arrows(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page, ID)
    screen.run("document.querySelectorAll('.text-line')[0].focus()")
    screen.press("ARROW_DOWN", "ARROW_DOWN")
    number = screen.run(
        "return [...document.querySelectorAll('.text-line')].indexOf(document.activeElement)"
    )
    assert number == 2 and screen.count("#texts .hot")


def test_a_mapping_by_hand_is_counted(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page, ID)
    pair = pair_of(pages)
    (i, j), (other, _) = pair["mapping"][:2]
    assert screen.text("#by-hand") == ""
    screen.choose(chooser(other), str(j))
    assert [value(screen, i), value(screen, other)] == ["", str(j)]  # freed and taken
    said = screen.text("#by-hand-score")
    optimum = pair["score"]["matched"]
    matched = int(screen.attribute("#by-hand-score", "data-matched") or "")
    total = pair["score"]["system_total"] + pair["score"]["gold_total"]
    assert said == (
        f"By hand: {matched} matched, F1 {2 * matched / total:.4f}; proven optimum: {optimum}, "
        f"F1 {pair['score']['f1']:.4f}; {optimum - matched} fewer."
    )
    assert "Loses " in screen.text("#by-hand")
    names = pair["system"]["variables"]
    assert f"{names[other]}" in screen.text("#by-hand") and matched < optimum
    assert screen.attribute(node("system", other), "data-standing") == "hand"
    assert screen.attribute(node("system", i), "data-standing") == "none"
    screen.click("#reset")
    assert screen.text("#by-hand") == "" and value(screen, i) == str(j)


def chooser(i: int) -> str:
    return f'#mapping tr[data-side="system"][data-variable="{i}"] select'


def value(screen: Window, i: int) -> str:
    return screen.value(chooser(i))


def test_another_best_mapping_is_as_good(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page, "study.1")
    pair = pair_of(pages, "study.1")
    (i, j) = next(both for both in pair["some"] if both not in pair["mapping"])
    assert pair["system"]["variables"][i] in ("c0", "c1")
    screen.choose(chooser(i), str(j))
    assert "as good as the proven one" in screen.text("#by-hand-score")


_NOT_PROVEN = """
Object.assign(current.pair.score, {status: "feasible", matched: arguments[0], upper: arguments[1]});
current.partner = [...arguments[2]];
showMapping();
"""


def test_better_than_found_and_better_than_possible(screen: Window, pages: Pages) -> None:
    """A mapping by hand may beat an unproven score; if it beats a bound, the page warns loudly."""
    screen.open(pages.agreement.page, ID)
    matched = pair_of(pages)["score"]["matched"]
    best = screen.run("return [...current.proven]")
    screen.run("current.proven[0] = null")
    screen.run(_NOT_PROVEN, matched - 1, matched + 2, best)
    assert "1 more: better than what was found" in screen.text("#by-hand-score")
    assert "best found" in screen.text("#by-hand-score") and not screen.count("#by-hand .alarm")
    screen.run(_NOT_PROVEN, matched - 1, matched - 1, best)
    assert "This is an error" in screen.text("#by-hand .alarm")


#: Shows the pair as if this mapping had been found, and returns how sure its rows are.
_FOUND = """
current.proven = [...arguments[0]];
current.partner = [...arguments[0]];
showPair(current.pair.id, "");
const rows = document.querySelectorAll("#mapping tr[data-side=system]");
return [...rows].map((row) => row.dataset.standing);
"""


def test_what_is_not_known_is_not_told_as_known(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page, ID)
    screen.run(
        "Object.assign(current.pair, {every: null, some: null, others: ''});"
        "current.pair.score.status = 'feasible'; current.pair.score.upper += 2;"
        "current.pair.score.f1_upper = 0.9876;"
        "showPair(current.pair.id, '')"
    )
    assert "not known" in screen.text("#pair") and "certain" not in screen.text("#mapping")
    assert "Not proven: no mapping matches more than" in screen.text("#verdict")
    assert " and 0.9876: " in screen.text("#verdict")
    assert "certain" not in screen.text(".legend")
    system, gold = (pair_of(pages)[side]["names"] for side in ("system", "gold"))
    mapping = {"p0 / possible-01": "x0 / possible-01", "k0 / keep-01": "x8 / weather"}
    partner = [gold.index(mapping[name]) if name in mapping else None for name in system]
    assert dict(zip(system, screen.run(_FOUND, partner), strict=True)) == {
        **dict.fromkeys(system, "none"),
        "p0 / possible-01": "unknown",
        "k0 / keep-01": "arbitrary",  # keep-01 and weather match in nothing
    }


def test_anchors_are_marked_in_the_sentence(screen: Window, pages: Pages) -> None:
    sample = pages.samples["mrp"]
    found = next(
        pair for name, pair in sample.contents.items()
        if name != "page-data" and pair["sentences"] and pair["system"].get("anchors")
        and pair["mapping"]
    )  # fmt: skip
    screen.open(sample.page, found["id"])
    variable, start, end = found["system"]["anchors"][0]
    screen.run("document.querySelector(arguments[0]).focus()", node("system", variable))
    lit = screen.run(
        "return [...document.querySelectorAll('.sentence .anchor.hot')].map((e) => e.textContent)"
    )
    assert lit and found["sentences"][0][1][start:end] in "".join(lit)


def test_both_drawings_move_and_grow_together(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page, "study.10", width=900)
    width = "return document.querySelector('#drawings svg').getBoundingClientRect().width"
    for name in ("Drawings in full size", "Larger drawings", "Larger drawings"):
        screen.click(f'#drawings button[aria-label="{name}"]')
    assert screen.run(width) > 900
    screen.run("document.querySelector('.drawing').scrollTo({left: 77, behavior: 'instant'})")
    screen.wait("return document.querySelectorAll('.drawing')[1].scrollLeft === 77")
    assert screen.displayed("#wider") == [True]
    screen.click('#drawings button[aria-label^="Fit"]')
    assert screen.run(width) < 900 and screen.displayed("#wider") == [False]


def test_a_drawing_that_is_cut_says_how_to_see_the_whole(screen: Window, pages: Pages) -> None:
    screen.open(pages.agreement.page, "study.7", width=400)
    assert screen.displayed("#wider") == [True] and screen.overflow() <= 0
    screen.resize(1280)
    screen.wait("return document.getElementById('wider').hidden")


@pytest.mark.nightly
def test_graphs_of_few_nodes_stand_side_by_side(screen: Window, pages: Pages) -> None:
    few = 0
    pairs = pages.agreement.pairs
    for pair in pairs[: day_share(len(pairs))]:
        sizes = [len(graph.variables) for graph in (pair.system, pair.gold)]
        if max(sizes) > 20:
            continue
        few += 1
        screen.open(pages.agreement.page, pair.identifier, width=1280)
        left, right = screen.boxes("#drawings .drawing")
        assert left["x"] + left["width"] <= right["x"] and left["y"] == right["y"], pair.identifier
    assert few > day_share(10)


def test_an_excerpt_says_what_is_left_out_and_takes_no_mapping_by_hand(
    screen: Window, pages: Pages
) -> None:
    pairs = Sample(Path(), Path(), pages.agreement.metric, pages.excerpt).contents
    del pairs["page-data"]
    excerpts = [pair for pair in pairs.values() if "part" in pair]
    assert excerpts and len(excerpts) < len(pairs)
    screen.open(pages.excerpt)
    for pair in pairs.values():
        screen.run("location.hash = address(arguments[0])", pair["id"])
        screen.wait_for_pair(pair["id"])
        assert bool(screen.count("#excerpt")) == ("part" in pair)
        assert bool(screen.count("#mapping select")) == ("part" not in pair)
        if "part" not in pair:
            continue
        said = screen.text("#excerpt")
        for side in ("system", "gold"):
            for shown, all_ in pair["part"][side].values():
                assert f"{shown} of {all_} " in said
        for side in ("system", "gold"):
            marks = screen.run("return current.marks[arguments[0]]", side)
            assert marks == pair["fixed"][side]
        legend = screen.text(".legend")
        assert ("similar label" in legend) == ("partly" in pair["fixed"]["system"])
        told = screen.run(
            "return [...document.querySelectorAll('#mapping tr[data-side=system] .number')]"
            ".map((cell) => cell.textContent)"
        )
        assert told == [f"{matches} of {all_}" for matches, all_ in pair["fixed"]["counts"]]
        screen.click("#all-triples summary")
        screen.wait("return document.querySelector('#all-triples [data-triple]')")
        numbers = {
            (side, k) for side in ("system", "gold") for k in range(len(pair[side]["triples"]))
        }
        listed = screen.run(
            "return [...document.querySelectorAll('#all-triples [data-triple]')].map((each) =>"
            " [each.dataset.side, Number(each.dataset.triple)])"
        )
        assert {(side, number) for side, number in listed} == numbers
