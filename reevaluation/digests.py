"""Check the digests of the files of a clone: a study uses the recorded files, or stops.

A listing has a line for each file, as ``sha256sum`` writes and checks them.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

_LISTINGS = Path(__file__).parent / "digests"


class ChangedFilesError(Exception):
    """Files of a clone are missing, or differ from those in a listing."""


def sha256(path: Path) -> str:
    """Return the SHA-256 digest of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def listed(listing: Path) -> dict[str, str]:
    """Return the digest of each file that a listing names."""
    lines = (line.split(maxsplit=1) for line in listing.read_text("utf-8").splitlines())
    return {path: digest for digest, path in lines}


def checked(clone: Path, name: str, folder: Path = _LISTINGS) -> list[str]:
    """Return the files of the listing *name*, which are unchanged in *clone*.

    Raises `ChangedFilesError` with the names of other files.
    """
    wanted = listed(folder / f"{name}.sha256")
    wrong = []
    for path, digest in wanted.items():
        there = clone / path
        if not there.is_file():
            wrong.append(f"{path} is missing")
        elif sha256(there) != digest:
            wrong.append(f"{path} has changed")
    if wrong:
        shown = "\n  ".join(wrong[:10])
        raise ChangedFilesError(f"{clone}: {len(wrong)} of {len(wanted)} files\n  {shown}")
    return list(wanted)
