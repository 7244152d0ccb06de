"""Folders of several files: of one run, whole or not there."""

import os
import threading
from pathlib import Path

import pytest

from exactmatch.errors import InputError
from exactmatch.runtime import partial_file
from exactmatch.runtime.output import partial_file as partial
from exactmatch.runtime.own_files import LOCK, check_plain, locked, open_own
from exactmatch.runtime.together import writing_together

posix = pytest.mark.skipif(os.name != "posix", reason="links and pipes")


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in folder.iterdir()}


def write_both(folder: Path, said: str) -> None:
    """Write a folder of two files, and a head that says of which run they are."""
    with partial(folder / "head") as head:
        head.text.write(said)
        with writing_together(folder, head) as files:
            files.write(folder / "one", said)
            files.write(folder / "two", said.encode())


def test_files_get_their_names_together(tmp_path: Path) -> None:
    write_both(tmp_path, "before")
    (tmp_path / "old").write_text("x", encoding="utf-8")
    with partial(tmp_path / "head") as head, writing_together(tmp_path, head) as files:
        files.remove([tmp_path / "old", tmp_path / "two"])
        files.write(tmp_path / "one", "after")
        files.write(tmp_path / "two", "after")
        assert (tmp_path / "one").read_text("utf-8") == "before"
    assert texts(tmp_path) == {"head": "", "one": "after", "two": "after"}


def test_a_failure_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    write_both(tmp_path, "before")
    before = texts(tmp_path)
    with pytest.raises(ValueError, match="early"), writing_together(tmp_path) as files:
        files.write(tmp_path / "one", "after")
        raise ValueError("early")
    assert texts(tmp_path) == before


@pytest.mark.parametrize("renames", [0, 1, 2])
def test_a_folder_with_its_head_is_of_one_run(
    renames: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run ends after some of its renames, as if it was killed."""
    write_both(tmp_path, "before")
    left, replace = iter(range(renames)), partial_file.replace

    def killed(place: Path, final: Path) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        replace(place, final)

    monkeypatch.setattr(partial_file, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        write_both(tmp_path, "after")
    assert "head" not in texts(tmp_path)


def test_another_run_waits_for_its_turn(tmp_path: Path) -> None:
    other = threading.Thread(target=write_both, args=(tmp_path, "other"))
    with writing_together(tmp_path) as files:
        other.start()
        other.join(0.2)  # it has its turn later, however slow it is
        files.write(tmp_path / "one", "ours")
        files.write(tmp_path / "two", "ours")
    other.join(60)
    assert texts(tmp_path) == dict.fromkeys(("head", "one", "two"), "other")


def test_nobody_waits_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    with (
        writing_together(tmp_path),
        pytest.raises(InputError, match="another run is using it"),
        writing_together(tmp_path),
    ):
        pass
    assert texts(tmp_path) == {}


def test_a_lock_that_was_left_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / LOCK).touch()  # by a run that was killed
    with locked(tmp_path):
        pass
    assert texts(tmp_path) == {}


def test_a_file_of_others_is_no_lock(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text("of others", encoding="utf-8")
    with pytest.raises(InputError, match="has content, and is not ours"), locked(tmp_path):
        pass
    assert texts(tmp_path) == {LOCK: "of others"}


@posix
@pytest.mark.parametrize("kind", ["link", "hard link", "pipe", "folder"])
def test_only_plain_files_are_ours(kind: str, tmp_path: Path) -> None:
    victim, place = tmp_path / "victim", tmp_path / "x"
    victim.write_text("before", encoding="utf-8")
    {"link": place.symlink_to, "hard link": place.hardlink_to}.get(kind, lambda _: None)(victim)
    if kind == "pipe":
        os.mkfifo(place)
    if kind == "folder":
        place.mkdir()
    with pytest.raises(InputError, match=f"^{place}: "):
        open_own(place, make=True)
    if kind != "hard link":  # which is replaced, and never written to
        with pytest.raises(InputError, match=f"^{place}: "):
            check_plain(place)
        with pytest.raises(InputError, match=f"^{place}: "), writing_together(tmp_path) as files:
            files.write(place, "after")
    assert victim.read_text("utf-8") == "before"
