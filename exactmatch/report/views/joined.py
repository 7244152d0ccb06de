"""Join two drawings: mapped nodes become one node, and similar edges share one way.

A way stands for an edge of one side or of both. Edges of both sides between the same two nodes
share ways: first those of the same label and direction, then those of the same direction, then any.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from exactmatch.report.views.graph_drawing import Drawing, Edge, label_width, node_size, width_for


class Stretch(NamedTuple):
    """A line that needs a way: its ends in the union, and its label.

    Every edge is a stretch. If an edge begins at another node than its source, a second stretch
    without label leads from there to the source.
    """

    source: int
    target: int
    label: str


class Way(NamedTuple):
    """A place for stretches: its ends, the width of its label, and the stretches of both sides.

    Stretches are given by their number on their side; one side may have none.
    """

    source: int
    target: int
    width: int
    stretches: tuple[int | None, int | None]


class Joined:
    """The union of two drawings.

    nodes: for each side, the node of the union for each node of the drawing.
    sizes: the width and height of each node: enough for both sides, and for the ends of its ways.
    stretches: for each side, those of the edges in order, then those to the sources of edges that
        have one.
    ways: the ways of the stretches.
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
        for side, nodes in zip((system, gold), self.nodes, strict=True):
            for node, number in zip(side.nodes, nodes, strict=True):
                sizes = zip(self.sizes[number], node_size(node), strict=True)
                width, height = map(max, sizes)
                self.sizes[number] = (width, height)
            tops += [nodes[top] for top in side.tops]
        self.tops = list(dict.fromkeys(tops))
        self.stretches = tuple(
            [*_stretches(side.edges, nodes)]
            for side, nodes in zip((system, gold), self.nodes, strict=True)
        )
        self.ways = [*_ways(*self.stretches)]
        for ends in ([way.source for way in self.ways], [way.target for way in self.ways]):
            for number, count in Counter(ends).items():
                width, height = self.sizes[number]
                self.sizes[number] = (max(width, width_for(count)), height)


def _stretches(edges: Sequence[Edge], nodes: Sequence[int]) -> Iterator[Stretch]:
    for edge in edges:
        yield Stretch(nodes[edge.source], nodes[edge.target], edge.label)
    for edge in edges:
        if edge.within is not None:
            yield Stretch(nodes[edge.within], nodes[edge.source], "")


def _ways(system: Sequence[Stretch], gold: Sequence[Stretch]) -> Iterator[Way]:
    """Yield the ways, grouped by their two nodes."""
    between: defaultdict[tuple[int, ...], tuple[list[int], list[int]]]
    between = defaultdict(lambda: ([], []))
    for side, stretches in enumerate((system, gold)):
        for number, stretch in enumerate(stretches):
            between[tuple(sorted(stretch[:2]))][side].append(number)
    for lefts, rights in between.values():
        for left, right in _couples({i: system[i] for i in lefts}, {j: gold[j] for j in rights}):
            on_it = [system[left]] if left is not None else []
            on_it += [gold[right]] if right is not None else []
            width = max(label_width(stretch.label) for stretch in on_it)
            yield Way(on_it[0].source, on_it[0].target, width, (left, right))


#: What two stretches that share a way have in common, closest first.
_COMMON: Sequence[Callable[[Stretch], object]] = (
    lambda stretch: stretch,
    lambda stretch: stretch[:2],
    lambda _: None,
)


def _couples(
    lefts: Mapping[int, Stretch], rights: Mapping[int, Stretch]
) -> Iterator[tuple[int | None, int | None]]:
    """Yield the stretches of both sides that share a way; None for a missing partner."""
    partners: dict[int, int] = {}
    for common in _COMMON:
        free: defaultdict[object, list[int]] = defaultdict(list)
        taken = set(partners.values())
        for right in reversed([*rights]):
            if right not in taken:
                free[common(rights[right])].append(right)
        for left, stretch in lefts.items():
            if left not in partners and free[common(stretch)]:
                partners[left] = free[common(stretch)].pop()
    for left in lefts:
        yield left, partners.get(left)
    taken = set(partners.values())
    yield from ((None, right) for right in rights if right not in taken)
