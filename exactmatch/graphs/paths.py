"""Write paths for readers elsewhere: without the folders of this machine."""

import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

#: A long list of names ends after so many.
_FIRST = 20


def encodable(text: str) -> str:
    """Return *text* with surrogates written out, so that UTF-8 can say it.

    Names of files and arguments have one for each byte that is not UTF-8.
    """
    return text.encode("utf-8", "backslashreplace").decode()


def shown_path(path: str) -> str:
    """Return a relative path unchanged, and the file name of an absolute one."""
    return Path(path).name or path if Path(path).is_absolute() else path


def distinct_paths(paths: Sequence[str]) -> list[str] | None:
    """Return the ends of absolute *paths*, long enough to be distinct, and relative ones whole.

    Return None if the results would not be distinct.
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


def first_of(names: Sequence[str]) -> str:
    """Return the first of *names*: ``a, b, c and 4 more``."""
    more = f" and {len(names) - _FIRST} more" if len(names) > _FIRST else ""
    return f"{', '.join(names[:_FIRST])}{more}"
