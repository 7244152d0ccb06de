"""Read PENMAN notation (AMR and its kin).

A file holds graphs separated by empty lines, or one graph a line. Lines that start with ``#`` are
comments anywhere; those before a graph hold its metadata (``# ::id lpp_1943.1``). An unusable graph
does not stop the reader: a `GraphError` with the reason takes its place.

Well-formed graphs are read by `exactmatch.graphs.readers.well_formed`, all others by
`exactmatch.graphs.readers.penman_parser`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import (
    CONCEPT,
    Constant,
    Graph,
    Location,
    RepairableError,
    Triple,
    Variable,
)
from exactmatch.graphs.readers.blocks import Block, read_block
from exactmatch.graphs.readers.cutting import cut_blocks
from exactmatch.graphs.readers.graph_text import GraphText

#: Texts without which smatch and penman split a text in ASCII at the same places: blanks, marks,
#: and roles without name.
_ODD = (*"~\t\v\f\x1c\x1d\x1e\x1f", ": ", ":(", ":\n")

if TYPE_CHECKING:
    import penman

    from exactmatch.graphs.readers.examined import ExaminedGraph


def cut_graphs(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    """Cut a file into the texts of graphs.

    They stand between empty lines, see `exactmatch.graphs.readers.cutting.cut_blocks`, or are one a
    line, see `exactmatch.graphs.readers.one_per_line`.
    """
    return cut_blocks(chunks, cut_several=_cut_lines)


def _cut_lines(
    line: int, block: bytes, identifier: str | None
) -> Iterator[tuple[int, bytes, str | None]]:
    from exactmatch.graphs.readers.one_per_line import cut_lines  # few files need this

    return cut_lines(line, block, identifier)


def read_graph(text: GraphText) -> Graph:
    """Return the graph in *text*. Raises `GraphError` if it is unusable."""
    from exactmatch.graphs.readers.well_formed import read_well_formed  # few texts are read so

    block = _block(text)
    graph = _graph(block, *(read_well_formed(block.body) or _parsed(block, repair=text.repair)))
    if _is_split_otherwise(block.body):
        graph = graph._replace(by_smatch=_split_by_smatch(block))
    return graph


def _is_split_otherwise(body: str) -> bool:
    """Tell whether smatch may split the text of a graph at other places than penman."""
    if body.isascii() and not any(map(body.__contains__, _ODD)):
        return False
    from exactmatch.graphs.readers.smatch_line import is_split_otherwise  # few texts need this

    return is_split_otherwise(body)


def read_by_smatch(text: GraphText, error: GraphError) -> Graph | None:
    """Return the graph in *text* as smatch splits it at blanks, where that makes it readable.

    *error* is that of `read_graph`. None without odd blanks, invisible characters and marks, and
    where smatch refuses the text, too.
    """
    block = read_block(text)
    lines = (line.strip(" \t\r\v\f") for line in block.body.split("\n"))
    is_odd = "~" in block.body or not all(map(str.isprintable, lines))
    graph = _split_by_smatch(block) if is_odd and block.undecodable is None else None
    if graph is None:
        return None
    note = block.error_in(error.line, f"{error.reason}; it is split as smatch does")
    return graph._replace(notes=(str(note),), mended=1)


def _split_by_smatch(block: Block) -> Graph | None:
    """Return the graph of a block as smatch reads it; None if smatch refuses it."""
    from exactmatch.graphs.readers.smatch_line import LineReader, MalformedError, joined_line

    reader = LineReader()
    try:
        reader.read(joined_line(block.body))
    except (MalformedError, IndexError):
        return None
    names = _without_blanks(reader.names, {edge.target for edge in reader.edges})
    if not names or len(names) < len(reader.names):
        return None
    variables = {written: Variable(name) for written, name in names.items()}
    triples = [
        Triple(CONCEPT, (variable, Constant(reader.concepts[written])))
        for written, variable in variables.items()
    ]
    triples += [
        Triple(role, (variables[source], variables.get(end) or Constant(end)))
        for source, role, end, _ in reader.edges
    ]
    return _graph(block, dict.fromkeys(names.values(), ""), tuple(triples))


def _without_blanks(written: Sequence[str], taken: Iterable[str]) -> dict[str, str]:
    """Return a name without blanks for each *written* one, which is no other name, nor *taken*."""
    names: dict[str, str] = {}
    used = {*written, *taken}
    for one in written:
        name = "".join(one.split())
        while name != one and name in used:
            name += "_"
        used.add(name)
        names[one] = name
    return names


def examine_graph(text: GraphText) -> "ExaminedGraph":
    """Return the graph in *text* with all its faults. Raises `GraphError` as above."""
    from exactmatch.graphs.readers.examined import ExaminedGraph
    from exactmatch.graphs.readers.penman_parser import parsed_leniently

    block = _block(text)
    found = parsed_leniently(block)
    graph = _graph(block, found.variables, found.triples)
    return ExaminedGraph(graph, found.lines, found.defects)


def from_penman(graph: "penman.Graph", source: str, number: int) -> Graph:
    """Return the graph for a graph of the penman library.

    Roles are taken as they are: penman has already inverted them, by the rules of its model.
    Without penman's AMR model (``penman.models.amr.model``) it also inverts roles such as
    ``consist-of``, which cannot be undone here. Raises `GraphError` for graphs that the reader
    would refuse.
    """
    identifier = graph.metadata.get("id")

    def error(reason: str) -> GraphError:
        return GraphError(reason, source=source, line=1, number=number, identifier=identifier)

    concepts = Counter(variable for variable, _, target in graph.instances() if target is not None)
    variables = dict.fromkeys(concepts, "")
    for variable in sorted(graph.variables()):
        if concepts[variable] != 1:
            raise error(f"variable {variable} has {concepts[variable] or 'no'} concept")
    triples = []
    for variable, role, target in graph.triples:
        if target is None:
            raise error(f"role {role} of variable {variable} has no value")
        is_concept = role == ":instance"
        text = str(target)
        argument = Variable(text) if text in variables and not is_concept else Constant(text)
        relation = CONCEPT if is_concept else role.removeprefix(":")
        triples.append(Triple(relation, (Variable(variable), argument)))
    return Graph(
        identifier=identifier,
        variables=variables,
        triples=tuple(triples),
        tops=() if graph.top is None else (graph.top,),
        location=Location(source, 1),
        metadata=dict(graph.metadata),
    )


def _block(text: GraphText) -> Block:
    block = read_block(text)
    if block.undecodable is not None:
        raise block.error(block.undecodable)
    if not block.body:
        raise block.error("an identifier without a graph after it")
    return block


def _graph(
    block: Block,
    variables: dict[str, str],
    triples: tuple[Triple, ...],
    repairs: Sequence[str] = (),
) -> Graph:
    return Graph(
        identifier=block.identifier,
        variables=variables,
        triples=triples,
        tops=(next(iter(variables)),),
        location=Location(block.source, block.body_line),
        metadata=block.metadata,
        notes=tuple(repairs),
        mended=len(repairs),
    )


def _parsed(
    block: Block, *, repair: bool
) -> tuple[dict[str, str], tuple[Triple, ...], Sequence[str]]:
    """Return the variables and triples of a graph, or raise a `GraphError` with the reason."""
    from exactmatch.graphs.readers.penman_parser import parsed, repaired  # few files need this

    try:
        return *parsed(block), ()
    except GraphError as error:
        found = repaired(block)
        if found is None:
            raise
        notes = [
            str(block.error_in(line, f"{reason}: repaired"))
            for _, line, reason, *_ in found.repairs
        ]
        if repair:
            return found.variables, found.triples, notes
        graph = _graph(block, found.variables, found.triples, notes)
        raise RepairableError(
            **vars(error), repaired=graph, lacks_end_alone=found.lacks_end_alone
        ) from None
