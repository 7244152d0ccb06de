"""Reports name their inputs with the SHA-256 that sha256sum prints."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import exactmatch

PAPER = Path(__file__).parents[2] / "instances/paper"
SYSTEM, GOLD = PAPER / "system.amr", PAPER / "gold.amr"


def explained(file: Path) -> Any:
    file.write_text("F-score: 0.77\r\n", encoding="utf-8")
    return exactmatch.explain(SYSTEM, GOLD, scores=file, tool="smatch")


def searched(file: Path) -> Any:
    file.write_text('{"pairs": [{"id": "paper.1", "matched": 5}]}\n', encoding="utf-8")
    return exactmatch.search_error([SYSTEM], GOLD, scores=file, tool="other")


def rated(file: Path) -> Any:
    file.write_text("4\n", encoding="utf-8")
    return exactmatch.correlate(
        [SYSTEM], GOLD, metric=["smatch", "sembleu"], human=file, human_range=(1, 5)
    )


def grouped(file: Path) -> Any:
    file.write_text("paper.1\tone\n", encoding="utf-8")
    return exactmatch.agreement([SYSTEM, GOLD], group_by=file, resamples=10)


@pytest.mark.parametrize("study", [explained, searched, rated, grouped])
def test_digests_are_those_of_the_files(study: Callable[[Path], Any], tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    inputs = json.loads(study(file).report("json"))["inputs"]
    found = {one["path"]: one["sha256"] for one in inputs}
    read = {"words.txt": file, "system.amr": SYSTEM, "gold.amr": GOLD}
    assert {Path(path).name: digest for path, digest in found.items()} == {
        name: sha256(path.read_bytes()).hexdigest() for name, path in read.items()
    }
