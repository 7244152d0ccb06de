"""The two files of a command as a stream of pairs, and how far it has come."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from exactmatch.cli.progress import BYTES, progress
from exactmatch.errors import InputError, UsageError

if TYPE_CHECKING:
    from exactmatch.inputs import Given
    from exactmatch.pairing import Couple, GraphPair, OnError, PairBy, Skipped, Unread


class _HasNotes(Protocol):
    @property
    def notes(self) -> Sequence[str]: ...


class PairFiles:
    """Two files of graphs, which are read as their pairs are asked for.

    *format* is that of both.
    """

    def __init__(self, system: "Given", gold: "Given", pair_by: "PairBy") -> None:
        """Raises `InputError` if their formats differ."""
        from exactmatch.inputs import common_format

        self.format = common_format(system, gold)
        self._system, self._gold = system, gold
        self._streams = [side.stream for side in (system, gold) if side.stream is not None]
        self._pair_by = pair_by
        self._sizes: deque[int] = deque()  # of the pairs that are not done yet
        self._done = 0
        self._shown = 0
        self._advance: Callable[[int], None] = lambda _: None

    def couples(self) -> "Iterator[Couple]":
        """Yield the pairs, not read yet; see `exactmatch.pairing.couple_graphs` for errors."""
        from exactmatch.pairing import couple_graphs

        held = self._pair_by == "id"
        for couple in couple_graphs(
            self._system.graphs,
            self._watched(self._gold.graphs) if held else self._gold.graphs,
            system_name=self._system.name,
            gold_name=self._gold.name,
            pair_by=self._pair_by,
        ):
            self._sizes.append(_size(couple.system) + (0 if held else _size(couple.gold)))
            yield couple

    @contextmanager
    def progress(self, doing: str) -> "Iterator[Callable[[], None]]":
        """Show progress; yield what is to be called when the next pair is done.

        Progress is in bytes of the files as they are stored or, where nobody knows how many there
        are, in pairs.
        """
        sizes = [stream.size for stream in self._streams if stream.size is not None]
        if len(sizes) < len(self._streams):
            with progress(doing, None, "pairs") as advance:
                yield advance
            return
        with progress(doing, sum(sizes), BYTES) as advance:
            self._advance = advance
            yield lambda: self._go_on(self._sizes.popleft())

    def _watched(self, texts: "Iterator[Unread]") -> "Iterator[Unread]":
        """Yield texts that are only held at first: for progress, they are done."""
        for text in texts:
            self._go_on(_size(text))
            yield text

    def _go_on(self, size: int) -> None:
        """Show that texts of *size* bytes are done, as what they take in the files."""
        self._done += size
        unpacked, position = (
            sum(getattr(stream, what) for stream in self._streams)
            for what in ("unpacked", "position")
        )
        now = max(self._shown, position * self._done // max(unpacked, 1))
        self._advance(now - self._shown)
        self._shown = now


@contextmanager
def pair_files(system: str, gold: str, pair_by: "PairBy") -> Iterator[PairFiles]:
    """Open the two files of a command. Raises `InputError` if they do not hold graphs."""
    from exactmatch.inputs import opened

    if system == gold == "-":
        raise UsageError("only one of the two files can be standard input")
    with opened(Path(system), "system") as left, opened(Path(gold), "gold") as right:
        yield PairFiles(left, right, pair_by)


@contextmanager
def read_pairs(
    system: str, gold: str, pair_by: "PairBy", on_error: "OnError", doing: str
) -> "Iterator[tuple[Iterator[GraphPair | Skipped], str]]":
    """Open the two files of a command; yield their pairs, read one by one, and their format."""
    with (
        pair_files(system, gold, pair_by) as files,
        closing(_read(files, on_error, doing)) as pairs,
    ):
        yield pairs, files.format


def scored_pairs(pairs: "Iterable[GraphPair | Skipped]") -> "Iterator[GraphPair]":
    """Yield the pairs but those that are skipped."""
    from exactmatch.pairing import GraphPair

    return (pair for pair in pairs if isinstance(pair, GraphPair))


def pair_of(pairs: "Iterable[GraphPair | Skipped]", identifier: str | None) -> "GraphPair":
    """Return the pair called *identifier*, or the only one there is.

    Raises `InputError` if there is none, or more than one.
    """
    last, number, matching = None, 0, 0
    for pair in scored_pairs(pairs):
        number += 1
        if identifier in (None, pair.identifier):
            last, matching = pair, matching + 1
    if identifier is None and number != 1:
        raise UsageError(f"name one of the {number} pairs with --id")
    if last is None or matching != 1:
        raise InputError(f"pairs that are called {identifier}: {matching}")
    return last


def show_notes_of(answer: "_HasNotes") -> None:
    """Say on standard error what is the matter with a pair."""
    for note in answer.notes:
        click.echo(f"note: {note}", err=True)


def _read(
    files: PairFiles, on_error: "OnError", doing: str
) -> "Generator[GraphPair | Skipped, None, None]":
    from exactmatch.pairing import read_pair
    from exactmatch.scoring import worked_off

    work = partial(read_pair, on_error=on_error)
    with files.progress(doing) as advance:
        for read in worked_off(files.couples(), work, on_error):
            show_notes_of(read)
            yield read.pair
            advance()


def _size(graph: "Unread | None") -> int:
    from exactmatch.readers.detect import GraphText

    return len(graph.data) if isinstance(graph, GraphText) else 0
