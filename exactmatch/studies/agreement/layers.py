"""What two annotators of UMR agree on in a pair of graphs, layer by layer.

Concepts, roles, aspect and modal strength are the triples of the sentence graphs as the metric
counts them, apart from the tops: every such triple is in one of these layers. A node agrees in its
surface alignment if the one that it is mapped to is aligned with the same tokens, or if both are
aligned with none. Token sets are what juːmæʧ (compare_umr.pl of ufal/umrtools) reports beside its
score: the distinct sets of tokens that the nodes of a sentence are aligned with, mapped or not.
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

#: The kinds of triples that say the concept of a node, in the words of the metrics over UMR.
_CONCEPTS = ("instance", "concept")
#: The roles that are layers of their own; UMR 2.0 has the longer name, earlier files the shorter.
_OWN_LAYER = {"aspect": ASPECT, "modal-strength": STRENGTH, "modstr": STRENGTH}


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLayers:
    """What a pair of graphs has in common.

    counts: of each layer of the sentence graphs, under the defined mapping.
    ranges: the least and the most of it under the best mappings, for layers that depend on them.
    values: where mapped nodes have another aspect or modal strength, and how often.
    sentences: what the document level needs of its sentences.
    """

    counts: Mapping[str, Counts]
    ranges: Mapping[str, Range]
    values: Counter[ValuePair]
    sentences: Sequence[PairedSentence]


class Layer(NamedTuple):
    """What two annotators have in common of a layer.

    counts: under the defined mappings. least, most: under any best mappings at least, and at most,
        as far as that is known.
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
    """What two annotators have in common, over all pairs of graphs.

    layers: by name, in the order of reports, those that either annotator has anything of.
    values: where mapped nodes differ in what they say, and how often, the most frequent first.
    unknown: pairs of graphs of which nothing is known but what holds under the defined mapping.
    """

    layers: Mapping[str, Layer]
    values: Sequence[tuple[ValuePair, int]]
    unknown: int


class LayerCollector:
    """Takes the layers of the pairs of two files."""

    def __init__(self) -> None:
        self._counts: defaultdict[str, Counts] = defaultdict(lambda: NOTHING)
        self._ranges: defaultdict[str, Range] = defaultdict(Range)
        self._values: Counter[ValuePair] = Counter()
        self._sentences: list[PairedSentence] = []
        self._unknown = 0

    def add(self, found: PairLayers) -> None:
        """Take those of a pair of graphs."""
        self._values += found.values
        self._sentences += found.sentences
        self._unknown += any(known.unknown for known in found.ranges.values())
        for layer, counts in found.counts.items():
            self._counts[layer] += counts
            known = found.ranges.get(layer, Range(unknown=1))
            self._ranges[layer] += Range(counts.matched, counts.matched) if known.unknown else known

    def finish(self) -> LayerAgreement | None:
        """Return what the files have in common, None if they have no layers."""
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
    """Return the layer of triples with this label; None of tops and of the document level."""
    kind, name = label[0], label[1].casefold() if len(label) > 1 else ""
    if kind in _CONCEPTS:
        return CONCEPTS
    if kind not in ("relation", "attribute") or name == "top":
        return None
    return _OWN_LAYER.get(name, ROLES)


def layer_parts(comparison: Comparison, pair: GraphPair) -> dict[str, Comparison]:
    """Return the comparison of each layer of the sentence graphs that depends on the mapping."""
    systems, golds = _by_layer(comparison.system), _by_layer(comparison.gold)
    parts = {
        layer: replace(
            comparison,
            system=comparison.system.with_triples(systems[layer]),
            gold=comparison.gold.with_triples(golds[layer]),
        )
        for layer in (CONCEPTS, ROLES, ASPECT, STRENGTH)
    }
    tokens = replace(
        comparison,
        system=comparison.system.with_triples(_tokens(pair.system)),
        gold=comparison.gold.with_triples(_tokens(pair.gold)),
        similar={},
        scale=1,
    )
    return {**parts, TOKENS: tokens}


def pair_layers(pair: GraphPair, comparison: Comparison, score: PairScore) -> PairLayers:
    """Return what a pair has in common that has been scored, with its `layer_parts` as parts."""
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
    """Return how many *nodes* any best mapping maps; bounds of it, where these are many."""
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
    """Return a triple for each node that says its tokens."""
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
    """Return what mapped nodes say that is not equal, in the layers that have values."""
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
