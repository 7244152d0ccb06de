"""The page that scores in a browser, in chromium, with the browser's Python from a folder."""

import json
import shutil
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from browser_python import command_result
from chromium import Window
from pyodide_folder import runtime

import exactmatch
from exactmatch.cli.web_form import form_content
from exactmatch.report.web import python_runtime
from exactmatch.report.web.folder import write_page
from exactmatch.runtime.local_server import serving

pytestmark = [pytest.mark.browser, pytest.mark.pyodide]

EXAMPLES = Path(str(python_runtime.__file__)).parent / "examples"
PAIR = ["parser.amr", "gold.amr"]
#: Seconds for all that a page does at once, on a machine that does a lot besides.
_PATIENCE = 300
_IS_DONE = (
    "return !isBusy && (!byId('result').hidden || byId('state').classList.contains('alarm'))"
    " && byId('progress').hidden"
)
HOSTILE = """# ::id a&b=<b>"x"/é?#1%20
# ::snt <img src=x onerror=window.hacked=1></script><script>window.hacked=1</script>
(a / "</script><script>window.hacked=1</script><img src=x onerror=window.hacked=1>" :ARG0 (b / b))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("web")
    write_page(place, form_content(), runtime())
    return place


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with served(folder) as found:
        yield found


def served(folder: Path) -> Any:
    return _Served(folder)


class _Served:
    """A server of a folder, as ``exactmatch web`` has it."""

    def __init__(self, folder: Path) -> None:
        self._serving = serving(folder)

    def __enter__(self) -> str:
        address, self._server = self._serving.__enter__()
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return address

    def __exit__(self, *raised: Any) -> None:
        self._server.shutdown()
        self._serving.__exit__(*raised)


def opened(browser: Window, address: str) -> Window:
    browser.driver.get("about:blank")
    browser.errors()
    browser.driver.get(address)
    return browser


def wait(window: Window, script: str) -> None:
    end = time.monotonic() + _PATIENCE
    while not window.run(script):
        assert time.monotonic() < end, window.text("#state")
        time.sleep(0.05)


def choose(window: Window, files: dict[str, str]) -> None:
    window.run(
        "choose(arguments[0].map(([name, text]) => new File([text], name)))", [*files.items()]
    )


def score(window: Window, files: dict[str, str]) -> str:
    """Score files; return what is printed and said."""
    choose(window, files)
    window.run("byId('result').hidden = true")
    window.click("#start")
    wait(window, _IS_DONE)
    return window.text("#text") + window.text("#said")


def of_examples(*names: str) -> dict[str, str]:
    return {name: (EXAMPLES / name).read_text("utf-8") for name in names}


def later(window: Window, script: str) -> Any:
    """Return what a promise comes to."""
    window.driver.set_script_timeout(_PATIENCE)
    return window.driver.execute_async_script(
        "const done = arguments[0];"
        f"(async () => {{ {script} }})().then(done, (error) => done(String(error)))"
    )


def test_a_page_scores_proves_and_shows(browser: Window, address: str) -> None:
    """One visit, since Python is loaded for each: all that a person does, one after the other."""
    window = opened(browser, address)
    assert "proven: 3 of 3 pairs" in score(window, of_examples(*PAIR))
    printed = later(window, "return (await last.answer('json')).printed")
    words = ["score", *PAIR, "--solver", "dual", "--no-seconds", "--format", "json"]
    command = command_result(words, EXAMPLES)
    ours, theirs = map(without_versions, (printed, command["printed"]))
    assert {k: (v, theirs.get(k)) for k, v in ours.items() if v != theirs.get(k)} == {}
    assert len(ours) == len(theirs)
    assert window.violations() == []

    window.all("#pairs button.link")[1].click()
    wait(window, "return !isBusy && !byId('pair').hidden")
    window.driver.switch_to.frame(window.one("#pair-frame"))
    wait(window, "return document.getElementById('all-proofs').textContent.includes('1 of 1')")
    window.driver.switch_to.default_content()

    assert window.text("#checked") == "Checked in this browser: 3 of 3."
    # What the form asks for next is not what was scored.
    window.run("byId('profile').value = 'smatch-1.0.4'; byId('timeout').value = 'soon'")
    later(window, "return alone(checkAll)")
    assert window.text("#checked") == "Checked in this browser: 3 of 3."
    assert "profile:default" in later(window, "return shownPage(null)")
    window.run("byId('profile').value = 'default'; byId('timeout').value = ''")
    add = "Set.prototype.add.call(others, one); setTimeout(endHelpers);"
    later(window, f"others.add = (one) => {{ {add} }}; return alone(checkAll)")
    assert window.text("#checked") == "Proofs are not checked again."
    assert window.run("delete others.add; return others.size + helpers.length") == 0
    later(window, "return alone(checkAll)")
    assert window.text("#checked") == "Checked in this browser: 3 of 3."
    window.run(
        "const { files } = last.found;"
        "files[CERTIFICATES] = files[CERTIFICATES].replace('\"value\":11', '\"value\":12')"
    )
    later(window, "return alone(checkAll)")
    assert "refuted: 1" in window.text("#checked")
    assert window.one("#checked").get_attribute("class") == "alarm"

    annotators = ["anna.amr", "ben.amr", "cleo.amr"]
    said = score(window, of_examples(*annotators))
    paths = [str(EXAMPLES / name) for name in annotators]
    means = exactmatch.agreement(paths, resamples=10).found.means.among
    assert means is not None
    assert f"{means.micro.value:.4f} micro, {means.macro.value:.4f} macro" in said
    assert "proven: 9 of 9 pairs" in said

    window.run("byId('workers').append(new Option('2', '2')); byId('workers').value = '2'")
    assert "proven: 3 of 3 pairs" in score(window, of_examples(*PAIR))
    assert window.run("return helpers.length") == 2

    assert "F1          1.0000" in score(window, {"<b>1</b>.amr": HOSTILE, "-x": HOSTILE})
    window.all("#pairs button.link")[0].click()
    wait(window, "return !isBusy && !byId('pair').hidden")
    assert window.run("return window.hacked") is None
    assert "looks like plain text" in score(window, {"one": "no graphs <b>", "two": "(a / b)"})

    assert browser.errors() == []
    loaded = window.run("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert all(name.startswith((address, "blob:", "data:")) for name in loaded)
    sent = trying_to_send(address)
    assert later(window, f"return {sent}") == "refused"
    helper = f"new Helper(`onmessage = () => {sent}.then((result) => postMessage({{result}}))`)"
    assert later(window, f"return {helper}.call(0)") == "refused"
    assert len(browser.errors()) >= 2

    choose(window, of_examples(*PAIR))
    window.run("byId('start').click(); byId('cancel').click()")  # while the files are being read
    wait(window, "return !isBusy && byId('progress').hidden")
    assert window.text("#state") == "Cancelled."
    assert window.run("return [byId('result').hidden, helpers.length]") == [True, 0]
    assert browser.errors() == []


def without_versions(text: str) -> dict[str, Any]:
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


class _Elsewhere(SimpleHTTPRequestHandler):
    """A server of another origin, which lets pages of any have its files."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def test_python_from_elsewhere_is_run_only_if_it_is_the_one_expected(
    browser: Window, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python, page = tmp_path / "python", tmp_path / "page"
    found = runtime()
    assert found is not None
    shutil.copytree(found, python)
    handler = partial(_Elsewhere, directory=str(python))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        elsewhere = f"http://127.0.0.1:{server.server_port}/"
        monkeypatch.setattr(python_runtime, "ADDRESS", elsewhere)
        write_page(page, form_content())
        with served(page) as address:
            window = opened(browser, address)
            assert "F1          0.8500" in score(window, of_examples(*PAIR))
            assert browser.errors() == []
            for name in ("pyodide.mjs", "pyodide.asm.wasm"):
                data = (python / name).read_bytes()
                (python / name).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
                window = opened(browser, address)
                score(window, of_examples(*PAIR))
                assert f"{name} is not what it should be" in window.text("#state")
                (python / name).write_bytes(data)
        server.shutdown()


def test_a_folder_that_is_not_whole_is_told(browser: Window, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "page")
    (tmp_path / "page/python/pyodide.asm.wasm").unlink()
    with served(tmp_path / "page") as address:
        window = opened(browser, address)
        score(window, of_examples(*PAIR))
        assert "pyodide.asm.wasm is not there (404)" in window.text("#state")
    browser.errors()


def test_a_browser_without_webassembly_is_told(browser: Window, address: str) -> None:
    script = browser._command(
        "Page.addScriptToEvaluateOnNewDocument", source="delete globalThis.WebAssembly"
    )
    window = opened(browser, address)
    browser._command("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
    assert "no WebAssembly" in window.text("#trouble")
    assert window.one("#trouble").is_displayed()
