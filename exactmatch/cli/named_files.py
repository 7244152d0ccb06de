"""The files that the words of a command name: those that it reads, and those that it writes."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
from click.types import StringParamType

from exactmatch.errors import InputError


class WrittenPath(click.Path):
    """A file or folder that a command writes; any other `click.Path` is read."""


class ReadInPart(click.Path):
    """A folder of which a command reads some files, which the command itself looks after."""


class TextOrFile(StringParamType):
    """A text, or the name of a file that is read if there is such a file."""


class SystemWord(click.Path):
    """The path of a file, or the files of a system as ``NAME=FILE``."""


class SystemsFile(click.Path):
    """A file in TOML that lists the files of systems."""


class NamedFiles:
    """What a command reads, and the files and folders that it writes."""

    def __init__(self) -> None:
        self.read: list[str] = []
        self.written: list[Path] = []
        self.folders: list[Path] = []


_READ = (click.Path, click.File, TextOrFile)


def named_files(command: click.Command, given: Mapping[str, Any]) -> NamedFiles:
    """Return the files that a command line names; *given* are its words by parameter."""
    found = NamedFiles()
    for one in command.params:
        names = [*_texts(given.get(one.name or ""))]
        if isinstance(one.type, WrittenPath):
            (found.written if one.type.file_okay else found.folders).extend(map(Path, names))
        elif isinstance(one.type, _READ):
            found.read.extend(names)
            found.read.extend(inner for name in names for inner in _listed_by(one.type, name))
            if not isinstance(one.type, ReadInPart):
                found.read.extend(inner for name in names for inner in _files_in(name))
    return found


def _listed_by(kind: object, name: str) -> list[str]:
    """Return the files of systems that a word lists."""
    if not isinstance(kind, SystemWord | SystemsFile):
        return []
    from exactmatch.graphs.run_files import files_of_word, read_systems

    try:
        if isinstance(kind, SystemWord):
            return files_of_word(name)
        return [file for files in read_systems(name).values() for file in files]
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
