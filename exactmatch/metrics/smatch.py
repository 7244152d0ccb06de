"""Smatch (Cai and Knight 2013): the triples of an AMR as a profile counts them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from exactmatch.graph import CONCEPT, PENMAN, Argument, Graph, Triple, Variable
from exactmatch.metrics.profiles import Profile
from exactmatch.problem import Pair
from exactmatch.triples import Duplicates, Item, ItemGraph

#: Roles that end in -of and are no inverses (penman's AMR model, and smatch).
_NO_INVERSES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})


@dataclass(frozen=True, slots=True)
class SmatchProfile(Profile):
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
    alignments: surface alignment marks (``~e.4``) are dropped, or kept as text.
    """

    metric: ClassVar[str] = "smatch"
    title: ClassVar[str] = "Smatch"
    format: ClassVar[str] = PENMAN
    parts: ClassVar[Sequence[str]] = ("instance", "relation", "attribute", "top")

    top: Literal["constant", "attribute", "concept", "none"] = "constant"
    duplicates: Duplicates = "set"
    strings: Literal["whole", "first-word"] = "whole"
    inverse: Literal["restored", "once", "as-written"] = "restored"
    mod: Literal["unified", "plain", "separate"] = "unified"
    inverse_constants: Literal["keep", "drop"] = "keep"
    case: Literal["fold", "lower", "keep"] = "fold"
    quotes: Literal["ignore", "keep"] = "ignore"
    underscores: Literal["keep", "strip"] = "keep"
    alignments: Literal["drop", "keep"] = "drop"

    def normalise(self, graph: Graph) -> ItemGraph:
        items = [item for t in graph.triples if (item := _item(t, graph, self)) is not None]
        if self.top != "none":
            concepts = _concepts(items)
            items += [Item(_top_label(concepts[top], self), (top,)) for top in graph.tops]
        return ItemGraph(tuple(graph.variables), items)

    def likely(self, test: ItemGraph, gold: ItemGraph) -> Iterator[Pair]:
        by_concept = defaultdict(list)
        concepts = _concepts(gold.items)
        for j, variable in enumerate(gold.variables):
            by_concept[concepts[variable]].append(j)
        concepts = _concepts(test.items)
        for i, variable in enumerate(test.variables):
            for j in by_concept[concepts[variable]]:
                yield i, j


#: What smatch 1.0.4 computes, where its search does not fail: the objective of its compute_pool
#: and compute_match on the triples that its parser makes (Cai and Knight 2013 and its code).
_SMATCH_1_0_4 = SmatchProfile(
    name="smatch-1.0.4",
    top="attribute",
    duplicates="product",
    strings="first-word",
    inverse="once",
    mod="plain",
    inverse_constants="drop",
    case="lower",
    underscores="strip",
    alignments="keep",
)

#: Our own profile carries a version, which any change increases.
SmatchProfile.known = {"default": SmatchProfile(name="default.1"), "smatch-1.0.4": _SMATCH_1_0_4}


def _concepts(items: Iterable[Item]) -> dict[str, str]:
    """Return the concept of each variable."""
    return {item.variables[0]: item.label[1] for item in items if item.label[0] == "instance"}


def _top_label(concept: str, profile: SmatchProfile) -> tuple[str, ...]:
    if profile.top == "attribute":
        return ("attribute", _text("TOP", profile), _text("top", profile))
    return ("top", concept) if profile.top == "concept" else ("top",)


def _item(triple: Triple, graph: Graph, profile: SmatchProfile) -> Item | None:
    """Return *triple* as *profile* counts it, or None where it drops the triple."""
    source, target = triple.arguments
    assert isinstance(source, Variable)
    kept_marks = triple.marks if profile.alignments == "keep" else ("", "")
    if triple.relation == CONCEPT:
        return Item(("instance", _concept(target, kept_marks[1], profile)), (source.name,))
    relation, inverted = _direction(triple.relation + kept_marks[0], profile)
    value = _value(target, kept_marks[1], graph, profile)
    if isinstance(value, Variable):
        ends = (value.name, source.name) if inverted else (source.name, value.name)
        return Item(("relation", _text(relation, profile)), ends)
    if inverted and profile.inverse_constants == "drop":
        return None
    # A constant cannot be a source: the role stays inverse, under the name of its relation.
    name = f"{relation}-of" if inverted else relation
    return Item(("attribute", _text(name, profile), _text(value, profile)), (source.name,))


def _direction(role: str, profile: SmatchProfile) -> tuple[str, bool]:
    """Return the relation that *role* stands for, and whether its ends are swapped."""
    inverted = False
    if profile.inverse == "restored":
        while role.lower().endswith("-of") and role.lower() not in _NO_INVERSES:
            role, inverted = role[:-3], not inverted
    elif profile.inverse == "once" and role.endswith("-of") and role not in _NO_INVERSES:
        role, inverted = role[:-3], True
    is_mod = (profile.mod == "unified" and role.lower() == "mod") or (
        profile.mod == "plain" and role == "mod" and not inverted
    )
    return ("domain", not inverted) if is_mod else (role, inverted)


def _value(argument: Argument, mark: str, graph: Graph, profile: SmatchProfile) -> Variable | str:
    """Return the variable or the text of the constant that *argument* is under *profile*."""
    if profile.strings == "first-word":
        word = _without_quotes(_written(argument) + mark).split()[0]
        return Variable(word) if word in graph.variables else word
    if isinstance(argument, Variable):
        return argument.name + mark if mark else argument
    return _unquoted(argument.text, profile) + mark


def _concept(argument: Argument, mark: str, profile: SmatchProfile) -> str:
    if profile.strings == "first-word":
        return _text(_without_quotes(_written(argument) + mark).replace(" ", ""), profile)
    return _text(_unquoted(_written(argument), profile) + mark, profile)


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


def _unquoted(text: str, profile: SmatchProfile) -> str:
    is_string = profile.quotes == "ignore" and text.startswith('"')
    return text[1:-1] if is_string else text


def _text(text: str, profile: SmatchProfile) -> str:
    """Fold what *profile* does not tell apart."""
    if profile.case != "keep":
        text = text.casefold() if profile.case == "fold" else text.lower()
    return text.rstrip("_") if profile.underscores == "strip" else text
