"""The option --given, and the reported origin of a result, in text, JSON and tables."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import generate
import pyarrow.parquet
import pytest
from click.testing import CliRunner, Result
from nightly import by_day

import exactmatch
from exactmatch.cli import main
from exactmatch.encodings.base import NeverLoaded, NotLoaded, OutOfMemory
from exactmatch.errors import SolverError
from exactmatch.solving import solver_process
from exactmatch.stopping.deadline import OutOfTime

#: One pair that the presolve closes, one that takes a solver; and what both score at best.
PAIRS = [("(a / b)", "(a / b)"), generate.family("unrelated", 6, seed=1)]
OPTIMA = [2, 11]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, texts in zip(("a.amr", "b.amr"), zip(*PAIRS, strict=True), strict=True):
        Path(name).write_text("\n\n".join(texts) + "\n", encoding="utf-8")


def run(*words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [*words])
    assert result.exit_code == status, result.output
    return result


def score(*words: str) -> str:
    return run("score", "a.amr", "b.amr", *words).stdout


def pairs(*words: str) -> list[dict[str, Any]]:
    score("--per-pair", "p.jsonl", *words)
    return [json.loads(line) for line in Path("p.jsonl").read_text("utf-8").splitlines()]


def test_pairs_tell_what_was_given_and_what_was_found() -> None:
    first, second = pairs("--solver", "brute")
    assert (first["solver"], first["given"]["presolve"], first["own"]) == ("presolve", 0, None)
    assert second["given"]["start"] <= OPTIMA[1] <= second["given"]["bound"]
    assert second["solver"] == "brute" and second["own"]["upper"] == OPTIMA[1]
    nothing = {"presolve": None, "start": None, "bound": None}
    for pair, optimum in zip(pairs("--solver", "brute", "--given", "none"), OPTIMA, strict=True):
        assert (pair["solver"], pair["given"]) == ("brute", nothing)
        own = pair["own"]
        assert (own["lower"], own["upper"]) == (optimum, optimum)
        assert 0 <= own["lower_seconds"] <= own["upper_seconds"] <= pair["seconds"]


def test_without_seconds_equal_runs_are_equal() -> None:
    words = ("--solver", "brute", "--given", "none", "--no-seconds", "--per-pair", "p.jsonl")
    found = {
        (score(*words), score(*words, "--format", "json"), Path("p.jsonl").read_text("utf-8"))
        for _ in range(2)
    }
    assert len(found) == 1
    ((text, content, lines),) = found
    assert " s;" not in text and json.loads(content)["solver_work"]["seconds"] is None
    assert json.loads(lines.splitlines()[0])["own"]["lower_seconds"] is None


def test_a_corpus_tells_who_did_what() -> None:
    content = json.loads(score("--solver", "brute", "--format", "json"))["solver_work"]
    counts = {name: content[name] for name in ("presolved", "met", "asked", "bounded")}
    assert content["given"] == ["presolve", "start", "bound"]
    assert counts == {"presolved": 1, "met": 0, "asked": 1, "bounded": 1}
    text = score("--solver", "brute")
    assert (
        "given to brute: presolve, start, bound; asked for 1 of 2 pairs, not for 1 where "
        "presolve leaves nothing\n"
    ) in text
    alone = score("--solver", "brute", "--given", "none")
    assert "given to brute: nothing; asked for 2 of 2 pairs\n" in alone
    assert re.search(
        r"brute by itself: mappings of 13 triples \(2 of 2 pairs\), bounds of 13 \(2\), after "
        r"\d+\.\d\d s; the two meet in 2\n",
        alone,
    )
    report = score("--solver", "brute", "--given", "none", "--format", "markdown")
    assert "given to brute: nothing" in report


class Fails:
    """Stands in for a solver that raises *errors* in turn, and then the last one again."""

    def __init__(self, *errors: type[Exception]) -> None:
        self.errors = list(errors)

    def __call__(self, name: str, memory: int | None = None) -> "Fails":
        return self

    def solve(self, problem: Any, **options: Any) -> Any:
        options["deadline"].loading.seconds += 2.5
        options["deadline"].loading.restarts += 1
        raise self.errors.pop(0) if len(self.errors) > 1 else self.errors[0]


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Replaces all solvers."""

    def replace(*errors: type[Exception]) -> None:
        monkeypatch.setattr(solver_process, "get_solver", Fails(*errors))
        monkeypatch.setattr(solver_process, "load_early", lambda name: None)

    return replace


NEVER = ("--solver", "cpsat", "--given", "none")


@pytest.mark.parametrize(
    ("errors", "words", "reason"),
    [
        ([OutOfTime], [], "its time ended in 2; raise --timeout"),
        (
            [OutOfTime, NotLoaded],
            ["--total-timeout", "99"],
            "its time ended in 1; raise --timeout or --total-timeout; it was still loading when "
            "the time for all pairs ended; raise --total-timeout",
        ),
        ([OutOfMemory], [], "its memory ended in 2; raise --memory"),
        ([NeverLoaded], [], "it never loaded; use another --solver, or install it anew"),
        (
            [OutOfTime],
            ["--timeout", "0"],
            "no time or memory was left for it in 2; raise --timeout or --memory",
        ),
    ],
)
def test_a_solver_that_never_worked_is_told_first(
    fails: Callable[..., None], errors: list[type[Exception]], words: list[str], reason: str
) -> None:
    fails(*errors)
    first, *rest = score(*NEVER, *words).splitlines()
    assert first == f"cpsat worked on none of 2 pairs: {reason}"
    assert "worked on none" not in "\n".join(rest)
    fails(*errors)
    report = score(*NEVER, *words, "--format", "markdown")
    assert report.index("cpsat worked on none of 2 pairs") < report.index("## ")


def test_a_solver_that_never_loaded_is_counted_and_told_of(fails: Callable[..., None]) -> None:
    fails(NeverLoaded)
    content = json.loads(score(*NEVER, "--format", "json"))["solver_work"]
    assert (content["asked"], content["worked"], content["never_loaded"]) == (2, 0, 2)
    assert [pair["own"]["failure"] for pair in pairs(*NEVER)] == ["never loaded"] * 2
    diff = run("diff", "a.amr", "b.amr", "--id", "2", *NEVER).stdout
    assert "# given: nothing; the solver never loaded\n" in diff


def test_a_solver_that_cannot_be_loaded_leaves_no_score(fails: Callable[..., None]) -> None:
    fails(OutOfTime, SolverError)  # after the first pair
    result = run("score", "a.amr", "b.amr", *NEVER, status=5)
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1


#: What a package does when it is loaded, and the reason that is told.
BROKEN = [
    ("raise ImportError('libodd.so: cannot open')", "libodd.so: cannot open"),
    ("raise OSError('libodd.so is truncated')", "libodd.so is truncated"),
    ("import os; os._exit(7)", "its process has died (status 7)"),
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("package", "reason", "workers"),
    by_day([(*one, workers) for one in BROKEN[::-1] for workers in ("2", "1")], 2),
)
def test_a_broken_package_is_one_message(
    monkeypatch: pytest.MonkeyPatch, package: str, reason: str, workers: str
) -> None:
    Path("ortools").mkdir()
    Path("ortools/__init__.py").write_text(package, encoding="utf-8")
    monkeypatch.syspath_prepend(str(Path.cwd()))
    monkeypatch.setattr(solver_process, "_idle", [])
    for command in ("score", "iaa", "matrix", "explain --between default smatch-1.0.4"):
        words = (*command.split(), "a.amr", "b.amr", *NEVER, "--workers", workers)
        result = run(*words, status=5)
        assert result.stdout == ""
        assert result.stderr == (
            f"error: the solver cpsat cannot be loaded: {reason}; install the package ortools "
            "anew, or use --solver dual, which needs none\n"
        )


def test_a_solver_that_works_or_is_not_needed_is_not_complained_of(files: None) -> None:
    assert "worked on none" not in score("--solver", "brute")
    Path("a.amr").write_text(PAIRS[0][0], encoding="utf-8")
    Path("b.amr").write_text(PAIRS[0][1], encoding="utf-8")
    assert "worked on none" not in score("--solver", "brute")


def test_loading_restarts_and_failures_are_counted(fails: Callable[..., None]) -> None:
    fails(OutOfTime, OutOfMemory)
    text = score(*NEVER)
    assert "\ncpsat answered for 0 of 2 pairs\n" in text
    assert "\npairs waited 5.00 s for cpsat to load, beyond their time limits\n" in text
    assert "\ncpsat restarted 2 times, since it did not stop at a limit\n" in text
    assert "waited" not in score(*NEVER, "--no-seconds")
    fails(OutOfTime, OutOfMemory)
    content = json.loads(score(*NEVER, "--format", "json"))["solver_work"]
    counts = {name: content[name] for name in ("asked", "worked", "late", "large", "not_loaded")}
    assert counts == {"asked": 2, "worked": 0, "late": 1, "large": 1, "not_loaded": 0}
    assert (content["loading"], content["restarts"]) == (5.0, 2)
    fails(OutOfTime, OutOfMemory)
    assert [pair["own"]["failure"] for pair in pairs(*NEVER)] == ["late", "large"]
    fails(OutOfMemory)
    diff = run("diff", "a.amr", "b.amr", "--id", "2", *NEVER).stdout
    assert "# given: nothing; the solver exceeded its memory\n" in diff


@pytest.mark.parametrize("solver", ["auto", "dual"])
def test_strategies_are_not_asked_by_name(solver: str) -> None:
    text, content = score("--solver", solver), score("--solver", solver, "--format", "json")
    assert "given" not in text + content
    assert "given" not in pairs("--solver", solver)[1]
    assert run("score", "a.amr", "b.amr", "--solver", solver, "--given", "none", status=2).stderr


@pytest.mark.parametrize("given", ["", "all", "presolve,", "none,start", "start bound"])
def test_parts_that_do_not_exist_are_refused(given: str) -> None:
    words = ("score", "a.amr", "b.amr", "--solver", "brute", "--given", given)
    assert "the values are presolve, start, bound" in run(*words, status=2).stderr
    with pytest.raises(exactmatch.UsageError, match="the values are presolve, start, bound"):
        exactmatch.score(*PAIRS[0], solver="brute", given=given)


def test_tables_have_columns_for_both() -> None:
    words = ("--solver", "brute", "--given", "start")
    expected = pairs(*words)
    score(*words, "--per-pair", "p.csv")
    with Path("p.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [json.loads(row["given"]) for row in rows] == [pair["given"] for pair in expected]
    assert [json.loads(row["own"])["upper"] for row in rows] == OPTIMA
    score(*words, "--per-pair", "p.parquet")
    table = pyarrow.parquet.read_table("p.parquet").to_pylist()
    assert [json.loads(row["given"]) for row in table] == [pair["given"] for pair in expected]


def test_commands_that_show_a_pair_say_it_in_a_line() -> None:
    line = "# given: nothing; the solver itself found 11, its bound: 11\n"
    words = ("a.amr", "b.amr", "--id", "2", "--solver", "brute", "--given", "none")
    assert line in run("mappings", *words).stdout
    assert line in run("diff", *words).stdout
    closed = run("diff", "a.amr", "b.amr", "--id", "1", "--solver", "brute").stdout
    assert "# given: presolve, which leaves terms: 0, bound 2; no solver was asked\n" in closed


def test_a_run_that_goes_on_knows_who_did_what_before() -> None:
    words = ("--solver", "brute", "--given", "none", "--format", "json", "--no-seconds")
    whole = json.loads(score(*words))
    score(*words, "--resume", "kept")
    again = json.loads(score(*words, "--resume", "kept"))
    assert again["solver_work"] == whole["solver_work"]
    other = run("score", "a.amr", "b.amr", "--solver", "brute", "--resume", "kept", status=2)
    assert "given" in other.stderr
