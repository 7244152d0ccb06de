"""Deadlines, and what puts them off; the clock is moved by hand."""

import math
import pickle

import pytest

from exactmatch.stopping import deadline as module
from exactmatch.stopping.deadline import NEVER, Deadline


class Clock:
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now + 5e8


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def load(deadline: Deadline, clock: Clock, seconds: float) -> None:
    assert deadline.loading is not None
    clock.now += seconds
    deadline.loading.seconds += seconds


def test_loading_puts_off_a_deadline_and_its_shares(clock: Clock) -> None:
    deadline = Deadline.after(10)
    share = deadline.share(0.5)
    load(deadline, clock, 100)
    assert (deadline.remaining(), share.remaining()) == (10, 5)
    clock.now += 5
    assert share.passed() and not deadline.passed()
    assert deadline.share(0.5).remaining() == 2.5
    load(share, clock, 100)
    clock.now += 5
    assert deadline.passed()


def test_loading_does_not_put_off_the_end_of_all(clock: Clock) -> None:
    end = Deadline.after(50)
    deadline = Deadline.after(10).earlier(end)
    load(deadline, clock, 45)
    assert (deadline.remaining(), end.remaining()) == (5, 5)
    assert deadline.again(10).remaining() == deadline.again(None).remaining() == 5
    clock.now += 5
    assert deadline.passed() and end.passed()


def test_a_new_time_after_loading_is_whole(clock: Clock) -> None:
    deadline = Deadline.after(10).earlier(Deadline.after(500))
    load(deadline, clock, 100)
    again = deadline.again(10)
    assert again.remaining() == 10 and again.loading is deadline.loading
    load(again, clock, 100)
    assert again.remaining() == 10


def test_the_earlier_of_two_deadlines_is_that_of_either(clock: Clock) -> None:
    one, two = Deadline.after(10), Deadline.after(20)
    assert one.earlier(two).remaining() == two.earlier(one).remaining() == 10
    assert one.earlier(NEVER).remaining() == 10
    assert NEVER.earlier(one).share(0.5).remaining() == 5


def test_a_deadline_that_never_comes_never_comes_sooner(clock: Clock) -> None:
    deadline = Deadline.after(None)
    load(deadline, clock, 7)
    assert math.isinf(deadline.remaining()) and not deadline.passed()
    assert deadline.share(0.5) is deadline
    assert deadline.again(3).remaining() == 3


def test_another_process_gets_the_point_as_it_is_known(clock: Clock) -> None:
    deadline = Deadline.after(10)
    load(deadline, clock, 100)
    data = pickle.dumps(deadline)
    clock.now += 4
    assert pickle.loads(data).remaining() == pytest.approx(6)
