"""Workers of a Dask cluster that cannot take part, come late, are paused or fall silent."""

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cluster_processes import WHO, Processes, until
from started_processes import kill_group

from exactmatch.errors import UsageError, WorkerError
from exactmatch.runtime import cluster_session
from exactmatch.runtime.cluster import Cluster
from exactmatch.runtime.processes import in_order
from exactmatch.runtime.roster import Roster

if os.name != "posix":
    pytest.skip("stops processes by signals", allow_module_level=True)

pytestmark = pytest.mark.nightly

#: Modules `sitecustomize`: there is no exactmatch for a worker, or one of another version.
WITHOUT = """
import sys
class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "exactmatch":
            raise ModuleNotFoundError("No module named 'exactmatch'")
sys.meta_path.insert(0, Finder)
"""
OTHER = """
import importlib.metadata as library
version = library.version
library.version = lambda name: "0" if name == "ortools" else version(name)
"""


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """A scheduler and two workers, which no test ends."""
    found = Processes(tmp_path_factory.mktemp("cluster"))
    found.begin()
    with found.client() as client:
        client.wait_for_workers(2)
    yield found
    found.end()


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (WITHOUT, "has no exactmatch of this version: No module named 'exactmatch'"),
        (OTHER, r"is exactmatch \S+ Python \S+ ortools-0\+\S+, not exactmatch .+"),
    ],
)
def test_a_worker_that_cannot_take_part(
    started: Processes, code: str, message: str, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(code, encoding="utf-8")
    go = tmp_path / "go"
    notes: list[str] = []

    def note(said: str) -> None:
        notes.append(said)
        if "left out" in said:
            go.touch()

    late = Cluster(started.file, note)
    found = in_order(eval, ["5", *[until(go)] * 50], late)
    assert next(found) == 5
    odd = started.add(1, "--no-nanny", PYTHONPATH=str(tmp_path))
    try:
        assert [*found] == [True] * 50
        assert [*in_order(abs, [-1], late)] == [1]  # a study has several runs
        left_out = [said for said in notes if "left out" in said]
        assert len(left_out) == 1
        assert re.fullmatch(rf"worker tcp://\S+ {message}; it is left out", left_out[0])
        with pytest.raises(UsageError, match=rf"^worker tcp://\S+ {message}$"):
            [*in_order(abs, [-1], Cluster(started.file))]
    finally:
        kill_group(odd)
        with started.client() as client:
            wait_until(lambda: len(client.nthreads()) == 2)


def test_a_worker_that_falls_silent(started: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Roster, "patience", 1.5)
    monkeypatch.setattr(cluster_session, "_OFTEN", 0.3)
    notes: list[str] = []
    tasks = [f"({k}, {WHO})" for k in range(80)]
    found = in_order(eval, tasks, Cluster(started.file, notes.append))
    first = [next(found) for _ in range(5)]
    stopped = first[-1][1]
    os.kill(stopped, signal.SIGSTOP)
    try:
        assert [k for k, _ in [*first, *found]] == [*range(80)]
    finally:
        os.kill(stopped, signal.SIGCONT)
    assert any(re.search(r"worker tcp://\S+ has been silent for 2 seconds", n) for n in notes)


def test_a_worker_that_is_silent_at_the_start(
    started: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_session, "_ANSWER", 0.2)
    notes: list[str] = []
    shared = Cluster(started.file, notes.append)
    with started.client() as client:
        pids = client.run(os.getpid)
    address, stopped = sorted(pids.items())[0]
    os.kill(stopped, signal.SIGSTOP)
    try:
        workers = {*in_order(eval, [WHO] * 20, shared)}
    finally:
        os.kill(stopped, signal.SIGCONT)
    assert stopped not in workers
    assert f"worker {address} has not answered; it is left out" in notes


def pause(started: Processes, workers: list[str], share: float = 1e-9) -> None:
    """Have Dask pause *workers*, whose memory is more than *share* of their limit."""

    def set_share(dask_worker: Any) -> None:
        dask_worker.memory_manager.memory_pause_fraction = share

    status = "paused" if share < 0.5 else "running"
    with started.client() as client:
        client.run(set_share, workers=workers)

        def is_so() -> bool:
            seen = client.sync(client.scheduler.identity)["workers"]
            return all(seen[one]["status"] == status for one in workers)

        wait_until(is_so)


@pytest.fixture
def addresses(started: Processes) -> Iterator[list[str]]:
    """The addresses of the workers, which are not paused any more after the test."""
    with started.client() as client:
        found = sorted(client.nthreads())
    yield found
    pause(started, found, 0.8)


def test_a_worker_that_is_paused(
    started: Processes, addresses: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Roster, "patience", 1.5)
    monkeypatch.setattr(cluster_session, "_OFTEN", 0.3)
    notes: list[str] = []
    go = tmp_path / "go"
    tasks = ["5", *[f"({until(go)}, {WHO})[1]" for _ in range(30)]]
    found = in_order(eval, tasks, Cluster(started.file, notes.append))
    assert next(found) == 5
    pause(started, addresses[:1])
    go.touch()
    assert len([*found]) == 30
    assert [*in_order(abs, [-1], Cluster(started.file))] == [1]


def test_workers_that_are_all_paused(
    started: Processes, addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pause(started, addresses)
    monkeypatch.setattr(cluster_session, "_PATIENCE", 1.0)
    monkeypatch.setattr(cluster_session, "_ANSWER", 0.2)
    notes: list[str] = []
    with pytest.raises(WorkerError) as caught:
        [*in_order(abs, [-1], Cluster(started.file, notes.append))]
    paused = r"worker tcp://\S+ has been paused \(Dask pauses workers that are short of memory\)"
    wanted = rf"the cluster tcp://\S+ has had no workers that can work for 1 seconds: {paused}; "
    assert re.fullmatch(wanted + paused, str(caught.value))
    assert re.search(rf"has no workers that can work yet; waiting for some: {paused}", notes[0])


def test_a_scheduler_that_falls_silent(
    started: Processes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes: list[str] = []
    go = tmp_path / "go"
    found = in_order(eval, ["5", until(go)], Cluster(started.file, notes.append))
    assert next(found) == 5
    monkeypatch.setattr(cluster_session, "_PATIENCE", 1.0)
    monkeypatch.setattr(cluster_session, "_ANSWER", 0.2)
    started.scheduler.send_signal(signal.SIGSTOP)
    try:
        with pytest.raises(WorkerError, match=r"tcp://\S+ is gone: no answer for 1 seconds$"):
            next(found)
    finally:
        go.touch()
        started.scheduler.send_signal(signal.SIGCONT)
    silent = r"the cluster tcp://\S+ has not answered for 0 seconds"
    assert any(re.fullmatch(silent, said) for said in notes)
    monkeypatch.undo()
    assert [*in_order(abs, [-1], Cluster(started.file))] == [1]
