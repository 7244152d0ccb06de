"""An item to adjudicate: what all its graphs have, and the differences that have to be decided.

A triple is a list of words: ``["root", NODE]``, ``["concept", NODE, CONCEPT]``,
``["attribute", NODE, ROLE, VALUE]`` or ``["relation", NODE, ROLE, NODE]``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from exactmatch.many.adjudication.common_nodes import CommonNode, Standing
from exactmatch.metrics.triples import NormalisedGraph, NormalisedTriple

#: A triple by its kind and its words.
ItemTriple = tuple[str, ...]

#: What one can differ in, in the order in which differences are counted.
DIFFERENCE_KINDS = ("root", "node", "concept", "attribute", "relation")


@dataclass(frozen=True)
class DifferenceOption:
    """What annotators say, by their positions; *triples* are numbers."""

    triples: Sequence[int]
    by: Sequence[int]


@dataclass(frozen=True)
class ItemDifference:
    """Something that has to be decided.

    id: ``concept b``. kind: one of `DIFFERENCE_KINDS`. about: the nodes that have to be there for
    it. options: what is said, each by some. absent: who says that there is no such thing.
    """

    id: str
    kind: str
    about: Sequence[str]
    options: Sequence[DifferenceOption]
    absent: Sequence[int]
    standing: Standing


class ItemFault(NamedTuple):
    """What `check` finds in the graph of an annotator, with the nodes of the item where it is."""

    kind: str
    reason: str
    nodes: Sequence[str]
    words: Sequence[str]


@dataclass(frozen=True)
class AnnotatedGraph:
    """The graph of an annotator: its text, what `check` finds in it, and why it cannot be read."""

    text: str
    faults: Sequence[ItemFault]
    error: str | None


@dataclass(frozen=True)
class Item:
    """An item: its graphs, its nodes and triples, who has each, and what differs.

    metadata: what all annotators say of the item. pivot: whose variables the others are mapped to.
    nodes: their names; holders: who has each. by: who has each triple. settled: the numbers of
    triples that all have who have their nodes. drawn: where all of it stands in the drawing.
    """

    id: str
    sentences: Sequence[tuple[str, str]]
    metadata: Mapping[str, str]
    pivot: int
    graphs: Sequence[AnnotatedGraph]
    nodes: Sequence[str]
    holders: Sequence[Sequence[int]]
    triples: Sequence[ItemTriple]
    by: Sequence[Sequence[int]]
    settled: Sequence[int]
    differences: Sequence[ItemDifference]
    drawn: Mapping[str, Any] = field(default_factory=dict)

    def content(self) -> dict[str, Any]:
        """Return it as JSON has it. The drawing, which is most of it, is not copied."""
        return {**self.undrawn(), "drawn": self.drawn}

    def undrawn(self) -> dict[str, Any]:
        """Return the same without the drawing; what it lists is not copied."""
        graphs = [{**vars(graph)} for graph in self.graphs]
        differences = [
            {**vars(one), "options": [{**vars(option)} for option in one.options]}
            for one in self.differences
        ]
        return {**vars(self), "graphs": graphs, "differences": differences, "drawn": None}

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> "Item":
        """Return the item that has this `content`."""
        differences = [
            ItemDifference(
                **{**one, "options": [DifferenceOption(**each) for each in one["options"]]}
            )
            for one in content["differences"]
        ]
        graphs = [
            AnnotatedGraph(**{**graph, "faults": [ItemFault(*fault) for fault in graph["faults"]]})
            for graph in content["graphs"]
        ]
        triples = [tuple(triple) for triple in content["triples"]]
        changed = {"differences": differences, "graphs": graphs, "triples": triples}
        return cls(**{**content, **changed})

    @property
    def is_agreed(self) -> bool:
        """Tell whether all annotators have a graph that can be read, and the same one."""
        return not self.differences and all(graph.error is None for graph in self.graphs)

    def inherits(self, kind: str, nodes: Sequence[str], words: Sequence[str]) -> bool:
        """Tell whether a readable graph of the item has this fault by itself, at the same place.

        A cycle may be a part of the annotator's cycle. Unreadable graphs have other nodes.
        """
        return any(
            fault.kind == kind and [*fault.words] == [*words] and set(nodes).issubset(fault.nodes)
            for graph in self.graphs
            if graph.error is None
            for fault in graph.faults
        )


class Differing(NamedTuple):
    """The triples of an item, who has each, which are settled, and the differences."""

    triples: list[ItemTriple]
    by: list[list[int]]
    settled: list[int]
    differences: list[ItemDifference]


def differing(graphs: Mapping[int, NormalisedGraph], nodes: Sequence[CommonNode]) -> Differing:
    """Return what differs between *graphs*, by the positions of their annotators."""
    known: dict[ItemTriple, dict[int, None]] = {}
    for i, graph in graphs.items():
        names = {node.variables[i]: node.name for node in nodes if i in node.variables}
        for normalised in graph.triples:
            known.setdefault(_words(normalised, names), {})[i] = None
    triples = [*known]
    by = [sorted(known[triple]) for triple in triples]
    holders = {node.name: node.holders for node in nodes}
    settled, groups = [], dict[tuple[str, ...], list[int]]()
    for number, triple in enumerate(triples):
        if by[number] == _asked(about_of(triple), holders, graphs):
            settled.append(number)
        else:
            groups.setdefault(_group(triple), []).append(number)
    place = {node.name: k for k, node in enumerate(nodes)}
    differences = [
        *_missing_nodes(nodes, graphs),
        *_disagreements(groups, triples, by, nodes, graphs),
    ]
    differences.sort(key=lambda one: _rank(one, place))
    return Differing(triples, by, settled, differences)


def about_of(triple: ItemTriple) -> list[str]:
    """Return the nodes that a triple needs; a root is a question about all of them."""
    kind = triple[0]
    if kind == "root":
        return []
    return [triple[1], triple[3]] if kind == "relation" else [triple[1]]


def _words(triple: NormalisedTriple, names: Mapping[str, str]) -> ItemTriple:
    label, ends = triple.label, [names[variable] for variable in triple.variables]
    if triple.kind == "top":
        return ("root", *ends)
    if triple.kind == "instance":
        return ("concept", *ends, label[1])
    if triple.kind == "relation":
        return ("relation", ends[0], label[1], ends[1])
    return ("attribute", *ends, label[1], label[2])


def _asked(
    about: Sequence[str], holders: Mapping[str, Sequence[int]], graphs: Mapping[int, object]
) -> list[int]:
    """Return the annotators who have all of these nodes."""
    return [i for i in sorted(graphs) if all(i in holders[name] for name in about)]


def _group(triple: ItemTriple) -> tuple[str, ...]:
    """Return what triples have in common of which one is asked at once."""
    kind = triple[0]
    if kind == "root":
        return ("root",)
    if kind == "relation":
        return ("relation", *dict.fromkeys(sorted((triple[1], triple[3]))))
    return triple[:3] if kind == "attribute" else triple[:2]


def _missing_nodes(
    nodes: Sequence[CommonNode], graphs: Mapping[int, object]
) -> Iterator[ItemDifference]:
    for node in nodes:
        absent = [i for i in sorted(graphs) if i not in node.variables]
        if absent:
            there = [DifferenceOption([], node.holders)]
            yield ItemDifference(
                f"node {node.name}", "node", [node.name], there, absent, node.standing
            )


def _disagreements(
    groups: Mapping[tuple[str, ...], Sequence[int]],
    triples: Sequence[ItemTriple],
    by: Sequence[Sequence[int]],
    nodes: Sequence[CommonNode],
    graphs: Mapping[int, object],
) -> Iterator[ItemDifference]:
    holders = {node.name: node.holders for node in nodes}
    standings = {node.name: node.standing for node in nodes}
    for group, numbers in groups.items():
        kind = group[0]
        ends = group[1:] if kind == "relation" else group[1:2]
        said: dict[tuple[int, ...], list[int]] = {}
        for i in _asked(ends, holders, graphs):
            own = tuple(number for number in numbers if i in by[number])
            said.setdefault(own, []).append(i)
        absent = said.pop((), [])
        options = [DifferenceOption(own, voters) for own, voters in said.items()]
        meant = ends or [triples[number][1] for number in numbers]
        found = {standings[name] for name in meant}
        standing: Standing = (
            "unknown" if "unknown" in found else "arbitrary" if "arbitrary" in found else "certain"
        )
        yield ItemDifference(" ".join(group), kind, ends, options, absent, standing)


def _rank(one: ItemDifference, place: Mapping[str, int]) -> tuple[bool, int, int, str]:
    """Return what comes first: the root; then a node, and what relates it to those before."""
    last = max((place[name] for name in one.about), default=0)
    return bool(one.about), last, DIFFERENCE_KINDS.index(one.kind), one.id
