"""The files of a study, and which of their graphs are of the same item."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from exactmatch.errors import GraphError, InputError, UsageError
from exactmatch.graph import Graph, Location
from exactmatch.pairing import (
    GraphPair,
    PairBy,
    Pairing,
    Skipped,
    by_identifier,
    distinct,
    pair_graphs,
)
from exactmatch.readers.files import GraphFile, read_file, same_format

#: A graph that a file lacks: the item is left out where the file is compared; it is left out
#: everywhere; or an empty graph stands for it.
Missing = Literal["pairwise", "common", "empty"]


@dataclass(frozen=True, slots=True)
class Source:
    """A file of graphs. *name* tells it from the others of a study, *digest* is its SHA-256."""

    name: str
    path: str
    digest: str
    file: GraphFile

    @property
    def graphs(self) -> Sequence[Graph | GraphError]:
        """The graphs of the file, in order."""
        return self.file.graphs


@dataclass(frozen=True, slots=True)
class Study:
    """The items of several sources.

    graphs: for each source, by its name, its graphs by item.
    lacking: for each source, the items that others have and it does not, or not readably.
    notes: what is wrong with graphs that cannot be read, one message each.
    """

    sources: Sequence[Source]
    items: Sequence[str]
    graphs: dict[str, dict[str, Graph]]
    lacking: dict[str, tuple[str, ...]]
    missing: Missing
    notes: Sequence[str]

    @property
    def format(self) -> str:
        """The format of all files. Raises `InputError` if it is not one."""
        return same_format({source.path: source.file.format for source in self.sources})

    def pairing(self, test: str, gold: str) -> Pairing:
        """Return the pairs of graphs of two sources.

        Raises `InputError` if they have no item in common.
        """
        left, right = self.graphs[test], self.graphs[gold]
        if not left.keys() & right.keys():
            raise InputError(f"no item is in both {test} and {gold}")
        pairs = [_pair(item, left.get(item), right.get(item), self.missing) for item in self.items]
        return Pairing(tuple(pair for pair in pairs if pair is not None), ())


def read_sources(paths: Sequence[str]) -> list[Source]:
    """Read the files of a study.

    Raises `InputError` for a file that cannot be used, and `UsageError` for standard input.
    """
    if "-" in paths:
        raise UsageError("a study names its files; standard input has no name")
    for path in paths:
        if Path(path).is_fifo():
            raise UsageError(f"{path} is a pipe; a study takes files, which can be read again")
    return [
        Source(name, path, _digest(path), read_file(path))
        for name, path in zip(_names(paths), paths, strict=True)
    ]


def align(
    sources: Sequence[Source],
    *,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    skip_unreadable: bool = False,
) -> Study:
    """Find out which graphs of the sources are of the same item: by identifier or by position.

    If it is not said which, by position where all sources have the same identifiers in the same
    order (or as many graphs, and no identifiers at all), else by identifier.
    Raises `InputError` for graphs that cannot be read, unless they are to be taken as missing,
    and for identifiers that do not allow it.
    """
    errors = [str(g) for source in sources for g in source.graphs if isinstance(g, GraphError)]
    if errors and not skip_unreadable:
        raise InputError("\n".join(errors))
    pair_by = pair_by or ("position" if _all_alike(sources) else "id")
    index = _by_position(sources) if pair_by == "position" else _by_identifier(sources)
    graphs = {
        name: {item: graph for item, graph in found.items() if isinstance(graph, Graph)}
        for name, found in index.items()
    }
    every = list(dict.fromkeys(item for found in index.values() for item in found))
    lacking = {
        name: tuple(item for item in every if item not in found) for name, found in graphs.items()
    }
    if missing == "common":
        every = [item for item in every if all(item in found for found in graphs.values())]
        if not every:
            raise InputError("no item is in all files")
    return Study(sources, every, graphs, lacking, missing, errors)


def _pair(
    item: str, left: Graph | None, right: Graph | None, missing: Missing
) -> GraphPair | Skipped | None:
    if left is None and right is None:
        return None
    if left is not None and right is not None:
        return GraphPair(item, left, right)
    if missing != "empty":
        return Skipped(item)
    empty = Graph(None, {}, (), (), Location("", 0))
    return GraphPair(item, left or empty, right or empty, emptied=True)


def _all_alike(sources: Sequence[Source]) -> bool:
    return len({tuple(graph.identifier for graph in source.graphs) for source in sources}) == 1


def _by_identifier(sources: Sequence[Source]) -> dict[str, dict[str, Graph | GraphError]]:
    if any(graph.identifier is not None for source in sources for graph in source.graphs):
        return {source.name: by_identifier(source.graphs) for source in sources}
    raise InputError("no graph has an identifier (# ::id ...): pair them by position")


def _by_position(sources: Sequence[Source]) -> dict[str, dict[str, Graph | GraphError]]:
    first = sources[0]
    for other in sources[1:]:  # each must have as many graphs, and the same identifiers
        pair_graphs(
            first.graphs,
            other.graphs,
            test_name=first.path,
            gold_name=other.path,
            on_error="skip",
        )
    names = distinct(
        next((g.identifier for g in row if g.identifier is not None), str(number))
        for number, row in enumerate(zip(*(s.graphs for s in sources), strict=True), start=1)
    )
    return {source.name: dict(zip(names, source.graphs, strict=True)) for source in sources}


def _names(paths: Sequence[str]) -> list[str]:
    """Return names that tell the files apart: of the file, or its path, or that with a number."""
    stems = [Path(path).name.split(".")[0] or Path(path).name for path in paths]
    if len(set(stems)) == len(paths):
        return stems
    if len(set(paths)) == len(paths):
        return list(paths)
    return [f"{path}#{number}" for number, path in enumerate(paths, start=1)]


def _digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
