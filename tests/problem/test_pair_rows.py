"""Pair rows: the relaxation is never below the optimum, and never above the grouped one.

Rows that another one implies change no relaxation.
"""

import random

import pytest
from oracles import brute_force as oracle
from relaxations import relaxed
from seeds import cases

from exactmatch.problem import MatchingProblem, Pair, Term
from exactmatch.problem.linear_program import folded, grouped, paired, undominated
from exactmatch.problem.pair_rows import pair_rows
from exactmatch.stopping.deadline import Deadline, OutOfTime

#: No mapping holds two of these terms, but halves of all satisfy the grouped rows.
TANGLED = MatchingProblem(
    4,
    6,
    [
        Term(2, ((0, 0), (1, 2), (2, 4))),
        Term(2, ((0, 0), (1, 3), (3, 5))),
        Term(2, ((0, 1), (1, 2), (3, 5))),
        Term(2, ((0, 1), (1, 3), (2, 4))),
    ],
)


def larger_problem(rng: random.Random) -> MatchingProblem:
    """Return a problem of terms of one to four pairs."""
    n_left, n_right = rng.randint(3, 5), rng.randint(3, 5)
    sets: set[tuple[Pair, ...]] = set()
    for _ in range(rng.randint(4, 30)):
        size = min(n_left, n_right, rng.choice((1, 2, 2, 3, 3, 3, 4)))
        lefts = sorted(rng.sample(range(n_left), size))
        sets.add(tuple(zip(lefts, rng.sample(range(n_right), size), strict=True)))
    terms = [Term(rng.randint(1, 4), pairs) for pairs in sorted(sets)]
    return MatchingProblem(n_left, n_right, terms)


def test_relaxations_lie_between_the_optimum_and_the_grouped_ones() -> None:
    pytest.importorskip("scipy")
    rng = random.Random("pair rows")
    tighter = 0
    for _ in range(cases(100)):
        problem = larger_problem(rng)
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        closed = relaxed(folded(problem, Deadline()).program)
        loose = relaxed(grouped(problem, Deadline()))
        assert best - 1e-6 <= closed <= loose + 1e-6
        tighter += closed < loose - 1e-6
    assert tighter > cases(10)


def test_terms_that_differ_in_the_image_of_one_variable_exclude_each_other() -> None:
    pytest.importorskip("scipy")
    assert relaxed(grouped(TANGLED, Deadline())) == pytest.approx(4)
    assert relaxed(paired(TANGLED, Deadline())) == pytest.approx(2)
    assert relaxed(folded(TANGLED, Deadline()).program) == pytest.approx(2)


def test_every_mapping_satisfies_every_row() -> None:
    rng = random.Random("rows hold")
    for _ in range(cases(200)):
        problem = larger_problem(rng)
        most = max(problem.n_left, problem.n_right)
        held = set(zip(range(problem.n_left), rng.sample(range(most), most), strict=False))
        for base, sets in pair_rows(problem, Deadline()).rows:
            assert sum(held.issuperset(pairs) for pairs in sets) <= held.issuperset(base)


def test_without_larger_terms_rows_are_the_grouped_ones() -> None:
    terms = [Term(1, ((0, 0), (1, 1))), Term(1, ((0, 0), (1, 2))), Term(1, ((2, 2),))]
    problem = MatchingProblem(3, 3, terms)
    assert pair_rows(problem, Deadline()) == ((), (), problem.grouped_rows)


def test_a_term_whose_inner_sets_no_other_shares_adds_none() -> None:
    problem = MatchingProblem(3, 3, [Term(1, ((0, 0), (1, 1), (2, 2)))])
    assert pair_rows(problem, Deadline()) == ((), (), problem.grouped_rows)


def test_a_row_is_left_out_only_if_another_one_implies_it() -> None:
    """A kept row has all of its terms, and more, under the same candidate."""
    rng = random.Random("implied")
    dropped = 0
    for _ in range(cases(200)):
        problem = larger_problem(rng)
        rows, kept = problem.grouped_rows, problem.undominated_rows
        assert [row for row in rows if row in set(kept)] == list(kept)
        for row in set(rows) - set(kept):
            others = (each.terms for each in kept if each.candidate == row.candidate)
            assert any({*row.terms} < {*terms} for terms in others)
            dropped += 1
        for candidate, terms in kept:
            others = (each.terms for each in kept if each.candidate == candidate)
            assert not any({*terms} < {*more} for more in others)
    assert dropped > 10 * cases(200)


def test_without_implied_rows_the_relaxation_is_the_same() -> None:
    pytest.importorskip("scipy")
    rng = random.Random("same relaxation")
    for _ in range(cases(60)):
        problem = larger_problem(rng)
        every, few = grouped(problem, Deadline()), undominated(problem, Deadline())
        assert len(every.rows) - len(few.rows) == len(problem.grouped_rows) - len(
            problem.undominated_rows
        )
        assert relaxed(few) == pytest.approx(relaxed(every))


def test_rows_take_no_longer_than_there_is_time() -> None:
    with pytest.raises(OutOfTime):
        pair_rows(TANGLED, Deadline(at=0.0))
