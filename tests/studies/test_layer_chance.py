"""Agreement in layers of UMR corrected for chance, over all best mappings."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from study_files import run, tables, umr_sentence, write

import exactmatch
from exactmatch.studies.agreement import layer_chance
from exactmatch.studies.chance.coefficients import Bounds

INSTANCES = Path(__file__).resolve().parents[2] / "instances" / "umr"
A, B = str(INSTANCES / "a.umr"), str(INSTANCES / "b.umr")
FEW = ("--resamples", "99")

#: A node, and two nodes: the first has its polarity and place, the second its concept and aspect.
ONE = "(s1a / go-01 :aspect {} :polarity -)"
TWO = "(s2a / and :polarity - :op1 (s2b / go-01 :aspect state))"


@pytest.fixture
def swapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write two annotators who differ in the aspect of the first of two sentences."""
    monkeypatch.chdir(tmp_path)
    for name, aspect in (("one.umr", "state"), ("two.umr", "activity")):
        graphs = (ONE.format(aspect), TWO)
        write(name, [umr_sentence(k, "a b", graph) for k, graph in enumerate(graphs, start=1)])


def alphas(*words: str) -> dict[str, dict[str, Any]]:
    """Return the rows of the table by the name of the layer."""
    return {row["layer"]: row for row in tables("iaa", *words, *FEW)["layer_alpha"]}


def test_alpha_over_all_best_mappings_by_hand(swapped: None) -> None:
    """Of four graphs, only one and TWO have several best mappings, in both pairs of them.

    In sentence 1, the aspects differ: distance 2. TWO is equal in both files: distance 0. So D_o is
    (4 + 4) / 4 = 2. "activity" does not match: the distance to TWO is 2, twice. "state" matches if
    the node is mapped to its concept, and not if it is mapped to its polarity and place, both with
    two triples: the distance is 0 or 2, twice. So D_e is (8 + 16 + 0) / 12 = 2, or
    (8 + 16 + 16) / 12 = 10 / 3, and alpha is 0, or 1 - 2 / (10 / 3) = 2 / 5.
    """
    chance = exactmatch.agreement(["one.umr", "two.umr"], resamples=99).found.chance
    assert chance is not None
    layers = chance.layers
    assert layers is not None
    assert (layers.taken, layers.expected, layers.unknown) == (4, 4, 0)
    aspect = layers.by_layer["aspect"]
    assert aspect.plain.observed == Bounds(Fraction(2), Fraction(2))
    assert aspect.plain.expected == Bounds(Fraction(2), Fraction(10, 3))
    assert aspect.plain.value == aspect.norm.value == Bounds(Fraction(0), Fraction(2, 5))
    # Concepts agree, so alpha is 1, though concepts of different sentences match or do not.
    concepts = layers.by_layer["concepts"].plain
    assert concepts.expected == Bounds(Fraction(4 + 36, 12), Fraction(36 + 36, 12))
    assert concepts.value == Bounds(Fraction(1), Fraction(1))
    assert [*layers.by_layer] == ["concepts", "roles", "aspect"]  # no modal strength occurs


def test_both_ends_are_those_of_some_best_mappings() -> None:
    """The figures of docs/agreement.md, which `test_layers` computes from single mappings."""
    aspect = alphas(A, B)["aspect"]
    assert aspect["alpha"] == pytest.approx(0.2569, abs=5e-5)
    assert aspect["alpha_upper"] == pytest.approx(0.5525, abs=5e-5)
    assert aspect["alpha_low"] <= aspect["alpha"] <= aspect["alpha_upper"] <= aspect["alpha_high"]


def test_neither_order_of_files_nor_workers_change_anything() -> None:
    found = alphas(A, B)
    assert alphas(B, A) == found
    assert alphas(A, B, "--workers", "2") == found


@pytest.mark.parametrize(
    "words", [(A, B, "--chance", "none"), (A, B, "--metric", "umatch"), (A, A, "--plan", "0.1")]
)
def test_what_has_no_table(words: tuple[str, ...]) -> None:
    """Items of umatch are documents, whose sentences have no partner in other documents."""
    has_table = "--plan" in words
    assert ("layer_alpha" in tables("iaa", *words, *FEW)) == has_table


@pytest.mark.usefixtures("files")
def test_other_formats_have_no_layers() -> None:
    found = tables("iaa", "a.amr", "b.amr", *FEW)
    assert "chance" in found
    assert "layer_alpha" not in found


def test_a_sample_is_of_the_pairs_of_whole_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layer_chance, "_MOST", 20)
    rows = run("iaa", A, B, *FEW, "--table", "layer_alpha").stdout
    assert "Pairs of graphs of different items: 20 of 40, drawn with seed 0." in rows
    assert "error of sample" in rows
    sample = alphas(A, B)["roles"]
    assert sample["standard_error"] > 0
    whole = alphas(A, B, "--chance", "all")["roles"]
    assert whole["standard_error"] is None
    assert sample["observed"] == whole["observed"]
    assert sample["alpha"] == pytest.approx(whole["alpha"], abs=4 * sample["standard_error"])


def test_pairs_without_a_proof_may_match_anything() -> None:
    known = alphas(A, B)
    unknown = alphas(A, B, "--memory", "1K")
    for name, row in known.items():
        assert unknown[name]["observed"] <= row["observed"]
        assert unknown[name]["expected"] <= row["expected"]
        assert unknown[name]["observed_upper"] >= row["observed_upper"]
        assert unknown[name]["expected_upper"] >= row["expected_upper"]
    said = run("iaa", A, B, *FEW, "--memory", "1K", "--table", "layer_alpha").stdout
    assert "For 45 pairs of graphs, the best mappings are not known" in said


def test_verify_computes_layers_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.umr", "b.umr"):
        Path(name).write_bytes((INSTANCES / name).read_bytes())
    result = run("iaa", "a.umr", "b.umr", *FEW, "--certificates", "proofs", "--format", "json")
    rows = json.loads(result.stdout)["tables"]["layer_alpha"]
    verified = json.loads(run("verify", "proofs", "--format", "json").stdout)
    assert [*verified["layers"]] == [row["layer"] for row in rows]
    for row in rows:
        low, high = f"{row['alpha']:.4f}", f"{row['alpha_upper']:.4f}"
        value = low if low == high else f"{low} to {high}"
        assert f"(triples without a partner, squared) {value} (" in verified["layers"][row["layer"]]
    assert "\nlayer aspect: Krippendorff's alpha" in run("verify", "proofs").stdout
    lines = Path("proofs", "a--b.jsonl").read_text(encoding="utf-8")
    Path("proofs", "a--b.jsonl").write_text(lines.replace("1", "2", 1), encoding="utf-8")
    refused = run("verify", "proofs")
    assert refused.exit_code == 4
    assert "layer" not in refused.stdout
