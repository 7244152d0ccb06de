"""Tasks that several programs share."""

from collections.abc import Callable

import pytest

from exactmatch.errors import WorkerError
from exactmatch.runtime.shares import AllShares, Share, ShareIsDone


def square(number: int) -> int:
    return number * number


def work_off(share: Share, function: Callable[[int], int]) -> None:
    with pytest.raises(ShareIsDone):
        next(share.in_order(function, range(5)))


def test_shares_together_are_the_whole() -> None:
    for of in (1, 2, 3, 7):
        shares = [Share(number, of) for number in range(of)]
        for one in shares:
            work_off(one, square)
        asked: list[int] = []
        found = AllShares([one.answers for one in shares]).in_order(asked.append, range(5))
        assert [*found] == [0, 1, 4, 9, 16]
        assert asked == []


def test_what_a_share_lacks_is_made_up_for() -> None:
    def fails(number: int) -> int:
        if number == 2:
            raise WorkerError("memory ran out")
        return square(number)

    share = Share(0, 2)
    work_off(share, fails)
    assert share.answers == [0]
    found = AllShares([share.answers, [1, 9]]).in_order(square, range(5))
    assert [*found] == [0, 1, 4, 9, 16]


def test_answers_are_those_of_the_first_function() -> None:
    workers = AllShares([[7]])
    assert [*workers.in_order(square, [3])] == [7]
    assert [*workers.in_order(square, [3])] == [9]


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    work_off(Share(1, 2, lambda *done: told.append(done)), square)
    assert told == [(0, 2), (1, 2), (2, 2)]
