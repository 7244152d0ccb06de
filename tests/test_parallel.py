"""Work spread over processes."""

import os
import time
from collections.abc import Iterator
from functools import partial

import pytest

from exactmatch.parallel import in_order


def test_one_worker_is_this_process() -> None:
    assert set(in_order(lambda _: os.getpid(), range(3), workers=1)) == {os.getpid()}


def test_results_come_in_the_order_of_the_tasks() -> None:
    # Functions of the standard library: those of a test module cannot be found by other processes.
    assert list(in_order(partial(pow, 2), range(100), workers=2)) == [2**k for k in range(100)]
    assert list(in_order(abs, [], workers=2)) == []


def test_an_error_ends_it_all() -> None:
    found = in_order(partial(divmod, 1), [1, 0, 1], workers=2)
    assert next(found) == (1, 0)
    with pytest.raises(ZeroDivisionError):
        next(found)


def test_who_stops_does_not_wait() -> None:
    def tasks() -> Iterator[float]:
        yield 0
        while True:
            yield 3600

    found = in_order(time.sleep, tasks(), workers=2)
    assert next(found) is None
    found.close()  # type: ignore[attr-defined]
