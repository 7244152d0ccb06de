"""The triples of many graphs in arrays, their labels numbered once for all of them."""

from collections.abc import Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Any, NamedTuple

from exactmatch.metrics.triples import Label
from exactmatch.problem.integers import integers
from exactmatch.problem.joining import Occurrences

#: The ways to count triples that occur more than once, by their numbers in compiled code.
DUPLICATES = ("set", "multiset", "product")
#: A triple that occurs more often, or has more variables, is not plain.
_MOST_TIMES = 1000
_MOST_VARIABLES = 2


class TripleTable(NamedTuple):
    """The different triples of graphs, sorted by graph and then by label.

    start: where the triples of each graph begin, and where the last ones end.
    label, times: by triple, the number of its label, and how often it occurs.
    first, second: by triple, its variables by position; *second* is -1 if it has one alone.
    n_variables: by graph.
    is_plain: by graph, 1 if *first* and *second* tell all about its triples.
    """

    start: Any
    label: Any
    times: Any
    first: Any
    second: Any
    n_variables: Any
    is_plain: Any

    @property
    def n_graphs(self) -> int:
        """The number of graphs."""
        return len(self.n_variables)


def tabulate(
    graphs: Sequence[Occurrences], n_variables: Sequence[int], numbers: dict[Label, int]
) -> TripleTable:
    """Return the table of *graphs*; *numbers* has those of labels, and gets those of new ones."""
    start, rows, is_plain = [0], [], []
    for occurrences in graphs:
        plain = 1
        for label, alike in occurrences.items():
            number = numbers.setdefault(label, len(numbers))
            for times, *variables in alike:
                if not 1 <= len(variables) <= _MOST_VARIABLES or times > _MOST_TIMES:
                    plain = 0
                rows.append((number, times, *variables, -1, -1)[:4])
        rows[start[-1] :] = sorted(rows[start[-1] :])
        start.append(len(rows))
        is_plain.append(plain)
    label, occurs, first, second = zip(*rows, strict=True) if rows else [()] * 4
    columns = (start, label, occurs, first, second, n_variables, is_plain)
    return TripleTable(*map(integers, columns))


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
    return LabelCounts(integers(accumulate(start)), *map(integers, columns))
