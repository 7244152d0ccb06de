"""Files that hold graphs of several frameworks of MRP: the figures of each, and their average."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import exactmatch
from exactmatch.cli import main

INSTANCES = Path(__file__).resolve().parents[2] / "instances" / "mrp"
SYSTEM, GOLD = INSTANCES / "system.mrp", INSTANCES / "gold.mrp"


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def graph(framework: str, identifier: int, label: str, role: str = "a") -> str:
    """Return a graph of two labelled nodes, an edge between them, and a top: four tuples."""
    nodes = [{"id": 0, "label": label}, {"id": 1, "label": "q"}]
    edges = [{"source": 0, "target": 1, "label": role}]
    content = {"id": str(identifier), "framework": framework, "tops": [0]}
    return json.dumps({**content, "nodes": nodes, "edges": edges})


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Two graphs of EDS, one with a wrong label, and one graph of AMR with a wrong role."""
    system, gold = tmp_path / "system.mrp", tmp_path / "gold.mrp"
    gold.write_text("\n".join([graph("eds", 1, "p"), graph("amr", 1, "p"), graph("eds", 2, "p")]))
    ours = [graph("eds", 1, "p"), graph("amr", 1, "p", "b"), graph("eds", 2, "x")]
    system.write_text("\n".join(ours))
    return system, gold


def test_each_framework_counts_once_in_the_average(files: tuple[Path, Path]) -> None:
    score = exactmatch.score(*files, metric="mrp")
    eds, amr = score.frameworks["eds"], score.frameworks["amr"]
    assert list(score.frameworks) == ["amr", "eds"]
    assert (eds.matched, eds.system_total, eds.gold_total) == (7, 8, 8)
    assert (eds.pairs, eds.optimal) == (2, 2)
    assert (amr.matched, amr.system_total, amr.gold_total, amr.pairs) == (3, 4, 4, 1)
    assert (eds.f1, amr.f1, score.f1) == (7 / 8, 3 / 4, 10 / 12)
    assert score.framework_average == score.framework_average_upper == (7 / 8 + 3 / 4) / 2
    assert [pair.framework for pair in score.per_pair] == ["eds", "amr", "eds"]


def test_edges_without_labels_count_by_framework(files: tuple[Path, Path]) -> None:
    score = exactmatch.score(*files, metric="mrp", edge_labels="ignore")
    assert {name: one.f1 for name, one in score.frameworks.items()} == {"amr": 1.0, "eds": 7 / 8}
    assert score.framework_average == 15 / 16


def test_the_average_of_what_is_not_proven() -> None:
    score = exactmatch.score(SYSTEM, GOLD, metric="mrp", edge_labels="ignore", method="base")
    unproven = [one for one in score.frameworks.values() if one.optimal < one.pairs]
    assert unproven and all(one.f1 < one.f1_upper for one in unproven)
    uppers = [one.f1_upper for one in score.frameworks.values()]
    assert score.framework_average_upper == pytest.approx(sum(uppers) / 7)
    assert score.framework_average < score.framework_average_upper


def test_the_table_of_frameworks_is_the_official_one(files: tuple[Path, Path]) -> None:
    shown = run("score", *files, "--by-framework").stdout
    table, _, rest = shown.partition("\n\n")
    assert [line.split() for line in table.splitlines()[2:]] == [
        ["amr", "1", "0.7500", "0.7500", "1.0000", "1.0000"],
        ["eds", "2", "0.8750", "0.8750", "0.8750", "0.8750"],
        ["average", "0.8125", "0.8125", "0.9375", "0.9375"],
    ]
    assert rest.startswith("labelled: proven: 3 of 3 pairs; no mapping")
    assert "\nunlabelled: proven: 3 of 3 pairs; no mapping" in rest
    assert [line.split("|")[2] for line in rest.splitlines() if line.startswith("mrp|")] == [
        f"version:{exactmatch.__version__}",
        "edge-labels:ignore",
    ]


def test_the_official_figures_in_json(files: tuple[Path, Path]) -> None:
    content = json.loads(run("score", *files, "--by-framework", "--format", "json").stdout)
    labelled, unlabelled = content["metrics"]
    assert (labelled["framework_average"], unlabelled["framework_average"]) == (0.8125, 0.9375)
    assert labelled["frameworks"]["amr"]["matched"] == 3
    assert unlabelled["frameworks"]["amr"]["matched"] == 4
    assert (labelled["metric"], unlabelled["metric"]) == ("mrp", "mrp")


def test_a_profile_and_choices_go_with_both() -> None:
    words = ("--by-framework", "--profile", "mtool", "--case", "keep", "--format", "json")
    contents = json.loads(run("score", SYSTEM, GOLD, *words).stdout)["metrics"]
    assert all("|tuples:all|edges:by-label|" in content["signature"] for content in contents)
    assert all("|case:keep|" in content["signature"] for content in contents)


@pytest.mark.parametrize("workers", [1, 2])
def test_the_table_of_every_metric(workers: int) -> None:
    """Each framework has the same score as in a file of its own."""
    words = ("--metric", "mrp", "--metric", "edm", "--workers", workers, "--format", "json")
    contents = json.loads(run("score", SYSTEM, GOLD, *words).stdout)["metrics"]
    lines = [path.read_text(encoding="utf-8").splitlines() for path in (SYSTEM, GOLD)]
    for system, gold in zip(*lines, strict=True):
        framework = json.loads(gold)["framework"]
        for content in contents:
            alone: Any = exactmatch.score(system, gold, metric=content["metric"])
            found = content["frameworks"][framework]
            assert (found["pairs"], found["score"]) == (1, alone.value)
            assert found["score_name"] == alone.value_name
            assert (found["precision"], found["recall"]) == (alone.precision, alone.recall)


def test_graphs_that_are_missing_count_as_empty(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.mrp", tmp_path / "system.mrp"
    gold.write_text("\n".join([graph("eds", 1, "p"), graph("dm", 1, "p")]))
    system.write_text(graph("eds", 1, "p"))
    words = ("--pair-by", "id", "--on-error", "empty", "--format", "json")
    result = run("score", system, gold, *words)
    content = json.loads(result.stdout)
    assert result.exit_code == 1
    assert {name: one["f1"] for name, one in content["frameworks"].items()} == {"eds": 1, "dm": 0}
    assert content["framework_average"] == 0.5
    skipped = json.loads(run("score", system, gold, *words[:3], "skip", *words[4:]).stdout)
    assert list(skipped["frameworks"]) == ["eds"]


def test_one_framework_has_no_table_of_its_own(files: tuple[Path, Path]) -> None:
    shown = run("score", *files).stdout
    assert [line.split() for line in shown.splitlines() if line.startswith("average")] == [
        ["average", "0.8125", "0.8125"]
    ]
    one = graph("eds", 1, "p")
    for path in files:
        path.write_text(one)
    assert "average" not in run("score", *files).stdout
    official = run("score", *files, "--by-framework").stdout.splitlines()
    assert official[3].split() == ["average", "1.0000", "1.0000", "1.0000", "1.0000"]
    amr = INSTANCES.parent / "paper" / "gold.amr"
    score = exactmatch.score(amr, amr)
    assert (dict(score.frameworks), score.framework_average) == ({}, 0.0)


@pytest.mark.parametrize(
    "words, status, message",
    [
        (("--metric", "edm"), 2, "--by-framework needs the metric mrp"),
        (("--metric", "mrp", "--metric", "sdp"), 2, "needs the metric mrp"),
        (
            ("--edge-labels", "ignore"),
            2,
            "--by-framework and --edge-labels cannot be combined: "
            "it counts with and without labels",
        ),
        (("--per-pair", "x"), 2, "files for each pair need a single metric"),
    ],
)
def test_frameworks_cannot_be_asked_for_wrongly(
    words: tuple[str, ...], status: int, message: str
) -> None:
    result = run("score", SYSTEM, GOLD, "--by-framework", *words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert message in result.stderr
    amr = INSTANCES.parent / "paper" / "gold.amr"
    result = run("score", amr, amr, "--by-framework")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "mrp compares graphs in MRP; these are in PENMAN" in result.stderr
