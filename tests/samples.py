"""Graphs and problems for tests, most of them random."""

import random
from typing import Any

from oracles.brute_force import Triple

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics.base import AlignmentFreeMetric, Metric, Statistics
from exactmatch.metrics.smatch import Smatch
from exactmatch.problem import MatchingProblem, Pair, Term
from exactmatch.scoring.comparison import Comparison, compare
from exactmatch.solving.budgets import Budgets, DualBudgets

#: The dual gives up at once, so that something is left for a solver.
WEAK = Budgets(dual=DualBudgets(steps=0))


def random_graph(rng: random.Random, size: int) -> tuple[str, list[Triple]]:
    """Return a random graph as PENMAN text and as triples, built side by side.

    The graph has few labels, so that variables are easy to confuse. It may have self-loops,
    parallel edges and repeated triples.
    """
    names = [f"{rng.choice('abcx')}{k}" for k in range(size)]
    triples: list[Triple] = [("top", (names[0],))]
    concepts = [rng.choice("pqr") for _ in names]
    triples += [(f"instance {c}", (n,)) for n, c in zip(names, concepts, strict=True)]
    parent = {k: rng.randrange(k) for k in range(1, size)}
    roles = {k: rng.choice(["ARG0", "ARG1"]) for k in parent}
    inverse = {k: rng.random() < 0.3 for k in parent}
    extra: list[list[str]] = [[] for _ in names]
    for _ in range(rng.randrange(size + 2)):
        source, target = rng.randrange(size), rng.randrange(size)
        role, times = rng.choice(["ARG0", "ARG1"]), rng.choice([1, 1, 2])
        extra[source] += [f":{role} {names[target]}"] * times
        triples += [(f"relation {role}", (names[source], names[target]))] * times
    for _ in range(rng.randrange(3)):
        source, value, times = rng.randrange(size), rng.choice("-+"), rng.choice([1, 1, 2, 3])
        extra[source] += [f":polarity {value}"] * times
        triples += [(f"attribute polarity {value}", (names[source],))] * times
    for k, above in parent.items():
        ends = (names[k], names[above]) if inverse[k] else (names[above], names[k])
        triples.append((f"relation {roles[k]}", ends))

    def text(k: int) -> str:
        below = [
            f":{roles[c]}{'-of' if inverse[c] else ''} {text(c)}" for c in parent if parent[c] == k
        ]
        parts = extra[k] + below
        rng.shuffle(parts)
        return f"({' '.join([names[k], '/', concepts[k], *parts])})"

    return text(0), triples


def compared(system: str, gold: str) -> Comparison:
    """Return the comparison of two texts of one graph each, as Smatch counts them by default."""
    pair = GraphPair("x", only_graph(system), only_graph(gold))
    return compare(pair, Smatch.profiles["default"])


def only_graph(text: str) -> Graph:
    """Return the graph of a text that holds one."""
    (graph,) = read_text(text, "text").graphs
    assert isinstance(graph, Graph), graph
    return graph


def random_problem(rng: random.Random, largest_term: int = 3) -> MatchingProblem:
    """Return a small problem of terms of up to *largest_term* pairs."""
    n_left, n_right = rng.randint(1, 4), rng.randint(1, 4)
    terms = {}
    for _ in range(rng.randint(0, 16)):
        size = min(rng.randint(1, largest_term), n_left, n_right)
        lefts = sorted(rng.sample(range(n_left), size))
        rights = rng.sample(range(n_right), size)
        terms[tuple(zip(lefts, rights, strict=True))] = rng.randint(1, 3)
    return MatchingProblem(
        n_left=n_left,
        n_right=n_right,
        terms=tuple(Term(weight, pairs) for pairs, weight in sorted(terms.items())),
    )


def diagonal(problem: MatchingProblem) -> list[Pair]:
    """Return pairs of equal numbers, for searches that ask which ones look alike."""
    return [(i, i) for i in range(min(problem.n_left, problem.n_right))]


def counted(metric: Metric, system: Graph, gold: Graph) -> Statistics:
    """Return the counts of an alignment-free metric for two graphs."""
    assert isinstance(metric, AlignmentFreeMetric)
    return metric.measure(system, gold).statistics


#: The input of random graphs in MRP, and what their nodes are anchored to. Much means the same.
MRP_TEXT = 'He said, "no go".'
_PLACES = [
    *([(0, 2)], [(0, 3)], [(3, 8)], [(9, 16)], [(10, 12), (13, 14)], [(7, 8)], [(15, 18)]),
    *([(10, 12), (12, 16)], [(13, 15), (10, 13)], [(3, 5), (5, 12)], [(3, 12)], [(3, 7), (9, 12)]),
]


def random_mrp_graph(rng: random.Random, size: int, framework: str = "x") -> dict[str, Any]:
    """Return a random graph in MRP, as JSON, of few labels and with everything that MRP knows."""
    ids = rng.sample(range(20), size)
    return {
        "id": "1",
        "framework": framework,
        "input": MRP_TEXT,
        "tops": rng.sample(ids, min(size, rng.choice([0, 1, 1, 2]))),
        "nodes": [_random_node(rng, identifier) for identifier in ids],
        "edges": [_random_edge(rng, ids) for _ in range(rng.randrange(2 * size))],
    }


def _random_node(rng: random.Random, identifier: int) -> dict[str, Any]:
    node: dict[str, Any] = {"id": identifier}
    if rng.random() < 0.6:
        node["label"] = rng.choice(["p", "P", "q"])
    if rng.random() < 0.5:
        node["anchors"] = [{"from": start, "to": end} for start, end in rng.choice(_PLACES)]
    if rng.random() < 0.3:
        node |= {"properties": ["k"], "values": [rng.choice(["true", True, "x"])]}
    return node


def _random_edge(rng: random.Random, ids: list[int]) -> dict[str, Any]:
    edge: dict[str, Any] = {"source": rng.choice(ids), "target": rng.choice(ids)}
    label = rng.choice([None, "a", "A", "a-of", "b", "mod", "domain", "prep-of", "inverse b"])
    if label == "inverse b":
        edge |= {"label": "c", "normal": "b"}
    elif label is not None:
        edge["label"] = label
    if rng.random() < 0.3:
        name, value = rng.choice(["remote", "Member"]), rng.choice([True, False])
        edge |= {"attributes": [name], "values": [value]}
    return edge


def mrp_rewritten(graph: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """Return the same graph with other numbers for its nodes, and everything in another order."""
    new = dict(zip(range(20), rng.sample(range(100), 20), strict=True))
    nodes = [{**node, "id": new[node["id"]]} for node in graph["nodes"]]
    edges = [
        {**edge, "source": new[edge["source"]], "target": new[edge["target"]]}
        for edge in graph["edges"]
    ]
    tops = [new[top] for top in graph["tops"]]
    for part in (nodes, edges, tops):
        rng.shuffle(part)
    return {**graph, "nodes": nodes, "edges": edges, "tops": tops}
