"""Which workers of a cluster can work: descriptions by hand, and a clock of the tests."""

from typing import Any

import pytest

from exactmatch.runtime.roster import Identity, Roster, Seen, described

A, B, C = (Identity(f"tcp://10.0.0.{k}:9", f"/tmp/{k}") for k in (1, 2, 3))
WELL = Seen(threads=2, memory=8000, status="running", last_seen=0.0, is_executing=False)


def roster_of(*identities: Identity) -> tuple[Roster, list[str]]:
    """Return a roster of checked workers, and its notes."""
    notes: list[str] = []
    found = Roster(notes.append)
    for identity in identities:
        found.judge(identity, None)
    return found, notes


def at(when: float, **more: Any) -> Seen:
    """Return a worker that was heard of at a time."""
    return WELL._replace(last_seen=when, **more)


def test_a_worker_has_to_be_checked() -> None:
    roster, notes = roster_of(A)
    roster.update({A: WELL, B: WELL, C: WELL}, 0.0)
    assert (roster.usable, roster.threads(), roster.unchecked()) == (frozenset({A}), 2, [B, C])
    roster.judge(B, "worker B is odd")
    roster.judge(C, None)
    roster.sort(0.0)
    assert (roster.usable, roster.threads(), roster.unchecked()) == (frozenset({A, C}), 4, [])
    assert (roster.reasons(), notes) == ("worker B is odd", [])


def test_another_worker_at_an_address_has_to_be_checked_as_well() -> None:
    roster, _ = roster_of(A)
    other = Identity(A.address, "/tmp/other")
    roster.update({other: WELL}, 0.0)
    assert (roster.usable, roster.unchecked()) == (frozenset(), [other])
    assert not roster.is_present([A])


def test_a_fault_is_remembered_when_the_clock_starts_again() -> None:
    roster, _ = roster_of(A)
    roster.judge(B, "worker B is odd")
    roster.update({A: WELL, B: WELL}, 50.0)
    roster.start_over()
    assert (roster.usable, roster.threads()) == (frozenset(), 0)
    roster.update({A: WELL, B: WELL}, 0.0)
    assert (roster.usable, roster.unchecked()) == (frozenset({A}), [])


def test_a_paused_worker_gets_nothing_and_ails_after_thirty_seconds() -> None:
    roster, notes = roster_of(A, B)
    for second in range(0, 61, 2):
        roster.update({A: at(second), B: at(second, status="paused")}, float(second))
        assert roster.threads() == 2
        assert roster.ailing == (frozenset() if second < 30 else frozenset({B}))
    assert notes == [
        "worker tcp://10.0.0.2:9 has been paused (Dask pauses workers that are short of memory) "
        "for 30 seconds; other workers get its work"
    ]
    roster.update({A: at(62), B: at(62)}, 62.0)
    assert (roster.usable, roster.ailing) == (frozenset({A, B}), frozenset())


def test_a_silent_worker_ails_after_thirty_seconds() -> None:
    roster, notes = roster_of(A, B)
    for second in range(0, 33, 2):
        roster.update({A: at(second), B: at(min(second, 1))}, float(second))
    assert (roster.usable, roster.ailing) == (frozenset({A}), frozenset({B}))
    said = "worker tcp://10.0.0.2:9 has been silent for 30 seconds; other workers get its work"
    assert notes == [said]


def test_who_is_at_work_was_so_when_it_was_last_heard_of() -> None:
    roster, _ = roster_of(A)
    roster.update({A: WELL, B: at(0, is_executing=True)}, 0.0)
    assert not roster.is_at_work()
    roster.update({A: at(0, is_executing=True)}, 0.0)
    roster.update({A: at(0, is_executing=True)}, 40.0)
    assert roster.ailing == {A}
    assert roster.is_at_work()


def test_the_threads_of_a_worker_share_its_memory() -> None:
    roster, _ = roster_of(A, B)
    roster.update({A: WELL, B: at(0, memory=0), C: WELL}, 0.0)
    assert [*roster.memory()] == [4000]


def test_only_the_first_reasons_are_given() -> None:
    roster, _ = roster_of()
    roster.update({Identity(f"tcp://h:{k}", ""): WELL for k in range(5)}, 0.0)
    wanted = [f"worker tcp://h:{k} has not answered" for k in range(3)]
    assert roster.reasons() == "; ".join([*wanted, "and 2 more"])


def test_a_message_is_said_once() -> None:
    roster, notes = roster_of()
    for message in ("one", "other", "one"):
        roster.say(message)
    assert notes == ["one", "other"]


@pytest.mark.parametrize("memory", [None, 0, 4000])
@pytest.mark.parametrize("metrics", [{}, {"task_counts": {"executing": 2}}])
def test_what_a_scheduler_says(memory: int | None, metrics: dict[str, Any]) -> None:
    said: dict[str, Any] = {"nthreads": 1, "memory_limit": memory, "status": "paused"}
    said |= {"last_seen": 5.0, "local_directory": A.folder, "metrics": metrics}
    wanted = Seen(1, memory or 0, "paused", 5.0, bool(metrics))
    assert described({A.address: said}) == {A: wanted}
