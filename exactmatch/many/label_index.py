# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""An inverted index of labels, for upper bounds on the matches of a graph with many others.

A mapping takes different triples of a graph to different ones of the other, so it matches no more
triples of a label than either graph has.

Written in Cython's pure Python mode, as the kernel of the dual is.
"""

from typing import Any

import cython

from exactmatch.many.table import LabelCounts
from exactmatch.problem.integers import zeros
from exactmatch.problem.tables import DUPLICATES


@cython.cclass
class LabelIndex:
    """Bounds on the matches of graphs of *system* with each graph of *gold*.

    *system* is given by graph, *gold*, which has *n_graphs* graphs, by label. A triple counts
    *scale*.
    """

    scale: cython.longlong
    duplicates: cython.int
    n_graphs: cython.Py_ssize_t
    start: cython.longlong[::1]
    label: cython.longlong[::1]
    kinds: cython.longlong[::1]
    total: cython.longlong[::1]
    most: cython.longlong[::1]
    its_start: cython.longlong[::1]
    its_graph: cython.longlong[::1]
    its_kinds: cython.longlong[::1]
    its_total: cython.longlong[::1]
    its_most: cython.longlong[::1]

    def __init__(
        self, system: LabelCounts, gold: LabelCounts, n_graphs: int, scale: int, duplicates: str
    ) -> None:
        self.scale = scale
        self.duplicates = DUPLICATES.index(duplicates)
        self.n_graphs = n_graphs
        self.start, self.label = system.start, system.other
        self.kinds, self.total, self.most = system.kinds, system.total, system.most
        self.its_start, self.its_graph = gold.start, gold.other
        self.its_kinds, self.its_total, self.its_most = gold.kinds, gold.total, gold.most

    def bounds(self, i: cython.Py_ssize_t) -> Any:
        """Return the bounds of graph *i* with each graph of gold, an array of integers."""
        k: cython.longlong
        m: cython.longlong
        number: cython.longlong
        found = zeros(self.n_graphs)
        bound: cython.longlong[::1] = found
        for k in range(self.start[i], self.start[i + 1]):
            number = self.label[k]
            for m in range(self.its_start[number], self.its_start[number + 1]):
                bound[self.its_graph[m]] += self.scale * self._most_credit(k, m)
        return found

    @cython.cfunc
    @cython.inline
    def _most_credit(self, k: cython.longlong, m: cython.longlong) -> cython.longlong:
        """Return an upper bound on the value of triples of one label."""
        if self.duplicates == 0:
            return min(self.kinds[k], self.its_kinds[m])
        if self.duplicates == 1:
            return min(self.total[k], self.its_total[m])
        return min(self.total[k] * self.its_most[m], self.most[k] * self.its_total[m])
