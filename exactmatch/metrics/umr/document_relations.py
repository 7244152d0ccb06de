"""The document level of UMR as triples between nodes of one sentence or several."""

from collections.abc import Iterable, Mapping

from exactmatch.graphs.graph import DocumentTriple, Variable
from exactmatch.metrics.triples import Label, NormalisedGraph, NormalisedTriple

#: The blocks of the document level, as parts of a score; the keys are their written names.
PARTS: Mapping[str, str] = {"temporal": "temporal", "modal": "modal", "coref": "coreference"}

#: The relations of the blocks, except those of the modal block, of which there are many.
_TEMPORAL = frozenset(
    {"before", "after", "contained", "contains", "includes", "overlap", "depends-on"}
)
_COREFERENCE = frozenset({"same-entity", "same-event", "subset-of", "subset"})

#: The variable that stands for a sentence: no name in a file has a space.
_SENTENCE = "[sentence {}]"
#: Stands for a variable in the label of a triple; no constant has a space, either.
_VARIABLE = "[a variable]"


def part_of_relation(relation: str) -> str:
    """Return the part to which a relation belongs, in any block."""
    if relation in _TEMPORAL:
        return "temporal"
    return "coreference" if relation in _COREFERENCE else "modal"


def part_of_block(kind: str) -> str:
    """Return the part to which the triples of a block belong; an unknown block is its own part."""
    return PARTS.get(kind, kind)


def normalised(
    triples: Iterable[DocumentTriple], number: int
) -> tuple[list[NormalisedTriple], Mapping[str, tuple[str, ...]]]:
    """Return *triples* of the sentence *number*, with their parts as kinds.

    Triples of constants alone refer to the sentence itself, a variable that is returned with its
    key, if there are such triples: they match if both sentences have them.
    """
    itself = _SENTENCE.format(number)
    relations = []
    for kind, source, relation, target in dict.fromkeys(triples):
        ends = (source, target)
        named = (_VARIABLE if isinstance(end, Variable) else end.text for end in ends)
        variables = tuple(end.name for end in ends if isinstance(end, Variable))
        label = (kind, relation, *named, str(number))
        relations.append(NormalisedTriple(label, variables or (itself,)))
    is_there = any(triple.variables == (itself,) for triple in relations)
    return relations, {itself: (itself,)} if is_there else {}


def mapped_sentences(system: NormalisedGraph, gold: NormalisedGraph) -> dict[str, str]:
    """Return the mapping of variables that stand for sentences: to the same sentence."""
    start, _, _ = _SENTENCE.partition("{")
    theirs = set(gold.variables)
    return {v: v for v in system.variables if v.startswith(start) and v in theirs}


def worded(label: Label) -> Label:
    """Return the label of a triple of the document level for people: its relation and constants."""
    if label[0] not in PARTS.values() or len(label) < 5:
        return label
    kind, relation, source, target, _, *copy = label
    return (kind, relation, *(end for end in (source, target) if end != _VARIABLE), *copy)
