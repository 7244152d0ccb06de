"""Output files of commands: permissions, full disks, and names for readers elsewhere."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from nightly import by_day

from exactmatch.cli import COMMANDS, main
from exactmatch.scoring.declaration import OUTPUT

#: Each command that writes, in a small run, and the file that is written first.
WRITERS = {
    "score a.amr b.amr --per-pair x.jsonl": "x.jsonl",
    "score a.amr b.amr --per-pair x.csv": "x.csv",
    "score a.amr b.amr --per-pair x.parquet": "x.parquet",
    "score a.amr b.amr --certificates x.jsonl": "x.jsonl",
    "score a.amr b.amr --mappings x.txt": "x.txt",
    "score a.amr b.amr -o x.txt": "x.txt",
    "score a.amr b.amr --resume run": "run/checkpoint",
    "show a.amr b.amr -o x.html": "x.html",
    "show a.amr b.amr -o pages": "pages/pairs/0000.js",
    "diff a.amr b.amr -o x.txt": "x.txt",
    "check a.amr -o x.txt": "x.txt",
    "adjudicate a.amr b.amr -o pages": "pages/batch.json",
    "choose a.amr b.amr -o x.amr": "x.amr",
    "matrix a.amr -o x.csv": "x.csv",
    "matrix a.amr -o x.npz": "x.npz",
    "matrix a.amr -o x.parquet": "x.parquet",
    "mappings a.amr b.amr -o x.txt": "x.txt",
    "export a.amr b.amr --to lp -o x.lp": "x.lp",
    "iaa a.amr b.amr --certificates proofs": "proofs/a--b.jsonl",
    "iaa a.amr b.amr --format html -o x.html": "x.html",
    "search-error a.amr b.amr --method s --plots plots": "plots/quality.svg",
    "web -o page": "page/index.html",
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with two files of one graph."""
    monkeypatch.chdir(tmp_path)
    for name, concept in (("a.amr", "sing-01"), ("b.amr", "shout-01")):
        Path(name).write_text(f"# ::id p.1\n(s / {concept} :ARG0 (b / bird))\n", encoding="utf-8")
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@contextmanager
def full_disk() -> Iterator[None]:
    """Let no file grow until the block ends: the system says so as it does of a full disk."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.skipif(os.name != "posix", reason="limits of the system")
@pytest.mark.parametrize("words", by_day(WRITERS))
def test_a_full_disk_is_told_with_the_file(words: str, files: Path) -> None:
    with full_disk():
        result = run(*words.split())
    assert result.exit_code == 1
    assert f"error: {WRITERS[words]}: File too large\n" in result.stderr
    left = [path for path in files.rglob("*") if path.is_file() and path.suffix != ".amr"]
    assert not [path for path in left if path.stat().st_size], "nothing was written"


def test_other_errors_are_not_called_those_of_standard_output(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("exactmatch.api.until_cut.run_score", exhausted)
    result = run("score", "a.amr", "b.amr")
    assert (result.exit_code, result.stderr) == (1, "error: Too many open files\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize(
    "words", by_day(["score a.amr b.amr --format csv", "diff a.amr b.amr", "--help"])
)
def test_a_full_disk_under_standard_output_is_told(words: str, files: Path) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "exactmatch", *words.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert "error: standard output: No space left on device" in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_outputs_need_not_be_readable(name: str) -> None:
    one = main.get_command(click.Context(main), name)
    assert one is not None
    for option in one.params:
        if getattr(option, "group", None) == OUTPUT and isinstance(option.type, click.Path):
            assert not option.type.readable, option.opts


@pytest.mark.parametrize(
    "words, said",
    [
        ("score none none -o no/x", "no/x: No such file"),
        ("score none none --per-pair a.amr/x", "a.amr/x: Not a directory"),
        ("iaa none none -o no/x", "no/x: No such file"),
        ("iaa none none --items no/x", "no/x: No such file"),
        ("compare none none --plots a.amr/x/y", "a.amr/x/y: Not a directory"),
        ("matrix none -o no/x.csv", "no/x.csv: No such file"),
        ("iaa none none --plots no -o no/x", "none: No such file"),  # that folder is made
        ("iaa none none -o /dev/null", "none: No such file"),
    ],
)
def test_a_folder_that_takes_no_file_is_told_before_anything_is_read(
    words: str, said: str, files: Path
) -> None:
    found = run(*words.split())
    assert found.exit_code == 1 and found.stderr.startswith(f"error: {said}"), found.stderr
    assert sorted(path.name for path in files.iterdir()) == ["a.amr", "b.amr"]


def test_a_folder_that_is_read_only_is_told_before_anything_is_read(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    assert run("iaa", "none", "none", "-o", "x").stderr == "error: x: Permission denied\n"


def test_pages_name_files_without_the_folders_of_this_machine(files: Path) -> None:
    a, b, proofs, page = (str(files / name) for name in ("a.amr", "b.amr", "c.jsonl", "x.html"))
    assert run("score", a, b, "--certificates", proofs).exit_code == 0
    assert run("show", a, b, "--certificates", proofs, "-o", page).exit_code == 0
    Path("a.amr").write_text("# ::id p.1\n(s / sing-01", encoding="utf-8")
    assert run("adjudicate", a, b, "-o", str(files / "pages")).exit_code == 0
    for path in (Path(page), Path("pages/index.html"), Path("pages/batch.json")):
        text = path.read_text("utf-8")
        assert "c.jsonl" in text or "a.amr:2: graph 1" in text
        assert str(files) not in text
