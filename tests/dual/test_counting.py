"""Problems whose terms are not written down: their sizes, bounds by counts, and the search."""

import json
import random
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from itertools import permutations
from math import lcm
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from exactmatch.building import build_compact, build_problem
from exactmatch.certificate import checker
from exactmatch.certificate.writer import certificate_json, pair_json
from exactmatch.deadline import Deadline
from exactmatch.dual import counting as counts
from exactmatch.dual.counting import CountsProof, prove_by_counts
from exactmatch.problem import MatchingProblem
from exactmatch.recount import count_matched
from exactmatch.search.growth import grow_mapping
from exactmatch.triples import Duplicates, NormalisedGraph, NormalisedTriple, Similar

SOURCE = Path(checker.__file__).read_text(encoding="utf-8")
SIMILAR: Similar = {(("p",), ("q",)): 3, (("q",), ("p",)): 7, (("z",), ("p",)): 4}


class Case:
    """Two graphs, how they are compared, and what is made of that."""

    def __init__(
        self,
        system: NormalisedGraph,
        gold: NormalisedGraph,
        duplicates: Duplicates,
        similar: Similar,
        scale: int,
    ) -> None:
        self.system, self.gold, self.duplicates = system, gold, duplicates
        self.similar, self.scale = similar, scale
        self.compact = build_compact(system, gold, duplicates, similar, scale)
        self.pair = pair_json("x", "y", duplicates, system, gold, similar, scale)

    def problem(self) -> MatchingProblem:
        graphs = (self.system, self.gold)
        return build_problem(*graphs, self.duplicates, similar=self.similar, scale=self.scale)

    def named(self, mapping: dict[int, int]) -> dict[str, str]:
        return {self.system.variables[i]: self.gold.variables[j] for i, j in mapping.items()}

    def count(self, mapping: dict[int, int]) -> int:
        """Return what *mapping* matches, from the definition."""
        graphs = (self.system, self.gold)
        named = self.named(mapping)
        return count_matched(*graphs, named, self.duplicates, self.similar, self.scale)

    def optimum(self) -> int:
        return max(self.count(mapping) for mapping in self.mappings())

    def mappings(self) -> Iterator[dict[int, int]]:
        n, m = len(self.system.variables), len(self.gold.variables)
        places = [*range(m), *[-1] * max(0, n - m)]
        for images in permutations(places, n):
            yield {i: j for i, j in enumerate(images) if j >= 0}

    def certificate(self, proof: CountsProof, mapping: dict[int, int]) -> dict[str, Any]:
        return certificate_json(self.pair, proof, mapping=mapping, lower=self.count(mapping))


class Looks(Deadline):
    """A deadline that comes after so many looks at the clock."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        object.__setattr__(self, "looks", iter(range(looks)))

    def passed(self) -> bool:
        return next(vars(self)["looks"], None) is None


def random_graph(rng: random.Random, names: str, has_targets: bool) -> NormalisedGraph:
    def items() -> list[NormalisedTriple]:
        found = []
        for _ in range(rng.randint(0, 9)):
            variables = tuple(rng.choices(names, k=rng.choice([1, 1, 2, 2, 3])))
            found += [NormalisedTriple((rng.choice("pq"),), variables)] * rng.choice(
                [1, 1, 1, 2, 3]
            )
        return found

    return NormalisedGraph(tuple(names), items(), items() if has_targets else None)


def random_case(rng: random.Random) -> Case:
    """Return a small case: few labels in several sizes, loops, repetitions, targets."""
    system = random_graph(rng, "abcd"[: rng.randint(1, 4)], has_targets=False)
    gold = random_graph(rng, "wxyz"[: rng.randint(1, 4)], has_targets=rng.random() < 0.3)
    duplicates = rng.choice(["set", "multiset", "product"])
    return Case(system, gold, duplicates, *rng.choice([({}, 1), (SIMILAR, 10)]))


def tree(size: int, seed: int, labels: str = "x", degree: int = 3) -> NormalisedGraph:
    """Return a tree; with one label, nothing but its shape tells its nodes apart."""
    rng = random.Random(seed)
    items = [NormalisedTriple(("top",), ("v0",))]
    for k in range(size):
        items.append(NormalisedTriple(("instance", rng.choice(labels)), (f"v{k}",)))
        if k:
            parent = rng.randrange(max(0, k // degree - 2), k // degree + 1) if k > 4 else 0
            items.append(NormalisedTriple(("relation", "R"), (f"v{parent}", f"v{k}")))
    return NormalisedGraph(tuple(f"v{k}" for k in range(size)), items)


def star(size: int, seed: int, labels: str) -> NormalisedGraph:
    """Return a graph in which all variables hang on one."""
    rng = random.Random(seed)
    items = [NormalisedTriple(("instance", "hub"), ("v0",))]
    for k in range(1, size):
        items.append(NormalisedTriple(("instance", rng.choice(labels)), (f"v{k}",)))
        items.append(NormalisedTriple(("relation", "R"), ("v0", f"v{k}")))
    return NormalisedGraph(tuple(f"v{k}" for k in range(size)), items)


def shuffled(graph: NormalisedGraph, seed: int) -> NormalisedGraph:
    """Return *graph* with other names in another order."""
    rng = random.Random(seed)
    names, items = list(graph.variables), list(graph.triples)
    rng.shuffle(names)
    rng.shuffle(items)
    new = {name: f"n{k}" for k, name in enumerate(names)}
    renamed = [
        NormalisedTriple(label, tuple(new[v] for v in variables)) for label, variables in items
    ]
    return NormalisedGraph(tuple(new.values()), renamed)


def compared(system: NormalisedGraph, gold: NormalisedGraph) -> Case:
    return Case(system, gold, "set", {}, 1)


def defined_bound(case: Case, prices: dict[int, int] | None) -> int:
    """Return the bound by counts as the checker's proof defines it, without any shortcut."""
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


def test_bounds_hold_and_are_as_defined() -> None:
    assert sound_on(2000) > 1500


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
    assert SOURCE.count(right) == 1
    faulty = ModuleType("faulty")
    exec(compile(SOURCE.replace(right, wrong), "faulty", "exec"), vars(faulty))
    with pytest.raises((AssertionError, *checker.MALFORMED)):
        sound_on(300, faulty)


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
    def test_by_hand(self) -> None:
        assert SMALL.optimum() == 2
        assert checker.counts(SMALL.pair, {}) == 3
        assert checker.counts(SMALL.pair, {"prices": {}}) == 3
        assert checker.counts(SMALL.pair, {"prices": {"0": 2}}) == 2
        assert prove_by_counts(SMALL.compact, Deadline()).upper == 2

    def verdict(self, **changes: Any) -> tuple[str, str]:
        line = json.dumps({**GOOD, **changes}).encode()
        ((_, found, reason),) = checker.check_all([SMALL.pair], [line])
        return found, reason

    def test_verified(self) -> None:
        assert GOOD["proof"] == {"counts": {"prices": {"0": 2}}}
        assert self.verdict()[0] == "verified"

    def test_bounded(self) -> None:
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

    def test_too_many_classes_are_left_out(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert counts.MOST_CLASSES == checker.MOST_CLASSES
        monkeypatch.setattr(counts, "MOST_CLASSES", 8)  # there are 3 times 3
        assert prove_by_counts(SMALL.compact, Deadline()) == CountsProof(3, None)
        monkeypatch.setattr(checker, "MOST_CLASSES", 8)
        assert self.verdict() == ("refuted", "prices for too many classes of variables")

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
        a, b, c = names
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


class TestSearch:
    def test_small_cases(self) -> None:
        rng = random.Random("search")
        found = best = 0
        for _ in range(500):
            case = random_case(rng)
            mapping = grow_mapping(case.compact, Deadline())
            assert len(set(mapping.values())) == len(mapping)
            assert mapping.keys() <= set(range(len(case.system.variables)))
            assert set(mapping.values()) <= set(range(len(case.gold.variables)))
            assert case.compact.value(mapping) == case.count(mapping) <= case.optimum()
            found += case.count(mapping)
            best += case.optimum()
        assert found > 0.93 * best

    @pytest.mark.parametrize(
        "graph", [tree(400, 1, degree=2), tree(600, 2, "abcdefgh"), star(300, 3, "abc")]
    )
    def test_a_graph_finds_itself(self, graph: NormalisedGraph) -> None:
        case = compared(graph, shuffled(graph, 4))
        mapping = grow_mapping(case.compact, Deadline())
        assert case.count(mapping) == graph.total("set")

    def test_hubs_on_both_sides(self) -> None:
        case = compared(star(1500, 1, "abcde"), shuffled(star(1500, 2, "abcde"), 3))
        mapping = grow_mapping(case.compact, Deadline())
        assert case.count(mapping) > 0.95 * prove_by_counts(case.compact, Deadline()).upper

    def test_nothing_in_common(self) -> None:
        for one, other in [("a", "b"), ("", ""), ("a", "")]:
            graphs = [
                NormalisedGraph(
                    tuple(names), [NormalisedTriple((name,), (name,)) for name in names]
                )
                for names in (one, other)
            ]
            case = compared(*graphs)
            assert grow_mapping(case.compact, Deadline()) == {}
            assert prove_by_counts(case.compact, Deadline()).upper == 0
            assert checker.counts(case.pair, {"prices": {}}) == 0

    def test_after_the_deadline_there_is_nothing(self) -> None:
        assert grow_mapping(SMALL.compact, Deadline.after(0)) == {}

    def test_cut_short_it_is_still_a_mapping(self) -> None:
        case = compared(tree(300, 1, "ab"), tree(300, 2, "ab"))
        values = []
        for looks in (5, 100, 200, 2000, 10**9):
            mapping = grow_mapping(case.compact, Looks(looks))
            assert len(set(mapping.values())) == len(mapping)
            values.append(case.count(mapping))
        assert values == sorted(values) and len(set(values)) > 2

    def test_the_order_of_sets_does_not_matter(self) -> None:
        program = (
            "import test_counting as t; c = t.compared(t.tree(150, 1, 'ab'), t.tree(150, 2, 'ab'));"
            "print(t.grow_mapping(c.compact, t.Deadline()));"
            "print(t.prove_by_counts(c.compact, t.Deadline()))"
        )
        path = [str(Path(__file__).parent), *sys.path]
        printed = {
            subprocess.run(
                [sys.executable, "-c", program],
                env={"PYTHONPATH": ":".join(path), "PYTHONHASHSEED": seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for seed in "123"
        }
        assert len(printed) == 1 and "{" in printed.pop()


def test_large_equal_trees_take_little_memory() -> None:
    system, gold = tree(1500, 1), tree(1500, 2)
    tracemalloc.start()
    case = compared(system, gold)
    assert case.compact.size().terms > 4_000_000
    proof = prove_by_counts(case.compact, Deadline())
    mapping = grow_mapping(case.compact, Deadline())
    verdict = checker.check(case.pair, case.certificate(proof, mapping))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert verdict == "bounded"
    assert case.count(mapping) > 0.85 * proof.upper
    assert proof.upper < system.total("set")
    assert peak < 60_000_000
