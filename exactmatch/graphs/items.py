"""The files of a study, grouped by item."""

import hashlib
import random
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from exactmatch.errors import GraphError, InputError, UsageError
from exactmatch.graphs.distinct_names import distinct
from exactmatch.graphs.extents import by_extent
from exactmatch.graphs.folders import Folder, check_same_files, order_said, read_folder
from exactmatch.graphs.graph import UMR, Extent
from exactmatch.graphs.pairing import MISSING, Missing, MissingPolicy, PairBy
from exactmatch.graphs.pairing_advice import (
    BY_POSITION,
    DifferingIdentifiers,
    differ,
    instead_of_identifier,
    instead_of_position,
)
from exactmatch.graphs.paths import distinct_paths, encodable, shown_path
from exactmatch.graphs.readers.detect import cut_texts
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import ByteStream

#: The names of two files that are compared.
FilePair = tuple[str, str]

#: The place of a missing graph.
NOWHERE = -1


class StoredTexts:
    """The unread texts of the graphs of a file, in one piece of memory."""

    def __init__(self, form: str) -> None:
        self.identifiers: list[str | None] = []
        self._format = form
        self._data = bytearray()
        self._ends = array("q", [0])
        self._sources: list[str] = []
        self._lines = array("q")
        self._numbers = array("q")
        self._documents = array("q")
        self._extent: Extent = "sentence"
        self._repair = False

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[GraphText]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, place: int) -> GraphText:
        data = bytes(self._data[self._ends[place] : self._ends[place + 1]])
        name = self.identifiers[place]
        return GraphText(
            data,
            self._sources[place],
            self._lines[place],
            self._numbers[place],
            self._format,
            name,
            self._documents[place],
            self._extent,
            self._repair,
        )

    def append(self, text: GraphText) -> None:
        """Append the next text of the file."""
        self._data += text.data
        self._ends.append(len(self._data))
        self._sources.append(text.source)
        self._lines.append(text.line)
        self._numbers.append(text.number)
        self._documents.append(text.document)
        self._extent = text.extent
        self._repair = text.repair
        self._format = text.format
        self.identifiers.append(text.identifier)

    def where(self, place: int) -> str:
        """Return the place of a graph as messages name it."""
        return f"{self._sources[place]}:{self._lines[place]}"


@dataclass(frozen=True, slots=True)
class Source:
    """A file of graphs. *name* is unique in the study, *digest* is the file's SHA-256.

    For a folder, *digest* is that of all its files, and *folder* has the names of its graphs.
    """

    name: str
    path: str
    digest: str
    format: str
    texts: StoredTexts
    folder: Folder | None = None

    @property
    def identifiers(self) -> Sequence[str | None]:
        """The identifiers of the graphs; in a folder, the names of files stand for missing ones."""
        if self.folder is None:
            return self.texts.identifiers
        both = zip(self.texts.identifiers, self.folder.names, strict=True)
        return [name or by_file for name, by_file in both]


@dataclass(frozen=True, slots=True)
class Study:
    """The items of several sources.

    names: the names of the items.
    places: for each source, by its name, the position in the file of each item's graph, or
        `NOWHERE` for an item that the file lacks.
    skip_unreadable: whether unreadable graphs count as missing, or end the study.
    pair_by: how graphs of the same item are to be found; None if that was not said.
    paired_by: how they were found.
    pairing_notes: notes on items whose graphs have different identifiers, and on files of folders.
    unread: the errors of unreadable graphs, one message each.
    remarks: notes on other graphs, one message each.
    ill_formed: the number of ill-formed graphs of each source that the metric provides for.
    mended: the number of repaired graphs and replaced DRSs.
    """

    sources: Sequence[Source]
    names: Sequence[str]
    places: "Mapping[str, array[int]]"
    missing: Missing
    skip_unreadable: bool
    pair_by: PairBy | None = None
    paired_by: PairBy = "position"
    pairing_notes: Sequence[str] = ()
    unread: Sequence[str] = ()
    remarks: Sequence[str] = ()
    ill_formed: Mapping[str, int] = field(default_factory=dict)
    mended: int = 0

    @property
    def format(self) -> str:
        """The format of all files. Raises `InputError` if they differ."""
        first, *others = self.sources
        for other in others:
            if other.format != first.format:
                raise InputError(
                    f"{first.path} is in {first.format}, but {other.path} in {other.format}"
                )
        return first.format

    @property
    def missing_policy(self) -> MissingPolicy:
        """How an item is treated that a source lacks."""
        return MISSING[self.missing]

    @property
    def lacking(self) -> dict[str, list[str]]:
        """For each source, the items that are missing in it or unreadable, and that others have."""
        return {
            name: [item for item, place in zip(self.names, places, strict=True) if place == NOWHERE]
            for name, places in self.places.items()
        }

    def in_order_of(self, source: str) -> list[int]:
        """Return the positions of the items that a source has, in the order of its graphs."""
        places = self.places[source]
        there = [item for item, place in enumerate(places) if place != NOWHERE]
        return sorted(there, key=lambda item: places[item])

    def held(self, source: str) -> int:
        """Return the number of readable graphs of a source, as far as it is known."""
        return len(self.names) - self.places[source].count(NOWHERE)

    @property
    def items(self) -> int:
        """The number of items, without those that are left out everywhere."""
        return sum(map(self._is_compared, range(len(self.names))))

    def common_items(self) -> list[int]:
        """Return the positions of the items that all sources have."""
        rows = enumerate(zip(*self.places.values(), strict=True))
        return [item for item, places in rows if NOWHERE not in places]

    def drawn_items(self, number: int, seed: int) -> list[int]:
        """Return the positions of so many of these items, drawn at random; at most all of them."""
        items = self.common_items()
        if number >= len(items):
            return items
        return sorted(random.Random(seed).sample(items, number))

    def pairs_on(self, item: int, pairs: Sequence[FilePair]) -> int:
        """Return the number of *pairs* of files in which at least one has the item."""
        if not self._is_compared(item):
            return 0
        return sum(any(self.places[name][item] != NOWHERE for name in pair) for pair in pairs)

    def pairs_on_all(self, pairs: Sequence[FilePair]) -> int:
        """Return the number of pairs of graphs on all items."""
        return sum(self.pairs_on(item, pairs) for item in range(len(self.names)))

    def sharing(self, pairs: Sequence[FilePair]) -> list[FilePair]:
        """Return the pairs of files that have an item in common. Raises `InputError` if none has.

        In rotating designs, some annotators share no item.
        """
        found = [pair for pair in pairs if self.share(*pair)]
        self.check(found or pairs)
        return found

    def check(self, pairs: Sequence[FilePair]) -> None:
        """Raise `InputError` if two of the files have no item in common."""
        for one, other in pairs:
            if not self.share(one, other):
                raise InputError(f"no item is in both {one} and {other}{self._advice()}")
        if self.missing_policy.needs_all and not self.items:
            raise InputError("no item is in all files")

    def read(
        self,
        errors: Sequence[tuple[str, int, GraphError]],
        remarks: Sequence[tuple[str, str]],
        ill_formed: Mapping[str, int],
        mended: int,
    ) -> "Study":
        """Return the study with what is known after its graphs have been read.

        *errors* are those of unreadable graphs, by source and item; *remarks* are notes on others,
        by source. *ill_formed* and *mended* are as in `Study`.
        """
        places = {name: array("q", found) for name, found in self.places.items()}
        for name, item, _ in errors:
            places[name][item] = NOWHERE
        order = {source.name: k for k, source in enumerate(self.sources)}
        unread = sorted(errors, key=lambda error: (order[error[0]], error[2].number))
        return replace(
            self,
            places=places,
            unread=[str(error) for _, _, error in unread],
            remarks=[remark for _, remark in sorted(remarks, key=lambda entry: order[entry[0]])],
            ill_formed=dict(ill_formed),
            mended=mended,
        )

    def of_extent(self, extent: Extent) -> "Study":
        """Return the study whose items are sentences, documents or files of UMR.

        Only a study of sentences can be converted. Raises as `pair_items` does.
        """
        if extent == "sentence":
            return self
        wholes = by_extent([[*source.texts] for source in self.sources], extent)
        sources = []
        for source, texts in zip(self.sources, wholes, strict=True):
            stored = StoredTexts(source.format)
            for text in texts:
                stored.append(text)
            sources.append(replace(source, texts=stored, folder=None))
        pair_by: PairBy | None = "position" if extent == "file" else self.pair_by
        return pair_items(sources, pair_by, self.missing, self.skip_unreadable)

    def share(self, one: str, other: str) -> bool:
        """Tell whether two files have an item in common."""
        both = zip(self.places[one], self.places[other], strict=True)
        return any(NOWHERE not in places for places in both)

    def _advice(self) -> str:
        """Return how the files could be paired instead, if by position."""
        counts = {len(source.texts) for source in self.sources}
        is_advised = self.paired_by == "id" and len(counts) == 1
        return f" ({BY_POSITION})" if is_advised else ""

    def _is_compared(self, item: int) -> bool:
        lacking = sum(places[item] == NOWHERE for places in self.places.values())
        return not self.missing_policy.leaves_out(lacking)


def read_sources(
    paths: Sequence[str],
    watch: Callable[[int], object] = lambda _: None,
    repair: bool = False,
) -> list[Source]:
    """Read the files of a study, each once; graphs are not parsed yet.

    *watch* is called with the number of bytes read since its last call. With *repair*, graphs are
    later read as other readers read them. Raises `InputError` for a file that cannot be used, and
    `UsageError` for standard input.
    """
    if "-" in paths:
        raise UsageError("a study needs named files, not standard input")
    known: dict[str | None, str | None] = {}  # equal names are stored once
    return [
        _read(name, path, watch, known, repair)
        for name, path in zip(source_names(paths), paths, strict=True)
    ]


def renamed(sources: Sequence[Source], called: Sequence[str | None]) -> list[Source]:
    """Return *sources*, the first of them with the names *called*; None leaves one its own.

    Raises `UsageError` if two sources would have the same name.
    """
    rest = [None] * (len(sources) - len(called))
    both = zip(sources, (*called, *rest), strict=True)
    found = [replace(source, name=source.name if name is None else name) for source, name in both]
    paths: dict[str, str] = {}
    for source in found:
        if source.name in paths:
            raise UsageError(
                f"{source.name} names two files: {shown_path(paths[source.name])} and "
                f"{shown_path(source.path)}; give one of them another name"
            )
        paths[source.name] = source.path
    return found


def total_size(paths: Sequence[str]) -> int | None:
    """Return the bytes of all files together; None if unknown, as for a pipe."""
    files = [Path(path) for path in paths]
    return sum(file.stat().st_size for file in files) if all(f.is_file() for f in files) else None


def pair_items(
    sources: Sequence[Source],
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    skip_unreadable: bool = False,
) -> Study:
    """Group the graphs of the sources by item: by identifier or by position.

    By default, the items are found by position if all sources have equally many graphs, and the
    identifiers at each position agree, as far as graphs have any; otherwise by identifier. In UMR,
    where tokens identify sentences, they are found by position whenever the numbers are equal. If
    *pair_by* is "position", identifiers may differ, and an item is called as in the last source.
    Raises `InputError` if the graphs cannot be grouped.
    """
    is_default_position = pair_by is None and _agree(sources)
    differing = DifferingIdentifiers()
    paired_by: PairBy = "position" if pair_by == "position" or is_default_position else "id"
    if paired_by == "position":
        names, places = _by_position(sources, differing)
        notes = [*_order_notes(sources), *differing.notes()]
    else:
        names, places = _by_identifier(sources)
        notes = []
    return Study(
        sources, names, places, missing, skip_unreadable, pair_by, paired_by, pairing_notes=notes
    )


def _folders(sources: Sequence[Source]) -> list[Folder]:
    return [source.folder for source in sources if source.folder is not None]


def _order_notes(sources: Sequence[Source]) -> list[str]:
    """Return a note on the order in which files of folders are paired, if there are any."""
    folders = _folders(sources)
    return [order_said(folders)] if folders else []


def _agree(sources: Sequence[Source]) -> bool:
    """Tell whether sources have equally many graphs, and agree on the identifiers by position."""
    if len({len(source.texts) for source in sources}) > 1:
        return False
    folders = _folders(sources)
    if any(folder.files != folders[0].files for folder in folders):
        return False
    return _are_umr(sources) or not any(map(differ, _rows(sources)))


def _are_umr(sources: Sequence[Source]) -> bool:
    """Tell whether all sources are in UMR, where tokens identify sentences."""
    return all(source.format == UMR for source in sources)


def _rows(sources: Sequence[Source]) -> Iterator[tuple[str | None, ...]]:
    """Yield the identifiers at each position, in the order of the sources."""
    return zip(*(source.texts.identifiers for source in sources), strict=True)


def _read(
    name: str,
    path: str,
    watch: Callable[[int], object],
    known: dict[str | None, str | None],
    repair: bool,
) -> Source:
    if Path(path).is_dir():
        return _read_folder(name, path, watch, repair)
    digest = hashlib.sha256()

    def see(data: bytes) -> None:
        digest.update(data)
        watch(len(data))

    with ByteStream(path, see) as stream:
        form, cut = cut_texts(stream.chunks(), stream.name)
        texts = StoredTexts(form)
        for text in cut:
            texts.append(
                text._replace(
                    identifier=known.setdefault(text.identifier, text.identifier), repair=repair
                )
            )
    return Source(name, path, digest.hexdigest(), form, texts)


def _read_folder(name: str, path: str, watch: Callable[[int], object], repair: bool) -> Source:
    folder = read_folder(path, lambda data: watch(len(data)))
    texts = StoredTexts(folder.format)
    for text in folder.texts:
        texts.append(text._replace(repair=repair))
    return Source(name, path, folder.digest, folder.format, texts, replace(folder, texts=()))


def _by_identifier(sources: Sequence[Source]) -> "tuple[list[str], dict[str, array[int]]]":
    advice = instead_of_identifier(
        [source.path for source in sources], [len(source.texts) for source in sources]
    )
    if all(name is None for source in sources for name in source.identifiers):
        raise InputError(f"no graph has an identifier, # ::id ... ({advice})")
    index = [_index(source, advice) for source in sources]
    names = list(dict.fromkeys(name for found in index for name in found))
    return names, {
        source.name: array("q", (found.get(name, NOWHERE) for name in names))
        for source, found in zip(sources, index, strict=True)
    }


def _index(source: Source, advice: str) -> dict[str, int]:
    """Return the places by identifier.

    Raises `InputError` with *advice* for a missing or repeated identifier.
    """
    index: dict[str, int] = {}
    texts = source.texts
    for place, name in enumerate(source.identifiers):
        if name is None:
            raise InputError(
                f"{texts.where(place)}: graph {place + 1} has no identifier, # ::id ... ({advice})"
            )
        if name in index:
            raise InputError(
                f"{texts.where(place)}: identifier {name} occurs twice, "
                f"first at {texts.where(index[name])} ({advice})"
            )
        index[name] = place
    return index


def _by_position(
    sources: Sequence[Source], differing: DifferingIdentifiers
) -> "tuple[list[str], dict[str, array[int]]]":
    """Return the items and places by position; items of *differing* identifiers are added to it."""
    folders = _folders(sources)
    for folder in folders[1:]:
        check_same_files(folders[0], folder)
    for other in sources[1:]:
        _check_numbers(sources[0], other)
    are_umr = _are_umr(sources)
    names = []
    for number, row in enumerate(_rows(sources), start=1):
        by_file = folders[0].names[number - 1] if folders else str(number)
        named = [name for name in row if name is not None] or [by_file]
        does_differ = not are_umr and differ(row)
        if does_differ:
            differing.add(row)
        names.append(named[-1 if does_differ else 0])
    return distinct(names), {source.name: array("q", range(len(names))) for source in sources}


def _check_numbers(one: Source, other: Source) -> None:
    """Raise `InputError` unless both sources have equally many graphs."""
    if len(one.texts) == len(other.texts):
        return
    both = (one, other)
    longer = max(both, key=lambda source: len(source.texts))
    place = min(len(source.texts) for source in both)
    name = longer.texts.identifiers[place]
    advice = instead_of_position(
        [source.path for source in both], [source.texts.identifiers for source in both]
    )
    raise InputError(
        f"number of graphs: {len(one.texts)} in {one.path}, {len(other.texts)} in {other.path}; "
        f"graph {place + 1} of {longer.path}{'' if name is None else f' (id {name})'} has no "
        f"partner ({advice})"
    )


def source_names(paths: Sequence[str]) -> list[str]:
    """Return distinct names of files: of the file, or its path, or the path with a number.

    Endings (``estonian.DZ``) and folders are only included as far as needed. Bytes that are not
    UTF-8 are written out (``\\udcff``), since pages and plots can only have text.
    """
    paths = [encodable(path) for path in paths]
    files = [Path(path) for path in paths]
    for stems in (
        [file.name.split(".")[0] or file.name for file in files],
        [f.stem for f in files],
    ):
        if len(set(stems)) == len(paths):
            return stems
    return distinct_paths(paths) or [
        f"{shown_path(path)}#{number}" for number, path in enumerate(paths, start=1)
    ]
