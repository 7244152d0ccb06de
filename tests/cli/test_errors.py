"""Error messages for users who have confused options, files or formats."""

from pathlib import Path

import generate
import pytest
from click.testing import CliRunner

import exactmatch
from exactmatch.cli import main

INSTANCES = Path(generate.__file__).parent
A, B = (str(INSTANCES / "agreement" / f"{name}.amr") for name in "ab")
DRS = [str(INSTANCES / "drs" / f"{side}.clf") for side in ("system", "gold")]
MRP = [str(INSTANCES / "mrp" / f"{side}.mrp") for side in ("system", "gold")]


def error(*words: str) -> str:
    result = CliRunner().invoke(main, [*words], catch_exceptions=False)
    assert result.exit_code == 1 and result.stdout == "", result.stdout
    return result.stderr


@pytest.mark.parametrize("option", ["vectors", "similarity", "synonyms", "classes", "lengths"])
@pytest.mark.parametrize("file", [A, DRS[0], MRP[0]])
def test_graphs_are_no_words(option: str, file: str) -> None:
    takers = {"synonyms": "counter", "classes": "rematch", "lengths": "align-smatch"}
    metric = takers.get(option, "s2match")
    said = error("score", A, B, "--metric", metric, f"--{option}", file)
    assert said.startswith(f"error: {file}:")
    assert said.endswith(": holds graphs; expected a file of words\n")


def test_files_in_the_wrong_order_are_told(tmp_path: Path) -> None:
    proofs, solution = tmp_path / "proofs.jsonl", tmp_path / "solution"
    exactmatch.score(Path(A), Path(B), certificates=proofs)
    solution.write_text('{"mapping": []}', encoding="utf-8")
    for last, (command, what) in {
        str(proofs): ("verify", "certificates are"),
        str(solution): ("import-solution", "solution is"),
    }.items():
        said = f"error: {A}: holds graphs; the {what} the first of the three files\n"
        for files in ((A, B, last), (A, last, B)):
            assert error(command, *files) == said
    said = f"error: {B}: holds graphs; expected the scores that a tool has written for them\n"
    assert error("search-error", A, B, "--scores", B, "--from", "smatch") == said


@pytest.mark.parametrize(
    "metric, files, fitting",
    [
        ("umatch", [A, B], "in PENMAN: use smatch, s2match, sembleu, rematch, ancast"),
        ("dscorer", MRP, "in MRP: use smatch, s2match, mrp, sdp, edm, ucca, predications, sembleu"),
        ("smatch", DRS, "in clause form: use counter, dscorer"),
    ],
)
def test_a_metric_for_other_graphs_leads_to_those_for_these(
    metric: str, files: list[str], fitting: str
) -> None:
    assert fitting in error("score", *files, "--metric", metric)


def test_an_unknown_identifier_leads_to_near_ones_in_files_beside_the_graphs(
    tmp_path: Path,
) -> None:
    ratings, groups = tmp_path / "ratings", tmp_path / "groups"
    ratings.write_text("study7\t1\nstudy8\t2\n", encoding="utf-8")
    groups.write_text("study1\tone\n", encoding="utf-8")
    assert "study7. Did you mean 'study.7'" in error(
        *("correlate", A, B, "--human", str(ratings), "--metric", "smatch")
    )
    assert "the first is study.1. Did you mean 'study1'?" in error(
        *("search-error", A, B, "--group-by", str(groups), "--method", "s")
    )
    claims = tmp_path / "claims.json"
    claims.write_text(
        '{"pairs": [{"id": "study7", "matched": 1, "system_triples": 3, "gold_triples": 4}]}',
        encoding="utf-8",
    )
    assert "that of study7. Did you mean 'study.7'" in error(
        *("search-error", A, B, "--scores", str(claims), "--from", "smatch")
    )


@pytest.mark.parametrize("words", [("web",), ("show", A, B), ("adjudicate", A, B)])
def test_an_empty_name_is_not_the_current_folder(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [*words, "-o", ""], catch_exceptions=False)
    assert result.exit_code == 2 and "'--output' / '-o': an empty name" in result.stderr
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("option", ["--per-pair", "--certificates", "-o"])
def test_the_next_option_is_no_name_of_a_file(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["score", A, B, option, "--quiet"], catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a name is missing before --quiet" in result.stderr
    assert not [*tmp_path.iterdir()]
