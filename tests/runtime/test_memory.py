"""The limit of memory for a pair."""

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
