"""The page that scores in a browser, in chromium, with the browser's Python from a folder."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_python import command_result, page_result, page_words, same
from chromium import Window
from kernel_bytes import runs
from pyodide_folder import runtime
from web_pages import write_page
from web_window import EXAMPLES, PAIR, later, of_examples, opened, save, score, served, wait

import exactmatch
from exactmatch.cli.web_form import form_content

pytestmark = [pytest.mark.browser, pytest.mark.pyodide]

#: One of each format, and all metrics that map variables.
_NAMES = (
    "smatch-paper-system.amr", "s2match-opitz-system.amr", "mrp-mrp-system.mrp",
    "counter-drs-system.clf", "umatch-umr-a.umr", "smatch-sbn-system.sbn",
)  # fmt: skip

HOSTILE = """# ::id a&b=<b>"x"/é?#1%20
# ::snt <img src=x onerror=window.hacked=1></script><script>window.hacked=1</script>
(a / "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>" :ARG0 (b / b))
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("web")
    write_page(place, form_content(), runtime())
    with served(place) as found:
        yield found


@pytest.fixture
def window(browser: Window, address: str) -> Window:
    """The page, as the test before has left it: to load its Python takes longer than a test."""
    if browser.run("return location.href") != address:
        return opened(browser, address)
    browser.errors()
    return browser


def test_the_same_is_printed_and_written(window: Window) -> None:
    """The page's Python gives the output of the command, byte for byte."""
    asked = [page_words(words) for name, words in runs() if name in _NAMES]
    assert len(asked) == len(_NAMES)
    for words in asked:
        result = page_result(window, words, 2)
        assert same(result, command_result(words)), words
        assert result["files"]["pairs.jsonl"]
    wrong = ["score", "vectors/words.txt", "paper/gold.amr", "--solver", "dual"]
    result = page_result(window, wrong, 2)
    assert same(result, command_result(wrong))
    assert result["status"] == 1
    assert window.errors() == []


def test_a_page_scores_proves_and_shows(window: Window, address: str, tmp_path: Path) -> None:
    """All that a person does, one after the other."""
    assert "proven: 3 of 3 pairs" in score(window, of_examples(*PAIR))
    files = [f"Save {name}" for name in ("JSON", "CSV", "text", "pairs", "certificates")]
    saved = {name: data.decode() for name, data in save(window, tmp_path, *files).items()}
    words = ["score", *PAIR, "--solver", "dual", "--no-seconds"]
    wrote = ["--per-pair", "/out/pairs.jsonl", "--certificates", "/out/certificates.jsonl"]
    for form, name in (("json", "score.json"), ("csv", "score.csv"), ("text", "score.txt")):
        command = command_result([*words, *wrote, "--format", form], EXAMPLES)
        ours, theirs = map(without_versions, (saved.pop(name), command["printed"]))
        assert ours == theirs
    assert saved == command["files"]
    assert window.violations() == []

    window.click("#pairs button.link", 1)
    wait(window, "return !isBusy && !byId('pair').hidden")
    proofs = "byId('pair-frame').contentDocument.getElementById('all-proofs')"
    wait(window, f"return {proofs}?.textContent.includes('1 of 1')")

    assert window.text("#checked") == "Checked in this browser: 3 of 3."
    # What the form asks for next is not what was scored.
    window.run("byId('profile').value = 'smatch-1.0.4'; byId('timeout').value = 'soon'")
    later(window, "return alone(checkAll)")
    assert window.text("#checked") == "Checked in this browser: 3 of 3."
    assert "profile:default" in later(window, "return shownPage(null)")
    window.run("byId('profile').value = 'default'; byId('timeout').value = ''")
    window.run(
        "const { files } = last.found;"
        "files[CERTIFICATES] = files[CERTIFICATES].replace('\"value\":11', '\"value\":12')"
    )
    later(window, "return alone(checkAll)")
    assert "refuted: 1" in window.text("#checked")
    assert window.attribute("#checked", "class") == "alarm"

    annotators = ["anna.amr", "ben.amr", "cleo.amr"]
    said = score(window, of_examples(*annotators))
    paths = [str(EXAMPLES / name) for name in annotators]
    means = exactmatch.agreement(paths, resamples=10).found.means.among
    assert means is not None
    assert f"{means.micro.value:.4f} micro, {means.macro.value:.4f} macro" in said
    assert "proven: 9 of 9 pairs" in said
    assert "exactmatch iaa has them" in window.text("#command")

    assert "F1          1.0000" in score(window, {"<b>1</b>.amr": HOSTILE, "-x": HOSTILE})
    window.click("#pairs button.link", 0)
    wait(window, "return !isBusy && !byId('pair').hidden")
    assert window.run("return window.hacked") is None
    assert "looks like plain text" in score(window, {"one": "no graphs <b>", "two": "(a / b)"})

    assert window.errors() == []
    loaded = window.run("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert all(name.startswith((address, "blob:", "data:")) for name in loaded)
    sent = trying_to_send(address)
    assert later(window, f"return {sent}") == "refused"
    helper = f"new Helper(`onmessage = () => {sent}.then((result) => postMessage({{result}}))`)"
    assert later(window, f"return {helper}.call(0)") == "refused"
    assert len(window.errors()) >= 2


def without_versions(text: str) -> Any:
    """Return a result without the memory and the solvers that its long signature names."""
    if not text.startswith("{"):
        return [line.partition("|memory:")[0] for line in text.splitlines()]
    found: dict[str, Any] = json.loads(text)
    signed = found["long_signature"].split("|")
    found["long_signature"] = [s for s in signed if not s.startswith(("memory:", "with:"))]
    return found


def trying_to_send(address: str) -> str:
    """Return what sends something to another origin than *address*, if it may."""
    elsewhere = address.replace("127.0.0.1", "localhost")
    options = "{method: 'POST', mode: 'no-cors', body: 'a graph'}"
    return f"fetch('{elsewhere}', {options}).then(() => 'sent', () => 'refused')"


def test_what_the_policy_refuses_would_be_sent_without_it(browser: Window, address: str) -> None:
    window = opened(browser, f"{address}LICENCES.txt")
    assert later(window, f"return {trying_to_send(address)}") == "sent"
    browser.errors()
