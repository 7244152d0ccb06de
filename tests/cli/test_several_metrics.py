"""``exactmatch score`` with several metrics, and with alignment-free metrics."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exactmatch.cli import main
from exactmatch.errors import GraphError
from exactmatch.graphs import inputs, pairing
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers import detect as reading
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.metrics.registry import ALIGNMENT_BASED, METRICS

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
FILES = {
    "PENMAN": ("paper/system.amr", "paper/gold.amr"),
    "MRP": ("mrp/system.mrp", "mrp/gold.mrp"),
    "clause form": ("drs/system.clf", "drs/gold.clf"),
    "UMR": ("umr/a.umr", "umr/b.umr"),
}


def run(form: str, *words: str) -> Result:
    paths = [str(INSTANCES / name) for name in FILES[form]]
    return CliRunner().invoke(main, ["score", *paths, *words], catch_exceptions=False)


@pytest.mark.parametrize("name", sorted(METRICS.keys() - ALIGNMENT_BASED.keys()))
def test_metrics_that_need_no_mapping(name: str) -> None:
    metric = METRICS[name].profiles["default"]
    content = json.loads(run(metric.format, "--metric", name, "--format", "json").stdout)
    assert content["metric"] == name
    assert content["signature"].startswith(f"{metric.signature()}|version:")
    assert 0 < content["score"] < 1
    assert content["breakdown"] and content["pairs"] > 0
    text = run(metric.format, "--metric", name).stdout
    assert text.startswith(metric.title)
    assert f"{content['score']:.4f}" in text
    same = [str(INSTANCES / FILES[metric.format][0])] * 2
    result = CliRunner().invoke(main, ["score", *same, "--metric", name, "--format", "json"])
    assert json.loads(result.stdout)["score"] == 1.0


def test_files_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    opened, parsed = [], []
    cut, parse = reading.cut_texts, reading.parse

    def counted(chunks: Iterable[bytes], source: str) -> reading.GraphTexts:
        opened.append(source)
        return cut(chunks, source)

    def recorded(text: GraphText) -> Graph | GraphError:
        parsed.append(text)
        return parse(text)

    monkeypatch.setattr(inputs, "cut_texts", counted)
    monkeypatch.setattr(pairing, "parse", recorded)
    words = [word for name in ("mrp", "sdp", "edm", "ucca") for word in ("--metric", name)]
    content = json.loads(run("MRP", *words, "--format", "json").stdout)
    assert len(opened) == 2
    assert len(parsed) == 2 * content["metrics"][0]["pairs"] == len(set(parsed))
    assert [result["metric"] for result in content["metrics"]] == ["mrp", "sdp", "edm", "ucca"]
    alone = json.loads(run("MRP", "--format", "json").stdout)
    for key in ("matched", "matched_upper", "system_total", "f1", "signature"):
        assert content["metrics"][0][key] == alone[key]


def test_texts_follow_each_other() -> None:
    text = run("PENMAN", "--metric", "smatch", "--metric", "sembleu").stdout
    assert text.index("Smatch") < text.index("proven: 1 of 1") < text.index("SemBleu")


def test_skipped_pairs_are_counted(tmp_path: Path) -> None:
    gold = tmp_path / "gold.amr"
    gold.write_text("# ::id other\n(a / b)\n\n# ::id paper.1\n(a / b)\n", encoding="utf-8")
    words = ["score", str(INSTANCES / "paper/system.amr"), str(gold), "--metric", "sembleu"]
    result = CliRunner().invoke(main, [*words, "--pair-by", "id"])
    assert result.exit_code == 1
    assert "pairs skipped: 1" in result.stdout


@pytest.mark.parametrize(
    "words, status, message",
    [
        (("--metric", "sdp"), 1, "sdp compares graphs in MRP; these are in PENMAN"),
        (("--metric", "sembleu", "--top", "none"), 2, "sembleu has no choice called 'top'"),
        (
            ("--metric", "sembleu", "--profile", "smatch-1.0.4"),
            2,
            "the profiles are default, paper",
        ),
        (("--metric", "sembleu", "--certificates", "x"), 2, "sembleu maps no variables"),
        (("--order", "4"), 2, "smatch has no choice called 'order'; the choices are top"),
        (
            ("--metric", "sembleu", "--metric", "smatch", "--weights", "1,1"),
            2,
            "smatch has no choice called 'weights'",
        ),
        (("--metric", "sembleu", "--order", "x"), 2, "order is 'x'; give a whole number"),
        (("--metric", "sembleu", "--weights", "1,-1"), 2, "a weight is -1.0: not"),
        (
            ("--metric", "sembleu", "--order", "3", "--weights", "1,1"),
            2,
            "2 weights from w1 on are for order 2, not 3",
        ),
        (
            ("--metric", "smatch", "--metric", "sembleu", "--per-pair", "x"),
            2,
            "files for each pair",
        ),
        (("--metric", "nothing"), 2, "'nothing'; use one of"),
    ],
)
def test_several_metrics_cannot_be_asked_for_wrongly(
    words: tuple[str, ...], status: int, message: str
) -> None:
    result = run("PENMAN", *words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert message in result.stderr
    assert not Path("x").exists()


@pytest.mark.parametrize("command", ["iaa", "search-error", "export"])
def test_studies_take_one_metric_that_aligns(command: str) -> None:
    paths = [str(INSTANCES / name) for name in FILES["PENMAN"]]
    more = ["--to", "json"] if command == "export" else []
    result = CliRunner().invoke(main, [command, *paths, *more, "--metric", "sembleu"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "use one of smatch, s2match, mrp, counter" in result.stderr


@pytest.mark.parametrize("names", [("smatch", "sembleu"), ("sembleu", "smatch")])
def test_what_is_not_proven_shows_in_the_status_in_any_order(
    names: tuple[str, str], tmp_path: Path
) -> None:
    hard = (INSTANCES / "hard/unrelated.system.amr").read_text(encoding="utf-8")
    (tmp_path / "a.amr").write_text(hard + "\n# ::id x\n(a / b", encoding="utf-8")
    gold = (INSTANCES / "hard/unrelated.gold.amr").read_text(encoding="utf-8")
    (tmp_path / "b.amr").write_text(gold + "\n# ::id x\n(a / b)", encoding="utf-8")
    words = [str(tmp_path / "a.amr"), str(tmp_path / "b.amr"), "--on-error", "skip"]
    metrics = [word for name in names for word in ("--metric", name)]
    limits = ["--timeout", "0", "--require-optimal"]
    result = CliRunner().invoke(main, ["score", *words, *metrics, *limits])
    assert result.exit_code == 3
    result = CliRunner().invoke(main, ["score", *words, *metrics])
    assert result.exit_code == 1


def test_similarities_go_to_the_metric_that_takes_them() -> None:
    words = ("--vectors", str(INSTANCES / "vectors/words.txt"))
    both = ("--metric", "smatch", "--metric", "s2match", "--format", "json")
    found = json.loads(run("PENMAN", *both, *words).stdout)["metrics"]
    assert [result["metric"] for result in found] == ["smatch", "s2match"]
