# cython: language_level=3, wraparound=False, initializedcheck=False
"""Count the matches of a mapping from the triples alone.

The code follows the definition, and shares nothing with the problem that was solved. Its result is
the number that is printed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import cython

from exactmatch.metrics.triples import NOT_SIMILAR, Duplicates, NormalisedGraph, Similar
from exactmatch.problem.integers import zeros


def count_matched(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    mapping: Mapping[str, str],
    duplicates: Duplicates,
    similar: Similar = NOT_SIMILAR,
    scale: int = 1,
) -> int:
    """Count the triples of *system* that *mapping*, by name, turns into targets of *gold*.

    Equal triples count *scale*, and *similar* ones their value there. *mapping* must be one-to-one.
    """
    renamed = _renamed(system.triples, dict(mapping))
    wanted = gold.as_gold()
    if not renamed:
        return 0
    matched = scale * _count_equal(renamed, wanted, duplicates)
    if similar:
        ours, theirs = _by_label(renamed), _by_label(wanted)
        for (label, other), credit in similar.items():
            if label in ours and other in theirs:
                relabelled = [(other, triple[1]) for triple in ours[label]]
                matched += credit * _count_equal(relabelled, theirs[other], duplicates)
    return matched


@cython.final
@cython.cclass
class Written:
    """The written triples of *graph*, a `GraphTable`, by their first variable.

    n_triples: the number of triples, see `see`.
    before: by triple, the triple before it with the same first variable, or -1.
    last: by variable, the last triple with this first variable. The entry of a variable without
        triples is left from an earlier graph.
    """

    label: cython.longlong[::1]
    first: cython.longlong[::1]
    second: cython.longlong[::1]
    before: cython.longlong[::1]
    last: cython.longlong[::1]
    n_triples: cython.Py_ssize_t

    def __init__(self, graph: Any) -> None:
        self.n_triples = 0
        self.label, self.first, self.second = graph.label, graph.first, graph.second
        self.before, self.last = zeros(len(graph.label)), zeros(len(graph.label))

    @cython.ccall
    @cython.exceptval(-1, check=True)
    def see(self, n_triples: cython.Py_ssize_t) -> cython.int:
        """Find the first *n_triples* triples from now on."""
        k: cython.Py_ssize_t
        self.n_triples = n_triples
        for k in range(n_triples):
            self.before[k] = self._last_of(self.first[k], k)
            self.last[self.first[k]] = k
        return 0

    @cython.cfunc
    @cython.inline
    @cython.boundscheck(False)  # which is done
    @cython.exceptval(check=False)
    def _last_of(self, first: cython.longlong, end: cython.Py_ssize_t) -> cython.longlong:
        """Return the last triple before place *end* with a first variable; -1 if there is none."""
        if not 0 <= first < len(self.last):
            return -1
        k: cython.longlong = self.last[first]
        return k if k < end and self.first[k] == first else -1

    @cython.cfunc
    @cython.inline
    @cython.boundscheck(False)  # of triples that were found
    @cython.exceptval(check=False)
    def count(
        self,
        label: cython.longlong,
        first: cython.longlong,
        second: cython.longlong,
        end: cython.Py_ssize_t,
    ) -> cython.longlong:
        """Return how often a triple is written among those before place *end*."""
        k: cython.longlong = self._last_of(first, self.n_triples)
        times: cython.longlong = 0
        while k >= 0:
            if self.label[k] == label and self.second[k] == second and k < end:
                times += 1
            k = self.before[k]
        return times


@cython.final
@cython.cclass
class WrittenRecount:
    """Counts the matches of mappings between two graphs of numbers, as their triples are written.

    *system* and *gold* have the triples in the order of the text, with repetitions. Nothing is
    sorted or merged. *image* has the gold variable of each system variable, or -1. It must be
    one-to-one.
    """

    ours: Written
    theirs: Written
    image: cython.longlong[::1]
    is_product: cython.bint
    is_set: cython.bint

    def __init__(self, system: Written, gold: Written, image: Any, duplicates: Duplicates) -> None:
        self.ours, self.theirs, self.image = system, gold, image
        self.is_product, self.is_set = duplicates == "product", duplicates == "set"

    def count(self) -> int:
        """Count the matches of the triples that were found last."""
        k: cython.Py_ssize_t
        matched: cython.longlong = 0
        for k in range(self.ours.n_triples):
            matched += self._worth(k)
        return matched

    @cython.cfunc
    @cython.exceptval(-1, check=True)
    def _worth(self, k: cython.Py_ssize_t) -> cython.longlong:
        """Return what the written triple number *k* of the system adds to the matches."""
        ours: Written = self.ours
        label: cython.longlong = ours.label[k]
        second: cython.longlong = ours.second[k]
        first: cython.longlong = self.image[ours.first[k]]
        its_second: cython.longlong = -1
        if second >= 0:
            its_second = self.image[second]
            if its_second < 0:
                return 0
        others: cython.longlong = self.theirs.count(label, first, its_second, self.theirs.n_triples)
        if others == 0 or self.is_product:
            return others
        times: cython.longlong = ours.count(label, ours.first[k], second, k)
        return 1 if times == 0 or (times < others and not self.is_set) else 0


@cython.final
@cython.cclass
class TableCheck:
    """Checks that the table of *graph*, a `GraphTable`, has exactly the *written* triples.

    It also checks that each label has one number there, which is that of the graph before it.
    """

    written = cython.declare(Written, visibility="readonly")
    graph: Any
    start: cython.longlong[::1]
    labels: cython.longlong[::1]
    firsts: cython.longlong[::1]
    seconds: cython.longlong[::1]
    times: cython.longlong[::1]
    label: cython.longlong[::1]
    label_before: cython.longlong[::1]
    n_before: cython.Py_ssize_t

    def __init__(self, graph: Any) -> None:
        self.graph, self.written = graph, Written(graph)
        self.n_before = 0
        self.label = graph.label
        self.label_before = graph.label if graph.before is None else graph.before.label
        table = graph.table
        self.start, self.labels, self.times = table.start, table.label, table.times
        self.firsts, self.seconds = table.first, table.second

    def holds(self, n_triples: cython.Py_ssize_t) -> bool:
        """Tell whether the table has the first *n_triples* written triples, and no others.

        This holds if no two entries are the same triple, each triple with an entry is written as
        often as the entry says, and the totals are equal. The first triple of a label names it.
        """
        k: cython.Py_ssize_t
        label: cython.longlong
        times: cython.longlong
        found: cython.longlong = 0
        n_entries: cython.Py_ssize_t = self.graph.total
        written: Written = self.written
        self.n_before = 0 if self.graph.before is None else self.graph.before.n_written
        written.see(n_triples)
        for k in range(n_entries):
            if not 0 <= self.labels[k] < self.n_before + n_triples or not self._is_first(k):
                return False
            label = self._label_at(self.labels[k])
            times = written.count(label, self.firsts[k], self.seconds[k], n_triples)
            if times == 0 or times != self.times[k] or (k > 0 and not self._is_after(k)):
                return False
            found += times
        return self.start[0] == 0 and self.start[1] == n_entries and found == n_triples

    @cython.cfunc
    @cython.inline
    def _label_at(self, place: cython.longlong) -> cython.longlong:
        """Return the label of a triple of the graph before, or of this one behind those."""
        if place < self.n_before:
            return self.label_before[place]
        return self.label[place - self.n_before]

    @cython.cfunc
    @cython.boundscheck(False)  # of places that exist
    @cython.exceptval(check=False)
    def _is_first(self, k: cython.Py_ssize_t) -> cython.bint:
        """Tell whether an entry's label comes from the first triple that has this label."""
        if k > 0 and self.labels[k] == self.labels[k - 1]:
            return True  # as the entry before it
        m: cython.Py_ssize_t
        place: cython.Py_ssize_t = self.labels[k]
        label: cython.longlong = self._label_at(place)
        for m in range(min(place, self.n_before)):
            if self.label_before[m] == label:
                return False
        m = 0
        while m < place - self.n_before and self.label[m] != label:
            m += 1
        return m >= place - self.n_before

    @cython.cfunc
    @cython.inline
    def _is_after(self, k: cython.Py_ssize_t) -> cython.bint:
        """Tell whether an entry is greater than the previous one."""
        if self.labels[k] != self.labels[k - 1]:
            return self.labels[k] > self.labels[k - 1]
        if self.firsts[k] != self.firsts[k - 1]:
            return self.firsts[k] > self.firsts[k - 1]
        return self.seconds[k] > self.seconds[k - 1]


def most_by_labels(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    duplicates: Duplicates,
    similar: Similar = NOT_SIMILAR,
    scale: int = 1,
) -> int:
    """Return an upper bound on the matches of a mapping, from the numbers of equal triples.

    A one-to-one mapping takes different triples of a label to different ones, and those in which a
    variable repeats to such triples. So they count no more than if the most frequent triples of
    both sides matched, then the second most frequent, and so on.
    """
    ours, theirs = _times_by_look(system.triples), _times_by_look(gold.as_gold())
    other_labels: dict[Any, list[Any]] = {}
    for (label, other), credit in similar.items():
        other_labels.setdefault(label, []).append((other, credit))
    most = 0
    for (label, shape), times in ours.items():
        for other, credit in [(label, scale), *other_labels.get(label, ())]:
            if credit > 0:
                pairs = zip(times, theirs.get((other, shape), ()), strict=False)
                most += credit * sum([_counted(one, two, duplicates) for one, two in pairs])
    return most


def most_if_all_similar(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    kinds: Sequence[str],
    duplicates: Duplicates,
    scale: int,
) -> int:
    """Return an upper bound on the matches if any two triples of *kinds* may match.

    If several triples of a kind have the same variables, each may match each.
    """
    alike = [_of_kinds(triples, kinds) for triples in (system.triples, gold.as_gold())]
    most = 0
    ours, theirs = (_times_by_look(together) for together, _ in alike)
    for look, times in ours.items():
        most += sum([a * b for a, b in zip(times, theirs.get(look, ()), strict=False)])
    sides = [system.with_triples(alike[0][1]), gold.with_triples(alike[1][1])]
    return scale * most + most_by_labels(sides[0], sides[1], duplicates, scale=scale)


def _of_kinds(triples: Sequence[Any], kinds: Sequence[str]) -> tuple[list[Any], list[Any]]:
    """Return the triples of *kinds*, with only the kind as their label, and all other triples."""
    found: tuple[list[Any], list[Any]] = ([], [])
    for triple in triples:
        if triple[0][0] in kinds:
            found[0].append((triple[0][:1], triple[1]))
        else:
            found[1].append(triple)
    return found


def _times_by_look(triples: Sequence[Any]) -> dict[Any, list[int]]:
    """Return how often triples occur, the most frequent first, by label and equal variables."""
    found: dict[Any, list[int]] = {}
    for (label, variables), times in _times(triples).items():
        shape = tuple([variables.index(variable) for variable in variables])
        found.setdefault((label, shape), []).append(times)
    for alike in found.values():
        alike.sort(reverse=True)
    return found


def _counted(times: int, others: int, duplicates: str) -> int:
    """Return the value of two matching triples that occur so often."""
    if duplicates == "product":
        return times * others
    return 1 if duplicates == "set" else min(times, others)


def _by_label(triples: Sequence[Any]) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = {}
    for triple in triples:
        found.setdefault(triple[0], []).append(triple)
    return found


@cython.cfunc
@cython.inline
def _as_tuple(value: Any) -> tuple[Any, ...]:
    """Return *value* as a tuple; compiled code reads plain tuples, including named ones, fast."""
    if not isinstance(value, tuple):
        raise TypeError(f"not a tuple: {value!r}")
    return cython.cast(tuple, value)


def _renamed(triples: Sequence[Any], mapping: dict[str, str]) -> list[tuple[Any, ...]]:
    """Return the labels and the images of the triples whose variables are all mapped."""
    found: list[Any] = []
    for each in triples:
        triple: tuple[Any, ...] = _as_tuple(each)
        variables: tuple[Any, ...] = _as_tuple(triple[1])
        images = [mapping.get(variable) for variable in variables]
        if None not in images:
            found.append((triple[0], tuple(images)))
    return found


def _count_equal(
    found: Sequence[tuple[Any, ...]], wanted: Sequence[tuple[Any, ...]], duplicates: str
) -> int:
    if duplicates == "set":
        return len(set(found) & set(wanted))
    times = _times(wanted)
    if duplicates == "multiset":
        return sum([min(n, times.get(triple, 0)) for triple, n in _times(found).items()])
    return sum([times.get(triple, 0) for triple in found])


def _times(triples: Sequence[tuple[Any, ...]]) -> dict[tuple[Any, ...], int]:
    """Return how often each triple occurs. A `Counter` takes longer to begin than to count few."""
    times: dict[tuple[Any, ...], int] = {}
    for triple in triples:
        times[triple] = times.get(triple, 0) + 1
    return times
