"""The graph that decisions make of an item, and its text.

The page does the same in JavaScript (``report/pages/adjudication/result.js``); a test compares.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from exactmatch.many.adjudication.item import Item, ItemDifference, ItemTriple, about_of

#: A decision that takes what nobody says: no such thing.
NEITHER = "neither"
#: A decision that takes something else that nobody says.
NEW = "new"
#: The words before what a decision adds, and before the node that one takes out.
ADD, DROP = "add ", "drop "
#: What a role, a name and a constant may be in PENMAN notation; in UMR, ``#`` begins a comment. A
#: byte order mark is a space in JavaScript.
_ROLE = _SYMBOL = r"[^\s\ufeff()\"/:~#]+"
_CONSTANT = re.compile(rf'{_SYMBOL}|"(?:[^"\\\n]|\\[^\n])*"')
_ADDED = re.compile(rf"({_SYMBOL}) :({_ROLE}) (?:\(({_SYMBOL}) / (.+)\)|(.+))", re.DOTALL)
#: Roles that end in -of and are no inverses.
_NO_INVERSES = frozenset({"consist-of", "prep-on-behalf-of", "prep-out-of"})

#: What was chosen, by the identifiers of differences and by what is added or dropped.
Choices = Mapping[str, Any]


class Result(NamedTuple):
    """The nodes and triples that decisions leave, and what is undecided, or falls away.

    The latter are identifiers of differences. lost: what is added to a node that is not there.
    """

    nodes: list[str]
    triples: list[ItemTriple]
    undecided: list[str]
    void: list[str]
    lost: list[str]

    @property
    def roots(self) -> list[str]:
        """The nodes that are roots."""
        return [triple[1] for triple in self.triples if triple[0] == "root"]


def result_of(item: Item, choices: Choices) -> Result:
    """Return the graph that *choices* make of *item*."""
    dropped, open_nodes = _gone(item, choices)
    found = [item.triples[number] for number in item.settled]
    undecided, void = [], []
    for one in item.differences:
        if _falls_away(one, choices, dropped):
            void.append(one.id)
        elif choices.get(one.id) is None:
            undecided.append(one.id)
        elif one.kind != "node":
            found += _chosen(item, one, choices[one.id])
    new, added = _added(item, choices)
    nodes = [name for name in item.nodes if name not in dropped and name not in open_nodes]
    nodes += [name for name in new if name not in dropped]
    triples = _between(nodes, [*found, *added])
    lost = [" ".join(triple[1:]) for triple in added if triple not in triples]
    return Result(nodes, triples, undecided, void, lost)


def _between(nodes: Collection[str], triples: Sequence[ItemTriple]) -> list[ItemTriple]:
    """Return each triple once whose nodes are all there."""
    there = set(nodes)
    return [t for t in dict.fromkeys(triples) if there.issuperset(about_of(t) or t[1:2])]


def _added(item: Item, choices: Choices) -> tuple[list[str], list[ItemTriple]]:
    """Return the nodes and triples that are added."""
    known = {*item.nodes, *new_nodes(choices)}
    nodes: dict[str, None] = {}
    triples: list[ItemTriple] = []
    for key in choices:
        if key.startswith(ADD):
            new, added = added_by(key.removeprefix(ADD), known)
            nodes.update(dict.fromkeys(new))
            triples += added
    return [name for name in nodes if name not in item.nodes], triples


def _gone(item: Item, choices: Choices) -> tuple[set[str], set[str]]:
    """Return the nodes that are taken out, and those that nobody has decided."""
    dropped = {key.removeprefix(DROP) for key in choices if key.startswith(DROP)}
    open_nodes = set()
    for one in item.differences:
        if one.kind == "node":
            choice = choices.get(one.id)
            if choice is None:
                open_nodes.add(one.about[0])
            elif choice == NEITHER:
                dropped.add(one.about[0])
    return dropped, open_nodes


def _falls_away(one: ItemDifference, choices: Choices, dropped: set[str]) -> bool:
    """Tell whether nothing is to be decided, as a node is not there."""
    if one.kind == "node":
        return f"{DROP}{one.about[0]}" in choices
    return not dropped.isdisjoint(one.about)


def _chosen(item: Item, one: ItemDifference, choice: Any) -> list[ItemTriple]:
    if choice == NEITHER:
        return []
    if isinstance(choice, int):
        return [item.triples[number] for number in one.options[choice].triples]
    said = choice[NEW]
    if one.kind == "root":
        return [("root", said)]
    if one.kind == "concept":
        return [("concept", one.about[0], said)]
    if one.kind == "attribute":
        return [("attribute", one.about[0], one.id.split(" ", 2)[2], said)]
    return [_turned(one.about[0], said, one.about[-1])]


def is_new(item: Item, one: ItemDifference, said: str) -> bool:
    """Tell whether something new can be what is said there."""
    if one.kind == "root":
        return said in item.nodes
    if one.kind == "relation":
        return _can_be_role(said)
    return one.kind in ("concept", "attribute") and _CONSTANT.fullmatch(said) is not None


def new_nodes(choices: Choices) -> list[str]:
    """Return the names of the nodes that are added."""
    matches = (_ADDED.fullmatch(key.removeprefix(ADD)) for key in choices if key.startswith(ADD))
    return [match[3] for match in matches if match is not None and match[3]]


def is_addition(said: str) -> bool:
    """Tell whether this is something that can be added: ``x :ROLE y``, or ``(y / concept)``."""
    match = _ADDED.fullmatch(said)
    if match is None or not _can_be_role(match[2]):
        return False
    return _CONSTANT.fullmatch(match[4] or match[5]) is not None


def _can_be_role(said: str) -> bool:
    """Tell whether it is a role, or the inverse of one; ``instance`` stands for concepts."""
    role = said[:-3] if _is_inverse(said) else said
    is_role = re.fullmatch(_ROLE, role) is not None and role != "instance"
    return is_role and not _is_inverse(role)


def _is_inverse(role: str) -> bool:
    return role.endswith("-of") and role not in _NO_INVERSES


def added_by(said: str, nodes: Collection[str]) -> tuple[list[str], list[ItemTriple]]:
    """Return the nodes and triples that an addition makes, where these *nodes* are known."""
    match = _ADDED.fullmatch(said)
    assert match is not None
    source, role, new, concept, target = match.groups()
    if new:
        return [new], [("concept", new, concept), _turned(source, role, new)]
    if target in nodes:
        return [], [_turned(source, role, target)]
    return [], [("attribute", source, role, target)]


def _turned(source: str, role: str, target: str) -> ItemTriple:
    """Return a relation; an inverse role leads the other way."""
    if _is_inverse(role):
        return ("relation", target, role[:-3], source)
    return ("relation", source, role, target)


def written(item: Item, result: Result) -> str:
    """Return the text of a graph: that of the annotator who says just this, or a new one."""
    same = same_as(item, result)
    return item.graphs[same].text if same is not None else penman_of(result)


def same_as(item: Item, result: Result) -> int | None:
    """Return the first annotator whose graph this is, by position."""
    triples, nodes = set(result.triples), set(result.nodes)
    for i, graph in enumerate(item.graphs):
        if graph.error is None:
            own = {item.triples[k] for k, by in enumerate(item.by) if i in by}
            if own == triples and nodes == _nodes_of(item, i):
                return i
    return None


def _nodes_of(item: Item, i: int) -> set[str]:
    return {name for name, holders in zip(item.nodes, item.holders, strict=True) if i in holders}


def penman_of(result: Result) -> str:
    """Return the text in PENMAN notation: a tree for each piece, that of the root first."""
    return "\n".join(_PenmanWriter(result).lines())


class _PenmanWriter:
    """Writes each triple once: under its node, or where the node opens that it leads to."""

    def __init__(self, result: Result) -> None:
        self._nodes = result.nodes
        self._roots = result.roots
        self._concepts: dict[str, str] = {}
        self._about: dict[str, list[ItemTriple]] = {name: [] for name in result.nodes}
        self._relations = [triple for triple in result.triples if triple[0] == "relation"]
        for triple in result.triples:
            if triple[0] == "concept":
                self._concepts.setdefault(triple[1], triple[2])
            else:
                for name in dict.fromkeys(about_of(triple)):
                    self._about[name].append(triple)
        self._opens: dict[ItemTriple, str] = {}
        self._opened: set[str] = set()

    def lines(self) -> Iterator[str]:
        for name in [*self._roots, *self._nodes]:
            if name not in self._opened:
                self._grow(name)
                yield from self._tree(name)

    def _grow(self, root: str) -> None:
        """Say which relations open a node: along them, and against them for what is left."""
        self._forward(root)
        while True:
            back = next((t for t in self._relations if self._leads_back(t)), None)
            if back is None:
                return
            self._opens[back] = back[1]
            self._forward(back[1])

    def _leads_back(self, triple: ItemTriple) -> bool:
        return triple[3] in self._opened and triple[1] not in self._opened

    def _forward(self, start: str) -> None:
        self._opened.add(start)
        pending = [iter(self._about[start])]
        names = [start]
        while pending:
            triple = next(pending[-1], None)
            if triple is None:
                pending.pop()
                names.pop()
            elif self._leads_on(triple, names[-1]):
                self._opened.add(triple[3])
                self._opens[triple] = triple[3]
                pending.append(iter(self._about[triple[3]]))
                names.append(triple[3])

    def _leads_on(self, triple: ItemTriple, name: str) -> bool:
        is_relation = triple[0] == "relation" and triple[1] == name
        return is_relation and triple[3] not in self._opened

    def _tree(self, root: str) -> Iterator[str]:
        lines = [self._opening(root)]
        pending = [iter(self._about[root])]
        names = [root]
        while pending:
            triple = next(pending[-1], None)
            if triple is None:
                pending.pop()
                names.pop()
                lines[-1] += ")"
                continue
            name, opened = names[-1], self._opens.get(triple)
            indent = "   " * len(pending)
            if opened is not None and opened != name:
                turned = "-of" if triple[1] == opened else ""
                lines.append(f"{indent}:{triple[2]}{turned} {self._opening(opened)}")
                pending.append(iter(self._about[opened]))
                names.append(opened)
            elif triple[1] == name and opened != name:
                lines.append(f"{indent}:{triple[2]} {triple[3]}")
        return iter(lines)

    def _opening(self, name: str) -> str:
        concept = self._concepts.get(name)
        return f"({name}" if concept is None else f"({name} / {concept}"
