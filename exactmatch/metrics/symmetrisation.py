"""The links of juːmæʧ between the nodes of two sentences, made one to one by its rules.

Nodes are linked that share a token, or that are both aligned with none and have the same extended
concept. As long as a node has several links, all links of all such nodes are ranked, and the first
one survives: both of its ends lose their other links. Ranked first are links whose ends

1. have equal extended concepts;
2. have more values in common, where a role to a node of the one sentence is taken for one to each
   node of the other that it is linked to at that moment;
3. have more roles in common, whatever their values;
4. are aligned with more text, in characters, both together;
5. are called the same;
6. have names that, one after the other, come first in the order of code points.

What is lost at one end of a link is taken from the other only when the node there is looked at; so
some values are compared with links that are about to go. It is part of what the program computes.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter

from exactmatch.graph import CONCEPT
from exactmatch.metrics.umr_nodes import Nodes, UmrNode, Value

_GOLD, _SYSTEM = 0, 1

_Rank = tuple[bool, int, int, int, bool, str]


class Symmetrisation:
    """The links between the nodes of two sentences; they are one to one once they are resolved.

    gold, system: the nodes. tokens: the number of tokens of the sentence; surface alignments beyond
    it link nothing. counts: tells whether the values of a role count; the role of concepts is
    ``concept``. Empty values never do.
    """

    def __init__(
        self, gold: Nodes, system: Nodes, tokens: int, counts: Callable[[str], bool]
    ) -> None:
        sides = (gold, system)
        self._nodes = sides
        self.values: Sequence[Mapping[str, Counter[Value]]] = [
            {name: Counter(_counted(node, counts)) for name, node in nodes.items()}
            for nodes in sides
        ]
        self._roles_in_common: dict[tuple[int, str, str], int] = {}
        roles, roles_there = (
            {name: Counter(value.role for value in node.values) for name, node in nodes.items()}
            for nodes in sides
        )
        self._links: Sequence[dict[str, set[str]]] = [
            {name: set() for name in nodes} for nodes in sides
        ]
        for node in gold.values():
            for other in system.values():
                if _are_linked(node, other, tokens):
                    self._links[_GOLD][node.name].add(other.name)
                    self._links[_SYSTEM][other.name].add(node.name)
                    common = (roles[node.name] & roles_there[other.name]).total()
                    self._roles_in_common[_GOLD, node.name, other.name] = common
                    self._roles_in_common[_SYSTEM, other.name, node.name] = common

    def resolve(self) -> Mapping[str, str]:
        """Make the links one to one. Return them: names of gold nodes, and of system nodes."""
        while ranked := [
            (rank, side, name, other)
            for side in (_GOLD, _SYSTEM)
            for name in self._nodes[side]
            for other, rank in self._competing(side, name)
        ]:
            _, side, name, other = min(ranked, key=itemgetter(0))
            self._links[side][name] = {other}
            self._links[1 - side][other] = {name}
        return {name: other for name, others in self._links[_GOLD].items() for other in others}

    def matched(self, name: str, other: str) -> Counter[Value]:
        """Return what a gold and a system node have in common, as the system's values."""
        return self._images(_GOLD, name) & self.values[_SYSTEM][other]

    def _competing(self, side: int, name: str) -> list[tuple[str, _Rank]]:
        """Return the links of a node with their ranks, if it has several.

        Those that the other end has lost are dropped first.
        """
        links, back = self._links[side], self._links[1 - side]
        links[name] = {other for other in links[name] if name in back[other]}
        if len(links[name]) < 2:
            return []
        images = self._images(side, name)
        return [(other, self._rank(side, name, other, images)) for other in sorted(links[name])]

    def _rank(self, side: int, name: str, other: str, images: Counter[Value]) -> _Rank:
        there = 1 - side
        node, node_there = self._nodes[side][name], self._nodes[there][other]
        values = self.values[there][other].items()
        return (
            node.extended_concept != node_there.extended_concept,
            -sum(min(times, images[value]) for value, times in values),
            -self._roles_in_common[side, name, other],
            -(node.length + node_there.length),
            name != other,
            name + other,
        )

    def _images(self, side: int, name: str) -> Counter[Value]:
        """Return the values of a node as they are to stand on the other side.

        Those that lead to nodes without links stand nowhere there.
        """
        found: Counter[Value] = Counter()
        for value, times in self.values[side][name].items():
            links = self._links[side].get(value.text)
            if value.role == CONCEPT or links is None:
                found[value] += times
            else:
                found.update({Value(value.role, other): times for other in links})
        return found


def _counted(node: UmrNode, counts: Callable[[str], bool]) -> list[Value]:
    return [
        value
        for value in node.values
        if value.text and counts("concept" if value.role == CONCEPT else value.role)
    ]


def _are_linked(node: UmrNode, other: UmrNode, tokens: int) -> bool:
    if node.tokens is None or other.tokens is None:
        return node.tokens is other.tokens and node.extended_concept == other.extended_concept
    return any(token <= tokens for token in {*node.tokens}.intersection(other.tokens))
