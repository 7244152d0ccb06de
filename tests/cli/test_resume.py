"""Resumed runs give the same bytes, and refuse the folder of another run."""

import itertools
import json
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner, Result
from nightly import by_day
from started_processes import running
from study_files import blocks_of, write

import exactmatch
from exactmatch.cli import main
from exactmatch.graphs.pairing import read_pair
from exactmatch.runtime import checkpoint
from exactmatch.runtime.own_files import LOCK
from exactmatch.scoring import corpus
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.stream import ScoringTask, score_stream
from exactmatch.scoring.tally import Tally

pytestmark = pytest.mark.slow

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
WORDS = [
    *("score", "a.amr", "b.amr", "--no-seconds", "--breakdown", "--on-error", "skip"),
    *("--worst", "4", "--sort", "difference", "--where", "position!=3", "--format", "json"),
]
FILES = ("pairs.jsonl", "mappings.txt", "proofs.jsonl", "result.json")
OUTPUTS = ["--per-pair", FILES[0], "--mappings", FILES[1], "--certificates", FILES[2]]
ALL = [*WORDS, *OUTPUTS, "-o", FILES[3]]

posix = pytest.mark.skipif(os.name != "posix", reason="sends signals to processes")


#: The items of the agreement study that are scored fast.
ITEMS = (1, 2, 3, 4, 6, 7, 9, 11, 12, 13, 15, 17)


def write_inputs() -> None:
    """Write two files of 13 graphs into the current folder; one graph is unreadable."""
    for name in ("a.amr", "b.amr"):
        blocks = blocks_of(INSTANCES / "agreement" / name)
        write(name, ["# ::id broken\n(語 / (", *(blocks[item - 1] for item in ITEMS)])


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, made the current one, with the two files."""
    monkeypatch.chdir(tmp_path)
    write_inputs()
    return tmp_path


def run(*words: str, status: int = 1) -> Result:
    """Run a command that must succeed; its status is 1, since a pair is skipped."""
    result = CliRunner().invoke(main, words)
    assert result.exit_code == status, result.stderr
    return result


def taken() -> dict[str, bytes]:
    """Return the contents of the written files, and remove the files."""
    found = {}
    for name in FILES:
        found[name] = Path(name).read_bytes()
        Path(name).unlink()
    return found


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a run that nothing interrupts, and that keeps no checkpoint."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("whole"))
        write_inputs()
        run(*ALL, "--workers", "1")
        return taken()


@pytest.fixture
def whole(whole_run: dict[str, bytes], files: Path) -> dict[str, bytes]:
    """The same, in a folder with the two files."""
    return whole_run


class BrokenOffError(Exception):
    """The exception that interrupts a run in tests; no code expects it."""


def broken_after(monkeypatch: pytest.MonkeyPatch, answers: int, at: str = "_keep") -> None:
    """Break the next run off after so many answers, in the middle of keeping one."""
    true, left = getattr(corpus, at), [answers]

    def keep(*arguments: Any) -> None:
        if not left[0]:
            arguments[0].add(arguments[2])
            raise BrokenOffError
        left[0] -= 1
        true(*arguments)

    monkeypatch.setattr(corpus, at, keep)


def interrupted_after(monkeypatch: pytest.MonkeyPatch, answers: int) -> None:
    """Interrupt the next run after so many answers, when they are kept."""

    def stream(*arguments: Any, **options: Any) -> Any:
        found = score_stream(*arguments, **options)
        yield from itertools.islice(found, answers)
        for _ in found:
            raise KeyboardInterrupt

    monkeypatch.setattr(corpus, "score_stream", stream)


@pytest.mark.parametrize("workers", by_day(["1", "2"]))
def test_a_run_that_nothing_breaks_off_writes_the_same_bytes(
    whole: dict[str, bytes], workers: str
) -> None:
    run(*ALL, "--resume", "kept", "--workers", workers)
    assert taken() == whole
    # What is finished can be had again, as often as it is asked for.
    run(*ALL, "--resume", "kept", "--workers", workers)
    assert taken() == whole


@pytest.mark.parametrize(("workers", "between"), by_day([("1", 0.0), ("1", 1000.0), ("2", 0.0)]))
def test_a_run_that_is_broken_off_again_and_again_goes_on(
    whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch, workers: str, between: float
) -> None:
    """One run keeps a checkpoint after each pair, the other only the last checkpoint."""
    monkeypatch.setattr(checkpoint, "_SECONDS", between)
    for _ in range(3):
        with monkeypatch.context() as patch:
            broken_after(patch, 3)
            result = CliRunner().invoke(main, [*ALL, "--resume", "kept", "--workers", workers])
            assert isinstance(result.exception, BrokenOffError)
            assert "on files of the same content, to continue" in result.exception.__notes__[0]
        assert not any(Path(name).exists() for name in FILES)
    run(*ALL, "--resume", "kept", "--workers", workers)
    assert taken() == whole


def test_what_is_finished_is_neither_read_nor_scored(
    whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "_SECONDS", 0.0)
    with monkeypatch.context() as patch:
        broken_after(patch, 8)
        CliRunner().invoke(main, [*ALL, "--resume", "kept", "--workers", "1"])
    read: list[str] = []

    def reading(couple: Any, on_error: Any, policy: Any) -> Any:
        read.append(couple.identifier)
        return read_pair(couple, on_error, policy)

    monkeypatch.setattr("exactmatch.scoring.stream.read_pair", reading)
    run(*ALL, "--resume", "kept", "--workers", "1")
    assert read == [f"study.{item}" for item in ITEMS[7:]]
    assert taken() == whole


#: Runs a command, with a checkpoint after each pair, and kills itself at one of these.
KILLED = """
import os, sys
from exactmatch.runtime import checkpoint
from exactmatch.runtime.own_files import LOCK
from exactmatch.scoring import corpus
from exactmatch.__main__ import run
checkpoint._SECONDS = 0.0
true = corpus._keep
def keep(books, writes, answer):
    global left
    left -= 1
    if left == 0 and place == "before":
        os.kill(os.getpid(), 9)
    true(books, writes, answer)
    if left == 0:
        os.kill(os.getpid(), 9)
corpus._keep = keep
if __name__ == "__main__":
    left, place = int(sys.argv.pop(1)), sys.argv.pop(1)
    run()
"""


def ended(*words: str) -> tuple[int, str]:
    """Return the status and output of a script after all of its processes have ended."""
    with running(sys.executable, *words) as process:
        _, errors = process.communicate(timeout=120)
    return process.returncode, errors


@posix
@pytest.mark.parametrize(
    ("workers", "kills"),
    by_day([("2", [("4", "after")]), ("1", [("1", "before"), ("4", "after"), ("5", "before")])]),
)
def test_a_run_that_was_killed_goes_on(
    whole: dict[str, bytes], workers: str, kills: list[tuple[str, str]]
) -> None:
    Path("killed.py").write_text(KILLED, encoding="utf-8")
    words = [*ALL, "--resume", "kept", "--workers", workers]
    for pairs, place in kills:
        status, errors = ended("killed.py", pairs, place, *words)
        assert status == -signal.SIGKILL, errors
        assert not any(Path(name).exists() for name in FILES)
    # A file that is longer than the checkpoint says.
    with Path("kept/per-pair.lines").open("ab") as file:
        file.write(b'{"id": "half a li' * 9999)
    run(*words)
    assert taken() == whole


@pytest.mark.nightly
@posix
def test_a_run_that_was_interrupted_goes_on(whole: dict[str, bytes]) -> None:
    """An interrupt leaves a partial result, and a folder from which the run resumes."""
    text = KILLED.replace("os.getpid(), 9", "os.getpid(), 2")
    Path("interrupted.py").write_text(text, encoding="utf-8")
    words = [*ALL, "--resume", "kept", "--workers", "2"]
    status, errors = ended("interrupted.py", "7", "after", *words)
    assert status == 130, errors
    note = (
        "holds the finished pairs; run the same command, on files of the same content, to continue"
    )
    assert f"note: kept {note}\n" in errors
    assert json.loads(Path("result.json").read_text("utf-8"))["partial"] is True
    run(*words, "--workers", "1")  # others may go on with it
    assert taken() == whole


def test_runs_that_write_parquet_and_csv_go_on(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pyarrow import parquet

    monkeypatch.setattr(checkpoint, "_SECONDS", 0.0)
    for ending in ("parquet", "csv"):
        run(*WORDS, "--per-pair", f"whole.{ending}")
        words = [*WORDS, "--per-pair", f"pairs.{ending}", "--resume", ending]
        with monkeypatch.context() as patch:
            broken_after(patch, 7)
            CliRunner().invoke(main, words)
        run(*words)
        assert Path(f"pairs.{ending}").read_bytes() == Path(f"whole.{ending}").read_bytes()
    assert parquet.read_table("pairs.parquet").num_rows == 12


def kept_seconds() -> object:
    """Return how long all runs have taken, as the folder says."""
    _, text = Path("kept/checkpoint").read_text("ascii").splitlines()
    return json.loads(text)["state"]["seconds"]


def test_the_seconds_of_an_interrupted_run_are_not_lost(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(corpus, "time", SimpleNamespace(monotonic=lambda: float(next(ticks))))
    words = [*WORDS, "--resume", "kept", "-o", "result.json"]
    words.remove("--no-seconds")
    words[words.index("--worst") : words.index("--where")] = []
    kept = []
    for answers in (5, 5, 100):
        with monkeypatch.context() as patch:
            interrupted_after(patch, answers)
            assert CliRunner().invoke(main, words).exit_code == (1 if answers == 100 else 130)
        kept.append(json.loads(Path("result.json").read_text("utf-8"))["seconds"])
        assert kept_seconds() == kept[-1]
    assert kept == sorted(set(kept))
    assert kept[-1] <= next(ticks)  # nor counted twice


def test_functions_resume_as_well_as_commands(files: Path) -> None:
    options: dict[str, Any] = {"on_error": "skip", "metric": ["smatch", "sembleu"]}
    before = exactmatch.score(Path("a.amr"), Path("b.amr"), resume="kept", **options)
    assert kept_seconds() == before[0].seconds == before[1].seconds
    again = exactmatch.score(Path("a.amr"), Path("b.amr"), resume="kept", **options)
    plain = exactmatch.score(Path("a.amr"), Path("b.amr"), **options)
    for one, two, three in zip(before, again, plain, strict=True):
        assert (one.matched, one.value, one.macro_f1) == (
            three.matched,
            three.value,
            three.macro_f1,
        )
        assert (two.matched, two.value, two.macro_f1) == (one.matched, one.value, one.macro_f1)
        assert one.notes == two.notes == three.notes
        assert two.seconds >= one.seconds
        assert one.per_pair == ()
        with pytest.raises(exactmatch.UsageError, match="not kept"):
            one.to_frame()


CHANGES = {
    "another profile": (["--profile", "smatch-1.0.4"], "metrics: smatch|profile:default"),
    "another choice": (["--top", "none"], "metrics: "),
    "another metric": (["--metric", "sembleu"], "metrics: "),
    "a limit": (["--timeout", "3"], "timeout: 60.0, but now 3.0"),
    "memory": (["--memory", "99M"], "memory: "),
    "a seed": (["--seed", "3"], "seed: 0, but now 3"),
    "times": ([], "seconds: False, but now True"),
    "a breakdown": (["--breakdown"], "breakdown: False, but now True"),
    "pairing": (["--pair-by", "id"], "pair_by: position, but now id"),
    "errors": (["--on-error", "empty"], "on_error: skip, but now empty"),
    "conditions": (["--where", "position<9"], "where: none, but now "),
    "identifiers": (["--ids", "ids.txt"], "ids: none, but now 1 (SHA-256 "),
    "the worst": (["--worst", "3"], "worst: none, but now 3 by difference"),
    "another file": (["--per-pair", "other.jsonl"], "per-pair: "),
    "one more file": (["--mappings", "mappings.txt"], "mappings: none, but now /"),
}


PLAIN = [
    *("score", "a.amr", "b.amr", "--on-error", "skip"),
    *("--per-pair", "pairs.jsonl", "--resume", "kept"),
]


@pytest.fixture(scope="module")
def plain_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which a run without times has been finished, and is kept."""
    folder = tmp_path_factory.mktemp("plain")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write_inputs()
        Path("ids.txt").write_text("study.1\n", encoding="utf-8")
        run(*PLAIN, "--no-seconds")
    return folder


@pytest.mark.parametrize("change", by_day(CHANGES, 5))
def test_another_run_is_refused(
    plain_run: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(plain_run)
    before = {path.name: path.read_bytes() for path in Path("kept").iterdir()}
    more, said = CHANGES[change]
    result = run(*PLAIN, *(["--no-seconds"] if more else []), *more, status=2)
    assert result.stderr.startswith("error: kept holds another run; ")
    assert said in result.stderr
    assert {path.name: path.read_bytes() for path in Path("kept").iterdir()} == before
    run(*PLAIN, "--no-seconds")


def test_changed_files_are_refused(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [*WORDS, "--resume", "kept"]
    run(*words)
    for name, what in (("a.amr", "system"), ("b.amr", "gold")):
        text = Path(name).read_bytes()
        Path(name).write_bytes(text + b"\n")
        assert f"{what}: {name} (SHA-256 " in run(*words, status=2).stderr
        Path(name).write_bytes(text)
    run(*words)
    monkeypatch.setattr("exactmatch.api.runs.__version__", "9.9.9")
    assert "version: " in run(*words, status=2).stderr


def test_the_usual_memory_is_that_of_the_first_run(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The free memory changes from one moment to the next."""
    words = [*WORDS, "--resume", "kept"]
    first = run(*words).stdout
    monkeypatch.setattr("exactmatch.runtime.workers.MOST", 1 << 20)
    monkeypatch.setattr("exactmatch.api.until_cut.default_limit", lambda _: 1)
    assert run(*words).stdout == first


def damaged(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield damaged forms of a folder."""
    random.seed(1)
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        if not data:
            continue
        for number, length in enumerate((0, 1, len(data) // 2, len(data) - 2)):
            path.write_bytes(data[:length])
            yield f"{path.name} cut {number}", path
        place = random.randrange(len(data) // 2)
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        yield f"{path.name} changed", path
        path.unlink()
        if path.name != "checkpoint":
            yield f"{path.name} gone", path
        path.write_bytes(data)


def test_damaged_folders_are_refused(whole: dict[str, bytes]) -> None:
    words = [*ALL, "--resume", "kept"]
    run(*words)
    assert taken() == whole
    seen = 0
    for what, _ in damaged(Path("kept")):
        result = run(*words)
        assert result.stderr.startswith("error: kept"), what
        assert "Traceback" not in result.stderr and not Path("pairs.jsonl").exists(), what
        seen += 1
    assert seen == 5 + 3 * 6
    run(*words)
    assert taken() == whole


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which a run has been finished, and is kept."""
    folder = tmp_path_factory.mktemp("finished")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        write_inputs()
        run(*WORDS, *OUTPUTS, "--resume", "kept")
    return folder


@pytest.mark.parametrize(
    "changed",
    [{"schema": 2}, {"run": None}, {"files": {}}, {"files": {"per-pair": ["x", 1]}},
     {"state": {}}, {"state": [1]}, {"state": "x"}, {"state": None}],
)  # fmt: skip
def test_checkpoints_made_by_others_are_refused(
    finished: Path, changed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(finished)
    path = Path("kept/checkpoint")
    before = path.read_text("ascii")
    text = json.dumps(json.loads(before.splitlines()[1]) | changed)
    path.write_text(f"{checkpoint._text_digest(text)}\n{text}\n", encoding="ascii")
    result = CliRunner().invoke(main, [*WORDS, *OUTPUTS, "--resume", "kept"])
    path.write_text(before, encoding="ascii")
    assert result.exit_code in (1, 2) and result.stderr.startswith("error: kept"), result.stderr
    assert isinstance(result.exception, SystemExit)


def test_folders_that_will_not_do_are_refused(files: Path) -> None:
    Path("other").mkdir()
    Path("other/thesis.txt").write_text("x", encoding="utf-8")
    assert "holds no run, but thesis.txt" in run(*WORDS, "--resume", "other").stderr
    Path("file").write_text("x", encoding="utf-8")
    assert run(*WORDS, "--resume", "file").stderr.startswith("error: file")
    place = Path("blocked", LOCK)
    place.mkdir(parents=True)
    assert run(*WORDS, "--resume", "blocked").stderr.startswith(f"error: {place}: ")
    if os.name == "posix":
        assert run(*WORDS, "--resume", "/proc/none").stderr.startswith("error: /proc/none")


#: What somebody else may have put where the program has a file of its own.
STRANGE: dict[str, Callable[[Path], object]] = {
    "a link": lambda path: path.symlink_to(Path("victim").resolve()),
    "a hard link": lambda path: path.hardlink_to("victim"),
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
}


@posix
@pytest.mark.parametrize("name", ["checkpoint", LOCK, "per-pair.lines"])
@pytest.mark.parametrize("kind", STRANGE)
def test_only_plain_files_of_the_folder_are_used(kind: str, name: str, files: Path) -> None:
    Path("victim").write_text("x", encoding="utf-8")
    Path("kept").mkdir()
    place = Path("kept", name)
    STRANGE[kind](place)
    said = f"error: {place}: "
    assert said in run(*WORDS, *OUTPUTS, "--resume", "kept").stderr
    assert Path("victim").read_text("utf-8") == "x"
    assert not Path("pairs.jsonl").exists()


@posix
@pytest.mark.parametrize("kind", by_day(STRANGE))
def test_nothing_at_the_place_of_another_partial_file_is_used(kind: str, files: Path) -> None:
    Path("victim").write_text("x", encoding="utf-8")
    Path("kept").mkdir()
    for place in (Path("kept", "checkpoint.partial"), Path("pairs.jsonl.partial")):
        STRANGE[kind](place)
    run(*WORDS, *OUTPUTS, "--resume", "kept")
    assert Path("victim").read_text("utf-8") == "x"
    assert Path("pairs.jsonl").is_file()


def test_only_files_can_be_read_again(files: Path) -> None:
    words = ["--resume", "kept"]
    assert "has to be a file" in run("score", "-", "b.amr", *words, status=2).stderr
    assert "not a regular file" in run("score", ".", "b.amr", *words, status=1).stderr
    assert "No such file" in run("score", "none", "b.amr", *words, status=1).stderr
    with pytest.raises(exactmatch.UsageError, match="has to be a file"):
        exactmatch.score("(a / b)", "(a / b)", resume="kept")


@posix
def test_two_runs_at_once_do_not_share_a_folder(files: Path) -> None:
    with checkpoint.checkpoint_in(Path("kept")):
        result = run(*WORDS, "--resume", "kept")
        assert result.stderr.startswith("error: kept: another run is using it")
    run(*WORDS, "--resume", "kept")


def test_the_time_for_all_pairs_goes_on(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [*WORDS, "--total-timeout", "500", "--resume", "kept"]
    run(*words)
    given: list[Settings] = []

    def streaming(couples: Any, task: ScoringTask, **more: Any) -> Any:
        given.append(task.settings)
        return score_stream(couples, task, **more)

    monkeypatch.setattr("exactmatch.scoring.corpus.score_stream", streaming)
    run(*words)
    left = given[0].total_timeout
    assert left is not None and left < 500


@pytest.mark.parametrize(
    ("names", "metric"),
    [
        (("agreement/a.amr", "agreement/b.amr"), "smatch"),
        (("agreement/a.amr", "agreement/b.amr"), "sembleu"),
        (("mrp/system.mrp", "mrp/gold.mrp"), "mrp"),
        (("drs/system.clf", "drs/gold.clf"), "dscorer"),
    ],
)
def test_sums_are_restored_exactly(names: tuple[str, str], metric: Any) -> None:
    files = [INSTANCES / name for name in names]
    result = exactmatch.score(*files, metric=metric, breakdown=True)
    scores = [*result.per_pair, PairScore.skipped("x")]

    def summed(tally: Tally) -> exactmatch.CorpusScore:
        return tally.summed_up(result.metric, result.settings, seconds=0.0)

    whole = Tally()
    for score in scores:
        whole.add(score)
    for cut in range(len(scores) + 1):
        before, after = Tally(), Tally()
        for score in scores[:cut]:
            before.add(score)
        after.restore(json.loads(json.dumps(before.state())))
        for score in scores[cut:]:
            after.add(score)
        assert summed(after) == summed(whole)
        assert repr(summed(after).frameworks) == repr(summed(whole).frameworks)


def test_nothing_is_kept_without_being_asked(files: Path) -> None:
    before = {path.name for path in files.iterdir()}
    run(*WORDS)
    assert {path.name for path in files.iterdir()} == before


def test_no_output_in_the_folder(files: Path) -> None:
    """Otherwise the output would overwrite the checkpoint, or the checkpoint the output."""
    words = ("score", "a.amr", "b.amr", "--resume", "run")
    for option in ("--per-pair", "--certificates", "-o"):
        refused = run(*words, option, str(Path("run") / "checkpoint"), status=2)
        assert "is in run, which holds the finished part of a run" in refused.stderr


def test_a_checkpoint_that_has_lines_but_has_finished_nothing_is_refused(files: Path) -> None:
    """One output without lines does not make up for missing lines of the others."""
    words = [*WORDS, *OUTPUTS, "--resume", "kept"]
    run(*words)
    path = Path("kept/checkpoint")
    content = json.loads(path.read_text("ascii").splitlines()[1])
    content["state"] = None
    content["files"]["mappings"] = [0, sha256().hexdigest()]
    text = json.dumps(content)
    path.write_text(f"{checkpoint._text_digest(text)}\n{text}\n", encoding="ascii")
    assert "lines of no pairs" in run(*words).stderr
