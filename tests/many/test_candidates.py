"""Candidates: every pair as `best_mapping` has it, and the best mean by exact arithmetic."""

import random
import re
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from drs_samples import random_drs
from nightly import by_day
from samples import random_graph
from seeds import cases

import exactmatch
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.graph import Graph
from exactmatch.many.candidates import CandidatePairs
from exactmatch.many.choice import best_of, choose, is_better, is_decided
from exactmatch.many.pairwise import COVER, PROOF
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.mrp import Mrp
from exactmatch.metrics.registry import METRICS
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.settings import Settings

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
BROKEN = "(a / b"


def similar(folder: Path) -> exactmatch.Metric:
    path = folder / "similar"
    path.write_text("p q 0.7\nq r 0.6\n", encoding="utf-8")
    return exactmatch.metric("s2match", similarity=path)


def sets_of_texts(kind: str, rng: random.Random, number: int) -> list[str]:
    """Return several random graphs, some of them equal except for the names of variables."""
    if kind.startswith("counter"):
        texts = [random_drs(rng) for _ in range(number - 1)]
        return [*texts, re.sub(r"\b([best])(\d)\b", r"\g<1>1\2", rng.choice(texts))]
    texts = [random_graph(rng, rng.randint(1, 6))[0] for _ in range(number - 1)]
    return [*texts, re.sub(r"\b([abcx])(\d)\b", r"z\1\2", rng.choice(texts))]


KINDS = ["default", "smatch-1.0.4", "paper-2013", "s2match", "counter", "counter-2021"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", by_day(KINDS, 3))
def test_pairs_are_those_of_best_mapping(kind: str, tmp_path: Path) -> None:
    rng = random.Random(kind)
    metric = similar(tmp_path) if kind == "s2match" else None
    profile = "default" if kind in ("s2match", "counter") else kind
    for _ in range(cases(8)):
        texts = sets_of_texts(kind, rng, 4)
        found = exactmatch.candidates(texts, metric=metric, profile=profile)
        for i, one in enumerate(texts):
            for j, other in enumerate(texts):
                best = exactmatch.best_mapping(one, other, metric=metric, profile=profile)
                assert found.matched[i, j] == best.matched == found.upper[i, j]
                assert found.f1[i, j] == best.f1 == found.f1_upper[i, j]
                assert (found.totals[i], found.totals[j]) == (best.system_total, best.gold_total)
                check_mapping(found, i, j, texts)
        assert found.is_proven
        assert found.solved + found.spared == (12 if kind.startswith("counter") else 6)


def check_mapping(found: exactmatch.Candidates, i: int, j: int, texts: list[str]) -> None:
    """A mapping scores the count that is reported for it."""
    from exactmatch.scoring.recount import count_matched

    metric = found.metric
    one, other = (metric.normalise(exactmatch.loads(texts[k])[0]) for k in (i, j))
    mapping = found.mapping(i, j)
    assert len(set(mapping.values())) == len(mapping)
    alike = metric.similar(one, other)
    matched = count_matched(one, other, mapping, metric.duplicates, alike, metric.scale)
    assert matched == found.matched[i, j]


def test_candidates_may_be_graphs_of_mrp() -> None:
    graphs = exactmatch.load(INSTANCES / "mrp" / "gold.mrp")
    system = exactmatch.load(INSTANCES / "mrp" / "system.mrp")
    several = [graphs[0], system[0], graphs[0]]
    found = exactmatch.candidates(several)
    assert found.metric == Mrp.profiles["default"]
    for i, one in enumerate(several):
        for j, other in enumerate(several):
            assert found.matched[i, j] == exactmatch.best_mapping(one, other).matched
    assert (found.solved, found.spared) == (1, 2)


def test_equal_graphs_cost_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a pair was looked at")

    monkeypatch.setattr("exactmatch.many.pairwise.Pairwise.score", refuse)
    texts = ["(a / x :ARG0 (b / y) :ARG1 b)", "(b / x :ARG0 (a / y) :ARG1 a)"] * 2
    for profile in Smatch.profiles:
        found = exactmatch.candidates(texts, profile=profile)
        assert found.f1.tolist() == [[1.0] * 4] * 4
        assert (found.solved, found.spared, found.best) == (0, 6, 0)
        assert found.mapping(0, 1) == {"a": "b", "b": "a"}


def test_graphs_are_not_equal_for_their_variables_alone() -> None:
    texts = ["(a / x :ARG0 (b / y) :ARG1 b)", "(a / x :ARG0 (b / y) :ARG1 a)"]
    assert exactmatch.candidates(texts).f1[0, 1] < 1


def test_a_repeated_triple_is_not_one_of_its_own() -> None:
    """With duplicates multiplied, a graph compared with itself matches more than its triples."""
    text = "(a / x :mod - :mod -)"
    found = exactmatch.candidates([text, text], profile="smatch-1.0.4")
    assert (
        found.matched[0, 1] == exactmatch.best_mapping(text, text, profile="smatch-1.0.4").matched
    )


def means(f1: list[list[Fraction]], weights: list[int]) -> list[Fraction]:
    """Return the means as they are defined."""
    n = len(f1)
    found = []
    for i in range(n):
        rest = sum(weights[j] for j in range(n) if j != i)
        value = sum(weights[j] * f1[i][j] for j in range(n) if j != i)
        found.append(Fraction(value, rest) if rest else Fraction(0))
    return found


def fractions(found: exactmatch.Candidates) -> list[list[Fraction]]:
    totals = found.totals.tolist()
    return [
        [Fraction(2 * m, totals[i] + totals[j]) for j, m in enumerate(row)]
        for i, row in enumerate(found.matched.tolist())
    ]


METRICS_OF_CHOICE = [
    Smatch.profiles["default"],
    Smatch.profiles["smatch-1.0.4"],
    CounterMetric.profiles["default"],
]


@pytest.mark.parametrize("metric", by_day(METRICS_OF_CHOICE), ids=lambda metric: metric.profile)
def test_the_choice_is_that_of_all_pairs(metric: exactmatch.Metric) -> None:
    rng = random.Random(7)
    spared = 0
    for trial in range(40):
        texts = sets_of_texts(metric.name, rng, rng.randint(2, 6))
        weights = [1] * len(texts) if trial % 2 else [rng.randint(1, 3) for _ in texts]
        found = exactmatch.candidates(texts, weights, metric=metric)
        exact = means(fractions(found), weights)
        best = exact.index(max(exact))
        assert found.best == best
        assert found.means.tolist() == [float(mean) for mean in exact]
        pairs = pairs_of(texts, weights, metric)
        choose(pairs)
        assert is_decided(pairs)
        assert best_of(pairs) == best, (texts, weights)
        for lower, mean, upper in zip(pairs.lower, exact, pairs.upper, strict=True):
            assert lower <= mean * pairs.means.denominator <= upper
        stages = pairs.stages()
        assert stages.total() == found.solved + found.spared
        spared += stages.total() - stages[COVER] - stages[PROOF]
    assert spared > 40


def pairs_of(
    texts: list[str],
    weights: list[int],
    metric: exactmatch.Metric,
    ranks: list[int] | None = None,
) -> CandidatePairs:
    assert isinstance(metric, Smatch | CounterMetric)
    graphs = [metric.normalise(exactmatch.loads(text)[0]) for text in texts]
    return CandidatePairs(texts, graphs, ranks or [1] * len(texts), weights, metric, Settings())


@pytest.mark.parametrize("metric", by_day(METRICS_OF_CHOICE), ids=lambda metric: metric.profile)
def test_what_is_out_is_out(metric: exactmatch.Metric) -> None:
    """At any time and in any order of pairs, a graph reported as better is better in the end."""
    rng = random.Random(11)
    for _ in range(30):
        texts = sets_of_texts(metric.name, rng, 4)
        weights = [rng.randint(1, 9) for _ in texts]
        pairs = pairs_of(texts, weights, metric, ranks=[rng.choice([0, 1, 1, 1]) for _ in texts])
        exact = means(fractions(exactmatch.candidates(texts, weights, metric=metric)), weights)
        said = set()
        order = list(permutations(range(4), 2))
        rng.shuffle(order)
        for one, other in order:
            pairs.solve(one, other)
            said |= {(i, k) for i, k in permutations(range(4), 2) if is_better(pairs, i, k)}
        keys = [(-pairs.ranks[i], -exact[i], i) for i in range(4)]
        assert said == {(i, k) for i, k in permutations(range(4), 2) if keys[i] < keys[k]}


def test_a_tie_that_may_come_is_not_decided() -> None:
    pairs = pairs_of(["(a / x)", "(a / y)", "(a / z)"], [1, 1, 1], Smatch.profiles["default"])
    pairs.solve_all()
    pairs.lower, pairs.upper = [0, 4, 0], [4, 4, 0]
    assert not is_decided(pairs)
    pairs.lower, pairs.upper = [4, 0, 0], [4, 4, 0]
    assert is_decided(pairs)


@pytest.mark.slow
def test_what_cannot_be_solved_leaves_the_choice_open() -> None:
    rng = random.Random(3)
    texts = [random_graph(rng, 40)[0] for _ in range(4)]
    metric = Smatch.profiles["default"]
    graphs = [metric.normalise(exactmatch.loads(text)[0]) for text in texts]
    pairs = CandidatePairs(texts, graphs, [1] * 4, [1] * 4, metric, Settings(timeout=0))
    choose(pairs)
    best = best_of(pairs)
    assert not is_decided(pairs)
    assert pairs.lower[best] == max(pairs.lower)
    found = exactmatch.candidates(texts, timeout=0)
    assert not found.is_proven
    assert (found.means_upper >= found.means).all()
    assert (found.upper > found.matched).any()


def test_candidates_have_weights() -> None:
    texts = ["(a / x)", "(a / x :ARG0 (b / y))", "(a / z)"]
    found = exactmatch.candidates(texts, ["0.5", "0", "0.25"])
    f1 = found.f1
    assert found.means == pytest.approx([f1[0, 2], (2 * f1[1, 0] + f1[1, 2]) / 3, f1[2, 0]])
    same = exactmatch.candidates(texts, [2, 0, 1])
    assert np.array_equal(found.means, same.means)


@pytest.mark.parametrize(
    "weights",
    [[1, 1], [1, 1, -1], [1, 0, 0], ["a", 1, 1], [float("nan")] * 3, [1, 1, None], "111",
     ["1e999999999", 1, 1]],
)  # fmt: skip
def test_weights_that_make_no_sense(weights: list[float]) -> None:
    with pytest.raises(UsageError, match="weights"):
        exactmatch.candidates(["(a / x)"] * 3, weights)


def test_ties_are_won_by_the_first() -> None:
    """1/3 + 2/3 and 1/2 + 1/2 are equal, whatever the floating-point numbers are."""
    texts = ["(a / x)", "(a / y)", "(a / z)"]
    found = exactmatch.candidates(texts)
    assert len(set(found.means.tolist())) == 1
    assert found.best == 0
    assert exactmatch.candidates(["(a / x)"]).best == 0


@pytest.mark.parametrize("broken", [BROKEN, "", "no graph", "(a / b)\n\n(c / d)"])
def test_what_cannot_be_read_is_told_and_not_chosen(broken: str) -> None:
    told: list[str] = []
    found = exactmatch.candidates([broken, "(a / x)", "(b / y)"], note=told.append)
    assert found.best == 1
    assert found.f1[0].tolist() == [0.0, 0.0, 0.0] == found.f1[:, 0].tolist()
    assert [*found.errors] == [0]
    assert told == [found.errors[0]]
    with pytest.raises(InputError):
        exactmatch.candidates([broken, "(a / x)"], on_error="stop")


def test_one_that_can_be_read_comes_before_one_that_cannot_whatever_it_scores() -> None:
    metric = Smatch.profiles["paper-2013"]
    found = exactmatch.candidates([BROKEN, "(a / x)", BROKEN], metric=metric)
    assert found.best == 1
    assert exactmatch.candidates([BROKEN, BROKEN]).best == 0


def test_what_may_be_given() -> None:
    import penman

    text = "(a / x :ARG0 (b / y))"
    (graph,) = exactmatch.loads(text)
    given = [text, graph, penman.decode(text), exactmatch.to_networkx(text)]
    assert isinstance(graph, Graph)
    assert exactmatch.candidates(given).f1.tolist() == [[1.0] * 4] * 4
    assert len(exactmatch.candidates(f"{text}\n\n{text}").totals) == 2
    assert len(exactmatch.candidates(INSTANCES / "paper" / "gold.amr").totals) == 1
    with pytest.raises(UsageError, match="the list is empty"):
        exactmatch.candidates([])
    with pytest.raises(UsageError, match="holds no graphs"):
        exactmatch.candidates(3)
    with pytest.raises(InputError, match="clause form"):
        exactmatch.candidates([text, "b1 REF x1"])


def test_metrics_without_a_mapping_are_refused() -> None:
    with pytest.raises(UsageError, match="maps no variables"):
        exactmatch.candidates(["(a / x)"] * 2, metric="sembleu")
    assert "sembleu" in METRICS


def test_candidates_are_found_by_position_and_told_in_words() -> None:
    found = exactmatch.candidates(["(a / x)", "(b / x)"])
    assert repr(found) == "<Candidates 2, best 0 with mean F1 1.0000>"
    for wrong in (-1, 2, "0"):
        with pytest.raises(UsageError, match="no graph is at"):
            found.mapping(0, wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="on_error"):
        exactmatch.candidates(["(a / x)"], on_error="skip")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "metric, choices, f1",
    [
        ("smatch", {"anchors": "tokens"}, [(1, 0.5, 0.5), (0.5, 1, 0.25), (0.5, 0.25, 0.5)]),
        (
            "umatch",
            {"document_level": "ignore"},
            [(1, 2 / 3, 1 / 3), (2 / 3, 1, 1 / 3), (1 / 3, 1 / 3, 1 / 3)],
        ),
    ],
)
def test_graphs_that_differ_in_their_surface_alignment_alone_are_not_equal(
    metric: Any, choices: dict[str, Any], f1: list[tuple[float, ...]]
) -> None:
    """Hand count: the second is aligned the other way, the third with a token that is not there.

    Smatch has four triples with the top. Crosswise, the parent is mapped to the child, and both
    concepts match. The third has one node to map: to the first text's top or the second's child.
    umatch has three triples, without the top. A variable without a token of the sentence is
    mapped to none, not even to itself.
    """
    head = "# :: snt1\nWords: a b\n\n# sentence level graph:\n(s1a / x :ARG0 (s1b / x))\n\n"
    surfaces = ("s1a: 1-1\ns1b: 2-2", "s1a: 2-2\ns1b: 1-1", "s1a: 1-1\ns1b: 9-9")
    texts = [f"{head}# alignment:\n{surface}\n" for surface in surfaces]
    found = exactmatch.candidates(texts, metric=metric, **choices)
    assert found.f1.tolist() == [list(row) for row in f1]
    assert found.is_proven
    for row, system in zip(f1, texts, strict=True):
        scores = [exactmatch.best_mapping(system, t, metric=metric, **choices) for t in texts]
        assert [score.f1 for score in scores] == list(row)


def test_of_unreadable_graphs_nothing_is_proven() -> None:
    found = exactmatch.candidates([BROKEN, BROKEN])
    assert not found.is_proven
    assert repr(found) == (
        "<Candidates 2, best 0 with mean F1 0.0000, 2 of 2 graphs unreadable, not proven>"
    )
    assert "1 of 2 graphs unreadable>" in repr(exactmatch.candidates([BROKEN, "(a / x)"]))
    agreed = exactmatch.consensus([BROKEN, BROKEN])
    assert [*agreed.errors] == [0, 1]
    assert repr(agreed).startswith("<Consensus 0 of 0 triples, 2 of 2 graphs unreadable")
