"""Check certificates of best mappings: python -I -S checker.py CERTIFICATES PAIRS

This file trusts nobody: it is complete, needs only Python, and computes with integers only. Both
inputs hold one JSON object a line; of one id, the k-th certificate is for the k-th pair.

A pair (PAIR below) is two graphs. A mapping is a set M of pairs (i, j), i the position of a test
variable and j of a gold variable, that is one-to-one: no variable is in two of them. It matches
triples [label, variables] of one label and equally many variables if it takes those of the one
to those of the other in order: if M includes a certain set of pairs. Such a set is a term; its
weight is the CREDIT for these triples, by how often each occurs in its graph. score(M) is the
weight of all terms t with t ⊆ M. Terms are numbered from 0 in the order of their sorted pairs.

A CERTIFICATE claims that "mapping" (for each i, its j or null) scores "value", and that no
mapping scores more than "upper". "proof" shows the latter, or is "none". A proof is a SPLIT or a
LEAF. The keys of "shares" are numbers of terms, with a share for each pair; those of "prices"
are gold positions; "local" lists [i, j, gold positions, price]; all three may be absent. What a
leaf holds is advice: good numbers prove a low bound, bad ones a high bound, none a wrong one.

Each node bounds the scores of all M without banned pairs; at the root, none is banned.

Why a split is sound. Either M holds its pair p, and so no pair that has just one variable in
common with p: "with" may ban these. Or M lacks p: "without" may ban p. One of the two bounds
holds for M, and so the higher one does.

Why a leaf is sound. Let D be its denominator. Terms that hold a banned pair are not ⊆ M: omit them.
1. A term of weight w has a share for each of its pairs: together at least D w. (If none are given,
   equal ones; the first pairs get 1 more each if D w does not divide.) So D score(M) is at most
   the sum, over p in M, of the shares for p of all terms t with p ∈ t ⊆ M.
2. Fix p in M. The row of a term that holds p is the set of its other test variables, its column
   the set of its other gold variables. In a row R, only {p} ∪ {(r, M(r)): r ∈ R} can be ⊆ M, and
   no two terms are the same set. So at most one term of each row counts, even where several agree
   in row and column and differ in who goes with whom. Its column is M(R), and these differ from
   row to row, as M is one-to-one. So if b(c) >= 0 are local prices of columns (0 if not given),
   the b(M(R)) sum to at most the sum B of all b(c), and the shares for p that count sum to at
   most B + the sum over rows of max(0, share - b(column) at its largest). The term {p} has no
   others and always counts: its share is simply added. The result is the worth of p.
3. No variable is in two pairs of M, and prices v(j) are >= 0 (0 if not given). So the worths of
   all p in M sum to at most the sum over j of v(j) + the sum over i of max(0, worth(i, j) - v(j)
   at its largest). 4. That bounds D score(M). Scores are integers: divide by D and round down. ∎
"""

import json
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

Object = dict[str, Any]
Pair = tuple[int, int]
Term = tuple[int, tuple[Pair, ...]]  # a weight, and pairs in order
VERIFIED, REFUTED, UNPROVEN = "verified", "refuted", "unproven"
#: What Python raises on reading or using JSON that is not what it should be.
MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Refused(ValueError):  # noqa: N818
    """A certificate claims what is not so, or does not prove it; the message says why."""


def _require(condition: bool, reason: str) -> None:
    if not condition:
        raise Refused(reason)


def parse(line: bytes) -> Object:
    """Return the JSON object on *line*, its other numbers as text, on which computing fails."""
    found = json.loads(line.decode(), parse_float=str, parse_constant=str)
    found["id"].encode()  # any object here has one, and it is a text
    return dict(found)


def digest(pair: Object) -> str:
    """Return the fingerprint of all of a *pair* that its score depends on."""
    text = json.dumps([pair[key] for key in ("duplicates", "test", "gold")], sort_keys=True)
    return "sha256:" + sha256(text.encode("ascii")).hexdigest()


def _triples(graph: Object) -> Counter[tuple[tuple[str, ...], tuple[int, ...]]]:
    position = {name: k for k, name in enumerate(graph["variables"])}
    _require(len(position) == len(graph["variables"]), "malformed: a variable occurs twice")
    return Counter((tuple(label), tuple(position[v] for v in vs)) for label, vs in graph["triples"])


def terms(pair: Object) -> list[Term]:
    """Return the terms of *pair*; their positions in the list are their numbers."""
    images = defaultdict(list)
    for (label, targets), other in _triples(pair["gold"]).items():
        images[label, len(targets)].append((targets, other))
    weights: Counter[tuple[Pair, ...]] = Counter()
    for (label, variables), times in _triples(pair["test"]).items():
        for targets, other in images[label, len(variables)]:
            pairs = tuple(sorted(set(zip(variables, targets, strict=True))))
            if pairs and len({i for i, _ in pairs}) == len(pairs) == len({j for _, j in pairs}):
                credit = {"set": 1, "multiset": min(times, other), "product": times * other}
                weights[pairs] += credit[pair["duplicates"]]
    return [(weight, pairs) for pairs, weight in sorted(weights.items())]


def _leaf(terms: list[Term], leaf: Object, banned: frozenset[Pair]) -> int:
    """Return the bound of a leaf, by steps 1 to 4 above."""
    scale = leaf["denominator"]
    prices = {int(j): price for j, price in leaf.get("prices", {}).items()}
    local = {((i, j), tuple(column)): price for i, j, column, price in leaf.get("local", [])}
    _require(min([scale - 1, *prices.values(), *local.values()]) >= 0, "a price is negative")
    worth: Counter[Pair] = Counter()
    most: Counter[tuple[Pair, tuple[int, ...]]] = Counter()
    for t, (weight, pairs) in enumerate(terms):
        if not banned.isdisjoint(pairs):
            continue
        whole, rest = divmod(scale * weight, len(pairs))
        parts = [whole + (k < rest) for k in range(len(pairs))]
        parts = leaf.get("shares", {}).get(str(t), parts)
        _require(sum(parts) >= scale * weight, "the shares of a term are below its weight")
        for p, part in zip(pairs, parts, strict=True):
            row = tuple(i for i, _ in pairs if i != p[0])
            column = tuple(sorted(j for _, j in pairs if j != p[1]))
            if row:
                most[p, row] = max(most[p, row], part - local.get((p, column), 0))
            else:
                worth[p] += part
    for (p, _), part in [*most.items(), *local.items()]:
        worth[p] += part
    best: Counter[int] = Counter()
    for (i, j), value in worth.items():
        best[i] = max(best[i], value - prices.get(j, 0))
    return int(sum(best.values()) + sum(prices.values())) // int(scale)


def bound(terms: list[Term], node: Object, banned: frozenset[Pair] = frozenset()) -> int:
    """Return the bound that a proof shows for the score of all mappings without *banned* pairs."""
    if "pair" not in node:
        return _leaf(terms, node, banned)
    i, j = node["pair"]
    rivals = {q for _, pairs in terms for q in pairs if (q[0] == i) != (q[1] == j)}
    with_pair = bound(terms, node["with"], banned | rivals)
    return max(with_pair, bound(terms, node["without"], banned | {(i, j)}))


def check(pair: Object, certificate: Object) -> str:
    """Return "verified", or "unproven"; raise `Refused` or what is `MALFORMED` if it is refuted."""
    _require(certificate["schema"] == 1, "its schema is not known")
    same = all(certificate[key] == pair[key] for key in ("id", "profile"))
    _require(same and certificate["digest"] == digest(pair), "it is about another pair")
    mapping, value, upper = certificate["mapping"], certificate["value"], certificate["upper"]
    mapped = {(i, j) for i, j in enumerate(mapping) if j is not None}
    fits = len(mapping) == len(pair["test"]["variables"])
    fits &= {j for _, j in mapped} <= set(range(len(pair["gold"]["variables"])))
    _require(fits, "the mapping is not of these variables")
    _require(len({j for _, j in mapped}) == len(mapped), "the mapping is not one-to-one")
    found = terms(pair)
    score = sum(weight for weight, pairs in found if mapped.issuperset(pairs))
    _require(score == value <= upper, f"the mapping scores {score}, not {value} up to {upper}")
    if certificate["proof"] == "none":
        return UNPROVEN
    proven = bound(found, certificate["proof"])
    _require(proven <= upper, f"the proof shows a bound of {proven}, not {upper}")
    return VERIFIED if value == upper else UNPROVEN


def check_all(pairs: Iterable[Object], lines: Iterable[bytes]) -> Iterator[tuple[str, str, str]]:
    """Yield identifier, verdict and reason for each pair, and for certificates without one."""
    waiting: defaultdict[str, deque[Object]] = defaultdict(deque)
    for number, line in enumerate(lines, 1):
        try:
            certificate = parse(line)
            waiting[certificate["id"]].append(certificate)
        except MALFORMED as error:
            yield f"certificate {number}", REFUTED, f"malformed: {error!r}"
    for pair in pairs:
        verdict, why = UNPROVEN, "there is no proof that no mapping scores more"
        try:
            if waiting[pair["id"]]:
                verdict = check(pair, waiting[pair["id"]].popleft())
        except Refused as error:
            verdict, why = REFUTED, str(error)
        except MALFORMED as error:
            verdict, why = REFUTED, f"malformed: {error!r}"
        yield pair["id"], verdict, why
    for name in (name for name, left in waiting.items() for _ in left):
        yield name, REFUTED, "there is no such pair"


def report(found: Iterable[tuple[str, str, str]]) -> int:
    """Print verdicts and their counts, in ASCII; return the exit status, 4 if any is refuted."""
    counts: Counter[str] = Counter()
    for name, verdict, why in found:
        counts[verdict] += 1
        if verdict != VERIFIED:
            print(f"{verdict} {name!a}: {ascii(why)[1:-1]}")
    print("  ".join(f"{verdict}: {counts[verdict]}" for verdict in (VERIFIED, REFUTED, UNPROVEN)))
    return 4 if counts[REFUTED] else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: checker.py CERTIFICATES PAIRS")
    certificates, pairs = (Path(name).read_bytes().splitlines() for name in sys.argv[1:])
    sys.exit(report(check_all(map(parse, pairs), certificates)))
