"""Properties of every metric: all commands take it, and its choices are options."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from study_files import blocks_of, write

import exactmatch
from exactmatch.certificate.checker import REFUTED, UNPROVEN
from exactmatch.cli import main
from exactmatch.graphs.graph import CAMR, CLAUSES, MRP, PENMAN, UMR
from exactmatch.metrics.registry import (
    ALIGNMENT_BASED,
    METRICS,
    alignment_based,
    metric_for,
    metric_labelled,
)

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
WORDS = ("--vectors", str(INSTANCES / "vectors" / "words.txt"))

#: A file to judge and a gold standard of each format.
GRAPHS = {
    PENMAN: ("agreement/a.amr", "agreement/b.amr"),
    MRP: ("mrp/system.mrp", "mrp/gold.mrp"),
    CLAUSES: ("drs/system.clf", "drs/gold.clf"),
    UMR: ("umr/a.umr", "umr/b.umr"),
    CAMR: ("camr/system.camr", "camr/gold.camr"),
}


def called(metric: str) -> tuple[str, str, tuple[str, ...]]:
    """Return a file to judge, a gold standard, and the options that name a metric."""
    kind = METRICS[metric]
    words = WORDS if "similarity" in kind.takes else ()
    is_usual = metric_for(kind.format).name == metric and not words
    return *GRAPHS[kind.format], (*(() if is_usual else ("--metric", metric)), *words)


every = pytest.mark.parametrize("metric", sorted(METRICS))
each = pytest.mark.parametrize("metric", sorted(ALIGNMENT_BASED))


@pytest.fixture(autouse=True, scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Make a folder the current one in which files of AMRs have their first items alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("few"))
        Path("agreement").mkdir()
        for name in ("agreement/a.amr", "agreement/b.amr"):
            write(name, blocks_of(INSTANCES / name)[:6])
        yield


def file(name: str) -> str:
    return name if Path(name).exists() else str(INSTANCES / name)


def run(command: str, metric: str, *words: str, status: int = 0) -> Result:
    system, gold, options = called(metric)
    names = [file(system), file(gold)]
    if command == "compare":
        names.insert(1, "--gold")
    if command == "verify":
        names.insert(0, words[0])
        options, words = tuple(o for o in options if o not in ("--metric", metric)), words[1:]
    result = CliRunner().invoke(main, [command, *names, *options, *words], catch_exceptions=False)
    assert result.exit_code == status, result.stderr
    return result


@pytest.mark.slow
@each
def test_score_is_proven_and_certified(metric: str, tmp_path: Path) -> None:
    proofs = str(tmp_path / "proofs.jsonl")
    words = ("--certificates", proofs, "--cross-check", "--breakdown", "--format", "json")
    content = json.loads(run("score", metric, *words).stdout)
    assert content["metric"] == metric
    assert content["optimal"] == content["confirmed"] == content["pairs"]
    assert content["long_signature"].startswith(f"{metric}|profile:")
    assert content["breakdown"].keys() <= set(METRICS[metric].parts)
    verdicts = run("verify", metric, proofs).stdout
    assert f"{REFUTED}: 0  {UNPROVEN}: 0\n{metric}|" in verdicts


@each
def test_a_breakdown_adds_up(metric: str) -> None:
    content = json.loads(run("score", metric, "--breakdown", "--format", "json").stdout)
    kinds = {"noun", "verb", "adjective", "adverb"}  # parts of another part, the concepts
    parts = [counts for part, counts in content["breakdown"].items() if part not in kinds]
    for key in ("matched", "system_total", "gold_total"):
        assert sum(counts[key] for counts in parts) == content[key]


@each
def test_swapping_the_files_swaps_precision_and_recall(metric: str) -> None:
    system, gold, options = called(metric)
    forth = json.loads(run("score", metric, "--format", "json").stdout)
    words = ["score", file(gold), file(system), *options, "--format", "json"]
    back = json.loads(CliRunner().invoke(main, words).stdout)
    assert forth["matched"] == back["matched"] == back["matched_upper"]
    assert (forth["precision"], forth["recall"]) == (back["recall"], back["precision"])


@each
def test_studies_take_every_metric(metric: str) -> None:
    score = json.loads(run("score", metric, "--format", "json").stdout)
    for command in ("iaa", "compare", "search-error"):
        short = ("--seeds", "1", "--method", "s") if command == "search-error" else ()
        report = json.loads(run(command, metric, *short, "--format", "json").stdout)
        assert report["signature"].startswith(f"{metric}|")
        table = {"iaa": "pairs", "compare": "ranking", "search-error": "methods"}[command]
        row = report["tables"][table][-1]
        if command != "search-error":
            assert (row["matched"], row["f1"]) == (score["matched"], pytest.approx(score["f1"]))
            assert row["proven"] == row["pairs"] == score["pairs"]
        else:
            assert row["pairs_right"] == 1


@pytest.mark.parametrize(
    "metric", [name for name in sorted(ALIGNMENT_BASED) if len(METRICS[name].profiles) > 1]
)
def test_choices_of_every_metric_are_explained(metric: str) -> None:
    """For any metric, the steps from one profile to another, choice by choice, add up."""
    first, *_, last = METRICS[metric].profiles
    if metric == "umatch":  # whose other profile maps by rules, so that it comes first
        first, last = f"{last}:scope=document", first
    report = json.loads(run("explain", metric, "--between", first, last, "--format", "json").stdout)
    *steps, whole = report["tables"]["steps"]
    for key in ("matched", "system_total", "gold_total"):
        assert sum(step[key] for step in steps) == whole[key]


@every
def test_compare_takes_every_metric(metric: str) -> None:
    score = json.loads(run("score", metric, "--format", "json").stdout)
    report = json.loads(run("compare", metric, "--resamples", "99", "--format", "json").stdout)
    (row,) = report["tables"]["ranking"]
    key = "score" if score["f1"] is None else "f1"
    assert row[key] == pytest.approx(score["score"], abs=1e-12)
    assert row[f"{key}_low"] <= row[key] <= row[f"{key}_high"]
    for name in ("precision", "recall"):
        assert row[name] == (None if score[name] is None else pytest.approx(score[name], abs=1e-12))
    assert row["pairs"] == row["proven"] == score["pairs"]
    assert report["signature"] == score["signature"]


@each
def test_what_every_metric_counts_is_exported(metric: str) -> None:
    pairs = run("export", metric, "--to", "triples").stdout.splitlines()
    identifier = json.loads(pairs[0])["id"]
    problem = json.loads(run("export", metric, "--id", identifier, "--to", "json").stdout)
    assert problem["terms"]
    assert run("export", metric, "--id", identifier, "--to", "wcnf").stdout.startswith("c ")


@each
def test_a_file_agrees_with_itself(metric: str) -> None:
    _, gold, options = called(metric)
    path = file(gold)
    words = ["iaa", path, path, *options, "--format", "json", "--table", "pairs"]
    result = CliRunner().invoke(main, words)
    (row,) = json.loads(result.stdout)["tables"]["pairs"]
    assert row["f1"] == row["macro_f1"] == 1.0


@every
def test_the_default_metric_of_a_format(metric: str) -> None:
    kind = METRICS[metric]
    usual = {"PENMAN": "smatch", "MRP": "mrp", "clause form": "counter", "UMR": "smatch"}
    usual["Chinese AMR"] = "smatch"
    assert metric_for(kind.format).name == usual[kind.format]
    others = {other.format for other in METRICS.values()} - {kind.format, *kind.also}
    also = ("MRP", "UMR", "Chinese AMR", *(("SBN",) if metric == "smatch" else ()))
    of_umr = ("PENMAN",) if metric == "ancast" else ()
    assert kind.also == (also if kind.format == "PENMAN" else of_umr)
    for form in others:
        with pytest.raises(exactmatch.InputError, match=f"{metric} compares graphs in"):
            metric_for(form, metric)


def test_metrics_that_do_not_exist_or_map_nothing() -> None:
    with pytest.raises(
        exactmatch.UsageError, match="no metric is called 'bleu'; the metrics are smatch"
    ):
        metric_for("PENMAN", "bleu")
    for name, kind in METRICS.items():
        profile = kind.profiles["default"]
        if name in ALIGNMENT_BASED:
            assert alignment_based(profile) is profile
        else:
            with pytest.raises(
                exactmatch.UsageError, match=f"{name} maps no variables; use one of"
            ):
                alignment_based(profile)


@pytest.mark.parametrize("metric", sorted(ALIGNMENT_BASED))
def test_labels_are_read_again(metric: str) -> None:
    kind = ALIGNMENT_BASED[metric]
    profiles = [p for p in kind.profiles.values() if isinstance(p, kind)]
    for profile in profiles:
        for choice, values in kind.choices().items():
            for value in values:
                chosen = profile.with_choices(**{choice: value})
                again = metric_labelled(chosen.label())
                assert again.signature() == chosen.signature()
                assert (again == profile) == (value == getattr(profile, choice))
    for wrong in ('{"metric":"none"}', "[]", "{", f'{{"metric":"{metric}"}}', "smatch"):
        with pytest.raises(exactmatch.UsageError, match="no metric has the label"):
            metric_labelled(wrong)


def test_files_of_two_formats_are_refused() -> None:
    amr, mrp = INSTANCES / "agreement/a.amr", INSTANCES / "mrp/system.mrp"
    for command in ("score", "iaa"):
        result = CliRunner().invoke(main, [command, str(amr), str(mrp)])
        assert (result.exit_code, result.stdout) == (1, "")
        assert f"{amr} is in PENMAN, but {mrp} in MRP" in result.stderr
    with pytest.raises(exactmatch.InputError, match=f"{amr} is in PENMAN, but {mrp} in MRP"):
        exactmatch.score(amr, mrp)


def test_choices_of_another_metric_are_refused() -> None:
    amr = str(INSTANCES / "agreement/a.amr")
    result = CliRunner().invoke(main, ["score", amr, amr, "--refs", "all"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "smatch has no choice called 'refs'; the choices are top, duplicates" in result.stderr
    profile = ["score", amr, amr, "--profile", "counter-2021"]
    assert "no profile of smatch is called" in CliRunner().invoke(main, profile).stderr
