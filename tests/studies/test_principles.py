"""The seven principles, on graphs for which the answers are known."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exactmatch.cli import main
from exactmatch.graph import Graph
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.mrp import Mrp
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.smatch import Smatch
from exactmatch.pairing import GraphPair
from exactmatch.readers.detect import read_text
from exactmatch.settings import Settings
from exactmatch.studies.judges import Judge
from exactmatch.studies.principles import Principles, PrinciplesCollector, measure

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
EXACT = Judge("smatch", Smatch.profiles["default"], Settings())
CLIMB = Judge("smatch:r", Smatch.profiles["default"], Settings(method="r"))
SEMBLEU = Judge("sembleu", SemBleu(), Settings())


def graph(text: str) -> Graph:
    (found,) = read_text(text, "text").graphs
    assert isinstance(found, Graph)
    return found


def pair(system: str, gold: str, identifier: str = "x") -> GraphPair:
    return GraphPair(identifier, graph(system), graph(gold))


def measured(judge: Judge, *pairs: GraphPair, seeds: int = 2) -> Principles:
    collector = PrinciplesCollector(judge)
    for one in pairs:
        collector.add(measure(one, [judge], EXACT, range(seeds)))
    return collector.finish()


#: Opitz et al. (2020), Figure 2: who is ARG1 differs, and no path tells.
FIGURE_2 = pair(
    "(p / predicate-01 :ARG0 (x1 / man) :ARG1 (x2 / man) :ARG2 x2)",
    "(p / predicate-01 :ARG0 (x1 / man) :ARG1 x1 :ARG2 (x2 / man))",
    "figure 2",
)


def test_indiscernibles() -> None:
    found = measured(SEMBLEU, FIGURE_2)
    assert (found.twins, found.selves_below) == (1, 0)
    (example,) = found.examples
    assert (example.item, example.score) == ("figure 2", 1.0)
    # Of 7 triples a side, ARG1 cannot match: 6 of 8 in all.
    assert example.other == pytest.approx(6 / 8)
    exact = measured(EXACT, FIGURE_2)
    assert (exact.twins, exact.examples) == (0, [])


def test_a_graph_that_a_climb_does_not_find_itself_in() -> None:
    """smatch's issue 43: many like parts, and the best mapping is not found."""
    path = INSTANCES / "hard" / "unlabelled.system.amr"
    graphs = read_text(path.read_text(encoding="utf-8"), "hard").graphs
    pairs = [GraphPair(str(k), g, g) for k, g in enumerate(graphs) if isinstance(g, Graph)]
    found = measured(CLIMB, *pairs)
    assert found.selves_below > 0
    assert any("itself" in example.principle for example in found.examples)
    assert found.corpus_spread > 0 and found.pair_spread > 0


def test_symmetry_by_hand() -> None:
    """One node against three of two edges: SemBleu punishes a short test side alone.

    Forth: exp(1 - 5 / 1) * 1 / 1. Back: 1 of 3 nodes, smoothed 1 / 2 of 2 edges and 1 / 4 of 1.
    """
    found = measured(SEMBLEU, pair("(a / x)", "(a / x :r (b / y :s (c / z)))"), FIGURE_2)
    forth, back = 2.718281828459045**-4, (1 / 3 * 1 / 4 * 1 / 4) ** (1 / 3)
    assert found.asymmetric == 0.5
    assert found.asymmetry == pytest.approx(abs(forth - back) / 2)
    assert measured(EXACT, pair("(a / x)", "(a / x :r (b / y))")).asymmetry == 0


def test_bias_by_hand() -> None:
    """A hub with three leaves: 8 triples with the root. A wrong concept costs Smatch one triple.

    SemBleu, for a wrong leaf: 3 of 4 nodes, 2 of 3 edges, no paths of three nodes. For a wrong hub:
    3 of 4 nodes, no edge, smoothed to 1 / 2.
    """
    star = pair("(h / hub)", "(h / hub :r (a / x) :s (b / y) :t (c / z))")
    exact = measured(EXACT, star)
    assert exact.costs == {"up to 1": 1.0, "up to 3": 1.0}
    assert exact.bias == 1.0
    found = measured(SEMBLEU, star)
    leaf = 8 * (1 - (3 / 4 * 2 / 3) ** 0.5)
    hub = 8 * (1 - (3 / 4 * 1 / 2 / 3) ** 0.5)
    assert found.costs == pytest.approx({"up to 1": leaf, "up to 3": hub})
    assert found.bias == pytest.approx(hub / leaf)


MRP_GRAPH = {
    **{"id": "1", "framework": "x", "tops": [0]},
    "nodes": [{"id": 0, "label": "p"}, {"id": 1, "label": "q"}, {"id": 2, "label": "r"}],
    "edges": [
        {"source": 0, "target": 1, "label": "e", "attributes": ["remote"], "values": [True]},
        {"source": 1, "target": 0, "label": "e", "normal": "f"},
    ],
}


@pytest.mark.parametrize(
    "text, metric, degrees",
    [
        # A relation that is written twice is one, and both ends of a loop count.
        ("(a / p :ARG0 (b / q) :ARG0 b :ARG1 b :ARG2 a :op1 1)", Smatch(), [4, 2]),
        (json.dumps(MRP_GRAPH), Mrp(), [2, 2, 0]),
        # Only variables with a concept are changed; a clause relates its box, too.
        ('b1 person "n.01" x1\nb1 go "v.01" e1\nb1 Agent e1 x1', CounterMetric(), [2, 2]),
    ],
    ids=["amr", "mrp", "drs"],
)
def test_degrees_by_hand(text: str, metric: AlignmentMetric, degrees: list[int]) -> None:
    exact = Judge("exact", metric, Settings())
    found = measure(pair(text, text), [exact], exact, range(1)).findings[exact.name]
    assert [cost.degree for cost in found.costs] == degrees


def test_overlap() -> None:
    pairs = [
        pair("(a / x)", "(a / x)"),
        pair("(a / x)", "(a / y)"),
        pair("(a / x :r (b / y))", "(a / x :r (b / z))"),
    ]
    assert measured(EXACT, *pairs).tau == 1.0
    assert measured(EXACT, pairs[0]).tau is None
    assert measured(SEMBLEU, *pairs).tau == 1.0


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["principles", *words], catch_exceptions=False)


def paths(folder: str, *names: str) -> list[str]:
    return [str(INSTANCES / folder / name) for name in names]


def test_command_line() -> None:
    files = paths("hard", "small.system.amr", "small.gold.amr")
    words = str(INSTANCES / "vectors" / "words.txt")
    result = run(*files, "--vectors", words, "--format", "json", "--seeds", "2")
    tables = json.loads(result.stdout)["tables"]
    rows = {row["metric"]: row for row in tables["principles"]}
    assert list(rows) == ["smatch", "s2match", "smatch:s+4r", "sembleu"]
    assert rows["smatch"]["asymmetric"] == rows["smatch"]["corpus_spread"] == 0
    assert rows["smatch"]["tau"] == rows["smatch"]["bias"] == 1
    assert rows["sembleu"]["asymmetric"] > 0.5
    assert all(row["outside"] == 0 for row in rows.values())
    two = run(*files, "--vectors", words, "--format", "json", "--seeds", "2", "--workers", "2")
    assert two.stdout_bytes == result.stdout_bytes


def test_graded_metrics_tell_senses_apart() -> None:
    files = paths("agreement", "a.amr", "b.amr")
    words = ("--vectors", str(INSTANCES / "vectors" / "words.txt"), "--sample", "3", "--seeds", "1")
    names = "smatch,s2match,sembleu"
    result = run(*files, *words, "--metrics", names, "--format", "json")
    rows = {row["metric"]: row for row in json.loads(result.stdout)["tables"]["principles"]}
    assert rows["smatch"]["graded"] == 0 < rows["s2match"]["graded"]


@pytest.mark.parametrize(
    "folder, suffix, metrics",
    [("mrp", "mrp", ["mrp", "mrp:s+4r", "sdp", "edm", "ucca"]),
     ("drs", "clf", ["counter", "counter:s+4r", "dscorer"])],
)  # fmt: skip
def test_other_formats(folder: str, suffix: str, metrics: list[str]) -> None:
    files = paths(folder, f"system.{suffix}", f"gold.{suffix}")
    content = json.loads(run(*files, "--seeds", "1", "--format", "json").stdout)
    rows = content["tables"]["principles"]
    assert [row["metric"] for row in rows] == metrics
    assert rows[0]["asymmetric"] == rows[0]["selves_below"] == rows[0]["twins"] == 0


@pytest.mark.parametrize(
    "metrics, message",
    [
        ("nothing", "no metric is called 'nothing'; there are smatch, s2match"),
        ("smatch:hope", "'smatch:hope': no heuristic or profile of smatch is called 'hope'; there"),
        ("sembleu:r", "'sembleu:r': no profile of sembleu is called 'r'; there are default"),
        ("s2match", "s2match needs --vectors or --similarity"),
    ],
)
def test_metrics_that_do_not_exist(metrics: str, message: str) -> None:
    result = run(*paths("hard", "small.system.amr", "small.gold.amr"), "--metrics", metrics)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
