"""The limit of memory for a pair."""

import ctypes
import os
from pathlib import Path

import pytest

from exactmatch.errors import UsageError
from exactmatch.runtime import workers as memory


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("4096", 4096),
        ("800M", 800 << 20),
        ("1.5g", 3 << 29),
        ("2 GiB", 2 << 30),
        ("10kB", 10240),
        ("9007199254740993", 9007199254740993),
        ("0.3K", 307),
    ],
)
def test_sizes_are_read(text: str, size: int) -> None:
    assert memory.parse_size(text) == size


@pytest.mark.parametrize(
    "text", ["", "much", "-1G", "1X", "1G2", "nan", "9" * 400 + "G", "1" * 5000]
)
def test_a_text_that_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="no amount of memory"):
        memory.parse_size(text)


def test_default_is_a_quarter_of_what_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meminfo = tmp_path / "meminfo"
    monkeypatch.setattr(memory, "_MEMINFO", meminfo)
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    assert memory.default_limit(1) == memory.MOST
    with pytest.raises(UsageError, match="0 workers"):
        memory.default_limit(0)
    meminfo.write_text("MemTotal:  9 kB\nMemAvailable:   400000 kB\n", encoding="ascii")
    assert memory.default_limit(1) == 100000 << 10
    assert memory.default_limit(2) == 50000 << 10
    (tmp_path / "memory.max").write_text("max\n", encoding="ascii")
    (tmp_path / "memory.current").write_text("100\n", encoding="ascii")
    assert memory.default_limit(1) == 100000 << 10
    (tmp_path / "memory.max").write_text("4100\n", encoding="ascii")
    assert memory.default_limit(1) == 1000
    meminfo.write_text(f"MemAvailable: {1 << 40} kB\n", encoding="ascii")
    (tmp_path / "memory.max").write_text("max\n", encoding="ascii")
    assert memory.default_limit(64) == memory.MOST


def test_as_many_workers_as_there_are_cores_and_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    monkeypatch.setattr(memory, "cores", lambda: 4)
    assert (memory.number_of(3), memory.number_of("auto")) == (3, 4)
    for gigabytes, number in ((100, 4), (9, 2), (3, 1)):
        (tmp_path / "meminfo").write_text(f"MemAvailable: {gigabytes << 20} kB\n", "ascii")
        assert memory.number_of("auto") == number
        alone = memory.default_limit(1)
        assert memory.default_limit("auto") == alone == min(gigabytes << 28, memory.MOST)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the files of Linux."""
    monkeypatch.setattr(memory, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_GROUP", tmp_path)
    monkeypatch.setattr(memory, "cores", lambda: 8)


@pytest.mark.usefixtures("elsewhere")
def test_on_macos_half_of_the_memory_counts_as_free(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 16 GiB, two workers can have 4 GiB each."""
    monkeypatch.setattr("sys.platform", "darwin")
    pages = {"SC_PHYS_PAGES": 1 << 20, "SC_PAGE_SIZE": 1 << 14}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__, raising=False)
    assert memory.free_memory() == 8 << 30
    assert (memory.number_of("auto"), memory.default_limit(8)) == (2, 1 << 28)

    def unknown(_: str) -> int:
        raise ValueError("unrecognized configuration name")

    monkeypatch.setattr(os, "sysconf", unknown, raising=False)
    assert (memory.free_memory(), memory.number_of("auto")) == (None, 8)


@pytest.mark.usefixtures("elsewhere")
def test_windows_is_asked_for_its_available_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The structure is laid out as Microsoft documents MEMORYSTATUSEX: 64 bytes.

    dwLength and dwMemoryLoad have 4 bytes each, and ullAvailPhys is the second number of 8 bytes.
    """

    class Kernel:
        answer = 1

        def GlobalMemoryStatusEx(self, pointer: object) -> int:  # noqa: N802, as Windows has it
            status = pointer._obj  # type: ignore[attr-defined]
            assert ctypes.sizeof(status) == 64 == int.from_bytes(bytes(status)[:4], "little")
            numbers = (37, 16 << 30, 12 << 30, 1, 2, 3, 4, 5)
            content = numbers[0].to_bytes(4, "little")
            content += b"".join(number.to_bytes(8, "little") for number in numbers[1:])
            ctypes.memmove(ctypes.addressof(status) + 4, content, len(content))
            return self.answer

    monkeypatch.setattr("sys.platform", "win32")
    kernel = Kernel()
    monkeypatch.setattr(ctypes, "WinDLL", {"kernel32": kernel}.__getitem__, raising=False)
    assert memory.free_memory() == 12 << 30
    assert memory.number_of("auto") == 3
    kernel.answer = 0
    assert memory.free_memory() is None
