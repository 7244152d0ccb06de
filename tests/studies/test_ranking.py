"""Systems ranked against a gold standard."""

import copy
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from study_files import AGREEMENT, ANNOTATORS, numbered, run, tables, write

import exactmatch
from exactmatch.metrics.counts import Score
from exactmatch.studies.ranking.measure import Ranking

WORDS = str(AGREEMENT.parent / "vectors" / "words.txt")
SEVERAL = ("--metric", "smatch", "--metric", "sembleu", "--metric", "s2match", "--vectors", WORDS)


def test_compare_ranks_and_tests(files: Path) -> None:
    found = tables("compare", *reversed(ANNOTATORS), "--gold", "consensus.amr")
    f1 = [row["f1"] for row in found["ranking"]]
    assert f1 == sorted(f1, reverse=True)
    assert [row["rank"] for row in found["ranking"]] == [1, 2, 3, 4]
    assert len(found["differences"]) == 6
    for row in found["differences"]:
        assert row["difference"] >= 0
        assert 0 < row["p"] <= row["p_holm"] <= 1
        assert row["significant"] == ("yes" if row["p_holm"] <= 0.05 else "no")
    twice = tables("compare", "a.amr", "a.amr", "--gold", "consensus.amr")
    assert twice["differences"][0]["p"] == 1.0
    assert [row["rank"] for row in twice["ranking"]] == [1, 1]


def test_the_better_one_is_better_on_what_both_have(files: Path) -> None:
    """One system lacks the hard items, so its own F1 is higher; on the common items it is worse."""
    gold = ["(a / b :ARG0 (c / d))"] * 12
    write("gold.amr", numbered(*gold))
    write("easy.amr", numbered(*["(a / b :ARG0 (c / x))"] * 6, *[""] * 6))
    write("all.amr", numbered(*gold[:6], *["(x / y)"] * 6))
    result = run("compare", "easy.amr", "all.amr", "--gold", "gold.amr", "--format", "json")
    found = json.loads(result.stdout)["tables"]
    assert [row["system"] for row in found["ranking"]] == ["easy", "all"]
    (row,) = found["differences"]
    assert (row["better"], row["other"]) == ("all", "easy")
    assert row["difference"] == pytest.approx(1 - 3 / 4)


def test_each_system_scores_as_on_its_own(files: Path) -> None:
    found = tables("compare", "d.amr", "a.amr", "--gold", "consensus.amr", "--resamples", "99")
    for row in found["ranking"]:
        score = exactmatch.score(Path(f"{row['system']}.amr"), Path("consensus.amr"))
        assert score.system_total != score.gold_total and score.precision != score.recall
        assert score.f1 != pytest.approx(score.macro_f1, abs=1e-4)
        for key in ("f1", "f1_upper", "precision", "recall", "macro_f1", "matched",
                    "matched_upper", "system_total", "gold_total", "pairs", "skipped"):  # fmt: skip
            assert row[key] == pytest.approx(getattr(score, key)), key
        assert row["proven"] == score.optimal
        assert row["f1_low"] < row["f1"] < row["f1_high"]


def test_kinds_are_counted_as_score_counts_them(files: Path) -> None:
    words = ("compare", "a.amr", "d.amr", "--gold", "consensus.amr", "--resamples", "99")
    assert "parts" not in tables(*words)
    rows = tables(*words, "--breakdown")["parts"]
    for system in ("a", "d"):
        alone = exactmatch.score(Path(f"{system}.amr"), Path("consensus.amr"), breakdown=True)
        found = {row["kind"]: row for row in rows if row["system"] == system}
        assert list(found) == list(alone.ranges)
        for kind, known in alone.ranges.items():
            ends = (found[kind]["matched"], found[kind]["matched_most"])
            assert ends == (known.least, known.most)
            assert found[kind]["f1"] == pytest.approx(known.ends[0].f1)
            assert found[kind]["f1_most"] == pytest.approx(known.ends[1].f1)
    assert any(row["matched"] < row["matched_most"] for row in rows)


def test_kinds_are_shown_of_the_metrics_that_have_them(files: Path) -> None:
    words = ("compare", "a.amr", "--gold", "b.amr", "--metric", "sembleu", "--metric", "smatch")
    assert {row["metric"] for row in tables(*words, "--breakdown")["parts"]} == {"smatch"}


def test_systems_of_one_score_share_their_rank(files: Path) -> None:
    words = ("d.amr", "a.amr", "d.amr", "b.amr")
    found = tables("compare", *words, "--gold", "consensus.amr", "--resamples", "99")
    assert [row["rank"] for row in found["ranking"]] == [1, 2, 3, 3]


def test_a_difference_is_significant_if_its_p_value_is_small(files: Path) -> None:
    """One system matches always, the other never: the p-value is 2 of 2 ** items exchanges."""
    gold = ["(a / b :ARG0 (c / d))"] * 6
    write("gold.amr", numbered(*gold))
    write("good.amr", numbered(*gold))
    write("bad.amr", numbered(*["(x / y)"] * 6))
    words = ("compare", "good.amr", "bad.amr", "--gold", "gold.amr")
    (row,) = tables(*words)["differences"]
    assert (row["p"], row["p_holm"], row["significant"]) == (2 / 64, 2 / 64, "yes")
    (row,) = tables(*words, "--confidence", "0.97")["differences"]
    assert (row["p"], row["significant"]) == (2 / 64, "no")
    write("single.amr", numbered(gold[0]))
    result = run("compare", "single.amr", "single.amr", "--gold", "gold.amr", "--format", "json")
    (row,) = json.loads(result.stdout)["tables"]["differences"]
    assert (row["p"], row["p_holm"], row["significant"]) == (None, None, None)


def test_several_metrics_rank_side_by_side(files: Path) -> None:
    words = ("compare", *ANNOTATORS, "--gold", "consensus.amr", "--resamples", "99")
    found = tables(*words, *SEVERAL)
    assert [*found] == ["metrics", "ranking", "differences"]
    names = ["smatch", "sembleu", "s2match"]
    assert [row["metric"] for row in found["ranking"]] == [n for n in names for _ in ANNOTATORS]
    for name in names:
        vectors = ("--vectors", WORDS) if name == "s2match" else ()
        alone = tables(*words, "--metric", name, *vectors)
        key = "score" if name == "sembleu" else "f1"
        assert [*alone] == ["ranking", "differences"]
        for beside, single in zip(
            [row for row in found["ranking"] if row["metric"] == name],
            alone["ranking"],
            strict=True,
        ):
            named = {key: value for key, value in beside.items() if key != "metric"}
            assert {k.replace("score", key): v for k, v in named.items()} == single
            (side,) = [row for row in found["metrics"] if row["system"] == single["system"]]
            assert (side[f"{name}_rank"], side[name]) == (single["rank"], single[key])
        tested = [row for row in found["differences"] if row["metric"] == name]
        assert tested == [{"metric": name, **row} for row in alone["differences"]]


def test_several_metrics_of_f1_keep_the_keys_of_one(files: Path) -> None:
    gold, system = (str(AGREEMENT.parent / "drs" / f"{n}.clf") for n in ("gold", "system"))
    words = ("compare", system, "--gold", gold, "--metric", "counter", "--metric", "dscorer")
    found = tables(*words, "--resamples", "99")["ranking"]
    name: Any
    for row, name in zip(found, ("counter", "dscorer"), strict=True):
        score = exactmatch.score(Path(system), Path(gold), metric=name)
        for key in ("f1", "precision", "recall", "macro_f1"):
            assert row[key] == pytest.approx(getattr(score, key), abs=1e-12)
    folder = AGREEMENT.parent / "mrp"
    shown = exactmatch.compare(
        [folder / "system.mrp"], folder / "gold.mrp", metric=["mrp", "sdp", "edm"], resamples=10
    ).report("csv", table="ranking")
    assert shown.startswith(
        "metric,rank,system,f1,f1_upper,f1_low,f1_high,precision,recall,macro_f1,"
    )


def test_the_order_of_the_systems_does_not_matter(files: Path) -> None:
    """Two systems are the same, so they share a rank."""
    write("copy.amr", Path("b.amr").read_text(encoding="utf-8").split("\n\n"))
    systems = [*ANNOTATORS, "copy.amr"]
    options = ("--gold", "consensus.amr", "--resamples", "99", *SEVERAL[:4])
    found = tables("compare", *systems, *options)
    assert found == tables("compare", *systems[::-1], *options)
    assert len({row["smatch_rank"] for row in found["metrics"]}) == 4


def test_each_file_is_read_once_for_all_metrics(files: Path) -> None:
    """A pipe is empty when it is read a second time."""
    os.mkfifo("pipe.amr")
    text = Path("a.amr").read_bytes()
    Thread(target=Path("pipe.amr").write_bytes, args=[text], daemon=True).start()
    words = ("--gold", "consensus.amr", "--resamples", "99", *SEVERAL)
    piped, plain = (tables("compare", name, *words) for name in ("pipe.amr", "a.amr"))
    assert [row["matched"] for row in piped["ranking"]] == [
        row["matched"] for row in plain["ranking"]
    ]


def test_python_gives_one_ranking_or_several(files: Path) -> None:
    one = exactmatch.compare(["a.amr"], "consensus.amr", metric="sembleu", resamples=10)
    several = exactmatch.compare(
        ["a.amr"], "consensus.amr", metric=["sembleu", "smatch", "smatch"], resamples=10
    )
    assert [*several.found.by_metric] == ["sembleu", "smatch", "smatch#2"]
    assert several.found.by_metric["sembleu"].scores["a"].value == one.found.scores["a"].value
    assert (several.pairs, several.optimal, several.certified) == (18, 18, 18)
    assert one.tables == ["ranking"] and several.tables == ["metrics", "ranking"]
    assert "metric=['sembleu', 'smatch', 'smatch']" in several.document.provenance.command
    assert several.document.provenance.signature.count("; smatch|profile:default.2") == 2
    with pytest.raises(exactmatch.UsageError, match="no metric is named"):
        exactmatch.compare(["a.amr"], "consensus.amr", metric=[])


def test_results_are_compared_and_hashed_by_their_counts(files: Path) -> None:
    found = exactmatch.compare(["a.amr", "b.amr"], "consensus.amr", resamples=10).found
    copied = copy.deepcopy(found.scores)
    assert found.scores == copied
    assert {*found.scores.values()} == {*copied.values()} and len({*copied.values()}) == 2


def test_metrics_by_their_names_in_studies(files: Path) -> None:
    names = ["sembleu:order=2", "sembleu:order=1", "smatch:paper-2013", "smatch:top=none:exact"]
    words = [word for name in names for word in ("--metric", name)]
    found = tables("compare", "a.amr", "--gold", "consensus.amr", *words, "--resamples", "10")
    (row,) = found["metrics"]
    assert [name for name in names if name in row] == names
    alone = exactmatch.score(Path("a.amr"), Path("consensus.amr"), metric="sembleu", order=1)
    assert row["sembleu:order=1"] == round(alone.value, 12) != row["sembleu:order=2"]
    assert row["smatch:paper-2013"] == row["smatch:top=none:exact"]
    for name in ("smatch:s+4r", "sembleu:exchanged"):
        refused = run("compare", "a.amr", "--gold", "consensus.amr", "--metric", name)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert f"{name}: compare ranks by exact scores" in refused.stderr


def test_certificates_are_those_of_metrics_that_have_them(files: Path) -> None:
    words = ("compare", "a.amr", "b.amr", "--gold", "consensus.amr", "--resamples", "10")
    tables(*words, *SEVERAL, "--certificates", "proofs")
    assert sorted(path.name for path in Path("proofs").iterdir()) == [
        f"{system}--consensus--{metric}.jsonl"
        for system in ("a", "b")
        for metric in ("s2match", "smatch")
    ] + ["manifest.json"]
    checked = run("verify", "proofs/b--consensus--smatch.jsonl", "b.amr", "consensus.amr")
    assert checked.exit_code == 0 and "verified: 6 " in checked.stdout
    tables(*words, "--certificates", "alone")
    assert sorted(path.name for path in Path("alone").iterdir()) == [
        "a--consensus.jsonl", "b--consensus.jsonl", "manifest.json",
    ]  # fmt: skip
    refused = run(*words, "--metric", "sembleu", "--certificates", "none")
    assert refused.exit_code == 2 and "sembleu maps no variables" in refused.stderr
    assert not Path("none").exists()


def test_what_has_no_mapping_needs_no_proof(files: Path) -> None:
    words = ("compare", "a.amr", "--gold", "consensus.amr", "--resamples", "10", "--memory", "1K")
    asked = ("--require-optimal", "--require-certified")
    result = run(*words, "--metric", "sembleu", *asked)
    assert result.exit_code == 0
    assert "6 pairs of graphs; no mapping of variables is needed." in result.stdout
    result = run(*words, "--metric", "sembleu", "--metric", "smatch", *asked)
    assert result.exit_code == 3
    (proven,) = re.findall(r"^smatch: Proven: (\d) of 6 pairs of graphs", result.stdout, re.M)
    assert f"{6 - int(proven)} of 12 pairs not proven" in result.stderr


def test_a_missing_item_is_left_out_by_every_metric(files: Path) -> None:
    write("gold.amr", numbered("(a / b)", "(c / d)", "(e / f)"))
    write("some.amr", numbered("(a / b)", "", "(e / g)"))
    words = ("compare", "some.amr", "--gold", "gold.amr", *SEVERAL[:4], "--resamples", "99")
    result = run(*words, "--format", "json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert [(row["pairs"], row["skipped"]) for row in found["tables"]["ranking"]] == [(2, 1)] * 2
    (note,) = [note for note in found["notes"] if "missing" in note]
    assert note == "Pairs with a missing or unreadable graph: 1."


def test_systems_without_a_common_item_are_not_compared(files: Path) -> None:
    """By hand: both have F1 1 on what they have, which says nothing about each other."""
    write("gold.amr", numbered("(a / b)", "(c / d)"))
    write("first.amr", numbered("(a / b)", ""))
    write("second.amr", numbered("", "(c / d)"))
    words = ("compare", "first.amr", "second.amr", "--gold", "gold.amr", "--resamples", "99")
    found = json.loads(run(*words, "--format", "json").stdout)
    assert found["result"] == "first and second have no item in common."
    (row,) = found["tables"]["differences"]
    assert (row["difference"], row["difference_upper"], row["p"]) == (None, None, None)


def test_the_lead_is_told_by_the_ratios_and_not_by_their_floats() -> None:
    """With very many triples, one more is the same float, which is no tie and no proof."""

    def lead(*ends: tuple[int, int]) -> tuple[Sequence[str], bool]:
        half, total = 2**58, 2**60
        scores: Any = {
            name: Score(
                matched=half + low, matched_upper=half + high, system_total=total // 2,
                gold_total=total // 2,
            )
            for name, (low, high) in zip("ab", ends, strict=False)
        }  # fmt: skip
        nothing: Any = None
        assert len({score.f1 for score in scores.values()}) == 1
        found = Ranking(
            study=nothing, gold="g", metric=nothing, scores=scores, intervals={}, contests=[],
            ranks={name: 1 + sum(o.exact > s.exact for o in scores.values())
                   for name, s in scores.items()},
            proofs=nothing, resampling=nothing,
        ).lead  # fmt: skip
        return found.leaders, found.is_known

    assert lead((1, 1), (0, 0)) == (["a"], True)
    assert lead((1, 1), (0, 1)) == (["a"], True)
    assert lead((1, 1), (0, 2)) == (["a"], False)
    assert lead((0, 0), (0, 0)) == (["a", "b"], True)
