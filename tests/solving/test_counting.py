"""Bounds by counts: sound, as the checker defines them, and certified."""

import json
import random
import tracemalloc
from collections.abc import Callable
from math import lcm
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from counted import Case, compared, random_case, tree
from seeds import cases

from exactmatch.certificate import checker
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.scoring.build import worths
from exactmatch.scoring.recount import most_by_labels, most_if_all_similar
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.dual import counting
from exactmatch.solving.dual.counting import CountsProof, prove_by_counts, prove_by_labels
from exactmatch.solving.search.growth import grow_mapping
from exactmatch.stopping.deadline import Deadline

SOURCE = Path(checker.__file__).read_text(encoding="utf-8")


def defined_bound(case: Case, prices: dict[int, int] | None) -> int:
    """Return the bound by counts as the checker's proof defines it, without any shortcut."""
    credit: dict[str, Callable[[int, int], int]]
    credit = {"set": lambda a, b: 1, "multiset": min, "product": lambda a, b: a * b}
    sides = []
    for graph, items in ((case.system, case.system.triples), (case.gold, case.gold.as_gold())):
        times = {item: items.count(item) for item in items}
        place = {name: k for k, name in enumerate(graph.variables)}
        sides.append([(label, [place[v] for v in vs], n) for (label, vs), n in times.items()])
    system, gold = sides

    def pattern(variables: list[int]) -> list[bool]:
        return [a == b for a in variables for b in variables]

    worths = [((label, label), case.scale) for label in {label for label, _, _ in system}]
    kinds = []
    for (own, other), worth in [*worths, *case.similar.items()]:
        for shape in {tuple(pattern(vs)) for label, vs, _ in system if label == own}:
            lefts, rights = (
                [(list(dict.fromkeys(vs)), n) for a, vs, n in side if (a, pattern(vs)) == key]
                for side, key in ((system, (own, [*shape])), (gold, (other, [*shape])))
            )
            if rights:
                kinds.append((worth, len(lefts[0][0]), lefts, rights))

    def most(lefts: list[int], rights: list[int]) -> int:
        both = zip(sorted(lefts)[::-1], sorted(rights)[::-1], strict=False)
        return sum(credit[case.duplicates](a, b) for a, b in both)

    by_labels = sum(w * most([n for _, n in a], [n for _, n in b]) for w, _, a, b in kinds)
    if prices is None:
        return by_labels
    scale = lcm(*(size for _, size, _, _ in kinds))

    def worth_of(i: int, j: int) -> int:
        return sum(
            worth
            * (scale // size)
            * most([n for vs, n in a if vs[s] == i], [n for vs, n in b if vs[s] == j])
            for worth, size, a, b in kinds
            for s in range(size)
        )

    total = sum(prices.values())
    for i in range(len(case.system.variables)):
        gains = [worth_of(i, j) - prices.get(j, 0) for j in range(len(case.gold.variables))]
        total += max([0, *gains])
    return min(by_labels, total // scale)


def sound_on(cases: int, checking: ModuleType = checker) -> int:
    """Assert that no bound by counts is below the optimum; return how many are the optimum."""
    rng = random.Random("sound")
    tight = 0
    for _ in range(cases):
        case = random_case(rng)
        optimum = case.optimum()
        proof = prove_by_counts(case.compact, Deadline())
        assert optimum <= proof.upper
        assert proof.upper == checking.counts(case.pair, proof.as_json()["counts"])
        tight += proof.upper == optimum
        prices = {
            j: rng.randint(0, 8) for j in range(len(case.gold.variables)) if rng.random() < 0.6
        }
        for advice in (None, {}, prices):
            written = {} if advice is None else {"prices": {str(j): p for j, p in advice.items()}}
            found = checking.counts(case.pair, written)
            assert optimum <= found == defined_bound(case, advice)
    return tight


def changed(right: str, wrong: str) -> ModuleType:
    """Return the checker with its one place *right* made *wrong*."""
    assert SOURCE.count(right) == 1
    module = ModuleType("changed")
    exec(compile(SOURCE.replace(right, wrong), "changed", "exec"), vars(module))
    return module


@pytest.mark.slow
def test_bounds_hold_and_are_as_defined() -> None:
    assert sound_on(cases(600)) > cases(450)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"multiset": min', '"multiset": max'),
        ('"product": mul', '"product": min'),
        ("Counter(triples).most_common()", "Counter(triples).items()"),
        ("is None:\n        return bound", "is None:\n        return bound // 2"),
        ("total: int = sum(prices.values())", "total: int = 0"),
        ("scale = lcm(", "scale = 1 or lcm("),
        ("            - price\n", "            - 2 * price\n"),
        ("len(members) * max([0, *gains])", "max([0, *gains])"),
        ("cheapest = [(star, min(", "cheapest = [(star, max("),
        ("pattern = tuple(map(variables.index, variables))", "pattern = tuple(variables)"),
        ("return min(bound, total // scale)", "return total // scale"),
    ],
)
def test_a_fault_in_the_checker_is_noticed(right: str, wrong: str) -> None:
    with pytest.raises((AssertionError, *checker.MALFORMED)):
        sound_on(300, changed(right, wrong))


# test  p(a) p(b) r(a, b) r(a, c)    gold  p(x) r(x, y) r(y, z)
#
# Labels: one p of two and one, two r of two and two: 1 + 2 = 3.
# Stars, with D = 2: p is worth 2 to its variable, and an r 1 to each of its two. (a, x): 2 + 1;
# (a, y): 1; (b, x): 2; (b, y), (b, z), (c, y), (c, z): 1. Without prices, 3 + 2 + 1, 6 // 2 = 3.
# With a price of 2 for x: (1 + 1 + 1 + 2) // 2 = 2, which is right: r(a, b) and p(a), say.
SMALL = compared(
    NormalisedGraph(
        tuple("abc"),
        [
            *(NormalisedTriple(("p",), (v,)) for v in "ab"),
            *(NormalisedTriple(("r",), ("a", v)) for v in "bc"),
        ],
    ),
    NormalisedGraph(
        tuple("xyz"),
        [
            NormalisedTriple(("p",), ("x",)),
            NormalisedTriple(("r",), ("x", "y")),
            NormalisedTriple(("r",), ("y", "z")),
        ],
    ),
)
GOOD = SMALL.certificate(CountsProof(2, {0: 2}), {0: 0, 1: 1})


class TestCertificates:
    def test_bounds_by_counts_are_those_counted_by_hand(self) -> None:
        assert SMALL.optimum() == 2
        assert checker.counts(SMALL.pair, {}) == 3
        assert checker.counts(SMALL.pair, {"prices": {}}) == 3
        assert checker.counts(SMALL.pair, {"prices": {"0": 2}}) == 2
        assert prove_by_counts(SMALL.compact, Deadline()).upper == 2

    def verdict(self, **changes: Any) -> tuple[str, str]:
        line = json.dumps({**GOOD, **changes}).encode()
        ((_, found, reason),) = checker.check_all([SMALL.pair], [line])
        return found, reason

    def test_a_bound_by_counts_verifies_an_optimum(self) -> None:
        assert GOOD["proof"] == {"counts": {"prices": {"0": 2}}}
        assert self.verdict()[0] == "verified"

    def test_a_bound_by_counts_may_leave_a_gap(self) -> None:
        by_labels = self.verdict(upper=3, proof={"counts": {}})
        assert by_labels == ("bounded", "the best mapping scores between 2 and 3: gap 1")

    @pytest.mark.parametrize(
        "proof",
        [
            {"counts": {}},
            {"counts": {"prices": {}}},
            {"counts": {"prices": {"0": 1, "1": 2}}},
            {"counts": {"prices": {"0": 7}}},
            {"counts": {"prices": {"0": -1}}},
            {"counts": {"prices": {"0": 2, "2": -1}}},
            {"counts": {"prices": {"0": 2, "3": 0}}},
            {"counts": {"prices": {"0": 2, "-1": 0}}},
            {"counts": {"prices": {"x": 2}}},
            {"counts": {"prices": {"0": "2"}}},
            {"counts": {"prices": {"0": 2.0}}},
            {"counts": {"prices": {"0": None}}},
            {"counts": {"prices": {"0": [2]}}},
            {"counts": {"prices": [2, 0, 0]}},
            {"counts": {"prices": 2}},
            {"counts": []},
            {"counts": None},
            {"counts": "prices"},
            {"Counts": {}},
            "counts",
            ["counts"],
            {"pair": [0, 0], "with": {"counts": {}}, "without": {"counts": {}}},
        ],
    )
    def test_what_proves_less_is_refuted(self, proof: Any) -> None:
        found, reason = self.verdict(proof=proof)
        assert found == "refuted" and reason

    @pytest.mark.parametrize("changes", [{"value": 3}, {"upper": 1}, {"mapping": [1, 0, None]}])
    def test_what_claims_more_is_refuted(self, changes: dict[str, Any]) -> None:
        assert self.verdict(**changes)[0] == "refuted"

    def test_too_many_classes_are_left_out(self) -> None:
        assert counting.MOST_CLASSES == checker.MOST_CLASSES
        few = 8  # there are 3 times 3
        assert prove_by_counts(SMALL.compact, Deadline(), few) == CountsProof(3, None)
        strict = changed("MOST_CLASSES = 250_000", f"MOST_CLASSES = {few}")
        with pytest.raises(strict.Refused, match="prices for too many classes of variables"):
            strict.check(SMALL.pair, GOOD)

    def test_after_the_deadline_labels_are_counted(self) -> None:
        assert prove_by_counts(SMALL.compact, Deadline.after(0)) == CountsProof(3, None)


def test_sizes_are_upper_bounds() -> None:
    rng = random.Random("sizes")
    for _ in range(500):
        case = random_case(rng)
        problem, size = case.problem(), case.compact.size()
        assert len(problem.terms) <= size.terms
        assert len(problem.candidates) <= size.candidates <= problem.n_left * problem.n_right


def test_sizes_are_exact_for_equal_trees() -> None:
    case = compared(tree(60, 1), tree(50, 2))
    assert case.compact.size() == (60 * 50, 1 + 60 * 50 + 59 * 49)
    assert len(case.problem().candidates) == 60 * 50
    assert len(case.problem().terms) == 60 * 50 + 59 * 49  # the roots are in one


def test_a_label_in_two_sizes_matches_in_each() -> None:
    def graph(names: str) -> NormalisedGraph:
        a, b, c = tuple(names)
        return NormalisedGraph(
            (a, b, c), [NormalisedTriple(("r",), (a, b)), NormalisedTriple(("r",), (c, b, a))]
        )

    case = compared(graph("abc"), graph("xyz"))
    assert case.problem().terms == (
        (1, ((0, 0), (1, 1))),
        (1, ((0, 0), (1, 1), (2, 2))),
    )
    assert case.optimum() == 2 == prove_by_counts(case.compact, Deadline()).upper


class TestValues:
    def test_all_counts_agree(self) -> None:
        rng = random.Random("values")
        for _ in range(300):
            case = random_case(rng)
            mapping = rng.choice(list(case.mappings()))
            images = [mapping.get(i) for i in range(len(case.system.variables))]
            counted = case.count(mapping)
            assert counted == case.compact.value(mapping) == case.problem().value(mapping)
            assert counted == checker.score(case.pair, images)

    def test_items_without_variables_do_not_depend_on_the_mapping(self) -> None:
        graph = NormalisedGraph(
            ("a",), [NormalisedTriple(("p",), ()), NormalisedTriple(("p",), ("a",))]
        )
        case = compared(graph, graph)
        assert case.compact.value({0: 0}) == checker.score(case.pair, [0]) == 1
        assert checker.counts(case.pair, {"prices": {}}) == 1


@pytest.mark.slow
def test_large_equal_trees_take_little_memory() -> None:
    system, gold = tree(250, 1), tree(250, 2)
    tracemalloc.start()
    case = compared(system, gold)
    assert case.compact.size().terms > 120_000
    proof = prove_by_counts(case.compact, Deadline())
    mapping = grow_mapping(case.compact, Deadline(), Budgets().looked_at)
    verdict = checker.check(case.pair, case.certificate(proof, mapping))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert verdict == "bounded"
    assert case.count(mapping) > 0.85 * proof.upper
    assert proof.upper < system.total("set")
    assert peak < 3_000_000


def test_bounds_by_labels_are_those_of_the_checker() -> None:
    """All three counts agree: by the problem, by triples with labels, and by triples alone."""
    rng = random.Random("labels alone")
    for _ in range(300):
        case = random_case(rng)
        wanted = defined_bound(case, None)
        by_label = worths(case.system.occurrences, case.values)
        sides = (case.system.occurrences, case.gold.gold_occurrences)
        assert prove_by_labels(*sides, by_label, case.duplicates) == CountsProof(wanted, None)
        assert most_by_labels(case.system, case.gold, *case.values) == wanted
        assert checker.counts(case.pair, {}) == wanted


def test_a_bound_holds_whatever_is_similar() -> None:
    rng = random.Random("all are similar")
    for _ in range(150):
        case = random_case(rng)
        labels = {
            triple.label for g in (case.system, case.gold) for triple in [*g.triples, *g.as_gold()]
        }
        kinds = [kind for kind in sorted({label[0] for label in labels}) if rng.random() < 0.7]
        alike = {
            (a, b): case.scale
            for a in labels
            for b in labels
            if a != b and a[0] == b[0] and a[0] in kinds and rng.random() < 0.8
        }
        found = Case(case.system, case.gold, case.duplicates, alike, case.scale).optimum()
        graphs = (case.system, case.gold)
        assert most_if_all_similar(*graphs, kinds, case.duplicates, case.scale) >= found
