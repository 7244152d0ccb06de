"""DScorer: a score by hand, n-gram by n-gram, and its laws."""

import math
from itertools import pairwise, permutations
from typing import NamedTuple

import networkx as nx
import pytest
from samples import counted

from exactmatch.graph import Graph
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.metrics.dscorer import DScorer
from exactmatch.readers.detect import read_text

PLAIN = DScorer()
PUBLISHED = DScorer.profiles["published"]


class Order(NamedTuple):
    matched: int
    system: int
    gold: int


class Result(NamedTuple):
    precision: float
    recall: float
    f1: float
    zero_gram: float
    orders: tuple[Order, ...]


def drs(text: str) -> Graph:
    (graph,) = read_text(text, "drs").graphs
    assert isinstance(graph, Graph), graph
    return graph


def dscore(pairs: list[tuple[Graph, Graph]], metric: Metric = PLAIN) -> Result:
    found = sum((counted(metric, system, gold) for system, gold in pairs), Statistics())
    orders = [Order(o.matched, o.system_total, o.gold_total) for o in found.breakdown.values()]
    figures = metric.figures(found)
    assert figures is not None and figures.precision is not None and figures.recall is not None
    return Result(
        figures.precision,
        figures.recall,
        figures.value,
        figures.others.get("0-gram factor", 0.0),
        tuple(orders),
    )


def score(system: str, gold: str, metric: Metric = PLAIN) -> Result:
    return dscore([(drs(system), drs(gold))], metric)


# Nodes b1, x1 and "tom", labelled b, x and "tom". Edges, and which go backwards too:
#   b1 -REF- x1, b1 =person.n.01= x1, and Name: b1 =1= x1 and x1 =2= "tom".
# 1-grams, 7:
#   b REF x; b person x; x person' b; b Name1 x; x Name1' b; x Name2 "tom"; "tom" Name2' x
# 2-grams, 5; on the way b1, x1, b1 a node would come twice:
#   b REF x Name2 "tom"; b person x Name2 "tom"; b Name1 x Name2 "tom";
#   "tom" Name2' x person' b; "tom" Name2' x Name1' b
# 3-grams, 0: there are three nodes.
TOM = """\
b1 REF x1
b1 person "n.01" x1
b1 Name x1 "tom"
"""
# The same with the concept city.n.01: of the 7 1-grams, 5 are those of TOM, and of the 5 2-grams
# 3, those without the concept. The nodes are three as well, so that the 0-gram factor is 1.
CITY = TOM.replace("person", "city")
# Nodes b7 and e7. 1-grams, 3: b REF x; b go.v.01 x; x go' b. 2-grams, 0. Of TOM, it has the first
# one alone, and the 0-gram factor is 2/3.
GO = """\
b7 REF e7
b7 go "v.01" e7
"""
ONE_TO_TWO = DScorer(weights=(0.5, 0.3), zero_weight=0.2)


def test_three_clauses_by_hand() -> None:
    result = score(CITY, TOM, ONE_TO_TWO)
    assert result.orders == ((5, 7, 7), (3, 5, 5))
    assert result.zero_gram == 1.0
    expected = (5 / 7) ** 0.5 * (3 / 5) ** 0.3 * 1.0**0.2
    assert result.f1 == pytest.approx(expected, abs=1e-12)
    assert (result.precision, result.recall) == (result.f1, result.f1)


def test_the_zero_gram_factor_by_hand() -> None:
    result = score(GO, TOM, DScorer(weights=(0.5,), zero_weight=0.5))
    assert result.orders == ((1, 3, 7),)
    assert result.zero_gram == pytest.approx(2 / 3, abs=1e-12)
    assert result.precision == pytest.approx((1 / 3 * 2 / 3) ** 0.5, abs=1e-12)
    assert result.recall == pytest.approx((1 / 7 * 2 / 3) ** 0.5, abs=1e-12)
    assert result.f1 == pytest.approx((2 / 10 * 2 / 3) ** 0.5, abs=1e-12)
    # Of two pairs, the counts are added, and the 0-gram factor is the mean.
    both = dscore([(drs(GO), drs(TOM)), (drs(CITY), drs(TOM))], ONE_TO_TWO)
    assert both.orders == ((6, 10, 14), (3, 5, 10))
    assert both.zero_gram == pytest.approx(5 / 6, abs=1e-12)
    expected = (12 / 24) ** 0.5 * (6 / 15) ** 0.3 * (5 / 6) ** 0.2
    assert both.f1 == pytest.approx(expected, abs=1e-12)


def test_an_order_that_nobody_has_shares_its_weight_out() -> None:
    # Order 3 is missing; its 0.2 goes to orders 1 and 2 in equal parts.
    shared = score(CITY, TOM, DScorer(weights=(0.3, 0.2, 0.2), zero_weight=0.3))
    assert shared.f1 == pytest.approx((5 / 7) ** 0.4 * (3 / 5) ** 0.3, abs=1e-12)
    # The program adds the mean of the missing 0.3 and 0.1 to each.
    published = score(
        CITY, TOM, DScorer(weights=(0.3, 0.2, 0.3, 0.1), zero_weight=0.1, as_published=True)
    )
    assert published.f1 == pytest.approx((5 / 7) ** 0.5 * (3 / 5) ** 0.4, abs=1e-12)


def test_an_order_that_one_side_has_counts_as_nothing() -> None:
    # 2-grams: none in GO, 5 in TOM.
    expected = (2 / 10) ** 0.5 * 0.001**0.3 * (2 / 3) ** 0.2
    assert score(GO, TOM, ONE_TO_TWO).f1 == pytest.approx(expected, abs=1e-12)
    assert score(TOM, GO, ONE_TO_TWO).f1 == pytest.approx(expected, abs=1e-12)
    # The program leaves the order out if test has none of it, and exchanges the others.
    published = DScorer(weights=(0.5, 0.3), zero_weight=0.2, as_published=True)
    left_out = score(GO, TOM, published)
    assert left_out.f1 == pytest.approx((2 / 10) ** 0.8 * (2 / 3) ** 0.2, abs=1e-12)
    assert left_out.precision == pytest.approx((1 / 7) ** 0.8 * (2 / 3) ** 0.2, abs=1e-12)
    assert left_out.recall == pytest.approx((1 / 3) ** 0.8 * (2 / 3) ** 0.2, abs=1e-12)
    assert score(TOM, GO, published).f1 == pytest.approx(expected, abs=1e-12)


RICH = """\
b1 NOT b2
b2 REF e1
b2 Agent e1 x1
b2 Theme e1 "speaker"
b2 go "v.01" e1
b2 EQU x1 x2
b2 TPR x1 "now"
b2 SY1 x2 x2
b1 IMP b2 b3
b3 PartOf x2 e1
b1 CONTINUATION b2
"""


def test_paths_like_those_of_networkx() -> None:
    graph = nx.MultiDiGraph()
    for line in dict.fromkeys(RICH.splitlines()):
        box, relation, *others = line.replace(' "v.01"', "-v.01").replace("go-", "go.").split()
        nodes = [box, *others]
        for k, (one, other) in enumerate(pairwise(nodes)):
            graph.add_edge(one, other, label=(relation, k, len(nodes), "to"))
            if relation in ("EQU", "Agent", "Theme", "PartOf", "go.v.01"):
                graph.add_edge(other, one, label=(relation, k, len(nodes), "from"))
    expected = [
        sum(
            len(path) == n
            for ends in permutations(graph, 2)
            for path in nx.all_simple_edge_paths(graph, *ends, cutoff=4)
        )
        for n in (1, 2, 3, 4)
    ]
    result = score(RICH, RICH)
    assert [order.system for order in result.orders] == expected
    assert all(order.matched == order.system == order.gold for order in result.orders)
    assert result.f1 == result.precision == result.recall == result.zero_gram == 1.0


def test_laws() -> None:
    renamed = RICH.replace("x1", "x9").replace("e1", "s4").replace("b1", "k1").replace("b2", "c")
    lines = renamed.splitlines()
    assert score("\n".join(lines[::-1] + lines), RICH) == score(RICH, RICH)
    forth, back = score(RICH, TOM), score(TOM, RICH)
    assert (forth.precision, forth.recall, forth.f1) == (back.recall, back.precision, back.f1)
    exchanged = score(RICH, TOM, PUBLISHED)
    assert exchanged == forth._replace(precision=forth.recall, recall=forth.precision)
    assert forth.precision != forth.recall
    assert score(RICH, TOM, PLAIN) == forth


def test_directions_tell_edges_apart() -> None:
    source, target = "b1 Part x1 x2\nb1 Part x1 x3", "b1 Part x1 x3\nb1 Part x2 x3"
    # 1-grams of either: from b to x twice, from x to x twice, and the same backwards.
    # 2-grams of the source: b x x by two edges to two ends, 4; the same backwards, 4; x2 x1 x3 and
    # x3 x1 x2, 2. Of the target: b x x 2, backwards 2, x1 b x2 and x2 b x1, 2, x1 x3 x2 and
    # x2 x3 x1, 2. Common are b x x, twice each way; x x x goes back and forth in the source, but
    # forth and back in the target.
    assert score(source, target).orders[:2] == ((8, 8, 8), (4, 10, 8))


def test_what_tells_edges_apart() -> None:
    same = score("b1 Part x1 x2", "b1 Part x2 x1").orders[0]
    assert (same.matched, same.system) == (4, 4)
    for system, gold, matched in [
        ("b1 Agent x1 x2", "b1 Theme x1 x2", 0),
        ('b1 man "n.01" x1', 'b1 man "n.02" x1', 0),
        ('b1 Name x1 "a"', 'b1 Name x1 "b"', 2),
        ("b1 CONTINUATION b2", "b1 CONTINUATION b2 b3", 0),
        ("b1 NOT b2", "b1 NOT b2", 1),
        ("b1 TPR x1 x2", "b1 TPR x1 x2", 2),
        ("b1 EQU x1 x2", "b1 EQU x1 x2", 4),
    ]:
        assert score(system, gold).orders[0].matched == matched, system


def test_empty_graphs_and_bad_parameters() -> None:
    empty = Graph(None, {}, (), (), drs(TOM).location)
    assert dscore([(empty, empty)]).f1 == dscore([(empty, empty)]).zero_gram == 1.0
    nothing = dscore([(empty, drs(TOM))], ONE_TO_TWO)
    assert nothing.zero_gram == 0.0
    assert nothing.f1 == pytest.approx(0.001, abs=1e-12)
    assert PLAIN.figures(Statistics()).value == 0.0
    assert math.isclose(sum((*PLAIN.weights, PLAIN.zero_weight)), 1.0)
