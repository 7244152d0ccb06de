"""Limits of memory and time, step by step: the order of methods, and the trusted bounds."""

import random
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from typing import Any

import generate
import pytest
from looks import Looks
from oracles import brute_force as oracle
from samples import compared, random_graph, random_problem

from exactmatch._version import solver_versions
from exactmatch.encodings import NAMES
from exactmatch.errors import VerificationError
from exactmatch.problem import MatchingProblem
from exactmatch.problem.linear_program import LinearProgram, grouped, one_by_one
from exactmatch.runtime.workers import MOST
from exactmatch.scoring import solve as limits
from exactmatch.scoring.comparison import Comparison
from exactmatch.scoring.solve import COUNTS, solve_within
from exactmatch.solving import solver_process
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.dual import counting
from exactmatch.solving.dual.counting import CountsProof
from exactmatch.solving.names import AUTO, DUAL
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import Solution, confirm, solve
from exactmatch.stopping.deadline import Deadline, OutOfTime

#: Nothing is small enough to be solved from nothing.
COARSE_FIRST = Budgets(small_terms=0)


def within(comparison: Comparison, **options: Any) -> Solution:
    return solve_within(comparison, SolverSettings(memory=MOST)._replace(**options))


def chain(length: int, letter: str) -> str:
    """Return a graph of equal concepts, each under the one before."""
    text = ""
    for node in reversed(range(length)):
        text = f"({letter}{node} / x{f' :R {text}' if text else ''})"
    return text


@pytest.fixture
def pair() -> Comparison:
    return compared(chain(6, "a"), "(b / x :R (c / x :R (d / x)) :R (e / x) :S (f / x))")


def never(*_: object, **__: object) -> Solution:
    raise OutOfTime


@pytest.mark.parametrize("budgets", [Budgets(), COARSE_FIRST])
def test_without_time_to_solve_counts_are_left(
    monkeypatch: pytest.MonkeyPatch, pair: Comparison, budgets: Budgets
) -> None:
    best = within(pair)
    monkeypatch.setattr(limits, "solve", never)
    found = within(pair, budgets=budgets)
    assert (found.solver, found.too_large) == (COUNTS, False)
    assert found.lower <= best.lower == best.upper <= found.upper
    assert pair.count_matched(pair.named(found.mapping)) == found.lower
    assert found.is_checked and found.timed_out == (found.lower < found.upper)


def test_what_does_not_fit_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sum of the triples does not limit the terms, but their product does."""
    large = compared(chain(30, "a"), chain(30, "b"))
    monkeypatch.setattr(limits, "solve", lambda *_, **__: pytest.fail("it was solved"))
    found = within(large, memory=1200 * 200)
    assert (found.solver, found.too_large, found.timed_out) == (COUNTS, True, False)


def random_pair(rng: random.Random) -> Comparison:
    return compared(*(random_graph(rng, rng.randint(1, 6))[0] for _ in range(2)))


def test_the_bound_of_the_solver_counts_if_it_is_no_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    right = limits.solve  # type: ignore[attr-defined]
    rng = random.Random("a bound by counts that is not the optimum")
    while True:
        pair = random_pair(rng)
        coarse = limits._solve_by_counts(pair, pair.compact, Deadline(), Budgets().looked_at)
        if coarse.upper > within(pair).upper:
            break

    def bounded(upper: int) -> Callable[..., Solution]:
        return lambda *a, **k: right(*a, **k)._replace(upper=upper, timed_out=True)

    for better in (0, 1):
        monkeypatch.setattr(limits, "solve", bounded(coarse.upper - better))
        found = within(pair, budgets=COARSE_FIRST)
        assert (found.solver, found.upper) == (DUAL, coarse.upper - better)
    monkeypatch.setattr(limits, "solve", bounded(coarse.upper + 1))
    found = within(pair, budgets=COARSE_FIRST)
    assert (found.solver, found.upper, found.proof) == (COUNTS, coarse.upper, coarse.proof)
    assert found.lower == within(pair).lower
    assert found.timed_out == (found.lower < found.upper)


@pytest.mark.parametrize(
    "wrong, complaint",
    [
        (lambda proof: replace(proof, upper=proof.upper - 1), r"by counts gives \d+, not \d+, and"),
        (lambda proof: replace(proof, prices={99: 1}), "a proof by counts is wrong: a price of no"),
        (lambda proof: replace(proof, prices={0: -1}), "a proof by counts is wrong: a price is"),
    ],
)
def test_a_wrong_proof_by_counts_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
    pair: Comparison,
    wrong: Callable[[CountsProof], CountsProof],
    complaint: str,
) -> None:
    right = counting.prove_by_counts
    monkeypatch.setattr(counting, "prove_by_counts", lambda *a: wrong(right(*a)))
    with pytest.raises(VerificationError, match=complaint):
        within(pair, budgets=COARSE_FIRST)


def test_a_bound_below_the_mapping_of_the_other_way_is_found_out(
    monkeypatch: pytest.MonkeyPatch, pair: Comparison
) -> None:
    right = limits.solve  # type: ignore[attr-defined]
    modest: dict[str, Any] = {"lower": 0, "upper": 1, "mapping": {}}
    monkeypatch.setattr(limits, "solve", lambda *a, **k: right(*a, **k)._replace(**modest))
    with pytest.raises(VerificationError, match=r"found the optimum in \[0, 1\], counts in"):
        within(pair, budgets=COARSE_FIRST)


def test_a_second_solver_without_time_confirms_nothing(
    monkeypatch: pytest.MonkeyPatch, pair: Comparison
) -> None:
    best = within(pair)
    assert confirm(pair.problem, best, SolverSettings())

    class Slow:
        solve = staticmethod(never)

    monkeypatch.setattr(solver_process, "get_solver", lambda name, memory: Slow)
    assert not confirm(pair.problem, best, SolverSettings())


def test_solvers_are_named_with_their_versions() -> None:
    expected = f"ortools-{version('ortools')}+python-sat-{version('python-sat')}"
    assert solver_versions() == expected


def test_a_mapping_above_the_counts_is_found_out(
    monkeypatch: pytest.MonkeyPatch, pair: Comparison
) -> None:
    monkeypatch.setattr(type(pair.compact), "value", lambda *_: 99)
    with pytest.raises(VerificationError, match="and a mapping scores 99"):
        within(pair, budgets=COARSE_FIRST)


def test_both_ways_agree() -> None:
    rng = random.Random("both ways")
    for _ in range(40):
        pair = random_pair(rng)
        usual, coarse = within(pair), within(pair, budgets=COARSE_FIRST)
        assert usual.lower == usual.upper == coarse.lower == coarse.upper
        little = within(pair, memory=0)
        assert little.lower <= usual.lower <= little.upper
        assert little.is_checked


@pytest.mark.parametrize("solver", NAMES)
def test_a_solver_on_its_own_finds_every_optimum(solver: str) -> None:
    rng = random.Random(f"on its own {solver}")
    for _ in range(40):
        problem = random_problem(rng)
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        found, proven, dual = (
            solve(problem, SolverSettings(solver=name, certify=certify))
            for name, certify in ((solver, False), (solver, True), (DUAL, False))
        )
        for solution in (found, proven, dual):
            assert solution.lower == solution.upper == best == problem.value(solution.mapping)
            assert solution.is_optimal and not solution.timed_out and not solution.too_large
        assert dual.is_checked and proven.is_checked
    # Without a proof asked for, that no mapping of a hard pair is better is the solver's word.
    hard = compared(*generate.family("unrelated", 6, seed=1)).problem
    for certify in (False, True):
        found = solve(hard, SolverSettings(solver=solver, certify=certify))
        assert found.is_optimal and found.is_checked == certify


@pytest.mark.parametrize("sizes", [(0, 0), (2, 0), (0, 2), (2, 2)])
def test_problems_without_terms_are_solved(sizes: tuple[int, int]) -> None:
    problem = MatchingProblem(*sizes, ())
    for solver in (AUTO, DUAL):
        found = solve(problem, SolverSettings(solver=solver))
        assert (found.lower, found.upper, found.is_checked) == (0, 0, True)


@pytest.fixture
def every_step_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the clock only at the usual places, after thousands of triples or words."""
    for place in (
        "scoring.build._INTERVAL",
        "solving.dual.counting._INTERVAL",
        "stopping.deadline._MANY",
    ):
        monkeypatch.setattr(f"exactmatch.{place}", 1)
    monkeypatch.setattr("exactmatch.solving.search.growth._MANY", 1)


@pytest.mark.usefixtures("every_step_looks")
@pytest.mark.parametrize("budgets", [Budgets(), COARSE_FIRST])
def test_whenever_time_is_up_there_is_an_interval_that_holds(budgets: Budgets) -> None:
    rng = random.Random("time is up")
    bounds = set()
    for looks in range(60):
        pair = random_pair(rng)
        best = within(pair)
        for compact in (True, False):
            vars(pair).pop("compact", None)  # it is built anew
            memory = MOST if compact else 0
            found = within(pair, deadline=Looks(looks), budgets=budgets, memory=memory)
            assert found.lower <= best.lower == best.upper <= found.upper
            assert pair.count_matched(pair.named(found.mapping)) == found.lower
            assert found.is_checked
            bounds.add((found.solver, found.timed_out))
    assert (COUNTS, True) in bounds


def test_where_there_is_no_time_at_all_the_bound_by_labels_is_left(
    monkeypatch: pytest.MonkeyPatch, pair: Comparison
) -> None:
    monkeypatch.setattr("exactmatch.scoring.build._INTERVAL", 1)
    found = within(pair, deadline=Looks(0), budgets=COARSE_FIRST)
    assert found.solver == COUNTS
    # by hand: each of the five x is mapped to an x
    assert pair.count_matched(pair.named(found.mapping)) == found.lower >= 5
    assert found.timed_out and found.is_checked
    assert found.upper == limits._solve_by_counts(pair, pair.compact, Deadline.after(0), 0).upper
    monkeypatch.setattr(counting, "prove_by_labels", lambda *_: CountsProof(1, None))
    vars(pair).pop("compact")
    with pytest.raises(VerificationError, match="a proof by counts gives"):
        within(pair, deadline=Looks(0), budgets=COARSE_FIRST)


@pytest.mark.parametrize("program", [one_by_one, grouped])
def test_a_linear_program_is_not_written_down_after_the_deadline(
    program: Callable[[MatchingProblem, Deadline], LinearProgram],
) -> None:
    problem = compared("(a / p :R (b / q))", "(x / p :R (y / q))").problem
    assert program(problem, Deadline()).rows
    with pytest.raises(OutOfTime):
        program(problem, Deadline.after(0))
