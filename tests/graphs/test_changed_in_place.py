"""A file that is changed while it is read is an error; one that takes its place is none."""

import gzip
import hashlib
import os
import threading
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from exactmatch.errors import InputError
from exactmatch.graphs.readers import source
from exactmatch.graphs.readers.detect import cut_texts
from exactmatch.graphs.readers.source import (
    ByteStream,
    file_digest,
    read_lines,
    read_whole,
)

posix = pytest.mark.skipif(os.name != "posix", reason="renames files that are open")

#: Long ago: no change of a test falls into the same tick of the file system's clock.
LONG_AGO = 1_000_000_000
TEXT = "".join(f"# ::id {k}\n(a / alpha{k})\n\n" for k in range(99)).encode()
OTHER = TEXT.replace(b"alpha", b"omega")


def append(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"(b / b)\n")


def cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(10)


def write_over(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(path.read_bytes()[::-1])


def rewrite(path: Path) -> None:
    size = path.stat().st_size
    path.write_bytes(b"#" * size)


CHANGES = [append, cut, write_over, rewrite]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(source, "CHUNK", 64)
    found = tmp_path / "a.amr"
    found.write_bytes(TEXT)
    os.utime(found, (LONG_AGO, LONG_AGO))
    return found


def first_then(path: Path, change: Callable[[Path], object], pieces: int = 1) -> bytes:
    """Return what a stream gives of a file that is changed after so many pieces."""
    with ByteStream(path) as stream:
        chunks = stream.chunks()
        before = b"".join(islice(chunks, pieces))
        change(path)
        return before + b"".join(chunks)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("pieces", [1, 7])
def test_a_change_in_place_is_an_error_that_names_the_file(
    path: Path, change: Callable[[Path], object], pieces: int
) -> None:
    with pytest.raises(InputError, match=r"a\.amr: changed while it was read; run again when no"):
        first_then(path, change, pieces)


@pytest.mark.parametrize("change", CHANGES)
def test_a_compressed_file_is_as_any(path: Path, change: Callable[[Path], object]) -> None:
    path.write_bytes(gzip.compress(os.urandom(999)))
    os.utime(path, (LONG_AGO, LONG_AGO))
    with pytest.raises(InputError, match=r"a\.amr: changed while it was read"):
        first_then(path, change)


@pytest.mark.parametrize("change", CHANGES)
def test_no_graph_is_read_from_another_content(
    path: Path, change: Callable[[Path], object]
) -> None:
    """Every graph that is passed on is from the bytes that were there at the beginning."""
    with ByteStream(path) as stream:
        texts = cut_texts(stream.chunks(), stream.name).texts
        seen = [next(texts)]
        change(path)
        with pytest.raises(InputError, match="changed while it was read"):
            seen += texts
    assert 1 <= len(seen) < 99
    for number, text in enumerate(seen):
        assert text.data == f"# ::id {number}\n(a / alpha{number})".encode()


def test_lists_and_whole_files_are_as_graphs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    true = source.Unchanged.check

    def check(self: source.Unchanged) -> None:
        append(path)
        true(self)

    monkeypatch.setattr(source.Unchanged, "check", check)
    for read in (read_whole, file_digest, lambda one: [*read_lines(one)]):
        with pytest.raises(InputError, match=r"a\.amr: changed while it was read"):
            read(path)


@posix
def test_a_file_that_takes_the_place_is_no_change(path: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    new.write_bytes(OTHER)
    assert first_then(path, new.replace) == TEXT
    assert path.read_bytes() == OTHER


@posix
def test_what_is_no_change_of_the_content(path: Path, tmp_path: Path) -> None:
    """Reading the file, another name, other permissions, and the time of the last reading."""

    def harmless(path: Path) -> None:
        path.read_bytes()
        path.chmod(0o600)
        (tmp_path / "second-name").hardlink_to(path)
        path.rename(tmp_path / "moved")
        os.utime(tmp_path / "moved", (LONG_AGO + 99, LONG_AGO))

    assert first_then(path, harmless) == TEXT


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name")
def test_pipes_may_be_written_while_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def write() -> None:
        with path.open("wb", buffering=0) as pipe:
            for start in range(0, len(TEXT), 100):
                pipe.write(TEXT[start : start + 100])

    writer = threading.Thread(target=write)
    writer.start()
    with ByteStream(path) as stream:
        assert b"".join(stream.chunks()) == TEXT
    writer.join()


@posix
def test_the_digest_is_of_the_file_that_was_opened(path: Path, tmp_path: Path) -> None:
    with ByteStream(path) as stream:
        chunks = stream.chunks()
        next(chunks)
        assert stream.whole_digest() == hashlib.sha256(TEXT).hexdigest() == file_digest(path)
        new = tmp_path / "new"
        new.write_bytes(OTHER)
        new.replace(path)
        with pytest.raises(InputError, match=r"a\.amr: changed while it was read"):
            stream.whole_digest()
