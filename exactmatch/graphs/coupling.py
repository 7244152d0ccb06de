"""Tell which graphs of two files are a pair, before the graphs are read.

This module couples by position; `exactmatch.graphs.coupling_by_identifier` by identifier.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, zip_longest

from exactmatch.errors import InputError
from exactmatch.graphs.coupling_by_identifier import couples_by_identifier
from exactmatch.graphs.distinct_names import DistinctNames
from exactmatch.graphs.pairing import Couple, PairBy, Unread, is_umr, place_of
from exactmatch.graphs.pairing_advice import DifferingIdentifiers, differ, instead_of_position
from exactmatch.graphs.readers.detect import plain_text


def couple_graphs(
    system: Iterable[Unread],
    gold: Iterable[Unread],
    *,
    system_name: str,
    gold_name: str,
    pair_by: PairBy | None = None,
    keeps_errors: bool = False,
    differing: DifferingIdentifiers | None = None,
) -> Iterator[Couple]:
    """Yield the pairs of two files as they are read.

    By position, the files must hold the same number of graphs; pairs of one identifier are
    numbered. None is by position, and identifiers must agree where both graphs have one, except in
    UMR, where tokens identify sentences. If *pair_by* is "position", pairs whose identifiers differ
    are added to *differing*, and are called as in *gold*. By identifier, all graphs of *gold* are
    held in memory, packed; those without a system graph come last. Raises `InputError` if graphs
    cannot be paired. But if pairing *keeps_errors*, a graph with a missing or repeated identifier
    is an error without partner; by position, so is a graph without identifier where the next one is
    the partner.
    """
    names = (system_name, gold_name)
    if pair_by != "id":
        tolerated = (differing or DifferingIdentifiers()) if pair_by == "position" else None
        if keeps_errors:
            yield from _couples_around_strays(system, gold, names, tolerated)
        else:
            yield from _couples_by_position(zip_longest(system, gold), names, tolerated)
        return
    couples = couples_by_identifier(iter(system), iter(gold), names, keeps_errors)
    for position, couple in enumerate(couples, start=1):
        yield couple._replace(position=position)


def couple_plain(system: object, gold: object) -> Couple | None:
    """Return the pair of two strings, each plainly one graph in PENMAN; None in doubt.

    Raises `InputError` as `couple_graphs` does.
    """
    left = plain_text(system, "system")
    right = None if left is None else plain_text(gold, "gold")
    if left is None or right is None:
        return None
    return next(couple_graphs([left], [right], system_name="system", gold_name="gold"))


def couple_alone(
    system: Iterable[Unread], gold: Iterable[Unread], *, system_name: str, gold_name: str
) -> Iterator[Couple]:
    """Yield the graphs of one file; the other file has none."""
    given = DistinctNames()
    sides: Iterable[tuple[Unread | None, Unread | None]] = chain(
        ((graph, None) for graph in system), ((None, graph) for graph in gold)
    )
    for position, (left, right) in enumerate(sides, start=1):
        graph = left or right
        name = None if graph is None else graph.identifier
        called = given.distinct(name or str(position))
        yield Couple(called, left, right, system_name, gold_name, position)


def _couples_by_position(
    sides: Iterable[tuple[Unread | None, Unread | None]],
    names: tuple[str, str],
    tolerated: DifferingIdentifiers | None,
) -> Iterator[Couple]:
    """Yield pairs by position; identifiers that differ are *tolerated*, or None tolerates none."""
    given = DistinctNames()
    read: tuple[list[str | None], list[str | None]] = ([], [])  # identifiers, for messages
    pairs = enumerate(sides, start=1)
    for number, (left, right) in pairs:
        if left is None or right is None:
            rest = (one for _, one in pairs)
            raise _without_partner(left, right, rest, read, names)
        ours, theirs = left.identifier, right.identifier
        shared = ours or theirs
        if ours == theirs:
            theirs = ours  # kept once: the files may be large
        elif differ((ours, theirs)) and not is_umr(left, right):
            if tolerated is None:
                raise _of_other_name(left, right, (one for _, one in pairs), read, names)
            tolerated.add((ours, theirs))
            shared = theirs
        read[0].append(ours)
        read[1].append(theirs)
        yield Couple(given.distinct(shared or str(number)), left, right, *names, number)


def _couples_around_strays(
    system: Iterable[Unread],
    gold: Iterable[Unread],
    names: tuple[str, str],
    tolerated: DifferingIdentifiers | None,
) -> Iterator[Couple]:
    """Yield the pairs by position, and each stray graph without a partner, in its place.

    A graph without identifier is stray if the one behind it has the identifier of the graph that
    would be its partner, or if it is the last one, behind graphs that agree in their identifiers.
    """
    strays: list[Couple] = []
    sides = _without_strays(system, gold, names, strays)
    n_strays = 0
    for couple in _couples_by_position(sides, names, tolerated):
        yield from strays
        n_strays += len(strays)
        strays.clear()
        yield couple._replace(position=couple.position + n_strays)
    yield from strays


def _without_strays(
    system: Iterable[Unread], gold: Iterable[Unread], names: tuple[str, str], strays: list[Couple]
) -> Iterator[tuple[Unread | None, Unread | None]]:
    """Yield the graphs of both sides by position, without the stray ones, which go to *strays*."""
    left, right = _Ahead(system), _Ahead(gold)
    are_named = False
    position = 0
    while left.first is not None or right.first is not None:
        position += 1
        if left.is_stray_beside(right.first, are_named):
            graph = left.take()
            strays.append(Couple(_stray_name(graph), graph, None, *names, position))
        elif right.is_stray_beside(left.first, are_named):
            graph = right.take()
            strays.append(Couple(_stray_name(graph), None, graph, *names, position))
        else:
            pair = left.take(), right.take()
            ours, theirs = (None if graph is None else graph.identifier for graph in pair)
            are_named = ours is not None and ours == theirs
            yield pair


class _Ahead:
    """The graphs of a side, of which the next two can be looked at before they are taken."""

    def __init__(self, graphs: Iterable[Unread]) -> None:
        self._graphs = iter(graphs)
        self._held: list[Unread] = []

    @property
    def first(self) -> Unread | None:
        """The next graph; None at the end."""
        return self._at(0)

    def take(self) -> Unread | None:
        """Return the next graph, which is gone then; None at the end."""
        return self._held.pop(0) if self.first is not None else None

    def is_stray_beside(self, other: Unread | None, are_named: bool) -> bool:
        """Tell whether the next graph is no partner of *other*, the next graph of the other side.

        *are_named* tells that the graphs before had the same identifier.
        """
        if self.first is None or self.first.identifier is not None:
            return False
        if other is None:
            return are_named and self._at(1) is None
        behind = None if other.identifier is None else self._at(1)
        return behind is not None and behind.identifier == other.identifier

    def _at(self, place: int) -> Unread | None:
        while len(self._held) <= place:
            graph = next(self._graphs, None)
            if graph is None:
                return None
            self._held.append(graph)
        return self._held[place]


def _stray_name(graph: Unread | None) -> str:
    assert graph is not None  # only a graph is stray
    return f"without identifier (line {place_of(graph).line})"


def _of_other_name(
    left: Unread,
    right: Unread,
    rest: Iterable[tuple[Unread | None, Unread | None]],
    read: tuple[list[str | None], list[str | None]],
    names: tuple[str, str],
) -> InputError:
    """Return the error about a pair whose identifiers differ, after those of the pairs *read*."""
    number = len(read[0]) + 1
    _read_on(left, right, rest, read)
    return InputError(
        f"graph {number}: identifier {left.identifier} at {_place(left)}, but {right.identifier} "
        f"at {_place(right)} ({instead_of_position(names, read)})"
    )


def _without_partner(
    left: Unread | None,
    right: Unread | None,
    rest: Iterable[tuple[Unread | None, Unread | None]],
    read: tuple[list[str | None], list[str | None]],
    names: tuple[str, str],
) -> InputError:
    """Return the error about the first graph of a file that has more graphs than the other."""
    first = left or right
    number = len(read[0]) + 1
    assert first is not None  # the other one is missing
    named = "" if first.identifier is None else f"id {first.identifier}, "
    line = place_of(first).line
    _read_on(left, right, rest, read)
    return InputError(
        f"number of graphs: {len(read[0])} in {names[0]}, {len(read[1])} in {names[1]}; "
        f"graph {number} of {names[left is None]} ({named}line {line}) has no partner "
        f"({instead_of_position(names, read)})"
    )


def _read_on(
    left: Unread | None,
    right: Unread | None,
    rest: Iterable[tuple[Unread | None, Unread | None]],
    read: tuple[list[str | None], list[str | None]],
) -> None:
    """Add the identifiers of a pair, and of all pairs after it, to those that were *read*.

    A file that cannot be read to its end has an error of its own, later than this one.
    """
    with suppress(InputError):
        for pair in chain([(left, right)], rest):
            for graph, identifiers in zip(pair, read, strict=True):
                if graph is not None:
                    identifiers.append(graph.identifier)


def _place(graph: Unread) -> str:
    source, line = place_of(graph)
    return f"{source}:{line}"
