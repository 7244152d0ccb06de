"""Compare all graphs of a corpus with all of another: matrices and neighbours."""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from typing import Any, TypeVar, get_args

from exactmatch.errors import GraphError, InputError, UsageError
from exactmatch.graphs.distinct_names import distinct
from exactmatch.graphs.graph import Graph, Location
from exactmatch.graphs.inputs import Given, Graphs, as_path, opened
from exactmatch.graphs.pairing import OnError, read_mended, unreadable
from exactmatch.graphs.readers.detect import same_format
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.many.all_pairs import Cells, filled, rows_of
from exactmatch.many.matrix_results import Matrix, NearestGraphs
from exactmatch.many.nearest import Neighbourhood
from exactmatch.many.nearest import nearest as nearest_to
from exactmatch.many.pairwise import Corpus, Pairwise, by_stage
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Choice
from exactmatch.metrics.registry import alignment_based, check_sentences
from exactmatch.runtime.processes import in_order
from exactmatch.runtime.workers import Workers, free_memory
from exactmatch.scoring.asked_workers import resolve_workers
from exactmatch.scoring.choices import chosen_metric
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import CorpusComparing
from exactmatch.scoring.options import NamedMetricOptions, Work
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import check_known, check_number, check_one_stdin
from exactmatch.scoring.solver_totals import SolverRun, with_run

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")

#: The bytes of a cell of a matrix while it is made.
_CELL = 64
#: The number of queries that a worker gets at once.
_QUERIES = 16
#: The number of graphs in a message about a worker that died of them.
_NAMED = 16


@keywords
def matrix(
    graphs: Graphs,
    other: Graphs | None = None,
    *,
    named: NamedMetricOptions,
    at_least: float | None = None,
    comparing: CorpusComparing,
    **choices: Choice,
) -> Matrix:
    """Compare all of *graphs* with each other or, if there are any, with all of *other*.

    Args:
        graphs: a path or graphs, see `exactmatch.graphs.inputs.Graphs`; precision is theirs.
        other: the same for the gold side; recall is theirs.
        metric: the name of an alignment-based metric, or such a `Metric`; None is the usual one for
            the format of the graphs.
        profile: a named set of choices of the metric.
        at_least: an F1 (0 to 1, or more if the metric multiplies duplicates). The result only has
            pairs that reach it, and open pairs that may. Pairs that bounds rule out are not solved.
        {options}
        **choices: single choices of the metric, such as ``top="none"``; see its class.

    Raises:
        InputError: for files and graphs that cannot be used.
        UsageError: for unknown options, for a matrix that memory cannot hold, and for a metric
            whose `scale` is too large for arrays.
        VerificationError: if two computations of the same number disagree.
        WorkerError: if a worker process has died.

    Example:
        >>> import exactmatch
        >>> graphs = ["(s / sing-01 :ARG0 (b / bird))", "(s / sing-01)", "(b / bird)"]
        >>> exactmatch.matrix(graphs).dense().round(2).tolist()
        [[1.0, 0.67, 0.33], [0.67, 1.0, 0.5], [0.33, 0.5, 1.0]]
    """
    start = time.monotonic()
    workers = resolve_workers(comparing.only(Work), comparing.note)
    settings = Settings.of(comparing, workers=workers)
    with _CorpusReader(comparing) as reader:
        ours, theirs = reader.open(graphs, "graphs"), None
        if other is not None:
            check_one_stdin(graphs, other)
            theirs = reader.open(other, "other")
        counted = _chosen(reader.format, named, choices)
        _check_least(at_least, counted)
        system = reader.read(ours, counted)
        gold = system if theirs is None else reader.read(theirs, counted)
    pairwise = Pairwise(system, gold, counted, settings)
    if at_least is None:
        _check_room(len(system.names) * len(gold.names))
    fill = partial(filled, pairwise=pairwise, at_least=at_least)
    cells: list[Cells] = []
    solver = SolverRun()
    total = sum(len(pairwise.columns(i)) for i in range(len(system.names)))
    with comparing.progress("comparing", total, "pairs") as advance:
        called = partial(_called, what="graphs", names=system.names)
        for found, run in _each(fill, rows_of(pairwise), workers, called):
            cells.append(found)
            solver = solver.plus(run)
            advance(sum(found.stages.values()))
    return _gathered(cells, solver, pairwise, at_least, reader, time.monotonic() - start)


@keywords
def nearest(
    queries: Graphs,
    corpus: Graphs,
    *,
    top: int = 10,
    named: NamedMetricOptions,
    exclude_self: bool = False,
    comparing: CorpusComparing,
    **choices: Choice,
) -> NearestGraphs:
    """Return the graphs of *corpus* that have the highest F1 with each of *queries*.

    Pairs that bounds rule out are not solved.

    Args:
        queries, corpus: paths or graphs, see `exactmatch.graphs.inputs.Graphs`.
        top: the number of neighbours of each query. (The choice ``top`` of Smatch goes with
            ``metric=exactmatch.metric("smatch", top=...)``.)
        exclude_self: leave out the graph at the position of the query, where *corpus* is the same
            file.

    The other arguments, and what is raised, are those of `matrix`.

    Example:
        >>> import exactmatch
        >>> corpus = ["(b / bird :mod (o / old))", "(s / sing-01)", "(b / bird)"]
        >>> found = exactmatch.nearest("(b / bird :mod (y / young))", corpus, top=2)
        >>> [one.position for one in found.found[0].neighbours]
        [0, 2]
    """
    start = time.monotonic()
    workers = resolve_workers(comparing.only(Work), comparing.note)
    check_number("top", top, 1)
    check_one_stdin(queries, corpus)
    settings = Settings.of(comparing, workers=workers)
    is_one = as_path(queries) is not None and as_path(queries) == as_path(corpus)
    with _CorpusReader(comparing) as reader:
        ours = reader.open(queries, "queries")
        theirs = None if is_one else reader.open(corpus, "corpus")
        counted = _chosen(reader.format, named, choices)
        system = reader.read(ours, counted)
        gold = system if theirs is None else reader.read(theirs, counted)
    if exclude_self and len(system.names) != len(gold.names):
        raise UsageError("exclude_self: queries and corpus are not the same graphs")
    pairwise = Pairwise(system, gold, counted, settings)
    find = partial(_nearest, pairwise, top, exclude_self)
    found: list[Neighbourhood] = []
    solver = SolverRun()
    with comparing.progress("searching", len(system.names), "queries") as advance:
        called = partial(_called, what="queries", names=system.names)
        for some, run in _each(find, _ranges(len(system.names)), workers, called):
            found += some
            solver = solver.plus(run)
            advance(len(some))
    return NearestGraphs(
        metric=counted,
        signature=settings.signature(counted),
        query_ids=system.names,
        corpus_ids=gold.names,
        found=found,
        stages=_by_stage(one.stages for one in found),
        solver=solver,
        skipped=reader.skipped,
        mended=reader.mended,
        seconds=time.monotonic() - start,
    )


def _chosen(form: str, named: NamedMetricOptions, choices: Mapping[str, Choice]) -> AlignmentMetric:
    return alignment_based(chosen_metric(form, named.metric, named.profile, choices))


def _nearest(
    pairwise: Pairwise, top: int, exclude_self: bool, queries: range
) -> list[Neighbourhood]:
    limits = pairwise.limits
    return [nearest_to(i, pairwise, limits, top, skip=i if exclude_self else None) for i in queries]


def _ranges(n: int) -> Iterator[range]:
    return (range(first, min(first + _QUERIES, n)) for first in range(0, n, _QUERIES))


def _each(
    function: Callable[[_Task], _Result],
    tasks: Iterator[_Task],
    workers: Workers,
    called: Callable[[_Task], str],
) -> Iterator[tuple[_Result, SolverRun]]:
    recording = partial(with_run, function=function)
    with closing(in_order(recording, tasks, workers, called)) as results:
        yield from results


def _called(positions: range, what: str, names: Sequence[str]) -> str:
    named = ", ".join(names[i] for i in positions[:_NAMED])
    more = len(positions) - _NAMED
    return f"{what} {named}" + (f" (and {more} more)" if more > 0 else "")


def _check_least(at_least: float | None, metric: AlignmentMetric) -> None:
    """Raise `UsageError` for what is no F1 by *metric*: products of duplicates may exceed 1."""
    if at_least is None:
        return
    most, range_ = (sys.float_info.max, "from 0 on") if metric.can_exceed else (1, "from 0 to 1")
    if not (isinstance(at_least, int | float) and 0 <= at_least <= most):
        raise UsageError(f"at_least is {at_least!r}; give a number {range_}")


def _check_room(n_cells: int) -> None:
    free = free_memory()
    if free is not None and n_cells * _CELL > free:
        raise UsageError(
            f"a matrix of {n_cells:,} cells would take {n_cells * _CELL >> 30} GiB, more than is "
            "free; ask for the pairs that reach an F1 only (--at-least, in Python at_least)"
        )


def _gathered(
    cells: list[Cells],
    solver: SolverRun,
    pairwise: Pairwise,
    at_least: float | None,
    reader: "_CorpusReader",
    seconds: float,
) -> Matrix:
    import numpy as np

    metric = pairwise.metric
    none = np.zeros(0, dtype=np.int64)
    joined = (np.concatenate([none, *(some[k] for some in cells)]) for k in range(4))
    columns: dict[str, Any] = dict(zip(("row", "column", "matched", "upper"), joined, strict=True))
    return Matrix(
        metric=metric,
        signature=pairwise.settings.signature(metric),
        system_ids=pairwise.system.names,
        gold_ids=pairwise.gold.names,
        system_totals=np.array(pairwise.system.totals(metric), dtype=np.int64),
        gold_totals=np.array(pairwise.gold.totals(metric), dtype=np.int64),
        **columns,
        is_symmetric=pairwise.is_symmetric,
        at_least=at_least,
        stages=_by_stage(some.stages for some in cells),
        solver=solver,
        skipped=reader.skipped,
        mended=reader.mended,
        seconds=seconds,
    )


def _by_stage(counts: Iterable[Counter[str]]) -> Mapping[str, int]:
    total: Counter[str] = Counter()
    for some in counts:
        total.update(some)
    return by_stage(total)


class _CorpusReader:
    """A reader of corpora of one format.

    *skipped* is the number of graphs that were left out, and *mended* the number of repaired graphs
    and replaced DRSs.
    """

    def __init__(self, comparing: CorpusComparing) -> None:
        check_known("on_error", comparing.on_error, get_args(OnError))
        self.skipped = 0
        self.mended = 0
        self._comparing = comparing
        self._opened: dict[str, str] = {}
        self._stack = ExitStack()

    def __enter__(self) -> "_CorpusReader":
        return self

    def __exit__(self, *error: object) -> None:
        self._stack.close()

    @property
    def format(self) -> str:
        """The format of all opened files. Raises `InputError` if they differ."""
        return same_format(self._opened)

    def open(self, given: Graphs, name: str) -> Given:
        """Open an input, see `exactmatch.graphs.inputs.opened`."""
        found = self._stack.enter_context(opened(given, name))
        self._opened[found.name] = found.format
        return found

    def read(self, given: Given, metric: AlignmentMetric) -> Corpus:
        """Return the graphs of an input, as *metric* counts them.

        Raises `InputError`, and `UsageError` for a metric that compares more than sentences at
        once.
        """
        check_sentences(metric, given.format)
        mending = metric.ill_formed_policy.mending
        names: list[str] = []
        graphs = []
        errors = []
        with self._comparing.progress("reading", None, "graphs") as advance:
            for number, unread in enumerate(given.graphs, start=1):
                if self._comparing.repair and isinstance(unread, GraphText):
                    unread = unread._replace(repair=True)
                graph = read_mended(unread, mending)
                assert graph is not None
                advance(1)
                if isinstance(graph, GraphError):
                    errors.append(graph)
                    self._comparing.note(str(graph))
                    if self._comparing.on_error != "empty":
                        continue
                    graph = Graph(graph.identifier, {}, (), (), Location(given.name, 0))
                if graph.mended:
                    self.mended += graph.mended
                    for message in graph.notes:
                        self._comparing.note(message)
                names.append(graph.identifier or str(number))
                graphs.append(metric.normalise(graph))
        if errors and self._comparing.on_error == "stop":
            raise unreadable(errors)
        self.skipped += len(errors) if self._comparing.on_error == "skip" else 0
        if not graphs:
            raise InputError(f"{given.name}: holds no readable graph")
        return Corpus(distinct(names), graphs)
