"""The workers of a cluster: which were checked and can work, and why the others cannot.

Nothing here speaks to the cluster. Times are seconds on the clock of a session.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class Identity(NamedTuple):
    """A worker. Another one may have its address later, but never its folder."""

    address: str
    folder: str


class Seen(NamedTuple):
    """A worker as the scheduler describes it."""

    threads: int
    memory: int
    status: str
    last_seen: float
    is_executing: bool

    @property
    def is_running(self) -> bool:
        """Whether Dask gives it work."""
        return self.status == "running"


def described(workers: Mapping[str, Mapping[str, Any]]) -> dict[Identity, Seen]:
    """Return what a scheduler says about its *workers*, by address."""
    found = {}
    for address, said in workers.items():
        counts = said.get("metrics", {}).get("task_counts", {})
        found[Identity(address, said["local_directory"])] = Seen(
            said["nthreads"],
            said["memory_limit"] or 0,
            said["status"],
            said["last_seen"],
            bool(counts.get("executing")),
        )
    return found


@dataclass(slots=True)
class _Worker:
    """What is known of a worker. *well* is when it last ran and was heard of."""

    seen: Seen
    well: float


class Roster:
    """The workers of a cluster, also those of earlier sessions, since a study has several.

    patience: seconds until a worker that is paused or silent loses its work to others.
    has_begun: the workers that were there at first have been checked.
    usable: checked workers that may get work.
    ailing: checked workers that have been paused or silent for too long.
    """

    patience = 30.0

    def __init__(self, note: Callable[[str], object]) -> None:
        self.has_begun = False
        self.usable: frozenset[Identity] = frozenset()
        self.ailing: frozenset[Identity] = frozenset()
        self.note = note
        self._said: set[str] = set()
        self._faults: dict[Identity, str | None] = {}
        self._present: dict[Identity, _Worker] = {}

    def say(self, message: str) -> None:
        """Note *message*, unless it was said before."""
        if message not in self._said:
            self._said.add(message)
            self.note(message)

    def start_over(self) -> None:
        """Forget who is there, since a new session has a new clock; known faults stay."""
        self._present = {}
        self.usable = self.ailing = frozenset()

    def update(self, found: Mapping[Identity, Seen], now: float) -> None:
        """Take in which workers there are at the time *now*."""
        before, self._present = self._present, {}
        for identity, seen in found.items():
            old = before.get(identity)
            is_well = old is None or (seen.is_running and seen.last_seen != old.seen.last_seen)
            well = now if old is None or is_well else old.well
            self._present[identity] = _Worker(seen, well)
        self.sort(now)

    def unchecked(self) -> list[Identity]:
        """Return the workers whose versions are not known."""
        return [identity for identity in self._present if identity not in self._faults]

    def judge(self, identity: Identity, fault: str | None) -> None:
        """Have a worker take part, unless it has a *fault*."""
        self._faults[identity] = fault

    def is_present(self, identities: Iterable[Identity]) -> bool:
        """Whether one of *identities* is still there, well or not."""
        return any(identity in self._present for identity in identities)

    def threads(self) -> int:
        """Return the number of threads that can begin to work now."""
        seen = (self._present[identity].seen for identity in self.usable)
        return sum(one.threads for one in seen if one.is_running)

    def is_at_work(self) -> bool:
        """Whether a worker of ours was at work when it was last heard of."""
        return any(self._present[one].seen.is_executing for one in self.usable | self.ailing)

    def memory(self) -> Sequence[int]:
        """Return the bytes for each thread of those workers that have a memory limit."""
        seen = (self._present[identity].seen for identity in sorted(self.usable))
        return [one.memory // one.threads for one in seen if one.memory]

    def reasons(self) -> str:
        """Return why workers that are there cannot work, for messages; the first few of them."""
        said = [*filter(None, map(self._reason, sorted(self._present)))]
        more = [f"and {len(said) - 3} more"] if len(said) > 3 else []
        return "; ".join([*said[:3], *more])

    def sort(self, now: float) -> None:
        """Find out who is usable and who ails at the time *now*, and say so."""
        ours = [one for one in self._present if self._faults.get(one, "unknown") is None]
        ill = {one for one in ours if now - self._present[one].well >= self.patience}
        self.usable, self.ailing = frozenset(ours) - ill, frozenset(ill)
        others = "; other workers get its work" * bool(self.usable)
        for identity in sorted(ill):
            self.say(f"{self._reason(identity)} for {self.patience:.0f} seconds{others}")

    def _reason(self, identity: Identity) -> str | None:
        """Return why a worker cannot work, if it cannot."""
        fault = self._faults.get(identity, f"worker {identity.address} has not answered")
        if fault is not None:
            return fault
        seen = self._present[identity].seen
        if not seen.is_running:
            why = " (Dask pauses workers that are short of memory)" * (seen.status == "paused")
            return f"worker {identity.address} has been {seen.status}{why}"
        return f"worker {identity.address} has been silent" if identity in self.ailing else None
