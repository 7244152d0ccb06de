"""The files that the words of a command name: those that it reads, and those that it writes."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from click.types import StringParamType

from exactmatch.errors import InputError, UsageError
from exactmatch.runtime.output import check_folder_place, check_place, real_path


class WrittenPath(click.Path):
    """A file or folder that a command writes; any other `click.Path` is read."""


class WrittenFile(WrittenPath):
    """A file that a command writes into a folder, which must exist."""


class ReadInPart(click.Path):
    """A folder of which a command reads some files, which the command itself looks after."""


class TextOrFile(StringParamType):
    """A text, or the name of a file that is read if there is such a file."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        """Return the request that the shell complete the name of a file."""
        return click.Path().shell_complete(ctx, param, incomplete)


class SystemWord(click.Path):
    """The path of a file, or the files of a system as ``NAME=FILE``."""

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> Any:
        """Return the request that the shell complete the name of a file, after ``NAME=``."""
        return super().shell_complete(ctx, param, incomplete.split("=", 1)[-1])


class RunWord(SystemWord):
    """The path of a file, or ``NAME=FILE`` for the only run of a system."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path. Raises `UsageError` for several files."""
        from exactmatch.graphs.run_files import files_of_word

        files = files_of_word(str(value))
        if len(files) > 1:
            raise UsageError(
                f"{value} names {len(files)} files: show one of them, or all runs with "
                "exactmatch compare --pages DIR"
            )
        return Path(os.fsdecode(super().convert(files[0], param, ctx)))


class ListedSystems(str):
    """The path of a file that lists systems.

    The file is read once, since it may be a pipe. Its fault is told when its systems are used: that
    it would be overwritten is told first.
    """

    found: Mapping[str, Sequence[str]] | InputError

    @property
    def systems(self) -> Mapping[str, Sequence[str]]:
        """The files of each system. Raises `InputError` if the file lists none."""
        if isinstance(self.found, InputError):
            raise self.found
        return self.found

    @property
    def files(self) -> list[str]:
        """The files of all systems; none if the file cannot be read."""
        if isinstance(self.found, InputError):
            return []
        return [file for files in self.found.values() for file in files]


class SystemsFile(click.Path):
    """A file in TOML that lists the files of systems."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> ListedSystems:
        """Return the path with the systems of the file."""
        from exactmatch.graphs.run_files import read_systems

        listed = ListedSystems(super().convert(value, param, ctx))
        try:
            listed.found = read_systems(listed)
        except InputError as error:
            listed.found = error
        return listed


class NamedFiles:
    """What a command reads, and what it writes.

    files: files to write. folders: folders to write. written: the files, and what may be either.
    """

    def __init__(self) -> None:
        self.read: list[str] = []
        self.files: list[Path] = []
        self.written: list[Path] = []
        self.folders: list[Path] = []

    def check_places(self) -> None:
        """Raise `InputError` if the folder of a file or folder to write does not allow it.

        A file may lie in a folder that the same command makes, or is refused there by the command.
        """
        for path in self.folders:
            check_folder_place(path)
        others = [path for path in self.written if path not in self.files]
        made = {real_path(path) for path in (*self.folders, *others)}
        for path in self.files:
            if made.isdisjoint(real_path(path).parents):
                check_place(path)


_READ = (click.Path, click.File, TextOrFile)


def named_files(
    command: click.Command, given: Mapping[str, Any], values: Mapping[str, Any]
) -> NamedFiles:
    """Return the files that a command line names.

    *given* are its words by parameter; *values* are these words as the command gets them.
    """
    found = NamedFiles()
    for one in command.params:
        names = [*_texts(given.get(one.name or ""))]
        if isinstance(one.type, WrittenPath):
            (found.written if one.type.file_okay else found.folders).extend(map(Path, names))
            if isinstance(one.type, WrittenFile):
                found.files.extend(map(Path, names))
        elif isinstance(one.type, _READ):
            found.read.extend(names)
            listed = values.get(one.name or "")
            if isinstance(listed, ListedSystems):
                found.read.extend(listed.files)
            elif isinstance(one.type, SystemWord):
                found.read.extend(inner for name in names for inner in _files_of_word(name))
            if not isinstance(one.type, ReadInPart):
                found.read.extend(inner for name in names for inner in _files_in(name))
    return found


def _files_of_word(word: str) -> list[str]:
    """Return the files that a word names, which may be the runs of a system."""
    from exactmatch.graphs.run_files import files_of_word

    try:
        return files_of_word(word)
    except InputError:  # what cannot be read is told by its reader
        return []


def _files_in(name: str) -> list[str]:
    """Return the files of a folder, such as that of WordNet; nothing for a file or a text."""
    try:
        with os.scandir(name) as entries:
            return sorted(entry.path for entry in entries if entry.is_file())
    except (OSError, ValueError):  # what cannot be read is told by its reader
        return []


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts of a value: of one, of several, or of an option that is not given."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
