"""Differences between two graphs, and their sums."""

from samples import only_graph as graph
from study_files import AGREEMENT

import exactmatch
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple
from exactmatch.scoring.comparison import compare
from exactmatch.studies.common.differences import Difference, differences


def difference(system: str, gold: str) -> list[Difference]:
    comparison = compare(GraphPair("x", graph(system), graph(gold)), Smatch.profiles["default"])
    best = exactmatch.best_mapping(system, gold)
    return differences(comparison.system, comparison.gold, best.mapping, "set")


def test_differences_are_named() -> None:
    assert difference("(a / b :ARG0 (c / d))", "(x / b :ARG0 (y / d))") == []
    assert difference("(a / b :ARG0 (c / d))", "(x / b :ARG1 (y / e))") == [
        Difference("instance", "d", "e"),
        Difference("relation", "arg0", "arg1"),
    ] or difference("(a / b :ARG0 (c / d))", "(x / b :ARG1 (y / e))") == [
        Difference("instance", None, "e"),
        Difference("instance", "d", None),
        Difference("relation", None, "arg1"),
        Difference("relation", "arg0", None),
    ]
    assert difference("(a / b :quant 3 :polarity -)", "(x / b :quant 4)") == [
        Difference("attribute", "polarity -", None),
        Difference("attribute", "quant 3", "quant 4"),
    ]
    rooted = difference("(a / b :ARG0 (c / d))", "(y / d :ARG0-of (x / b))")
    assert rooted == [Difference("top", "b", "d")]
    assert difference("(a / b :ARG0 a :ARG0 a)", "(x / b :ARG0 x)") == []
    assert difference("(a / b :mod (c / d))", "(x / b)") == [
        Difference("instance", "d", None),
        Difference("relation", "domain", None),
    ]


def test_differences_count_what_does_not_match() -> None:
    left, right = ((AGREEMENT / name).read_text(encoding="utf-8") for name in ("a.amr", "d.amr"))
    for system, gold in zip(left.split("\n\n"), right.split("\n\n"), strict=True):
        best = exactmatch.best_mapping(system, gold)
        found = difference(system, gold)
        assert best.system_total - best.matched == sum(d.system is not None for d in found)
        assert best.gold_total - best.matched == sum(d.gold is not None for d in found)


def test_a_relation_that_matches_is_not_the_one_back() -> None:
    system, gold = "(a / b :R (c / d))", "(x / b :R (y / d :R x))"
    assert difference(system, gold) == [Difference("relation", None, "r")]


def test_a_triple_that_matches_in_another_order_of_variables_is_no_difference() -> None:
    label = ("operator", "NEQ")
    own, turned = (NormalisedTriple(label, ("c", *rest)) for rest in (("u", "v"), ("v", "u")))
    gold = NormalisedGraph(("c", "u", "v"), [own], [own, turned])
    system = NormalisedGraph(("b", "x", "y"), [NormalisedTriple(label, ("b", "x", "y"))])
    for right in ({"x": "u", "y": "v"}, {"x": "v", "y": "u"}):
        assert differences(system, gold, {"b": "c", **right}, "set") == []
    one_order = NormalisedGraph(gold.variables, [own])
    assert differences(system, one_order, {"b": "c", "x": "v", "y": "u"}, "set") == [
        Difference("operator", None, "NEQ"),
        Difference("operator", "NEQ", None),
    ]


def test_a_triple_of_gold_takes_no_form_that_is_another_triple_of_gold() -> None:
    label = ("operator", "NEQ")
    both = [NormalisedTriple(label, ("c", *rest)) for rest in (("u", "v"), ("v", "u"))]
    gold = NormalisedGraph(("c", "u", "v"), both, both)
    system = NormalisedGraph(("b", "x", "y"), [NormalisedTriple(label, ("b", "x", "y"))])
    mapping = {"b": "c", "x": "u", "y": "v"}
    assert differences(system, gold, mapping, "set") == [Difference("operator", None, "NEQ")]
