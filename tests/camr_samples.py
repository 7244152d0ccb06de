"""Random small graphs of Chinese AMR, as tables."""

import random

#: Rows of ten cells.
Rows = list[list[str]]


def random_rows(rng: random.Random) -> Rows:
    """Return rows of few nodes, each of one concept."""
    names = rng.sample(["x1", "x2", "x4", "x7", "x1_x2", "x2_1"], rng.randint(1, 4))
    nodes = {name: rng.choice(["a", "A", "b-01", "b-02", "-"]) for name in names}
    rows = []
    for _ in range(rng.randint(1, 5)):
        one, other = rng.choice(names), rng.choice(names)
        word = rng.choice([("-", "-"), ("-", "-"), ("x3", "de"), ("x3", "De"), ("x5", "de")])
        role = rng.choice([":r", ":R", ":s", ":r-of", ":consist-of", "-"])
        stands = [rng.choice(["-", "-", "-", *names]) for _ in range(2)]
        ends = ([one, nodes[one], stands[0]], [other, nodes[other], stands[1]])
        rows.append(["1", *ends[0], role, *word, *ends[1]])
    return rows


def as_table(rows: Rows) -> str:
    """Return the rows as lines."""
    return "".join("\t".join(row) + "\n" for row in rows)


def random_camr(rng: random.Random) -> str:
    """Return a graph with the words of its sentence, without a line end."""
    words = " ".join(f"x{place}_w" for place in range(1, rng.randint(2, 8)))
    return f"# ::wid {words}\n{as_table(random_rows(rng))}".rstrip("\n")
