# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The triples of graphs in arrays of integers; their labels are numbered once for all graphs.

Written in Cython's pure Python mode, as the kernel of the dual is.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import cython

from exactmatch.problem.integers import integers, zeros

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
    label = cython.declare(object, visibility="readonly")
    first = cython.declare(object, visibility="readonly")
    second = cython.declare(object, visibility="readonly")
    n_written = cython.declare(cython.Py_ssize_t, visibility="readonly")
    total = cython.declare(cython.Py_ssize_t, visibility="readonly")
    # The triples as they are written.
    _label: cython.longlong[::1]
    _first: cython.longlong[::1]
    _second: cython.longlong[::1]
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
    # For each triple, to be sorted: the triple as one number, and its occurrences; then in order of
    # labels. By label, where its next triple goes.
    _given: cython.longlong[::1]
    _given_often: cython.longlong[::1]
    _key: cython.longlong[::1]
    _often: cython.longlong[::1]
    _next: cython.longlong[::1]

    def __init__(self, before: "GraphTable | None" = None) -> None:
        columns = [zeros(MOST_TRIPLES) for _ in range(11)]
        self.label, self.first, self.second = columns[:3]
        start, n_variables = integers([0, 0]), integers([MOST_TRIPLES])
        labels, times, firsts, seconds = columns[3:7]
        self.table = TripleTable(start, labels, times, firsts, seconds, n_variables, integers([1]))
        self._label, self._first, self._second = self.label, self.first, self.second
        self.before = before
        self._label_before = self.label if before is None else before.label
        self._start, self._n_variables = start, n_variables
        self._labels, self._times, self._firsts, self._seconds = labels, times, firsts, seconds
        self._given, self._given_often, self._key, self._often = columns[7:]
        self._place, self._next = zeros(MOST_TRIPLES), zeros(2 * MOST_TRIPLES)
        self._place_before = self._place
        self.n_written = self.total = 0

    @cython.ccall
    def sort(self, n_written: cython.Py_ssize_t, n_variables: cython.Py_ssize_t) -> cython.bint:
        """Make the table of the first *n_written* triples as they are written.

        Returns False if that is impossible: if a triple occurs too often.
        """
        k: cython.Py_ssize_t
        place: cython.longlong
        n_before: cython.Py_ssize_t = 0
        before: GraphTable
        if self.before is not None:
            before = self.before
            n_before, self._place_before = before.n_written, before._place
        self._make_places(n_written)
        for k in range(n_written):
            place = self._place_of(self._label[k], k, n_before)
            self._given[k] = self._packed(place, self._first[k], self._second[k])
            self._given_often[k] = 1
        self.n_written = n_written
        return self._tabulate(n_written, n_before + n_written, n_variables)

    @cython.cfunc
    def _make_places(self, n_written: cython.Py_ssize_t) -> cython.void:
        """Make the table of places as large as the labels need."""
        k: cython.Py_ssize_t
        most: cython.longlong = 0
        for k in range(n_written):
            most = max(most, self._label[k])
        if most >= len(self._place):
            self._place = zeros(2 * most)

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def _place_of(
        self, label: cython.longlong, k: cython.Py_ssize_t, n_before: cython.Py_ssize_t
    ) -> cython.longlong:
        """Return where the label of triple *k* comes first.

        What the table of places says of a label holds if the label is written there.
        """
        place: cython.longlong
        if n_before > 0 and label < len(self._place_before):
            place = self._place_before[label]
            if place < n_before and self._label_before[place] == label:
                return place
        place = self._place[label]
        if place >= k or self._label[place] != label:
            place = self._place[label] = k
        return n_before + place

    def take(
        self, occurrences: "Occurrences", n_variables: cython.Py_ssize_t, numbers: dict[Any, int]
    ) -> bool:
        """Make the table of a graph, see `tabulate`; return False if that is impossible.

        The written triples are not filled in.
        """
        n: cython.Py_ssize_t = 0
        number: cython.longlong
        size: cython.Py_ssize_t
        triple: tuple[Any, ...]
        self.n_written = 0
        if n_variables > _ROOM:
            return False
        for label, alike in occurrences.items():
            known: Any = numbers.get(label)
            if known is None:
                known = numbers[label] = len(numbers)
            number = known
            for triple in alike:
                size = len(triple)
                if n == _ROOM or not 2 <= size <= 3 or triple[0] > _MOST_TIMES:
                    return False
                self._given[n] = self._packed(number, triple[1], triple[2] if size == 3 else -1)
                self._given_often[n] = triple[0]
                n += 1
        return self._tabulate(n, len(numbers), n_variables)

    @cython.cfunc
    @cython.inline
    def _packed(
        self, label: cython.longlong, first: cython.longlong, second: cython.longlong
    ) -> cython.longlong:
        return ((label << _BITS | (first + 1)) << _BITS) | (second + 1)

    @cython.cfunc
    def _tabulate(
        self, n: cython.Py_ssize_t, n_labels: cython.Py_ssize_t, n_variables: cython.Py_ssize_t
    ) -> cython.bint:
        """Sort the triples, and merge equal ones; labels are less than *n_labels*."""
        k: cython.Py_ssize_t
        m: cython.Py_ssize_t = 0
        key: cython.longlong
        is_plain: cython.bint = True
        self._sort_by_label(n, n_labels)
        self._sort_alike(n)
        for k in range(n):
            key = self._key[k]
            if k > 0 and key == self._key[k - 1]:
                self._times[m - 1] += self._often[k]
                is_plain = is_plain and self._times[m - 1] <= _MOST_TIMES
                continue
            self._labels[m] = key >> 2 * _BITS
            self._firsts[m] = (key >> _BITS & _ONES) - 1
            self._seconds[m] = (key & _ONES) - 1
            self._times[m] = self._often[k]
            m += 1
        self._start[1] = self.total = m
        self._n_variables[0] = n_variables
        return is_plain

    @cython.cfunc
    def _sort_by_label(self, n: cython.Py_ssize_t, n_labels: cython.Py_ssize_t) -> cython.void:
        """Put the triples in order of their labels, by counting."""
        k: cython.Py_ssize_t
        place: cython.longlong = 0
        size: cython.longlong
        label: cython.longlong
        if n_labels > len(self._next):
            self._next = zeros(2 * n_labels)
        for k in range(n_labels):
            self._next[k] = 0
        for k in range(n):
            self._next[self._given[k] >> 2 * _BITS] += 1
        for k in range(n_labels):
            size = self._next[k]
            self._next[k] = place
            place += size
        for k in range(n):
            label = self._given[k] >> 2 * _BITS
            place = self._next[label]
            self._next[label] = place + 1
            self._key[place], self._often[place] = self._given[k], self._given_often[k]

    @cython.cfunc
    @cython.exceptval(check=False)
    def _sort_alike(self, n: cython.Py_ssize_t) -> cython.void:
        """Sort the triples of each label, which are few, by insertion."""
        k: cython.Py_ssize_t
        m: cython.Py_ssize_t
        key: cython.longlong
        often: cython.longlong
        for k in range(1, n):
            key = self._key[k]
            if self._key[k - 1] <= key:
                continue
            often = self._often[k]
            m = k
            while m > 0 and self._key[m - 1] > key:
                self._key[m], self._often[m] = self._key[m - 1], self._often[m - 1]
                m -= 1
            self._key[m], self._often[m] = key, often
