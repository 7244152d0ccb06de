"""Check certificates of best mappings: python -I -S checker.py CERTIFICATES PAIRS

This file is complete, needs only Python, and computes with integers only. It trusts no input. Both
inputs hold one JSON object a line; of one id, the k-th certificate is for the k-th pair.

Pair: {"id", "profile", "duplicates", "scale", "similar", "test", "gold"}; test and gold are graphs
{"variables", "triples"}, a triple is [label, variables]. Both may have "keys", too: for each
variable a list of texts. A mapping is a one-to-one set M of pairs (i, j), positions of a test and
a gold variable: none is in two pairs, and where there are keys, both have one in common. It matches
two triples of one label, or of labels that "similar" lists ([test label, gold label, worth], ...),
if it takes the variables of the one to those of the other, that is, if M includes a certain set of
pairs. Such a set is a term, but for those with a pair that no M holds; its weight is "scale", or
the worth of the labels, times 1 ("set"), or the smaller one ("multiset") or the product of how
often both occur. The score of M is the weight of all terms t with t ⊆ M. Terms are numbered as
sorted by their pairs.

Certificate: {"schema", "id", "profile", "digest", "mapping", "value", "upper", "proof"}. It claims
that "mapping" (for each i, its j or null) scores "value", and that no mapping scores more than
"upper". "proof" shows the latter, or is "none", or {"counts": advice}, of which below, or a tree of
nodes of four kinds. "schema" is 1, or 2 if there are nodes of the last kind:
  leaf   {"denominator": D, "shares": {term: [a share for each pair]}, "prices": {j: price},
          "local": [[i, j, [gold positions], price], ...]}; the last three may be absent
  split  {"pair": [i, j], "with": node, "without": node}
  sieve  {"sieve": leaf, "score": number, "rest": node}
  rows   {"cliques": [[multiplier, [set, ...]], ...], "unit": U, "rest": node}
Each node bounds the scores of all M without banned pairs; at the root, none is banned.

Why a leaf is sound, whatever its numbers and the signs of the weights. No term with a banned pair
is ⊆ M: leave these out.
1. The shares of a term of weight w sum to D w or more (by default as equal as can be, the first
   larger). So D score(M) <= the sum, over p in M, of the shares for p of all t with p ∈ t ⊆ M.
2. Fix p in M. The row of a term that holds p is the set of its other test variables, its column the
   set of its other gold variables. In a row R, only {p} ∪ {(r, M(r)): r ∈ R} can be ⊆ M, and terms
   differ as sets: one term of each row counts at most, even where several agree in row and column
   and differ in who goes with whom. Its column is M(R), and these differ from row to row, as M is
   one-to-one. So for any local prices b(c) >= 0 of columns (0 if not given), the shares for p that
   count are at most the sum of all b(c), plus over all rows the largest max(0, share - b(column)):
   0, where no term of the row counts. The term {p} counts as it is, since p is in M, even if that
   is below 0. All this is the worth of p.
3. For any prices v(j) >= 0 (0 if not given), the worths of all p in M add up to at most the sum of
   all v(j), plus over all i the largest max(0, worth(i, j) - v(j)): call this the total. It bounds
   D score(M); scores are integers, so the total divided by D and rounded down does too.
Why a sieve is sound. For p = (i, j) in M, worth(p) - v(j) can stand for the largest of i in step
   3. If that makes the bound "score" or less, no M with p scores more: ban p in the rest.
Why a split is sound. Either M holds its pair p, and so no pair that has just one variable in
   common with p: "with" may ban these. Or M lacks p: "without" may ban p.
Why rows are sound. A clique is a list of sets [[i, j], ...], each sorted and one-to-one. Of any
   two, a pair of one and a pair of the other have just one variable in common: no M includes both.
   So one set of a clique is ⊆ M at most. Take U >= 1 times all weights, and for each clique its
   multiplier >= 0 from the weight of each of its sets, which becomes a term if it was none. That
   takes, in all, no more than the sum of the multipliers from what M scores: U score(M) <= that sum
   + what M scores in the new problem, and "rest" bounds the latter. Scores are integers: divide by
   U and round down. The new terms are numbered as sorted, also those of weight 0 or less. They
   differ as sets, as steps 2 and 3 want; a pair that no M holds does no harm in them. (Cliques of
   more than MOST_PAIRS pairs and U above LARGEST_UNIT are refused: to check them takes too long.)

Counts bound the score from the triples of each side, without any term; the advice is {}, or
{"prices": {j: price}}. Triples of one label and one pattern of equal variables form a group, and
two groups of equal or listed labels and of one pattern a kind. M matches triples of a kind one to
one; they differ from others of their group by their d distinct variables, d > 0.
4. The credit of two multiplicities, 1 or the smaller or the product, has increasing differences:
   a matching one to one of two sets of triples has a credit of at most the sum over k of that of
   the k-th largest multiplicities of both. Call this their most; where worth < 0, it counts 0. The
   mosts of all kinds, times the worths, add up to a bound.
5. With prices, the smaller of that and this holds. Let D be a common multiple of all d. Let each
   match in M hand D / d of its credit times worth to each of its d pairs; a pair (i, j) gets its
   part as the s-th one only from triples with i in the s-th place, matched to ones with j there:
   D / d times the worth times the most of these. The sum of that over kinds and places s is the
   worth of (i, j), and step 3 does the rest. Variables with the same numbers are alike, so that
   only classes of them need to be looked at: of gold ones, the cheapest of each class.
Neither asks for keys: 4 and 5 hold for all one-to-one sets of pairs, and so for every M. ∎
"""

import json
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from math import lcm
from operator import mul
from pathlib import Path
from typing import Any

Object = dict[str, Any]
Pair = tuple[int, int]
Term = tuple[int, tuple[Pair, ...]]  # a weight, and pairs in order
Triples = list[tuple[tuple[int, ...], int]]  # distinct variables, and how often; most often first
VERIFIED, BOUNDED, REFUTED, UNPROVEN = VERDICTS = "verified", "bounded", "refuted", "unproven"
CREDIT: Object = {"set": lambda *_: 1, "multiset": min, "product": mul}
MOST_CLASSES = 250_000  # of test variables, times those of gold variables
MOST_PAIRS, LARGEST_UNIT = 1_000, 10**9  # of the sets of a clique; of rows
#: What Python raises on reading or using JSON that is not what it should be.
MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


class Refused(ValueError):  # noqa: N818
    """A certificate makes a false claim, or does not prove it; the message says why."""


def _require(condition: bool, reason: str) -> None:
    if not condition:
        raise Refused(reason)


def parse(line: bytes) -> Object:
    """Return the JSON object on *line*, its other numbers as text, on which computing fails."""
    found = json.loads(line.decode(), parse_float=str, parse_constant=str)
    found["id"].encode()  # any object here has one, and it is a text
    return dict(found)


def digest(pair: Object) -> str:
    """Return the fingerprint of every part of a *pair* that its score depends on."""
    content = [pair[key] for key in ("duplicates", "scale", "similar", "test", "gold")]
    return "sha256:" + sha256(json.dumps(content, sort_keys=True).encode("ascii")).hexdigest()


def _groups(graph: Object) -> Object:
    position = {name: k for k, name in enumerate(graph["variables"])}
    _require(len(position) == len(graph["variables"]), "malformed: a variable occurs twice")
    triples = [(tuple(label), tuple(position[v] for v in vs)) for label, vs in graph["triples"]]
    groups: Any = defaultdict(lambda: defaultdict(list))
    for (label, variables), times in Counter(triples).most_common():
        if variables:
            pattern = tuple(map(variables.index, variables))
            groups[label][pattern].append((tuple(dict.fromkeys(variables)), times))
    return dict(groups)


def kinds(pair: Object) -> list[tuple[int, Triples, Triples]]:
    """Return each worth, with the test and the gold triples of which any two may match for it."""
    test, gold = _groups(pair["test"]), _groups(pair["gold"])
    listed = [(tuple(own), tuple(other), worth) for own, other, worth in pair["similar"]]
    return [
        (worth, test[own][pattern], gold[other][pattern])
        for own, other, worth in [*((label, label, pair["scale"]) for label in test), *listed]
        if own in test and other in gold
        for pattern in test[own]
        if pattern in gold[other]
    ]


def links(pair: Object) -> Callable[[Pair], bool]:
    """Return what tells whether a mapping may hold a pair of positions."""
    if "keys" not in {**pair["test"], **pair["gold"]}:
        return lambda _: True
    test, gold = ([{*keys} for keys in pair[side]["keys"]] for side in ("test", "gold"))
    sizes = [len(pair[side]["variables"]) for side in ("test", "gold")]
    _require([len(test), len(gold)] == sizes, "malformed: keys of other variables")
    return lambda p: not test[p[0]].isdisjoint(gold[p[1]])


def terms(pair: Object) -> list[Term]:
    """Return the terms of *pair*; their positions in the list are their numbers."""
    credit, may_hold = CREDIT[pair["duplicates"]], links(pair)
    weights: Counter[tuple[Pair, ...]] = Counter()
    for worth, tests, golds in kinds(pair):
        for variables, times in tests:
            for targets, others in golds:
                pairs = tuple(sorted(zip(variables, targets, strict=True)))
                if all(map(may_hold, pairs)):
                    weights[pairs] += worth * credit(times, others)
    return [(weight, pairs) for pairs, weight in sorted(weights.items())]


def score(pair: Object, mapping: list[Any]) -> int:
    """Return the score of a one-to-one *mapping*, counted from the triples."""
    credit, total = CREDIT[pair["duplicates"]], 0
    for worth, tests, golds in kinds(pair):
        wanted = dict(golds)
        for variables, times in tests:
            image = tuple(mapping[i] for i in variables)
            if image in wanted:
                total += worth * credit(times, wanted[image])
    return total


def _leaf(terms: list[Term], leaf: Object, banned: frozenset[Pair]) -> tuple[int, dict[Pair, int]]:
    """Return the bound of a leaf, and for each pair that of all mappings with it."""
    scale = leaf["denominator"]  # Complex: what a leaf proves stands in one place, as in the head.
    prices = {int(j.encode()): price for j, price in leaf.get("prices", {}).items()}
    local = {((i, j), tuple(column)): price for i, j, column, price in leaf.get("local", [])}
    _require(min([scale - 1, *prices.values(), *local.values()]) >= 0, "a price is negative")
    worth: Counter[Pair] = Counter()
    most: Counter[tuple[Pair, tuple[int, ...]]] = Counter()
    for t, (weight, pairs) in enumerate(terms):
        if not banned.isdisjoint(pairs):
            continue
        whole, up = divmod(scale * weight, len(pairs))
        parts = leaf.get("shares", {}).get(str(t)) or [whole + (k < up) for k in range(len(pairs))]
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
    gains = {(i, j): value - prices.get(j, 0) for (i, j), value in worth.items()}
    best: Counter[int] = Counter()
    for (i, _), gain in gains.items():
        best[i] = max(best[i], gain)
    total = sum(best.values()) + sum(prices.values())
    return total // scale, {p: (total - best[p[0]] + gains[p]) // scale for p in gains}


def _exclude_each_other(sets: list[tuple[Pair, ...]]) -> bool:
    """Tell whether no mapping includes two of *sets*, as they share variables."""
    holders: Counter[Any] = Counter()  # the sets with a test or gold variable, or a pair, as bits
    for k, pairs in enumerate(sets):
        for i, j in pairs:
            for held in (i, None), (None, j), (i, j):
                holders[held] |= 1 << k
    for k, pairs in enumerate(sets):
        rivals = 1 << k
        for i, j in pairs:
            rivals |= (holders[i, None] | holders[None, j]) & ~holders[i, j]
        if rivals != (1 << len(sets)) - 1:
            return False
    return True


def reweighted(terms: list[Term], node: Object) -> tuple[list[Term], int]:
    """Return the terms for the rest of a node of rows, and the sum of its multipliers."""
    unit, total = node["unit"], 0
    _require(1 <= unit <= LARGEST_UNIT, "a unit is not positive, or too large")
    weights = Counter({pairs: unit * weight for weight, pairs in terms})
    for multiplier, listed in node["cliques"]:
        sets = [tuple((i, j) for i, j in pairs) for pairs in listed]
        _require(multiplier >= 0, "a multiplier is negative")
        _require(sum(map(len, sets)) <= MOST_PAIRS, "a clique has too many pairs")
        for pairs in sets:
            tests, golds = zip(*pairs, strict=True)
            is_sorted = list(tests) == sorted({*tests}) and min(*tests, *golds) >= 0
            _require(is_sorted, "the pairs of a set are not sorted")
            _require(len({*golds}) == len(golds), "the pairs of a set are not one-to-one")
            weights[pairs] -= multiplier
        _require(_exclude_each_other(sets), "a mapping may include two sets of a clique")
        total += multiplier
    return [(weight, pairs) for pairs, weight in sorted(weights.items())], total


def bound(terms: list[Term], node: Object, banned: frozenset[Pair] = frozenset()) -> int:
    """Return the bound that a proof shows for the score of all mappings without *banned* pairs."""
    if "denominator" in node:
        return _leaf(terms, node, banned)[0]
    if "sieve" in node:
        enough: int = node["score"]
        out = {p for p, most in _leaf(terms, node["sieve"], banned)[1].items() if most <= enough}
        return max(enough, bound(terms, node["rest"], banned | out))
    if "pair" in node:
        i, j = node["pair"]
        rivals = {q for _, pairs in terms for q in pairs if (q[0] == i) != (q[1] == j)}
        with_pair = bound(terms, node["with"], banned | rivals)
        return max(with_pair, bound(terms, node["without"], banned | {(i, j)}))
    rest, multipliers = reweighted(terms, node)
    least: int = (multipliers + bound(rest, node["rest"], banned)) // node["unit"]
    return least


def has_cliques(node: Object) -> bool:
    """Tell whether a tree has a node of rows, which schema 1 does not have."""
    if "denominator" in node:
        return False
    if "sieve" in node:
        return has_cliques(node["rest"])
    if "pair" in node:
        return has_cliques(node["with"]) or has_cliques(node["without"])
    return "cliques" in node


def counts(pair: Object, advice: Object) -> int:
    """Return the bound that numbers of triples show for the score of all mappings."""
    credit, found = CREDIT[pair["duplicates"]], kinds(pair)
    bound = 0
    for worth, *sides in found:
        bound += max(0, worth) * sum(map(credit, *([times for _, times in side] for side in sides)))
    if (prices := advice.get("prices")) is None:
        return bound
    prices = {int(j.encode()): price for j, price in prices.items()}
    _require({*prices} <= {*range(len(pair["gold"]["variables"]))}, "a price of no variable")
    _require(min([0, *prices.values()]) >= 0, "a price is negative")
    scale = lcm(*(len(tests[0][0]) for _, tests, _ in found))
    share = [max(0, worth) * scale // len(tests[0][0]) for worth, tests, _ in found]
    lefts, rights = _classes(t for _, t, _ in found), _classes(g for _, _, g in found)
    _require(len(lefts) * len(rights) <= MOST_CLASSES, "prices for too many classes of variables")
    cheapest = [(star, min(prices.get(j, 0) for j in members)) for star, members in rights]
    total: int = sum(prices.values())
    for star, members in lefts:
        gains = [
            sum(share[p[0]] * sum(map(credit, star[p], other[p])) for p in star.keys() & other)
            - price
            for other, price in cheapest
        ]
        total += len(members) * max([0, *gains])
    return min(bound, total // scale)


def _classes(groups: Iterable[Triples]) -> list[tuple[dict[Any, Any], list[int]]]:
    """Return each star, that is, multiplicities by kind and place, and the variables of it."""
    stars: defaultdict[int, Any] = defaultdict(lambda: defaultdict(list))
    for k, group in enumerate(groups):
        for variables, times in group:
            for place, variable in enumerate(variables):
                stars[variable][k, place].append(times)
    classes = defaultdict(list)
    for variable, star in stars.items():
        classes[tuple((p, tuple(star[p])) for p in sorted(star))].append(variable)
    return [(dict(star), members) for star, members in classes.items()]


def check(pair: Object, certificate: Object) -> str:
    """Return "verified", "bounded" or "unproven"; raise what is `MALFORMED` if it is refuted."""
    known = {"id": pair["id"], "profile": pair["profile"], "digest": digest(pair)}
    is_known = known.items() <= certificate.items() and certificate["schema"] in (1, 2)
    _require(is_known, "it is about another pair, or of another schema")
    mapping, value, upper = certificate["mapping"], certificate["value"], certificate["upper"]
    targets = [j for j in mapping if j is not None]
    m, n = (len(pair[side]["variables"]) for side in ("test", "gold"))
    _require(len(mapping) == m and {*targets} <= {*range(n)}, "the mapping is of other variables")
    _require(len(set(targets)) == len(targets), "the mapping is not one-to-one")
    mapped = [(i, j) for i, j in enumerate(mapping) if j is not None]
    _require(all(map(links(pair), mapped)), "the mapping holds a pair without a key in common")
    found = score(pair, mapping)
    _require(found == value <= upper, f"the mapping scores {found}, not {value} up to {upper}")
    proof = certificate["proof"]
    if proof == "none":
        return UNPROVEN
    if "counts" in proof:
        proven = counts(pair, proof["counts"])
    else:
        _require(certificate["schema"] == 2 or not has_cliques(proof), "schema 1 has no cliques")
        proven = bound(terms(pair), proof)
    _require(proven <= upper, f"the proof shows a bound of {proven}, not {upper}")
    return VERIFIED if value == upper else BOUNDED


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
                verdict = check(pair, certificate := waiting[pair["id"]].popleft())
                if verdict == BOUNDED:
                    low, high = certificate["value"], certificate["upper"]
                    why = f"the best mapping scores between {low} and {high}: gap {high - low}"
        except MALFORMED as error:
            what = "" if isinstance(error, Refused) else f"malformed: {type(error).__name__} "
            verdict, why = REFUTED, f"{what}{error}"
        yield pair["id"], verdict, why
    for name in (name for name, left in waiting.items() for _ in left):
        yield name, REFUTED, "there is no such pair, or it had one"


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: checker.py CERTIFICATES PAIRS")
    certificates, pairs = (Path(name).read_bytes().splitlines() for name in sys.argv[1:])
    results = list(check_all(map(parse, pairs), certificates))
    for name, verdict, why in results:
        if verdict != VERIFIED:
            print(f"{verdict} {name!a}: {why!a}")
    verdicts = [verdict for _, verdict, _ in results]
    print("  ".join(f"{v}: {verdicts.count(v)}" for v in VERDICTS))
    sys.exit(4 if REFUTED in verdicts else 0)
