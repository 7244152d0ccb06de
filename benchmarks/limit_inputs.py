"""Inputs that are bad for a metric each, from a seed, for `limits.py`."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


def attributes(rng: random.Random, size: int = 20_000) -> str:
    """Return an AMR of *size* variables, each with two attributes: numbers that recur."""
    nodes = (f":op (x{k} / thing :quant {k} :li {k % 7})" for k in range(size))
    return "(r / and " + " ".join(nodes) + ")"


def one_node(rng: random.Random, size: int = 40_000) -> str:
    """Return an AMR of one variable with *size* attributes."""
    return "(r / thing " + " ".join(f":op{k} {k}" for k in range(size)) + ")"


def dense(rng: random.Random, size: int = 300, edges: int = 3_000) -> str:
    """Return an AMR of equal concepts with random edges of two roles."""
    above = {k: rng.randrange(k) for k in range(1, size)}
    below: dict[int, list[str]] = {k: [] for k in range(size)}
    for _ in range(edges):
        source, target = rng.randrange(size), rng.randrange(size)
        below[source].append(f":ARG{rng.randrange(2)} x{target}")
    children: dict[int, list[int]] = {k: [] for k in range(size)}
    for child, parent in above.items():
        children[parent].append(child)
    texts: dict[int, str] = {}
    for k in reversed(range(size)):
        inside = [f":ARG0 {texts.pop(child)}" for child in children[k]]
        texts[k] = f"(x{k} / thing {' '.join([*inside, *below[k]])})"
    return texts[0]


def star(rng: random.Random, size: int = 20_000) -> str:
    """Return an AMR of one root with *size* equal children."""
    return "(r / and " + " ".join(f":op (x{k} / thing)" for k in range(size)) + ")"


def chain(rng: random.Random, size: int = 10_000) -> str:
    """Return an AMR that is as deep as it is large, with few concepts."""
    head = (f"(x{k} / thing-{rng.randrange(3)} :ARG0 " for k in range(size))
    return "".join(head) + "(y / end)" + ")" * size


def concepts(rng: random.Random, size: int = 20_000) -> str:
    """Return an AMR of *size* different concepts."""
    nodes = (f":op (x{k} / word{rng.randrange(4 * size)})" for k in range(size))
    return "(r / and " + " ".join(nodes) + ")"


def motifs(rng: random.Random, size: int = 1_900) -> str:
    """Return an AMR of two variables with *size* attributes each."""
    ours, theirs = (" ".join(f":op{k} {k}" for k in range(size)) for _ in range(2))
    return f"(a / thing {ours} :ARG0 (b / thing {theirs}))"


def reified(rng: random.Random, size: int = 20_000) -> str:
    """Return an AMR of roles that can be expanded, constants and coordinations."""
    roles = ("location", "quant", "poss", "time", "mod", "polarity", "wiki", "op1", "op2")
    nodes = (f":{rng.choice(roles)} (x{k} / and :quant {k % 5} :wiki -)" for k in range(size))
    return "(r / and " + " ".join(nodes) + ")"


def document(rng: random.Random, size: int = 3_000) -> str:
    """Return a document of AMR in which all sentences share a chain of nodes."""
    first = "(a0 / thing :ARG1 (c0 / thing " + "".join(
        f":ARG1 (c{k} / thing " for k in range(1, size)
    )
    text = f"(d / multi-sentence :snt1 {first}{')' * (size + 1)}"
    rest = (f" :snt{k + 1} (a{k} / thing :ARG1 c0)" for k in range(1, size))
    return f"{text}{''.join(rest)})"


def sentences(rng: random.Random, size: int = 2_000) -> str:
    """Return a document of sentences of their own nodes, many of which look alike."""
    texts = []
    for k in range(1, size + 1):
        inside = (
            f":ARG{rng.randrange(3)} (s{k}x{n} / word{rng.randrange(40)} :mod (s{k}y{n} / thing))"
            for n in range(5)
        )
        texts.append(f":snt{k} (s{k} / say {' '.join(inside)})")
    return f"(d / multi-sentence {' '.join(texts)})"


def umr(
    graph: str, temporal: str = "", coref: str = "", surface: str = "", *, words: str = "a b"
) -> str:
    """Return a file of UMR with one sentence."""
    level = f":temporal ({temporal})" if temporal else ""
    level += f" :coref ({coref})" if coref else ""
    return (
        f"# :: snt1\nWords: {words}\n\n# sentence level graph:\n{graph}\n\n"
        f"# alignment:\n{surface}\n\n"
        f"# document level annotation:\n(s1s0 / sentence {level})\n"
    )


def nodes(size: int, concept: str = "thing") -> str:
    """Return a sentence graph of equal nodes."""
    return "(s1r / and " + " ".join(f":op (s1x{k} / {concept})" for k in range(size)) + ")"


def temporal(rng: random.Random, size: int = 300, triples: int = 3_000) -> str:
    """Return a UMR file with random relations of time and coreference."""

    def ends() -> tuple[str, str]:
        return f"s1x{rng.randrange(size)}", f"s1x{rng.randrange(size)}"

    def triples_of(*relations: str) -> str:
        drawn = ((*ends(), rng.choice(relations)) for _ in range(triples))
        return " ".join(f"({source} :{relation} {target})" for source, target, relation in drawn)

    times = triples_of("before", "after", "contained", "includes", "overlap")
    same = triples_of("same-entity", "subset-of")
    return umr(nodes(size), times, same)


def wide_time(rng: random.Random, size: int = 1_500) -> str:
    """Return a UMR file with a chain of *size* times: every one is after all before it."""
    times = " ".join(f"(s1x{k} :after s1x{k + 1})" for k in range(size - 1))
    return umr(nodes(size), times)


def equal_nodes(rng: random.Random, size: int = 490) -> str:
    """Return a UMR file whose nodes may all be linked to all."""
    edges = " ".join(f":ARG{rng.randrange(3)} s1x{rng.randrange(size)}" for _ in range(10 * size))
    graph = "(s1x0 / thing " + " ".join(f":op (s1x{k} / thing)" for k in range(1, size))
    return umr(f"{graph} {edges})")


def many_nodes(rng: random.Random, size: int = 3_000) -> str:
    """Return a UMR file of one large sentence."""
    return umr(nodes(size))


def clauses(rng: random.Random, size: int = 400) -> str:
    """Return a DRS of equal concepts and random roles."""
    lines = []
    for k in range(size):
        lines += [f"b1 REF x{k}", f'b1 thing "n.01" x{k}']
    for _ in range(8 * size):
        lines.append(f"b1 Theme x{rng.randrange(size)} x{rng.randrange(size)}")
    return "% ::id 1\n" + "\n".join(dict.fromkeys(lines)) + "\n"


def few_clauses(rng: random.Random, size: int = 38) -> str:
    """Return a DRS of few referents and many roles: it has millions of paths."""
    return clauses(rng, size)


def sbn(rng: random.Random, size: int = 4_000) -> str:
    """Return an SBN of equal concepts with roles to others."""
    words = []
    for k in range(size):
        far = rng.randrange(1, k + 1) if k else 0
        words.append(f"thing.n.01 Theme -{far} Quantity {k % 9}" if far else "thing.n.01")
    return f"1/1\tx .\t{' '.join(words)}\n"


def mrp(rng: random.Random, size: int = 3_000, framework: str = "eds", deep: bool = False) -> str:
    """Return a graph in MRP; if it is *deep*, a chain in which nothing touches."""
    spans = [{"from": 4 * k, "to": 4 * k + 2} for k in range(size)]
    if deep:
        edges = [{"source": k, "target": k + 1, "label": "A"} for k in range(size - 1)]
        anchors = [[span] for span in spans]
    else:
        ends = [(rng.randrange(size), rng.randrange(size)) for _ in range(3 * size)]
        edges = [
            {"source": a, "target": b, "label": f"ARG{rng.randrange(2)}"}
            for a, b in dict.fromkeys(ends)
        ]
        anchors = [[spans[rng.randrange(8)]] for _ in spans]
    content = {
        "id": "1", "flavor": 1, "framework": framework, "version": 1.0, "time": "2026-01-01",
        "input": "a  . " * (4 * size // 5 + 5), "tops": list(range(size)),
        "nodes": [
            {"id": k, "label": f"thing{k % 3}", "properties": ["p"], "values": [str(k % 2)],
             "anchors": anchors[k]}
            for k in range(size)
        ],
        "edges": edges,
    }  # fmt: skip
    return json.dumps(content) + "\n"


def ucca(rng: random.Random, size: int = 8_000) -> str:
    """Return a deep graph of UCCA: each node has the text of all below."""
    return mrp(rng, size, "ucca", deep=True)


def anchors(rng: random.Random, size: int = 20_000) -> str:
    """Return a graph in MRP with one node of many anchors with blanks in them."""
    spans = [{"from": 5 * k, "to": 5 * k + 4} for k in range(size)]
    content = {
        "id": "1", "flavor": 1, "framework": "eds", "version": 1.0, "time": "2026-01-01",
        "input": "a b. " * size, "tops": [0],
        "nodes": [{"id": 0, "label": "thing", "anchors": spans}], "edges": [],
    }  # fmt: skip
    return json.dumps(content) + "\n"


def vectors(path: Path) -> None:
    """Write vectors of many words that are all alike."""
    rng = random.Random(55)
    with path.open("w", encoding="utf-8") as file:
        for k in range(20_000):
            numbers = (1 + rng.randrange(-3, 4) / 10 for _ in range(20))
            file.write(f"word{k} {' '.join(map(str, numbers))}\n")


class Input(NamedTuple):
    """How a file is made, and the end of its name; *is_same*: it is compared with itself."""

    make: Callable[..., str]
    ending: str = "amr"
    is_same: bool = False


INPUTS = {
    "attributes": Input(attributes, is_same=True),
    "one-node": Input(one_node, is_same=True),
    "dense": Input(dense),
    "star": Input(star, is_same=True),
    "chain": Input(chain),
    "concepts": Input(concepts),
    "motifs": Input(motifs),
    "reified": Input(reified),
    "document": Input(document),
    "sentences": Input(sentences, is_same=True),
    "temporal": Input(temporal, "umr"),
    "wide-time": Input(wide_time, "umr"),
    "equal-nodes": Input(equal_nodes, "umr"),
    "many-nodes": Input(many_nodes, "umr"),
    "clauses": Input(clauses, "clf"),
    "few-clauses": Input(few_clauses, "clf"),
    "sbn": Input(sbn, "sbn"),
    "mrp": Input(mrp, "mrp"),
    "ucca": Input(ucca, "mrp"),
    "anchors": Input(anchors, "mrp"),
}
