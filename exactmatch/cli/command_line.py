"""The command line of a result, as reports print it."""

import shlex
from collections.abc import Sequence

import click
from click.core import ParameterSource

from exactmatch.cli.named_files import SystemWord
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
                words += (_shown(str(word), parameter) for word in values_of_one)
    return shlex.join(words)


def _shown(word: str, parameter: click.Parameter) -> str:
    """Return a word without the folders of this machine."""
    if not isinstance(parameter.type, SystemWord):
        return shown_path(word)
    from exactmatch.graphs.run_files import shown_word

    return shown_word(word)
