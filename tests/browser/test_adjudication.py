"""The page on which annotations are adjudicated, by keyboard and by mouse, and what it keeps."""

import json
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_pages import HOSTILE_ID, QUOTES, RIGHT_TO_LEFT, SCRIPT
from chromium import Window

import exactmatch
from exactmatch.many.adjudication.batch import read_batch
from exactmatch.many.adjudication.collecting import Collection
from exactmatch.many.adjudication.result import NEITHER, result_of, written

pytestmark = pytest.mark.browser

AGREEMENT = Path(__file__).resolve().parents[2] / "instances" / "agreement"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of two annotators."""
    folder = tmp_path_factory.mktemp("adjudication")
    return exactmatch.adjudicate([AGREEMENT / f"{x}.amr" for x in "ab"], folder).page


@pytest.fixture
def opened(screen: Window, page: Path) -> Iterator[Window]:
    """The page, which forgets the work of a test after it; the adjudicator is called ann."""
    screen.open(page)
    assert screen.run("return work.entries.length") == 0
    screen.type("#who", "ann")
    screen.press("ENTER")
    yield screen
    screen.run("localStorage.clear()")


def said(screen: Window) -> str:
    return screen.text("#said").replace("\u2068", "").replace("\u2069", "")


def collected(screen: Window, page: Path, folder: Path) -> tuple[Collection, str]:
    work, gold = folder / "work.json", folder / "gold.amr"
    work.write_text(screen.run("return workText()"), encoding="utf-8")
    found = exactmatch.collect_work(page.parent, [work], gold)
    return found, gold.read_text(encoding="utf-8")


def test_an_item_is_settled_by_keyboard_alone(opened: Window, page: Path, tmp_path: Path) -> None:
    assert opened.text("#asked") == "Which node is the root?"
    assert opened.text("#question").startswith("Difference 1 of 4: ")
    opened.press("f")
    assert said(opened).startswith("Not finished: 4 differences to decide")
    opened.press("1")
    assert said(opened).startswith("root: w0 / wash-01. How are c0 / cat and w1 / want-01 related?")
    assert "1: w1 :ARG0 c0, b" in said(opened)
    signs = [row[0] for row in opened.texts("#differences .row")]
    assert signs == ["●", "○", "○", "○"]  # the first is decided
    for key in ("1", "0", "0"):  # that relation; no second cat; it is not old
        opened.press(key)
    assert "The item can be finished: f finishes it." in said(opened)
    opened.press("a")
    opened.press(*"c0 :mod (o1 / old)", "ENTER", "ESCAPE", "f")
    assert said(opened) == (
        "Finished. The item is finished: f opens it again, i goes to the next that is not finished."
    )
    opened.press("1")
    assert opened.text("#alarm").startswith("This item is finished")
    found, gold = collected(opened, page, tmp_path)
    assert [item.fate for item in found.items].count("collected") == 1
    assert ":mod (o1 / old)" in gold and opened.text("#text") in gold
    assert opened.violations() == [] and opened.overflow() == 0
    for key in "uuuuuu":
        opened.press(key)
    assert opened.run("return work.entries.length") == 0
    opened.press("u")
    assert said(opened) == "There is nothing to undo."


def test_faults_are_said_at_once_and_repaired_by_mouse(opened: Window) -> None:
    for key in "1001":  # the second cat is dropped, and what hangs on it kept
        opened.press(key)
    (fault,) = opened.texts("#faults .fault")
    assert fault.startswith("disconnected: o0 not connected with the 5 nodes of the largest")
    attach, drop = range(2)
    assert opened.texts("#faults .fault button")[drop:] == ["drop o0"]
    opened.click("#faults .fault button", attach)
    opened.press("ENTER")
    assert not opened.count("#faults .fault") and ":mod (o0 / old)" in opened.text("#text")
    opened.click("#undo")
    opened.click("#faults .fault button", drop)
    assert not opened.count("#faults .fault") and "o0" not in opened.text("#text")
    opened.click("#finish")
    assert opened.text("#hindrances") == "This item is finished."


#: Runs steps without showing each: to draw the item every time would take most of the time.
_UNSEEN = "const shown = show; show = () => {}; %s show = shown;"
_CHOOSE = _UNSEEN % "for (const [id, c] of arguments[0]) { current.key = id; choose(c); }"
_UNDO = _UNSEEN % "while (work.entries.length > 1) undo();"

#: The text of an item, its differences that are decided, and whether it is finished.
_STATE = """
const { choices, finished } = stateOf(current.item);
return [document.getElementById("text").textContent, [...choices.keys()], Boolean(finished)];
"""


@pytest.mark.nightly
def test_choices_by_chance_give_what_was_chosen(opened: Window, page: Path, tmp_path: Path) -> None:
    """What the page finishes is collected; what it does not finish would be refused."""
    chance, batch = random.Random(5), read_batch(page.parent)
    texts: dict[str, str] = {}
    finished = []
    opened.run("document.body.style.visibility = 'hidden'")  # to draw each takes longer
    for item in batch.items[:20]:
        opened.run("openNamed(arguments[0])", item.id)
        choices: dict[str, Any] = {
            one.id: chance.choice([*range(len(one.options)), *[NEITHER] * bool(one.absent)])
            for one in item.differences
        }
        opened.run(f"{_CHOOSE} show(); finish();", list(choices.items()))
        texts[item.id], kept, is_finished = opened.run(_STATE)
        choices = {key: choice for key, choice in choices.items() if key in kept}
        assert texts[item.id] == written(item, result_of(item, choices))
        if is_finished:
            finished.append(item.id)
    opened.run("document.body.style.visibility = ''")
    found, gold = collected(opened, page, tmp_path)
    fates = {item.id: item.fate for item in found.items}
    assert finished and [name for name, fate in fates.items() if fate == "collected"] == finished
    assert len(finished) < 20
    for name in finished:
        assert texts[name] in gold
    known = {f.kind for item in batch.items for graph in item.graphs for f in graph.faults}
    assert {f.kind for f in exactmatch.check(gold).files[0].faults} <= known
    opened.run(f"{_UNDO} undo();")
    assert opened.run("return work.entries.length") == 0


def test_a_concept_that_nobody_has_can_be_taken(opened: Window, page: Path) -> None:
    item, one = next(
        (item, one)
        for item in read_batch(page.parent).items
        for one in item.differences
        if one.kind == "concept"
    )
    opened.run("openNamed(arguments[0])", item.id)
    opened.run("current.key = arguments[0]; choose({ new: 'ox' })", one.id)
    text, kept, _ = opened.run(_STATE)
    assert kept == [one.id] and " / ox" in text
    assert text == written(item, result_of(item, {one.id: {"new": "ox"}}))
    opened.run("addWork(workText(), 'f')")  # which refuses what is no choice


#: Three items: all agree on the second; in the others, an attribute and concepts differ.
THREE = (
    "# ::id one\n(d / demand-01 :quant 3)\n\n# ::id same\n(c / cat)\n\n# ::id two\n(r / run-01)\n",
    "# ::id one\n(d / demand-02)\n\n# ::id same\n(x / cat)\n\n# ::id two\n(r / run-02)\n",
)


@pytest.fixture
def three(screen: Window, tmp_path: Path) -> Iterator[Path]:
    """The page of three items, open, with ann as the adjudicator."""
    names = [tmp_path / f"{name}.amr" for name in "ab"]
    for name, text in zip(names, THREE, strict=True):
        name.write_text(text, encoding="utf-8")
    page = exactmatch.adjudicate(names, tmp_path / "pages").page
    screen.open(page)
    screen.type("#who", "ann")
    screen.press("ENTER")
    yield page
    screen.run("localStorage.clear()")


def rows(screen: Window, standing: str) -> list[str]:
    """Return the lines of boxes that are drawn as decided (``there``) or ``open``."""
    found = screen.run(
        "return [...document.querySelectorAll(`#drawing .row-of.${arguments[0]}`)]"
        ".map((row) => row.textContent)",
        standing,
    )
    return [re.sub("[\u2068\u2069]", "", row) for row in found]


def test_items_are_finished_together_and_undone_together(
    screen: Window, three: Path, tmp_path: Path
) -> None:
    assert screen.text("#progress") == "1 of 3 items finished, 3 differences to decide."
    screen.press("1", "1", "n", "2")  # over the item on which all agree
    assert said(screen).endswith("The item can be finished: f finishes it.")
    screen.press("d")
    assert said(screen) == "Finished: 2 items. 3 of 3 items finished, 0 differences to decide."
    screen.press("i")
    assert said(screen) == "All items are finished."
    screen.press("u")
    assert said(screen).startswith("Undone: finished, of 2 items. ")
    assert screen.text("#progress") == "1 of 3 items finished, 0 differences to decide."
    screen.press("d", "d")
    assert said(screen).startswith("No item could be finished that is not. ")
    found, gold = collected(screen, three, tmp_path)
    assert [item.fate for item in found.items] == ["collected"] * 3
    assert "# ::id same\n# ::decided 0 of 0\n(c / cat)" in gold
    assert "(d / demand-01" in gold and "(r / run-02)" in gold


def test_items_are_shown_by_what_is_left(screen: Window, three: Path) -> None:
    def listed() -> list[str]:
        found: list[str] = screen.run("return [...byId('items').options].map((one) => one.value)")
        return found

    screen.choose("#filter", "agreed")
    assert listed() == ["same"]
    assert said(screen) == (
        "Item same: finished, all agree. Nothing differs here. The item is finished: "
        "f opens it again, i goes to the next that is not finished."
    )
    screen.run("document.activeElement.blur()")
    screen.press("f")
    assert screen.text("#progress").startswith("0 of 3 items finished")
    screen.press("f")
    screen.choose("#filter", "unfinished")
    assert listed() == ["one", "two"]
    screen.choose("#filter", "conflict")
    assert said(screen) == "There is no such item."
    screen.choose("#filter", "all")
    assert len(listed()) == 3 and screen.violations() == []


_FITS = """
return [...document.querySelectorAll("#drawing .node")].every((node) => {
  const rightOf = (part) => part.getBoundingClientRect().right;
  const right = rightOf(node.querySelector(".box"));
  return [...node.querySelectorAll("text")].every((text) => rightOf(text) <= right);
});
"""


def test_options_are_drawn_whole_and_open(screen: Window, three: Path) -> None:
    """So are the decisions of two people in conflict, though one of them was the last."""
    options = ["d / demand-01 ?", "d / demand-02 ?", "quant 3 ?"]
    assert rows(screen, "open") == options and screen.run(_FITS)
    screen.press("1", "1")
    assert rows(screen, "open") == [] and "d / demand-01" in rows(screen, "there")
    other = """
        const [one] = work.entries.filter((entry) => entry.difference === "concept d");
        work.entries.push({ ...one, who: "bob", choice: 1, words: "demand-02" });
        states.clear(); show();"""
    screen.run(other)
    assert rows(screen, "open") == options[:2]
    assert screen.text("#hindrances") == "To be finished: 1 conflict."
    left = "1 of 3 items finished, 1 difference to decide, 1 conflict."
    assert screen.text("#progress") == left
    screen.press("n", "2")
    assert "d / demand-02" in rows(screen, "there") and rows(screen, "open") == []


@pytest.mark.nightly
def test_a_long_option_is_drawn_whole(screen: Window, tmp_path: Path) -> None:
    names = [tmp_path / f"{name}.amr" for name in "ab"]
    long = "a-concept-with-a-name-of-more-than-forty-letters"
    for name, sense in zip(names, ("01", "02"), strict=True):
        name.write_text(f"(c / {long}-{sense})\n", encoding="utf-8")
    screen.open(exactmatch.adjudicate(names, tmp_path / "pages").page)
    assert rows(screen, "open") == [f"c / {long}-0{k} ?" for k in (1, 2)]
    assert screen.run(_FITS)


def test_what_two_people_differ_in_adding_can_be_settled(screen: Window, three: Path) -> None:
    screen.press("a", *"d :polarity -", "ENTER", "ESCAPE")
    other = """
        const one = work.entries[0];
        work.entries.push({ ...one, who: "bob", choice: null, words: "" });
        states.clear(); show();"""
    screen.run(other)
    assert ":polarity" not in screen.text("#text")
    assert screen.texts("#differences li:last-child button") == ["Keep", "Take back"]
    screen.click("#differences li:last-child button", 0)
    assert ":polarity -" in screen.text("#text")
    assert screen.run("return stateOf(current.item).conflicts.size") == 0


def test_the_last_save_is_told_and_finished_items_are_exported(
    screen: Window, three: Path, tmp_path: Path
) -> None:
    assert screen.text("#saved") == ""
    screen.press("1", "1")
    assert screen.text("#saved") == "Not saved to a file yet."
    screen.download_to(tmp_path)
    screen.press("s")
    assert re.fullmatch(r"Saved to a file [^;]+\.", screen.text("#saved"))
    screen.press("f")
    assert screen.text("#saved").endswith("; changed since.")
    screen.open(three)
    assert screen.text("#saved").endswith("; changed since.")
    screen.press("x")
    assert said(screen) == "Exported: 2 of 3 items. Left out, not finished: 1 item."
    exported = tmp_path / "finished.amr"
    deadline = time.monotonic() + 60
    while not exported.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert exported.read_text(encoding="utf-8") == collected(screen, three, tmp_path)[1]


#: Metadata that JavaScript would put in another order, or write as another kind of key.
_ODD_AMR = (
    "# ::id 1 ::2 two ::1 one ::__proto__ p ::snt x\u2028y ::naïve a::b\n(c / cat :mod (o / {}))\n"
)
_ODD_UMR = """\
# meta-info :: sent_id = odd :: naïve = n :: a٣ = q :: 2 = z :: __proto__ = p
# :: snt1
7: seven
3: three
Words: cat

# sentence level graph:
(s1c / cat :mod (s1o / {}))

# alignment:

# document level annotation:

"""


@pytest.mark.parametrize("text", [_ODD_AMR, _ODD_UMR], ids=["amr", "umr"])
def test_odd_metadata_and_people_are_exported_as_collected(
    screen: Window, tmp_path: Path, text: str
) -> None:
    files = [tmp_path / name for name in "ab"]
    for file, concept in zip(files, ("old", "new"), strict=True):
        file.write_text(text.format(concept), encoding="utf-8")
    page = exactmatch.adjudicate(files, tmp_path / "pages").page
    screen.open(page)
    for person in ("\U0001d49cnn", "\uff21nn"):  # halves of the first come before the second
        screen.run("work.who = arguments[0]; current.key = 'concept ' + current.item.nodes[1]; "
                   "choose(0);", person)  # fmt: skip
    screen.run("finishAll()")
    exported = screen.run("return batch.items.map(collectedText).join('\\n')")
    assert exported == collected(screen, page, tmp_path)[1]
    assert "\uff21nn, \U0001d49cnn" in exported
    assert screen.run("return likeAVariable.test(current.item.nodes[0] + '٣')")
    screen.run("localStorage.clear()")


@pytest.mark.nightly
def test_long_names_of_items_fit_a_narrow_screen(screen: Window, tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(f"# ::id {'x' * 300}\n(c / cat :mod (o / {name}))\n")
    screen.open(exactmatch.adjudicate([tmp_path / name for name in "ab"], tmp_path / "pages").page)
    for width in (400, 320):
        screen.resize(width)
        assert screen.overflow() <= 0, width


def test_the_ring_around_a_difference_is_not_cut_off(opened: Window) -> None:
    reach = """
        const style = getComputedStyle(document.querySelector("#differences [aria-current]"));
        return parseFloat(style.outlineOffset) + parseFloat(style.outlineWidth);"""
    assert opened.run(reach) <= 0
    opened.press("TAB")
    opened.run("document.querySelector('#differences [aria-current]').focus()")
    assert opened.run(reach) <= 0


def test_work_goes_on_after_a_reload_and_elsewhere(
    opened: Window, page: Path, tmp_path: Path
) -> None:
    opened.press("2", "e", *"why?", "ENTER")
    text = opened.run("return workText()")
    # Pages of other batches have places of their own; under another name, all that is kept is lost.
    place = f"exactmatch adjudication {read_batch(page.parent).digest}"
    assert place in opened.run("return Object.keys(localStorage)")
    opened.open(page)
    assert opened.run("return [work.who, workText()]") == ["ann", text]
    opened.run("localStorage.clear()")
    opened.open(page)
    assert opened.run("return work.entries.length") == 0
    files = [tmp_path / name for name in ("work.json", "other.json", "broken.json", "twice.json")]
    changed = {**json.loads(text), "batch": "0" * 64}
    twice = text.replace('"who"', '"wh\\u006f": "{\\":", "who"')
    for file, content in zip(files, (text, json.dumps(changed), text[:-9], twice), strict=True):
        file.write_text(content, encoding="utf-8")
    for file, message in zip(
        files,
        ("", "is of another batch (000000000000", "is no work file", 'key "who" twice'),
        strict=True,
    ):
        opened.give("#file", file)
        opened.wait("return document.getElementById('file').value === ''")
        assert message in opened.text("#alarm")
    assert opened.run("return work.entries.map((entry) => entry.note)") == [None, "why?"]
    opened.type("#who", "bob")
    opened.press("ENTER")
    opened.run("current.key = 'root'; show()")
    opened.press("1")
    assert "Conflict: \u2068ann\u2069 says" in opened.text("#question")
    opened.press("1")
    assert opened.run("return stateOf(current.item).conflicts.size") == 0
    add = """
        const entry = (who, n, difference, choice) => ({ item: current.item.id, difference, who,
          when: `2025-01-01T00:00:0${n}.000Z`, choice, words: "" });
        work.entries = [entry("ann", 1, "root", 0), entry("cleo", 2, "root", 1),
          entry("ann", 3, "finished", true), entry("cleo", 4, "finished", true)];
        for (const one of current.item.differences.slice(1)) {
          work.entries.push(entry("ann", 0, one.id, one.options[0].by.includes(1) ? 0 : "neither"));
        }
        states.clear(); current.key = "root"; show();"""
    opened.run(add)
    assert "Finished, but not to be collected: 1 conflict" in opened.text("#hindrances")
    opened.press("2")  # which opens the item again
    assert opened.text("#hindrances") == "This item can be finished."
    opened.press("f")
    assert opened.text("#hindrances") == "This item is finished."
    opened.run(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError') }"
    )
    opened.press("u")
    assert "keeps no more (QuotaExceededError)" in opened.text("#alarm")
    opened.open(page)  # at the first item that is not finished
    assert opened.run("return batch.items.indexOf(current.item)") == 1


def test_another_person_of_the_same_name_is_another_person(opened: Window, tmp_path: Path) -> None:
    """The file that is loaded has nothing of the work here, nor the work anything of the file."""
    opened.press("1")
    content = json.loads(opened.run("return workText()"))
    (ours,) = content["entries"]
    theirs = {**ours, "choice": 1, "when": "2026-01-01T00:00:00.000Z", "words": "theirs"}
    work = tmp_path / "theirs.json"
    work.write_text(json.dumps({**content, "entries": [theirs]}), encoding="utf-8")

    def give(file: Path) -> None:
        opened.give("#file", file)
        opened.wait("return document.getElementById('file').value === ''")

    give(work)
    alarm = opened.text("#alarm").replace("\u2068", "").replace("\u2069", "")
    assert alarm == (
        'theirs.json: "ann" is another person than the one before, and called "ann#2": neither '
        "file has all entries of the other."
    )
    opened.run("current.key = 'root'; show()")
    assert "\u2068ann#2\u2069 says \u2068theirs\u2069" in opened.text("#question")
    assert opened.run("return document.getElementById('people').hidden")
    give(work)  # again, which has nothing new
    assert opened.run("return work.entries.length") == 2
    work.write_text(json.dumps({**content, "entries": [{**theirs, "who": "Ann "}]}), "utf-8")
    give(work)
    near = opened.text("#people").replace("\u2068", "").replace("\u2069", "")
    assert near == (
        'Names that are near each other: "Ann ", "ann", "ann#2"; if they are one person, give the '
        "entries one name."
    )
    assert opened.errors() == []


def test_what_another_window_has_kept_stays(opened: Window) -> None:
    opened.press("1")
    elsewhere = """
        const kept = JSON.parse(localStorage.getItem(PLACE));
        kept.entries.push({ ...kept.entries[0], difference: "finished", choice: true,
          item: batch.items[1].id, when: "2026-01-01T00:00:00.000Z" });
        localStorage.setItem(PLACE, JSON.stringify(kept));"""
    opened.run(elsewhere)
    opened.press("1")
    kept = "return JSON.parse(localStorage.getItem(PLACE)).entries.map((one) => one.difference)"
    assert len(opened.run(kept)) == 3 and "finished" in opened.run(kept)
    for expected in (2, 1, 0):
        opened.press("u")
        assert len(opened.run(kept)) == expected


#: What is wrong in an entry that is right otherwise.
WRONG_ENTRIES: list[dict[str, Any]] = [
    *({"item": name} for name in ("none", 1)),
    *({"difference": name} for name in ("nothing", "", None)),
    *({"choice": choice} for choice in (99, "some", False)),
    *({"words": 7}, {"who": None}, {"note": 7}),
    *({"over": over} for over in ("x", [["a"]], [["a", 1]])),
]


def test_entries_that_cannot_be_are_refused_and_the_last_time_is_not_the_end(
    opened: Window,
) -> None:
    """What a file claims to be of the distant future does not keep the page from working."""
    add = """
        const [item] = batch.items;
        const entry = { item: item.id, difference: "finished", who: "eve", when: arguments[0],
          choice: null, words: "", ...arguments[1] };
        try {
          addWork(JSON.stringify({ schema: 1, batch: batch.digest, entries: [entry] }), "f");
        } catch (error) { return error.message; }
        return "";"""
    for when in ("+275760-09-13T00:00:00.000Z", "zzz", "2026-01-01T00:00:00Z"):
        assert "cannot be one" in opened.run(add, when)
    for wrong in WRONG_ENTRIES:
        assert "cannot be one" in opened.run(add, "2026-01-01T00:00:00.000Z", wrong), wrong
    assert opened.run(add, "9999-12-31T23:59:59.999Z") == ""
    opened.press("1")
    assert opened.run("return work.entries.length") == 2 and opened.errors() == []


@pytest.mark.nightly
def test_a_sentence_of_umr_is_settled_by_keyboard_alone(screen: Window, tmp_path: Path) -> None:
    umr = AGREEMENT.parent / "umr"
    page = exactmatch.adjudicate([umr / "a.umr", umr / "b.umr"], tmp_path / "pages").page
    screen.open(page)
    screen.type("#who", "ann")
    screen.press("ENTER", "1", "1", "0", "a")
    screen.press(*"s1f :mod (s2c / big)", "ENTER", "ESCAPE")
    assert "has a node \u2068s2c\u2069 already: in a document of UMR" in screen.text("#alarm")
    screen.press("f")
    assert said(screen).startswith("Finished. ")
    found, gold = collected(screen, page, tmp_path)
    assert [item.fate for item in found.items].count("collected") == 1
    assert "# :: snt1\n" in gold and "Words: The ferry" in gold and screen.text("#text") in gold


def test_nothing_that_is_hostile_runs(screen: Window, tmp_path: Path) -> None:
    names = []
    for name, concept in (("a", SCRIPT), ("b", QUOTES)):
        names.append(tmp_path / f"{name}<i>.amr")
        text = f'# ::id {HOSTILE_ID}\n# ::snt {SCRIPT} {RIGHT_TO_LEFT}\n(a / "{concept}")\n'
        names[-1].write_text(text, encoding="utf-8")
    done = exactmatch.adjudicate(names, tmp_path / "pages", guidelines=SCRIPT)
    screen.open(done.page, width=400, scheme="dark")
    screen.type("#who", SCRIPT)
    screen.press("ENTER", "1", "f")
    assert screen.run("return stateOf(current.item).finished") is True
    assert screen.overflow() == 0 and screen.violations() == []
