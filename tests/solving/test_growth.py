"""The search that needs no terms: its mappings are mappings, and good ones."""

import random
import subprocess
import sys

import pytest
from counted import compared, random_case, shuffled, star, tree
from looks import Looks

from exactmatch.certificate import checker
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.dual.counting import prove_by_counts
from exactmatch.solving.search.growth import grow_mapping
from exactmatch.stopping.deadline import Deadline

LOOKED_AT = Budgets().looked_at


def test_grown_mappings_of_small_cases_are_good() -> None:
    rng = random.Random("search")
    found = best = 0
    for _ in range(500):
        case = random_case(rng)
        mapping = grow_mapping(case.compact, Deadline(), LOOKED_AT)
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
def test_a_graph_finds_itself(graph: NormalisedGraph) -> None:
    case = compared(graph, shuffled(graph, 4))
    mapping = grow_mapping(case.compact, Deadline(), LOOKED_AT)
    assert case.count(mapping) == graph.total("set")


@pytest.mark.slow
def test_hubs_on_both_sides() -> None:
    case = compared(star(1500, 1, "abcde"), shuffled(star(1500, 2, "abcde"), 3))
    mapping = grow_mapping(case.compact, Deadline(), LOOKED_AT)
    assert case.count(mapping) > 0.95 * prove_by_counts(case.compact, Deadline()).upper


def test_graphs_with_nothing_in_common_get_an_empty_mapping() -> None:
    for one, other in [("a", "b"), ("", ""), ("a", "")]:
        graphs = [
            NormalisedGraph(tuple(names), [NormalisedTriple((name,), (name,)) for name in names])
            for names in (one, other)
        ]
        case = compared(*graphs)
        assert grow_mapping(case.compact, Deadline(), LOOKED_AT) == {}
        assert prove_by_counts(case.compact, Deadline()).upper == 0
        assert checker.counts(case.pair, {"prices": {}}) == 0


def test_after_the_deadline_there_is_nothing() -> None:
    case = compared(tree(3, 1), tree(3, 2))
    assert grow_mapping(case.compact, Deadline(), LOOKED_AT)
    assert grow_mapping(case.compact, Deadline.after(0), LOOKED_AT) == {}


def test_cut_short_it_is_still_a_mapping() -> None:
    case = compared(tree(300, 1, "ab"), tree(300, 2, "ab"))
    values = []
    for looks in (5, 100, 200, 2000, 10**9):
        mapping = grow_mapping(case.compact, Looks(looks), LOOKED_AT)
        assert len(set(mapping.values())) == len(mapping)
        values.append(case.count(mapping))
    assert values == sorted(values) and len(set(values)) > 2


#: Prints a mapping and a bound. It imports no pytest, which takes longer than both.
PROGRAM = """
from counted import compared, tree
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.dual.counting import prove_by_counts
from exactmatch.solving.search.growth import grow_mapping
from exactmatch.stopping.deadline import Deadline

case = compared(tree(150, 1, "ab"), tree(150, 2, "ab"))
print(grow_mapping(case.compact, Deadline(), Budgets().looked_at))
print(prove_by_counts(case.compact, Deadline()))
"""


@pytest.mark.slow
def test_the_order_of_sets_does_not_matter() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "12"
    }
    assert len(printed) == 1 and "{" in printed.pop()
