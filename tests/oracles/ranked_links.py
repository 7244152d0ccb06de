"""The rules by which juːmæʧ makes links one to one, applied literally.

Every step ranks all links again, so this is slow, and meant for small sentences.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

#: Nodes by name, in order. A node has values, pairs of role and text, and the other fields of
#: `exactmatch.metrics.umr.nodes.UmrNode`.
Nodes = Mapping[str, Any]

_CONCEPT = "instance"


def resolved(gold: Nodes, system: Nodes, tokens: int, concept: str = _CONCEPT) -> dict[str, str]:
    """Return the mapping of nodes and the rules behind it; *concept* is the role of concepts."""
    nodes = [gold, system]
    links: list[dict[str, set[str]]] = [
        {name: {o for o, b in system.items() if _linked(a, b, tokens)} for name, a in gold.items()},
        {name: {o for o, b in gold.items() if _linked(b, a, tokens)} for name, a in system.items()},
    ]
    while True:
        found = []
        for side in (0, 1):
            here, there = nodes[side], nodes[1 - side]
            for name, node in here.items():
                links[side][name] = {o for o in links[side][name] if name in links[1 - side][o]}
                if len(links[side][name]) < 2:
                    continue
                images: Counter[tuple[str, str]] = Counter()
                for role, text in node.values:
                    if role != concept and text in here:
                        images.update((role, other) for other in links[side][text])
                    elif text:
                        images[role, text] += 1
                for other in sorted(links[side][name]):
                    node_there = there[other]
                    values = Counter((role, text) for role, text in node_there.values if text)
                    roles, roles_there = (
                        Counter(role for role, _ in n.values) for n in (node, node_there)
                    )
                    rank = (
                        node.extended_concept != node_there.extended_concept,
                        -(images & values).total(),
                        -(roles & roles_there).total(),
                        -(node.length + node_there.length),
                        name != other,
                        name + other,
                    )
                    found.append((rank, side, name, other))
        if not found:
            return {name: other for name, others in links[0].items() for other in others}
        _, side, name, other = min(found, key=lambda link: link[0])
        links[side][name], links[1 - side][other] = {other}, {name}


def _linked(node: Any, other: Any, tokens: int) -> bool:
    if node.tokens is None or other.tokens is None:
        both_without = node.tokens is None and other.tokens is None
        return both_without and bool(node.extended_concept == other.extended_concept)
    return any(token in other.tokens and token <= tokens for token in node.tokens)
