"""A short notation for graphs in MRP, for cases that are counted by hand."""

import json
from typing import Any

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.detect import read_text

#: The sentence of all graphs.
SENTENCE = "Big dogs chase cats, and then they flee."


def mrp_json(framework: str, nodes: str, edges: str, tops: str = "") -> dict[str, Any]:
    """Return the JSON of a graph.

    nodes: ``word``, ``word/label``, ``word/label/pos`` or ``word/label/pos/frame``, with blanks
        between; before the word may stand a name with a colon. The name of a node is its word by
        default; a node without word has no anchor.
    edges: ``source-LABEL>target``. tops: names.
    """
    named = [node.rpartition(":") for node in nodes.split()]
    names = [name or text.split("/")[0] for name, _, text in named]
    return {
        **{"id": "1", "framework": framework, "input": SENTENCE},
        "nodes": [_node(k, text) for k, (_, _, text) in enumerate(named)],
        "edges": [_edge(edge, names) for edge in edges.split()],
        "tops": [names.index(top) for top in tops.split()],
    }


def mrp_graph(framework: str, nodes: str, edges: str, tops: str = "") -> Graph:
    """Return the graph of `mrp_json`."""
    (found,) = read_text(json.dumps(mrp_json(framework, nodes, edges, tops)), "system").graphs
    assert isinstance(found, Graph), found
    return found


def _node(number: int, text: str) -> dict[str, Any]:
    word, label, pos, frame = [*text.split("/"), "", "", ""][:4]
    start = SENTENCE.index(word)
    properties = {name: value for name, value in (("pos", pos), ("frame", frame)) if value}
    return {
        "id": number,
        **({"label": label} if label else {}),
        **({"anchors": [{"from": start, "to": start + len(word)}]} if word else {}),
        **{"properties": list(properties), "values": list(properties.values())},
    }


def _edge(text: str, names: list[str]) -> dict[str, Any]:
    ends, _, target = text.rpartition(">")
    source, _, label = ends.partition("-")
    return {"source": names.index(source), "target": names.index(target), "label": label}
