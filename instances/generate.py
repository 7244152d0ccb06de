"""Make the hard instances, from a seed: pairs of graphs on which searches go wrong.

``python instances/generate.py DIRECTORY`` writes two files for each row of `COMMITTED` into
DIRECTORY, which is made if it is missing; ``instances/hard`` is what it writes. The families can be
had at any size by calling `family`.
"""

import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import penman

Triple = tuple[str, str, str]


class Labelled(NamedTuple):
    """A graph as a list of triples; the first variable is its root."""

    triples: list[Triple]

    def variables(self) -> list[str]:
        """Return the variables in the order of their concepts."""
        return [source for source, role, _ in self.triples if role == ":instance"]


Pair = tuple[Labelled, Labelled]


def parallel(size: int, rng: random.Random) -> Pair:
    """Copies of one clause in a numbered list, against themselves."""
    return with_shuffled(_clauses(size, [f":op{k + 1}" for k in range(size)]), rng)


def chorus(size: int, rng: random.Random) -> Pair:
    """Copies of one clause, all under the same role, against themselves."""
    return with_shuffled(_clauses(size, [":example"] * size), rng)


def isomorphic(size: int, rng: random.Random) -> Pair:
    """A graph with few labels and many re-entrancies, against itself."""
    return with_shuffled(random_graph(size, size, "pqr", 3, rng), rng)


def unlabelled(size: int, rng: random.Random) -> Pair:
    """A graph with one concept and one role, against itself."""
    return with_shuffled(random_graph(size, size // 2, "p", 1, rng), rng)


def unrelated(size: int, rng: random.Random) -> Pair:
    """Two graphs with one concept and one role that have nothing to do with each other."""
    return random_graph(size, size // 2, "p", 1, rng), random_graph(size, size // 2, "p", 1, rng)


def loops(size: int, rng: random.Random) -> Pair:
    """Two graphs with edges from a variable to itself."""

    def graph() -> Labelled:
        made = random_graph(size, size // 2, "pq", 2, rng)
        some = [v for v in made.variables() if rng.random() < 0.5]
        return Labelled(made.triples + [(v, f":ARG{int(rng.random() * 2)}", v) for v in some])

    return graph(), graph()


def strings(size: int, rng: random.Random) -> Pair:
    """Names spelled like the variables of the other graph, against themselves."""
    graph = _clauses(size, [f":op{k + 1}" for k in range(size)])
    names = rng.sample(graph.variables(), size)
    for source, name in zip(rng.sample(graph.variables(), size), names, strict=True):
        graph.triples.append((source, ":wiki", f'"{name}"'))
    variables = graph.variables()
    return graph, _renamed(
        graph, dict(zip(variables, rng.sample(variables, len(variables)), strict=True))
    )


def small(size: int, rng: random.Random) -> Pair:
    """Two random graphs of few labels, small enough to try all mappings."""
    return (
        random_graph(size, int(rng.random() * size), "pq", 2, rng),
        random_graph(2 + int(rng.random() * (size - 1)), size // 2, "pq", 2, rng),
    )


FAMILIES: dict[str, Callable[[int, random.Random], Pair]] = {
    made.__name__: made
    for made in (parallel, chorus, isomorphic, unlabelled, unrelated, loops, strings, small)
}

#: Family, and the sizes of the pairs in its files.
COMMITTED = {
    "parallel": [2, 4, 8],
    "chorus": [4, 8, 12],
    "isomorphic": [10, 20, 30],
    "unlabelled": [8, 12, 16],
    "unrelated": [6, 8, 10],
    "loops": [4, 5, 6],
    "strings": [2, 3, 4],
    "small": [3, 4, 4, 5, 5, 5, 6, 6, 6, 6],
}


def family(name: str, size: int, seed: int) -> tuple[str, str]:
    """Return a pair of the family called *name*, as PENMAN text."""
    system, gold = FAMILIES[name](size, random.Random(f"{name} {size} {seed}"))
    return text(system), text(gold)


def _clauses(count: int, roles: list[str]) -> Labelled:
    triples = [("a", ":instance", "and")]
    for k, role in zip(range(count), roles, strict=True):
        verb, winner, loser, place = f"d{k}", f"t{k}", f"u{k}", f"s{k}"
        triples += [
            (verb, ":instance", "defeat-01"),
            (winner, ":instance", "team"),
            (loser, ":instance", "team"),
            (place, ":instance", "stadium"),
            ("a", role, verb),
            (verb, ":ARG0", winner),
            (verb, ":ARG1", loser),
            (verb, ":location", place),
            (place, ":poss", winner),
        ]
    return Labelled(triples)


def random_graph(size: int, extra: int, concepts: str, roles: int, rng: random.Random) -> Labelled:
    """Return a connected graph of *size* variables and *extra* edges beyond a tree."""
    variables = [f"v{k}" for k in range(size)]
    triples = [(v, ":instance", concepts[int(rng.random() * len(concepts))]) for v in variables]

    def role() -> str:
        return f":ARG{int(rng.random() * roles)}"

    edges = [(variables[int(rng.random() * k)], role(), variables[k]) for k in range(1, size)]
    for _ in range(extra):
        source, target = (variables[int(rng.random() * size)] for _ in range(2))
        if source != target:
            edges.append((source, role(), target))
    return Labelled(triples + list(dict.fromkeys(edges)))


def with_shuffled(graph: Labelled, rng: random.Random) -> Pair:
    """Return *graph* and a copy with other variables, written in another order."""
    variables = graph.variables()
    numbers = rng.sample(range(len(variables)), len(variables))
    copy = _renamed(graph, {v: f"x{n}" for v, n in zip(variables, numbers, strict=True)})
    root, rest = copy.triples[0], copy.triples[1:]
    return graph, Labelled([root, *rng.sample(rest, len(rest))])


def _renamed(graph: Labelled, names: dict[str, str]) -> Labelled:
    return Labelled([(names[s], role, names.get(t, t)) for s, role, t in graph.triples])


def text(graph: Labelled) -> str:
    return str(penman.encode(penman.Graph(graph.triples, top=graph.triples[0][0]), indent=6))


def _blocks(name: str, sizes: list[int]) -> Iterator[tuple[str, str]]:
    for number, size in enumerate(sizes, start=1):
        header = f"# ::id {name}.{number}\n"
        system, gold = family(name, size, number)
        yield header + system, header + gold


def main(directory: str) -> None:
    """Write the files of `COMMITTED` into *directory*, which is made if it is missing."""
    Path(directory).mkdir(parents=True, exist_ok=True)
    for name, sizes in COMMITTED.items():
        sides = zip(*_blocks(name, sizes), strict=True)
        for side, blocks in zip(("system", "gold"), sides, strict=True):
            path = Path(directory) / f"{name}.{side}.amr"
            path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python generate.py DIRECTORY")
    try:
        main(sys.argv[1])
    except OSError as error:
        sys.exit(f"error: {error.filename}: {error.strerror}")
