"""Put the nodes of a part of the union into layers, and find the ways that pass each layer.

There is a row for each layer of nodes, and one between each two of them for labels. A row holds
slots: a node, the label of a way, or a place where a way passes.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from exactmatch.report.views.joined import Way

if TYPE_CHECKING:
    from networkx import DiGraph

#: Layers of nodes wider than this (px) are split into several. The layers of graphs of a few nodes
#: are narrower, so that both graphs of a pair stand side by side on a screen of 1280 px.
WIDEST, WIDEST_OF_FEW = 1400, 620
FEW_NODES = 20

#: With more slots than this, ways have only the slot of their label.
MOST_SLOTS = 4000

#: The gap between nodes side by side.
NODE_GAP = 18

#: A node above all roots, for the search.
_ABOVE = -1


class Chain(NamedTuple):
    """A way through the layers.

    slots: the upper node, the slots in between, the lower node.
    label: the slot of its label.
    is_turned: the way leads from the lower node to the upper one.
    is_back: the way is turned, but not because it hangs up the lower node; see `layers_of`.
    """

    way: Way
    slots: list[int]
    label: int
    is_turned: bool
    is_back: bool


class SlotRows:
    """The slots of a part, and their connections.

    nodes: the nodes of the part by their slots, which come first.
    widths: the widths of all slots.
    rows: the slots of each row, from left to right; rows of nodes and of labels alternate.
    row: the row of each slot.
    ups, downs: the slots above and below that each slot is joined to, once for each way.
    chains: the ways.
    is_large: there would be too many slots, so ways may pass anywhere.
    """

    def __init__(
        self,
        nodes: Sequence[int],
        layers: Sequence[Sequence[int]],
        widths: Mapping[int, int],
        ways: Sequence[Way],
        hung: Collection[tuple[int, int]],
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
        self._degrees = Counter(chain.from_iterable(ends))
        spans = (abs(self.row[source] - self.row[target]) for source, target in ends)
        self.is_large = sum(spans) > MOST_SLOTS
        self._hung = hung
        self.chains = [self._chain(way, *ends) for way, ends in zip(ways, ends, strict=True)]

    def _chain(self, way: Way, source: int, target: int) -> Chain:
        is_turned = self.row[source] > self.row[target]
        upper, lower = (target, source) if is_turned else (source, target)
        first, last = self.row[upper] + 1, self.row[lower] - 1
        if self.is_large:  # next to the end if there are fewer
            label_row = first if self._degrees[upper] < self._degrees[lower] else last
        else:
            label_row = first + (last - first) // 4 * 2
        slots, label = [upper], 0
        for row in [label_row] if self.is_large else range(first, last + 1):
            if row == label_row:
                label = len(self.row)
            slots.append(self._slot(row, way.width if row == label_row else 0))
        slots.append(lower)
        for above, below in pairwise(slots):
            self.downs[above].append(below)
            self.ups[below].append(above)
        is_back = is_turned and way[:2] not in self._hung
        return Chain(way, slots, label, is_turned, is_back)

    def _slot(self, row: int, width: float) -> int:
        number = len(self.row)
        self.row.append(row)
        self.rows[row].append(number)
        self.widths.append(width)
        self.ups.append([])
        self.downs.append([])
        return number


def layers_of(
    graph: "DiGraph",
    hung: Collection[tuple[int, int]],
    roots: Sequence[int],
    widths: Mapping[int, int],
    widest: int,
) -> list[list[int]]:
    """Return the nodes of a connected graph without loops in layers, each from left to right.

    Edges that are *hung*, and those that would close a cycle, are turned. Then a node is in the
    layer below the lowest of its sources. Layers wider than *widest* are split.
    """
    from networkx import topological_generations

    down, left = _turned_down(graph, hung, roots)
    layers = []
    for generation in topological_generations(down):
        layer = sorted(generation, key=left.__getitem__)
        width = sum(widths[node] + NODE_GAP for node in layer)
        parts = min(ceil(width / widest), len(layer))
        layers += [layer[i::parts] for i in range(parts)]
    return layers


def _turned_down(
    graph: "DiGraph", hung: Collection[tuple[int, int]], roots: Sequence[int]
) -> tuple["DiGraph", dict[int, int]]:
    """Return *graph* without cycles, and its nodes with their places from the left in any layer.

    The places are the order in which a depth-first search from the roots leaves the nodes. An edge
    to a node that is left later leads back up.
    """
    from networkx import DiGraph, dfs_postorder_nodes

    searched = DiGraph()
    searched.add_nodes_from(graph)
    searched.add_edges_from(edge for edge in graph.edges if edge not in hung)
    searched.add_edges_from((target, source) for source, target in hung)
    searched.add_edges_from((_ABOVE, root) for root in roots)
    left = {node: i for i, node in enumerate(dfs_postorder_nodes(searched, _ABOVE))}
    searched.remove_node(_ABOVE)
    down = DiGraph()
    down.add_nodes_from(graph)
    down.add_edges_from((s, t) if left[s] > left[t] else (t, s) for s, t in searched.edges)
    return down, left


def hung_up(graph: "DiGraph", roots: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the edges of a connected graph that hang up nodes which the roots do not reach.

    Such a node is hung below the target of the edge, as in PENMAN, where the role would end in
    ``-of``; everything that it reaches comes with it.
    """
    seen: set[int] = set()
    order = [node for root in roots for node in _reached(graph, root, seen)]
    for node in order:
        for source in graph.pred[node]:
            if source not in seen:
                yield source, node
                order += _reached(graph, source, seen)


def _reached(graph: "DiGraph", root: int, seen: set[int]) -> Iterator[int]:
    """Yield the new nodes that can be reached from *root*, depth first, and add them to *seen*."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            yield node
            waiting += reversed([*graph.succ[node]])
