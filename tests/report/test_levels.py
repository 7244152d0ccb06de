"""Lines on one level, and siblings in the order of another text."""

import random
from collections.abc import Sequence
from itertools import pairwise

from samples import random_graph
from seeds import each_seed
from view_samples import random_shown, view_of

from exactmatch.report.views.lines import (
    Level,
    Places,
    heaviest_chain,
    in_order,
    partner_lines,
    rows,
    shared_by,
)
from exactmatch.report.views.pair_view import PairView
from exactmatch.report.views.written_graphs import Line, Piece, penman_text

BRACKETS = (Piece("("), Piece(")"))


def random_view(rng: random.Random) -> PairView:
    return view_of(*(random_graph(rng, rng.randint(1, 8))[0] for _ in "ab"))


def mapping_of(view: PairView) -> dict[int, int]:
    return {view.system.place[v]: view.gold.place[w] for v, w in view.score.mapping.items()}


def heaviest(shared: dict[tuple[int, int], int]) -> int:
    """Return the weight of the heaviest chain, by trying every order of pairs."""
    best: dict[tuple[int, int], int] = {}
    for one, other in sorted(shared):
        before = (best[s, g] for s, g in best if s < one and g < other)
        best[one, other] = shared[one, other] + max(before, default=0)
    return max(best.values(), default=0)


@each_seed(200)
def test_no_chain_is_heavier_than_the_one_found(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(1, 9)
    places = [(s, g) for s in range(size) for g in range(size) if rng.random() < 0.4]
    shared = {place: rng.choice([1, 1, 2, 3, 7]) for place in places}
    found = heaviest_chain(shared)
    assert all(a < c and b < d for (a, b), (c, d) in pairwise(found))
    assert sum(shared[pair] for pair in found) == heaviest(shared)


def check_whole(found: Sequence[Level], systems: int, golds: int) -> None:
    assert [row.system for row in found if row.system is not None] == [*range(systems)]
    assert sorted(row.gold for row in found if row.gold is not None) == [*range(golds)]


@each_seed(60)
def test_each_line_is_in_one_row(seed: int) -> None:
    view = random_view(random.Random(seed))
    system, gold = view.texts
    mapping = mapping_of(view)
    found = rows(system, gold, view.marks, mapping, in_order=True)
    check_whole(found, len(system), len(gold))
    numbers = [row.gold for row in found if row.gold is not None]
    assert numbers == sorted(numbers)
    free = rows(system, gold, view.marks, mapping, in_order=False)
    check_whole(free, len(system), len(gold))
    levels, shared = ([row for row in some if None not in row] for some in (found, free))
    assert len(levels) <= len(shared)
    known = shared_by(Places(system), Places(gold), view.marks, mapping)
    assert {*levels, *shared} <= {Level(*pair) for pair in known}


def test_lines_without_order_stand_beside_their_partners() -> None:
    view = view_of("(a / b :R 1 :S (c / d) :T 3)", "(x / b :T 3 :U 4 :R 1)")
    system, gold = view.texts
    found = rows(system, gold, view.marks, mapping_of(view), in_order=False)
    said = [
        tuple(
            "" if k is None else lines[k].text.strip(")")
            for k, lines in zip(row, view.texts, strict=True)
        )
        for row in found
    ]
    assert said == [
        ("(a / b", "(x / b"),
        (":top", ":top"),
        (":R 1", ":R 1"),
        (":S (c / d", ""),
        (":T 3", ":T 3"),
        ("", ":U 4"),
    ]  # fmt: skip


def told(lines: Sequence[Line]) -> list[list[Piece]]:
    return [[piece for piece in line.pieces if piece not in BRACKETS] for line in lines]


def parents(lines: Sequence[Line]) -> dict[str, str]:
    """Return the line above each line; these lines must all differ."""
    found, path = {}, [""]
    for line, pieces in zip(lines, told(lines), strict=True):
        text = str(pieces)
        del path[line.indent + 1 :]
        found[text] = path[-1]
        path.append(text)
    return found


@each_seed(100)
def test_siblings_in_another_order_stay_below_their_parents(seed: int) -> None:
    rng = random.Random(seed)
    graph = random_shown(rng)
    lines = penman_text(graph)
    assert in_order(lines, {}) == lines
    assert in_order(lines, {number: number for number in range(len(lines))}) == lines
    places = {number: rng.randrange(9) for number in range(len(lines)) if rng.random() < 0.7}
    found = in_order(lines, places)
    assert parents(found) == parents(lines)
    depth = 0
    for line in found:
        assert line.indent == depth
        depth += sum((piece == BRACKETS[0]) - (piece == BRACKETS[1]) for piece in line.pieces)
    assert depth == 0


def test_siblings_in_the_order_of_their_partners() -> None:
    view = view_of(
        "(a / b :R (c / d :S 1 :T 2) :U 3 :V 4)", "(x / b :V 4 :W 5 :U 3 :R (y / d :T 2 :S 1))"
    )
    system, gold = view.texts
    shared = shared_by(Places(system), Places(gold), view.marks, mapping_of(view))
    found = in_order(gold, partner_lines(shared))
    assert "".join(f"{line.text} " for line in found) == (
        "(x / b :top :R (y / d :S 1 :T 2) :U 3 :V 4 :W 5) "
    )
