"""Smatch (Cai and Knight 2013): the triples of an AMR as a profile counts them."""

from collections import defaultdict
from collections.abc import Iterable

from exactmatch.graph import CONCEPT, Argument, Graph, Triple, Variable
from exactmatch.metrics.items import Item, ItemGraph, build_problem
from exactmatch.metrics.profiles import Profile
from exactmatch.problem import MatchingProblem

#: Roles that end in -of and are no inverses (penman's AMR model, and smatch).
_NO_INVERSES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})


def normalise(graph: Graph, profile: Profile) -> ItemGraph:
    """Return the triples of *graph* as *profile* counts them."""
    items = [
        item for triple in graph.triples if (item := _item(triple, graph, profile)) is not None
    ]
    if profile.top != "none":
        concepts = _concepts(items)
        items += [Item(_top_label(concepts[top], profile), (top,)) for top in graph.tops]
    return ItemGraph(tuple(graph.variables), items)


def matching_problem(test: ItemGraph, gold: ItemGraph, profile: Profile) -> MatchingProblem:
    """Return the problem of mapping the variables of *test* to those of *gold*."""
    by_concept = defaultdict(list)
    concepts = _concepts(gold.items)
    for j, variable in enumerate(gold.variables):
        by_concept[concepts[variable]].append(j)
    concepts = _concepts(test.items)
    likely = [
        (i, j) for i, variable in enumerate(test.variables) for j in by_concept[concepts[variable]]
    ]
    return build_problem(test, gold, profile.duplicates, likely)


def _concepts(items: Iterable[Item]) -> dict[str, str]:
    """Return the concept of each variable."""
    return {item.variables[0]: item.label[1] for item in items if item.label[0] == "instance"}


def _top_label(concept: str, profile: Profile) -> tuple[str, ...]:
    if profile.top == "attribute":
        return ("attribute", _text("TOP", profile), _text("top", profile))
    return ("top", concept) if profile.top == "concept" else ("top",)


def _item(triple: Triple, graph: Graph, profile: Profile) -> Item | None:
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


def _direction(role: str, profile: Profile) -> tuple[str, bool]:
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


def _value(argument: Argument, mark: str, graph: Graph, profile: Profile) -> Variable | str:
    """Return the variable or the text of the constant that *argument* is under *profile*."""
    if profile.strings == "first-word":
        word = _without_quotes(_written(argument) + mark).split()[0]
        return Variable(word) if word in graph.variables else word
    if isinstance(argument, Variable):
        return argument.name + mark if mark else argument
    return _unquoted(argument.text, profile) + mark


def _concept(argument: Argument, mark: str, profile: Profile) -> str:
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


def _unquoted(text: str, profile: Profile) -> str:
    is_string = profile.quotes == "ignore" and text.startswith('"')
    return text[1:-1] if is_string else text


def _text(text: str, profile: Profile) -> str:
    """Fold what *profile* does not tell apart."""
    if profile.case != "keep":
        text = text.casefold() if profile.case == "fold" else text.lower()
    return text.rstrip("_") if profile.underscores == "strip" else text
