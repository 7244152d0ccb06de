"""S2match: Smatch with graded similarity of concepts.

Opitz, Parcalabescu and Frank (2020), *AMR Similarity Metrics from Principles*, section 5: two
concepts under a mapping match as far as they are similar, from 0 to 1, and so do the concepts of
the roots; relations and attributes match in full or not at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self

from exactmatch.errors import UsageError
from exactmatch.metrics.similarity import Similarity
from exactmatch.metrics.smatch import Smatch
from exactmatch.triples import Label, NormalisedGraph
from exactmatch.words import Synonyms

#: The kinds of triples that say a concept.
_GRADED = ("instance", "top")


@dataclass(frozen=True, slots=True)
class S2match(Smatch):
    """How two AMRs are compared; see `Smatch` for the choices.

    Similarities are rounded to the nearest part in `scale`; what is proven is proven of those.

    similarity: of concepts; nothing can be compared without it.
    """

    name: ClassVar[str] = "s2match"
    title: ClassVar[str] = "S2match"
    scale: ClassVar[int] = 1000
    takes: ClassVar[Sequence[str]] = ("similarity",)
    profiles: ClassVar[Mapping[str, "S2match"]]

    # The authors' program has the root's concept as its value, as Smatch had before 1.0.3.
    top: Literal["constant", "attribute", "concept", "none"] = "concept"
    similarity: Similarity | None = None

    def similar(
        self, system: NormalisedGraph, gold: NormalisedGraph
    ) -> dict[tuple[Label, Label], int]:
        if self.similarity is None:
            raise UsageError("s2match needs word vectors or similarities of concepts")
        labels = [{triple.label for triple in graph.triples} for graph in (system, gold)]
        found = {}
        for kind in _GRADED:
            left, right = (sorted(b for b in side if b[0] == kind and b[1:]) for side in labels)
            for i, j, alike in self.similarity.alike([b[1] for b in left], [b[1] for b in right]):
                credit = (2 * alike * self.scale + 1) // 2
                if credit > 0:
                    found[left[i], right[j]] = int(credit)
        return found

    def with_words(
        self, *, similarity: Similarity | None = None, synonyms: Synonyms | None = None
    ) -> Self:
        if similarity is None:
            raise UsageError(
                "s2match needs --vectors or --similarity, in Python those of exactmatch.metric"
            )
        return replace(self, similarity=similarity)

    def files(self) -> Mapping[str, str]:
        if self.similarity is None:
            return {}
        return {**self.similarity.parameters(), "scale": str(self.scale)}


S2match.profiles = {"default": S2match(profile="s2match.1")}
