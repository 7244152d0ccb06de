"""Merge work files of one batch, and list where people differ."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from exactmatch.errors import InputError, UsageError
from exactmatch.many.adjudication.people import merged_entries, notes_on
from exactmatch.many.adjudication.work import Conflict, WorkFile, conflicts, is_work, read_work
from exactmatch.report.json import SCHEMA
from exactmatch.report.text_layout import TextLayout
from exactmatch.report.wording import counted
from exactmatch.runtime.output import check_outputs, write_text
from exactmatch.scoring.sides import several


@dataclass(frozen=True)
class Merged:
    """The merged work of several people: all entries of their files, and their conflicts.

    files: the number of merged work files.
    work: the entries of all files, each once, and the digest of their batch.
    conflicts: the differences that people decide differently, with the entries of each person.
    notes: one message for each name that two people share, and for names that are nearly the same.
    """

    files: int
    work: WorkFile
    conflicts: Sequence[Conflict]
    notes: Sequence[str] = ()

    def report(self, format: str = "text") -> str:
        """Return the report of the command ``adjudicate --merge``, as ``text`` or ``json``."""
        return self._json() if format == "json" else str(self.layout())

    def _json(self) -> str:
        content = {
            "schema": SCHEMA,
            "files": self.files,
            "entries": len(self.work.entries),
            "people": sorted({entry.who for entry in self.work.entries}),
            "conflicts": [
                {
                    "item": one.item,
                    "difference": one.difference,
                    "entries": [entry.content() for entry in one.entries],
                }
                for one in self.conflicts
            ],
        }
        return json.dumps(content, ensure_ascii=False, indent=2)

    def layout(self) -> TextLayout:
        """Return the report as text that can be folded to the width of a terminal."""
        entries = self.work.entries
        people = sorted({entry.who for entry in entries})
        items = len({entry.item for entry in entries})
        lines = [
            f"{counted(self.files, 'file')}: {counted(len(entries), 'entry', 'entries')} on "
            f"{counted(items, 'item')}, by {', '.join(people)}",
            f"conflicts: {len(self.conflicts)}",
            *(f"  {one.item}, {one.words}" for one in self.conflicts),
        ]
        return TextLayout(lines)


def merge_work(files: Sequence[Path | str], output: Path | str) -> Merged:
    """Write all entries of several work files of one batch to *output*, each entry once.

    Where two people have one name, the second one gets a number.

    Args:
        files: the paths of the work files.
        output: the path of the file that gets all entries. It may only replace a work file whose
            entries are all in the new file, and no input.

    Raises:
        InputError: for a file that is no work file, and for files of several batches.
        UsageError: if *output* would replace another file.

    Example:
        >>> import exactmatch, tempfile
        >>> from pathlib import Path
        >>> work = Path("instances/agreement/adjudication")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     both = Path(folder, "both.json")
        ...     merged = exactmatch.merge_work([work / "ann.json", work / "bob.json"], both)
        ...     merged.files, [conflict.item for conflict in merged.conflicts]
        (2, ['study.4', 'study.9'])
    """
    paths = [Path(file) for file in several("files", files)]
    if not paths:
        raise UsageError("name the files to merge")
    target = Path(output)
    check_outputs([str(path) for path in paths], target)
    if target.is_file() and target.stat().st_size and not is_work(target):
        raise UsageError(f"{target} is no work file and would be overwritten")
    works = [read_work(path) for path in paths]
    for path, work in zip(paths, works, strict=True):
        if work.digest != works[0].digest:
            raise InputError(
                f"{path}: of another batch ({work.digest[:12]}) than {paths[0]} "
                f"({works[0].digest[:12]})"
            )
    found = merged_entries(works)
    merged = WorkFile(works[0].digest, found.entries)
    _check_holds(merged, target)
    write_text(target, merged.text())
    notes = notes_on(found, [str(path) for path in paths])
    return Merged(len(paths), merged, conflicts(merged.entries), notes)


def _check_holds(merged: WorkFile, target: Path) -> None:
    """Raise `UsageError` if the work file at *target*, if there is one, has other entries."""
    if not target.is_file() or not target.stat().st_size:
        return
    former = read_work(target)
    both = merged_entries([merged, former]).entries
    if former.digest != merged.digest or len(both) > len(merged.entries):
        raise UsageError(
            f"{target} has work that would be lost; merge it, too, or name another file"
        )
