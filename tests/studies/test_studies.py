"""Studies and their commands: agreement, ranking, search error, and the claims of other tools."""

import csv
import gc
import gzip
import json
import os
import re
import shutil
import threading
import weakref
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import exactmatch
from exactmatch.cli import main
from exactmatch.comparison import compare
from exactmatch.errors import GraphError, InputError
from exactmatch.graph import Graph
from exactmatch.metrics.smatch import Smatch
from exactmatch.pair_scoring import score_pair
from exactmatch.pairing import GraphPair, distinct
from exactmatch.readers.detect import GraphText, parse, read_text
from exactmatch.readers.tool_scores import read_tool_scores
from exactmatch.results import PairScore
from exactmatch.search.methods import METHODS
from exactmatch.settings import Settings
from exactmatch.studies import agreement, ranking, search_error, sweep
from exactmatch.studies.columns import (
    CERTIFIED,
    EMPTIED,
    OPTIMAL,
    TIMED_OUT,
    PairRow,
    ScoreCollector,
    ScoredPairs,
)
from exactmatch.studies.differences import Difference, differences
from exactmatch.studies.search_error import by_size, losses
from exactmatch.studies.sources import align, read_sources
from exactmatch.studies.statistics import Resampling

INSTANCES = Path(__file__).resolve().parents[2] / "instances" / "agreement"
ANNOTATORS = ["a.amr", "b.amr", "c.amr", "d.amr"]
FILES = [*ANNOTATORS, "consensus.amr"]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the first six items of the agreement study."""
    monkeypatch.chdir(tmp_path)
    for name in FILES:
        blocks = (INSTANCES / name).read_text(encoding="utf-8").split("\n\n")
        write(name, blocks[:6])
    return tmp_path


def write(name: str, blocks: list[str]) -> None:
    Path(name).write_text("\n\n".join(blocks).strip() + "\n", encoding="utf-8")


def blocks_of(name: str) -> list[str]:
    return Path(name).read_text(encoding="utf-8").split("\n\n")


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words, catch_exceptions=False)


def tables(*words: str) -> dict[str, list[dict[str, Any]]]:
    result = run(*words, "--format", "json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, list[dict[str, Any]]] = json.loads(result.stdout)["tables"]
    return found


IAA = ("iaa", *ANNOTATORS, "--consensus", "consensus.amr", "--resamples", "99")


def graph(text: str) -> Graph:
    (found,) = read_text(text, "text").graphs
    assert isinstance(found, Graph)
    return found


def difference(system: str, gold: str) -> list[Difference]:
    comparison = compare(GraphPair("x", graph(system), graph(gold)), Smatch.profiles["default"])
    best = exactmatch.best_mapping(system, gold)
    return differences(comparison.system, comparison.gold, best.mapping, "set")


def test_differences() -> None:
    assert difference("(a / b :ARG0 (c / d))", "(x / b :ARG0 (y / d))") == []
    assert difference("(a / b :ARG0 (c / d))", "(x / b :ARG1 (y / e))") == [
        Difference("instance", "d", "e"),
        Difference("relation", "arg0", "arg1"),
    ] or difference("(a / b :ARG0 (c / d))", "(x / b :ARG1 (y / e))") == [
        Difference("instance", None, "e"),
        Difference("instance", "d", None),
        Difference("relation", None, "arg1"),
        Difference("relation", "arg0", None),
    ]
    assert difference("(a / b :quant 3 :polarity -)", "(x / b :quant 4)") == [
        Difference("attribute", "polarity -", None),
        Difference("attribute", "quant 3", "quant 4"),
    ]
    rooted = difference("(a / b :ARG0 (c / d))", "(y / d :ARG0-of (x / b))")
    assert rooted == [Difference("top", "b", "d")]
    assert difference("(a / b :ARG0 a :ARG0 a)", "(x / b :ARG0 x)") == []
    assert difference("(a / b :mod (c / d))", "(x / b)") == [
        Difference("instance", "d", None),
        Difference("relation", "domain", None),
    ]


def test_differences_count_what_does_not_match() -> None:
    left, right = ((INSTANCES / name).read_text(encoding="utf-8") for name in ("a.amr", "d.amr"))
    for system, gold in zip(left.split("\n\n"), right.split("\n\n"), strict=True):
        best = exactmatch.best_mapping(system, gold)
        found = difference(system, gold)
        assert best.system_total - best.matched == sum(d.system is not None for d in found)
        assert best.gold_total - best.matched == sum(d.gold is not None for d in found)


def test_agreement_equals_scores_of_two_files(files: Path) -> None:
    rows = tables(*IAA)["pairs"]
    assert len(rows) == 10
    for row in rows:
        system, gold = Path(f"{row['first']}.amr"), Path(f"{row['second']}.amr")
        score = exactmatch.score(system, gold)
        expected = (score.matched, score.system_total, score.gold_total, score.f1, score.macro_f1)
        found = [row[k] for k in ("matched", "first_total", "second_total", "f1", "macro_f1")]
        assert found == pytest.approx(expected)
        assert row["pairs"] == row["proven"] == score.optimal == 6
        assert row["f1_low"] <= row["f1"] == row["f1_upper"] <= row["f1_high"]


def test_agreement_on_all_items() -> None:
    """Numbers that were there before studies kept whole numbers alone."""
    paths = [str(INSTANCES / name) for name in FILES]
    found = tables("iaa", *paths[:4], "--consensus", paths[4], "--resamples", "10")
    keys = ("first", "second", "matched", "first_total", "second_total", "macro_f1")
    assert [[row[key] for key in keys] for row in found["pairs"][:2]] == [
        ["a", "b", 689, 963, 794, 0.789228902199],
        ["a", "c", 785, 963, 1067, 0.773512367489],
    ]
    assert len(found["kinds"]) == 40
    assert [list(row.values()) for row in found["kinds"][:3]] == [
        ["a", "b", "attribute", 4, 14, 0],
        ["a", "b", "instance", 27, 85, 8],
        ["a", "b", "relation", 22, 118, 40],
    ]
    first = "only arg0 (17); only arg1 (8); only arg2 (8)"
    second = "only arg1 (9); arg0 / arg1 (6); only arg2 (6)"
    assert [list(row.values()) for row in found["items"][:2]] == [
        ["study.7", 0.551046732087, 0.454545454545, 84, first],
        ["study.4", 0.608173076923, 0.333333333333, 51, second],
    ]
    assert len(found["items"]) == len(found["confusions"]) == len(found["omissions"]) == 15
    assert list(found["confusions"][2].values()) == ["instance", "human", "person", 36]
    assert list(found["omissions"][0].values()) == ["relation", "arg1", 345]
    assert [row["matched"] for row in found["months"][:3]] == [144, 245, 316]


def test_agreement_matrix_and_means(files: Path) -> None:
    found = tables(*IAA)
    f1 = {(row["first"], row["second"]): row["f1"] for row in found["pairs"]}
    for row in found["micro_f1"]:
        one = row["annotator"]
        for other in ("a", "b", "c", "d", "consensus"):
            expected = f1.get((one, other), f1.get((other, one)))
            assert row[other] == expected
    for row in found["annotators"]:
        name = row["annotator"]
        mine = [value for pair, value in f1.items() if name in pair and "consensus" not in pair]
        assert row["micro_f1"] == pytest.approx(sum(mine) / 3)
        assert row["consensus_f1"] == f1[name, "consensus"]
    assert sum(row["pairs"] for row in found["months"]) == 24
    assert {row["month"] for row in found["months"]} == {"2026-01", "2026-02"}


def test_swapped_annotators_agree_alike(files: Path) -> None:
    (forth,) = tables("iaa", "a.amr", "b.amr")["pairs"]
    (back,) = tables("iaa", "b.amr", "a.amr")["pairs"]
    for key in ("f1", "f1_low", "f1_high", "macro_f1", "matched"):
        assert forth[key] == back[key]
    assert (forth["first_total"], forth["second_total"]) == (
        back["second_total"],
        back["first_total"],
    )


def test_identical_files_agree_in_full(files: Path) -> None:
    shutil.copy("a.amr", "e.amr")
    found = tables("iaa", "a.amr", "e.amr")
    (row,) = found["pairs"]
    assert (row["f1"], row["f1_low"], row["f1_high"], row["macro_f1"]) == (1.0, 1.0, 1.0, 1.0)
    assert found["kinds"] == found["confusions"] == []
    assert run("iaa", "a.amr", "a.amr").exit_code == 0


def test_identical_files_that_do_not_are_an_error(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(pair: Any, metric: Any, settings: Any, end: Any) -> Any:
        return exactmatch.best_mapping("(a / b)", "(a / c)")

    monkeypatch.setattr(agreement, "score_pair", wrong)
    result = run("iaa", "a.amr", "a.amr")
    assert (result.exit_code, result.stdout) == (4, "")
    assert "two equal graphs score 0.5, not 1" in result.stderr


def test_an_annotator_who_skipped_items(files: Path) -> None:
    write("c.amr", blocks_of("c.amr")[5:])
    words = ("iaa", "a.amr", "b.amr", "c.amr", "--format", "json")
    result = run(*words)
    assert result.exit_code == 1
    assert result.stderr == "note: c lacks 5 items, first study.1\n"
    found = json.loads(result.stdout)
    assert [row["pairs"] for row in found["tables"]["pairs"]] == [6, 1, 1]
    assert [row["item"] for row in found["tables"]["lacking"]] == [
        f"study.{k}" for k in range(1, 6)
    ]
    assert any("left out where the file is compared" in note for note in found["notes"])
    common = json.loads(run(*words, "--missing", "common").stdout)
    assert [row["pairs"] for row in common["tables"]["pairs"]] == [1, 1, 1]
    empty = json.loads(run(*words, "--missing", "empty").stdout)
    assert [row["pairs"] for row in empty["tables"]["pairs"]] == [6, 6, 6]
    assert empty["tables"]["pairs"][1]["f1"] < found["tables"]["pairs"][1]["f1"]


@pytest.mark.parametrize(
    "words, status, message",
    [
        (("iaa", "a.amr"), 2, "agreement takes at least two files"),
        (("iaa", "a.amr", "x.amr"), 1, "no item is in both a and x"),
        (("iaa", "a.amr", "nowhere.amr"), 1, "nowhere.amr: No such file"),
        (("iaa", "a.amr", "-"), 2, "a study names its files"),
        (("iaa", "y.amr", "z.amr"), 1, "no graph has an identifier"),
        (("iaa", "a.amr", "broken.amr"), 1, "broken.amr:2: graph 1 (id study.1)"),
        (("iaa", "a.amr", "twice.amr"), 1, "identifier study.1 occurs twice"),
        (("iaa", "a.amr", "b.amr", "--table", "none"), 2, "no table is called 'none'"),
        (("iaa", "a.amr", "b.amr", "--confidence", "2"), 2, "a confidence of 2.0"),
        (("iaa", "a.amr", "b.amr", "-o", "a.amr"), 2, "would be overwritten"),
        (("iaa", "a.amr", "x.amr", "--pair-by", "position"), 1, "number of graphs"),
        (("compare", "a.amr", "--gold", "x.amr"), 1, "no item is in both a and x"),
        (("search-error", "a.amr"), 2, "name a system and a gold standard"),
        (("search-error", "a.amr", "b.amr", "--scores", "x"), 2, "--scores and --from"),
    ],
)
def test_bad_requests(files: Path, words: tuple[str, ...], status: int, message: str) -> None:
    write("x.amr", ["# ::id other\n(a / b)"])
    write("y.amr", ["(a / b)"])
    write("z.amr", ["(a / b)", "(a / c)"])
    write("broken.amr", ["# ::id study.1\n(a / b"])
    write("twice.amr", [blocks_of("a.amr")[0], blocks_of("a.amr")[0]])
    result = run(*words)
    assert (result.exit_code, result.stdout) == (status, "")
    assert message in result.stderr


def test_one_annotator_and_a_consensus_will_do(files: Path) -> None:
    found = tables("iaa", "a.amr", "--consensus", "consensus.amr")
    assert len(found["pairs"]) == 1
    assert found["annotators"][0]["micro_f1"] is None
    assert found["items"]


def test_unreadable_graphs_are_taken_as_missing_if_asked(files: Path) -> None:
    write("a.amr", ["# ::id study.1\n(a / b", *blocks_of("a.amr")[1:]])
    result = run("iaa", "a.amr", "b.amr", "--on-error", "skip")
    assert result.exit_code == 1
    assert "this parenthesis is not closed" in result.stderr
    assert "Not read: a.amr:2: graph 1 (id study.1)" in result.stdout


def test_position_where_identifiers_repeat(files: Path) -> None:
    for name in ("a.amr", "b.amr"):
        write(name, [text.replace("study.2", "study.1") for text in blocks_of(name)])
    found = tables("iaa", "a.amr", "b.amr")
    assert found["pairs"][0]["pairs"] == 6
    assert "study.1#2" in {row["item"] for row in found["items"]}
    assert distinct(["x", "y", "x", "x"]) == ["x", "y", "x#2", "x#3"]


def test_workers_change_nothing(files: Path) -> None:
    one, two = (run(*IAA, "--workers", n, "--format", "json") for n in "12")
    assert one.exit_code == 0
    assert one.stdout_bytes == two.stdout_bytes
    compare = ("compare", *ANNOTATORS, "--gold", "consensus.amr", "--resamples", "99")
    assert run(*compare, "--workers", "2").stdout_bytes == run(*compare).stdout_bytes
    assert run(*compare, "--seed", "1").stdout_bytes != run(*compare).stdout_bytes


def test_the_command_in_a_report_makes_it_again(files: Path) -> None:
    result = run(*IAA, "--workers", "2", "--top", "none", "--format", "markdown")
    (command,) = re.findall(r"^    (exactmatch .*)$", result.stdout, re.MULTILINE)
    assert "--workers" not in command and "--top none" in command
    assert run(*command.split()[1:]).stdout_bytes == result.stdout_bytes


def test_compare_ranks_and_tests(files: Path) -> None:
    found = tables("compare", *reversed(ANNOTATORS), "--gold", "consensus.amr")
    f1 = [row["f1"] for row in found["ranking"]]
    assert f1 == sorted(f1, reverse=True)
    assert [row["rank"] for row in found["ranking"]] == [1, 2, 3, 4]
    assert len(found["differences"]) == 6
    for row in found["differences"]:
        assert row["difference"] >= 0
        assert 0 < row["p"] <= row["p_holm"] <= 1
        assert row["significant"] == ("yes" if row["p_holm"] <= 0.05 else "no")
    twice = tables("compare", "a.amr", "a.amr", "--gold", "consensus.amr")
    assert twice["differences"][0]["p"] == 1.0
    assert [row["rank"] for row in twice["ranking"]] == [1, 1]


def test_search_error(files: Path) -> None:
    found = tables("search-error", *FILES, "--every-two", "--seeds", "2", "--restarts", "1")
    assert [row["method"] for row in found["methods"]] == ["s+1r", "exact"]
    found = tables("search-error", *FILES, "--every-two", "--seeds", "2")
    rows = {row["method"]: row for row in found["methods"]}
    assert list(rows) == [*METHODS, "exact"]
    assert rows["base"]["triples"] > rows["s+9r"]["triples"] >= 0
    assert rows["exact"]["pairs_right"] == 1 == rows["exact"]["documents_right"]
    scores = {row["method"]: row for row in found["scores"]}
    for one, other in (("a", "b"), ("c", "consensus")):
        exact = exactmatch.score(Path(f"{one}.amr"), Path(f"{other}.amr"))
        assert scores["exact"][f"{one} / {other}"] == pytest.approx(exact.f1)
        smart = exactmatch.score(Path(f"{one}.amr"), Path(f"{other}.amr"), method="s")
        assert scores["base"][f"{one} / {other}"] <= exact.f1
        assert min(scores["s"][f"{one} / {other}"], smart.f1) <= exact.f1
    assert sum(row["pairs"] for row in found["sizes"] if row["method"] == "s") == 60
    lost = sum(row["triples"] * row["pairs"] for row in found["sizes"] if row["method"] == "r")
    assert lost == pytest.approx(rows["r"]["triples"])


def test_losses_by_hand() -> None:
    """Documents of two pairs; one triple is lost on the third pair with the second seed."""
    study = align(read_sources([str(INSTANCES / "a.amr"), str(INSTANCES / "b.amr")]))
    result = search_error.search_error(
        study, [("a", "b")], {"s": METHODS["s"]}, Smatch(), Settings(), seeds=2, document=2
    )
    trials = result.trials["a", "b"]
    assert len(set(trials.documents.tolist())) == 12
    trials = trials.restricted(np.arange(24) < 4)
    best = trials.scores.counts[:, 0]
    trials.found["s"].forth[:] = best[:, np.newaxis] - [[0, 0], [0, 0], [0, 1], [0, 0]]
    trials.found["s"].back[:] = best[:, np.newaxis] - [3, 0]
    total = sum(trials.scores.totals.tolist())
    found = losses(trials, "s")
    assert (found.runs, found.right, found.documents, found.documents_right) == (8, 7, 4, 3)
    assert (found.triples, found.worst) == (0.5, 1)
    assert (found.f1, found.f1_worst) == pytest.approx((1 / total, 2 / total))
    back = losses(trials, "s", back=True)
    assert (back.triples, back.right, back.documents_right) == (6, 4, 2)


def test_trials_of_several_files_are_joined(files: Path) -> None:
    study = align(read_sources(["a.amr", "b.amr", "c.amr"]))
    pairs = [("a", "c"), ("b", "c")]
    result = search_error.search_error(
        study, pairs, {"s": METHODS["s"]}, Smatch(), Settings(), seeds=1, document=4
    )
    every = result.every_trial()
    assert every.documents.tolist() == [0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3]
    assert every.scores.matched == sum(score.matched for score in result.scores.values())
    assert by_size(every, (1000,)).keys() == {"0 to 1000"}
    large = by_size(every, (9,))["10 or more"]
    assert large.sizes.tolist() == [size for size in every.sizes.tolist() if size > 9]
    assert 0 < len(large) < 12


def write_scores(content: Any, name: str = "scores.json") -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    Path(name).write_text(text, encoding="utf-8")


def judged(*words: str, tool: str = "smatch") -> dict[str, list[dict[str, Any]]]:
    scores = ("--scores", "scores.json", "--from", tool)
    return tables("search-error", "a.amr", "b.amr", *scores, *words)


def test_claims_of_another_tool(files: Path) -> None:
    exact = exactmatch.score(Path("a.amr"), Path("b.amr")).per_pair
    rows = [
        {
            "id": score.identifier,
            "matched_runs": [score.matched - (k == 1), score.matched + (k == 2)],
            "system_triples": score.system_total,
            "gold_triples": score.gold_total + (k == 3),
        }
        for k, score in enumerate(exact)
    ]
    write_scores({"pairs": rows[::-1]})
    first, second = judged()["runs"]
    assert (first["too_low"], first["equal"], first["other_totals"]) == (1, 4, 1)
    assert first["triples_lost"] == 1
    assert first["f1_lost"] == pytest.approx(2 / sum(s.system_total + s.gold_total for s in exact))
    assert (second["impossible"], second["equal"], second["other_totals"]) == (1, 4, 1)
    assert judged()["impossible"][0]["item"] == exact[2].identifier
    write_scores("\n".join(json.dumps(row) for row in rows))
    assert judged()["runs"] == [first, second]


def test_claims_as_smatch_prints_them(files: Path) -> None:
    exact = exactmatch.score(Path("a.amr"), Path("b.amr")).per_pair
    write_scores("".join(f"F-score: {score.f1:.6f}\n" for score in exact))
    assert judged()["runs"][0]["equal"] == 6
    write_scores("".join(f"F-score: {score.f1:.1f}\n" for score in exact))
    assert judged()["runs"][0]["undecided"] > 0
    write_scores("F-score: 1.01\n" * 6)
    assert judged()["runs"][0]["impossible"] == 6


def test_traces_of_mtool(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    kinds = {"tops": {"g": 1, "s": 1, "c": 1}, "labels": {"g": 3, "s": 4, "c": 2}, "exact": True}
    path.write_text(json.dumps({"n": 1, "scores": {"eds": {"x": kinds}}}), encoding="utf-8")
    (pair,) = read_tool_scores(path, "mtool").pairs
    assert (pair.identifier, pair.claims, pair.totals) == ("eds/x", {"run 1": 3}, (5, 4))
    path.write_text(json.dumps({"scores": {"x": {"g": 2, "s": 3, "c": 1}}}), encoding="utf-8")
    assert read_tool_scores(path, "mtool").pairs[0].totals == (3, 2)


def test_tables_of_counter(tmp_path: Path) -> None:
    path = tmp_path / "counter.json"
    columns = ["matched", "produced_clauses", "gold_clauses"]
    path.write_text(json.dumps({"columns": columns, "pairs": [[1, 7, 5]]}), encoding="utf-8")
    (pair,) = read_tool_scores(path, "counter").pairs
    assert (pair.identifier, pair.claims, pair.totals) == (None, {"run 1": 1}, (7, 5))


@pytest.mark.parametrize(
    "content",
    ["", "nothing", "{}", "[1]", '{"pairs": [{"id": 1}]}', '{"pairs": [{"matched": 1.5}]}',
     '{"pairs": [{"matched": -1}]}', '{"pairs": 3}', "F-score: high\n", "F-score: nan\n",
    "F-score: 1e999999999\n", '{"pairs": ' + "[" * 100_000,
     '{"pairs": [{"matched": Infinity}]}', '{"scores": 5}',
     '{"pairs": [{"matched": "3"}]}', '{"pairs": []}', '{"columns": ["a"], "pairs": [[1, 2]]}'],
)  # fmt: skip
def test_files_that_hold_no_scores(tmp_path: Path, content: str) -> None:
    path = tmp_path / "scores"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="scores"):
        read_tool_scores(path, "smatch")


def test_claims_that_do_not_belong_to_the_files(files: Path) -> None:
    for content in ({"pairs": [{"id": "other", "matched": 3}]}, {"pairs": [{"matched": 3}]}):
        write_scores(content)
        result = run(
            "search-error", "a.amr", "b.amr", "--scores", "scores.json", "--from", "smatch"
        )
        assert (result.exit_code, result.stdout) == (1, "")
        assert "scores" in result.stderr


def test_csv_reads_back(files: Path) -> None:
    rows = tables(*IAA)
    for table in ("pairs", "kinds", "annotators"):
        text = run(*IAA, "--format", "csv", "--table", table).stdout
        for read, row in zip(csv.DictReader(StringIO(text)), rows[table], strict=True):
            for key, value in row.items():
                assert read[key] == ("" if value is None else str(value))


@pytest.mark.parametrize("output_format", ["text", "markdown", "latex", "html", "json"])
def test_every_report_tells_where_it_comes_from(files: Path, output_format: str) -> None:
    text = run(*IAA, "--format", output_format).stdout
    assert "smatch|profile:default.1|" in text
    assert f"exactmatch {exactmatch.__version__}" in text
    assert "exactmatch iaa a.amr" in text
    for name in FILES:
        assert name in text
    digest = re.search("[0-9a-f]{64}", text)
    assert digest or output_format == "text"


def test_latex_and_html_are_escaped(files: Path) -> None:
    write("a_b & c%.amr", blocks_of("a.amr"))
    latex = run("iaa", "a_b & c%.amr", "b.amr", "--format", "latex").stdout
    assert r"a\_b \& c\%" in latex
    write("<b>.amr", blocks_of("a.amr"))
    html = run("iaa", "<b>.amr", "b.amr", "--format", "html").stdout
    assert '<td class="text">&lt;b&gt;</td>' in html
    assert html.count("<svg") == html.count("</svg>") == 1
    assert not re.search(r"(src|href)=\"http", html)


def test_plots_are_the_same_bytes_every_time(files: Path) -> None:
    for folder in ("one", "two"):
        assert run(*IAA, "--plots", folder).exit_code == 0
    names = sorted(path.name for path in Path("one").iterdir())
    assert names == ["agreement.png", "agreement.svg", "months.png", "months.svg"]
    for name in names:
        assert Path("one", name).read_bytes() == Path("two", name).read_bytes()
    assert Path("one/agreement.png").read_bytes().startswith(b"\x89PNG")


def test_certificates_of_a_study_verify(files: Path) -> None:
    assert run("iaa", "a.amr", "b.amr", "c.amr", "--certificates", "proofs").exit_code == 0
    assert sorted(path.name for path in Path("proofs").iterdir()) == [
        "a--b.jsonl", "a--c.jsonl", "b--c.jsonl",
    ]  # fmt: skip
    result = run("verify", "proofs/b--c.jsonl", "b.amr", "c.amr")
    assert result.exit_code == 0
    assert result.stdout.startswith("verified: 6  bounded: 0  refuted: 0  unproven: 0\n")


def test_proofs_of_files_of_one_name_are_kept_apart(files: Path) -> None:
    for folder in ("x", "y"):
        Path(folder).mkdir()
        shutil.copy("a.amr", f"{folder}/a.amr")
    shutil.copy("a.amr", "x_a.amr")
    words = ("iaa", "x/a.amr", "y/a.amr", "x_a.amr", "--consensus", "consensus.amr")
    assert run(*words, "--certificates", "proofs").exit_code == 0
    assert len(list(Path("proofs").iterdir())) == 6


def test_not_proven_in_time(files: Path) -> None:
    words = ("iaa", "a.amr", "c.amr", "--timeout", "0", "--format", "json")
    found = json.loads(run(*words).stdout)
    (row,) = found["tables"]["pairs"]
    assert row["proven"] < 6 and row["f1"] < row["f1_upper"]
    assert any("Pairs that reached the time limit" in note for note in found["notes"])
    assert "at most" in run(*words[:-2]).stdout
    assert run(*words, "--require-optimal").exit_code == 3


def test_not_solved_for_want_of_memory(files: Path) -> None:
    memory = ("--memory", "1K")
    (row,) = tables("iaa", "a.amr", "c.amr", *memory)["pairs"]
    (whole,) = tables("iaa", "a.amr", "c.amr")["pairs"]
    assert row["proven"] < 6 and row["f1"] <= whole["f1"] <= row["f1_upper"]
    assert row["f1"] < row["f1_upper"]
    text = run("principles", "a.amr", "c.amr", "--seeds", "1", *memory).stdout
    assert f"6 pairs of graphs, 1 seeds. Proven: {row['proven']} pairs." in text


def numbered(*graphs: str) -> list[str]:
    return [f"# ::id {k}\n{text}" for k, text in enumerate(graphs, start=1) if text]


def test_the_better_one_is_better_on_what_both_have(files: Path) -> None:
    """One system lacks the hard items, so that its own F1 is higher; on the others it is worse."""
    gold = ["(a / b :ARG0 (c / d))"] * 12
    write("gold.amr", numbered(*gold))
    write("easy.amr", numbered(*["(a / b :ARG0 (c / x))"] * 6, *[""] * 6))
    write("all.amr", numbered(*gold[:6], *["(x / y)"] * 6))
    result = run("compare", "easy.amr", "all.amr", "--gold", "gold.amr", "--format", "json")
    found = json.loads(result.stdout)["tables"]
    assert [row["system"] for row in found["ranking"]] == ["easy", "all"]
    (row,) = found["differences"]
    assert (row["better"], row["other"]) == ("all", "easy")
    assert row["difference"] == pytest.approx(1 - 3 / 4)


def test_equal_graphs_that_cannot_match_are_no_error(tmp_path: Path) -> None:
    path = tmp_path / "loops.clf"
    path.write_text("b1 EQU e1 e1\nb1 REF e1\n", encoding="utf-8")
    words = ("iaa", str(path), str(path), "--format", "json")
    loops = json.loads(run(*words, "--profile", "counter-2021").stdout)
    assert loops["tables"]["pairs"][0]["f1"] < 1
    assert json.loads(run(*words).stdout)["tables"]["pairs"][0]["f1"] == 1


def test_months_without_a_pair_are_left_out(files: Path) -> None:
    write("consensus.amr", blocks_of("consensus.amr")[:4])
    result = run("iaa", "a.amr", "--consensus", "consensus.amr", "--format", "json")
    months = json.loads(result.stdout)["tables"]["months"]
    assert [row["month"] for row in months] == ["2026-01"]
    assert months[0]["pairs"] == 4


def test_no_note_gets_out_of_a_comment(files: Path) -> None:
    write("a.amr", ["# ::id study.1\n(a / b", *blocks_of("a.amr")[1:]])
    latex = run("iaa", "a.amr", "b.amr", "--on-error", "skip", "--format", "latex").stdout
    head = latex[: latex.index("\\begin{table}")]
    assert "not closed" in head
    assert all(line.startswith("%") for line in head.splitlines() if line)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no pipes")
def test_files_may_be_pipes(files: Path) -> None:
    os.mkfifo("pipe")
    writer = threading.Thread(
        target=lambda: Path("pipe").write_bytes(gzip.compress(Path("a.amr").read_bytes()))
    )
    writer.start()
    piped = tables("iaa", "pipe", "b.amr")
    writer.join()
    (plain,) = tables("iaa", "a.amr", "b.amr")["pairs"]
    assert piped["pairs"] == [plain | {"first": "pipe"}]


def test_every_graph_that_cannot_be_read_is_reported(files: Path) -> None:
    """Also those after the first one, from all files, and those that no other file has."""
    write("a.amr", ["# ::id study.1\n(a / b", *blocks_of("a.amr")[1:], "# ::id more\n(a"])
    write("b.amr", [*blocks_of("b.amr")[:4], "# ::id study.5\n(a / b :x", blocks_of("b.amr")[5]])
    for workers in "12":
        result = run("iaa", "a.amr", "b.amr", "--workers", workers, "--certificates", "proofs")
        assert (result.exit_code, result.stdout) == (1, "")
        for place in ("graph 1 (id study.1)", "graph 7 (id more)", "graph 5 (id study.5)"):
            assert place in result.stderr
    assert not list(Path("proofs").glob("*.jsonl"))
    many = [f"# ::id x{k}\n(a / b" for k in range(25)]
    write("many.amr", [blocks_of("c.amr")[0], *many])
    result = run("compare", "many.amr", "--gold", "c.amr")
    assert result.stderr.count("many.amr:") == 20
    assert "... and 5 more" in result.stderr


def test_nothing_in_common_but_what_cannot_be_read(files: Path) -> None:
    write("x.amr", ["# ::id study.1\n(a / b", "# ::id other\n(a / b)"])
    for words in (("iaa", "a.amr"), ("principles", "a.amr")):
        result = run(*words, "x.amr", "--on-error", "skip")
        assert (result.exit_code, result.stdout) == (1, "")
        assert "no item is in both a and x" in result.stderr
    result = run("iaa", "a.amr", "x.amr", "b.amr", "--missing", "common")
    assert (result.exit_code, result.stdout) == (1, "")


def test_unreadable_graphs_count_as_missing_in_every_way(files: Path) -> None:
    broken = ["# ::id study.1\n(a / b", *blocks_of("a.amr")[1:]]
    without = blocks_of("a.amr")[1:]
    for missing in ("pairwise", "common", "empty"):
        found = []
        for blocks in (broken, without):
            write("a.amr", blocks)
            words = ("iaa", "a.amr", "b.amr", "c.amr", "--on-error", "skip", "--missing", missing)
            content = json.loads(run(*words, "--resamples", "99", "--format", "json").stdout)
            content["tables"]["items"].sort(key=lambda row: row["item"])
            content["tables"]["annotators"].sort(key=lambda row: row["annotator"])
            found.append(content["tables"])
        assert found[0] == found[1]


def test_proofs_that_rest_on_a_word(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def by_word(pair: Any, metric: Any, settings: Any, end: Any) -> PairScore:
        score = score_pair(pair, metric, settings, end)
        if pair.identifier == "study.2":
            measured = replace(score.measurement, solver="scip", certified=False)
            score = replace(score, measurement=measured)
        return score

    words = ("compare", "a.amr", "--gold", "b.amr", "--resamples", "99")
    assert run(*words, "--require-certified").exit_code == 0
    assert "Proven: 6 of 6 pairs of graphs.\n" in run(*words).stdout
    monkeypatch.setattr(ranking, "score_pair", by_word)
    result = run(*words, "--require-certified")
    assert result.exit_code == 3
    assert "1 of 6 pairs not proven by a checked proof" in result.stderr
    note = "Proven: 6 of 6 pairs of graphs, 5 by a checked proof, 1 by the word of scip.\n"
    assert note in result.stdout
    assert run(*words, "--require-optimal").exit_code == 0


def test_notes_on_graphs(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def noted(text: GraphText) -> Graph | GraphError:
        found = parse(text)
        if isinstance(found, GraphError) or text.number != 2:
            return found
        return replace(found, notes=(f"{text.source}: something is odd",))

    monkeypatch.setattr(sweep, "parse", noted)
    for command in (("iaa",), ("compare", "--gold"), ("search-error",), ("principles",)):
        result = run(command[0], "a.amr", *command[1:], "b.amr", "--seed", "1")
        assert result.exit_code == 0
        assert result.stderr == "".join(f"note: {x}.amr: something is odd\n" for x in "ab")
        assert "Notes on graphs, see standard error: 2." in result.stdout


def row(matched: int, **changes: Any) -> PairRow:
    return PairRow(matched, matched, matched, matched, 0, "dual", 0.0)._replace(**changes)


def collected(*rows: PairRow) -> ScoredPairs:
    collector = ScoreCollector([f"x{k}" for k in range(len(rows))], Smatch.profiles["default"])
    for item, one in enumerate(rows):
        collector.add(item, one)
    return collector.finish()


def test_columns_of_pairs() -> None:
    scored = collected(
        row(3, system_total=4, gold_total=6, flags=OPTIMAL | CERTIFIED),
        row(1, matched_upper=2, system_total=5, gold_total=2, flags=TIMED_OUT, solver="ilp"),
        row(0, flags=OPTIMAL | EMPTIED, solver="ilp"),
    )
    assert (scored.matched, scored.matched_upper, scored.system_total, scored.gold_total) == (
        4, 5, 9, 8,
    )  # fmt: skip
    assert (scored.pairs, scored.optimal, scored.certified, scored.timed_out, scored.emptied) == (
        3, 2, 1, 1, 1,
    )  # fmt: skip
    assert scored.by_word == {"ilp": 1}
    assert scored.macro_f1 == (6 / 10 + 2 / 7 + 0) / 3
    assert scored.macro_f1_upper == (6 / 10 + 4 / 7 + 0) / 3
    part = scored.restricted(np.array([False, True, True]))
    assert (part.matched, part.gap, part.pairs, part.by_word) == (1, 1, 2, {"ilp": 1})
    assert collected().macro_f1 == collected().f1 == 0


def test_counts_beyond_64_bits() -> None:
    large = row(2**62 - 1)
    assert collected(large, large, large).matched == 3 * (2**62 - 1)
    assert collected(large, large).macro_f1 == 1.0
    for count in (2**62, 2**80):
        with pytest.raises(InputError, match=f"pair x0: {count} triples are too many"):
            collected(row(count))


def test_a_study_keeps_no_graphs_and_no_scores(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When a pair is scored, the graphs and scores of the items before are gone."""
    scores: list[weakref.ref[PairScore]] = []
    alive = []

    def watched(pair: Any, metric: Any, settings: Any, end: Any) -> PairScore:
        graphs = sum(isinstance(thing, Graph) for thing in gc.get_objects())
        alive.append((graphs, sum(score() is not None for score in scores)))
        score = score_pair(pair, metric, settings, end)
        scores.append(weakref.ref(score))
        return score

    for module in (agreement, ranking, search_error):
        monkeypatch.setattr(module, "score_pair", watched)
    study = align(read_sources(["a.amr", "b.amr"]))
    how = (Smatch(), Settings())
    kept = [
        agreement.agreement(study, *how),
        ranking.rank(study, "b", *how, Resampling(10)),
        search_error.search_error(study, [("a", "b")], {}, *how, seeds=1),
    ]
    assert len(kept) == 3 and len(alive) == 18
    assert set(alive) == {alive[0]}


def test_what_is_too_large_is_not_searched(files: Path) -> None:
    result = run(
        "search-error", "a.amr", "b.amr", "--method", "s", "--seeds", "1", "--memory", "1K"
    )
    assert result.exit_code == 1
    assert "is too large to be searched in 1024 bytes" in result.stderr


@pytest.mark.parametrize("words", ["iaa a.amr b.amr", "compare a.amr --gold b.amr"])
def test_pairs_too_large_are_noted(files: Path, words: str) -> None:
    result = run(*words.split(), "--memory", "1K")
    assert result.exit_code == 0
    assert "Pairs too large for the memory limit: " in result.stdout


def test_a_search_above_the_bound_is_an_error(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactmatch.studies.search_error._Searched.matched", lambda *_: 10_000)
    result = run("search-error", "a.amr", "b.amr", "--method", "s", "--seeds", "1")
    assert result.exit_code == 4
    assert "a search found 10000, above the bound" in result.stderr


def test_searches_have_a_time_limit(files: Path) -> None:
    words = ("search-error", "a.amr", "b.amr", "--method", "s", "--seeds", "1", "--timeout")
    assert "Pairs that reached the time limit: 6." in run(*words, "0").stdout
    assert "time limit" not in run(*words, "60").stdout
