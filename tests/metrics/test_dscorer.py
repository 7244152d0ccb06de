"""DScorer: n-grams by hand, by brute force and by networkx, the figures of the paper, and laws."""

import json
import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, permutations, product
from pathlib import Path
from typing import NamedTuple

import networkx as nx
import pytest
from click.testing import CliRunner
from drs_samples import random_drs
from samples import counted

import exactmatch
from exactmatch.cli import main
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics import dscorer as labelled_paths
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.metrics.dscorer import DScorer

INSTANCES = Path(__file__).resolve().parents[2] / "instances"

PAPER = DScorer.profiles["paper"]
PROGRAM = DScorer.profiles["program"]
#: The n-grams of the program, and the arithmetic of the paper.
STRAIGHT = PROGRAM.with_choices(arithmetic="paper")


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


def dscore(pairs: list[tuple[Graph, Graph]], metric: Metric = PAPER) -> Result:
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


def score(system: str, gold: str, metric: Metric = PAPER) -> Result:
    return dscore([(drs(system), drs(gold))], metric)


def weighed(metric: Metric, *weights: float) -> Metric:
    return metric.with_choices(weights=weights)


# Nodes b1, x1 and "tom", labelled B, X and "tom". Three edges between b1 and x1 (REF, person.n.01,
# Name-A1) and one between x1 and "tom" (Name-A2), all both ways.
# 1-grams: 4 edges both ways, 8.
# 2-grams, by their first node. B: an edge to X, then another one back to B, or to "tom": 3 * 3.
#   X: to B and back by another edge, 3 * 2; to "tom", where there is no way on. "tom": to X, then
#   to B, 3. Together 18.
# 3-grams. B: to X, to B, to X by all three edges, 3 * 2 * 1. X: to B and X, then to B by the third
#   edge or to "tom", 3 * 2 * 2. "tom": to X, B and X, 3 * 2. Together 24.
# 4-grams. B: to X, B, X by all three edges, and to "tom", 6. X: none. "tom": to X, B, X, B, 6.
#   Together 12.
TOM = """\
b1 REF x1
b1 person "n.01" x1
b1 Name x1 "tom"
"""
# The same with the concept city.n.01. In common are the n-grams without the concept: 6 of order 1;
# of order 2, from B 2 * 2, from X 2 * 1, from "tom" 2; of order 3, from X 2 (to B, X and "tom"),
# and from "tom" 2; none of order 4. The nodes are three as well, so that the 0-gram factor is 1.
CITY = TOM.replace("person", "city")
# Nodes b7 and e7, labelled B and E. 1-grams: REF and go.v.01 both ways, 4; 2-grams: there by one
# and back by the other, from both ends, 4; 3-grams: none. Without the letters of types, it has the
# two ways of REF in common with TOM; with them, nothing.
GO = """\
b7 REF e7
b7 go "v.01" e7
"""


def test_three_clauses_count_as_by_hand() -> None:
    result = score(CITY, TOM)
    assert result.orders == ((6, 8, 8), (8, 18, 18), (4, 24, 24), (0, 12, 12))
    assert result.zero_gram == 1.0
    assert (result.precision, result.recall, result.f1) == (0.0, 0.0, 0.0)  # no 4-gram
    result = score(CITY, TOM, PAPER.with_choices(order=3))
    expected = 1.0**0.1 * (6 / 8) ** 0.3 * (8 / 18) ** 0.3 * (4 / 24) ** 0.3
    assert result.f1 == pytest.approx(expected, abs=1e-12)
    assert (result.precision, result.recall) == (result.f1, result.f1)


def test_precision_recall_and_the_zero_gram_factor_by_hand() -> None:
    result = score(GO, TOM, weighed(PAPER.with_choices(types="boxes-only"), 0.5, 0.5))
    assert result.orders == ((2, 4, 8),)
    assert result.zero_gram == pytest.approx(2 / 3, abs=1e-12)
    assert result.precision == pytest.approx((2 / 4 * 2 / 3) ** 0.5, abs=1e-12)
    assert result.recall == pytest.approx((2 / 8 * 2 / 3) ** 0.5, abs=1e-12)
    assert result.f1 == pytest.approx((4 / 12 * 2 / 3) ** 0.5, abs=1e-12)
    assert score(GO, TOM).orders == ((0, 4, 8), (0, 4, 18), (0, 0, 24), (0, 0, 12))


def test_counts_of_a_corpus_are_added_and_zero_gram_factors_averaged() -> None:
    metric = weighed(PAPER, 0.2, 0.5, 0.3)
    both = dscore([(drs(GO), drs(TOM)), (drs(CITY), drs(TOM))], metric)
    assert both.orders == ((6, 12, 16), (8, 22, 36))
    assert both.zero_gram == pytest.approx(5 / 6, abs=1e-12)
    expected = (12 / 28) ** 0.5 * (16 / 58) ** 0.3 * (5 / 6) ** 0.2
    assert both.f1 == pytest.approx(expected, abs=1e-12)


def test_orders_that_are_missing_share_their_weight_out() -> None:
    # GO has n-grams of the orders 1 and 2 alone; the 0.1 and 0.4 of 3 and 4 go to these in halves.
    other = GO.replace("go", "run")  # in common: the two ways of REF, and no 2-gram
    metric = weighed(PAPER, 0.1, 0.4, 0.0, 0.1, 0.4)
    assert score(GO, GO, metric).f1 == 1.0
    assert score(GO, other, metric).orders == ((2, 4, 4), (0, 4, 4), (0, 0, 0), (0, 0, 0))
    assert score(GO, other, metric).f1 == 0.0
    alone = 'b1 go "v.01" e1', 'b1 go "v.01" e1\nb2 go "v.01" e2'
    assert score(*alone, metric).orders[1:] == ((0, 0, 0),) * 3
    expected = 0.5**0.1 * (2 * 2 / 6) ** (0.4 + 0.5)
    assert score(*alone, metric).f1 == pytest.approx(expected, abs=1e-12)


# By the program. 1-grams of TOM, 7: REF goes one way. 2-grams, 5; on the way b1, x1, b1 a node
# would come twice: b REF x Name2 "tom"; b person x Name2 "tom"; b Name1 x Name2 "tom"; "tom" x
# person b; "tom" x Name1 b. 3-grams: none, there are three nodes. In common with CITY are 5 and 3.
# GO has 3 1-grams, of which REF is in TOM, and no 2-grams.
def test_the_weights_of_the_program_count_as_by_hand() -> None:
    both = score(CITY, TOM, weighed(STRAIGHT, 0.2, 0.5, 0.3))
    assert both.orders == ((5, 7, 7), (3, 5, 5))
    assert both.f1 == pytest.approx((5 / 7) ** 0.5 * (3 / 5) ** 0.3, abs=1e-12)
    # Orders 3 and 4 are missing; the program adds the mean of 0.3 and 0.1 to each other one.
    missing = score(CITY, TOM, weighed(PROGRAM, 0.1, 0.3, 0.2, 0.3, 0.1))
    assert missing.f1 == pytest.approx((5 / 7) ** 0.5 * (3 / 5) ** 0.4, abs=1e-12)
    # An order is missing if system has none of it, and precision and recall are exchanged.
    left_out = score(GO, TOM, weighed(PROGRAM, 0.2, 0.5, 0.3))
    assert left_out.f1 == pytest.approx((2 / 10) ** 0.8 * (2 / 3) ** 0.2, abs=1e-12)
    assert left_out.precision == pytest.approx((1 / 7) ** 0.8 * (2 / 3) ** 0.2, abs=1e-12)
    assert left_out.recall == pytest.approx((1 / 3) ** 0.8 * (2 / 3) ** 0.2, abs=1e-12)
    # If gold has none of it, it is there; a ratio of 0 is taken for 0.001.
    floor = score(TOM, GO, weighed(PROGRAM, 0.2, 0.5, 0.3)).f1
    assert floor == pytest.approx((2 / 10) ** 0.5 * 0.001**0.3 * (2 / 3) ** 0.2, abs=1e-12)


FIGURE_1 = (INSTANCES / "drs/paper.figure1.clf").read_text("utf-8").partition("sang.\n")[2]


def paths(text: str, order: int, metric: DScorer = PAPER) -> Counter[str]:
    """Return the n-grams of a DRS, by all sequences of its edges, from its text alone."""
    labels: dict[str, str] = {}
    edges: list[tuple[str, str, str, bool]] = []
    for words in dict.fromkeys(tuple(line.split()) for line in text.splitlines()):
        box, relation, *others = words
        if len(others) == 2 and others[0].startswith(('"n.', '"v.', '"a.', '"r.')):
            relation, others = f"{relation}.{others[0][1:-1]}", others[1:]
        nodes = [box, *others]
        for node in nodes:
            kind = node if node[0] == '"' else node[0].upper()
            letters = metric.types == "by-letter" or kind in ("B", node)
            labels[node] = kind if letters else "X"
        for k, (one, other) in enumerate(pairwise(nodes), start=1):
            label = f"{relation}-A{k}" if len(nodes) == 3 else relation
            between_boxes = labels[one] == labels[other] == "B"
            one_way = relation.isupper() and relation != "EQU"
            edges.append((one, label, other, one_way if metric.once == "nodes" else between_boxes))
    found: Counter[str] = Counter()
    for chosen in permutations(edges, order):
        for backwards in product((False, True), repeat=order):
            at, text = "", ""
            seen = []
            for (start, label, end, one_way), back in zip(chosen, backwards, strict=True):
                mark = "'" if back and metric.directions == "told-apart" else ""
                start, end = (end, start) if back else (start, end)
                if at not in ("", start) or (back and one_way):
                    break
                seen += [end] if at else [start, end]
                text = f"{text or labels[start]} -{label}{mark}-> {labels[end]}"
                at = end
            else:
                if metric.once == "edges" or len(set(seen)) == len(seen):
                    found[text] += 1
    return found


def in_arrows(path: Sequence[str]) -> str:
    """Return the path of a listed n-gram as `paths` writes it."""
    steps = zip(path[1::2], path[2::2], strict=True)
    marked = ((label.replace(", backwards", "'"), node) for label, node in steps)
    return path[0] + "".join(f" -{label}-> {node}" for label, node in marked)


@pytest.mark.parametrize("metric", [PAPER, PROGRAM], ids=["paper", "program"])
def test_listed_n_grams_are_those_of_brute_force(metric: DScorer) -> None:
    rng = random.Random("listed")
    for number in range(11):
        texts = [FIGURE_1, FIGURE_1.replace("male", "dog")]
        if number:
            texts = ["\n".join(random_drs(rng).splitlines()[:5]) for _ in range(2)]
        most = 3 if number else 2
        listed = metric.with_choices(order=most).listed(drs(texts[0]), drs(texts[1]))
        for order, ngrams in enumerate(listed.orders, start=1):
            one, other = (paths(text, order, metric) for text in texts)
            found = {in_arrows(n.path): (n.matched, n.system, n.gold) for n in ngrams}
            assert found == {p: (min(one[p], other[p]), one[p], other[p]) for p in one | other}
            assert len(found) == len(ngrams)
            assert [*ngrams] == sorted(ngrams, key=lambda n: (-n.matched, -n.system - n.gold))


@pytest.mark.parametrize("metric", [PAPER, PROGRAM], ids=["paper", "program"])
def test_dscorer_is_as_brute_force_has_it(metric: DScorer) -> None:
    rng = random.Random(3)
    for _ in range(40):
        system, gold = (
            "\n".join(random_drs(rng).splitlines()[: rng.randint(1, 6)]) for _ in range(2)
        )
        expected = []
        for order in (1, 2, 3):
            found, wanted = paths(system, order, metric), paths(gold, order, metric)
            expected.append(((found & wanted).total(), found.total(), wanted.total()))
        result = score(system, gold, metric.with_choices(order=3))
        assert result.orders == tuple(expected), (system, gold)
        if any(not total for _, *totals in expected for total in totals):
            continue
        ratios = [2 * m / (t + g) for m, t, g in expected]
        if metric is PAPER:
            zero = 0.0 if 0 in ratios else 1.0
            mean = math.prod(ratio**0.3 for ratio in ratios) * result.zero_gram**0.1
            assert result.f1 == pytest.approx(zero * mean, abs=1e-12)


def test_paths_are_counted_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = [score(RICH, TOM + RICH, metric) for metric in (PAPER, PROGRAM)]
    monkeypatch.setattr(labelled_paths, "_SLICE", 3)
    assert [score(RICH, TOM + RICH, metric) for metric in (PAPER, PROGRAM)] == at_once


def test_n_grams_of_figure_1_are_those_of_the_paper() -> None:
    """Section 2.1 names two chains, and 2.2 the 1-gram that one of them begins with."""
    short = "\n".join(line for line in FIGURE_1.splitlines() if "REF" not in line)
    chains = paths(short, 3)
    assert chains["B -play.v.03-> E -Theme-A2-> X -piano.n.01-> B"] == 1
    assert chains["B -sing.v.01-> E -Agent-A2-> X -female.n.02-> B"] == 1
    assert chains["B -Theme-A1-> E -Theme-A2-> X -piano.n.01-> B"] == 1
    assert chains["B -play.v.03-> E -Theme-A2-> X -female.n.02-> B"] == 0
    assert paths(short, 1)["B -Theme-A1-> E"] == 1
    result, whole = score(short, FIGURE_1), paths(FIGURE_1, 3).total()
    assert result.orders[2] == (chains.total(), chains.total(), whole)
    # 14 nodes: 6 boxes, 3 entities, 2 events, 2 times and "now". Edges: 1 of NOT and 2 of CONTRAST
    # go one way; 7 of REF, 7 of concepts and 2 * 7 of roles and TPR go both.
    assert len(PAPER.labelled(drs(FIGURE_1)).labels) == 14
    assert result.orders[0].gold == 1 + 2 + 2 * (7 + 7 + 2 * 7)
    # All 14 nodes and 31 edges of Figure 5, by the command that lists them.
    words = ["ngrams", str(INSTANCES / "drs/paper.figure1.clf")] * 2
    listing = CliRunner().invoke(main, [*words[:2], words[1], "--format", "json"]).stdout
    graph = json.loads(listing)["gold"]
    assert sorted(graph["labels"]) == sorted(
        ["B"] * 6 + ["X"] * 3 + ["E"] * 2 + ["T"] * 2 + ['"now"']
    )
    edges = {(edge, label) for _, label, _, edge in graph["steps"]}
    assert (len(edges), len(graph["steps"])) == (3 + 7 + 7 + 2 * 7, 59)
    # The matches of the chain alone, against the whole and against one in which it is another.
    chain = 'b1 play "v.03" e1\nb1 Theme e1 x2\nb3 piano "n.01" x2'
    within = paths(chain, 3).total()
    assert score(chain, FIGURE_1).orders[2] == (within, within, whole)
    crossed = FIGURE_1.replace("Theme e1 x2", "Theme e2 x2")
    assert score(chain, crossed).orders[2].matched < within


def test_n_grams_of_figure_4_are_those_counted_by_hand() -> None:
    """The n-grams of "He smiled." by hand, order by order, and all by brute force.

    Edges between pairs of its nodes b1, b2, x1, e1, t1 and "now", all both ways:

        b1 x1    2: REF, male.n.02                      e1 x1       1: Agent-A2
        b2 e1    4: REF, smile.v.01, Agent-A1, Time-A1  e1 t1       1: Time-A2
        b2 t1    3: REF, time.n.08, TPR-A1              t1 "now"    1: TPR-A2

    So d, the number of edges of a node, is 2 of b1, 7 of b2, 3 of x1, 6 of e1, 5 of t1, 1 of "now".

    1-grams: the edges, both ways: 2 * 12 = 24.
    2-grams, by the node in the middle, d (d - 1): 2 + 42 + 6 + 30 + 20 + 0 = 100.
    3-grams, by their middle edge between u and v, both ways: (d(u) - 1) (d(v) - 1), less the m - 1
    cases in which both others are one of m parallel edges, for each of the m:
    2 * (2 * (1 * 2 - 1) + 4 * (6 * 5 - 3) + 3 * (6 * 4 - 2) + 5 * 2 + 5 * 4 + 4 * 0)
    = 2 * (2 + 108 + 66 + 10 + 20 + 0) = 412.
    4-grams: the 3-grams that end at a node are 10 at b1, 129 at b2, 30 at x1, 116 at e1, 104 at t1
    and 23 at "now". Each goes on in d - 1 ways, 10 * 1 + 129 * 6 + 30 * 2 + 116 * 5 + 104 * 4
    + 23 * 0 = 1840. This is 2 too many for each 3-gram u v w v, as its first two edges are used as
    well: m (m - 1) (d(v) - 2 + d(w) - 2) for the pairs with parallel edges, 2 * 1 + 12 * 9 + 6 * 8
    = 158. And 1 too many for each round of b2, e1 and t1: 4 * 1 * 3 edges from 3 nodes in 2
    directions, 72. Together 1840 - 2 * 158 - 72 = 1452.
    """
    texts = [
        (INSTANCES / f"drs/paper.{side}.clf").read_text("utf-8") for side in ("system", "gold")
    ]
    result = score(texts[0], texts[1])
    assert [order.gold for order in result.orders] == [24, 100, 412, 1452]
    assert result.zero_gram == 6 / 10
    clauses = ["\n".join(x.split("%")[0] for x in t.splitlines() if x[:1] == "b") for t in texts]
    for order, counts in enumerate(result.orders[:2], start=1):
        system, gold = (paths(text, order) for text in clauses)
        assert counts == ((system & gold).total(), system.total(), gold.total())
    # Equation 3 as printed, from k = 1: the precision is what section 3.3 calls F1. F1 is not.
    literal = score(texts[0], texts[1], weighed(PAPER, 0, *[0.9 / 4] * 4))
    assert f"{literal.precision:.4f} {literal.f1:.4f}" == "0.1611 0.2323"
    # The path that section 3.3 says is not matched, and the one that is.
    assert paths(clauses[1], 2)["B -smile.v.01-> E -Time-A2-> T"] == 1
    assert paths(clauses[0], 2)["B -smile.v.01-> E -Time-A2-> T"] == 0
    assert paths(clauses[0], 2)["B -Time-A1-> E -Time-A2-> T"] == 1


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
    result = score(RICH, RICH, PROGRAM)
    assert [order.system for order in result.orders] == expected
    assert all(order.matched == order.system == order.gold for order in result.orders)
    assert result.f1 == result.precision == result.recall == result.zero_gram == 1.0


def test_dscorer_obeys_laws() -> None:
    renamed = RICH.replace("x1", "x9").replace("e1", "e4").replace("b1", "k1").replace("b2", "c")
    lines = renamed.splitlines()
    other = RICH.replace("Theme", "Topic").replace("PartOf", "Part") + "b2 REF x1\n"
    for metric in (PAPER, STRAIGHT):
        assert score("\n".join(lines[::-1] + lines), RICH, metric) == score(RICH, RICH, metric)
        forth, back = score(RICH, other, metric), score(other, RICH, metric)
        assert 0 < forth.f1 < 1 and forth.precision != forth.recall
        assert (forth.precision, forth.recall, forth.f1) == (back.recall, back.precision, back.f1)
    exchanged = score(RICH, other, PROGRAM)
    assert exchanged == forth._replace(precision=forth.recall, recall=forth.precision)


def test_the_type_of_a_variable_is_its_first_letter() -> None:
    go = 'b1 go "v.01" {}'
    for one, other, matched in [
        ("e1", "e7", 2), ("e1", "E1", 2), ("e1", "s1", 0), ("t1", "p1", 0), ("x1", "z1", 2),
        ("x1", "b2", 2), ("e1", "z1", 0),
    ]:  # fmt: skip
        assert score(go.format(one), go.format(other)).orders[0].matched == matched, (one, other)
        alike = PAPER.with_choices(types="boxes-only")
        assert score(go.format(one), go.format(other), alike).orders[0].matched == 2
    # Boxes are known by their clauses.
    assert score("b1 NOT b2", "k1 NOT x2").orders[0].matched == 1


def test_directions_tell_edges_apart_for_the_program() -> None:
    source, target = "b1 Part x1 x2\nb1 Part x1 x3", "b1 Part x1 x3\nb1 Part x2 x3"
    # By the program, 1-grams of either: from b to x twice, from x to x twice, and the same
    # backwards. 2-grams of the source: b x x by two edges to two ends, 4; the same backwards, 4; x2
    # x1 x3 and x3 x1 x2, 2. Of the target: b x x 2, backwards 2, x1 b x2 and x2 b x1, 2, x1 x3 x2
    # and x2 x3 x1, 2. Common are b x x, twice each way; x x x goes back and forth in the source,
    # but forth and back in the target.
    assert score(source, target, PROGRAM).orders[:2] == ((8, 8, 8), (4, 10, 8))
    # By the paper, an edge has one label, so that x x x matches too.
    alike = PROGRAM.with_choices(directions="alike")
    assert score(source, target, alike).orders[:2] == ((8, 8, 8), (6, 10, 8))


@pytest.mark.parametrize(
    "system, gold, by_paper, by_program",
    [
        ("b1 Part x1 x2", "b1 Part x2 x1", 4, 4),
        ("b1 Agent x1 x2", "b1 Theme x1 x2", 0, 0),
        ('b1 man "n.01" x1', 'b1 man "n.02" x1', 0, 0),
        ('b1 Name x1 "a"', 'b1 Name x1 "b"', 2, 2),
        ("b1 CONTINUATION b2", "b1 CONTINUATION b2 b3", 0, 0),
        ("b1 NOT b2", "b1 NOT b2", 1, 1),
        ("b1 REF x2", "b1 REF x2", 2, 1),
        ("b1 PRP p1 b2", "b1 PRP p1 b2", 4, 2),
        ("b1 TPR t1 t2", "b1 TPR t1 t2", 4, 2),
        ("b1 EQU x1 x2", "b1 EQU x1 x2", 4, 4),
        ("b1 SXY x1 x1", "b1 SXY x1 x1", 4, 1),
        ('b1 TPR "then" "now"', 'b1 TPR "then" "now"', 4, 2),
    ],
)
def test_edges_count_as_the_paper_or_the_program_has_them(
    system: str, gold: str, by_paper: int, by_program: int
) -> None:
    assert score(system, gold).orders[0].matched == by_paper
    assert score(system, gold, PROGRAM).orders[0].matched == by_program


def test_empty_graphs_of_dscorer_are_scored() -> None:
    empty = Graph(None, {}, (), (), drs(TOM).location)
    assert dscore([(empty, empty)]).f1 == dscore([(empty, empty)]).zero_gram == 1.0
    nothing = dscore([(empty, drs(TOM))])
    assert (nothing.zero_gram, nothing.f1) == (0.0, 0.0)
    assert dscore([(empty, drs(TOM))], STRAIGHT).f1 == 0.0
    floor = dscore([(empty, drs(TOM))], PROGRAM.with_choices(order=2))
    assert floor.f1 == pytest.approx(0.001**0.1)  # all orders are missing, and their weight lost
    figures = PAPER.figures(Statistics())
    assert figures is not None and figures.value == 0.0


def test_profiles_of_dscorer_have_weights() -> None:
    default = DScorer.profiles["default"]
    assert (default.profile, default.unicode, DScorer()) == ("dscorer.1", "nfc", PAPER)
    assert PAPER.weights == (0.1, 0.225, 0.225, 0.225, 0.225)
    assert PROGRAM.weights == PAPER.weights
    assert PAPER.with_choices(order=4) == PAPER
    assert PAPER.with_choices(order=2).weights == (0.1, 0.45, 0.45)
    assert PAPER.with_choices(weights="0.2, 0.8").order == 1
    with pytest.raises(
        exactmatch.UsageError, match="weights of dscorer begin with w0, and include at"
    ):
        PAPER.with_choices(weights=[1.0])
    with pytest.raises(exactmatch.UsageError, match="sum of the weights is too large"):
        PAPER.with_choices(weights=[0, 1e308, 1e308])


def test_what_is_said_of_a_pair(tmp_path: Path) -> None:
    paths = [str(INSTANCES / f"drs/paper.{side}.clf") for side in ("system", "gold")]
    lines = tmp_path / "pairs.jsonl"
    options = ["--metric", "dscorer", "--order", "2", "--format", "json", "--per-pair", str(lines)]
    result = CliRunner().invoke(main, ["score", *paths, *options], catch_exceptions=False)
    (pair,) = map(json.loads, lines.read_text("utf-8").splitlines())
    corpus = json.loads(result.stdout)
    expected = {
        "precision": 0.6**0.1 * (18 / 44 * 54 / 260) ** 0.45,
        "recall": 0.6**0.1 * (18 / 24 * 54 / 100) ** 0.45,
        "f1": 0.6**0.1 * (36 / 68 * 108 / 360) ** 0.45,
        "0-gram_factor": 0.6,
    }
    for found in (pair, corpus):
        assert {key: found[key] for key in expected} == pytest.approx(expected)
        assert found["score"] == found["f1"]
        assert found["breakdown"]["2-grams"] == {
            "matched": 54, "system_total": 260, "gold_total": 100,
            "precision": pytest.approx(54 / 260), "recall": 0.54, "f1": pytest.approx(0.3),
        }  # fmt: skip


def test_a_drs_of_too_many_paths_is_an_error_that_can_be_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = "b0 REF x\nb0 REF y\nb0 Theme x y\nb0 Agent y x\nb0 Of x y\nb0 By x y"
    path = tmp_path / "many.clf"
    path.write_text(f"b0 REF x\n\n{many}\n", encoding="utf-8")
    assert exactmatch.score(path, path, metric="dscorer").value == 1
    monkeypatch.setattr(labelled_paths, "MOST_PATHS", 8)
    with pytest.raises(
        exactmatch.InputError, match=rf"{path}:3 and {path}:3: more than .* n-grams"
    ):
        exactmatch.score(path, path, metric="dscorer")
    assert exactmatch.score(path, path, metric="dscorer", on_error="skip").skipped == 1
