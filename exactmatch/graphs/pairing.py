"""Pair the graphs of two files, and decide how each pair is treated.

`couple_graphs` pairs graphs that are not read yet, and `read_pair` reads two graphs. Only
`pair_graphs` decides how to treat unreadable, ill-formed and missing graphs, and sentences of UMR
that do not belong together.

Metrics that compare a document of UMR as a whole, or a file, get one text for all of its sentences
(`by_extent`). One file may number its sentences anew in each document, while another file of the
same sentences does not. So if the files have equally many sentences, a document ends where the
numbering begins anew in all of them; otherwise each file's own numbering decides.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, pairwise, zip_longest
from typing import Literal, NamedTuple, TypeVar, get_args

from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.distinct_names import DistinctNames
from exactmatch.graphs.graph import (
    ALL_ERRORS,
    PENMAN,
    SBN,
    UMR,
    Extent,
    Graph,
    IllFormedError,
    IllFormedPolicy,
    IllFormedSides,
    Location,
    Mending,
    RepairableError,
    Side,
    Treatment,
)
from exactmatch.graphs.pairing_advice import (
    DifferingIdentifiers,
    differ,
    instead_of_identifier,
    instead_of_position,
    rest_of,
)
from exactmatch.graphs.readers.detect import parse, plain_text
from exactmatch.graphs.readers.graph_text import GraphText

PairBy = Literal["position", "id"]

OnError = Literal["stop", "skip", "empty"]

#: How an item is treated that a file lacks: it is left out where the file is compared, it is left
#: out everywhere, or an empty graph replaces it.
Missing = Literal["pairwise", "common", "empty"]

#: More errors than these are not worth reading at once.
SHOWN = 20

#: Waiting texts are packed in groups of this size: they have much in common.
_TOGETHER = 32


class GraphPair(NamedTuple):
    """Two graphs to compare, and the pair's name in results.

    *emptied* tells that an empty graph replaces a missing or unreadable one. *left_out* counts
    sentences of documents that are not compared. *ill_formed* are the sides whose faults were
    overlooked.
    """

    identifier: str
    system: Graph
    gold: Graph
    emptied: bool = False
    left_out: int = 0
    ill_formed: IllFormedSides = None

    @property
    def noted(self) -> bool:
        """Whether there is a note on one of the graphs."""
        return bool(self.system.notes or self.gold.notes)

    @property
    def mended(self) -> int:
        """The number of repairs and replacements in both graphs."""
        return self.system.mended + self.gold.mended

    @property
    def framework(self) -> str:
        """The MRP framework of the graphs; empty in other formats."""
        return self.gold.framework or self.system.framework


class Skipped(NamedTuple):
    """A pair that is left out or, if *is_zero*, counts 0 because graphs of it are *ill_formed*."""

    identifier: str
    ill_formed: IllFormedSides = None
    is_zero: bool = False


#: A graph that may have been read, or the error that kept it from being read.
Unread = GraphText | Graph | GraphError


_Unread = TypeVar("_Unread", bound=Unread)


class Couple(NamedTuple):
    """The two sides of a pair: graphs that may still be unread, or nothing.

    system_name, gold_name: the names of the files in messages.
    position: the number of the pair, from 1.
    """

    identifier: str
    system: Unread | None
    gold: Unread | None
    system_name: str
    gold_name: str
    position: int = 0


class Paired(NamedTuple):
    """The two graphs of a pair, and the decision about the pair.

    graphs: the graphs as read, also those whose faults are overlooked; None for a missing graph.
    mismatched: errors on sentences that do not belong together, or are unreadable.
    unmatched: errors on sentences that only one graph has.
    """

    pair: GraphPair | Skipped
    graphs: tuple[Graph | None, Graph | None]
    mismatched: tuple[GraphError, ...] = ()
    unmatched: tuple[GraphError, ...] = ()

    @property
    def misfits(self) -> tuple[GraphError, ...]:
        """All errors that keep sentences from being compared."""
        return (*self.mismatched, *self.unmatched)


class ReadPair(NamedTuple):
    """A pair whose graphs have been read.

    errors: the errors of unreadable graphs.
    notes: problems found in the pair, one message each, including the errors.
    """

    pair: GraphPair | Skipped
    errors: tuple[GraphError, ...]
    notes: tuple[str, ...]


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
    couples = _couples_by_identifier(iter(system), iter(gold), names, keeps_errors)
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


def read_pair(
    couple: Couple, on_error: OnError, ill_formed: IllFormedPolicy = ALL_ERRORS
) -> ReadPair:
    """Read the graphs of *couple*, and return how the pair is treated; see `pair_graphs`."""
    sides = [read_mended(graph, ill_formed.mending) for graph in (couple.system, couple.gold)]
    paired = pair_graphs(couple.identifier, sides, on_error, ill_formed)
    errors = tuple(
        side
        for side, treatment in zip(sides, ill_formed.treatments, strict=True)
        if isinstance(side, GraphError) and not is_overlooked(side, treatment)
    )
    notes: list[str] = []
    names = (couple.system_name, couple.gold_name)
    for side, graph, name in zip(sides, paired.graphs, names, strict=True):
        if side is None:
            notes.append(f"{name}: no graph {couple.identifier}")
        elif isinstance(side, GraphError):
            notes.append(str(side))
        if graph is not None:
            notes += graph.notes
    misfits = paired.misfits
    return ReadPair(paired.pair, (*errors, *misfits), (*notes, *map(str, misfits)))


def pair_graphs(
    identifier: str,
    sides: Sequence[Graph | GraphError | None],
    on_error: OnError,
    policy: IllFormedPolicy = ALL_ERRORS,
) -> Paired:
    """Return how the two *sides* of a pair (graphs, errors or nothing) are treated.

    For an unreadable or missing graph, *on_error* says whether the pair is left out or an empty
    graph replaces it. Otherwise, *policy* says how a pair with an ill-formed graph is treated.
    Sentences of UMR are paired as well, see `pair_sentences`.
    """
    system, gold = sides
    if isinstance(system, Graph) and isinstance(gold, Graph):
        return _pair_readable(identifier, system, gold, on_error)
    treated = zip(sides, policy.treatments, strict=True)
    if all(isinstance(side, Graph) or is_overlooked(side, how) for side, how in treated):
        return _pair_ill_formed(identifier, sides, policy)
    left, right = (side if isinstance(side, Graph) else None for side in sides)
    pair: GraphPair | Skipped = Skipped(identifier)
    if on_error == "empty":
        from exactmatch.graphs.sentences import empty_beside

        both = left or empty_beside(right), right or empty_beside(left)
        pair = GraphPair(identifier, *both, emptied=True)
    return Paired(pair, (left, right))


def read_mended(unread: Unread | None, mending: Mending) -> Graph | GraphError | None:
    """Return a graph, read and mended by *mending*, or its error, or None."""
    read = parse(unread) if isinstance(unread, GraphText) else unread
    if mending == "none" or read is None:
        return read
    if mending == "close" or mending == "smatch":
        return _closed(unread, read, by_smatch=mending == "smatch")
    if mending == "as-counter":
        if not isinstance(unread, GraphText) or not isinstance(read, GraphError):
            return read
        from exactmatch.graphs.readers.ill_formed_clauses import read_ill_formed

        return read_ill_formed(unread, read)
    from exactmatch.graphs.stand_ins import stood_in, stood_in_text

    if isinstance(unread, GraphText):
        return stood_in_text(unread, read, mending)
    return stood_in(read, mending) if isinstance(read, Graph) else read


def _closed(
    unread: Unread | None, read: Graph | GraphError, *, by_smatch: bool
) -> Graph | GraphError:
    """Return a graph with its last parentheses or, *by_smatch*, split at blanks as smatch does."""
    if not isinstance(read, GraphError):
        return read
    if by_smatch and isinstance(unread, GraphText) and unread.format == PENMAN:
        from exactmatch.graphs.readers.penman import read_by_smatch

        found = read_by_smatch(unread, read)
        if found is not None:
            return found
    if isinstance(read, RepairableError) and read.lacks_end_alone:
        return read.repaired
    return read


def is_overlooked(side: Unread | None, treatment: Treatment) -> bool:
    """Tell whether *side* is an ill-formed graph that *treatment* accepts."""
    return treatment != "error" and isinstance(side, IllFormedError)


def _pair_readable(identifier: str, system: Graph, gold: Graph, on_error: OnError) -> Paired:
    """Return how a pair of readable graphs is treated; in UMR, sentences are paired first."""
    graphs = (system, gold)
    if not is_umr(system, gold):
        ill_formed = () if gold.format == SBN else None
        return Paired(GraphPair(identifier, system, gold, ill_formed=ill_formed), graphs)
    from exactmatch.graphs.sentences import pair_sentences

    paired = pair_sentences(system, gold, on_error)
    if not paired.gold.sentences:
        return Paired(Skipped(identifier), graphs, paired.errors, paired.unmatched)
    noted = map(str, (*paired.errors, *paired.unmatched))
    pair = GraphPair(
        identifier,
        paired.system,
        paired.gold._replace(notes=(*gold.notes, *noted)),
        emptied=paired.lacking,
        left_out=paired.left_out,
    )
    return Paired(pair, graphs, paired.errors, paired.unmatched)


def _pair_ill_formed(
    identifier: str, sides: Sequence[Graph | GraphError | None], policy: IllFormedPolicy
) -> Paired:
    """Return how a pair is treated whose *sides* are graphs or ill-formed."""
    system, gold = (
        _overlooked(side, treatment)
        for side, treatment in zip(sides, policy.treatments, strict=True)
    )
    wrong: list[Side] = [
        name
        for side, name in zip(sides, get_args(Side), strict=True)
        if isinstance(side, IllFormedError)
    ]
    pair: GraphPair | Skipped
    if any(getattr(policy, name) == "skip" for name in wrong):
        pair = Skipped(identifier, wrong)
    elif system is None or gold is None:
        pair = Skipped(identifier, wrong, is_zero=True)
    else:
        pair = GraphPair(identifier, system, gold, ill_formed=wrong)
    return Paired(pair, (system, gold))


def _overlooked(side: Graph | GraphError | None, treatment: Treatment) -> Graph | None:
    """Return the graph to compare: for an ill-formed one, the graph with the fault overlooked."""
    if isinstance(side, IllFormedError):
        return side.lenient if treatment == "lenient" else None
    return side if isinstance(side, Graph) else None


def is_umr(one: Unread, other: Unread) -> bool:
    """Tell whether both graphs are in UMR, so that tokens identify their sentences."""
    return all(getattr(graph, "format", None) == UMR for graph in (one, other))


def unreadable(errors: Sequence[InputError], *, more: int = 0, are_all: bool = True) -> InputError:
    """Return one error that lists *errors*, the first ones in full, and says if there may be more.

    *more* is the number of further errors. *are_all* tells that both files were read to the end.
    """
    more += max(0, len(errors) - SHOWN)
    messages = [str(error) for error in errors[:SHOWN]]
    if more > 0:
        messages.append(f"... and {more} more")
    if not are_all:
        messages.append("(the rest was not read)")
    return InputError("\n".join(messages))


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
        if ours != theirs and differ((ours, theirs)) and not is_umr(left, right):
            if tolerated is None:
                raise _of_other_name(left, right, (one for _, one in pairs), read, names)
            tolerated.add((ours, theirs))
            shared = theirs
        # An identifier of both is kept once: the files may be large.
        read[0].append(shared if ours == shared else ours)
        read[1].append(shared if theirs == shared else theirs)
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


def _couples_by_identifier(
    system: Iterator[Unread], gold: Iterator[Unread], names: tuple[str, str], keeps_errors: bool
) -> Iterator[Couple]:
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


def place_of(graph: Unread) -> Location:
    """Return file and first line of a graph; of an unread graph, the first line of its comments."""
    return graph.location if isinstance(graph, Graph) else Location(graph.source, graph.line)


def _place(graph: Unread) -> str:
    source, line = place_of(graph)
    return f"{source}:{line}"


def by_extent(sides: Sequence[Sequence[_Unread]], extent: Extent) -> list[list[_Unread]]:
    """Return the documents, or the files, of several sides.

    *sides* are the texts of their sentences, in order. A graph that is no text stays unchanged.
    """
    if extent == "sentence":
        return [[*texts] for texts in sides]
    starts = [_starts(texts, extent) for texts in sides]
    if len({len(texts) for texts in sides}) == 1:
        common = set.intersection(*map(set, starts))
        starts = [sorted(common)] * len(sides)
    return [
        [
            _joined(texts[start:end], extent, number)
            for number, (start, end) in enumerate(pairwise([*ends, len(texts)]), start=1)
        ]
        for texts, ends in zip(sides, starts, strict=True)
    ]


def _starts(texts: Sequence[Unread], extent: Extent) -> list[int]:
    """Return the positions at which documents, or files, begin."""
    wholes = [
        (text.source, text.document if extent == "document" else 0)
        if isinstance(text, GraphText)
        else place
        for place, text in enumerate(texts)
    ]
    return [place for place, whole in enumerate(wholes) if place == 0 or whole != wholes[place - 1]]


def _joined(texts: Sequence[_Unread], extent: Extent, number: int) -> _Unread:
    """Return consecutive texts of a file as one text, with the same line numbers."""
    first = texts[0]
    if not isinstance(first, GraphText):
        return first
    others = [text for text in texts[1:] if isinstance(text, GraphText)]
    pieces = [first.data]
    line = first.line + first.data.count(b"\n")
    for text in others:
        pieces.append(b"\n" * (text.line - line) + text.data)
        line = text.line + text.data.count(b"\n")
    return first._replace(
        data=b"".join(pieces),
        identifier=f"d{number}" if extent == "document" else None,
        extent=extent,
    )
