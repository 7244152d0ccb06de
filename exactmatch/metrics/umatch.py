"""umatch: the counts of juːmæʧ for UMR, under the mapping that is proven to be the best.

juːmæʧ (ufal/umrtools, ``compare_umr.pl``) ranked the shared task on UMR parsing of 2026. It
compares the values of every node: its concept, and each role with its value. Roles are compared as
written, strings without their quotes. A node is mapped only to one that shares a token with it or,
if both are aligned with none, has the same extended concept. Triples of the document level count
once in each sentence, whatever their block. juːmæʧ makes its links one-to-one by rules; here the
mapping is the best one that its links allow, in a whole document at once.

The profile ``umrtools-2026`` is juːmæʧ itself. It keeps one table of variables for a file, where
the last one of a name wins; with ``--scope document``, variables are those of their document. Our
reader also reads what the program's reader loses: concepts with ``#``, a value ``0`` at the end of
a line, and blocks that other empty lines separate than one in a sentence and two after it. Notes
name such sentences.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

from exactmatch.graphs.graph import (
    CONCEPT,
    UMR,
    Constant,
    DocumentTriple,
    Extent,
    Graph,
    Sentence,
    Triple,
    Variable,
)
from exactmatch.graphs.unicode_form import UnicodeForm, in_form
from exactmatch.metrics.alignment_based import INSTANCE, AlignmentMetric, of_one_concept
from exactmatch.metrics.base import Choice, Metric
from exactmatch.metrics.juumaetsh import UMRTOOLS_2026
from exactmatch.metrics.ngrams import PARAMETERS, check_roles, is_counted, take_lists
from exactmatch.metrics.triples import Duplicates, Label, NormalisedGraph, NormalisedTriple
from exactmatch.metrics.umr import document_relations as document_level
from exactmatch.metrics.umr.keys import plain, token_or_concept_keys
from exactmatch.problem import Pair


@dataclass(frozen=True, slots=True)
class Umatch(AlignmentMetric):
    """How the values of two UMR graphs are compared.

    top: whether the first node of a sentence counts once more as the top.
    document_level: triples of the document level count, and documents are compared as a whole; or
        they are left out, and sentences are compared one by one.
    unicode: canonically equivalent text is equal (Unicode's NFC), or text counts as written.
    only, excluding: names of roles without colon, with commas between them: only these count, or
        all but these. ``concept`` and ``TOP`` are role names here, too.
    """

    name: ClassVar[str] = "umatch"
    title: ClassVar[str] = "umatch"
    papers: ClassVar[Sequence[str]] = ("zeman-2026-umr",)
    unit: ClassVar[str] = "values"
    format: ClassVar[str] = UMR
    parts: ClassVar[Sequence[str]] = (
        "concept", "relation", "attribute", "top", "temporal", "modal", "coreference",
    )  # fmt: skip
    parameters: ClassVar[Sequence[str]] = (*PARAMETERS, "credits")
    profiles: ClassVar[Mapping[str, Metric]]

    top: Literal["none", "attribute"] = "none"
    document_level: Literal["count", "ignore"] = "count"
    unicode: UnicodeForm = "as-written"
    only: str = ""
    excluding: str = ""

    @property
    def duplicates(self) -> Duplicates:
        return "multiset"

    @property
    def extent(self) -> Extent:
        return "document" if self.document_level == "count" else "sentence"

    def with_choices(self, **choices: Choice) -> Self:
        """Return this metric with some choices changed, including *only* and *excluding*.

        Raises `UsageError` as the base does, and if no role is left.
        """
        lists: dict[str, Any] = take_lists(choices)
        changed = replace(AlignmentMetric.with_choices(self, **choices), **lists)
        check_roles(changed.only, changed.excluding)
        return changed

    def said(self) -> Sequence[str]:
        choices = AlignmentMetric.said(self)
        return [*choices, *(name for name in PARAMETERS if getattr(self, name))]

    def counts(self, role: str) -> bool:
        """Tell whether this role, or this relation of the document level, counts."""
        return is_counted(role, self.only, self.excluding)

    def normalise(self, graph: Graph) -> NormalisedGraph:
        graph = in_form(graph, self.unicode)
        keys = dict(token_or_concept_keys(graph))
        triples = []
        for number, sentence in enumerate(graph.sentences, start=1):
            triples += [_value(triple) for triple in sentence.triples if self._is_counted(triple)]
            if self.top == "attribute" and sentence.top and self.counts("TOP"):
                triples.append(NormalisedTriple(("top",), (sentence.top,)))
            if self.document_level == "count":
                found, itself = document_level.normalised(self._on_document_level(sentence), number)
                triples += found
                keys.update(itself)
        return NormalisedGraph(tuple(keys), triples, keys=keys)

    def labelled(self, role: str, value: str) -> Sequence[Label]:
        text = plain(Constant(value))
        return [("concept", text) if role == INSTANCE else ("attribute", role, text)]

    def likely(self, system: NormalisedGraph, gold: NormalisedGraph) -> Iterator[Pair]:
        concepts, gold_concepts = (_concepts(graph) for graph in (system, gold))
        return of_one_concept(system, gold, concepts, gold_concepts)

    def _is_counted(self, triple: Triple) -> bool:
        relation, (_, value, *_), _ = triple
        is_empty = isinstance(value, Constant) and not plain(value)
        return not is_empty and self.counts("concept" if relation == CONCEPT else relation)

    def _on_document_level(self, sentence: Sentence) -> Iterator[DocumentTriple]:
        """Yield the triples of a sentence that count, whatever their block."""
        for triple in sentence.document_level:
            if self.counts(triple.relation):
                yield triple._replace(kind=document_level.part_of_relation(triple.relation))


def _concepts(graph: NormalisedGraph) -> dict[str, Label]:
    """Return the label of the concept of each variable, as far as concepts count."""
    return {t.variables[0]: t.label for t in graph.triples if t.kind == "concept"}


def _value(triple: Triple) -> NormalisedTriple:
    relation, (source, value, *_), _ = triple
    assert isinstance(source, Variable)
    if isinstance(value, Variable):
        return NormalisedTriple(("relation", relation), (source.name, value.name))
    if relation == CONCEPT:
        return NormalisedTriple(("concept", value.text), (source.name,))
    return NormalisedTriple(("attribute", relation, plain(value)), (source.name,))


#: The objective of juːmæʧ, with a version that changes increase.
#: The first one compared text as written.
_DEFAULT_1 = Umatch(profile="umatch.1")

#: The objective, and the score of its program.
Umatch.profiles = {
    "default": replace(_DEFAULT_1, profile="umatch.2", unicode="nfc"),
    "umrtools-2026": UMRTOOLS_2026,
}

Umatch.former = (_DEFAULT_1,)
