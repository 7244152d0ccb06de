"""Which graph of one file is compared with which of the other."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from exactmatch.errors import GraphError, InputError
from exactmatch.graph import Graph, Location

PairBy = Literal["position", "id"]
OnError = Literal["stop", "skip", "empty"]

#: What a message says of the other way to pair, to people and to programs.
_BY_IDENTIFIER = 'to pair by identifier: --pair-by id, in Python pair_by="id"'
#: So many complaints are worth reading at once.
_SHOWN = 20


class GraphPair(NamedTuple):
    """Two graphs to compare, and what the pair is called in results.

    *emptied* tells that an empty graph stands for one that is missing or cannot be read.
    """

    identifier: str
    test: Graph
    gold: Graph
    emptied: bool = False


class Skipped(NamedTuple):
    """A pair that is left out."""

    identifier: str


class Pairing(NamedTuple):
    """The pairs to compare, in order.

    *notes* say what is the matter with skipped and emptied pairs, one message each.
    """

    pairs: tuple[GraphPair | Skipped, ...]
    notes: tuple[str, ...]


#: A graph, why there is none, or None if its file says nothing of it.
_Side = Graph | GraphError | None


def pair_graphs(
    test: Sequence[Graph | GraphError],
    gold: Sequence[Graph | GraphError],
    *,
    test_name: str,
    gold_name: str,
    pair_by: PairBy = "position",
    on_error: OnError = "stop",
) -> Pairing:
    """Pair the graphs of two files.

    By position, the files must hold the same number of graphs, and identifiers must agree where
    both graphs have one; pairs of one identifier are numbered. By identifier, a graph without
    partner is left out and counted. *on_error* says what is done with graphs that could not be
    read, and with missing ones: raise `InputError` (but only note missing ones), leave the pair
    out, or take an empty graph.
    """
    errors = [graph for graph in (*test, *gold) if isinstance(graph, GraphError)]
    if errors and on_error == "stop":
        raise InputError(_listing([str(error) for error in errors]))
    names = (test_name, gold_name)
    if pair_by == "id":
        couples = _couples_by_identifier(test, gold, names)
    else:
        couples = _couples_by_position(test, gold, names)
    return _pairing(couples, names, on_error)


def _couples_by_position(
    test: Sequence[Graph | GraphError], gold: Sequence[Graph | GraphError], names: tuple[str, str]
) -> list[tuple[str, _Side, _Side]]:
    if len(test) != len(gold):
        longer, name = (test, names[0]) if len(test) > len(gold) else (gold, names[1])
        first = min(len(test), len(gold)) + 1
        raise InputError(
            f"number of graphs: {len(test)} in {names[0]}, {len(gold)} in {names[1]}; "
            f"graph {first} of {name}{_called(longer[first - 1])} has no partner "
            f"({_BY_IDENTIFIER})"
        )
    couples: list[tuple[str, _Side, _Side]] = []
    for number, (left, right) in enumerate(zip(test, gold, strict=True), start=1):
        if None not in (left.identifier, right.identifier) and left.identifier != right.identifier:
            raise InputError(
                f"graph {number}: identifier {left.identifier} at {_place(left)}, but "
                f"{right.identifier} at {_place(right)} ({_BY_IDENTIFIER})"
            )
        couples.append((left.identifier or right.identifier or str(number), left, right))
    called = distinct(name for name, _, _ in couples)
    return [(name, left, right) for name, (_, left, right) in zip(called, couples, strict=True)]


def distinct(names: Iterable[str]) -> list[str]:
    """Return *names* with a number behind those that were there before (``lpp_1943.507#2``)."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return found


def _couples_by_identifier(
    test: Sequence[Graph | GraphError], gold: Sequence[Graph | GraphError], names: tuple[str, str]
) -> list[tuple[str, _Side, _Side]]:
    left, right = by_identifier(test), by_identifier(gold)
    if not left.keys() & right.keys():
        raise InputError(f"no identifier is in both {names[0]} and {names[1]}")
    return [(key, left.get(key), right.get(key)) for key in dict.fromkeys((*left, *right))]


def by_identifier(graphs: Iterable[Graph | GraphError]) -> dict[str, Graph | GraphError]:
    """Return the graphs by their identifiers; raise `InputError` if one lacks or shares it."""
    index: dict[str, Graph | GraphError] = {}
    for number, graph in enumerate(graphs, start=1):
        if graph.identifier is None:
            raise InputError(f"{_place(graph)}: graph {number} has no identifier (# ::id ...)")
        if graph.identifier in index:
            first = _place(index[graph.identifier])
            raise InputError(
                f"{_place(graph)}: identifier {graph.identifier} occurs twice, first at {first}"
            )
        index[graph.identifier] = graph
    return index


def _pairing(
    couples: Iterable[tuple[str, _Side, _Side]], names: tuple[str, str], on_error: OnError
) -> Pairing:
    pairs: list[GraphPair | Skipped] = []
    notes: list[str] = []
    for identifier, test, gold in couples:
        if isinstance(test, Graph) and isinstance(gold, Graph):
            pairs.append(GraphPair(identifier, test, gold))
            continue
        notes += [
            f"{name}: no graph {identifier}" if side is None else str(side)
            for side, name in zip((test, gold), names, strict=True)
            if not isinstance(side, Graph)
        ]
        if on_error == "empty":
            pairs.append(GraphPair(identifier, _or_empty(test), _or_empty(gold), emptied=True))
        else:
            pairs.append(Skipped(identifier))
    return Pairing(tuple(pairs), tuple(notes))


def _or_empty(side: _Side) -> Graph:
    return side if isinstance(side, Graph) else Graph(None, {}, (), (), Location("", 0))


def _place(graph: Graph | GraphError) -> str:
    place = graph.location if isinstance(graph, Graph) else Location(graph.source, graph.line)
    return f"{place.source}:{place.line}"


def _called(graph: Graph | GraphError) -> str:
    return "" if graph.identifier is None else f" (id {graph.identifier})"


def _listing(messages: Sequence[str]) -> str:
    more = len(messages) - _SHOWN
    return "\n".join((*messages[:_SHOWN], *([f"... and {more} more"] if more > 0 else [])))
