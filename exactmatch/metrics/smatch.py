"""Smatch (Cai and Knight 2013): the triples of an AMR as a profile counts them.

The paper (section 2) counts a conjunction of propositions: relation(variable, concept), which are
concepts and constants, and relation(variable, variable). The root is none of them; the program
that the authors later released counts it. Both are profiles.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from exactmatch.graph import MRP, PENMAN, Graph
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.amr_in_mrp import as_amr
from exactmatch.metrics.amr_labels import folded, labels
from exactmatch.problem import Pair
from exactmatch.triples import Duplicates, NormalisedGraph, NormalisedTriple


@dataclass(frozen=True, slots=True)
class Smatch(AlignmentMetric):
    """How two AMRs are compared.

    top: how the root counts: as a triple of its own with a constant value, as an attribute
        ``TOP`` that a role of the same name in the file matches, as a triple with the root's
        concept as value, or not at all.
    duplicates: a triple that is written twice counts once (set), at most as often as on the
        other side (multiset), or once for each pair of occurrences (product).
    strings: strings count whole, or only up to their first space.
    inverse: inverse roles (``ARG0-of``) are turned round wherever possible and whatever their
        case, once and in lower case only, or never. ``consist-of``, ``prep-on-behalf-of`` and
        ``prep-out-of`` are no inverses (penman's AMR model).
    mod: ``mod``, ``domain`` and their inverses are one relation, or only a plain ``mod`` is
        inverse ``domain``, or nothing is.
    inverse_constants: a constant under an inverse role is kept or dropped.
    case: letter case is folded as Unicode says, lowered, or kept.
    quotes: the quotes of strings are ignored or kept.
    underscores: underscores at the end are kept or stripped.
    surface_alignments: surface alignment marks (``~e.4``) are dropped, or kept as text.
    """

    name: ClassVar[str] = "smatch"
    title: ClassVar[str] = "Smatch"
    format: ClassVar[str] = PENMAN
    also: ClassVar[Sequence[str]] = (MRP,)
    parts: ClassVar[Sequence[str]] = ("instance", "relation", "attribute", "top")

    profiles: ClassVar[Mapping[str, "Smatch"]]

    top: Literal["constant", "attribute", "concept", "none"] = "constant"
    duplicates: Duplicates = "set"
    strings: Literal["whole", "first-word"] = "whole"
    inverse: Literal["restored", "once", "as-written"] = "restored"
    mod: Literal["unified", "plain", "separate"] = "unified"
    inverse_constants: Literal["keep", "drop"] = "keep"
    case: Literal["fold", "lower", "keep"] = "fold"
    quotes: Literal["ignore", "keep"] = "ignore"
    underscores: Literal["keep", "strip"] = "keep"
    surface_alignments: Literal["drop", "keep"] = "drop"

    def normalise(self, graph: Graph) -> NormalisedGraph:
        graph = as_amr(graph)
        triples = labels(self).normalised(graph)
        if self.top != "none":
            concepts = _concepts(triples) if self.top == "concept" else {}
            triples += [
                NormalisedTriple(_top_label(concepts.get(top, ""), self), (top,))
                for top in graph.tops
            ]
        return NormalisedGraph(tuple(graph.variables), triples)

    def likely(self, system: NormalisedGraph, gold: NormalisedGraph) -> Iterator[Pair]:
        by_concept = defaultdict(list)
        concepts = _concepts(gold.triples)
        for j, variable in enumerate(gold.variables):
            by_concept[concepts[variable]].append(j)
        concepts = _concepts(system.triples)
        for i, variable in enumerate(system.variables):
            for j in by_concept[concepts[variable]]:
                yield i, j


#: The propositions of Cai and Knight (2013, section 2): a set, and no root among them. The paper is
#: silent about inverse roles, case and the like, which are as in the default profile.
_PAPER_2013 = Smatch(profile="paper-2013", top="none")

#: What smatch 1.0.4 computes, where its search does not fail: the objective of its compute_pool
#: and compute_match on the triples that its parser makes (Cai and Knight 2013 and its code).
_SMATCH_1_0_4 = Smatch(
    profile="smatch-1.0.4",
    top="attribute",
    duplicates="product",
    strings="first-word",
    inverse="once",
    mod="plain",
    inverse_constants="drop",
    case="lower",
    underscores="strip",
    surface_alignments="keep",
)

#: Our own profile carries a version, which any change increases.
Smatch.profiles = {
    "default": Smatch(profile="default.1"),
    "paper-2013": _PAPER_2013,
    "smatch-1.0.4": _SMATCH_1_0_4,
}


def _concepts(triples: Iterable[NormalisedTriple]) -> dict[str, str]:
    """Return the concept of each variable."""
    return {t.variables[0]: t.name for t in triples if t.kind == "instance"}


def _top_label(concept: str, metric: Smatch) -> tuple[str, ...]:
    if metric.top == "attribute":
        return ("attribute", folded("TOP", metric), folded("top", metric))
    return ("top", concept) if metric.top == "concept" else ("top",)
