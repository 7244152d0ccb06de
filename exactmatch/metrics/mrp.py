"""MRP: the cross-framework metric of the shared tasks on Meaning Representation Parsing.

Oepen et al. (2019), *MRP 2019: Cross-Framework Meaning Representation Parsing*, and the page
Evaluation of that task: a graph is a set of tuples of six kinds, all of the same weight: tops,
labels, properties, anchors, edges (with their labels) and attributes of edges. Not all kinds apply
to all frameworks. In the table of that page, and in that of the task of 2020 (PTG, DRG):

==========  ===  ===  ===  ====  ===  ===  ===
tuples      DM   PSD  EDS  UCCA  AMR  PTG  DRG
==========  ===  ===  ===  ====  ===  ===  ===
top         yes  yes  yes  yes   yes  yes  yes
label       yes  yes  yes  no    yes  yes  yes
property    yes  yes  yes  no    yes  yes  no
anchor      yes  yes  yes  yes   no   yes  no
edge        yes  yes  yes  yes   yes  yes  yes
attribute   no   no   no   yes   no   yes  no
==========  ===  ===  ===  ====  ===  ===  ===

In any other framework all kinds count. Anchors are compared as sets of characters
(`exactmatch.metrics.anchors`), and edges with a ``normal`` form in the file, as in AMR, are turned
around. This is the profile ``paper``; by default, canonically equivalent text is equal, too. The
profile ``mtool`` counts what mtool, the scorer of the tasks, counts; its search is not reproduced.
Neither page mentions attributes without information (``remote``, if false). mtool leaves them out,
to be robust to "different encoding of essentially the same information", as the page asks.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from exactmatch.graphs.graph import ANCHOR, CONCEPT, MRP, Constant, Graph, Triple, Variable
from exactmatch.graphs.unicode_form import UnicodeForm, in_form
from exactmatch.metrics.alignment_based import INSTANCE, AlignmentMetric
from exactmatch.metrics.anchors import (
    Anchor,
    Span,
    anchors_of,
    characters,
    characters_by_span,
)
from exactmatch.metrics.triples import Duplicates, Label, NormalisedGraph, NormalisedTriple
from exactmatch.problem import Pair

#: Attributes of edges without information if their value is false.
_FALSE_BY_DEFAULT = frozenset({"remote", "effective", "member"})

#: The kinds of tuples that do not apply to a framework.
_NOT_IN: Mapping[str, frozenset[str]] = {
    "dm": frozenset({"attribute"}),
    "psd": frozenset({"attribute"}),
    "eds": frozenset({"attribute"}),
    "ucca": frozenset({"label", "property"}),
    "amr": frozenset({"anchor", "attribute"}),
    "ptg": frozenset(),
    "drg": frozenset({"property", "anchor", "attribute"}),
}


@dataclass(frozen=True, slots=True)
class Mrp(AlignmentMetric):
    """How two graphs in MRP are compared.

    Kinds of triples are ``top``, ``label``, ``property``, ``anchor``, ``edge`` and ``attribute``.
    Variables without label have no triple of that kind; edges without label have one with an empty
    name. Repeated triples count once.

    tuples: only the kinds count that apply to the framework of the graph, or all.
    edges: inverse edges are turned around: those that have a normal form in the file; or, by label,
        also those whose label ends in ``-of``, except prepositions (``prep-on-behalf-of``), and
        ``mod``, which becomes ``domain``; or no edges are. As in mtool, ``consist-of`` is no
        exception.
    edge_labels: labels of edges are compared; or they are ignored, so that all edges from one node
        to another are one.
    case: letters are lower-cased everywhere, or kept.
    unicode: canonically equivalent text is equal (Unicode's NFC), or text counts as written.
    attributes: attributes of edges that have their default value (``remote``, ``effective`` or
        ``member``, if false) are dropped or kept.
    anchors: the anchors of a node are the characters that they cover, without white space and
        punctuation on both edges of the whole, or on the edges of each span; or the intervals as
        written.
    """

    name: ClassVar[str] = "mrp"
    title: ClassVar[str] = "MRP"
    papers: ClassVar[Sequence[str]] = ("oepen-2019-mrp",)
    unit: ClassVar[str] = "tuples"
    format: ClassVar[str] = MRP
    parts: ClassVar[Sequence[str]] = ("top", "label", "property", "anchor", "edge", "attribute")
    parameters: ClassVar[Sequence[str]] = ("credits",)
    profiles: ClassVar[Mapping[str, "Mrp"]]

    tuples: Literal["by-framework", "all"] = "by-framework"
    edges: Literal["by-normal-form", "by-label", "as-written"] = "by-normal-form"
    edge_labels: Literal["keep", "ignore"] = "keep"
    case: Literal["lower", "keep"] = "lower"
    unicode: UnicodeForm = "as-written"
    attributes: Literal["no-defaults", "as-written"] = "no-defaults"
    anchors: Literal["characters", "characters-by-span", "as-written"] = "characters"

    @property
    def duplicates(self) -> Duplicates:
        return "set"

    def normalise(self, graph: Graph) -> NormalisedGraph:
        graph = in_form(graph, self.unicode)
        normal_forms = _normal_forms(graph.triples)
        triples = [NormalisedTriple(("top",), (top,)) for top in graph.tops]
        for triple in graph.triples:
            normalised = _normalised(triple, normal_forms, self)
            if normalised is not None:
                triples.append(normalised)
        for variable, anchors in anchors_of(graph).items():
            triples.append(NormalisedTriple(("anchor", _anchor_text(anchors, self)), (variable,)))
        if self.tuples == "by-framework":
            without = _NOT_IN.get(graph.framework.lower(), frozenset())
            triples = [triple for triple in triples if triple.kind not in without]
        return NormalisedGraph(tuple(graph.variables), triples)

    def labelled(self, role: str, value: str) -> Sequence[Label]:
        text = _text(value, self)
        return [("label", text) if role == INSTANCE else ("property", _text(role, self), text)]

    def likely(self, system: NormalisedGraph, gold: NormalisedGraph) -> Iterator[Pair]:
        by_look = defaultdict(list)
        for look, j in _looks(gold):
            by_look[look].append(j)
        yield from sorted({(i, j) for look, i in _looks(system) for j in by_look[look]})


#: The page Evaluation of the task, literally. It carries a version, which any change increases.
_PAPER = Mrp(profile="mrp.2")

#: What mtool counts (``--score mrp``), apart from search errors.
_MTOOL = Mrp(profile="mtool", tuples="all", edges="by-label", anchors="characters-by-span")

#: The paper says nothing of Unicode; by default, canonically equivalent text is equal.
_DEFAULT = replace(_PAPER, profile="mrp.3", unicode="nfc")

Mrp.profiles = {"default": _DEFAULT, "paper": _PAPER, "mtool": _MTOOL}


def _looks(graph: NormalisedGraph) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the labels and anchors of the variables, each with the position of the variable."""
    position = {variable: i for i, variable in enumerate(graph.variables)}
    for triple in graph.triples:
        if triple.kind in ("label", "anchor"):
            yield triple.label, position[triple.variables[0]]


def _normal_forms(triples: Iterable[Triple]) -> dict[Triple, str]:
    """Return the labels of inverted edges, if the file gives them."""
    return {
        Triple(relation, arguments[:2]): arguments[2].text
        for relation, arguments, _ in triples
        if len(arguments) == 3
        and isinstance(arguments[1], Variable)
        and isinstance(arguments[2], Constant)
    }


def _normalised(
    triple: Triple, normal_forms: Mapping[Triple, str], metric: Mrp
) -> NormalisedTriple | None:
    """Return *triple* as *metric* counts it, or None if it does not count by itself."""
    source, target = triple.arguments[:2]
    assert isinstance(source, Variable)
    if isinstance(target, Variable):
        return _normalised_edge(triple, normal_forms, metric)
    if triple.relation == ANCHOR:
        return None
    if triple.relation == CONCEPT:
        return NormalisedTriple(("label", _text(target.text, metric)), (source.name,))
    name, value = _text(triple.relation, metric), _text(target.text, metric)
    return NormalisedTriple(("property", name, value), (source.name,))


def _normalised_edge(
    triple: Triple, normal_forms: Mapping[Triple, str], metric: Mrp
) -> NormalisedTriple | None:
    source, target = [a.name for a in triple.arguments if isinstance(a, Variable)]
    normal_form = normal_forms.get(Triple(triple.relation, triple.arguments[:2]))
    label, inverted = _direction(triple.relation, normal_form, metric)
    label = _text(label, metric) if metric.edge_labels == "keep" else ""
    ends = (target, source) if inverted else (source, target)
    constants = [_text(a.text, metric) for a in triple.arguments if isinstance(a, Constant)]
    if not constants:
        return NormalisedTriple(("edge", label), ends)
    if len(constants) == 1:  # its normal form, which is now in the label
        return None
    name, value = constants
    if metric.attributes == "no-defaults" and name in _FALSE_BY_DEFAULT and value == "false":
        return None
    return NormalisedTriple(("attribute", label, name, value), ends)


def _direction(label: str, normal_form: str | None, metric: Mrp) -> tuple[str, bool]:
    """Return the label of an edge, and whether its ends are swapped."""
    if metric.edges == "as-written":
        return label, False
    if normal_form is not None:
        return normal_form, True
    if metric.edges == "by-normal-form":
        return label, False
    if label == "mod":
        return "domain", True
    if label.endswith("-of") and not label.startswith("prep-"):
        return label.removesuffix("-of"), True
    return label, False


def _anchor_text(anchors: Sequence[Anchor], metric: Mrp) -> str:
    if metric.anchors == "as-written":
        spans: Iterable[Span] = sorted({(anchor.start, anchor.end) for anchor in anchors})
    elif metric.anchors == "characters-by-span":
        spans = characters_by_span(anchors)
    else:
        spans = characters(anchors)
    return " ".join(f"{start}:{end}" for start, end in spans)


def _text(text: str, metric: Mrp) -> str:
    return text.lower() if metric.case == "lower" else text
