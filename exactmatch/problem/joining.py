# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Join the triples of two graphs by label to the terms of their problem, in arrays.

Written in Cython's pure Python mode. In compiled code, a weight must be less than 2**63; otherwise
there is an `OverflowError`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any

import cython

from exactmatch.problem.integers import ascending, integers, zeros

if cython.compiled:
    from cython.cimports.exactmatch.problem.integers import sort_by
else:
    from exactmatch.problem.integers import sort_by


#: The different triples of a graph by label, in the order in which labels first occur. Each has its
#: number of occurrences, and then its variables by position.
Occurrences = dict[Any, list[tuple[int, ...]]]

#: Terms made between two looks at the clock.
_INTERVAL = cython.declare(cython.Py_ssize_t, 10_000)


@cython.cfunc
@cython.inline
def _as_tuple(value: Any) -> tuple[Any, ...]:
    """Return *value* as a tuple; compiled code reads plain tuples, including named ones, fast."""
    if not isinstance(value, tuple):
        raise TypeError(f"not a tuple: {value!r}")
    return cython.cast(tuple, value)


@cython.boundscheck(True)
def occurrences(variables: Sequence[str], triples: Iterable[Any]) -> Occurrences:
    """Return the different *triples* of a graph by label, from labels and tuples of variables."""
    position: dict[str, int] = {}
    for variable in variables:
        position[variable] = len(position)
    found: dict[Any, list[Any]] = {}
    for each in triples:
        triple: tuple[Any, ...] = _as_tuple(each)
        names: tuple[Any, ...] = _as_tuple(triple[1])
        label = triple[0]
        if len(names) == 1:  # most are of one or two variables
            once: Any = (1, position[names[0]])
        elif len(names) == 2:
            once = (1, position[names[0]], position[names[1]])
        else:
            once = (1, *[position[name] for name in names])
        known = found.get(label)
        if known is None:
            found[label] = [once]
        else:
            alike: list[Any] = known
            alike.append(once)
    for label, alike in found.items():
        if len(alike) > 1 and len(set(alike)) < len(alike):
            found[label] = [(times, *once[1:]) for once, times in Counter(alike).items()]
    return found


def credit(times: int, other_times: int, duplicates: str) -> int:
    """Return how often two matching triples count that occur so often in their graphs."""
    if times == 1 == other_times:
        return 1
    if duplicates == "product":
        return times * other_times
    fewer = min(times, other_times)
    return min(fewer, 1) if duplicates == "set" else fewer


def join(
    system: Occurrences,
    gold: Occurrences,
    similar: Mapping[Any, Iterable[tuple[Any, int]]],
    scale: Any,
    duplicates: str,
    deadline: Any,
) -> tuple[Any, Any, Any, Any]:
    """Return the terms of two graphs, as `exactmatch.problem.TermArrays`.

    Triples of one label count *scale*; *similar* gives, for labels of *system*, the other labels of
    *gold* that they match, and the value. Raises `OutOfTime` if *deadline* comes first, `TypeError`
    for a value that is no whole number, and `ValueError` for triples that match but have no
    variables, so that they need no mapping.
    """
    lefts: dict[Any, Any] = system
    rights: dict[Any, Any] = gold
    terms = _Terms(duplicates, deadline)
    worth = index(scale)
    for label, ours in lefts.items():
        theirs = rights.get(label)
        if theirs is not None:
            terms.add(ours, theirs, worth)
        if similar:
            for other, its_worth in similar.get(label, ()):
                theirs = rights.get(other)
                if theirs is not None:
                    terms.add(ours, theirs, index(its_worth))
    return terms.merged()


@cython.cclass
class _Terms:
    """Terms as they are found: their weights, the ends of their pairs, and both sides of pairs.

    *widest* is the largest number of pairs of a term; *n_left* and *n_right* are at least the
    numbers of variables that occur.
    """

    weight: list[int]
    end: list[int]
    left: list[int]
    right: list[int]
    widest: cython.Py_ssize_t
    n_left: cython.longlong
    n_right: cython.longlong
    duplicates: str
    deadline: Any
    next_look: cython.Py_ssize_t

    def __init__(self, duplicates: str, deadline: Any) -> None:
        self.weight = []
        self.end = []
        self.left = []
        self.right = []
        self.widest = 0
        self.n_left = self.n_right = 0
        self.duplicates = duplicates
        self.deadline = deadline
        self.next_look = _INTERVAL

    @cython.cfunc
    def add(self, ours: list[Any], theirs: list[Any], worth: Any) -> None:
        """Add a term for every two triples that a one-to-one mapping can match."""
        one: tuple[Any, ...]
        other: tuple[Any, ...]
        before: cython.Py_ssize_t
        size: cython.Py_ssize_t
        for one in ours:
            if len(self.weight) >= self.next_look:
                self.next_look = len(self.weight) + _INTERVAL
                self.deadline.check()
            for other in theirs:
                if len(one) != len(other):  # a label may have triples of several sizes
                    continue
                before = len(self.left)
                if not self._add_pairs(one, other):
                    continue
                size = len(self.left) - before
                if size > self.widest:
                    self.widest = size
                self.end.append(len(self.left))
                if one[0] == 1 and other[0] == 1:
                    self.weight.append(worth)
                else:
                    self.weight.append(worth * credit(one[0], other[0], self.duplicates))

    @cython.cfunc
    def _add_pairs(self, one: tuple[Any, ...], other: tuple[Any, ...]) -> cython.bint:
        """Add the pairs that map the variables of *one* to those of *other*, sorted.

        If the pairs are not one-to-one, add none, and return that.
        """
        size: cython.Py_ssize_t = len(one) - 1
        left: cython.longlong
        right: cython.longlong
        other_left: cython.longlong
        other_right: cython.longlong
        if size == 1:  # most are of one or two variables
            self._add_pair(one[1], other[1])
            return True
        if size == 2:
            left, other_left = one[1], one[2]
            right, other_right = other[1], other[2]
            if left != other_left and right != other_right:
                if left < other_left:
                    self._add_pair(left, right)
                    self._add_pair(other_left, other_right)
                else:
                    self._add_pair(other_left, other_right)
                    self._add_pair(left, right)
                return True
        if size == 0:
            raise ValueError("a triple without variables would match under every mapping")
        pairs = sorted(set(zip(one[1:], other[1:], strict=True)))
        if not len(set(one[1:])) == len(pairs) == len(set(other[1:])):
            return False
        for left, right in pairs:
            self._add_pair(left, right)
        return True

    @cython.cfunc
    def _add_pair(self, left: cython.longlong, right: cython.longlong) -> cython.void:
        self.left.append(left)
        self.right.append(right)
        if left >= self.n_left:
            self.n_left = left + 1
        if right >= self.n_right:
            self.n_right = right + 1

    def merged(self) -> tuple[Any, Any, Any, Any]:
        """Return weights, the start of each term's pairs, and both sides of pairs.

        The terms are sorted by their pairs, and terms with the same pairs are merged.
        """
        k: cython.Py_ssize_t
        t: cython.longlong
        last: cython.longlong = -1
        m: cython.longlong
        n_terms: cython.Py_ssize_t = len(self.weight)
        end: cython.longlong[::1] = integers(self.end)
        left: cython.longlong[::1] = integers(self.left)
        right: cython.longlong[::1] = integers(self.right)
        order: cython.longlong[::1] = ascending(n_terms)
        self._sort(order, end, left, right)
        weight: list[Any] = []
        start: list[int] = [0]
        lefts: list[int] = []
        rights: list[int] = []
        for k in range(n_terms):
            t = order[k]
            if last >= 0 and _are_equal(t, last, end, left, right):
                weight[len(weight) - 1] += self.weight[t]
                continue
            last = t
            for m in range(_first(end, t), end[t]):
                lefts.append(left[m])
                rights.append(right[m])
            weight.append(self.weight[t])
            start.append(len(lefts))
        return integers(weight), integers(start), integers(lefts), integers(rights)

    @cython.cfunc
    def _sort(
        self,
        order: cython.longlong[::1],
        end: cython.longlong[::1],
        left: cython.longlong[::1],
        right: cython.longlong[::1],
    ) -> cython.void:
        """Sort the numbers of terms, *order*, by the pairs of the terms."""
        place: cython.Py_ssize_t
        n_keys: cython.Py_ssize_t = max(self.n_left, self.n_right) + 1
        key: cython.longlong[::1] = zeros(len(order))
        work: cython.longlong[::1] = zeros(len(order) + n_keys + 1)
        for place in range(self.widest - 1, -1, -1):
            _read_keys(right, place, end, key)
            sort_by(key, n_keys, order, len(order), work)
            _read_keys(left, place, end, key)
            sort_by(key, n_keys, order, len(order), work)


@cython.cfunc
def _first(end: cython.longlong[::1], t: cython.longlong) -> cython.longlong:
    return end[t - 1] if t > 0 else 0


@cython.cfunc
def _are_equal(
    one: cython.longlong,
    other: cython.longlong,
    end: cython.longlong[::1],
    left: cython.longlong[::1],
    right: cython.longlong[::1],
) -> cython.bint:
    """Tell whether two terms have the same pairs."""
    k: cython.longlong
    first: cython.longlong = _first(end, one)
    other_first: cython.longlong = _first(end, other)
    size: cython.longlong = end[one] - first
    if end[other] - other_first != size:
        return False
    for k in range(size):
        if left[first + k] != left[other_first + k] or right[first + k] != right[other_first + k]:
            return False
    return True


@cython.cfunc
def _read_keys(
    value: cython.longlong[::1],
    place: cython.Py_ssize_t,
    end: cython.longlong[::1],
    key: cython.longlong[::1],
) -> cython.void:
    """Fill *key*, by term, with the value of its pair at *place* plus 1, or 0 if it has none."""
    t: cython.Py_ssize_t
    m: cython.longlong
    for t in range(len(key)):
        m = _first(end, t) + place
        key[t] = value[m] + 1 if m < end[t] else 0
