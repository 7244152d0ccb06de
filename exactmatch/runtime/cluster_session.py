"""A session with a cluster: look at its workers without waiting for anybody too long.

Every question runs in the event loop of Dask's client, and is an answer to look at later.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager
from functools import partial
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, TypeVar

from exactmatch.errors import UsageError, WorkerError
from exactmatch.runtime import block_work
from exactmatch.runtime.block_work import fault_of
from exactmatch.runtime.roster import Identity, Roster, described
from exactmatch.runtime.scheduler import without_password
from exactmatch.stopping.interrupts import LOOK, check

if TYPE_CHECKING:
    from distributed import Client

Answer = TypeVar("Answer")

#: Seconds between two looks at the workers, and between two looks while there are none.
_OFTEN = 2.0
_SOON = 0.2
#: Seconds until a late answer is worth a word, and until nothing is expected to come any more.
_ANSWER = 10.0
_PATIENCE = 30.0


class Session:
    """A connection to a cluster through *client*. All methods raise `WorkerError` if it is lost.

    held: keys of tasks that ailing workers have.
    """

    def __init__(self, client: "Client", roster: Roster) -> None:
        self.client = client
        self.roster = roster
        self.held: frozenset[Any] = frozenset()
        self.now = 0.0
        place = "" if client.scheduler is None else client.scheduler.address
        self.name = f"the cluster {without_password(place)}".rstrip()
        roster.start_over()
        self._last = time.monotonic()
        self._question: Future[Any] | None = None
        self._asked = self._able = 0.0
        self._next_look = 0.0
        self._checks: dict[Identity, Future[Any]] = {}

    def begin(self) -> None:
        """Wait until workers can work, and all that are there at first were checked or are silent.

        Raises `UsageError` if one of these has other versions. Later ones are left out with a note.
        """
        while True:
            self.look()
            unknown = self.roster.unchecked()
            if self.roster.threads():
                if self.roster.has_begun or not unknown:
                    break
                if self.now >= _ANSWER:
                    self._say_silent(unknown)
                    break
            time.sleep(_SOON / 10)
        self.roster.has_begun = True

    def look(self) -> None:
        """Take in the answers that have come, and ask from time to time.

        Only seconds between looks that are near each other count as waiting: the caller may take
        its time over a result, and holds up our own threads then.
        """
        here = time.monotonic()
        self.now += min(here - self._last, 2 * LOOK)
        self._last = here
        check()
        self._take_in()
        if self._question is None and here >= self._next_look:
            self._question = self.ask(self._state)
            self._asked = self.now
        self._complain()

    def ask(self, question: Callable[[], Awaitable[Answer]]) -> "Future[Answer]":
        """Run *question* in the client's event loop, and return its answer to come."""

        async def asked() -> Answer:
            return await question()  # called in the loop, since Dask waits outside of it

        with self.listening():
            coroutine = asked()
            try:
                return asyncio.run_coroutine_threadsafe(coroutine, self.client.loop.asyncio_loop)
            except RuntimeError as error:  # the loop was closed
                coroutine.close()
                raise OSError(error) from error

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Translate the errors of a cluster that does not answer, or has dropped its tasks."""
        try:
            if self.client.status != "running":  # the client would try to connect again
                raise OSError(f"its client is {self.client.status}")
            yield
        except (OSError, CancelledError, asyncio.CancelledError) as error:
            raise WorkerError(f"{self.name} is gone: {error}") from error

    def end(self) -> None:
        """Wait for no answer any more."""
        for answer in (self._question, *self._checks.values()):
            if answer is not None:
                answer.cancel()

    async def _state(self) -> tuple[Any, Any]:
        """Return what the scheduler says about itself and, if a worker ails, about tasks."""
        identity: Any = await self.client.scheduler.identity()
        return identity, await self.client.processing() if self.roster.ailing else {}

    def _take_in(self) -> None:
        if self._question is not None and self._question.done():
            with self.listening():
                identity, tasks = self._question.result()
            self._question = None
            self.roster.update(described(identity["workers"]), self.now)
            ailing = {one.address for one in self.roster.ailing}
            self.held = frozenset(key for one in ailing for key in tasks.get(one, ()))
            is_idle = not self.roster.threads()
            self._next_look = time.monotonic() + (_SOON if is_idle else _OFTEN)
            self._ask_versions()
        self._take_in_versions()
        if self.roster.threads() or self.roster.is_at_work():
            self._able = self.now

    def _ask_versions(self) -> None:
        unchecked = {*self.roster.unchecked()}
        for gone in self._checks.keys() - unchecked:
            self._checks.pop(gone).cancel()
        for new in sorted(unchecked - self._checks.keys()):
            self._checks[new] = self.ask(partial(self._versions, new.address))

    async def _versions(self, address: str) -> Any:
        """Return the versions at *address*, or the error of asking for them."""
        name = f"{block_work.__name__}:VERSIONS"
        answers = await self.client.run(resolve_name, name, workers=[address], on_error="return")
        return answers[address]

    def _take_in_versions(self) -> None:
        """Take in the answers about versions. Raises `UsageError` for wrong ones at the start."""
        done = sorted(one for one, answer in self._checks.items() if answer.done())
        for identity in done:
            answer = self._checks.pop(identity)
            error = CancelledError() if answer.cancelled() else answer.exception()
            versions = error or answer.result()
            if isinstance(versions, OSError | CancelledError):
                continue  # the worker has gone, or is asked again
            fault = fault_of(versions, block_work.VERSIONS, identity.address)
            if fault is not None and not self.roster.has_begun:
                raise UsageError(fault)
            self.roster.judge(identity, fault)
            if fault is not None:
                self.roster.say(f"{fault}; it is left out")
        if done:
            self.roster.sort(self.now)

    def _say_silent(self, unknown: list[Identity]) -> None:
        more = f", and {len(unknown) - 1} more" if len(unknown) > 1 else ""
        self.roster.say(f"worker {min(unknown).address}{more} has not answered; it is left out")

    def _complain(self) -> None:
        """Say that the cluster does not answer, or that no worker can work; raise at last."""
        if self._question is not None and self.now - self._asked >= _ANSWER:
            self.roster.say(f"{self.name} has not answered for {_ANSWER:.0f} seconds")
            if self.now - self._asked >= _PATIENCE:
                raise WorkerError(f"{self.name} is gone: no answer for {_PATIENCE:.0f} seconds")
        if self._next_look > 0 and self._able < self.now:
            self._say_idle()

    def _say_idle(self) -> None:
        reasons = self.roster.reasons()
        able = " that can work" if reasons else ""
        if self.now - self._able >= _PATIENCE:
            said = f"{self.name} has had no workers{able} for {_PATIENCE:.0f} seconds"
            raise WorkerError(f"{said}: {reasons}" if reasons else said)
        if not reasons or self.now - self._able >= _ANSWER:
            said = f"{self.name} has no workers{able} yet; waiting for some"
            self.roster.say(f"{said}: {reasons}" if reasons else said)
