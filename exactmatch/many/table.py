"""The numbers of triples of each label in graphs, from which bounds on many pairs are made."""

from itertools import accumulate
from operator import itemgetter
from typing import Any, NamedTuple

from exactmatch.problem.integers import integers
from exactmatch.problem.tables import TripleTable


class LabelCounts(NamedTuple):
    """The numbers of triples of each label in the graphs of a table, by graph or by label.

    start: where the entries of each graph (or label) begin, and where the last one ends.
    other: the label (or graph) of an entry.
    kinds, total, most: the number of different triples, of all triples, and of the most frequent
        one.
    """

    start: Any
    other: Any
    kinds: Any
    total: Any
    most: Any


def labels_by_graph(table: TripleTable) -> LabelCounts:
    """Return the labels of each graph."""
    return _laid_out(_counted(table), table.n_graphs, by=0)


def graphs_by_label(table: TripleTable, n_labels: int) -> LabelCounts:
    """Return the graphs of each label: an inverted index."""
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
