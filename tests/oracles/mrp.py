"""The MRP metric written from its definition; shares no code with exactmatch.

Turns the JSON of a graph into its tuples, as a list of triples for `oracle.matched`, and has a
brute-force search. The count follows the evaluation page of the task or, with *mtool*, mtool.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from oracles.brute_force import Triple, best_count

PUNCTUATION = set(".?!;,:“\"”‘'’()[]{}")
DROPPED_AT_EDGES = PUNCTUATION | set(" \t\n\f")

#: The columns of the tables on the evaluation pages of 2019 and 2020; t is a top, l a label, p a
#: property, a an anchor, e an edge and A an attribute of an edge.
APPLICABLE = {
    **{"dm": "tlpae", "psd": "tlpae", "eds": "tlpae", "ucca": "taeA", "amr": "tlpe"},
    **{"ptg": "tlpaeA", "drg": "tle"},
}
LETTERS = {"top": "t", "label": "l", "property": "p", "anchor": "a", "edge": "e", "attribute": "A"}


def tuples(graph: dict[str, Any], *, mtool: bool = False) -> list[Triple]:
    """Return the tuples of *graph*, each once; a label starts with the kind of its tuple."""
    found: list[Triple] = [("top", (str(top),)) for top in graph.get("tops", [])]
    for node in graph["nodes"]:
        found += node_tuples(node, graph["input"], mtool)
    for edge in graph["edges"]:
        found += edge_tuples(edge, mtool)
    letters = "tlpaeA" if mtool else APPLICABLE.get(graph["framework"], "tlpaeA")
    return list(dict.fromkeys(one for one in found if LETTERS[one[0].split()[0]] in letters))


def node_tuples(node: dict[str, Any], text: str, mtool: bool) -> Iterator[Triple]:
    """Yield label, properties and anchors of *node*."""
    name = (str(node["id"]),)
    if "label" in node:
        yield f"label {node['label'].lower()}", name
    for key, value in zip(node.get("properties", []), node.get("values", []), strict=True):
        yield f"property {key.lower()} {str(value).lower()}", name
    if node.get("anchors"):
        how = covered_by_span if mtool else covered
        yield f"anchor {how(node['anchors'], text)}", name


def edge_tuples(edge: dict[str, Any], mtool: bool) -> Iterator[Triple]:
    """Yield *edge*, turned round if it is inverse, and its attributes."""
    label, ends = edge.get("label", ""), (str(edge["source"]), str(edge["target"]))
    if "normal" in edge:
        label, ends = edge["normal"], ends[::-1]
    elif mtool and label == "mod":
        label, ends = "domain", ends[::-1]
    elif mtool and label.endswith("-of") and not label.startswith("prep-"):
        label, ends = label[:-3], ends[::-1]
    yield f"edge {label.lower()}", ends
    for key, value in zip(edge.get("attributes", []), edge.get("values", []), strict=True):
        said = f"{key.lower()} {str(value).lower()}"
        if said not in ("remote false", "member false", "effective false"):
            yield f"attribute {label.lower()} {said}", ends


def covered(anchors: list[dict[str, int]], text: str) -> list[int]:
    """Return the positions that count in *anchors*: all positions, trimmed at both ends."""
    inside = {p for anchor in anchors for p in range(anchor["from"], anchor["to"])}
    kept = [p for p in sorted(inside) if p < len(text) and not text[p].isspace()]
    while kept and text[kept[0]] in PUNCTUATION:
        del kept[0]
    while kept and text[kept[-1]] in PUNCTUATION:
        del kept[-1]
    return kept


def covered_by_span(anchors: list[dict[str, int]], text: str) -> list[int]:
    """Return the positions that count for mtool: each unbroken stretch, trimmed."""
    inside = {p for anchor in anchors for p in range(anchor["from"], anchor["to"])}
    found = set()
    for start in [p for p in range(len(text)) if p in inside and p - 1 not in inside]:
        end = min(p for p in range(start, len(text) + 1) if p not in inside or p == len(text))
        stretch = list(range(start, end))
        while stretch and text[stretch[0]] in DROPPED_AT_EDGES:
            stretch.pop(0)
        while stretch and text[stretch[-1]] in DROPPED_AT_EDGES:
            stretch.pop()
        found |= {p for p in stretch if not text[p].isspace()}
    return sorted(found)


def optimum(system: dict[str, Any], gold: dict[str, Any], *, mtool: bool = False) -> int:
    """Return the largest number of common tuples over all one-to-one mappings of the nodes."""
    if len(system["nodes"]) > len(gold["nodes"]):
        system, gold = gold, system
    ours, theirs = (Counter(tuples(graph, mtool=mtool)) for graph in (system, gold))
    names = [str(node["id"]) for node in system["nodes"]]
    images = [str(node["id"]) for node in gold["nodes"]]
    return best_count(names, images, ours, theirs, "set")
