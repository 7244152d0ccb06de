"""Weights of triples by their distance from the root (Cai and Lam 2019).

Deng Cai and Wai Lam. 2019. *Core Semantic First: A Top-down Approach for AMR Parsing.* Proceedings
of EMNLP-IJCNLP 2019. Their paper names two variants of Smatch; their program (jcyk/AMR-parser,
``amr-evaluation-tool-enhanced``) defines both. A variable is as far from the root as the shortest
path of relations is long, whatever their directions. A constant is one step farther than its
variable, and a triple is as far as its farthest end; the root itself has the distance 0.

* Smatch-weighted: a triple at the distance d has the weight max(5 - d, 1). A match of two triples
  is worth the smaller of their weights. Totals are sums of weights.
* Smatch-core: only triples up to the distance 4 count, each once.

Weights are whole, so a triple with the weight w stands in the graph w times. Its copies from the
second on have their number as a further word of their labels. So they match the copies of another
triple in order, as many as the smaller weight says, and nothing else. The score and its proofs are
those of any other triples.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf

from exactmatch.metrics.triples import NormalisedTriple

#: The weight of the root, from which each step takes 1; and the least weight.
_ROOT_WEIGHT, _LEAST_WEIGHT = 5, 1

#: The largest distance of triples in Smatch-core.
_CORE = 4


def weighted(
    triples: Sequence[NormalisedTriple], roots: Iterable[str], top: Sequence[str]
) -> list[NormalisedTriple]:
    """Return each triple with its copies; *top* is the label of the root's triple."""
    far = _distance_of(triples, roots, top)
    counted = []
    for triple in triples:
        weight = max(_ROOT_WEIGHT - far(triple), _LEAST_WEIGHT)
        counted.append(triple)
        counted += [_copy(triple, number) for number in range(2, int(weight) + 1)]
    return counted


def _copy(triple: NormalisedTriple, number: int) -> NormalisedTriple:
    return NormalisedTriple((*triple.label, str(number)), triple.variables)


def core(
    triples: Sequence[NormalisedTriple], roots: Iterable[str], top: Sequence[str]
) -> list[NormalisedTriple]:
    """Return the triples near the root; *top* is the label of the root's triple."""
    far = _distance_of(triples, roots, top)
    return [triple for triple in triples if far(triple) <= _CORE]


def _distance_of(
    triples: Sequence[NormalisedTriple], roots: Iterable[str], top: Sequence[str]
) -> Callable[[NormalisedTriple], float]:
    """Return the function from a triple to its distance; infinity if no path leads to it."""
    steps = _steps(triples, roots)

    def distance(triple: NormalisedTriple) -> float:
        farthest = max(steps.get(variable, inf) for variable in triple.variables)
        # A relation has two ends; of one variable alone, the other end is a constant.
        is_of_root = triple.label == top or triple.kind == top[0] != "attribute"
        is_relation = triple.kind != "instance" and not is_of_root
        has_constant = is_relation and len(triple.variables) == 1
        return farthest + has_constant

    return distance


def _steps(triples: Sequence[NormalisedTriple], roots: Iterable[str]) -> Mapping[str, int]:
    """Return the length of the shortest path from a root to each variable that has one."""
    neighbours: defaultdict[str, list[str]] = defaultdict(list)
    for triple in triples:
        for variable in triple.variables:
            neighbours[variable] += [other for other in triple.variables if other != variable]
    steps = dict.fromkeys(roots, 0)
    frontier: Iterator[str] = iter([*steps])
    distance = 0
    while reached := [n for v in frontier for n in neighbours[v] if n not in steps]:
        distance += 1
        steps.update(dict.fromkeys(reached, distance))
        frontier = iter(dict.fromkeys(reached))
    return steps
