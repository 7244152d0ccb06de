"""The nodes of a UMR sentence as juːmæʧ reads them, with their names in the file."""

from collections.abc import Mapping
from typing import NamedTuple

from exactmatch.graphs.graph import Argument, Graph, Sentence, Variable
from exactmatch.metrics.umr.keys import extended_concepts, plain


class Value(NamedTuple):
    """A value under a node: a role, or `CONCEPT`, and its text without quotes."""

    role: str
    text: str


#: The value of the first node of a sentence if tops count.
TOP_VALUE = Value("TOP", "TOP")


class UmrNode(NamedTuple):
    """A node of a sentence.

    name: its variable as the file writes it. variable: its variable in the graph.
    values: its concept and all roles. extended_concept: see `extended_concepts`.
    tokens: the numbers of its tokens, from 1; None if it is aligned with none.
    length: of the text of these tokens, in characters, with blanks between.
    """

    name: str
    variable: str
    values: tuple[Value, ...]
    extended_concept: str
    tokens: tuple[int, ...] | None
    length: int


#: The nodes of a sentence by their names, in order.
Nodes = Mapping[str, UmrNode]


def nodes_of(sentence: Sentence, *, top: bool, graph_alone: bool = False) -> Nodes:
    """Return the nodes of a sentence.

    top: whether the first node has a value for that. graph_alone: only the graph is used: no
    surface alignment, no extended concept, no top.
    """
    names = {variable: sentence.written.get(variable, variable) for variable in sentence.variables}
    values: dict[str, list[Value]] = {variable: [] for variable in names}
    for relation, (source, target, *_), _ in sentence.triples:
        values[source[0]].append(Value(relation, _text(target, names)))
    if top and sentence.top and not graph_alone:
        values[sentence.top].append(TOP_VALUE)
    concepts = {} if graph_alone else extended_concepts(sentence)
    tokens_of = {} if graph_alone else sentence.tokens_of
    nodes = [
        UmrNode(
            name,
            variable,
            tuple(values[variable]),
            concepts.get(variable, ""),
            tokens_of.get(variable),
            _length(sentence.tokens, tokens_of.get(variable, ())),
        )
        for variable, name in names.items()
    ]
    return {node.name: node for node in sorted(nodes)}


def names_of(graph: Graph) -> Mapping[str, str]:
    """Return the names of all variables of a graph in its file."""
    return {
        variable: sentence.written.get(variable, variable)
        for sentence in graph.sentences
        for variable in sentence.variables
    }


def _text(target: Argument, names: Mapping[str, str]) -> str:
    return names[target.name] if isinstance(target, Variable) else plain(target)


def _length(tokens: tuple[str, ...], numbers: tuple[int, ...]) -> int:
    """Return the length of the text of some tokens; numbers beyond the sentence are ignored."""
    return len(" ".join(tokens[number - 1] for number in numbers if number <= len(tokens)))
