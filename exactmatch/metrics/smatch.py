"""Smatch (Cai and Knight 2013): the triples of an AMR as a profile counts them.

The paper (section 2) counts a conjunction of propositions: relation(variable, concept), which
covers concepts and constants, and relation(variable, variable). The root is none of them, but the
program that the authors released later counts it. Both are profiles.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Literal

from exactmatch.errors import UsageError
from exactmatch.graphs.graph import BOX, REFERENT, SBN, Graph, IllFormedPolicy, Mending
from exactmatch.graphs.unicode_form import in_form
from exactmatch.metrics.amr.amr_metric import AmrMetric, last_of_parallel, top_label
from exactmatch.metrics.triples import NormalisedGraph

if TYPE_CHECKING:
    from exactmatch.metrics.amr.numbered_labels import NumberedLabels
    from exactmatch.metrics.amr.standardise import Triples

#: The candidates of a variable, if boxes and concepts are kept apart.
_SORTS = {BOX: "box", REFERENT: "concept"}


@dataclass(frozen=True, slots=True, repr=False, eq=False)  # like the base
class Smatch(AmrMetric):
    """How two AMRs are compared; see `AmrMetric` for the other choices.

    senses: the numbers of senses (``-01``) are kept, or removed from the concepts.

    unclosed: a graph in PENMAN without its last parentheses is an error, or they are added, as
        smatch does, after another parenthesis.
    blanks: words of PENMAN are divided at blanks of ASCII, as in penman; or a text with other
        blanks is read as smatch 1.0.4 reads it, also its strings. If closing parentheses are added,
        so is a text that penman refuses for its blanks, its invisible characters or its marks.
    parallel: relations between the same variables, and attributes of the same variable and name,
        are kept, or only the last of them is. In SBN, *parallel_edges* says so.
    root_distance: all triples count alike, or by weights that fall with the distance from the
        root, or only those near the root (see `exactmatch.metrics.amr.root_distance`).

    All others are for graphs of SBN (see `exactmatch.metrics.amr.from_sbn`).

    concepts: ``male.n.02`` is one concept, or one without its number, or it is a node ``synset``
        with lemma, part of speech and number as attributes.
    boxes: edges from a box to the concepts in it count, or do not.
    of_roles: the six roles that the published programs turn around are inverses, or all whose names
        end in ``Of``, or none.
    parallel_edges: of several edges from one node to another all count, or the last.
    unreachable: nodes that the root does not reach are kept or dropped.
    box_mapping: boxes are mapped to boxes and concepts to concepts, or all to any.
    tabs: a concept is compared without the tabs that indentation leaves behind it, or with them, as
        many as the node is deep.
    ill_formed, gold_ill_formed: how a pair with an ill-formed system graph, or gold graph, is
        treated (see `exactmatch.graphs.graph.Treatment`).
    """

    name: ClassVar[str] = "smatch"
    title: ClassVar[str] = "Smatch"
    papers: ClassVar[Sequence[str]] = ("cai-2013-smatch",)
    profile_papers: ClassVar[Mapping[str, Sequence[str]]] = {
        "opitz-2020": ("opitz-2020-s2match",),
        "docsmatch": ("naseem-2022-docamr",),
        "pmb-5": ("poelman-2022-ud-boxer",),
        "pmb-5-tabs": ("poelman-2022-ud-boxer",),
        "ud-boxer": ("poelman-2022-ud-boxer",),
        "smatchpp-1.8-generic": ("opitz-2023-smatchpp",),
        "smatchpp-1.8-amr": ("opitz-2023-smatchpp",),
        "cai-2019-weighted": ("cai-2019-core",),
        "cai-2019-core": ("cai-2019-core",),
    }
    also: ClassVar[Sequence[str]] = (*AmrMetric.also, SBN)
    profiles: ClassVar[Mapping[str, "Smatch"]]
    as_written: ClassVar[Mapping[str, str]] = {**AmrMetric.as_written, "senses": "keep"}

    #: The choices for SBN, each with its usual value.
    of_sbn: ClassVar[Mapping[str, str]] = {
        "concepts": "whole",
        "boxes": "member",
        "of_roles": "six",
        "parallel_edges": "all",
        "unreachable": "keep",
        "box_mapping": "apart",
        "tabs": "drop",
        "ill_formed": "zero",
        "gold_ill_formed": "error",
    }

    unsaid: ClassVar[Mapping[str, str]] = {
        **AmrMetric.unsaid,
        **as_written,
        **of_sbn,
        "unclosed": "error",
        "blanks": "penman",
        "parallel": "keep",
        "root_distance": "ignore",
    }
    #: The choices for SBN say nothing about texts in PENMAN.
    numbered: ClassVar[frozenset[str]] = AmrMetric.numbered.union(of_sbn, ("unclosed", "blanks"))

    senses: Literal["keep", "drop"] = "keep"
    unclosed: Literal["error", "close"] = "error"
    blanks: Literal["penman", "smatch-1.0.4"] = "penman"
    parallel: Literal["keep", "last"] = "keep"
    root_distance: Literal["ignore", "weighted", "core"] = "ignore"
    concepts: Literal["whole", "parts", "no-sense"] = "whole"
    boxes: Literal["member", "none"] = "member"
    of_roles: Literal["six", "all", "none"] = "six"
    parallel_edges: Literal["all", "last"] = "all"
    unreachable: Literal["keep", "drop"] = "keep"
    box_mapping: Literal["apart", "free"] = "apart"
    tabs: Literal["drop", "keep"] = "drop"
    ill_formed: Literal["zero", "lenient", "skip", "error"] = "zero"
    gold_ill_formed: Literal["zero", "lenient", "skip", "error"] = "error"

    @property
    def ill_formed_policy(self) -> IllFormedPolicy:
        mending: Mending = "smatch" if self.blanks == "smatch-1.0.4" else "close"
        if self.unclosed == "error":
            mending = "none"
        return IllFormedPolicy(self.ill_formed, self.gold_ill_formed, mending)

    def normalise(self, graph: Graph) -> NormalisedGraph:
        """Return the triples. Raises `UsageError` if sentences of SBN are to be aligned."""
        if self.blanks == "smatch-1.0.4" and graph.by_smatch is not None:
            graph = graph.by_smatch
        every = self._of_sbn(graph) if graph.format == SBN else AmrMetric.normalise(self, graph)
        if self.parallel == "last" and graph.format != SBN:
            every = last_of_parallel(every)
        if self.root_distance == "ignore":
            return every
        if self.root_distance == "weighted" and self.credits is not None:
            raise UsageError("root_distance weighted weighs whole matches; leave out the credits")
        from exactmatch.metrics.amr.root_distance import core, weighted

        count = weighted if self.root_distance == "weighted" else core
        return every.with_triples(count(every.triples, graph.tops, top_label("", self)))

    def _of_sbn(self, graph: Graph) -> NormalisedGraph:
        if self.sentences != "free":
            raise UsageError(f"sentences {self.sentences} needs documents; use free for SBN")
        from exactmatch.metrics.amr.from_sbn import SbnChoices, as_amr
        from exactmatch.metrics.umr.keys import with_new

        choices = SbnChoices(
            self.boxes,
            self.concepts,
            self.constants,
            self.of_roles,
            self.parallel_edges,
            self.tabs,
            self.unreachable,
        )
        graph = as_amr(in_form(graph, self.unicode), choices)
        normalised = AmrMetric.normalise(_without_constant_nodes(self), graph)
        if self.box_mapping == "free":
            return normalised
        keys = {name: (_SORTS.get(sort, "constant"),) for name, sort in graph.variables.items()}
        return NormalisedGraph(
            normalised.variables, normalised.triples, keys=with_new(keys, normalised.triples)
        )

    def numbered_labels(self) -> "NumberedLabels | None":
        found = AmrMetric.numbered_labels(self)
        if found is not None and self.blanks == "smatch-1.0.4":
            from exactmatch.graphs.readers.smatch_line import odd_blanks_in

            found.leaves = odd_blanks_in
        return found

    def standardised(self, graph: "Triples", tops: Sequence[str]) -> "Triples":
        graph = AmrMetric.standardised(self, graph, tops)
        if self.senses == "keep":
            return graph
        from exactmatch.metrics.amr.standardise import without_senses

        return without_senses(graph)


@lru_cache(maxsize=4)
def _without_constant_nodes(metric: Smatch) -> Smatch:
    """Return the metric for a graph whose constants have become nodes already, if they have to."""
    return replace(metric, constants="attributes") if metric.constants == "nodes" else metric


#: The propositions of Cai and Knight (2013, section 2): a set without the root. The paper is silent
#: about inverse roles, case and the like, which are as in the default profile.
_PAPER_2013 = Smatch(profile="paper-2013", top="none")

#: What smatch 1.0.4 computes, apart from search errors: the objective of its compute_pool and
#: compute_match on the triples of its parser (Cai and Knight 2013 and its code). This is the name
#: from before graphs without their last parentheses were read.
_SMATCH_1_0_4_1 = Smatch(
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
_SMATCH_1_0_4_2 = replace(_SMATCH_1_0_4_1, profile="smatch-1.0.4.2", unclosed="close")
#: The names until now are those from before texts were split at blanks as smatch splits them.
_SMATCH_1_0_4 = replace(_SMATCH_1_0_4_2, profile="smatch-1.0.4.3", blanks="smatch-1.0.4")

#: What docSmatch counts (IBM/docAMR): the same, but variables of different sentences of a document
#: are not mapped to each other.
_DOCSMATCH = replace(_SMATCH_1_0_4_1, profile="docsmatch", sentences="aligned-docsmatch")

#: What the scorer of PMB 5 counts (LastDance500/neural-symbolic-parsing), without the tabs that it
#: leaves behind concepts ...
_PMB_5 = replace(
    _SMATCH_1_0_4_1,
    profile="pmb-5",
    top="none",
    parallel_edges="last",
    unreachable="drop",
    box_mapping="free",
    gold_ill_formed="zero",
)

#: ... the same with these tabs ...
_PMB_5_TABS = replace(_PMB_5, profile="pmb-5-tabs", tabs="keep")

#: ... and what ud-boxer, its origin, counted by mtool, which counts the root as well.
_UD_BOXER = replace(_PMB_5, profile="ud-boxer", top="concept", constants="nodes", concepts="parts")

#: What smatch++ 1.8.0 (Opitz 2023) counts, apart from search errors, on the triples that its
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

#: What the older smatch in amr-metric-suite counts (Opitz et al. 2020), of which its S2match is a
#: copy with similarities.
_AMR_METRIC_SUITE = Smatch(
    profile="amr-metric-suite",
    top="concept",
    strings="first-word",
    inverse="once",
    mod="separate",
    inverse_constants="drop",
    case="lower",
    surface_alignments="keep",
    parallel="last",
)

#: Smatch beside S2match as the text of Opitz et al. (2020) has both: its figures 3, 7 and 11b count
#: the root with its concept. S2match has a profile of the same name, and never scores lower.
_OPITZ_2020 = Smatch(profile="opitz-2020", top="concept")

#: What the program of Cai and Lam (2019) counts, which is based on the same older smatch: triples
#: weighted by their distance from the root ...
_CAI_2019_WEIGHTED = replace(
    _AMR_METRIC_SUITE,
    profile="cai-2019-weighted",
    root_distance="weighted",
)

#: ... and triples near the root alone.
_CAI_2019_CORE = replace(_AMR_METRIC_SUITE, profile="cai-2019-core", root_distance="core")

#: Our own profile carries a version, which any change increases.
#: The first one compared text as written.
_DEFAULT_1 = Smatch(profile="default.1")
_DEFAULT = replace(_DEFAULT_1, profile="default.2", unicode="nfc")

Smatch.profiles = {
    "default": _DEFAULT,
    "paper-2013": _PAPER_2013,
    "smatch-1.0.4": _SMATCH_1_0_4,
    "amr-metric-suite": _AMR_METRIC_SUITE,
    "opitz-2020": _OPITZ_2020,
    "cai-2019-weighted": _CAI_2019_WEIGHTED,
    "cai-2019-core": _CAI_2019_CORE,
    "docsmatch": _DOCSMATCH,
    "pmb-5": _PMB_5,
    "pmb-5-tabs": _PMB_5_TABS,
    "ud-boxer": _UD_BOXER,
    "smatchpp-1.8-generic": _SMATCHPP_GENERIC,
    "smatchpp-1.8-amr": _SMATCHPP_AMR,
}

#: Names in the signatures and certificates of earlier releases.
Smatch.former = (_DEFAULT_1, _SMATCH_1_0_4_1, _SMATCH_1_0_4_2)
