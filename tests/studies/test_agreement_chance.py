"""Agreement corrected for chance in the study of annotators."""

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from study_files import ANNOTATORS, blocks_of, numbered, run, tables, write

import exactmatch
from exactmatch.studies.agreement import every_pair
from exactmatch.studies.agreement.measure import Agreement

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
FEW = ("--resamples", "99")


def found_by(*files: str, **options: Any) -> Agreement:
    return exactmatch.agreement(files, resamples=99, **options).found


def chance_rows(*words: str) -> list[dict[str, Any]]:
    """Return the rows of the table, also of files that lack items."""
    found = json.loads(run("iaa", *words, *FEW, "--format", "json").stdout)["tables"]
    rows: list[dict[str, Any]] = found["chance"]
    return rows


def from_matrix(files: list[str], items: list[str], **options: Any) -> Any:
    """Return the coefficients from one matrix of all graphs; *items* are all items."""
    graphs = [(g, g.identifier) for name in files for g in exactmatch.load(name)]
    matrix = exactmatch.matrix([graph for graph, _ in graphs])
    assert {item for _, item in graphs} <= {*items}
    return exactmatch.alpha(matrix, [item for _, item in graphs], resamples=99, **options)


def test_the_table_equals_figures_from_a_matrix_of_all_graphs(files: Path) -> None:
    """One annotator lacks items, and one item has a single graph."""
    write("short.amr", blocks_of("c.amr")[2:])
    write("long.amr", [*blocks_of("d.amr"), "# ::id more\n(m / more)"])
    names = ["a.amr", "short.amr", "long.amr"]
    rows = chance_rows(*names)
    items = [f"study.{k}" for k in range(1, 7)] + ["more"]
    assert len(rows) == 9
    for row, (distance, squared) in zip(
        rows, [(d, s) for d in ("plain", "diff", "norm") for s in (True, False)], strict=False
    ):
        expected = from_matrix(names, items, distance=distance, squared=squared).alpha
        ends = row["value"], row["observed"], row["expected"], row["low"], row["high"]
        exact = expected.value.low, expected.observed.low, expected.expected.low
        assert ends == pytest.approx((*map(float, exact), *expected.interval))
        assert row["standard_error"] is None
    corrected = from_matrix(names, items, distance="norm")
    for row, one in zip(rows[6:], (corrected.mean, corrected.sigma, corrected.ks), strict=True):
        shown = row["value"], row["low"], row["high"]
        assert shown == pytest.approx((float(one.value.low), *one.interval))
    assert corrected.graphs == 16


def test_missing_graphs_are_absent_even_if_they_are_compared_as_empty(files: Path) -> None:
    write("short.amr", blocks_of("c.amr")[2:])
    empty, pairwise, common = (
        chance_rows("a.amr", "b.amr", "short.amr", "--missing", how)
        for how in ("empty", "pairwise", "common")
    )
    assert empty == pairwise
    assert common != pairwise
    for name in ("a", "b"):
        write(f"{name}.amr", blocks_of(f"{name}.amr")[2:])
    assert common == chance_rows("a.amr", "b.amr", "short.amr")


def test_alpha_without_an_annotator_is_that_of_the_others(files: Path) -> None:
    found = tables("iaa", *ANNOTATORS, *FEW)
    for row, left_out in zip(found["chance_without"], ANNOTATORS, strict=True):
        others = [name for name in ANNOTATORS if name != left_out]
        alone = tables("iaa", *others, *FEW)["chance"][0]["value"]
        assert (row["annotator"], row["alpha"]) == (Path(left_out).stem, alone)
        assert row["change"] == pytest.approx(alone - found["chance"][0]["value"])
    assert "chance_without" not in tables("iaa", *ANNOTATORS[:2], *FEW)


def test_a_consensus_is_no_annotator(files: Path) -> None:
    alone = tables("iaa", *ANNOTATORS, *FEW)["chance"]
    assert tables("iaa", *ANNOTATORS, "--consensus", "consensus.amr", *FEW)["chance"] == alone
    assert "chance" not in tables("iaa", "a.amr", "--consensus", "consensus.amr", *FEW)


def test_without_correction_nothing_else_changes(files: Path) -> None:
    corrected, without = (
        json.loads(run("iaa", *ANNOTATORS, *FEW, *words, "--format", "json").stdout)
        for words in ((), ("--chance", "none"))
    )
    said, _, rest = corrected["sentence"].partition("; Krippendorff's alpha")
    assert without["sentence"] == f"{said}."
    assert rest.endswith(", distance of triples squared.")
    for key in ("chance", "chance_without"):
        del corrected["tables"][key]
    assert corrected["tables"] == without["tables"]


@pytest.mark.nightly
def test_any_number_of_workers_gives_the_same_bytes(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(every_pair, "_BLOCK", 50)
    one, two = (
        run("iaa", *ANNOTATORS, *FEW, "--workers", workers, "--format", "html").stdout
        for workers in ("1", "2")
    )
    assert one == two
    assert "Krippendorff" in one


def test_a_sample_is_near_the_whole_and_says_so(files: Path) -> None:
    whole = found_by(*ANNOTATORS, chance="all").chance
    assert whole is not None
    assert (whole.observed, whole.expected, whole.taken, whole.open) == (36, 240, 240, 0)
    values = []
    for seed in range(6):
        result = exactmatch.agreement(ANNOTATORS, resamples=99, chance=100, seed=seed)
        sample = result.found.chance
        assert sample is not None
        assert (sample.observed, sample.expected, sample.taken) == (36, 240, 100)
        assert sample.alpha.observed == whole.alpha.observed
        assert sample.alpha.value is not None
        assert whole.alpha.value is not None
        assert sample.alpha.standard_error is not None
        error = float(sample.alpha.value.low - whole.alpha.value.low)
        values.append(error / sample.alpha.standard_error)
        said = f"from 100 of 240 pairs of graphs (standard error {sample.alpha.standard_error:.4f})"
        assert said in result.document.sentence
    assert max(map(abs, values)) < 4
    assert sum(abs(value) < 1 for value in values) >= 2
    assert min(values) < 0 < max(values)


def test_pairs_that_a_solver_closes_are_proven_again(tmp_path: Path) -> None:
    """The dual leaves one of these pairs to a solver, whose word would be all there is."""
    names = []
    for name in "ac":
        graphs = {
            block.split()[2]: block for block in blocks_of(INSTANCES / f"agreement/{name}.amr")
        }
        names.append(str(tmp_path / f"{name}.amr"))
        write(names[-1], [graphs["study.18"], graphs["study.21"]])
    found = found_by(*names).chance
    assert found is not None
    assert (found.taken, found.open, found.by_word) == (4, 0, 0)


def test_order_of_files_and_items_changes_nothing(files: Path) -> None:
    found = tables("iaa", "a.amr", "b.amr", "c.amr", *FEW)["chance"]
    assert tables("iaa", "c.amr", "a.amr", "b.amr", *FEW)["chance"] == found
    order = [*range(6)]
    random.Random(2).shuffle(order)
    for name in ("a", "b", "c"):
        blocks = blocks_of(f"{name}.amr")
        write(f"{name}2.amr", [blocks[k].strip() for k in order])
    assert tables("iaa", "a2.amr", "b2.amr", "c2.amr", *FEW)["chance"] == found


def test_what_is_undefined_is_said(files: Path) -> None:
    write("one.amr", numbered("(a / b)", "(a / b)"))
    write("two.amr", numbered("(x / b)", "(y / b)"))
    result = run("iaa", "one.amr", "two.amr", *FEW)
    assert "Agreement corrected for chance is undefined: all graphs are equal." in result.stdout
    assert "Krippendorff's alpha" not in result.stdout.splitlines()[3]
    write("single.amr", numbered("(a / b)"))
    write("other.amr", numbered("(a / c)"))
    result = run("iaa", "single.amr", "other.amr", *FEW)
    assert "Only one item has several graphs, so agreement is that by chance" in result.stdout
    assert "; Krippendorff's alpha 0.0000, distance of triples squared." in result.stdout
    result = run("iaa", "a.amr", "b.amr", "--profile", "smatch-1.0.4", *FEW)
    assert "undefined: smatch multiplies repeated triples, so its matches make" in result.stdout


def test_documents_have_no_distance_but_their_sentences_have() -> None:
    files = [str(INSTANCES / "umr" / name) for name in ("a.umr", "b.umr")]
    result = run("iaa", *files, *FEW, "--metric", "umatch")
    assert "undefined: items are documents, whose sentences have no partner" in result.stdout
    found = found_by(*files, document_level="ignore").chance
    assert found is not None
    assert found.alpha.value is not None
    assert found.open == 0


def test_parts_of_triples_are_no_triples(files: Path) -> None:
    """S2match counts in parts of a triple; distances are those in triples."""
    metric = exactmatch.metric("s2match", vectors=INSTANCES / "vectors" / "words.txt")
    scores = exactmatch.score_pairs(Path("a.amr"), Path("d.amr"), metric=metric)
    mine = [one.system_total + one.gold_total - 2 * one.matched for one in scores]
    assert metric.scale > 1
    found = found_by("a.amr", "d.amr", metric=metric).chance
    assert found is not None
    squared, linear = (one.coefficient.observed for one in found.measured[:2])
    assert squared is not None
    assert linear is not None
    assert linear.low == Fraction(sum(mine), len(mine) * metric.scale)
    assert squared.low == Fraction(sum(n * n for n in mine), len(mine) * metric.scale**2)


def test_all_pairs_have_to_fit_into_memory(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_pair, "free_memory", lambda: 30_000)
    result = run("iaa", *ANNOTATORS, "--chance", "all")
    assert result.exit_code == 2
    assert "240 pairs of graphs would take 0 GiB, more than is free; take a sample" in result.stderr
    assert run("iaa", *ANNOTATORS, "--chance", "100", *FEW).exit_code == 0


def test_numbers_that_python_cannot_write_are_refused(files: Path) -> None:
    """Python writes no number of more than 4,300 digits, also not in an error."""
    huge: Any = 10**5000
    for name in ("chance", "plan", "seed", "resamples", "confidence", "rows"):
        for given in (huge, -huge):
            if (name, given) == ("rows", huge):
                continue  # as many rows as there are
            with pytest.raises(exactmatch.UsageError, match="a number of very many digits"):
                exactmatch.agreement(["a.amr", "b.amr"], **{name: given})
    result = run("iaa", "a.amr", "b.amr", "--resamples", "1000001")
    assert (result.exit_code, "use at most 1000000" in result.stderr) == (2, True)
    with pytest.raises(exactmatch.UsageError, match="very many digits is no distance"):
        exactmatch.alpha([[0, huge], [huge, 0]], [1, 1])


@pytest.mark.parametrize("given", ["some", "99", "-5", "1.5", "", "9" * 19])
def test_a_wrong_number_of_pairs_is_refused(files: Path, given: str) -> None:
    result = run("iaa", "a.amr", "b.amr", "--chance", given)
    assert result.exit_code == 2
    assert f"chance is {given!r}; the values are all, none, and numbers of pairs from 100 on" in (
        result.stderr
    )
    with pytest.raises(exactmatch.UsageError, match="the values are all, none, and numbers"):
        exactmatch.agreement(["a.amr", "b.amr"], chance=given)  # type: ignore[arg-type]
