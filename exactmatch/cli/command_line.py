"""The command line of a result, as reports print it."""

import shlex
from collections.abc import Callable, Sequence

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
        if getattr(parameter, "changes", True) and parameter.name not in but:
            words += words_given(context, parameter, _shown)
    return shlex.join(words)


def words_given(
    context: click.Context,
    parameter: click.Parameter,
    shown: Callable[[str, click.Parameter], str] = lambda word, _: word,
) -> list[str]:
    """Return the words that gave *parameter* on the command line, each as *shown*; none if absent.

    Words that named a list are one for each entry.
    """
    name = parameter.name or ""
    if context.get_parameter_source(name) != ParameterSource.COMMANDLINE:
        return []
    value = context.params.get(name)
    words = []
    for one in value if isinstance(value, tuple) and parameter.nargs < 2 else (value,):
        if isinstance(parameter, click.Option):
            words.append(max(parameter.opts, key=len))
        if one is not True:
            values_of_one = one if isinstance(one, tuple) else (one,)
            words += (shown(str(word), parameter) for word in values_of_one)
    return words


def _shown(word: str, parameter: click.Parameter) -> str:
    """Return a word without the folders of this machine."""
    if not isinstance(parameter.type, SystemWord):
        return shown_path(word)
    from exactmatch.graphs.run_files import shown_word

    return shown_word(word)
