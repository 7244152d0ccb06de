"""Principle IV: how far scores differ from run to run, on numbers that are known."""

from dataclasses import replace
from pathlib import Path

import pytest

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.s2match import S2match
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.settings import Settings
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.principles.determinacy import (
    RESTARTS,
    ClimbsCollector,
    RunsCollector,
    climbers,
    climbs,
    repeated,
)

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
EXACT = Judge("smatch", Smatch.profiles["default"], Settings())
CLIMB = Judge("smatch:r", Smatch.profiles["default"], Settings(method="r"))
SEMBLEU = Judge("sembleu", SemBleu(), Settings())


def first(folder: str, name: str) -> Graph:
    path = INSTANCES / folder / name
    graph = next(iter(read_text(path.read_text(encoding="utf-8"), name).graphs))
    assert isinstance(graph, Graph)
    return graph


@pytest.fixture
def hard() -> GraphPair:
    """A graph compared with itself; it has many like parts, so climbs end in different places."""
    graph = first("hard", "unlabelled.system.amr")
    return GraphPair("hard", graph, graph)


@pytest.fixture
def unrelated() -> GraphPair:
    """Two graphs whose best mapping cannot be proven without memory."""
    system, gold = (first("hard", f"unrelated.{side}.amr") for side in ("system", "gold"))
    return GraphPair("unrelated", system, gold)


def test_deviations_are_those_counted_by_hand() -> None:
    """F1 is 0.5 and 1 of a pair of 4 triples, 1 of one of 6; of both, 8 and 10 of 10 triples."""
    collector = RunsCollector(EXACT.value)
    collector.add([Statistics(2, 2, 4, 4), Statistics(4, 4, 4, 4)])
    collector.add([Statistics(6, 6, 6, 6)] * 2)
    found = collector.finish()
    assert found.pair == pytest.approx((0.25 + 0) / 2)
    assert found.corpus == pytest.approx(0.1)
    assert (found.corpus_spread, found.worst_pair) == pytest.approx((0.2, 0.5))


@pytest.mark.parametrize(
    "judge, times",
    [(EXACT, 1), (SEMBLEU, 1), (CLIMB, 4),
     (replace(EXACT, settings=Settings(memory=0)), 4)],
    ids=["exact", "alignment-free", "climb", "unproven"],
)  # fmt: skip
def test_what_is_settled_is_computed_once(
    judge: Judge, times: int, unrelated: GraphPair, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    measure = Judge.measurement

    def counted(self: Judge, system: Graph, gold: Graph, seed: int) -> object:
        asked.append(seed)
        return measure(self, system, gold, seed)

    monkeypatch.setattr(Judge, "measurement", counted)
    assert len(repeated(judge, unrelated, range(3, 7))) == 4
    assert asked == [3, 4, 5, 6][:times]


def test_more_starts_find_no_less(hard: GraphPair) -> None:
    best = EXACT.measure(hard.system, hard.gold, 0).matched
    found = climbs(EXACT, hard, range(6))
    for kind in ("{}r", "s+{}r"):
        names = [kind.format(n).removeprefix("1") for n in RESTARTS]
        runs = [found.matched[name] for name in names]
        for fewer, more in zip(runs, [*runs[1:], [best] * 6], strict=True):
            assert all(a <= b for a, b in zip(fewer, more, strict=True))
    assert all(
        smart >= random for n in RESTARTS
        for smart, random in zip(
            found.matched[f"s+{n}r"], found.matched[f"{n}r".removeprefix("1")], strict=True
        )
    )  # fmt: skip
    assert len(set(found.matched["r"])) > 1  # else this shows nothing
    assert [run.matched for run in repeated(CLIMB, hard, range(6))] == found.matched["r"]
    collector = ClimbsCollector(EXACT)
    collector.add(found)
    assert collector.finish()["r"].pair > 0


def test_what_is_too_large_is_the_same_from_every_start(hard: GraphPair) -> None:
    small = replace(EXACT, settings=Settings(memory=0))
    found = climbs(small, hard, range(2))
    known = small.measure(hard.system, hard.gold, 0)
    assert {number for row in found.matched.values() for number in row} == {known.matched}


def test_each_metric_climbs_once() -> None:
    other = Judge("smatch:smatch-1.0.4:s", Smatch.profiles["smatch-1.0.4"], Settings(method="s"))
    graded = Judge("s2match", S2match.profiles["default"], Settings())
    assert list(climbers([CLIMB, EXACT, SEMBLEU, other, graded])) == [
        "smatch",
        "smatch:smatch-1.0.4",
        "s2match",
    ]
