"""Strings that are paths, and errors about what a user gave, in all public functions."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import exactmatch
from exactmatch.errors import ExactmatchError, InputError
from exactmatch.graphs.inputs import as_path

GRAPH = "(s / sing-01 :ARG0 (b / bird))"
PACKAGE = str(Path(exactmatch.__file__).parent)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.amr", "ending", "(a).amr", "b.txt"):
        Path(name).write_text(f"{GRAPH}\n", encoding="utf-8")
    Path("bad.amr").write_text("(s / sing-01", encoding="utf-8")
    Path("some").mkdir()


#: The public functions that take graphs, called with one input.
TAKES: dict[str, Callable[[Any], object]] = {
    "score": lambda given: exactmatch.score(given, GRAPH).f1,
    "gold": lambda given: exactmatch.score(GRAPH, given).f1,
    "score_pairs": lambda given: [one.f1 for one in exactmatch.score_pairs(given, GRAPH)],
    "best_mapping": lambda given: exactmatch.best_mapping(given, GRAPH).f1,
    "best_mappings": lambda given: exactmatch.best_mappings(given, GRAPH).f1,
    "check": lambda given: exactmatch.check(given).found,
    "diff": lambda given: exactmatch.diff(given, GRAPH),
    "matrix": lambda given: exactmatch.matrix(given).pairs,
    "nearest": lambda given: exactmatch.nearest(given, GRAPH).pairs,
    "export": lambda given: exactmatch.export(given, GRAPH, "json"),
    "show": lambda given: exactmatch.show(given, GRAPH, "page.html").name,
    "candidates": lambda given: exactmatch.candidates(given).f1.shape,
    "to_networkx": lambda given: len(exactmatch.to_networkx(given)),
    "joint_graph": lambda given: len(exactmatch.joint_graph(given, GRAPH, {})),
    "keep": lambda given: exactmatch.Scorer().keep({1: given}),
    "rewards": lambda given: exactmatch.Scorer().rewards([(GRAPH, given)]),
}


@pytest.mark.parametrize("name", ["a.amr", "ending", "(a).amr", "b.txt"])
@pytest.mark.parametrize("function", [name for name in TAKES if name != "candidates"])
def test_a_string_that_names_a_file_is_its_path(
    function: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda *_: True)
    assert TAKES[function](name) == TAKES[function](GRAPH)


@pytest.mark.parametrize("function", TAKES)
def test_a_missing_file_is_told_by_its_name(function: str) -> None:
    with pytest.raises(InputError, match=r"missing\.amr: No such file"):
        TAKES[function]("missing.amr")


@pytest.mark.parametrize("function", [name for name in TAKES if name not in ("keep", "rewards")])
def test_a_folder_is_no_file(function: str) -> None:
    with pytest.raises(InputError, match=r"^some: "):
        TAKES[function]("some")


def test_a_string_that_is_neither_is_told_so() -> None:
    said = "system: expected the text of graphs or the path of a file, but there is no file 'cat'"
    with pytest.raises(InputError) as error:
        exactmatch.score("cat", GRAPH)
    assert str(error.value) == said


@pytest.mark.parametrize(
    ("given", "is_path"),
    [
        ("missing.amr", True),
        ("missing.AMR.gz", True),
        ("folder/missing.jsonl", True),
        ("some", True),
        ("(a / b).amr", False),
        ("(a / b)\n# a.amr", False),
        ("a.amr\n", False),
        ("missing", False),
        ("time.n.08", False),
        ("", False),
        ("-", False),
        ("\0.x", False),
        ("x" * 5000, False),
        (None, False),
        (Path("missing"), True),
    ],
)
def test_what_is_a_path(given: object, is_path: bool) -> None:
    assert (as_path(given) is not None) is is_path


def test_outputs_of_models_are_never_paths() -> None:
    """A model that writes the name of the gold file must not be paid for it."""
    assert exactmatch.reward("a.amr", GRAPH) == 0
    with exactmatch.Scorer() as scorer:
        assert scorer.rewards([("a.amr", GRAPH), ("a.amr", "a.amr"), (GRAPH, "a.amr")]) == [0, 0, 1]
    with pytest.raises(ValueError, match="gold graph cannot be used"):
        exactmatch.reward(GRAPH, "a.amr")


def test_texts_are_read_by_another_function_than_files() -> None:
    with pytest.raises(InputError, match=r"'a\.amr' is the path of a file, which exactmatch\.load"):
        exactmatch.loads("a.amr")


def test_a_list_holds_texts() -> None:
    with pytest.raises(InputError, match=r"system\[0\]:1: graph 1: found 'a\.amr'"):
        exactmatch.score(["a.amr"], GRAPH)


def test_the_path_of_an_input_is_no_output() -> None:
    with pytest.raises(ExactmatchError, match=r"a\.amr"):
        exactmatch.score("a.amr", "b.txt", per_pair="a.amr")
    assert Path("a.amr").read_text(encoding="utf-8") == f"{GRAPH}\n"


#: Calls with faults of the user.
FAULTS: dict[str, Callable[[], object]] = {
    **{name: lambda called=called: called("bad.amr") for name, called in TAKES.items()},  # type: ignore[misc]
    "missing": lambda: exactmatch.score("missing.amr", "a.amr"),
    "metric": lambda: exactmatch.score("a.amr", "a.amr", ids=["a"], where=["none"]),
    "reward": lambda: exactmatch.reward(GRAPH, "(a"),
    "load": lambda: exactmatch.load("bad.amr"),
    "loads": lambda: exactmatch.loads("(a"),
    "agreement": lambda: exactmatch.agreement(["bad.amr", "a.amr"]),
    "verify": lambda: exactmatch.verify("missing", "a.amr", "a.amr"),
    "chosen": lambda: exactmatch.select_subscores("none"),
}


@pytest.mark.parametrize("fault", [name for name in FAULTS if name not in ("check", "candidates")])
def test_errors_of_users_show_little_of_the_program(fault: str) -> None:
    with pytest.raises(ExactmatchError) as caught:
        FAULTS[fault]()
    frames = 0
    error: BaseException | None = caught.value
    while error is not None:
        places = traceback.extract_tb(error.__traceback__)
        frames += sum(place.filename.startswith(PACKAGE) for place in places)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    assert 1 <= frames <= 3
