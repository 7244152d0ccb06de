"""Read AMRs as smatch 1.0.4 does: the part of its module ``amr`` that programs use.

smatch's reader is no PENMAN reader. Spaces count only after a role, only the first word of a value
counts, a closing quote leaves an underscore, and text out of place becomes part of the next name.
This module reads every line the same way, so that counts are equal on any text.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from exactmatch.runtime.harmless import harmless_stream
from exactmatch.runtime.standard_streams import standard_error

#: The names that smatch's module has as well; editors offer only these.
__all__ = ["AMR", "DEBUG_LOG", "ERROR_LOG"]


def __dir__() -> list[str]:
    return __all__


#: Where messages are written; programs set these.
ERROR_LOG = harmless_stream(standard_error())
DEBUG_LOG = harmless_stream(standard_error())

#: Roles that end in -of and are not inverses.
_NO_INVERSES = frozenset({"prep-on-behalf-of", "prep-out-of", "consist-of"})
#: The marks that divide a line.
_MARKS = re.compile(r'([ "():/])')


class AMR:
    """An AMR as lists by the positions of its nodes.

    nodes: names; node_values: concepts.
    relations: for each node, lists of a role and the name of the node that it leads to.
    attributes: for each node, lists of a role and a constant; the root has ``TOP`` among them.
    root: the name of the first node, None if there is none.
    """

    def __init__(
        self,
        node_list: Sequence[str] | None = None,
        node_value_list: Sequence[str] | None = None,
        relation_list: Sequence[list[list[str]]] | None = None,
        attribute_list: Sequence[list[list[str]]] | None = None,
    ) -> None:
        self.nodes = list(node_list or ())
        self.root = self.nodes[0] if self.nodes else None
        self.node_values = list(node_value_list or ())
        self.relations = list(relation_list or ())
        self.attributes = list(attribute_list or ())

    def rename_node(self, prefix: str) -> None:
        """Call each node *prefix* and its position."""
        names = {name: f"{prefix}{i}" for i, name in enumerate(self.nodes)}
        self.nodes[:] = [names[name] for name in self.nodes]
        for relations in self.relations:
            for relation in relations:
                relation[1] = names[relation[1]]

    def get_triples(self) -> tuple[list[Any], list[Any], list[Any]]:
        """Return the triples of concepts, attributes and relations: relation, node, value."""
        instances = [
            ("instance", name, value)
            for name, value in zip(self.nodes, self.node_values, strict=True)
        ]
        return instances, self._triples(self.attributes), self._triples(self.relations)

    def get_triples2(self) -> tuple[list[Any], list[Any]]:
        """Return the triples of concepts, and all other triples, grouped by node."""
        instances, _, _ = self.get_triples()
        both = [
            [*relations, *attributes]
            for relations, attributes in zip(self.relations, self.attributes, strict=True)
        ]
        return instances, self._triples(both)

    def _triples(self, by_node: Sequence[list[list[str]]]) -> list[Any]:
        return [
            (role, name, value)
            for name, said in zip(self.nodes, by_node, strict=True)
            for role, value in said
        ]

    def __str__(self) -> str:
        lines = []
        for i, (name, value) in enumerate(zip(self.nodes, self.node_values, strict=True)):
            lines += [f"Node {i} {name}", f"Value: {value}", "Relations:"]
            lines += [f"Node {other} via {role}" for role, other in self.relations[i]]
            lines += [f"Attribute: {role} value {text}" for role, text in self.attributes[i]]
        return "\n".join(lines)

    __repr__ = __str__

    def output_amr(self) -> None:
        """Print all nodes with their roles to `DEBUG_LOG`."""
        print(self, file=DEBUG_LOG)

    @staticmethod
    def get_amr_line(input_f: Iterable[str]) -> str:
        """Return the next AMR of an open file without comments, in one line; "" at the end."""
        found: list[str] = []
        for line in input_f:
            text = line.strip()
            if not text and found:
                break
            if text and not text.startswith("#"):
                found.append(text)
        return "".join(found)

    @staticmethod
    def parse_AMR_line(line: str) -> "AMR | None":  # noqa: N802
        """Return the AMR in *line*; None, and a message to `ERROR_LOG`, if it is malformed.

        Raises `IndexError`, as smatch does, if there is no node, or none above a role.
        """
        try:
            return _Line().read(line.strip())
        except _MalformedError as error:
            print(f"{error} in: {line}", file=ERROR_LOG)
            return None


class _MalformedError(Exception):
    """The line holds no AMR."""


class _Line:
    """The state of reading a line: the nodes so far, and the text since the last mark.

    after: the last mark; "" at the beginning, and after the end of a node.
    role: the role of the node that was opened and has no name yet.
    opened: the names of the open nodes, outermost first.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self.concepts: dict[str, str] = {}
        # How a value was read: as a node known already, or as a name not known yet.
        self.known: dict[str, list[list[str]]] = defaultdict(list)
        self.unsure: dict[str, list[list[str]]] = defaultdict(list)
        self.opened: list[str] = []
        self.text: list[str] = []
        self.role = ""
        self.after = ""

    def read(self, line: str) -> AMR:
        act = {"(": self._open, ":": self._begin_role, "/": self._name, ")": self._close}
        is_quoted = False
        for piece in _MARKS.split(line):
            if piece == '"':
                if is_quoted:
                    self.text.append("_")
                is_quoted = not is_quoted
            elif piece == " ":
                if self.after == ":":
                    self.text.append(piece)
            elif is_quoted or piece not in act:
                self.text.append(piece)
            else:
                act[piece]()
                self.after = "" if piece == ")" else piece
        return self._found()

    def _taken(self) -> str:
        """Return the text since the last mark, and clear it."""
        text = "".join(self.text)
        self.text = []
        return text

    def _open(self) -> None:
        if self.after == ":":
            if self.role:
                raise _MalformedError("two roles of one node")
            self.role = self._taken().strip()

    def _begin_role(self) -> None:
        self._end_value()

    def _name(self) -> None:
        if self.after != "(":
            raise _MalformedError("a slash without a name before it")
        name = self._taken()
        if name in self.concepts:
            raise _MalformedError(f"two nodes called {name}")
        self.opened.append(name)
        self.names.append(name)
        if self.role:
            self._relate(self.known, self.opened[-2], self.role, name)
            self.role = ""

    def _close(self) -> None:
        if not self.opened:
            raise _MalformedError("a closing parenthesis without an opening one")
        self._end_value()
        self.opened.pop()
        self.role = ""

    def _end_value(self) -> None:
        """Take the concept or the constant that ends here, if there is one."""
        if self.after == "/":
            self.concepts[self.opened[-1]] = self._taken()
        elif self.after == ":":
            role, *values = self._taken().split()[:2] or [""]
            if not values:
                raise _MalformedError(f"a role without a value {role}")
            if not self.opened:
                raise _MalformedError(f"a role {role} without a node")
            said = self.known if values[0] in self.concepts else self.unsure
            self._relate(said, self.opened[-1], role, values[0])

    @staticmethod
    def _relate(said: dict[str, list[list[str]]], source: str, role: str, target: str) -> None:
        if role.endswith("-of") and role not in _NO_INVERSES:
            said[target].append([role[:-3], source])
        elif role == "mod":
            said[target].append(["domain", source])
        else:
            said[source].append([role, target])

    def _found(self) -> AMR:
        unnamed = next((name for name in self.names if name not in self.concepts), None)
        if unnamed is not None:
            raise _MalformedError(f"no concept of {unnamed}")
        relations, attributes = [], []
        for name in self.names:
            unsure = [list(pair) for pair in self.unsure.get(name, ())]
            known = [list(pair) for pair in self.known.get(name, ())]
            relations.append(known + [pair for pair in unsure if pair[1] in self.concepts])
            attributes.append([pair for pair in unsure if pair[1] not in self.concepts])
        attributes[0].append(["TOP", "top"])
        values = [self.concepts[name] for name in self.names]
        return AMR(self.names, values, relations, attributes)
