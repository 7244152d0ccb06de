"""Principle VII: the cost of a similar concept, on known similarities."""

from fractions import Fraction
from pathlib import Path

import pytest
from samples import only_graph as graph

import exactmatch
from exactmatch.graphs.words import SimilarityTable, Vector, Vectors, Words
from exactmatch.metrics.s2match import S2match
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.similarity import Similarity
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.settings import Settings
from exactmatch.studies.common.judges import Judge
from exactmatch.studies.principles.gradedness import (
    SENSE,
    SYNONYM,
    Gradedness,
    GradednessCollector,
    graded_costs,
    similarity_of,
    substitutions,
)

EXACT = Judge("smatch", Smatch.profiles["default"], Settings())
SEMBLEU = Judge("sembleu", SemBleu(), Settings())
#: Six triples. The bird is the only word with a near-synonym; the root is in neither kind.
TEXT = "(x / x :r (b / bird) :s (s / sing-01))"


@pytest.fixture
def graded(tmp_path: Path) -> Judge:
    file = tmp_path / "similarities"
    file.write_text("bird fowl 0.9\nbird hen 0.7\nsing hum 0.4\n", encoding="utf-8")
    metric = exactmatch.metric("s2match", similarity=file, cut_off="0.5", sense_factor="0.5")
    return Judge("s2match", metric, Settings())


def measured(judge: Judge, graded: Judge) -> dict[str, Gradedness]:
    replacements = substitutions(graph(TEXT), "x", similarity_of([EXACT, graded]))
    collector = GradednessCollector()
    collector.add(graded_costs(judge, graph(TEXT), replacements, 6, 0))
    return dict(collector.finish())


def test_substitutions_are_by_other_senses_and_synonyms(graded: Judge) -> None:
    similarity = similarity_of([EXACT, graded])
    assert substitutions(graph(TEXT), "x", similarity) == [
        (SENSE, "s", "sing-77"),
        (SYNONYM, "b", "fowl"),
    ]
    assert substitutions(graph(TEXT), "x", None) == [(SENSE, "s", "sing-77")]
    assert substitutions(graph("(p / post-09-a)"), "x", similarity) == []
    assert similarity_of([EXACT, SEMBLEU, Judge("s2match", S2match(), Settings())]) is None


def test_a_sense_stays() -> None:
    words = SimilarityTable("", {("sing", "hum"): Fraction(3, 4)})
    similarity = Similarity(words)
    (_, synonym) = substitutions(graph("(s / sing-01)"), "x", similarity)
    assert synonym == (SYNONYM, "s", "hum-01")


def test_costs_of_substitutions_are_those_counted_by_hand(graded: Judge) -> None:
    """Another sense counts half a triple, a fowl 9 tenths of a bird."""
    found = measured(graded, graded)
    assert found[SENSE].similar == pytest.approx(0.5)
    assert found[SENSE].spared == pytest.approx(0.5)
    assert found[SYNONYM].similar == pytest.approx(0.1)
    assert found[SYNONYM].spared == pytest.approx(0.9)
    assert [kind.unrelated for kind in found.values()] == pytest.approx([1, 1])
    assert [kind.graphs for kind in found.values()] == [1, 1]


@pytest.mark.parametrize("judge", [EXACT, SEMBLEU])
def test_metrics_that_do_not_tell(judge: Judge, graded: Judge) -> None:
    found = measured(judge, graded)
    assert [kind.spared for kind in found.values()] == [0, 0]
    assert all(kind.similar == kind.unrelated > 0 for kind in found.values())


def vectors(**components: list[int]) -> Vectors:
    digest = repr(components)  # vectors of one digest are taken for the same
    return Vectors(digest, {word: Vector(row) for word, row in components.items()})


NEAR = vectors(bird=[3, 4], hen=[4, 3], fowl=[8, 6], cat=[-3, -4], none=[0, 0], tree=[0, 1])
TABLE = SimilarityTable(
    "", {("bird", "hen"): Fraction(24, 25), ("fowl", "bird"): Fraction(24, 25),
         ("tree", "bird"): Fraction(4, 5)}
)  # fmt: skip


@pytest.mark.parametrize("words", [NEAR, TABLE], ids=["vectors", "table"])
def test_nearest_words_by_hand(words: Words) -> None:
    """The cosine of bird and fowl, or hen, is 24 / 25, that of bird and tree 4 / 5."""
    assert words.nearest("bird", Fraction(1, 2)) == "fowl"
    assert words.nearest("bird", Fraction(24, 25)) is None
    assert words.nearest("tree", Fraction(1, 2)) == "bird"
    assert words.nearest("none", Fraction(0)) is None
    assert words.nearest("unknown", Fraction(0)) is None


def test_a_word_alone_has_no_neighbour() -> None:
    assert vectors(bird=[1, 0]).nearest("bird", Fraction(0)) is None
