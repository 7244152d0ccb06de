"""Find the pieces and cycles of a graph from the links between its nodes."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from exactmatch.graphs.readers.examined import Defect
from exactmatch.scoring.validity.kinds import CYCLE, DISCONNECTED

#: The number of nodes that a message names.
_SHOWN = 8


class Link(NamedTuple):
    """A relation from the node *source* to *target*, in *line* (from 1)."""

    source: str
    target: str
    line: int


def pieces(nodes: Iterable[str], links: Iterable[Link], line: int) -> Iterator[Defect]:
    """Yield a fault for each piece of a graph that begins at *line*, except the largest."""
    from networkx import Graph, connected_components

    network = Graph((link.source, link.target) for link in links)
    network.add_nodes_from(nodes)
    first, *others = sorted(connected_components(network), key=len, reverse=True) or [set()]
    order = {node: place for place, node in enumerate(nodes)}
    for piece in sorted(others, key=lambda piece: min(order[node] for node in piece)):
        shown = _named(sorted(piece, key=order.__getitem__))
        reason = f"{shown} not connected with the {len(first)} nodes of the largest piece"
        yield Defect(DISCONNECTED, line, reason)


def cycles(links: Iterable[Link]) -> Iterator[Defect]:
    """Yield a fault for each group of nodes that relations connect in cycles."""
    from networkx import DiGraph, strongly_connected_components

    lines: dict[tuple[str, str], int] = {}
    for link in links:
        lines.setdefault((link.source, link.target), link.line)
    knot_of = {
        node: number
        for number, knot in enumerate(strongly_connected_components(DiGraph([*lines])))
        for node in knot
    }
    knots: dict[int, tuple[int, dict[str, None]]] = {}
    for (source, target), line in lines.items():
        if knot_of[source] == knot_of[target]:
            first, nodes = knots.get(knot_of[source], (line, {}))
            nodes |= dict.fromkeys((source, target))
            knots[knot_of[source]] = (min(first, line), nodes)
    for line, (first_node, *others) in sorted((line, [*nodes]) for line, nodes in knots.values()):
        among = f"among {_named([first_node, *others])}"
        reason = among if others else f"{first_node} leads to itself"
        yield Defect(CYCLE, line, reason, (first_node, *others))


def _named(nodes: Sequence[str]) -> str:
    more = f" and {len(nodes) - _SHOWN} more" if len(nodes) > _SHOWN else ""
    return ", ".join(nodes[:_SHOWN]) + more
