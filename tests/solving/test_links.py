"""Keys restrict mappings: the best mapping of links, compared with all mappings."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from exactmatch.certificate.checker import MALFORMED, VERIFIED, Refused, check
from exactmatch.errors import InputError
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.scoring.build import Links
from exactmatch.scoring.comparison import Comparison
from exactmatch.scoring.joint_graph import _Joint
from exactmatch.scoring.pair import Mapper
from exactmatch.scoring.settings import Settings
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.search.methods import Starts
from exactmatch.stopping.deadline import Deadline

ALWAYS = Deadline()


@dataclass(frozen=True, slots=True)
class Items(Smatch):
    """Compares graphs that are normalised already."""

    parts: ClassVar[tuple[str, ...]] = ("one", "two", "three")


def graph(rng: random.Random, prefix: str) -> NormalisedGraph:
    variables = tuple(f"{prefix}{n}" for n in range(rng.randrange(1, 6)))
    keys = {v: tuple(sorted(set(rng.choices("abcd", k=rng.randrange(3))))) for v in variables}
    triples = []
    for _ in range(rng.randrange(9)):
        size = rng.choice((1, 1, 2, 2, 2, 3))
        label = (("one", "two", "three")[size - 1], rng.choice("xy"))
        triples.append(NormalisedTriple(label, tuple(rng.choices(variables, k=size))))
    return NormalisedGraph(variables, triples, keys=keys)


def best(system: NormalisedGraph, gold: NormalisedGraph, duplicates: str) -> int:
    """Return the best score of a mapping that respects the common keys of variables."""
    keys = {**(system.keys or {}), **(gold.keys or {})}

    def mappings(left: tuple[str, ...], free: frozenset[str]) -> Iterator[dict[str, str]]:
        if not left:
            yield {}
            return
        first, *rest = left
        for other in [None, *sorted(free)]:
            if other is not None and not set(keys[first]) & set(keys[other]):
                continue
            for found in mappings(tuple(rest), free - {other}):
                yield found if other is None else {first: other, **found}

    other: Counter[object] = Counter(map(tuple, gold.triples))

    def matched(mapping: dict[str, str]) -> int:
        ours = [(t.label, tuple(mapping.get(v) for v in t.variables)) for t in system.triples]
        one: Counter[object] = Counter(ours)
        if duplicates == "set":
            return len(one.keys() & other.keys())
        if duplicates == "product":
            return sum(one[t] * other[t] for t in one)
        return (one & other).total()

    return max(map(matched, mappings(system.variables, frozenset(gold.variables))))


def pairs(number: int) -> Iterator[tuple[NormalisedGraph, NormalisedGraph, Items]]:
    rng = random.Random(19)
    for n in range(number):
        yield (
            graph(rng, "a"),
            graph(rng, "b"),
            Items(duplicates=("set", "multiset", "product")[n % 3]),
        )


def positions(
    mapping: Mapping[str, str], system: NormalisedGraph, gold: NormalisedGraph
) -> Iterator[tuple[int, int]]:
    for left, right in mapping.items():
        yield system.variables.index(left), gold.variables.index(right)


@pytest.mark.slow
@pytest.mark.parametrize(("solver", "number"), [("auto", 90), ("cpsat", 12), ("maxsat", 12)])
@pytest.mark.parametrize("first", [Budgets(), Budgets(small_terms=0)], ids=["all", "coarse"])
def test_the_best_mapping_of_links_is_found_and_certified(
    solver: str, number: int, first: Budgets
) -> None:
    settings = Settings(solver=solver, certificates=solver == "auto", breakdown=True)
    restricted = 0
    for system, gold, metric in pairs(number):
        found = Mapper("p", settings, ALWAYS, ALWAYS, first).map_triples(metric, system, gold)
        wanted = best(system, gold, metric.duplicates)
        assert (found.statistics.matched, found.statistics.matched_upper) == (wanted, wanted)
        comparison = Comparison(system=system, gold=gold, similar={}, metric=metric, scale=1)
        links = comparison.links
        assert links is not None
        assert all(links.allows(pair) for pair in positions(found.mapping, system, gold))
        if found.certificate is not None:
            content = comparison.as_json("p")
            assert check(content, json.loads(found.certificate)) == VERIFIED
        free = replace(comparison, system=_free(system), gold=_free(gold))
        restricted += free.problem.total > comparison.problem.total
        assert comparison.most_terms() >= comparison.problem.n_terms
    assert restricted > number / 2


def test_the_images_of_a_variable_are_those_that_share_a_key() -> None:
    rng = random.Random("images")
    for _ in range(200):
        left, right = (
            [tuple(rng.choices("abcde", k=rng.randrange(4))) for _ in range(rng.randint(1, 7))]
            for _ in range(2)
        )
        links = Links(left, right)
        for i, keys in enumerate(left):
            wanted = [j for j, others in enumerate(right) if {*keys} & {*others}]
            assert links.images(i) == wanted
            assert [j for j in range(len(right)) if links.allows((i, j))] == wanted


@pytest.mark.parametrize("starts", ["all", "candidates"])
@pytest.mark.parametrize("method", ["base", "s", "10r"])
def test_no_method_maps_what_shares_no_key(method: str, starts: Starts) -> None:
    settings = Settings(method=method, starts=starts)
    for system, gold, metric in pairs(30):
        found = Mapper("p", settings, ALWAYS, ALWAYS).map_triples(metric, system, gold)
        assert found.statistics.matched <= best(system, gold, metric.duplicates)
        links = Comparison(system=system, gold=gold, similar={}, metric=metric, scale=1).links
        assert links is not None
        assert all(links.allows(pair) for pair in positions(found.mapping, system, gold))


class TestChecker:
    """The checker derives the allowed pairs from the keys alone."""

    system = NormalisedGraph(("a",), [NormalisedTriple(("one", "x"), ("a",))], keys={"a": ("k",)})
    gold = NormalisedGraph(("b",), [NormalisedTriple(("one", "x"), ("b",))], keys={"b": ("k",)})

    def content(self) -> tuple[dict[str, object], dict[str, object]]:
        comparison = Comparison(
            system=self.system, gold=self.gold, similar={}, metric=Items(), scale=1
        )
        settings = Settings(certificates=True)
        found = Mapper("p", settings, ALWAYS, ALWAYS).map_triples(Items(), self.system, self.gold)
        assert found.certificate is not None
        return comparison.as_json("p"), json.loads(found.certificate)

    def test_a_pair_without_a_common_key_is_refused(self) -> None:
        pair, certificate = self.content()
        assert check(pair, certificate) == VERIFIED
        pair["gold"]["keys"] = [["l"]]  # type: ignore[index]
        certificate["digest"] = _digest(pair)
        with pytest.raises(Refused, match="without a key in common"):
            check(pair, certificate)

    def test_a_bound_of_links_does_not_hold_without_them(self) -> None:
        other = self.gold.with_triples(self.gold.triples)
        other.keys = {"b": ("l",)}
        comparison = Comparison(system=self.system, gold=other, similar={}, metric=Items(), scale=1)
        found = Mapper("p", Settings(certificates=True), ALWAYS, ALWAYS).map_triples(
            Items(), self.system, other
        )
        assert found.certificate is not None
        pair, certificate = comparison.as_json("p"), json.loads(found.certificate)
        assert (check(pair, certificate), certificate["upper"]) == (VERIFIED, 0)
        for side in ("test", "gold"):
            del pair[side]["keys"]
        certificate["digest"] = _digest(pair)
        with pytest.raises(Refused, match="shows a bound of 1, not 0"):
            check(pair, certificate)

    @pytest.mark.parametrize("keys", [[], [["k"], ["k"]], None, [7], "k"])
    def test_certificates_with_malformed_keys_are_malformed(self, keys: object) -> None:
        pair, certificate = self.content()
        if keys is None:
            del pair["gold"]["keys"]  # type: ignore[attr-defined]
        else:
            pair["gold"]["keys"] = keys if keys != "k" else {"b": "k", "c": 1}  # type: ignore[index]
        certificate["digest"] = _digest(pair)
        with pytest.raises(MALFORMED):
            check(pair, certificate)


def test_graphs_without_keys_have_no_links_and_no_keys_in_json() -> None:
    free = _free(TestChecker.system)
    comparison = Comparison(
        system=free, gold=_free(TestChecker.gold), similar={}, metric=Items(), scale=1
    )
    assert comparison.links is None
    assert "keys" not in comparison.as_json("p")["test"]


def test_one_side_without_keys_is_mapped_to_none() -> None:
    links = Links.of(TestChecker.system, _free(TestChecker.gold))
    assert links is not None
    assert not links.allows((0, 0))


@pytest.mark.parametrize("is_free", [(True, False), (False, True)])
def test_certificates_have_the_keys_of_both_sides_if_one_has_any(
    is_free: tuple[bool, bool],
) -> None:
    sides = zip((TestChecker.system, TestChecker.gold), is_free, strict=True)
    system, gold = (_free(side) if free else side for side, free in sides)
    found = Mapper("p", Settings(certificates=True), ALWAYS, ALWAYS).map_triples(
        Items(), system, gold
    )
    content = Comparison(system=system, gold=gold, similar={}, metric=Items(), scale=1).as_json("p")
    assert [content[side]["keys"] == [[]] for side in ("test", "gold")] == [*is_free]
    assert found.certificate is not None
    assert check(content, json.loads(found.certificate)) == VERIFIED


def test_a_joint_graph_is_of_links() -> None:
    other = NormalisedGraph(("b",), TestChecker.gold.triples, keys={"b": ("l",)})
    with pytest.raises(InputError, match="a may not be mapped to b"):
        _Joint(TestChecker.system, other, {"a": "b"}, Items())


def _free(graph: NormalisedGraph) -> NormalisedGraph:
    return NormalisedGraph(graph.variables, graph.triples)


def _digest(pair: dict[str, object]) -> str:
    from exactmatch.certificate.checker import digest

    return digest(pair)
