"""The folded program, and the score as a bound less penalties, against all assignments."""

import random
from collections.abc import Iterator
from itertools import product

import pytest
from oracles import brute_force as oracle
from samples import random_problem

from exactmatch.problem import MatchingProblem, Term
from exactmatch.problem.linear_program import LinearProgram, folded, grouped
from exactmatch.problem.reformulation import Multipliers, dual_multipliers, penalties
from exactmatch.stopping.deadline import Deadline

#: Programs of so many variables have all their assignments tried.
_FEW = 10
HUGE = 7**40


def problems(count: int) -> Iterator[MatchingProblem]:
    rng = random.Random("reformulation")
    for _ in range(count):
        yield random_problem(rng, largest_term=4)


def feasible(program: LinearProgram) -> Iterator[tuple[int, ...]]:
    for values in product((0, 1), repeat=len(program.names)):
        if all(
            sum(coefficient * values[position] for coefficient, position in row.summands)
            <= row.limit
            for row in program.rows
        ):
            yield values


def score(program: LinearProgram, values: tuple[int, ...]) -> int:
    return sum(weight * values[position] for weight, position in program.objective)


def is_violated(clause: list[int], values: tuple[int, ...]) -> bool:
    return not any(values[abs(literal) - 1] == (literal > 0) for literal in clause)


def small_programs() -> Iterator[LinearProgram]:
    for problem in problems(150):
        program = folded(problem, Deadline()).program
        if len(program.names) <= _FEW:
            yield program


def test_a_folded_program_has_the_optimum_of_the_problem() -> None:
    found = 0
    for problem in problems(150):
        program, mapped, *_ = folded(problem, Deadline())
        if len(program.names) > _FEW:
            continue
        best = max(feasible(program), key=lambda values: score(program, values))
        assert score(program, best) == oracle.best_score(
            problem.n_left, problem.n_right, problem.terms
        )
        pairs = zip(problem.candidates, mapped, strict=True)
        mapping = dict(pair for pair, position in pairs if best[position])
        assert problem.value(mapping) == score(program, best)
        found += len(program.names) < len(grouped(problem, Deadline()).names)
    assert found > 10


def test_the_start_of_a_program_is_feasible_and_scores_what_its_mapping_does() -> None:
    rng = random.Random("start")
    for problem in problems(50):
        placed = folded(problem, Deadline())
        mapping: dict[int, int] = {}
        for left, right in rng.sample(problem.candidates, len(problem.candidates)):
            if left not in mapping and right not in mapping.values():
                mapping[left] = right
        values = placed.start(problem, mapping)
        assert score(placed.program, tuple(values)) == problem.value(mapping)
        for row in placed.program.rows:
            assert sum(sign * values[position] for sign, position in row.summands) <= row.limit


def test_penalties_make_up_the_score_whatever_the_multipliers() -> None:
    rng = random.Random("multipliers")
    for program in small_programs():
        unit = rng.choice([1, 2, 60])
        of_row = [rng.choice([0, rng.randint(0, 3 * unit)]) for _ in program.rows]
        _, most, clauses = penalties(program, Multipliers(unit, of_row, []))
        assert all(weight > 0 for weight, _ in clauses)
        for values in feasible(program):
            cost = sum(weight for weight, clause in clauses if is_violated(clause, values))
            assert unit * score(program, values) == most - cost


@pytest.mark.parametrize("times", [1, 1000, HUGE])
def test_multipliers_of_the_dual_give_a_bound_near_the_optimum(times: int) -> None:
    for problem in problems(40):
        if not problem.terms:
            continue
        terms = [Term(weight * times, pairs) for weight, pairs in problem.terms]
        larger = MatchingProblem(problem.n_left, problem.n_right, terms)
        program = folded(larger, Deadline()).program
        multipliers = dual_multipliers(program, Deadline())
        assert multipliers is not None
        unit, most, _ = penalties(program, multipliers)
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms) * times
        assert best <= most / unit * (1 + 1e-9)
        assert unit * best <= most
        assert most <= 1.5 * unit * best


def test_multipliers_that_the_solver_fails_to_compute_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ortools.math_opt.python import mathopt

    def fails(*_: object, **__: object) -> None:
        raise AttributeError("'StatusNotOk' object has no attribute 'canonical_code'")

    monkeypatch.setattr(mathopt, "solve", fails)
    problem = MatchingProblem(1, 1, [Term(1, ((0, 0),))])
    assert dual_multipliers(folded(problem, Deadline()).program, Deadline()) is None
