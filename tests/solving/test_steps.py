"""The steps of a proof one by one: on small problems, each is held against brute force."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate

import pytest
import solver_set
from oracles import brute_force as oracle
from samples import random_problem

from exactmatch.errors import VerificationError
from exactmatch.problem import MatchingProblem, Pair, Term
from exactmatch.problem.integers import integers, zeros
from exactmatch.problem.proof import Fixing, Node
from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual import core, neighbourhoods
from exactmatch.solving.dual.assignment import Assignment
from exactmatch.solving.dual.branch_and_bound import prove
from exactmatch.solving.dual.case_tree import CaseTree
from exactmatch.solving.dual.core import descend_in_core, fuse, search_nearby
from exactmatch.solving.dual.descent import Descent, Incumbent
from exactmatch.solving.dual.layout import Relaxation
from exactmatch.solving.dual.levels import Levels
from exactmatch.solving.dual.neighbourhoods import _Walk, search_neighbourhoods
from exactmatch.solving.strategy import checked
from exactmatch.stopping.deadline import Deadline, OutOfTime

_SCALE = 1 << 12


def best_score(problem: MatchingProblem, dropped: frozenset[int] = frozenset()) -> int:
    """Return the best score without the candidates *dropped*."""
    gone = {problem.candidates[c] for c in dropped}
    terms = [term for term in problem.terms if gone.isdisjoint(term.pairs)]
    return oracle.best_score(problem.n_left, problem.n_right, terms)


def best_with(problem: MatchingProblem, candidate: int) -> int:
    """Return the best score of mappings that hold *candidate*."""
    left, right = problem.candidates[candidate]
    rivals = {c for c, (i, j) in enumerate(problem.candidates) if (i == left) != (j == right)}
    return best_score(problem, frozenset(rivals))


def begun(rng: random.Random, problem: MatchingProblem, iterations: int) -> Descent:
    """Return a descent after some *iterations*, with its search for mappings."""
    incumbent = Incumbent()
    budgets = DualBudgets(sweeps=rng.randint(1, 4), assign_every=1)
    descent = Descent(Relaxation(problem), incumbent, budgets=budgets)
    descent.run(iterations)
    return descent


def problems(
    seed: str, number: int, largest_term: int = 3
) -> Iterator[tuple[random.Random, MatchingProblem]]:
    rng = random.Random(seed)
    for _ in range(number):
        problem = random_problem(rng, largest_term=largest_term)
        if problem.candidates:
            yield rng, problem


def test_an_assignment_goes_on_from_the_last_one() -> None:
    """However few or many values have changed, the choice is the best, and prices prove it."""
    rng = random.Random("go on")
    for _ in range(150):
        n_rows, n_columns = rng.randint(1, 12), rng.randint(1, 12)
        rows = [[j for j in range(n_columns) if rng.random() < 0.5] for _ in range(n_rows)]
        column = [j for row in rows for j in row]
        value = integers([rng.randint(-1, 30) for _ in column])
        chosen, ceiling = zeros(len(column)), zeros(len(column))
        first = integers(list(accumulate(map(len, rows), initial=0)))
        solver = Assignment(first, integers(column), n_columns, value, chosen, ceiling)
        for _ in range(12):
            total = solver.solve()
            taken = [e for e in range(len(column)) if chosen[e]]
            assert total == sum(value[e] for e in taken) == solver.total()
            assert all(v <= most for v, most in zip(value, ceiling, strict=True))
            assert min(solver.prices(), default=0) >= 0
            paid = {j for j, price in enumerate(solver.prices()) if price}
            assert paid <= {column[e] for e in taken}
            before = list(solver.prices())
            assert solver.solve() == total and list(solver.prices()) == before
            for e in rng.sample(range(len(column)), rng.randint(0, len(column))):
                value[e] = rng.randint(-1, 30)


def test_what_is_left_is_laid_out_as_if_it_were_the_problem() -> None:
    for rng, problem in problems("left", 300, largest_term=2):
        dropped = [c for c in range(len(problem.candidates)) if rng.random() < 0.3]
        whole = Relaxation(problem)
        rest = whole.without(dropped)
        again = Relaxation(rest.problem)
        assert list(rest.candidates) == list(again.candidates)
        for name in ("own", "share_start", "group_start", "group_first", "holder", "weight"):
            assert list(getattr(rest, name)) == list(getattr(again, name))
        for name in ("ring", "terms", "column", "is_column", "first", "right"):
            assert list(getattr(rest, name)) == list(getattr(again, name))
        assert [problem.terms[t] for t in rest.term_of] == [
            rest.problem.terms[t] for t in again.term_of
        ]
        assert [problem.candidates[c] for c in rest.origin] == list(rest.candidates)
        shares = integers(range(len(whole.ring)))
        smaller = rest.taken_over(shares, whole, 1)
        back = zeros(len(whole.ring))
        whole.put_back(back, rest, smaller)
        kept = {t for t in rest.term_of}
        for first, t in zip(whole.terms, whole.term_of, strict=True):
            for h in whole.members(first):
                assert back[h] == (shares[h] if t in kept else 0)


def test_concentrated_slack_costs_nothing_and_rules_out_nothing_good() -> None:
    more = 0
    for rng, problem in problems("concentrate", 400):
        relaxation = Relaxation(problem)
        dual = relaxation.dual(_SCALE)
        dual.divide_equally()
        bound = dual.evaluate()
        for k in range(rng.randint(0, 5)):
            dual.sweep(k % 2 == 0)
            bound = dual.evaluate()
        total = sum(dual.shares())
        score = bound // _SCALE - rng.randint(0, 2)
        before = set(dual.fixed(score * _SCALE))
        dual.concentrate(score * _SCALE)
        assert sum(dual.shares()) == total
        assert min(dual.shares(), default=0) >= 0
        assert dual.evaluate() <= bound
        after = set(dual.fixed(score * _SCALE))
        more += len(after - before) - len(before - after)
        assert all(best_with(problem, c) < score for c in after)
    assert more > 30


def test_fixing_does_not_raise_a_bound_where_two_shares_need_the_room_of_one_candidate() -> None:
    """Such shares are of terms of three pairs; in this problem, the bound once rose."""
    root = Descent(Relaxation(solver_set.problem_of("texts-6-2").problem), Incumbent())
    for iterations in (10, 40):
        root.run(iterations)
        gap = root.gap()
        root.fixed()
        assert root.gap() <= gap


def test_a_fusion_finds_the_best_mapping_of_what_was_seen() -> None:
    seen = 0
    for rng, problem in problems("fusion", 600):
        descent = begun(rng, problem, rng.randint(0, 3))
        incumbent = descent._incumbent
        before = incumbent.value
        recent = descent.recent()
        others = frozenset(range(len(problem.candidates))) - set(recent)
        fuse(descent, incumbent, DualBudgets())
        assert before <= incumbent.value == problem.value(incumbent.mapping)
        if recent:
            assert incumbent.value >= best_score(problem, others)
            seen += len(others) > 0
    assert seen > 30


@pytest.mark.parametrize("shakes, found", [(0, 14), (1, 16)])
def test_random_changes_in_a_fusion_find_what_nothing_else_does(shakes: int, found: int) -> None:
    """Without any case of a tree, and without any further descent, they are all that is left."""
    problem = solver_set.problem_of("noisytexts-6-1").problem
    budgets = DualBudgets(fusion_tree=(0, 1, 0), rest_iterations=0, fused_shakes=shakes)
    incumbent = Incumbent()
    descent = Descent(Relaxation(problem), incumbent, budgets=budgets)
    descent.run(40)
    assert incumbent.value == 14
    fuse(descent, incumbent, budgets)
    assert incumbent.value == problem.value(incumbent.mapping) == found


def test_a_search_nearby_finds_the_best_mapping_of_what_is_near_the_bound() -> None:
    found = 0
    for rng, problem in problems("nearby", 300):
        descent = begun(rng, problem, rng.randint(0, 3))
        incumbent = descent._incumbent
        incumbent.update(0, {})
        far = descent.far(DualBudgets().nearby_part)
        search_nearby(descent, incumbent, DualBudgets())
        assert incumbent.value == problem.value(incumbent.mapping)
        assert incumbent.value >= best_score(problem, far)
        found += incumbent.value > 0 and len(far) > 0
    assert found > 30


def test_a_search_nearby_of_too_many_candidates_is_left_out() -> None:
    searched: Counter[bool] = Counter()
    for rng, problem in problems("too many", 100):
        descent = begun(rng, problem, rng.randint(0, 3))
        incumbent = descent._incumbent
        incumbent.update(0, {})
        near = len(problem.candidates) - len(descent.far(DualBudgets().nearby_part))
        search_nearby(descent, incumbent, DualBudgets(most_nearby=max(0, near - 1)))
        assert incumbent.value == 0 or near == 0
        search_nearby(descent, incumbent, DualBudgets(most_nearby=near))
        searched[incumbent.value > 0] += 1
    assert searched[True] > 10


def test_a_part_without_limits_has_the_best_mapping_of_what_is_near_the_bound() -> None:
    budgets = DualBudgets(part_tree=(1_000, 2, 0), part_work=1 << 20)
    found = 0
    for rng, problem in problems("part", 300):
        descent = begun(rng, problem, rng.randint(0, 3))
        incumbent = descent._incumbent
        incumbent.update(0, {})
        far = descent.case(frozenset()).far(budgets.nearby_part)
        budgets = replace(budgets, first_part=problem.n_left)
        search_neighbourhoods(descent, incumbent, budgets)
        assert incumbent.value == problem.value(incumbent.mapping)
        assert incumbent.value >= best_score(problem, far)
        found += incumbent.value > 0 and len(far) > 0
    assert found > 30


@pytest.mark.parametrize("work, found", [(0, 54), (100, 55)])
def test_parts_raise_a_mapping_as_long_as_their_work_lasts(work: int, found: int) -> None:
    problem = solver_set.problem_of("strangers-6-2").problem
    incumbent = Incumbent()
    budgets = DualBudgets(part_work=work)
    root = Descent(Relaxation(problem), incumbent, budgets=budgets)
    root.run(40)
    search_neighbourhoods(root, incumbent, budgets)
    assert incumbent.value == problem.value(incumbent.mapping) == found


def test_parts_leave_the_partners_of_all_but_some_variables() -> None:
    """A pair of the mapping that is no candidate is no partner, and takes nothing."""
    partly = 0
    for rng, problem in problems("walk", 600):
        candidates = problem.candidates
        pairs = [rng.choice(candidates) for _ in range(rng.randint(0, 4))]
        pairs.append((rng.randrange(problem.n_left), rng.randrange(problem.n_right)))
        mapping = {i: j for j, i in {j: i for i, j in dict(pairs).items()}.items()}
        held = {(i, j) for i, j in mapping.items() if (i, j) in candidates}
        walk, size = _Walk(Relaxation(problem)), rng.randint(0, problem.n_left)
        free = walk._free(size, dict(held))
        assert min(size, 1) <= len(free) <= size + 1
        again = _Walk(Relaxation(problem)).ruled_out(size, mapping)
        left = {pair for c, pair in enumerate(candidates) if c not in again}
        kept = {(i, j) for i, j in held if i not in free}
        taken = {j for _, j in kept}
        assert left == held | {(i, j) for i, j in candidates if i in free and j not in taken}
        partly += bool(kept) and bool(left - held)
    assert partly > 30


class _Tree:
    """A tree that notes its budget and its part, and then does the next thing of a list.

    Each thing is work, a rise of the best score, the cases, and whether a proof is found. After the
    last one, everything is solved by the dual alone.
    """

    def __init__(self, things: list[tuple[int, int, int, bool]]) -> None:
        self.things = things
        self.budgets: list[tuple[int, int, int]] = []
        self.parts: list[Descent] = []
        self.cases = 0

    def __call__(self, incumbent: Incumbent, _: object, __: object, *budget: int) -> "_Tree":
        self._incumbent = incumbent
        self.budgets.append((budget[0], budget[1], budget[2]))
        return self

    def prove_rest(self, part: Descent) -> object:
        """Return something if there is a proof."""
        self.parts.append(part)
        work, rise, self.cases, is_proven = self.things.pop(0) if self.things else (0, 0, 0, True)
        self._incumbent.work += work
        self._incumbent.value += rise
        return part.leaf() if is_proven else None


def _star(n_left: int) -> Descent:
    """Return a descent of a problem in which *n_left* variables, and two more, want one partner."""
    problem = MatchingProblem(n_left + 2, 2, (Term(1, ((i, 0),)) for i in range(n_left)))
    descent = Descent(Relaxation(problem), Incumbent())
    descent._incumbent.update(-1, {})  # or everything would be closed
    return descent


def _sizes(
    monkeypatch: pytest.MonkeyPatch, descent: Descent, budgets: DualBudgets, tree: _Tree
) -> list[int]:
    """Return the sizes of the parts that *tree* is given, of which none is everything."""
    sizes: list[int] = []

    def ruled_out(_: _Walk, size: int, __: object) -> list[int]:
        sizes.append(size)
        return [0]

    monkeypatch.setattr(_Walk, "ruled_out", ruled_out)
    monkeypatch.setattr(neighbourhoods, "CaseTree", tree)
    search_neighbourhoods(descent, descent._incumbent, budgets)
    return sizes


def test_parts_become_larger_if_the_dual_solves_them_and_smaller_if_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One that has a better mapping is followed by one of the same size."""
    descent = _star(24)
    monkeypatch.setattr(Descent, "is_closed", False)
    tree = _Tree([(0, 0, 0, True), (0, 0, 2, True), (0, 0, 2, False), (0, 0, 0, False)])
    tree.things += [(0, 1, 0, True), (0, 1, 2, False)]
    budgets = DualBudgets(first_part=20, part_work=1 << 20, part_tree=(7, 3, 1))
    sizes = _sizes(monkeypatch, descent, budgets, tree)
    assert sizes == [20, 23, 21, 19, 18, 18, 18, 20, 23, 26]
    assert {*tree.budgets} == {budgets.part_tree}


def test_parts_end_with_their_work_or_that_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Descent, "is_closed", False)
    for part_work, most_work, number in ((20, 10**9, 4), (20, 11 * 10**6, 2), (0, 10**9, 0)):
        descent = _star(24)
        incumbent = descent._incumbent
        incumbent.work, incumbent.most_work = 10**7, most_work
        tree = _Tree([(500_000, 0, 0, False)] * 9)
        budgets = DualBudgets(first_part=9, part_work=part_work)
        assert _sizes(monkeypatch, descent, budgets, tree) == [9] * number


def test_without_work_or_parts_a_descent_is_left_as_it_is() -> None:
    for rng, problem in problems("no work", 100):
        descent = begun(rng, problem, rng.randint(0, 3))
        shares, work = list(descent.shares), descent._incumbent.work
        larger = problem.n_left + 1
        for budgets in (DualBudgets(part_work=0, first_part=1), DualBudgets(first_part=larger)):
            search_neighbourhoods(descent, descent._incumbent, budgets)
            assert list(descent.shares) == shares and descent._incumbent.work == work


def test_parts_end_at_the_deadline_even_if_no_part_takes_an_iteration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    descent = _star(24)
    monkeypatch.setattr(Descent, "is_closed", False)
    descent.deadline = Deadline.after(0)
    tree = _Tree([])
    with pytest.raises(OutOfTime):
        _sizes(monkeypatch, descent, DualBudgets(first_part=9, part_work=1 << 20), tree)
    assert not tree.parts


def test_nothing_follows_a_part_of_everything_that_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether that has taken cases or not, has raised the score or not."""
    monkeypatch.setattr(Descent, "is_closed", False)
    for thing in ((0, 0, 0, True), (0, 0, 2, True), (0, 1, 0, True), (0, 0, 2, False)):
        tree = _Tree([thing])
        monkeypatch.setattr(neighbourhoods, "CaseTree", tree)
        descent = _star(24)
        budgets = DualBudgets(first_part=24, part_work=1 << 20)
        search_neighbourhoods(descent, descent._incumbent, budgets)
        assert (len(tree.parts) == 1) == thing[-1]


def test_parts_hold_the_best_mapping_and_otherwise_only_what_is_near(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The best mapping is that of the moment: it may have changed in the part before."""
    mappings: list[dict[int, int]] = []
    parts: list[set[Pair]] = []

    class Noted(CaseTree):
        def prove_rest(self, rest: Descent) -> Node | None:
            assert rest.relaxation.problem.value(incumbent.mapping) == incumbent.value
            mappings.append(incumbent.mapping)
            parts.append({*rest.relaxation.candidates})
            return super().prove_rest(rest)

    monkeypatch.setattr(neighbourhoods, "CaseTree", Noted)
    dropped, changed = 0, 0
    for rng, problem in problems("held", 600):
        descent = begun(rng, problem, 0)
        incumbent = descent._incumbent
        known = dict([rng.choice(problem.candidates)])
        if rng.random() < 0.5:
            known = prove(problem, Deadline()).mapping
        incumbent.update(problem.value(known), known)
        copy = descent.case(frozenset())
        mappings[:], parts[:] = [incumbent.mapping], []
        far = [c for c in range(len(problem.candidates)) if rng.random() < 0.3]
        with monkeypatch.context() as patch:
            patch.setattr(copy, "far", lambda _, far=far: frozenset(far))
            patch.setattr(descent, "case", lambda _, copy=copy: copy)
            search_neighbourhoods(descent, incumbent, DualBudgets(first_part=1, part_work=10_000))
        held = {pair for mapping in mappings for pair in mapping.items()}
        left_out = {problem.candidates[c] for c in far} - held
        assert all(left_out.isdisjoint(part) for part in parts)
        dropped += bool(parts and left_out)
        changed += len({tuple(each.items()) for each in mappings}) > 1
    assert dropped > 30 and changed > 10


def test_walks_are_the_same_in_all_versions_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the numbers of `random`, only those of ``random()`` are guaranteed to stay as they are."""

    class Guaranteed:
        def __init__(self, seed: int) -> None:
            self.random = random.Random(seed).random

    monkeypatch.setattr(neighbourhoods, "Random", Guaranteed)
    problem = MatchingProblem(99, 2, (Term(1, ((i, 0), (i + 1, 1))) for i in range(98)))
    free = _Walk(Relaxation(problem))._free(9, {0: 0, 50: 1})
    assert sorted(free) == [0, 1, 49, 50, 71, 72, 83, 93, 94]


def test_a_search_nearby_is_left_out_if_a_single_score_is_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The level between the bound and the best mapping looks for the same, with a proof."""
    asked: list[tuple[str, Descent]] = []
    monkeypatch.setattr(core, "fuse", lambda *_: None)
    for search in ("search_nearby", "search_neighbourhoods"):
        monkeypatch.setattr(core, search, lambda of, *_, search=search: asked.append((search, of)))
    gaps: Counter[int] = Counter()
    for rng, problem in problems("single score", 100):
        descent = begun(rng, problem, 1)
        incumbent = descent._incumbent
        incumbent.update(descent.upper - rng.randint(0, 3), {})
        asked.clear()
        descend_in_core(descent, incumbent, DualBudgets(core_iterations=0, core_sweeps=0))
        gap = descent.upper - incumbent.value
        gaps[gap] += 1
        # The core nearby, and then parts of the whole problem.
        both = [("search_nearby", False), ("search_neighbourhoods", True)]
        assert [(search, of is descent) for search, of in asked] == (both if gap > 1 else [])
    assert {0, 1, 2} <= {*gaps}


def test_the_core_goes_down_once(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = solver_set.problem_of("cubics-14-3").problem
    called: list[int] = []

    def count(root: Descent, incumbent: Incumbent, budgets: DualBudgets) -> None:
        called.append(incumbent.steps)
        descend_in_core(root, incumbent, budgets)

    monkeypatch.setattr(core, "descend_in_core", count)
    proof = prove(problem, Deadline())
    assert proof.lower == proof.upper == 31
    assert len(called) == 1


def test_few_terms_are_left_to_branching() -> None:
    budgets = DualBudgets(few_terms=10)
    assert budgets.for_terms(10) is budgets
    few = budgets.for_terms(9)
    assert few.part_work == few.most_nearby == few.fusion_tree[2] == few.level_tree[2] == 0
    assert few.level_tree[:2] == budgets.level_tree[:2]


def test_the_core_lowers_the_bound_of_the_whole() -> None:
    lowered = 0
    for rng, problem in problems("core", 300):
        descent = begun(rng, problem, rng.randint(0, 2))
        before, total = descent.upper, sum(descent.shares)
        descend_in_core(descent, descent._incumbent, DualBudgets())
        assert sum(descent.shares) == total
        assert best_score(problem) <= descent.upper <= before
        lowered += descent.upper < before
    assert lowered > 5


@pytest.mark.slow
def test_every_level_is_ruled_out_rightly() -> None:
    fixings = 0
    budgets = DualBudgets(root_iterations=0, core_iterations=0, sweeps_again=1, rest_iterations=20)
    for _, problem in problems("levels", 600):
        incumbent = Incumbent()
        root = Descent(Relaxation(problem), incumbent, budgets=budgets)
        levels = Levels(root, incumbent, budgets)
        levels.run(budgets.level_tree)
        assert incumbent.value == levels.upper == best_score(problem)
        proof = checked(problem, prove(problem, Deadline(), budgets=budgets))
        assert proof.lower == proof.upper == best_score(problem)
        fixings += isinstance(levels.node, Fixing)
    assert fixings > 50


def test_a_level_that_drops_too_much_is_refused() -> None:
    """If the remaining pairs lack a candidate of the best mapping, they cannot prove the level."""
    refused = 0
    budgets = DualBudgets(root_iterations=0)
    for rng, problem in problems("planted", 300):
        best = prove(problem, Deadline())
        root = Descent(Relaxation(problem), Incumbent(), budgets=budgets)
        root._incumbent.value = root._incumbent.least = best.lower - 1
        fixed = root.fixed()
        wrong = rng.choice(sorted(best.mapping.items()))
        if wrong not in problem.candidates:
            continue
        dropped = fixed | {problem.candidates.index(wrong)}
        assert problem.candidates.index(wrong) not in fixed
        rest = root.without(dropped)
        rest.converge(200)
        if rest.upper >= best.lower:
            continue
        node = Fixing(root.leaf(), best.lower - 1, dropped, rest.leaf())
        claim = best._replace(node=node, lower=best.lower - 1, upper=best.lower - 1)
        with pytest.raises(VerificationError):
            checked(problem, claim)
        refused += 1
    assert refused > 30
