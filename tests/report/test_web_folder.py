"""The folder that is the page for a browser, and what it is made of; no browser is needed."""

import base64
import hashlib
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from web_pages import write_page

from exactmatch.cli import main
from exactmatch.cli.score import score
from exactmatch.cli.web_form import form_content
from exactmatch.errors import InputError
from exactmatch.metrics.registry import METRICS
from exactmatch.report.html import report_script
from exactmatch.report.pages.site import page_script
from exactmatch.report.web import python_runtime
from exactmatch.runtime.local_server import serving

EXAMPLES = Path(str(python_runtime.__file__)).parent / "examples"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("web")
    write_page(place, form_content())
    return place


def settings(folder: Path) -> dict[str, Any]:
    page = (folder / "index.html").read_text("utf-8")
    found = re.search(r'id="settings">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    content: dict[str, Any] = json.loads(found[1])
    return content


def policy(folder: Path) -> str:
    found = re.search(
        r'Content-Security-Policy" content="(.*?)"', (folder / "index.html").read_text("utf-8")
    )
    assert found is not None
    return found[1]


def runtime_of(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder in place of a folder of the runtime."""
    place = folder / "runtime"
    place.mkdir()
    needed = {"numpy": [], "six": [], "matplotlib": ["numpy", "six"]}
    known = {
        name: {"name": name, "depends": on, "file_name": f"{name}.whl", "sha256": digest(name)}
        for name, on in needed.items()
    }
    texts = {
        **dict(zip(python_runtime.FILES, python_runtime.FILES, strict=True)),
        "pyodide-lock.json": json.dumps({"packages": known}),
    }
    for name, text in texts.items():
        (place / name).write_text(text)
    digests = {name: digest(text) for name, text in texts.items()}
    monkeypatch.setattr(python_runtime, "FILES", digests)
    return place


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_same_page_is_the_same_bytes(folder: Path, tmp_path: Path) -> None:
    write_page(tmp_path, form_content())
    names = sorted(path.name for path in folder.iterdir())
    assert names == sorted(path.name for path in tmp_path.iterdir())
    assert all((folder / name).read_bytes() == (tmp_path / name).read_bytes() for name in names)


def test_without_a_runtime_one_address_may_be_asked(folder: Path) -> None:
    assert f"connect-src 'self' {python_runtime.ADDRESS};" in policy(folder)
    assert "unsafe-eval'" not in policy(folder).replace("wasm-unsafe-eval", "")
    addresses = [address for address, _ in settings(folder)["loaded"].values()]
    assert sum(address.startswith(python_runtime.ADDRESS) for address in addresses) == 5
    assert all(one.startswith("sha256-") for _, one in settings(folder)["loaded"].values())


def test_with_a_runtime_nobody_else_may_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = runtime_of(tmp_path, monkeypatch)
    write_page(tmp_path / "page", {}, runtime)
    assert settings(tmp_path / "page")["packages"] == {"networkx": ["drawing.zip"]}
    assert "connect-src 'self';" in policy(tmp_path / "page")
    assert "https:" not in policy(tmp_path / "page")
    for name in python_runtime.FILES:
        copied = tmp_path / "page/python" / name
        assert copied.read_bytes() == (runtime / name).read_bytes()


def test_packages_are_copied_if_they_are_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = runtime_of(tmp_path, monkeypatch)
    (runtime / "matplotlib.whl").write_text("matplotlib")
    (runtime / "numpy.whl").write_text("numpy")
    notes: list[str] = []
    write_page(tmp_path / "page", {}, runtime, notes.append)
    assert notes == [f"{runtime}: matplotlib is left out, since it needs six.whl"]
    assert settings(tmp_path / "page")["packages"]["numpy"] == ["numpy.whl"]
    assert "matplotlib" not in settings(tmp_path / "page")["packages"]
    assert not (tmp_path / "page/python/matplotlib.whl").exists()
    (runtime / "six.whl").mkdir()
    with pytest.raises(InputError, match=r"six\.whl: not a file"):
        write_page(tmp_path / "page", {}, runtime)
    (runtime / "six.whl").rmdir()
    (runtime / "six.whl").write_text("six")
    write_page(tmp_path / "page", {}, runtime)
    found = settings(tmp_path / "page")
    assert found["packages"]["matplotlib"] == ["numpy.whl", "six.whl", "matplotlib.whl"]
    assert found["loaded"]["six.whl"][0] == "python/six.whl"
    assert (tmp_path / "page/python/six.whl").read_text() == "six"
    (runtime / "numpy.whl").write_text("other")
    with pytest.raises(InputError, match=r"numpy\.whl: not that of pyodide"):
        write_page(tmp_path / "page", {}, runtime)


def test_only_a_folder_of_ours_is_written_to(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("of others")
    write_page(tmp_path, {})
    write_page(tmp_path, {})
    assert (tmp_path / "notes.txt").read_text() == "of others"
    for name in ("index.html", "page.css"):
        place = tmp_path / name.partition(".")[0]
        place.mkdir()
        (place / name).write_text("of others")
        done = CliRunner().invoke(main, ["web", "-o", str(place)])
        assert (done.exit_code, done.stdout) == (1, "")
        said = "of another program, and would be replaced; name a new folder"
        assert done.stderr == f"error: {place / name}: {said}\n"
        assert [path.name for path in place.iterdir()] == [name]
        assert (place / name).read_text() == "of others"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes")
def test_pipes_are_not_waited_for_and_links_not_followed(tmp_path: Path) -> None:
    for name in ("pipe", "ours", "linked"):
        (tmp_path / name).mkdir()
    os.mkfifo(tmp_path / "pipe/index.html")
    with pytest.raises(InputError, match="of another program"):
        write_page(tmp_path / "pipe", {})
    write_page(tmp_path / "ours", {})
    before = (tmp_path / "ours/index.html").stat().st_mtime_ns
    (tmp_path / "linked/index.html").symlink_to("../ours/index.html")
    with pytest.raises(InputError, match="a link leads out of"):
        write_page(tmp_path / "linked", {})
    assert (tmp_path / "ours/index.html").stat().st_mtime_ns == before
    (tmp_path / "whole").symlink_to("ours")  # the folder that is named may be a link
    write_page(tmp_path / "whole", {})


@pytest.mark.parametrize("change", ["missing", "changed"])
def test_a_broken_runtime_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    path = runtime_of(tmp_path, monkeypatch) / "python_stdlib.zip"
    if change == "missing":
        path.unlink()
    else:
        path.write_text("other")
    words = ["web", "-o", str(tmp_path / "page"), "--runtime", str(path.parent)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"error: {path}: ")
    assert f"pyodide {python_runtime.VERSION}" in done.stderr
    assert not (tmp_path / "page").exists()


def test_the_scripts_of_pairs_and_reports_may_run(folder: Path) -> None:
    shown = [page_script(with_checker=has_proofs) for has_proofs in (False, True)]
    for script in (*shown, report_script()):
        found = base64.b64encode(hashlib.sha256(script.encode()).digest())
        assert f"'sha256-{found.decode()}'" in policy(folder)


@pytest.mark.nightly
def test_the_sources_score_alone(folder: Path, tmp_path: Path) -> None:
    """The archive runs without the installed package."""
    with zipfile.ZipFile(io.BytesIO((folder / "exactmatch.zip").read_bytes())) as archive:
        archive.extractall(tmp_path)
    program = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); from exactmatch.cli import web_run;"
        "words = sys.argv[2:]; told = [];"
        "shares = [web_run.share(words, k, 2, lambda *done: told.append(done)) for k in range(2)];"
        "assert told == [(0, 2), (1, 2), (2, 2), (0, 1), (1, 1)], told;"
        "print(web_run.answered(words, shares))"
    )
    words = ["score", str(EXAMPLES / "parser.amr"), str(EXAMPLES / "gold.amr"), "--solver", "dual"]
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, str(tmp_path), *words, "--format", "json"],
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(ran.stdout)
    assert (found["status"], found["said"]) == (0, "")
    printed = json.loads(found["printed"])
    assert (printed["matched"], printed["certified"]) == (34, 3)
    assert printed["long_signature"].endswith("|with:ortools-none+python-sat-none")


def test_the_form_has_the_options_of_score() -> None:
    form = form_content()
    flags = {one["flag"] for one in form["options"]}
    flags |= {one["flag"] for metric in form["metrics"] for one in metric["choices"]}
    declared = {
        (one.secondary_opts or one.opts)[0]: one.name
        for one in score.params
        if isinstance(one, click.Option)
    }
    assert flags <= set(declared)
    assert {"--pair-by", "--timeout", "--duplicates", "--synonyms", "--order"} <= flags
    assert not flags & {
        "--heuristic",
        "--workers",
        "--solver",
        "--per-pair",
        "--format",
        "--cluster",
    }
    assert [metric["name"] for metric in form["metrics"]] == [*METRICS]
    json.dumps(form)


def test_every_example_can_be_scored(folder: Path) -> None:
    for one in settings(folder)["examples"]:
        texts = [EXAMPLES / file["name"] for file in one["files"]]
        assert [path.read_text("utf-8") for path in texts] == [f["text"] for f in one["files"]]
        for other in texts[1:]:
            done = CliRunner().invoke(main, ["score", str(texts[0]), str(other)])
            assert (done.exit_code, done.stderr) == (0, "")
            assert "no mapping of variables scores higher" in done.stdout


def test_licences_are_named(folder: Path) -> None:
    text = (folder / "LICENCES.txt").read_text("utf-8")
    for word in ("Mozilla Public License 2.0", "Python Software Foundation", "click", "Apache"):
        assert word in text


def test_a_folder_is_served_to_this_machine(folder: Path) -> None:
    with serving(folder) as (address, server):
        assert address.startswith("http://127.0.0.1:")
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with urllib.request.urlopen(f"{address}page.js") as answer:
            assert answer.headers["Content-Type"] == "text/javascript"
            assert answer.read() == (folder / "page.js").read_bytes()
        server.shutdown()


def test_the_server_says_nothing_of_odd_paths_and_of_browsers_that_go_away(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(folder) as (address, server):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for path in ("%00", "..%2f..%2fetc%2fpasswd", "nothing"):
            with pytest.raises(urllib.error.HTTPError, match="404"):
                urllib.request.urlopen(address + path)
        try:
            raise BrokenPipeError
        except BrokenPipeError:
            with socket.socket() as client:
                server.handle_error(client, ("127.0.0.1", 1))
        server.shutdown()
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_without_a_folder_the_page_is_served_until_an_interrupt() -> None:
    words = [sys.executable, "-m", "exactmatch", "web"]
    without_browser = {**os.environ, "BROWSER": "", "PATH": ""}
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=without_browser) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        with urllib.request.urlopen(address) as answer:
            assert b"exactmatch" in answer.read()
        process.send_signal(signal.SIGINT)
    assert process.returncode == 0


def test_an_interrupt_while_the_browser_is_opened_ends_serving(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(address: str) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr("exactmatch.runtime.browser.open_address", interrupted)
    done = CliRunner().invoke(main, ["web"])
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_port_that_is_taken_is_told(folder: Path) -> None:
    with serving(folder) as (address, _):
        port = address.rstrip("/").rpartition(":")[2]
        done = CliRunner().invoke(main, ["web", "--port", port])
    assert done.exit_code == 1
    assert done.stderr.startswith(f"error: port {port}: ")


def test_a_port_goes_without_a_folder(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["web", "-o", str(tmp_path), "--port", "8000"])
    assert done.exit_code == 2
    assert "--port goes without --output" in done.stderr
