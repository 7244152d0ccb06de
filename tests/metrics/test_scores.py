"""Subscores of a corpus: sums, proofs, files, and the command."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from nightly import by_day
from samples import WEAK
from study_files import blocks_of

import exactmatch
from exactmatch.cli import main
from exactmatch.metrics.subscores.subscore import Subscore
from exactmatch.scoring import pair as pair_scoring

FOLDER = Path(__file__).resolve().parents[2] / "instances" / "agreement"
SYSTEM, GOLD = FOLDER / "a.amr", FOLDER / "b.amr"
#: The first items of both.
SOME = ["\n\n".join(blocks_of(path)[:10]) for path in (SYSTEM, GOLD)]
NAMES = "damonte,damonte-set,aspects,aspects-own"


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture(scope="module")
def result() -> exactmatch.CorpusScore:
    return exactmatch.score(SYSTEM, GOLD, subscores=NAMES)


def test_a_corpus_has_the_sums(result: exactmatch.CorpusScore) -> None:
    for name, found in result.subscores.items():
        pairs = [pair.subscores[name] for pair in result.per_pair if name in pair.subscores]
        assert found == sum(pairs, Subscore())
        assert found.pairs == len(pairs)
        assert found.unproven == 0
        assert 0 <= found.matched <= found.matched_upper
        assert found.exact <= found.exact_upper <= found.pairs
    assert result.subscores["all"][:4] == (689, 689, 963, 794)
    assert result.subscores["wiki"] == Subscore()


def test_a_mapping_of_its_own_matches_no_less(result: exactmatch.CorpusScore) -> None:
    for pair in result.per_pair:
        own = {name for name in pair.subscores if name.endswith("-own")}
        for name in own:
            alone, joint = pair.subscores[name], pair.subscores[name.removesuffix("-own")]
            assert alone.matched == alone.matched_upper >= joint.matched_upper
            assert alone[2:5] == joint[2:5]


def test_the_main_score_is_as_without(result: exactmatch.CorpusScore) -> None:
    plain = exactmatch.score(SYSTEM, GOLD)
    assert (plain.matched, plain.signature) == (result.matched, result.signature)
    assert [pair.mapping for pair in plain.per_pair] == [pair.mapping for pair in result.per_pair]
    assert not plain.subscores
    assert result.settings.subscores is not None
    assert result.settings.subscores.signature() in result.long_signature


def test_exact_matches() -> None:
    graphs = ["(b / bark-01 :ARG0 (d / dog))", "(c / cat)"]
    found = exactmatch.score(graphs, [graphs[0], "(d / dog)"], subscores="all,srl,frames")
    assert found.subscores["all"][4:] == (2, 1, 1, 0)
    assert found.subscores["srl"][4:] == (1, 1, 1, 0)


def test_what_is_not_proven_is_a_true_interval(
    result: exactmatch.CorpusScore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair_scoring.Mapper.__init__, "__defaults__", (WEAK, None, None))
    weak = exactmatch.score(SYSTEM, GOLD, subscores=NAMES, solver="dual")
    assert weak.optimal < weak.pairs
    unproven = 0
    for pair, known in zip(weak.per_pair, result.per_pair, strict=True):
        for name, found in pair.subscores.items():
            exact = known.subscores[name]
            assert found.matched <= exact.matched <= exact.matched_upper <= found.matched_upper
            assert found[2:5] == exact[2:5]
            unproven += found.unproven
    assert unproven == sum(found.unproven for found in weak.subscores.values()) > 0
    assert weak.subscores["all"].unproven == weak.pairs - weak.optimal
    assert weak.subscores["concepts"].unproven == 0


@pytest.mark.slow
@pytest.mark.parametrize("duplicates", by_day(["set", "multiset", "product"]))
def test_a_search_proves_nothing(duplicates: Any) -> None:
    heuristic, exact = (
        exactmatch.score(*SOME, method=method, duplicates=duplicates, subscores=NAMES)
        for method in ("s", "exact")
    )
    for name, found in heuristic.subscores.items():
        known = exact.subscores[name]
        assert found.matched <= known.matched <= known.matched_upper <= found.matched_upper
    both_have_some = [
        pair for pair in heuristic.per_pair if pair.subscores["srl"].matched_upper > 0
    ]
    assert heuristic.subscores["srl"].unproven == len(both_have_some)


@pytest.mark.slow
def test_workers_give_the_same(result: exactmatch.CorpusScore) -> None:
    assert exactmatch.score(SYSTEM, GOLD, subscores=NAMES, workers=2).subscores == result.subscores


def test_only_smatch_has_subscores() -> None:
    with pytest.raises(exactmatch.UsageError, match="sembleu has no subscores"):
        exactmatch.score(SYSTEM, GOLD, metric=["smatch", "sembleu"], subscores="damonte")
    with pytest.raises(exactmatch.UsageError, match="sembleu has no subscores"):
        [*exactmatch.score_pairs(SYSTEM, GOLD, metric="sembleu", subscores="damonte")]


def as_json(*words: object) -> Any:
    answer = run("score", SYSTEM, GOLD, "--format", "json", *words)
    assert answer.exit_code == 0
    return json.loads(answer.stdout)


@pytest.mark.slow
def test_subscores_are_written_as_json(result: exactmatch.CorpusScore, tmp_path: Path) -> None:
    files = {ending: tmp_path / f"pairs.{ending}" for ending in ("jsonl", "csv")}
    content = as_json("--subscores", NAMES, "--per-pair", files["jsonl"])
    assert list(content["subscores"]) == list(result.subscores)
    for name, found in result.subscores.items():
        shown = content["subscores"][name]
        assert {key: shown[key] for key in found._asdict()} == found._asdict()
        assert shown["f1_upper"] == (found.score().f1_upper if found.pairs else None)
    assert {each["mapping"] for each in content["subscores"].values()} == {"none", "own", "main"}
    assert content["subscores_signature"] in content["long_signature"]
    lines = [json.loads(line) for line in files["jsonl"].read_text("utf-8").splitlines()]
    for line, pair in zip(lines, result.per_pair, strict=True):
        assert line["subscores"].keys() == pair.subscores.keys()
        assert line["subscores"]["srl"]["matched_upper"] == pair.subscores["srl"].matched_upper
    as_json("--subscores", "concepts", "--per-pair", files["csv"])
    with files["csv"].open(encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    matched = [json.loads(row["subscores"])["concepts"]["matched"] for row in rows]
    assert matched == [pair.subscores["concepts"].matched for pair in result.per_pair]


def test_subscores_stand_in_a_table(result: exactmatch.CorpusScore) -> None:
    shown = run("score", SYSTEM, GOLD, "--subscores", NAMES).stdout
    rows = {line.split()[0]: line for line in shown.splitlines() if line}
    assert rows["entities"].split()[1:4] == ["entities", "(type", "only)"]
    assert rows["wiki"].split()[-8:] == [*("n/a", "n/a"), *("0", "0", "0", "0", "0", "0")]
    srl = result.subscores["srl"]
    assert f" {srl.matched}..{srl.matched_upper} " in rows["srl"]
    assert f" {srl.score().f1:.4f}..{srl.score().f1_upper:.4f} " in rows["srl"]
    assert rows["concepts"].split()[2:7] == ["none", "0.7346", "0.8986", "0.8083", "310"]


def test_what_best_mappings_do_not_agree_on_is_a_range_in_the_table(tmp_path: Path) -> None:
    """Either bird may be that of gold, in all or in nothing of its negation: concept and role."""
    paths = tmp_path / "system.amr", tmp_path / "gold.amr"
    paths[0].write_text("(a / and :op1 (x / bird :polarity -) :op2 (y / bird :quant 3))", "utf-8")
    paths[1].write_text("(a / and :op4 (x / bird :polarity - :quant 3))", "utf-8")
    output = run("score", *paths, "--subscores", "aspect-polarity").stdout
    (row,) = (line for line in output.splitlines() if line.startswith("aspect-polarity "))
    # matched, of system, of gold, pairs, exact, not proven
    assert row.split()[-6:] == ["0..2", "2", "2", "1", "0..1", "0"]


def test_runs_with_subscores_go_on(result: exactmatch.CorpusScore, tmp_path: Path) -> None:
    words = ("--subscores", NAMES, "--no-seconds", "--resume", tmp_path / "run")
    first = as_json(*words)
    assert as_json(*words) == first
    other = run("score", SYSTEM, GOLD, "--subscores", "all", *words[2:])
    assert other.exit_code == 2
    assert "subscores" in other.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--subscores", "nothing"), "no subscore is called 'nothing'"),
        (("--subscores", ""), "no subscore is called ''"),
        (("--frames", SYSTEM), "--frames needs --subscores or --aspects"),
        (("--aspects", "none.toml"), "none.toml"),
        (("--subscores", "all", "--metric", "sembleu"), "sembleu has no subscores"),
    ],
)
def test_what_makes_no_sense(words: tuple[object, ...], message: str) -> None:
    answer = run("score", SYSTEM, GOLD, *words)
    assert answer.exit_code == (1 if "none.toml" in words else 2)
    assert message in answer.stderr
