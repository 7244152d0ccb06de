"""Texts of graphs with changes that may leave them well-formed."""

import math
import random
from collections.abc import Iterator
from pathlib import Path

INSTANCES = Path(__file__).resolve().parents[1] / "instances"
#: What a mutation puts in: all that has a meaning in PENMAN, and some that has none.
PIECES = (
    *(
        "(",
        ")",
        ":",
        "/",
        '"',
        "~",
        "#",
        "\\",
        " ",
        "\n",
        "\t",
        "\v",
        "\r",
        "\x1c",
        "\xa0",
        "\u2028",
    ),
    *(
        ":ARG0",
        ":ARG0-of",
        "~e.1",
        "~e.1,2",
        "~1",
        "~e",
        "a",
        "b",
        "-",
        '"x y"',
        '"a b"',
        '"\\""',
        "(c / d)",
    ),
    *(":a(", "/ ", ") (", "a/b", "::", "\ufeff", "é", "# x"),
)


def blocks(longest: float = math.inf) -> list[str]:
    """Return the graphs of the instances up to a length, without the comments before them.

    Changes of short ones show nearly as much in less time.
    """
    files = sorted(INSTANCES.glob("*/*.amr"))
    every = (text for path in files for text in path.read_text("utf-8").split("\n\n"))
    lines = ([line for line in text.split("\n") if not line.startswith("#")] for text in every)
    graphs = ["\n".join(body) for body in lines if any(body)]
    return [graph for graph in graphs if len(graph) <= longest]


def mutated(texts: list[str], times: int, seed: int) -> Iterator[str]:
    rng = random.Random(seed)
    for _ in range(times):
        text = rng.choice(texts)
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            place = rng.randrange(len(text) + 1)
            end = place + rng.choice((0, 0, 1, 2, 8))
            text = text[:place] + rng.choice((*PIECES, "", text[end : end + 5])) + text[end:]
        yield text
