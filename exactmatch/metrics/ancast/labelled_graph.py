"""A sentence graph of UMR as AnCast reads it: nodes, predicates and arguments.

Relations go from the predicate to its argument: inverse roles are turned around, and ``mod``, which
counts as inverse, is called ``mod-of``. Everything is in lower case.

The program mistakes some sentences for damaged, and leaves them out. In its reader, a role ends at
the next blank, and a word that does not follow a role is an error. So it leaves out sentences with
comments in their graph, without a blank between a role and a parenthesis, or with a slash in a
concept.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from exactmatch.graphs.graph import CONCEPT, Argument, Graph, Sentence, Variable
from exactmatch.metrics.umr.keys import plain

#: The sense in a concept; the text after it is not read.
_SENSE = re.compile(r"-[0-9]{2}")

_INVERSE = "-of"

#: A node by its position, or the text of a constant.
End = int | str


@dataclass(slots=True)
class AncastNode:
    """A node of a sentence graph.

    name, sense: its concept without the sense, and the sense; 0 if there is none. roles: as
    written, with the inverse roles of relations to it. attributes: its constants by their roles.
    tokens: the numbers of its tokens, from 1.
    """

    name: str
    sense: int
    tokens: tuple[int, ...]
    roles: set[str] = field(default_factory=set)
    attributes: dict[str, str] = field(default_factory=dict)

    def extended_name(self) -> str:
        """Return its name, followed by its operands."""
        operands = (text for role, text in self.attributes.items() if role.startswith("op"))
        return "".join((self.name, *operands))


@dataclass(frozen=True, slots=True)
class AncastGraph:
    """A sentence graph.

    variables: those of the nodes. relations: from a predicate to an argument, the labels.
    """

    variables: Sequence[str]
    nodes: Sequence[AncastNode]
    relations: Mapping[tuple[End, End], set[str]]


def ancast_graph(sentence: Sentence, is_dropped: re.Pattern[str] | None = None) -> AncastGraph:
    """Return the graph of a sentence, without the constants for which *is_dropped* holds."""
    concepts = {
        source[0]: target[0]
        for relation, (source, target, *_), _ in sentence.triples
        if relation == CONCEPT
    }
    nodes = {
        variable: _node(concepts.get(variable, ""), sentence.tokens_of.get(variable, ()))
        for variable in sentence.variables
    }
    number = {variable: position for position, variable in enumerate(nodes)}
    relations: defaultdict[tuple[End, End], set[str]] = defaultdict(set)
    for role, (source, target, *_), _ in sentence.triples:
        if role == CONCEPT or _fits(target, is_dropped):
            continue
        label, is_turned = _predication(role.lower())
        end = _end(target, number)
        nodes[source[0]].roles.add(role)
        if isinstance(target, Variable):
            nodes[target.name].roles.add(_inverse(role))
        elif not is_turned:
            nodes[source[0]].attributes[label] = str(end)
        ends = (number[source[0]], end)
        relations[ends[::-1] if is_turned else ends].add(label)
    return AncastGraph(list(nodes), list(nodes.values()), relations)


def of_amr(graph: Graph) -> Sentence:
    """Return an AMR as a sentence, whose tokens are those of the comment ``::snt``."""
    return Sentence(
        name="",
        document=0,
        line=graph.location.line,
        tokens=tuple(graph.metadata.get("snt", "").split()),
        variables=tuple(graph.variables),
        triples=graph.triples,
        top=next(iter(graph.tops), ""),
        written={},
        tokens_of={},
        document_level=(),
        damaged=frozenset(),
    )


def is_of_amr(sentence: Sentence) -> bool:
    """Tell whether a sentence is an AMR: it is in no document."""
    return sentence.document == 0


def _node(concept: str, tokens: tuple[int, ...]) -> AncastNode:
    sense = _SENSE.search(concept)
    if sense is None:
        return AncastNode(concept.lower(), 0, tokens)
    return AncastNode(concept[: sense.start()].lower(), int(sense[0][1:]), tokens)


def _fits(target: Argument, pattern: re.Pattern[str] | None) -> bool:
    if pattern is None or isinstance(target, Variable):
        return False
    return pattern.fullmatch(target.text) is not None


def _end(target: Argument, number: Mapping[str, int]) -> End:
    return number[target.name] if isinstance(target, Variable) else plain(target).lower()


def _predication(role: str) -> tuple[str, bool]:
    """Return the label of a role from predicate to argument, and whether it is turned around."""
    if role == "mod-of":
        return role, False
    is_turned = role == "mod" or role.endswith(_INVERSE)
    return (_inverse(role) if is_turned else role), is_turned


def _inverse(role: str) -> str:
    return role.removesuffix(_INVERSE) if role.endswith(_INVERSE) else role + _INVERSE


_GRAPH, _BELOW_GRAPH = "# sentence level graph:", "# alignment:"

#: A variable and its concept, anywhere behind a parenthesis.
_HEAD = re.compile(r"[a-z0-9_\-]+\s*/\s*[^)\s]+")

#: A role up to the blank that ends it, the blanks after it, and the beginning of its value; the
#: rest of a value that is neither string nor node.
_ROLE = re.compile(r":[^ ]* [ \t]*(?=(\(|\"|))", re.DOTALL)

_STRING = re.compile(r'"[^"]*')

_WORD = re.compile(r"[^ \t\n)]*(?=[ \t\n)])")

_OUT_OF_PLACE = re.compile(r"[a-z0-9]")


def text_for_program(sentence: Sentence) -> str:
    """Return the text in which the program looks up names: everything above the graph."""
    header, is_there, _ = sentence.text.partition(_GRAPH)
    return header if is_there else " ".join(sentence.tokens)


def program_reads(sentence: Sentence) -> bool:
    """Tell whether the program reads the graph of a sentence, as far as its text is known."""
    _, is_there, below = sentence.text.partition(_GRAPH)
    return not is_there or _is_read(below.partition(_BELOW_GRAPH)[0])


def _is_read(text: str) -> bool:
    place = _after_head(text, text.find("("))
    depth = 1
    while depth and place is not None and place < len(text):
        character = text[place]
        if character == ":":
            place, is_node = _after_role(text, place)
            depth += is_node
        elif _OUT_OF_PLACE.match(character):
            return False
        else:
            depth -= character == ")"
            place += 1
    return not depth


def _after_head(text: str, place: int) -> int | None:
    """Return where a node whose parenthesis is at *place* continues; None if it is no node.

    As in the program, the head of a later node may count for one that begins here.
    """
    match = _HEAD.search(text, place + 1)
    if place < 0 or match is None or match[0].count("/") > 1:
        return None
    return place + 1 + len(match[0])


def _after_role(text: str, place: int) -> tuple[int | None, bool]:
    """Return the position after a role, and whether a new node begins there."""
    role = _ROLE.match(text, place)
    if role is None:
        return None, False
    if role[1] == "(":
        return _after_head(text, role.end()), True
    value = (_STRING if role[1] else _WORD).match(text, role.end())
    return (None if value is None else value.end()), False
