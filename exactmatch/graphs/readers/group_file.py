"""Read files that assign items to groups: lines of an identifier, a tab, and the group."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike

from exactmatch.errors import InputError
from exactmatch.graphs.readers.source import read_lines, source_name


@dataclass(frozen=True, slots=True)
class GroupFile:
    """The groups of a file, by the identifiers of their items.

    sha256: the SHA-256 of the file.
    """

    path: str
    sha256: str
    groups: Mapping[str, str]


def read_groups(path: str | PathLike[str]) -> GroupFile:
    """Read groups. Raises `InputError`, with the line, for a malformed file."""
    whole = sha256()
    lines, name = read_lines(path, watch=whole.update), source_name(path)
    groups: dict[str, str] = {}
    for number, raw in enumerate(lines, start=1):
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(f"{name}:{number}: not UTF-8") from error
        if not text.strip():
            continue
        identifier, _, group = (part.strip() for part in text.partition("\t"))
        if not identifier or not group or "\t" in group:
            raise InputError(f"{name}:{number}: expected identifier, tab and group: {text!r}")
        if groups.setdefault(identifier, group) != group:
            raise InputError(
                f"{name}:{number}: {identifier} is in group {group}, but in {groups[identifier]} "
                "above"
            )
    return GroupFile(name, whole.hexdigest(), groups)
