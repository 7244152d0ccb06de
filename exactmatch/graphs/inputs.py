"""Open inputs (files, texts or graphs), and yield graphs that can be compared."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, Union

from exactmatch.errors import GraphError, InputError, NoGraphError, UsageError, shown
from exactmatch.graphs.graph import PENMAN, SBN, Graph
from exactmatch.graphs.pairing import Unread
from exactmatch.graphs.readers.detect import GraphTexts, cut_texts, parse, same_format
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.recognition import recognise
from exactmatch.graphs.readers.source import ByteStream, text_chunks

if TYPE_CHECKING:
    import penman

    from exactmatch.graphs.folders import Folder

#: A triple in Python: ``("s", ":ARG0", "b")``.
_TripleOfTexts: TypeAlias = tuple[str, str, str]
_One: TypeAlias = Union[str, Graph, "penman.Graph", Sequence[_TripleOfTexts]]
#: What functions take as graphs: text in any of the formats, the path of a file, one graph (of
#: exactmatch, penman or networkx), or an iterable of several such texts or graphs. A string may be
#: a path, too (see `as_path`); in a list, it is a text. A list of triples is a graph: see
#: `exactmatch.graphs.readers.triples`. Read graphs of the penman library with its AMR model,
#: ``penman.load(path, model=amr.model)``: by default penman inverts roles that are not inverses
#: (``consist-of``).
Graphs: TypeAlias = _One | PathLike[str] | Iterable[_One]


#: How files of graphs usually end, in any of the formats.
_ENDING = r"\.(amr|camr|clf|json|jsonl|mrp|penman|sbn|triples|txt|umr)(\.gz)?$"
#: No path is longer; so long a string is not looked for among the files.
_LONGEST_PATH = 4096


class Given(NamedTuple):
    """The input of one side.

    name: the name in messages.
    format: the name of the format; empty if there are no graphs.
    graphs: the graphs, not read yet, which can be iterated once.
    stream: the file of the graphs, if they come from one; *folder*, if they come from one.
    """

    name: str
    format: str
    graphs: Iterator[Unread]
    stream: ByteStream | None = None
    folder: "Folder | None" = None


def as_path(given: object) -> PathLike[str] | None:
    """Return *given* if it is a path or a string that is one; None for anything else.

    A string is a path if it names an existing file or folder. So is one that ends like a file of
    graphs and has neither a bracket nor a line end.
    """
    if isinstance(given, PathLike):
        return given
    if not isinstance(given, str) or len(given) > _LONGEST_PATH or "\n" in given:
        return None
    if re.search(_ENDING, given, re.IGNORECASE) and not re.search(r"[()\[\]{}\r]", given):
        return Path(given)
    try:
        return Path(given) if given and Path(given).exists() else None
    except (OSError, ValueError):  # such as a name that is too long, or one with a null character
        return None


@contextmanager
def opened(
    given: Graphs,
    name: str,
    watch: Callable[[bytes], object] | None = None,
    *,
    may_be_empty: bool = False,
    is_text: bool = False,
) -> Iterator[Given]:
    """Yield the graphs of *given*; *name* is the name in messages of an input that is no file.

    The path ``-`` is standard input; the files of a folder are read in the order of their names.
    *is_text*: a string is a text, and never a path. *watch* is called with the bytes of a file as
    they are read. Raises `InputError` for files and texts that hold no graph, unless a file
    *may_be_empty*, and `UsageError` for an input of another type.
    """
    path = None if is_text else as_path(given)
    if path is not None and str(path) != "-" and Path(path).is_dir():
        from exactmatch.graphs.folders import read_folder

        folder = read_folder(path, watch, may_be_empty=may_be_empty)
        yield Given(folder.path, folder.format, iter(folder.texts), folder=folder)
    elif path is not None:
        with ByteStream(path, watch) as stream:
            yield _file(stream, may_be_empty)
    elif isinstance(given, str):
        yield _text(given, name)
    else:
        yield _several(given, name)


def common_format(*sides: Given) -> str:
    """Return the format of all *sides* that have graphs. Raises `InputError` if they differ."""
    formats = {side.name: side.format for side in sides if side.format}
    if not formats:
        raise InputError("\n".join(f"{side.name}: holds no graph" for side in sides))
    return same_format(formats)


def in_step(left: Given, right: Given, *, by_identifier: bool) -> tuple[Given, Given, list[str]]:
    """Return two sides with the names of their files in mind, and notes on the order of the files.

    By position, files of two folders are paired by name, and a graph without identifier is called
    by its file if its partner has none, either. *by_identifier*, any such graph is. Raises
    `InputError` if two folders have files of other names or of other numbers of graphs.
    """
    folders = [side.folder for side in (left, right) if side.folder is not None]
    if not folders:
        return left, right, []
    from exactmatch.graphs.folders import check_same_files, order_said

    if by_identifier:
        return _by_file(left), _by_file(right), []
    if left.folder is None or right.folder is None:
        return left, right, [order_said(folders)]
    check_same_files(left.folder, right.folder)
    first, second = [*left.folder.texts], [*right.folder.texts]
    for k, name in enumerate(left.folder.names):
        if first[k].identifier is second[k].identifier is None:
            first[k] = first[k]._replace(identifier=name)
            second[k] = second[k]._replace(identifier=name)
    return (
        left._replace(graphs=iter(first)),
        right._replace(graphs=iter(second)),
        [order_said(folders)],
    )


def _by_file(side: Given) -> Given:
    """Return a side whose graphs without identifier are called by their files, if it has files."""
    if side.folder is None:
        return side
    return side._replace(
        graphs=(
            text if text.identifier is not None else text._replace(identifier=name)
            for text, name in zip(side.folder.texts, side.folder.names, strict=True)
        )
    )


def _file(stream: ByteStream, may_be_empty: bool) -> Given:
    try:
        found = cut_texts(stream.chunks(), stream.name)
    except NoGraphError:
        if not may_be_empty:
            raise
        return Given(stream.name, "", iter(()), stream)
    return Given(stream.name, *found, stream)


def _text(given: str, name: str) -> Given:
    is_graph = given.lstrip("\ufeff \t\r\n").startswith(("(", "#"))
    lines = given.encode(errors="replace").splitlines()
    if given.strip() and not is_graph and recognise(lines) == PENMAN:
        raise InputError(
            f"{name}: expected the text of graphs or the path of a file, but there is no file "
            f"{shown(given)!r}"
        )
    return Given(name, *cut_texts(text_chunks(given), name))


def _several(given: object, name: str) -> Given:
    import penman

    is_one = isinstance(given, Graph | penman.Graph) or is_list_of_triples(given)
    several = [given] if is_one else given
    if not isinstance(several, Iterable) or isinstance(several, bytes):
        raise UsageError(f"{name}: {type(given).__name__} holds no graphs")
    several = [*several]
    cut = _cut_beside_sbn if any(map(_is_sbn, several)) else _cut
    graphs: list[Unread] = []
    formats: dict[str, str] = {}
    for number, graph in enumerate(several, start=1):
        called = f"{name}[{number - 1}]"
        if isinstance(graph, str):
            formats[called], texts = cut(graph, called)
            graphs += texts
        elif isinstance(graph, Graph):
            formats[called] = graph.format
            graphs.append(graph)
        elif isinstance(graph, penman.Graph | list | tuple):
            formats[called] = PENMAN
            graphs.append(_converted(graph, called, number))
        else:
            raise UsageError(f"{called}: {type(graph).__name__} is no graph")
    if not graphs:
        raise InputError(f"{name}: holds no graph")
    return Given(name, same_format(formats), iter(graphs))


def _cut(text: str, name: str) -> GraphTexts:
    return cut_texts(text_chunks(text), name)


def _is_sbn(graph: object) -> bool:
    if isinstance(graph, Graph):
        return graph.format == SBN
    return isinstance(graph, str) and recognise(graph.encode(errors="replace").splitlines()) == SBN


def _cut_beside_sbn(text: str, name: str) -> GraphTexts:
    """Cut a text among texts in SBN; a text that holds no graph at all is an ill-formed graph.

    Parsers write such texts, and nothing in them tells their intended format.
    """
    try:
        form, texts = _cut(text, name)
    except InputError:
        form, texts = SBN, iter(())
    held = [*texts]
    if not held or (form != SBN and all(isinstance(parse(one), GraphError) for one in held)):
        data = text.strip("\r\n").encode("utf-8", errors="surrogatepass")
        form, held = SBN, [GraphText(data, name, 1, 1, SBN, None)]
    return GraphTexts(form, iter(held))


def is_list_of_triples(given: object) -> bool:
    """Tell whether *given* is (or is meant to be) a graph as a list of its triples.

    A list of graphs holds texts, graphs, and lists of triples. A list that holds a text is never a
    list of triples.
    """
    return isinstance(given, list | tuple) and bool(given) and all(map(_is_row, given))


def _is_row(given: object) -> bool:
    if isinstance(given, Graph) or not isinstance(given, list | tuple):  # a graph is a tuple, too
        return False
    return any(isinstance(part, str) for part in given)


def _converted(
    graph: "penman.Graph | Sequence[object]", called: str, number: int
) -> Graph | GraphError:
    from exactmatch.graphs.readers.penman import from_penman
    from exactmatch.graphs.readers.triples import from_triples

    try:
        if isinstance(graph, Sequence):
            return from_triples(graph, called, number)
        return from_penman(graph, called, number)
    except GraphError as error:
        return error
