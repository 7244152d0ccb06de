"""AnCast's mapping of the nodes of two sentence graphs: anchors, broadcast to neighbours.

Sun and Xue (2024), *Anchor and Broadcast: An Efficient Concept Alignment Approach for Evaluation of
Semantic Graphs*, LREC-COLING 2024. At first, the similarity of nodes is that of their names and
attributes. Anchors are pairs that surely correspond. The similarity 1 of an anchor is spread to
pairs of neighbours, over one relation or two, and from them to theirs:

    s(i, j) = sqrt((out(i, j) + 1) (in(i, j) + 1) - 1), divided by its maximum,

where *out* is the sum of s over the pairs of arguments of i and j, divided by the ratio of their
numbers of neighbours, and *in* the same over predicates; at anchors s stays 1. Pairs that are then
the best for both of their nodes are the next anchors; this is repeated at most five times. The rest
is mapped greedily, beginning with pairs that are the best for both.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from exactmatch.metrics.ancast.labelled_graph import AncastGraph, AncastNode
from exactmatch.stopping.deadline import current, looking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]
    Pairs = NDArray[np.bool_]

_ROUNDS, _STEPS = 5, 50
#: With more pairs of nodes, the matrices would take more than a gigabyte.
MOST_PAIRS = 10_000_000
#: So many numbers are multiplied between two looks at the clock.
_PRODUCTS = 2**30
#: Two steps are equal if they differ by less; similarities are rounded to as many digits.
_TOLERANCE, _DIGITS = 1e-4, 4
#: Added to the spread values, and to the similarity of nodes, before both are multiplied.
_LEAST_SPREAD, _LEAST_SIMILARITY = 1e-3, 2e-1
#: The factor for a name with another sense.
OTHER_SENSE = Fraction(9, 10)


class TooManyNodes(Exception):  # noqa: N818
    """Two graphs have more pairs of nodes than `MOST_PAIRS`."""


#: Tells whether two nodes surely correspond.
IsAnchor = Callable[[AncastNode, AncastNode], bool]


def broadcast_mapping(
    system: AncastGraph, gold: AncastGraph, is_anchor: IsAnchor, *, first_wins: bool = True
) -> dict[int, int]:
    """Return the mapping of nodes of *system* to those of *gold*, by positions.

    first_wins: of equally similar pairs, one with the first node can be chosen by its roles.

    Raises `TooManyNodes`, and `OutOfTime` if the current deadline comes first.
    """
    if not system.nodes or not gold.nodes:
        return {}
    if max(len(system.nodes), len(gold.nodes)) ** 2 > MOST_PAIRS:
        raise TooManyNodes
    pairs = _NodePairs(system, gold)
    anchors = pairs.matrix(is_anchor).astype(bool)
    for _ in range(_ROUNDS):
        before = anchors
        similarity = pairs.spread(before)
        anchors = pairs.mutually_best(similarity, first_wins)
        if not (anchors & ~before).any():
            break
    return pairs.completed(anchors, similarity)


def unique_in_text(text: str, system: AncastGraph, gold: AncastGraph) -> IsAnchor:
    """Return a test whether two nodes have a name that occurs once in each graph, and in *text*."""
    folded = text.lower()
    names = [Counter(node.name for node in graph.nodes) for graph in (system, gold)]
    once = (name for name in names[0] if all(n[name] == 1 for n in names))
    unique = {name for name in looking(once) if name in folded}
    return lambda node, other: node.name == other.name and node.name in unique


class _NodePairs:
    """The similarities of the pairs of nodes of two graphs, a row for each node of the system."""

    def __init__(self, system: AncastGraph, gold: AncastGraph) -> None:
        self._nodes = (system.nodes, gold.nodes)
        self._similarity = self.matrix(_similarity)
        self._roles = self.matrix(lambda node, other: _jaccard(node.roles, other.roles))
        one, other = _arguments(system), _arguments(gold)
        self._neighbourhoods = [_Neighbourhood(one, other), _Neighbourhood(one.T, other.T)]

    def matrix(self, value: Callable[[AncastNode, AncastNode], float]) -> "Matrix":
        """Return a value of all pairs of nodes."""
        import numpy as np

        system, gold = self._nodes
        matrix = np.empty((len(system), len(gold)))
        deadline = current()
        for row, node in enumerate(system):
            deadline.check()
            matrix[row] = [value(node, other) for other in gold]
        return matrix

    def spread(self, anchors: "Pairs") -> "Matrix":
        """Return the similarities after the anchors are spread to their neighbours."""
        import numpy as np

        spread = fixed = anchors.astype(float)
        for _ in range(_STEPS):
            before = spread
            out, into = (around.spread(before) for around in self._neighbourhoods)
            spread = np.sqrt((out + 1) * (into + 1) - 1)
            most = spread.max()
            spread = np.maximum(spread / most if most > 0 else spread, fixed)
            if np.allclose(before, spread, atol=_TOLERANCE):
                break
        product = (spread + _LEAST_SPREAD) * (self._similarity + _LEAST_SIMILARITY)
        return np.around(product, decimals=_DIGITS)

    def mutually_best(self, similarity: "Matrix", first_wins: bool) -> "Pairs":
        """Return the pairs that are the best for both of their nodes, without ties.

        Of equally good pairs, the one whose nodes share more roles is the best.
        """
        import numpy as np

        def known(values: "Matrix", roles: "Matrix") -> int | None:
            best, told_by_roles = _best(values, roles)
            is_told = len(best) == 1 and (first_wins or not told_by_roles or best[0] > 0)
            return best[0] if is_told else None

        mutual = np.zeros(similarity.shape, dtype=bool)
        for i, j in _mutual(similarity, self._roles, known):
            mutual[i, j] = True
        return mutual

    def completed(self, anchors: "Pairs", similarity: "Matrix") -> dict[int, int]:
        """Return *anchors* as a mapping, with the remaining pairs, mutually best ones first."""
        import numpy as np

        def first(values: "Matrix", roles: "Matrix") -> int:
            return _best(values, roles)[0][0]

        mapping: dict[int, int] = {i: j for i, j in np.argwhere(anchors).tolist()}
        rows, columns = (np.flatnonzero(~anchors.any(axis=axis)) for axis in (1, 0))
        while len(rows) and len(columns):
            rest = np.ix_(rows, columns)
            new = [*_mutual(similarity[rest], self._roles[rest], first)]
            mapping.update((int(rows[i]), int(columns[j])) for i, j in new)
            rows = np.delete(rows, [i for i, _ in new])
            columns = np.delete(columns, [j for _, j in new])
        return mapping


class _Neighbourhood:
    """The paths from nodes to their arguments, or to their predicates, over one relation or two."""

    def __init__(self, system: "Matrix", gold: "Matrix") -> None:
        import numpy as np

        self._system, self._gold = _within_two(system), _within_two(gold)
        sizes = self._system.sum(axis=1)[:, np.newaxis], self._gold.sum(axis=1)[np.newaxis, :]
        fewer, more = np.minimum(*sizes), np.maximum(*sizes)
        self._ratio = np.full(fewer.shape, np.inf)
        np.divide(more, fewer, out=self._ratio, where=fewer > 0)

    def spread(self, values: "Matrix") -> "Matrix":
        """Return the sum of the values of neighbours, reduced if their numbers differ."""
        means: Matrix = _product(_product(self._system, values), self._gold.T) / self._ratio
        return means


def _arguments(graph: AncastGraph) -> "Matrix":
    """Return 1 for each node and each of its arguments."""
    import numpy as np

    matrix = np.zeros((len(graph.nodes), len(graph.nodes)))
    for predicate, argument in graph.relations:
        if isinstance(predicate, int) and isinstance(argument, int):
            matrix[predicate, argument] = 1
    return matrix


def _within_two(steps: "Matrix") -> "Matrix":
    """Return 1 for each node and each other node at a distance of one or two steps."""
    import numpy as np

    near = (_product(steps, steps) + steps > 0).astype(float)
    np.fill_diagonal(near, 0)
    return near


def _product(one: "Matrix", other: "Matrix") -> "Matrix":
    """Return the product of two matrices; that of large ones row by row, to look at the clock."""
    import numpy as np

    rows = max(1, _PRODUCTS // max(1, other.size))
    if rows >= len(one):
        whole: Matrix = one @ other
        return whole
    deadline, parts = current(), []
    for start in range(0, len(one), rows):
        deadline.check()
        parts.append(one[start : start + rows] @ other)
    return np.concatenate(parts)


def _mutual(
    similarity: "Matrix", roles: "Matrix", choose: "Callable[[Matrix, Matrix], int | None]"
) -> Iterator[tuple[int, int]]:
    """Yield the pairs that both of their nodes choose."""
    deadline = current()
    deadline.check()
    for_rows = [choose(*both) for both in looking(zip(similarity, roles, strict=True), deadline)]
    columns = zip(similarity.T, roles.T, strict=True)
    for_columns = [choose(*both) for both in looking(columns, deadline)]
    for i, j in enumerate(for_rows):
        if j is not None and for_columns[j] == i:
            yield i, j


def _best(values: "Matrix", roles: "Matrix") -> tuple[list[int], bool]:
    """Return the positions of the greatest values, by roles for ties, and whether roles decided."""
    import numpy as np

    best = np.flatnonzero(values == values.max())
    if len(best) == 1:
        return best.tolist(), False
    return best[roles[best] == roles[best].max()].tolist(), True


def _similarity(node: AncastNode, other: AncastNode) -> float:
    """Return the similarity of two nodes by their names with operands, senses and attributes."""
    part, whole = containment(node.extended_name(), other.extended_name())
    names = part / whole * (1.0 if node.sense == other.sense else float(OTHER_SENSE))
    common = [r for r in node.attributes if r in other.attributes and not r.startswith("op")]
    if not common:
        return names
    equal = sum(node.attributes[role] == other.attributes[role] for role in common)
    return (names + equal / len(common)) / 2


def _jaccard(one: set[str], other: set[str]) -> float:
    every = one | other
    return len(one & other) / len(every) if every else 0.0


def containment(one: str, other: str) -> tuple[int, int]:
    """Return the share of the longer text that the shorter one covers if it is part of it, or 0.

    The share is a numerator and a denominator. Two empty texts are equal.
    """
    shorter, longer = sorted((one, other), key=len)
    if shorter not in longer:
        return 0, 1
    return (len(shorter), len(longer)) if longer else (1, 1)
