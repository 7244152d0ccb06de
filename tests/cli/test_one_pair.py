"""``--id``: one pair of many, by its identifier or its number, in every command that has it."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import exactmatch
from exactmatch.cli import COMMANDS, main

AGREEMENT = Path(__file__).resolve().parents[2] / "instances" / "agreement"
A, B = (str(AGREEMENT / name) for name in ("a.amr", "b.amr"))

#: What each command takes before --id, and what tells which pair it is about.
CALLS = {
    "show": (["show", A, B, "-o", "page.html"], None),
    "diff": (["diff", A, B], "# ::id {}\n"),
    "mappings": (["mappings", A, B], "# ::id {}\n"),
    "ngrams": (["ngrams", A, B], None),
    "export": (["export", A, B, "--to", "lp"], "exactmatch: pair {},"),
    "import-solution": (["import-solution", "none.txt", A, B], None),
}
every = pytest.mark.parametrize("command", CALLS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("none.txt").write_text("s OPTIMUM FOUND\nv 0\n", encoding="utf-8")


def run(command: str, identifier: str, status: int | None = 0) -> Result:
    words, _ = CALLS[command]
    result = CliRunner().invoke(main, [*words, "--id", identifier])
    assert status in (None, result.exit_code), result.stderr
    return result


def test_every_command_with_an_id_is_tried() -> None:
    context = click.Context(main)
    found = set()
    for name in COMMANDS:
        command = main.get_command(context, name)
        assert command is not None
        if any("--id" in parameter.opts for parameter in command.params):
            found.add(name)
    assert found == CALLS.keys()


@every
def test_a_number_is_that_of_the_pair_though_pairs_have_identifiers(command: str) -> None:
    by_number, by_name = run(command, "20", None), run(command, "study.20", None)
    assert "is called" not in by_number.stderr
    assert (by_number.output, by_number.exit_code) == (by_name.output, by_name.exit_code)
    expected = CALLS[command][1]
    if expected is not None:
        assert expected.format("study.20") in by_number.stdout


@every
def test_an_unknown_name_is_told_with_those_like_it(command: str) -> None:
    error = run(command, "study2", 1).stderr
    assert error.startswith("error: no pair is called study2 (similar: study.2")
    assert run(command, "-:-", 1).stderr == "error: no pair is called -:-\n"
    assert "no pair is called 25" in run(command, "25", 1).stderr
    assert "no pair is called 0" in run(command, "0", 1).stderr
    assert "no pair is called 999999" in run(command, "9" * 5000, 1).stderr


def test_an_identifier_wins_over_a_number() -> None:
    text = "".join(f"# ::id {name}\n({name} / b)\n\n" for name in ("3", "1", "x2")).replace(
        "(3", "(y3"
    ).replace("(1", "(y1")  # fmt: skip
    for wanted, variable in {"3": "y3", "1": "y1", "2": "y1", "x2": "x2"}.items():
        assert [*exactmatch.best_mappings(text, text, id=wanted).mapping] == [variable]
        assert f"({variable} / b" in exactmatch.diff(text, text, id=wanted)


def test_pairs_that_are_left_out_are_counted_and_cannot_be_had() -> None:
    text = "# ::id a\n(a / b)\n\n# ::id c\n(c / d\n\n# ::id e\n(e / f)\n"
    best = exactmatch.best_mappings(text, text, id="3", on_error="skip")
    assert best.identifier == "e"
    with pytest.raises(exactmatch.InputError, match="the pair 2 was left out"):
        exactmatch.best_mappings(text, text, id="2", on_error="skip")


def test_only_a_text_names_a_pair() -> None:
    text = "(a / b)"
    for function in (exactmatch.best_mappings, exactmatch.ngrams, exactmatch.diff):
        with pytest.raises(exactmatch.UsageError, match="id is 1: a text is expected"):
            function(text, text, id=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "words", [["mappings"], ["ngrams"], ["export", "--to", "lp"], ["import-solution", "none.txt"]]
)
def test_a_pair_without_one_of_its_graphs_has_status_1(words: list[str]) -> None:
    Path("bad.amr").write_text("(a / b\n", encoding="utf-8")
    Path("good.amr").write_text("(a / b)\n", encoding="utf-8")
    Path("both.amr").write_text("(a / b\n\n(a / b)\n", encoding="utf-8")

    def told(*asked: str, status: int) -> str:
        result = CliRunner().invoke(main, [*words, *asked])
        assert result.exit_code == status, result.stderr
        return result.stderr

    told("bad.amr", "good.amr", "--on-error", "empty", status=1)
    told("good.amr", "good.amr", "--on-error", "empty", status=0)
    left_out = told("bad.amr", "good.amr", "--on-error", "skip", status=1)
    assert left_out.endswith("error: the only pair was left out\n")
    several = told("both.amr", "both.amr", "--on-error", "skip", status=2)
    assert "choose one of the 2 pairs" in several


def test_exported_graphs_of_which_some_are_left_out_have_status_1() -> None:
    Path("both.amr").write_text("(a / b\n\n(a / b)\n", encoding="utf-8")
    for on_error, lines in (("skip", 1), ("empty", 2)):
        words = ["export", "both.amr", "both.amr", "--to", "triples", "--on-error", on_error]
        result = CliRunner().invoke(main, words)
        assert (result.exit_code, result.stdout.count("\n")) == (1, lines)


def test_names_in_a_file_that_no_pair_has_are_told_with_those_like_them() -> None:
    Path("ids.txt").write_text("study.7\nstudy7\nnobody\n", encoding="utf-8")
    words = ["score", A, B, "--ids", "ids.txt"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 1
    assert "no pair is called nobody, study7 (similar: study.7, " in result.stderr


def test_proofs_of_one_pair_by_its_number() -> None:
    words = ["score", A, B, "--certificates", "proofs.jsonl"]
    assert CliRunner().invoke(main, words).exit_code == 0
    words = ["export", A, B, "--certificates", "proofs.jsonl", "--to", "veripb", "-o", "out"]
    result = CliRunner().invoke(main, [*words, "--id", "20"])
    assert result.exit_code == 0, result.stderr
    assert sorted(path.name for path in Path("out").iterdir()) == ["pair_20.opb", "pair_20.pbp"]
    assert "no pair is called 25" in CliRunner().invoke(main, [*words, "--id", "25"]).stderr


def test_the_folder_of_an_exported_program_is_looked_at_first() -> None:
    words = ["export", "none.amr", B, "--to", "lp", "-o", "nowhere/program.lp"]
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "error: nowhere/program.lp: No such file or directory\n"
