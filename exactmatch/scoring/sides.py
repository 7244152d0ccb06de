"""Two sides as a stream of pairs, with progress reporting."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, get_args

from exactmatch.errors import InputError, UsageError, shown_value
from exactmatch.graphs.coupling import couple_alone, couple_graphs
from exactmatch.graphs.extents import by_extent
from exactmatch.graphs.graph import Extent
from exactmatch.graphs.inputs import Given, Graphs, common_format, in_step, opened
from exactmatch.graphs.pair_names import one_pair
from exactmatch.graphs.pairing import Couple, GraphPair, OnError, PairBy, Skipped, Unread, read_pair
from exactmatch.graphs.pairing_advice import DifferingIdentifiers
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import ByteStream
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import check_ill_formed, extent_for
from exactmatch.runtime.progress import BYTES, Progress
from exactmatch.scoring.options import Pairing, Telling
from exactmatch.scoring.stream import Answer, run_in_order

if TYPE_CHECKING:
    from exactmatch.scoring.validity.file_faults import FaultCounter

_One = TypeVar("_One")

_STDIN = Path("-")


#: Progress is reported after so many bytes, since reporting takes longer than reading a few lines.
_STEP = 1 << 14


class Sides:
    """Two sides, read as the pairs are needed. Both have the same *format*.

    differing: the pairs read so far whose identifiers differ. notes: what to say of the inputs.
    """

    def __init__(
        self, system: Given, gold: Given, pair_by: PairBy | None, *, keeps_errors: bool = False
    ) -> None:
        """Raises `InputError` if their formats differ.

        *keeps_errors* is as for `exactmatch.graphs.coupling.couple_graphs`.
        """
        self.format: str = common_format(system, gold)
        self._system, self._gold = system, gold
        self._pair_by = pair_by
        self._keeps_errors = keeps_errors
        self.differing = DifferingIdentifiers()
        self.notes: list[str] = []
        self._sizes: deque[int] = deque()  # of the pairs that are not done yet
        self._done = 0
        self._since = 0  # the part that is done since progress was reported
        self._shown = 0
        self._advance: Callable[[int], object] = lambda _: None

    @property
    def streams(self) -> list[ByteStream]:
        """The files that the sides are read from, the system first; other inputs have none."""
        found = (self._system.stream, self._gold.stream)
        return [stream for stream in found if stream is not None]

    def couples(self, *metrics: Metric, only: str | None = None) -> Iterator[Couple]:
        """Yield unread pairs of the units that *metrics* compare: sentences, documents or files.

        *only* is the identifier or the number of one pair; by default, all are yielded. Raises
        `UsageError` if *only* is no text, and if the metrics differ in their units or in their
        treatment of ill-formed graphs, and the errors of
        `exactmatch.graphs.coupling.couple_graphs` and `exactmatch.graphs.pair_names.one_pair`.
        """
        if only is not None and not isinstance(only, str):
            raise UsageError(f"id is {shown_value(only)}: a text is expected")
        check_ill_formed(self.format, metrics)
        return self._couples(extent_for(self.format, metrics), only)

    def _couples(self, extent: Extent, only: str | None) -> Iterator[Couple]:
        held = self._pair_by == "id" and extent != "file"
        system, gold = self._system.graphs, self._gold.graphs
        if extent != "sentence":
            system, gold = map(iter, by_extent([[*system], [*gold]], extent))
        names = {"system_name": self._system.name, "gold_name": self._gold.name}
        if not (self._system.format and self._gold.format):
            held = False
            couples = couple_alone(system, gold, **names)
        else:
            right = self._watched(gold) if held else gold
            couples = couple_graphs(
                system,
                right,
                **names,
                pair_by=None if extent == "file" else self._pair_by,
                keeps_errors=self._keeps_errors,
                differing=self.differing,
            )

        def size(couple: Couple) -> int:
            return _size(couple.system) + (0 if held else _size(couple.gold))

        if only is not None:
            couples = one_pair(couples, only, lambda couple: self._go_on(size(couple)))
        for couple in couples:
            self._sizes.append(size(couple))
            yield couple

    @contextmanager
    def watched(self, doing: str, progress: Progress) -> Iterator[Callable[[], object]]:
        """Report progress; yield a function to call when the next pair is done.

        Progress is in bytes of the stored files or, if their sizes are unknown, in pairs.
        """
        sizes = [stream.size for stream in self.streams]
        known = [size for size in sizes if size is not None]
        if len(known) < 2:
            with progress(doing, None, "pairs") as advance:
                yield lambda: advance(1)
            return
        with progress(doing, sum(known), BYTES) as advance:
            self._advance = advance
            yield lambda: self._go_on(self._sizes.popleft())
            self._show()

    def _watched(self, texts: Iterator[Unread]) -> Iterator[Unread]:
        """Yield texts that are only held at first; progress counts them as done."""
        for text in texts:
            self._go_on(_size(text))
            yield text

    def _go_on(self, size: int) -> None:
        """Report that texts of *size* bytes are done, as the bytes that they take in the files."""
        self._done += size
        self._since += size
        if self._since >= _STEP:
            self._show()

    def _show(self) -> None:
        self._since = 0
        unpacked, position = (
            sum(getattr(side.stream, what, 0) for side in (self._system, self._gold))
            for what in ("unpacked", "position")
        )
        now = max(self._shown, position * self._done // max(unpacked, 1))
        self._advance(now - self._shown)
        self._shown = now


@contextmanager
def both_sides(
    system: Graphs,
    gold: Graphs,
    pairing: Pairing,
    counters: "Sequence[FaultCounter]" = (),
    *,
    watches: Sequence[Callable[[bytes], object] | None] = (None, None),
) -> Iterator[Sides]:
    """Open both sides. Raises `InputError` if their formats differ.

    Unless errors stop the run, one of two files may be without any graph; the graphs of the other
    then have no partner. *counters* count the faults of both as they are read, those of the system
    first. *watches* are called with the bytes of each file as they are read.
    """
    check_known("pair_by", pairing.pair_by or "position", get_args(PairBy))
    check_known("on_error", pairing.on_error, get_args(OnError))
    check_one_stdin(system, gold)
    may_be_empty = pairing.on_error != "stop"
    with (
        opened(system, "system", watches[0], may_be_empty=may_be_empty) as left,
        opened(gold, "gold", watches[1], may_be_empty=may_be_empty) as right,
    ):
        by_identifier = pairing.pair_by == "id"
        left, right, notes = in_step(left, right, by_identifier=by_identifier)
        if counters:
            one, other = counters
            left, right = one.watching(left), other.watching(right)
        if pairing.repair:
            left, right = _repairing(left), _repairing(right)
        if may_be_empty:
            from exactmatch.graphs.resuming import resumed

            left = left._replace(graphs=resumed(left.graphs))
            right = right._replace(graphs=resumed(right.graphs))
        sides = Sides(left, right, pairing.pair_by, keeps_errors=may_be_empty)
        sides.notes += notes
        yield sides


def _repairing(given: Given) -> Given:
    """Return the same graphs, which are repaired when they are read."""
    graphs = (
        graph._replace(repair=True) if isinstance(graph, GraphText) else graph
        for graph in given.graphs
    )
    return given._replace(graphs=graphs)


def with_graphs(pairs: Iterable[GraphPair | Skipped]) -> Iterator[GraphPair]:
    """Yield the pairs that are not skipped."""
    return (pair for pair in pairs if isinstance(pair, GraphPair))


def pair_of(pairs: Iterable[GraphPair | Skipped], identifier: str | None) -> GraphPair:
    """Return the only pair, or the one called *identifier*.

    Raises `InputError` if it is left out, and `UsageError` if there are several pairs, some of
    which may be left out.
    """
    last, number = None, 0
    for last in pairs:  # noqa: B007
        number += 1
    if number > 1:
        raise UsageError(f"choose one of the {number} pairs (--id, in Python id)")
    if not isinstance(last, GraphPair):
        name = "only pair" if identifier is None else f"pair {identifier}"
        raise InputError(f"the {name} was left out")
    return last


def check_one_stdin(*given: object) -> None:
    """Raise `UsageError` if more than one input is standard input."""
    if given.count(_STDIN) > 1:
        raise UsageError("only one of the files can be standard input")


def check_known(what: str, value: str | None, known: Sequence[str]) -> None:
    """Raise `UsageError` unless *value* is one of *known*."""
    if value not in known:
        raise UsageError(f"no {what} is called {value!r}; the values are {', '.join(known)}")


def check_number(what: str, value: object, least: int) -> None:
    """Raise `UsageError` unless *value* is a whole number of *least* or more."""
    if type(value) is not int or value < least:
        raise UsageError(f"{what} is {shown_value(value)}: not a whole number from {least} on")


def path_text(given: object) -> str:
    """Return the path of a file as a text. Raises `UsageError` for anything else."""
    if not isinstance(given, str | os.PathLike):
        raise UsageError(f"expected the path of a file, not {given!r}")
    path = os.fspath(given)
    if "\0" in path:
        raise UsageError(f"{path!r}: not a file name: embedded null byte")
    return path


def several(what: str, value: Iterable[_One]) -> list[_One]:
    """Return the values of the argument *what* as a list, which may come from any iterable.

    Raises `UsageError` for a single name or path, and for a set, whose order is undefined.
    """
    is_single = isinstance(value, str | bytes | Set | Mapping) or not isinstance(value, Iterable)
    if is_single:
        raise UsageError(f"{what}: expected a list, not {value!r}")
    return list(value)


@contextmanager
def watching(sides: Sides, telling: Telling) -> Iterator[Callable[[Answer], object]]:
    """Report progress; yield a function that reports an answer and its notes."""
    _tell(sides.notes, telling)
    with sides.watched("scoring", telling.progress) as done:

        def watch(answer: Answer) -> None:
            for message in answer.notes:
                telling.note(message)
            done()

        yield watch
    _tell(sides.differing.notes(), telling)


def read_couples(
    couples: Iterator[Couple],
    sides: Sides,
    metric: Metric,
    doing: str,
    on_error: OnError,
    telling: Telling,
) -> Generator[GraphPair | Skipped, None, None]:
    """Yield *couples* of *sides*, read one by one; progress and notes go to *telling*."""
    policy = metric.ill_formed_policy
    work = partial(read_pair, on_error=on_error, ill_formed=policy)
    _tell(sides.notes, telling)
    with sides.watched(doing, telling.progress) as done:
        for read in run_in_order(couples, work, on_error, ill_formed=policy):
            for message in read.notes:
                telling.note(message)
            yield read.pair
            done()
    _tell(sides.differing.notes(), telling)


def _tell(notes: Iterable[str], telling: Telling) -> None:
    for message in notes:
        telling.note(message)


def _size(graph: Unread | None) -> int:
    return len(graph.data) if isinstance(graph, GraphText) else 0
