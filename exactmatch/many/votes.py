"""What several graphs for one sentence agree on: their triples, and who votes for each.

Hoang et al. (2021), *Ensembling Graph Predictions for AMR Parsing*, have candidates vote for the
triples of one of them, the pivot, under mappings of their variables to those of the pivot. Here the
mappings are the best ones. A variable that is not mapped stays one of its own under a new name, so
that its triples get no vote but that of its candidate.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from exactmatch.triples import Label, NormalisedGraph, NormalisedTriple


class Vote(NamedTuple):
    """A triple that candidates vote for.

    label, variables: see `exactmatch.triples.NormalisedTriple`; variables are those of the pivot,
        or new ones.
    voters: the candidates that have it, by position.
    share: their part of all weights.
    """

    label: Label
    variables: tuple[str, ...]
    voters: tuple[int, ...]
    share: Fraction

    @property
    def kind(self) -> str:
        """What sort of triple it is, in the words of its metric (``instance``, ``relation``)."""
        return self.label[0]


def votes(
    graphs: Sequence[NormalisedGraph],
    weights: Sequence[int],
    pivot: int,
    mapping: Callable[[int, int], Mapping[str, str]],
) -> list[Vote]:
    """Return the triples of all candidates: those of the pivot first, then of others in order.

    *mapping* returns the best mapping of one candidate to another, by positions.
    """
    names = _Names(graphs, pivot)
    voters: dict[NormalisedTriple, list[int]] = {}
    order = sorted(range(len(graphs)), key=lambda i: (i != pivot, i))
    for i in order:
        renamed = names.own if i == pivot else names.renamed(graphs[i], mapping(i, pivot))
        for triple in dict.fromkeys(graphs[i].triples):
            image = NormalisedTriple(triple.label, tuple(renamed[v] for v in triple.variables))
            voters.setdefault(image, []).append(i)
    total = sum(weights)
    return [
        Vote(*triple, tuple(sorted(found)), Fraction(sum(weights[i] for i in found), total))
        for triple, found in voters.items()
    ]


class Outline(NamedTuple):
    """What graph the triples of a consensus make.

    variables: those that occur. tops: those that are marked as roots. parts: how many there are
        that nothing connects.
    """

    variables: Sequence[str]
    tops: Sequence[str]
    parts: int


def outline(triples: Sequence[Vote]) -> Outline:
    """Return what graph *triples* make."""
    from networkx import Graph, number_connected_components

    network = Graph()
    for triple in triples:
        network.add_nodes_from(triple.variables)
        network.add_edges_from(zip(triple.variables, triple.variables[1:], strict=False))
    tops = [triple.variables[0] for triple in triples if triple.kind == "top"]
    return Outline([*network], tops, number_connected_components(network))


class _Names:
    """Names of variables: those of the pivot, *own*, and new ones that nothing else is called."""

    def __init__(self, graphs: Sequence[NormalisedGraph], pivot: int) -> None:
        self.own = {name: name for name in graphs[pivot].variables}
        # Nor may a variable be called like a constant, as which it could not be told from it.
        words = (word for graph in graphs for triple in graph.triples for word in triple.label)
        self._taken = {*self.own, *words}

    def renamed(self, graph: NormalisedGraph, mapping: Mapping[str, str]) -> dict[str, str]:
        """Return what each variable of *graph* is called, which are mapped to the pivot so.

        What stands for a role in a standardised pivot is no variable of it.
        """
        images = {name: self.own.get(mapping.get(name, "")) for name in graph.variables}
        return {name: image or self._new(name) for name, image in images.items()}

    def _new(self, name: str) -> str:
        new = next(one for one in _like(name) if one not in self._taken)
        self._taken.add(new)
        return new


def _like(name: str) -> Iterator[str]:
    """Yield *name*, and then such that are like it, with other numbers."""
    yield name
    stem = re.sub(r"\d+$", "", name)
    number = 2
    while True:
        yield f"{stem}{number}"
        number += 1
