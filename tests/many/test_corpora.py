"""Matrices and neighbours against pairs that are scored one by one."""

import csv
import json
import math
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nightly import by_day
from samples import random_graph

import exactmatch
from exactmatch.certificate.cover_check import CoverCheck
from exactmatch.cli import main
from exactmatch.errors import InputError, UsageError, VerificationError
from exactmatch.graphs.graph import Graph
from exactmatch.many import corpora
from exactmatch.many.pairwise import (
    COVER,
    DUAL,
    PROOF,
    Corpus,
    Limits,
    Pairwise,
    f1_of,
    least_matched,
)
from exactmatch.many.report import write_table
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import alignment_based
from exactmatch.scoring.comparison import compare_triples
from exactmatch.scoring.settings import Settings

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
A, B = (INSTANCES / "agreement" / f"{name}.amr" for name in "ab")


def metric(name: Any, **choices: Any) -> AlignmentMetric:
    return alignment_based(exactmatch.metric(name, **choices))


METRICS = {
    "smatch": (metric("smatch"), A),
    "smatch-1.0.4": (alignment_based(exactmatch.metric("smatch", profile="smatch-1.0.4")), A),
    "s2match": (
        alignment_based(exactmatch.metric("s2match", vectors=INSTANCES / "vectors" / "words.txt")),
        A,
    ),
    "counter": (metric("counter"), INSTANCES / "drs" / "gold.clf"),
    "mrp": (metric("mrp"), INSTANCES / "mrp" / "gold.mrp"),
}


def random_texts(number: int, seed: int = 1) -> list[str]:
    rng = random.Random(seed)
    return [random_graph(rng, rng.randint(1, 6))[0] for _ in range(number)]


def one_by_one(
    system: list[Graph], gold: list[Graph], counted: exactmatch.Metric
) -> list[list[exactmatch.PairScore]]:
    ours, theirs = ([graph._replace(identifier=None) for graph in side] for side in (system, gold))
    return [[exactmatch.best_mapping(s, g, metric=counted) for g in theirs] for s in ours]


@pytest.mark.slow
@pytest.mark.parametrize("name", by_day(METRICS, 3))
def test_matrix_is_that_of_pairs(name: str) -> None:
    counted, path = METRICS[name]
    graphs = exactmatch.load(path)[:7]
    found = exactmatch.matrix(graphs, metric=counted)
    expected = one_by_one(graphs, graphs, counted)
    assert found.dense("matched").tolist() == [[one.matched for one in row] for row in expected]
    assert found.dense().tolist() == [[one.f1 for one in row] for row in expected]
    assert found.open == 0
    assert found.pairs == sum(found.stages.values()) == len(found.row)


@pytest.mark.slow
def test_a_matrix_of_two_files_has_all_pairs() -> None:
    few = exactmatch.load(A)[:3]
    found = exactmatch.matrix(few, B)
    expected = one_by_one(few, exactmatch.load(B), metric("smatch"))
    assert not found.is_symmetric
    matched = [[one.matched for one in row] for row in expected]
    assert found.dense("matched").tolist() == matched
    assert found.gold_ids == [graph.identifier for graph in exactmatch.load(B)]


@pytest.mark.parametrize("name", by_day(METRICS, 2))
def test_at_least_leaves_out_what_is_below(name: str) -> None:
    counted, path = METRICS[name]
    graphs = exactmatch.load(path)[:6]
    whole = exactmatch.matrix(graphs, metric=counted)
    for f1 in (0.1, 0.25, 1.0, *whole.f1[:2]):
        found = exactmatch.matrix(graphs, metric=counted, at_least=f1)
        kept = whole.f1 >= f1
        for column in ("row", "column", "matched", "upper", "f1"):
            assert (getattr(found, column) == getattr(whole, column)[kept]).all()
        assert found.pairs == whole.pairs
        assert sum(found.stages[stage] for stage in (COVER, PROOF)) >= kept.sum()


def test_limits_hold() -> None:
    for counted, path in METRICS.values():
        graphs = [counted.normalise(graph) for graph in exactmatch.load(path)[:6]]
        corpus = Corpus([str(k) for k in range(len(graphs))], graphs)
        together = Pairwise(corpus, corpus, counted, Settings())
        limits = Limits(together)
        for i in range(len(graphs)):
            for j in range(len(graphs)):
                matched = together.score(i, j).matched
                f1 = 2 * matched / max(1, limits.both_totals(i)[j])
                assert f1 <= limits.by_labels(i)[j]
                assert f1 <= limits.by_totals(i)[j]


def test_least_matched_undoes_the_score() -> None:
    for totals in range(1, 60):
        for matched in range(totals // 2 + 1):
            assert least_matched(2 * matched / totals, totals) == matched
    assert least_matched(0.0, 0) == 0
    assert least_matched(0.1, 0) == 1


def test_no_pair_that_reaches_an_f1_is_ruled_out_by_rounding() -> None:
    """A pair stays if its true F1, a fraction, reaches the given decimal; some totals are large."""
    rng = random.Random("at least")
    for _ in range(20_000):
        totals = rng.randint(1, rng.choice([9, 999, 2**30, 2**51]))
        matched = rng.randint(0, totals // 2)
        digits = rng.choice([1, 3, 16, 17, 25])
        written = Fraction(2 * matched * 10**digits // totals, 10**digits)
        found = least_matched(float(written), totals)
        assert found <= matched
        assert 2 * found / totals >= float(written)
        assert found == 0 or 2 * (found - 1) / totals < float(written)
        assert f1_of(np.array([matched]), np.array([totals]))[0] >= float(written)


@pytest.mark.parametrize("top", [1, *(pytest.param(k, marks=pytest.mark.slow) for k in (3, 50))])
def test_nearest_are_the_nearest(top: int) -> None:
    texts = random_texts(40)
    whole = exactmatch.matrix(texts).dense()
    found = exactmatch.nearest(texts, texts, top=top)
    for i, neighbourhood in enumerate(found.found):
        ranked = sorted(range(40), key=lambda j: (-whole[i, j], j))[:top]
        assert [one.position for one in neighbourhood.neighbours] == ranked
        assert [one.f1 for one in neighbourhood.neighbours] == [whole[i, j] for j in ranked]
        assert neighbourhood.is_proven
        assert sum(neighbourhood.stages.values()) == 40


def test_nearest_are_sought_in_the_corpus_not_among_queries(tmp_path: Path) -> None:
    queries, corpus = tmp_path / "queries.amr", tmp_path / "corpus.amr"
    queries.write_text("(a / b)\n", encoding="utf-8")
    corpus.write_text("(c / d)\n\n(a / b)\n", encoding="utf-8")
    found = exactmatch.nearest(queries, corpus, top=1)
    assert [one.neighbours[0].position for one in found.found] == [1]
    assert found.pairs == 2


def test_a_graph_may_be_left_out_of_its_own_nearest() -> None:
    graphs = exactmatch.load(A)[:6]
    found = exactmatch.nearest(graphs, graphs, top=2, exclude_self=True)
    whole = exactmatch.matrix(graphs).dense()
    np.fill_diagonal(whole, -1)
    for i, neighbourhood in enumerate(found.found):
        ranked = sorted(range(len(whole)), key=lambda j: (-whole[i, j], j))[:2]
        assert [one.position for one in neighbourhood.neighbours] == ranked
        assert sum(neighbourhood.stages.values()) == len(whole) - 1
    with pytest.raises(UsageError, match="are not the same graphs"):
        exactmatch.nearest("(a / b)", ["(a / b)", "(c / d)"], exclude_self=True)


def test_no_stage_has_less_than_none() -> None:
    graphs = exactmatch.load(A)[:6]
    found = exactmatch.nearest(graphs, graphs, top=6, exclude_self=True)
    assert found.stages["totals"] == found.stages["labels"] == 0
    assert [len(one.neighbours) for one in found.found] == [5] * 6


@pytest.mark.slow
def test_bounds_save_work() -> None:
    texts = random_texts(60, seed=3)
    found = exactmatch.nearest(texts, texts, top=2)
    assert sum(found.stages[stage] for stage in (COVER, PROOF, DUAL)) < found.pairs / 2


@pytest.mark.slow
def test_workers_change_nothing() -> None:
    texts = random_texts(70)
    for call in (exactmatch.matrix, lambda t, **o: exactmatch.nearest(t, t, **o)):
        alone, together = (call(texts, workers=n) for n in (1, 2))
        assert alone.columns() == together.columns()
        assert alone.stages == together.stages


def test_mappings_are_those_that_count() -> None:
    counted = metric("smatch")
    graphs = [counted.normalise(graph) for graph in exactmatch.load(A)]
    corpus = Corpus([str(k) for k in range(len(graphs))], graphs)
    together = Pairwise(corpus, corpus, counted, Settings())
    for i, j in ((0, 1), (2, 5), (3, 3)):
        mapping = together.mapping(i, j)
        compared = compare_triples(graphs[i], graphs[j], counted)
        assert compared.count_matched(mapping) == together.score(i, j).matched


def test_a_wrong_cover_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Optimist:
        def __init__(self, *given: Any) -> None:
            self._check = CoverCheck(*given)
            self.bound = self._check.bound

        def matched(self, i: int, j: int) -> int:
            return int(self._check.matched(i, j)) + 1

    monkeypatch.setattr("exactmatch.many.pairwise.CoverCheck", Optimist)
    with pytest.raises(VerificationError, match="a and b: a cover proves at most 2, but a mapping"):
        counted = metric("smatch")
        graph = counted.normalise(exactmatch.loads("(x / y)")[0])
        corpus = Corpus(["a"], [graph]), Corpus(["b"], [graph])
        Pairwise(*corpus, counted, Settings()).score(0, 0)


def test_empty_graphs_and_unreadable_ones() -> None:
    texts = ["(a / b)", "(a / ", "(c / b)"]
    with pytest.raises(InputError, match=r"graphs\[1\]"):
        exactmatch.matrix(texts)
    skipping = exactmatch.matrix(texts, on_error="skip")
    assert skipping.skipped == 1
    assert skipping.dense().tolist() == [[1, 1], [1, 1]]
    empty = exactmatch.matrix(texts, on_error="empty")
    assert empty.skipped == 0
    assert empty.dense().tolist() == [[1, 0, 1], [0, 0, 0], [1, 0, 1]]
    with pytest.raises(InputError, match="holds no readable graph"):
        exactmatch.matrix(["(a / "], on_error="skip")


def test_a_matrix_cannot_be_asked_for_wrongly() -> None:
    with pytest.raises(UsageError, match="maps no variables"):
        exactmatch.matrix(A, metric="sembleu")
    with pytest.raises(UsageError, match="at_least is 2"):
        exactmatch.matrix(A, at_least=2)
    with pytest.raises(UsageError, match="at_least is 'a'"):
        exactmatch.matrix(A, at_least="a")  # type: ignore[arg-type]
    for wrong in (math.inf, math.nan, -0.5):
        with pytest.raises(UsageError, match="give a number from 0 on"):
            exactmatch.matrix(A, at_least=wrong, duplicates="product")
    with pytest.raises(UsageError, match="top is 0"):
        exactmatch.nearest(A, A, top=0)
    with pytest.raises(UsageError, match="only the pairs that reach"):
        exactmatch.matrix("(a / b)", at_least=0.5).dense()
    with pytest.raises(UsageError, match="no figure is called 'f2'"):
        exactmatch.matrix("(a / b)").dense("f2")
    with pytest.raises(InputError, match="but"):
        exactmatch.matrix(A, INSTANCES / "drs" / "gold.clf")


def test_memory_for_a_matrix(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the 576 cells takes 64 bytes."""
    monkeypatch.setattr("exactmatch.many.corpora.free_memory", lambda: 576 * 64 - 1)
    with pytest.raises(UsageError, match=r"576 cells .* ask for the pairs that reach an F1"):
        exactmatch.matrix(A)
    assert exactmatch.matrix(A, at_least=0.9).pairs == 300
    with pytest.raises(UsageError, match="a matrix of 100,000,000 cells would take 5 GiB"):
        corpora._check_room(10**8)
    corpora._check_room(575)


def test_a_message_about_a_dead_worker_names_sixteen_graphs() -> None:
    names = [f"g{k}" for k in range(20)]
    named = ", ".join(names[2:18])
    assert corpora._called(range(2, 20), "graphs", names) == f"graphs {named} (and 2 more)"
    assert corpora._called(range(2, 18), "graphs", names) == f"graphs {named}"


def test_graphs_without_any_triples_have_a_matrix() -> None:
    found = exactmatch.matrix(["(a / ", "(b / "], on_error="empty", at_least=0)
    assert found.matched.tolist() == [0, 0, 0] and found.open == 0


def run(*words: object) -> tuple[int, str, str]:
    from click.testing import CliRunner

    result = CliRunner().invoke(main, [str(word) for word in words])
    return result.exit_code, result.stdout, result.stderr


def first(number: int, path: Path, folder: Path) -> Path:
    """Write the first graphs of a file to a file of the same name in *folder*."""
    graphs = path.read_text(encoding="utf-8").split("\n\n")[:number]
    (folder / path.name).write_text("\n\n".join(graphs) + "\n", encoding="utf-8")
    return folder / path.name


@pytest.mark.slow
def test_a_matrix_is_written_to_files(tmp_path: Path) -> None:
    import pandas

    graphs = first(8, A, tmp_path)
    expected = exactmatch.matrix(graphs)
    table = expected.to_frame()
    assert len(table) == 8 * 7 / 2
    for ending in ("csv", "parquet", "npz"):
        path = tmp_path / f"x.{ending}"
        status, out, _ = run("matrix", graphs, "-o", path, "--format", "json")
        assert status == 0
        assert json.loads(out)["cells"] == 36
    pandas.testing.assert_frame_equal(pandas.read_csv(tmp_path / "x.csv"), table)
    pandas.testing.assert_frame_equal(pandas.read_parquet(tmp_path / "x.parquet"), table)
    arrays: dict[str, Any] = dict(np.load(tmp_path / "x.npz"))
    assert (arrays["f1"] == expected.dense()).all()
    assert arrays["gold_ids"].tolist() == list(expected.gold_ids)
    assert arrays["signature"].item() == expected.signature
    run("matrix", graphs, "-o", tmp_path / "y.npz", "--at-least", "0.3")
    some = dict(np.load(tmp_path / "y.npz"))
    assert (some["f1"] >= 0.3).all() and 8 < len(some["f1"]) < 36
    assert some["row"].shape == some["f1"].shape


def test_names_with_line_ends(tmp_path: Path) -> None:
    names = ["a,b", "c\rd", "e\nf", '"g"']
    graphs = [
        graph._replace(identifier=name)
        for graph, name in zip(exactmatch.load(A), names, strict=False)
    ]
    found = exactmatch.matrix(graphs)
    write_table(found, tmp_path / "x.csv")
    with (tmp_path / "x.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["system"] for row in rows] == found.columns()["system"]


def test_table_and_summary_go_apart(tmp_path: Path) -> None:
    files = [first(6, path, tmp_path) for path in (A, B)]
    status, out, err = run("matrix", *files, "--at-least", "0.9")
    assert status == 0
    assert out.startswith("system,gold,row,column,matched,upper,")
    assert "6 x 6 graphs" in err
    assert "36 pairs, of these" in err
    status, out, err = run("nearest", *files, "--top", "2", "--profile", "smatch-1.0.4")
    assert status == 0
    assert len(out.splitlines()) == 1 + 12
    assert "profile:smatch-1.0.4.3" in err


def test_commands_about_corpora_refuse_what_will_not_do(tmp_path: Path) -> None:
    status, _, err = run("matrix", A, "-o", tmp_path / "x.xlsx")
    assert status == 2
    assert "expected a name that ends in .npz, .csv, .parquet" in err
    status, _, err = run("nearest", A, B, "-o", tmp_path / "x.npz")
    assert status == 2
    status, _, err = run("matrix", A, "-o", A)
    assert status == 2
    assert "would be overwritten" in err
    bad = tmp_path / "bad.amr"
    bad.write_text("(a / b)\n\n(c / \n", encoding="utf-8")
    status, out, err = run("matrix", bad)
    assert status == 1
    assert not out
    assert "bad.amr:3" in err
    status, out, err = run("matrix", bad, "--on-error", "skip")
    assert status == 1
    assert "graphs skipped: 1" in err


def test_products_of_duplicates_may_have_to_reach_more_than_1() -> None:
    """Three equal attributes make nine matches: F1 is 11 of 5; two make four: 6 of 4."""
    graphs = ["(a / p :mod 1 :mod 1 :mod 1)", "(a / p :mod 1 :mod 1)"]
    found = exactmatch.matrix(graphs, graphs, duplicates="product", at_least=2.0)
    assert [*zip(found.row, found.column, found.matched, strict=True)] == [(0, 0, 11)]
    found = exactmatch.matrix(graphs, graphs, duplicates="product", at_least=1.5)
    assert [*zip(found.row, found.column, found.matched, strict=True)] == [
        (0, 0, 11),
        (0, 1, 8),
        (1, 0, 8),
        (1, 1, 6),
    ]
    with pytest.raises(UsageError, match=r"at_least is 1.5; give a number from 0 to 1"):
        exactmatch.matrix(graphs, at_least=1.5)
