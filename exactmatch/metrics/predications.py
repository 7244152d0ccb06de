"""Predications: predicates with all of their arguments, over graphs in MRP.

Oepen et al. (2015), *SemEval 2015 Task 18*, section 5. A unit is right as a whole or not at all.
With the place of a node in the sentence as in SDP, the intervals of its anchors, the metric counts

* complete predications: (place of the predicate, its arguments), where an argument is the label of
  an edge and the place of the edge's end;
* semantic frames: (place of the predicate, its frame, its arguments).

A predicate is a node with an outgoing edge. Its arguments are the ends of all of its edges, in PSD
only of those whose label ends in ``-arg``: the others are adjuncts. Its frame is the property
``frame``; in EDS and AMR, where labels name senses, the label; otherwise none. All are sets.

The paper counts verbs alone: profile ``paper``. A verb is a node whose property ``pos`` begins with
V, and in EDS one whose label says so (``_join_v_1``). The paper takes the parts of speech from the
gold standard, where both sides have the same ones; here, as in the toolkit of the task, each graph
has its own. Virtual edges to tops are no arguments. Labels are compared and edges turned around as
in `exactmatch.metrics.sdp`, and all nodes without anchors are at one place.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from exactmatch.errors import InputError
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.anchor_based import AnchorMetric
from exactmatch.metrics.anchors import Span, places_of
from exactmatch.metrics.counts import Counts
from exactmatch.metrics.mrp import Mrp

#: Decides how labels and edges are compared.
_MRP = Mrp.profiles["mtool"]
#: The frameworks whose nodes have a part of speech: as the property ``pos``, or in the label.
_TAGGED = ("dm", "pas", "psd", "ccd", "eds")
#: The labels of verbs in EDS: an underscore, the lemma, ``v``, and mostly a sense. A word that the
#: grammar does not know has its form and its part of speech in the Penn Treebank.
_VERB_OF_EDS = re.compile(r"_[^_]+_v(_|$)|_[^_]+/vb[a-z]*_u_unknown$")
#: The frameworks whose labels name senses.
_SENSES_IN_LABELS = ("eds", "amr")

#: The number of a place. The intervals of a place may be many.
_Place: TypeAlias = int
#: The place of a predicate, and the labels and places of its arguments.
_Predication: TypeAlias = tuple[_Place, frozenset[tuple[str, _Place]]]


@dataclass(slots=True)
class _Node:
    """What a graph says of a node; *edges* are those from it, by their labels and ends."""

    labels: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)
    frames: set[str] = field(default_factory=set)
    edges: list[tuple[str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Predications(AnchorMetric):
    """The metric.

    predicates: all nodes with an outgoing edge are predicates, or only verbs.
    """

    name: ClassVar[str] = "predications"
    title: ClassVar[str] = "Predications"
    unit: ClassVar[str] = "predications"
    papers: ClassVar[Sequence[str]] = ("oepen-2015-sdp",)
    headline: ClassVar[str] = "complete predications"

    predicates: Literal["all", "verbs"] = "all"

    def counts(self, system: Graph, gold: Graph) -> dict[str, Counts]:
        """Return the counts of complete predications and of semantic frames.

        Raises `InputError` if only verbs count, and those of a graph's framework are not known
        here.
        """
        numbers: dict[tuple[Span, ...], _Place] = {}
        ours, theirs = (set(self._frames(graph, numbers)) for graph in (system, gold))
        complete = ({predication for predication, _ in frames} for frames in (ours, theirs))
        return {self.headline: Counts.of(*complete), "semantic frames": Counts.of(ours, theirs)}

    def signature(self, search: str = "") -> str:
        return self._with_form(f"{self.name}|predicates:{self.predicates}")

    def _frames(
        self, graph: Graph, numbers: dict[tuple[Span, ...], _Place]
    ) -> Iterator[tuple[_Predication, frozenset[str]]]:
        """Yield the predications of *graph* with their frames.

        *numbers* are those of places so far.
        """
        framework = graph.framework.lower()
        place = {v: numbers.setdefault(p, len(numbers)) for v, p in places_of(graph).items()}
        for variable, node in _nodes(graph).items():
            if node.edges and (self.predicates == "all" or _is_verb(node, graph)):
                arguments = _arguments(node, framework)
                predication = place[variable], frozenset((a, place[end]) for a, end in arguments)
                frames = node.labels if framework in _SENSES_IN_LABELS else node.frames
                yield predication, frozenset(frames)


Predications.profiles = {
    "default": Predications(profile="predications.1", unicode="nfc"),
    "paper": Predications(profile="paper", predicates="verbs"),
}


def _nodes(graph: Graph) -> Mapping[str, _Node]:
    """Return the nodes by their variables."""
    nodes = {variable: _Node() for variable in graph.variables}
    for triple in _MRP.normalise(graph).triples:
        node, (kind, *texts) = nodes[triple.variables[0]], triple.label
        if kind == "edge":
            node.edges.append((texts[0], triple.variables[1]))
        elif kind == "label":
            node.labels.add(texts[0])
        elif kind == "property" and texts[0] == "pos":
            node.tags.add(texts[1])
        elif kind == "property" and texts[0] == "frame":
            node.frames.add(texts[1])
    return nodes


def _arguments(node: _Node, framework: str) -> list[tuple[str, str]]:
    """Return the core arguments of a node: their labels and variables."""
    return [edge for edge in node.edges if framework != "psd" or edge[0].endswith("-arg")]


def _is_verb(node: _Node, graph: Graph) -> bool:
    """Tell whether a node of *graph* is a verb; letters are in lower case."""
    framework = graph.framework.lower()
    if framework not in _TAGGED:
        where = f"{graph.location.source}:{graph.location.line}: graph {graph.identifier}"
        raise InputError(
            f"{where} is of framework {framework or 'no'}, whose verbs are not known here; count "
            f"all predicates (predicates=all), or only graphs of {', '.join(_TAGGED)}"
        )
    if framework == "eds":
        return any(_VERB_OF_EDS.match(label) for label in node.labels)
    return any(tag.startswith("v") for tag in node.tags)
