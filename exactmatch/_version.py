"""The version, in a module of its own so that everything may import it."""

import sys
from importlib.machinery import PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__version__ = "0.1.0"


def solver_versions() -> str:
    """Return names and versions of the packages that solvers come from."""
    return "+".join(f"{package}-{_version(package)}" for package in ("ortools", "python-sat"))


def _version(package: str) -> str:
    """Return the version of *package*; raise `importlib.metadata.PackageNotFoundError`.

    That module knows it in all cases, but loads for longer than two sentences take to be scored.
    """
    found = _plain_version(package)
    if found is None:
        from importlib.metadata import version

        found = version(package)
    return found


def _plain_version(package: str) -> str | None:
    """Return the version of *package* if it is installed in the usual way; None if in doubt."""
    from pathlib import Path

    if [one for one in sys.meta_path if hasattr(one, "find_distributions")] != [PathFinder]:
        return None
    for folder in map(Path, sys.path):
        if folder.is_file() or folder.suffix.lower() == ".egg":  # these may hold it, too
            return None
        found = [path for path in _content(folder) if _is_about(path, package.replace("-", "_"))]
        if found:
            return _said_in(found[0] / "METADATA") if len(found) == 1 else None
    return None


def _content(folder: "Path") -> "list[Path]":
    try:
        return [*folder.iterdir()]
    except OSError:
        return []


def _is_about(path: "Path", package: str) -> bool:
    """Tell whether something is called like the metadata of a package."""
    import re

    name, _, ending = path.name.lower().rpartition(".")
    is_metadata = ending in ("dist-info", "egg-info")
    return is_metadata and re.sub(r"[-_.]+", "_", name.partition("-")[0]) == package


def _said_in(metadata: "Path") -> str | None:
    """Return the version that a file of metadata says; None if it is not plain, or missing."""
    import re

    try:
        head = metadata.read_text(encoding="utf-8").partition("\n\n")[0]
    except (OSError, UnicodeDecodeError):
        return None
    found = re.search(r"^Version: (\S+)$(?!\n[ \t])", head, re.MULTILINE)
    return None if found is None else found[1]
