"""The nodes and relations of a Chinese AMR, as they are read one by one.

An identifier with another concept than before is another node, which gets an ``x`` more: ``xx6``.
The scorer of CAMRP 2022 reads tables so. It even makes a new node each time, if the concept is not
the first one of its identifier.
"""

from typing import NamedTuple

from exactmatch.graphs.graph import CONCEPT, Constant, Triple, Variable
from exactmatch.graphs.readers.examined import NO_CONCEPT, SEVERAL_CONCEPTS, Defect

#: The relation from a pronoun, or another mention, to the node that it stands for.
COREFERENCE = "coref"

#: The scorer tries so many names for another node of an identifier; then it keeps the identifier.
_MOST_NAMES = 10


class _Link(NamedTuple):
    """A relation between two nodes, with its word as ``x4/把``, or the concept of a node."""

    relation: str
    source: str
    target: str
    word: str
    line: int


class Nodes:
    """The nodes of a graph that is being read.

    concepts: the concept of each node, by its name, in the order of the file. tops: the roots.
    defects: the faults so far.
    """

    def __init__(self) -> None:
        self.concepts: dict[str, str] = {}
        self.tops: list[str] = []
        self.defects: list[Defect] = []
        self._links: list[_Link] = []
        self._coreferences: set[tuple[str, str]] = set()

    def node(self, identifier: str, concept: str, line: int) -> str:
        """Return the name of the node with this identifier and concept; a new one if there is none.

        line: where it is mentioned.
        """
        first = self.concepts.get(identifier)
        name = identifier
        if first is not None and first != concept:
            names = ("x" * count + identifier for count in range(1, _MOST_NAMES + 1))
            name = next((name for name in names if name not in self.concepts), identifier)
            reason = f"{identifier} is {first}, and {concept} here: read as another node"
            self.defects.append(Defect(SEVERAL_CONCEPTS, line, reason, (identifier,), (concept,)))
        if name not in self.concepts:
            self.concepts[name] = concept
            self._links.append(_Link(CONCEPT, name, concept, "", line))
            if not concept:
                self.defects.append(
                    Defect(NO_CONCEPT, line, f"{identifier} has no concept", (identifier,))
                )
        return name

    def relate(self, source: str, relation: str, target: str, line: int, word: str = "") -> None:
        """Add a relation, which may be empty if it has a *word*."""
        self._links.append(_Link(relation, source, target, word, line))
        if relation == COREFERENCE:
            self._coreferences.add((source, target))

    def corefer(self, name: str, identifier: str, line: int) -> None:
        """Add that a node stands for the one with this identifier."""
        if (name, identifier) not in self._coreferences:
            self.relate(name, COREFERENCE, identifier, line)

    def triples(self) -> tuple[Triple, ...]:
        """Return all triples; an end that is no node is a constant."""
        return tuple(map(self._triple, self._links))

    def lines(self) -> list[int]:
        """Return the line of each triple."""
        return [link.line for link in self._links]

    def _triple(self, link: _Link) -> Triple:
        is_node = link.relation != CONCEPT and link.target in self.concepts
        target = Variable(link.target) if is_node else Constant(link.target)
        return Triple(link.relation, (Variable(link.source), target), (link.word, ""))
