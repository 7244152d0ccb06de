"""Two drawings as one: what is mapped to each other is one node, and what is like it one way.

A way stands for an edge of either side or for one of both. Edges of both sides between the same two
nodes share ways: those of the same label and direction first, then those of the same direction,
then any.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from exactmatch.views.drawing import Drawing, Edge
from exactmatch.views.sizes import label_width, node_size


class Way(NamedTuple):
    """A place for an edge: its ends, the width of its label, and its edges on both sides.

    Edges are known by their number on their side; there is none on one of them, maybe.
    """

    source: int
    target: int
    width: int
    edges: tuple[int | None, int | None]


class Joined:
    """The union of two drawings.

    nodes: for each side, the node of the union that each node of the drawing is.
    sizes: width and height of each node: enough for both sides.
    ways: where edges go.
    under: pairs of nodes the second of which belongs under the first, without a way.
    tops: the roots of both sides.
    """

    def __init__(self, system: Drawing, gold: Drawing, same: Mapping[int, int]) -> None:
        back = {right: left for left, right in same.items()}
        own = iter(range(len(system.nodes), len(system.nodes) + len(gold.nodes)))
        right = [back[i] if i in back else next(own) for i in range(len(gold.nodes))]
        self.nodes: tuple[Sequence[int], Sequence[int]] = (range(len(system.nodes)), right)
        number_of_nodes = len(system.nodes) + len(gold.nodes) - len(same)
        self.sizes: list[tuple[int, int]] = [(0, 0)] * number_of_nodes
        tops = []
        self.under: list[tuple[int, int]] = []
        for side, nodes in zip((system, gold), self.nodes, strict=True):
            for node, number in zip(side.nodes, nodes, strict=True):
                width, height = self.sizes[number]
                own_width, own_height = node_size(node)
                self.sizes[number] = (max(width, own_width), max(height, own_height))
            tops += [nodes[top] for top in side.tops]
            for edge in side.edges:
                if edge.within is not None:
                    self.under.append((nodes[edge.within], nodes[edge.source]))
        self.tops = list(dict.fromkeys(tops))
        self.ways = [*self._ways(system.edges, gold.edges)]

    def _ways(self, system: Sequence[Edge], gold: Sequence[Edge]) -> Iterator[Way]:
        """Yield the ways, those between the same two nodes one after the other."""
        between: defaultdict[tuple[int, ...], tuple[list[int], list[int]]]
        between = defaultdict(lambda: ([], []))
        for side, edges in enumerate((system, gold)):
            for number, edge in enumerate(edges):
                between[tuple(sorted(self._ends(side, edge)))][side].append(number)
        for lefts, rights in between.values():
            for left, right in _couples(
                {i: (self._ends(0, system[i]), system[i].label) for i in lefts},
                {j: (self._ends(1, gold[j]), gold[j].label) for j in rights},
            ):
                edges = [system[left]] if left is not None else []
                edges += [gold[right]] if right is not None else []
                source, target = self._ends(int(left is None), edges[0])
                width = max(label_width(edge.label) for edge in edges)
                yield Way(source, target, width, (left, right))

    def _ends(self, side: int, edge: Edge) -> tuple[int, int]:
        nodes = self.nodes[side]
        return nodes[edge.source], nodes[edge.target]


#: Both ends of an edge, and its label.
_Look = tuple[tuple[int, int], str]


def _couples(
    lefts: dict[int, _Look], rights: dict[int, _Look]
) -> Iterator[tuple[int | None, int | None]]:
    """Yield edges of both sides that share a way; None where one has no partner."""
    partners: dict[int, int] = {}
    for shared in (lambda look: look, lambda look: look[0], lambda _: None):
        free: defaultdict[object, list[int]] = defaultdict(list)
        taken = set(partners.values())
        for right in reversed(rights):
            if right not in taken:
                free[shared(rights[right])].append(right)
        for left, look in lefts.items():
            if left not in partners and free[shared(look)]:
                partners[left] = free[shared(look)].pop()
    for left in lefts:
        yield left, partners.get(left)
    taken = set(partners.values())
    yield from ((None, right) for right in rights if right not in taken)
