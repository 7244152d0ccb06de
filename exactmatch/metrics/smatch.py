"""Smatch (Cai and Knight 2013): the triples of an AMR as a profile counts them.

The paper (section 2) counts a conjunction of propositions: relation(variable, concept), which are
concepts and constants, and relation(variable, variable). The root is none of them; the program
that the authors later released counts it. Both are profiles.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from exactmatch.graph import CONCEPT, MRP, PENMAN, Argument, Graph, Triple, Variable
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.amr_in_mrp import as_amr
from exactmatch.problem import Pair
from exactmatch.triples import Duplicates, NormalisedGraph, NormalisedTriple

#: Roles that end in -of and are no inverses (penman's AMR model, and smatch).
_NO_INVERSES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})


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
        triples = [n for t in graph.triples if (n := _normalised(t, graph, self)) is not None]
        if self.top != "none":
            concepts = _concepts(triples)
            triples += [
                NormalisedTriple(_top_label(concepts[top], self), (top,)) for top in graph.tops
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
        return ("attribute", _text("TOP", metric), _text("top", metric))
    return ("top", concept) if metric.top == "concept" else ("top",)


def _normalised(triple: Triple, graph: Graph, metric: Smatch) -> NormalisedTriple | None:
    """Return *triple* as *metric* counts it, or None where it drops the triple."""
    source, target = triple.arguments
    assert isinstance(source, Variable)
    kept_marks = triple.marks if metric.surface_alignments == "keep" else ("", "")
    if triple.relation == CONCEPT:
        return NormalisedTriple(
            ("instance", _concept(target, kept_marks[1], metric)), (source.name,)
        )
    relation, inverted = _direction(triple.relation + kept_marks[0], metric)
    value = _value(target, kept_marks[1], graph, metric)
    if isinstance(value, Variable):
        ends = (value.name, source.name) if inverted else (source.name, value.name)
        return NormalisedTriple(("relation", _text(relation, metric)), ends)
    if inverted and metric.inverse_constants == "drop":
        return None
    # A constant cannot be a source: the role stays inverse, under the name of its relation.
    name = f"{relation}-of" if inverted else relation
    return NormalisedTriple(
        ("attribute", _text(name, metric), _text(value, metric)), (source.name,)
    )


def _direction(role: str, metric: Smatch) -> tuple[str, bool]:
    """Return the relation that *role* stands for, and whether its ends are swapped."""
    inverted = False
    if metric.inverse == "restored":
        while role.lower().endswith("-of") and role.lower() not in _NO_INVERSES:
            role, inverted = role[:-3], not inverted
    elif metric.inverse == "once" and role.endswith("-of") and role not in _NO_INVERSES:
        role, inverted = role[:-3], True
    is_mod = (metric.mod == "unified" and role.lower() == "mod") or (
        metric.mod == "plain" and role == "mod" and not inverted
    )
    return ("domain", not inverted) if is_mod else (role, inverted)


def _value(argument: Argument, mark: str, graph: Graph, metric: Smatch) -> Variable | str:
    """Return the variable or the text of the constant that *argument* is under *metric*."""
    if metric.strings == "first-word":
        if graph.format == MRP and isinstance(argument, Variable):
            return argument
        word = _without_quotes(_written(argument) + mark).split()[0]
        # Nodes in MRP are numbers, which no file can mean by a word.
        is_name = graph.format != MRP and word in graph.variables
        return Variable(word) if is_name else word
    if isinstance(argument, Variable):
        return argument.name + mark if mark else argument
    return _unquoted(argument.text, metric) + mark


def _concept(argument: Argument, mark: str, metric: Smatch) -> str:
    if metric.strings == "first-word":
        return _text(_without_quotes(_written(argument) + mark).replace(" ", ""), metric)
    return _text(_unquoted(_written(argument), metric) + mark, metric)


def _written(argument: Argument) -> str:
    return argument.name if isinstance(argument, Variable) else argument.text


def _without_quotes(text: str) -> str:
    """Read *text* as smatch does: quotes go, and a closing one leaves an underscore.

    So a single quoted word never equals the name of a variable, unlike the first word of
    several. A backslash before a quote means nothing.
    """
    pieces = text.split('"')
    return "".join(
        piece + "_" if i % 2 == 1 and i + 1 < len(pieces) else piece
        for i, piece in enumerate(pieces)
    )


def _unquoted(text: str, metric: Smatch) -> str:
    is_string = metric.quotes == "ignore" and text.startswith('"')
    return text[1:-1] if is_string else text


def _text(text: str, metric: Smatch) -> str:
    """Fold what *metric* does not tell apart."""
    if metric.case != "keep":
        text = text.casefold() if metric.case == "fold" else text.lower()
    return text.rstrip("_") if metric.underscores == "strip" else text
