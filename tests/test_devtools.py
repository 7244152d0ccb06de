"""What a browser is told by the DevTools Protocol, without a browser."""

import os
from collections.abc import Iterator

import pytest
from devtools import Connection


@pytest.fixture
def connection() -> Iterator[Connection]:
    """A connection to a browser that neither reads nor answers."""
    ends = [*os.pipe(), *os.pipe()]
    yield Connection(ends[1], ends[2], lambda _: None)
    for end in ends:
        os.close(end)


def test_a_browser_that_does_not_answer_is_not_waited_for(connection: Connection) -> None:
    with pytest.raises(TimeoutError, match="does not answer"):
        connection.call("Runtime.evaluate", patience=0, expression="1")


def test_a_browser_that_does_not_read_is_not_waited_for(connection: Connection) -> None:
    more_than_a_pipe_holds = "1 " * 1_000_000
    with pytest.raises(TimeoutError, match="does not read"):
        connection.call("Runtime.evaluate", patience=0, expression=more_than_a_pipe_holds)
