"""S2match: Smatch with graded similarity of concepts.

Opitz, Parcalabescu and Frank (2020), *AMR Similarity Metrics from Principles*, section 4: the match
of two instance triples under a mapping is the similarity of their concepts, from 0 to 1 (equations
6 to 8). All other triples match in full or not at all, including the root with its concept. This is
the profile ``paper``; ``default`` also compares canonically equivalent text as equal. ``paper`` is
also called ``opitz-2020``, as is the profile of Smatch that counts the same triples. The profile
``program`` counts what the authors' program counts: there, the match of roots is the similarity of
their concepts, too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar, Literal, Self

from exactmatch.errors import UsageError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.words import Classes, SimilarityTable, Synonyms
from exactmatch.metrics.amr.amr_metric import AmrMetric, last_of_parallel
from exactmatch.metrics.similarity import (
    PARTS,
    ConceptRules,
    Lookup,
    Senses,
    Similarity,
    Threshold,
)
from exactmatch.metrics.triples import Label, NormalisedGraph
from exactmatch.stopping.deadline import NEVER, Deadline

if TYPE_CHECKING:
    from exactmatch.graphs.camr_places import SentenceLengths

#: No two words are similar, and no two senses of a word.
_NOTHING_SIMILAR = Similarity(SimilarityTable("", {}), sense_factor=Fraction(0))


@dataclass(frozen=True, slots=True)
class S2match(AmrMetric):
    """How two AMRs are compared; see `AmrMetric` for the other choices.

    Similarities are rounded to the nearest part in `scale`; proofs are about the rounded ones.

    top: as in `AmrMetric`; figures 7 and 11 of the paper count the root with its concept.
    graded: only instance triples match in part, or the root as well (if its concept counts).
    threshold, senses, lookup: as in `ConceptRules`.
    parallel: relations between the same variables, and attributes of the same variable and name,
        are kept, or only the last of them is.
    similarity: the similarity of concepts, without which nothing can be compared.
    """

    name: ClassVar[str] = "s2match"
    title: ClassVar[str] = "S2match"
    papers: ClassVar[Sequence[str]] = ("opitz-2020-s2match",)
    scale: ClassVar[int] = PARTS
    takes: ClassVar[Sequence[str]] = ("similarity",)
    needs: ClassVar[Sequence[str]] = ("similarity",)
    profiles: ClassVar[Mapping[str, "S2match"]]

    top: Literal["constant", "attribute", "concept", "none"] = "concept"
    graded: Literal["instances", "instances-and-root"] = "instances"
    threshold: Threshold = "included"
    senses: Senses = "one-word"
    lookup: Lookup = "concept-or-word"
    parallel: Literal["keep", "last"] = "keep"
    similarity: Similarity | None = None

    def normalise(self, graph: Graph) -> NormalisedGraph:
        graph_of_all = AmrMetric.normalise(self, graph)
        return graph_of_all if self.parallel == "keep" else last_of_parallel(graph_of_all)

    def similar(
        self, system: NormalisedGraph, gold: NormalisedGraph, deadline: Deadline = NEVER
    ) -> dict[tuple[Label, Label], int]:
        if self.similarity is None:
            raise UsageError("s2match needs word vectors or similarities of concepts")
        rules = ConceptRules(self.threshold, self.senses, self.lookup)
        labels = [{triple.label for triple in graph.triples} for graph in (system, gold)]
        credits = dict(AmrMetric.similar(self, system, gold))
        for kind in self._graded_kinds():
            left, right = (sorted(b for b in side if b[0] == kind and b[1:]) for side in labels)
            ones, others = ([label[1] for label in side] for side in (left, right))
            for i, j, credit in self.similarity.alike(ones, others, rules, deadline):
                both = left[i], right[j]
                credits[both] = max(credit, credits.get(both, 0))
        return credits

    def similar_kinds(self) -> Sequence[str]:
        return [*dict.fromkeys((*self._graded_kinds(), *AmrMetric.similar_kinds(self)))]

    def _graded_kinds(self) -> Sequence[str]:
        return ("instance",) if self.graded == "instances" else ("instance", "top")

    def symbolic(self) -> Self:
        return replace(self, similarity=_NOTHING_SIMILAR, credits=None)

    def with_words(
        self,
        *,
        similarity: Similarity | None = None,
        synonyms: Synonyms | None = None,
        classes: Classes | None = None,
        lengths: "SentenceLengths | None" = None,
    ) -> Self:
        if similarity is None:
            raise UsageError(
                "s2match needs --vectors or --similarity, in Python those of exactmatch.metric"
            )
        return replace(self, similarity=similarity)

    def files(self) -> Mapping[str, str]:
        table = AmrMetric.files(self)
        if self.similarity is None:
            return table
        return {**table, **self.similarity.parameters(), "scale": str(self.scale)}


#: The equations, on text as written; a change increases the version.
_PAPER = S2match(profile="s2match.3")

#: What the authors' program computes, apart from search errors, on a copy of an old Smatch.
_PROGRAM = S2match(
    profile="program",
    strings="first-word",
    inverse="once",
    mod="separate",
    inverse_constants="drop",
    case="lower",
    surface_alignments="keep",
    graded="instances-and-root",
    threshold="excluded",
    senses="all",
    lookup="word-and-plural",
    parallel="last",
)

S2match.profiles = {
    "default": replace(_PAPER, profile="s2match.4", unicode="nfc"),
    "paper": _PAPER,
    "opitz-2020": _PAPER,  # beside the profile of Smatch that counts the same triples
    "program": _PROGRAM,
}
