"""Turn graphs of SBN into PENMAN's terms, for Smatch.

The scorers of the Parallel Meaning Bank, ud-boxer (Poelman et al. 2022, *Transparent Semantic
Parsing with Universal Dependencies Using Graph Transformations*, COLING) and that of PMB 5
(LastDance500/neural-symbolic-parsing), write a graph of SBN as an AMR and give it to Smatch. So
does this module, with the differences between them as choices. A box has the concept ``box``;
concepts and constants are strings. Roles such as ``AttributeOf`` are written ``Attribute-of``,
which Smatch turns around.

The programs write the edges of a node below it, depth first, in the order of the text; a node that
is written already is written only by its name. So the first mention of a node decides its depth,
and nodes that the root does not reach are not written.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from exactmatch.graphs.graph import (
    CONCEPT,
    MEMBER,
    PENMAN,
    REFERENT,
    Constant,
    Graph,
    Triple,
    Variable,
)
from exactmatch.metrics.amr.standardise import Triples, with_nodes


def depths(start: str, triples: Iterable[Triple]) -> Mapping[str, int]:
    """Return the depth of each variable that *start* reaches; that of *start* is 1."""
    below: defaultdict[str, list[str]] = defaultdict(list)
    for _, (source, target, *_), _ in triples:
        if isinstance(target, Variable):
            below[source[0]].append(target.name)
    depth_of = {start: 1}
    waiting = [iter(below[start])]
    while waiting:
        node = next((node for node in waiting[-1] if node not in depth_of), None)
        if node is None:
            waiting.pop()
        else:
            waiting.append(iter(below[node]))
            depth_of[node] = len(waiting)
    return depth_of


def later_edges(triples: Sequence[Triple]) -> Iterator[Triple]:
    """Yield the triples; of edges between the same nodes, the last in place of the first."""
    last = {t.arguments: t for t in triples if isinstance(t.arguments[1], Variable)}
    for triple in triples:
        if not isinstance(triple.arguments[1], Variable):
            yield triple
        elif triple.arguments in last:
            yield last.pop(triple.arguments)


#: The sort of nodes made of constants, besides those of boxes and concepts.
CONSTANT_NODE = "c"

#: Lemma, part of speech and number; the programs skip the rest.
_SYNSET = re.compile(r"(.+)\.([nvarx])\.(\d+)")

#: The roles that the programs turn around.
_SIX = frozenset({"InstanceOf", "AttributeOf", "ColourOf", "ContentOf", "PartOf", "SubOf"})


class SbnChoices(NamedTuple):
    """The choices in which the programs differ, described in `exactmatch.metrics.smatch`."""

    boxes: str
    concepts: str
    constants: str
    of_roles: str
    parallel_edges: str
    tabs: str
    unreachable: str


def as_amr(graph: Graph, choices: SbnChoices) -> Graph:
    """Return *graph*, in SBN, with the triples that it would have in PENMAN under *choices*.

    Variables keep their sorts; nodes made of constants have the sort `CONSTANT_NODE`.
    """
    nodes = Triples(tuple(graph.variables), graph.triples)
    if choices.constants == "nodes":
        nodes = with_nodes(nodes)
    if choices.parallel_edges == "last":
        nodes = nodes._replace(triples=[*later_edges(nodes.triples)])
    written = depths(next(iter(graph.tops or graph.variables), ""), nodes.triples)
    if choices.unreachable == "drop":
        nodes = _within(written, nodes)
    tabs = _tabs(written, nodes.triples, choices) if choices.tabs == "keep" else {}
    sorts = {name: graph.variables.get(name, CONSTANT_NODE) for name in nodes.variables}
    triples: list[Triple] = []
    for triple in nodes.triples:
        if triple.relation == CONCEPT:
            triples += _concept(triple, sorts, tabs, choices)
        elif triple.relation != MEMBER or choices.boxes == "member":
            triples.append(_edge(triple, choices))
    return graph._replace(format=PENMAN, variables=sorts, triples=tuple(triples))


def _within(written: Mapping[str, int], nodes: Triples) -> Triples:
    """Return the triples of the nodes that are *written*."""
    return Triples(
        [name for name in nodes.variables if name in written],
        [triple for triple in nodes.triples if triple.arguments[0][0] in written],
    )


def _tabs(
    written: Mapping[str, int], triples: Sequence[Triple], choices: SbnChoices
) -> Mapping[str, str]:
    """Return the tabs that indentation adds to concepts, if another line of the node follows."""
    said_more = {
        triple.arguments[0][0]
        for triple in triples
        if triple.relation != CONCEPT or choices.concepts == "parts"
    }
    return {name: f"+{depth}tabs" for name, depth in written.items() if name in said_more}


def _concept(
    triple: Triple, sorts: Mapping[str, str], tabs: Mapping[str, str], choices: SbnChoices
) -> Iterator[Triple]:
    """Yield the triples of the concept of a node: one, or also one for each part."""
    source, target = triple.arguments
    text = target[0]
    synset = _SYNSET.match(text) if sorts[source[0]] == REFERENT else None
    parts = [] if synset is None else [_string(part) for part in synset.groups()]
    if parts:
        kept = parts if choices.concepts == "whole" else parts[:-1]
        text = ".".join(part.text.strip('"') for part in kept)
    if parts and choices.concepts == "parts":
        text = "synset"
    yield Triple(CONCEPT, (source, _string(text + tabs.get(source[0], ""))))
    if choices.concepts == "parts":
        for role, part in zip(("lemma", "pos", "sense"), parts, strict=False):
            yield Triple(role, (source, part))


def _edge(triple: Triple, choices: SbnChoices) -> Triple:
    role, (source, target), _ = triple
    is_inverse = role.endswith("Of") and role != "Of"
    if role in _SIX if choices.of_roles == "six" else is_inverse and choices.of_roles == "all":
        role = f"{role[:-2]}-of"
    return Triple(role, (source, _string(target.text) if isinstance(target, Constant) else target))


def _string(text: str) -> Constant:
    """Return a constant as the programs quote it: once, with double quotes for single ones."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return Constant(f'"{text}"')
