"""Write graphs of sequence box notation on one line.

Where the notation allows several ways, one is used: boxes one after the other with their concepts,
and after each concept its relations; ``<k`` with the least k that leads to box 0; and
``CONTINUATION <0`` for a box that is joined to none, since the graph does not keep the name of that
relation.
"""

from collections import Counter
from collections.abc import Iterator

from exactmatch.errors import GraphError, InputError, briefly
from exactmatch.graphs.convert.networkx import as_graph
from exactmatch.graphs.graph import BOX, CONCEPT, MEMBER, SBN, Constant, Graph, Triple, Variable
from exactmatch.graphs.readers.detect import parse
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.sbn_tokens import DISCOURSE_RELATIONS

#: The relation that begins a box without a related box.
_NEW_BOX = ("CONTINUATION", "<0")


@briefly
def to_sbn(graph: Graph | str) -> str:
    """Return *graph* in sequence box notation, on one line.

    Args:
        graph: a graph of that notation, as `exactmatch.loads` returns it, whose variables may have
            any names; or the text of one.

    Raises:
        InputError: for an unreadable text, for a graph of another format, and if no text gives the
            graph back.

    Example:
        >>> import exactmatch
        >>> (graph,) = exactmatch.loads("person.n.01 EQU speaker NEGATION <1 sing.v.01 Agent -1")
        >>> exactmatch.to_sbn(graph)
        'person.n.01 EQU speaker NEGATION <1 sing.v.01 Agent -1'
    """
    graph = as_graph(graph)
    text = "" if graph.format != SBN else " ".join(_BoxWriter(graph).words())
    again = parse(GraphText(text.encode("utf-8", "surrogatepass"), "", 1, 1, SBN, None))
    if isinstance(again, GraphError) or _renamed(again) != _renamed(graph):
        source, line = graph.location
        name = "" if graph.identifier is None else f" (id {graph.identifier})"
        raise InputError(f"{source}:{line}: graph{name} cannot be written in {SBN}")
    return text


class _BoxWriter:
    """The boxes, the members of each, and the triples of each variable."""

    def __init__(self, graph: Graph) -> None:
        self._concepts: dict[str, str] = {}
        self._joined: dict[str, Triple] = {}  # each box with the relation that leads to it
        self._members: dict[str, list[str]] = {
            name: [] for name, sort in graph.variables.items() if sort == BOX
        }
        self._roles: dict[str, list[Triple]] = {name: [] for name in graph.variables}
        for triple in graph.triples:
            self._sort(triple)
        self._boxes = {box: number for number, box in enumerate(self._members)}
        members = [name for names in self._members.values() for name in names]
        self._numbers = {name: number for number, name in enumerate(members)}

    def words(self) -> Iterator[str]:
        """Yield the words of the text."""
        for number, (box, members) in enumerate(self._members.items()):
            if number:
                yield from self._new_box(box, number)
            for member in members:
                yield self._concepts.get(member, "")
                for triple in self._roles.get(member, ()):
                    yield triple.relation
                    yield self._target(triple, member, number)

    def _sort(self, triple: Triple) -> None:
        source, target = (argument[0] for argument in triple.arguments)
        if triple.relation == CONCEPT:
            self._concepts[source] = target
        elif triple.relation == MEMBER and source in self._members:
            self._members[source].append(target)
        elif source in self._members and triple.relation in DISCOURSE_RELATIONS:
            self._joined[target] = triple
        else:
            self._roles[source].append(triple)

    def _new_box(self, box: str, number: int) -> tuple[str, str]:
        if box not in self._joined:
            return _NEW_BOX
        triple = self._joined[box]
        back = number - self._boxes[triple.arguments[0][0]]
        return triple.relation, _index(back, "<>")

    def _target(self, triple: Triple, member: str, box: int) -> str:
        target = triple.arguments[1]
        if isinstance(target, Constant):
            return target.text
        if target.name in self._boxes:
            return _index(box - self._boxes[target.name], "<>")
        return _index(self._numbers[member] - self._numbers.get(target.name, 0), "-+")


def _index(back: int, signs: str) -> str:
    """Return the index of a concept so many concepts *back*, or ahead if *back* is negative."""
    return f"{signs[0]}{back}" if back > 0 else f"{signs[1]}{-back}"


def _renamed(graph: Graph) -> Counter[tuple[str, ...]]:
    """Return the triples with variables numbered among boxes, and among others."""
    names: dict[str, str] = {}
    count: Counter[str] = Counter()
    for variable, sort in graph.variables.items():
        names[variable] = f"{sort}{count[sort]}"
        count[sort] += 1
    return Counter(
        (triple.relation, *(_called(argument, names) for argument in triple.arguments))
        for triple in graph.triples
    )


def _called(argument: Variable | Constant, names: dict[str, str]) -> str:
    """Return the name of an argument, which differs for a variable and a constant."""
    if isinstance(argument, Variable):
        return f"variable {names[argument.name]}"
    return f"constant {argument.text}"
