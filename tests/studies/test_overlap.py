"""Principle VI: the order of two graphs beside a third, and that of their Jaccard indices."""

from fractions import Fraction
from pathlib import Path

import pytest

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.readers.detect import read_text
from exactmatch.graphs.words import SimilarityTable
from exactmatch.metrics.s2match import S2match
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.similarity import Similarity
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.settings import Settings
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.principles.graph_changes import WRONG, concepts_of, disturbed
from exactmatch.studies.principles.overlap import (
    STRENGTHS,
    Jaccard,
    OverlapCollector,
    jaccard,
    rivals,
)

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
EXACT = Judge("smatch", Smatch.profiles["default"], Settings())
SEMBLEU = Judge("sembleu", SemBleu(), Settings())


def graphs(text: str) -> list[Graph]:
    return [graph for graph in read_text(text, "text").graphs if isinstance(graph, Graph)]


def known(*indices: Fraction | int) -> list[Jaccard]:
    return [Jaccard(Fraction(index), True, True) for index in indices]


def test_ties_and_orders_by_hand() -> None:
    """Of 3 + 1 + 1 comparisons, one ties by the metric, two are opposite, and one ties by J."""
    collector = OverlapCollector()
    collector.add("x", [0.5, 0.5, 0.9], known(Fraction(1, 2), Fraction(1, 3), Fraction(1, 4)))
    collector.add("x", [0.5, 0.6], known(1, 1))
    collector.add("x", [0.3 - 0.1, 0.2], known(Fraction(1, 3), Fraction(1, 3)))
    found = collector.finish()
    assert found.comparisons == 5
    assert (found.metric_ties, found.opposite, found.jaccard_ties) == (1 / 5, 2 / 5, 1 / 5)
    assert found.violated == 4 / 5


def test_what_is_not_proven_is_not_compared() -> None:
    collector = OverlapCollector()
    open_index = Jaccard(Fraction(1, 2), False, False)
    collector.add("x", [0.5, 0.6, 0.7], [known(1)[0], open_index, open_index])
    found = collector.finish()
    assert (found.comparisons, found.violated) == (0, None)


def test_the_jaccard_index_is_as_counted_by_hand() -> None:
    """Opitz et al. (2020), Figure 2: of 7 triples a side, ARG1 cannot match: 6 of 8 in all."""
    one, other = graphs(
        "(p / predicate-01 :ARG0 (x1 / man) :ARG1 (x2 / man) :ARG2 x2)\n\n"
        "(p / predicate-01 :ARG0 (x1 / man) :ARG1 x1 :ARG2 (x2 / man))"
    )
    assert jaccard(EXACT, one, other, 0) == (Fraction(6, 8), True, True)


def test_an_exact_f1_agrees_by_construction() -> None:
    """F1 = 2 J / (1 + J) (section 3, VI), so it never contradicts J; SemBleu does."""
    sides = [
        graphs((INSTANCES / "agreement" / name).read_text(encoding="utf-8"))[:8]
        for name in ("b.amr", "consensus.amr")
    ]
    exact, sembleu = OverlapCollector(), OverlapCollector()
    for number, (system, gold) in enumerate(zip(*sides, strict=True)):
        others = rivals(GraphPair(str(number), system, gold))
        indices = [jaccard(EXACT, other, gold, 0) for other in others]
        scores = [EXACT.score(other, gold, 0) for other in others]
        assert scores == pytest.approx([float(2 * j / (1 + j)) for j, _, _ in indices])
        exact.add(str(number), scores, indices)
        sembleu.add(str(number), [SEMBLEU.score(other, gold, 0) for other in others], indices)
    assert exact.finish().comparisons == 8 * 6
    assert (exact.finish().violated, exact.finish().tau) == (0, 1)
    violated = sembleu.finish().violated
    assert violated is not None and violated > 0


def test_tau_is_that_of_scores_and_overlaps() -> None:
    collector = OverlapCollector()
    for score, index in ((0.1, Fraction(1, 9)), (0.2, Fraction(1, 8)), (0.3, Fraction(1, 7))):
        collector.add("x", [score], known(index))
    assert collector.finish().tau == pytest.approx(1)
    collector = OverlapCollector()
    collector.add("x", [0.1], known(1))
    assert collector.finish().tau is None


def test_only_concepts_of_disturbed_graphs_change() -> None:
    """Only concepts change, at most two in each change, and a seed always gives the same change."""
    (graph,) = graphs("(a / p :r (b / q :s (c / t)) :u (d / v) :w (e / y))")
    for seed in map(str, range(20)):
        for strength in STRENGTHS:
            found = disturbed(graph, strength, seed)
            assert found == disturbed(graph, strength, seed)
            assert [t.relation for t in found.triples] == [t.relation for t in graph.triples]
            before, after = concepts_of(graph), concepts_of(found)
            changed = [variable for variable in before if before[variable] != after[variable]]
            assert len(changed) <= 2 * strength
            assert set(after.values()) <= {*before.values(), WRONG}
    assert len({disturbed(graph, 2, str(seed)).triples for seed in range(20)}) > 5
    empty = graph._replace(triples=())
    assert disturbed(empty, 4, "x") == empty


def test_graded_matching_is_an_exception_and_the_symbolic_part_none() -> None:
    """By hand: of two comparisons, graded matching alone reorders one, and symbols tie the other.

    Opitz et al. (2020), section 2.1, VI: graded matching may break the relation to J.
    """
    collector = OverlapCollector(is_graded=True)
    collector.add("graded", [0.8, 0.5], known(Fraction(1, 3), Fraction(1, 3)), [0.5, 0.5])
    collector.add("tied", [0.7, 0.7], known(Fraction(1, 2), Fraction(1, 3)), [0.6, 0.6])
    collector.add("alike", [0.7, 0.6], known(Fraction(1, 2), Fraction(1, 3)), [0.6, 0.5])
    found = collector.finish()
    assert (found.graded, found.violated, found.metric_ties) == (1 / 3, 1 / 3, 1 / 3)
    assert found.disputed == [("graded", 1, 0, 1), ("tied", 1, 1, 0)]
    plain = OverlapCollector()
    plain.add("x", [0.8, 0.5], known(Fraction(1, 3), Fraction(1, 3)))
    assert (plain.finish().graded, plain.finish().violated) == (None, 1)


def test_products_of_duplicates_have_no_jaccard_index() -> None:
    """Three equal attributes make nine matches of three: 11 of 5 and 5, which are no sets."""
    (graph,) = graphs("(a / p :mod 1 :mod 1 :mod 1)")
    products = Judge(
        "smatch", Smatch.profiles["default"].with_choices(duplicates="product"), EXACT.settings
    )
    index = jaccard(products, graph, graph, 0)
    assert index.value > 1
    collector = OverlapCollector()
    collector.add("x", [2.2, 2.2, 0.5], [index, index, *known(Fraction(1, 3))])
    assert collector.finish().comparisons == 0


def test_the_symbolic_part_of_s2match_is_smatch_with_its_choices() -> None:
    """Without a similarity, each concept matches itself alone, and its senses do not."""
    similarity = Similarity(SimilarityTable("x", {("cat", "kitten"): Fraction(3, 5)}))
    graded = S2match.profiles["default"].with_words(similarity=similarity)
    one, other = graphs("(c / cat :mod (r / run-01))\n\n(k / kitten :mod (r / run-02))")
    scores = [
        Judge("x", metric, EXACT.settings).score(one, other, 0)
        for metric in (
            graded,
            graded.symbolic(),
            Smatch.profiles["default"].with_choices(top="concept"),
        )
    ]
    assert scores == pytest.approx([(0.6 + 0.5 + 1) / 4, 1 / 4, 1 / 4])
