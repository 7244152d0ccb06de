"""Principle V: the cost of errors, by the degree of the node and in trees."""

import json

import pytest
from samples import only_graph as graph

from exactmatch.graphs.graph import Variable
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.mrp import Mrp
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.settings import Settings
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.principles import bias
from exactmatch.studies.principles.bias import (
    CostCollector,
    cost_ratio,
    costs_by_node,
    costs_in_tree,
)
from exactmatch.studies.principles.graph_changes import concepts_of, degrees

EXACT = Judge("smatch", Smatch.profiles["default"], Settings())
SEMBLEU = Judge("sembleu", SemBleu(), Settings())


def costs(judge: Judge, text: str, size: int) -> dict[str, float]:
    collector = CostCollector()
    collector.add(costs_by_node(judge, graph(text), size, 0))
    return collector.finish()


def test_bias_is_as_counted_by_hand() -> None:
    """A hub with three leaves: 8 triples with the root. A wrong concept costs Smatch one triple.

    SemBleu, for a wrong leaf: 3 of 4 nodes, 2 of 3 edges, no paths of three nodes. For a wrong hub:
    3 of 4 nodes, no edge, smoothed to 1 / 2.
    """
    star = "(h / hub :r (a / x) :s (b / y) :t (c / z))"
    exact = costs(EXACT, star, 8)
    assert exact == {"up to 1": 1.0, "up to 3": 1.0}
    assert cost_ratio(exact) == 1.0
    found = costs(SEMBLEU, star, 8)
    leaf = 8 * (1 - (3 / 4 * 2 / 3) ** 0.5)
    hub = 8 * (1 - (3 / 4 * 1 / 2 / 3) ** 0.5)
    assert found == pytest.approx({"up to 1": leaf, "up to 3": hub})
    assert cost_ratio(found) == pytest.approx(hub / leaf)
    assert cost_ratio({"up to 1": 1.0}) is None


MRP_GRAPH = {
    **{"id": "1", "framework": "x", "tops": [0]},
    "nodes": [{"id": 0, "label": "p"}, {"id": 1, "label": "q"}, {"id": 2, "label": "r"}],
    "edges": [
        {"source": 0, "target": 1, "label": "e", "attributes": ["remote"], "values": [True]},
        {"source": 1, "target": 0, "label": "e", "normal": "f"},
    ],
}


@pytest.mark.parametrize(
    "text, concepts, expected",
    [
        # A relation that is written twice is one, and both ends of a loop count.
        ("(a / p :ARG0 (b / q) :ARG0 b :ARG1 b :ARG2 a :op1 1)", "p q", [4, 2]),
        (json.dumps(MRP_GRAPH), "p q r", [2, 2, 0]),
        # Only variables with a concept are changed; a clause relates its box, too.
        ('b1 person "n.01" x1\nb1 go "v.01" e1\nb1 Agent e1 x1', "person go", [2, 2]),
    ],
    ids=["amr", "mrp", "drs"],
)
def test_degrees_are_those_counted_by_hand(text: str, concepts: str, expected: list[int]) -> None:
    found = concepts_of(graph(text))
    assert list(found.values()) == concepts.split()
    degree = degrees(graph(text))
    assert [degree[variable] for variable in found] == expected


@pytest.mark.parametrize("metric, text", [
    (Mrp(), json.dumps(MRP_GRAPH)),
    (CounterMetric(), 'b1 REF x1\nb1 person "n.01" x1\nb1 REF e1\nb1 go "v.01" e1\nb1 Agent e1 x1'),
])  # fmt: skip
def test_a_wrong_concept_costs_a_triple(metric: Mrp | CounterMetric, text: str) -> None:
    size = len(metric.normalise(graph(text)).triples)
    found = costs_by_node(Judge("exact", metric, Settings()), graph(text), size, 0)
    assert [cost.cost for cost in found] == pytest.approx([1.0] * len(found))


@pytest.mark.parametrize("d", bias.TREE_DEGREES)
def test_costs_in_trees_are_those_of_the_paper(d: int) -> None:
    """Opitz et al. (2020), Table 4; for d = 3, their text says 9 and 18, and Figure 6 gives 13."""
    assert costs_in_tree(SEMBLEU, d, 0) == (d, 1 + d + d * d, 3 * d, 3 + 2 * d + d * d)
    assert costs_in_tree(EXACT, d, 0) == (d, 1, d, 1)
    concept = Judge("x", Smatch(top="concept"), Settings())
    assert costs_in_tree(concept, d, 0) == (d, 2, d, 1)


def test_the_numbers_of_the_paper() -> None:
    assert costs_in_tree(SEMBLEU, 3, 0)[1:] == (13, 9, 18)


def test_every_inner_node_of_a_tree_has_d_children() -> None:
    tree = bias._as_graph(bias._tree(4))
    below: dict[str, int] = dict.fromkeys(tree.variables, 0)
    for triple in tree.triples:
        if isinstance(triple.arguments[1], Variable):
            below[triple.arguments[0].name] += 1  # type: ignore[union-attr]
    assert set(below.values()) == {0, 4}
    assert sum(below.values()) == len(tree.variables) - 1
    assert len(set(concepts_of(tree).values())) == len(tree.variables)
