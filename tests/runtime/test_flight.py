"""Blocks on their way: a cluster without Dask, whose workers come and go by a plan or by chance."""

import pickle
import random
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import nullcontext
from typing import Any

import pytest
from nightly import by_day

from exactmatch.errors import WorkerError
from exactmatch.runtime import flight
from exactmatch.runtime.flight import Flight, _next_size
from exactmatch.runtime.roster import Identity, Roster, Seen

pytestmark = pytest.mark.slow  # loads Dask, for one class

Plan = Callable[["Stub"], None]


class Sent:
    """What was submitted: the worker that has it, and the answer to come."""

    status = "pending"

    def __init__(self, key: str, call: tuple[Any, ...], workers: list[str]) -> None:
        self.key = key
        self.call = call
        self.workers = workers
        self.owner: str | None = None
        self.is_released = False
        self.answer: Future[bytes] = Future()

    def done(self) -> bool:
        return self.answer.done()

    def release(self) -> None:
        self.is_released = True

    def result(self) -> Future[bytes]:
        return self.answer

    def value(self) -> Any:
        function, *arguments = self.call
        return function(*(one.value() if isinstance(one, Sent) else one for one in arguments))


class Stub:
    """A session with a cluster without processes. *plan* is done at each look, a second apart.

    well, ill: workers, and those that have fallen silent.
    """

    name = "the cluster here"

    def __init__(self, plan: Plan, *names: str) -> None:
        self.client = self
        self.status = "running"
        self.now = 0.0
        self.notes: list[str] = []
        self.roster = Roster(self.notes.append)
        self.held: frozenset[str] = frozenset()
        self.well = {*names}
        self.ill: set[str] = set()
        self.sent: list[Sent] = []
        self._plan = plan
        self._settle()

    def listening(self) -> Any:
        return nullcontext()

    def submit(self, *call: Any, key: str, workers: list[str], **more: Any) -> Sent:
        assert workers, "anybody could take it"
        sent = Sent(key, call, workers)
        self.sent.append(sent)
        return sent

    def ask(self, question: Callable[[], Future[bytes]]) -> Future[bytes]:
        return question()

    def look(self) -> None:
        self.now += 1.0
        assert self.now < 2_000, "nothing comes any more"
        self._plan(self)
        self._settle()

    def open_blocks(self) -> list[Sent]:
        """Return the blocks that somebody wants, without the work that they need."""
        return [
            one
            for one in self.sent
            if not one.is_released and not one.done() and one.call[0] is not pickle.loads
        ]

    def work(self, most: int) -> None:
        """Have the workers answer so many blocks."""
        self._assign()
        ready = [one for one in self.open_blocks() if one.owner in self.well]
        for one in ready[:most]:
            one.answer.set_result(one.value())

    def _assign(self) -> None:
        there = self.well | self.ill
        for one in self.open_blocks():
            if one.owner not in there:
                left = [name for name in one.workers if name in there]
                one.owner = left[0] if left else None

    def _settle(self) -> None:
        self._assign()
        found = {}
        for name in sorted(self.well | self.ill):
            heard = self.now if name in self.well else -1.0
            identity = Identity(name, "")
            self.roster.judge(identity, None)
            found[identity] = Seen(1, 0, "running", heard, False)
        self.roster.update(found, self.now)
        ailing = {one.address for one in self.roster.ailing}
        self.held = frozenset(one.key for one in self.open_blocks() if one.owner in ailing)


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flight, "LOOK", 0.0)


def results(stub: Any, tasks: Any, size: int = 1) -> Iterator[Any]:
    found = Flight(stub, abs, tasks, None)
    found._size = size
    return found.results()


def test_tasks_wait_when_all_workers_are_gone() -> None:
    def plan(stub: Stub) -> None:
        stub.work(9)
        stub.well = set() if stub.well else {"a"}

    assert [*results(Stub(plan, "a"), range(-40, 0))] == [*range(40, 0, -1)]


def test_a_block_goes_from_a_silent_worker_to_others() -> None:
    def plan(stub: Stub) -> None:
        if stub.now == 2:
            stub.well, stub.ill = {"b"}, {"a"}
        stub.work(1)

    stub = Stub(plan, "a", "b")
    assert [*results(stub, range(-40, 0))] == [*range(40, 0, -1)]
    assert stub.notes[-1] == "worker a has been silent for 30 seconds; other workers get its work"


def test_a_block_that_loses_its_workers_again_and_again_is_named() -> None:
    def plan(stub: Stub) -> None:
        if any(4 in pickle.loads(one.call[-1]) for one in stub.open_blocks()):
            stub.well = {f"w{stub.now}"}  # a new process in the place of the dead one
        else:
            stub.work(9)

    stub = Stub(plan, "w0")
    found = results(stub, [1, 2, 3, 4, 5], size=5)
    assert [next(found) for _ in range(3)] == [1, 2, 3]
    with pytest.raises(WorkerError) as caught:
        next(found)
    said = "all workers were lost 4 times, one after the other, at work on: task 4"
    assert str(caught.value) == said


def test_a_hard_block_is_not_begun_everywhere() -> None:
    def plan(stub: Stub) -> None:
        if stub.now % 50 == 0:
            stub.ill |= stub.well
            stub.well = {f"w{stub.now}"}
        if stub.now == 500:
            stub.well |= stub.ill
            stub.work(1)

    stub = Stub(plan, "a")
    assert [*results(stub, [-1])] == [1]
    blocks = [one for one in stub.sent if one.call[0] is not pickle.loads]
    assert [one.owner for one in blocks] == ["a", "w50.0", "w100.0", "w150.0"]


def test_a_wait_is_told_at_growing_distances() -> None:
    def plan(stub: Stub) -> None:
        if stub.now == 250:
            stub.work(9)

    stub = Stub(plan, "a")
    assert [*results(stub, [-1])] == [1]
    wanted = "the cluster here: no result for {} seconds; 1 workers have 1 blocks"
    assert stub.notes == [wanted.format(seconds) for seconds in (30, 60, 120, 240)]


#: Seeds with blocks that are lost, and taken from ailing workers, several times.
HARD = (843, 871, 890, 1208, 1384, 1457, 1649, 1841, 1942, 2352)


@pytest.mark.parametrize("seed", by_day([*range(30), *HARD], 8))
def test_results_are_the_same_whoever_comes_and_goes(seed: int) -> None:
    chance = random.Random(seed)
    names = iter(range(10**6))

    def plan(stub: Stub) -> None:
        stub.work(chance.randrange(4))
        if chance.random() < 0.1 and stub.now < 300:
            stub.well.add(f"w{next(names)}")
        if chance.random() < 0.06 and stub.well:
            stub.well.remove(chance.choice(sorted(stub.well)))
        if chance.random() < 0.06 and stub.well:
            stub.well.remove(lost := chance.choice(sorted(stub.well)))
            stub.ill.add(lost)
        if chance.random() < 0.03 and stub.ill:
            stub.ill.remove(back := chance.choice(sorted(stub.ill)))
            stub.well.add(back)
        if stub.now % 300 == 0:
            stub.ill.clear()  # the scheduler gives them up
        if not stub.well:
            stub.well.add(f"w{next(names)}")

    tasks = [chance.randrange(-99, 99) for _ in range(200)]
    assert [*results(Stub(plan, "a", "b"), tasks)] == [*map(abs, tasks)]


def test_blocks_grow_to_what_takes_a_second() -> None:
    def sizes(pace: Callable[[int], float], weight: int) -> list[int]:
        size, found = 1, []
        for _ in range(9):
            size = _next_size(size, weight * size, pace(size))
            found.append(size)
        return found

    assert sizes(lambda size: size / 1000, 100)[:6] == [4, 16, 64, 256, 1000, 1000]
    assert sizes(lambda size: 60.0, 100) == [1] * 9
    assert sizes(lambda size: 0.0, 100)[-1] == flight._MOST
    assert sizes(lambda size: 0.0, 100_000)[-1] == 40
