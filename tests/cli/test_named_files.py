"""No command writes to a file that it reads, whatever the file is called and whoever names it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from command_files import IN_PART, LISTED, PAIR, SHARED, command
from nightly import by_day
from study_files import write_files

import exactmatch
from exactmatch.cli import COMMANDS, main
from exactmatch.cli.named_files import TextOrFile
from exactmatch.many.choose import choose_from
from exactmatch.report.web import python_runtime

ROOT = Path(__file__).resolve().parents[2]


def places(name: str) -> Iterator[tuple[str, str]]:
    """Yield each two files of a command: what it reads, and what it writes.

    Shared options are the same everywhere, so one output of each command is enough.
    """
    read, written = LISTED[name]
    for one in sorted(read):
        if (name, one) not in IN_PART:
            yield from ((one, other) for other in sorted(written)[: 1 if one in SHARED else None])


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words, catch_exceptions=False)


def content_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def words_of(name: str, files: dict[str, str]) -> list[str]:
    """Return the words of a command with *files* by their parameters; others as they are needed."""
    words = []
    arguments = []
    for one in command(name).params:
        if isinstance(one, click.Argument):
            if one.required or one.name in files or (name == "verify" and files.keys() & PAIR):
                several = one.nargs == -1 or one.nargs == 2
                others = [f"{one.name}-{k}" for k in range(2)] if several else [f"{one.name}-0"]
                arguments += [files.get(one.name or "", others[0]), *others[1:]]
        elif one.name == "target":
            words += ["--to", "json"]
        elif one.name in files:
            words += [max(one.opts, key=len), files[one.name]]
    return [name, *words, *arguments]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_help_calls_a_file_is_known_as_one() -> None:
    """An option whose value is called FILE or DIR is of a type of files."""
    for name in COMMANDS:
        for one in command(name).params:
            if isinstance(one, click.Option) and {"FILE", "DIR", "FOLDER"} & {
                *(one.metavar or "").replace("|", " ").split()
            }:
                assert isinstance(one.type, click.Path | click.File | TextOrFile), (name, one.name)


@pytest.mark.parametrize(
    "name", by_day([name for name, (_, written) in LISTED.items() if written], 5)
)
def test_no_command_writes_to_a_file_that_it_reads(name: str, folder: Path) -> None:
    victim = Path("victim.csv")
    victim.write_bytes(b"dear\n")
    kinds = {one.name: one.type for one in command(name).params}
    for read, written in places(name):
        result = run(*words_of(name, {read: victim.name, written: victim.name}))
        assert (result.exit_code, result.stdout) == (2, ""), (read, written)
        kind = kinds[written]
        is_folder = isinstance(kind, click.Path) and not kind.file_okay
        reason = "is a file" if is_folder else "is an input and would be overwritten"
        assert reason in result.stderr, (read, written, result.stderr)
        assert content_of(folder) == {victim.name: b"dear\n"}


@pytest.mark.parametrize("given", ["./a.amr", "sub/../a.amr", "link.amr", "hard.amr", "{here}"])
def test_a_file_is_known_by_whatever_name(given: str, folder: Path) -> None:
    write_files()
    Path("sub").mkdir()
    Path("link.amr").symlink_to("a.amr")
    Path("hard.amr").hardlink_to("a.amr")
    before = content_of(folder)
    output = given.format(here=folder / "a.amr") if "{" in given else given
    for words in (
        ("score", "a.amr", "b.amr", "--per-pair", output),
        ("check", "a.amr", "-o", output),
        ("check", output, "-o", "a.amr"),
    ):
        result = run(*words)
        assert result.exit_code == 2, words
        assert "is an input and would be overwritten" in result.stderr
    assert content_of(folder) == before


def test_names_that_a_command_makes_up_lead_to_no_input(folder: Path) -> None:
    """Links in a folder, which stay where files are replaced."""
    write_files()
    assert run("score", "a.amr", "b.amr", "--certificates", "c.jsonl").exit_code == 0
    before = content_of(folder)
    for made, words in {
        "plots/agreement.svg": ("iaa", "a.amr", "b.amr", "c.amr", "--plots", "plots"),
        "proofs/a--b.jsonl": ("iaa", "a.amr", "b.amr", "--certificates", "proofs"),
        "model/pair_1.v": (
            *("export", "--to", "coq", "--certificates", "c.jsonl", "a.amr", "b.amr"),
            *("-o", "model"),
        ),
    }.items():
        link = Path(made)
        link.parent.mkdir()
        link.symlink_to(Path("../a.amr"))
        result = run(*words)
        assert result.exit_code in (1, 2), result.output  # 1: no link is followed there at all
        assert f"error: {made}" in result.stderr.replace("\\", "/")
        shutil.rmtree(link.parent)
    assert content_of(folder) == before


def test_a_run_to_resume_makes_up_no_name_of_an_input(folder: Path) -> None:
    write_files()
    Path("run").mkdir()
    for number, (name, words, reason) in enumerate(
        [
            (
                "per-pair.lines",
                ("run/per-pair.lines", "b.amr"),
                "is in run, which holds the finished",
            ),
            (
                "per-pair.lines",
                ("a.amr", "b.amr", "--ids", "run/per-pair.lines"),
                "is an input and",
            ),
        ]
    ):
        Path("run", name).write_text(f"dear {number}", encoding="utf-8")
        before = content_of(folder)
        result = run("score", *words, "--resume", "run", "--per-pair", "p.jsonl")
        assert (result.exit_code, result.stdout) == (2, "")
        assert f"run/{name} {reason}" in result.stderr.replace("\\", "/")
        assert content_of(folder) == before


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("--plots", "proofs"), "proofs is named for two outputs"),
        (("--pages", "proofs"), "proofs is named for two outputs"),
        (("-o", "proofs/a--b.jsonl"), "proofs/a--b.jsonl is in proofs, which holds certificates"),
        (("--plots", "proofs/plots"), "proofs/plots is in proofs, which holds certificates"),
        (("--pages", "proofs/pages"), "proofs/pages is in proofs, which holds certificates"),
    ],
)
def test_a_folder_of_certificates_has_nothing_else(
    words: tuple[str, ...], reason: str, folder: Path
) -> None:
    write_files()
    before = content_of(folder)
    result = run("iaa", "a.amr", "b.amr", "--certificates", "proofs", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr.replace("\\", "/")
    assert content_of(folder) == before


@pytest.mark.parametrize(
    "words",
    by_day(["check a.amr -o loop", "score a.amr loop", "iaa a.amr b.amr --certificates loop",
     "score a.amr b.amr --resume loop", "check loop/a.amr -o loop/b", "verify proofs"], 2),
)  # fmt: skip
def test_links_in_a_circle_are_told(words: str, folder: Path) -> None:
    write_files()
    assert run("iaa", "a.amr", "b.amr", "--certificates", "proofs").exit_code == 0
    for circle in (Path("loop"), Path("proofs", "loop")):
        circle.symlink_to("loop")
    result = run(*words.split())
    assert (result.exit_code, result.stdout) == (1, "")
    assert f"error: {'proofs/' if 'proofs' in words else ''}loop" in result.stderr
    assert Path("loop").is_symlink()


def test_the_files_of_a_study_are_not_overwritten(folder: Path) -> None:
    write_files()
    words = ("iaa", "a.amr", "b.amr", "--certificates", "proofs")
    assert run(*words).exit_code == 0
    before = content_of(folder)
    for output in ("proofs/manifest.json", "proofs/a--b.jsonl", "a.amr", "b.amr"):
        result = run("verify", "proofs", "-o", output)
        assert (result.exit_code, result.stdout) == (2, ""), output
        assert f"{output} is an input and would be overwritten" in result.stderr
    assert content_of(folder) == before
    os.chdir("proofs")
    assert run("verify", ".", "--graphs", "..", "-o", "../a.amr").exit_code == 2
    os.chdir("..")
    assert content_of(folder) == before


def test_a_folder_of_wordnet_is_not_written_to(folder: Path) -> None:
    wordnet = Path("dict")
    wordnet.mkdir()
    (wordnet / "data.noun").write_bytes(b"dear\n")
    result = run("score", "a", "b", "--synonyms", "dict", "-o", "dict/data.noun")
    assert result.exit_code == 2
    assert "dict/data.noun is an input" in result.stderr.replace("\\", "/")
    assert content_of(folder) == {"dict/data.noun": b"dear\n"}


def test_the_browsers_python_is_not_copied_to_itself(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [python_runtime.RuntimeFile("pyodide.js", b"dear")]
    monkeypatch.setattr(python_runtime, "runtime_files", lambda _: found)
    monkeypatch.setattr(python_runtime, "package_files", lambda *_: {})
    (folder / "page" / "python").mkdir(parents=True)
    (folder / "page" / "python" / "pyodide.js").write_bytes(b"dear")
    result = run("web", "-o", "page", "--runtime", "page/python")
    assert result.exit_code == 2
    assert "is an input and would be overwritten" in result.stderr
    assert content_of(folder) == {"page/python/pyodide.js": b"dear"}


@pytest.mark.parametrize("given", by_day(["a.amr", "-"]))
def test_standard_streams_are_files_too(given: str, folder: Path) -> None:
    """`command - < file >> file` reads, and writes, that file."""
    write_files()
    before = content_of(folder)
    start = [sys.executable, "-m", "exactmatch"]
    with Path("a.amr").open("rb") as stdin, Path("a.amr").open("ab") as stdout:
        words = ["check", given]
        kinds: Any = {"stdin": stdin, "stdout": stdout, "stderr": subprocess.PIPE}
        ran = subprocess.run([*start, *words], check=False, timeout=60, **kinds)
    assert ran.returncode == 2
    assert b"standard output goes to" in ran.stderr
    with Path("a.amr").open("rb") as stdin:
        words = ["check", "-", "-o", "a.amr"]
        ran = subprocess.run(
            [*start, *words], stdin=stdin, capture_output=True, check=False, timeout=60
        )
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert content_of(folder) == before


def test_functions_refuse_it_as_commands_do(folder: Path) -> None:
    write_files()
    a, b = Path("a.amr"), Path("b.amr")
    proof = Path("proofs", "a--b.jsonl")
    proof.parent.mkdir()
    proof.write_bytes(a.read_bytes())
    before = content_of(folder)
    for call in (
        lambda: exactmatch.score(a, b, per_pair=b),
        lambda: [*choose_from([a, b], output=a)],
        lambda: exactmatch.compare([a, proof], b, certificates="proofs"),
        lambda: exactmatch.adjudicate([a, b], "pages", guidelines="pages/batch.json"),
    ):
        if "pages" in call.__code__.co_consts:
            (folder / "pages").mkdir()
            (folder / "pages" / "batch.json").write_bytes(b"dear")
            before = content_of(folder)
        with pytest.raises(exactmatch.UsageError, match="is an input and would be overwritten"):
            call()
    assert content_of(folder) == before


@pytest.mark.parametrize("name", ["score", "iaa", "compare", "show", "diff", "matrix", "explain"])
def test_standard_input_is_read_for_one_file_only(name: str) -> None:
    """A table that comes second would be empty, and the score would lack it."""
    graphs = next(one for one in command(name).params if isinstance(one, click.Argument))
    result = run(*words_of(name, {graphs.name or "": "-", "credits": "-"}))
    assert (result.exit_code, result.stdout) == (2, "")
    assert "only one of the files can be standard input" in result.stderr
