"""The functions of smatch 1.0.4: its figures where its search is right, and the optimum."""

import io
import random
import warnings
from pathlib import Path
from typing import Any

import generate
import pytest
from click.testing import CliRunner
from samples import random_graph
from seeds import each_seed

import exactmatch
from exactmatch.cli import main
from exactmatch.compat import amr, smatch
from exactmatch.scoring.settings import Settings

A = "(a / alpha :ARG0 (b / beta))"
FILES = [Path(generate.__file__).parent / "agreement" / f"{name}.amr" for name in ("a", "b")]
TRIPLES: Any = (
    [("instance", "a0", "want-01"), ("instance", "a1", "Boy_"), ("instance", "a2", "go-02")],
    [("TOP", "a0", "top"), ("polarity", "a2", "-")],
    [("ARG0", "a0", "a1"), ("ARG1", "a0", "a2"), ("ARG0", "a2", "a1")],
    [("instance", "bb0", "go-02"), ("instance", "bb1", "boy")],
    [("TOP", "bb0", "top"), ("Polarity", "bb0", "-")],
    [("arg0", "bb0", "bb1"), ("arg0", "bb0", "bb1")],
    "a",
    "bb",
)


@pytest.fixture(autouse=True)
def as_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the settings that tests and commands change."""
    for name in ("iteration_num", "verbose", "veryVerbose", "single_score", "match_triple_dict"):
        monkeypatch.setattr(smatch, name, getattr(smatch, name))
    for module in (smatch, amr):
        for name in ("ERROR_LOG", "DEBUG_LOG"):
            monkeypatch.setattr(module, name, io.StringIO())


def written(log: Any) -> str:
    text: str = log.getvalue()
    return text


@pytest.mark.parametrize(
    ("other", "counts"),
    [
        (A, (4, 4, 4)),
        ("(a / alternative :ARG0 (b / beta))", (3, 4, 4)),
        ("(a / alpha :ARG0 (b / b-side))", (3, 4, 4)),
        ("(b / beta :ARG0-of (a / alpha))", (3, 4, 4)),
    ],
)
def test_get_best_match_matches_as_tests_of_smatch_have_it(
    other: str, counts: tuple[int, int, int]
) -> None:
    """Tests of smatch clear the dictionary before every call."""
    smatch.match_triple_dict.clear()
    assert smatch.get_amr_match(A, other) == counts


@each_seed(30)
def test_counts_are_the_optimum_of_the_profile(seed: int) -> None:
    rng = random.Random(seed)
    (system, _), (gold, _) = random_graph(rng, 5), random_graph(rng, 6)
    best = exactmatch.best_mapping(system, gold, profile="smatch-1.0.4")
    counts = (best.matched, best.system_total, best.gold_total)
    assert smatch.get_amr_match(system, gold) == counts


@pytest.mark.parametrize("kind", ["instance", "attribute", "relation"])
def test_one_kind_of_triples(kind: str) -> None:
    first = "(w / want :ARG0 (b / boy) :ARG1 (g / go :ARG0 b :polarity -))"
    second = "(g / go :polarity - :ARG0 (b / boy))"
    found = smatch.get_amr_match(first, second, **{f"just{kind}": True})
    assert found == {"instance": (2, 3, 2), "attribute": (1, 2, 2), "relation": (1, 3, 1)}[kind]


def test_best_match_of_triples() -> None:
    mapping, matched = smatch.get_best_match(*TRIPLES)
    assert (mapping, matched) == ([-1, 1, 0], 5)  # the relation that is there twice counts twice
    candidates, weights = smatch.compute_pool(*TRIPLES)
    assert candidates == [{0}, {1}, {0}]
    assert weights[2, 0] == {-1: 2, (1, 1): 2}
    assert weights == {
        (0, 0): {-1: 1, (1, 1): 2},
        (1, 1): {-1: 1, (0, 0): 2, (2, 0): 2},
        (2, 0): {-1: 2, (1, 1): 2},
    }
    assert smatch.compute_match(mapping, weights) == matched
    assert smatch.compute_match([0, 1, -1], weights) == 4
    shown = "a0(want-01)-Null a1(Boy_)-bb1(boy) a2(go-02)-bb0(go-02)"
    assert smatch.print_alignment(mapping, TRIPLES[0], TRIPLES[3]) == shown


def test_nodes_without_instances_are_an_error() -> None:
    for wrong in ("a3", "a-1"):
        with pytest.raises(IndexError):
            smatch.get_best_match(TRIPLES[0], [("x", wrong, "y")], *TRIPLES[2:])
    with pytest.raises(IndexError):
        smatch.get_best_match(TRIPLES[0][::-1], *TRIPLES[1:])


def test_f_scores_are_computed_as_smatch_does() -> None:
    assert smatch.compute_f(3, 4, 6) == (0.75, 0.5, 0.6)
    assert smatch.compute_f(0, 4, 6) == smatch.compute_f(3, 0, 6) == (0.0, 0.0, 0.0)


def test_files_are_scored_pair_by_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = ["(a / b)\n", "\n", f"{A}\n"], ["(a / c)\n", "\n", f"{A}\n", "\n", A]
    assert list(smatch.score_amr_pairs(first, second)) == [(5 / 6, 5 / 6, 5 / 6)]
    assert "File 1 has less AMRs than file 2" in written(smatch.ERROR_LOG)
    monkeypatch.setattr(smatch, "single_score", False)
    assert list(smatch.score_amr_pairs(first, second)) == [(0.5, 0.5, 0.5), (1.0, 1.0, 1.0)]


@pytest.mark.parametrize("line", ["", "(a / b))", "(a / b / c)"])
@pytest.mark.parametrize("error", [ValueError, AttributeError])
def test_unreadable_graphs_are_errors_that_are_logged(line: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        smatch.get_amr_match(A, line)
    assert written(smatch.ERROR_LOG) or written(amr.ERROR_LOG)


def test_what_is_not_proven_is_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smatch, "_SETTINGS", Settings(timeout=60.0, memory=0))
    rng = random.Random(0)
    (system, _), (gold, _) = random_graph(rng, 6), random_graph(rng, 6)
    with pytest.warns(RuntimeWarning, match="7 triples match, at most 10"):
        smatch.get_amr_match(system, gold)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        list(smatch.score_amr_pairs([A], [A]))
    assert capfd.readouterr() == ("", "")
    assert not any(map(written, (smatch.ERROR_LOG, smatch.DEBUG_LOG, amr.ERROR_LOG)))


def command(*words: str, status: int = 0) -> Any:
    files = list(map(str, FILES))
    result = CliRunner().invoke(main, ["smatch", "-f", *files, *words])
    assert result.exit_code == status, result.stderr
    return result


def test_the_command_prints_what_smatch_prints() -> None:
    score = exactmatch.score(*FILES, profile="smatch-1.0.4")
    assert command("-r", "10").stdout == f"F-score: {score.f1:.2f}\n"
    assert command("--pr", "--significant", "4").stdout == (
        f"Precision: {score.precision:.4f}\nRecall: {score.recall:.4f}\nF-score: {score.f1:.4f}\n"
    )
    pairs = [f"F-score: {pair.f1:.3f}" for pair in score.per_pair]
    assert command("--ms", "--significant", "3").stdout.splitlines() == pairs


def test_verbose_output_tells_each_pair() -> None:
    command("-v", "--vv", "--ms")
    shown = written(smatch.DEBUG_LOG)
    for text in ("AMR pair 24\n", "best node mapping [", "Weight dictionary\n", "F-score: "):
        assert text in shown


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    bad = tmp_path / "bad.amr"
    bad.write_bytes(b"(a / \xff)")
    for text in (b"(a / \xff)", b"(a / b))"):
        bad.write_bytes(text)
        result = CliRunner().invoke(main, ["smatch", "-f", str(bad), str(FILES[0])])
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith("error: ")
        assert "bad.amr" in result.stderr
    twice = CliRunner().invoke(main, ["smatch", "-f", "-", "-"])
    assert (twice.exit_code, twice.stdout) == (2, "")
