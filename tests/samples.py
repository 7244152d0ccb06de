"""Random graphs and problems for tests."""

import random

from oracle import Triple

from exactmatch.problem import MatchingProblem, Term


def random_graph(rng: random.Random, size: int) -> tuple[str, list[Triple]]:
    """Return a random graph as PENMAN text and as triples, built side by side.

    Few labels, so that there is much to confuse; self-loops, parallel edges and triples that
    are written twice occur.
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
        left_total=100,
        right_total=100,
        likely=tuple((i, i) for i in range(min(n_left, n_right))),
    )
