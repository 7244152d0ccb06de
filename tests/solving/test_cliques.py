"""Cliques in the dual: bounds are never too low, and both checkers accept the proofs."""

import functools
import operator
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from clique_samples import FORCED, tangled_problem
from looks import Looks
from nightly import by_day
from oracles import brute_force as oracle
from seeds import cases

from exactmatch.certificate import checker
from exactmatch.errors import VerificationError
from exactmatch.problem import MatchingProblem, Term
from exactmatch.problem.clique_search import CliqueMembers
from exactmatch.problem.proof import Branch, Cliques, Fixing, Node
from exactmatch.solving.budgets import CliqueBudgets, DualBudgets
from exactmatch.solving.certificates import proof_json
from exactmatch.solving.dual.branch_and_bound import Proof, prove
from exactmatch.solving.dual.descent import Descent, Incumbent
from exactmatch.solving.dual.layout import Relaxation
from exactmatch.solving.dual.tightening import members_of, tightened
from exactmatch.solving.strategy import checked
from exactmatch.stopping.deadline import Deadline, OutOfTime

#: The example of docs/solvers.md.
TRIANGLE = ([(0, 0), (1, 1)], [(0, 2), (2, 1)], [(1, 2), (2, 0)])


def triangle(weight: int) -> MatchingProblem:
    return MatchingProblem(3, 3, [Term(weight, tuple(pairs)) for pairs in TRIANGLE])


def best_score(problem: MatchingProblem) -> int:
    return oracle.best_score(problem.n_left, problem.n_right, problem.terms)


def clique_nodes(node: Node, depth: int = 1) -> list[tuple[int, Cliques]]:
    """Return all clique rows of a proof, and how many are around each, itself included."""
    if isinstance(node, Cliques):
        return [(depth, node), *clique_nodes(node.rest, depth + 1)]
    if isinstance(node, Fixing):
        return clique_nodes(node.rest, depth)
    if isinstance(node, Branch):
        return clique_nodes(node.with_pair, depth) + clique_nodes(node.without_pair, depth)
    return []


def shown_by_checker(problem: MatchingProblem, proof: Proof) -> int:
    terms = [(weight, tuple(pairs)) for weight, pairs in problem.terms]
    return checker.bound(terms, proof_json(proof))


def test_three_terms_that_exclude_each_other_are_proven_without_cases() -> None:
    """Halves of all three score 3 times a half of 2 each; cliques know that one is scored."""
    problem = triangle(2)
    root = Descent(Relaxation(problem), Incumbent())
    root.run(1000)
    budgets = DualBudgets(
        root_iterations=10,
        fusion_tree=(0, 1, 0),
        first_tree=(0, 1, 0),
        level_tree=(0, 1, 1),
        few_terms=0,
    )
    proof = checked(problem, prove(problem, Deadline(), budgets=budgets))
    assert (root.upper, proof.upper, proof.lower, proof.cases) == (3, 2, 2, 1)
    assert len(clique_nodes(proof.node)) == 1
    assert shown_by_checker(problem, proof) == 2


def test_cliques_are_searched_from_a_certain_number_of_terms_on() -> None:
    """Below, cases prove the same; the number is that of the whole problem."""
    rng = random.Random("number of terms")
    seen = 0
    for _ in range(cases(30)):
        problem = tangled_problem(rng)
        for most, may_have in ((problem.n_terms, True), (problem.n_terms + 1, False)):
            budgets = replace(FORCED, few_terms=most)
            proof = checked(problem, prove(problem, Deadline(), budgets=budgets))
            assert proof.lower <= best_score(problem) <= proof.upper
            found = clique_nodes(proof.node)
            assert may_have or not found
            seen += len(found)
    assert seen > 0


def test_a_common_variable_bounds_members_of_two_pairs_alone() -> None:
    """Halves of three terms of one more pair, the same in all, satisfy all rows of that pair."""
    halves = dict.fromkeys(range(3), 512)  # of 1,024 parts
    larger = CliqueMembers({k: (*pairs, (3, 3)) for k, pairs in enumerate(TRIANGLE)})
    assert larger.violated(halves, CliqueBudgets()) == [[0, 1, 2]]
    images = CliqueMembers({k: ((0, 0), (1, k + 1)) for k in range(3)})
    assert images.violated(halves, CliqueBudgets()) == []


def test_the_search_for_cliques_ends_with_the_deadline() -> None:
    """It looks at the clock at every member, and at every clique that it extends."""
    members = CliqueMembers(dict(enumerate(map(tuple, TRIANGLE))))
    halves = dict.fromkeys(range(3), 512)
    for looks in range(4):
        with pytest.raises(OutOfTime):
            members.violated(halves, CliqueBudgets(), Looks(looks))
    assert members.violated(halves, CliqueBudgets(), Looks(4)) == [[0, 1, 2]]


def test_no_clique_has_more_pairs_than_checkers_read() -> None:
    large = CliqueMembers({k: tuple((i, 7 * k + i) for i in range(7)) for k in range(150)})
    (clique,) = large.violated(dict.fromkeys(range(150), 512), CliqueBudgets())
    assert len(clique) > 100 and 7 * len(clique) <= checker.MOST_PAIRS


@pytest.mark.slow
def test_proofs_by_cliques_show_the_optimum_to_both_checkers() -> None:
    rng = random.Random("cliques")
    depths = []
    for n_left in [4] * cases(100) + [5] * cases(50):
        problem = tangled_problem(rng, n_left)
        proof = checked(problem, prove(problem, Deadline(), budgets=FORCED))
        best = best_score(problem)
        assert proof.lower <= best <= shown_by_checker(problem, proof) <= proof.upper
        assert problem.value(proof.mapping) == proof.lower
        depths += [depth for depth, _ in clique_nodes(proof.node)]
    assert len(depths) > cases(12)
    assert max(depths) > 1


def test_a_certificate_fixes_no_more_above_cliques_than_its_proof() -> None:
    """Pair (1, 2) weighs less than nothing there; banned, it would have its price alone."""
    weights = {
        ((0, 0), (1, 1), (2, 3)): 9790,
        ((0, 0), (1, 2)): 6550,
        ((0, 2),): 6114,
        ((0, 2), (1, 1)): 3820,
        ((0, 2), (2, 0)): 3381,
        ((0, 2), (2, 1)): 7261,
        ((0, 3), (1, 2)): 5162,
        ((0, 3), (2, 0)): 6146,
        ((0, 3), (2, 2)): 9266,
        ((1, 1),): 2904,
        ((1, 2), (2, 3)): 2285,
        ((1, 3), (2, 0)): 1312,
    }
    problem = MatchingProblem(3, 4, [Term(weight, pairs) for pairs, weight in weights.items()])
    proof = checked(problem, prove(problem, Deadline(), budgets=FORCED))
    assert clique_nodes(proof.node)
    assert shown_by_checker(problem, proof) == proof.upper == best_score(problem)


@pytest.mark.slow
def test_no_multipliers_give_a_bound_below_the_optimum() -> None:
    rng = random.Random("multipliers")
    for _ in range(40):
        problem = tangled_problem(rng)
        relaxation = Relaxation(problem)
        dual = relaxation.dual(4)
        dual.divide_equally()
        members = members_of(relaxation)
        present = {member: rng.randint(300, 900) for member in members.pairs}
        cliques = members.violated(present, CliqueBudgets(most_found=8))
        rows = relaxation.clique_rows(dual, relaxation.subgradient(dual).averages, cliques)
        for _ in range(3):
            rows.set_multipliers([rng.randint(0, 12) for _ in cliques])
            assert dual.evaluate() + rows.total() >= 4 * best_score(problem)
        rows.set_multipliers([0] * len(cliques))
        sums = [sum(dual.in_place[h] for h in relaxation.members(t)) for t in relaxation.terms]
        assert sums == [4 * relaxation.weight[t] for t in relaxation.terms]


@pytest.mark.slow
def test_cliques_are_of_members_that_exclude_each_other() -> None:
    rng = random.Random("members")
    found = 0
    for _ in range(cases(60)):
        members = members_of(Relaxation(tangled_problem(rng)))
        present = {member: rng.randint(200, 1000) for member in members.pairs}
        for clique in members.violated(present, CliqueBudgets()):
            found += 1
            sets = [members.pairs[member] for member in clique]
            for k, one in enumerate(sets):
                for other in sets[:k]:
                    assert any((i == a) != (j == b) for i, j in one for a, b in other)
    assert found > cases(60)


def test_what_cliques_leave_scores_less_by_what_a_mapping_holds_of_them() -> None:
    rng = random.Random("reweighted")
    tried = 0
    for _ in range(100):
        problem = tangled_problem(rng)
        rest = Descent(Relaxation(problem), Incumbent(), budgets=FORCED)
        cliques, unit, left, _ = tightened(rest, Incumbent(), FORCED)
        if not cliques:
            continue
        tried += 1
        node = {"unit": unit, "cliques": cliques}
        below, _ = checker.reweighted([(w, p) for w, p in problem.terms], node)
        relaxation = left.relaxation
        for number, t in zip(relaxation.numbers, relaxation.term_of, strict=True):
            assert below[number][1] == problem.terms[t].pairs
        rights = rng.sample(range(problem.n_right), min(problem.n_left, problem.n_right))
        mapping = dict(enumerate(rights))
        taken = sum(
            multiplier
            for multiplier, sets in cliques
            for pairs in sets
            if all(mapping.get(i) == j for i, j in pairs)
        )
        scored = sum(w for w, pairs in below if all(mapping.get(i) == j for i, j in pairs))
        assert scored == unit * problem.value(mapping) - taken
        assert left.relaxation.charged == sum(multiplier for multiplier, _ in cliques)
    assert tried > 10


@pytest.mark.parametrize("wrong", ["compatible", "negative", "lighter"])
def test_planted_faults_in_cliques_are_refused(wrong: str) -> None:
    problem = triangle(2)
    budgets = DualBudgets(
        root_iterations=10,
        fusion_tree=(0, 1, 0),
        first_tree=(0, 1, 0),
        level_tree=(0, 1, 1),
        few_terms=0,
    )
    proof = prove(problem, Deadline(), budgets=budgets)
    checked(problem, proof)
    changed = proof._replace(node=_with_fault(proof.node, wrong))
    with pytest.raises(VerificationError):
        checked(problem, changed)


def _with_fault(node: Any, wrong: str) -> Any:
    if not isinstance(node, Cliques):
        return node._replace(rest=_with_fault(node.rest, wrong))
    fault: dict[str, Any] = {
        "compatible": [(m, [*sets, ((0, 0),), ((1, 1),)]) for m, sets in node.cliques],
        "negative": [*node.cliques, (-1, node.cliques[0][1])],
        "lighter": [(0, sets) for _, sets in node.cliques],
    }
    return node._replace(cliques=fault[wrong])


def _adds_a_member(patch: pytest.MonkeyPatch) -> None:
    """Let cliques have a member that fits nothing in them."""
    extended = CliqueMembers._extended

    def wrong(self: CliqueMembers, clique: list[int], most: int) -> list[int]:
        found = extended(self, clique, most)
        return sorted([*found, *[member for member in self.pairs if member not in found][:1]])

    patch.setattr(CliqueMembers, "_extended", wrong)


def _takes_overlapping_members(patch: pytest.MonkeyPatch) -> None:
    """Let members that hold the same pair exclude each other."""

    def wrong(self: Any, place: int) -> int:
        sharing = [self._sharing[0, i] | self._sharing[1, j] for i, j in self._sets[place]]
        every: int = functools.reduce(operator.or_, sharing)
        return every & ~(1 << place)

    patch.setattr("exactmatch.problem.clique_search._Exclusions.of", wrong)


def _charges_less(patch: pytest.MonkeyPatch) -> None:
    """Let the sum of multipliers be a triple too small."""
    reweighted = Relaxation.reweighted

    def wrong(self: Relaxation, own: Any, weight: Any, unit: int, charged: int, sets: Any) -> Any:
        return reweighted(self, own, weight, unit, charged - unit, sets)

    patch.setattr(Relaxation, "reweighted", wrong)


def _forgets_single_pairs(patch: pytest.MonkeyPatch) -> None:
    """Let terms have the numbers that they had before cliques added some."""
    patch.setattr(Relaxation, "numbers", property(lambda self: self.term_of))


def _loses_a_clique(patch: pytest.MonkeyPatch) -> None:
    """Let a proof have one clique less than its bound."""
    _change_tightened(patch, lambda found: found._replace(cliques=found.cliques[1:]))


def _has_other_units(patch: pytest.MonkeyPatch) -> None:
    """Let a proof have larger units than its bound."""
    _change_tightened(patch, lambda found: found._replace(unit=max(1, found.unit // 2)))


def _closes_too_early(patch: pytest.MonkeyPatch) -> None:
    """Let a bound below cliques be a triple too high."""

    def wrong(self: Descent) -> int:
        relaxation = self.relaxation
        excess = relaxation.unit if relaxation.charged else -1
        return relaxation.unit * (self._incumbent.threshold + 1) - relaxation.charged + excess

    patch.setattr(Descent, "threshold", property(wrong))


def _change_tightened(patch: pytest.MonkeyPatch, change: Callable[[Any], Any]) -> None:
    where = "exactmatch.solving.dual.case_tree.tightened"
    patch.setattr(where, lambda *arguments: change(tightened(*arguments)))


@pytest.mark.parametrize(
    "plant",
    [
        _adds_a_member,
        _takes_overlapping_members,
        _charges_less,
        _forgets_single_pairs,
        _loses_a_clique,
        _has_other_units,
        _closes_too_early,
    ],
)
def test_faults_in_what_finds_cliques_are_caught(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of problems that need cliques, some proof is refused; none that is false is taken."""
    rng = random.Random("plant")
    problems = [tangled_problem(rng) for _ in range(12)]
    plant(monkeypatch)
    refused = 0
    for problem in problems:
        proof = prove(problem, Deadline(), budgets=FORCED)
        try:
            checked(problem, proof)
        except VerificationError:
            refused += 1
        else:
            assert proof.lower <= best_score(problem) <= proof.upper
    assert refused


@pytest.mark.slow
@pytest.mark.parametrize("bits", by_day([58, 47, 40]))
def test_huge_weights_are_proven_without_cliques_if_need_be(bits: int) -> None:
    """Multipliers are parts of a weight: weights in their units may be too large for 64 bits."""
    rng = random.Random(f"huge {bits}")
    for _ in range(4):
        plain = tangled_problem(rng)
        terms = [term._replace(weight=rng.randint(1, 1 << bits)) for term in plain.terms]
        problem = MatchingProblem(plain.n_left, plain.n_right, terms)
        proof = checked(problem, prove(problem, Deadline(), budgets=FORCED))
        assert proof.lower == best_score(problem) <= proof.upper
        assert shown_by_checker(problem, proof) <= proof.upper
