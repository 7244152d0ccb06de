"""``--preset``: the usual options for a task, under one name."""

from collections.abc import Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from exactmatch.cli.answers import say_note
from exactmatch.cli.click_options import Adding, option
from exactmatch.scoring.declaration import COUNTING

#: The options of each task, by the names of parameters, with their values from the best one on. A
#: command ignores the options that it does not have.
PRESETS: Mapping[str, Mapping[str, Sequence[Any]]] = {
    # The output of a parser, in which graphs may be missing.
    "amr-parsing": {
        "metrics": ["smatch"],
        "profile": ["default"],
        "pair_by": ["id"],
        "on_error": ["empty", "skip"],
        "missing": ["empty"],
    },
    # Several annotators' graphs of the same sentences; only sentences that all have count.
    "amr-agreement": {
        "metrics": ["smatch"],
        "profile": ["default"],
        "pair_by": ["id"],
        "on_error": ["skip"],
        "missing": ["common"],
    },
    # The difference that remains if notation is ignored.
    "amr-meaning": {
        "metrics": ["smatch"],
        "profile": ["default"],
        "reification": ["collapse"],
        "coordination": ["unordered"],
        "wiki": ["drop"],
    },
    # Scores to compare with papers that used smatch or smatch++.
    "amr-smatch": {"metrics": ["smatch"], "profile": ["smatch-1.0.4"]},
    "amr-smatchpp": {"metrics": ["smatch"], "profile": ["smatchpp-1.8-amr"]},
    # The shared tasks of 2019 and 2020.
    "mrp-task": {
        "metrics": ["mrp"],
        "profile": ["paper"],
        "pair_by": ["id"],
        "on_error": ["empty", "skip"],
        "missing": ["empty"],
        "by_framework": [True],
    },
}


def _set(context: click.Context, _: click.Parameter, name: str | None) -> str | None:
    """Set the options of the preset that are not given."""
    if name is None:
        return None
    options = {one.name: one for one in context.command.params if isinstance(one, click.Option)}
    found: dict[str, Any] = {}
    for key, values in PRESETS[name].items():
        for value in values:
            if key in options and _takes(options[key], value):
                found.setdefault(key, [value] if options[key].multiple else value)
    context.default_map = found
    return name


def _takes(one: click.Option, value: object) -> bool:
    choices = getattr(one.type, "choices", None)
    return choices is None or value in choices


def tell_preset() -> None:
    """Print on standard error the options that the preset of the command has set, if any."""
    context = click.get_current_context()
    words = []
    for one in context.command.params:
        name = one.name or ""
        if context.get_parameter_source(name) == ParameterSource.DEFAULT_MAP:
            value = context.params[name]
            values = value if isinstance(value, tuple) else () if value is True else (value,)
            words += [max(one.opts, key=len), *values]
    if words:
        say_note(f"the preset sets {' '.join(words)}")


#: The option itself; it is read before the others.
preset_option: Adding = option(
    "--preset",
    type=click.Choice([*PRESETS]),
    metavar="TASK",
    is_eager=True,
    callback=_set,
    group=COUNTING,
    help=f"Use the usual options for a task: {', '.join(PRESETS)}. The options are printed; "
    "explicit options take precedence.",
)
