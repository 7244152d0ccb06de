"""Proofs in a page: checked in the browser, and refuted where a byte is changed."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser_pages import HOSTILE_ID, Pages, Sample
from chromium import Window
from differential import cases, judged
from javascript_checker import JudgedInBrowser
from nightly import by_day

import exactmatch

pytestmark = pytest.mark.browser


def page_with_proofs(sample: Sample, folder: Path, name: str = "page.html", **shown: Any) -> Path:
    """Write the page of a sample with its certificates in it."""
    system, gold, proofs = sample.system, sample.gold, folder / "proofs.jsonl"
    exactmatch.score(system, gold, metric=sample.metric, certificates=proofs)
    page = folder / name
    return exactmatch.show(system, gold, page, metric=sample.metric, certificates=proofs, **shown)


@pytest.fixture(scope="module")
def proven(pages: Pages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the agreement with its certificates, which are ``proofs.jsonl`` beside it."""
    return page_with_proofs(pages.agreement, tmp_path_factory.mktemp("proven"))


def said(screen: Window) -> str:
    """Return the summary of all proofs after the check."""
    screen.wait("return / of /.test(document.getElementById('all-proofs').textContent)")
    return screen.text("#all-proofs")


def said_of_pair(screen: Window) -> str:
    screen.wait("return document.getElementById('proof').textContent")
    return screen.text("#proof")


def is_alarm(screen: Window, selector: str) -> bool:
    return "alarm" in (screen.attribute(selector, "class") or "")


def in_content(page: Path, pair: int, change: Callable[[str], str]) -> None:
    """Change the JSON of a pair in a page."""
    text = page.read_text(encoding="utf-8")
    begin = text.index(f'id="pair-{pair}">')
    end = text.index("</script>", begin)
    changed = change(text[begin:end])
    assert changed != text[begin:end]
    page.write_text(text[:begin] + changed + text[end:], encoding="utf-8")


def test_all_proofs_are_checked_and_it_is_said_of_what(screen: Window, proven: Path) -> None:
    screen.open(proven)
    assert said(screen) == "Proofs checked in this browser: 24 of 24."
    assert not is_alarm(screen, "#all-proofs")
    screen.open(proven, "study.7")
    assert said_of_pair(screen) == (
        "Checked in this browser: a mapping matches 12, and none matches more, "
        "of the triples that this page lists."
    )
    assert screen.violations() == []


@pytest.mark.parametrize(
    "name", by_day(["smatch-1.0.4", "counter", "mrp", "s2match", "product", "multiset"])
)
def test_proofs_of_every_way_of_counting_are_checked(
    screen: Window, pages: Pages, tmp_path: Path, name: str
) -> None:
    sample = pages.samples[name]
    screen.open(page_with_proofs(sample, tmp_path))
    number = len(sample.pairs)
    if number > 1:
        assert said(screen).startswith(f"Proofs checked in this browser: {number} of {number}")


def by(pattern: str, new: str) -> Callable[[str], str]:
    return lambda text: re.sub(pattern, new, text, count=1)


#: What is said, and what is changed in the page.
CHANGES: dict[str, Callable[[str], str]] = {
    "the mapping scores 12, not 13 up to 12": by(r'(\\"value\\": ?)12', r"\g<1>13"),
    "it is about another pair, or of another schema": by("sha256:", "sha256:0"),
    "the proof shows a bound of": by(
        r'(\\"proof\\":).*(", "about")', r'\1{\\"denominator\\":1}}\2'
    ),
    "it is about other triples than those of this page": by(r'("labels":\[\["instance",")', r"\1x"),
    "it says 12 up to 12 in units of 1 / 1, this page 11 up to 11": by(
        '"matched":12,"upper":12', '"matched":11,"upper":11'
    ),
}


@pytest.mark.parametrize("why", by_day(CHANGES))
def test_a_change_is_refuted_in_red(screen: Window, proven: Path, tmp_path: Path, why: str) -> None:
    page = tmp_path / "page.html"
    shutil.copy(proven, page)
    in_content(page, 6, CHANGES[why])
    is_first = why == next(iter(CHANGES))
    # All proofs are checked whether the overview is opened, or a pair.
    screen.open(page, "study.7" if is_first else None)
    assert said(screen) == "Proofs checked in this browser: 23 of 24. Refuted: 1: study.7."
    assert is_alarm(screen, "#all-proofs")
    if is_first:
        screen.press("ESCAPE")
        screen.wait("return !document.getElementById('overview').hidden")
    screen.click("#all-proofs a")
    screen.wait_for_pair("study.7")
    assert said_of_pair(screen).startswith(f"The certificate is refuted in this browser: {why}")
    assert is_alarm(screen, "#proof")
    if is_first:  # which change it was makes no difference to what is red
        assert screen.violations() == []


@pytest.mark.nightly
def test_in_a_folder_all_are_checked_when_it_is_asked_for(
    screen: Window, pages: Pages, tmp_path: Path
) -> None:
    page = page_with_proofs(pages.agreement, tmp_path, "many")
    screen.open(page, "study.2")
    assert "none matches more" in said_of_pair(screen)
    assert screen.text("#all-proofs") == ""
    screen.open(page)
    screen.click("#check-proofs")
    assert said(screen) == "Proofs checked in this browser: 24 of 24."


def test_what_has_no_proof_here_is_told(
    screen: Window, pages: Pages, proven: Path, tmp_path: Path
) -> None:
    proofs = tmp_path / "proofs.jsonl"
    lines = proven.with_name(proofs.name).read_text(encoding="utf-8").splitlines()
    bound = json.loads(lines[1])
    bound |= {"upper": bound["upper"] + 1}
    none = {**json.loads(lines[2]), "proof": "none"}
    other = {**json.loads(lines[3]), "id": "nobody"}
    kept = [*map(json.dumps, (bound, none, other)), "{", *lines[4:]]
    proofs.write_text("\n".join(kept) + "\n", encoding="utf-8")
    sample = pages.agreement
    page = exactmatch.show(
        sample.system,
        sample.gold,
        tmp_path / "some.html",
        metric=sample.metric,
        certificates=proofs,
    )
    screen.open(page)
    assert said(screen) == (
        "Proofs checked in this browser: 20 of 24; bounded, not settled: 1; without a proof: 1; "
        "without a certificate: 2."
    )
    assert screen.text("#proofs p.quiet").startswith("2 more certificates of ")
    for identifier, words in (
        ("study.1", "no certificate"),
        ("study.2", "none matches more than 19"),
        ("study.3", "Not proven by its certificate"),
    ):
        screen.open(page, identifier)
        assert words in said_of_pair(screen)
        assert not is_alarm(screen, "#proof")


@pytest.mark.nightly
def test_an_excerpt_and_what_takes_long_are_told(
    screen: Window, pages: Pages, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_with_proofs(pages.samples["s2match"], tmp_path, view_limit=8)
    identifier = pages.samples["s2match"].pairs[0].identifier
    screen.open(page, identifier)
    assert "of the whole graphs, of which an excerpt is shown" in said_of_pair(screen)
    monkeypatch.setattr("exactmatch.report.pages.page_proofs._MOST_CHARACTERS", 10)
    screen.open(page_with_proofs(pages.agreement, tmp_path), "study.1")
    assert said_of_pair(screen).startswith("Not checked in this browser: left out, it has ")
    assert said(screen) == "Proofs checked in this browser: 0 of 24; left out: 24."


def test_hostile_labels_and_identifiers_stay_text(
    screen: Window, pages: Pages, tmp_path: Path
) -> None:
    folder = pages.hostile.parent
    sides = folder / "system<i>.amr", folder / "gold<i>.amr"
    proofs = tmp_path / "<b>proofs.jsonl"
    exactmatch.score(*sides, certificates=proofs)
    with proofs.open("a", encoding="utf-8") as file:
        file.write('{"id": "</script><script>window.hacked=1</script>"}\n')
    page = exactmatch.show(*sides, tmp_path / "page.html", certificates=proofs)
    screen.open(page, HOSTILE_ID)
    assert said(screen) == "Proofs checked in this browser: 2 of 2."
    assert "none matches more" in said_of_pair(screen)
    in_content(page, 0, lambda text: text.replace("sha256:", "sha256:<img src=x onerror=hacked=1>"))
    screen.open(page, HOSTILE_ID)
    assert said(screen).startswith("Proofs checked in this browser: 1 of 2. Refuted: 1: ")
    assert is_alarm(screen, "#proof") or said_of_pair(screen)


def test_changed_certificates_are_judged_in_a_browser_as_by_the_first_checker(
    browser: Window,
) -> None:
    batch = [case for case, _ in zip(cases("browser"), range(400), strict=False)]
    found = judged(batch, None, [JudgedInBrowser(browser)])
    assert found["verified: so it is"] > 50
