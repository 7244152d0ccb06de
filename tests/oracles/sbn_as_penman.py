"""Write a graph of SBN as the scorer of PMB 5 does, from its description: one line of PENMAN.

The output is a simple directed graph, in which a later edge between two nodes replaces the earlier
one. It is written depth first from the first node without incoming edge, with ``-of`` for six roles
and strings in quotes. A blank, and as many tabs as the node is deep, precede each role.
"""

import networkx

from exactmatch.graphs.graph import CONCEPT, Constant, Graph

TURNED = ("InstanceOf", "AttributeOf", "ColourOf", "ContentOf", "PartOf", "SubOf")


def penman(graph: Graph) -> str:
    written = networkx.DiGraph()
    written.add_nodes_from(graph.variables)
    texts = {}
    for number, (role, (source, target), _) in enumerate(graph.triples):
        if role == CONCEPT:
            texts[source[0]] = target[0]
            continue
        end = target[0]
        if isinstance(target, Constant):
            end = f"constant {number}"
            texts[end] = target.text
        written.add_edge(source[0], end, role=role)
    (root, *_) = (node for node in written if not written.in_degree(node))
    return _below(root, 1, written, texts, set())


def _below(
    node: str, depth: int, graph: "networkx.DiGraph[str]", texts: dict[str, str], seen: set[str]
) -> str:
    if node in seen:
        return node
    seen.add(node)
    text = texts[node]
    if text[0] + text[-1] == "''":
        text = text[1:-1]
    if not text.startswith('"'):
        text = f'"{text}"'
    if node.startswith("constant"):
        return text
    lines = ""
    for _, target, edge in graph.out_edges(node, data=True):
        role = edge["role"].replace("Of", "-of") if edge["role"] in TURNED else edge["role"]
        below = _below(target, depth + 1, graph, texts, seen)
        lines += " " + "\t" * depth + f":{role} {below}"
    return f"({node} / {text}{lines})"
