"""Write two files of random AMRs with many equal labels: the dense sentences of the benchmarks.

    python benchmarks/dense.py NEW_SYSTEM NEW_GOLD [--pairs N] [--variables N] [--seed N]

Files that exist are not overwritten. Each graph of NEW_SYSTEM is one of NEW_GOLD with some
concepts, roles and places changed. The same options give the same bytes. Needs Python's standard
library only.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import NamedTuple, TypeVar

_Some = TypeVar("_Some")

PAIRS, VARIABLES, SEED = 1300, 14, 1
#: Few concepts, so that each variable may be mapped to many; sentences have more.
CONCEPTS = ("thing", "person", "country", "say-01", "go-02", "want-01", "and", "good-02", "new-01")
ROLES = (":ARG0", ":ARG1", ":ARG1", ":ARG2", ":mod", ":time", ":op1", ":op2", ":location")
ATTRIBUTES = (":polarity -", ":quant 1", ":quant 2", ":mode imperative")
#: The share of variables with one more edge, to any other, and with an attribute.
EDGES_BESIDE = 3
WITH_ATTRIBUTE = 3
#: How often a copied part is replaced.
SHARE = 0.25


class Sketch(NamedTuple):
    """A graph: the concept, parent and incoming role of each variable, and its other triples.

    *edges* are a source, a role and a target; *attributes* a variable and its text.
    """

    concepts: list[str]
    above: list[int]
    roles: list[str]
    edges: list[tuple[int, str, int]]
    attributes: list[tuple[int, str]]


def sketched(rng: random.Random, size: int) -> Sketch:
    """Return a random graph of *size* variables."""
    return Sketch(
        concepts=rng.choices(CONCEPTS, k=size),
        above=[0, *(rng.randrange(k) for k in range(1, size))],
        roles=rng.choices(ROLES, k=size),
        edges=[_edge(rng, size) for _ in range(EDGES_BESIDE)],
        attributes=[_attribute(rng, size) for _ in range(WITH_ATTRIBUTE)],
    )


def changed(rng: random.Random, graph: Sketch) -> Sketch:
    """Return a copy of a graph with some random parts."""
    size = len(graph.concepts)
    return Sketch(
        concepts=[_or(rng, rng.choice(CONCEPTS), old) for old in graph.concepts],
        above=[0, *(_or(rng, rng.randrange(k), graph.above[k]) for k in range(1, size))],
        roles=[_or(rng, rng.choice(ROLES), old) for old in graph.roles],
        edges=[_or(rng, _edge(rng, size), old) for old in graph.edges],
        attributes=[_or(rng, _attribute(rng, size), old) for old in graph.attributes],
    )


def _or(rng: random.Random, new: _Some, old: _Some) -> _Some:
    return new if rng.random() < SHARE else old


def _edge(rng: random.Random, size: int) -> tuple[int, str, int]:
    source, target = rng.sample(range(size), 2) if size > 1 else (0, 0)
    return source, rng.choice(ROLES), target


def _attribute(rng: random.Random, size: int) -> tuple[int, str]:
    return rng.randrange(size), rng.choice(ATTRIBUTES)


def as_penman(graph: Sketch, identifier: str) -> str:
    """Return the text of a graph, with its identifier."""
    beside: list[list[str]] = [[] for _ in graph.concepts]
    for source, role, target in graph.edges:
        beside[source].append(f"{role} v{target}")
    for variable, text in graph.attributes:
        beside[variable].append(text)
    parts = [[f"v{k} / {concept}", *beside[k]] for k, concept in enumerate(graph.concepts)]
    for k in range(len(parts) - 1, 0, -1):  # all variables below a variable come after it
        parts[graph.above[k]].append(f"{graph.roles[k]} ({' '.join(parts[k])})")
    return f"# ::id {identifier}\n({' '.join(parts[0])})\n"


def write(system: Path, gold: Path, pairs: int, variables: int, seed: int) -> None:
    """Write both files."""
    rng = random.Random(seed)
    with system.open("w", encoding="utf-8") as ours, gold.open("w", encoding="utf-8") as theirs:
        for number in range(1, pairs + 1):
            graph = sketched(rng, variables)
            print(as_penman(changed(rng, graph), f"dense.{number}"), file=ours)
            print(as_penman(graph, f"dense.{number}"), file=theirs)


def main() -> None:
    """Write the two files named on the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("system", metavar="NEW_SYSTEM", type=Path)
    parser.add_argument("gold", metavar="NEW_GOLD", type=Path)
    parser.add_argument("--pairs", metavar="N", type=int, default=PAIRS)
    parser.add_argument("--variables", metavar="N", type=int, default=VARIABLES)
    parser.add_argument("--seed", metavar="N", type=int, default=SEED)
    arguments = parser.parse_args()
    # Elsewhere, such files are the inputs.
    for path in (arguments.system, arguments.gold):
        if path.exists():
            parser.error(f"{path} exists; name two new files")
    write(*vars(arguments).values())


if __name__ == "__main__":
    main()
