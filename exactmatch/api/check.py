"""Check graphs for faults, whether or not the graphs can be scored."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from exactmatch.errors import FileError, UsageError
from exactmatch.graphs.folders import files_below
from exactmatch.graphs.inputs import Given, Graphs, as_path, opened
from exactmatch.graphs.pairing import Unread
from exactmatch.report.annotations import github_annotations, sarif
from exactmatch.report.text_layout import TextLayout
from exactmatch.report.validity import validity_json, validity_text
from exactmatch.runtime.progress import BYTES, Progress
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.options import Watching
from exactmatch.scoring.sides import check_known, check_number, several
from exactmatch.scoring.validity.file_faults import (
    FileValidity,
    validity_of,
    validity_of_unreadable,
)
from exactmatch.scoring.validity.kinds import KINDS, UNREADABLE

#: The formats of reports: for people; as JSON; as commands to GitHub's workflows; as SARIF 2.1.0.
FORMATS = ("text", "json", "github", "sarif")

#: What writes the formats for programs.
_WRITTEN: Mapping[str, Callable[[Sequence[FileValidity]], str]] = {
    "json": validity_json,
    "github": github_annotations,
    "sarif": sarif,
}


@dataclass(frozen=True)
class Validity:
    """The faults of the graphs of several files; *files* are in the order of the arguments."""

    files: Sequence[FileValidity]

    @property
    def found(self) -> int:
        """The number of faults."""
        return sum(file.found for file in self.files)

    @property
    def graphs(self) -> int:
        """The number of graphs that were checked."""
        return sum(file.graphs for file in self.files)

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of faults of each kind that was looked for, in all files together."""
        kinds = [kind for kind in KINDS if any(kind in file.counts for file in self.files)]
        return {kind: sum(file.counts.get(kind, 0) for file in self.files) for kind in kinds}

    def report(self, format: str = "text") -> str:
        """Return the report as one of `FORMATS`. Raises `UsageError` for another format."""
        check_known("format", format, FORMATS)
        return str(self.layout()) if format == "text" else _WRITTEN[format](self.files)

    def layout(self) -> TextLayout:
        """Return the report as text that can be folded to the width of a terminal."""
        return validity_text(self.files)

    def __repr__(self) -> str:
        return f"<Validity {self.found} faults in {self.graphs} graphs>"


@keywords
def check(
    *given: Graphs,
    only: Sequence[str] = (),
    without: Sequence[str] = (),
    most: int | None = None,
    watching: Watching,
) -> Validity:
    """List the faults of graphs, whether or not the graphs can be scored.

    Args:
        *given: files, texts or graphs, see `exactmatch.graphs.inputs.Graphs`.
        only: the kinds of faults to look for; none means all. They are the keys of
            `exactmatch.scoring.validity.kinds.KINDS`, which describes each.
        without: kinds to leave out.
        most: the number of faults to keep of each file; all are counted. None keeps all.
        {options}

    Raises:
        InputError: for files that cannot be opened. A file that holds no graphs, or is broken, has
            the fault ``unreadable``; it is an error only where that kind is left out.
        UsageError: for unknown kinds, and if nothing is given or no kind is left.

    Example:
        >>> import exactmatch
        >>> found = exactmatch.check("(s / sing-01 :ARG0 (b / bird) :ARG0 b :ARG99 x)")
        >>> {kind: count for kind, count in found.counts.items() if count}
        {'undeclared': 1, 'duplicate': 1, 'unknown-role': 1}
        >>> [fault.reason for fault in found.files[0].faults][:2]
        ['s :ARG99 x, but there is no such variable', 's :ARG0 b is repeated from line 1']
    """
    kinds = _asked(only, without)
    if most is not None:
        check_number("most", most, 0)
    if not given:
        raise UsageError("nothing to check")
    files: list[FileValidity] = []
    for number, graphs in enumerate(given, start=1):
        name = f"given {number}" if len(given) > 1 else "given"
        files += _checked(graphs, name, kinds, most, watching.progress)
    return Validity(files)


def _checked(
    graphs: Graphs, name: str, kinds: Sequence[str], most: int | None, progress: Progress
) -> list[FileValidity]:
    """Return the validity of a file or folder; a file that cannot be read does not end the check.

    The files of a folder are read as one. If one of them cannot be read, each is checked apart.
    """
    try:
        with opened(graphs, name) as side:
            return [validity_of(side._replace(graphs=_watched(side, progress)), kinds, most)]
    except FileError as error:
        if UNREADABLE not in kinds:
            raise
        path = as_path(graphs)
        if path is None or not Path(path).is_dir():
            return [validity_of_unreadable(error, most)]
        files = [Path(path, file) for file in files_below(path)]
        return [found for file in files for found in _checked(file, name, kinds, most, progress)]


def _asked(only: Sequence[str], without: Sequence[str]) -> list[str]:
    """Return the kinds to look for. Raises `UsageError` for unknown kinds, or without any kind."""
    only, without = several("only", only), several("without", without)
    for kind in (*only, *without):
        check_known("kind of faults", kind, [*KINDS])
    kinds = [kind for kind in only or KINDS if kind not in without]
    if not kinds:
        raise UsageError("no kind of faults is left to look for; change only or without")
    return kinds


def _watched(given: Given, progress: Progress) -> Iterator[Unread]:
    """Yield the graphs, and report progress: in bytes, if the size is known.

    The stream reads ahead, so all bytes are read before the last graphs are checked.
    """
    stream = given.stream
    if stream is None or stream.size is None:
        with progress("checking", None, "graphs") as advance:
            for graph in given.graphs:
                yield graph
                advance(1)
        return
    with progress(f"checking {given.name}", stream.size, BYTES) as advance:
        shown = 0
        for graph in given.graphs:
            yield graph
            shown, before = stream.position, shown
            advance(shown - before)
