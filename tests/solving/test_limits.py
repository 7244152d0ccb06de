"""Limits of time and memory: intervals with proof, and a message that names the limit."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from samples import WEAK, compared

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import VerificationError
from exactmatch.runtime.workers import MOST
from exactmatch.scoring import solve as limits
from exactmatch.scoring.solve import solve_within
from exactmatch.solving import strategy
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.dual import branch_and_bound
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import Solution


def tree(size: int, letter: str, branching: int) -> str:
    """Return a tree of equal concepts and roles."""

    def text(node: int) -> str:
        below = range(branching * node + 1, branching * node + branching + 1)
        children = "".join(f" :R {text(child)}" for child in below if child < size)
        return f"({letter}{node} / x{children})"

    return text(0)


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.amr").write_text(tree(14, "a", 2) + "\n", encoding="utf-8")
    Path("b.amr").write_text(tree(14, "b", 3) + "\n", encoding="utf-8")


def test_what_is_too_large_is_an_interval_with_a_proof(files: None) -> None:
    words = ("score", "a.amr", "b.amr", "--certificates", "c.jsonl", "--format", "json")
    small = json.loads(run(*words, "--memory", "10K").stdout)
    assert (small["too_large"], small["timed_out"], small["optimal"]) == (1, 0, 0)
    assert "counts" in json.loads(Path("c.jsonl").read_text("utf-8"))["proof"]
    assert run("verify", "c.jsonl", "a.amr", "b.amr").stdout.startswith(
        "bounded '1': 'the best mapping scores between "
    )
    text = run("score", "a.amr", "b.amr", "--memory", "10K").stdout
    assert "pairs too large for the memory limit: 1\n" in text
    large = json.loads(run(*words).stdout)
    assert (large["too_large"], large["optimal"], large["certified"]) == (0, 1, 1)
    assert small["matched"] <= large["matched"] <= small["matched_upper"]
    assert "memory:10240|" in small["long_signature"]


def test_what_is_late_before_there_is_a_bound_is_an_interval(files: None) -> None:
    words = ("score", "a.amr", "b.amr", "--timeout", "0", "--format", "json")
    content = json.loads(run(*words, "--certificates", "c.jsonl").stdout)
    assert (content["too_large"], content["timed_out"]) == (0, 1)
    assert content["matched"] < content["matched_upper"]
    assert run("verify", "c.jsonl", "a.amr", "b.amr", "--require-all").exit_code == 3


def test_the_better_bound_counts() -> None:
    """For large pairs, both bounds are known, and that of the dual may be the worse one."""
    best = exactmatch.best_mapping(tree(20, "a", 2), tree(20, "b", 3), timeout=None)
    bounded = exactmatch.best_mapping(tree(20, "a", 2), tree(20, "b", 3), memory=0)
    assert bounded.matched <= best.matched == best.matched_upper <= bounded.matched_upper


def solved(size: int, budgets: Budgets) -> Solution:
    return solve_within(
        compared(tree(size, "a", 2), tree(size, "b", 3)),
        SolverSettings(memory=MOST, budgets=budgets),
    )


def test_bounds_that_contradict_each_other_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    right = strategy.solve
    monkeypatch.setattr(limits, "solve", lambda *a, **k: right(*a, **k)._replace(upper=1))
    with pytest.raises(VerificationError, match=r"found the optimum in \[\d+, 1\], counts in"):
        solved(6, Budgets(small_terms=0))


def test_giving_up_is_not_running_out_of_time() -> None:
    left = solved(12, WEAK._replace(maxsat_terms=0, solver_terms=0))
    assert left.lower < left.upper
    assert not left.timed_out


def test_a_failed_check_says_what_reproduces_it(
    files: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = branch_and_bound.prove
    monkeypatch.setattr(strategy, "prove", lambda *a: right(*a)._replace(upper=1, lower=0))
    result = run("score", "a.amr", "b.amr", "--per-pair", "pairs.jsonl")
    assert (result.exit_code, result.stdout) == (4, "")
    message, request, reproduction, *_ = result.stderr.splitlines()
    assert message.startswith("error: pair 1: a proof gives the bound ")
    assert "please report" in request
    content = json.loads(reproduction)
    assert content["pair"]["test"]["variables"][:2] == ["a0", "a1"]
    assert "|timeout:60.0|" in content["signature"]
    assert not Path("pairs.jsonl").exists()
