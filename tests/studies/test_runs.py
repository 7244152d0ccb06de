"""Systems with several runs: means, intervals over runs and items, and both kinds of tests."""

import json
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from study_files import numbered, run, tables, write

import exactmatch
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.run_files import named_word, read_systems, systems_of_words
from exactmatch.studies.common.statistics import Items, Resampling
from exactmatch.studies.common.student import student_quantile, student_tail
from exactmatch.studies.ranking.run_statistics import compare_runs, mean_interval
from exactmatch.studies.ranking.runs import RunsRanking

GOLD = ["(a / b :ARG0 (c / d))"] * 6
#: Of its four triples with the top, this graph matches three.
NEAR = "(a / b :ARG0 (c / x))"


def items(*counts: tuple[int, int]) -> Items:
    """Return items with these matches and totals."""
    matched, total = (np.array(column, dtype=np.int64) for column in zip(*counts, strict=True))
    return Items(matched, matched, total)


@pytest.fixture
def runs(files: Path) -> Path:
    """Write two systems of three and two runs: each run of `good` is near in 0, 1 or 2 graphs."""
    write("gold.amr", numbered(*GOLD))
    for k in range(3):
        write(f"good.{k}.amr", numbered(*[NEAR] * k, *GOLD[k:]))
    for k in range(2):
        write(f"poor.{k}.amr", numbered(*[NEAR] * (4 + 2 * k), *GOLD[4 + 2 * k :]))
    return files


@pytest.mark.parametrize(
    ("freedom", "share", "quantile"),  # from printed tables of Student's t
    [(1, 0.025, 12.706),
     (2, 0.025, 4.303), (4, 0.025, 2.776), (10, 0.005, 3.169), (30, 0.05, 1.697)],
)  # fmt: skip
def test_quantiles_of_t_are_those_of_tables(freedom: int, share: float, quantile: float) -> None:
    assert student_quantile(share, freedom) == pytest.approx(quantile, abs=5e-4)
    assert student_tail(quantile, freedom) == pytest.approx(share, rel=1e-3)


def test_two_degrees_of_freedom_have_a_closed_form() -> None:
    for t in (0.0, 0.1, 1.0, 3.0, 40.0):
        assert student_tail(t, 2) == pytest.approx((1 - t / (2 + t * t) ** 0.5) / 2, abs=1e-9)


def test_means_are_counted_by_hand(runs: Path) -> None:
    """Each graph has 4 triples, and 24 in a run; k near graphs lose k of them."""
    found = tables("compare", "good=good.*.amr", "poor=poor.*.amr", "gold.amr", "--resamples", "99")
    assert [*found] == ["ranking", "runs", "differences", "new-runs"]
    good, poor = found["ranking"]
    assert (good["system"], good["runs"], poor["system"], poor["runs"]) == ("good", 3, "poor", 2)
    assert good["f1"] == pytest.approx(23 / 24) and poor["f1"] == pytest.approx(19 / 24)
    assert good["deviation"] == pytest.approx(1 / 24)  # of 24, 23 and 22 of 24
    assert poor["deviation"] == pytest.approx(2**0.5 / 24)  # of 20 and 18 of 24
    assert (good["least"], good["most"]) == pytest.approx((22 / 24, 1))
    assert (poor["least"], poor["most"]) == pytest.approx((18 / 24, 20 / 24))
    f1 = {row["run"]: row["f1"] for row in found["runs"]}
    assert f1 == pytest.approx(
        {"good.0": 1, "good.1": 23 / 24, "good.2": 22 / 24, "poor.0": 20 / 24, "poor.1": 18 / 24}
    )
    for table in ("differences", "new-runs"):
        (row,) = found[table]
        assert (row["better"], row["other"]) == ("good", "poor")
        assert row["difference"] == pytest.approx(4 / 24)


def test_the_interval_of_equal_items_is_that_of_t() -> None:
    """No item differs within a run, so only runs vary: 8, 7 and 6 of 10 with t of 2 degrees."""
    of_runs = [items(*[(matched, 20)] * 5) for matched in (8, 7, 6)]
    found = mean_interval(of_runs, Resampling(9999, 0.95))
    reach = 4.3027 * 0.1 / 3**0.5
    assert found == pytest.approx((0.7 - reach, 0.7 + reach), abs=0.02 * reach)


def test_equal_runs_vary_by_items_alone() -> None:
    """Half the items match, so the error over n equal totals is half the root of 1/n."""
    one = items(*[(1, 2), (0, 2)] * 20)
    found = mean_interval([one, one, one], Resampling(9999, 0.95))
    reach = 2.0227 * 0.5 / 40**0.5  # t of 39 degrees
    assert found == pytest.approx((0.5 - reach, 0.5 + reach), abs=0.03 * reach)


def brute(one: Sequence[Items], other: Sequence[Items]) -> float:
    """Return the share of all exchanges with a difference of means as large, in plain Python."""

    def f1(counts: Sequence[tuple[int, int]]) -> float:
        return 2 * sum(m for m, _ in counts) / sum(t for _, t in counts)

    def rows(run: Items) -> list[tuple[int, int]]:
        return [*zip(run.matched.tolist(), run.total.tolist(), strict=True)]

    number = len(one[0].total)
    found = []
    for exchanged in product((False, True), repeat=number):
        differences = []
        for ours, theirs in product(map(rows, one), map(rows, other)):
            mine = [b if e else a for a, b, e in zip(ours, theirs, exchanged, strict=True)]
            yours = [a if e else b for a, b, e in zip(ours, theirs, exchanged, strict=True)]
            differences.append(f1(mine) - f1(yours))
        found.append(abs(fmean(differences)))
    return fmean(one >= found[0] - 1e-12 for one in found)


def random_runs(rng: np.random.Generator, number: int, size: int) -> list[Items]:
    totals = rng.integers(2, 9, size=(number, size))
    return [
        items(*((int(rng.integers(0, t // 2 + 1)), int(t)) for t in row))
        for row in totals
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_exchanges_are_all_counted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, ours, theirs = (int(rng.integers(low, high)) for low, high in ((2, 8), (1, 4), (1, 4)))
    one, other = random_runs(rng, ours, size), random_runs(rng, theirs, size)
    found = compare_runs(one, other, Resampling(200)).p_these
    assert found == pytest.approx(brute(one, other), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_random_exchanges_come_near_to_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = random_runs(rng, 2, 8), random_runs(rng, 3, 8)
    assert compare_runs(one, other, Resampling(255)).p_these == pytest.approx(
        brute(one, other), abs=0.13  # four standard errors
    )  # fmt: skip


def test_the_order_of_runs_and_items_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    one, other = random_runs(rng, 3, 30), random_runs(rng, 2, 30)
    how = Resampling(199)
    shuffled = rng.permutation(30)

    def mixed(runs: Sequence[Items]) -> list[Items]:
        return [
            Items(run.matched[shuffled], run.upper[shuffled], run.total[shuffled])
            for run in reversed(runs)
        ]

    assert mean_interval(one, how) == mean_interval(mixed(one), how)
    assert compare_runs(one, other, how) == compare_runs(mixed(one), mixed(other), how)


def test_new_runs_need_two_runs_of_both(runs: Path) -> None:
    found = tables("compare", "good=good.*.amr", "poor.0.amr", "gold.amr", "--resamples", "99")
    (these,), (new,) = found["differences"], found["new-runs"]
    assert these["p"] is not None
    assert (new["p"], new["low"], new["significant"]) == (None, None, None)
    assert [row["deviation"] is None for row in found["ranking"]] == [False, True]


def test_unproven_items_make_a_test_more_careful() -> None:
    """What the bounds leave open may turn the difference around."""
    matched, total = np.array([5, 5, 5]), np.array([10, 10, 10])
    low = [Items(matched - k, matched, total) for k in (1, 2)]
    other = [Items(matched - k, matched - k, total) for k in (0, 1)]
    found = compare_runs(low, other, Resampling(99))
    assert found.low < 0 < found.high
    assert (found.p_these, found.p_new) == (1.0, 1.0)


def test_named_systems_of_one_run_are_compared_as_files(runs: Path) -> None:
    words = ("good.0.amr", "poor.0.amr")
    alone = tables("compare", *words, "gold.amr", "--resamples", "99")
    named = tables("compare", "x=good.0.amr", "y=poor.0.amr", "gold.amr", "--resamples", "99")
    as_text = json.dumps(named).replace('"x"', '"good"').replace('"y"', '"poor"')
    assert json.loads(as_text) == alone


def test_systems_come_from_a_file_words_and_python(runs: Path) -> None:
    Path("lists").mkdir()
    Path("lists/systems.toml").write_text(
        '[systems]\ngood = "../good.*.amr"\npoor = ["../poor.0.amr", "../poor.1.amr"]\n'
    )
    how = ("gold.amr", "--resamples", "99", "--metric", "smatch,sembleu")
    listed = tables("compare", *how, "--systems", "lists/systems.toml")
    words = tables("compare", "good=good.*.amr", "poor=poor.0.amr", "poor=poor.1.amr", *how)
    assert listed == words and [row["system"] for row in words["metrics"]] == ["good", "poor"]
    result = exactmatch.compare(
        {"good": [f"good.{k}.amr" for k in range(3)], "poor": ["poor.0.amr", Path("poor.1.amr")]},
        "gold.amr",
        resamples=99,
    )
    found = result.found
    assert isinstance(found, RunsRanking)
    assert found.systems["good"].mean == pytest.approx(23 / 24)
    assert "{'good': ['good.0.amr'," in result.document.provenance.command


def test_both_kinds_of_tests_are_named_in_every_format(runs: Path) -> None:
    words = ("compare", "good=good.*.amr", "poor=poor.*.amr", "gold.amr", "--resamples", "99")
    for form in ("text", "json", "markdown", "latex", "html"):
        text = run(*words, "--format", form).stdout
        assert "for these runs" in text and "for new runs" in text, form
    drawn = run(*words, "--format", "html").stdout
    assert "<svg" in drawn and "mean F1 with its 95% confidence interval, and each run" in drawn


def test_certificates_prove_the_means(runs: Path) -> None:
    words = ("compare", "good=good.*.amr", "poor=poor.*.amr", "gold.amr", "--resamples", "99")
    written = run(*words, "--certificates", "c", "--format", "json")
    sentence = json.loads(written.stdout)["sentence"]
    told = run("verify", "c")
    assert told.exit_code == 0 and sentence in told.stdout
    manifest = Path("c/manifest.json")
    content = json.loads(manifest.read_text())
    assert content["choices"]["runs"]["poor"] == ["poor.0", "poor.1"]
    wrong: object
    for wrong in ({}, {"good": ["good.0"]}, {"all": ["good.0", "good.0"]}, {"x": "good.0"}, []):
        content["choices"]["runs"] = wrong
        manifest.write_text(json.dumps(content))
        refused = run("verify", "c")
        assert refused.exit_code == 1 and "runs" in refused.stderr, wrong


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("a=none.*.amr",), "none.*.amr: no file matches"),
        (("a=good.0.amr", "a=./good.0.amr"), "given twice as a run of a"),
        (("gold=good.0.amr",), "gold names two files"),
        (("good=good.1.amr", "good.amr"), "good names a file and other runs"),
    ],
)
def test_wrong_runs_are_refused(runs: Path, words: Sequence[str], reason: str) -> None:
    write("good.amr", numbered(*GOLD))
    result = run("compare", *words, "gold.amr")
    assert result.exit_code in (1, 2) and reason in result.stderr and not result.stdout


def test_a_run_is_not_overwritten_by_the_report(runs: Path) -> None:
    before = Path("good.1.amr").read_bytes()
    result = run("compare", "good=good.*.amr", "gold.amr", "--output", "good.1.amr")
    assert result.exit_code == 2 and Path("good.1.amr").read_bytes() == before


def test_a_file_with_a_sign_in_its_name_is_a_file(files: Path) -> None:
    assert named_word("a=b.amr") == ("a", "b.amr")
    assert named_word("./a=b.amr") is None and named_word("=b.amr") is None
    Path("a=b.amr").touch()
    assert named_word("a=b.amr") is None and systems_of_words(["a=b.amr"]) is None


@pytest.mark.parametrize(
    "text", ["", "[systems]", "[systems]\na = 1", "[systems]\na = []", "x = 1", "[", "\xff[",
     "[systems]\na=''"]
)  # fmt: skip
def test_a_wrong_list_of_systems_is_refused(files: Path, text: str) -> None:
    Path("s.toml").write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=r"s\.toml"):
        read_systems("s.toml")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('["good.1.amr", "none.amr"]', "none.amr: No such file or directory"),
        ('"none.*.amr"', r"none\.\*\.amr: no file matches"),
        ('"a\\u0000b"', "not a file name: embedded null byte"),
        ('"a\\u0000*"', "no file matches"),
    ],
)
def test_a_list_of_systems_that_names_no_file_is_itself_named(
    runs: Path, given: str, said: str
) -> None:
    Path("s.toml").write_text(f"[systems]\nbase = {given}\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"s\.toml: systems: 'base': .*{said}"):
        read_systems("s.toml")
    result = run("compare", "--systems", "s.toml", "gold.amr")
    assert result.exit_code == 1 and "s.toml" in result.stderr and not result.stdout


def test_no_path_has_a_null_byte(runs: Path) -> None:
    for systems in ({"base": ["a\0b"]}, {"base": "a\0b"}, ["a\0b"]):
        with pytest.raises(UsageError, match="not a file name: embedded null byte"):
            exactmatch.compare(systems, "gold.amr")
    with pytest.raises(UsageError, match="not a file name: embedded null byte"):
        exactmatch.agreement(["good.1.amr", "gold.amr"], items="a\0b")


def test_a_system_without_a_file_is_refused(runs: Path) -> None:
    with pytest.raises(UsageError, match="poor has no file"):
        exactmatch.compare({"poor": []}, "gold.amr")
