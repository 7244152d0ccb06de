"""Agreement of two annotators in UMR's document level: temporal, modal, coreference.

Two annotators agree on a triple if both have it in the same sentence, with nodes that are mapped to
each other. The ends may lie in other sentences of the document, so the computation needs the
mappings of all its sentences together, however the sentences were compared.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from exactmatch.graphs.graph import Argument, Sentence, Variable
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.counts import NOTHING, Counts, Range
from exactmatch.metrics.umr.document_relations import part_of_block
from exactmatch.scoring.results import PairScore

#: The name of a node in UMR: its sentence, a letter and a number.
_NODE = re.compile(r"s\d+[^\W\d_]+\d*")

#: A node, by the number of its sentence and its name in the file.
_Node = tuple[int, str]
#: An end of a triple: a node, a constant, or None for a node of a sentence that is not compared.
_End = _Node | str | None


class ValuePair(NamedTuple):
    """The value that one annotator gives in a layer, and the other's value, or None."""

    layer: str
    one: str | None
    other: str | None


class Said(NamedTuple):
    """A triple of the document level, with the names of the file, and the layer of the triple."""

    layer: str
    source: str
    relation: str
    target: str


class SentenceLevel(NamedTuple):
    """A sentence of one file: its document, its line, its nodes as written, and its triples."""

    document: int
    line: int
    nodes: frozenset[str]
    said: frozenset[Said]


class PairedSentence(NamedTuple):
    """A sentence of two files.

    mapping: the defined mapping, by the names of nodes in the files.
    system_open, gold_open: nodes that another best mapping may map differently.
    """

    system: SentenceLevel
    gold: SentenceLevel
    mapping: Mapping[str, str]
    system_open: frozenset[str]
    gold_open: frozenset[str]


class DocumentLayers(NamedTuple):
    """The agreement of two files on the document level.

    counts: the counts of each layer that either file has, under the defined mappings.
    ranges: bounds on the matches under any best mappings.
    values: the relations that differ between mapped ends, with their numbers, under the defined
        mappings.
    """

    counts: Mapping[str, Counts]
    ranges: Mapping[str, Range]
    values: Counter[ValuePair]


class _Resolved(NamedTuple):
    """A triple with known ends. *is_open*: another best mapping may map one of them differently."""

    layer: str
    source: _End
    relation: str
    target: _End
    is_open: bool


#: A triple in terms of the gold standard.
_Image = tuple[str, _End, str, _End]

#: Replaces a sentence that one side lacks.
_NO_SENTENCE = SentenceLevel(0, 0, frozenset(), frozenset())


def paired_sentences(pair: GraphPair, score: PairScore) -> list[PairedSentence]:
    """Return the sentences of a scored pair of graphs."""
    best = score.best
    varying = None if best is None else best.some - best.every
    found = []
    for system, gold in zip_longest(pair.system.sentences, pair.gold.sentences):
        ours, theirs = _names(system), _names(gold)
        left = ours if varying is None else {one for one, _ in varying}
        right = theirs if varying is None else {other for _, other in varying}
        named = [(ours.get(one), theirs.get(other)) for one, other in score.mapping.items()]
        found.append(
            PairedSentence(
                _level(system, ours),
                _level(gold, theirs),
                {one: other for one, other in named if one is not None and other is not None},
                frozenset(written for name, written in ours.items() if name in left),
                frozenset(written for name, written in theirs.items() if name in right),
            )
        )
    return found


def document_layers(sentences: Sequence[PairedSentence]) -> DocumentLayers:
    """Return the agreement of two files on *sentences*, which are all that are compared."""
    counts: defaultdict[str, Counts] = defaultdict(lambda: NOTHING)
    ranges: defaultdict[str, Range] = defaultdict(Range)
    values: Counter[ValuePair] = Counter()
    partners: dict[_Node, _Node] = {
        (number, one): (number, other)
        for number, sentence in enumerate(sentences)
        for one, other in sentence.mapping.items()
    }
    mapped = set(partners.values())
    systems = _OneSide([(s.system, s.system_open) for s in sentences]).triples()
    golds = _OneSide([(s.gold, s.gold_open) for s in sentences]).triples()
    for ours, theirs in zip(systems, golds, strict=True):
        for layer in {triple.layer for triple in (*ours, *theirs)}:
            system = [triple for triple in ours if triple.layer == layer]
            gold = [triple for triple in theirs if triple.layer == layer]
            images = {image for triple in system if (image := _image(triple, partners))}
            matched = sum(triple[:4] in images for triple in gold)
            counts[layer] += Counts(matched, len(system), len(gold))
            ranges[layer] += _bounds(system, gold, images)
            values += Counter(_related_otherwise(images, gold, mapped))
    return DocumentLayers(counts, ranges, values)


def unequal(layer: str, ones: Iterable[str], others: Iterable[str]) -> Iterator[ValuePair]:
    """Yield the triples of one side alone, each beside a triple of the other side alone."""
    left, right = Counter(ones), Counter(others)
    sides = (sorted((left - right).elements()), sorted((right - left).elements()))
    for one, other in zip_longest(*sides):
        yield ValuePair(layer, one, other)


def _names(sentence: Sentence | None) -> dict[str, str]:
    """Return the names of the variables of a sentence in its file."""
    if sentence is None:
        return {}
    return {name: sentence.written.get(name, name) for name in sentence.variables}


def _level(sentence: Sentence | None, names: Mapping[str, str]) -> SentenceLevel:
    if sentence is None:
        return _NO_SENTENCE
    said = frozenset(
        Said(
            part_of_block(triple.kind),
            _text(triple.source),
            triple.relation,
            _text(triple.target),
        )
        for triple in sentence.document_level
    )
    return SentenceLevel(sentence.document, sentence.line, frozenset(names.values()), said)


def _text(end: Argument) -> str:
    """Return an end as the file has it."""
    return end.name.partition("#")[0] if isinstance(end, Variable) else end.text


class _OneSide:
    """The sentences of one file, with a way to resolve the ends of triples."""

    def __init__(self, sentences: Sequence[tuple[SentenceLevel, Collection[str]]]) -> None:
        """Take *sentences* with their open nodes."""
        self._sentences = sentences
        self._places: defaultdict[tuple[int, str], list[int]] = defaultdict(list)
        for number in sorted(range(len(sentences)), key=self._line):
            level, _ = sentences[number]
            for node in level.nodes:
                self._places[level.document, node].append(number)

    def triples(self) -> list[list[_Resolved]]:
        """Return the triples of each sentence."""
        return [
            [
                _Resolved(layer, source, relation, target, self._is_open(source, target))
                for layer, one, relation, other in sorted(level.said)
                for source, target in [(self._end(one, number), self._end(other, number))]
            ]
            for number, (level, _) in enumerate(self._sentences)
        ]

    def _end(self, text: str, number: int) -> _End:
        """Return the end *text* in a sentence; a node means that of the last sentence with it."""
        there = self._places.get((self._sentences[number][0].document, text))
        if there is None:
            return None if _NODE.fullmatch(text) else text
        before = [place for place in there if self._line(place) <= self._line(number)]
        return (before[-1] if before else there[0]), text

    def _is_open(self, *ends: _End) -> bool:
        nodes = [end for end in ends if isinstance(end, tuple)]
        return any(name in self._sentences[number][1] for number, name in nodes)

    def _line(self, number: int) -> int:
        return self._sentences[number][0].line


def _image(triple: _Resolved, partners: Mapping[_Node, _Node]) -> _Image | None:
    """Return a triple of the system in terms of the gold standard; None if an end is missing."""
    source, target = (partners.get(e) if isinstance(e, tuple) else e for e in triple[1:4:2])
    if source is None or target is None:
        return None
    return triple.layer, source, triple.relation, target


def _bounds(
    system: Collection[_Resolved], gold: Collection[_Resolved], images: Collection[_Image]
) -> Range:
    """Return bounds on the matches under all best mappings; they differ if ends are open.

    *images* are the triples of *system* under the defined mapping.
    """
    certain = sum(triple[:4] in images and not triple.is_open for triple in gold)
    more = min(sum(triple.is_open for triple in side) for side in (system, gold))
    return Range(certain, certain + more, len(system), len(gold))


def _related_otherwise(
    images: Iterable[_Image], gold: Iterable[_Resolved], mapped: Collection[_Node]
) -> Iterator[ValuePair]:
    """Yield the relations that only one side has between mapped nodes or constants."""
    relations: defaultdict[tuple[str, _End, _End], tuple[list[str], list[str]]]
    relations = defaultdict(lambda: ([], []))
    for layer, source, relation, target in images:
        relations[layer, source, target][0].append(relation)
    for layer, source, relation, target, _ in gold:
        nodes = [end for end in (source, target) if not isinstance(end, str)]
        if all(node in mapped for node in nodes):
            relations[layer, source, target][1].append(relation)
    for (layer, *_), (ones, others) in relations.items():
        yield from unequal(layer, ones, others)
