"""The stub of the public functions, and the declarations of options."""

import ast
import inspect
from dataclasses import replace
from typing import Any

import click
import pytest
from stub import STUB, laid_out, stub

import exactmatch
from exactmatch.cli import COMMANDS, main
from exactmatch.metrics.registry import METRICS
from exactmatch.scoring import options
from exactmatch.scoring.declaration import Option, Options, groups_of
from exactmatch.scoring.settings import Settings

#: Of each option that settings have, another value than the usual one.
OTHER: dict[str, Any] = {
    "method": "r",
    "starts": "candidates",
    "seed": 7,
    "solver": "dual",
    "cross_check": True,
    "timeout": 1.0,
    "total_timeout": 1.0,
    "memory": 1,
    "breakdown": True,
    "subscores": None,
    "by_sentence": True,
}
CHOICES = {name for kind in METRICS.values() for name in (*kind.choices(), *kind.parameters)}


def _meaning(text: str) -> tuple[list[str], set[str]]:
    """Return the declarations of *text*, in order, and its imports, whatever its layout."""
    body = ast.parse(text).body
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    others = [ast.dump(node) for node in body if not isinstance(node, ast.Import | ast.ImportFrom)]
    homes = [getattr(node, "module", "") for node in imports]
    names = {
        f"{home}: {ast.unparse(one)}"
        for home, node in zip(homes, imports, strict=True)
        for one in node.names
    }
    return others, names


def test_the_stub_is_made_of_what_is_declared(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-golden"):
        STUB.write_text(laid_out(stub()), encoding="utf-8")
    assert _meaning(STUB.read_text("utf-8")) == _meaning(stub())


def test_no_choice_of_a_metric_is_called_as_an_option() -> None:
    """A function takes both options as keywords."""
    assert _declared() and not _declared().keys() & CHOICES


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


def _declared() -> dict[str, Option]:
    groups = [kind for kind in vars(options).values() if isinstance(kind, type)]
    return {
        name: one
        for kind in groups
        if issubclass(kind, Options)
        for name, one in kind.declared.items()
    }


def test_what_moves_the_score_stands_in_the_signature_and_nothing_else_does() -> None:
    metric = METRICS["smatch"].profiles["default"]
    declared = {name: one for name, one in _declared().items() if name in OTHER}
    assert declared.keys() == OTHER.keys()
    for name, one in declared.items():
        needs_proof = name in ("solver", "cross_check")
        usual = Settings(method="exact" if needs_proof else "s")
        other = replace(usual, **{name: OTHER[name]})
        differs = usual.signature(metric) != other.signature(metric)
        assert differs == (one.effect == "score"), name


def test_what_changes_nothing_is_no_part_of_a_run() -> None:
    identity = options.StudyOptions().identity()
    assert {"timeout", "seed", "missing"} <= identity.keys()
    assert not {"workers", "cluster", "progress", "command"} & identity.keys()
