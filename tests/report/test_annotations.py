"""Faults as annotations: commands of GitHub's workflows, one a line, and SARIF 2.1.0."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import exactmatch
from exactmatch.cli import main

GRAPHS = "# ::id a%\n(a / b\n\n# ::id b\n(c / d :foo (e / f))\n"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def checked(*words: str) -> str:
    result = CliRunner().invoke(main, ("check", *words), catch_exceptions=False)
    assert result.exit_code == 1, result.stderr
    return result.stdout


def test_each_fault_is_one_command_whatever_its_file_is_called() -> None:
    for name, shown in (("a.amr", "a.amr"), ("a,b:%.amr", "a%2Cb%3A%25.amr")):
        Path(name).write_text(GRAPHS, encoding="utf-8")
        first, second = checked(name, "--format", "github").splitlines()
        assert first.startswith(
            f"::error file={shown},line=2,title=exactmatch check%3A unreadable::graph 1 (id a%25): "
        )
        assert second == (
            f"::warning file={shown},line=5,title=exactmatch check%3A unknown-role::"
            "graph 2 (id b): unknown-role: :foo of c"
        )


def test_no_name_begins_a_command_of_its_own() -> None:
    Path("x\n::error::y.amr").write_text(GRAPHS, encoding="utf-8")
    lines = checked("x\n::error::y.amr", "--format", "github").splitlines()
    assert len(lines) == 2 and all(line.count("::") == 2 for line in lines)


def test_faults_beyond_the_limit_are_counted() -> None:
    Path("a.amr").write_text(GRAPHS, encoding="utf-8")
    lines = checked("a.amr", "--format", "github", "--max", "1").splitlines()
    assert lines[1:] == ["::warning file=a.amr::1 more fault"]
    (run,) = json.loads(checked("a.amr", "--format", "sarif", "--max", "1"))["runs"]
    (invocation,) = run["invocations"]
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"] == "1 more fault" and invocation["executionSuccessful"]
    (location,) = notification["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "a.amr"
    assert "invocations" not in json.loads(checked("a.amr", "--format", "sarif"))["runs"][0]


def test_sarif_has_a_rule_and_a_place_for_each_fault() -> None:
    Path("a b%:.amr").write_text(GRAPHS, encoding="utf-8")
    log = json.loads(checked("a b%:.amr", "--format", "sarif"))
    (run,) = log["runs"]
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    driver = run["tool"]["driver"]
    assert driver["name"] == "exactmatch" and driver["version"] == exactmatch.__version__
    assert [result["level"] for result in run["results"]] == ["error", "warning"]
    for result, line in zip(run["results"], (2, 5), strict=True):
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        (location,) = result["locations"]
        assert location["physicalLocation"] == {
            "artifactLocation": {"uri": "a%20b%25%3A.amr"},
            "region": {"startLine": line},
        }
        assert result["message"]["text"].startswith("graph ")


def test_the_number_of_graphs_is_told_where_nothing_is_annotated() -> None:
    Path("a.amr").write_text("(a / b)\n", encoding="utf-8")
    for form, said in (("github", "note: checked 1 graph: 0 faults\n"), ("sarif", "")):
        result = CliRunner().invoke(main, ("check", "a.amr", "--format", form))
        assert (result.exit_code, result.stderr) == (0, said)


@pytest.mark.parametrize("form", ["github", "sarif"])
def test_no_fault_is_no_result(form: str) -> None:
    found = exactmatch.check("(a / b)").report(form)
    assert found == "" if form == "github" else json.loads(found)["runs"][0]["results"] == []
