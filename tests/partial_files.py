"""The partial files of outputs: the random part of their names is not known in advance."""

from pathlib import Path


def partial_of(path: Path) -> Path:
    """Return the only partial file for *path*."""
    (found,) = path.parent.glob(f"{path.name}.{'[0-9a-f]' * 8}.partial")
    return found


def has_content(path: Path) -> bool:
    """Tell whether something has been written for *path*, which is not complete."""
    return any(one.stat().st_size for one in path.parent.glob(f"{path.name}.*.partial"))
