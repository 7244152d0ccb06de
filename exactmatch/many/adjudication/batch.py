"""A batch: the items of several files, as pages show them and collecting reads them again."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from exactmatch._version import __version__
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.distinct_names import distinct
from exactmatch.graphs.graph import PENMAN, UMR, Graph
from exactmatch.graphs.items import NOWHERE, Source, Study, pair_items, read_sources
from exactmatch.graphs.paths import encodable
from exactmatch.graphs.readers.detect import parse
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import read_whole
from exactmatch.many.adjudication.item import Item
from exactmatch.many.adjudication.making import METRIC, made_item
from exactmatch.many.adjudication.read_item import wrong_fields
from exactmatch.many.adjudication.result import NEITHER, NEW
from exactmatch.many.adjudication.work import is_encodable
from exactmatch.report.json import SCHEMA
from exactmatch.report.pages.adjudication_site import adjudication_page
from exactmatch.report.wording import counted
from exactmatch.runtime.output import PAGE, check_ours, check_outputs, make_folder, partial_file
from exactmatch.runtime.own_files import check_plain
from exactmatch.runtime.processes import in_order
from exactmatch.runtime.together import writing_together
from exactmatch.runtime.workers import Workers
from exactmatch.scoring.asked_workers import resolve_workers
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.options import PairProving, Telling, Work
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import several

#: The version of batches.
BATCH_SCHEMA = 2
#: The file in the folder that has the batch.
BATCH = "batch.json"
#: So many best mappings are looked for.
_BEST = 10


@dataclass(frozen=True)
class Batch:
    """The items of several annotators, and the digest of all that decisions depend on.

    files: the SHA-256 of each annotator's file; batches of earlier versions have none.
    """

    annotators: Sequence[str]
    format: str
    items: Sequence[Item]
    signature: str
    files: Sequence[str] = ()

    @property
    def digest(self) -> str:
        """The SHA-256 of the graphs, their differences and the choices.

        Drawings do not count, nor do messages about unreadable graphs, which name folders.
        """
        items = [item.undrawn() for item in self.items]
        for graph in (graph for item in items for graph in item["graphs"]):
            graph["error"] = graph["error"] and True
        content = [BATCH_SCHEMA, list(self.annotators), self.format, self.signature, items]
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def content(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "schema": BATCH_SCHEMA,
            "digest": self.digest,
            "annotators": list(self.annotators),
            "format": self.format,
            "signature": self.signature,
            "files": list(self.files),
            "items": [item.content() for item in self.items],
        }

    @property
    def by_name(self) -> Mapping[str, Item]:
        """The items by their identifiers."""
        return {item.id: item for item in self.items}

    @property
    def differences(self) -> int:
        """The number of differences of all items."""
        return sum(len(item.differences) for item in self.items)

    @property
    def unknown(self) -> int:
        """The number of differences of which a limit leaves open whether they are arbitrary."""
        standings = [one.standing for item in self.items for one in item.differences]
        return standings.count("unknown")


@dataclass(frozen=True)
class Adjudication:
    """A batch that has been written: the *page* to open."""

    page: Path
    batch: Batch

    def report(self, format: str = "text") -> str:
        """Return the name of the page to open as ``text``, or what is in it as ``json``."""
        if format != "json":
            return str(self.page)
        content = {
            "schema": SCHEMA,
            "page": str(self.page),
            "batch": self.batch.digest,
            "annotators": list(self.batch.annotators),
            "items": len(self.batch.items),
            "differences": self.batch.differences,
            "unknown": self.batch.unknown,
        }
        return json.dumps(content, ensure_ascii=False, indent=2)


@keywords
def adjudicate(
    files: Sequence[StrPath],
    output: StrPath,
    *,
    consensus: StrPath | None = None,
    guidelines: str = "",
    proving: PairProving,
    work: Work,
    telling: Telling,
) -> Adjudication:
    """Write a page on which people decide the differences of annotators, and its content as a file.

    Args:
        files: a file of each annotator, of AMRs in PENMAN notation or of UMR, of which the
            sentence graphs are adjudicated.
        output: the folder that is made, with ``index.html`` and ``batch.json`` in it.
        consensus: one more file, to whose graphs the others are mapped. Without it, that is the
            graph that agrees most with the others.
        guidelines: shown with each item: an address, the path of a file of text, or a text.
        {options}

    Raises:
        InputError: for files and graphs that cannot be used, and for a folder that holds another
            batch, whose work files would be of no use without it.
        UsageError: for less than two files, files of another format, and files that the page would
            overwrite.
        VerificationError: if two computations of the same number disagree.

    Example:
        >>> import exactmatch, tempfile
        >>> files = [f"instances/agreement/{name}.amr" for name in "abcd"]
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     made = exactmatch.adjudicate(files, folder)
        ...     made.page.name, len(made.batch.items)
        ('index.html', 24)
    """
    files = several("files", files)
    paths = [str(path) for path in (*files, *([] if consensus is None else [consensus]))]
    if len(paths) < 2:
        raise UsageError("name two files at least")
    folder = Path(output)
    said, guideline_files = _guidelines(guidelines)
    check_outputs([*paths, *guideline_files], folder / BATCH, folder / PAGE)
    check_ours(folder, [PAGE, BATCH])
    study = pair_items(read_sources(paths))
    _check(study)
    if None in study.sources[0].texts.identifiers and study.format == PENMAN:
        telling.note(
            "graphs without an identifier (# ::id) are collected under their number, which the "
            "files of the annotators lack; iaa then pairs by position, and needs all graphs"
        )
    for message in study.pairing_notes:
        telling.note(message)
    for source in study.sources:
        if left := _left_out(source):
            telling.note(left)
    # No annotator is called like what nobody says.
    words = (NEITHER, NEW)
    annotators = distinct([*words, *(source.name for source in study.sources)])[len(words) :]
    pivot = None if consensus is None else len(annotators) - 1
    workers = resolve_workers(work, telling.note)
    settings = Settings.of(proving, best_mappings=_BEST, workers=workers)
    make = partial(_made, annotators, settings, pivot)
    make_folder(folder)
    check_plain(folder / BATCH)
    with partial_file(folder / BATCH) as file:  # opened before what may take long
        items = _items(study, make, workers, telling)
        signature = METRIC.signature(settings.search)
        read = [source.digest for source in study.sources]
        batch = Batch(annotators, study.format, items, signature, read)
        content = batch.content()
        shown = {**content, "guidelines": said, "version": __version__}
        # The page comes first, so that a folder that is not whole is known as ours.
        with writing_together(folder, head=file) as pair:
            _check_same(folder, batch)  # a refused batch leaves no partial file
            file.text.write(json.dumps(content, ensure_ascii=False) + "\n")
            pair.write(folder / PAGE, adjudication_page(shown))
    if batch.unknown:
        telling.note(
            f"of {counted(batch.unknown, 'difference')}, a limit leaves open whether other best "
            "mappings have them; the page says of which (--timeout, --memory)"
        )
    return Adjudication(folder / PAGE, batch)


def _items(
    study: Study, make: "Callable[[_GivenItem], Item]", workers: Workers, telling: Telling
) -> list[Item]:
    """Return the items of a study, as *workers* make them. Unreadable graphs are noted."""
    items = []
    with (
        telling.progress("comparing", len(study.names), "items") as advance,
        closing(in_order(make, _tasks(study), workers, _called)) as found,
    ):
        for item in found:
            for graph in item.graphs:
                if graph.error is not None:
                    telling.note(graph.error)
            items.append(item)
            advance(1)
    return items


class _GivenItem(NamedTuple):
    """An item to make, of the texts of each annotator."""

    name: str
    texts: Sequence[GraphText | None]


def _tasks(study: Study) -> Iterator[_GivenItem]:
    for place, name in enumerate(study.names):
        at = [study.places[source.name][place] for source in study.sources]
        both = zip(at, study.sources, strict=True)
        yield _GivenItem(name, [None if k == NOWHERE else source.texts[k] for k, source in both])


def _made(
    annotators: Sequence[str], settings: Settings, consensus: int | None, task: _GivenItem
) -> Item:
    return made_item(task.name, annotators, task.texts, settings, consensus=consensus)


def _called(task: _GivenItem) -> str:
    return f"item {task.name}"


def _check(study: Study) -> None:
    """Raise an error for another format, an identifier that occurs twice, or no common item."""
    if study.format not in (PENMAN, UMR):
        raise UsageError(
            f"adjudication is for AMRs in {PENMAN} notation and for sentence graphs of {UMR}; "
            f"these files are in {study.format} (exactmatch show draws what differs there)"
        )
    for source in study.sources:
        first: dict[str, int] = {}
        for place, name in enumerate(source.texts.identifiers):
            if name is not None and first.setdefault(name, place) != place:
                raise InputError(
                    f"{source.texts.where(place)}: identifier {name} occurs twice, first at "
                    f"{source.texts.where(first[name])}; give each graph one of its own, by which "
                    "collected graphs are found"
                )
    if not any(study.share(*pair) for pair in combinations(study.places, 2)):
        raise InputError(
            "no two files have an item in common; give graphs of the same item the same identifier"
        )


def _left_out(source: Source) -> str:
    """Return what a file of UMR has that is not adjudicated, in words; empty for nothing."""
    if source.format != UMR:
        return ""
    graphs = [graph for graph in map(parse, source.texts) if isinstance(graph, Graph)]
    sentences = [sentence for graph in graphs for sentence in graph.sentences]
    on_tokens = sum(len(sentence.tokens_of) for sentence in sentences)
    triples = sum(len(sentence.document_level) for sentence in sentences)
    if not on_tokens and not triples:
        return ""
    return (
        f"{source.path}: sentence graphs are adjudicated; left out: the surface alignment of "
        f"{counted(on_tokens, 'variable')}, {counted(triples, 'triple')} of the document level"
    )


def _guidelines(given: str) -> tuple[dict[str, str], list[str]]:
    """Return an address, or the text that is given or stands in a file, and that file if any."""
    if given.startswith(("https://", "http://")):
        return {"address": encodable(given)}, []
    path = Path(given)
    try:
        is_file = bool(given) and path.is_file()
    except (OSError, ValueError):  # such as a text that is too long for a name
        is_file = False
    if not is_file:
        return {"text": encodable(given)}, []
    try:
        return {"text": read_whole(path).decode("utf-8")}, [given]
    except ValueError as error:
        raise InputError(f"{given}: {error}") from error


def _check_same(folder: Path, batch: Batch) -> None:
    """Raise `InputError` if *folder* holds another batch than *batch*.

    The work files of a batch are of no use without it.
    """
    path = folder / BATCH
    if not path.exists():
        return
    try:
        is_same = read_batch(folder).digest == batch.digest
    except InputError:
        is_same = False
    if not is_same:
        raise InputError(
            f"{path}: another batch, and would be replaced, so that its work files fit no more; "
            "name a new folder"
        )


def read_batch(folder: StrPath) -> Batch:
    """Return the batch of a folder. Raises `InputError` if it has none, or one that was changed."""
    path = Path(folder) / BATCH
    try:
        content = json.loads(read_whole(path))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no batch: {error}") from error
    if not isinstance(content, dict) or content.get("schema") != BATCH_SCHEMA:
        raise InputError(f"{path}: no batch of schema {BATCH_SCHEMA}")
    try:
        batch = _batch(content)
        digest = batch.digest
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError(f"{path}: no batch: {error}") from error
    if digest != content.get("digest"):
        raise InputError(f"{path}: its digest is another: it was changed since it was written")
    return batch


def _batch(content: Mapping[str, Any]) -> Batch:
    """Return the batch of this `Batch.content`. Raises `ValueError`, for example, if it is none."""
    items = [Item.of(item) for item in content["items"]]
    files = content.get("files", [])
    batch = Batch(content["annotators"], content["format"], items, content["signature"], files)
    people = batch.annotators
    if not isinstance(people, list) or not all(isinstance(name, str) for name in people):
        raise ValueError("annotators: no names")
    if batch.format not in (PENMAN, UMR) or not isinstance(batch.signature, str):
        raise ValueError("no format or no signature of a batch")
    if not isinstance(files, list) or not all(isinstance(digest, str) for digest in files):
        raise ValueError("files: no digests")
    for number, item in enumerate(items, start=1):
        for wrong in wrong_fields(item, len(people)):
            raise ValueError(f"item {number}: {wrong}")
    if len({*people}) != len(people) or len(batch.by_name) != len(items):
        raise ValueError("two annotators or two items have the same name")
    if not is_encodable(content):
        raise ValueError("it has half of a character (a lone surrogate)")
    return batch
