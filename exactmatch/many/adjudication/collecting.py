"""Collecting: the finished items as a file of graphs, and which differences went which way."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, NamedTuple

from exactmatch.errors import GraphError, UsageError
from exactmatch.graphs.graph import UMR
from exactmatch.graphs.inputs import opened
from exactmatch.graphs.paths import first_of
from exactmatch.graphs.readers.detect import parse
from exactmatch.graphs.readers.examined import USED_TWICE
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import file_digest
from exactmatch.many.adjudication.batch import BATCH, Batch, read_batch
from exactmatch.many.adjudication.collected_text import collected_text
from exactmatch.many.adjudication.common_nodes import CommonNode
from exactmatch.many.adjudication.item import DIFFERENCE_KINDS, Item, differing
from exactmatch.many.adjudication.making import AS_WRITTEN
from exactmatch.many.adjudication.people import merged_entries, notes_on
from exactmatch.many.adjudication.result import NEITHER, NEW, Result, result_of, same_as, written
from exactmatch.many.adjudication.work import (
    FINISHED,
    Entry,
    WorkFile,
    check_work,
    conflicts,
    in_force,
    is_work,
    latest_by_person,
    read_work,
)
from exactmatch.report.json import SCHEMA
from exactmatch.report.text_layout import Part, TextLayout
from exactmatch.report.text_table import Grid
from exactmatch.runtime.output import PAGE, check_outputs, write_text
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.sides import several
from exactmatch.scoring.validity import checks
from exactmatch.scoring.validity.file_faults import validity_of
from exactmatch.scoring.validity.links import Link, pieces

#: What becomes of an item: it is collected; nobody has finished it; people differ; or it is
#: finished and refused.
Fate = Literal["collected", "unfinished", "conflict", "refused"]


class CollectedItem(NamedTuple):
    """What became of an item.

    reasons: why it is not collected; faults: what its own graphs have that is collected all the
    same. decided: how many differences were decided, of how many; the others fall away with nodes.
    """

    id: str
    fate: Fate
    reasons: Sequence[str]
    faults: Sequence[str]
    decided: int
    differences: int
    text: str


class Agreed(NamedTuple):
    """How often two adjudicators chose the same, of the differences that both decided."""

    first: str
    second: str
    same: int
    both: int


@dataclass(frozen=True)
class Collection:
    """The collected graphs of a batch: the fate of each item, and whose options were chosen.

    annotators: the names of the annotators. format: that of the graphs.
    items: each item of the batch with its fate (``collected``, ``unfinished``, ``conflict``, ...).
    ways: for each kind of difference (``root``, ``concept``, ...), how many decisions chose the
        option of each annotator, by name, and how many chose ``neither`` or a ``new`` value.
    agreements: for every two adjudicators, the differences that both decided, and those decided
        alike.
    shared: messages on names of variables that sentences of one document of UMR share.
    notes: one message for each name that two people share, and for names that are nearly the same.
    """

    annotators: Sequence[str]
    format: str
    items: Sequence[CollectedItem]
    ways: Mapping[str, Counter[str]]
    agreements: Sequence[Agreed]
    shared: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def refused(self) -> int:
        """The number of items that are finished or decided, and cannot be collected."""
        return sum(item.fate in ("refused", "conflict") for item in self.items)

    def report(self, format: str = "text") -> str:
        """Return the report of the command ``adjudicate --collect``, as ``text`` or ``json``."""
        return self._json() if format == "json" else str(self.layout())

    def _json(self) -> str:
        content = {
            "schema": SCHEMA,
            "format": self.format,
            "items": [
                {**item._asdict(), "text": None if item.fate != "collected" else item.text}
                for item in self.items
            ],
            "ways": {kind: dict(counts) for kind, counts in self.ways.items()},
            "agreements": [one._asdict() for one in self.agreements],
            "shared": list(self.shared),
        }
        return json.dumps(content, ensure_ascii=False, indent=2)

    def layout(self) -> TextLayout:
        """Return the report as text that can be folded to the width of a terminal."""
        return TextLayout([*self._fates(), *self._kept_faults(), *self._ways(), *self._agreed()])

    def _fates(self) -> Iterator[str]:
        counts: Counter[str] = Counter(item.fate for item in self.items)
        yield f"{counts['collected']} of {len(self.items)} items collected"
        agreed = sum(item.fate == "collected" and not item.differences for item in self.items)
        if agreed:
            yield f"on which all agree: {agreed}"
        if self.format == UMR:
            yield "sentence graphs alone: surface alignment and document level are empty"
        if counts["unfinished"]:
            names = [item.id for item in self.items if item.fate == "unfinished"]
            yield f"left out, not finished: {len(names)}: {first_of(names)}"
        for fate, words in (("conflict", "left out, in conflict"), ("refused", "refused")):
            if counts[fate]:
                yield f"{words}: {counts[fate]}"
            for item in self.items:
                if item.fate == fate:
                    yield from (f"  {item.id}: {reason}" for reason in item.reasons)

    def _kept_faults(self) -> Iterator[str]:
        noted = [f"  {item.id}: {fault}" for item in self.items for fault in item.faults]
        if noted:
            yield "collected with faults that graphs of annotators have:"
        yield from noted
        if self.shared:
            yield "collected with names that sentences of a document share:"
        yield from (f"  {words}" for words in self.shared)

    def _ways(self) -> Iterator[Part]:
        if not self.ways:
            return
        heads = ["difference", *self.annotators, NEITHER, NEW]
        rows = [
            [kind, *(str(counts[head]) for head in heads[1:])] for kind, counts in self.ways.items()
        ]
        texts = [True, *(False for _ in heads[1:])]
        yield ""
        yield "decided as each annotator has it, of the items that are collected"
        yield Grid(heads, rows, texts, distinct=True)

    def _agreed(self) -> Iterator[str]:
        for one in self.agreements:
            people = f"{one.first} and {one.second}"
            yield f"{people} chose the same in {one.same} of {one.both} differences"


def collect_work(
    folder: StrPath, files: Sequence[StrPath], output: StrPath | None = None
) -> Collection:
    """Write the finished items of work *files* to *output*, and return the fate of each item.

    Args:
        folder: what `exactmatch.adjudicate` has written.
        files: work files of its page.
        output: the file that gets the graphs; None writes none.

    Raises `InputError` for files that are none, or of another batch, and `UsageError` if a file
    would be overwritten.

    Example:
        >>> import exactmatch, tempfile
        >>> from pathlib import Path
        >>> files = [f"instances/agreement/{name}.amr" for name in "abcd"]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     pages, collected = Path(folder, "pages"), Path(folder, "gold.amr")
        ...     made = exactmatch.adjudicate(files, pages)
        ...     work = ["instances/agreement/adjudication/settled.json"]
        ...     found = exactmatch.collect_work(pages, work, collected)
        ...     [item.fate for item in found.items].count("collected")
        9
    """
    paths = [Path(file) for file in several("files", files)]
    if not paths:
        raise UsageError("name the work files to collect")
    target = None if output is None else Path(output)
    kept = [str(Path(folder) / name) for name in (BATCH, PAGE)]
    check_outputs([*kept, *map(str, paths)], target)
    batch = read_batch(folder)
    _check_target(target, batch)
    items = batch.by_name
    merged = merged_entries(_read_works(paths, batch))
    entries = merged.entries
    collected = _Collecting(batch, entries)
    found = [collected.item(item, position) for position, item in enumerate(batch.items, start=1)]
    text = "\n".join(item.text for item in found if item.fate == "collected")
    if target is not None:
        write_text(target, text)
    chosen = {item.id for item in found if item.fate == "collected"}
    ways, agreements = collected.ways(chosen), [*_agreements(entries, items)]
    shared = _shared(text) if batch.format == UMR and text else []
    notes = notes_on(merged, [str(path) for path in paths])
    return Collection(batch.annotators, batch.format, found, ways, agreements, shared, notes)


def _read_works(paths: Sequence[Path], batch: Batch) -> list[WorkFile]:
    """Return the contents of work files. Raises `InputError` unless they are of *batch*."""
    digest, items = batch.digest, batch.by_name
    works = [read_work(path) for path in paths]
    for path, work in zip(paths, works, strict=True):
        check_work(work, digest, items, str(path))
    return works


def _check_target(target: Path | None, batch: Batch) -> None:
    """Raise `UsageError` if *target* is a file of an annotator, or a work file.

    The batch knows the files of annotators by their digests alone.
    """
    if target is None or not target.is_file():
        return
    if is_work(target):
        raise UsageError(f"{target} is a work file and would be overwritten")
    if file_digest(target) in batch.files:
        raise UsageError(
            f"{target} is an annotator's file, of which the batch is made, and would be overwritten"
        )


def _shared(text: str) -> list[str]:
    """Return the variables that an earlier sentence of the document has, too."""
    with opened(text, "collected") as given:
        found = validity_of(given, [USED_TWICE], None).faults
    return [f"{fault.identifier}: {fault.kind}: {fault.reason}" for fault in found]


class _Collecting:
    """What counts of the entries, by item."""

    def __init__(self, batch: Batch, entries: Sequence[Entry]) -> None:
        self._batch = batch
        self._counted: dict[str, dict[str, list[Entry]]] = {item.id: {} for item in batch.items}
        for (item, difference), counted in in_force(entries).items():
            self._counted[item][difference] = counted
        self._conflicts: dict[str, list[str]] = {}
        for conflict in conflicts(entries):
            self._conflicts.setdefault(conflict.item, []).append(conflict.words)

    def item(self, item: Item, position: int) -> CollectedItem:
        """Return what becomes of the item at *position*, from 1."""
        counted = self._counted[item.id]
        choices = self._choices(item)
        result = result_of(item, choices)
        total = len(item.differences)
        decided = total - len(result.undecided) - len(result.void)

        def fated(fate: Fate, reasons: Sequence[str] = ()) -> CollectedItem:
            return CollectedItem(item.id, fate, reasons, [], decided, total, "")

        if item.id in self._conflicts:
            return fated("conflict", self._conflicts[item.id])
        if not _is_finished(item, counted):
            return fated("unfinished")
        if result.undecided:
            return fated("refused", [f"not decided: {', '.join(result.undecided)}"])
        form, entries = self._batch.format, [entry for one in counted.values() for entry in one]
        text = collected_text(item, position, form, written(item, result), entries, decided)
        wrong, inherited = wrong_with(item, result, text, form)
        if wrong:
            return fated("refused", wrong)
        return fated("collected")._replace(faults=inherited, text=text)

    def _choices(self, item: Item) -> dict[str, Any]:
        return {
            difference: counted[-1].choice
            for difference, counted in self._counted[item.id].items()
            if difference != FINISHED and counted[-1].choice is not None
        }

    def ways(self, kept: set[str]) -> dict[str, Counter[str]]:
        """Return how often what was chosen is what each annotator says, by kind of difference."""
        found: dict[str, Counter[str]] = {}
        for item in self._batch.items:
            if item.id not in kept:
                continue
            choices = self._choices(item)
            void = set(result_of(item, choices).void)
            for one in item.differences:
                choice = choices.get(one.id)
                if choice is None or one.id in void:
                    continue
                counts = found.setdefault(one.kind, Counter())
                if type(choice) is int:
                    counts.update(self._batch.annotators[i] for i in one.options[choice].by)
                elif choice == NEITHER:
                    counts.update(self._batch.annotators[i] for i in one.absent)
                    counts[NEITHER] += not one.absent
                else:
                    counts[NEW] += 1
        return {kind: found[kind] for kind in DIFFERENCE_KINDS if kind in found}


def _is_finished(item: Item, counted: Mapping[str, Sequence[Entry]]) -> bool:
    """Tell whether somebody finished *item*, or all agree and nobody has decided anything there."""
    if item.is_agreed and not counted:
        return True
    return FINISHED in counted and counted[FINISHED][-1].choice is True


def wrong_with(item: Item, result: Result, text: str, form: str) -> tuple[list[str], list[str]]:
    """Return why *text* is not to be collected, and the faults that graphs of annotators have."""
    no_graph = _no_graph(result)
    if no_graph:
        return no_graph, []
    given = GraphText(text.encode(), "", 1, 1, form, item.id)
    new: list[str] = []
    inherited: list[str] = []
    is_annotators = same_as(item, result) is not None
    for fault in checks.defects(given):
        is_known = is_annotators or item.inherits(fault.kind, fault.nodes, fault.words)
        named = inherited if is_known else new
        named.append(f"{fault.kind}: {fault.reason}")
    read = parse(given)
    if isinstance(read, GraphError):
        return [*new, *inherited] or [str(read)], []
    if not new and not is_annotators and not _says(read, result):
        new.append("unreadable: PENMAN notation cannot write it")
    return new, inherited


def _no_graph(result: Result) -> list[str]:
    """Return why a result is no graph that could be written at all."""
    if result.lost:
        return [f"added to a node that is not there: {said}" for said in result.lost]
    if len(result.roots) != 1:
        return [f"{len(result.roots)} roots" if result.roots else "no root"]
    links = (Link(t[1], t[3], 1) for t in result.triples if t[0] == "relation")
    return [f"{one.kind}: {one.reason}" for one in pieces(result.nodes, links, 1)]


def _says(read: Any, result: Result) -> bool:
    """Tell whether a graph says the triples of a result, no more and no less."""
    graph = AS_WRITTEN.normalise(read)
    nodes = [CommonNode(name, {0: name}, "certain") for name in graph.variables]
    return set(differing({0: graph}, nodes).triples) == set(result.triples)


def _agreements(entries: Sequence[Entry], items: Mapping[str, Item]) -> Iterator[Agreed]:
    known = {(item.id, one.id) for item in items.values() for one in item.differences}
    decided = {
        key: {who: entry.choice for who, entry in by.items() if entry.choice is not None}
        for key, by in latest_by_person(entries).items()
        if key in known
    }
    people = sorted({who for by in decided.values() for who in by})
    for first, second in combinations(people, 2):
        both = [by for by in decided.values() if first in by and second in by]
        same = sum(by[first] == by[second] for by in both)
        yield Agreed(first, second, same, len(both))
