"""The document level of two UMR graphs as AnCast++ compares it: implied relations.

From a node, relations are followed as long as they are transitive. An event after another is after
all events that the other follows or contains; a part of a part is a part; identical nodes have the
same parts and are parts of the same. Other relations hold only between their own ends (``overlap``,
``depends-on``).

The nodes of both graphs are numbered together: nodes that are mapped to each other have one number,
and so has a constant on both sides.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from exactmatch.graphs.graph import Argument, Sentence, Variable
from exactmatch.metrics.reaching import reaching
from exactmatch.stopping.deadline import current, looking

#: A triple of the document level: the numbers of its ends, and its relation as written.
NumberedTriple = tuple[int, str, int]

_AFTER, _CONTAINS, _CONTAINED, _DEPENDS = "after", "contains", "contained", "depends"

_OVERLAP, _SAME_ENTITY, _SAME_EVENT = "overlap", "same entity", "same event"

_SAME = frozenset({_SAME_ENTITY, _SAME_EVENT})

_SYMMETRIC = _SAME | {_OVERLAP}

#: A step from a node to another one: its relation, and its target.
_Step = tuple[str, int]

#: The relation implied by a relation and another one that continues it.
_CHAINS = {
    (_AFTER, _AFTER): _AFTER,
    (_AFTER, _CONTAINS): _AFTER,
    (_CONTAINED, _AFTER): _AFTER,
    (_CONTAINED, _CONTAINED): _CONTAINED,
    (_CONTAINS, _CONTAINS): _CONTAINS,
    **{(same, other): same for same in _SAME for other in _SAME},
    **{(same, part): part for same in _SAME for part in (_CONTAINS, _CONTAINED)},
    **{(part, same): part for same in _SAME for part in (_CONTAINS, _CONTAINED)},
}

#: More implied relations would take gigabytes.
MOST_IMPLIED = 10_000_000


class TooManyRelations(Exception):  # noqa: N818
    """The triples of a graph imply more than `MOST_IMPLIED` relations."""


#: The relations of each block, from their source to their target or the other way around.
_STEPS: Mapping[str, Mapping[str, Sequence[tuple[str, bool]]]] = {
    "temporal": {
        "after": [(_AFTER, True)],
        "before": [(_AFTER, False)],
        "contained": [(_CONTAINS, False), (_CONTAINED, True)],
        "includes": [(_CONTAINS, False), (_CONTAINED, True)],
        "overlap": [(_OVERLAP, True)],
        "depends-on": [(_DEPENDS, True)],
    },
    "coref": {
        "same-entity": [(_SAME_ENTITY, True), (_SAME_ENTITY, False)],
        "same-event": [(_SAME_EVENT, False), (_SAME_EVENT, True)],
        "subset-of": [(_CONTAINED, True), (_CONTAINS, False)],
    },
}

#: An implied relation with both ends; the smaller one first if it is symmetric.
_Implied = tuple[int, int, str]


class Closure:
    """Everything that triples of time, or of coreference, imply; other relations are left out.

    relations: the implied relations. clusters: the connected nodes, by any relations.
    """

    def __init__(
        self, block: str, triples: Iterable[NumberedTriple], *, as_program: bool = False
    ) -> None:
        """*block* is ``temporal`` or ``coref``. *as_program*: with the faults of the program.

        Raises `TooManyRelations`, and `OutOfTime` if the current deadline comes first.
        """
        steps: defaultdict[int, list[_Step]] = defaultdict(list)
        for triple in triples:
            for start, relation, end in _steps(triple, block, as_program):
                steps[start].append((relation, end))
        self._of: dict[int, set[_Implied]] = {start: set() for start in steps}
        implied = _implied_by_program(steps) if as_program else _implied(steps)
        for number, (start, one) in enumerate(looking(implied)):
            if number >= MOST_IMPLIED:
                raise TooManyRelations
            self._of[start].add(one)
        every = (one for implied_here in self._of.values() for one in implied_here)
        self.relations = {*looking(every)}
        self.clusters = _clusters(steps)

    def share_in(self, other: "Closure") -> tuple[Fraction, int]:
        """Return the share that the *other* side implies, too, and the number of nodes.

        Each node has the share of its cluster.
        """
        shared, total = Fraction(), 0
        for cluster in self.clusters:
            implied = (implied for node in cluster for implied in self._of.get(node, ()))
            relations = {*looking(implied)}
            total += len(cluster)
            if relations:
                common = sum(one in other.relations for one in looking(relations))
                shared += Fraction(len(cluster) * common, len(relations))
        return shared, total


def _steps(triple: NumberedTriple, block: str, as_program: bool) -> Iterator[tuple[int, str, int]]:
    """Yield the steps of a triple: source, relation, and target.

    A node that is the same as itself makes no step, except in the program.
    """
    source, written, target = triple
    if written == "overlap":
        source, target = sorted((source, target))
    steps = _STEPS[block].get(written, ())
    if as_program and written == "same-event":
        steps = steps[:1]
    for relation, is_forward in steps:
        if as_program or source != target or relation not in _SAME:
            yield (source, relation, target) if is_forward else (target, relation, source)


def _implied(steps: Mapping[int, Sequence[_Step]]) -> Iterator[tuple[int, _Implied]]:
    """Yield the relations implied by steps, each with the node at which the steps begin.

    How a node is continued depends on it, and on the relation by which it is reached, alone. So
    these two together are the nodes of a graph, in which all ends are found at once.
    """
    deadline, starts = current(), [*steps]
    ways: dict[tuple[int, str], list[tuple[int, str]]] = {}
    waiting = [(start, "") for start in starts]
    while waiting:
        node, relation = reached = waiting.pop()
        if reached in ways:
            continue
        deadline.check()
        ways[reached] = []
        for step, end in steps.get(node, ()):
            implied = _CHAINS.get((relation, step)) if relation else step
            if implied is not None:
                ways[reached].append((end, implied))
        waiting += ways[reached]
    for (end, relation), bits in reaching([(start, "") for start in starts], ways).items():
        if not relation:
            continue
        while bits:
            start = starts[(bits & -bits).bit_length() - 1]
            bits &= bits - 1
            if end != start or relation not in _SAME:
                yield start, _directed(start, end, relation)


def _implied_by_program(
    steps: Mapping[int, Sequence[_Step]],
) -> Iterator[tuple[int, _Implied]]:
    """Yield what the program finds: from each node, other nodes are continued only once.

    A node is only continued by relations that reach it before its processing.
    """
    deadline = current()
    for start in [*steps]:
        deadline.check()
        seen: set[int] = set()
        # What is reached twice by one relation has nothing new to continue with the second time.
        continued: set[tuple[int, str]] = set()
        stack = [(start, "")]
        while stack:
            node, relation = reached = stack.pop()
            if reached in continued:
                continue
            continued.add(reached)
            seen.add(node)
            for step, end in steps.get(node, ()):
                implied = _CHAINS.get((relation, step)) if relation else step
                if implied is None:
                    continue
                if end != start or implied not in _SAME:
                    yield start, _directed(start, end, implied)
                if end not in seen:
                    stack.append((end, implied))


def _directed(start: int, end: int, relation: str) -> _Implied:
    """Return a relation in the direction that both sides use."""
    if relation == _CONTAINED:
        return end, start, _CONTAINS
    if relation in _SYMMETRIC:
        return min(start, end), max(start, end), relation
    return start, end, relation


def _clusters(steps: Mapping[int, Sequence[_Step]]) -> list[set[int]]:
    """Return the nodes that are connected."""
    import networkx

    graph = networkx.Graph()
    graph.add_edges_from((start, end) for start, ways in steps.items() for _, end in ways)
    return list(networkx.connected_components(graph))


SYSTEM, GOLD = 0, 1

#: The blocks of the document level, in the order in which they are read.
BLOCKS = ("temporal", "modal", "coref")

#: The sentences of the system, each with that of the gold standard.
Pairs = Sequence[tuple[Sentence, Sentence]]

#: The names of variables in the file.
_Names = Mapping[str, str]

#: The image of each name of a variable of a sentence; None if it has none.
_Images = Mapping[str, str | None]

#: The triples of a block on both sides.
BothSides = tuple[list[NumberedTriple], list[NumberedTriple]]


class Numbers(ABC):
    """The numbers of nodes."""

    @abstractmethod
    def of(self, side: int, end: Argument, position: int) -> int:
        """Return the number of the end of a triple in a sentence, given by its position."""


class NumbersByMapping(Numbers):
    """Numbers of variables and constants."""

    def __init__(self, mapping: Mapping[str, str]) -> None:
        """*mapping* takes the system's variables to those of the gold standard."""
        self._mapping = mapping
        self._numbers: dict[tuple[str, str], int] = {}

    def of(self, side: int, end: Argument, position: int) -> int:
        node = ("constant", end[0])
        if isinstance(end, Variable):
            node = ("gold", end.name)
            if side == SYSTEM:
                other = self._mapping.get(end.name)
                node = ("system", end.name) if other is None else ("gold", other)
        return self._numbers.setdefault(node, len(self._numbers))


class NumbersByFirstMention(Numbers):
    """Numbers of names, as AnCast++ assigns them one after the other.

    A name keeps its number in its whole side. It gets the number at its first mention: together
    with the name of its image, if it is a variable of that sentence, and otherwise together with
    the same name on the other side, which may be a constant or a variable of another sentence.
    """

    def __init__(
        self, names: tuple[_Names, _Names], sentences: Pairs, mappings: Sequence[Mapping[str, str]]
    ) -> None:
        """*names* are those of all variables; *mappings* are those of each of the sentences."""
        ours, theirs = names
        self._names = names
        self._images: tuple[list[_Images], list[_Images]] = ([], [])
        for (one, other), mapping in zip(sentences, mappings, strict=True):
            back = {gold_one: system_one for system_one, gold_one in mapping.items()}
            self._images[SYSTEM].append(_images(one.variables, mapping, ours, theirs))
            self._images[GOLD].append(_images(other.variables, back, theirs, ours))
        self._numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._next = 0

    def of(self, side: int, end: Argument, position: int) -> int:
        name = self._names[side][end.name] if isinstance(end, Variable) else end.text
        own, other = self._numbers[side], self._numbers[1 - side]
        if name not in own:
            own[name] = self._next
            image = self._images[side][position].get(name, name)
            if image is not None:
                other[image] = self._next
            self._next += 1
        return own[name]


def numbered_blocks(
    sentences: Pairs, numbers: Numbers, *, one_relation: bool
) -> Mapping[str, BothSides]:
    """Return the triples of each block, each triple once.

    one_relation: of triples with the same ends in the same order, only the last one counts.
    """
    triples_of: dict[str, tuple[dict[object, NumberedTriple], ...]] = {b: ({}, {}) for b in BLOCKS}
    for position, both in enumerate(sentences):
        for block in BLOCKS:
            for side, sentence in enumerate(both):
                for kind, source, relation, target in sentence.document_level:
                    if kind == block:
                        ends = [numbers.of(side, end, position) for end in (source, target)]
                        triple = (ends[0], relation, ends[1])
                        triples_of[block][side][tuple(ends) if one_relation else triple] = triple
    return {
        block: ([*one.values()], [*other.values()]) for block, (one, other) in triples_of.items()
    }


def _images(
    variables: Iterable[str],
    mapping: Mapping[str, str],
    names: _Names,
    names_there: _Names,
) -> _Images:
    images = {names[variable]: mapping.get(variable) for variable in variables}
    return {name: None if image is None else names_there[image] for name, image in images.items()}
