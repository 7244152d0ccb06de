"""The linear relaxations of both integer programs, as encodings/README.md has them."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from relaxations import relaxed

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.readers.detect import read_file
from exactmatch.metrics.smatch import Smatch
from exactmatch.problem import MatchingProblem
from exactmatch.problem.linear_program import LinearProgram, grouped, one_by_one
from exactmatch.scoring.comparison import compare
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline

ROOT = Path(__file__).resolve().parents[2]
INSTANCES = ROOT / "instances"
PAGE = (ROOT / "encodings" / "README.md").read_text(encoding="utf-8")
METRIC = Smatch.profiles["default"]

#: | `instances/hard/NAME` | optima | of the relaxation, grouped | one by one |
ROW = re.compile(
    r"^\| `instances/(hard/\w+)` \| ([\d, ]+) \| ([\d., ]+) \| ([\d., ]+) \|$", re.MULTILINE
)

pytestmark = pytest.mark.checkout


def pairs(system: str, gold: str) -> Iterable[GraphPair]:
    files = (read_file(INSTANCES / f"{name}.amr").graphs for name in (system, gold))
    for left, right in zip(*files, strict=True):
        assert isinstance(left, Graph) and isinstance(right, Graph)
        yield GraphPair("x", left, right)


def relaxations(
    write: Callable[[MatchingProblem, Deadline], LinearProgram], several: Iterable[GraphPair]
) -> list[float]:
    return [relaxed(write(compare(pair, METRIC).problem, Deadline())) for pair in several]


def optima(several: Iterable[GraphPair]) -> list[int]:
    return [score_pair(pair, METRIC, Settings(), Deadline()).matched for pair in several]


@pytest.mark.parametrize("row", ROW.findall(PAGE), ids=lambda row: row[0])
def test_relaxations_of_hard_pairs(row: tuple[str, ...]) -> None:
    name, *expected = row
    several = [*pairs(f"{name}.system", f"{name}.gold")]
    found = optima(several), relaxations(grouped, several), relaxations(one_by_one, several)
    assert [", ".join(f"{round(value, 1):g}" for value in values) for values in found] == expected


@pytest.mark.nightly
def test_relaxations_of_sentences_are_bounds() -> None:
    several = [*pairs("paper/system", "paper/gold")]
    for annotator in "abcd":
        several += pairs(f"agreement/{annotator}", "agreement/consensus")
    best = optima(several)
    tight = [
        sum(abs(value - optimum) < 1e-6 for value, optimum in zip(values, best, strict=True))
        for values in (relaxations(grouped, several), relaxations(one_by_one, several))
    ]
    said = re.search(
        r"Of (\d+) pairs .*?optimum (\d+) times grouped and (\d+) times one by one", PAGE, re.S
    )
    assert said and [*map(int, said.groups())] == [len(several), *tight]


def test_rows_of_the_page_are_found() -> None:
    assert [row[0] for row in ROW.findall(PAGE)] == [
        "hard/loops",
        "hard/unlabelled",
        "hard/unrelated",
    ]
