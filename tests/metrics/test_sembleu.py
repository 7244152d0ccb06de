"""SemBleu: the counts by hand, and the properties that the paper and its critics tell."""

from math import exp, log
from pathlib import Path
from typing import Any

import pytest
from samples import counted
from samples import only_graph as graph

import exactmatch
from exactmatch.metrics import sembleu
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.metrics.sembleu import SemBleu

PAPER = SemBleu()
PROGRAM = SemBleu.profiles["program"]


def score(system: str, gold: str, metric: Metric = PAPER) -> float:
    figures = metric.figures(counted(metric, graph(system), graph(gold)))
    assert figures is not None
    return figures.value


def test_sembleu_is_as_counted_by_hand() -> None:
    """want-01 with two arguments against want-01 with one of them and another.

    system: (w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))
      1: want-01, boy, go-02                                                      3
      2: want-01 :ARG0 boy, want-01 :ARG1 go-02, go-02 :ARG0 boy                  3
      3: want-01 :ARG1 go-02 :ARG0 boy                                            1
      size: 3 nodes and 3 edges
    gold: (w / want-01 :ARG0 (b / boy) :ARG1 (f / football))
      1: want-01, boy, football; 2: want-01 :ARG0 boy, want-01 :ARG1 football; 3: none
      size: 3 nodes and 2 edges
    Matched: 2 of 3, 1 of 3, 0 of 1, smoothed to 1/2. The gold side is shorter: no penalty.
    """
    system = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"
    gold = "(w / want-01 :ARG0 (b / boy) :ARG1 (f / football))"
    found = counted(PAPER, graph(system), graph(gold))
    assert [(c.matched, c.system_total, c.gold_total) for c in found.breakdown.values()] == [
        (2, 3, 3), (1, 3, 2), (0, 1, 0),
    ]  # fmt: skip
    assert (found.matched, found.system_total, found.gold_total) == (3, 7, 5)
    listed = PAPER.listed(graph(system), graph(gold)).orders
    assert [[(" ".join(n.path), n.system, n.gold) for n in ngrams] for ngrams in listed] == [
        [("boy", 1, 1), ("want-01", 1, 1), ("football", 0, 1), ("go-02", 1, 0)],
        [
            ("want-01 :ARG0 boy", 1, 1),
            ("go-02 :ARG0 boy", 1, 0),
            ("want-01 :ARG1 football", 0, 1),
            ("want-01 :ARG1 go-02", 1, 0),
        ],
        [("want-01 :ARG1 go-02 :ARG0 boy", 1, 0)],
    ]
    assert found.sums == {"system size": 6, "gold size": 5}
    assert score(system, gold) == pytest.approx((2 / 3 * 1 / 3 * 1 / 2) ** (1 / 3))
    logs = 0.34 * log(2 / 3) + 0.33 * log(1 / 3) + 0.34 * log(1 / 2)
    assert score(system, gold, PROGRAM) == pytest.approx(exp(logs))
    # The other way round there is no path of three nodes: two lengths, and sizes 5 and 6.
    assert score(gold, system) == pytest.approx(exp(1 - 6 / 5) * (2 / 3 * 1 / 2) ** (1 / 2))


def test_n_grams_of_figure_1_of_opitz_et_al() -> None:
    """Section 2.2 of Opitz, Parcalabescu and Frank (2020) names them."""
    cat = graph("(d / drink-01 :arg1 (c / cat) :arg2 (w / water))")
    words, pairs, longer = PAPER.listed(cat, cat).orders
    assert {" ".join(n.path) for n in words} == {"cat", "water", "drink-01"}
    assert {" ".join(n.path) for n in pairs} == {"drink-01 :arg1 cat", "drink-01 :arg2 water"}
    assert not longer


def test_smoothing_halves_with_every_length_that_misses() -> None:
    # 1 of 3 nodes matches, none of 2 edges and of 1 path of three nodes.
    system = "(a / x :r (b / y :s (c / z)))"
    gold = "(a / x :r (b / u :s (c / v)))"
    assert score(system, gold) == pytest.approx((1 / 3 * 1 / 2 / 2 * 1 / 4) ** (1 / 3))


def test_figure_2_of_opitz() -> None:
    """Graphs of the same paths, with different nodes in the roles (Opitz et al. 2020, Figure 2)."""
    system = "(p / predicate-01 :ARG0 (x1 / man) :ARG1 (x2 / man) :ARG2 x2)"
    gold = "(p / predicate-01 :ARG0 (x1 / man) :ARG1 x1 :ARG2 (x2 / man))"
    assert score(system, gold) == score(gold, system) == 1.0
    assert exactmatch.best_mapping(system, gold).f1 < 1


@pytest.mark.parametrize(
    "one, other",
    [
        ("(a / b :ARG0-of (c / d))", "(c / d :ARG0 (a / b))"),  # the root does not count
        ("(a / B :op1 \"X y\")", "(a / b :op1 \"x Y\")"),
        ("(a / b :op1 5)", "(a / b :op1 \"5\")"),
        ("(a / b~e.1 :r~e.2 (c / d))", "(x / b :r (y / d))"),
        ("(a / b :r (c / d :s a))", "(c / d :s (a / b :r c))"),  # a cycle
    ],
)  # fmt: skip
def test_graphs_of_the_same_n_grams_score_1(one: str, other: str) -> None:
    assert score(one, other) == score(other, one) == 1.0


def test_loops_use_an_edge_once() -> None:
    counts = counted(PAPER, graph("(a / b :r a)"), graph("(a / b :r a :s a)")).breakdown
    assert [(c.matched, c.system_total, c.gold_total) for c in counts.values()] == [
        (1, 1, 1), (1, 1, 2), (0, 0, 2),
    ]  # fmt: skip


def test_graphs_of_one_node_have_1_grams_alone() -> None:
    assert score("(a / b)", "(c / b)") == 1.0
    assert score("(a / b)", "(c / d)") == 0.0


def test_a_corpus_is_counted_as_one() -> None:
    pairs = [("(a / b :r (c / d))", "(a / b :r (c / e))"), ("(a / b)", "(a / b :r (c / d))")]
    every = sum((counted(PAPER, graph(a), graph(b)) for a, b in pairs), Statistics())
    # Nodes 2 of 3, edges 0 of 1; sizes 3 + 1 against 3 + 3.
    expected = exp(1 - 6 / 4) * (2 / 3 * 1 / 2) ** (1 / 2)
    assert PAPER.figures(every).value == pytest.approx(expected)
    assert PAPER.figures(Statistics()).value == 0.0


def test_orders_count_by_their_weights() -> None:
    """Four nodes in a chain, of which the last is wrong: 3 of 4, 2 of 3, 1 of 2, and 0 of 1."""
    system = "(a / x :r (b / y :s (c / z :t (d / u))))"
    gold = "(a / x :r (b / y :s (c / z :t (d / v))))"
    ratios = [3 / 4, 2 / 3, 1 / 2, 1 / 2]  # the last one is smoothed
    for order in (1, 2, 3, 4):
        expected = exp(sum(log(ratio) / order for ratio in ratios[:order]))
        assert score(system, gold, PAPER.with_choices(order=order)) == pytest.approx(expected)
        assert exactmatch.score(system, gold, metric="sembleu", order=order).value == pytest.approx(
            expected
        )
    weighted = exactmatch.metric("sembleu", weights=(0.5, 0.1, 0, 0.4))
    expected = (3 / 4) ** 0.5 * (2 / 3) ** 0.1 * (1 / 2) ** 0.4
    assert exactmatch.score(system, gold, metric=weighted).value == pytest.approx(expected)
    said = "sembleu|n:4|weights:0.5,0.1,0.0,0.4|smoothing:nist-geometric"
    assert weighted.signature() == f"{said}|unicode:nfc"
    assert PAPER.with_choices(order="4", weights="0.5, 0.1, 0, 0.4").signature() == said
    assert PAPER.with_choices(order=3) == PAPER
    # Weights that are almost the uniform ones are not taken for them.
    almost = PAPER.with_choices(weights=(0.33334, 0.33333, 0.33333)).signature()
    assert almost.startswith("sembleu|n:3|weights:0.33334,0.33333,0.33333|")


@pytest.mark.parametrize(
    "choices, message",
    [
        ({"order": 0}, "order is 0; give a whole number from 1 to 99"),
        ({"order": 100}, "order is 100; give a whole number"),
        ({"order": -1}, "order is -1; give a whole number"),
        ({"order": 2.5}, "order is 2.5; give a whole number"),
        ({"order": True}, "order is True; give a whole number"),
        ({"order": "two"}, "order is 'two'; give a whole number"),
        ({"weights": ()}, "no weight is above 0"),
        ({"weights": (0, 0.0)}, "no weight is above 0"),
        ({"weights": (0.5, -0.5)}, "a weight is -0.5: not a number from 0 on"),
        ({"weights": "0.5,nan"}, "a weight is nan: not"),
        ({"weights": (float("inf"), 1)}, "a weight is inf: not"),
        ({"weights": (10**400,)}, "give numbers, with commas between"),
        ({"weights": "0.5,,1"}, "weights are '0.5,,1'; give numbers, with commas between"),
        ({"weights": 3}, "weights are 3; give numbers"),
        ({"weights": (0.5, None)}, r"weights are \(0.5, None\); give numbers"),
        ({"order": 3, "weights": (0.5, 0.5)}, "2 weights from w1 on are for order 2, not 3"),
        (
            {"order": 2, "n": 2},
            "sembleu has no choice called 'n'; the choices are unicode, order, weights",
        ),
    ],
)
def test_orders_and_weights_that_are_none(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(exactmatch.UsageError, match=message):
        PAPER.with_choices(**choices)
    with pytest.raises(exactmatch.UsageError, match=message):
        exactmatch.score("(a / b)", "(a / b)", metric="sembleu", **choices)


def test_a_graph_of_too_many_paths_is_an_error_that_can_be_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sembleu, "MOST_BEGUN", 8)
    few, many = "(a / b :r (c / d))", "(a / b :r (c / d) :r (e / f))"
    one, two = tmp_path / "one.amr", tmp_path / "two.amr"
    one.write_text(f"{few}\n\n{few}", encoding="utf-8")
    two.write_text(f"{few}\n\n{many}", encoding="utf-8")
    with pytest.raises(exactmatch.InputError) as error:
        exactmatch.score(one, two, metric="sembleu")
    said = "more than 8 n-grams of up to 3, too many to count"
    assert str(error.value) == f"{one}:3 and {two}:3: {said}"
    result = exactmatch.score(one, two, metric="sembleu", on_error="skip")
    assert (result.pairs, result.skipped, result.value) == (1, 1, 1)
