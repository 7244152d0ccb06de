"""The structure of graphs, and the structure error of parses (Opitz et al. 2020, Table 9)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from exactmatch.graphs.graph import (
    ANCHOR,
    CONCEPT,
    MRP,
    SENSE,
    Argument,
    Constant,
    Graph,
    Triple,
    Variable,
)


class Shape(NamedTuple):
    """The numbers of nodes and edges of a graph."""

    nodes: int
    edges: int

    @property
    def size(self) -> int:
        """Nodes and edges together, |G| of Liu et al. (2020), Table 2."""
        return self.nodes + self.edges

    @property
    def degree(self) -> float:
        """The mean number of edges at a node."""
        return 2 * self.edges / self.nodes if self.nodes else 0.0

    @property
    def density(self) -> float:
        """The edges divided by all possible edges, from each node to each other."""
        most = self.nodes * (self.nodes - 1)
        return self.edges / most if most else 0.0


def shape(graph: Graph) -> Shape:
    """Return the shape of a graph in any format.

    Nodes are the variables and, except in MRP, each constant that a relation leads to; concepts,
    senses and anchors are labels. A relation is an edge from each of its arguments to the next.
    """
    links = dict.fromkeys(
        (triple.relation, _ends(triple, graph.format))
        for triple in graph.triples
        if triple.relation not in (CONCEPT, ANCHOR)
    )
    constants = sum(isinstance(end, Constant) for _, ends in links for end in ends)
    edges = sum(len([*pairwise(ends)]) for _, ends in links)
    return Shape(len(graph.variables) + constants, edges)


def _ends(triple: Triple, form: str) -> tuple[Argument, ...]:
    """Return the nodes that a triple relates."""
    if form == MRP:  # there, constants are properties of nodes, and attributes of edges
        return tuple(end for end in triple.arguments if isinstance(end, Variable))
    first, *others = triple.arguments
    if len(others) == 2 and isinstance(others[0], Constant) and SENSE.fullmatch(others[0].text):
        del others[0]
    return first, *others


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """The mean structure of so many *graphs* of one file.

    degree_error, density_error: the structure error, that is, the mean over pairs of
    |f(gold) - f(system)|, f being the degree or the density; None for the gold standard.
    """

    file: str
    graphs: int
    nodes: float
    edges: float
    degree: float
    density: float
    degree_error: float | None
    density_error: float | None


def structure(file: str, shapes: Sequence[Shape], gold: Sequence[Shape] | None = None) -> Structure:
    """Return the structure of the graphs of a file, and its error against the *gold* graphs."""
    pairs = [] if gold is None else [*zip(shapes, gold, strict=True)]
    return Structure(
        file=file,
        graphs=len(shapes),
        nodes=fmean(one.nodes for one in shapes),
        edges=fmean(one.edges for one in shapes),
        degree=fmean(one.degree for one in shapes),
        density=fmean(one.density for one in shapes),
        degree_error=_mean(abs(two.degree - one.degree) for one, two in pairs),
        density_error=_mean(abs(two.density - one.density) for one, two in pairs),
    )


def _mean(values: Iterable[float]) -> float | None:
    """Return the mean; None for an empty list."""
    numbers = [*values]
    return fmean(numbers) if numbers else None
