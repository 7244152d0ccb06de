"""The nodes of several graphs of an item, numbered in common.

One graph is the pivot. A variable of another graph is the same node as the variable of the pivot to
which the best mapping takes it, if something matches there. One that is left over may be the same
node as one that is left over in a graph before.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from typing import Literal, NamedTuple

from exactmatch.metrics.best_mappings import BestMappings
from exactmatch.metrics.triples import NormalisedGraph

#: Whether all best mappings say the same of a node, or not, or nobody knows.
Standing = Literal["certain", "arbitrary", "unknown"]


class BestOfPair(NamedTuple):
    """The pairs of variables of a best mapping that take part in a match, and all best mappings.

    best: None where these are not known.
    """

    mapping: Mapping[str, str]
    best: BestMappings | None


#: What is known of two graphs, by their positions.
BestOf = Callable[[int, int], BestOfPair]


class CommonNode(NamedTuple):
    """A node: its name, and the variable that it is in each graph that has it, by position."""

    name: str
    variables: Mapping[int, str]
    standing: Standing

    @property
    def holders(self) -> list[int]:
        """The graphs that have it."""
        return sorted(self.variables)


def common_nodes(
    graphs: Mapping[int, NormalisedGraph], pivot: int, best_of: BestOf
) -> list[CommonNode]:
    """Return the nodes of *graphs*, by position: those of the pivot first, in its order."""
    nodes: list[dict[int, str]] = []
    place: dict[tuple[int, str], int] = {}
    before: list[int] = []
    for i in [pivot, *(i for i in graphs if i != pivot)]:
        for other in before:
            mapping = best_of(i, other).mapping
            for variable in graphs[i].variables:
                target = place.get((other, mapping.get(variable, "")))
                if (i, variable) not in place and target is not None and i not in nodes[target]:
                    nodes[target][i] = variable
                    place[i, variable] = target
        for variable in graphs[i].variables:
            if (i, variable) not in place:
                place[i, variable] = len(nodes)
                nodes.append({i: variable})
        before.append(i)
    return [
        CommonNode(name, variables, _standing(variables, graphs, pivot, best_of))
        for name, variables in zip(_names(graphs, nodes), nodes, strict=True)
    ]


def _names(
    graphs: Mapping[int, NormalisedGraph], nodes: Sequence[Mapping[int, str]]
) -> Iterator[str]:
    """Yield names: that of the first graph that has the node, with another number if need be.

    None is called like a constant, as which it could not be told from it.
    """
    words = (triple.label[1:] for graph in graphs.values() for triple in graph.triples)
    taken = {word for label in words for word in label}
    for variables in nodes:
        wanted = next(iter(variables.values()))
        stem = wanted.rstrip("0123456789") or "x"
        numbered = (f"{stem}{number}" for number in count(2))
        name = next(one for one in chain([wanted], numbered) if one not in taken)
        taken.add(name)
        yield name


def _standing(
    variables: Mapping[int, str], graphs: Iterable[int], pivot: int, best_of: BestOf
) -> Standing:
    """Tell whether every best mapping to the pivot makes a node of the same *variables*."""
    standing: Standing = "certain"
    for i in graphs:
        own, theirs = variables.get(i), variables.get(pivot)
        if i == pivot or (own is None and theirs is None):
            continue
        best = best_of(i, pivot).best
        if best is None:
            return "unknown"
        if own is not None and theirs is not None:
            is_so = (own, theirs) in best.every
        else:
            is_so = not any(own == left or theirs == right for left, right in best.some)
        if not is_so:
            standing = "arbitrary"
    return standing
