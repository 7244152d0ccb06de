"""Two documents of AMR that cannot be compared, and options of documents in other formats."""

import re
from pathlib import Path
from typing import Any

import pytest

import exactmatch
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.comparison import compare

#: A sentence of UMR whose document level speaks of constants alone.
SENTENCE = """# :: snt{0}
Words: tom sees

# sentence level graph:
(s{0}a / see-01
    :ARG0 (s{0}t / person))

# alignment:
s{0}a: 2-2
s{0}t: 1-1

# document level annotation:
(s{0}s0 / sentence
    :temporal ((document-creation-time :before s{0}a)))
"""

ALIGNED = ("aligned", "aligned-by-order", "aligned-docsmatch")


def document(*numbers: int) -> str:
    sentences = " ".join(f":snt{number} (s{number} / concept-{number})" for number in numbers)
    return f"(d / document {sentences})"


@pytest.mark.parametrize(
    "system, gold, said",
    [
        ((1, 2, 3), (1, 2, 3, 4), "has :snt1 to :snt3, {} has :snt1 to :snt4"),
        ((1, 3), (1, 2), "has :snt1, :snt3, {} has :snt1 to :snt2"),
        ((1,), (), "has :snt1, {} has no :snt"),
    ],
)
@pytest.mark.parametrize("rule", ["aligned", "aligned-docsmatch"])
def test_numbers_have_to_agree(
    system: tuple[int, ...], gold: tuple[int, ...], said: str, rule: Any, tmp_path: Path
) -> None:
    paths = [tmp_path / "a.amr", tmp_path / "b.amr"]
    for path, numbers in zip(paths, (system, gold), strict=True):
        path.write_text(f"(x / y)\n\n{document(*numbers)}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        exactmatch.score(*paths, sentences=rule)
    expected = f"{paths[0]}:3 {said.format(f'{paths[1]}:3')}; the numbers have to agree"
    assert str(caught.value).startswith(expected)
    assert "--sentences aligned-by-order" in str(caught.value)
    by_order = exactmatch.score(*paths, sentences="aligned-by-order")
    assert by_order.optimal == 2


def test_by_order_the_rest_is_left_over() -> None:
    # The root and its concept, and concepts and edge of what is called the same; then by order.
    found = exactmatch.score(document(2, 4), document(2, 4, 6), sentences="aligned-by-order")
    assert (found.matched, found.system_total, found.gold_total) == (6, 6, 8)
    others = document(1, 2).replace("concept-1", "concept-2").replace("concept-2", "concept-4", 2)
    moved = exactmatch.score(document(2, 4), others, sentences="aligned-by-order")
    assert moved.matched == 3  # the edges say snt2 and snt4, and snt1 and snt2


def test_what_is_no_document_is_the_first_sentence_by_order() -> None:
    system, gold = (
        "(a / b :ARG0 (c / d))",
        "(e / document :snt1 (f / b :ARG0 (g / d)) :snt2 (h / b))",
    )
    best = exactmatch.best_mapping(system, gold, sentences="aligned-by-order")
    assert dict(best.mapping) == {"a": "f", "c": "g"}


def test_sentences_of_a_corpus_may_be_several() -> None:
    # An AMR of several sentences in a corpus of sentences is a document, whatever its root.
    system = "(m / multi-sentence :snt1 (a / x) :snt2 (b / y))"
    gold = "(m / multi-sentence :snt1 (a / y) :snt2 (b / x))"
    assert exactmatch.score(system, gold, sentences="aligned").matched == 4
    assert exactmatch.score(system, gold).matched == 4  # without the sentences, not the edges
    graphs = ["(c / cat)", system]
    assert exactmatch.score(graphs, graphs, sentences="aligned").f1 == 1


def test_a_missing_graph_is_compared_with_any_document() -> None:
    empty = exactmatch.loads("(a / b)")[0]._replace(variables={}, triples=(), tops=())
    score = exactmatch.score([empty], [exactmatch.loads(document(1, 2))[0]], sentences="aligned")
    assert (score.matched, score.gold_total) == (0, 6)


def test_umr_is_aligned_by_its_own_sentences() -> None:
    text = SENTENCE.format(1) + "\n" + SENTENCE.format(2)
    plain = Smatch()
    for metric in (
        plain,
        plain.with_choices(document_level="count"),
        plain.with_choices(anchors="tokens"),
    ):
        free = exactmatch.score(text, text, metric=metric)
        aligned = exactmatch.score(text, text, metric=metric, sentences="aligned")
        assert (free.matched, free.gold_total) == (aligned.matched, aligned.gold_total)
        for rule in ("aligned-by-order", "aligned-docsmatch"):
            with pytest.raises(UsageError, match="sentences of UMR are paired when the files are"):
                exactmatch.score(text, text, metric=metric, sentences=rule)


def test_texts_of_sbn_are_no_documents() -> None:
    text = 'male.n.02 Name "Tom" sleep.v.01 Agent -1\n'
    rule: Any
    for rule in ALIGNED:
        with pytest.raises(UsageError, match="needs documents; use free for SBN"):
            exactmatch.score(text, text, sentences=rule)
        with pytest.raises(UsageError, match="needs documents; use free for SBN"):
            exactmatch.matrix(text, sentences=rule)


@pytest.mark.parametrize("choices", [{"anchors": "tokens"}, {"document_level": "count"}])
def test_what_is_for_umr_is_no_help_in_amr(choices: dict[str, str]) -> None:
    with pytest.raises(InputError, match="this graph is not in UMR"):
        metric = Smatch().with_choices(sentences="aligned", **choices)
        exactmatch.score(document(1), document(1), metric=metric)


NO_MERGE = """(d / document
  :snt1 (a / meet-02 :ARG0 (p / person :name (n / name :op1 "Ada")) :ARG1 (m / man))
  :snt2 (b / see-01
    :ARG0 (q / person :name (o / name :op1 "Ada") :coref-of (c / coref-entity :coref p))
    :ARG1 (h / he :coref-of (e / coref-entity :coref m))))"""
DOCAMR = """(d / document
  :snt1 (a / meet-02 :ARG0 (p / person :name (n / name :op1 "Ada")) :ARG1 (m / man))
  :snt2 (b / see-01 :ARG0 p :ARG1 m))"""


@pytest.mark.parametrize("rule", ALIGNED)
def test_other_ways_to_write_chains_are_refused(rule: Any) -> None:
    said = (
        "system:1 has chains of several mentions and chains of several named mentions and chains "
        "with pronouns (no-merge), gold:1 has names that sentences share and nodes without names "
        "that sentences share (docAMR or merge-all): coreference is written in different ways"
    )
    with pytest.raises(InputError, match=re.escape(said)):
        exactmatch.score(NO_MERGE, DOCAMR, sentences=rule)
    assert exactmatch.score(NO_MERGE, DOCAMR).optimal == 1
    plain = document(1, 2)
    for text in (NO_MERGE, DOCAMR):
        assert exactmatch.score(plain, text, sentences=rule).optimal == 1


def test_functions_that_take_two_graphs_refuse_metrics_of_documents() -> None:
    metric = Smatch().with_choices(sentences="aligned")
    left, right = (exactmatch.loads(text)[0] for text in (NO_MERGE, DOCAMR))
    with pytest.raises(InputError, match="coreference"):
        exactmatch.joint_graph(left, right, {}, metric=metric)
    with pytest.raises(InputError, match="coreference"):
        compare(GraphPair("1", left, right), metric)
    assert exactmatch.reward(left, right, metric=metric) == 0  # as for what cannot be read
