"""Random DRSs for tests."""

import random


def random_drs(rng: random.Random) -> str:
    """Return a random DRS with few labels, so that variables are easy to confuse."""
    boxes = [f"b{k}" for k in range(1, 1 + rng.randint(1, 3))]
    referents = [f"{rng.choice('xest')}{k}" for k in range(1, 1 + rng.randint(1, 3))]
    terms = [*referents, *referents, '"now"', '"tom"']
    kinds = (
        lambda: ("REF", rng.choice(referents)),
        lambda: (rng.choice(["NOT", "DRS"]), rng.choice(boxes)),
        lambda: ("IMP", rng.choice(boxes), rng.choice(boxes)),
        lambda: ("PRP", rng.choice(referents), rng.choice(boxes)),
        lambda: (rng.choice(["EQU", "NEQ"]), rng.choice(terms), rng.choice(terms)),
        lambda: ("TPR", rng.choice(terms), rng.choice(terms)),
        lambda: (rng.choice(["Part", "PartOf"]), rng.choice(terms), rng.choice(terms)),
        lambda: (rng.choice(["man", "go"]), '"n.01"', rng.choice(terms)),
    )
    clauses = [(rng.choice(boxes), *rng.choice(kinds)()) for _ in range(rng.randint(1, 9))]
    clauses += rng.choices(clauses, k=rng.randint(0, 2))
    rng.shuffle(clauses)
    return "\n".join(map(" ".join, clauses))
