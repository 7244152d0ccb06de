"""The command line: its output, the stream of each part, and its exit status."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import generate
import pytest
from click.testing import CliRunner, Result
from nightly import by_day
from partial_files import has_content, partial_of
from started_processes import running

from exactmatch.cli import main
from exactmatch.scoring import comparison
from exactmatch.scoring import pair as pair_scoring
from exactmatch.scoring import stream as scoring

INSTANCES = Path(generate.__file__).parent

TEST = "# ::id 1\n(s / sing-01 :ARG0 (b / bird))\n\n# ::id 2\n(a / alpha)\n"
GOLD = "# ::id 1\n(x / sing-01 :ARG0 (c / cat))\n\n# ::id 2\n(a / alpha)\n"

#: The keys that programs may count on, in order.
CONTRACT = [
    "schema", "metric", "signature", "pairs", "optimal", "timed_out", "skipped",
    "matched", "matched_upper", "system_total", "gold_total",
    "precision", "recall", "f1", "precision_upper", "recall_upper", "f1_upper", "gap", "seconds",
]  # fmt: skip
PAIR_CONTRACT = [
    "id", "matched", "upper", "status", "system_total", "gold_total",
    "precision", "recall", "f1", "f1_upper", "solver", "seconds", "mapping",
]  # fmt: skip


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("system.amr").write_text(TEST, encoding="utf-8")
    Path("gold.amr").write_text(GOLD, encoding="utf-8")
    return tmp_path


def run(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, words, input=given)


def score(*words: str) -> Result:
    return run("score", "system.amr", "gold.amr", *words)


def test_json_keeps_its_contract(files: Path) -> None:
    result = score("--format", "json", "--per-pair", "pairs.jsonl")
    assert (result.exit_code, result.stderr) == (0, "")
    content = json.loads(result.stdout)
    assert [key for key in content if key in CONTRACT] == CONTRACT
    assert (content["matched"], content["matched_upper"], content["gap"]) == (5, 5, 0)
    assert (content["system_total"], content["gold_total"]) == (6, 6)
    assert content["f1"] == 5 / 6
    assert content["signature"].startswith("smatch|profile:default.2|top:constant|duplicates:set|")
    assert "ortools-" in content["long_signature"]
    pairs = [json.loads(line) for line in Path("pairs.jsonl").read_text("utf-8").splitlines()]
    for pair in pairs:
        assert [key for key in pair if key in PAIR_CONTRACT] == PAIR_CONTRACT
    assert pairs[0]["mapping"] == [["s", "x"], ["b", "c"]]
    assert sum(pair["matched"] for pair in pairs) == 5


def test_swapping_the_files_swaps_precision_and_recall(files: Path) -> None:
    Path("system.amr").write_text(TEST.replace("(a / alpha)", "(a / alpha :x 1)"), encoding="utf-8")
    words = ("--format", "json", "--cross-check")
    forth = json.loads(run("score", "system.amr", "gold.amr", *words).stdout)
    back = json.loads(run("score", "gold.amr", "system.amr", *words).stdout)
    swapped = {
        "precision": "recall",
        "precision_upper": "recall_upper",
        "system_total": "gold_total",
    }
    swapped |= {other: key for key, other in swapped.items()}
    for key in set(forth) - {"seconds"}:
        assert forth[key] == back[swapped.get(key, key)], key


def test_score_prints_a_text(files: Path) -> None:
    result = score()
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert lines[0].split() == ["Smatch", "found", "at", "most", "triples"]
    assert lines[2].split() == ["precision", "0.8333", "0.8333", "5", "of", "6"]
    assert lines[4].split() == ["F1", "0.8333", "0.8333"]
    assert "proven: 2 of 2 pairs; no mapping of variables scores higher" in lines
    assert lines[-1].startswith("smatch|profile:default.2|")


def test_text_tells_precision_from_recall(files: Path) -> None:
    Path("system.amr").write_text(TEST.replace("(a / alpha)", "(a / alpha :x 1)"), encoding="utf-8")
    lines = [line.split() for line in score().stdout.splitlines()]
    assert lines[2] == ["precision", "0.7143", "0.7143", "5", "of", "7"]
    assert lines[3] == ["recall", "0.8333", "0.8333", "5", "of", "6"]


#: Runs one command after the other, until one fails, and prints a line after each.
ONE_BY_ONE = """
import json, sys
from exactmatch.__main__ import run
for words in json.loads(sys.argv[1]):
    sys.stdout.reconfigure(errors="strict")  # as it is at the start
    sys.argv[1:] = words
    try:
        run()
    except SystemExit as ended:
        if ended.code:
            raise
    print("END")
"""


@pytest.mark.slow
@pytest.mark.parametrize("encoding", by_day(["cp1252", "ascii"]))  # it is UTF-8 in other tests
def test_any_encoding_of_the_terminal_will_do(files: Path, encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "LC_ALL": "C"}
    Path("system.amr").write_text(TEST.replace("(b / bird)", "(語 / bird)"), encoding="utf-8")
    commands = [
        ["score", "--format", "json", "system.amr", "gold.amr"],
        ["score", "system.amr", "gold.amr"],
        ["export", "--to", "json", "--id", "1", "system.amr", "gold.amr"],
        ["export", "--to", "wcnf", "--id", "1", "system.amr", "gold.amr"],
    ]
    run = subprocess.run(
        [sys.executable, "-c", ONE_BY_ONE, json.dumps(commands)],
        env=environment,
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, b"")
    *printed, rest = run.stdout.split(b"END")
    assert [bool(text.strip()) for text in printed] == [True] * 4 and not rest.strip()


@pytest.mark.skipif(os.name != "posix", reason="closes streams as a shell does")
@pytest.mark.parametrize(
    "words, said",
    [
        ("score - gold.amr <&-", "<stdin>: closed"),
        ("score system.amr gold.amr >&-", "standard output: closed"),
        ("--help >&-", "standard output: closed"),
    ],
)
def test_closed_streams_are_named(files: Path, words: str, said: str) -> None:
    run = subprocess.run(
        f"{sys.executable} -m exactmatch {words}", shell=True, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith(f"error: {said}")


def test_links_to_inputs_are_not_written_over(files: Path) -> None:
    Path("hard.amr").hardlink_to("gold.amr")
    result = score("--mappings", "hard.amr")
    assert (result.exit_code, result.stdout) == (2, "")
    assert Path("gold.amr").read_text("utf-8") == GOLD


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
@pytest.mark.parametrize("option", ["--per-pair", "--mappings"])
def test_a_full_disk_is_named(files: Path, option: str) -> None:
    result = score(option, "/dev/full")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "error: /dev/full: No space left on device\n"


def test_options_that_do_not_go_together(files: Path) -> None:
    for words in (
        ["--method", "s"],
        ["--starts", "all"],
        ["--heuristic", "--cross-check"],
        ["--heuristic", "--solver", "ilp"],
        ["--per-pair", "-"],
    ):
        result = score(*words)
        assert (result.exit_code, result.stdout) == (2, ""), words
    assert score("--timeout", "inf").exit_code == 0


def test_mappings_are_written_to_be_read(files: Path) -> None:
    Path("system.amr").write_text(TEST.replace(":ARG0 (b / bird)", ""), encoding="utf-8")
    assert score("--mappings", "m.txt").exit_code == 0
    assert Path("m.txt").read_text("utf-8").split("\n\n")[0] == (
        "# ::id 1\n# 2 triples matched of 2 and 4, optimal\n"
        "# no other mapping is as good\n"
        "s / sing-01   x / sing-01\n-             c / cat"
    )


def test_profiles_and_choices_are_told_by_the_signature(files: Path) -> None:
    for words, signature in [
        (["--profile", "smatch-1.0.4"], "profile:smatch-1.0.4.3|top:attribute"),
        (["--top", "none"], "profile:custom|top:none"),
        (["--inverse-constants", "drop"], "inverse-constants:drop"),
        (["--heuristic", "--seed", "3"], "method:s+4r|starts:all|seed:3"),
        (["--heuristic", "--method", "base"], "method:base|starts:all|seed:0"),
        (["--heuristic", "--starts", "candidates"], "method:s+4r|starts:candidates|seed:0"),
    ]:
        result = score("--format", "json", *words)
        assert result.exit_code == 0
        assert signature in json.loads(result.stdout)["signature"]


def test_standard_input_and_gzip(files: Path) -> None:
    assert run("score", "-", "gold.amr", given=TEST).stdout == score().stdout
    assert run("score", "-", "-").exit_code == 2


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes of POSIX")
@pytest.mark.parametrize(
    "words",
    by_day(
        [
            ["score", "--workers", "2", "--pair-by", "id"],
            ["verify", "proofs.jsonl"],
            ["export", "--to", "wcnf", "--id", "1"],
            ["score", "--per-pair", "pairs.jsonl"],
            ["score", "--metric", "smatch", "--metric", "sembleu"],
            ["export", "--to", "triples"],
            ["import-solution", "solution.txt", "--id", "1"],
        ]
    ),
    ids=" ".join,
)
def test_files_of_graphs_may_be_pipes(files: Path, words: list[str]) -> None:
    """``<(zcat x)`` makes such pipes, on which a second opening waits forever."""
    assert score("--certificates", "proofs.jsonl").exit_code == 0
    Path("solution.txt").write_text('{"mapping": [[0, 0], [1, 1]]}', encoding="utf-8")
    for name, text in (("system.pipe", TEST), ("gold.pipe", GOLD)):
        os.mkfifo(name)
        threading.Thread(target=Path(name).write_text, args=(text, "utf-8"), daemon=True).start()
    piped = subprocess.run(
        [sys.executable, "-m", "exactmatch", *words, "system.pipe", "gold.pipe"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (piped.returncode, piped.stderr) == (0, "")
    assert piped.stdout == run(*words, "system.amr", "gold.amr").stdout


BAD = {
    "missing.amr": (None, "No such file or directory"),
    "empty.amr": (b"", "holds no graph"),
    "unclosed.amr": (TEST.replace("bird))", "bird)").encode(), ":2: graph 1 (id 1): this parenth"),
    "concept.amr": (TEST.replace("(b / bird)", "(b)").encode(), "variable b has no concept"),
    "number.amr": (TEST.split("\n\n")[0].encode(), "1 in number.amr, 2 in gold.amr; graph 2"),
    "other.amr": (TEST.replace("::id 2", "::id 3").encode(), "identifier 3 at other.amr:4, but 2"),
    "latin.amr": (TEST.replace("bird", "b\xefrd").encode("latin-1"), ":2: graph 1 (id 1): byte 0x"),
    "broken.gz": (b"\x1f\x8b\x08nothing", "broken gzip file"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_message_and_no_score(files: Path, name: str) -> None:
    content, message = BAD[name]
    if content is not None:
        Path(name).write_bytes(content)
    result = run("score", name, "gold.amr", "--per-pair", "pairs.jsonl")
    assert (result.exit_code, result.stdout) == (1, "")
    first = result.stderr.splitlines()[0]
    assert first.startswith("error: ")
    assert name in first and message in first
    assert "Traceback" not in result.stderr
    assert not Path("pairs.jsonl").exists()


def test_paths_that_cannot_be_used(files: Path) -> None:
    for words, status, message in [
        (["score", ".", "gold.amr"], 1, "number of graphs: 4 in ., 2 in gold.amr"),
        (["score", "system.amr", "gold.amr", "--per-pair", "no/such/place"], 1, "no/such/place"),
        (["score", "system.amr", "gold.amr", "--mappings", "."], 1, "irectory"),
        (["score", "system.amr", "gold.amr", "--per-pair", "gold.amr"], 2, "overwritten"),
        (
            ["score", "system.amr", "gold.amr", "--per-pair", "x", "--mappings", "x"],
            2,
            "two outputs",
        ),
        (["score", "system.amr", "gold.amr", "--timeout", "nan"], 2, "not a number of seconds"),
        (["score", "system.amr", "gold.amr", "--timeout", "-1"], 2, "not a number of seconds"),
        (["score", "system.amr"], 2, "missing argument 'GOLD'"),
        (
            ["score", "system.amr", "gold.amr", "--profile", "mine"],
            2,
            "is called 'mine'; the profiles are",
        ),
    ]:
        result = run(*words)
        assert (result.exit_code, result.stdout) == (status, ""), words
        assert message in result.stderr, words
    assert Path("gold.amr").read_text("utf-8") == GOLD


def test_bad_graphs_can_be_skipped_or_emptied(files: Path) -> None:
    Path("system.amr").write_text(TEST.replace("bird))", "bird)"), encoding="utf-8")
    for policy, pairs, skipped, emptied, total in (("skip", 1, 1, 0, 2), ("empty", 2, 0, 1, 6)):
        result = score(
            "--on-error", policy, "--format", "json", "--per-pair", "p", "--mappings", "m"
        )
        content = json.loads(result.stdout)
        assert result.exit_code == 1
        assert "note: system.amr:2: graph 1 (id 1)" in result.stderr
        assert (content["pairs"], content["skipped"], content["emptied"]) == (
            pairs,
            skipped,
            emptied,
        )
        assert content["gold_total"] == total
        assert len(Path("p").read_text("utf-8").splitlines()) == 2


def test_missing_graphs_are_listed_and_counted(files: Path) -> None:
    Path("system.amr").write_text(TEST.split("\n\n")[1], encoding="utf-8")
    result = score("--pair-by", "id")
    assert result.exit_code == 1
    assert "note: system.amr: no graph 1" in result.stderr
    assert "pairs skipped: 1" in result.stdout


def test_what_is_not_proven_can_be_refused(files: Path) -> None:
    system, gold = generate.family("unrelated", 6, seed=1)
    Path("system.amr").write_text(system, encoding="utf-8")
    Path("gold.amr").write_text(gold, encoding="utf-8")
    open_still = score("--timeout", "0", "--format", "json")
    assert open_still.exit_code == 0
    content = json.loads(open_still.stdout)
    assert (content["optimal"], content["timed_out"]) == (0, 1)
    assert content["matched"] <= 11 <= content["matched_upper"]
    for words in (["--timeout", "0"], ["--total-timeout", "0"]):
        refused = score("--require-optimal", *words)
        assert refused.exit_code == 3
        assert "the true F1 lies between" in refused.stdout
        assert "pairs that reached the time limit: 1" in refused.stdout
        assert refused.stderr == "error: 1 of 1 pair not proven\n"
    assert score("--require-optimal").exit_code == 0


def test_a_cross_check_is_told(files: Path) -> None:
    result = score("--cross-check")
    assert result.exit_code == 0
    assert "confirmed by a second solver: 2 of 2 pairs" in result.stdout
    hurried = score("--cross-check", "--timeout", "0")
    assert hurried.exit_code == 3
    assert "not confirmed in time" in hurried.stderr


def under(least: str, *words: str) -> tuple[int, str]:
    result = score("--fail-under", least, *words)
    assert "found" in result.stdout or result.exit_code == 2
    return result.exit_code, result.stderr


def test_a_score_that_is_too_low_is_exit_status_6(files: Path) -> None:
    """F1 is 5/6 here, which as a float is 0.8333333333333334 and larger than that."""
    assert float("0.8333333333333334") == 5 / 6
    assert under("0.8333333333333333") == under("5/6") == under("0") == (0, "")
    said = "error: smatch: F1 is at most 0.8333333333333333, below 0.8333333333333334\n"
    assert under("0.8333333333333334") == (6, said)
    said = "error: smatch: F1 is at most 0.8333333333333333333, below 0.83333333333333333335\n"
    assert under("0.83333333333333333335") == (6, said)
    said = "error: smatch: F1 is at most 0.83333, below 83334e-5\n"
    assert under("83334e-5") == (6, said)
    assert under("1")[0] == 6
    for wrong in ("57", "-0.1", "all", "nan", "1/0"):
        said = f"error: --fail-under: {wrong!r} is not a number from 0 to 1\n"
        assert under(wrong) == (2, said)


def test_a_score_that_may_be_too_low_is_exit_status_3() -> None:
    files = [str(INSTANCES / "hard" / f"unrelated.{side}.amr") for side in ("system", "gold")]
    words = ["score", *files, "--timeout", "0", "--memory", "1"]
    content = json.loads(run(*words, "--format", "json").stdout)
    low, high = content["f1"], content["f1_upper"]
    between = str((low + high) / 2)
    assert low < float(between) < high
    assert run(*words, "--fail-under", str(low - 0.001)).exit_code == 0
    result = run(*words, "--fail-under", between)
    said = (
        f"error: smatch: F1 lies between {low:.4f} and {high:.4f}; whether it reaches "
        f"{between} is not proven\n"
    )
    assert (result.exit_code, result.stderr) == (3, said)
    assert run(*words, "--fail-under", str(high + 0.001)).exit_code == 6


def test_each_of_several_metrics_has_to_reach_what_is_asked_for(files: Path) -> None:
    low, high = ("--metric", "smatch"), ("--metric", "smatch", "--metric", "sembleu")
    assert score("--fail-under", "0.8", *low).exit_code == 0
    result = score("--fail-under", "0.8", *high)
    assert result.exit_code == 6 and result.stderr.startswith("error: sembleu: ")
    assert "smatch" not in result.stderr
    assert "--by-framework and --fail-under cannot be combined" in under("1", "--by-framework")[1]


def test_a_score_of_nothing_is_below_any_other_and_that_is_said(files: Path) -> None:
    result = score("--fail-under", "0.5", "--where", "id=nobody")
    assert result.exit_code == 6
    assert result.stderr.endswith("F1 is at most 0.0000, below 0.5: nothing was scored\n")


def test_a_disagreement_is_exit_status_4(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "count_matched", lambda *_: 99)
    monkeypatch.setattr(scoring, "counter_of", lambda *_: None)
    result = score()
    assert (result.exit_code, result.stdout) == (4, "")
    assert "claims 3 matched triples, but its mapping matches 99" in result.stderr


def test_an_interrupt_leaves_what_is_done(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[Any] = []

    def interrupted(pair: Any, *given: Any, **further: Any) -> Any:
        if scored:
            raise KeyboardInterrupt
        scored.append(pair)
        return real(pair, *given, **further)

    real = pair_scoring.score_pair
    monkeypatch.setattr(pair_scoring, "score_pair", interrupted)
    monkeypatch.setattr(scoring, "counter_of", lambda *_: None)
    result = score("--format", "json", "--per-pair", "pairs.jsonl")
    assert result.exit_code == 130
    content = json.loads(result.stdout)
    assert (content["partial"], content["pairs"]) == (True, 1)
    partial = partial_of(Path("pairs.jsonl"))
    assert len(partial.read_text("utf-8").splitlines()) == 1
    assert not Path("pairs.jsonl").exists()
    assert result.stderr == (
        f"note: {partial} holds what was written so far; pairs.jsonl is not written\n"
    )
    scored.clear()
    assert "PARTIAL: interrupted" in score().stdout


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="interrupts a process as a terminal does")
def test_an_interrupt_reaches_the_solver(files: Path) -> None:
    pairs = [generate.family("unrelated", size, seed=1) for size in (6, 60)]
    for name, texts in zip(("system.amr", "gold.amr"), zip(*pairs, strict=True), strict=True):
        Path(name).write_text("\n\n".join(texts), encoding="utf-8")
    words = "score system.amr gold.amr --timeout 300 --format json --per-pair pairs.jsonl"
    with running(sys.executable, "-m", "exactmatch", *words.split()) as process:
        for _ in range(600):
            if process.poll() is not None or has_content(Path("pairs.jsonl")):
                break
            time.sleep(0.1)
        time.sleep(1)  # the first pair is done; most likely the solver is at work on the second
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    content = json.loads(output)
    assert (content["partial"], content["pairs"]) == (True, 1)
    partial = partial_of(Path("pairs.jsonl"))
    assert errors.startswith(f"note: {partial} holds what was written so far")
    assert errors.count("\n") == 1


def test_help_and_version_are_printed() -> None:
    for words in (["--help"], ["-h"], ["score", "--help"], ["--version"]):
        result = run(*words)
        assert (result.exit_code, result.stderr) == (0, "")
    assert "--require-optimal" in run("score", "--help").stdout


def test_a_breakdown_says_how_many_pairs_have_no_range(files: Path) -> None:
    (table,) = (t for t in score("--breakdown").stdout.split("\n\n") if "of gold" in t)
    assert "no range" not in table
    for name, text in {"system.amr": TEST, "gold.amr": GOLD}.items():
        Path(name).write_text(text.split("\n\n")[0], encoding="utf-8")
    limited = score("--breakdown", "--memory", "1").stdout
    (table,) = (t for t in limited.split("\n\n") if "of gold" in t)
    head, _, *rows = table.splitlines()
    assert head.endswith("no range")
    assert [row.split()[1:] for row in rows] == 3 * [["n/a", "n/a", "n/a", "0", "0", "0", "1"]]
