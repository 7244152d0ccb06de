"""The layers of a part of the union: which nodes stand below which, and what passes between them.

There is a row for each layer of nodes, and one between each two of them for labels. A row holds
slots: a node, the label of a way, or a place where a way passes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from exactmatch.views.joined import Way

if TYPE_CHECKING:
    from networkx import DiGraph

#: Layers of nodes that are wider (px) are dealt out to several.
WIDEST = 1400

#: Where there were more slots than this, ways have none but that of their label.
MOST_SLOTS = 4000

#: Between nodes that stand side by side.
NODE_GAP = 18

#: What is above all roots while the graph is searched.
_ABOVE = -1


class Chain(NamedTuple):
    """A way through the layers.

    slots: the upper node, what it passes, the lower node.
    label: the slot of its label.
    is_turned: the edge leads from the lower node to the upper one.
    """

    way: Way
    slots: list[int]
    label: int
    is_turned: bool


class Rows:
    """The slots of a part, and how they hang together.

    nodes: the nodes of the part by their slots, which are the first ones.
    widths: of all slots.
    rows: the slots of each row, from left to right; those of nodes and of labels in turn.
    row: the row of each slot.
    ups, downs: the slots above and below that each one is joined to, once for each way.
    chains: the ways.
    is_large: there would be too many slots: ways pass anywhere.
    """

    def __init__(
        self,
        nodes: Sequence[int],
        layers: Sequence[Sequence[int]],
        widths: Mapping[int, int],
        ways: Sequence[Way],
    ) -> None:
        self.nodes = nodes
        slot = {node: i for i, node in enumerate(nodes)}
        self.widths: list[float] = [widths[node] for node in nodes]
        self.rows: list[list[int]] = [[] for _ in range(2 * len(layers) - 1)]
        self.row: list[int] = [0] * len(nodes)
        for number, layer in enumerate(layers):
            self.rows[2 * number] = [slot[node] for node in layer]
            for node in layer:
                self.row[slot[node]] = 2 * number
        self.ups: list[list[int]] = [[] for _ in nodes]
        self.downs: list[list[int]] = [[] for _ in nodes]
        ends = [(slot[way.source], slot[way.target]) for way in ways]
        spans = (abs(self.row[source] - self.row[target]) for source, target in ends)
        self.is_large = sum(spans) > MOST_SLOTS
        self.chains = [self._chain(way, *ends) for way, ends in zip(ways, ends, strict=True)]

    def _chain(self, way: Way, source: int, target: int) -> Chain:
        is_turned = self.row[source] > self.row[target]
        upper, lower = (target, source) if is_turned else (source, target)
        first, last = self.row[upper] + 1, self.row[lower] - 1
        label_row = last if self.is_large else first + (last - first) // 4 * 2
        slots, label = [upper], 0
        for row in [label_row] if self.is_large else range(first, last + 1):
            if row == label_row:
                label = len(self.row)
            slots.append(self._slot(row, way.width if row == label_row else 0))
        slots.append(lower)
        for above, below in pairwise(slots):
            self.downs[above].append(below)
            self.ups[below].append(above)
        return Chain(way, slots, label, is_turned)

    def _slot(self, row: int, width: float) -> int:
        number = len(self.row)
        self.row.append(row)
        self.rows[row].append(number)
        self.widths.append(width)
        self.ups.append([])
        self.downs.append([])
        return number


def layers_of(graph: "DiGraph", roots: Sequence[int], widths: Mapping[int, int]) -> list[list[int]]:
    """Return the nodes of a connected graph without loops in layers, each from left to right.

    A node is in the layer below the lowest of those that lead to it.
    """
    from networkx import topological_generations

    down, left = _turned_down(graph, roots)
    layers = []
    for generation in topological_generations(down):
        layer = sorted(generation, key=left.__getitem__)
        width = sum(widths[node] + NODE_GAP for node in layer)
        parts = ceil(width / WIDEST)
        layers += [layer[i::parts] for i in range(parts)]
    return layers


def _turned_down(graph: "DiGraph", roots: Sequence[int]) -> tuple["DiGraph", dict[int, int]]:
    """Return *graph* with some edges turned so that there is no cycle, and an order of its nodes.

    What the roots reach, depth first, is below them. What they do not reach is hung up, by an edge
    that is turned, below what it leads to; as in PENMAN, where the role would end in ``-of``. Then
    any edge back to what is above it is turned. What is first in the order is on the left.
    """
    from networkx import DiGraph, dfs_postorder_nodes

    hung = graph.copy()
    for source, target in [*_hung_up(graph, roots)]:
        hung.remove_edge(source, target)
        hung.add_edge(target, source)
    hung.add_edges_from((_ABOVE, root) for root in roots)
    left = {node: i for i, node in enumerate(dfs_postorder_nodes(hung, _ABOVE))}
    hung.remove_node(_ABOVE)
    down = DiGraph()
    down.add_nodes_from(graph)
    down.add_edges_from((s, t) if left[s] > left[t] else (t, s) for s, t in hung.edges)
    return down, left


def _hung_up(graph: "DiGraph", roots: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield edges into what is reached, each from a node that only so is reached."""
    seen: dict[int, None] = {}
    for root in roots:
        _reach(graph, root, seen)
    found = list(seen)
    for node in found:
        for source in graph.pred[node]:
            if source not in seen:
                yield source, node
                number = len(seen)
                _reach(graph, source, seen)
                found += list(seen)[number:]


def _reach(graph: "DiGraph", root: int, seen: dict[int, None]) -> None:
    """Add to *seen* what can be reached from *root*, depth first."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen[node] = None
            waiting += reversed([*graph.succ[node]])
