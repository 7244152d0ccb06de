"""How paths are written in what people send round: without the folders of a machine."""

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote


def shown_path(path: str) -> str:
    """Return a relative path as it is, and of an absolute one the name of the file."""
    return Path(path).name or path if Path(path).is_absolute() else path


def distinct_paths(paths: Sequence[str]) -> list[str] | None:
    """Return as much of the ends of absolute *paths* as tells them apart, and relative ones whole.

    None if that does not tell all of them apart.
    """
    parts = [Path(path).relative_to(Path(path).anchor).parts for path in paths]
    for length in range(1, max(map(len, parts)) + 1):
        shown = [
            "/".join(ends[-length:]) if Path(path).is_absolute() else path
            for path, ends in zip(paths, parts, strict=True)
        ]
        if len(set(shown)) == len(paths):
            return shown
    return None


def address_from(folder: str | os.PathLike[str], path: str) -> str:
    """Return the address of *path* in an HTML file in *folder*, relative if that is possible."""
    try:
        return quote(Path(os.path.relpath(path, folder)).as_posix())
    except ValueError:  # on another drive
        return Path(path).absolute().as_uri()
