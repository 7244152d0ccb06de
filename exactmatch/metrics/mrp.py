"""MRP: the cross-framework metric of the shared tasks on Meaning Representation Parsing.

Oepen et al. (2019), *MRP 2019: Cross-Framework Meaning Representation Parsing*: a graph is a set of
tuples of six kinds, all of the same weight: tops, labels, properties, anchors, edges (with their
labels) and attributes of edges. What counts as equal is taken from mtool, the scorer of the tasks,
and so is the normalisation before that; its search is not.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from exactmatch.graph import ANCHOR, CONCEPT, MRP, Constant, Graph, Triple, Variable
from exactmatch.metrics.anchors import Anchor, Span, anchors_of, characters
from exactmatch.metrics.profiles import Profile
from exactmatch.problem import Pair
from exactmatch.triples import Duplicates, Item, ItemGraph

#: Attributes of edges that say nothing if their value is false.
_FALSE_BY_DEFAULT = frozenset({"remote", "effective", "member"})


@dataclass(frozen=True, slots=True)
class MrpProfile(Profile):
    """How two graphs in MRP are compared.

    The first part of the label of each item is its kind: ``top``, ``label``, ``property``,
    ``anchor``, ``edge`` or ``attribute``. Variables without label have no item of that kind;
    edges without label have an item, whose label is empty. All that is written twice counts once.

    edges: inverse edges are turned round: those that have a normal form in the file, those whose
        label ends in ``-of``, but for prepositions (``prep-on-behalf-of``), and ``mod``, which
        becomes ``domain``; or all edges are left as they are. As in mtool, ``consist-of`` is no
        exception.
    case: letters are lowered everywhere, or kept.
    attributes: attributes of edges that have their default value (``remote``, ``effective`` or
        ``member``, if false) are dropped or kept.
    anchors: the anchors of a node are the characters that they cover, without white space and
        punctuation on their edges, or the intervals as written.
    """

    metric: ClassVar[str] = "mrp"
    title: ClassVar[str] = "MRP"
    unit: ClassVar[str] = "tuples"
    format: ClassVar[str] = MRP
    parts: ClassVar[Sequence[str]] = ("top", "label", "property", "anchor", "edge", "attribute")

    edges: Literal["restored", "as-written"] = "restored"
    case: Literal["lower", "keep"] = "lower"
    attributes: Literal["no-defaults", "as-written"] = "no-defaults"
    anchors: Literal["characters", "as-written"] = "characters"

    @property
    def duplicates(self) -> Duplicates:
        return "set"

    def normalise(self, graph: Graph) -> ItemGraph:
        normal_forms = _normal_forms(graph.triples)
        items = [Item(("top",), (top,)) for top in graph.tops]
        for triple in graph.triples:
            item = _item(triple, normal_forms, self)
            if item is not None:
                items.append(item)
        for variable, anchors in anchors_of(graph).items():
            items.append(Item(("anchor", _anchor_text(anchors, self)), (variable,)))
        return ItemGraph(tuple(graph.variables), items)

    def likely(self, test: ItemGraph, gold: ItemGraph) -> Iterator[Pair]:
        by_look = defaultdict(list)
        for look, j in _looks(gold):
            by_look[look].append(j)
        yield from sorted({(i, j) for look, i in _looks(test) for j in by_look[look]})


#: The profile carries a version, which any change increases.
MrpProfile.known = {"default": MrpProfile(name="mrp.1")}


def _looks(graph: ItemGraph) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the labels and anchors of the variables, each with the position of the variable."""
    position = {variable: i for i, variable in enumerate(graph.variables)}
    for label, variables in graph.items:
        if label[0] in ("label", "anchor"):
            yield label, position[variables[0]]


def _normal_forms(triples: Iterable[Triple]) -> dict[Triple, str]:
    """Return what edges are called when they are turned round, where the file says it."""
    return {
        Triple(relation, arguments[:2]): arguments[2].text
        for relation, arguments, _ in triples
        if len(arguments) == 3
        and isinstance(arguments[1], Variable)
        and isinstance(arguments[2], Constant)
    }


def _item(triple: Triple, normal_forms: Mapping[Triple, str], profile: MrpProfile) -> Item | None:
    """Return *triple* as *profile* counts it, or None if it does not, or not by itself."""
    source, target = triple.arguments[:2]
    assert isinstance(source, Variable)
    if isinstance(target, Variable):
        return _edge_item(triple, normal_forms, profile)
    if triple.relation == ANCHOR:
        return None
    if triple.relation == CONCEPT:
        return Item(("label", _text(target.text, profile)), (source.name,))
    name, value = _text(triple.relation, profile), _text(target.text, profile)
    return Item(("property", name, value), (source.name,))


def _edge_item(
    triple: Triple, normal_forms: Mapping[Triple, str], profile: MrpProfile
) -> Item | None:
    source, target = [a.name for a in triple.arguments if isinstance(a, Variable)]
    normal_form = normal_forms.get(Triple(triple.relation, triple.arguments[:2]))
    label, inverted = _direction(triple.relation, normal_form, profile)
    label = _text(label, profile)
    ends = (target, source) if inverted else (source, target)
    constants = [_text(a.text, profile) for a in triple.arguments if isinstance(a, Constant)]
    if not constants:
        return Item(("edge", label), ends)
    if len(constants) == 1:  # its normal form, which is in the label now
        return None
    name, value = constants
    if profile.attributes == "no-defaults" and name in _FALSE_BY_DEFAULT and value == "false":
        return None
    return Item(("attribute", label, name, value), ends)


def _direction(label: str, normal_form: str | None, profile: MrpProfile) -> tuple[str, bool]:
    """Return what an edge is called, and whether its ends are swapped."""
    if profile.edges == "as-written":
        return label, False
    if normal_form is not None:
        return normal_form, True
    if label == "mod":
        return "domain", True
    if label.endswith("-of") and not label.startswith("prep-"):
        return label.removesuffix("-of"), True
    return label, False


def _anchor_text(anchors: Sequence[Anchor], profile: MrpProfile) -> str:
    if profile.anchors == "as-written":
        spans: Iterable[Span] = sorted({(anchor.start, anchor.end) for anchor in anchors})
    else:
        spans = characters(anchors)
    return " ".join(f"{start}:{end}" for start, end in spans)


def _text(text: str, profile: MrpProfile) -> str:
    return text.lower() if profile.case == "lower" else text
