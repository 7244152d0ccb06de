"""The links of juːmæʧ between the nodes of two sentences, made one-to-one by its rules.

Nodes are linked that share a token, or that are both aligned with none and have the same extended
concept. While a node has several links, all links of all such nodes are ranked, and the first one
survives: both of its ends lose their other links. Links are ranked higher if their ends

1. have equal extended concepts;
2. have more values in common, where a role to a node of one sentence counts as a role to each
  node of the other that is linked to it at that moment;
3. have more roles in common, whatever their values;
4. are aligned with more text, in characters, both together;
5. have the same name;
6. have names that, one after the other, come first in the order of code points.

A value lost at one end of a link is removed from the other only when that node is processed; so
some values are compared with links that are about to be removed. This is part of what the program
computes.

The program ranks all links again each time. Here only changes are counted again. Links and common
values can only become fewer, so ranks only become worse: the first link, with its present rank,
comes before all others.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import chain
from typing import NamedTuple

from exactmatch.graphs.graph import CONCEPT
from exactmatch.metrics.umr.nodes import Nodes, UmrNode, Value
from exactmatch.stopping.deadline import current, looking

#: With more links, two sentences are too large for these rules.
MOST_LINKS = 250_000

_GOLD, _SYSTEM = 0, 1

#: By the name of a node, the nodes that lead to it, each with its role and its frequency.
_Leading = Mapping[str, Sequence[tuple[str, str, int]]]
_Rank = tuple[bool, int, int, int, bool, str]
#: A rank, the order in which links of one rank are processed, and the link.
_Waiting = tuple[_Rank, int, int, str, str]


class TooManyLinks(Exception):  # noqa: N818
    """Two sentences have more links between their nodes than `MOST_LINKS`."""


class _Loss(NamedTuple):
    """A value that the other side no longer has: *times* of *value*, for a node of a *side*."""

    side: int
    name: str
    value: Value
    times: int


class Symmetrisation:
    """The links between the nodes of two sentences, which are one-to-one after `resolve`.

    gold, system: the nodes. tokens: the number of tokens of the sentence; surface alignments beyond
    it make no links. counts: decides whether the values of a role count; the role of concepts is
    ``concept``. Empty values never count. Raises `TooManyLinks`.
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
        self._places = [{name: place for place, name in enumerate(nodes)} for nodes in sides]
        roles, roles_there = (
            {name: Counter(value.role for value in node.values) for name, node in nodes.items()}
            for nodes in sides
        )
        #: By the names of a gold node and a system node.
        self._roles_in_common: dict[tuple[str, str], int] = {}
        self._links: Sequence[dict[str, set[str]]] = [
            {name: set() for name in nodes} for nodes in sides
        ]
        for name, other in looking(_linked(gold, system, tokens)):
            self._links[_GOLD][name].add(other)
            self._links[_SYSTEM][other].add(name)
            self._roles_in_common[name, other] = (roles[name] & roles_there[other]).total()
            if len(self._roles_in_common) > MOST_LINKS:
                raise TooManyLinks

    def resolve(self) -> Mapping[str, str]:
        """Make the links one-to-one; return them as names of gold nodes, and of system nodes.

        Raises `OutOfTime` if the current deadline comes first.
        """
        deadline = current()
        values = _CommonValues(self.values, self._images)
        leading = [_leading(of_nodes) for of_nodes in self.values]
        several = (
            (side, name, other)
            for side in (_GOLD, _SYSTEM)
            for name, others in self._links[side].items()
            if len(others) > 1
            for other in others
        )
        waiting = [self._waiting(*link, values) for link in looking(several, deadline)]
        heapify(waiting)
        late: list[_Loss] = []
        while waiting:
            deadline.check()
            rank, side, _, name, other = heappop(waiting)
            links = self._links[side][name]
            if len(links) < 2 or other not in links:
                continue
            now = self._waiting(side, name, other, values)
            if now[0] != rank:
                heappush(waiting, now)
                continue
            values.take(late)
            late = []
            for loss, is_late in looking(self._kept_alone(side, name, other, leading), deadline):
                if is_late:
                    late.append(loss)
                else:
                    values.take([loss])
        return {name: other for name, others in self._links[_GOLD].items() for other in others}

    def matched(self, name: str, other: str) -> Counter[Value]:
        """Return the common values of a gold and a system node, as the system's values."""
        return self._images(_GOLD, name) & self.values[_SYSTEM][other]

    def _waiting(self, side: int, name: str, other: str, values: "_CommonValues") -> _Waiting:
        """Return a link with its present rank."""
        there = 1 - side
        node, node_there = self._nodes[side][name], self._nodes[there][other]
        rank = (
            node.extended_concept != node_there.extended_concept,
            -values.number(side, name, other),
            -self._roles_in_common[(name, other) if side == _GOLD else (other, name)],
            -(node.length + node_there.length),
            name != other,
            name + other,
        )
        return rank, side, self._places[side][name], name, other

    def _kept_alone(
        self, side: int, name: str, other: str, leading: Sequence[_Leading]
    ) -> Iterator[tuple[_Loss, bool]]:
        """Remove all other links from both ends of this one.

        Yields the losses, and whether each is delayed by a round: a node that is processed before
        another still compares with the links which the other is to lose.
        """
        for at, kept, image in ((side, name, other), (1 - side, other, name)):
            there = 1 - at
            for lost in self._links[at][kept] - {image}:
                for from_name, role, times in leading[at][kept]:
                    yield _Loss(at, from_name, Value(role, lost), times), False
                for from_name, role, times in leading[there][lost]:
                    is_before = self._places[there][from_name] < self._places[there][lost]
                    yield _Loss(there, from_name, Value(role, kept), times), is_before
                self._links[there][lost].discard(kept)
            self._links[at][kept] = {image}

    def _images(self, side: int, name: str) -> Counter[Value]:
        """Return the values of a node as they would be on the other side.

        Values that lead to nodes without links do not exist there.
        """
        images: Counter[Value] = Counter()
        for value, times in self.values[side][name].items():
            links = self._links[side].get(value.text)
            if value.role == CONCEPT or links is None:
                images[value] += times
            else:
                for other in links:
                    images[Value(value.role, other)] += times
        return images


class _CommonValues:
    """The numbers of common values of linked nodes, kept up to date."""

    def __init__(
        self,
        values: Sequence[Mapping[str, Counter[Value]]],
        images: Callable[[int, str], Counter[Value]],
    ) -> None:
        """*images* returns the values of a node of a side as they are on the other side."""
        self._values = values
        self._images = [{name: images(side, name) for name in values[side]} for side in (0, 1)]
        self._holders: Sequence[dict[Value, list[str]]] = [defaultdict(list), defaultdict(list)]
        for side, of_nodes in enumerate(values):
            for name, known in of_nodes.items():
                for value in known:
                    self._holders[side][value].append(name)
        self._numbers: dict[tuple[int, str, str], int] = {}

    def number(self, side: int, name: str, other: str) -> int:
        """Return the number of common values of a node of a *side* with a node of the other."""
        key = side, name, other
        if key not in self._numbers:
            images, there = self._images[side][name], self._values[1 - side][other]
            self._numbers[key] = sum(min(times, images[value]) for value, times in there.items())
        return self._numbers[key]

    def take(self, losses: Sequence[_Loss]) -> None:
        """Remove a loss."""
        for side, name, value, times in losses:
            images = self._images[side][name]
            before = images[value]
            images[value] = before - times
            for other in self._holders[1 - side].get(value, ()):
                key = side, name, other
                if key in self._numbers:
                    there = self._values[1 - side][other][value]
                    self._numbers[key] -= min(there, before) - min(there, before - times)


def _leading(values: Mapping[str, Counter[Value]]) -> _Leading:
    """Return which of these nodes lead to which."""
    leading: dict[str, list[tuple[str, str, int]]] = {name: [] for name in values}
    for name, known in values.items():
        for value, times in known.items():
            if value.role != CONCEPT and value.text in leading:
                leading[value.text].append((name, value.role, times))
    return leading


def _counted(node: UmrNode, counts: Callable[[str], bool]) -> list[Value]:
    return [
        value
        for value in node.values
        if value.text and counts("concept" if value.role == CONCEPT else value.role)
    ]


def _linked(gold: Nodes, system: Nodes, tokens: int) -> Iterator[tuple[str, str]]:
    """Yield the names of nodes that are linked, each pair once."""
    of_token: defaultdict[int, list[str]] = defaultdict(list)
    of_concept: defaultdict[str, list[str]] = defaultdict(list)
    for other in system.values():
        if other.tokens is None:
            of_concept[other.extended_concept].append(other.name)
        else:
            for token in other.tokens:
                of_token[token].append(other.name)
    for node in gold.values():
        if node.tokens is None:
            others = of_concept.get(node.extended_concept, [])
        else:
            near = (of_token.get(token, ()) for token in node.tokens if token <= tokens)
            others = [*dict.fromkeys(chain.from_iterable(near))]
        for name in others:
            yield node.name, name
