"""Metrics against each other and against people, beside the scores of single pairs."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from samples import only_graph as graph
from study_files import blocks_of, run, study_of, tables, write

import exactmatch
from exactmatch.report.plots import svg
from exactmatch.studies.correlation.opinions import SystemScores
from exactmatch.studies.correlation.preferences import preferences
from exactmatch.studies.correlation.structure import Shape, shape, structure
from exactmatch.studies.correlation.units import unit_groups, unit_series

FILES = ("a.amr", "b.amr", "consensus.amr")
METRICS = ("smatch", "smatch:r", "sembleu")


MRP_GRAPH = {
    **{"id": "1", "framework": "x", "tops": [0]},
    "nodes": [
        {"id": 0, "label": "p", "properties": ["q"], "values": ["r"]},
        {"id": 1, "label": "q"},
        {"id": 2},
    ],
    "edges": [
        {"source": 0, "target": 1, "label": "e", "attributes": ["remote"], "values": [True]},
        {"source": 1, "target": 0, "label": "e", "normal": "f"},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    "text, nodes, edges",
    [
        ("(a / x)", 1, 0),
        # Two variables and two constants; what is written twice is one edge.
        ("(a / x :ARG0 (b / y :polarity - :op1 1) :ARG1 b :ARG1 b)", 4, 4),
        (json.dumps(MRP_GRAPH), 3, 2),
        # b1 to x1, and to e1 by REF and by concept; b1 to e1 and on to x1 and to a constant.
        (
            'b1 REF x1\nb1 REF e1\nb1 person "n.01" x1\nb1 go "v.01" e1\nb1 Agent e1 x1\n'
            'b1 Time e1 "now"',
            4,
            8,
        ),
    ],
    ids=["one", "amr", "mrp", "drs"],
)
def test_shapes_are_those_counted_by_hand(text: str, nodes: int, edges: int) -> None:
    found = shape(graph(text))
    assert found == (nodes, edges)
    assert found.size == nodes + edges
    assert found.degree == 2 * edges / nodes
    assert found.density == (edges / (nodes * (nodes - 1)) if nodes > 1 else 0)


def test_structure_error_by_hand() -> None:
    """Degrees 2 / 2, 4 / 3 against 0, 4 / 4; densities 1 / 2, 2 / 6 against 0, 2 / 12."""
    found = structure("x", [Shape(2, 1), Shape(3, 2)], [Shape(1, 0), Shape(4, 2)])
    assert (found.graphs, found.nodes, found.edges) == (2, 2.5, 1.5)
    assert found.degree == pytest.approx((1 + 4 / 3) / 2)
    assert found.density == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert found.degree_error == pytest.approx((1 + 1 / 3) / 2)
    assert found.density_error == pytest.approx((1 / 2 + 1 / 6) / 2)
    empty = structure("x", [Shape(0, 0)])
    assert (empty.degree, empty.density, empty.degree_error) == (0, 0, None)


def scored(items: Sequence[int], **values: Sequence[float]) -> SystemScores:
    return SystemScores(items=items, values=values, corpus={}, shapes=[], gold_shapes=[])


def test_preferences_are_those_counted_by_hand() -> None:
    """On items 1, 2, 3 and 4, f prefers J, C, J and neither, g prefers C, C, neither and J."""
    c = scored([0, 1, 2, 3, 4], f=[0.0, 0.1, 0.5, 0.2, 0.3], g=[0.0, 0.5, 0.5, 0.4, 0.1])
    j = scored([1, 2, 3, 4, 5], f=[0.2, 0.4, 0.3, 0.3, 1.0], g=[0.3, 0.2, 0.4, 0.6, 0.0])
    (found,) = preferences({"c": c, "j": j}, ["f", "g"])
    assert (found.systems, found.metrics) == (("c", "j"), ("f", "g"))
    assert (found.items, found.opposite, found.share) == (4, 1, 0.25)
    # Differences of the differences: 0.3, 0.2, 0.1 and -0.5; t is 0.025 / (0.3594 / 2).
    assert found.p == pytest.approx(0.898, abs=5e-4)
    assert preferences({"c": c}, ["f", "g"]) == []


def test_units_are_those_counted_by_hand() -> None:
    counted = {
        **{("one", "1-grams"): [3, 9], ("two", "1-grams"): [3, 9]},
        **{("two", "2-grams"): [2, 20], ("three", "2-grams"): [1, 20]},
    }
    series = unit_series(counted)
    assert [one.label for one in series] == ["one: 1-grams", "two: 2-grams", "three: 2-grams"]
    groups = unit_groups(series, [Shape(5, 5), Shape(6, 5)])
    rows = [(one.metric, one.size, one.graphs, one.mean, one.most) for one in groups]
    assert rows[:2] == [("one", "0 to 10", 1, 3, 3), ("one", "11 to 20", 1, 9, 9)]
    (largest,) = unit_groups(series[:1], [Shape(600, 41), Shape(1, 640)])
    assert (largest.size, largest.graphs, largest.mean, largest.most) == ("641 or more", 2, 6, 9)


def correlated(*words: str) -> dict[str, list[dict[str, Any]]]:
    return tables("correlate", *words, "--metrics", ",".join(METRICS))


def test_scores_are_those_of_the_pairs(files: Path) -> None:
    found = correlated(*FILES, "--seed", "3", "--rows", "1")
    rows = found["scores"]
    for system in ("a", "b"):
        own = [row for row in rows if row["system"] == system]
        ranked = next(row for row in found["rankings"] if row["system"] == system)
        for metric in METRICS:
            name: Any
            method: Any
            name, _, method = metric.partition(":")
            whole = exactmatch.score(
                *(Path(f"{system}.amr"), Path(FILES[-1])),
                metric=name,
                method=method or "exact",
                seed=3,
            )
            values = [pair.value for pair in whole.per_pair]
            assert [row[metric] for row in own] == pytest.approx(values, abs=1e-11)
            assert [row["item"] for row in own] == [pair.identifier for pair in whole.per_pair]
            assert ranked[metric] == pytest.approx(whole.value)
            assert ranked[f"{metric}_upper"] == pytest.approx(whole.value_upper)
    for row in found["metrics"]:
        values = [one[row["metric"]] for one in rows]
        assert (row["low"], row["high"]) == (min(values), max(values))
        assert row["mean"] == pytest.approx(fmean(values))
        assert row["pairs"] == len(values) == 12
    proven = {row["metric"]: row["proven"] for row in found["metrics"]}
    assert proven["smatch"] == proven["sembleu"] == 12 >= proven["smatch:r"]


def test_correlations_are_those_of_the_scores(files: Path) -> None:
    found = correlated(*FILES)
    assert {row["system"] for row in found["correlations"]} == {"all systems", "a", "b"}
    for row in found["correlations"]:
        pairs = [
            (one[row["metric"]], one[row["other"]])
            for one in found["scores"]
            if row["system"] in ("all systems", one["system"])
        ]
        assert row["pairs"] == len(pairs)
        assert row["rmse"] == pytest.approx(math.sqrt(fmean((x - y) ** 2 for x, y in pairs)))
        assert row["difference"] == pytest.approx(fmean(x - y for x, y in pairs))
    pairs = [(row["metric"], row["other"]) for row in found["correlations"][::3]]
    assert pairs == [("smatch", "smatch:r"), ("smatch", "sembleu"), ("smatch:r", "sembleu")]


def test_ranks_are_those_of_the_scores(files: Path) -> None:
    """The ranks are those of the scores, and equal systems share a rank."""
    found = tables("correlate", "b.amr", "a.amr", "b.amr", FILES[-1], "--metric", "smatch")
    ranks = [(row["system"], row["smatch_rank"]) for row in found["rankings"]]
    assert ranks == [("b.amr#1", 2), ("a.amr#2", 1), ("b.amr#3", 2)]
    assert "preferences" not in found  # of a single metric


def test_people_are_judges(files: Path) -> None:
    """Ratings that equal the Smatch scores, on another scale."""
    scores = [row["smatch"] for row in correlated("a.amr", FILES[-1])["scores"]]
    Path("human.txt").write_text("".join(f"{5 * score}\n" for score in scores), "utf-8")
    found = correlated("a.amr", FILES[-1], "--human", "human.txt", "--human-range", "0", "5")
    rows = {row["metric"]: row for row in found["human"]}
    assert rows["smatch"]["rmse"] == pytest.approx(0, abs=1e-9)
    assert rows["smatch"]["pearson"] == rows["smatch"]["kendall"] == pytest.approx(1)
    assert rows["sembleu"]["rmse"] > rows["smatch:r"]["rmse"] >= 0
    assert [row["human"] for row in found["scores"]] == pytest.approx(scores)
    lines = [f"study.{k}\t{score}\n" for k, score in enumerate(scores, start=1)]
    Path("human.tsv").write_text("".join(["id\trating\n", *reversed(lines[1:])]), "utf-8")
    some = correlated(*FILES, "--human", "human.tsv", "--human-range", "0", "1")
    assert some["scores"][0]["human"] is None
    counted = {(row["metric"], row["system"]): row["pairs"] for row in some["human"]}
    assert counted["smatch", "all systems"] == 10
    assert counted["smatch", "a"] == counted["smatch", "b"] == 5
    assert some["human"][1]["pearson"] == pytest.approx(1)


def test_ratings_follow_the_gold_standard(files: Path) -> None:
    """Whichever graphs a system lacks, and wherever its other graphs are."""
    blocks = blocks_of("a.amr")
    write("turned.amr", [*reversed(blocks[2:]), blocks[0]])
    Path("human.txt").write_text("".join(f"{k}\n" for k in range(6)), "utf-8")
    result = run("correlate", "turned.amr", FILES[-1], "--human", "human.txt", "--format", "json")
    rows = json.loads(result.stdout)["tables"]["scores"]
    rated = {row["item"]: row["human"] for row in rows}
    assert rated == {f"study.{k + 1}": k / 5 for k in (5, 4, 3, 2, 0)}


def test_a_metric_may_judge_with_the_sides_exchanged(files: Path) -> None:
    """The gold graph judged by that of the system, as `score` does it with the files swapped."""
    names = "sembleu,sembleu:exchanged,smatch,smatch:exchanged"
    found = tables("correlate", "a.amr", "b.amr", FILES[-1], "--metrics", names)
    for system in ("a", "b"):
        back = exactmatch.score(Path(FILES[-1]), Path(f"{system}.amr"), metric="sembleu")
        values = [row["sembleu:exchanged"] for row in found["scores"] if row["system"] == system]
        assert values == pytest.approx([pair.value for pair in back.per_pair], abs=1e-11)
    assert found["correlations"][0]["rmse"] > 0
    same = found["preferences"][-1]
    assert (same["metric"], same["other"]) == ("smatch", "smatch:exchanged")
    assert (same["opposite"], same["p"]) == (0, None)
    assert found["signatures"][1]["signature"].endswith("|exchanged:yes")
    assert {row["metric"] for row in found["units"]} == {"sembleu"}


@pytest.mark.slow
def test_what_has_no_correlation(files: Path) -> None:
    """A file against itself: every metric says 1 of all pairs."""
    Path("human.txt").write_text("".join(f"{k}\n" for k in range(6)), "utf-8")
    words = ("correlate", "a.amr", "a.amr", "--human", "human.txt")
    study = study_of(*words, "--metrics", ",".join(METRICS))
    assert "nan" not in study.report("text").lower()
    assert all(svg(plot) for plot in study.document.plots)
    content = json.loads(study.report("json"))["tables"]
    for row in (*content["correlations"], *content["human"]):
        assert row["pearson"] is row["spearman"] is row["kendall"] is None
    assert content["correlations"][1]["rmse"] == 0
    errors = ((1 - k / 5) ** 2 for k in range(6))
    assert content["human"][0]["rmse"] == pytest.approx(math.sqrt(fmean(errors)))


@pytest.mark.nightly
def test_as_many_workers_as_one_likes(files: Path) -> None:
    words = ("correlate", *FILES, "--metrics", ",".join(METRICS), "--format", "json")
    assert run(*words, "--workers", "2").stdout_bytes == run(*words).stdout_bytes


def test_a_sample_takes_some_pairs_with_their_ratings(files: Path) -> None:
    Path("human.txt").write_text("".join(f"{k}\n" for k in range(6)), "utf-8")
    words = ("--sample", "3", "--seed", "1", "--human", "human.txt")
    rows = correlated(*FILES, *words)["scores"]
    every = correlated(*FILES, *words[2:])["scores"]
    assert len(rows) == 6
    assert all(row in every for row in rows)
    assert len(correlated(*FILES, "--sample", "99")["scores"]) == 12


def test_missing_items_are_left_out_and_told(files: Path) -> None:
    write("short.amr", blocks_of("b.amr")[2:])
    words = ("a.amr", "short.amr", FILES[-1], "--metrics", "smatch,sembleu")
    result = run("correlate", *words, "--format", "json")
    assert result.exit_code == 1
    content = json.loads(result.stdout)
    assert [row["pairs"] for row in content["tables"]["rankings"]] == [6, 4]
    assert [row["items"] for row in content["tables"]["preferences"]] == [4]
    assert [row["graphs"] for row in content["tables"]["structure"]] == [6, 6, 4]
    assert "Pairs with a missing or unreadable graph: 2." in content["notes"]


def test_metrics_of_other_formats_are_correlated() -> None:
    folder = Path(__file__).resolve().parents[2] / "instances"
    for name, suffix, names in (
        ("mrp", "mrp", ["mrp", "mrp:s+4r", "sdp", "edm", "ucca", "predications"]),
        ("drs", "clf", ["counter", "counter:s+4r", "dscorer"]),
    ):
        files = (str(folder / name / f"{side}.{suffix}") for side in ("system", "gold"))
        found = tables("correlate", *files)
        assert [row["metric"] for row in found["metrics"]] == names
    assert {row["metric"] for row in found["units"]} == {"dscorer"}


@pytest.mark.parametrize(
    "words, status, message",
    [
        (("a.amr",), 2, "name a system and a gold standard"),
        ((*FILES, "--human-range", "0", "5"), 2, "--human-range needs --human"),
        (
            (*FILES, "--human", "h", "--human-range", "5", "0"),
            2,
            "from 5 to 0: the first has",
        ),
        ((*FILES, "--human", "h", "--human-range", "nan", "0"), 2, "the first has to be the lower"),
        ((*FILES, "--human", "h", "--human-range", "0", "inf"), 2, "0 to inf: too far apart"),
        ((*FILES, "--human", "none.txt"), 1, "none.txt: No such file"),
        ((*FILES, "--human", "h"), 1, "h: 2 ratings, but 6 graphs in the gold standard"),
        ((*FILES, "--metric", "smatch:hope"), 2, "no heuristic or profile of smatch is called"),
        ((*FILES, "--metric", "counter"), 1, "counter compares graphs in clause form"),
        ((*FILES, "--human", "h", "--output", "h"), 2, "h"),
    ],
)
def test_wrong_use(files: Path, words: tuple[str, ...], status: int, message: str) -> None:
    Path("h").write_text("1\n2\n", "utf-8")
    result = run("correlate", *words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert message in result.stderr


def test_a_range_in_python_is_two_numbers(files: Path) -> None:
    for wrong in ((1,), (1, 2, 3), ("1", "5"), "15"):
        with pytest.raises(exactmatch.UsageError, match=r"give two numbers|expected a list"):
            exactmatch.correlate(["a.amr"], FILES[-1], human="h", human_range=wrong)  # type: ignore[arg-type]


def test_correlations_are_the_same_from_python(files: Path) -> None:
    counted = exactmatch.metric("smatch", top="none")
    result = exactmatch.correlate(["a.amr"], FILES[-1], metric=["smatch", counted, (counted, "r")])
    names = ["smatch", "smatch#2", "smatch:r"]
    assert [row.metric for row in result.found.metrics] == names
    assert (result.pairs, result.optimal, result.certified) == (6, 6, 6)
    assert result.tables[0] == "correlations"
    assert result.to_frame("scores").shape == (6, 5)
    called = "exactmatch.correlate(['a.amr'], 'consensus.amr', metric=['smatch', <smatch|"
    assert called in result.report()
    with pytest.raises(exactmatch.UsageError, match="systems: expected a list"):
        exactmatch.correlate("a.amr", FILES[-1])
    with pytest.raises(exactmatch.UsageError, match="name a system"):
        exactmatch.correlate([], FILES[-1])


def test_nothing_is_proven_by_heuristics_alone(files: Path) -> None:
    metric = exactmatch.metric("smatch")
    result = exactmatch.correlate(["a.amr"], FILES[-1], metric=[(metric, "r"), (metric, "s")])
    assert (result.pairs, result.optimal, result.certified) == (6, 0, 0)


def test_what_a_limit_leaves_open(files: Path) -> None:
    words = ("b.amr", FILES[-1], "--metrics", "smatch,sembleu", "--memory", "1K")
    found = run("correlate", *words)
    assert found.exit_code == 0
    open_still = 6 - tables("correlate", *words)["metrics"][0]["proven"]
    assert open_still > 0
    assert f"6 pairs of graphs. Proven: {6 - open_still} by smatch, 6 by sembleu." in found.stdout
    assert "Pairs too large for the memory limit, smatch: " in found.stdout
    assert "at most" in found.stdout


def test_climbs_have_the_seeds_of_the_study() -> None:
    """A climb from a random mapping ends where `score` ends with the same seed."""
    folder = Path(__file__).resolve().parents[2] / "instances" / "hard"
    system, gold = (folder / f"unlabelled.{side}.amr" for side in ("system", "gold"))
    found = []
    for seed in range(3):
        words = ("--metric", "smatch:r", "--seed", str(seed))
        rows = tables("correlate", str(system), str(gold), *words)["scores"]
        found.append([row["smatch:r"] for row in rows])
        scored = exactmatch.score(system, gold, method="r", seed=seed)
        assert found[-1] == pytest.approx([pair.f1 for pair in scored.per_pair], abs=1e-11)
    assert found[0] != found[1] or found[1] != found[2]
