# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The triples of graphs in arrays of integers; their labels are numbered once for all graphs.

Written in Cython's pure Python mode, as the kernel of the dual is.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import cython

from exactmatch.problem.integers import integers, zeros

if cython.compiled:
    from cython.cimports.exactmatch.problem.integers import sort_by
else:
    from exactmatch.problem.integers import sort_by

if TYPE_CHECKING:
    from exactmatch.problem.joining import Occurrences

#: The numbers in compiled code of the ways to count repeated triples.
DUPLICATES = ("set", "multiset", "product")
#: A triple that occurs more often, or has more variables, is not plain.
_MOST_TIMES = cython.declare(cython.Py_ssize_t, 1000)
_MOST_VARIABLES = cython.declare(cython.Py_ssize_t, 2)
#: The capacity of the table of a single graph: triples, and variables.
MOST_TRIPLES = 1000
_ROOM = cython.declare(cython.Py_ssize_t, MOST_TRIPLES)
#: A triple as one number: bits for either variable, as its position plus 1.
_BITS = cython.declare(cython.int, 12)
_ONES = cython.declare(cython.longlong, (1 << 12) - 1)


class TripleTable(NamedTuple):
    """The different triples of graphs, sorted by graph and then by label.

    start: where the triples of each graph begin, and where the last ones end.
    label, times: for each triple, the number of its label, and of its occurrences.
    first, second: for each triple, its variables by position; *second* is -1 if it has only one.
    n_variables: by graph.
    is_plain: for each graph, 1 if *first* and *second* describe its triples completely.
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
    graphs: "Sequence[Occurrences]", n_variables: Sequence[int], numbers: dict[Any, int]
) -> TripleTable:
    """Return the table of *graphs*; *numbers* are those of labels, and get new ones."""
    start: list[int] = [0]
    rows: list[Any] = []
    is_plain: list[int] = []
    for occurrences in graphs:
        plain, begin = 1, len(rows)
        for label, alike in occurrences.items():
            number = numbers.setdefault(label, len(numbers))
            for times, *variables in alike:
                if not 1 <= len(variables) <= _MOST_VARIABLES or times > _MOST_TIMES:
                    plain = 0
                rows.append((number, times, *variables, -1, -1)[:4])
        rows[begin:] = sorted(rows[begin:])
        start.append(len(rows))
        is_plain.append(plain)
    columns = [[row[k] for row in rows] for k in range(4)]
    return TripleTable(*map(integers, (start, *columns, n_variables, is_plain)))


@cython.final
@cython.cclass
class GraphTable:
    """The table of one graph, which can be refilled for another graph.

    table: the `TripleTable`.
    label, first, second: the triples as they are written, in any order and with repetitions, to be
        filled in before `sort`; *second* is -1 for triples of one variable.
    n_written: the number of written triples. total: the number of different ones.
    before: the table of the graph that this one is compared with, if that is sorted first.

    In the table, the number of a label is the place of the first written triple that has it, among
    those of *before* and then of this graph. So the result depends on these two graphs alone, and
    not on the numbers that labels got from other graphs.
    """

    before = cython.declare(object, visibility="readonly")
    table = cython.declare(object, visibility="readonly")
    label = cython.declare(cython.longlong[::1], visibility="readonly")
    first = cython.declare(cython.longlong[::1], visibility="readonly")
    second = cython.declare(cython.longlong[::1], visibility="readonly")
    n_written = cython.declare(cython.Py_ssize_t, visibility="readonly")
    total = cython.declare(cython.Py_ssize_t, visibility="readonly")
    # The table.
    _start: cython.longlong[::1]
    _labels: cython.longlong[::1]
    _times: cython.longlong[::1]
    _firsts: cython.longlong[::1]
    _seconds: cython.longlong[::1]
    _n_variables: cython.longlong[::1]
    # By label, a place where it was written first: in this graph if it is written there, or else in
    # another one; and the same of the graph before, with its labels.
    _place: cython.longlong[::1]
    _place_before: cython.longlong[::1]
    _label_before: cython.longlong[::1]
    # By written triple, the number of its label; the triples in order, and each as one number.
    _number: cython.longlong[::1]
    _order: cython.longlong[::1]
    _key: cython.longlong[::1]
    _work: cython.longlong[::1]

    def __init__(self, before: "GraphTable | None" = None) -> None:
        start, n_variables = integers([0, 0]), integers([MOST_TRIPLES])
        labels, times, firsts, seconds = (zeros(MOST_TRIPLES) for _ in range(4))
        self.table = TripleTable(start, labels, times, firsts, seconds, n_variables, integers([1]))
        self._start, self._n_variables = start, n_variables
        self._labels, self._times, self._firsts, self._seconds = labels, times, firsts, seconds
        self.label, self.first, self.second = (zeros(MOST_TRIPLES) for _ in range(3))
        self.before = before
        self._label_before = self.label if before is None else before.label
        self._number, self._order, self._key = (zeros(MOST_TRIPLES) for _ in range(3))
        self._work = zeros(3 * MOST_TRIPLES + 1)
        self._place = self._place_before = zeros(MOST_TRIPLES)
        self.n_written = self.total = 0

    @cython.ccall
    def sort(self, n_written: cython.Py_ssize_t, n_variables: cython.Py_ssize_t) -> None:
        """Make the table of the first *n_written* triples as they are written."""
        k: cython.Py_ssize_t
        n_before: cython.Py_ssize_t = 0
        before: GraphTable
        if self.before is not None:
            before = self.before
            n_before, self._place_before = before.n_written, before._place
        self._make_places(n_written)
        for k in range(n_written):
            self._number[k], self._order[k] = self._number_of(self.label[k], k, n_before), k
        sort_by(self._number, n_before + n_written, self._order, n_written, self._work)
        self.n_written = n_written
        self._sort_alike()
        self._merge()
        self._n_variables[0] = n_variables

    def take(
        self, occurrences: "Occurrences", n_variables: cython.Py_ssize_t, numbers: dict[Any, int]
    ) -> bool:
        """Write the triples of a graph, and make their table; return False if that is impossible.

        *numbers* are as for `tabulate`.
        """
        n: cython.Py_ssize_t = 0
        size: cython.Py_ssize_t
        triple: tuple[Any, ...]
        for label, alike in occurrences.items():
            number = numbers.setdefault(label, len(numbers))
            for triple in alike:
                size = len(triple)
                if not 2 <= size <= 3 or n + triple[0] > _ROOM or n_variables > _ROOM:
                    return False
                for _ in range(triple[0]):
                    self.label[n], self.first[n] = number, triple[1]
                    self.second[n] = triple[2] if size == 3 else -1
                    n += 1
        self.sort(n, n_variables)
        return True

    @cython.cfunc
    def _make_places(self, n_written: cython.Py_ssize_t) -> cython.void:
        """Make the table of places as large as the labels need."""
        k: cython.Py_ssize_t
        most: cython.longlong = 0
        for k in range(n_written):
            most = max(most, self.label[k])
        if most >= len(self._place):
            self._place = zeros(2 * most)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _number_of(
        self, label: cython.longlong, k: cython.Py_ssize_t, n_before: cython.Py_ssize_t
    ) -> cython.longlong:
        """Return the number of the label of triple *k*: where it comes first.

        What the table of places says of a label holds if the label is written there.
        """
        place: cython.longlong
        if n_before > 0 and label < len(self._place_before):
            place = self._place_before[label]
            if place < n_before and self._label_before[place] == label:
                return place
        place = self._place[label]
        if place >= k or self.label[place] != label:
            place = self._place[label] = k
        return n_before + place

    @cython.cfunc
    @cython.exceptval(check=False)
    def _sort_alike(self) -> cython.void:
        """Make each triple a number, and put the few of each label in order by insertion."""
        k: cython.Py_ssize_t
        m: cython.Py_ssize_t
        t: cython.longlong
        key: cython.longlong
        for k in range(self.n_written):
            t = self._order[k]
            key = self._number[t] << _BITS | (self.first[t] + 1)
            key = key << _BITS | (self.second[t] + 1)
            m = k
            while m > 0 and self._key[m - 1] > key:
                self._key[m] = self._key[m - 1]
                m -= 1
            self._key[m] = key

    @cython.cfunc
    @cython.exceptval(check=False)
    def _merge(self) -> cython.void:
        """Make the table of sorted triples, in which equal ones are one."""
        k: cython.Py_ssize_t
        n: cython.Py_ssize_t = 0
        key: cython.longlong
        before: cython.longlong = -1
        for k in range(self.n_written):
            key = self._key[k]
            if key != before:
                self._labels[n] = key >> 2 * _BITS
                self._firsts[n] = (key >> _BITS & _ONES) - 1
                self._seconds[n] = (key & _ONES) - 1
                self._times[n] = 0
                n += 1
            self._times[n - 1] += 1
            before = key
        self._start[1] = self.total = n
