"""The order in which the programs of the Parallel Meaning Bank write the nodes of a graph of SBN.

They write what a node leads to below it, depth first, each edge in the order of the text, and a
node that is written already by its name alone. So a node stands as deep as its first mention, and
what the root does not lead to is not written.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from exactmatch.graph import Triple, Variable


def depths(start: str, triples: Iterable[Triple]) -> Mapping[str, int]:
    """Return how deep each variable stands that *start* leads to; *start* itself stands at 1."""
    below: defaultdict[str, list[str]] = defaultdict(list)
    for _, (source, target, *_), _ in triples:
        if isinstance(target, Variable):
            below[source[0]].append(target.name)
    found = {start: 1}
    waiting = [iter(below[start])]
    while waiting:
        node = next((node for node in waiting[-1] if node not in found), None)
        if node is None:
            waiting.pop()
        else:
            waiting.append(iter(below[node]))
            found[node] = len(waiting)
    return found


def later_edges(triples: Sequence[Triple]) -> Iterator[Triple]:
    """Yield the triples; of the edges from one node to another the last, where the first stood."""
    last = {t.arguments: t for t in triples if isinstance(t.arguments[1], Variable)}
    for triple in triples:
        if not isinstance(triple.arguments[1], Variable):
            yield triple
        elif triple.arguments in last:
            yield last.pop(triple.arguments)
