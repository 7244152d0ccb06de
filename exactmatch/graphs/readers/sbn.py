"""Sequence box notation (SBN): DRSs as the Parallel Meaning Bank writes them since release 4.

Of *lines* (see `exactmatch.graphs.readers.sbn_layout`), one that begins with a concept is a node,
and all of its pairs of a relation and a target are edges from it::

    time.n.05                          % box 0, in which all begins, has two members:
    fly.v.08  Theme -1  Time +1        % one concept back, one concept ahead
    NEGATION <1                        % box 1, joined to the box before it
    time.n.08 TPR now                  % a constant

An index of a concept counts from the concept of its line. ``<k`` after a discourse relation (PMB 4
writes ``-k``) joins the new box to the box k - 1 before the current one, or to box 0 if there is
none; ``<0`` joins it to no box. After a role, ``<k`` and ``>k`` are the box k before and after the
current one. A name is in quotes and may hold blanks; anything else is a constant.

The graph is the one that the scorer of PMB 5 makes of a text (van Noord et al. 2018 and later;
Poelman et al. 2022), with all edges, including several between the same two nodes. A text that this
scorer does not count is an `IllFormedError`. So is a text of which it silently drops a part: an
invalid box index of a discourse relation, and text after the digits of an index.
"""

from collections.abc import Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import NamedTuple

from exactmatch.graphs.graph import (
    BOX,
    CONCEPT,
    MEMBER,
    REFERENT,
    SBN,
    Argument,
    Constant,
    Graph,
    IllFormedError,
    Location,
    Triple,
    Variable,
)
from exactmatch.graphs.readers.blocks import Block, read_block, undecodable
from exactmatch.graphs.readers.examined import REPAIRED, UNREACHABLE, Defect, ExaminedGraph
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.sbn_layout import Token, cut, lines_of, raw_text
from exactmatch.graphs.readers.sbn_tokens import (
    CONCEPT_WORD,
    DISCOURSE_RELATIONS,
    INDEX,
    OPERATORS,
    ROLES,
)

#: A message does not name all nodes of a longer cycle.
_LONGEST_CYCLE = 10


def cut_graphs(chunks: Iterable[bytes]) -> Iterator[tuple[int, bytes, str | None]]:
    """Cut a file into texts, see `exactmatch.graphs.readers.sbn_layout.cut`."""
    return cut(chunks)


def read_graph(text: GraphText) -> Graph:
    """Return the graph of *text*.

    Raises `GraphError` if it is not UTF-8, and `IllFormedError` if it breaks the rules.
    """
    return examine_graph(text).graph


def examine_graph(text: GraphText) -> ExaminedGraph:
    """Return the graph of *text* with the lines of its triples. Raises `GraphError` as above."""
    block = _block(text)
    lines = lines_of(block)
    if not lines:
        raise _ill_formed(block, "an empty text")
    reader = _SequenceReader(block, lines)
    triples = [edge.triple for edge in reader.edges]
    roots = _roots(reader.variables, triples)
    findings = [*reader.mended, *_unreachable(reader.edges, roots)]
    graph = Graph(
        identifier=block.identifier,
        variables=reader.variables,
        triples=tuple(triples),
        tops=tuple(roots[:1]),
        location=Location(block.source, block.body_line),
        metadata=_metadata(block),
        notes=tuple(_notes(block, findings)),
        format=SBN,
    )
    fault = next(iter(reader.faults), None) or _cycle(reader)
    if fault is not None:
        raise _ill_formed(block, fault.reason, fault.token, lenient=graph)
    lines_of_triples = [block.body_line + edge.token.row for edge in reader.edges]
    defects = [Defect(f.kind, block.body_line + f.token.row, f.reason) for f in findings]
    return ExaminedGraph(graph, lines_of_triples, defects)


def _block(text: GraphText) -> Block:
    """Return the text, which ends with a line end if it is a block. Raises `GraphError`."""
    if text.data.endswith(b"\n"):
        block = read_block(text._replace(data=text.data[:-1]), "%")
        block.body += "\n"
    else:
        block = Block(text, "", text.data.decode("utf-8", errors="replace"), 0)
        block.undecodable = undecodable(text.data)
    if block.undecodable is not None:
        raise block.error(block.undecodable)
    return block


def _ill_formed(
    block: Block, reason: str, token: Token | None = None, lenient: Graph | None = None
) -> IllFormedError:
    error = (
        block.error(reason) if token is None else block.error_at(reason, token.row, token.column)
    )
    place = {key: value for key, value in vars(error).items() if key != "reason"}
    return IllFormedError(error.reason, lenient=lenient, **place)


class _TripleAt(NamedTuple):
    """A triple and the token of its last argument; the variables in *ends* may not exist."""

    triple: Triple
    token: Token


class _Finding(NamedTuple):
    """A problem found at a token: its place, its *kind* (a defect or a fault), and the reason."""

    kind: str
    reason: str
    token: Token


class _SequenceReader:
    """The boxes, concepts and edges of a text, as its lines are read one after the other."""

    def __init__(self, block: Block, lines: list[list[Token]]) -> None:
        """Read the *lines*. Raises `IllFormedError` if they cannot be understood."""
        self._block = block
        self._limit = len(lines) - 1  # the concept index counts from 0; lines of new boxes count
        self._boxes = self._concepts = 0
        self.variables: dict[str, str] = {}
        self.edges: list[_TripleAt] = []
        self.faults: list[_Finding] = []  # a fault that can be overlooked
        self.mended: list[_Finding] = []
        self._new_box(lines[0][0])
        for line in lines:
            self._read(line)
        self._resolve()

    def _read(self, line: list[Token]) -> None:
        tokens = iter(line)
        for token in tokens:
            concept = CONCEPT_WORD.match(token.text)
            if concept is not None and token is line[0]:
                self._new_concept(token, concept[1].strip('"') + concept[2])
            elif token.text in DISCOURSE_RELATIONS:
                self._read_box(token, self._next(tokens, token, "box index"))
            elif token.text in ROLES or token.text in OPERATORS:
                self._read_role(token, self._next(tokens, token, "target"), tokens)
            elif concept is not None:
                raise self._error(f"concept {token.text} is not at the beginning of a line", token)
            else:
                reason = f"{token.text} is no role, operator, discourse relation or concept"
                raise self._error(reason, token)

    def _next(self, tokens: Iterator[Token], before: Token, what: str) -> Token:
        token = next(tokens, None)
        if token is None:
            raise self._error(f"{before.text} has no {what}", before)
        return token

    def _read_box(self, relation: Token, target: Token) -> None:
        """Read a discourse relation and the index of its box."""
        if not INDEX.fullmatch(target.text):
            reason = f"found {target.text} after {relation.text}, expected the index of a box"
            self._fault(reason, target)
            return
        offset, current = _offset(target.text), self._boxes - 1
        self._new_box(relation)
        if offset:
            joined = Variable(_box(max(0, current + offset + 1)))
            self._add(relation.text, joined, Variable(_box(self._boxes - 1)), target)

    def _read_role(self, relation: Token, target: Token, tokens: Iterator[Token]) -> None:
        """Read a role or an operator with its target, which may take more *tokens*."""
        if not self._concepts:
            raise self._error(f"{relation.text} stands before the first concept", relation)
        concept = Variable(_concept(self._concepts - 1))
        self._add(relation.text, concept, self._argument(relation, target, tokens), target)

    def _argument(self, relation: Token, target: Token, tokens: Iterator[Token]) -> Argument:
        text = target.text
        if INDEX.match(text):
            return self._indexed(relation, target)
        if text.startswith('"') and len(text) > 1:
            while not text.endswith('"'):
                token = next(tokens, None)
                if token is None:
                    raise self._error(f"the name {text} is not closed", target)
                text = f"{text} {token.text}"
        return Constant(text)

    def _indexed(self, relation: Token, target: Token) -> Argument:
        """Return the target of an index, which may not exist (see `_resolve`)."""
        text = target.text
        of_box = not text.startswith(("+", "-"))
        if not INDEX.fullmatch(text):
            self._fault(f"found {text}, which begins like an index, but is no index", target)
        elif of_box and relation.text in OPERATORS:
            reason = f"{relation.text} relates concepts, and {text} is the index of a box"
            self._fault(reason, target)
        elif of_box:
            return Variable(_box(self._boxes - 1 + _offset(text)))
        else:
            return Variable(_concept(self._concepts - 1 + _offset(text)))
        return Constant(text)

    def _new_box(self, token: Token) -> None:
        box = _box(self._boxes)
        self._boxes += 1
        self.variables[box] = BOX
        self._add(CONCEPT, Variable(box), Constant("box"), token)

    def _new_concept(self, token: Token, word: str) -> None:
        if word != token.text:
            self.mended.append(_Finding(REPAIRED, f"{token.text} is read as {word}", token))
        concept = _concept(self._concepts)
        self._concepts += 1
        self.variables[concept] = REFERENT
        self._add(CONCEPT, Variable(concept), Constant(word), token)
        self._add(MEMBER, Variable(_box(self._boxes - 1)), Variable(concept), token)

    def _add(self, relation: str, source: Argument, target: Argument, token: Token) -> None:
        self.edges.append(_TripleAt(Triple(relation, (source, target)), token))

    def _resolve(self) -> None:
        """Turn indices that lead to no concept into constants. Raises `IllFormedError` if boxes."""
        for place, (triple, token) in enumerate(self.edges):
            for argument in triple.arguments:
                if isinstance(argument, Constant) or argument.name in self.variables:
                    continue
                if argument.name.startswith("b"):
                    raise self._error(f"{token.text} leads to a box that does not exist", token)
                self._fault(self._leading_astray(argument.name, token), token)
                kept = Triple(triple.relation, (triple.arguments[0], Constant(token.text)))
                self.edges[place] = _TripleAt(kept, token)
        self.faults.sort(key=lambda fault: fault.token[1:])

    def _leading_astray(self, concept: str, token: Token) -> str:
        number = int(concept[1:])
        if 0 <= number <= self._limit:
            return f"{token.text} leads to no concept: there are only {self._concepts}"
        where = "before the first" if number < 0 else "behind the last"
        return f"index {token.text} is out of range: it leads {where} concept"

    def _fault(self, reason: str, token: Token) -> None:
        self.faults.append(_Finding("", reason, token))

    def _error(self, reason: str, token: Token) -> IllFormedError:
        return _ill_formed(self._block, reason, token)


def _offset(index: str) -> int:
    """Return the number of an index; a number that is far out of range is cut."""
    number = int(index[1:].lstrip("0")[:18] or "0")
    return -number if index[0] in "-<" else number


def _box(number: int) -> str:
    return f"b{number}"


def _concept(number: int) -> str:
    return f"s{number}"


def _metadata(block: Block) -> Mapping[str, str]:
    if block.body.endswith("\n"):
        return block.metadata
    raw = raw_text(block.body)
    return {} if raw is None else {"snt": raw}


def _links(triples: Iterable[Triple]) -> Iterator[tuple[str, str]]:
    """Yield the variables at the two ends of each edge."""
    for triple in triples:
        source, target = triple.arguments
        if isinstance(source, Variable) and isinstance(target, Variable):
            yield source.name, target.name


def _roots(variables: Iterable[str], triples: Iterable[Triple]) -> list[str]:
    """Return the variables to which no edge leads, in order."""
    targets = {target for _, target in _links(triples)}
    return [variable for variable in variables if variable not in targets]


def _unreachable(edges: Iterable[_TripleAt], roots: list[str]) -> Iterator[_Finding]:
    """Yield the variables that cannot be reached from the first root."""
    for triple, token in edges:
        first, last = (argument[0] for argument in triple.arguments)
        if triple.relation == CONCEPT and first in roots[1:]:
            reason = f"{last} ({first}) cannot be reached from {roots[0]}"
            yield _Finding(UNREACHABLE, reason, token)


def _notes(block: Block, findings: list[_Finding]) -> Iterator[str]:
    """Yield a message for the first finding of each kind."""
    told = set()
    for kind, reason, token in findings:
        if kind not in told:
            yield str(block.error_at(reason, token.row, token.column))
        told.add(kind)


def _cycle(text: _SequenceReader) -> _Finding | None:
    """Return the nodes of a cycle that the last possible edge closes; None if there is none."""
    before: dict[str, list[str]] = {variable: [] for variable in text.variables}
    for source, target in _links(edge.triple for edge in text.edges):
        before[target].append(source)
    try:
        TopologicalSorter(before).prepare()
    except CycleError as error:
        nodes = error.args[1]
    else:
        return None
    links = {*pairwise(nodes)}
    last = [edge for edge in text.edges if links.intersection(_links([edge.triple]))][-1]
    shown = nodes
    if len(nodes) > _LONGEST_CYCLE:
        shown = [*nodes[: _LONGEST_CYCLE - 2], "...", nodes[-1]]
    return _Finding("", f"a cycle: {' -> '.join(shown)}", last.token)
