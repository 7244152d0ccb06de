"""The agreement of annotators on groups of items, and its verification."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nightly import by_day
from study_files import ANNOTATORS, blocks_of, run, study_of, tables, write

import exactmatch

FEW = ("--resamples", "99")
#: The groups are no stretches of the files.
GROUPS = {1: "x", 2: "y", 3: "x", 4: "z", 5: "y", 6: "x"}


@pytest.fixture
def groups(files: Path) -> str:
    lines = (f"study.{k}\t{group}" for k, group in GROUPS.items())
    Path("groups.tsv").write_text("\r\n".join(lines), encoding="utf-8")
    return "groups.tsv"


def alone(group: str, *words: str) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a study of the items of a group alone."""
    names = []
    for name in ANNOTATORS:
        blocks = blocks_of(name)
        kept = [blocks[k - 1] for k, of in GROUPS.items() if of == group]
        names.append(f"{group}-{name}")
        write(names[-1], kept)
    return tables("iaa", *names, *FEW, *words)


@pytest.mark.parametrize("chance", by_day(["all", "100"]))
def test_figures_of_a_group_are_those_of_its_items_alone(groups: str, chance: str) -> None:
    """Of 240 pairs of different items, 100 are a sample; a group has fewer pairs."""
    words = (*FEW, "--chance", chance)
    rows = tables("iaa", *ANNOTATORS, "--group-by", groups, *words)["groups"]
    assert [row["group"] for row in rows] == ["x", "y", "z"]
    for row in rows:
        own = alone(row["group"], "--chance", chance)
        (mean,), plain, norm = own["agreement"], own["chance"][0], own["chance"][4]
        assert [row[key] for key in ("items", "f1", "f1_low", "f1_high")] == [
            mean[key] for key in ("items", "f1", "f1_low", "f1_high")
        ]
        assert [
            row[key] for key in ("alpha", "alpha_low", "alpha_high", "observed", "expected")
        ] == [plain[key] for key in ("value", "low", "high", "observed", "expected")]
        assert [row[f"alpha_norm{end}"] for end in ("", "_low", "_high")] == [
            norm[key] for key in ("value", "low", "high")
        ]


def test_groups_change_nothing_else(groups: str) -> None:
    plain, grouped = (
        json.loads(run("iaa", *ANNOTATORS, *FEW, *words, "--format", "json").stdout)
        for words in ((), ("--group-by", groups))
    )
    del grouped["tables"]["groups"]
    assert plain["tables"] == grouped["tables"]
    said = grouped["sentence"].removeprefix(plain["sentence"])
    assert said.startswith(" Over 2 groups of items, Krippendorff's alpha ranges from ")


def test_agreement_with_the_consensus_by_group_is_that_of_its_items_alone(groups: str) -> None:
    first, *others = ANNOTATORS
    found = tables("iaa", *others, "--consensus", first, "--group-by", groups, *FEW)
    rows = found["group_scores"]
    assert [(row["annotator"], row["group"]) for row in rows] == [
        (name.removesuffix(".amr"), group) for name in others for group in "xyz"
    ]
    for group in "xyz":
        alone(group)
        names = [f"{group}-{name}" for name in others]
        own = tables("iaa", *names, "--consensus", f"{group}-{first}", *FEW)["pairs"][-3:]
        for row, pair in zip((row for row in rows if row["group"] == group), own, strict=True):
            for key in ("f1", "f1_low", "f1_high", "matched", "pairs"):
                assert row[key] == pair[key], (group, key)


def test_agreement_with_the_consensus_is_drawn_by_group(groups: str) -> None:
    first, *others = ANNOTATORS
    words = ("--group-by", groups, *FEW)
    for given, is_drawn in ((ANNOTATORS, False), ((*others, "--consensus", first), True)):
        plots = study_of("iaa", *given, *words).document.plots
        assert ("group_scores" in {plot.key for plot in plots}) is is_drawn


def test_without_correction_groups_have_f1_alone(groups: str) -> None:
    words = ("--group-by", groups, "--chance", "none")
    result = run("iaa", *ANNOTATORS, *FEW, *words)
    assert "Over 3 groups of items, mean F1 ranges from " in result.stdout
    assert "alpha" not in result.stdout
    assert "alpha" not in run("iaa", *ANNOTATORS, *FEW, *words, "--certificates", "none").stdout
    assert "group 'x': 3 items; mean F1 " in run("verify", "none").stdout


def test_verify_shows_names_of_groups_as_they_are_written(groups: str) -> None:
    """Only what could steer a terminal is written out."""
    text = Path(groups).read_text(encoding="utf-8")
    named = text.replace("\tx", "\t会話 é").replace("\ty", "\tb\x1b[1m")
    Path(groups).write_text(named, encoding="utf-8")
    words = ("--group-by", groups, "--chance", "none")
    run("iaa", *ANNOTATORS, *FEW, *words, "--certificates", "proofs")
    shown = run("verify", "proofs").stdout
    assert "group '会話 é': 3 items; " in shown
    assert "group 'b\\x1b[1m': " in shown


def test_groups_that_annotators_do_not_share_are_told(groups: str) -> None:
    """Group z has one item, which only one annotator has; groups cover all files."""
    for name in ANNOTATORS[1:]:
        write(name, [block for k, block in enumerate(blocks_of(name), start=1) if k != 4])
    result = run("iaa", *ANNOTATORS, *FEW, "--group-by", groups)
    assert result.exit_code == 1  # items are missing
    assert "Alpha of z is undefined: no item has two graphs." in result.stdout
    assert "Over 2 groups of items" in result.stdout


def test_groups_that_cannot_be_told(groups: str) -> None:
    result = run("iaa", *ANNOTATORS, "--group-by", "::session")
    assert result.exit_code == 1
    assert "a.amr:1: no comment of item study.1 says ::session" in result.stderr
    write("some.tsv", ["study.1\tx"])
    result = run("iaa", *ANNOTATORS, "--group-by", "some.tsv")
    assert "some.tsv: 5 items have no group; the first is study.2" in result.stderr


def by_comments() -> str:
    blocks = enumerate(blocks_of("a.amr"), start=1)
    write("a.amr", [f"# ::part {GROUPS[k]}\n{block}" for k, block in blocks])
    return "::part"


@pytest.mark.parametrize("by_file, chance", by_day([(True, "200000"), (False, "100")]))
def test_verify_computes_groups_again(groups: str, by_file: bool, chance: str) -> None:
    by = groups if by_file else by_comments()
    words = ("--group-by", by, "--chance", chance, "--certificates", "proofs")
    result = run("iaa", *ANNOTATORS, *FEW, *words, "--format", "json")
    found = json.loads(result.stdout)
    verified = json.loads(run("verify", "proofs", "--format", "json").stdout)
    assert verified["sentence"] == found["sentence"]
    assert [*verified["groups"]] == ["x", "y", "z"]
    for row in found["tables"]["groups"]:
        text = verified["groups"][row["group"]]
        assert f"mean F1 {row['f1']:.4f}" in text
        for alpha, distance in (("alpha", "triples without a partner"), ("alpha_norm", "1 - F1")):
            assert f"({distance}, squared) {row[alpha]:.4f}" in text
    own = 0 if chance == "200000" else 48 + 16
    assert verified["solved_again"] == min(240, int(chance)) + own


def test_a_changed_byte_of_the_groups_is_refused(groups: str) -> None:
    run("iaa", *ANNOTATORS, *FEW, "--group-by", groups, "--certificates", "proofs")
    assert run("verify", "proofs").exit_code == 0
    text = Path(groups).read_text(encoding="utf-8")
    Path(groups).write_text(text.replace("\tz", "\tw"), encoding="utf-8")
    with pytest.raises(exactmatch.VerificationError, match=r"groups\.tsv has changed"):
        exactmatch.verify_study("proofs")
    Path(groups).unlink()
    with pytest.raises(exactmatch.InputError, match=r"groups\.tsv: No such file"):
        exactmatch.verify_study("proofs")


def with_consensus(groups: str) -> list[dict[str, Any]]:
    """Write certificates of a study with a consensus, and return its table of scores by group."""
    first, *others = ANNOTATORS
    words = ("--group-by", groups, "--chance", "none", "--certificates", "proofs")
    rows = tables("iaa", *others, "--consensus", first, *FEW, *words)["group_scores"]
    found: list[dict[str, Any]] = rows
    return found


def test_verify_computes_the_agreement_with_the_consensus_by_group_again(groups: str) -> None:
    rows = with_consensus(groups)
    assert len(rows) == 3 * 3
    said = exactmatch.verify_study("proofs").groups
    for row in rows:
        ends = "".join(
            f" (95% confidence interval {row['f1_low']:.4f} to {row['f1_high']:.4f})"
            for _ in range(row["f1_low"] is not None)
        )
        text = f"F1 of {row['annotator']} with the consensus {row['f1']:.4f}{ends}, "
        text += f"{row['matched']} matched in {row['pairs']} pair"
        assert text in said[row["group"]]


def test_each_changed_figure_of_a_group_is_refuted(groups: str) -> None:
    """Of every annotator with the consensus, and of every two annotators."""
    with_consensus(groups)
    assert exactmatch.verify_study("proofs").refuted == 0
    place = Path("proofs/manifest.json")
    manifest = json.loads(place.read_text(encoding="utf-8"))
    reasons = []
    for file in manifest["certificates"]:
        for group, counts in file["groups"].items():
            for figure, count in counts.items():
                counts[figure] = count + 1
                claim = f"{figure} of group {group} is {count + 1}, but it is {count}"
                reasons.append((file["file"], f"the manifest says that {claim}"))
    assert len(reasons) == 6 * 3 * 5
    place.write_text(json.dumps(manifest), encoding="utf-8")
    found = exactmatch.verify_study("proofs")
    assert [(finding.file, finding.reason) for finding in found.findings] == reasons
    assert (found.sentence, found.groups) == ("", {})


@pytest.mark.parametrize(
    "change, said", by_day([("pop", "lacks group y"), ("add", "has group new")])
)
def test_other_groups_of_a_manifest_are_refuted(groups: str, change: str, said: str) -> None:
    with_consensus(groups)
    place = Path("proofs/manifest.json")
    manifest = json.loads(place.read_text(encoding="utf-8"))
    counts = manifest["certificates"][4]["groups"]
    if change == "pop":
        del counts["y"]
    else:
        counts["new"] = counts["y"]
    place.write_text(json.dumps(manifest), encoding="utf-8")
    result = run("verify", "proofs")
    assert result.exit_code == 4
    assert f"the manifest {said} of these files" in result.stdout
    assert "group 'x'" not in result.stdout


def file_of_groups(path: str) -> Callable[[dict[str, Any]], None]:
    return lambda choices: choices["group_by"].update(path=path)


@pytest.mark.parametrize(
    "hostile, said",
    by_day(
        [
            (file_of_groups("../groups.tsv"), "it leads out of the folder of the graphs"),
            (lambda choices: choices["group_by"].update(note=1), "'note' is no key of a manifest"),
            (lambda choices: choices.update(group_by="part"), "not :: and a key of comments"),
            (lambda choices: choices.update(group_by=None), "None is no object"),
            (lambda choices: choices.pop("group_by"), "group_by is missing"),
            (lambda choices: choices.update(chance=3), "'chance' is 3: not all"),
        ],
        3,
    ),
)
def test_hostile_groups_of_a_manifest_are_refused(
    groups: str, hostile: Callable[[dict[str, Any]], None], said: str
) -> None:
    run("iaa", "a.amr", "b.amr", *FEW, "--group-by", groups, "--certificates", "proofs")
    place = Path("proofs/manifest.json")
    manifest = json.loads(place.read_text(encoding="utf-8"))
    hostile(manifest["choices"])
    place.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(exactmatch.InputError, match=said):
        exactmatch.verify_study("proofs")
