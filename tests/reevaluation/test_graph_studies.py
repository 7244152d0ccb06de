"""The studies of graphs by parsers: the selected files, and the output of programs."""

import json
from pathlib import Path

import amr_outputs
import chinese_amr
import compositional_drs
import mrp2019
import pmb5
import pytest
import umr_conversions
from digests import listed
from program_counts import Claim
from rescoring import PairRow, Rescored

DIGESTS = Path(pmb5.__file__).parent / "digests"


def paths(name: str) -> list[str]:
    return [*listed(DIGESTS / f"{name}.sha256")]


def test_outputs_of_compositional_parsers_are_told_from_others() -> None:
    there = [
        "data/output/seq2seqoutput/5/mlm_test_gold+silver.txt",
        "data/output/seq2seqoutput/5/mlm_testlong_gold.txt",
        "data/output/seq2seqoutput/4/t5_dev_gold_new.txt",
        "data/output/amparser/4/postprocessed_simplified4_eval_dependency.txt",
        "data/output/amparser/5/postprocessed_scopeless5_dev.txt",
        "data/output/amparser/5/postprocessed_scopeless4_test_dependency.txt",
    ]
    found = [(one.release, one.part, one.system) for one in compositional_drs.outputs(there)]
    assert found == [
        ("5", "test", "mlm gold+silver"),
        ("5", "long", "mlm gold"),
        ("4", "eval", "ams simplified dependency"),
        ("5", "dev", "ams scopeless rule"),
    ]


def test_all_files_of_the_listings_are_outputs_or_their_gold_standards() -> None:
    for study, name in ((compositional_drs, "compositional_drs"), (pmb5, "pmb5")):
        outputs = [*study.outputs(paths(name))]
        wanted = {one.path for one in outputs} | {one.gold for one in outputs}
        assert wanted == set(paths(name))


def test_files_of_amrs_and_of_mrp_are_in_the_listings() -> None:
    wanted = [place for one in amr_outputs.FILES for place in (one.system, one.gold)]
    wanted += [*mrp2019.SYSTEMS.values(), ("mtool", mrp2019._GOLD)]
    chinese = (chinese_amr.SYSTEM, chinese_amr.GOLD, chinese_amr.LENGTHS)
    wanted += [("two_stage_camrp", path) for path in chinese]
    assert all(path in paths(name) for name, path in wanted)


def test_files_of_umrs_are_those_of_the_listings() -> None:
    found: dict[str, list[str]] = {"ud2umr": [], "umr": []}
    for files in umr_conversions.FILES:
        found[files.clone] += [files.system, files.gold, files.log]
    assert sorted(found["ud2umr"]) == sorted(paths("ud2umr"))
    assert sorted(found["umr"]) == sorted(paths("ufal_umr_files"))


def test_the_last_values_that_were_printed_are_of_all_nodes() -> None:
    log = "".join(
        f"Out of {gold} non-empty GOLD values, {same} found in CONV => recall x.\n"
        f"Out of {system} non-empty CONV values, {same} found in GOLD => precision x.\n"
        for system, gold, same in ((7, 8, 5), (9, 11, 5))
    )
    assert umr_conversions.printed(log + "F = 50 %\n") == Claim(5, 9, 11)


def test_every_published_score_of_pmb_5_has_a_file() -> None:
    found = {(one.language, one.system) for one in pmb5.outputs(paths("pmb5")) if one.published}
    assert found == set(pmb5.PUBLISHED)


def test_what_the_scorer_of_pmb_5_has_printed_is_read() -> None:
    printed = (
        "0:1.0\ngenerated sbn 1 error: 7:0.5\n2:2.5e-1\naverage f1 smatch score: 0.625\n"
        "ill-formed: 0.5\n"
    )
    said = pmb5.scored(printed)
    assert said == (0.625, 0.5, {0: 1.0, 2: 0.25})
    assert pmb5.held_against(said, [1.0, 0.0, 0.75]) == (2, 1, 1, 0, 0.5)
    assert pmb5.held_against(said, [0.5, 0.0, 0.25]) == (2, 1, 0, 1, 0)


def test_graphs_of_a_framework_are_taken_in_the_order_of_others() -> None:
    lines = [
        json.dumps({"id": name, "framework": framework})
        for framework in ("amr", "dm")
        for name in ("b", "a", "c")
    ]
    found = mrp2019.graphs("\n".join(lines), "amr", ["a", "b"])
    assert [*found] == ["a", "b"]
    assert found["a"] == lines[1]
    with pytest.raises(KeyError):
        mrp2019.graphs("\n".join(lines), "amr", ["d"])


def test_comments_are_left_out_and_graphs_stay_apart() -> None:
    text = "# ::id 1\n(a / b\n  :c d)\n\n# ::id 2\n(e / f)"
    assert amr_outputs.without_comments(text) == "(a / b\n  :c d)\n\n(e / f)\n"


def test_pairs_that_have_been_read_are_drawn_from_a_seed(tmp_path: Path) -> None:
    rows = [PairRow(1, 1, 1, int(k != 1), 1, 1, True, 0.0) for k in range(4)]
    run = Rescored(
        name="", system="", gold="", inputs=("", ""), signature="", words={}, certificates="",
        emptied=1, rows=rows,
    )  # fmt: skip
    assert compositional_drs.drawn_pairs(run, 9, "x") == [0, 2, 3]
    drawn = compositional_drs.drawn_pairs(run, 2, "x")
    assert drawn == compositional_drs.drawn_pairs(run, 2, "x")
    path = tmp_path / "graphs.amr"
    path.write_text("(a / b)\n\n(c\n/ d)\n \n\n(e / f)\n")
    assert compositional_drs.chosen(path, [1, 2]) == "(c\n/ d)\n\n(e / f)\n\n"
    assert run.macro_f1 == pytest.approx((3 + 2) / 4)
