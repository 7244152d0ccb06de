"""Memory that runs out: a message and a status, wherever it does and in whichever process."""

import errno
import operator
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner
from study_files import blocks_of, write

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import WorkerError, is_want_of_memory
from exactmatch.runtime.block_work import VERSIONS, BlockWork
from exactmatch.runtime.processes import in_order

AGREEMENT = Path(__file__).resolve().parents[2] / "instances" / "agreement"
#: Files of the current folder.
A, B = "a.amr", "b.amr"

RUNS_OUT = "(_ for _ in ()).throw(MemoryError)"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the first items of two annotators into a new folder."""
    monkeypatch.chdir(tmp_path)
    for name in (A, B):
        write(name, blocks_of(AGREEMENT / name)[:6])


def run_out(*_: object, **__: object) -> NoReturn:
    raise MemoryError


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        ImportError("x.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
    ],
)
def test_what_means_that_memory_has_run_out(error: Exception) -> None:
    assert is_want_of_memory(error)


@pytest.mark.parametrize(
    "error",
    [OSError(errno.EIO, "x"), ImportError("no module"), ValueError("failed to map segment")],
)
def test_what_means_something_else(error: Exception) -> None:
    assert not is_want_of_memory(error)


@pytest.mark.parametrize(
    "place, command",
    [
        ("exactmatch.graphs.readers.source.ByteStream.chunks", ["score", A, B]),
        ("exactmatch.graphs.readers.source.ByteStream.chunks", ["check", A]),
        ("exactmatch.graphs.readers.penman.examine_graph", ["check", A]),
        ("exactmatch.graphs.readers.penman.read_graph", ["mappings", A, B, "--id", "study.1"]),
        ("exactmatch.graphs.readers.penman.read_graph", ["matrix", A]),
        ("exactmatch.metrics.amr.amr_metric.AmrMetric.normalise", ["iaa", A, B]),
        (
            "exactmatch.scoring.comparison.build_problem",
            ["export", A, B, "--id", "study.1", "--to", "lp"],
        ),
        ("exactmatch.report.pages.pair_content._drawing", ["show", A, B, "-o", "x.html"]),
        ("exactmatch.report.text.corpus_text", ["score", A, B]),
        ("exactmatch.cli.import_module", ["score", A, B]),
    ],
)
def test_commands_end_in_a_message(
    place: str, command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = CliRunner().invoke(main, command)
    assert usual.exit_code in (0, 1), usual.output
    monkeypatch.setattr(place, run_out)
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    assert result.exit_code == 5
    assert "error: memory ran out" in result.stderr and "Traceback" not in result.output


def test_score_tells_what_was_scored_before(monkeypatch: pytest.MonkeyPatch) -> None:
    from exactmatch.scoring import pair as pair_scoring
    from exactmatch.scoring import stream as scoring

    right = pair_scoring.score_pair

    def score_pair(pair: Any, *given: Any, **further: Any) -> Any:
        return run_out() if pair.identifier == "study.3" else right(pair, *given, **further)

    monkeypatch.setattr(pair_scoring, "score_pair", score_pair)
    monkeypatch.setattr(scoring, "counter_of", lambda *_: None)
    for workers in ("1", "auto"):
        result = CliRunner().invoke(main, ["score", A, B, "--workers", workers])
        assert result.exit_code == 5
        assert "proven: 2 of 2 pairs" in result.stdout and "PARTIAL" in result.stdout
        assert result.stderr == "error: memory ran out at work on: pair study.3\n"
    with pytest.raises(WorkerError, match=r"pair study\.3$"):
        exactmatch.score(Path(A), Path(B))


def test_a_worker_says_so_and_the_task_is_named() -> None:
    tasks = ["1", "2", RUNS_OUT, "4"]
    for workers in (1, 2):
        found = in_order(eval, tasks, workers=workers, describe=lambda task: f"the task {task[:9]}")
        assert [next(found), next(found)] == [1, 2]
        with pytest.raises(WorkerError, match=r"^memory ran out at work on: the task \(_ for _ $"):
            next(found)


def test_a_worker_that_cannot_load_what_it_is_to_do_says_so() -> None:
    with pytest.raises(WorkerError, match=r"^memory ran out at work on: task 1$"):
        list(in_order(_Unloadable(), [1], workers=2))


class _Unloadable:
    """An object whose unpickling runs out of memory."""

    def __call__(self, task: int) -> int:
        return task

    def __reduce__(self) -> tuple[Any, ...]:
        return eval, (RUNS_OUT,)


def test_a_worker_of_a_cluster_says_so_and_keeps_what_it_has_done() -> None:
    block = pickle.dumps([("1",), ("2",), (RUNS_OUT,), ("4",)])
    outcome = pickle.loads(BlockWork(_called, VERSIONS)(block))
    assert list(outcome.results) == [1, 2]
    assert isinstance(outcome.error, MemoryError)


def _called(task: tuple[str]) -> Any:
    return operator.call(eval, *task)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits the address space")
@pytest.mark.parametrize("workers", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_a_pair_for_which_there_is_no_memory(workers: str, tmp_path: Path) -> None:
    """A real case: a pair of 60,000 triples, with only a few megabytes beyond the program's own."""
    large = "(n / r" + "".join(f"\n :op{k} (v{k} / w{k % 999})" for k in range(30_000)) + ")\n"
    for name in "ab":
        small = f"(a / b :x {name})\n\n"
        (tmp_path / f"{name}.amr").write_text(small + large, encoding="utf-8")
    program = (
        "import resource, sys, exactmatch.api.score, exactmatch.metrics.smatch\n"
        "from exactmatch.__main__ import run\n"
        "from exactmatch.graphs.readers import penman\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + (24 << 20),) * 2)\n"
        "run()\n"
    )
    words = ["score", "a.amr", "b.amr", "--workers", workers, "--timeout", "1", "--memory", "1G"]
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=tmp_path,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 5, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr
    assert "error: memory ran out" in done.stderr
