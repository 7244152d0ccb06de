"""Whether an item that was read from a file is one.

A digest tells that a file was changed, but anybody can compute it anew. So each number, name and
triple is looked at before anything relies on it.
"""

from collections.abc import Callable, Iterator
from typing import Any, get_args

from exactmatch.many.adjudication.common_nodes import Standing
from exactmatch.many.adjudication.item import (
    DIFFERENCE_KINDS,
    AnnotatedGraph,
    Item,
    ItemDifference,
    about_of,
)

#: The number of words of a triple, and of nodes that a difference is about, by kind.
_WORDS = {"root": 2, "concept": 3, "attribute": 4, "relation": 4}
_ABOUT = {"root": (0,), "node": (1,), "concept": (1,), "attribute": (1,), "relation": (1, 2)}


def wrong_fields(item: Item, people: int) -> Iterator[str]:
    """Yield what is wrong with an item of so many annotators, in words.

    Only the first one is sure: what comes later relies on what was said before.
    """
    yield from _wrong_texts(item, people)
    yield from _wrong_triples(item, people)
    yield from _wrong_differences(item, people)


def _wrong_texts(item: Item, people: int) -> Iterator[str]:
    if not isinstance(item.id, str):
        yield "id: no text"
    if not _is_list(item.sentences, lambda one: _are_texts(one) and len(one) == 2):
        yield "sentences: no pairs of texts"
    if not isinstance(item.metadata, dict) or not _are_texts([*item.metadata.values()]):
        yield "metadata: no texts by their keys"
    if not _is_list(item.graphs, _is_graph) or len(item.graphs) != people:
        yield f"graphs: no texts of {people} annotators with their faults"
    if not isinstance(item.drawn, dict):
        yield "drawn: no drawing"


def _wrong_triples(item: Item, people: int) -> Iterator[str]:
    if not _are_numbers([item.pivot], people):
        yield f"pivot: no number of {people} annotators"
    if not _are_texts(item.nodes) or len({*item.nodes}) != len(item.nodes):
        yield "nodes: no names that differ"
    for number, triple in enumerate(item.triples):
        if not _are_texts(triple) or not _is_triple(triple, {*item.nodes}):
            yield f"triples: number {number} is none"
    whose = {"holders": (item.holders, item.nodes), "by": (item.by, item.triples)}
    for name, (found, of) in whose.items():
        if not _is_list(found, lambda one: _are_numbers(one, people)) or len(found) != len(of):
            yield f"{name}: no numbers of {people} annotators, {len(of)} times"
    if not _are_numbers(item.settled, len(item.triples)):
        yield f"settled: no numbers of {len(item.triples)} triples"


def _wrong_differences(item: Item, people: int) -> Iterator[str]:
    for number, one in enumerate(item.differences):
        if not _is_difference(one, item, people):
            yield f"differences: number {number} is none"
    if len({one.id for one in item.differences}) != len(item.differences):
        yield "differences: one occurs twice"


def _is_list(value: Any, is_one: Callable[[Any], bool]) -> bool:
    return isinstance(value, list | tuple) and all(map(is_one, value))


def _are_texts(value: Any) -> bool:
    return _is_list(value, lambda one: isinstance(one, str))


def _are_numbers(value: Any, limit: int) -> bool:
    return _is_list(value, lambda one: type(one) is int and 0 <= one < limit)


def _is_graph(graph: AnnotatedGraph) -> bool:
    said = [graph.text, *([] if graph.error is None else [graph.error])]
    said += [text for fault in graph.faults for text in (fault.kind, fault.reason)]
    named = [names for fault in graph.faults for names in (fault.nodes, fault.words)]
    return _are_texts(said) and all(map(_are_texts, named))


def _is_triple(triple: tuple[str, ...], nodes: set[str]) -> bool:
    if _WORDS.get("".join(triple[:1])) != len(triple):
        return False
    return nodes.issuperset(about_of(triple) or triple[1:])


def _is_difference(one: ItemDifference, item: Item, people: int) -> bool:
    """Tell whether a difference is called as it has to be, and names only what is there."""
    if one.kind not in DIFFERENCE_KINDS or not _are_texts([one.id]) or not _are_texts(one.about):
        return False
    called = " ".join([one.kind, *one.about])
    is_called = one.id.startswith(f"{called} ") if one.kind == "attribute" else one.id == called
    is_about = len(one.about) in _ABOUT[one.kind] and {*item.nodes}.issuperset(one.about)
    options = all(
        _are_numbers(each.triples, len(item.triples)) and _are_numbers(each.by, people)
        for each in one.options
    )
    is_said = options and _are_numbers(one.absent, people)
    return is_called and is_about and is_said and one.standing in get_args(Standing)
