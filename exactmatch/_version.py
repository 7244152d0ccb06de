"""The version, in a module of its own so that every module may import it."""

import sys
from functools import cache
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__version__ = "0.1.0"

#: The standard library, which has no other packages in it, where that is one file: in a browser.
_LIBRARY = f"python{sys.version_info.major}{sys.version_info.minor}.zip"


@cache
def solver_versions() -> str:
    """Return names and versions of the packages that solvers come from, looked for once."""
    metadata = _plain_metadata()
    packages = ("ortools", "python-sat")
    return "+".join(f"{package}-{_version(package, metadata)}" for package in packages)


def _version(package: str, metadata: "Mapping[str, Path]") -> str:
    """Return the version of *package*; raise `importlib.metadata.PackageNotFoundError`.

    `importlib.metadata` always knows the version, but takes longer to load than two sentences to
    score.
    """
    folder = metadata.get(package.replace("-", "_"))
    said = None if folder is None else _said_in(folder / "METADATA")
    if said is None:
        from importlib.metadata import version

        said = version(package)
    return said


def _plain_metadata() -> "dict[str, Path]":
    """Return the places where metadata of packages are found first, by name.

    The search ends at an entry of the path that may hold packages in another way.
    """
    from pathlib import Path

    found: dict[str, Path] = {}
    if [one for one in sys.meta_path if hasattr(one, "find_distributions")] != [PathFinder]:
        return found
    for folder in map(Path, sys.path):
        if folder.name == _LIBRARY:
            continue
        if folder.is_file() or folder.suffix.lower() == ".egg":
            break
        for path in _content(folder):
            name, _, ending = path.name.lower().rpartition(".")
            if ending in ("dist-info", "egg-info"):
                found.setdefault(_normalised(name.partition("-")[0]), path)
    return found


def _content(folder: "Path") -> "list[Path]":
    try:
        return [*folder.iterdir()]
    except OSError:
        return []


def _normalised(name: str) -> str:
    name = name.replace(".", "_")
    while "__" in name:
        name = name.replace("__", "_")
    return name


def _said_in(metadata: "Path") -> str | None:
    """Return the version in a file of metadata; None if the file is not plain or is missing."""
    import re

    try:
        head = metadata.read_text(encoding="utf-8").partition("\n\n")[0]
    except (OSError, UnicodeDecodeError):
        return None
    found = re.search(r"^Version: (\S+)$(?!\n[ \t])", head, re.MULTILINE)
    return None if found is None else found[1]
