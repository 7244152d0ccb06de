"""The checker of certificates: no proof shows a bound below the optimum."""

import random
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from certificate_samples import PAIR, TRIANGLE, TRIANGLE_PROOF, random_terms, random_tree
from oracles.brute_force import best_score
from samples import random_problem
from seeds import cases

from exactmatch.certificate import checker
from exactmatch.certificate.checker import MALFORMED, MOST_PAIRS, Pair, Term, bound, terms
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.scoring.build import build_problem
from exactmatch.scoring.match_values import MatchValues


def defined_bound(problem: list[Term], node: Any, banned: set[Pair]) -> int:
    """Return the bound of a proof, word for word as it is defined and as slow."""
    candidates = {p for _, pairs in problem for p in pairs}
    if "pair" in node:
        i, j = node["pair"]
        rivals = {(k, x) for k, x in candidates if k == i or x == j} - {(i, j)}
        return max(
            defined_bound(problem, node["with"], banned | rivals),
            defined_bound(problem, node["without"], banned | {(i, j)}),
        )
    if "cliques" in node:
        changed, total = defined_rest(problem, node)
        return (total + defined_bound(changed, node["rest"], banned)) // int(node["unit"])
    if "sieve" in node:
        kept = {p for p in candidates if not is_fixed(problem, node, banned, p)}
        rest = defined_bound(problem, node["rest"], banned | (candidates - kept))
        return max(int(node["score"]), rest)
    return defined_total(problem, node, banned, None) // int(node["denominator"])


def defined_rest(problem: list[Term], node: Any) -> tuple[list[Term], int]:
    """Return the terms below cliques, and the sum of the multipliers."""
    cliques = [(k, [tuple(map(tuple, pairs)) for pairs in sets]) for k, sets in node["cliques"]]
    weights = {pairs: node["unit"] * weight for weight, pairs in problem}
    known = sorted({*weights, *(pairs for _, sets in cliques for pairs in sets)})
    taken = {pairs: sum(k for k, sets in cliques if pairs in sets) for pairs in known}
    changed = [(weights.get(pairs, 0) - taken[pairs], pairs) for pairs in known]
    return changed, sum(k for k, _ in cliques)


def is_fixed(problem: list[Term], node: Any, banned: set[Pair], pair: Pair) -> bool:
    """Tell whether the proof that fixes *pair* bounds every mapping with that pair."""
    if all(banned & set(pairs) for _, pairs in problem if pair in pairs) and not any(
        (i, j) == pair for i, j, _, _ in node["sieve"].get("local", [])
    ):
        return False  # it is worth nothing, and banning it changes nothing
    most = defined_total(problem, node["sieve"], banned, pair)
    return bool(most // node["sieve"]["denominator"] <= node["score"])


def defined_total(problem: list[Term], node: Any, banned: set[Pair], forced: Pair | None) -> int:
    """Return the bound of all mappings, or of those with *forced*, times the denominator."""
    candidates = {p for _, pairs in problem for p in pairs}
    scale: int = node["denominator"]
    price: dict[int, int] = {int(j): amount for j, amount in node.get("prices", {}).items()}
    local: dict[Any, int] = {
        (i, j, frozenset(c)): amount for i, j, c, amount in node.get("local", [])
    }
    live = {t for t, (_, pairs) in enumerate(problem) if not banned & set(pairs)}

    def share(t: int, p: Pair) -> int:
        weight, pairs = problem[t]
        whole, rest = divmod(scale * weight, len(pairs))
        default = [whole + 1] * rest + [whole] * (len(pairs) - rest)
        return int(node.get("shares", {}).get(str(t), default)[pairs.index(p)])

    def worth(p: Pair) -> int:
        mine = [t for t in live if p in problem[t][1]]
        rows = {t: frozenset(i for i, _ in problem[t][1]) - {p[0]} for t in mine}
        total = sum(share(t, p) for t in mine if not rows[t])
        total += sum(amount for (i, j, _), amount in local.items() if (i, j) == p)
        for row in set(rows.values()) - {frozenset()}:
            columns = {t: frozenset(j for _, j in problem[t][1]) - {p[1]} for t in mine}
            in_row = [t for t in mine if rows[t] == row]
            total += max([0, *(share(t, p) - local.get((*p, columns[t]), 0) for t in in_row)])
        return total

    best: dict[int, int] = {}
    for i, j in candidates | {(i, j) for i, j, _ in local}:
        best[i] = max(best.get(i, 0), worth((i, j)) - price.get(j, 0))
    if forced is not None:
        best[forced[0]] = worth(forced) - price.get(forced[1], 0)
    return sum(best.values()) + sum(price.values())


def sound_on(problems: int, seed: int = 7) -> tuple[int, int]:
    """Assert that no random proof is below the optimum; count the bounds that meet it."""
    rng = random.Random(seed)
    tight = improved = 0
    for _ in range(problems):
        n, m = rng.randint(1, 4), rng.randint(1, 4)
        problem = random_terms(rng, n, m)
        optimum = best_score(n, m, problem)
        proof = random_tree(rng, problem, n, m, rng.randrange(4))
        found = bound(problem, proof)
        assert optimum <= found == defined_bound(problem, proof, set()), (problem, proof)
        tight += found == optimum
        improved += found < bound(problem, {"denominator": 1})
    return tight, improved


@pytest.mark.slow
def test_no_advice_proves_what_is_not_so() -> None:
    tight, improved = sound_on(cases(3_000))
    assert tight > cases(500)  # a bound of infinity would never be
    assert improved > cases(100)  # nor would one that ignores advice


#: What is no clique, each for another reason.
NO_CLIQUES: list[Any] = [
    [[[1, 1], [0, 0]]],
    [[[0, 0], [0, 0]]],
    [[[0, 0], [0, 1]]],
    [[[0, 0], [1, 0]]],
    [[[-1, 0]]],
    [[[0, -1]]],
    [[[0, 0]], [[0, 0]]],
    [[[0, 0]], [[1, 1]]],
    [[[0, 0]], [[0, 1]], [[1, 0]]],
    [[[1, 0]], [[0, 1]], [[0, 0]]],
    [[[0, 0], [1, 1]], [[0, 0], [2, 2]]],
    [[[0, j]] for j in range(MOST_PAIRS + 1)],
]

#: A fault in each step of the check of cliques, and what it makes of the step.
FAULTS = [
    ("pairs: unit * weight for", "pairs: weight for"),
    ("weights[pairs] -= multiplier", "weights[pairs] = -multiplier"),
    ("weights[pairs] -= multiplier", "weights[pairs] -= 2 * multiplier"),
    ("total += multiplier", "total = multiplier"),
    ("(multipliers + bound(rest, node", "(bound(rest, node"),
    (', banned)) // node["unit"]', ")) // node['unit']"),
    (', banned)) // node["unit"]', ", banned))"),
    ("sorted(weights.items())], total", "weights.items()], total"),
    ("_require(1 <= unit", "_require(-1 <= unit"),
    ("<= LARGEST_UNIT,", "<= 9 * LARGEST_UNIT,"),
    ("_require(multiplier >= 0,", "_require(multiplier >= -1,"),
    ("<= MOST_PAIRS,", "<= 2 * MOST_PAIRS,"),
    ("list(tests) == sorted({*tests})", "list(tests) == sorted(tests)"),
    ("list(tests) == sorted({*tests})", "len(tests) == len({*tests})"),
    ("min(*tests, *golds) >= 0", "min(tests) >= 0"),
    ("min(*tests, *golds) >= 0", "min(golds) >= 0"),
    ("_require(len({*golds}) == len(golds),", "_require(True,"),
    ("_require(_exclude_each_other(sets),", "_require(True,"),
    ("(holders[i, None] | holders[None, j])", "holders[i, None]"),
    ("(holders[i, None] | holders[None, j])", "holders[None, j]"),
    (" & ~holders[i, j]", ""),
    ("rivals = 1 << k", "rivals = 0"),
    ("if rivals != (1 << len(sets)) - 1:", "if rivals == 1 << k:"),
    (
        "for k, pairs in enumerate(sets):\n        rivals",
        "for k, pairs in [(0, sets[0])]:\n        rivals",
    ),
]


def with_fault(old: str, new: str) -> ModuleType:
    """Return the checker with its one place *old* made *new*."""
    source = Path(checker.__file__).read_text("utf-8")
    assert source.count(old) == 1, old
    module = ModuleType("changed")
    exec(compile(source.replace(old, new), "changed", "exec"), module.__dict__)
    return module


def is_noticed(check: ModuleType) -> bool:
    """Tell whether *check* refuses a proof, proves another bound, or wrongly accepts it."""
    known = terms(TRIANGLE)
    wrong: list[Any] = [{"cliques": [[0, sets]]} for sets in NO_CLIQUES]
    wrong += [{"cliques": [[-1, []]]}, {"unit": -1}, {"unit": checker.LARGEST_UNIT + 1}]
    for change in wrong:
        with pytest.raises(MALFORMED):
            bound(known, {**TRIANGLE_PROOF, **change})
        try:
            check.bound(known, {**TRIANGLE_PROOF, **change})
        except (check.Refused, *MALFORMED):
            continue
        return True
    rng = random.Random("faults")
    for _ in range(1000):
        n, m = rng.randint(1, 4), rng.randint(1, 4)
        problem = random_terms(rng, n, m)
        proof = random_tree(rng, problem, n, m, 3)
        try:
            if check.bound(problem, proof) != defined_bound(problem, proof, set()):
                return True
        except MALFORMED:
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), FAULTS)
def test_each_step_of_the_check_of_cliques_is_needed(old: str, new: str) -> None:
    assert is_noticed(with_fault(old, new))


@pytest.mark.slow
def test_code_that_only_looks_changed_is_no_fault() -> None:
    assert not is_noticed(with_fault("rivals = 1 << k", "rivals = 1 << k + 0"))


def test_all_cases_together_prove_the_optimum() -> None:
    # Where all is decided, equal shares of positive weights are exact: 6 has thirds and halves.
    def all_cases(problem: list[Term], candidates: list[Pair]) -> Any:
        if not candidates:
            return {"denominator": 6}
        (i, j), *rest = candidates
        free = [(k, x) for k, x in rest if k != i and x != j]
        return {
            "pair": [i, j],
            "with": all_cases(problem, free),
            "without": all_cases(problem, rest),
        }

    rng = random.Random(3)
    for _ in range(100):
        found = random_problem(rng)
        problem: list[Term] = list(found.terms)
        candidates = sorted({p for _, pairs in problem for p in pairs})
        optimum = best_score(found.n_left, found.n_right, problem)
        assert bound(problem, all_cases(problem, candidates)) == optimum


@pytest.mark.parametrize("duplicates", ["set", "multiset", "product"])
def test_terms_are_those_that_are_solved(duplicates: Any) -> None:
    rng = random.Random(11)

    def graph(names: str) -> NormalisedGraph:
        items = []
        for _ in range(rng.randint(0, 10)):
            variables = tuple(rng.choices(names, k=rng.choice([1, 1, 2, 2, 3])))
            # The number of variables is part of what makes a label: build_problem asks for it.
            items += [
                NormalisedTriple((rng.choice("pq"), str(len(variables))), variables)
            ] * rng.choice([1, 1, 2, 3])
        return NormalisedGraph(tuple(names), items)

    def as_json(graph: NormalisedGraph) -> Any:
        triples = [[list(label), list(variables)] for label, variables in graph.triples]
        return {"variables": list(graph.variables), "triples": triples}

    for _ in range(300):
        test, gold = graph("abcd"[: rng.randint(1, 4)]), graph("wxyz"[: rng.randint(1, 4)])
        pair = {**PAIR, "duplicates": duplicates, "test": as_json(test), "gold": as_json(gold)}
        problem = build_problem(test, gold, MatchValues(duplicates))
        assert terms(pair) == [tuple(t) for t in problem.terms]


def test_labels_of_different_size_do_not_match() -> None:
    test = {"variables": ["a"], "triples": [[["r"], ["a", "a"]]]}
    gold = {"variables": ["x"], "triples": [[["r"], ["x"]]]}
    assert terms({**PAIR, "test": test, "gold": gold}) == []
