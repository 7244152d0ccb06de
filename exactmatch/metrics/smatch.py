"""Smatch (Cai and Knight 2013): the triples of an AMR as a profile counts them.

The paper (section 2) counts a conjunction of propositions: relation(variable, concept), which are
concepts and constants, and relation(variable, variable). The root is none of them; the program
that the authors later released counts it. Both are profiles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from exactmatch.metrics.amr_based import AmrMetric
from exactmatch.standardisation import steps
from exactmatch.standardisation.steps import Triples


@dataclass(frozen=True, slots=True)
class Smatch(AmrMetric):
    """How two AMRs are compared; see `AmrMetric` for the other choices.

    senses: the numbers of senses (``-01``) are kept, or taken off the concepts.
    """

    name: ClassVar[str] = "smatch"
    title: ClassVar[str] = "Smatch"
    profiles: ClassVar[Mapping[str, "Smatch"]]
    as_written: ClassVar[Mapping[str, str]] = {**AmrMetric.as_written, "senses": "keep"}

    senses: Literal["keep", "drop"] = "keep"

    def standardised(self, graph: Triples, tops: Sequence[str]) -> Triples:
        graph = AmrMetric.standardised(self, graph, tops)
        return steps.without_senses(graph) if self.senses == "drop" else graph


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

#: What docSmatch counts (IBM/docAMR): the same, but that variables of different sentences of a
#: document are not mapped to each other.
_DOCSMATCH = replace(_SMATCH_1_0_4, profile="docsmatch", sentences="aligned-docsmatch")

#: What smatch++ 1.8.0 (Opitz 2023) counts, where its search does not fail, on the triples that its
#: transformations make: its graph type ``generic`` ...
_SMATCHPP_GENERIC = Smatch(
    profile="smatchpp-1.8-generic",
    duplicates="multiset",
    inverse="all",
    mod="separate",
    case="lower",
    quotes="delete",
    surface_alignments="keep",
)

#: ... and its graph type ``amr``.
_SMATCHPP_AMR = Smatch(
    profile="smatchpp-1.8-amr",
    top="concept",
    inverse="all",
    case="lower",
    quotes="delete",
    surface_alignments="keep",
    reification="collapse",
    reification_table="smatchpp-1.8",
)

#: Our own profile carries a version, which any change increases.
Smatch.profiles = {
    "default": Smatch(profile="default.1"),
    "paper-2013": _PAPER_2013,
    "smatch-1.0.4": _SMATCH_1_0_4,
    "docsmatch": _DOCSMATCH,
    "smatchpp-1.8-generic": _SMATCHPP_GENERIC,
    "smatchpp-1.8-amr": _SMATCHPP_AMR,
}
