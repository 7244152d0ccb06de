"""Go through the items of a study: each graph is parsed once, in the process that compares it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from exactmatch.errors import GraphError, InputError
from exactmatch.graphs.graph import ALL_ERRORS, Graph, IllFormedPolicy, Mending, Treatment
from exactmatch.graphs.items import NOWHERE, FilePair, Study
from exactmatch.graphs.pairing import (
    Couple,
    GraphPair,
    MissingPolicy,
    Paired,
    Skipped,
    is_overlooked,
    pair_graphs,
    read_mended,
    unreadable,
)
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.sentences import empty_beside
from exactmatch.runtime.processes import in_order
from exactmatch.runtime.workers import Workers
from exactmatch.scoring.solver_totals import SolverRun, with_run
from exactmatch.studies.common.outcomes import PairOutcome

Result = TypeVar("Result")
Scored = TypeVar("Scored", bound=PairOutcome)
Taken = TypeVar("Taken", bound=PairOutcome, contravariant=True)
#: A function that is called with each certificate, and the two files that it is about.
Keep = Callable[[FilePair, str], object]

#: A graph, its error, or None if a source lacks the item.
_Side: TypeAlias = Graph | GraphError | None

#: What to do about unreadable graphs.
_REMEDIES = (
    '(exactmatch check lists the faults of a file; --on-error skip, in Python on_error="skip", '
    "counts these graphs as missing)"
)

#: Replaces a missing graph on request.
_EMPTY = empty_beside(None)


class SweepSettings(NamedTuple):
    """Which items a study goes through, and how.

    items: their positions in the study; None is all.
    workers: the processes that share the work.
    advance: called after each item with the number of its pairs.
    keep: called with each certificate and its two files, if pairs are scored with certificates.
    """

    items: Sequence[int] | None = None
    workers: Workers = 1
    advance: Callable[[int], object] = lambda _: None
    keep: Keep = lambda *_: None


@dataclass(eq=False)
class Sweep(Generic[Result]):
    """The pairs of graphs of several pairs of files, item by item.

    Iterating yields, for each item, its position in the study and the result of *job* for each pair
    of files: None if both lack the item, `Skipped` if the pair is left out. Afterwards, *study*
    knows the unreadable graphs and the notes on others, and *solver* is the work of a solver by
    name, whatever pairs *job* made it solve.

    job, quick_job: have to be picklable. If *quick_job* returns a result for the texts of all pairs
        of an item, their graphs are well-formed and have no notes, and they are not read.
    ill_formed: the policy; that for the gold standard holds for files that are second in a pair.
    rotating: not every two of the files need to have an item in common.
    """

    study: Study
    pairs: Sequence[FilePair]
    job: Callable[[GraphPair], Result]
    settings: SweepSettings
    _: KW_ONLY
    ill_formed: IllFormedPolicy = ALL_ERRORS
    quick_job: Callable[[Couple], Result | None] | None = None
    rotating: bool = False
    solver: SolverRun = field(default=SolverRun(), init=False)
    _errors: list[tuple[str, int, GraphError]] = field(default_factory=list, init=False)
    _remarks: list[tuple[str, str]] = field(default_factory=list, init=False)
    _overlooked: Counter[str] = field(default_factory=Counter, init=False)
    _mended: int = field(default=0, init=False)

    def __iter__(self) -> Iterator[tuple[int, Sequence[Result | Skipped | None]]]:
        """Compare all pairs.

        Raises `InputError` if two files have no item in common (if no two have, in rotating
        designs), and for unreadable graphs, unless these count as missing; and any error of *job*.
        """
        study, workers = self.study, self.settings.workers
        self._check()
        names = [source.name for source in study.sources]
        sides = [(names.index(one), names.index(other)) for one, other in self.pairs]
        treatments = tuple(self._treatments(sides))
        work = _Work(
            names,
            sides,
            self.job,
            self.quick_job,
            study.missing_policy,
            study.skip_unreadable,
            treatments,
            self.ill_formed.mending,
        )
        recording = partial(with_run, function=work)
        with closing(in_order(recording, self._texts(), workers, _called)) as outcomes:
            for item, (swept, run) in zip(self._items, outcomes, strict=True):
                errors, remarks, results, ill_formed, mended = swept
                self.solver = self.solver.plus(run)
                self._mended += mended
                self._overlooked.update(names[side] for side in ill_formed)
                self._errors += [(names[side], item, error) for side, error in errors]
                self._remarks += [(names[side], remark) for side, remark in remarks]
                if not self._is_over():
                    yield item, results
                self.settings.advance(study.pairs_on(item, self.pairs))
        if self._is_over():
            listed = unreadable([error for _, _, error in self._errors])
            raise InputError(f"{listed}\n{_REMEDIES}")
        self.study = study.read(self._errors, self._remarks, self._overlooked, self._mended)
        self._check()

    @property
    def _items(self) -> Sequence[int]:
        """The items to go through."""
        items = self.settings.items
        return range(len(self.study.names)) if items is None else items

    def _check(self) -> None:
        """Raise `InputError` if files have no item in common that must have one."""
        if self.rotating:
            self.study.sharing(self.pairs)
        else:
            self.study.check(self.pairs)

    def _treatments(self, sides: Sequence[tuple[int, int]]) -> Iterator[Treatment]:
        """Yield the treatments of ill-formed graphs of each source."""
        gold = {other for _, other in sides}
        for number in range(len(self.study.sources)):
            yield self.ill_formed.gold if number in gold else self.ill_formed.system

    def _is_over(self) -> bool:
        """Tell whether an unreadable graph was found that must not be left out."""
        return bool(self._errors) and not self.study.skip_unreadable

    def _texts(self) -> "Iterator[_ItemTexts]":
        places = [self.study.places[source.name] for source in self.study.sources]
        for item in self._items:
            texts = [
                None if place[item] == NOWHERE else source.texts[place[item]]
                for source, place in zip(self.study.sources, places, strict=True)
            ]
            yield _ItemTexts(self.study.names[item], texts, self._is_over())


class Collector(Protocol[Taken]):
    """Collects the results of the pairs of two files, item by item."""

    def add(self, item: int, found: Taken, /) -> None:
        """Add the result of the pair at the position *item*."""

    def skip(self, item: int, /) -> None:
        """Note that the pair at the position *item* was left out."""


def collect(
    sweep: Sweep[Scored],
    collectors: Mapping[FilePair, Collector[Scored]],
    watch: Callable[[int, Sequence[Scored | Skipped | None]], object] = lambda *_: None,
) -> None:
    """Pass the result of each pair to the collector of its files, and keep its certificate.

    *collectors* are in the order of the pairs of files of *sweep*. *watch* is called with each item
    and all its results. Raises the errors of `Sweep`.
    """
    for item, results in sweep:
        for (pair, collector), one in zip(collectors.items(), results, strict=True):
            if isinstance(one, Skipped):
                collector.skip(item)
            elif one is not None:
                collector.add(item, one)
                if one.certificate is not None:
                    sweep.settings.keep(pair, one.certificate)
        watch(item, results)


class _ItemTexts(NamedTuple):
    """An item to work on; with *only_parse*, it is only read to find unreadable graphs.

    *texts* are the texts of its graphs, one for each source; None if a source lacks the item.
    """

    name: str
    texts: Sequence[GraphText | None]
    only_parse: bool


class _Swept(NamedTuple, Generic[Result]):
    """The results of an item.

    errors: the errors of unreadable graphs, and remarks: the notes on others, each with the number
        of the source.
    found: the result of each pair.
    ill_formed: the numbers of the sources with an ill-formed graph that is no error.
    mended: the number of repaired graphs and replaced DRSs.
    """

    errors: list[tuple[int, GraphError]]
    remarks: list[tuple[int, str]]
    found: list[Result | Skipped | None]
    ill_formed: list[int]
    mended: int


@dataclass(frozen=True, slots=True)
class _Work(Generic[Result]):
    """The work on each item.

    *names* are those of the sources, *sides* the numbers of the sources of each pair; *treatments*
    are those of pairs with an ill-formed graph of each source, and *mending* says how graphs are
    mended before.
    """

    names: Sequence[str]
    sides: Sequence[tuple[int, int]]
    job: Callable[[GraphPair], Result]
    quick_job: Callable[[Couple], Result | None] | None
    missing: MissingPolicy
    skip_unreadable: bool
    treatments: Sequence[Treatment]
    mending: Mending

    def __call__(self, item: _ItemTexts) -> _Swept[Result]:
        quick = self._from_texts(item)
        if quick:
            return _Swept([], [], quick, [], 0)
        sides = [read_mended(text, self.mending) for text in item.texts]
        errors, remarks, results, ill_formed, mended = self._read(sides)
        is_left_out = self.missing.leaves_out(len(errors) + sides.count(None))
        if item.only_parse or is_left_out:
            return _Swept(errors, remarks, [None] * len(self.sides), ill_formed, mended)
        for files in self.sides:
            paired = self._paired(item.name, sides, files)
            if paired is None:
                results.append(None)
                continue
            if not self.skip_unreadable:
                errors += _by_source(paired, files, paired.mismatched)
            misfits = _by_source(paired, files, paired.misfits)
            remarks += [(source, str(error)) for source, error in misfits]
            results.append(self._result(paired.pair))
        return _Swept(errors, [*dict.fromkeys(remarks)], results, ill_formed, mended)

    def _from_texts(self, item: _ItemTexts) -> list[Result | Skipped | None]:
        """Return the results of all pairs of an item from their texts; None if left open."""
        found: list[Result | Skipped | None] = []
        if self.quick_job is None or item.only_parse:
            return found
        for one, other in self.sides:
            couple = Couple(
                item.name, item.texts[one], item.texts[other], self.names[one], self.names[other]
            )
            result = self.quick_job(couple)
            if result is None:
                return []
            found.append(result)
        return found

    def _read(self, sides: Sequence[_Side]) -> _Swept[Result]:
        """Return the errors and notes of the graphs of an item, before any is paired."""
        mended = sum(side.mended for side in sides if isinstance(side, Graph))
        swept: _Swept[Result] = _Swept([], [], [], [], mended)
        for source, side in enumerate(sides):
            if is_overlooked(side, self.treatments[source]):
                swept.ill_formed.append(source)
                swept.remarks.append((source, str(side)))
            elif isinstance(side, GraphError):
                swept.errors.append((source, side))
        for source, side in enumerate(sides):
            if isinstance(side, Graph):
                swept.remarks.extend((source, note) for note in side.notes)
        return swept

    def _paired(self, name: str, sides: Sequence[_Side], files: tuple[int, int]) -> Paired | None:
        """Return how the graphs of two sources are paired; None if both lack the item."""
        one, other = files
        both = sides[one], sides[other]
        policy = IllFormedPolicy(self.treatments[one], self.treatments[other])
        has_ill_formed = any(map(is_overlooked, both, policy.treatments))
        if not has_ill_formed and not any(isinstance(side, Graph) for side in both):
            return None
        # No empty graph is paired with an ill-formed one: neither can be compared.
        on_error = "skip" if has_ill_formed else self.missing.on_error
        return pair_graphs(name, both, on_error, policy)

    def _result(self, pair: GraphPair | Skipped) -> Result | Skipped:
        if isinstance(pair, GraphPair):
            return self.job(pair)
        if pair.is_zero:
            return self.job(GraphPair(pair.identifier, _EMPTY, _EMPTY))  # 0 of 0
        return pair


def _by_source(
    paired: Paired, files: tuple[int, int], errors: Sequence[GraphError]
) -> list[tuple[int, GraphError]]:
    """Return *errors* about sentences of two graphs, each with the number of its source."""
    one, other = files
    graphs = zip(reversed(paired.graphs), (other, one), strict=True)
    numbers = {graph.location.source: number for graph, number in graphs if graph is not None}
    return [(numbers[error.source], error) for error in errors]


def _called(item: _ItemTexts) -> str:
    return f"item {item.name}"
