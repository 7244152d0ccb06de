"""Semantic n-grams: the paths of SemBleu in graphs of MRP, counted by hand and by brute force."""

import json
import random
from collections import Counter
from itertools import pairwise, permutations
from math import exp
from typing import Any

import pytest
from mrp_notation import mrp_graph
from samples import counted, random_mrp_graph

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics.sembleu import SemBleu

METRIC = SemBleu()
#: What random graphs have on the edges of their anchors.
PUNCTUATION = ' .",'

Numbers = tuple[int, int, int]


@pytest.mark.parametrize(
    "framework, system, gold, expected",
    [
        # 1: Big, dog, chase, cat; 2: Big-dog, chase-dog, chase-cat; 3: none.
        (
            *("eds", ("a:Big/big b:dogs/dog c:chase/chase d:cats/cat", "a-1>b c-1>b c-2>d")),
            *(("a:Big/big b:dogs/dog c:chase/chase d:cats/cat", "a-1>b c-1>b c-2>d"),),
            [(4, 4, 4), (3, 3, 3), (0, 0, 0)],
        ),
        # The place does not matter; another label breaks its 2-gram and the 3-gram.
        (
            *("eds", ("a:they/x b:then/y c:Big/u", "a-r>b b-s>c")),
            *(("a:Big/x b:dogs/y c:chase/z", "a-r>b b-s>c"),),
            [(2, 3, 3), (1, 2, 2), (0, 1, 1)],
        ),
        # Another label of an edge breaks the paths over it, and no node.
        (
            *("psd", ("a:Big/x b:dogs/y c:chase/z", "a-r>b b-t>c")),
            *(("a:Big/x b:dogs/y c:chase/z", "a-r>b b-s>c"),),
            [(3, 3, 3), (1, 2, 2), (0, 1, 1)],
        ),
        # Properties are nodes: x, NN, f1; x-pos-NN, x-frame-f1; the frame is another one.
        (
            *("dm", ("a:dogs/x/NN/f2", "")),
            *(("a:dogs/x/NN/f1", ""),),
            [(2, 3, 3), (1, 2, 2), (0, 0, 0)],
        ),
        # A path leads on to properties: x-r-y-pos-NN.
        (
            *("dm", ("a:Big/x b:dogs/y/NN", "a-r>b")),
            *(("a:Big/x b:dogs/y/nn", "a-r>b"),),
            [(3, 3, 3), (2, 2, 2), (1, 1, 1)],
        ),
        # In UCCA, nodes are known by their words, the others have none: two such, and dogs, chase.
        (
            *("ucca", ("t: s: a:dogs b:chase", "t-H>s s-A>a s-P>b")),
            *(("t: s: a:dogs b:chase", "t-H>s s-P>a s-P>b"),),
            [(4, 4, 4), (2, 3, 3), (1, 2, 2)],
        ),
        # The comma of an anchor does not count, and words are compared in lower case.
        (
            *("ucca", ("t: a:cats, b:Big", "t-A>a t-P>b")),
            *(("t: a:cats b:Big", "t-A>a t-P>b"),),
            [(3, 3, 3), (2, 2, 2), (0, 0, 0)],
        ),
        # A node that covers other words.
        (
            *("ucca", ("t: a:cats b:they", "t-A>a t-P>b")),
            *(("t: a:cats b:then", "t-A>a t-P>b"),),
            [(2, 3, 3), (1, 2, 2), (0, 0, 0)],
        ),
        # Each n-gram counts as often as it occurs on both sides.
        (
            *("drg", ("t: a:dogs/x b:cats/x", "t-r>a t-r>b")),
            *(("t: a:dogs/x b:cats/y", "t-r>a t-r>b"),),
            [(2, 3, 3), (1, 2, 2), (0, 0, 0)],
        ),
        # An edge is used once: a loop gives x-r-x; two loops give both orders.
        (
            *("ptg", ("a:dogs/x", "a-r>a")),
            *(("a:dogs/x", "a-r>a a-s>a"),),
            [(1, 1, 1), (1, 1, 2), (0, 0, 2)],
        ),
        # An inverse edge is turned around.
        (
            *("drg", ("a:dogs/x b:cats/y", "b-r-of>a")),
            *(("a:dogs/x b:cats/y", "a-r>b"),),
            [(2, 2, 2), (1, 1, 1), (0, 0, 0)],
        ),
        # Nothing in common.
        (
            *("eds", ("a:dogs/x b:cats/y", "a-r>b")),
            *(("a:dogs/u b:cats/v", "a-r>b"),),
            [(0, 2, 2), (0, 1, 1), (0, 0, 0)],
        ),
    ],
)
def test_n_grams_are_as_counted_by_hand(
    framework: str, system: tuple[str, str], gold: tuple[str, str], expected: list[Numbers]
) -> None:
    sides = [mrp_graph(framework, *side) for side in (system, gold)]
    found = counted(METRIC, *sides).breakdown.values()
    assert [(c.matched, c.system_total, c.gold_total) for c in found] == expected


def test_the_score_is_bleu() -> None:
    """1 of 2 and 0 of 1 match, smoothed to 1/2; the sizes are 3 and 5."""
    system = mrp_graph("eds", "a:dogs/x b:cats/y", "a-r>b")
    gold = mrp_graph("eds", "a:dogs/x b:cats/z c:Big/u", "a-r>b b-s>c")
    figures = METRIC.figures(counted(METRIC, system, gold))
    assert figures.value == pytest.approx(exp(1 - 5 / 3) * (1 / 2 * 1 / 2) ** (1 / 2))


def test_words_are_unknown_without_the_sentence() -> None:
    texts = [
        json.dumps(
            {
                **{"id": "1", "framework": "ucca", "edges": []},
                "nodes": [{"id": 0, "anchors": [{"from": 0, "to": end}]}],
            }
        )
        for end in (3, 4)
    ]
    sides = [only(text) for text in texts]
    assert counted(METRIC, *sides).breakdown["1-grams"].matched == 1


def test_paths_are_those_of_brute_force() -> None:
    rng = random.Random("n-grams")
    for _ in range(60):
        contents = [random_mrp_graph(rng, rng.randint(1, 5)) for _ in range(2)]
        sides = [only(json.dumps(content)) for content in contents]
        for length, found in enumerate(counted(METRIC, *sides).breakdown.values(), start=1):
            one, other = (paths(content, length) for content in contents)
            assert (found.matched, found.system_total, found.gold_total) == (
                *((one & other).total(), one.total(), other.total()),
            )


def only(text: str) -> Graph:
    (graph,) = read_text(text, "system").graphs
    assert isinstance(graph, Graph), graph
    return graph


def paths(content: dict[str, Any], length: int) -> Counter[tuple[str, ...]]:
    """Return the paths of *length* nodes: all orders of edges of which each goes on the last."""
    labels = {node["id"]: node.get("label", words(content, node)) for node in content["nodes"]}
    edges = [(edge["source"], edge.get("label", ""), edge["target"]) for edge in content["edges"]]
    steps = [(s, role, t) for s, role, t in edges if not role.endswith("-of")]
    steps += [(t, role.removesuffix("-of"), s) for s, role, t in edges if role.endswith("-of")]
    for node in content["nodes"]:
        for name, value in zip(node.get("properties", ()), node.get("values", ()), strict=True):
            labels[f"{node['id']} {name}"] = str(value)
            steps.append((node["id"], name, f"{node['id']} {name}"))
    if length == 1:
        return Counter((label.lower(),) for label in labels.values())
    found: Counter[tuple[str, ...]] = Counter()
    for chain in permutations(steps, length - 1):
        if all(one[2] == other[0] for one, other in pairwise(chain)):
            rest = (part for _, role, end in chain for part in (role, labels[end].lower()))
            found[labels[chain[0][0]].lower(), *rest] += 1
    return found


def words(content: dict[str, Any], node: dict[str, Any]) -> str:
    """Return the words that *node* covers, without punctuation at both ends."""
    covered = {k for a in node.get("anchors", ()) for k in range(a["from"], a["to"])}
    text = content["input"]
    spread = "".join(text[k] if k in covered else "\0" for k in range(len(text)))
    return " ".join(spread.replace("\0", " ").strip(PUNCTUATION).split())
