"""A PENMAN text in the order of another: what stands below a variable has no order that counts."""

from collections.abc import Mapping, Sequence

from exactmatch.views.pieces import Line, Piece

_OPENED, _CLOSED = Piece("("), Piece(")")


def in_order(lines: Sequence[Line], places: Mapping[int, int]) -> list[Line]:
    """Return *lines* with siblings in the order of *places*, which some lines have, by number.

    What has no place stays behind what was before it.
    """
    children: list[list[int]] = [[] for _ in range(len(lines) + 1)]  # last: of no line
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
    found = []
    pending = children[len(lines)][::-1]
    while pending:
        number = pending.pop()
        found.append(lines[number])
        pending += reversed(children[number])
    return _closed(found)


def _closed(lines: Sequence[Line]) -> list[Line]:
    """Return *lines* with what closes the brackets that they open, where that belongs now."""
    found = []
    opened: list[int] = []  # how far the lines are indented that have opened a bracket
    for number, (indent, pieces) in enumerate(lines):
        kept = [piece for piece in pieces if piece != _CLOSED]
        if _OPENED in kept:
            opened.append(indent)
        following = lines[number + 1].indent if number + 1 < len(lines) else 0
        while opened and opened[-1] >= following:
            opened.pop()
            kept.append(_CLOSED)
        found.append(Line(indent, kept))
    return found
