"""Work shared by the workers of a Dask cluster: real processes, started by hand.

As in other tests of processes, tasks are from the standard library, or code for `exec` and `eval`.
"""

import itertools
import json
import operator
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import generate
import pytest
from click.testing import CliRunner, Result
from cluster_processes import WHO, Processes, until
from partial_files import has_content, partial_of
from started_processes import hearing, kill_group, running

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import InputError, UsageError, VerificationError, WorkerError
from exactmatch.runtime import block_work, cluster_session, scheduler
from exactmatch.runtime.cluster import Cluster
from exactmatch.runtime.processes import in_order
from exactmatch.runtime.workers import MOST, default_limit
from exactmatch.stopping.deadline import Deadline
from exactmatch.stopping.interrupts import listening

if os.name != "posix":
    pytest.skip("kills processes by signals", allow_module_level=True)

pytestmark = pytest.mark.slow

#: Kills who works.
DEATH = "__import__('os').kill(__import__('os').getpid(), 9)"


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    found = Processes(tmp_path_factory.mktemp("cluster"))
    yield found
    found.end()


@pytest.fixture
def started(processes: Processes) -> Processes:
    """A scheduler and two workers; after a test that has ended them, there are new ones."""
    processes.begin()
    return processes


@pytest.fixture
def shared(started: Processes) -> Cluster:
    """Workers that the tests share."""
    return Cluster(started.file)


def run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_results_come_in_the_order_of_the_tasks(shared: Cluster) -> None:
    assert list(in_order(partial(pow, 2), range(1000), shared)) == [2**k for k in range(1000)]
    assert list(in_order(abs, [], shared)) == []


@pytest.mark.nightly
def test_every_worker_works(shared: Cluster) -> None:
    assert len({*in_order(eval, [WHO] * 60, shared)}) == 2


def test_tasks_without_end_are_read_as_they_are_needed(shared: Cluster) -> None:
    taken = itertools.count()
    found = in_order(eval, (f"(__import__('time').sleep(0.1), {k})[1]" for k in taken), shared)
    assert [next(found) for _ in range(5)] == [0, 1, 2, 3, 4]
    assert next(taken) < 200
    found.close()


def test_errors_come_after_the_results_before_them(shared: Cluster) -> None:
    found = in_order(partial(divmod, 1), [*[1] * 500, 0, 1], shared)
    assert [next(found) for _ in range(500)] == [(1, 0)] * 500
    with pytest.raises(ZeroDivisionError) as caught:
        next(found)
    assert "Traceback" in caught.value.__notes__[0]

    def tasks() -> Iterator[int]:
        yield from (1, 2, 3)
        raise ValueError("no more")

    found = in_order(abs, tasks(), shared)
    assert [next(found), next(found), next(found)] == [1, 2, 3]
    with pytest.raises(ValueError, match="no more"):
        next(found)


def test_errors_arrive_as_they_were(shared: Cluster) -> None:
    code = "from exactmatch.errors import VerificationError as E; raise E('wrong', 'see it')"
    with pytest.raises(VerificationError, match=r"^wrong$") as caught:
        list(in_order(exec, [code], shared))
    assert caught.value.reproduction == "see it"
    with pytest.raises(RuntimeError, match="Odd: strange"):
        list(in_order(exec, ["class Odd(Exception): pass\nraise Odd('strange')"], shared))
    with pytest.raises(TypeError, match="generator"):
        list(in_order(eval, ["(x for x in ())"], shared))
    with pytest.raises(WorkerError, match=r"^memory ran out at work on: task 2$"):
        list(in_order(bytearray, [1, 1 << 62], shared))


@pytest.mark.nightly
def test_large_functions_tasks_and_results(shared: Cluster) -> None:
    large = bytes(12_000_000)  # Dask would warn
    assert list(in_order(partial(operator.contains, large), [0, 1], shared)) == [True, False]
    tasks = [bytes([k]) * 11_000_000 for k in range(4)]
    assert list(in_order(bytes, tasks, shared)) == tasks


def test_a_function_that_workers_lack_is_an_error(
    shared: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "only_here.py").write_text("def work(task): return task", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    work = __import__("only_here").work
    with pytest.raises(WorkerError, match=r"cannot load .*: ModuleNotFoundError: .*only_here"):
        list(in_order(work, [1], shared))


@pytest.mark.nightly
def test_a_worker_that_dies_loses_nothing(shared: Cluster) -> None:
    found = in_order(eval, [f"({k}, {WHO})" for k in range(100)], shared)
    first = [next(found) for _ in range(5)]
    os.kill(first[0][1], signal.SIGKILL)
    assert [k for k, _ in [*first, *found]] == [*range(100)]


@pytest.mark.nightly
def test_what_kills_every_worker_is_an_error_with_its_name(shared: Cluster) -> None:
    tasks = [*[str(k) for k in range(50)], DEATH, *["4"] * 50]
    found = in_order(eval, tasks, shared, lambda task: f"task <{task[-6:]}>")
    assert list(itertools.islice(found, 50)) == [*range(50)]
    with pytest.raises(WorkerError) as caught:
        list(found)
    message = "2 workers have died, one after the other, at work on: task <(), 9)>"
    assert str(caught.value) == message
    assert caught.value.exit_status == 5


@pytest.mark.nightly
def test_an_interrupt_is_heard(shared: Cluster, tmp_path: Path) -> None:
    found = in_order(eval, ["0", until(tmp_path / "over")], shared)
    assert next(found) == 0
    with hearing(signal.default_int_handler), pytest.raises(KeyboardInterrupt):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        next(found)
    (tmp_path / "over").touch()
    assert list(in_order(abs, [-1], shared)) == [1]


@pytest.mark.nightly
def test_an_interrupt_that_was_dropped_is_heard(shared: Cluster, tmp_path: Path) -> None:
    with listening():
        found = in_order(eval, ["0", until(tmp_path / "over")], shared)
        assert next(found) == 0
        with suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt):
            next(found)
    (tmp_path / "over").touch()
    assert list(in_order(abs, [-1], shared)) == [1]


def without_seconds(text: str) -> str:
    content = [json.loads(line) for line in text.splitlines()]
    return "\n".join(json.dumps(line | {"seconds": 0}) for line in content)


def test_scores_are_those_of_one_machine(started: Processes, files: Path) -> None:
    more = "--breakdown --cross-check --total-timeout 600 --seed 3 -o out.json --format json"
    kinds = ("per-pair", "mappings", "certificates")
    written = []
    for where in (["--workers", 1], ["--cluster", started.file]):
        outputs = [word for kind in kinds for word in (f"--{kind}", f"{kind}.txt")]
        result = run("score", "a.amr", "b.amr", *where, *more.split(), *outputs)
        assert (result.exit_code, result.output) == (0, "")
        texts = [Path(f"{kind}.txt").read_text("utf-8") for kind in kinds]
        total = Path("out.json").read_text("utf-8").replace("\n", "")
        written.append([without_seconds(texts[0]), *texts[1:], without_seconds(total)])
    assert written[0] == written[1]


def said(result: Result) -> list[str]:
    """Return the output of a command without its messages while it waits for workers."""
    return [line for line in result.output.splitlines() if "has no workers" not in line]


@pytest.mark.nightly
def test_studies_are_those_of_one_machine(started: Processes, files: Path) -> None:
    words = ["compare", "a.amr", "b.amr", "--gold", "consensus.amr", "--resamples", 100]
    alone, shared = (run(*words, *w) for w in (["--workers", 1], ["--cluster", started.file]))
    assert (shared.exit_code, said(shared)) == (alone.exit_code, said(alone))
    assert "F1" in alone.output


@pytest.mark.nightly
def test_graphs_that_cannot_be_read_end_it_as_on_one_machine(
    started: Processes, files: Path
) -> None:
    text = Path("b.amr").read_text("utf-8").replace("\n(", "\n((", 3)
    Path("b.amr").write_text(text, encoding="utf-8")
    one, other = (
        run("score", "a.amr", "b.amr", *where)
        for where in (["--workers", 1], ["--cluster", started.file])
    )
    assert (other.exit_code, said(other)) == (one.exit_code, said(one))
    assert one.output.count("b.amr:") > 1


@pytest.mark.nightly
def test_a_client_can_be_given(started: Processes, files: Path) -> None:
    import distributed

    wanted = exactmatch.score(Path("a.amr"), Path("b.amr"))
    with distributed.Client(scheduler_file=started.file, set_as_default=False) as client:
        found = exactmatch.score(Path("a.amr"), Path("b.amr"), cluster=client)
        pairs = [*exactmatch.score_pairs(Path("a.amr"), Path("b.amr"), cluster=client)]
        study = exactmatch.compare(["a.amr"], "b.amr", cluster=client, resamples=10)
        assert client.status == "running"
    assert (found.matched, found.signature) == (wanted.matched, wanted.signature)
    assert [pair.mapping for pair in pairs] == [pair.mapping for pair in wanted.per_pair]
    assert "cluster" not in study.report("json")
    with pytest.raises(WorkerError, match="its client is closed"):
        exactmatch.score(Path("a.amr"), Path("b.amr"), cluster=client)


def test_other_versions_are_refused(shared: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    there = block_work.VERSIONS
    monkeypatch.setattr(block_work, "VERSIONS", "exactmatch 9")
    with pytest.raises(
        UsageError, match=rf"^worker tcp:\S+ is exactmatch {exactmatch.__version__}"
    ):
        list(in_order(abs, [1], shared))
    monkeypatch.setattr(block_work, "__name__", "exactmatch.no_such_work")
    with pytest.raises(UsageError, match=r"has no exactmatch of this version: No module"):
        list(in_order(abs, [1], shared))
    # One in the place of another that was checked sees to it itself.
    outcome = pickle.loads(block_work.BlockWork(abs, there)(pickle.dumps([-1])))
    assert isinstance(outcome.error, UsageError)


def test_workers_say_what_memory_they_have(
    shared: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(shared.memory()) == 2
    assert default_limit(shared) == min(MOST, *(one // 4 for one in shared.memory()))
    monkeypatch.setattr(Cluster, "memory", lambda self: [4000, 8000])
    assert default_limit(shared) == 1000


@pytest.mark.parametrize(
    ("address", "message"),
    [
        (
            "nowhere.json",
            "nowhere.json: neither the file of a scheduler nor an address such as tcp://",
        ),
        ("tcp://127.0.0.1:1", "no scheduler answers at tcp://127.0.0.1:1: "),
        ("pigeon://there:1", "no scheduler answers at pigeon://there:1: unknown address scheme"),
        (5, "a cluster is an address or a Dask client, not 5"),
    ],
)
def test_where_no_cluster_is(address: Any, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "FIRST_ANSWER", 0.1)
    with pytest.raises((InputError, UsageError, WorkerError)) as caught:
        exactmatch.score("(a / b)", "(a / b)", cluster=address)
    assert str(caught.value).startswith(message)


def test_workers_here_and_there_do_not_go_together(files: Path) -> None:
    result = run("score", "a.amr", "b.amr", "--workers", 2, "--cluster", "tcp://127.0.0.1:1")
    assert (result.exit_code, "--workers and --cluster cannot be combined" in result.output) == (
        2,
        True,
    )
    with pytest.raises(UsageError, match="workers and cluster cannot be combined"):
        exactmatch.score("(a / b)", "(a / b)", workers=2, cluster="tcp://127.0.0.1:1")


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'exactmatch\[dask\]'"):
        exactmatch.score("(a / b)", "(a / b)", cluster="tcp://127.0.0.1:1")


def test_without_a_cluster_dask_is_not_loaded() -> None:
    code = "import exactmatch as e, sys; e.score('(a / b)', '(a / b)'); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout
    assert not {"dask", "distributed", "exactmatch.runtime.cluster"} & {*loaded.decode().split()}


def test_a_deadline_is_the_same_on_another_machine() -> None:
    later = Deadline.after(100)
    clock = "import time; here = time.monotonic; time.monotonic = lambda: here() + 12345; "
    code = f"{clock}import pickle, sys; print(pickle.load(sys.stdin.buffer).remaining())"
    said = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(later), capture_output=True, check=True
    ).stdout
    assert 50 < float(said) < 100.1
    assert pickle.loads(pickle.dumps(Deadline())) == Deadline()


def until_without_workers(started: Processes) -> None:
    import distributed

    end = time.monotonic() + 60
    with distributed.Client(scheduler_file=started.file, set_as_default=False) as client:
        while client.nthreads():
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.mark.nightly
def test_a_cluster_from_its_first_worker_to_its_end(
    started: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kill_group(started.workers)
    until_without_workers(started)
    notes: list[str] = []
    waiting = Cluster(started.file, notes.append)
    monkeypatch.setattr(cluster_session, "_PATIENCE", 0.5)
    with pytest.raises(WorkerError, match=r"tcp://\S+ has had no workers for 0 seconds"):
        waiting.memory()
    assert notes[0].endswith("has no workers yet; waiting for some")
    monkeypatch.setattr(cluster_session, "_PATIENCE", 60.0)
    workers = started.add(1, "--no-nanny")
    assert list(in_order(abs, [-1], waiting)) == [1]

    pairs = [generate.family("unrelated", size, seed=1) for size in (6, 60)]
    for name, texts in zip(("a.amr", "b.amr"), zip(*pairs, strict=True), strict=True):
        (tmp_path / name).write_text("\n\n".join(texts), encoding="utf-8")
    words = [
        "score",
        "a.amr",
        "b.amr",
        "--format",
        "json",
        "--per-pair",
        "pairs.jsonl",
        "--solver",
        "cpsat",  # it lets the worker speak to others meanwhile
        "--cluster",
    ]
    command = [sys.executable, "-m", "exactmatch", *words, started.file]
    with running(*command, cwd=tmp_path) as process:
        end = time.monotonic() + 60
        while not has_content(tmp_path / "pairs.jsonl"):
            assert process.poll() is None and time.monotonic() < end
            time.sleep(0.05)
        os.killpg(workers.pid, signal.SIGSTOP)  # else it would go on solving
        started.scheduler.kill()
        output, errors = process.communicate(timeout=60)
    content = json.loads(output)
    assert (process.returncode, content["partial"], content["pairs"]) == (5, True, 1)
    told, note = errors.splitlines()
    assert re.match(r"error: the cluster tcp://\S+ is gone: ", told)
    assert note.startswith(f"note: {partial_of(tmp_path / 'pairs.jsonl').name} holds")
