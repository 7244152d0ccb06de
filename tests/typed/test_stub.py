"""The stub of the public functions, and the names of what is declared."""

import inspect

import click
import pytest
from stub import STUB, stub

import exactmatch
from exactmatch.cli import COMMANDS, main
from exactmatch.metrics.registry import METRICS
from exactmatch.scoring import options
from exactmatch.scoring.declaration import Options, groups_of

CHOICES = {name for kind in METRICS.values() for name in (*kind.choices(), *kind.parameters)}


def test_the_stub_is_made_of_what_is_declared(request: pytest.FixtureRequest) -> None:
    pytest.importorskip("ruff", reason="ruff lays the stub out")
    if request.config.getoption("--update-golden"):
        STUB.write_text(stub(), encoding="utf-8")
    assert STUB.read_text("utf-8") == stub()


def test_no_choice_of_a_metric_is_called_as_an_option() -> None:
    """A function takes both as keywords."""
    groups = [kind for kind in vars(options).values() if isinstance(kind, type)]
    names = {name for kind in groups if issubclass(kind, Options) for name in kind.declared}
    assert names and not names & CHOICES


def _callback(name: str) -> object:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return command.callback


def test_no_choice_of_a_metric_is_called_as_a_group() -> None:
    """A function gets both by name."""
    functions = [getattr(exactmatch, name) for name in exactmatch.__all__]
    commands = [_callback(name) for name in COMMANDS]
    taking = [one for one in (*functions, *commands) if inspect.isfunction(one)]
    slots = {slot for one in taking for slot in groups_of(one)}
    assert slots and not slots & CHOICES
