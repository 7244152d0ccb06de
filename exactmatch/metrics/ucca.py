"""UCCA: the metric of the task on Cross-lingual Semantic Parsing with UCCA, over graphs in MRP.

Hershcovich et al. (2019), *SemEval-2019 Task 1*. A node is identified by its yield: the characters
that it and the nodes below it are anchored to. Nodes are below by primary edges, which are all but
the remote ones. With yields *a* and *b*, the metric counts

* labelled primary and labelled remote: (a, label, b), for each such edge from a to b;
* unlabelled primary and unlabelled remote: (a, b).

All are sets: edges of one label between nodes of the same yields are one edge, as above and below
a node with a single child.

These are the defaults of mtool (``--score ucca``): the yields of both ends have to be equal, not
only that of the lower one; an edge is remote if it has an attribute of this name that is not false;
labels are compared and edges turned around as in the profile ``mtool`` of the MRP metric; and
characters count span by span (`exactmatch.metrics.anchors`), so that a punctuation mark has an
empty yield.

In UCCA, primary edges form a tree. If they form a cycle all the same, the yield of a node is what a
depth-first walk through the graph has found when it leaves the node: without the yields of nodes
that it has entered, but not left. mtool does the same, in an order that changes from run to run;
here it is the order of the file.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.anchor_based import AnchorMetric
from exactmatch.metrics.anchors import Span, characters_of
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.mrp import Mrp

#: Decides how labels and edges are compared.
_MRP = Mrp.profiles["mtool"]
#: A label, and the variables at both ends.
_Edge = tuple[str, tuple[str, ...]]
#: Characters as the bits of a number: one for each piece between two edges of spans, on either
#: side. In a deep graph, sets of them would take too long.
_Bits = int


@dataclass(frozen=True, slots=True)
class Ucca(AnchorMetric):
    """The metric; its only choice is that of all metrics over anchored nodes."""

    name: ClassVar[str] = "ucca"
    title: ClassVar[str] = "UCCA"
    papers: ClassVar[Sequence[str]] = ("hershcovich-2019-ucca",)
    headline: ClassVar[str] = "labelled primary"

    def counts(self, system: Graph, gold: Graph) -> dict[str, Counts]:
        """Return the counts of primary and remote edges, with and without their labels."""
        characters = characters_of(system), characters_of(gold)
        spans = (span for side in characters for those in side.values() for span in those)
        cuts = sorted({edge for span in spans for edge in span})
        place = {edge: number for number, edge in enumerate(cuts)}
        ours, theirs = (
            _sets(graph, {v: _as_bits(spans, place) for v, spans in its_characters.items()})
            for graph, its_characters in zip((system, gold), characters, strict=True)
        )
        return {part: Counts.of(ours[part], theirs[part]) for part in ours}


Ucca.profiles = {"default": Ucca(profile="ucca.1", unicode="nfc")}


def _as_bits(spans: Iterable[Span], place: Mapping[int, int]) -> _Bits:
    return sum((1 << place[end]) - (1 << place[start]) for start, end in spans)


def _sets(graph: Graph, characters: Mapping[str, _Bits]) -> dict[str, set[object]]:
    """Return the counts of each part."""
    primary, remote = _edges(graph)
    yields = _yields(graph, primary, characters)
    sets: dict[str, set[object]] = {}
    for kind, edges in (("primary", primary), ("remote", remote)):
        known = [(label, tuple([yields[v] for v in ends])) for label, ends in edges]
        sets[f"labelled {kind}"] = set(known)
        sets[f"unlabelled {kind}"] = {ends for _, ends in known}
    return sets


def _edges(graph: Graph) -> tuple[list[_Edge], list[_Edge]]:
    """Return the primary and the remote edges, in the order of the file."""
    triples = _MRP.normalise(graph).triples
    remote = {
        (triple.name, triple.variables)
        for triple in triples
        if triple.kind == "attribute" and triple.label[2] == "remote"
    }
    edges = [(triple.name, triple.variables) for triple in triples if triple.kind == "edge"]
    return [e for e in edges if e not in remote], [e for e in edges if e in remote]


def _yields(
    graph: Graph, primary: Iterable[_Edge], characters: Mapping[str, _Bits]
) -> dict[str, _Bits]:
    """Return the characters of each variable and of all nodes below it."""
    children: dict[str, list[str]] = {variable: [] for variable in graph.variables}
    for _, (source, target) in primary:
        children[source].append(target)
    yields: dict[str, _Bits] = {}
    for root in graph.variables:
        if root not in yields:
            _walk(root, children, characters, yields)
    return yields


def _walk(
    root: str,
    children: Mapping[str, Sequence[str]],
    characters: Mapping[str, _Bits],
    yields: dict[str, _Bits],
) -> None:
    """Add to *yields* the new yields of *root* and all nodes below it, depth first.

    It is not recursive, since a graph may be deeper than Python's stack.
    """
    yields[root] = characters[root]
    path = [(root, iter(children[root]))]
    while path:
        node, rest = path[-1]
        for child in rest:
            if child not in yields:
                yields[child] = characters[child]
                path.append((child, iter(children[child])))
                break
            yields[node] |= yields[child]
        else:
            path.pop()
            if path:
                yields[path[-1][0]] |= yields[node]
