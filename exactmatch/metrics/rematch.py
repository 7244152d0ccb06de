"""Rematch: the common motifs of two AMRs (Kachwala, An, Kwak and Menczer 2024).

Zoher Kachwala, Jisun An, Haewoon Kwak and Filippo Menczer. 2024. *REMATCH: Robust and Efficient
Matching of Local Knowledge Graphs to Improve Structural and Semantic Similarity.* Findings of
NAACL 2024. A graph is a set of motifs:

* of attributes: a role and its value, for each attribute of a node;
* of instances: the concept of a node with each of these; alone, if the node has no attribute;
* of relations: a motif of the source's instance, the role, and one of the target's, for each
  relation and all such motifs of both ends.

The score of a pair is |A & B| / |A | B|; the score of a corpus is the sum of the numerators divided
by the sum of the denominators, and 0 if nothing is in common. Roots do not count, and nodes with
equal neighbourhoods are not distinguished. The paper replaces concepts by their classes in
VerbAtlas; here ``--classes`` names a file of classes, and without it concepts stand for themselves.

Profile ``program`` reproduces the score of each pair by the authors' program.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal, Self, TypeAlias

from exactmatch.errors import InputError
from exactmatch.graphs.graph import CAMR, MRP, PENMAN, UMR, Graph
from exactmatch.graphs.unicode_form import UnicodeForm, in_form
from exactmatch.graphs.words import Classes
from exactmatch.metrics.amr.as_amr import as_amr
from exactmatch.metrics.amr.labels import labels
from exactmatch.metrics.base import AlignmentFreeMetric, Measurement, Statistics
from exactmatch.metrics.counts import NOTHING, Counts, Figures
from exactmatch.metrics.smatch import Smatch
from exactmatch.stopping.deadline import looking

if TYPE_CHECKING:
    from exactmatch.graphs.camr_places import SentenceLengths
    from exactmatch.graphs.words import Synonyms
    from exactmatch.metrics.similarity import Similarity

Motif: TypeAlias = tuple[object, ...]

#: The largest number of motifs of relations in a graph: more would take gigabytes.
MOST_MOTIFS = 4_000_000

_KINDS = ("attribute", "instance", "relation")

#: The triples that the program reads. Values and names of attributes are folded afterwards, names
#: of relations are not.
_READ_BY_PROGRAM = Smatch.profiles["smatch-1.0.4"].with_choices(case="keep", underscores="keep")
_READINGS = {
    "default": Smatch.profiles["default"].with_choices(unicode="as-written"),
    "smatch-1.0.4": _READ_BY_PROGRAM,
}
#: The program drops attributes with this value, since they may be the root.
_ROOT = "top"


@dataclass(frozen=True, slots=True)
class Rematch(AlignmentFreeMetric):
    """How the motifs of two AMRs are compared.

    reading: the triples are those of the named profile of smatch: with whole strings and all
        inverse roles turned around, or as the authors' program reads them. The program also drops
        attributes with the value ``top``, and distinguishes letter case in the names of relations.
    multiplicity: a repeated motif counts once (set), or as often as on both sides (multiset).
    unicode: canonically equivalent text is equal (Unicode's NFC), or text counts as written.
    classes: the classes of concepts; None if concepts stand for themselves.
    """

    name: ClassVar[str] = "rematch"
    title: ClassVar[str] = "Rematch"
    papers: ClassVar[Sequence[str]] = ("kachwala-2024-rematch",)
    unit: ClassVar[str] = "motifs"
    format: ClassVar[str] = PENMAN
    also: ClassVar[Sequence[str]] = (MRP, UMR, CAMR)
    takes: ClassVar[Sequence[str]] = ("classes",)
    profiles: ClassVar[Mapping[str, "Rematch"]]

    reading: Literal["default", "smatch-1.0.4"] = "default"
    multiplicity: Literal["set", "multiset"] = "set"
    unicode: UnicodeForm = "as-written"
    classes: Classes | None = None

    def measure(self, system: Graph, gold: Graph) -> Measurement:
        graphs = (in_form(as_amr(graph), self.unicode) for graph in (system, gold))
        left, right = map(self._motifs, graphs)
        parts = {}
        for kind in _KINDS:
            parts[f"{kind} motifs"] = Counts.in_common(left[kind], right[kind])
        every = sum(parts.values(), NOTHING)
        return Measurement(
            Statistics(every.matched, every.matched, every.system_total, every.gold_total, parts)
        )

    def figures(self, statistics: Statistics) -> Figures:
        union = statistics.system_total + statistics.gold_total - statistics.matched
        return Figures(statistics.matched / union if union else 0.0, "Jaccard index")

    def signature(self, search: str = "") -> str:
        classes = "none" if self.classes is None else self.classes.digest[:12]
        said = (
            f"{self.name}|reading:{self.reading}|multiplicity:{self.multiplicity}|classes:{classes}"
        )
        return self._with_form(said)

    def with_words(
        self,
        *,
        similarity: "Similarity | None" = None,
        synonyms: "Synonyms | None" = None,
        classes: Classes | None = None,
        lengths: "SentenceLengths | None" = None,
    ) -> Self:
        return replace(self, classes=classes)

    def _motifs(self, graph: Graph) -> Mapping[str, Counter[Motif]]:
        """Return the motifs of each kind, and how often each counts.

        Raises `InputError` for more than `MOST_MOTIFS` motifs.
        """
        # Complex: a branch for each kind of triple, a comprehension for each kind of motif.
        concepts: dict[str, str] = {}
        attributes: defaultdict[str, list[Motif]] = defaultdict(list)
        relations: list[tuple[str, str, str]] = []
        for (kind, *names), variables in labels(_READINGS[self.reading].label_choices).normalised(
            graph
        ):
            if kind == "instance":
                concepts[variables[0]] = self._concept(names[0])
            elif kind == "relation":
                relations.append((variables[0], names[0], variables[1]))
            elif names[1] != _ROOT or self.reading == "default":
                attributes[variables[0]].append(tuple(map(self._folded, names)))
        instances: dict[str, list[Motif]] = {
            variable: [(concept, motif) for motif in attributes[variable]] or [(concept,)]
            for variable, concept in concepts.items()
        }
        sizes = (len(instances[source]) * len(instances[end]) for source, _, end in relations)
        if sum(sizes) > MOST_MOTIFS:
            where = f"{graph.location.source}:{graph.location.line}"
            raise InputError(f"{where}: more than {MOST_MOTIFS:,} motifs, too many to count")
        return {
            "attribute": self._counted(m for motifs in attributes.values() for m in motifs),
            "instance": self._counted(m for motifs in instances.values() for m in motifs),
            "relation": self._counted(
                (one, role, other)
                for source, role, target in relations
                for one in instances[source]
                for other in instances[target]
            ),
        }

    def _counted(self, motifs: Iterator[Motif]) -> Counter[Motif]:
        motifs = looking(motifs)
        return Counter(looking(set(motifs)) if self.multiplicity == "set" else motifs)

    def _concept(self, text: str) -> str:
        concept = self._folded(text)
        return concept if self.classes is None else self.classes.of(concept)

    def _folded(self, text: str) -> str:
        return text.lower().rstrip("_") if self.reading == "smatch-1.0.4" else text


#: Our own profile carries a version, which any change increases.
Rematch.profiles = {
    "default": Rematch(profile="rematch.2", unicode="nfc"),
    "program": Rematch(profile="program", reading="smatch-1.0.4"),
}
