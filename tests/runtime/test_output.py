"""Output files: whole or not there."""

import itertools
import os
import re
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

import pytest
from partial_files import partial_of

import exactmatch
from exactmatch.errors import InputError, UsageError
from exactmatch.runtime.named_file import NamedRandom
from exactmatch.runtime.output import check_outputs, write_bytes, write_text, writing

root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="gives files away"
)
full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
posix = pytest.mark.skipif(os.name != "posix", reason="links, pipes and permissions")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_there_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("before", encoding="utf-8")
    with writing(path) as file:
        file.write("ä\n")
        assert path.read_text("utf-8") == "before"
        # A line is on disk at once: whoever kills the process finds it.
        assert partial_of(path).read_bytes() == "ä\n".encode()
        file.write("rest")
    assert path.read_bytes() == "ä\nrest".encode()
    assert names(tmp_path) == ["x.txt"]
    write_text(path, "a\nb")
    assert path.read_bytes() == b"a\nb"
    write_bytes(path, b"\x00\xff")
    assert path.read_bytes() == b"\x00\xff"


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


@contextmanager
def interrupting(moment: int) -> Iterator[None]:
    """Interrupt the block at the given moment, counted in steps of the code that writes files."""
    moments = itertools.count()

    def step(frame: FrameType, event: str, _: object) -> Any:
        if Path(frame.f_code.co_filename).name != "named_file.py":
            return None
        if next(moments) == moment:
            raise KeyboardInterrupt
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        yield
    finally:
        sys.settrace(before)


def test_an_interrupt_at_any_moment_repeats_no_line(tmp_path: Path) -> None:
    for moment in itertools.count():
        path = tmp_path / f"{moment}.txt"
        try:
            with writing(path) as file:
                file.write("one\n")
                with interrupting(moment):
                    file.write("two\n")
        except KeyboardInterrupt:
            assert partial_of(path).read_text("utf-8") in ("one\n", "one\ntwo\n")
        else:
            break
    assert path.read_text("utf-8") == "one\ntwo\n"
    assert moment > 5


def test_what_was_written_before_an_error_is_kept_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.txt"
    with pytest.raises(KeyboardInterrupt) as caught, writing(path) as file:
        file.write("one\n")
        raise KeyboardInterrupt
    kept = partial_of(path)
    assert names(tmp_path) == [kept.name]
    assert kept.read_text("utf-8") == "one\n"
    assert caught.value.__notes__ == [
        f"{kept} holds what was written so far; {path} is not written"
    ]
    kept.unlink()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt) as caught:
        patch.setattr(Path, "replace", interrupted)
        write_text(path, "all of it")
    assert partial_of(path).read_text("utf-8") == "all of it"
    assert "is not written" in caught.value.__notes__[0]
    partial_of(path).unlink()
    with pytest.raises(ValueError, match="early") as error, writing(path):
        raise ValueError("early")
    assert names(tmp_path) == []  # nothing was written, so there is nothing to keep
    assert not hasattr(error.value, "__notes__")


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    for path, reason in (
        (tmp_path / "no" / "x.txt", "No such file or directory"),
        (tmp_path, "irectory"),
    ):
        with pytest.raises(InputError, match=reason) as caught:
            write_text(path, "text")
        assert str(caught.value).startswith(f"{path}: ")
    assert names(tmp_path) == []


@full
def test_an_error_names_the_file_that_it_is_about(tmp_path: Path) -> None:
    with (
        pytest.raises(InputError, match=r"^/dev/full: No space left on device$"),
        writing(Path("/dev/full")) as full,
        writing(tmp_path / "x.txt") as other,
    ):
        other.write("fine\n")
        full.write("too much\n")


@posix
def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    real, link = tmp_path / "there" / "real.txt", tmp_path / "link.txt"
    real.write_text("before", encoding="utf-8")
    link.symlink_to(real)
    with writing(link) as file:
        file.write("after")
        assert names(tmp_path / "there") == ["real.txt", partial_of(real).name]
    assert link.is_symlink()
    assert real.read_text("utf-8") == "after"
    assert names(tmp_path / "there") == ["real.txt"]


@posix
def test_permissions_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.touch()
    path.chmod(0o640)
    write_text(path, "text")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@posix
def test_a_file_for_few_is_never_readable_for_others(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.touch()
    path.chmod(0o604)
    before = os.umask(0)
    try:
        with writing(path):
            assert stat.S_IMODE(partial_of(path).stat().st_mode) == 0o604
    finally:
        os.umask(before)


@root
def test_owner_and_group_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.touch()
    os.chown(path, 12345, 23456)
    path.chmod(0o660)
    write_text(path, "text")
    status = path.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (12345, 23456, 0o660)


@posix
def test_another_group_may_not_do_more_than_everybody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: int) -> None:
        raise PermissionError

    path = tmp_path / "x.txt"
    path.touch()
    path.chmod(0o664)
    monkeypatch.setattr(os, "fchown", refused)
    write_text(path, "text")
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@posix
@pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
def test_nothing_at_the_place_of_a_partial_file_is_used(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The random part of the name is known here; elsewhere, nobody can know it."""
    parts = iter([b"\x00\x00\x00\x01", b"\x00\x00\x00\x02"])
    monkeypatch.setattr(os, "urandom", lambda _: next(parts))
    victim, place = tmp_path / "victim", tmp_path / "x.txt.00000001.partial"
    victim.write_text("before", encoding="utf-8")
    if kind == "link":
        place.symlink_to(victim)
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        place.mkdir()
    write_text(tmp_path / "x.txt", "text")
    assert (tmp_path / "x.txt").read_text("utf-8") == "text"
    assert victim.read_text("utf-8") == "before"
    assert os.path.lexists(place)


def test_of_two_runs_the_last_to_end_wins(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    with writing(path) as first:
        first.write("first\n")
        with writing(path) as second:
            second.write("second\n")
            first.write("first\n")
        assert path.read_text("utf-8") == "second\n"
    assert path.read_text("utf-8") == "first\nfirst\n"
    assert names(tmp_path) == ["x.txt"]


def test_a_long_name_leaves_room_for_a_partial_one(tmp_path: Path) -> None:
    path = tmp_path / ("ä" * 127)  # 254 bytes, of 255
    write_text(path, "text")
    assert names(tmp_path) == [path.name]


class HeldError(PermissionError):
    """What Windows says of a file that another program has opened."""

    winerror = 32


@pytest.mark.parametrize(("times", "is_written"), [(3, True), (99, False)])
def test_a_file_that_is_held_is_renamed_later(
    times: int, is_written: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, rename = iter(range(times)), Path.replace

    def held(place: Path, final: Path) -> Path:
        if next(left, None) is not None:
            raise HeldError(13, "Permission denied")
        return rename(place, final)

    monkeypatch.setattr(Path, "replace", held)
    monkeypatch.setattr("time.sleep", lambda _: None)
    path = tmp_path / "x.txt"
    if is_written:
        write_text(path, "text")
        assert path.read_text("utf-8") == "text"
    else:
        with pytest.raises(InputError, match=r"x\.txt: Permission denied") as caught:
            write_text(path, "text")
        assert "is not written" in caught.value.__notes__[0]


@full
@pytest.mark.parametrize("write", [
    lambda file: file.write("x" * 100_000),
    lambda file: file.buffer.write(b"x" * 100_000),
    lambda file: file.write("x"),  # it fails when the file is closed
])  # fmt: skip
def test_each_way_to_write_names_the_file(write: Callable[[TextIO], object]) -> None:
    with (
        pytest.raises(InputError, match=r"^/dev/full: No space left on device$"),
        writing(Path("/dev/full")) as file,
    ):
        write(file)


@full
@pytest.mark.parametrize("act", [lambda file: file.seek(0), lambda file: file.truncate()])
def test_a_file_to_read_and_write_is_named(act: Callable[[NamedRandom], object]) -> None:
    with pytest.raises(InputError, match=r"^/dev/full: No space left on device$") as caught:
        file = NamedRandom(Path("/dev/full"), os.open)
        file.write(b"x")
        act(file)
    with pytest.raises(InputError, match=str(caught.value)):
        file.close()


@posix
def test_pipes_are_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text("utf-8")))
    reader.start()
    write_text(pipe, "text")
    reader.join(60)
    assert read == ["text"]
    assert names(tmp_path) == ["pipe"]


@posix
def test_open_streams_are_written_directly(tmp_path: Path) -> None:
    code = "from pathlib import Path; from exactmatch.runtime.output import write_text;"
    code += "write_text(Path('/dev/stdout'), 'text')"
    target = tmp_path / "x.txt"
    with target.open("wb") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
        # A rename would have put another file in its place.
        assert os.fstat(stream.fileno()).st_ino == target.stat().st_ino
    assert target.read_text("utf-8") == "text"


def test_everything_that_writes_goes_one_way() -> None:
    """Plots are drawn into memory, texts of help are no files, nor is what stands for streams.

    Examples in docstrings write files of their own.
    """
    package = Path(exactmatch.__file__).parent
    modes, ways = r"""\b(open|fdopen)\([^)]*["'][rwax]*[wax+]b?["']""", r"\.write_(text|bytes)\("
    writers = re.compile(rf"{modes}|{ways}|savefig\(|to_csv\(|to_parquet\(|shutil\.copy|os\.open\(")
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if writers.search(re.sub(r"(?m)^ *(>>>|\.\.\.) .*$", "", path.read_text(encoding="utf-8")))
    }
    ours = {f"runtime/{name}.py" for name in ("checkpoint", "own_files", "partial_file")}
    others = {"report/plots.py", "cli/metric_help.py", "solving/solver_service.py"}
    others |= {"runtime/standard_streams.py"}
    assert found == ours | others


def test_halves_of_characters_are_written_out(tmp_path: Path) -> None:
    """Files behave as standard output does; the name of a file may not be UTF-8."""
    write_text(tmp_path / "x.csv", "a\udcff.amr,\ud800\n")
    assert (tmp_path / "x.csv").read_bytes() == b"a\\udcff.amr,\\ud800\n"


def test_outputs_are_no_inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"x is an input and would be overwritten"):
        check_outputs(["x"], Path("x"))
    with pytest.raises(UsageError, match="named for two outputs"):
        check_outputs([], Path("x"), Path("x"))
    check_outputs(["x", "-"], Path("y"), None, Path("z"))
