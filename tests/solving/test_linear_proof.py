"""Proofs by linear relaxations: what a solver claims, or finds, becomes a checked proof."""

import pickle
import random
from array import array
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import generate
import pytest
import solver_set
from clique_samples import tangled_problem
from looks import Looks
from missing_prover import without_relaxations
from nightly import day_share
from oracles import brute_force as oracle
from samples import compared, random_problem
from seeds import cases

from exactmatch.certificate.checker import bound
from exactmatch.encodings import NAMES, PROVER, get_encoding
from exactmatch.encodings.base import (
    Bounded,
    NeverLoaded,
    Outcome,
    OutOfMemory,
    Split,
    Tree,
    Weighed,
)
from exactmatch.encodings.linear_relaxation import LinearRelaxation, TrialStart
from exactmatch.errors import VerificationError, WorkerError
from exactmatch.problem import MatchingProblem, Term
from exactmatch.problem.proof import Branch, Cliques, Fixing, Node
from exactmatch.solving import linear_proof, solver_process, strategy
from exactmatch.solving.budgets import Budgets, DualBudgets, Effort
from exactmatch.solving.certificates import proof_json
from exactmatch.solving.dual.branch_and_bound import Proof, prove
from exactmatch.solving.dual.descent import Descent
from exactmatch.solving.linear_proof import Remainder
from exactmatch.solving.names import BRANCH_AND_BOUND, DUAL
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import checked, solve
from exactmatch.stopping.deadline import Deadline, OutOfTime

#: A dual that fixes nothing and mends nothing, so that all is left to the relaxations.
_NOTHING = DualBudgets(rest_iterations=0, sweeps_again=0)
#: The dual leaves the first proof to a solver.
_LEFT = Budgets(dual=DualBudgets(root_iterations=0, shakes=0), effort=Effort(0, 0))
#: And hardly lowers the bound later.
_IDLE = _LEFT._replace(dual=DualBudgets(root_iterations=0, shakes=0, rest_iterations=0))


def best_of(problem: MatchingProblem) -> int:
    return oracle.best_score(problem.n_left, problem.n_right, problem.terms)


def answer_for(remainder: Remainder) -> Outcome:
    rest, hint = remainder.rest, remainder.hint
    return get_encoding(PROVER).solve(
        rest, hint=hint, upper=rest.total, deadline=Deadline(), seed=0
    )


def proof_of(problem: MatchingProblem) -> Proof:
    remainder = Remainder(problem, {}, Deadline(), _NOTHING)
    proof = remainder.proof(answer_for(remainder))
    assert proof is not None
    return proof


def test_a_trial_bounds_the_case_that_it_tries() -> None:
    """It stops early: its bound is between that of the case and that of the case above."""
    problem = solver_set.problem_of("unrelated-14-1").problem
    relaxation = LinearRelaxation(problem, Deadline())
    above = relaxation.solve(frozenset(), None)
    assert above is not None
    start = TrialStart(relaxation.completed(above.basis))
    effective = 0
    for group in problem.rivals:
        case = relaxation.solve(frozenset(group), above.basis)
        tried = relaxation.bound(frozenset(group), start)
        assert case is not None and tried is not None
        assert case.value - 1e-6 <= tried <= above.value + 1e-6
        effective += tried < above.value - 0.1
    assert effective > 10
    assert relaxation.bound(frozenset(), start) == pytest.approx(above.value)


def test_a_failed_relaxation_bans_nothing_later(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = compared(*generate.family("unrelated", 6, seed=1)).problem
    relaxation = LinearRelaxation(problem, Deadline())
    whole = relaxation.solve(frozenset(), None)

    def failing(**options: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(relaxation._solver, "solve", failing)
        assert relaxation.solve(frozenset(range(len(problem.candidates))), None) is None
    again = relaxation.solve(frozenset(), None)
    assert whole is not None and again is not None
    assert whole.value == pytest.approx(again.value) and whole.value > 1


@pytest.fixture(autouse=True)
def only_relaxations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no dual mend what relaxations leave open."""
    monkeypatch.setattr(linear_proof, "_MENDING", 0)


def remainders(number: int) -> Iterator[tuple[MatchingProblem, Remainder, Outcome]]:
    """Yield random problems, most without a known mapping, what is left of them, and answers."""
    rng = random.Random("relaxations")
    for k in range(number):
        problem = random_problem(rng)
        if k % 3 == 0:
            problem = compared(*generate.family("unrelated", 4 + k % 4, seed=k)).problem
        elif k % 3 == 1:
            problem = tangled_problem(rng)
        known = solve(problem, SolverSettings()).mapping if rng.random() < 0.3 else {}
        remainder = Remainder(problem, known, Deadline(), _NOTHING)
        yield problem, remainder, answer_for(remainder)


def without_cliques(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactmatch.encodings.linear_tree._ROUNDS", 0)


@pytest.mark.parametrize("may_tighten", [True, False])
def test_trees_are_proofs_of_the_best_score(
    monkeypatch: pytest.MonkeyPatch, may_tighten: bool
) -> None:
    if not may_tighten:
        without_cliques(monkeypatch)
    branched = tightened = 0
    for problem, remainder, answer in remainders(max(30, day_share(60))):  # few need a branch
        proof = remainder.proof(answer)
        assert proof is not None
        assert checked(problem, proof).lower == proof.upper == best_of(problem)
        assert problem.value(proof.mapping) == proof.lower
        terms = [(weight, pairs) for weight, pairs in problem.terms]
        assert bound(terms, proof_json(proof)) <= proof.upper
        branched += isinstance(answer.tree, Split)
        tightened += has_cliques(proof.node)
    assert (branched, tightened)[may_tighten] > 3


def has_cliques(node: Node) -> bool:
    match node:
        case Fixing():
            return has_cliques(node.rest)
        case Branch():
            return has_cliques(node.with_pair) or has_cliques(node.without_pair)
    return isinstance(node, Cliques)


def test_cliques_spare_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terms of three pairs exclude each other in ways that no grouped row says."""
    problem = solver_set.problem_of("clauses-6-1").problem
    tightened = proof_of(problem)
    without_cliques(monkeypatch)
    plain = proof_of(problem)
    assert has_cliques(tightened.node) and not has_cliques(plain.node)
    assert checked(problem, tightened).upper == checked(problem, plain).upper == 14
    assert tightened.cases < plain.cases


def test_a_hard_pair_that_only_a_solver_proves_has_a_checked_proof() -> None:
    problem = compared(*generate.family("unrelated", 10, seed=3)).problem
    by_word = solve(problem, SolverSettings(budgets=_LEFT))
    certified = solve(problem, SolverSettings(budgets=_LEFT, certify=True))
    assert by_word.is_optimal and not by_word.is_checked
    assert certified.is_optimal and certified.is_checked
    assert certified.lower == by_word.lower and certified.solver == BRANCH_AND_BOUND
    named = solve(problem, SolverSettings(solver="maxsat", budgets=_LEFT, certify=True))
    assert (named.solver, named.is_checked) == ("maxsat", True)


def test_what_a_solver_leaves_open_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the solver is late, the relaxations find and prove the best mapping by themselves."""

    class Late:
        def solve(self, problem, **options):  # type: ignore[no-untyped-def]
            raise OutOfTime

    usual = solver_process.get_solver
    monkeypatch.setattr(
        solver_process, "get_solver", lambda n, m=None: Late() if n in NAMES else usual(n, m)
    )
    problem = compared(*generate.family("unrelated", 8, seed=2)).problem
    found = solve(problem, SolverSettings(budgets=_LEFT))
    assert (found.lower, found.upper, found.is_checked) == (16, 16, True)


def test_a_better_mapping_is_kept_without_a_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    """The relaxations find it, but no proof, and there is no time left for the dual."""
    problem = compared(*generate.family("unrelated", 8, seed=2)).problem
    best = solve(problem, SolverSettings())

    def once(*arguments: Any) -> Proof:
        monkeypatch.setattr(strategy, "prove", late)
        return prove(*arguments)

    def late(*_: object, **__: object) -> Proof:
        raise OutOfTime

    class Cut:
        def solve(self, problem, **options):  # type: ignore[no-untyped-def]
            left = {i: j for i, j in best.mapping.items() if (i, j) in problem.candidates}
            return Outcome(problem.value(left), options["upper"], left)

    class Late:
        solve = staticmethod(late)

    monkeypatch.setattr(
        solver_process, "get_solver", lambda n, m=None: Cut() if n == PROVER else Late()
    )
    monkeypatch.setattr(strategy, "prove", once)
    found = solve(problem, SolverSettings(budgets=_IDLE))
    assert found.lower == problem.value(found.mapping) == best.lower < found.upper


def shaken(monkeypatch: pytest.MonkeyPatch, mapping: dict[int, int]) -> list[float]:
    """Let random changes find *mapping* until their time ends; return the seconds that they had."""
    seconds = []

    def shake(self: Descent, *_: int) -> None:
        seconds.append(self.deadline.remaining())
        self._incumbent.update(self.relaxation.whole.value(mapping), dict(mapping))
        raise OutOfTime

    monkeypatch.setattr(Descent, "shake", shake)
    return seconds


def test_random_changes_leave_time_and_keep_what_they_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = compared(*generate.family("unrelated", 8, seed=2)).problem
    best = solve(problem, SolverSettings())
    seconds = shaken(monkeypatch, best.mapping)
    remainder = Remainder(problem, {}, Deadline.after(100), _NOTHING, may_be_better=True)
    found = remainder.open_proof()
    assert found is not None and found.mapping == best.mapping
    assert seconds == [pytest.approx(50, abs=5)]
    assert Remainder(problem, best.mapping, Deadline.after(100), _NOTHING).open_proof() is None


@pytest.mark.parametrize("error", [OutOfTime, OutOfMemory, NeverLoaded, WorkerError])
def test_a_better_mapping_is_kept_if_the_tree_fails(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    problem = compared(*generate.family("unrelated", 8, seed=2)).problem
    best = solve(problem, SolverSettings())
    known = prove(problem, Deadline(), {}, Deadline(), _IDLE.dual, _IDLE.effort)
    assert known.lower < best.lower

    def once(*arguments: Any) -> Proof:
        monkeypatch.setattr(strategy, "prove", late)
        shaken(monkeypatch, best.mapping)
        return known

    def late(*_: object, **__: object) -> Proof:
        raise OutOfTime

    class Failing:
        def __init__(self, name: str, _: int | None) -> None:
            self.error = error if name == PROVER else OutOfTime

        def solve(self, problem: MatchingProblem, **_: object) -> Outcome:
            raise self.error

    monkeypatch.setattr(solver_process, "get_solver", Failing)
    monkeypatch.setattr(strategy, "prove", once)
    found = solve(problem, SolverSettings(budgets=_IDLE))
    assert found.lower == problem.value(found.mapping) == best.lower < found.upper


def test_a_tree_that_ends_with_the_time_keeps_its_mapping() -> None:
    problem = compared(*generate.family("unrelated", 12, seed=12)).problem
    found: list[Outcome] = []
    looks = 100
    while not found or found[-1].tree is None:
        looks += 12
        with suppress(OutOfTime):
            found.append(
                get_encoding(PROVER).solve(
                    problem, hint={}, upper=problem.total, deadline=Looks(looks), seed=0
                )
            )
    cut = found[:-1]
    assert max(one.lower for one in cut) > 0
    assert all(one.lower == problem.value(one.mapping) <= found[-1].lower for one in found)


def tree_outcome(problem: MatchingProblem, upper: int) -> Outcome:
    return get_encoding(PROVER).solve(problem, hint={}, upper=upper, deadline=Deadline(), seed=0)


def test_a_tree_far_above_the_known_bound_is_given_up() -> None:
    """From no mapping, the relaxation is as far away as a bound of the optimum, not of less."""
    problem = compared(*generate.family("unrelated", 7, seed=2)).problem
    best = best_of(problem)
    assert tree_outcome(problem, best).tree is not None
    assert tree_outcome(problem, best // 3).tree is None


def test_a_tree_whose_first_cases_close_little_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = compared(*generate.family("unrelated", 12, seed=12)).problem
    assert tree_outcome(problem, problem.total).tree is not None
    monkeypatch.setattr("exactmatch.encodings.linear_tree._FIRST_CASES", 2)
    assert tree_outcome(problem, problem.total).tree is None


def test_without_a_solver_of_relaxations_the_dual_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    without_relaxations(monkeypatch)
    problem = compared(*generate.family("unrelated", 8, seed=2)).problem
    found = solve(problem, SolverSettings(certify=True, budgets=_LEFT))
    assert found.is_optimal and found.is_checked and found.solver in (DUAL, BRANCH_AND_BOUND)


def changed(tree: Tree, rng: random.Random) -> Tree:
    """Return *tree* with a fault: other shares or cliques, or exchanged or missing cases."""
    if isinstance(tree, Split) and rng.random() < 0.7:
        pair, one, other = tree
        if rng.random() < 0.5:
            return Split(pair, changed(one, rng), other)
        return rng.choice([one, Split(pair, other, one), Split(pair, one, changed(other, rng))])
    while isinstance(tree, Split):
        tree = tree.with_pair
    shares, cliques = tree
    if rng.random() < 0.5:
        shares = array("d", [rng.choice([0.0, -1.0, 0.5, 9.0]) for _ in shares])
    else:
        cliques = [
            Weighed(rng.choice([0.0, -1.0, 0.5, 9.0, 1e6]), sets[rng.randrange(2) :])
            for _, sets in cliques
            if rng.random() < 0.7
        ]
    return Bounded(shares, cliques)


def test_faults_in_a_tree_never_make_a_wrong_proof() -> None:
    """Whatever the numbers are, there is a valid proof or none."""
    rng = random.Random("faults")
    refused = 0
    for problem, remainder, answer in remainders(cases(60)):
        assert answer.tree is not None
        proof = remainder.proof(answer._replace(tree=changed(answer.tree, rng)))
        refused += proof is None
        if proof is not None:
            assert checked(problem, proof).upper == best_of(problem)
    assert refused > 2


def test_a_lost_case_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proof whose cases do not cover all mappings is refused."""
    without_cliques(monkeypatch)  # they leave no case to lose
    problem = compared(*generate.family("unrelated", 8, seed=2)).problem
    proof = proof_of(problem)
    node = proof.node.rest if isinstance(proof.node, Fixing) else proof.node
    assert isinstance(node, Branch)
    for half in (node.with_pair, node.without_pair):
        with pytest.raises(VerificationError):
            checked(problem, proof._replace(node=Branch(node.pair, half, half)))


def test_a_mapping_that_is_not_the_best_is_not_proven() -> None:
    problem = compared(*generate.family("unrelated", 6, seed=1)).problem
    remainder = Remainder(problem, {}, Deadline(), _NOTHING)
    answer = answer_for(remainder)
    assert answer.lower > problem.value(remainder.hint)
    low = answer._replace(lower=problem.value(remainder.hint), mapping=remainder.hint)
    assert remainder.proof(low) is None


def test_out_of_time() -> None:
    problem = compared(*generate.family("unrelated", 20, seed=1)).problem
    with pytest.raises(OutOfTime):
        Remainder(problem, {}, Deadline.after(0), DualBudgets())
    with pytest.raises(OutOfTime):
        get_encoding(PROVER).solve(problem, hint={}, upper=99, deadline=Deadline.after(0), seed=0)


def test_no_branch_on_a_pair_without_rivals() -> None:
    """A relaxed solution may hold it in part, wherever it does not bound the score.

    So these trees had the same branch a hundred times, one below the other.
    """
    for pairs in (
        ["02 14 20", "02 33", "02 41", "03 11 20 44", "14 21", "22 34", "33 40"],
        ["12 23 40", "12 40", "12 41", "13 20 31", "23 30 41", "23 41", "31 40"],
    ):
        terms = [Term(1, tuple((int(p[0]), int(p[1])) for p in term.split())) for term in pairs]
        problem = MatchingProblem(5, 5, terms)
        answer = get_encoding(PROVER).solve(
            problem, hint={}, upper=problem.total, deadline=Deadline(), seed=0
        )
        assert answer.tree is not None
        assert answer.lower == best_of(problem) == problem.value(answer.mapping)


def test_deep_trees_can_be_sent() -> None:
    """The deepest tree fits into the recursion of pickle."""
    tree: Tree = Bounded(array("d"))
    for k in range(100):
        tree = Split((k, k), tree, Bounded(array("d")))
    assert pickle.loads(pickle.dumps(Outcome(0, 0, {}, tree=tree))).tree == tree


def test_the_prover_is_no_solver_to_choose() -> None:
    assert PROVER not in NAMES


def test_a_problem_without_any_candidate() -> None:
    empty = MatchingProblem(2, 2, [])
    single = MatchingProblem(1, 1, [Term(3, ((0, 0),))])
    for problem, best in ((empty, 0), (single, 3)):
        remainder = Remainder(problem, {}, Deadline(), _NOTHING)
        proof = remainder.proof(answer_for(remainder))
        assert proof is not None and checked(problem, proof).upper == best
