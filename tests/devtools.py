"""A browser without a window, told what to do by Chrome's DevTools Protocol, over two pipes.

The browser reads commands from one pipe, and writes results and events to the other. Each message
is JSON, ended by a zero byte. The browser ends when the first pipe is closed. So none is left,
whatever ends the process that started it.
"""

import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

#: Puts the pipes where the browser expects them, which says nothing else that anyone reads.
_WITH_PIPES = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1'
#: Seconds in which a browser ends.
_FAREWELL = 20

Event = dict[str, Any]


class CommandError(AssertionError):
    """The browser cannot do what it was told, for example since another page has come."""


class GoneError(AssertionError):
    """The browser, or its page, has ended by itself."""


class Connection:
    """Commands to a browser, and their results."""

    def __init__(self, to: int, back: int, hear: Callable[[Event], None]) -> None:
        self._to, self._back = to, back
        os.set_blocking(to, False)  # a browser that is stopped reads nothing
        self._hear = hear
        self._number = 0
        self._rest = b""
        self._session: dict[str, str] = {}
        self._is_gone = False

    def attach(self, target: str) -> None:
        """Send what follows to a page of the browser."""
        found = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": found["sessionId"]}
        self.call("Inspector.enable")  # which tells if the page crashes

    def call(self, method: str, *, patience: float = 120, **given: object) -> Any:
        """Run a command and return its result."""
        (found,) = self.call_all((method, given), patience=patience)
        return found

    def call_all(self, *commands: tuple[str, dict[str, Any]], patience: float = 120) -> list[Any]:
        """Run commands and return their results; each is sent before there is a result.

        None may take more than *patience* seconds.
        """
        if self._is_gone:
            raise GoneError("the page has crashed before")
        end = time.monotonic() + patience
        first = self._number + 1
        for method, given in commands:
            self._send(method, given, end)
        answers = {number: command for number, command in enumerate(commands, first)}
        found: dict[int, Any] = {}
        while len(found) < len(commands):
            message = self._read(end, commands)
            if message.get("method") == "Inspector.targetCrashed":
                self._is_gone = True  # it would not answer
                raise GoneError("the page has crashed")
            if message.get("method") == "Page.javascriptDialogOpening":
                # Until it is answered, the page does nothing. Nobody waits for the result.
                self._send("Page.handleJavaScriptDialog", {"accept": True}, end)
            if "id" not in message:
                self._hear(message)
            elif message["id"] in answers:
                found[message["id"]] = message
        failed = [found[number]["error"] for number in answers if "error" in found[number]]
        if failed:
            raise CommandError(f"{failed}: {[method for method, _ in commands]}")
        return [found[number]["result"] for number in answers]

    def _send(self, method: str, given: dict[str, Any], end: float) -> None:
        self._number += 1
        told = {"id": self._number, "method": method, "params": given, **self._session}
        rest = json.dumps(told).encode() + b"\0"
        while rest:
            _, ready, _ = select.select([], [self._to], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError(f"the browser does not read: {told}"[:2000])
            rest = rest[os.write(self._to, rest) :]

    def _read(self, end: float, told: object) -> Event:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._back], [], [], max(0, end - time.monotonic()))
            if not ready:
                raise TimeoutError(f"the browser does not answer: {told}"[:2000])
            more = os.read(self._back, 1 << 20)
            if not more:
                raise GoneError(f"the browser has ended: {told}"[:2000])
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        found: Event = json.loads(message)
        return found


@contextmanager
def connection(
    command: Sequence[str], environment: Mapping[str, str], hear: Callable[[Event], None]
) -> Iterator[Connection]:
    """Start a browser, yield the connection to its only page, and end the browser.

    Calls *hear* with each event.
    """
    words = ["sh", "-c", _WITH_PIPES, "sh", *command, "--remote-debugging-pipe"]
    with subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
        env=environment,
        start_new_session=True,  # all processes of the browser, which can be ended together
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            found = Connection(process.stdin.fileno(), process.stdout.fileno(), hear)
            found.attach(found.call("Target.createTarget", url="about:blank")["targetId"])
            yield found
        finally:
            process.stdin.close()
            try:
                process.wait(_FAREWELL)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
