"""The selection of pairs: identifiers, conditions, and the messages about other pairs."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import exactmatch
from exactmatch.cli import main
from exactmatch.graphs.selection import Condition

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
A, B = (INSTANCES / "agreement" / f"{name}.amr" for name in "ab")
MRP = [INSTANCES / "mrp" / f"{name}.mrp" for name in ("system", "gold")]


def chosen(*where: str, ids: Sequence[str] | Path | None = None, workers: int = 1) -> list[str]:
    result = exactmatch.score(A, B, ids=ids, where=where, workers=workers)
    names = [pair.identifier for pair in result.per_pair]
    assert result.pairs + result.unselected == 24
    pairs = exactmatch.score_pairs(A, B, ids=ids, where=where)
    assert [pair.identifier for pair in pairs] == names
    return names


def command(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["score", str(A), str(B), *words], catch_exceptions=False)
    assert result.exit_code == status, result.stderr
    return result


ALL = [f"study.{number}" for number in range(1, 25)]
SIZES = {name: len(graph.variables) for name, graph in zip(ALL, exactmatch.load(B), strict=True)}
SYSTEM_TRIPLES = {
    name: len(graph.triples) for name, graph in zip(ALL, exactmatch.load(A), strict=True)
}


@pytest.mark.parametrize("workers", [1, 2])
def test_what_is_selected_is_scored_as_it_was(workers: int) -> None:
    every = exactmatch.score(A, B)
    some = exactmatch.score(A, B, where=["gold_variables > 12"], workers=workers)
    wanted = [pair for pair in every.per_pair if SIZES[pair.identifier] > 12]
    assert 0 < len(wanted) < 24
    assert [(p.identifier, p.matched) for p in some.per_pair] == [
        (p.identifier, p.matched) for p in wanted
    ]
    assert some.matched == sum(pair.matched for pair in wanted)
    assert (some.pairs, some.unselected, every.unselected) == (len(wanted), 24 - len(wanted), 0)


@pytest.mark.parametrize(
    ("where", "wanted"),
    [
        (["id=study.3"], ["study.3"]),
        (["id != study.3"], [name for name in ALL if name != "study.3"]),
        (["id~[.]1?1$"], ["study.1", "study.11"]),
        (["position<=2"], ALL[:2]),
        (["position > 22"], ALL[22:]),
        (["position>=5", "position<7", "position!=6"], ["study.5"]),
        (["gold_variables=9"], [name for name in ALL if SIZES[name] == 9]),
        (["system_triples<30"], [name for name in ALL if SYSTEM_TRIPLES[name] < 30]),
        (["framework="], ALL),
        (["framework=amr"], []),
        ([], ALL),
    ],
)
def test_conditions_choose_pairs(where: list[str], wanted: list[str]) -> None:
    assert chosen(*where) == wanted


def test_frameworks_are_chosen() -> None:
    result = exactmatch.score(*MRP, where=["framework~^(amr|eds)$"])
    assert {pair.framework for pair in result.per_pair} == {"amr", "eds"} == {*result.frameworks}


@pytest.mark.parametrize(
    "text",
    ["", "id", "f1>0.5", "id<3", "position~3", "position=x", "position=", "position=1.5",
     "id~(", "id~a{99999999999999}", "id~" + 3000 * "(" + 3000 * ")",
     "framework>=amr", "position==3", "position=" + 5000 * "9", "=3"],
)  # fmt: skip
def test_a_text_that_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(exactmatch.UsageError):
        Condition.of(text)
    result = command("--where", text, status=2)
    assert result.stderr.startswith("error: ")
    assert result.stdout == ""


def test_a_value_may_hold_operators() -> None:
    assert Condition.of("id=a<=b") == ("id", "=", "a<=b")
    assert Condition.of("id~^x=1$") == ("id", "~", "^x=1$")
    assert Condition.of("id~[[a]") == ("id", "~", "[[a]")  # of which Python would warn


def test_a_text_is_no_list() -> None:
    with pytest.raises(exactmatch.UsageError):
        exactmatch.score(A, B, ids="study.1")
    with pytest.raises(exactmatch.UsageError):
        exactmatch.score(A, B, where="position<3")
    for wrong in ({"ids": 5}, {"ids": [1]}, {"where": 5}, {"where": [5]}):
        with pytest.raises(exactmatch.UsageError, match="a list of texts is expected"):
            exactmatch.score(A, B, **wrong)


def test_pairs_are_chosen_by_identifier(tmp_path: Path) -> None:
    assert chosen(ids=["study.4", "study.2"]) == ["study.2", "study.4"]
    assert chosen("position>3", ids=["study.4", "study.2"]) == ["study.4"]
    assert chosen(ids=[]) == []
    file = tmp_path / "ids.txt"
    file.write_text("# these\nstudy.7\r\n\n  study.1  \nstudy.7\n", encoding="utf-8")
    assert chosen(ids=file, workers=2) == ["study.1", "study.7"]


def test_identifiers_that_no_pair_has(tmp_path: Path) -> None:
    heard: list[str] = []
    result = exactmatch.score(A, B, ids=["b", "study.1", "a"], note=heard.append)
    assert (result.pairs, result.missing_ids, result.unselected) == (1, 2, 23)
    assert heard == ["no pair is called a, b"] == [*result.notes]
    many = exactmatch.score(A, B, ids=map(str, range(30)))
    assert many.notes[0].endswith("17 (and 20 more)")

    file = tmp_path / "ids.txt"
    file.write_text("study.1\nnobody\n", encoding="utf-8")
    told = command("--ids", str(file), status=1)
    assert told.stderr == "note: no pair is called nobody\n"
    assert "pairs not selected: 23\nidentifiers that no pair has: 1\n" in told.stdout
    content = json.loads(command("--ids", str(file), "--format", "json", status=1).stdout)
    assert (content["pairs"], content["unselected"], content["missing_ids"]) == (1, 23, 1)
    # One that another condition rules out is there all the same.
    file.write_text("study.1\n", encoding="utf-8")
    assert command("--ids", str(file), "--where", "position=2").stderr == ""


def test_files_of_identifiers_that_are_none(tmp_path: Path) -> None:
    file = tmp_path / "ids.txt"
    file.write_bytes(b"study.1\n\xff\n")
    assert "ids.txt:2: not UTF-8" in command("--ids", str(file), status=1).stderr
    assert "none: No such" in command("--ids", str(tmp_path / "none"), status=1).stderr
    assert (
        "would be overwritten"
        in command("--ids", str(file), "--per-pair", str(file), status=2).stderr
    )


def test_what_is_not_selected_is_not_read() -> None:
    broken = "# ::id 1\n(a / alpha)\n\n# ::id 2\n(((\n\n# ::id 3\n(c / gamma)\n"
    result = exactmatch.score(broken, broken, where=["id!=2"])
    assert (result.pairs, result.unselected, result.notes) == (2, 1, ())
    with pytest.raises(exactmatch.InputError):
        exactmatch.score(broken, broken, where=["id!=3"])
    # Nobody knows how large it is; so it is not left out in silence.
    skipped = exactmatch.score(broken, broken, where=["gold_variables>5"], on_error="skip")
    assert (skipped.pairs, skipped.unselected, skipped.skipped) == (0, 2, 1)


def test_by_identifier_and_with_several_metrics() -> None:
    both = exactmatch.score(A, B, metric=["smatch", "sembleu"], pair_by="id", ids=["study.9"])
    assert [(one.pairs, one.unselected) for one in both] == [(1, 23), (1, 23)]
