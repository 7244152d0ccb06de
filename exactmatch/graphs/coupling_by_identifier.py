"""Couple the graphs of two files by their identifiers."""

from collections.abc import Iterable, Iterator

from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.pairing import Couple, Unread, place_of
from exactmatch.graphs.pairing_advice import instead_of_identifier, rest_of

#: Waiting texts are packed in groups of this size: they have much in common.
_TOGETHER = 32


def couples_by_identifier(
    system: Iterator[Unread], gold: Iterator[Unread], names: tuple[str, str], keeps_errors: bool
) -> Iterator[Couple]:
    """Yield the pairs of two files; those without a system graph come last.

    Raises `InputError` if graphs cannot be paired. But if pairing *keeps_errors*, a graph with a
    missing or repeated identifier is an error without partner.
    """
    # Complex: a graph has a partner, none, or an error, on either side, and pairs keep their order.
    held = _Held()
    try:
        index, lost = _held_by_identifier(gold, held, keeps_errors)
    except _UnnamedError as unnamed:
        raise unnamed.advised(names, (rest_of(system), unnamed.number + rest_of(gold))) from None
    alone: list[Couple] = []  # held back until there is a pair
    are_paired = False
    number = 0
    for number, graph in enumerate(system, start=1):
        place = index.get(graph.identifier or "")
        error = _unnamed(graph, number, None if place is None or place >= 0 else -place)
        if error is None:
            identifier = graph.identifier or ""
            index[identifier] = -place_of(graph).line  # no longer held, but its place is known
            are_paired = are_paired or place is not None
            partner = None if place is None else held.at(place)
            alone.append(Couple(identifier, graph, partner, *names))
        elif keeps_errors:
            alone.append(Couple(_lost_name(error), error, None, *names))
        else:
            raise _UnnamedError(error).advised(names, (number + rest_of(system), len(held)))
        if are_paired:
            yield from alone
            alone.clear()
    if not are_paired:
        advice = instead_of_identifier(names, (number, len(held) + len(lost)))
        raise InputError(f"no identifier is in both {names[0]} and {names[1]} ({advice})")
    for identifier, place in index.items():
        if place >= 0:
            yield Couple(identifier, None, held.at(place), *names)
    yield from (Couple(_lost_name(error), None, error, *names) for error in lost)


def _held_by_identifier(
    graphs: Iterable[Unread], held: "_Held", keeps_errors: bool
) -> tuple[dict[str, int], list[GraphError]]:
    """Hold *graphs*; return the place of each, and errors for missing or repeated identifiers.

    Raises `_UnnamedError` for the first error unless pairing *keeps_errors*.
    """
    index: dict[str, int] = {}
    lost: list[GraphError] = []
    for number, graph in enumerate(graphs, start=1):
        known = index.get(graph.identifier or "")
        error = _unnamed(graph, number, None if known is None else place_of(held.at(known)).line)
        if error is None:
            index[graph.identifier or ""] = held.add(graph)
        elif keeps_errors:
            lost.append(error)
        else:
            raise _UnnamedError(error)
    return index, lost


def _unnamed(graph: Unread, number: int, first: int | None) -> GraphError | None:
    """Return why a graph cannot be paired by its identifier, which *first* may have as well.

    None if it can be paired.
    """
    source, line = place_of(graph)
    if graph.identifier is None:
        reason = "no identifier, # ::id ..."
    elif first is not None:
        reason = f"identifier {graph.identifier} occurs twice, first at {source}:{first}"
    else:
        return None
    return GraphError(reason, source=source, line=line, number=number, identifier=graph.identifier)


class _UnnamedError(Exception):
    """An error about an identifier, which ends pairing; *number* is that of its graph."""

    def __init__(self, error: GraphError) -> None:
        super().__init__(error)
        self.error = error
        self.number = error.number

    def advised(self, names: tuple[str, str], counts: tuple[int, int]) -> InputError:
        """Return the error with advice, for files of so many graphs."""
        error = self.error
        which = "" if error.identifier is not None else f"graph {error.number} has "
        advice = instead_of_identifier(names, counts)
        return InputError(f"{error.source}:{error.line}: {which}{error.reason} ({advice})")


def _lost_name(error: GraphError) -> str:
    """Return the name of a pair whose graph has no identifier of its own."""
    return f"{error.identifier or 'without identifier'} (line {error.line})"


class _Held:
    """Graphs that wait for their partners; they are packed, since there may be many."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._last: list[Unread] = []
        self._unpacked: tuple[int, list[Unread]] = (-1, [])

    def __len__(self) -> int:
        return len(self._packed) * _TOGETHER + len(self._last)

    def add(self, graph: Unread) -> int:
        """Hold *graph*, and return its place."""
        self._last.append(graph)
        place = len(self._packed) * _TOGETHER + len(self._last) - 1
        if len(self._last) == _TOGETHER:
            import pickle
            import zlib

            self._packed.append(zlib.compress(pickle.dumps(self._last), 1))
            self._last = []
        return place

    def at(self, place: int) -> Unread:
        """Return the graph at *place*."""
        pack, position = divmod(place, _TOGETHER)
        if pack == len(self._packed):
            return self._last[position]
        if pack != self._unpacked[0]:
            import pickle
            import zlib

            self._unpacked = (pack, pickle.loads(zlib.decompress(self._packed[pack])))
        return self._unpacked[1][position]
