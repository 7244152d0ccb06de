"""The pairing of sentences, documents and files of UMR."""

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from umr_samples import FIRST, ONE, SECOND, TWO

import exactmatch
from exactmatch.errors import GraphError, InputError, UsageError
from exactmatch.graphs.coupling import couple_graphs
from exactmatch.graphs.extents import by_extent
from exactmatch.graphs.graph import UMR, Extent, Graph, Variable
from exactmatch.graphs.pairing import Couple, GraphPair, OnError, ReadPair, Skipped, read_pair
from exactmatch.graphs.readers.detect import cut_texts
from exactmatch.graphs.readers.source import text_chunks
from exactmatch.metrics.base import AlignmentFreeMetric, Measurement, Metric, Statistics
from exactmatch.metrics.counts import Counts

#: The second document, whose sentences are numbered on, and so is no document of its own.
ON = ONE.replace("snt1", "snt3").replace("snt2", "snt4")


@dataclass(frozen=True, slots=True)
class Variables(AlignmentFreeMetric):
    """Counts the variables compared at once, and the variables of one name."""

    name: ClassVar[str] = "variables"
    title: ClassVar[str] = "Variables"
    format: ClassVar[str] = UMR

    at_once: Extent = "document"

    @property
    def extent(self) -> Extent:
        return self.at_once

    def measure(self, system: Graph, gold: Graph) -> Measurement:
        assert len(system.sentences) == len(gold.sentences)
        both = len(system.variables.keys() & gold.variables.keys())
        counts = Counts(both, len(system.variables), len(gold.variables))
        return Measurement(Statistics(counts.matched, both, counts.system_total, counts.gold_total))

    def signature(self, search: str = "") -> str:
        return f"{self.name}|extent:{self.at_once}"


Variables.profiles = {"default": Variables(profile="variables.1")}


def couples(system: str, gold: str, extent: Extent = "sentence") -> list[Couple]:
    sides = [[*cut_texts(text_chunks(t), n).texts] for t, n in ((system, "s"), (gold, "g"))]
    left, right = by_extent(sides, extent)
    return [*couple_graphs(left, right, system_name="s", gold_name="g")]


def read(system: str, gold: str, on_error: OnError = "stop") -> ReadPair:
    (couple,) = couples(system, gold, "document")
    return read_pair(couple, on_error)


def names(pair: GraphPair | Skipped) -> list[tuple[str, str]]:
    assert isinstance(pair, GraphPair)
    both = zip(pair.system.sentences, pair.gold.sentences, strict=True)
    return [(one.name, other.name) for one, other in both]


@pytest.mark.parametrize(
    "system, gold, extent, found",
    [
        (ONE, ONE, "sentence", [("snt1", "snt1"), ("snt2", "snt2")]),
        (TWO, TWO, "document", [("d1", "d1"), ("d2", "d2")]),
        (TWO, TWO, "file", [(None, None)]),
        # Tokens tell that these are the same, whatever they are called.
        (
            f"{ONE}\n\n{ON}", TWO, "sentence",
            [("snt1",) * 2, ("snt2",) * 2, ("snt3", "d2.snt1"), ("snt4", "d2.snt2")],
        ),
        # A document ends where both say so.
        (f"{ONE}\n\n{ON}", TWO, "document", [("d1", "d1")]),
        (f"{TWO}\n\n{ONE}", f"{ONE}\n\n{ON}\n\n{ONE}", "document", [("d1", "d1"), ("d2", "d2")]),
        # Of different length, each ends where it says so.
        (f"{FIRST}\n\n{ONE}", TWO, "document", [("d1", "d1"), ("d2", "d2")]),
    ],
)  # fmt: skip
def test_sentences_and_documents_are_coupled(
    system: str, gold: str, extent: Extent, found: list[tuple[str | None, str | None]]
) -> None:
    pairs = couples(system, gold, extent)
    assert [
        (getattr(one.system, "identifier", 0), getattr(one.gold, "identifier", 0)) for one in pairs
    ] == found
    read = [read_pair(one, "stop") for one in pairs]
    if len(system) >= len(gold):
        assert all(not one.errors and isinstance(one.pair, GraphPair) for one in read)


def test_documents_that_one_file_numbers_on() -> None:
    (couple,) = couples(f"{ONE}\n\n{ON}", TWO, "document")
    pair = read_pair(couple, "stop").pair
    assert names(pair) == [("snt1", "snt1"), ("snt2", "snt2"), ("snt3", "snt1"), ("snt4", "snt2")]
    assert isinstance(pair, GraphPair)
    assert [one.document for one in pair.gold.sentences] == [1, 1, 2, 2]
    assert [one.document for one in pair.system.sentences] == [1, 1, 1, 1]
    assert [*pair.gold.variables] == [*pair.system.variables]
    # The variables of another document are none of this one.
    assert pair.gold.sentences[3].document_level[0].source == Variable("s1s#2")


THIRD = SECOND.replace("snt2", "snt3").replace("s2", "s3")
OTHER = SECOND.replace("They flew", "We flew")


@pytest.mark.parametrize(
    "system, gold, errors, skipped, emptied",
    [
        (ONE, ONE, [], [("snt1",) * 2, ("snt2",) * 2], None),
        (
            f"{FIRST}\n\n{THIRD}", ONE,
            ["g:27: graph 2 (id snt2): s has no such sentence",
             "s:27: graph 2 (id snt3): g has no such sentence"],
            [("snt1",) * 2], [("snt1",) * 2, ("snt2",) * 2, ("snt3",) * 2],
        ),
        (
            ONE, FIRST, ["s:27: graph 2 (id snt2): g has no such sentence"],
            [("snt1",) * 2], [("snt1",) * 2, ("snt2",) * 2],
        ),
        (
            f"{FIRST}\n\n{OTHER}", ONE,
            ["s:27: graph 2 (id snt2): token 1 is 'We', but 'They' at g:27"],
            [("snt1",) * 2], [("snt1",) * 2, ("snt2",) * 2],
        ),
        (
            f"{FIRST}\n\n{SECOND.replace(' .', '')}", ONE,
            ["s:27: graph 2 (id snt2): token 3 is missing, but '.' at g:27"],
            [("snt1",) * 2], [("snt1",) * 2, ("snt2",) * 2],
        ),
        (
            ONE, ONE.replace("(s1o / old)", "(s1o)"),
            ["g:11: graph 1 (id snt1): variable s1o has no concept"],
            [("snt2",) * 2], [("snt1",) * 2, ("snt2",) * 2],
        ),
    ],
)  # fmt: skip
def test_sentences_of_a_document(
    system: str,
    gold: str,
    errors: list[str],
    skipped: list[tuple[str, str]],
    emptied: list[tuple[str, str]] | None,
) -> None:
    stopped = read(system, gold)
    assert [str(error).split("\n")[0] for error in stopped.errors] == errors
    assert [note.split("\n")[0] for note in stopped.notes] == errors
    left_out = read(system, gold, "skip")
    assert names(left_out.pair) == skipped
    assert isinstance(left_out.pair, GraphPair)
    assert left_out.pair.noted == bool(errors)
    with_empty = read(system, gold, "empty")
    assert names(with_empty.pair) == (emptied or skipped)
    assert isinstance(with_empty.pair, GraphPair)
    assert with_empty.pair.emptied == bool(errors)


def test_what_stands_for_a_sentence() -> None:
    """Where the tokens differ, the gold sentence stays and the system sentence is empty."""
    pair = read(f"{FIRST}\n\n{OTHER}", ONE, "empty").pair
    assert isinstance(pair, GraphPair)
    assert [*pair.system.variables] == ["s1s", "s1b", "s1o"]
    assert len(pair.gold.variables) == 5
    assert pair.system.sentences[1].tokens == ("They", "flew", ".")
    assert pair.system.sentences[1].document_level == ()
    pair = read(ONE, FIRST, "empty").pair
    assert isinstance(pair, GraphPair)
    assert pair.gold.tops == ("s1s",)


def test_the_document_level_of_what_is_left() -> None:
    pair = read(ONE, SECOND, "skip").pair
    assert names(pair) == [("snt2", "snt2")]
    assert isinstance(pair, GraphPair)
    first, second = pair.system.sentences[0].document_level
    assert (first.source, first.target) == (("s1s",), Variable("s2f"))
    assert not isinstance(first.source, Variable)
    assert second.target == Variable("s2t")
    assert pair.system.sentences[0].document_level == pair.gold.sentences[0].document_level


def test_sentences_that_are_not_the_same_are_told() -> None:
    system, gold = FIRST, FIRST.replace("old birds", "new birds")
    with pytest.raises(InputError, match=r"system:1: graph 1 \(id snt1\): token 2 is 'old', but"):
        exactmatch.score(system, gold)
    score = exactmatch.score(f"{system}\n\n{SECOND}", f"{gold}\n\n{SECOND}", on_error="skip")
    assert (score.pairs, score.skipped, score.system_total) == (1, 1, 5)
    score = exactmatch.score(system, gold, on_error="empty")
    assert (score.system_total, score.gold_total, score.emptied) == (0, 8, 1)
    nameless = [text.replace("Words: ", "X: ") for text in (FIRST, FIRST.replace("snt1", "snt7"))]
    with pytest.raises(InputError, match="snt1, but snt7 at gold:1"):
        exactmatch.score(*nameless)
    assert exactmatch.score(FIRST, FIRST.replace("snt1", "snt7")).f1 == 1


def test_smatch_takes_sentence_graphs() -> None:
    """Only the 7 triples and the top count, without tokens and document level."""
    score = exactmatch.score(
        TWO, TWO.replace("s1", "s5").replace("s2-2", "s2-1"), pair_by="position"
    )
    assert (score.metric.name, score.pairs, score.matched) == ("smatch", 4, 2 * (8 + 5))
    for metric in ("s2match", "sembleu", "rematch"):
        if metric != "s2match":
            assert exactmatch.score(ONE, ONE, metric=metric).value == 1
    with pytest.raises(InputError, match="mrp compares graphs in MRP; these are in UMR"):
        exactmatch.score(ONE, ONE, metric="mrp")


def test_files_of_different_length(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"4 in system, 2 in gold; graph 3 .*--pair-by id"):
        exactmatch.score(TWO, ONE)
    score = exactmatch.score(TWO, ONE, pair_by="id", on_error="skip")
    assert (score.pairs, score.skipped, score.matched) == (2, 2, 13)
    paths = [tmp_path / name for name in ("a.umr", "b.umr", "c.umr")]
    for path, text in zip(paths, (TWO, ONE, FIRST), strict=True):
        path.write_text(text, encoding="utf-8")
    found = exactmatch.agreement([*map(str, paths)], resamples=10)
    assert [*map(len, found.lacking.values())] == [2, 3]
    assert [one.score.pairs for one in found.found.compared.values()] == [2, 1, 1]
    assert "b lacks 2 items; the first is d2.snt1" in found.notes


def test_documents_and_files_are_scored(tmp_path: Path) -> None:
    score = exactmatch.score(TWO, TWO, metric=Variables())
    assert (score.pairs, score.matched, score.gold_total) == (2, 10, 10)
    score = exactmatch.score(TWO, TWO, metric=Variables("custom", "file"), pair_by="id")
    assert (score.pairs, score.matched, score.gold_total) == (1, 10, 10)
    with pytest.raises(InputError, match="gold has no such sentence"):
        exactmatch.score(ONE, FIRST, metric=Variables())
    paths = [str(tmp_path / name) for name in ("a.umr", "b.umr", "gold.umr")]
    for path, text in zip(paths, (f"{ONE}\n\n{FIRST}", TWO, TWO), strict=True):
        Path(path).write_text(text, encoding="utf-8")
    found = exactmatch.compare(paths[:2], paths[2], metric=Variables(), resamples=10)
    (ranking,) = [found.found]
    assert {name: (s.pairs, s.system_total) for name, s in ranking.scores.items()} == {
        "a": (2, 8), "b": (2, 10),
    }  # fmt: skip
    assert [s.gold_total for s in ranking.scores.values()] == [8, 10]
    summary, note = found.notes
    assert note.endswith("graph 4 (id d2.snt2): " + f"{paths[0]} has no such sentence")
    assert summary == "pairs of documents without some of their sentences: 1"
    assert found.shortened == 1


def test_studies_pair_sentences_by_position_if_there_are_as_many(tmp_path: Path) -> None:
    paths = [str(tmp_path / name) for name in ("a.umr", "b.umr", "c.umr")]
    other = TWO.replace("They flew", "We flew", 1)
    for path, text in zip(paths, (f"{ONE}\n\n{ON}", TWO, other), strict=True):
        Path(path).write_text(text, encoding="utf-8")
    for pair_by in (None, "position"):
        found = exactmatch.agreement(paths[:2], resamples=10, pair_by=pair_by)
        assert [one.score.matched for one in found.found.compared.values()] == [2 * 13]
    with pytest.raises(InputError, match=r"b.umr:27: .* token 1 is 'They', but 'We' at .*c.umr:27"):
        exactmatch.agreement(paths[1:], resamples=10)
    found = exactmatch.agreement(paths[1:], resamples=10, on_error="skip")
    assert [one.score.pairs for one in found.found.compared.values()] == [3]
    (note,) = found.notes
    assert "token 1 is 'They', but 'We' at" in note


def test_metrics_that_compare_more_or_less_at_once() -> None:
    metrics: list[str | Metric] = [Variables(), "smatch"]
    with pytest.raises(UsageError, match="variables compares a document as a whole, but smatch a"):
        exactmatch.score(ONE, ONE, metric=metrics)
    amr = "(a / b)"
    assert exactmatch.score(amr, amr, metric=[exactmatch.metric("smatch")] * 2)[0].f1 == 1


def test_errors_know_their_sentence() -> None:
    broken = TWO.replace("(s2t / they)", "(s2t)")
    with pytest.raises(InputError) as caught:
        exactmatch.score(broken, TWO, metric=Variables())
    lines = [line for line in str(caught.value).split("\n") if line.startswith("system")]
    assert lines == [
        "system:35: graph 2 (id snt2): variable s2t has no concept",
        "system:82: graph 4 (id d2.snt2): variable s2t has no concept",
    ]
    assert not isinstance(caught.value, GraphError)
    score = exactmatch.score(broken, TWO, metric=Variables(), on_error="skip")
    assert (score.pairs, score.gold_total, score.noted) == (2, 6, 2)
