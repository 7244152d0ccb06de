"""Check that the files of a manifest exist, without others, and that they are unchanged."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from exactmatch.errors import InputError, VerificationError
from exactmatch.graphs.readers.source import ByteStream, file_digest
from exactmatch.studies.common.manifest import MANIFEST, Manifest


def read_plain(place: Path, most: int) -> bytes:
    """Return the first bytes of the file at *place*, at most *most*.

    Raises `InputError` if it is no plain file.
    """
    reason = _not_plain(place, os.lstat)
    if reason is not None:
        raise InputError(f"{place}: {reason}")
    data = b""
    with ByteStream(place) as stream:
        for chunk in stream.stored():
            data += chunk
            if len(data) >= most:
                break
    return data[:most]


def check_files(manifest: Manifest, folder: Path, graphs: Path) -> None:
    """Raise an error unless all files exist unchanged, and nothing else is in *folder*.

    Certificates have to be plain files of *folder*; files of graphs are in *graphs*, and may be
    links there. Raises `InputError` for missing, unnamed and unreadable files, and
    `VerificationError` for changed ones; the message names all of them.
    """
    certificates = [(folder / one.file, one.sha256) for one in manifest.certificates]
    read = [(graphs / one.path, one.sha256) for one in manifest.read]
    lost = [*_unusable([place for place, _ in read], os.stat)]
    unusable = [
        *_unusable([place for place, _ in certificates], os.lstat),
        *_unnamed(folder, [place for place, _ in certificates], [place for place, _ in read]),
        *lost,
    ]
    if unusable:
        where = "\nName the folder of the graphs with --graphs FOLDER." if lost else ""
        raise InputError("\n".join(unusable) + where)
    check_digests((place, file_digest(place), wanted) for place, wanted in (*certificates, *read))


def check_digests(files: Iterable[tuple[Path, str, str]]) -> None:
    """Raise `VerificationError` if *files* (place, digest found, digest wanted) have changed."""
    changed = [
        f"{place} has changed: its SHA-256 is {found}, but {wanted} in the manifest"
        for place, found, wanted in files
        if found != wanted
    ]
    if changed:
        raise VerificationError("\n".join(changed))


def _unusable(places: Sequence[Path], status: Callable[[Path], os.stat_result]) -> Iterator[str]:
    for place in dict.fromkeys(places):
        reason = _not_plain(place, status)
        if reason is not None:
            yield f"{place}: {reason}"


def _not_plain(place: Path, status: Callable[[Path], os.stat_result]) -> str | None:
    """Return why a file cannot be read; None if it can."""
    try:
        mode = status(place).st_mode
        if stat.S_ISLNK(mode):
            return "a link, which may lead anywhere"
        if not stat.S_ISREG(mode):
            return "no file"
        with place.open("rb"):
            return None
    except OSError as error:
        return error.strerror or str(error)
    except ValueError as error:
        return str(error)


def _unnamed(folder: Path, certificates: Sequence[Path], graphs: Sequence[Path]) -> Iterator[str]:
    """Yield the entries of *folder* that its manifest does not name; graphs may be there, too."""
    places = [Path(os.path.realpath(place)) for place in graphs]
    known = {*places, *(parent for place in places for parent in place.parents)}
    for entry in sorted(folder.iterdir()):
        is_named = entry in certificates or entry.name == MANIFEST
        if not is_named and Path(os.path.realpath(entry)) not in known:
            yield f"{entry}: not named in the manifest"
