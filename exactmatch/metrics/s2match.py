"""S2match: Smatch with graded similarity of concepts.

Opitz, Parcalabescu and Frank (2020), *AMR Similarity Metrics from Principles*, section 5: two
concepts under a mapping match as far as they are similar, from 0 to 1, and so do the concepts of
the roots; relations and attributes match in full or not at all.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from exactmatch.errors import UsageError
from exactmatch.metrics.similarity import Similarity
from exactmatch.metrics.smatch import SmatchProfile
from exactmatch.triples import ItemGraph, Label

#: The kinds of triples that say a concept.
_GRADED = ("instance", "top")


@dataclass(frozen=True, slots=True)
class S2matchProfile(SmatchProfile):
    """How two AMRs are compared; see `SmatchProfile` for the choices.

    Similarities are rounded to the nearest part in `scale`; what is proven is proven of those.

    similarity: of concepts; nothing can be compared without it.
    """

    metric: ClassVar[str] = "s2match"
    title: ClassVar[str] = "S2match"
    scale: ClassVar[int] = 1000

    # The authors' program has the root's concept as its value, as Smatch had before 1.0.3.
    top: Literal["constant", "attribute", "concept", "none"] = "concept"
    similarity: Similarity | None = None

    def similar(self, test: ItemGraph, gold: ItemGraph) -> dict[tuple[Label, Label], int]:
        if self.similarity is None:
            raise UsageError("s2match needs word vectors or similarities of concepts")
        labels = [{item.label for item in graph.items} for graph in (test, gold)]
        found = {}
        for kind in _GRADED:
            left, right = (sorted(b for b in side if b[0] == kind and b[1:]) for side in labels)
            for i, j, alike in self.similarity.alike([b[1] for b in left], [b[1] for b in right]):
                credit = (2 * alike * self.scale + 1) // 2
                if credit > 0:
                    found[left[i], right[j]] = int(credit)
        return found

    def with_similarity(self, similarity: Similarity | None) -> "S2matchProfile":
        """Return this profile with another similarity of concepts."""
        return replace(self, similarity=similarity)

    def label(self) -> str:
        return f"{self.metric}|{self.signature()}"

    def signature(self) -> str:
        found = super(S2matchProfile, self).signature()
        if self.similarity is not None:
            found += f"|{self.similarity.signature()}|scale:{self.scale}"
        return found


S2matchProfile.known = {"default": S2matchProfile(name="s2match.1")}
