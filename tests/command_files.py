"""The files that each command reads and writes, by the names of its parameters."""

from collections.abc import Mapping

import click

from exactmatch.cli import COMMANDS, main
from exactmatch.cli.named_files import TextOrFile, WrittenPath

#: The options on words, which most commands share.
WORDS = {
    *("vectors", "similarity", "synonyms", "classes", "lengths", "reification_table", "credits"),
}
#: These, and the file of a cluster's scheduler.
SHARED = {*WORDS, "cluster"}
PAIR = {"system", "gold"}
#: Folders of which only some files are read; other tests have those.
IN_PART = {("adjudicate", "folder"), ("verify", "graphs"), ("web", "runtime")}


def command(name: str) -> click.Command:
    found = main.get_command(click.Context(main), name)
    assert found is not None
    return found


def files_of(name: str) -> tuple[set[str], set[str]]:
    """Return the parameters of a command that name files to read, and files to write."""
    params = [(one.name or "", one.type) for one in command(name).params]
    written = {called for called, kind in params if isinstance(kind, WrittenPath)}
    read = {
        called for called, kind in params if isinstance(kind, click.Path | click.File | TextOrFile)
    }
    return read - written, written


def arguments(name: str) -> set[str]:
    """Return the names of a command's arguments, which are no options."""
    return {one.name or "" for one in command(name).params if isinstance(one, click.Argument)}


#: What each command reads, and what it writes.
LISTED = {name: files_of(name) for name in COMMANDS}


def with_graphs(name: str, given: Mapping[str, str], *graphs: str) -> list[str]:
    """Return a command whose arguments are *graphs* in turn, or the *given* files by their names.

    An argument for several files gets two, the given one last.
    """
    rest = iter(graphs)
    words = [name]
    for one in command(name).params:
        if isinstance(one, click.Argument):
            *others, last = [next(rest) for _ in range(1 if one.nargs == 1 else 2)]
            words += [*others, given.get(one.name or "", last)]
    return words
