"""The page that scores, in chromium, with a stub in place of the browser's Python."""

import json
import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from chromium import Window
from nightly import by_day
from stub_runtime import native, stub_runtime
from web_pages import write_page
from web_window import (
    EXAMPLES,
    PAIR,
    choose,
    later,
    of_examples,
    opened,
    press,
    result,
    save,
    score,
    served,
    wait,
)

from exactmatch.cli.web_form import form_content
from exactmatch.report.web import python_runtime

pytestmark = pytest.mark.browser

COMMON = (
    "--solver dual --no-seconds --per-pair /out/pairs.jsonl --certificates /out/certificates.jsonl"
)
SCORED = f"score system/parser.amr gold/gold.amr {COMMON} --format text"
EXPORTED = "export system/parser.amr gold/gold.amr --to triples -o /out/triples.jsonl"
ANNOTATORS = ["anna.amr", "ben.amr", "cleo.amr"]
STUDIED = "iaa anna.amr ben.amr cleo.amr --certificates /out/proofs --format"


def of_others(words: str) -> str:
    return words.replace("parser", "anna").replace("gold.amr", "cleo.amr")


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files where the page puts those of two files that are scored."""
    place = tmp_path_factory.mktemp("scored")
    for system, gold in (PAIR, ("anna.amr", "cleo.amr")):
        for side, name in (("system", system), ("gold", gold)):
            (place / side).mkdir(exist_ok=True)
            shutil.copy(EXAMPLES / name, place / side)
    return place


@pytest.fixture(scope="module")
def runtime(scored: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    commands = [
        *((of(words).split(), scored) for words in (SCORED, EXPORTED) for of in (str, of_others)),
        *((f"{STUDIED} {form}".split(), EXAMPLES) for form in ("json", "html", "text", "csv")),
    ]
    with pytest.MonkeyPatch.context() as patch:
        place = tmp_path_factory.mktemp("stub") / "python"
        yield stub_runtime(place, commands, ["numpy", "matplotlib"], patch)


@pytest.fixture(scope="module")
def page(runtime: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("page")
    write_page(place, form_content(), runtime)
    return place


@pytest.fixture(scope="module")
def address(page: Path) -> Iterator[str]:
    with served(page) as found:
        yield found


@pytest.mark.nightly
def test_agreement_is_that_of_the_command(browser: Window, address: str, tmp_path: Path) -> None:
    window = opened(browser, address)
    wanted = {form: native(f"{STUDIED} {form}".split(), EXAMPLES) for form in ("json", "csv")}
    study = json.loads(wanted["json"]["printed"])
    assert study["result"] in score(window, of_examples(*ANNOTATORS))
    rows = window.texts("#agreement tbody tr")
    ends = [f"{pair['f1_low']:.4f} to {pair['f1_high']:.4f}" for pair in study["tables"]["pairs"]]
    assert [end in row for end, row in zip(ends, rows, strict=False)] == [True] * 3
    assert "exactmatch iaa anna.amr ben.amr cleo.amr --certificates proofs" in window.text(
        "#command"
    )

    report = "const report = byId('report-frame').contentDocument; return report"
    wait(window, f"{report}.querySelector('figure svg') !== null")
    assert window.run(f"{report}.querySelector('th button') !== null")  # what its script makes
    assert window.violations() == []

    labels = ("Save JSON", "Save CSV", "Save certificates")
    saved = save(window, tmp_path, *labels[:2])
    assert saved["agreement.json"].decode() == wanted["json"]["printed"]
    assert saved["agreement.csv"].decode() == wanted["csv"]["printed"]
    proofs = {
        path.rpartition("/")[2]: text.encode() for path, text in wanted["json"]["files"].items()
    }
    saved = save(window, tmp_path, labels[2], files=len(proofs))
    assert {name: saved[name] for name in proofs} == proofs

    window.click("#agreement button.link", 1)
    assert "0.8675" in result(window)
    assert window.text("#checked") == "Checked in this browser: 3 of 3."
    press(window, "Back to all files")
    assert study["result"] in window.text("#text")

    window.run("byId('option--where').value = 'id:a'")
    score(window, of_examples(*ANNOTATORS))
    assert window.text("#state") == "--where: for two files only, not for agreement."
    assert browser.errors() == []


@pytest.mark.parametrize("lost", by_day(["numpy", "matplotlib"]))
def test_what_is_missing_is_said(browser: Window, runtime: Path, tmp_path: Path, lost: str) -> None:
    shutil.copytree(runtime, tmp_path / "python")
    (tmp_path / f"python/{lost}.whl").unlink()
    write_page(tmp_path / "page", form_content(), tmp_path / "python")
    with served(tmp_path / "page") as address:
        window = opened(browser, address)
        if lost == "matplotlib":
            assert "Inter-annotator agreement" not in score(window, of_examples(*ANNOTATORS))
            said = window.text("#table")
            assert "Plots take matplotlib, which this page does not have" in said
            assert "Items with the lowest agreement" in said
            assert browser.errors() == []
            return
        window.run("byId('metric').value = 'dscorer'; showMetric()")
        score(window, of_examples(*PAIR))
        said = window.text("#state")
        assert said == "This takes numpy, which the folder of this page has not."
    browser.errors()


@pytest.mark.nightly
def test_a_package_that_is_not_the_one_expected_is_not_run(
    browser: Window, page: Path, tmp_path: Path
) -> None:
    shutil.copytree(page, tmp_path / "page")
    (tmp_path / "page/python/numpy.whl").write_text("other")
    with served(tmp_path / "page") as address:
        window = opened(browser, address)
        score(window, of_examples(*ANNOTATORS))
        assert "numpy.whl is not what it should be, and was not run" in window.text("#state")
    browser.errors()


@pytest.mark.nightly
def test_workers_share_a_run(browser: Window, address: str) -> None:
    window = opened(browser, address)
    window.run("byId('workers').append(new Option('3', '3')); byId('workers').value = '3'")
    assert "F1          0.8500" in score(window, of_examples(*PAIR))
    assert window.run("return helpers.length") == 3
    assert window.run("return last.found.shares") == ["0 of 3", "1 of 3", "2 of 3"]
    window.run("showProgress([[1, 4], [2, 5]])")  # of two workers: pairs done, and all
    assert window.run("return [byId('progress').value, byId('progress').max]") == [3, 9]
    assert window.text("#state") == "3 of 9 pairs …"
    browser.errors()


class _Elsewhere(SimpleHTTPRequestHandler):
    """A server of another origin, which lets pages of any have its files."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def elsewhere(
    runtime: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, Path]]:
    """Yield the address of a page whose Python is on another server, and the folder of that."""
    python = tmp_path / "python"
    shutil.copytree(runtime, python)
    handler: Any = partial(_Elsewhere, directory=str(python))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        other = f"http://127.0.0.1:{server.server_port}/"
        monkeypatch.setattr(python_runtime, "ADDRESS", other)
        write_page(tmp_path / "page", form_content())
        with served(tmp_path / "page") as address:
            yield address, python
        server.shutdown()


@pytest.mark.nightly
def test_python_from_elsewhere_is_run(browser: Window, elsewhere: tuple[str, Path]) -> None:
    window = opened(browser, elsewhere[0])
    assert "F1          0.8500" in score(window, of_examples(*PAIR))
    loaded = "return performance.getEntriesByType('resource').map((one) => one.name)"
    assert all(name.startswith((elsewhere[0], "blob:")) for name in window.run(loaded))
    browser.errors()


@pytest.mark.nightly
def test_python_from_elsewhere_is_run_only_if_it_is_the_one_expected(
    browser: Window, elsewhere: tuple[str, Path]
) -> None:
    address, python = elsewhere
    # A module, a text, and what Python asks for by itself.
    for name in ("pyodide.mjs", "pyodide-lock.json", "pyodide.asm.wasm"):
        data = (python / name).read_bytes()
        (python / name).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
        window = opened(browser, address)
        score(window, of_examples(*PAIR))
        assert f"{name} is not what it should be" in window.text("#state")
        (python / name).write_bytes(data)
    browser.errors()


@pytest.mark.nightly
def test_a_folder_that_is_not_whole_is_told(browser: Window, page: Path, tmp_path: Path) -> None:
    shutil.copytree(page, tmp_path / "page")
    (tmp_path / "page/python/pyodide.asm.wasm").unlink()
    with served(tmp_path / "page") as address:
        window = opened(browser, address)
        score(window, of_examples(*PAIR))
        assert "pyodide.asm.wasm is not there (404)" in window.text("#state")
    browser.errors()


@pytest.mark.nightly
def test_a_browser_without_webassembly_is_told(browser: Window, address: str) -> None:
    script = browser.command(
        "Page.addScriptToEvaluateOnNewDocument", source="delete globalThis.WebAssembly"
    )
    window = opened(browser, address)
    browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
    assert "no WebAssembly" in window.text("#trouble")
    assert window.displayed("#trouble") == [True]


@pytest.mark.nightly
def test_cancel_ends_the_checker(browser: Window, address: str) -> None:
    window = opened(browser, address)
    score(window, of_examples(*PAIR))
    add = "Set.prototype.add.call(others, one); setTimeout(endHelpers);"
    later(window, f"others.add = (one) => {{ {add} }}; return alone(checkAll)")
    assert window.text("#checked") == "Proofs are not checked again."
    assert window.run("delete others.add; return others.size + helpers.length") == 0
    later(window, "return alone(checkAll)")
    assert window.text("#checked") == "Checked in this browser: 3 of 3."
    browser.errors()


@pytest.mark.nightly
def test_cancel_ends_what_goes_on_while_files_are_read(browser: Window, address: str) -> None:
    window = opened(browser, address)
    choose(window, of_examples(*PAIR))
    assert later(window, "return (await readyHelpers(1)).length") == 1
    window.run("byId('start').click(); byId('cancel').click()")
    wait(window, "return !isBusy && byId('progress').hidden")
    assert window.text("#state") == "Cancelled."
    assert window.run("return [byId('result').hidden, helpers.length]") == [True, 0]
    browser.errors()
