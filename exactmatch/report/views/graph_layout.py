"""Place the nodes and edges of two drawings: one layout for both, in layers from the top.

The layout is that of the union of both graphs (`exactmatch.report.views.joined`), in which two
nodes that are mapped to each other are one. So they stand in the same place in both drawings, each
as high as its own lines. A node that one side lacks leaves a gap there.

The steps are those of Sugiyama, Tagawa and Toda (1981), *Methods for Visual Understanding of
Hierarchical System Structures*, with the changes of Gansner, Koutsofios, North and Vo (1993), *A
Technique for Drawing Directed Graphs*:

1. Some edges are turned so that there is no cycle. A node stands in the layer below the lowest of
    its sources; a layer that is too wide is split into several
    (`exactmatch.report.views.node_layers`).
2. An edge has a slot in each layer that it passes. Its label is a slot too, in a layer of its own
    between those of the nodes. So no label covers anything, parallel edges part, and no edge is
    hidden behind a node.
3. Slots are ordered so that few edges cross, and then placed as near as possible to their
    neighbours (`exactmatch.report.views.spacing`).
4. An edge is a smooth curve through its slots, from the top to the bottom.

Unconnected parts stand side by side. If there are too many slots, as in graphs of thousands of
nodes, the time is nearly linear: the order is that of a search of the graph, and edges may pass
behind nodes.

Lengths are in px; the text has the size in `exactmatch.report.views.graph_drawing`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from exactmatch.report.views.graph_drawing import (
    LABEL_HEIGHT,
    LINE_HEIGHT,
    PADDING_Y,
    Drawing,
    Edge,
    node_size,
)
from exactmatch.report.views.joined import Joined, Way
from exactmatch.report.views.node_layers import (
    FEW_NODES,
    WIDEST,
    WIDEST_OF_FEW,
    Chain,
    SlotRows,
    hung_up,
    layers_of,
)
from exactmatch.report.views.spacing import ordered, positions

if TYPE_CHECKING:
    from networkx import DiGraph

#: From the left, and from the top.
Point = tuple[float, float]

#: The margin around everything, between parts, and above and below labels.
_MARGIN, _PART_GAP, _LABEL_SPACE = 12, 36, 14

#: The distance of a loop from the right side of its node, with a gap to the next one.
_LOOP, _LOOP_GAP = 24, 10

#: The largest distance between the ends of edges at a node, and the least from its corners.
_PORT_GAP, _CORNER = 16, 6


class Box(NamedTuple):
    """The place of a node: its top left corner, and its size."""

    x: int
    y: int
    width: int
    height: int


class Curve(NamedTuple):
    """The place of an edge.

    points: the points of a chain of cubic Bézier curves from the source of the edge: the first
        point, and three for each curve.
    at: the middle of the label.
    again: the edge is not in the spanning tree; edges from higher up already join its nodes.
    """

    points: list[Point]
    at: Point
    again: bool


class Placed(NamedTuple):
    """The places of the nodes and edges of a drawing, by number, and its width and height."""

    nodes: list[Box]
    edges: list[Curve]
    size: tuple[int, int]


def laid_out(
    system: Drawing, gold: Drawing, same: Iterable[tuple[int, int]]
) -> tuple[Placed, Placed]:
    """Return the places of everything that is drawn of both graphs.

    *same* are the numbers of nodes that are mapped to each other, those of *system* first; they are
    one-to-one. The top edges of such nodes are in the same place, and both drawings have the same
    size.
    """
    joined = Joined(system, gold, dict(same))
    loops: defaultdict[int, list[Way]] = defaultdict(list)
    ways: list[Way] = []
    for way in joined.ways:
        if way.source == way.target:
            loops[way.source].append(way)
        else:
            ways.append(way)
    are_few = max(len(system.nodes), len(gold.nodes)) <= FEW_NODES
    widest = WIDEST_OF_FEW if are_few else WIDEST
    parts = [
        _Part(joined, graph, part_ways, loops, widest) for graph, part_ways in _parts(joined, ways)
    ]
    size = _beside_each_other(parts, widest)
    boxes = {node: box for part in parts for node, box in part.boxes()}
    both = [laid for part in parts for laid in part.curves()]
    return (
        _placed(boxes, both, joined, 0, system, size),
        _placed(boxes, both, joined, 1, gold, size),
    )


def _parts(joined: Joined, ways: Iterable[Way]) -> Iterator[tuple["DiGraph", list[Way]]]:
    """Yield the connected parts of the union with their ways; parts with roots come first.

    Their nodes and edges are in the order of the union.
    """
    from networkx import DiGraph, weakly_connected_components

    graph = DiGraph()
    graph.add_nodes_from(range(len(joined.sizes)))
    graph.add_edges_from((way.source, way.target) for way in ways)
    tops = set(joined.tops)
    components = sorted(
        weakly_connected_components(graph), key=lambda part: (not part & tops, min(part))
    )
    part_of = {node: i for i, nodes in enumerate(components) for node in nodes}
    parts: list[tuple[DiGraph, list[Way]]] = [(DiGraph(), []) for _ in components]
    for node in graph:
        parts[part_of[node]][0].add_node(node)
    for source, target in graph.edges:
        parts[part_of[source]][0].add_edge(source, target)
    for way in ways:
        parts[part_of[way.source]][1].append(way)
    yield from parts


class _Laid(NamedTuple):
    """A way with its points, the middle of its label, and whether it is a loop or leads back up."""

    way: Way
    points: list[Point]
    at: Point
    is_back: bool


class _Part:
    """The places of the nodes and ways of a part of the union.

    *x* and *y* are its top left corner, *width* and *height* its size.
    """

    def __init__(
        self,
        joined: Joined,
        graph: "DiGraph",
        ways: Sequence[Way],
        loops: "defaultdict[int, list[Way]]",
        widest: int,
    ) -> None:
        self.x = self.y = 0
        self._sizes = joined.sizes
        self._loops = {node: loops[node] for node in graph if node in loops}
        widths = {node: joined.sizes[node][0] + self._beside(node) for node in graph}
        tops = [node for node in joined.tops if node in graph]
        roots = tops or [n for n in graph if not graph.pred[n]] or [next(iter(graph))]
        hung = dict.fromkeys(hung_up(graph, roots))
        layers = layers_of(graph, hung, roots, widths, widest)
        self._rows = SlotRows(list(graph), layers, widths, ways, hung)
        orders = ordered(self._rows)
        self._middles = positions(self._rows, orders)
        self._tops, self._bottoms = self._heights(orders)
        rights = (m + w / 2 for m, w in zip(self._middles, self._rows.widths, strict=True))
        self.width, self.height = round(max(rights)), self._bottoms[-1]

    def boxes(self) -> Iterator[tuple[int, Box]]:
        """Yield the nodes."""
        for slot, node in enumerate(self._rows.nodes):
            width, height = self._sizes[node]
            left = round(self._middles[slot] - self._rows.widths[slot] / 2)
            yield node, Box(self.x + left, self.y + self._tops[self._rows.row[slot]], width, height)

    def curves(self) -> Iterator["_Laid"]:
        """Yield the ways."""
        boxes = dict(self.boxes())
        starts, ends = self._ports(boxes)
        for number, chain in enumerate(self._rows.chains):
            downwards = curve_down([*self._through(chain, starts[number], ends[number])])
            row = self._rows.row[chain.label]
            at = (self.x + self._middles[chain.label], self.y + self._middle(row))
            points = downwards[::-1] if chain.is_turned else downwards
            yield _Laid(chain.way, points, at, chain.is_back)
        for node, ways in self._loops.items():
            yield from _loops(boxes[node], ways)

    def _beside(self, node: int) -> int:
        """Return the width that the loops of a node need beside it."""
        return sum(_LOOP + way.width + _LOOP_GAP for way in self._loops.get(node, ()))

    def _heights(self, orders: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
        """Return tops and bottoms of the rows. Ways that go far to the side need more height."""
        tops, bottoms, y = [], [], 0
        for number, row in enumerate(orders):
            tops.append(y)
            if number % 2 == 0:
                y += max(
                    self._sizes[self._rows.nodes[slot]][1]
                    for slot in row
                    if slot < len(self._rows.nodes)
                )
            else:
                aside = max((self._aside(slot) for slot in row), default=0.0)
                y += LABEL_HEIGHT + 2 * _LABEL_SPACE + min(40, round(aside * 0.08))
            bottoms.append(y)
        return tops, bottoms

    def _aside(self, slot: int) -> float:
        near = (*self._rows.ups[slot], *self._rows.downs[slot])
        return max(abs(self._middles[slot] - self._middles[other]) for other in near)

    def _middle(self, row: int) -> float:
        return (self._tops[row] + self._bottoms[row]) / 2

    def _ports(self, boxes: "dict[int, Box]") -> tuple[dict[int, float], dict[int, float]]:
        """Return the ends of each chain, by number: at its upper node and at its lower node."""
        leaving, reaching = defaultdict(list), defaultdict(list)
        for number, chain in enumerate(self._rows.chains):
            leaving[chain.slots[0]].append((self._middles[chain.slots[1]], number))
            reaching[chain.slots[-1]].append((self._middles[chain.slots[-2]], number))
        found: tuple[dict[int, float], dict[int, float]] = ({}, {})
        for ports, groups in zip(found, (leaving, reaching), strict=True):
            for slot, group in groups.items():
                box = boxes[self._rows.nodes[slot]]
                gap = min(_PORT_GAP, (box.width - 2 * _CORNER) / len(group))
                first = box.x + box.width / 2 - gap * (len(group) - 1) / 2
                for i, (_, number) in enumerate(sorted(group)):
                    ports[number] = first + i * gap
        return found

    def _through(self, chain: Chain, start: float, end: float) -> Iterator[Point]:
        """Yield the points of a chain.

        A chain goes straight down where it passes a layer of nodes, and below its upper node if
        there are deeper nodes on its way.
        """
        upper, *between, lower = chain.slots
        row = self._rows.row[upper]
        bottom = self._tops[row] + self._sizes[self._rows.nodes[upper]][1]
        yield start, self.y + bottom
        if self._is_below(bottom, row, start, self.x + self._middles[chain.slots[1]]):
            yield start, self.y + self._bottoms[row]
        for slot in between:
            x, row = self.x + self._middles[slot], self._rows.row[slot]
            if row % 2 == 1:
                yield x, self.y + self._middle(row)
            else:
                yield x, self.y + self._tops[row]
                yield x, self.y + self._bottoms[row]
        yield end, self.y + self._tops[self._rows.row[lower]]

    def _is_below(self, bottom: int, row: int, start: float, end: float) -> bool:
        """Tell whether a node of a row, between *start* and *end*, extends below *bottom*."""
        left, right = sorted((start - self.x, end - self.x))
        return any(
            self._tops[row] + self._sizes[self._rows.nodes[slot]][1] > bottom
            and self._middles[slot] + self._rows.widths[slot] / 2 > left
            and self._middles[slot] - self._rows.widths[slot] / 2 < right
            for slot in self._rows.rows[row]
            if slot < len(self._rows.nodes)
        )


def _loops(box: Box, ways: Iterable[Way]) -> Iterator["_Laid"]:
    """Yield the loops at the right side of a node, each around the previous ones.

    They are beside the first line, which the node has on both sides.
    """
    right, half = box.x + box.width, LINE_HEIGHT / 2 + PADDING_Y
    middle = box.y + half
    reach = 0
    for number, way in enumerate(ways):
        reach += _LOOP
        opening = min(4 + 2 * number, half - 2)
        high, bend = min(10 + 2 * number, 16), reach * 4 / 3
        points = [
            (right, middle - opening),
            (right + bend, middle - opening - high),
            (right + bend, middle + opening + high),
            (right, middle + opening),
        ]
        yield _Laid(way, points, (right + reach + way.width / 2, middle), is_back=True)
        reach += way.width + _LOOP_GAP


def _beside_each_other(parts: Sequence[_Part], widest: int) -> tuple[int, int]:
    """Place parts from left to right in rows, as wide as *widest* if that is enough for each.

    Return the size of the whole.
    """
    room = max((part.width for part in parts), default=0)
    room = max(room, widest)
    x = y = high = width = 0
    for part in parts:
        if x and x + part.width > room:
            x, y, high = 0, y + high + _PART_GAP, 0
        part.x, part.y = x + _MARGIN, y + _MARGIN
        x, high = x + part.width + _PART_GAP, max(high, part.height)
        width = max(width, x - _PART_GAP)
    return width + 2 * _MARGIN, y + high + 2 * _MARGIN


def _placed(
    boxes: Mapping[int, Box],
    both: Iterable[_Laid],
    joined: Joined,
    side: int,
    drawing: Drawing,
    size: tuple[int, int],
) -> Placed:
    """Return the part of the layout that a side has; *boxes* and *both* are those of the union."""
    own = dict(boxes)
    for node, place in zip(drawing.nodes, joined.nodes[side], strict=True):
        own[place] = boxes[place]._replace(height=node_size(node)[1])
    stretches = joined.stretches[side]
    laid_edges: dict[int, _Laid] = {}
    for laid in both:
        number = laid.way.stretches[side]
        if number is not None:
            is_along = stretches[number].source == laid.way.source
            points = laid.points if is_along else laid.points[::-1]
            source, target = stretches[number][:2]
            points = _from_bottom(points, boxes[source], own[source])
            points = _from_bottom(points[::-1], boxes[target], own[target])[::-1]
            laid_edges[number] = laid._replace(points=points)
    again = _again(drawing.edges, laid_edges)
    leading = iter(range(len(drawing.edges), len(stretches)))
    curves = []
    for number, edge in enumerate(drawing.edges):
        points = laid_edges[number].points
        if edge.within is not None:
            before = laid_edges[next(leading)].points
            points = [*before, before[-1], points[0], *points]
        at = _short(laid_edges[number].at)
        curves.append(Curve([_short(point) for point in points], at, number in again))
    return Placed([own[node] for node in joined.nodes[side]], curves, size)


def _from_bottom(points: list[Point], box: Box, own: Box) -> list[Point]:
    """Return a curve that begins straight below *box* after the bottom of its *own* box."""
    (x, y), (_, lower), *rest = points
    bottom = own.y + own.height
    if y != box.y + box.height or y == bottom:
        return points
    return [(x, bottom), (x, bottom), (x, y), (x, y), (x, lower), *rest]


def _again(edges: Sequence[Edge], laid_edges: Mapping[int, _Laid]) -> set[int]:
    """Return the edges whose nodes other edges already join.

    These others begin higher up, and do not lead back.
    """
    from networkx.utils import UnionFind

    def rank(number: int) -> tuple[bool, float, int]:
        laid = laid_edges[number]
        return laid.is_back, min(laid.points[0][1], laid.points[-1][1]), number

    joined, again = UnionFind(), set()
    for number in sorted(range(len(edges)), key=rank):
        edge = edges[number]
        if joined[edge.source] == joined[edge.target]:
            again.add(number)
        joined.union(edge.source, edge.target)
    return again


def _short(point: Point) -> Point:
    """Return *point* rounded to one decimal."""
    x, y = round(point[0], 1), round(point[1], 1)
    return int(x) if x == int(x) else x, int(y) if y == int(y) else y


def curve_down(points: Sequence[Point]) -> list[Point]:
    """Return the points of cubic Bézier curves through *points*, which descend.

    Between two points the curve stays within their horizontal range (Fritsch and Carlson 1980,
    *Monotone Piecewise Cubic Interpolation*; the slopes are harmonic means of those before and
    after, as in Fritsch and Butland 1984). It is steep at both ends.
    """
    slopes = [(x1 - x0) / (y1 - y0) for (x0, y0), (x1, y1) in pairwise(points)]
    tangents = [slopes[0] / 2]
    for before, behind in pairwise(slopes):
        is_turn = before * behind <= 0
        tangents.append(0.0 if is_turn else 2 * before * behind / (before + behind))
    tangents.append(slopes[-1] / 2)
    curve = [points[0]]
    for i, ((x0, y0), (x1, y1)) in enumerate(pairwise(points)):
        third = (y1 - y0) / 3
        curve.append((x0 + tangents[i] * third, y0 + third))
        curve.append((x1 - tangents[i + 1] * third, y1 - third))
        curve.append((x1, y1))
    return curve
