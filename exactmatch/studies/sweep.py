"""Going through the items of a study: each graph is parsed once, by what compares it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from exactmatch.errors import GraphError, InputError
from exactmatch.graph import Graph, Location
from exactmatch.pairing import GraphPair, Skipped
from exactmatch.parallel import in_order
from exactmatch.readers.files import GraphText, parse
from exactmatch.studies.sources import NOWHERE, Missing, Pair, Study

Result = TypeVar("Result")

#: Small items are handed out together, until they have so many bytes: fewer messages are sent, and
#: yet no worker has much to do while others wait.
_BATCH = 4_096
#: So many complaints are worth reading at once.
_SHOWN = 20

#: What stands for a graph that is missing, where that is asked for.
_EMPTY = Graph(None, {}, (), (), Location("", 0))


class Sweep(Generic[Result]):
    """The pairs of graphs of several two files, item by item.

    Iterating over it yields for each item its position in the study and, for each two files, what
    *job* makes of their pair: None if both lack the item, `Skipped` if the pair is left out.
    Afterwards, *study* knows which graphs cannot be read, and what there is to note of others.
    """

    def __init__(
        self,
        study: Study,
        pairs: Sequence[Pair],
        job: Callable[[GraphPair], Result],
        *,
        workers: int,
        advance: Callable[[int], object],
        items: Sequence[int] | None = None,
    ) -> None:
        """Make a sweep over *pairs* of files, with so many *workers*.

        *job* has to be such that it can be pickled. *advance* is called after each item, with the
        number of its pairs. *items* are those that are gone through, all without it.
        """
        self.study = study
        self._pairs = pairs
        self._job = job
        self._workers = workers
        self._advance = advance
        self._chosen = range(len(study.names)) if items is None else items
        self._errors: list[tuple[str, int, GraphError]] = []
        self._remarks: list[tuple[str, str]] = []

    def __iter__(self) -> Iterator[tuple[int, Sequence[Result | Skipped | None]]]:
        """Compare all pairs.

        Raises `InputError` if two files have no item in common, and for graphs that cannot be
        read, unless these are taken as missing; and whatever *job* raises.
        """
        study = self.study
        study.check(self._pairs)
        names = [source.name for source in study.sources]
        sides = [(names.index(one), names.index(other)) for one, other in self._pairs]
        work = _Work(sides, self._job, study.missing)
        for outcomes in in_order(work, self._batches(), self._workers, _described):
            for item, (errors, remarks, found) in outcomes:
                self._errors += [(names[side], item, error) for side, error in errors]
                self._remarks += [(names[side], remark) for side, remark in remarks]
                if not self._is_over():
                    yield item, found
                self._advance(study.pairs_on(item, self._pairs))
        if self._is_over():
            raise InputError(_listing(self._errors))
        self.study = study.read(self._errors, self._remarks)
        self.study.check(self._pairs)

    def _is_over(self) -> bool:
        """Whether a graph could not be read that must not be left out."""
        return bool(self._errors) and not self.study.skip_unreadable

    def _batches(self) -> "Iterator[_Batch]":
        places = [self.study.places[source.name] for source in self.study.sources]
        items: list[_Item] = []
        size = 0
        for position in self._chosen:
            texts = [
                None if place[position] == NOWHERE else source.texts[place[position]]
                for source, place in zip(self.study.sources, places, strict=True)
            ]
            items.append(_Item(position, self.study.names[position], texts))
            size += sum(len(text.data) for text in texts if text is not None)
            if size >= _BATCH:
                yield _Batch(items, self._is_over())
                items, size = [], 0
        if items:
            yield _Batch(items, self._is_over())


class _Item(NamedTuple):
    """The texts of an item, one for each source; None where it lacks the item."""

    position: int
    name: str
    texts: Sequence[GraphText | None]


class _Batch(NamedTuple):
    """Items to work on, or *only_parse* to see what else cannot be read."""

    items: Sequence[_Item]
    only_parse: bool


class _Outcome(NamedTuple, Generic[Result]):
    """What came of an item.

    errors: what is wrong with graphs that cannot be read, and remarks: what there is to note of
        others, each with the number of the source.
    found: what was found of each pair.
    """

    errors: Sequence[tuple[int, GraphError]]
    remarks: Sequence[tuple[int, str]]
    found: Sequence[Result | Skipped | None]


@dataclass(frozen=True, slots=True)
class _Work(Generic[Result]):
    """What is done with each batch: *sides* are the sources of each pair, by number."""

    sides: Sequence[tuple[int, int]]
    job: Callable[[GraphPair], Result]
    missing: Missing

    def __call__(self, batch: _Batch) -> list[tuple[int, _Outcome[Result]]]:
        return [(item.position, self._outcome(item, batch.only_parse)) for item in batch.items]

    def _outcome(self, item: _Item, only_parse: bool) -> _Outcome[Result]:
        read = [None if text is None else parse(text) for text in item.texts]
        errors = [(side, graph) for side, graph in enumerate(read) if isinstance(graph, GraphError)]
        graphs = [graph if isinstance(graph, Graph) else None for graph in read]
        remarks = [
            (side, note) for side, graph in enumerate(graphs) if graph for note in graph.notes
        ]
        if only_parse or (self.missing == "common" and None in graphs):
            return _Outcome(errors, remarks, [None] * len(self.sides))
        found = [self._result(item.name, graphs[one], graphs[other]) for one, other in self.sides]
        return _Outcome(errors, remarks, found)

    def _result(
        self, name: str, left: Graph | None, right: Graph | None
    ) -> Result | Skipped | None:
        if left is not None and right is not None:
            return self.job(GraphPair(name, left, right))
        if left is None and right is None:
            return None
        if self.missing != "empty":
            return Skipped(name)
        return self.job(GraphPair(name, left or _EMPTY, right or _EMPTY, emptied=True))


def _described(batch: _Batch) -> str:
    first, *others = (item.name for item in batch.items)
    return f"item {first}" + (f" to {others[-1]}" if others else "")


def _listing(errors: Sequence[tuple[str, int, GraphError]]) -> str:
    messages = [str(error) for _, _, error in errors[:_SHOWN]]
    more = len(errors) - _SHOWN
    return "\n".join([*messages, *([f"... and {more} more"] if more > 0 else [])])
