"""The check of every proof: it accepts no wrong proof, and each of its parts is needed."""

import ast
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from certificate_samples import random_cliques
from oracles import brute_force as oracle
from proof_nodes import term_arrays
from samples import WEAK, random_problem
from seeds import cases

import exactmatch
from exactmatch.certificate import checker, proof_check
from exactmatch.errors import VerificationError
from exactmatch.problem import MatchingProblem, Pair, Term, TermArrays
from exactmatch.problem.interpreted import interpreted
from exactmatch.problem.proof import Branch, Cliques, Evidence, Fixing, Leaf, Node
from exactmatch.solving import strategy
from exactmatch.solving.budgets import DualBudgets
from exactmatch.solving.dual.branch_and_bound import prove, quick_bound
from exactmatch.solving.names import AUTO, DUAL, EXACT
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import checked, solve
from exactmatch.stopping.deadline import Deadline

SOURCE = Path(proof_check.__file__).with_name("proof_check.py").read_text("utf-8")
PLAIN = interpreted("exactmatch.certificate.proof_check")


@dataclass
class Case:
    """A leaf as the check sees it."""

    evidence: Evidence


@dataclass
class Fixed:
    """Reduced-cost fixing as the check sees it."""

    leaf: Case
    score: int
    rest: Any


def random_evidence(rng: random.Random, problem: MatchingProblem) -> Evidence:
    """Return evidence that obeys all the rules: the dual's own, or random numbers."""
    if rng.random() < 0.5 and min([1, *problem.arrays.weight]) > 0:
        (leaf,) = leaves(quick_bound(problem, Deadline()).node)
        return leaf.evidence
    scale = rng.choice([1, 2, 3, 64])
    large = [t for t, term in enumerate(problem.terms) if len(term.pairs) > 1]
    rng.shuffle(large)
    shares: list[int] = []
    local: list[int] = []
    price: dict[Any, int] = {}
    for t in large:
        weight, pairs = problem.terms[t]
        parts = [rng.randint(-scale, 2 * scale * max(0, weight)) for _ in pairs[1:]]
        shares += [*parts, scale * weight - sum(parts) + rng.choice([0, 0, 1])]
        for pair in pairs:
            column = (pair, tuple(sorted(j for _, j in pairs if j != pair[1])))
            default = rng.choice([0, 0, rng.randint(0, 2 * scale)])
            local.append(price.setdefault(column, default))
    prices = [rng.choice([0, rng.randint(0, 4 * scale)]) for _ in range(problem.n_right)]
    return Evidence(scale, large, shares, local, prices)


def random_proof(rng: random.Random, problem: MatchingProblem, depth: int = 2) -> Any:
    kind = rng.random()
    if depth == 0 or kind < 0.4 or not problem.candidates:
        return Case(random_evidence(rng, problem))
    if kind < 0.6:
        rest, cliques, unit = random_rest(rng, problem)
        return Cliques(cliques, unit, random_proof(rng, rest, depth - 1))
    both = [random_proof(rng, problem, depth - 1) for _ in range(2)]
    if kind < 0.8:
        return Fixed(Case(random_evidence(rng, problem)), rng.randint(0, 12), both[0])
    return Branch(rng.choice(problem.candidates), *both)


def below(cliques: Any, unit: int, evidence: Evidence) -> Cliques:
    """Return cliques above a leaf."""
    leaf: Any = Case(evidence)
    return Cliques(cliques, unit, leaf)


def random_rest(rng: random.Random, problem: MatchingProblem) -> tuple[MatchingProblem, Any, int]:
    """Return the problem below random cliques, these cliques, and their unit."""
    sizes, unit = (problem.n_left, problem.n_right), rng.choice([1, 2, 3, 64])
    known: list[checker.Term] = list(problem.terms)
    listed = random_cliques(rng, known, *sizes)
    rest, _ = checker.reweighted(known, {"cliques": listed, "unit": unit})
    cliques = [(k, [tuple(map(tuple, pairs)) for pairs in sets]) for k, sets in listed]
    return MatchingProblem.of(*sizes, term_arrays(rest)), cliques, unit


def optimum(problem: MatchingProblem) -> int:
    return oracle.best_score(problem.n_left, problem.n_right, problem.terms)


def is_fooled(checks: Sequence[ModuleType], rounds: int, seed: str) -> bool:
    """Tell if one of *checks* refuses a proof that obeys the rules, or shows too low a bound."""
    rng = random.Random(seed)
    for _ in range(rounds):
        problem = random_problem(rng)
        node = random_proof(rng, problem)
        best = optimum(problem)
        for check in checks:
            try:
                shown = check.bound(problem.n_left, problem.n_right, problem.arrays, node)
            except check.Unproven:
                return True
            if shown < best:
                return True
    return False


def changed(old: str, new: str) -> ModuleType:
    """Return the check with its one place *old* made *new*, interpreted."""
    assert SOURCE.count(old) == 1, old
    module = ModuleType("changed")
    exec(compile(SOURCE.replace(old, new), "changed", "exec"), module.__dict__)
    return module


@pytest.mark.slow
def test_no_proof_shows_a_bound_below_the_optimum() -> None:
    assert not is_fooled([proof_check, PLAIN], cases(3000), "any")


#: A fault in each step of the check, and what it makes of the step.
STEPS = [
    ("return max(with_pair, self.bound(node.without_pair, banned | without))", "return with_pair"),
    (
        "return max(with_pair, self.bound(node.without_pair, banned | without))",
        "return self.bound(node.without_pair, banned | without)",
    ),
    ("return max(int(node.score), self.bound(node.rest, banned | fixed))", "return node.score"),
    (
        "return max(int(node.score), self.bound(node.rest, banned | fixed))",
        "return self.bound(node.rest, banned | fixed)",
    ),
    ("(i == left) != (j == right)", "(i == left) or (j == right)"),
    ("if self._pair(p) == node.pair)", "if self._pair(p)[0] == node.pair[0])"),
    ("<= limit:", "<= limit + 1:"),
    ("lack = self.best[self.left[p]] - self.worth[p] + prices", "lack = 2 * scale + prices"),
    ("worth = worth + local[at]", "pass"),
    (
        "worth = worth + (net - self.row_best[row])",
        "worth = max(worth, net)",
    ),
    ("        self.visit += 1\n", ""),
    ("self.total = self.total + prices[i]", "pass"),
    ("if gain > self.best[self.left[p]]:", "if gain < self.best[self.left[p]]:"),
    ("self.worth[p] + scale * self.weight[t]", "self.worth[p] + self.weight[t]"),
    ("if is_banned[self.pair[m]]:", "if not is_banned[self.pair[m]]:"),
    ("= self.left_of[m + 1], self.left_of[m]\n", "= 0, 0\n"),
    ('("row", *lefts)', '("row",)'),
    ("(multipliers + left) // node.unit", "left // node.unit"),
    ("multipliers += multiplier", "multipliers = multiplier"),
    ("taken.get(pairs, 0) + multiplier", "taken.get(pairs, 0) + 2 * multiplier"),
    ("weights[t] -= taken[pairs]", "weights[t] = -taken[pairs]"),
    ("weights.insert(t, -taken[pairs])", "weights.insert(t, -2 * taken[pairs])"),
    ("unit * self.weight[t] for", "self.weight[t] for"),
    ("sorted(taken, reverse=True)", "sorted(taken)"),
    ("at = self.start[t]\n", "at = 0\n"),
    ("banned | fixed))\n        if hasattr", "banned | fixed)) - 1\n        if hasattr"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), STEPS)
def test_each_step_is_needed(old: str, new: str) -> None:
    assert is_fooled([changed(old, new)], 6000, "d")  # a seed by which all are found soon


def two_columns() -> tuple[MatchingProblem, Evidence]:
    """Return a problem of optimum 3 with its evidence; 0-0 is related to 1-1, to 1-2 and to 2-1."""
    terms = (
        Term(1, ((0, 0),)),
        Term(1, ((0, 0), (1, 1))),
        Term(1, ((0, 0), (1, 2))),
        Term(1, ((0, 0), (2, 1))),
    )
    evidence = Evidence(1, [1, 2, 3], [1, 0, 1, 0, 1, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0])
    return MatchingProblem(3, 3, terms), evidence


def with_terms(*terms: Term) -> Callable[[MatchingProblem, Evidence], Any]:
    def fault(problem: MatchingProblem, evidence: Evidence) -> Any:
        large = [t for t, term in enumerate(terms) if len(term.pairs) > 1]
        shares = [
            part for t in large for part in (terms[t].weight, *[0] * (len(terms[t].pairs) - 1))
        ]
        arrays = MatchingProblem(3, 3, terms).arrays
        return arrays, Case(Evidence(1, large, shares, [0] * len(shares), evidence.prices))

    return fault


def with_evidence(**changes: Any) -> Callable[[MatchingProblem, Evidence], Any]:
    return lambda problem, evidence: (problem.arrays, Case(evidence._replace(**changes)))


def with_arrays(**changes: Any) -> Callable[[MatchingProblem, Evidence], Any]:
    return lambda problem, evidence: (problem.arrays._replace(**changes), Case(evidence))


def with_cliques(
    *sets: tuple[Pair, ...], multiplier: int = 1, unit: int = 1
) -> Callable[[MatchingProblem, Evidence], Any]:
    """Return a function that puts one clique of *sets* above the evidence."""
    clique = (multiplier, list(sets))

    def fault(problem: MatchingProblem, evidence: Evidence) -> Any:
        return problem.arrays, below([clique], unit, evidence)

    return fault


#: For each reason to refuse a proof, what must be refused for it.
FAULTS: dict[str, Sequence[Callable[[MatchingProblem, Evidence], Any]]] = {
    "the terms do not have all the pairs": [
        with_arrays(start=[1, 1, 3, 5, 7]),
        with_arrays(start=[0, 1, 3, 5, 5]),
        with_arrays(weight=[1, 1, 1]),
    ],
    "terms are not in order, or two are the same": [
        with_terms(Term(1, ((0, 0), (1, 1))), Term(1, ((0, 0), (1, 1)))),
        with_terms(Term(1, ((0, 1),)), Term(1, ((0, 0),))),
        with_terms(Term(1, ())),
        with_arrays(start=[0, 1, 3, 3, 7]),
        with_cliques(()),
    ],
    "a term is not one-to-one, or its pairs are not in order": [
        with_terms(Term(1, ((0, 0), (0, 1)))),
        with_terms(Term(1, ((0, 0), (1, 0)))),
        with_terms(Term(1, ((1, 1), (0, 0)))),
        with_terms(Term(1, ((0, 0), (1, 1), (2, 1)))),
        with_terms(Term(1, ((0, 0), (2, 1), (1, 2)))),
        with_cliques(((1, 1), (0, 0))),
        with_cliques(((0, 0), (0, 1))),
        with_cliques(((0, 0), (1, 0))),
        with_cliques(((0, 0), (0, 0))),
    ],
    "a term has a pair of other variables": [
        with_terms(Term(1, ((0, 3),))),
        with_terms(Term(1, ((3, 0),))),
        with_terms(Term(1, ((-1, 0),))),
        with_cliques(((0, 0),), ((0, 3),)),
        with_cliques(((0, 0),), ((-1, 0),)),
    ],
    "a scale is not positive": [with_evidence(scale=0), with_evidence(scale=-1)],
    "a price is negative or missing": [
        with_evidence(prices=[0, 0, -1]),
        with_evidence(prices=[0, 0]),
        with_evidence(prices=[0, 0, 0, 0]),
    ],
    "a local price is negative or missing": [
        with_evidence(local=[-1, 0, -1, 0, -1, 0]),
        with_evidence(local=[0, 0, 0, 0]),
    ],
    "there are shares of a term that does not exist": [
        with_evidence(terms=[1, 2, 3, 4]),
        with_evidence(terms=[1, 2, -1]),
    ],
    "there are not as many shares as the terms have pairs": [
        with_evidence(shares=[1, 0, 1, 0], local=[0] * 4),
        with_evidence(shares=[1] * 8, local=[0] * 8),
    ],
    "a term that counts has no shares": [
        with_evidence(terms=[1, 2], shares=[1, 0, 1, 0], local=[0] * 4),
    ],
    "the shares of a term are below its weight": [
        with_evidence(shares=[0, 0, 1, 0, 1, 0]),
        with_evidence(shares=[1, 0, 1, -1, 1, 0]),
    ],
    "a unit is not positive": [with_cliques(unit=0), with_cliques(unit=-1)],
    "a multiplier is negative": [with_cliques(multiplier=-1)],
    "a mapping may include two sets of a clique": [
        with_cliques(((0, 0),), ((0, 0),)),
        with_cliques(((0, 0),), ((0, 0), (1, 1))),
        with_cliques(((0, 0),), ((1, 1),)),
        with_cliques(((0, 0),), ((0, 1),), ((2, 2),)),
        with_cliques(((0, 0),), ((1, 1),), ((0, 1),)),
        with_cliques(((0, 0),), ((0, 1),), ((1, 0),)),
        with_cliques(((0, 0), (1, 1)), ((0, 0), (2, 2))),
        with_cliques(((0, 0), (1, 1)), ((0, 2), (1, 1)), ((1, 1), (2, 2))),
    ],
    "a column has two prices": [with_evidence(local=[0, 0, 0, 0, 1, 0])],
}


def refusal(check: ModuleType, arrays: TermArrays, node: Any) -> str | None:
    """Return the reason for which *check* refuses a proof, another outcome, or None."""
    try:
        check.bound(3, 3, arrays, node)
    except check.Unproven as error:
        return str(error)
    except (ArithmeticError, LookupError) as error:
        return repr(error)
    return None


@pytest.mark.parametrize("reason", FAULTS)
def test_each_refusal_has_its_cause(reason: str) -> None:
    problem, evidence = two_columns()
    for check in (proof_check, PLAIN):
        assert check.bound(3, 3, problem.arrays, Case(evidence)) == 3
        for fault in FAULTS[reason]:
            assert refusal(check, *fault(problem, evidence)) == reason


def without(refused: ast.If) -> ModuleType:
    """Return the check with one ``if ...: raise Unproven`` taken out, interpreted."""

    class Removal(ast.NodeTransformer):
        def visit_If(self, node: ast.If) -> Any:
            self.generic_visit(node)
            return ast.Pass() if node.lineno == refused.lineno else node

    module = ModuleType("without")
    tree = ast.fix_missing_locations(Removal().visit(ast.parse(SOURCE)))
    exec(compile(tree, "without", "exec"), module.__dict__)
    return module


def refusals() -> list[ast.If]:
    return [
        node
        for node in ast.walk(ast.parse(SOURCE))
        if isinstance(node, ast.If) and isinstance(node.body[0], ast.Raise)
    ]


@pytest.mark.slow
def test_no_refusal_can_be_left_out() -> None:
    """Without each single one, some fault is no longer refused for its reason."""
    problem, evidence = two_columns()
    seen = set()
    for node in refusals():
        reason = node.body[0].exc.args[0].value  # type: ignore[attr-defined]
        seen.add(reason)
        check = without(node)
        assert any(refusal(check, *fault(problem, evidence)) != reason for fault in FAULTS[reason])
    assert seen == FAULTS.keys()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(i == k) != (j == x)", "(i == k) or (j == x)"),
        ("(i == k) != (j == x)", "True"),
        ("for other in sets[:at]", "for other in sets[:at][:1]"),
        ("for other in sets[:at]", "for other in sets[:at][-1:]"),
        ("for at, one in enumerate(sets)", "for at, one in enumerate(sets[:2])"),
    ],
)
def test_any_two_sets_of_a_clique_are_looked_at(old: str, new: str) -> None:
    problem, evidence = two_columns()
    reason, check = "a mapping may include two sets of a clique", changed(old, new)
    assert any(refusal(check, *fault(problem, evidence)) != reason for fault in FAULTS[reason])


def is_fixing_right(check: ModuleType, rounds: int) -> bool:
    """Tell whether *check* fixes all pairs that cliques fix, and no pair of a better mapping."""
    rng = random.Random("fixed")
    for _ in range(rounds):
        problem = random_problem(rng)
        rest, cliques, unit = random_rest(rng, problem)
        evidence, score = random_evidence(rng, rest), rng.randint(0, 8)
        given = problem.n_left, problem.n_right, problem.arrays
        found = check.fixed(*given, below(cliques, unit, evidence), score)
        most = unit * (score + 1) - 1 - sum(multiplier for multiplier, _ in cliques)
        if found != check.fixed(*given[:2], rest.arrays, Case(evidence), most):
            return False
        for p in found:
            rivals = {q for q in problem.candidates if (q[0] == p[0]) != (q[1] == p[1])}
            held = Term(1000, (p,))  # so much that all best mappings hold it
            terms = [held, *(term for term in problem.terms if rivals.isdisjoint(term.pairs))]
            if oracle.best_score(*given[:2], terms) - 1000 > score:
                return False
    return True


def test_pairs_are_fixed_by_cliques() -> None:
    assert is_fixing_right(proof_check, 300) and is_fixing_right(PLAIN, 300)
    for old, new in [("- multipliers - 1)", "- multipliers)"), ("- multipliers - 1)", "- 1)")]:
        assert not is_fixing_right(changed(old, new), 300)


def overflowing() -> list[tuple[tuple[Term, ...], Evidence]]:
    """Return problems and evidence in which one sum exceeds 64 bits, although all inputs fit."""
    big = 1 << 62
    own = Term(big, ((0, 0),))
    return [
        ((own, Term(big, ((0, 0), (1, 1)))), Evidence(1, [1], [big, 0], [0, 0], [0, 0])),
        ((own, Term(big, ((1, 1),))), Evidence(1, [], [], [], [0, 0])),
        ((own,), Evidence(1, [], [], [], [big, big])),
        ((own,), Evidence(4, [], [], [], [0, 0])),
        (
            (Term(1, ((0, 0), (1, 1))), Term(1, ((0, 0), (1, 2)))),
            Evidence(1, [0, 1], [0, big, 0, big], [big, 0, big, 0], [0, 0]),
        ),
        ((Term(big, ((0, 0), (1, 1))),), Evidence(1, [0], [big, big], [0, 0], [0, 0])),
    ]


@pytest.mark.parametrize("number", range(6))
def test_numbers_beyond_64_bits_are_noticed(number: int) -> None:
    """Compiled, the check says so; it never wraps round. Interpreted, it computes them."""
    terms, evidence = overflowing()[number]
    evidence = evidence._replace(prices=[*evidence.prices, 0])
    problem = MatchingProblem(2, 3, terms)
    right = PLAIN.bound(2, 3, problem.arrays, Case(evidence))
    assert right >= optimum(problem)
    try:
        assert proof_check.bound(2, 3, problem.arrays, Case(evidence)) == right
    except OverflowError:
        assert right >= 1 << 61


def test_weights_below_cliques_that_exceed_64_bits_are_noticed() -> None:
    """Compiled, the check says so; interpreted, it computes them."""
    own = 1 << 61
    problem = MatchingProblem(2, 3, (Term(own, ((0, 0),)), Term(own, ((1, 1),))))
    for multiplier, unit in [(0, 8), (1 << 64, 1), (own, 9)]:
        node = below([(multiplier, [((0, 0),), ((0, 1),)])], unit, Evidence(1, [], [], [], [0] * 3))
        right = (multiplier + max(0, unit * own - multiplier) + unit * own) // unit
        assert PLAIN.bound(2, 3, problem.arrays, node) == right
        try:
            assert proof_check.bound(2, 3, problem.arrays, node) == right
        except OverflowError:
            assert right >= 1 << 61


def test_directives_of_cython_stand_where_they_are_heard() -> None:
    """After the docstring, Cython silently ignores directives."""
    package = Path(exactmatch.__file__).parent
    found = 0
    for path in package.rglob("*.py"):
        head, _, body = path.read_text("utf-8").partition('"""')
        found += "# cython:" in head
        assert "# cython:" not in body, path
    assert found >= 6


def test_huge_weights_are_proven() -> None:
    for weight in (2**40, 2**47, 2**48, 2**62, 2**63, 2**80):
        terms = (Term(weight, ((0, 0),)), Term(weight, ((0, 0), (1, 1))), Term(1, ((0, 1),)))
        problem = MatchingProblem(2, 2, terms)
        found = solve(problem, SolverSettings(solver="dual"))
        assert found.lower == found.upper == 2 * weight
        assert found.is_checked


def test_a_false_bound_of_huge_weights_is_refused() -> None:
    for weight in (2**30, 2**47, 2**61, 2**62, 2**63, 2**64):
        terms = (Term(weight, ((0, 0),)), Term(weight, ((0, 0), (1, 1))))
        problem = MatchingProblem(2, 2, terms)
        proof = prove(problem, Deadline())
        assert checked(problem, proof) is proof
        with pytest.raises(VerificationError, match=f"the bound {2 * weight}, not 5"):
            checked(problem, proof._replace(lower=1, upper=5))


@pytest.mark.parametrize(
    ("step", "method", "solver"),
    [
        ("prove", EXACT, AUTO),
        ("prove", EXACT, DUAL),
        ("prove", EXACT, "brute"),
        ("quick_bound", EXACT, "brute"),
        ("quick_bound", "s", AUTO),
    ],
)
def test_no_way_of_solving_does_without_the_check(
    monkeypatch: pytest.MonkeyPatch, step: str, method: str, solver: str
) -> None:
    right = vars(strategy)[step]
    monkeypatch.setattr(strategy, step, lambda *a, **k: right(*a, **k)._replace(lower=1, upper=5))
    problem = MatchingProblem(2, 2, (Term(6, ((0, 0),)), Term(7, ((1, 1),))))
    with pytest.raises(VerificationError, match="the bound 13, not 5"):
        solve(problem, SolverSettings(method=method, solver=solver, certify=True))


def test_what_is_left_out_for_a_solver_is_checked() -> None:
    """A removal of terms without reason is noticed before a solver gets the rest."""
    rng = random.Random("rest")
    fixed = refused = 0
    for _ in range(200):
        problem = random_problem(rng)
        proof = prove(problem, Deadline(), rest_by=Deadline(), budgets=WEAK.dual)
        checked(problem, proof)
        fixed += len(proof.rest.terms) < len(problem.terms)
        if proof.lower == proof.upper:
            continue
        rest = MatchingProblem(problem.n_left, problem.n_right, proof.rest.terms[1:])
        fewer = proof._replace(rest=rest)
        with pytest.raises(VerificationError, match="a term was left out"):
            checked(problem, fewer)
        refused += 1
        added = Term(1, ((problem.n_left, problem.n_right),))
        more = (*proof.rest.terms, added)
        rest = MatchingProblem(problem.n_left + 1, problem.n_right + 1, more)
        with pytest.raises(VerificationError, match="a term was kept that the problem"):
            checked(problem, proof._replace(rest=rest))
    assert fixed > 5 and refused > 5


def test_a_wrong_proof_is_refused() -> None:
    """With one unit less in one share, there is an error instead of a number."""
    rng = random.Random("wrong proofs")
    refused = 0
    for _ in range(300):
        problem = random_problem(rng)
        proof = prove(problem, Deadline())
        divided = [leaf for leaf in leaves(proof.node) if len(leaf.shares)]
        for leaf in divided:
            leaf.shares[rng.randrange(len(leaf.shares))] -= 1
        if divided:
            with pytest.raises(VerificationError, match="below its weight"):
                checked(problem, proof)
            refused += 1
    assert refused > 100


def leaves(node: Node) -> list[Leaf]:
    if isinstance(node, Branch):
        return leaves(node.with_pair) + leaves(node.without_pair)
    if isinstance(node, Cliques):
        return leaves(node.rest)
    return [node.leaf, *leaves(node.rest)] if isinstance(node, Fixing) else [node]


def nodes(node: Node) -> list[Node]:
    """Return a tree's nodes, from the root down."""
    if isinstance(node, Branch):
        return [node, *nodes(node.with_pair), *nodes(node.without_pair)]
    return [node] if isinstance(node, Leaf) else [node, *nodes(node.rest)]


@pytest.mark.slow
def test_trees_of_all_kinds_are_checked() -> None:
    """With small budgets, hard problems need trees; every proof holds at the first attempt."""
    dual = DualBudgets(
        root_iterations=2,
        core_iterations=0,
        core_sweeps=0,
        fusion_tree=(0, 1, 0),
        nearby_tree=(0, 1, 0),
        case_iterations=2,
        rest_iterations=2,
        trial_iterations=1,
        few_terms=0,
    )
    rng = random.Random("trees")
    kinds: Counter[str] = Counter()
    for _ in range(cases(600)):
        problem = random_problem(rng)
        largest = rng.choice([1, 10**3, 10**9, 10**14])
        heavier = tuple(t._replace(weight=rng.randint(1, largest)) for t in problem.terms)
        problem = MatchingProblem(problem.n_left, problem.n_right, heavier)
        proof = checked(problem, prove(problem, Deadline(), budgets=dual))
        assert proof.lower == proof.upper == optimum(problem)
        kinds.update(type(node).__name__ for node in nodes(proof.node))
    assert kinds["Cliques"] >= cases(4)
    assert min(kinds[name] for name in ("Leaf", "Branch", "Fixing")) >= cases(10)
