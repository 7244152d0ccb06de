"""Agreement of two annotators of UMR in a pair of graphs, layer by layer.

Concepts, roles, aspect and modal strength are the triples of the sentence graphs as the metric
counts them, without the tops: every such triple is in one of these layers. A node agrees in its
surface alignment if its image is aligned with the same tokens, or if both are aligned with none.
Token sets are a number that juːmæʧ (compare_umr.pl of ufal/umrtools) reports beside its score: the
distinct sets of tokens that the nodes of a sentence are aligned with, mapped or not.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import NamedTuple

from exactmatch.graphs.graph import Graph, Sentence
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.counts import NOTHING, Counts, Range, Score
from exactmatch.metrics.triples import Label, NormalisedGraph, NormalisedTriple
from exactmatch.metrics.umr.document_relations import PARTS
from exactmatch.scoring.comparison import Comparison
from exactmatch.scoring.results import PairScore
from exactmatch.studies.agreement.document_layers import (
    PairedSentence,
    ValuePair,
    document_layers,
    paired_sentences,
    unequal,
)

CONCEPTS, ROLES, ASPECT, STRENGTH = "concepts", "roles", "aspect", "modal strength"
NODES, TOKENS, TOKEN_SETS = "mapped nodes", "surface alignment", "token sets"

#: The layers of the sentence graphs, in the order of reports.
SENTENCE_LAYERS = (NODES, CONCEPTS, ROLES, ASPECT, STRENGTH, TOKENS, TOKEN_SETS)

#: The layers that are triples of the metric.
TRIPLE_LAYERS = (CONCEPTS, ROLES, ASPECT, STRENGTH)

#: The kinds of triples with the concept of a node, in the metrics over UMR.
_CONCEPTS = ("instance", "concept")
#: Roles that are layers of their own; UMR 2.0 has the longer name, earlier files the shorter.
_OWN_LAYER = {"aspect": ASPECT, "modal-strength": STRENGTH, "modstr": STRENGTH}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLayers:
    """The agreement in a pair of graphs.

    counts: the counts of each layer of the sentence graphs, under the defined mapping.
    ranges: the least and the most matches under the best mappings, for layers that depend on them.
    values: the aspects and modal strengths that differ between mapped nodes, with their numbers.
    sentences: the sentences, for the document level.
    """

    counts: Mapping[str, Counts]
    ranges: Mapping[str, Range]
    values: Counter[ValuePair]
    sentences: Sequence[PairedSentence]


class Layer(NamedTuple):
    """The agreement of two annotators in a layer.

    counts: the counts under the defined mappings. least, most: the bounds of matches under any best
        mappings, as far as they are known.
    """

    counts: Counts
    least: int
    most: int

    @property
    def score(self) -> Score:
        """The score under the defined mappings."""
        return self.counts.score()


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerAgreement:
    """The agreement of two annotators, over all pairs of graphs.

    layers: the layers that occur, by name, in the order of reports.
    values: values that differ between mapped nodes, with their numbers, the most frequent first.
    unknown: the number of pairs of graphs with only the defined mapping known.
    """

    layers: Mapping[str, Layer]
    values: Sequence[tuple[ValuePair, int]]
    unknown: int


class LayerCollector:
    """Collects the layers of the pairs of two files."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, Counts] = defaultdict(lambda: NOTHING)
        self._ranges: defaultdict[str, Range] = defaultdict(Range)
        self._values: Counter[ValuePair] = Counter()
        self._sentences: list[PairedSentence] = []
        self._unknown = 0

    def add(self, found: PairLayers) -> None:
        """Add the layers of a pair of graphs."""
        self._values += found.values
        self._sentences += found.sentences
        self._unknown += any(known.unknown for known in found.ranges.values())
        for layer, counts in found.counts.items():
            self._counts[layer] += counts
            known = found.ranges.get(layer, Range(unknown=1))
            self._ranges[layer] += Range(counts.matched, counts.matched) if known.unknown else known

    def finish(self) -> LayerAgreement | None:
        """Return the agreement of the files; None if they have no layers."""
        if not self._counts:
            return None
        document = document_layers(self._sentences)
        counts = {**self._counts, **document.counts}
        ranges = {**self._ranges, **document.ranges}
        order = [*SENTENCE_LAYERS, *PARTS.values()]
        names = [*order, *sorted(counts.keys() - {*order})]
        return LayerAgreement(
            layers={
                name: Layer(counts[name], ranges[name].least, ranges[name].most)
                for name in names
                if any(counts.get(name, NOTHING)[1:])
            },
            values=sorted(
                (self._values + document.values).items(),
                key=lambda entry: (-entry[1], *(said or "" for said in entry[0])),
            ),
            unknown=self._unknown,
        )


def layer_of(label: Label) -> str | None:
    """Return the layer of triples with this label; None for tops and the document level."""
    kind, name = label[0], label[1].casefold() if len(label) > 1 else ""
    if kind in _CONCEPTS:
        return CONCEPTS
    if kind not in ("relation", "attribute") or name == "top":
        return None
    return _OWN_LAYER.get(name, ROLES)


def triple_layers(comparison: Comparison) -> dict[str, Comparison]:
    """Return the comparison of each layer that is triples of the metric."""
    systems, golds = _by_layer(comparison.system), _by_layer(comparison.gold)
    return {
        layer: replace(
            comparison,
            system=comparison.system.with_triples(systems[layer]),
            gold=comparison.gold.with_triples(golds[layer]),
        )
        for layer in TRIPLE_LAYERS
    }


def layer_parts(comparison: Comparison, pair: GraphPair) -> dict[str, Comparison]:
    """Return the comparison of each layer of the sentence graphs that depends on the mapping."""
    tokens = replace(
        comparison,
        system=comparison.system.with_triples(_tokens(pair.system)),
        gold=comparison.gold.with_triples(_tokens(pair.gold)),
        similar={},
        scale=1,
        unit=1,
    )
    return {**triple_layers(comparison), TOKENS: tokens}


def pair_layers(pair: GraphPair, comparison: Comparison, score: PairScore) -> PairLayers:
    """Return the agreement in a scored pair, which was scored with its `layer_parts` as parts."""
    mapping = {one: other for one, other in score.mapping.items() if one in pair.system.variables}
    parts = layer_parts(comparison, pair)
    nodes = Counts(len(mapping), len(pair.system.variables), len(pair.gold.variables))
    return PairLayers(
        counts={
            NODES: nodes,
            **{layer: part.counts(mapping) for layer, part in parts.items()},
            TOKEN_SETS: _token_sets(pair),
        },
        ranges={
            NODES: _mapped_nodes(score, pair.system.variables),
            **{layer: score.ranges.get(layer, Range(unknown=1)) for layer in parts},
        },
        values=_values(parts, mapping),
        sentences=paired_sentences(pair, score),
    )


def _mapped_nodes(score: PairScore, nodes: Container[str]) -> Range:
    """Return the number of *nodes* that best mappings map, or bounds if there are many nodes."""
    best = score.best
    if best is None:
        return Range(unknown=1)
    if best.are_all:
        numbers = [sum(node in nodes for node in mapping) for mapping in best.mappings]
        return Range(min(numbers), max(numbers))
    every, some = (
        [(one, other) for one, other in pairs if one in nodes] for pairs in (best.every, best.some)
    )
    sides = (len(set(side)) for side in zip(*some, strict=True))
    return Range(len(every), min(sides, default=0))


def _by_layer(graph: NormalisedGraph) -> Mapping[str, list[NormalisedTriple]]:
    layers: defaultdict[str, list[NormalisedTriple]] = defaultdict(list)
    for triple in graph.triples:
        layer = layer_of(triple.label)
        if layer is not None:
            layers[layer].append(triple)
    return layers


def _tokens(graph: Graph) -> list[NormalisedTriple]:
    """Return a triple of each node with its tokens."""
    return [
        NormalisedTriple((TOKENS, *map(str, sentence.tokens_of.get(variable, ()))), (variable,))
        for sentence in graph.sentences
        for variable in sentence.variables
    ]


def _token_sets(pair: GraphPair) -> Counts:
    both = zip_longest(pair.system.sentences, pair.gold.sentences)
    return sum((Counts.of(*map(_sets, sentences)) for sentences in both), NOTHING)


def _sets(sentence: Sentence | None) -> set[object]:
    return set() if sentence is None else set[object](sentence.tokens_of.values())


def _values(parts: Mapping[str, Comparison], mapping: Mapping[str, str]) -> Counter[ValuePair]:
    """Return the values that differ between mapped nodes, in the layers that have values."""
    found: Counter[ValuePair] = Counter()
    for layer in (ASPECT, STRENGTH):
        system, gold = (_said(g.triples) for g in (parts[layer].system, parts[layer].gold))
        for one, other in mapping.items():
            found.update(unequal(layer, system.get(one, ()), gold.get(other, ())))
    return found


def _said(triples: Iterable[NormalisedTriple]) -> Mapping[str, list[str]]:
    """Return the values of each node."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for triple in triples:
        if triple.kind == "attribute":
            found[triple.variables[0]].append(triple.label[2])
    return found
