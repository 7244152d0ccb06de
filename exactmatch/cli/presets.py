"""``--preset``: the options that a task usually takes, by one name."""

from collections.abc import Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from exactmatch.cli.answers import say_note
from exactmatch.cli.click_options import Adding, option
from exactmatch.scoring.declaration import COUNTING

#: Options by task, under the names of parameters, each with the values from the best one on. A
#: command that has none of them goes without it.
PRESETS: Mapping[str, Mapping[str, Sequence[Any]]] = {
    # A parser's output, in which graphs may be missing.
    "amr-parsing": {
        "metrics": ["smatch"],
        "profile": ["default"],
        "pair_by": ["id"],
        "on_error": ["empty", "skip"],
        "missing": ["empty"],
    },
    # People's graphs of the same sentences, those that all of them have.
    "amr-agreement": {
        "metrics": ["smatch"],
        "profile": ["default"],
        "pair_by": ["id"],
        "on_error": ["skip"],
        "missing": ["common"],
    },
    # What is left if notation is set aside.
    "amr-meaning": {
        "metrics": ["smatch"],
        "profile": ["default"],
        "reification": ["collapse"],
        "coordination": ["unordered"],
        "wiki": ["drop"],
    },
    # Beside numbers of papers, which smatch or smatch++ have computed.
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
    """Have options that are not given be as the preset says."""
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
    """Say on standard error what the preset of the current command has set, if it has one."""
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


#: The option; it is looked at before the others.
preset_option: Adding = option(
    "--preset",
    type=click.Choice([*PRESETS]),
    metavar="TASK",
    is_eager=True,
    callback=_set,
    group=COUNTING,
    help=f"The options that a task usually takes: {', '.join(PRESETS)}. Which they are is told, "
    "and others that are given win.",
)
