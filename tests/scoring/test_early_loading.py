"""A solver that runs by name is loaded before pairs are parsed; other runs load none."""

from collections.abc import Callable
from typing import Any

import pytest

import exactmatch
from exactmatch.graphs.pairing import read_pair
from exactmatch.runtime import workers as runtime
from exactmatch.runtime.workers import run_inline
from exactmatch.scoring import stream
from exactmatch.solving import solver_process

PAIR = "(a / b :r (c / d))", "(a / b :r (c / e))"


@pytest.fixture
def events(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """List what is loaded and read, in order."""
    found: list[str] = []

    def tell(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*arguments: Any) -> Any:
            found.append(what)
            return function(*arguments)

        return called

    monkeypatch.setattr(solver_process, "load_early", tell("load", lambda name: None))
    monkeypatch.setattr(stream, "read_pair", tell("read", read_pair))
    return found


def test_a_solver_is_loaded_before_the_first_pair_is_parsed(events: list[str]) -> None:
    exactmatch.score(*PAIR, solver="maxsat", workers=1)
    assert events.index("load") < events.index("read")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"solver": "dual"},
        {"solver": "maxsat", "metric": "sembleu"},
        {"solver": "maxsat", "timeout": 0},
        {"solver": "maxsat", "total_timeout": 0},
    ],
)
def test_what_needs_no_solver_loads_none(events: list[str], options: dict[str, Any]) -> None:
    exactmatch.score(*PAIR, workers=1, **options)
    assert "load" not in events


def test_a_pair_that_is_not_selected_loads_none_in_a_worker(events: list[str]) -> None:
    exactmatch.score(*PAIR, workers=1, solver="maxsat", ids=["of another"])
    assert events == ["load"]  # by the process that reads the files


def test_waiting_is_no_reason_to_start_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "_ALONE", 0.0)
    tasks = range(5)
    assert [*run_inline(str, tasks, str, lambda result: 1000.0)] == ["0", "1", "2", "3", "4"]
    assert [*run_inline(str, tasks, str, lambda result: 0.0)] == ["0"]
