"""The layout: no overlaps, and mapped nodes in the same place."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import pytest
from drawn import drawn
from drs_samples import random_drs
from samples import random_graph
from seeds import each_seed

from exactmatch.metrics.triples import NormalisedTriple
from exactmatch.report.views.graph_drawing import (
    LABEL_HEIGHT,
    Drawing,
    drawing,
    label_width,
    node_size,
)
from exactmatch.report.views.graph_layout import Box, Curve, Placed, laid_out


class Seen(NamedTuple):
    """A pair that is laid out."""

    drawings: tuple[Drawing, Drawing]
    same: Sequence[tuple[int, int]]
    placed: tuple[Placed, Placed]


def seen(system: Drawing, gold: Drawing, same: Sequence[tuple[int, int]]) -> Seen:
    return Seen((system, gold), same, laid_out(system, gold, same))


def of_edges(size: int, edges: Sequence[tuple[int, int]], concept: str = "c") -> Drawing:
    names = [f"v{i}" for i in range(size)]
    triples = [NormalisedTriple(("instance", concept), (name,)) for name in names]
    triples += [NormalisedTriple(("relation", f"r{a}"), (names[a], names[b])) for a, b in edges]
    return drawing(names, triples)


def alone(found: Drawing) -> Seen:
    """Return a graph beside itself."""
    return seen(found, found, [(i, i) for i in range(len(found.nodes))])


def random_pair(rng: random.Random) -> Seen:
    if rng.random() < 0.4:
        texts = [random_drs(rng), random_drs(rng)]
    else:
        texts = [random_graph(rng, rng.randint(1, 12))[0] for _ in range(2)]
    system, gold = map(drawn, texts)
    least = min(len(system.nodes), len(gold.nodes))
    count = rng.randint(0, least)
    lefts = rng.sample(range(len(system.nodes)), count)
    rights = rng.sample(range(len(gold.nodes)), count)
    return seen(system, gold, list(zip(lefts, rights, strict=True)))


def label_boxes(found: Drawing, placed: Placed) -> Iterator[Box]:
    for edge, curve in zip(found.edges, placed.edges, strict=True):
        width = label_width(edge.label)
        x, y = round(curve.at[0] - width / 2), round(curve.at[1] - LABEL_HEIGHT / 2)
        yield Box(x, y, width, LABEL_HEIGHT)


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def points_of(curve: Curve) -> Iterator[tuple[float, float]]:
    """Yield points on a curve."""
    for first in range(0, len(curve.points) - 1, 3):
        ends = curve.points[first : first + 4]
        for step in range(21):
            t = step / 20
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
            x, y = (sum(w * p[k] for w, p in zip(weights, ends, strict=True)) for k in (0, 1))
            yield x, y


def near(extent: tuple[float, float, float, float], boxes: Sequence[Box]) -> Iterator[Box]:
    """Yield the boxes that an arrow's end may touch."""
    left, top, right, bottom = extent
    for box in boxes:
        beside = box.x >= right or left >= box.x + box.width
        if not beside and box.y < bottom and top < box.y + box.height:
            yield box


def within(point: tuple[float, float], box: Box) -> bool:
    """Return whether a point is well inside of a box."""
    return (
        box.x + 1 < point[0] < box.x + box.width - 1
        and box.y + 1 < point[1] < box.y + box.height - 1
    )


def check_places(pair: Seen) -> None:
    """Check properties of graphs of any size."""
    left, right = pair.placed
    assert left.size == right.size
    for i, j in pair.same:
        assert left.nodes[i][:3] == right.nodes[j][:3]
    for found, placed in zip(pair.drawings, pair.placed, strict=True):
        assert len(placed.nodes) == len(found.nodes)
        assert len(placed.edges) == len(found.edges)
        whole = Box(0, 0, *placed.size)
        for node, box in zip(found.nodes, placed.nodes, strict=True):
            width, height = node_size(node)
            assert box.width >= width and box.height == height
            assert box.x >= 0 and box.x + box.width <= whole.width
            assert box.y >= 0 and box.y + box.height <= whole.height
        for edge, curve in zip(found.edges, placed.edges, strict=True):
            assert len(curve.points) % 3 == 1
            source = placed.nodes[edge.source if edge.within is None else edge.within]
            assert on_border(curve.points[0], source)
            assert on_border(curve.points[-1], placed.nodes[edge.target])
    mapped = {j for _, j in pair.same}
    check_no_overlap([*left.nodes, *(b for j, b in enumerate(right.nodes) if j not in mapped)])


def check_no_overlap(boxes: Sequence[Box]) -> None:
    """Check each box against the boxes that begin before it ends, from the top."""
    waiting: list[Box] = []
    for box in sorted(boxes, key=lambda box: box.y):
        waiting = [other for other in waiting if other.y + other.height > box.y]
        assert not any(overlap(box, other) for other in waiting)
        waiting.append(box)


def on_border(point: tuple[float, float], box: Box) -> bool:
    x, y = point
    near = box.x - 1 <= x <= box.x + box.width + 1 and box.y - 1 <= y <= box.y + box.height + 1
    return near and not within(point, box)


def check_readable(pair: Seen) -> None:
    """Check properties of graphs that are not huge."""
    check_places(pair)
    for found, placed in zip(pair.drawings, pair.placed, strict=True):
        labels = list(label_boxes(found, placed))
        for label in labels:
            assert not any(overlap(label, box) for box in placed.nodes)
        for one, other in combinations(labels, 2):
            assert not overlap(one, other)
        for edge, curve in zip(found.edges, placed.edges, strict=True):
            points = list(points_of(curve))
            boxes = [*placed.nodes]
            if edge.within is not None:
                del boxes[edge.source]
            lefts, tops = zip(*points, strict=True)
            extent = (min(lefts), min(tops), max(lefts), max(tops))
            assert not any(within(point, box) for box in near(extent, boxes) for point in points)


@pytest.mark.slow
@each_seed(60)
def test_nothing_lies_on_anything_else_in_a_pair_of_drawings(seed: int) -> None:
    check_readable(random_pair(random.Random(seed)))


def test_a_drawing_of_sixty_nodes_is_readable() -> None:
    rng = random.Random(1)
    edges = [(rng.randrange(max(0, i - 8), i), i) for i in range(1, 60)]
    edges += [(rng.randrange(60), rng.randrange(60)) for _ in range(12)]
    pair = alone(of_edges(60, edges, "concept-01"))
    check_readable(pair)
    assert pair.placed[0].size[0] <= 1600


def test_wide_layers_become_several() -> None:
    pair = alone(of_edges(41, [(0, i) for i in range(1, 41)], "concept-01"))
    check_readable(pair)
    assert pair.placed[0].size[0] <= 2000
    assert len({box.y for box in pair.placed[0].nodes}) > 2


def test_a_pair_is_laid_out_the_same_way_each_time() -> None:
    assert random_pair(random.Random(3)) == random_pair(random.Random(3))


def test_the_root_is_on_top_and_boys_below_what_they_do() -> None:
    pair = alone(drawn("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))"))
    want, boy, go = pair.placed[0].nodes
    assert want.y < go.y < boy.y
    assert [curve.again for curve in pair.placed[0].edges] == [False, False, True]


def test_inverse_roles_hang_below() -> None:
    pair = alone(drawn("(b / boy :ARG0-of (w / want-01 :ARG1 (g / go-02)))"))
    boy, want, go = pair.placed[0].nodes
    assert boy.y < want.y < go.y
    ((start, *_, end), _, again), _ = pair.placed[0].edges
    assert start[1] > end[1] and not again


def test_the_edge_that_closes_a_cycle_is_no_part_of_the_tree() -> None:
    pair = alone(of_edges(4, [(0, 1), (1, 2), (2, 3), (3, 0)]))
    assert [curve.again for curve in pair.placed[0].edges] == [False, False, False, True]


def test_edges_of_both_sides_share_ways() -> None:
    same = [(0, 0), (1, 1)]
    system = drawn("(a / b :ARG0 (c / d) :ARG1 c)")
    gold = drawn("(a / b :ARG1 (c / d))")
    pair = seen(system, gold, same)
    left, right = pair.placed
    assert left.edges[1].points == right.edges[0].points
    assert left.edges[0].points != right.edges[0].points
    turned = seen(gold, drawn("(a / b :ARG1-of (c / d))"), same)
    assert turned.placed[0].edges[0].points == turned.placed[1].edges[0].points[::-1]


def test_labels_of_shared_ways_have_room_on_both_sides() -> None:
    system = drawn("(a / b :op1 (c / d) :op2 (e / f) :op3 (g / h))")
    wide = drawn(f"(a / b :op1{'w' * 18} (c / d) :op2{'x' * 18} (e / f) :op3{'y' * 18} (g / h))")
    for pair in ((system, wide), (wide, system)):
        check_readable(seen(*pair, [(i, i) for i in range(4)]))


def test_edges_pass_deeper_nodes_of_their_layer() -> None:
    deep = " ".join(f":mod{i} {i}" for i in range(9))
    children = " ".join(f":ARG{i} (c{i} / child-of-the-short-one)" for i in range(8))
    check_readable(alone(drawn(f"(r / root :op1 (s / short {children}) :op2 (d / deep {deep}))")))


def test_loops_and_parallel_edges_are_apart() -> None:
    pair = alone(drawn("(a / b :ARG0 a :ARG1 a :ARG0 (c / d) :ARG1 c :ARG2 c :ARG3-of c)"))
    check_readable(pair)
    assert len({tuple(curve.points) for curve in pair.placed[0].edges}) == 6


def test_a_node_is_as_high_as_what_its_side_says_and_edges_reach_it() -> None:
    system = drawn("(a / b :ARG0 (c / d))")
    gold = drawn("(a / b :quant 3 :mod 4 :polarity - :ARG0 (c / d))")
    pair = seen(system, gold, [(0, 0), (1, 1)])
    check_readable(pair)
    (low, child), (high, other) = (placed.nodes for placed in pair.placed)
    assert low.height < high.height and low.y == high.y and child == other
    assert [placed.edges[0].points[-1] for placed in pair.placed] == 2 * [
        pair.placed[0].edges[0].points[-1]
    ]
    check_readable(
        seen(drawn("(a / b :ARG0 a)"), drawn("(a / b :quant 3 :mod 4 :ARG0 a)"), [(0, 0)])
    )


def test_a_clause_of_two_boxes_comes_from_its_own() -> None:
    pair = alone(drawn('b1 REF x1\nb1 IMP b2 b3\nb2 man "n.01" x2\nb3 man "n.01" x3'))
    check_readable(pair)
    own, first, second = pair.placed[0].nodes
    assert own.y < first.y < second.y
    (curve,) = pair.placed[0].edges
    assert curve.points[0][1] == own.y + own.height
    assert any(point == (point[0], first.y) for point in curve.points)


def test_parts_stand_beside_each_other() -> None:
    pair = alone(of_edges(4, [(0, 1), (2, 3)]))
    first, _, second, _ = pair.placed[0].nodes
    assert first.y == second.y and first.x + first.width < second.x
    check_readable(pair)


def test_numbers_of_a_layout_are_short() -> None:
    for placed in random_pair(random.Random(5)).placed:
        numbers = [n for curve in placed.edges for point in curve.points for n in point]
        assert all(n == round(n, 1) for n in numbers)
        assert all(type(n) is int for n in numbers if n == int(n))
        assert all(type(n) is int for box in placed.nodes for n in box)


def test_graphs_without_nodes_are_laid_out() -> None:
    nothing, one = drawing([], []), drawing(["a"], [])
    left, right = laid_out(nothing, nothing, [])
    assert left == right == Placed([], [], left.size)
    check_readable(seen(nothing, one, []))
    check_readable(seen(one, nothing, []))
    check_readable(seen(one, one, []))


def test_long_labels_leave_a_drawing_readable() -> None:
    pair = alone(of_edges(6, [(i, i + 1) for i in range(5)], "c" * 10_000))
    check_readable(pair)
    assert pair.placed[0].size[0] < 1600


def test_a_node_that_is_alone_in_its_row_stands_below_the_only_one_above_it() -> None:
    placed, _ = alone(of_edges(4, [(0, 1), (0, 2), (2, 3)])).placed
    top, beside, above, below = (node.x + node.width / 2 for node in placed.nodes)
    assert beside != above == below
    assert abs(top - (beside + above) / 2) < abs(above - beside)


@pytest.mark.slow
def test_a_chain_of_thousands_of_nodes_is_laid_out() -> None:
    check_places(alone(of_edges(3000, [(i, i + 1) for i in range(2999)])))


@pytest.mark.nightly
def test_a_star_of_thousands_of_nodes_is_laid_out() -> None:
    for edges in ([(0, i) for i in range(1, 2001)], [(i, 0) for i in range(1, 2001)]):
        pair = alone(of_edges(2001, edges))
        check_places(pair)
        assert pair.placed[0].size[0] <= 1600


@pytest.mark.nightly
def test_a_network_of_thousands_of_nodes_is_laid_out() -> None:
    rng = random.Random(2)
    edges = [(rng.randrange(2000), rng.randrange(2000)) for _ in range(3000)]
    check_places(alone(of_edges(2000, edges)))


def test_nodes_may_have_a_width_of_their_own() -> None:
    check_places(alone(of_edges(2, [(0, 0)] * 300 + [(0, 1)] * 300)))
