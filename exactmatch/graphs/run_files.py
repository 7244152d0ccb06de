"""Systems with several runs: ``NAME=FILE`` on a command line, and lists of runs in TOML."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from exactmatch.errors import InputError, UsageError, failure
from exactmatch.graphs.items import source_names
from exactmatch.graphs.paths import shown_path
from exactmatch.graphs.readers.source import read_lines

#: The characters of patterns of file names.
_WILD = "*?["


def named_word(word: str) -> tuple[str, str] | None:
    """Return the name and the pattern of ``NAME=PATTERN``; None for the path of a file.

    A word that is the path of a file, or that has a slash before the first ``=``, is a path.
    """
    name, sign, pattern = word.partition("=")
    has_folder = "/" in name or os.sep in name
    if not (name and sign and pattern) or has_folder or Path(word).exists():
        return None
    return name, pattern


def files_of_word(word: str) -> list[str]:
    """Return the files that a word of a command line names. Raises as `matching_files` does."""
    named = named_word(word)
    return [word] if named is None else matching_files(named[1])


def shown_word(word: str) -> str:
    """Return a word of a command line without the folders of this machine."""
    named = named_word(word)
    return shown_path(word) if named is None else f"{named[0]}={shown_path(named[1])}"


def matching_files(pattern: str, folder: Path | None = None) -> list[str]:
    """Return the files in *folder* that match a pattern, in alphabetical order.

    None is the current folder. A path without ``*``, ``?`` and ``[``, or of a file that exists,
    stands for itself. Raises `InputError` if no file matches.
    """
    from glob import glob

    path = Path(pattern) if folder is None else folder / pattern
    if not any(sign in pattern for sign in _WILD) or path.exists():
        return [pattern if folder is None else str(path)]
    found = sorted(glob(pattern, root_dir=folder))  # noqa: PTH207 - a Path finds hidden files, too
    if not found:
        raise InputError(f"{path}: no file matches")
    return found if folder is None else [str(folder / one) for one in found]


def systems_of_words(
    words: Sequence[str], listed: Mapping[str, Sequence[str]] | None = None
) -> Mapping[str, Sequence[str]] | None:
    """Return the files of each system by name; None if no system has a name.

    *listed* are systems from a file, which come last. Words without a name are systems of one run,
    named after their files. Raises `UsageError` if a name stands for a file and for runs, or for
    systems of words and of the file, and as `matching_files` does.
    """
    named = [(word, named_word(word)) for word in words]
    alone = [word for word, one in named if one is None]
    if listed is None and len(alone) == len(words):
        return None
    own_names = dict(zip(alone, source_names(alone), strict=True)) if alone else {}
    systems: dict[str, list[str]] = {}
    for word, one in named:
        name = own_names[word] if one is None else one[0]
        if name in systems and name in own_names.values():
            raise UsageError(f"{name} names a file and other runs; give all of them as {name}=FILE")
        systems.setdefault(name, []).extend([word] if one is None else matching_files(one[1]))
    for name, files in (listed or {}).items():
        if name in systems:
            raise UsageError(f"{name} names a system of the command line and one of the file")
        systems[name] = [*files]
    return systems


def run_labels(runs: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the label of each run, by its own name: ``SYSTEM``, or ``SYSTEM (RUN)`` of several."""
    return {
        run: system if len(named) == 1 else f"{system} ({run})"
        for system, named in runs.items()
        for run in named
    }


def read_systems(path: str | os.PathLike[str]) -> Mapping[str, Sequence[str]]:
    """Read the files of each system from a file in TOML.

    Its table ``systems`` has a path or a pattern for each name, or a list of these, relative to the
    folder of the file. Raises `InputError`, which names the file and the key, for other content,
    and for paths and patterns of no file.
    """
    import tomllib

    shown = str(path)
    try:
        content = tomllib.loads(read_lines(path).whole().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{shown}: not a file in TOML: {error}") from error
    systems = content.pop("systems", None)
    if content or not isinstance(systems, dict) or not systems:
        raise InputError(f"{shown}: expected the table [systems], and nothing else")
    folder = Path(shown).parent
    found = {}
    for name, given in systems.items():
        patterns = given if isinstance(given, list) else [given]
        place = f"{shown}: systems: {name!r}"
        if not patterns or not all(isinstance(one, str) and one for one in patterns):
            raise InputError(f"{place} is {given!r}: expected paths of files")
        found[name] = [file for one in patterns for file in _listed_files(one, folder, place)]
    return found


def _listed_files(pattern: str, folder: Path, place: str) -> list[str]:
    """Return the files that match a pattern; *place* says where it is, for errors."""
    try:
        files = matching_files(pattern, folder)
        for file in files:
            Path(file).stat()
    except InputError as error:
        raise InputError(f"{place}: {error}") from error
    except OSError as error:
        raise InputError(f"{place}: {failure(Path(pattern), error)}") from error
    except ValueError as error:
        raise InputError(f"{place}: {pattern!r}: not a file name: {error}") from error
    return files
