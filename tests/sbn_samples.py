"""Random texts in sequence box notation for tests."""

import random

ROLES = ("Agent", "Theme", "PartOf", "EQU", "TPR")
CONSTANTS = ("now", "speaker", "?", "4", '"Tom"', '"New York"')


def random_sbn(rng: random.Random, most: int = 4) -> str:
    """Return a random well-formed text with few labels, so that nodes are easy to confuse.

    Relations point forward, so that there is no cycle; boxes may be joined to any other.
    """
    count = rng.randint(1, most)
    boxes = 1
    words = []
    for place in range(count):
        if rng.random() < 0.3:
            words += [rng.choice(["NEGATION", "CONTINUATION"]), f"<{rng.randint(0, boxes)}"]
            boxes += 1
        words.append(rng.choice(["man.n.01", "go.v.01", "x.x.01"]))
        for _ in range(rng.choice([0, 1, 1, 2])):
            ahead = [f"+{step}" for step in range(1, count - place)]
            words += [rng.choice(ROLES), rng.choice([*ahead, *ahead, *CONSTANTS])]
    if boxes > 1 and rng.random() < 0.3:
        words += ["man.n.01", "NEGATION", "<1", "go.v.01"]
        words[-3:-3] = ["Proposition", ">1"]
    return " ".join(words)
