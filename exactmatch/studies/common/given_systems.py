"""The systems of a study as they were given: files, or names with the files of runs."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exactmatch.errors import UsageError
from exactmatch.graphs.items import source_names
from exactmatch.graphs.paths import shown_path
from exactmatch.graphs.run_files import run_labels
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.sides import path_text, several


@dataclass(frozen=True, slots=True)
class GivenSystems:
    """The files of systems, one after the other, and the names of their systems.

    owners: for each file, the name of its system; None if systems were given without names.
    """

    files: Sequence[StrPath]
    owners: Sequence[str] | None

    @property
    def are_named(self) -> bool:
        """Whether systems were given by name."""
        return self.owners is not None

    @property
    def has_several_runs(self) -> bool:
        """Whether a system has more than one run."""
        return self.owners is not None and len({*self.owners}) < len(self.owners)

    @property
    def names(self) -> Sequence[str | None]:
        """For each file, the name of its system if it is the only run; None for others."""
        owners = self.owners or ()
        return [name if owners.count(name) == 1 else None for name in owners]

    def labels(self, *others: StrPath) -> list[str | None]:
        """Return a name for each file: that of its system, with its own if there are several runs.

        *others* are the files that the study reads beside them. Files without names keep theirs.
        """
        if not self.are_named:
            return []
        named = source_names([os.fspath(file) for file in (*self.files, *others)])
        return [*run_labels(self.runs(named[: len(self.files)])).values()]

    def runs(self, sources: Sequence[str]) -> dict[str, list[str]]:
        """Return the runs of each system; *sources* are the names of the files in the study."""
        found: dict[str, list[str]] = {}
        for name, source in zip(self.owners or sources, sources, strict=True):
            found.setdefault(name, []).append(source)
        return found


def given_systems(
    systems: Sequence[StrPath] | Mapping[str, StrPath | Sequence[StrPath]],
) -> GivenSystems:
    """Return systems as a study takes them.

    Raises `UsageError` for a name without files, or a file that is two runs of a system: it would
    make runs more alike than they are.
    """
    if not isinstance(systems, Mapping):
        return GivenSystems(several("systems", systems), None)
    files: list[StrPath] = []
    owners: list[str] = []
    for name, given in systems.items():
        if not (isinstance(name, str) and name.strip() and name.isprintable()):
            raise UsageError(f"systems: {name!r} is no name of a system")
        runs = [given] if isinstance(given, str | os.PathLike) else several(name, given)
        if not runs:
            raise UsageError(f"systems: {name} has no file")
        _check_apart(name, runs)
        files += runs
        owners += [name] * len(runs)
    return GivenSystems(files, owners)


def _check_apart(name: str, runs: Sequence[StrPath]) -> None:
    places: set[str] = set()
    for run in runs:
        path = path_text(run)
        place = os.path.realpath(path)
        if place in places:
            raise UsageError(f"{shown_path(path)} is given twice as a run of {name}")
        places.add(place)
