"""juːmæʧ as its program computes it: values of nodes under a mapping made by rules.

juːmæʧ (ufal/umrtools, ``compare_umr.pl``) ranked the shared task on UMR parsing of 2026.
`exactmatch.metrics.umatch` describes what it counts, `exactmatch.metrics.umr.mapping_rules` how it
maps nodes.

The program identifies variables by their names in the file, and keeps one table of them for the
whole file. Files join several documents in which names recur: the last variable of a name wins, and
triples of the document level refer to it, even if its sentence is not mapped yet. So a file need
not score 1 against itself, and swapping two files can change all counts. If a graph is damaged, its
nodes are not in the table, and the surface alignments, the document level, the top and the extended
concepts of the sentence are lost; if the surface alignments are damaged, the document level is
lost. It stops reading a part at its first fault, where our reader loses only a line, or nothing
(`Sentence.before_faults`). A triple of the system is in its total only if it matches, or if its own
image does not.

What its reader loses by its own format of files is read here all the same; notes name the sentences
(`exactmatch.metrics.umr.program_reading`).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple, Self

from exactmatch.errors import InputError
from exactmatch.graphs.graph import UMR, Extent, Graph, Sentence
from exactmatch.metrics.base import (
    MAPPED_BY_RULES,
    AlignmentFreeMetric,
    Choice,
    Measurement,
    Statistics,
)
from exactmatch.metrics.counts import NOTHING, Counts
from exactmatch.metrics.ngrams import PARAMETERS, check_roles, is_counted, take_lists
from exactmatch.metrics.umr import program_reading
from exactmatch.metrics.umr.mapped_document import (
    ByName,
    ByVariable,
    DocumentImages,
    document_level_counts,
)
from exactmatch.metrics.umr.mapped_sentence import MappedSentence
from exactmatch.metrics.umr.mapping_rules import MOST_LINKS, TooManyLinks
from exactmatch.metrics.umr.nodes import Nodes, names_of, nodes_of


class SentenceCounts(NamedTuple):
    """The counts of a sentence by part, and the counts shown beside the score, by name.

    mapping: variables of the system to those of the gold standard.
    """

    parts: Mapping[str, Counts]
    beside: Mapping[str, Counts]
    mapping: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class JuumaetshMetric(AlignmentFreeMetric):
    """How the program compares two UMR files.

    top: the first node of a sentence has one more value, or not.
    document_level: its triples count, or are left out.
    scope: names of variables belong to the file, with all consequences above; or to the document,
        where only damaged parts are lost.
    only, excluding: see `exactmatch.metrics.ngrams`; ``concept`` and ``TOP`` are role names here,
        too.
    """

    name: ClassVar[str] = "umatch"
    title: ClassVar[str] = "juːmæʧ"
    unit: ClassVar[str] = "values"
    format: ClassVar[str] = UMR
    parts: ClassVar[Sequence[str]] = ("concept", "relation", "attribute", "top", "document level")
    parameters: ClassVar[Sequence[str]] = PARAMETERS
    unproven: ClassVar[str] = MAPPED_BY_RULES

    profile: str = "umrtools-2026"
    top: Literal["none", "attribute"] = "none"
    document_level: Literal["count", "ignore"] = "count"
    scope: Literal["file", "document"] = "file"
    only: str = ""
    excluding: str = ""

    @property
    def extent(self) -> Extent:
        if self.scope == "file":
            return "file"
        return "document" if self.document_level == "count" else "sentence"

    def with_choices(self, **choices: Choice) -> Self:
        """Return this metric with some choices changed, including *only* and *excluding*.

        Raises `UsageError` as the base does, and if no role is left.
        """
        lists: dict[str, Any] = take_lists(choices)
        changed = replace(AlignmentFreeMetric.with_choices(self, **choices), **lists)
        check_roles(changed.only, changed.excluding)
        return changed

    def signature(self, search: str = "") -> str:
        named = [*self.choices(), *(name for name in PARAMETERS if getattr(self, name))]
        choices = (f"{name.replace('_', '-')}:{getattr(self, name)}" for name in named)
        return "|".join((self.name, f"profile:{self.profile}", *choices))

    def counts(self, role: str) -> bool:
        """Tell whether the values of a role, or triples of this relation, count."""
        return is_counted(role, self.only, self.excluding)

    def unlike_program(self, graph: Graph) -> Sequence[str]:
        return [*program_reading.unlike_program(graph)] if self.scope == "file" else []

    def measure(self, system: Graph, gold: Graph) -> Measurement:
        counts: defaultdict[str, Counts] = defaultdict(lambda: NOTHING)
        every = NOTHING
        mapping: dict[str, str] = {}
        for found in self.sentences(system, gold):
            every = sum(found.parts.values(), every)
            for part, counted in {**found.parts, **found.beside}.items():
                counts[part] += counted
            mapping.update(found.mapping)
        totals = (every.matched, every.matched, every.system_total, every.gold_total)
        return Measurement(Statistics(*totals, dict(counts)), mapping)

    def sentences(self, system: Graph, gold: Graph) -> Iterator[SentenceCounts]:
        """Yield the counts of each sentence, as long as both graphs have sentences."""
        system, gold = _before_faults(system), _before_faults(gold)
        mapped = [
            self._mapped(ours, theirs, gold.location.source)
            for ours, theirs in zip(system.sentences, gold.sentences, strict=False)
        ]
        mappings = [sentence.variables() for sentence in mapped]
        documents = self._document_levels(system, gold, mappings)
        for position, (sentence, mapping) in enumerate(zip(mapped, mappings, strict=True)):
            parts = dict(sentence.parts())
            if self.document_level == "count":
                counted = document_level_counts(*documents, position, self.counts)
                parts["document level"] = counted
            beside = {
                "token sets": sentence.token_sets(),
                "mapped nodes": sentence.mapped_nodes(),
                "values in mapped nodes": sentence.mapped_values(),
            }
            yield SentenceCounts(parts, beside, _inverse(mapping))

    def _mapped(self, ours: Sentence, theirs: Sentence, source: str) -> MappedSentence:
        """Return a sentence of both sides. Raises `InputError` if it is too large for the rules."""
        nodes = self._nodes(theirs), self._nodes(ours)
        try:
            return MappedSentence(*nodes, len(theirs.tokens), self.counts)
        except TooManyLinks:
            raise InputError(
                f"{source}:{theirs.line}: sentence {theirs.number}: more than {MOST_LINKS:,} pairs "
                "of nodes share a token or a concept, too many for the rules of juːmæʧ"
            ) from None

    def _nodes(self, sentence: Sentence) -> Nodes:
        is_lost = self.scope == "file" and "graph" in sentence.damaged
        return nodes_of(sentence, top=self.top == "attribute", graph_alone=is_lost)

    def _document_levels(
        self, system: Graph, gold: Graph, mappings: Sequence[Mapping[str, str]]
    ) -> "tuple[DocumentImages[Any], DocumentImages[Any]]":
        """Return the document levels of system and gold standard."""
        forth = {variable: other for mapping in mappings for variable, other in mapping.items()}
        back = _inverse(forth)
        if self.scope == "document":
            return ByVariable(system, back), ByVariable(gold, forth)
        ours, theirs = names_of(system), names_of(gold)
        return (
            ByName(system, {variable: theirs[other] for variable, other in back.items()}),
            ByName(gold, {variable: ours[other] for variable, other in forth.items()}),
        )


def _before_faults(graph: Graph) -> Graph:
    return graph._replace(sentences=tuple(one.before_faults() for one in graph.sentences))


def _inverse(mapping: Mapping[str, str]) -> dict[str, str]:
    return {other: variable for variable, other in mapping.items()}


#: What the program computes.
UMRTOOLS_2026 = JuumaetshMetric()
