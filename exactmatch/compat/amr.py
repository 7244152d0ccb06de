"""Read AMRs as smatch 1.0.4 does: the part of its module ``amr`` that programs use.

Every line is read the same way (`exactmatch.graphs.readers.smatch_line`), so that counts are equal
on any text.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from exactmatch.graphs.readers.smatch_line import LineReader, MalformedError
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
        reader = LineReader()
        try:
            reader.read(line.strip())
        except MalformedError as error:
            print(f"{error} in: {line}", file=ERROR_LOG)
            return None
        return _amr(reader)


def _amr(line: LineReader) -> AMR:
    """Return the AMR of a line that was read. Raises `IndexError` if there is no node."""
    # How a value was read: as a node known already, or as a name not known yet.
    known: dict[str, list[list[str]]] = defaultdict(list)
    unsure: dict[str, list[list[str]]] = defaultdict(list)
    for source, role, target, is_known in line.edges:
        said = known if is_known else unsure
        if role.endswith("-of") and role not in _NO_INVERSES:
            said[target].append([role[:-3], source])
        elif role == "mod":
            said[target].append(["domain", source])
        else:
            said[source].append([role, target])
    relations, attributes = [], []
    for name in line.names:
        late = [list(pair) for pair in unsure.get(name, ())]
        early = [list(pair) for pair in known.get(name, ())]
        relations.append(early + [pair for pair in late if pair[1] in line.concepts])
        attributes.append([pair for pair in late if pair[1] not in line.concepts])
    attributes[0].append(["TOP", "top"])
    return AMR(line.names, [line.concepts[name] for name in line.names], relations, attributes)
