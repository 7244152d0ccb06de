"""The command line of a result, as reports print it."""

import shlex
from collections.abc import Sequence

import click
from click.core import ParameterSource

from exactmatch.graphs.paths import shown_path


def command_line(context: click.Context, but: Sequence[str] = ()) -> str:
    """Return the command line of this result, without options that do not change the result.

    The options named in *but* are left out as well.
    """
    words = ["exactmatch", context.info_name or ""]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        given = context.get_parameter_source(parameter.name or "") == ParameterSource.COMMANDLINE
        if not given or not getattr(parameter, "changes", True) or parameter.name in but:
            continue
        values = value if isinstance(value, tuple) and parameter.nargs < 2 else (value,)
        for one in values:
            if isinstance(parameter, click.Option):
                words.append(max(parameter.opts, key=len))
            if one is not True:
                values_of_one = one if isinstance(one, tuple) else (one,)
                words += (shown_path(str(word)) for word in values_of_one)
    return shlex.join(words)
