"""Read graphs as lists of triples: from Python, and from files in two notations.

In the format of smatch++, a triple is a line: its source, its target, and its role, with tabs
between (or blanks, if there is no tab)::

    # ::id x.1
    s	sing-01	:instance
    b	bird	:instance
    s	b	:ARG0
    root	s	:root

The target of ``:root`` is the root, whatever the source; without ``:root``, no root counts.

Conjunctions are written by ``penman --triples`` and in the guidelines of AMR. The source of the
first triple is the root, as in penman::

    # ::id x.1
    instance(s, sing-01) ^
    ARG0(s, b) ^
    instance(b, bird)

In both, graphs are separated by empty lines, and lines that start with ``#`` are comments. A node
with a concept, its ``:instance``, is a variable; anything else is a constant. In Python, a triple
is written as in smatch++ and penman, ``("s", ":ARG0", "b")``, with or without the colon.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeGuard

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import CONCEPT, Constant, Graph, Location, Triple, Variable
from exactmatch.graphs.readers.blocks import Block, read_block
from exactmatch.graphs.readers.cutting import cut_blocks
from exactmatch.graphs.readers.examined import ExaminedGraph
from exactmatch.graphs.readers.graph_text import GraphText

_INSTANCE, _ROOT = "instance", "root"
#: A triple of a conjunction, and the sign after it. A string may have any character.
_CONJUNCT = re.compile(
    r"""\s*:?(?P<role>[^\s()",:^∧]+)\(
    \s*(?P<source>[^\s()",]+)\s*,\s*(?P<target>"[^"\\]*(?:\\.[^"\\]*)*"|[^\s()"]+)
    \s*\)\s*(?P<sign>[\^∧]|\Z)""",
    re.VERBOSE,
)
#: A line that begins with such a triple, and is surely nothing else.
_LINE = re.compile(
    rb'\s*:?[A-Za-z][\w-]*\(\s*[^\s()",]+\s*,\s*("[^"]*"|[^\s()"]+)\s*\)\s*(\^|\xe2\x88\xa7|$)'
)
_GAP = re.compile(r"\s*")


class _Fact(NamedTuple):
    """A triple, its role without colon, and its line or position, from 1."""

    source: str
    role: str
    target: str
    place: int


class _FaultError(Exception):
    """The triples are no graph; the message says why, with a triple that shows it."""

    def __init__(self, reason: str, place: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place = place


def cut_graphs(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    """Cut a file into the texts of graphs, see `exactmatch.graphs.readers.cutting.cut_blocks`."""
    return cut_blocks(chunks)


def read_graph(text: GraphText) -> Graph:
    """Return the graph in *text*. Raises `GraphError` if it is unusable."""
    return examine_graph(text).graph


def examine_graph(text: GraphText) -> ExaminedGraph:
    """Return the graph in *text* with the lines of its triples. Raises `GraphError` as above."""
    block = read_block(text)
    if block.undecodable is not None:
        raise block.error(block.undecodable)
    try:
        # A line in the format of smatch++ ends in a role with its colon; no conjunction does.
        is_list = re.search(r"\s:[A-Za-z][\w-]*\s*(?:\n|$)", block.body) is not None
        facts = [*(_facts(block) if is_list else _conjuncts(block))]
        graph = _graph(facts)
    except _FaultError as error:
        raise block.error_in(error.place, error.reason) from None
    graph = graph._replace(
        identifier=block.identifier,
        location=Location(block.source, block.body_line),
        metadata=block.metadata,
    )
    return ExaminedGraph(graph, [fact.place for fact in facts if fact.role != _ROOT])


def is_conjunction(line: bytes) -> bool:
    """Tell whether a line begins a conjunction of triples."""
    return _LINE.match(line) is not None


def is_triple(given: object) -> TypeGuard[Sequence[str]]:
    """Tell whether *given* is a triple of texts."""
    return (
        isinstance(given, tuple | list)
        and len(given) == 3
        and all(isinstance(part, str) for part in given)
    )


def from_triples(triples: Sequence[object], source: str, number: int) -> Graph:
    """Return the graph of a list of triples. Raises `GraphError` if they are no graph."""
    try:
        graph = _graph([_fact(triple, place) for place, triple in enumerate(triples, start=1)])
    except _FaultError as error:
        raise GraphError(
            f"triple {error.place}: {error.reason}", source=source, line=1, number=number
        ) from None
    return graph._replace(location=Location(source, 1))


def _facts(block: Block) -> Iterator[_Fact]:
    for line, row in enumerate(block.body.split("\n"), start=block.body_line):
        if not row.strip():
            continue
        parts = [part.strip() for part in row.split("\t")] if "\t" in row else row.split()
        if len(parts) != 3 or not all(parts) or not parts[2].startswith(":"):
            raise _FaultError(f"{row.strip()[:60]!r} is no source, target and :role", line)
        source, target, role = parts
        yield _Fact(source, role.removeprefix(":"), target, line)


def _conjuncts(block: Block) -> Iterator[_Fact]:
    text = block.body.rstrip()
    place, line = 0, block.body_line
    while place < len(text):
        found = _CONJUNCT.match(text, place)
        begin = _end_of_gap(text, place)
        line += text.count("\n", place, begin)
        if found is None:
            shown = text[begin:].partition("\n")[0][:60]
            raise _FaultError(f"{shown!r} is no role(source, target) with ^ after it", line)
        if place == 0:
            yield _Fact(_ROOT, _ROOT, found["source"], line)
        yield _Fact(found["source"], found["role"], found["target"], line)
        place = found.end()
        line += text.count("\n", begin, place)


def _end_of_gap(text: str, place: int) -> int:
    """Return the first place from *place* on that is no white space."""
    found = _GAP.match(text, place)
    assert found is not None  # the pattern matches nothing, too
    return found.end()


def _fact(triple: object, place: int) -> _Fact:
    if not is_triple(triple):
        raise _FaultError(f"{triple!r} is no source, role and target", place)
    source, role, target = map(str, triple)
    return _Fact(source, role.removeprefix(":"), target, place)


def _graph(facts: Sequence[_Fact]) -> Graph:
    """Return the graph of the triples. Raises `_FaultError` if they are no graph."""
    if not facts:
        raise _FaultError("no triples", 1)
    concepts: dict[str, str] = {}
    tops: dict[str, int] = {}
    for source, role, target, place in facts:
        if role == _INSTANCE and concepts.setdefault(source, target) != target:
            raise _FaultError(f"{source} has two concepts", place)
        if role == _ROOT:
            tops[target] = place
    for name, place in tops.items():
        if name not in concepts:
            raise _FaultError(f"the root {name} has no concept", place)
    for source, role, _, place in facts:
        if source not in concepts and role != _ROOT:
            raise _FaultError(f"{source} has no concept", place)
    return Graph(
        identifier=None,
        variables=dict.fromkeys(concepts, ""),
        triples=tuple(_triple(fact, concepts) for fact in facts if fact.role != _ROOT),
        tops=tuple(tops),
        location=Location("", 1),
    )


def _triple(fact: _Fact, concepts: dict[str, str]) -> Triple:
    source, role, target, _ = fact
    if role == _INSTANCE:
        return Triple(CONCEPT, (Variable(source), Constant(target)))
    leads_to = Variable(target) if target in concepts else Constant(target)
    return Triple(role, (Variable(source), leads_to))
