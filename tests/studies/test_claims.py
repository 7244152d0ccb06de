"""Claims of other tools about the same pairs."""

import json
from pathlib import Path
from typing import Any

import pytest
from study_files import blocks_of, run, tables, write

import exactmatch
from exactmatch.errors import InputError
from exactmatch.graphs.readers.tool_scores import read_tool_scores


def write_scores(content: Any, name: str = "scores.json") -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    Path(name).write_text(text, encoding="utf-8")


def claims(*words: str, tool: str = "smatch") -> dict[str, list[dict[str, Any]]]:
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
    first, second = claims()["runs"]
    assert (first["too_low"], first["equal"], first["other_totals"]) == (1, 4, 1)
    assert first["triples_lost"] == 1
    assert first["f1_lost"] == pytest.approx(2 / sum(s.system_total + s.gold_total for s in exact))
    assert (second["impossible"], second["equal"], second["other_totals"]) == (1, 4, 1)
    assert claims()["impossible"][0]["item"] == exact[2].identifier
    write_scores("\n".join(json.dumps(row) for row in rows))
    assert claims()["runs"] == [first, second]


def test_claims_as_smatch_prints_them(files: Path) -> None:
    exact = exactmatch.score(Path("a.amr"), Path("b.amr")).per_pair
    write_scores("".join(f"F-score: {score.f1:.6f}\n" for score in exact))
    assert claims()["runs"][0]["equal"] == 6
    write_scores("".join(f"F-score: {score.f1:.1f}\n" for score in exact))
    assert claims()["runs"][0]["undecided"] > 0
    write_scores("".join(f"F-score: {score.f1:.5e}\n" for score in exact))
    assert claims()["runs"][0]["equal"] == 6
    write_scores("".join(f"F-score: {score.f1:.0e}\n" for score in exact))
    assert claims()["runs"][0]["undecided"] > 0
    write_scores("F-score: 1.01\n" * 6)
    assert claims()["runs"][0]["impossible"] == 6


def test_traces_of_mtool_are_claims(tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    kinds = {"tops": {"g": 1, "s": 1, "c": 1}, "labels": {"g": 3, "s": 4, "c": 2}, "exact": True}
    path.write_text(json.dumps({"n": 1, "scores": {"eds": {"x": kinds}}}), encoding="utf-8")
    (pair,) = read_tool_scores(path, "mtool").pairs
    assert (pair.identifier, pair.claims, pair.totals) == ("eds/x", {"run 1": 3}, (5, 4))
    path.write_text(json.dumps({"scores": {"x": {"g": 2, "s": 3, "c": 1}}}), encoding="utf-8")
    assert read_tool_scores(path, "mtool").pairs[0].totals == (3, 2)


def test_tables_of_counter_are_claims(tmp_path: Path) -> None:
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


def test_pairs_without_verdict_are_counted(files: Path) -> None:
    exact = exactmatch.score(Path("a.amr"), Path("b.amr")).per_pair
    write_scores({"pairs": [{"id": s.identifier, "matched": s.matched} for s in exact[1:]]})
    write("b.amr", [text for text in blocks_of("b.amr") if "study.3" not in text])
    words = ("--scores", "scores.json", "--from", "smatch", "--missing", "pairwise")
    result = run("search-error", "a.amr", "b.amr", *words)
    assert result.exit_code == 1
    assert "Pairs skipped here, and so without verdict: 1." in result.stdout
    assert "Pairs without a claim of the tool: 1." in result.stdout


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[]", "expected an object with a list of pairs"),
        ('{"pairs": 3}', "expected an object with a list of pairs"),
        ('{"scores": 3}', "expected an object with a list of pairs"),
        ('{"pairs": [{"matched": 1}, {"id": "p"}]}', "pair 2: matched is missing"),
        ('{"pairs": [3]}', "pair 1: expected an object"),
        ('{"pairs": [{"P": 0.5, "R": 0.5}]}', "pair 1: only ratios; give the number of matched"),
        ('{"precision": 0.5, "f1": 0.5}', "only ratios; give the number of matched triples"),
        ('{"F-score": 0.5}', "only ratios; give the number of matched triples"),
        ('{"pairs": [{"matched": "x"}]}', "pair 1: 'x' is no number of triples"),
        ('{"pairs": [{"matched": 1e400}]}', "pair 1: inf is no number of triples"),
        ('{"pairs": [[1]], "columns": ["id", "matched"]}', "pair 1: 1 numbers, but"),
    ],
)
def test_what_is_wrong_with_scores_is_said_in_words(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "scores.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=f"scores.json: these are no scores of smatch: {reason}"):
        read_tool_scores(path, "smatch")


def test_scores_of_an_unknown_tool_are_named_after_their_file(files: Path) -> None:
    exact = exactmatch.score(Path("a.amr"), Path("b.amr")).per_pair
    rows = [{"id": score.identifier, "matched": score.matched} for score in exact]
    write_scores({"pairs": rows}, "of_ours.json")
    words = ("a.amr", "b.amr", "--scores", "of_ours.json", "--from", "other", "--format", "json")
    found = json.loads(run("search-error", *words).stdout)
    assert run("search-error", *words[:-2]).stdout.startswith("The scores in of_ours.json\n")
    assert found["result"] == "Of 6 claims by of_ours.json: 6 equal to it."
    explained = run("explain", *words[:-2]).stdout
    assert explained.startswith("Why default and the scores of of_ours.json differ\n")
    write_scores("P 0.5 R 0.5 F 0.5\n")
    with pytest.raises(InputError, match=r"holds no score of a pair; give the number of matched"):
        read_tool_scores("scores.json", "other")
    write_scores("[]")
    with pytest.raises(InputError, match=r"scores.json: these are no scores: expected"):
        read_tool_scores("scores.json", "other")
    write_scores("F-score: 0.5\n")
    assert (
        "one score, but there are 6 pairs of graphs; exactmatch explain"
        in run("search-error", *words[:2], "--scores", "scores.json", "--from", "smatch").stderr
    )
