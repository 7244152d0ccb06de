"""The seven principles, on graphs for which the answers are known."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from samples import only_graph as graph
from study_files import study_of

import exactmatch
from exactmatch.cli import main
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.smatch import Smatch
from exactmatch.report.document import Scatter
from exactmatch.scoring.settings import Settings
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.principles.measure import Panel, Principles, PrinciplesCollector, measure

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
EXACT = Judge("smatch", Smatch.profiles["default"], Settings())
CLIMB = Judge("smatch:r", Smatch.profiles["default"], Settings(method="r"))
SEMBLEU = Judge("sembleu", SemBleu(), Settings())


def pair(system: str, gold: str, identifier: str = "x") -> GraphPair:
    return GraphPair(identifier, graph(system), graph(gold))


def measured(judge: Judge, *pairs: GraphPair, seeds: int = 2) -> Principles:
    collector = PrinciplesCollector(judge)
    panel = Panel.of([judge], EXACT, range(seeds))
    for one in pairs:
        collector.add(measure(one, panel))
    return collector.finish((), 0)


#: Opitz et al. (2020), Figure 2: who is ARG1 differs, and no path tells.
FIGURE_2 = pair(
    "(p / predicate-01 :ARG0 (x1 / man) :ARG1 (x2 / man) :ARG2 x2)",
    "(p / predicate-01 :ARG0 (x1 / man) :ARG1 x1 :ARG2 (x2 / man))",
    "figure 2",
)


def test_plots_show_both_scores_of_every_pair(tmp_path: Path) -> None:
    texts = ("(a / b :r (c / d) :s (e / f))\n\n(a / b)\n", "(a / b :r (c / d))\n\n(a / b)\n")
    one, other = tmp_path / "one.amr", tmp_path / "other.amr"
    for path, text in zip((one, other), texts, strict=True):
        path.write_text(text, encoding="utf-8")
    words = ("--metric", "sembleu", "--metric", "smatch:s", "--seeds", "1")
    *_, sembleu, smatch = study_of("principles", str(one), str(other), *words).document.plots
    assert [plot.key for plot in (sembleu, smatch)] == ["symmetry-sembleu", "symmetry-smatch_s"]
    assert isinstance(sembleu, Scatter) and isinstance(smatch, Scatter)
    (points,), (equal,) = sembleu.series, smatch.series
    forth = exactmatch.score(one, other, metric="sembleu").per_pair
    back = exactmatch.score(other, one, metric="sembleu").per_pair
    assert [*points.xs] == [pair.value for pair in forth]
    assert [*points.ys] == [pair.value for pair in back]
    assert [*points.xs] != [*points.ys]
    assert [*equal.xs] == [*equal.ys]


def test_indiscernible_graphs_are_counted() -> None:
    found = measured(SEMBLEU, FIGURE_2).symmetry
    assert (found.twins, found.selves_below) == (1, 0)
    (example,) = found.examples
    assert (example.item, example.score) == ("figure 2", 1.0)
    # Of 7 triples a side, ARG1 cannot match: 6 of 8 in all.
    assert example.other == pytest.approx(6 / 8)
    exact = measured(EXACT, FIGURE_2).symmetry
    assert (exact.twins, exact.examples) == (0, [])


@pytest.mark.slow
def test_a_graph_that_a_climb_does_not_find_itself_in() -> None:
    """smatch's issue 43: many like parts, and the best mapping is not found."""
    path = INSTANCES / "hard" / "unlabelled.system.amr"
    graphs = read_text(path.read_text(encoding="utf-8"), "hard").graphs
    pairs = [GraphPair(str(k), g, g) for k, g in enumerate(graphs) if isinstance(g, Graph)]
    found = measured(CLIMB, *pairs)
    assert found.symmetry.selves_below > 0
    assert any("itself" in example.principle for example in found.symmetry.examples)
    assert found.determinacy.corpus > 0 and found.determinacy.pair > 0


def test_symmetry_is_as_counted_by_hand() -> None:
    """One node against three nodes with two edges: SemBleu punishes only a short test side.

    Forward: exp(1 - 5 / 1) * 1 / 1. Backward: 1 of 3 nodes; smoothed, 1 / 2 of 2 edges and 1 / 4.
    Of two pairs, one violates symmetry (Eq. 4); in points, the mean is 100 times as much (Eq. 5).
    """
    found = measured(SEMBLEU, pair("(a / x)", "(a / x :r (b / y :s (c / z)))"), FIGURE_2).symmetry
    forth, back = 2.718281828459045**-4, (1 / 3 * 1 / 4 * 1 / 4) ** (1 / 3)
    assert found.asymmetric == 0.5
    assert found.asymmetry == pytest.approx(100 * abs(forth - back) / 2)
    exact = measured(EXACT, pair("(a / x)", "(a / x :r (b / y))")).symmetry
    assert (exact.asymmetric, exact.asymmetry) == (0, 0)


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["principles", *words], catch_exceptions=False)


def paths(folder: str, *names: str) -> list[str]:
    return [str(INSTANCES / folder / name) for name in names]


@pytest.mark.slow
def test_principles_run_on_the_command_line() -> None:
    files = paths("hard", "small.system.amr", "small.gold.amr")
    words = str(INSTANCES / "vectors" / "words.txt")
    result = run(*files, "--vectors", words, "--format", "json", "--seeds", "2")
    tables = json.loads(result.stdout)["tables"]
    rows = {row["metric"]: row for row in tables["principles"]}
    assert list(rows) == ["smatch", "s2match", "smatch:s+4r", "sembleu", "rematch"]
    exact = rows["smatch"]
    assert exact["asymmetric"] == exact["corpus_deviation"] == exact["pair_deviation"] == 0
    assert exact["violated"] == 0
    assert exact["bias"] == 1
    assert rows["sembleu"]["asymmetric"] > 0.5
    assert rows["sembleu"]["violated"] > 0
    assert all(row["outside"] == 0 for row in rows.values())
    few = (*files, "--vectors", words, "--format", "json", "--seeds", "2", "--sample", "2")
    assert run(*few, "--workers", "2").stdout_bytes == run(*few).stdout_bytes


def test_graded_metrics_tell_senses_apart() -> None:
    files = paths("agreement", "a.amr", "b.amr")
    words = ("--vectors", str(INSTANCES / "vectors" / "words.txt"), "--sample", "3", "--seeds", "1")
    names = [word for name in ("smatch", "s2match", "sembleu") for word in ("--metric", name)]
    result = run(*files, *words, *names, "--format", "json")
    rows = {row["metric"]: row for row in json.loads(result.stdout)["tables"]["principles"]}
    assert rows["smatch"]["sense_spared"] == 0 < rows["s2match"]["sense_spared"]
    assert rows["sembleu"]["synonym_spared"] == 0 < rows["s2match"]["synonym_spared"]


def test_an_exact_metric_is_held_against_its_own_triples() -> None:
    """F1 = 2 J / (1 + J) (section 3, VI) in triples of the metric, whatever its choices are.

    A wrong concept costs one triple, or two at a root that is counted with its concept.
    """
    files = paths("agreement", "b.amr", "consensus.amr")
    names = ("smatch:paper-2013", "smatch:smatch-1.0.4", "smatch:top=concept")
    words = [word for name in names for word in ("--metric", name)]
    result = run(*files, *words, "--sample", "8", "--seeds", "1", "--format", "json")
    tables = json.loads(result.stdout)["tables"]
    for row in tables["overlap"]:
        assert row["comparisons"] == 8 * 6
        assert row["violated"] == 0, row
        assert row["tau"] == 1, row
    assert tables["disputed"] == []
    costs, *_ = tables["bias"]
    assert {cost for name, cost in costs.items() if name != "metric"} <= {1, None}


@pytest.mark.parametrize(
    "folder, suffix, metrics",
    [("mrp", "mrp", ["mrp", "mrp:s+4r", "sdp", "edm", "ucca", "predications"]),
     ("drs", "clf", ["counter", "counter:s+4r", "dscorer"])],
)  # fmt: skip
def test_principles_take_other_formats(folder: str, suffix: str, metrics: list[str]) -> None:
    files = paths(folder, f"system.{suffix}", f"gold.{suffix}")
    content = json.loads(run(*files, "--seeds", "1", "--format", "json").stdout)
    rows = content["tables"]["principles"]
    assert [row["metric"] for row in rows] == metrics
    assert "trees" not in content["tables"]  # they are AMRs
    assert rows[0]["asymmetric"] == rows[0]["selves_below"] == rows[0]["twins"] == 0


@pytest.mark.parametrize(
    "metrics, message",
    [
        ("nothing", "no metric is called 'nothing'; the metrics are smatch, s2match"),
        (
            "smatch:hope",
            "'smatch:hope': no heuristic or profile of smatch is called 'hope'; the values",
        ),
        ("sembleu:r", "'sembleu:r': no profile of sembleu is called 'r'; the values are default"),
        ("s2match", "s2match needs --vectors or --similarity"),
    ],
)
def test_metrics_that_do_not_exist(metrics: str, message: str) -> None:
    result = run(*paths("hard", "small.system.amr", "small.gold.amr"), "--metric", metrics)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
