"""Place two texts line by line: matching lines stand side by side, as far as order allows.

The lines below a variable in a PENMAN text have no meaningful order. So one text can take the order
of the other, and more of its lines then stand beside their partners.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from exactmatch.report.views.marks import Mark, Marks
from exactmatch.report.views.written_graphs import Line, Piece

#: The weight of a triple beside its partner.
_WEIGHTS: Mapping[Mark, int] = {"matched": 3, "partly": 2, "other": 1}

#: The weight of a variable that opens beside its image.
_OPENING = 1

#: The brackets around the description of a variable.
_OPENED, _CLOSED = Piece("("), Piece(")")

#: A line of the system and one of the gold graph, by number.
LinePair = tuple[int, int]


class Level(NamedTuple):
    """The numbers of two lines side by side; None for a missing line."""

    system: int | None
    gold: int | None


def opened_by(piece: Piece) -> int | None:
    """Return the variable that a piece of a text opens, if it opens one."""
    return piece.variable if piece.triple is None else None


class Places:
    """The lines of a text that have its triples, and those that open its variables."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.triple: dict[int, int] = {}
        self.opening: dict[int, int] = {}
        for number, line in enumerate(lines):
            for piece in line.pieces:
                if piece.triple is not None:
                    self.triple[piece.triple] = number
                opened = opened_by(piece)
                if opened is not None:
                    self.opening[opened] = number


def rows(
    system: Sequence[Line],
    gold: Sequence[Line],
    marks: Marks,
    mapping: Mapping[int, int],
    *,
    in_order: bool,
) -> list[Level]:
    """Return the rows of two texts under *mapping*, by numbers of variables.

    Each line is in one row. If the order counts (*in_order*), both texts keep it, and the lines
    side by side have the greatest total weight; otherwise lines of the gold graph move to their
    partners.
    """
    shared = shared_by(Places(system), Places(gold), marks, mapping)
    numbers = len(system), len(gold)
    if in_order:
        return list(_in_order(heaviest_chain(shared), *numbers))
    return list(_beside(shared, *numbers))


def shared_by(
    system: Places, gold: Places, marks: Marks, mapping: Mapping[int, int]
) -> Counter[LinePair]:
    """Return the weights of lines that have something in common."""
    weights: Counter[LinePair] = Counter()
    for triple, partner in marks.partner.items():
        weights[system.triple[triple], gold.triple[partner]] += _WEIGHTS[marks.system[triple]]
    for variable, image in mapping.items():
        if variable in system.opening and image in gold.opening:
            weights[system.opening[variable], gold.opening[image]] += _OPENING
    return weights


def heaviest_chain(shared: Mapping[LinePair, int]) -> list[LinePair]:
    """Return the pairs of lines, ascending on both sides, with the greatest total weight.

    The function keeps the gold lines at which chains of pairs end, with the weights of the chains.
    Both ascend, since a chain that ends later and weighs no more is useless.
    """
    ends: list[int] = []
    weights: list[int] = [0]
    chains: list[Any] = [None]  # the last pair, and the chain before it
    for _, pairs in groupby(sorted(shared), key=lambda pair: pair[0]):
        longer = []
        for pair in pairs:
            before = bisect_left(ends, pair[1])
            longer.append((pair, weights[before] + shared[pair], (pair, chains[before])))
        for (_, end), weight, chain in longer:
            at = bisect_left(ends, end)
            if weights[at] >= weight:
                continue
            after = at
            while after < len(ends) and weights[after + 1] <= weight:
                after += 1
            if after == at and at < len(ends) and ends[at] == end:
                continue
            ends[at:after] = [end]
            weights[at + 1 : after + 1] = [weight]
            chains[at + 1 : after + 1] = [chain]
    return list(_backwards(chains[-1]))[::-1]


def _backwards(chain: Any) -> Iterator[LinePair]:
    while chain is not None:
        pair, chain = chain
        yield pair


def _in_order(levels: Iterable[LinePair], systems: int, golds: int) -> Iterator[Level]:
    """Yield the rows; between two paired rows, lines of the system come first."""
    s = g = 0
    for system, gold in [*levels, (systems, golds)]:
        yield from (Level(number, None) for number in range(s, system))
        yield from (Level(None, number) for number in range(g, gold))
        if system < systems:
            yield Level(system, gold)
        s, g = system + 1, gold + 1


def _beside(shared: Mapping[LinePair, int], systems: int, golds: int) -> Iterator[Level]:
    """Yield the rows in the order of the system; a line without partner follows the last one."""
    levels: dict[int, int] = {}
    beside: dict[int, int] = {}
    for system, gold in sorted(shared, key=lambda pair: (-shared[pair], pair)):
        if system not in levels and gold not in beside:
            levels[system] = gold
            beside[gold] = system
    after: dict[int, list[int]] = {-1: []}
    last = -1
    for gold in range(golds):
        last = beside.get(gold, last)
        if gold not in beside:
            after.setdefault(last, []).append(gold)
    waiting = after[-1]
    for system in range(systems):
        if system in levels:
            yield from (Level(None, gold) for gold in waiting)
            waiting = after.get(system, [])
        yield Level(system, levels.get(system))
    yield from (Level(None, gold) for gold in waiting)


def partner_lines(shared: Mapping[LinePair, int]) -> dict[int, int]:
    """Return, for lines of the gold graph, the line of the system with most in common."""
    partners: dict[int, int] = {}
    for system, gold in sorted(shared, key=lambda pair: (-shared[pair], pair)):
        partners.setdefault(gold, system)
    return partners


def in_system_order(
    system: Sequence[Line],
    gold: Sequence[Line],
    marks: Marks,
    mapping: Mapping[int, int],
    *,
    are_clauses: bool,
) -> list[Line]:
    """Return the lines of the gold graph in the order of the system's, as far as they may move.

    Clauses may move anywhere. In a PENMAN text, lines below one variable may change places.
    """
    if are_clauses:
        levels = rows(system, gold, marks, mapping, in_order=False)
        return [gold[level.gold] for level in levels if level.gold is not None]
    shared = shared_by(Places(system), Places(gold), marks, mapping)
    return in_order(gold, partner_lines(shared))


def in_order(lines: Sequence[Line], places: Mapping[int, int]) -> list[Line]:
    """Return *lines* with siblings in the order of *places*, which some lines have, by number.

    A line without a place stays after the line before it.
    """
    children: list[list[int]] = [[] for _ in range(len(lines) + 1)]  # the last pair of no line
    path = [len(lines)]
    for number, line in enumerate(lines):
        del path[line.indent + 1 :]
        children[path[-1]].append(number)
        path.append(number)
    known: list[int | None] = [places.get(number) for number in range(len(lines))]
    for number in reversed(range(len(lines))):
        if known[number] is None:
            below = [known[child] for child in children[number]]
            known[number] = min((place for place in below if place is not None), default=None)
    for siblings in children:
        last = -1
        ranks = {}
        for number in siblings:
            place = known[number]
            last = last if place is None else place
            ranks[number] = last
        siblings.sort(key=ranks.__getitem__)
    ordered = []
    pending = children[len(lines)][::-1]
    while pending:
        number = pending.pop()
        ordered.append(lines[number])
        pending += reversed(children[number])
    return _closed(ordered)


def _closed(lines: Sequence[Line]) -> list[Line]:
    """Return *lines*, with closing brackets moved to where they belong now."""
    closed = []
    opened: list[int] = []  # the indentation of the lines that have opened a bracket
    for number, (indent, pieces) in enumerate(lines):
        kept = [piece for piece in pieces if piece != _CLOSED]
        if _OPENED in kept:
            opened.append(indent)
        following = lines[number + 1].indent if number + 1 < len(lines) else 0
        while opened and opened[-1] >= following:
            opened.pop()
            kept.append(_CLOSED)
        closed.append(Line(indent, kept))
    return closed
