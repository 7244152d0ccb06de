"""The dual bound is never below the optimum, for any shares; its kernel in both forms."""

import hashlib
import json
import os
import random
import subprocess
import sys
import traceback
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import generate
import numpy as np
import pytest
import solver_set
from clique_samples import FORCED, tangled_problem
from nightly import day_share
from oracles import brute_force as oracle
from samples import compared, random_problem
from seeds import cases

from exactmatch.problem import MatchingProblem, Pair, Term
from exactmatch.problem.integers import integers, zeros
from exactmatch.problem.interpreted import interpreted
from exactmatch.problem.proof import Branch, Cliques, Fixing, Node
from exactmatch.solving.budgets import DualBudgets, Effort, Pace
from exactmatch.solving.dual.assignment import Assignment
from exactmatch.solving.dual.branch_and_bound import prove, quick_bound
from exactmatch.solving.dual.branching import Branching
from exactmatch.solving.dual.descent import Descent, Incumbent
from exactmatch.solving.dual.kernel import largest_scale
from exactmatch.solving.dual.lagrangian import Dual
from exactmatch.solving.dual.layout import Relaxation
from exactmatch.solving.dual.primal_heuristic import PrimalHeuristic
from exactmatch.solving.presolve import star_bounds
from exactmatch.stopping.deadline import Deadline, OutOfTime


def best_score(problem: MatchingProblem) -> int:
    return oracle.best_score(problem.n_left, problem.n_right, problem.terms)


def hard_problem(family: str, size: int, seed: int) -> MatchingProblem:
    return compared(*generate.family(family, size, seed=seed)).problem


def identical_problem(number: int) -> MatchingProblem:
    """Return a problem whose candidates exclude nothing."""
    return MatchingProblem(number, number, [Term(1, ((i, i),)) for i in range(number)])


def random_shares(relaxation: Relaxation, scale: int, rng: random.Random) -> list[int]:
    shares = [0] * len(relaxation.ring)
    for first in relaxation.terms:
        members = [first]
        while relaxation.ring[members[-1]] != first:
            members.append(relaxation.ring[members[-1]])
        total = relaxation.weight[first] * scale
        cuts = sorted(rng.randint(0, total) for _ in members[1:])
        for h, low, high in zip(members, [0, *cuts], [*cuts, total], strict=True):
            shares[h] = high - low
    return shares


def best_choice(n_rows: int, n_columns: int, edges: list[Pair], values: Sequence[int]) -> int:
    terms = [(value, [edge]) for edge, value in zip(edges, values, strict=True)]
    return oracle.best_score(n_rows, n_columns, terms)


def test_assignment_is_the_best_and_knows_how_far_values_can_rise() -> None:
    rng = random.Random("assignment")
    for _ in range(400):
        n_rows, n_columns = rng.randint(0, 4), rng.randint(1, 4)
        rows = [[j for j in range(n_columns) if rng.random() < 0.7] for _ in range(n_rows)]
        column = [j for row in rows for j in row]
        values = [rng.randint(-2, rng.choice([3, 50])) for _ in column]
        first = list(accumulate(map(len, rows), initial=0))
        value, chosen, ceiling = integers(values), zeros(len(column)), zeros(len(column))
        solver = Assignment(integers(first), integers(column), n_columns, value, chosen, ceiling)

        edges = [(i, j) for i, row in enumerate(rows) for j in row]
        total = solver.solve()
        assert total == best_choice(n_rows, n_columns, edges, value)
        assert total == sum(v for v, c in zip(value, chosen, strict=True) if c)
        taken = [column[e] for e in range(len(column)) if chosen[e]]
        assert len(set(taken)) == len(taken)
        assert min(solver.prices()) >= 0
        assert {j for j, price in enumerate(solver.prices()) if price} <= set(taken)
        for e, most in enumerate(list(ceiling)):
            value[e], before = most, value[e]
            assert best_choice(n_rows, n_columns, edges, value) == total
            value[e] = before


def test_prices_prove_large_assignments() -> None:
    """No edge is above its ceiling, so profits and prices bound every assignment."""
    rng = random.Random("large assignment")
    for _ in range(300):
        n_rows, n_columns = rng.randint(1, 40), rng.randint(1, 40)
        density, largest = rng.random(), rng.choice([2, 30, 10**6])
        rows = [[j for j in range(n_columns) if rng.random() < density] for _ in range(n_rows)]
        column = [j for row in rows for j in row]
        value = integers([rng.randint(-1, largest) for _ in column])
        chosen, ceiling = zeros(len(column)), zeros(len(column))
        first = integers(list(accumulate(map(len, rows), initial=0)))
        solver = Assignment(first, integers(column), n_columns, value, chosen, ceiling)
        for _ in range(2):
            total = solver.solve()
            assert total == sum(v for v, c in zip(value, chosen, strict=True) if c)
            assert all(v <= most for v, most in zip(value, ceiling, strict=True))
            for e in range(len(column)):
                value[e] = rng.randint(-1, largest)


def test_no_shares_give_a_bound_below_the_optimum() -> None:
    rng = random.Random("shares")
    tight = 0
    for _ in range(800):
        problem = random_problem(rng)
        relaxation = Relaxation(problem)
        scale = rng.choice([1, 2, 7, 65536])
        dual = Dual(relaxation, scale)
        steps = relaxation.subgradient(dual)
        dual.set_shares(integers(random_shares(relaxation, scale, rng)))
        bounds = [dual.evaluate()]
        for k in range(8):
            if rng.random() < 0.5:
                dual.sweep(k % 2 == 0)
            else:
                steps.step(scale * rng.randint(1, 3), rng.randint(0, 3), rng.randint(1, 5))
            assert min(dual.shares(), default=0) >= 0
            bounds.append(dual.evaluate())
        best = best_score(problem)
        assert min(bounds) >= best * scale
        assert relaxation.value(dual.selected) <= best
        tight += min(bounds) // scale == best
    assert tight > 400


def test_rounded_shares_are_near_and_keep_the_weight_of_each_term() -> None:
    rng = random.Random("rounded")
    for _ in range(300):
        relaxation = Relaxation(random_problem(rng))
        scale, coarse = rng.choice([1, 7, 65536]), rng.choice([1, 2, 3, 60])
        fine = Dual(relaxation, scale)
        fine.divide_equally()
        for k in range(3):
            fine.evaluate()
            fine.sweep(k % 2 == 0)
        shares = fine.shares()
        dual = Dual(relaxation, coarse)
        dual.divide_equally()
        equal = dual.shares()
        dual.take_rounded(shares, scale)
        rounded = dual.shares()
        unlike = set(dual.differing(rounded, equal))
        for first in relaxation.terms:
            members = relaxation.members(first)
            assert sum(rounded[h] for h in members) == coarse * relaxation.weight[first]
            for h in members[:-1]:
                assert 0 <= rounded[h] <= Fraction(shares[h] * coarse, scale) + Fraction(1, 2)
            assert (first in unlike) == any(rounded[h] != equal[h] for h in members)


def test_sweeps_never_raise_the_bound_and_keep_all_weight() -> None:
    rng = random.Random("sweeps")
    lowered = 0
    for _ in range(300):
        problem = random_problem(rng)
        relaxation = Relaxation(problem)
        dual = Dual(relaxation, 1 << 12)
        dual.set_shares(integers(random_shares(relaxation, 1 << 12, rng)))
        total = sum(dual.shares())
        bound = start = dual.evaluate()
        for k in range(6):
            dual.sweep(k % 2 == 0)
            assert sum(dual.shares()) == total
            assert dual.evaluate() <= bound
            bound = dual.evaluate()
        lowered += bound < start
    assert lowered > 80


def test_sweeps_do_as_in_the_example() -> None:
    """The example is that of `Dual.sweep`, computed by hand."""
    problem = MatchingProblem(2, 3, (Term(2, ((0, 0), (1, 1))), Term(2, ((1, 2),))))
    dual = Dual(Relaxation(problem), scale=4)
    dual.divide_equally()
    seen = [(list(dual.shares()), dual.evaluate())]
    for _ in range(2):
        dual.sweep(backwards=False)
        seen.append((list(dual.shares()), dual.evaluate()))
    assert seen == [([4, 4], 12), ([2, 6], 10), ([1, 7], 9)]
    assert best_score(problem) == 9 // 4


def test_banned_candidates_are_out_of_the_bound_and_nothing_else_is() -> None:
    rng = random.Random("banned")
    for _ in range(400):
        problem = random_problem(rng)
        banned = {c for c in range(len(problem.candidates)) if rng.random() < 0.3}
        pairs = {problem.candidates[c] for c in banned}
        rest = [t for t in problem.terms if not pairs & set(t.pairs)]
        best = oracle.best_score(problem.n_left, problem.n_right, rest)
        incumbent = Incumbent()
        case = Descent(Relaxation(problem), incumbent, banned=banned)
        case.run(60)
        assert case.upper >= best
        assert incumbent.value <= best_score(problem)


@pytest.mark.slow
def test_every_small_problem_is_proven() -> None:
    rng = random.Random("prove")
    cases = 0
    for _ in range(1500):
        problem = random_problem(rng)
        proof = prove(problem, Deadline())
        assert proof.lower == proof.upper == problem.value(proof.mapping) == best_score(problem)
        assert len(set(proof.mapping.values())) == len(proof.mapping)
        quick = quick_bound(problem, Deadline())
        assert problem.value(quick.mapping) == quick.lower <= proof.lower <= quick.upper
        cases += proof.cases > 1
    assert cases > 0


def test_bound_is_the_optimum_without_relations() -> None:
    rng = random.Random("unary")
    for _ in range(500):
        problem = random_problem(rng, largest_term=1)
        quick = quick_bound(problem, Deadline())
        assert problem.value(quick.mapping) == best_score(problem) == quick.upper


def test_a_linear_program_that_is_not_enough_takes_two_cases() -> None:
    """Six halves of a pair score 3 here, whole pairs 2: no shares prove 2."""
    pairs = [[(0, 0)], [(0, 1), (1, 2)], [(0, 1), (3, 4)], [(1, 0)], [(3, 1), (5, 2)], [(5, 4)]]
    problem = MatchingProblem(6, 5, tuple(Term(1, tuple(p)) for p in pairs))
    root = Descent(Relaxation(problem), Incumbent())
    root.run(1000)
    proof = prove(problem, Deadline())
    assert (root.upper, proof.upper, proof.lower, proof.cases) == (3, 2, 2, 3)


def test_candidates_outside_the_core_take_their_terms_at_no_cost() -> None:
    budgets = DualBudgets(sweeps=0, core_sweeps=0)
    for seed in range(6):
        problem = hard_problem("loops", 12, seed)
        root = Descent(Relaxation(problem), Incumbent(), budgets=budgets)
        root.run(2)
        before, spared = root._bound, root.spared()
        core = root.without(spared, same_scale=True)
        root.take_back(core, spared)
        taken = root._bound
        assert core._bound <= taken < before
        core.run(100)
        root.take_back(core, spared)
        assert core._bound <= root._bound < taken


def test_no_time_or_no_cases_leave_an_interval() -> None:
    problem = hard_problem("unrelated", 6, 1)
    found = prove(problem, Deadline())
    best = found.lower
    late = prove(problem, Deadline(at=0.0))
    assert problem.value(late.mapping) == late.lower <= best <= late.upper
    assert late.lower < late.upper
    assert late.rest is problem
    later = prove(problem, Deadline(at=0.0), found.mapping, rest_by=Deadline())
    assert later.lower == best < later.upper
    assert len(later.rest.terms) < len(problem.terms)
    little = DualBudgets(steps=1)
    given_up = prove(problem, Deadline(), budgets=little)
    assert given_up.lower <= best < given_up.upper


@pytest.mark.parametrize("family", ["isomorphic", "unlabelled", "unrelated", "parallel", "chorus"])
def test_hard_families_are_proven(family: str) -> None:
    proof = prove(hard_problem(family, 5, 2), Deadline())
    assert proof.lower == proof.upper


def test_moves_of_the_primal_heuristic_add_up() -> None:
    rng = random.Random("primal heuristic")
    for _ in range(300):
        problem = random_problem(rng)
        relaxation = Relaxation(problem)
        dual = Dual(relaxation, 64)
        dual.divide_equally()
        dual.evaluate()
        heuristic = PrimalHeuristic(relaxation, Deadline())
        heuristic.start(dual.selected)
        values = [heuristic.value()]
        moves: list[Callable[[], None]] = [
            heuristic.assign_again,
            heuristic.insert,
            *(partial(heuristic.shake, 200, seed) for seed in (1, 2)),
        ]
        for improve in moves:
            improve()
            flags = zip(problem.candidates, heuristic.chosen(), strict=True)
            pairs = [pair for pair, flag in flags if flag]
            assert len({i for i, _ in pairs}) == len(pairs) == len({j for _, j in pairs})
            assert problem.value(dict(pairs)) == heuristic.value()
            values.append(heuristic.value())
        assert values == sorted(values)


def test_random_changes_find_the_best_mapping_from_nothing() -> None:
    for seed in range(1, 13):
        problem = hard_problem("unrelated", 7, seed)
        heuristic = Relaxation(problem).primal_heuristic(Deadline())
        heuristic.start_from({})
        heuristic.shake(60_000, seed)
        assert heuristic.value() == prove(problem, Deadline()).lower


class Countdown:
    """A deadline that comes at the check of this *number*."""

    def __init__(self, number: int) -> None:
        self.left = number

    def check(self) -> None:
        self.left -= 1
        if self.left <= 0:
            raise OutOfTime


@pytest.mark.parametrize("problem", [hard_problem("unrelated", 9, 1), identical_problem(9)])
def test_random_changes_end_at_the_deadline(problem: MatchingProblem) -> None:
    """That is so even if all is in the mapping, and nothing is left to try."""
    deadline: Any = Countdown(5)
    heuristic = Relaxation(problem).primal_heuristic(deadline)
    heuristic.start_from({i: i for i in range(9)})
    with pytest.raises(OutOfTime):
        heuristic.shake(1 << 28, 1)


def test_the_deadline_leaves_the_best_mapping_of_random_changes() -> None:
    """It is that of the descent, which may come before that of its relaxation."""
    incumbent = Incumbent()
    deadline: Any = Countdown(60)
    root = Descent(Relaxation(hard_problem("unrelated", 20, 1)), incumbent, deadline)
    before = incumbent.value
    with pytest.raises(OutOfTime):
        root.shake(6, root.passes())
    assert incumbent.value > before


class Watched(list[int]):
    """A list that counts how often a number is read."""

    reads = 0

    def __getitem__(self, place: Any) -> Any:
        self.reads += 1
        return super().__getitem__(place)


def test_random_changes_look_at_no_variable_far_from_them() -> None:
    """Otherwise, few open pairs in a long document would take minutes."""
    problem = identical_problem(1_000)
    wide = interpreted("exactmatch.solving.dual.layout").Relaxation(problem)
    heuristic = wide.primal_heuristic(Deadline())
    heuristic.start_from({i: i for i in range(10, 1_000)})
    heuristic.is_near = Watched(heuristic.is_near)
    heuristic.shake(1_000, 1)
    assert 0 < heuristic.is_near.reads < 100


class Recorder:
    """A heuristic that finds nothing, and keeps the work that it was asked for."""

    def __init__(self) -> None:
        self.work: list[int] = []

    def start_from(self, mapping: dict[int, int]) -> None:
        """Begin anywhere."""

    def shake(self, most_work: int, seed: int) -> None:
        self.work.append(most_work)

    def value(self) -> int:
        return -1


def test_smaller_units_ask_for_no_more_random_changes() -> None:
    """S2match counts thousandths: a gap of half a triple is 500 there."""
    one = hard_problem("unrelated", 12, 1)
    finer = [Term(1_000 * term.weight, term.pairs) for term in one.each_term()]
    asked = []
    for problem in (one, MatchingProblem(one.n_left, one.n_right, finer)):
        root: Any = Descent(Relaxation(problem), Incumbent())
        root._primal_heuristic = Recorder()
        root.shake(1, root.passes())
        asked.append(root._primal_heuristic.work[0])
    most = DualBudgets().shaking * DualBudgets().most_missing ** 2 * root.size
    assert max(asked) < most


@pytest.mark.slow  # interpreted, it takes twenty times as long
def test_a_gap_is_searched_for_better_mappings() -> None:
    """The dual alone misses the best mapping, and no work is left for more of it."""
    problem = solver_set.problem_of("noisytexts-6-1").problem
    without, found = (
        prove(problem, Deadline(), budgets=DualBudgets(few_shakes=shakes), effort=Effort()).lower
        for shakes in (0, 1)
    )
    assert without < found


def test_groups_have_no_row_and_no_column_in_common() -> None:
    rng = random.Random("groups")
    for _ in range(200):
        problem = random_problem(rng)
        relaxation = Relaxation(problem)
        for c, pair in enumerate(problem.candidates):
            seen: set[tuple[int, tuple[int, ...]]] = set()
            for g in range(relaxation.group_start[c], relaxation.group_start[c + 1]):
                keys = set()
                for h in range(relaxation.group_first[g], relaxation.group_first[g + 1]):
                    first = h
                    while first not in relaxation.terms:
                        first = relaxation.ring[first]
                    term = relaxation.term_of[list(relaxation.terms).index(first)]
                    rest = [p for p in problem.terms[term].pairs if p != pair]
                    keys |= {(side, tuple(sorted(p[side] for p in rest))) for side in (0, 1)}
                assert not keys & seen
                seen |= keys


def test_bounds_know_that_images_exclude_each_other() -> None:
    """A mapping scores one of three relations between two left variables, in both directions."""
    terms = tuple(Term(4, ((0, 0), (1, j))) for j in (1, 2, 3))
    problem = MatchingProblem(2, 4, terms)
    assert star_bounds(problem, [4, 4, 4]) == {(0, 0): 4, (1, 1): 4, (1, 2): 4, (1, 3): 4}
    assert quick_bound(problem, Deadline()).upper == 4
    back = MatchingProblem(4, 2, tuple(Term(4, ((0, 0), (i, 1))) for i in (1, 2, 3)))
    assert quick_bound(back, Deadline()).upper == 4


def test_rows_hold_the_terms_that_exclude_each_other() -> None:
    terms = (
        Term(1, ((0, 0), (1, 1))),
        Term(1, ((0, 0), (1, 1), (2, 2))),
        Term(1, ((0, 0), (1, 2))),
        Term(1, ((0, 0), (1, 2), (2, 1))),
    )
    rows = MatchingProblem(3, 3, terms).grouped_rows
    of_first = sorted(row.terms for row in rows if row.candidate == 0)
    assert of_first == [(0,), (0, 2), (1, 3), (2,)]


def test_large_weights_stay_within_64_bits() -> None:
    assert largest_scale(100, 65536) == 65536
    assert largest_scale(10**14, 65536) * 10**14 < 2**52
    weight = 10**13
    terms = (Term(weight, ((0, 0),)), Term(3 * weight + 1, ((0, 1), (1, 0))))
    proof = prove(MatchingProblem(2, 2, terms), Deadline())
    assert proof.lower == proof.upper == 3 * weight + 1


#: Prints a digest of all that is proven of random problems, with the kernel interpreted.
SCRIPT = """
import importlib.util, json, random, sys
from pathlib import Path
sys.path[:0] = json.loads(sys.argv[1])
import exactmatch.problem, exactmatch.solving.dual

class Interpreted:
    def find_spec(self, name, path=None, target=None):
        room, _, module = name.rpartition(".")
        if room in ("exactmatch.problem", "exactmatch.solving.dual"):
            file = Path(sys.modules[room].__file__).with_name(f"{module}.py")
            return importlib.util.spec_from_file_location(name, file)

sys.meta_path.insert(0, Interpreted())
import test_dual
from exactmatch.problem.integers import COMPILED
print("compiled" if COMPILED else "interpreted")
print(test_dual.all_that_is_proven(int(sys.argv[2])))
"""


def shares_of(node: Node) -> list[Any]:
    if isinstance(node, Branch):
        return [node.pair, shares_of(node.with_pair), shares_of(node.without_pair)]
    if isinstance(node, Fixing):
        return [node.score, sorted(node.fixed), shares_of(node.leaf), shares_of(node.rest)]
    if isinstance(node, Cliques):
        return [node.cliques, node.unit, shares_of(node.rest)]
    return [sorted(node.banned), list(node.shares)]


def all_that_is_proven(number: int) -> str:
    """Return a digest of mappings, bounds, shares and branches of so many tens of problems."""
    from exactmatch.solving.certificates import proof_json

    rng = random.Random("both")
    problems = [random_problem(rng) for _ in range(10 * number)]
    for family in ("isomorphic", "unlabelled", "unrelated", "parallel"):
        problems += [hard_problem(family, 6, seed) for seed in range(3)]
    digest = hashlib.sha256()
    usual, forced = DualBudgets(), FORCED
    tangled = [tangled_problem(rng) for _ in range(number)]
    for problem, budgets in [*((p, usual) for p in problems), *((p, forced) for p in tangled)]:
        proof = prove(problem, Deadline(), budgets=budgets)
        written = proof_json(proof)
        digest.update(json.dumps([proof.lower, sorted(proof.mapping.items()), written]).encode())
        digest.update(json.dumps([shares_of(proof.node), proof.cases]).encode())
    return digest.hexdigest()


def test_the_drawing_of_the_layout_shows_what_is_laid_out() -> None:
    terms = [((1, 1), 4), ((1, 2), 3), ((2, 1), 3), ((3, 3), 3)]
    problem = MatchingProblem(4, 4, [Term(weight, ((0, 0), pair)) for pair, weight in terms])
    relaxation = Relaxation(problem)
    assert relaxation.candidates == [(0, 0), (1, 1), (1, 2), (2, 1), (3, 3)]
    assert list(relaxation.share_start) == [0, 4, 5, 6, 7, 8]
    assert list(relaxation.group_first) == [0, 3, 4, 5, 6, 7, 8]
    assert list(relaxation.row_key) == [1, 1, 2, 3, 0, 0, 0, 0]
    assert list(relaxation.column_key) == [1, 2, 1, 3, 0, 0, 0, 0]
    assert list(relaxation.ring) == [4, 5, 6, 7, 0, 1, 2, 3]
    assert list(relaxation.rows) == [0]
    dual = Dual(relaxation, 2)
    dual.divide_equally()
    assert list(dual.shares()) == [4, 3, 3, 3, 4, 3, 3, 3]
    assert dual.evaluate() == 9 + 3 + 3 + 3
    assert list(dual.selected) == [1, 0, 1, 1, 1]
    assert relaxation.value(dual.selected) == 9


@pytest.mark.slow
def test_interpreted_and_compiled_kernels_prove_the_same() -> None:
    """Without compiled code, both are interpreted. Their sets have different orders."""
    number = day_share(60)
    other = "1" if os.environ.get("PYTHONHASHSEED") == "0" else "0"
    tests = Path(__file__).resolve().parents[1]
    folders = [str(tests), str(tests / "solving"), str(Path(generate.__file__).parent)]
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(folders), str(number)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONHASHSEED": other},
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["interpreted", all_that_is_proven(number)]


@pytest.mark.parametrize(
    "wrong",
    [
        *({name: 0} for name in ("margin", "near", "nearby_part", "assign_every", "insert_every")),
        {"margin": -1}, {"margin": 4.0}, {"margin": True}, {"steps": -1}, {"core_sweeps": None},
        {"most_halvings": 64}, {"fusion_tree": (100, -5)}, {"level_tree": (60, 0.5, 0)},
        {"few_terms": -1}, {"least_fixed": 0}, {"least_fixed": -0.5},
        {"least_fixed": float("nan")},
    ],
)  # fmt: skip
def test_budgets_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))} is "):
        DualBudgets(**wrong)


@pytest.mark.parametrize("wrong", [{"sweep_every": 0}, {"patience": -1}, {"memory": 2.0}])
def test_paces_that_mean_nothing_are_refused(wrong: dict[str, Any]) -> None:
    right = {"sweep_every": 3, "patience": 3, "halvings": 0, "memory": 2}
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))} is "):
        Pace(**{**right, **wrong})


def test_the_least_budgets_prove_nothing_wrong() -> None:
    """Every budget is at its minimum; the remaining intervals hold the optimum."""
    pace = Pace(sweep_every=1, patience=0, halvings=0, memory=0)
    least = DualBudgets(
        sweeps=0, sweeps_again=0, quick=pace, nearby=pace, slow=pace, assign_every=1,
        insert_every=1, insert_early=0, most_halvings=0, root_iterations=0, margin=1,
        core_iterations=0, core_sweeps=0, recent=0, nearby_part=1, most_nearby=0,
        fusion_tree=(0, 0, 0), nearby_tree=(0, 0, 0), first_tree=(0, 0, 0), level_tree=(3, 1, 0),
        case_iterations=0, rest_iterations=0, trial_iterations=0, near=1, farther=0, most_trials=0,
        least_fixed=1e-9, deepest=1, most_shares=0, few_terms=0,
    )  # fmt: skip
    rng = random.Random("least budgets")
    for _ in range(cases(100)):
        problem = random_problem(rng)
        for budgets in (
            least,
            DualBudgets(steps=0),
            DualBudgets(core_iterations=0, least_fixed=1e-9),
        ):
            proof = prove(problem, Deadline(), budgets=budgets)
            assert proof.lower <= best_score(problem) <= proof.upper


@pytest.mark.slow
def test_weights_that_only_the_interpreter_can_hold_get_less_work() -> None:
    """Otherwise, a solver that could prove them would wait for half a minute."""
    small = hard_problem("unrelated", 12, seed=1)
    huge = MatchingProblem(
        small.n_left,
        small.n_right,
        [Term((term.weight << 44) + k, term.pairs) for k, term in enumerate(small.each_term())],
    )
    proven = prove(small, Deadline(), effort=Effort(passes=0))
    given_up = prove(huge, Deadline(), effort=Effort(passes=0))
    assert proven.lower == proven.upper
    assert given_up.cases == 1 and given_up.lower < given_up.upper


@pytest.mark.slow
def test_the_deepest_tree_fits_into_the_recursion_of_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every case fixes some candidates and branches, until that would be too deep."""
    depths: list[int] = []
    usual = Branching.pair

    def counting(self: Branching, case: Descent, number: int) -> Pair | None:
        depths.append(sum(1 for _ in traceback.walk_stack(None)))
        return usual(self, case, number)

    monkeypatch.setattr(Branching, "pair", counting)
    budgets = DualBudgets(
        case_iterations=0, rest_iterations=0, trial_iterations=0, least_fixed=1e-9, deepest=20
    )
    prove(hard_problem("unrelated", 20, seed=1), Deadline(), budgets=budgets)
    assert 20 < max(depths) - min(depths) <= 4 * budgets.deepest
    assert 4 * DualBudgets().deepest < sys.getrecursionlimit() - 150


@pytest.mark.parametrize("weight", [0, -1, True, 1.0, Fraction(2), np.int64(3), None, "1"])
def test_weights_that_are_no_positive_whole_numbers_are_refused(weight: Any) -> None:
    terms = [Term(1, ((0, 0),)), Term(weight, ((1, 1),))]
    with pytest.raises(ValueError, match="its weight must be a positive int"):
        MatchingProblem(2, 2, terms)


def test_a_mapping_may_consist_of_integers_of_numpy() -> None:
    problem = MatchingProblem(2, 2, [Term(2, ((0, 1),)), Term(3, ((0, 1), (1, 0)))])
    assert problem.value(dict(zip(np.arange(2), np.array([1, 0]), strict=True))) == 5


def test_few_terms_never_raise_a_budget() -> None:
    """Whoever asks for no random changes gets none."""
    none = DualBudgets(shakes=0).for_terms(1)
    assert none.shakes == 0
    assert DualBudgets().for_terms(1).shakes == DualBudgets().few_shakes < DualBudgets().shakes
