"""Change certificates and their pairs, by rule or by any JSON value.

A change by rule keeps the other parts intact: numbers stay numbers, so that a checker must examine
most of the results. An oracle decides whether a changed certificate is true.
"""

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

from certificate_samples import random_cliques
from random_certificates import random_triple

from exactmatch.certificate import checker
from exactmatch.certificate.checker import (
    MALFORMED,
    Term,
    bound,
    digest,
    has_cliques,
    reweighted,
    terms,
)

Change = Callable[[random.Random, Any, Any], None]


def change(rng: random.Random, pair: Any, certificate: Any) -> None:
    """Change *certificate* of *pair* by some rules; most of the time, fit its claims to that."""
    for _ in range(rng.choice([1, 1, 2, 3])):
        rng.choice(CHANGES)(rng, pair, certificate)
    if rng.random() < 0.8:
        fit(rng, pair, certificate)


def fit(rng: random.Random, pair: Any, certificate: Any) -> None:
    """Have *certificate* claim the score of its mapping, and its proven bound or one less."""
    try:
        certificate["digest"] = digest(pair)
        certificate["value"] = checker.score(pair, certificate["mapping"])
        if rng.random() < 0.95:
            certificate["schema"] = 2 if has_cliques(certificate["proof"]) else 1
        shown = _shown(pair, certificate["proof"])
    except MALFORMED:
        return
    less = rng.choice([0, 0, 0, 0, 1])
    certificate["upper"] = max(certificate["value"], shown) - less


def _shown(pair: Any, proof: Any) -> int:
    if "counts" in proof:
        return checker.counts(pair, proof["counts"])
    return bound(terms(pair), proof)


def change_pair(rng: random.Random, pair: Any) -> None:
    """Change the content of *pair* so that it stays a valid pair."""
    side = rng.choice(["test", "gold"])
    graph = pair[side]
    triples, variables, keys = graph["triples"], graph["variables"], graph.get("keys")
    kind = rng.randrange(8)
    if kind == 0 and triples:
        triples.pop(rng.randrange(len(triples)))
    elif kind == 1:
        triples.insert(rng.randint(0, len(triples)), random_triple(rng, variables))
    elif kind == 2 and triples:
        triples.append(copy.deepcopy(rng.choice(triples)))
    elif kind == 3:
        pair["scale"] += rng.choice([-1, 1])
    elif kind == 4:
        pair["duplicates"] = rng.choice(["set", "multiset", "product"])
    elif kind == 5 and pair["similar"]:
        rng.choice(pair["similar"])[2] += rng.choice([-1, 1])
    elif kind == 6 and keys:
        rng.shuffle(keys)
    elif kind == 7:
        rng.shuffle(variables)


# * Changes of claims


def _claim(rng: random.Random, _: Any, certificate: Any) -> None:
    certificate[rng.choice(["value", "upper", "upper"])] += rng.choice([-1, 1])


def _mapping(rng: random.Random, pair: Any, certificate: Any) -> None:
    mapping = certificate["mapping"]
    n_gold = len(pair["gold"]["variables"])
    kind = rng.randrange(6)
    if kind == 0:
        mapping.append(None)
    elif kind == 1 and mapping:
        mapping.pop()
    elif kind == 2:
        rng.shuffle(mapping)
    elif mapping:
        image = rng.choice([None, *range(n_gold), n_gold, -1])
        mapping[rng.randrange(len(mapping))] = image


def _about(rng: random.Random, _: Any, certificate: Any) -> None:
    key = rng.choice(["schema", "id", "profile", "digest"])
    certificate[key] = rng.choice([1, 2, "1", "default", True])


# * Changes of proofs


def _nodes(proof: Any, known: list[Term]) -> Iterator[tuple[Any, list[Term]]]:
    """Yield each node with the terms that it is about."""
    yield proof, known
    if "cliques" in proof:
        try:
            known, _ = reweighted(known, proof)
        except MALFORMED:
            return
    for key in ("sieve", "rest", "with", "without"):
        if key in proof:
            yield from _nodes(proof[key], known)


def _some_node(rng: random.Random, pair: Any, certificate: Any, key: str) -> tuple[Any, list[Term]]:
    """Return a node that has *key*, or an unimportant node, with the terms of that node."""
    proof, known = certificate["proof"], terms(pair)
    found = [at for at in _nodes(proof, known) if key in at[0]] if isinstance(proof, dict) else []
    return rng.choice(found) if found else ({}, known)


def _shares(rng: random.Random, pair: Any, certificate: Any) -> None:
    """Hand out the weight of a term in another way, which covers it or does not."""
    leaf, known = _some_node(rng, pair, certificate, "denominator")
    if not leaf or not known:
        return
    t = rng.randrange(len(known))
    weight, pairs = known[t]
    parts = [0] * len(pairs)
    parts[0] = leaf["denominator"] * weight
    parts = leaf.setdefault("shares", {}).setdefault(str(t), parts)
    kind = rng.randrange(8)
    at, other = rng.randrange(len(pairs)), rng.randrange(len(pairs))
    if kind < 3 and len(parts) == len(pairs):
        amount = rng.choice([-2, -1, 1, 2])
        parts[at] += amount
        parts[other] -= amount
    elif kind < 5 and parts:
        parts[rng.randrange(len(parts))] += rng.choice([-1, 1])
    elif kind == 5:
        parts.append(rng.choice([0, 1]))
    elif kind == 6 and parts:
        parts.pop()
    else:
        leaf["shares"][rng.choice([f"0{t}", f" {t}", "-1", str(len(known)), "x"])] = [7]


def _prices(rng: random.Random, pair: Any, certificate: Any) -> None:
    key = rng.choice(["denominator", "denominator", "counts"])
    node, _ = _some_node(rng, pair, certificate, key)
    holder = node.get("counts", node)
    if not node or not isinstance(holder, dict):
        return
    prices = holder.setdefault("prices", {})
    j = str(rng.randrange(len(pair["gold"]["variables"]) + 1))
    j = rng.choice([j, j, j, j, j, f"0{j}", f" {j}", f"+{j}", "-1", "1_0"])
    prices[j] = prices.get(j, 0) + rng.choice([-1, 1, 1, 2])


def _local(rng: random.Random, pair: Any, certificate: Any) -> None:
    leaf, known = _some_node(rng, pair, certificate, "denominator")
    if not leaf or not known:
        return
    local = leaf.setdefault("local", [])
    if local and rng.random() < 0.3:
        rng.choice(local)[3] += rng.choice([-1, 1])
        return
    _, pairs = rng.choice(known)
    i, j = rng.choice(pairs)
    column = [k for _, k in pairs if k != j]
    rng.shuffle(column)
    local.append([i, j, column, rng.choice([0, 1, 1, 2, -1])])


def _denominator(rng: random.Random, pair: Any, certificate: Any) -> None:
    leaf, _ = _some_node(rng, pair, certificate, "denominator")
    if leaf:
        leaf["denominator"] = rng.choice([leaf["denominator"] + 1, leaf["denominator"] - 1, 6])


def _enough(rng: random.Random, pair: Any, certificate: Any) -> None:
    sieve, _ = _some_node(rng, pair, certificate, "sieve")
    if sieve:
        sieve["score"] += rng.choice([-1, 1])


def _some_rows(rng: random.Random, pair: Any, certificate: Any) -> tuple[Any, Any, list[Term]]:
    """Return a node with cliques, one clique, and the terms; unimportant values if none has."""
    rows, known = _some_node(rng, pair, certificate, "cliques")
    clique = rng.choice(rows["cliques"]) if rows and rows["cliques"] else [1, []]
    return rows or {"unit": 1, "cliques": []}, clique, known


def _cliques(rng: random.Random, pair: Any, certificate: Any) -> None:
    """Change the numbers of cliques, or how many sets there are."""
    rows, clique, known = _some_rows(rng, pair, certificate)
    sets = clique[1]
    kind = rng.randrange(8)
    if kind == 0:
        rows["unit"] += rng.choice([-1, 1, -rows["unit"], checker.LARGEST_UNIT])
    elif kind < 3:
        clique[0] += rng.choice([-2, -1, 1, 1, 2])
    elif kind < 5 and known:
        sets.append(list(map(list, rng.choice(known)[1])))
    elif kind == 5 and sets:
        sets.append(copy.deepcopy(rng.choice(sets)))
    elif kind == 6 and sets:
        sets.pop(rng.randrange(len(sets)))
    else:
        rows["cliques"].append(copy.deepcopy([1, sets + rng.choice([[], sets])]))


def _sets(rng: random.Random, pair: Any, certificate: Any) -> None:
    """Change a set of a clique, so that the set is still a clique or no longer one."""
    _, (_, sets), _ = _some_rows(rng, pair, certificate)
    one = rng.choice(sets) if sets else []
    kind = rng.randrange(5)
    if kind == 0:
        rng.shuffle(one)
    elif kind < 3 and one:
        rng.choice(one)[rng.randrange(2)] += rng.choice([-1, 1])
    elif kind == 3 and one:
        one.pop(rng.randrange(len(one)))
    elif one:
        one.append(rng.choice([copy.deepcopy(rng.choice(one)), [5, 5]]))


def _split(rng: random.Random, pair: Any, certificate: Any) -> None:
    split, _ = _some_node(rng, pair, certificate, "pair")
    if split and rng.random() < 0.5:
        split["with"], split["without"] = split["without"], split["with"]
    elif split:
        split["pair"][rng.randrange(2)] += rng.choice([-1, 1])


def _wrap(rng: random.Random, pair: Any, certificate: Any) -> None:
    """Replace a node by another: by one of its cases, or by cases that it stands for."""
    proof = certificate["proof"]
    if not isinstance(proof, dict) or "counts" in proof:
        return
    nodes = list(_nodes(proof, terms(pair)))
    node, known = rng.choice(nodes)
    old = copy.deepcopy(node)
    candidates = [p for _, pairs in known for p in pairs] or [(0, 0)]
    kind = rng.randrange(5)
    if kind == 0:
        new = {"pair": list(rng.choice(candidates)), "with": old, "without": copy.deepcopy(old)}
    elif kind == 1:
        leaf = old if "denominator" in old else {"denominator": 2}
        new = {"sieve": leaf, "score": certificate["upper"] - rng.randrange(3), "rest": old}
    elif kind == 2:
        new = old.get(rng.choice(["with", "without", "rest"]), old)
    elif kind == 3:
        sizes = [max(1, len(pair[side]["variables"])) for side in ("test", "gold")]
        cliques = random_cliques(rng, known, *sizes)
        new = {"cliques": cliques, "unit": rng.choice([1, 2, 3]), "rest": old}
    else:
        new = copy.deepcopy(rng.choice(nodes)[0])
    if "sieve" in node and "rest" not in node:
        return
    node.clear()
    node.update(new)


def _other_evidence(rng: random.Random, _: Any, certificate: Any) -> None:
    certificate["proof"] = rng.choice(
        ["none", {"counts": {}}, {"counts": {"prices": {"0": 1}}}, {"denominator": 2}]
    )


CHANGES: list[Change] = [
    *[_shares] * 4, *[_prices] * 2, *[_local] * 3, *[_wrap] * 3, *[_enough] * 2, *[_split] * 2,
    *[_mapping] * 2, *[_cliques] * 4, *[_sets] * 3, _denominator, _claim, _about, _other_evidence,
]  # fmt: skip


# * Changes of any JSON

ODD: list[Any] = [
    None, True, False, 0, 1, 2, 3, -1, 0.5, 1e308, 10**25, -(10**4000), float("nan"), float("inf"),
    "", "none", "0", "1", "pair", "\ud800", "\x00", [], [[]], [0, 0], [1, 0], {}, {"": {}},
    {"counts": {}}, {"counts": {"prices": {}}}, [[0, 0]], [[[0, 0]]], [1, [[[0, 0]], [[0, 1]]]],
    {"cliques": [], "unit": 1, "rest": {"denominator": 1}},
    {"denominator": 1}, {"pair": [0, 0], "with": {"denominator": 1}, "without": {"denominator": 1}},
]  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each container within *value* with each of its keys."""
    for key in value if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from places(value[key])


def mutate(rng: random.Random, value: Any) -> None:
    """Change *value*, a JSON object, somewhere."""
    inside, key = rng.choice(list(places(value)))
    kind = rng.randrange(5)
    if kind == 0:
        del inside[key]
    elif kind == 1 and isinstance(inside[key], int):
        inside[key] += rng.choice([-1, 1])
    elif kind == 2:
        other, place = rng.choice(list(places(value)))
        inside[key] = copy.deepcopy(other[place])
    elif kind == 3 and isinstance(inside, dict):
        inside[rng.choice(["", "pair", "00", "9", "x", "schema"])] = inside.pop(key)
    else:
        inside[key] = copy.deepcopy(rng.choice(ODD))


def damaged(rng: random.Random, line: bytes) -> bytes:
    """Return *line* with some of its bytes changed."""
    text = bytearray(line)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(text))
        text[at : at + rng.choice([0, 1, 1, 3])] = rng.choice(
            [b"", b"9", b"-", b"e9", b'"', b"[", b"}", b",", bytes([rng.randrange(256)])]
        )
    return bytes(text)
