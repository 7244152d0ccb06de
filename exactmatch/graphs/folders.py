"""Read the graphs of the files of a folder, in the order of the files' names.

Exports often have one file for each sentence, or for each document. Files of the same relative name
in two folders belong together. Hidden files and folders are left out.
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from exactmatch.errors import InputError, NoGraphError
from exactmatch.graphs.distinct_names import DistinctNames
from exactmatch.graphs.pairing_advice import BY_IDENTIFIER
from exactmatch.graphs.paths import first_of, shown_path
from exactmatch.graphs.readers.detect import cut_texts, same_format
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import ByteStream


@dataclass(frozen=True, slots=True)
class Folder:
    """The graphs of a folder, not read yet.

    files: the number of graphs of each file, by its name below the folder, with slashes.
    texts: the graphs of all files. names: for each graph, its name by its file: that of the file
        without ending, and a number after the first graph.
    digest: the SHA-256 of the names and the contents of all files.
    """

    path: str
    format: str
    files: dict[str, int]
    texts: Sequence[GraphText]
    names: Sequence[str]
    digest: str


def files_below(folder: str | os.PathLike[str]) -> list[str]:
    """Return the names of the files below *folder*, with slashes, in order; no hidden ones.

    Raises `InputError` for a folder that cannot be read.
    """

    def fail(error: OSError) -> None:
        raise InputError(f"{error.filename}: {error.strerror or error}") from error

    found = []
    for place, folders, files in os.walk(folder, onerror=fail):
        folders[:] = [name for name in folders if not name.startswith(".")]
        below = Path(place).relative_to(folder)
        found += [(below / name).as_posix() for name in files if not name.startswith(".")]
    return sorted(found)


def read_folder(
    path: str | os.PathLike[str],
    watch: Callable[[bytes], object] | None = None,
    *,
    may_be_empty: bool = False,
) -> Folder:
    """Read the files of the folder at *path*; *watch* is called with their bytes.

    Raises `InputError` for a folder without files, for files that cannot be used, such as one
    without a graph unless files *may_be_empty*, and for files of different formats.
    """
    files: dict[str, int] = {}
    formats: dict[str, str] = {}
    texts: list[GraphText] = []
    names: list[str] = []
    given = DistinctNames()
    digest = hashlib.sha256()
    for file in files_below(path):
        digest.update(os.fsencode(f"{file}\0"))

        def see(data: bytes) -> None:
            digest.update(data)
            if watch is not None:
                watch(data)

        with ByteStream(Path(path) / file, see) as stream:
            try:
                formats[stream.name], cut = cut_texts(stream.chunks(), stream.name)
                own = [*cut]
            except NoGraphError:
                if not may_be_empty:
                    raise
                own = []
        files[file] = len(own)
        texts += own
        stem = PurePosixPath(file).with_suffix("").as_posix()
        names += [given.distinct(stem) for _ in own]
    if not texts:
        raise InputError(f"{path}: a folder without graphs")
    return Folder(str(path), same_format(formats), files, texts, names, digest.hexdigest())


def check_same_files(one: Folder, other: Folder) -> None:
    """Raise `InputError` unless two folders have files of the same names with as many graphs."""
    if one.files == other.files:
        return
    said = []
    for folder, than in ((one, other), (other, one)):
        lacking = [name for name in than.files if name not in folder.files]
        if lacking:
            said.append(
                f"{folder.path} lacks {_files(len(lacking))} of {than.path}: {first_of(lacking)}"
            )
    said += [
        f"{name}: number of graphs: {number} in {one.path}, {other.files[name]} in {other.path}"
        for name, number in one.files.items()
        if other.files.get(name, number) != number
    ]
    raise InputError(
        "\n".join([*said, f"({BY_IDENTIFIER}; names of files stand for missing ones)"])
    )


def order_said(folders: Sequence[Folder]) -> str:
    """Return a note on the order of the files of *folders*."""
    paths = " and ".join(shown_path(folder.path) for folder in folders)
    how = "paired by name, in this order" if len(folders) > 1 else "read in this order"
    names = [*folders[0].files]
    is_one = len(names) == 1
    return f"{_files(len(names))} of {paths} {'is' if is_one else 'are'} {how}: {first_of(names)}"


def _files(number: int) -> str:
    return "1 file" if number == 1 else f"{number} files"
