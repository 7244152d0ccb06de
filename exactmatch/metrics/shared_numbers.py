"""The document level of two UMR graphs with the nodes of both numbered together.

Nodes that are mapped to each other have one number, and so has a constant on both sides.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence

from exactmatch.graph import Argument, Sentence, Variable
from exactmatch.metrics.closure import NumberedTriple

SYSTEM, GOLD = 0, 1
_SIDES = (SYSTEM, GOLD)

#: The blocks of the document level, in the order in which they are read.
BLOCKS = ("temporal", "modal", "coref")

#: The sentences of the system, each with that of the gold standard.
Pairs = Sequence[tuple[Sentence, Sentence]]

#: The names of variables in the file.
_Names = Mapping[str, str]

#: The names that variables of a sentence have on the other side, by name; None has none there.
_Images = Mapping[str, str | None]

#: The triples of a block on both sides.
BothSides = tuple[list[NumberedTriple], list[NumberedTriple]]


class Numbers(ABC):
    """The numbers of nodes."""

    @abstractmethod
    def of(self, side: int, end: Argument, position: int) -> int:
        """Return the number of the end of a triple in a sentence, by the position of that."""


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
    """Numbers of names, as AnCast++ gives them one after the other.

    A name keeps its number in all of its side. It gets it where it is first met: together with the
    name of what it is mapped to, if it is a variable of that sentence, and else together with the
    same name on the other side, be it a constant or a variable of another sentence.
    """

    def __init__(
        self, names: tuple[_Names, _Names], sentences: Pairs, mappings: Sequence[Mapping[str, str]]
    ) -> None:
        """*names* are those of all variables; *mappings* take them in each of the sentences."""
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

    one_relation: of triples with the same ends in the same order, the last one alone counts.
    """
    found: dict[str, tuple[dict[object, NumberedTriple], ...]] = {b: ({}, {}) for b in BLOCKS}
    for position, both in enumerate(sentences):
        for block in BLOCKS:
            for side, sentence in enumerate(both):
                for kind, source, relation, target in sentence.document_level:
                    if kind == block:
                        ends = [numbers.of(side, end, position) for end in (source, target)]
                        triple = (ends[0], relation, ends[1])
                        found[block][side][tuple(ends) if one_relation else triple] = triple
    return {block: ([*one.values()], [*other.values()]) for block, (one, other) in found.items()}


def _images(
    variables: Iterable[str],
    mapping: Mapping[str, str],
    names: _Names,
    names_there: _Names,
) -> _Images:
    images = {names[variable]: mapping.get(variable) for variable in variables}
    return {name: None if image is None else names_there[image] for name, image in images.items()}
