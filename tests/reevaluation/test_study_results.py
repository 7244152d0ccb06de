"""The results of studies: exact scores with certificates, comparisons, ranks, tables."""

import json
from pathlib import Path

import bamboo
import figures
import neural_drs
import numpy as np
import pytest
from correlations import mean, pearson, pearson_difference, spearman
from program_counts import Claim, Comparison, compared
from rank_changes import rank_changes, ranks
from rescoring import PairRow, Rescored, Workshop, certificates_digest, load
from result_tables import Table, write_tables
from same_results import differences
from verify_runs import verified

import exactmatch
from exactmatch.report.document import Chart

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
AGREEMENT, PAPER = INSTANCES / "agreement", INSTANCES / "paper"


def rescored(*counts: tuple[int, int], total: int = 20) -> Rescored:
    """Return a run of pairs that match so much, and at most so much, of two graphs of *total*."""
    rows = [PairRow(found, most, total, total, found, 5, True, 0.0) for found, most in counts]
    return Rescored(
        name="made",
        system="",
        gold="",
        inputs=("", ""),
        signature="",
        words={},
        certificates="",
        emptied=0,
        rows=rows,
    )


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """A workshop with a run of two annotators."""
    made = Workshop(folder=tmp_path_factory.mktemp("study"))
    made.rescore("a-b", AGREEMENT / "a.amr", AGREEMENT / "b.amr", exactmatch.metric("smatch"))
    return made


def test_a_run_has_the_exact_score_of_all_pairs_with_proofs(workshop: Workshop) -> None:
    run = load(workshop.folder / "runs" / "a-b.json")
    known = exactmatch.score(AGREEMENT / "a.amr", AGREEMENT / "b.amr")
    assert run.f1 == known.f1
    assert (run.proven, run.certified, len(run.rows)) == (24, 24, 24)
    assert run.lost > 0
    assert all(row.climbed <= row.matched and row.variables >= 5 for row in run.rows)


def test_certificates_of_a_run_are_verified(workshop: Workshop) -> None:
    found = verified(workshop.folder / "runs" / "a-b.json")
    assert (found.verified, found.refuted) == (24, 0)


def test_certificates_that_have_changed_are_not_verified(
    workshop: Workshop, tmp_path: Path
) -> None:
    runs = workshop.folder / "runs"
    kept = tmp_path / "a-b.json"
    kept.write_text((runs / "a-b.json").read_text("utf-8"), "utf-8")
    proofs = (runs / "a-b.certificates.jsonl").read_text("utf-8")
    (tmp_path / "a-b.certificates.jsonl").write_text(proofs + "\n", "utf-8")
    with pytest.raises(SystemExit, match="has changed"):
        verified(kept)


def test_a_run_is_done_again_only_if_its_files_or_its_metric_change(workshop: Workshop) -> None:
    metric = exactmatch.metric("smatch")
    a, b = PAPER / "system.amr", PAPER / "gold.amr"
    kept = workshop.folder / "runs" / "twice.json"
    first = workshop.rescore("twice", a, b, metric)
    written = kept.stat().st_mtime_ns
    assert workshop.rescore("twice", a, b, metric) == first
    assert kept.stat().st_mtime_ns == written
    assert workshop.rescore("twice", b, a, metric).inputs == first.inputs[::-1]
    assert workshop.rescore("twice", b, a, metric.with_choices(top="none")) != first
    assert load(kept).signature == metric.with_choices(top="none").signature()


def test_the_digest_of_several_files_of_certificates_does_not_depend_on_their_order() -> None:
    one, other = rescored((1, 1)), rescored((2, 2))
    one, other = (Rescored(**{**run.__dict__, "certificates": digest})
                  for run, digest in ((one, "a"), (other, "b")))  # fmt: skip
    assert certificates_digest([one, other]) == certificates_digest([other, one])
    assert certificates_digest([one, other]) != certificates_digest([one, one])


def test_claims_are_held_against_exact_counts() -> None:
    rows = rescored((10, 10), (10, 12), (10, 10), (10, 10), (10, 10)).rows
    claims = [Claim(9, 20, 20), Claim(12, 20, 20), Claim(11, 20, 20), Claim(1, 19, 20), None]
    assert compared(claims, rows) == Comparison(
        pairs=5, failed=1, other_totals=1, impossible=1, same=1, below=1, lost=1
    )


def test_claims_in_triples_are_held_against_counts_in_parts_of_them() -> None:
    rows = rescored((10_000, 10_000), (10_000, 10_000), total=20_000).rows
    found = compared([Claim(10, 20, 20), Claim(8, 20, 20)], rows, scale=1000)
    assert (found.same, found.below, found.lost) == (1, 1, 2)


def test_equal_scores_have_the_same_rank() -> None:
    assert ranks({"a": 0.5, "b": 0.7, "c": 0.5, "d": 0.1}) == {"b": 1, "a": 2, "c": 2, "d": 4}


def test_a_change_of_ranks_by_chance_is_not_significant() -> None:
    other = rescored(*[(12, 12), (10, 10)] * 10, (11, 11))
    one = rescored(*[(10, 10), (12, 12)] * 10, (10, 10))
    (change,) = rank_changes({"one": 0.6, "other": 0.5}, {"one": one, "other": other}, 999)
    assert (change.better, change.other) == ("one", "other")
    assert change.exact < 0 < change.published
    assert not change.significant


def test_a_change_of_ranks_on_every_item_is_significant() -> None:
    one, other = rescored(*[(10, 10)] * 40), rescored(*[(12, 12)] * 40)
    (change,) = rank_changes({"one": 0.6, "other": 0.5}, {"one": one, "other": other}, 999)
    assert change.significant


def test_p_values_of_rank_changes_are_adjusted_for_all_pairs_of_systems() -> None:
    one, other = rescored(*[(10, 10)] * 8), rescored(*[(12, 12)] * 8)
    both = {"one": one, "other": other}
    (alone,) = rank_changes({"one": 0.6, "other": 0.5}, both, 999)
    many = both | {f"more{k}": other for k in range(4)}
    published = {"one": 0.6, "other": 0.5, **{f"more{k}": 0.4 for k in range(4)}}
    changes = rank_changes(published, many, 999)
    assert all(change.p > alone.p for change in changes)


def test_the_same_order_and_ties_are_no_change_of_ranks() -> None:
    one, other = rescored((10, 10)), rescored((12, 12))
    assert rank_changes({"one": 0.5, "other": 0.6}, {"one": one, "other": other}, 99) == []
    assert rank_changes({"one": 0.5, "other": 0.5}, {"one": one, "other": other}, 99) == []


def test_correlations_have_intervals() -> None:
    rng = np.random.default_rng(1)
    ratings = rng.random(60)
    scores = ratings + rng.random(60)
    found = pearson(ratings, scores)
    assert found.value == pytest.approx(np.corrcoef(ratings, scores)[0, 1])
    assert found.low < found.value < found.high
    assert pearson(ratings, scores) == found
    assert pearson_difference(ratings, scores, scores) == (0, 0, 0)
    assert spearman(ratings, ratings**3) == pytest.approx(1)
    tied, plain = np.array([1.0, 1.0, 2.0, 3.0]), np.array([4.0, 3.0, 2.0, 1.0])
    assert spearman(tied, plain) == pytest.approx(-0.9486832980505138)  # 3 / sqrt(10), by hand
    assert mean(np.ones(9)) == (1, 1, 1)


def test_role_confusion_counts_pairs_in_the_right_order_and_no_ties() -> None:
    scores = np.array([0.1, 0.2, 0.2, 0.1, 0.3, 0.3])
    assert bamboo.ordered_rightly(scores).tolist() == [1, 0, 0]


def test_tables_are_written_as_json_csv_and_markdown(tmp_path: Path) -> None:
    table = Table("few", "Few rows", ["name", "pairs", "seconds"], [["a", 1200, 0.25]], "A note.")
    write_tables(tmp_path, "made", [table])
    assert json.loads((tmp_path / "made.json").read_text()) == {
        "few": [{"name": "a", "pairs": 1200, "seconds": 0.25}]
    }
    assert (tmp_path / "made.few.csv").read_text() == "name,pairs,seconds\na,1200,0.25\n"
    assert (tmp_path / "made.md").read_text() == (
        "## Few rows\n\n| name | pairs | seconds |\n| --- | ---: | ---: |\n"
        "| a | 1,200 | 0.2 |\n\nA note.\n"
    )


def test_results_of_two_runs_are_the_same_but_for_their_seconds(tmp_path: Path) -> None:
    for folder, score, seconds in (("a", 0.5, 1.0), ("b", 0.5, 2.0), ("c", 0.6, 1.0)):
        table = Table("few", "Few rows", ["score", "seconds"], [[score, seconds]])
        write_tables(tmp_path / folder, "made", [table])
    assert list(differences(tmp_path / "a", tmp_path / "b")) == []
    assert list(differences(tmp_path / "a", tmp_path / "c")) == ["made.json: few, row 1"]
    (tmp_path / "c" / "made.json").unlink()
    assert list(differences(tmp_path / "a", tmp_path / "c")) == ["made.json is missing"]


def test_the_file_farthest_below_its_published_score_is_found() -> None:
    near = neural_drs.Output("near", "pmb-3.0.0", "dev", "bert_only", 1)
    far = neural_drs.Output("far", "pmb-3.0.0", "dev", "bert_only", 2)
    runs = {near: rescored((10, 10)), far: rescored((9, 9))}
    assert neural_drs.farthest_above(runs, {near: 0.5, far: 0.5}) == far
    assert neural_drs.farthest_above(runs, {near: 0.5, far: 0.45}) is None


def test_classes_of_sizes_with_few_pairs_are_left_out() -> None:
    (row,) = rescored((10, 10)).rows
    small, large = row._replace(variables=5), row._replace(variables=100)
    found = [(small, 1.0)] * 49 + [(small, 0.0), (large, 1.0)]
    series = figures.share_series("one", found)
    assert (list(series.xs), list(series.ys)) == (["1 to 5"], [98.0])
    rows = figures.errors_table({"one": found, "none": []}).rows
    assert [row[:3] for row in rows] == [["one", "1 to 5", 50], ["one", "all", 51]]


def test_a_program_that_counts_otherwise_has_no_search_error() -> None:
    rows = rescored((10, 10), (10, 10), (10, 10), (10, 10)).rows
    claims = [Claim(9, 20, 20), Claim(10, 20, 20), Claim(9, 20, 21), None]
    assert figures.held_against(claims, rows) == [(rows[0], 1.0), (rows[1], 0.0)]


def test_the_share_proven_is_told_by_size() -> None:
    proven, open_ = rescored((10, 10), (10, 11)).rows
    table = figures.times_table([proven, open_._replace(variables=70, seconds=60.0)])
    rows = {row[0]: [*row[1:]] for row in table.rows}
    assert rows["1 to 5"] == [1, 1, "0.0", "0.0", "0.0"]
    assert rows["61 or more"] == [1, 0, "60000.0", "60000.0", "60000.0"]
    assert rows["6 to 10"] == [0, 0, None, None, None]
    assert rows["all"][:2] == [2, 1]


def test_slopes_have_ranks_where_the_same_items_are_scored() -> None:
    scores = {"a": (0.5, 0.7), "b": (0.6, 0.6)}
    ranked = figures.slopes("k", "t", "F1", scores, ranked=True)
    plain = figures.slopes("k", "t", "F1", scores, ranked=False)
    assert isinstance(ranked, Chart) and isinstance(plain, Chart)
    assert [series.label for series in ranked.series] == ["b: 1, 2", "a: 2, 1"]
    assert [series.label for series in plain.series] == ["b", "a"]


def test_pairs_without_variables_are_not_drawn() -> None:
    run = rescored((10, 10), (0, 0))
    texts = Rescored(**{**run.__dict__, "rows": [run.rows[0], run.rows[1]._replace(variables=0)]})
    assert figures.searched_pairs(iter([texts])) == [run.rows[0]]
