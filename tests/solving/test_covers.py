"""Sentences: their conflicts and covers against brute force, and the check of covers.

Code is tested compiled and interpreted.
"""

import random
from functools import cache, partial
from itertools import permutations, starmap
from typing import Any

import pytest
from oracles import best_mappings as oracle

from exactmatch.certificate import cover_check
from exactmatch.metrics.triples import Duplicates, NormalisedGraph, NormalisedTriple
from exactmatch.problem.interpreted import interpreted
from exactmatch.problem.joining import credit
from exactmatch.problem.tables import TripleTable, tabulate
from exactmatch.scoring.recount import count_matched
from exactmatch.solving import conflicts, covers, first_mapping

PLAIN = interpreted("exactmatch.solving.covers")
PLAIN_CONFLICTS = interpreted("exactmatch.solving.conflicts")
PLAIN_FIRST = interpreted("exactmatch.solving.first_mapping")
PLAIN_CHECK = interpreted("exactmatch.certificate.cover_check")
WAYS: tuple[Duplicates, ...] = ("set", "multiset", "product")


def random_graph(rng: random.Random, most: int = 5) -> NormalisedGraph:
    """Return a graph with loops, parallel edges and repeated triples, and with few labels."""
    variables = tuple("abcdefgh"[: rng.randint(1, most)])

    def triple() -> NormalisedTriple:
        size = rng.choice([1, 2, 2])
        return NormalisedTriple((rng.choice("pqr"),), tuple(rng.choices(variables, k=size)))

    triples = [triple() for _ in range(rng.randint(0, 2 * most))]
    return NormalisedGraph(variables, triples + rng.choices(triples, k=2) if triples else [])


def tables(system: NormalisedGraph, gold: NormalisedGraph) -> tuple[TripleTable, TripleTable]:
    numbers: dict[Any, int] = {}
    first, second = (tabulate([g.occurrences], [len(g.variables)], numbers) for g in (system, gold))
    return first, second


def optimum(system: NormalisedGraph, gold: NormalisedGraph, duplicates: Duplicates) -> int:
    """Return the best count from the triples over all mappings of as many variables as can be."""
    ours, theirs = system.variables, gold.variables
    if len(ours) <= len(theirs):
        mappings = [dict(zip(ours, p, strict=True)) for p in permutations(theirs, len(ours))]
    else:
        mappings = [dict(zip(p, theirs, strict=True)) for p in permutations(ours, len(theirs))]
    return max(count_matched(system, gold, mapping, duplicates) for mapping in mappings)


def found(
    module: Any, pair: tuple[TripleTable, TripleTable], scale: int, duplicates: str
) -> list[object]:
    """Return all that a solver says of a pair."""
    solver = module.Covers(*pair, scale, duplicates)
    if not solver.solve(0, 0):
        return [False]
    image = list(solver.image)[: pair[0].n_variables[0]]
    n_cases = solver.n_cases
    ends = [solver.n_cliques, *list(solver.case_end)[:n_cases]]
    members, weights = list(solver.members)[: ends[-1] * solver.words], list(solver.clique_weight)
    cases = list(solver.case_term)[:n_cases]
    return [image, solver.words, members, weights[: ends[-1]], ends, cases, solver.is_plain]


@cache
def some_graphs(seed: int, count: int, most: int) -> list[tuple[NormalisedGraph, NormalisedGraph]]:
    """Return pairs of random graphs, the same for tests of all ways and modules."""
    rng = random.Random(seed)
    return [(random_graph(rng, most), random_graph(rng, most)) for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("duplicates", WAYS)
def test_covers_are_as_brute_force_has_them(duplicates: Duplicates) -> None:
    decided = by_cases = 0
    for k, (system, gold) in enumerate([*some_graphs(5, 300, 5), *some_graphs(10, 2200, 6)]):
        pair = tables(system, gold)
        solver = covers.Covers(*pair, 3, duplicates)
        if not solver.solve(0, 0) or (k >= 300 and solver.is_plain):
            continue
        decided += k < 300
        by_cases += solver.n_cases > 0
        check = cover_check.CoverCheck(*pair, solver, 3, duplicates)
        assert check.matched(0, 0) == check.bound(0, 0) == 3 * optimum(system, gold, duplicates)
        image = list(solver.image)[: len(system.variables)]
        named = {
            v: gold.variables[j] for v, j in zip(system.variables, image, strict=True) if j >= 0
        }
        assert check.matched(0, 0) == 3 * count_matched(system, gold, named, duplicates)
    assert decided > 290 and by_cases > 1


@pytest.mark.parametrize("duplicates", WAYS)
def test_the_first_of_the_best_mappings_is_as_brute_force_has_it(duplicates: Duplicates) -> None:
    rng = random.Random(f"first {duplicates}")
    decided = moved = 0
    for k in range(250):
        most = 3 if k % 5 else 4
        system, gold = random_graph(rng, most), random_graph(rng, most)
        score = partial(_matched, system, gold, duplicates)
        best = oracle.best_mappings(system.variables, gold.variables, score)
        needed = (oracle.needed(mapping, score) for mapping in best)
        first = oracle.in_order(system.variables, gold.variables, needed)[0]
        for module, following in ((covers, first_mapping), (PLAIN, PLAIN_FIRST)):
            solver = module.Covers(*tables(system, gold), 3, duplicates)
            if not solver.solve(0, 0) or not takes_first(following, solver, system):
                continue
            decided += 1
            moved += found(module, tables(system, gold), 3, duplicates)[0] != list(
                solver.image[: len(system.variables)]
            )
            assert first == {
                v: gold.variables[j]
                for v, j in zip(system.variables, solver.image, strict=False)
                if j >= 0
            }
    assert decided > 480 and moved > 4


def takes_first(module: Any, solver: Any, system: NormalisedGraph) -> bool:
    """Make the mapping that *solver* has found the defined one; tell if that was possible."""
    return bool(module.FirstMapping(solver).take(len(system.variables)))


def _matched(
    system: NormalisedGraph, gold: NormalisedGraph, way: Duplicates, mapping: dict[str, str]
) -> int:
    return count_matched(system, gold, mapping, way)


def test_where_the_first_is_left_to_others() -> None:
    """Too many variables, a cover by cases, and steps that do not suffice."""
    many = tuple(f"v{k}" for k in range(513))
    system = NormalisedGraph(many, [NormalisedTriple(("p",), ("v7",))])
    gold = NormalisedGraph(("a",), [NormalisedTriple(("p",), ("a",))])
    solver = covers.Covers(*tables(system, gold), 1, "set")
    assert solver.solve(0, 0) and not takes_first(first_mapping, solver, system)
    assert list(solver.image[:8]) == [-1] * 7 + [0]
    by_cases = 0
    for system, gold in some_graphs(10, 2200, 6):
        solver = covers.Covers(*tables(system, gold), 3, "set")
        if solver.solve(0, 0) and solver.n_cases:
            by_cases += 1
            assert not takes_first(first_mapping, solver, system)
    assert by_cases > 0


def test_both_forms_are_equal() -> None:
    rng = random.Random(6)
    for k in range(200):
        pair = tables(random_graph(rng, 8), random_graph(rng, 8))
        duplicates = WAYS[k % 3]
        assert found(covers, pair, 2, duplicates) == found(PLAIN, pair, 2, duplicates)


def test_a_pair_of_too_many_terms_is_not_small() -> None:
    star = [NormalisedTriple(("r",), ("a", v)) for v in "bcdefghijklmnopq"]
    graph = NormalisedGraph(tuple("abcdefghijklmnopq"), star)
    double = [*star, *(NormalisedTriple(("r",), ("r", v)) for v in "bcdefghijklmnopq")]
    larger = NormalisedGraph(tuple("abcdefghijklmnopqr"), double)
    assert len(star) * len(double) == 512
    assert covers.Covers(*tables(graph, larger), 1, "set").solve(0, 0)
    largest = NormalisedGraph(larger.variables, [*double, NormalisedTriple(("r",), ("a", "r"))])
    assert not covers.Covers(*tables(graph, largest), 1, "set").solve(0, 0)


def test_what_is_not_plain() -> None:
    three = NormalisedGraph(("a", "b", "c"), [NormalisedTriple(("r",), ("a", "b", "c"))])
    often = NormalisedGraph(("a",), [NormalisedTriple(("r",), ("a",))] * 1001)
    plain = NormalisedGraph(("a",), [NormalisedTriple(("r",), ("a",))] * 1000)
    assert [list(table.is_plain) for table in tables(three, often)] == [[0], [0]]
    assert [list(table.is_plain) for table in tables(three, plain)] == [[0], [1]]


class Claim:
    """The findings of a solver, for tests that falsify them."""

    def __init__(self, module: Any, solver: Any) -> None:
        copy = (lambda values: values.copy()) if module is cover_check else list
        self.image = copy(solver.image)
        self.members = copy(solver.members)
        self.clique_weight = copy(solver.clique_weight)
        self.case_term = copy(solver.case_term)
        self.case_end = copy(solver.case_end)
        self.n_cliques = solver.n_cliques
        self.n_cases = solver.n_cases
        self.words = solver.words

    @property
    def last(self) -> int:
        """How many cliques there are in all cases."""
        return int(self.case_end[self.n_cases - 1]) if self.n_cases else int(self.n_cliques)


def falsify(claim: Claim, rng: random.Random, n_variables: int) -> None:
    """Change one thing in a claim."""
    of_cases = ["term", "end"] if claim.n_cases else []
    kind = rng.choice(["weight", "drop", "bits", "image", "cases", *of_cases])
    k = rng.randrange(claim.last)
    if kind == "weight":
        claim.clique_weight[k] += rng.choice([-1, -2, 1])
    elif kind == "drop":
        claim.n_cliques -= 1
    elif kind == "bits":
        claim.members[k] ^= 1 << rng.randrange(12)
    elif kind == "image":
        claim.image[rng.randrange(n_variables)] = rng.randrange(-2, 6)
    elif kind == "cases":
        claim.n_cases += rng.choice([-1, 1])
    else:
        values = claim.case_term if kind == "term" else claim.case_end
        values[rng.randrange(claim.n_cases)] += rng.choice([-1, 1, 2])


Covered = tuple[NormalisedGraph, Duplicates, tuple[TripleTable, TripleTable], Any, int]


@cache
def covered_graphs() -> list[Covered]:
    """Return systems whose pairs have covers, some of them by cases, with their optima."""
    every: list[Covered] = []
    for k, (system, gold) in enumerate(some_graphs(7, 600, 5)):
        duplicates: Duplicates = "set" if k < 300 else "product"
        pair = tables(system, gold)
        solver = covers.Covers(*pair, 1, duplicates)
        if solver.solve(0, 0) and solver.n_cliques and (k < 300 or solver.n_cases):
            every.append((system, duplicates, pair, solver, optimum(system, gold, duplicates)))
    return every


@pytest.mark.parametrize("module", [cover_check, PLAIN_CHECK])
def test_falsified_covers_show_nothing_false(module: Any) -> None:
    """No change of a cover shows a bound below the optimum, and no mapping counts more."""
    rng = random.Random(7)
    refused = held = 0
    for system, duplicates, pair, solver, best in covered_graphs():
        for _ in range(10 + 30 * solver.n_cases):
            claim = Claim(module, solver)
            falsify(claim, rng, len(system.variables))
            check = module.CoverCheck(*pair, claim, 1, duplicates)
            try:
                assert check.matched(0, 0) <= best <= check.bound(0, 0)
                held += 1
            except module.Uncovered:
                refused += 1
    assert refused > 300 and held > 300


@pytest.mark.parametrize("module", [cover_check, PLAIN_CHECK])
def test_a_clique_of_compatible_terms_is_refused(module: Any) -> None:
    graph = NormalisedGraph(
        ("a", "b"), [NormalisedTriple(("p",), ("a",)), NormalisedTriple(("q",), ("b",))]
    )
    pair = tables(graph, graph)
    solver = covers.Covers(*pair, 1, "set")
    assert solver.solve(0, 0)
    assert solver.n_cliques == 2
    claim = Claim(module, solver)
    claim.n_cliques = 1
    claim.members[0] = 3
    with pytest.raises(module.Uncovered, match="do not exclude each other"):
        module.CoverCheck(*pair, claim, 1, "set").bound(0, 0)


@pytest.mark.parametrize("module", [cover_check, PLAIN_CHECK])
def test_a_clique_of_negative_weight_lowers_no_bound(module: Any) -> None:
    """One without members would lower it by as much as anybody likes."""
    graph = NormalisedGraph(("a",), [NormalisedTriple(("p",), ("a",))])
    pair = tables(graph, graph)
    solver = covers.Covers(*pair, 1, "set")
    assert solver.solve(0, 0) and solver.n_cliques == 1
    claim = Claim(module, solver)
    claim.n_cliques, claim.clique_weight[1], claim.members[1] = 2, -1, 0
    with pytest.raises(module.Uncovered, match="negative weight"):
        module.CoverCheck(*pair, claim, 1, "set").bound(0, 0)


def test_more_cliques_than_there_can_be() -> None:
    graph = NormalisedGraph(("a",), [NormalisedTriple(("p",), ("a",))])
    pair = tables(graph, graph)
    solver = covers.Covers(*pair, 1, "set")
    assert solver.solve(0, 0)
    for number in (-1, 513):
        claim = Claim(cover_check, solver)
        claim.n_cliques = number
        with pytest.raises(cover_check.Uncovered, match="too many cliques"):
            cover_check.CoverCheck(*pair, claim, 1, "set").bound(0, 0)


#: Five terms, each of which is in conflict with the next one, and the last with the first.
CIRCLE = (
    NormalisedGraph(
        ("a", "b", "c", "d"),
        [
            NormalisedTriple(("p",), ("a",)),
            NormalisedTriple(("q",), ("a",)),
            NormalisedTriple(("r",), ("b",)),
            NormalisedTriple(("s",), ("b", "c")),
            NormalisedTriple(("t",), ("c", "d")),
        ],
    ),
    NormalisedGraph(
        ("v", "w", "x", "y", "z"),
        [
            NormalisedTriple(("p",), ("w",)),
            NormalisedTriple(("q",), ("x",)),
            NormalisedTriple(("r",), ("x",)),
            NormalisedTriple(("s",), ("y", "z")),
            NormalisedTriple(("t",), ("v", "w")),
        ],
    ),
)


@pytest.mark.parametrize("module", [cover_check, PLAIN_CHECK])
def test_a_circle_of_five_terms_is_proven_by_cases(module: Any) -> None:
    """Two of the terms score, but cliques that hold all five, at most two each, weigh three."""
    pair = tables(*CIRCLE)
    solver = covers.Covers(*pair, 1, "set")
    assert solver.solve(0, 0) and solver.n_cases == 1 and not solver.is_plain
    check = module.CoverCheck(*pair, Claim(module, solver), 1, "set")
    assert check.matched(0, 0) == check.bound(0, 0) == 2


def test_interpreted_covers_and_their_check_hold_numbers_of_any_size() -> None:
    pair = tables(*CIRCLE)
    solver = PLAIN.Covers(*pair, 10**30, "set")
    assert solver.solve(0, 0)
    check = PLAIN_CHECK.CoverCheck(*pair, solver, 10**30, "set")
    assert check.matched(0, 0) == check.bound(0, 0) == 2 * 10**30


@pytest.mark.parametrize("module", [cover_check, PLAIN_CHECK])
def test_a_wrong_or_missing_case_is_noticed(module: Any) -> None:
    pair = tables(*CIRCLE)
    solver = covers.Covers(*pair, 1, "set")
    assert solver.solve(0, 0)
    for change, message in (
        ({"words": 2}, "not sets of existing matches"),
        ({"n_cases": 0}, "not paid for"),
        ({"n_cases": 5}, "too many cases"),
        ({"case_term": [-1]}, "not paid for"),
        ({"case_end": [solver.n_cliques]}, "not paid for"),
        ({"case_end": [513]}, "too many cliques"),
        ({"case_end": [solver.n_cliques - 1]}, "too many cliques"),
    ):
        claim = Claim(module, solver)
        for name, value in change.items():
            if isinstance(value, list):
                vars(claim)[name][0] = value[0]
            else:
                vars(claim)[name] = value
        with pytest.raises(module.Uncovered, match=message):
            module.CoverCheck(*pair, claim, 1, "set").bound(0, 0)


@pytest.mark.parametrize("module", [cover_check, PLAIN_CHECK])
def test_what_the_cliques_of_a_case_weigh_counts(module: Any) -> None:
    pair = tables(*CIRCLE)
    solver = covers.Covers(*pair, 1, "set")
    assert solver.solve(0, 0)
    claim = Claim(module, solver)
    claim.clique_weight[claim.last - 1] += 5
    assert module.CoverCheck(*pair, claim, 1, "set").bound(0, 0) == 7


@pytest.mark.parametrize("module", [cover_check, PLAIN_CHECK])
def test_a_case_pays_for_exceptions_of_later_cases(module: Any) -> None:
    refused = 0
    for pair in starmap(tables, some_graphs(10, 2200, 6)):
        solver = covers.Covers(*pair, 1, "product")
        if not solver.solve(0, 0) or solver.n_cases < 2:
            continue
        claim = Claim(module, solver)
        word, bit = divmod(claim.case_term[1], 64)
        cliques = range(claim.n_cliques, claim.case_end[0])
        words = [k * claim.words + word for k in cliques]
        is_held = any(claim.members[k] >> bit & 1 for k in words)
        for k in words:
            claim.members[k] &= ~(1 << bit)
        if is_held:
            refused += 1
            with pytest.raises(module.Uncovered, match="not paid for"):
                module.CoverCheck(*pair, claim, 1, "product").bound(0, 0)
    assert refused > 3


@pytest.mark.parametrize("module", [cover_check, PLAIN_CHECK])
@pytest.mark.parametrize("side", [0, 1])
def test_triples_out_of_order_are_refused(module: Any, side: int) -> None:
    """The check goes through the triples of a label on both sides together."""
    pair = tables(*CIRCLE)
    solver = covers.Covers(*pair, 1, "set")
    assert solver.solve(0, 0)
    check = module.CoverCheck(*pair, Claim(module, solver), 1, "set")
    assert check.matched(0, 0) == check.bound(0, 0)
    label = pair[side].label
    label[1], label[2] = label[2], label[1]
    for method in (check.matched, check.bound):
        with pytest.raises(module.Uncovered, match="order of their labels"):
            method(0, 0)


#: The triple of the system, the weight, and the pairs.
Term = tuple[int, int, frozenset[tuple[int, int]]]


def terms_of(system: TripleTable, gold: TripleTable, duplicates: str) -> list[Term]:
    """Return the terms of a pair in order, by the definition."""
    found = []
    for a in range(system.start[1]):
        for b in range(gold.start[1]):
            pairs = {(system.first[a], gold.first[b]), (system.second[a], gold.second[b])}
            is_one_to_one = all(len({p[k] for p in pairs}) == len(pairs) for k in (0, 1))
            if system.label[a] == gold.label[b] and is_one_to_one:
                held = frozenset(pair for pair in pairs if min(pair) >= 0)
                if all(min(pair) >= 0 or max(pair) < 0 for pair in pairs):
                    found.append((a, credit(system.times[a], gold.times[b], duplicates), held))
    return found


def are_compatible(one: Term, other: Term) -> bool:
    """Tell whether a one-to-one mapping holds the pairs of two terms."""
    pairs = one[2] | other[2]
    return all(len({pair[k] for pair in pairs}) == len(pairs) for k in (0, 1))


def members(sets: Any, place: int, words: int) -> set[int]:
    """Return the terms of one of several sets."""
    values = list(sets)[place * words : (place + 1) * words]
    return {64 * q + k for q, value in enumerate(values) for k in range(64) if value >> k & 1}


def larger_graph(rng: random.Random) -> NormalisedGraph:
    """Return a graph of which pairs have more than 64 terms, and groups that go over words."""
    names = tuple(f"v{k}" for k in range(12))
    triples = [
        NormalisedTriple((rng.choice("ppq"),), tuple(rng.choices(names, k=rng.choice([1, 2]))))
        for _ in range(rng.randint(24, 30))
    ]
    return NormalisedGraph(names, triples)


@pytest.mark.parametrize("module", [covers, PLAIN])
def test_exchanges_alone_find_mappings_that_covers_prove(module: Any) -> None:
    """The search ends at its first step. Without exchanges of several terms, nothing is proven."""
    rng = random.Random("exchanges")
    pairs = [tables(larger_graph(rng), larger_graph(rng)) for _ in range(40)]
    assert sum(module.Covers(*pair, 1, "set", (1,)).solve(0, 0) for pair in pairs) > 4


@pytest.mark.parametrize("module", [conflicts, PLAIN_CONFLICTS])
def test_terms_and_conflicts_are_as_defined(module: Any) -> None:
    rng = random.Random("conflicts")
    most_words = 0
    for k in range(24):
        make = larger_graph if k % 8 == 0 else random_graph
        pair = tables(make(rng), make(rng))
        found = module.Conflicts(*pair, 3, WAYS[k % 3])
        terms = terms_of(*pair, WAYS[k % 3])
        assert found.find(0, 0) and found.n_terms == len(terms)
        most_words = max(most_words, found.words)
        assert members(found.every, 0, found.words) == set(range(len(terms)))
        weights = [3 * term[1] for term in terms]
        assert list(found.weight)[: len(terms)] == weights
        assert found.common_weight == (
            -1 if len(set(weights)) > 1 else weights[0] if weights else 0
        )
        for t, term in enumerate(terms):
            excluded = {u for u, other in enumerate(terms) if not are_compatible(term, other)}
            assert members(found.conflicts, t, found.words) == excluded
        groups = [members(found.groups, g, found.words) for g in range(found.n_groups)]
        by_triple: dict[int, set[int]] = {}
        for t, term in enumerate(terms):
            by_triple.setdefault(term[0], set()).add(t)
        assert groups == sorted(by_triple.values(), key=lambda group: (len(group), min(group)))
    assert most_words > 2


def test_groups_with_free_terms_are_counted() -> None:
    """The bits that are carried from word to word count each group once."""
    rng = random.Random("groups")
    for _ in range(15):
        solver: Any = PLAIN.Covers(*tables(larger_graph(rng), larger_graph(rng)), 1, "set")
        solver.terms.find(0, 0)
        words = solver.words = solver.terms.words
        groups = [members(solver.groups, g, words) for g in range(solver.terms.n_groups)]
        for share in (0, 0.02, 0.1, 0.5, 0.9, 1):
            free = {t for t in range(solver.terms.n_terms) if rng.random() < share}
            for q in range(words):
                solver.free[q] = sum(1 << t % 64 for t in free if t // 64 == q)
            expected = sum(not group.isdisjoint(free) for group in groups)
            assert solver._count_groups(0) == expected
