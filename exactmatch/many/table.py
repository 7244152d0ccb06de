"""How many triples of each label graphs have: what bounds on many pairs at once are made from."""

from itertools import accumulate
from operator import itemgetter
from typing import Any, NamedTuple

from exactmatch.problem.integers import integers
from exactmatch.problem.tables import TripleTable


class LabelCounts(NamedTuple):
    """How many triples of each label the graphs of a table have, by graph or by label.

    start: where what is there of each graph (or label) begins, and where the last one ends.
    other: the label (or graph).
    kinds, total, most: the different triples, the triples, the occurrences of the most frequent.
    """

    start: Any
    other: Any
    kinds: Any
    total: Any
    most: Any


def labels_by_graph(table: TripleTable) -> LabelCounts:
    """Return which labels each graph has."""
    return _laid_out(_counted(table), table.n_graphs, by=0)


def graphs_by_label(table: TripleTable, n_labels: int) -> LabelCounts:
    """Return which graphs each label has: an inverted index."""
    return _laid_out(_counted(table), n_labels, by=1)


def _counted(table: TripleTable) -> dict[tuple[int, int], list[int]]:
    """Return the counts of each graph and label."""
    found: dict[tuple[int, int], list[int]] = {}
    for g in range(table.n_graphs):
        for k in range(table.start[g], table.start[g + 1]):
            count = found.setdefault((g, table.label[k]), [0, 0, 0])
            count[0] += 1
            count[1] += table.times[k]
            count[2] = max(count[2], table.times[k])
    return found


def _laid_out(counts: dict[tuple[int, int], list[int]], length: int, by: int) -> LabelCounts:
    start = [0] * (length + 1)
    for key in counts:
        start[key[by] + 1] += 1
    rows = [(key[1 - by], *counts[key]) for key in sorted(counts, key=itemgetter(by, 1 - by))]
    columns = zip(*rows, strict=True) if rows else [()] * 4
    return LabelCounts(integers([*accumulate(start)]), *map(integers, columns))
