"""Documents of AMR on the command line: with sentences aligned and free, and by sentence."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import exactmatch
from exactmatch.cli import main
from exactmatch.metrics.counts import Score, difference

# Two documents whose sentences have changed places, and one with nothing that fits.
SYSTEM = """# ::id one
(d / document :snt1 (a / rain-01 :time (c / night)) :snt2 (b / snow-01))

# ::id two
(d / document :snt1 (a / go-02 :ARG0 (p / person)) :snt2 (b / see-01 :ARG0 p))
"""
GOLD = """# ::id one
(d / document :snt1 (a / snow-01) :snt2 (b / rain-01 :time (c / night)))

# ::id two
(d / document :snt1 (a / go-02 :ARG0 (p / person)) :snt2 (b / hear-01 :ARG0 p :ARG1 (c / cat)))
"""


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["score", *map(str, words)], catch_exceptions=False)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    system, gold = tmp_path / "system.amr", tmp_path / "gold.amr"
    system.write_text(SYSTEM, encoding="utf-8")
    gold.write_text(GOLD, encoding="utf-8")
    return system, gold


def test_the_free_optimum_is_told_beside_the_aligned_one(files: tuple[Path, Path]) -> None:
    answer = run(*files, "--sentences", "aligned", "--free-too")
    assert answer.exit_code == 0
    lines = [line.split() for line in answer.output.splitlines()]
    # Of 17 and 19 triples: 4 and 8 in the sentences; freely, all 6 but the edges, and 8.
    start = lines.index(["sentences", "F1", "at", "most", "matched", "at", "most"])
    assert lines[start + 2 : start + 5] == [
        ["aligned", "0.6667", "0.6667", "12", "12"],
        ["free", "0.7778", "0.7778", "14", "14"],
        ["difference", "0.1111", "0.1111", "2", "2"],
    ]


def test_both_optima_in_json(files: tuple[Path, Path], tmp_path: Path) -> None:
    certificates = tmp_path / "certificates"
    answer = run(
        *files, "--profile", "docsmatch", "--free-too", "--certificates", certificates,
        "--format", "json", "--subscores", "documents", "--worst", "1",
    )  # fmt: skip
    content = json.loads(answer.output)
    aligned, free = content["metrics"]
    assert (aligned["matched"], free["matched"]) == (12, 14)
    assert content["difference"] == {
        "matched": 2, "matched_upper": 2, "f1": 4 / 36, "f1_upper": 4 / 36,
    }  # fmt: skip
    assert aligned["subscores"]["coreference"]["matched"] == 2
    assert free["subscores"]["coreference"]["pairs"] == 0
    assert [len(one["worst"]) for one in (aligned, free)] == [1, 1]
    verification = exactmatch.verify(certificates, *files)
    assert (verification.verified, verification.metric.profile) == (2, "docsmatch")


def test_bounds_of_the_difference() -> None:
    def score(matched: int, upper: int) -> Score:
        return Score(matched=matched, matched_upper=upper, system_total=10, gold_total=10)

    found = difference(score(5, 6), score(7, 9))
    assert (found.matched, found.matched_upper, found.f1, found.f1_upper) == (1, 4, 0.1, 0.4)
    assert difference(score(5, 8), score(7, 9)).matched == 0  # it is not less, whatever is found


@pytest.mark.parametrize(
    "words, said",
    [
        ((), "--free-too needs --sentences aligned, or --profile docsmatch"),
        (("--metric", "mrp"), "--free-too needs --sentences aligned"),
        (("--metric", "smatch", "--metric", "sembleu"), "--free-too takes one metric"),
        (("--by-framework",), "--by-framework and --free-too cannot be combined"),
    ],
)
def test_what_has_no_sentences(files: tuple[Path, Path], words: list[str], said: str) -> None:
    answer = run(*files, "--free-too", *words)
    assert answer.exit_code == 2
    assert said in answer.output


def test_umr_is_aligned_anyway(tmp_path: Path) -> None:
    umr = tmp_path / "a.umr"
    umr.write_text(
        "# :: snt1\nWords: a\n\n# sentence level graph:\n(s1a / b)\n\n# alignment:\ns1a: 1-1\n\n"
        "# document level annotation:\n(s1s0 / sentence)\n",
        encoding="utf-8",
    )
    answer = run(umr, umr, "--sentences", "aligned", "--free-too")
    assert answer.exit_code == 2
    assert "documents of UMR are always aligned" in answer.output


def test_documents_that_do_not_agree_are_left_out(files: tuple[Path, Path]) -> None:
    system, gold = files
    gold.write_text(GOLD.replace(":snt2 (b / rain", ":snt3 (b / rain"), encoding="utf-8")
    stopped = run(system, gold, "--sentences", "aligned")
    assert (stopped.exit_code, stopped.stdout) == (1, "")
    assert "system.amr:2 has :snt1 to :snt2" in stopped.stderr
    assert "gold.amr:2 has :snt1, :snt3" in stopped.stderr
    left = run(system, gold, "--sentences", "aligned", "--on-error", "skip", "--format", "json")
    content = json.loads(left.stdout)
    assert (left.exit_code, content["pairs"], content["skipped"]) == (1, 1, 1)
    assert "gold.amr:2 has :snt1, :snt3" in content["notes"][0]
    chosen = files[0].parent / "ids"
    chosen.write_text("two\n", encoding="utf-8")
    assert run(system, gold, "--sentences", "aligned", "--ids", chosen).exit_code == 0
