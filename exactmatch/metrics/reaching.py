"""Which nodes of a graph lead to which, for all nodes at once.

A walk from each node would take too long where many lead to much.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

_Node = TypeVar("_Node", bound=Hashable)


def reaching(roots: Sequence[_Node], steps: Mapping[_Node, Sequence[_Node]]) -> dict[_Node, int]:
    """Return the *roots* that lead to each node, as the bits of a number by their places.

    A root leads to itself. Nodes that lead to each other have the same roots; they get them
    together, after the nodes that lead to them (Kosaraju and Sharir: in the reverse order in which
    a depth-first walk leaves the nodes).
    """
    own: defaultdict[_Node, int] = defaultdict(int)
    for place, root in enumerate(roots):
        own[root] |= 1 << place
    order = _left_by_walk(roots, steps)
    back: defaultdict[_Node, list[_Node]] = defaultdict(list)
    for node in order:
        for other in steps.get(node, ()):
            back[other].append(node)
    found: dict[_Node, int] = {}
    for start in reversed(order):
        if start in found:
            continue
        together, bits, waiting = {start: None}, 0, [start]
        while waiting:
            node = waiting.pop()
            bits |= own[node]
            for other in back[node]:
                if other in found:
                    bits |= found[other]
                elif other not in together:
                    together[other] = None
                    waiting.append(other)
        found.update(dict.fromkeys(together, bits))
    return found


def _left_by_walk(roots: Iterable[_Node], steps: Mapping[_Node, Sequence[_Node]]) -> list[_Node]:
    """Return the nodes reached from *roots*, in the order in which a depth-first walk leaves them.

    It is not recursive, since a graph may be deeper than Python's stack.
    """
    entered: set[_Node] = set()
    left: list[_Node] = []
    for root in roots:
        path = [] if root in entered else [(root, iter(steps.get(root, ())))]
        entered.add(root)
        while path:
            node, rest = path[-1]
            other = next((other for other in rest if other not in entered), None)
            if other is None:
                left.append(node)
                path.pop()
            else:
                entered.add(other)
                path.append((other, iter(steps.get(other, ()))))
    return left
