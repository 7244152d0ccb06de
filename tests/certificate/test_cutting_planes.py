"""Certificates as proofs for VeriPB, judged by a checker that knows only the two files."""

import copy
import random
import re
from collections import Counter
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any, Literal

import pytest
from certificate_samples import CERTIFICATE, PAIR, random_cliques, random_leaf
from nightly import day_share
from oracles import certified_pairs
from oracles.pseudo_boolean import Problem, bounds

from exactmatch.certificate import checker
from exactmatch.certificate.checker import Pair, Term, check, digest, reweighted, terms
from exactmatch.certificate.veripb import cutting_planes
from exactmatch.certificate.veripb.count_prices import dual
from exactmatch.certificate.veripb.cutting_planes import Untranslatable, translate

Version = Literal["1.1", "2.0"]
VERSIONS: list[Version] = ["1.1", "2.0"]
LABELS = ["a", "b"]


def random_side(rng: random.Random, keys: bool) -> Any:
    """Return a graph of up to four variables, with triples of one to three of them."""
    names = [f"v{k}" for k in range(rng.choice([1, 2, 3, 4, 4, 4]))]
    triples = []
    for _ in range(rng.randint(0, 9)):
        size = rng.choice([1, 1, 2, 2, 2, 3])
        triples.append([[rng.choice(LABELS), str(size)], rng.choices(names, k=size)])
    graph = {"variables": names, "triples": triples}
    return graph | {"keys": [rng.sample("kl", rng.randint(1, 2)) for _ in names]} if keys else graph


def random_pair(rng: random.Random) -> Any:
    """Return a pair with everything that a pair may have."""
    scale = rng.choice([1, 1, 3, 10**20])
    similar = [
        [[rng.choice(LABELS), str(size)], [rng.choice(LABELS), str(size)], worth * scale]
        for size in (1, 2, 2, 3)
        for worth in [rng.choice([-2, -1, 1, 2])]
    ]
    keys = rng.random() < 0.2
    return {
        "id": "r",
        "profile": "default",
        "duplicates": rng.choice(["set", "multiset", "product"]),
        "scale": scale,
        "similar": rng.sample(similar, rng.randint(0, 3)),
        "test": random_side(rng, keys),
        "gold": random_side(rng, keys),
    }


def best_mapping(pair: Any) -> list[int | None]:
    """Return a mapping that scores most, of all."""
    score = certified_pairs.scorer(pair)
    every = ([*mapping] for mapping in certified_pairs.mappings(pair))
    return max(every, key=lambda mapping: (score(mapping), str(mapping)))


def random_proof(rng: random.Random, known: list[Term], sizes: Any, best: int, depth: int) -> Any:
    """Return a tree of nodes, whose leaves are mostly good, with equal shares."""
    kind = rng.random() if depth else 0
    if kind < 0.4:
        return random_leaf(rng, known, *sizes) if rng.random() < 0.2 else {"denominator": 2}
    if kind < 0.55:
        unit = rng.choice([1, 2, 3])
        rows = {"cliques": random_cliques(rng, known, *sizes), "unit": unit}
        below, total = reweighted(known, rows)
        best = unit * (best + 1) - 1 - total
        return {**rows, "rest": random_proof(rng, below, sizes, best, depth - 1)}
    if kind < 0.75:
        rest = random_proof(rng, known, sizes, best, depth - 1)
        return {
            "sieve": {"denominator": 2},
            "score": best + rng.choice([-1, 0, 0, 1]),
            "rest": rest,
        }
    first, second = (random_proof(rng, known, sizes, best, depth - 1) for _ in range(2))
    return {"pair": [*map(rng.randrange, sizes)], "with": first, "without": second}


@cache
def random_case(seed: int) -> tuple[Any, Any]:
    """Return a pair with a true certificate, which has every part that a certificate may have."""
    rng = random.Random(seed)
    pair = random_pair(rng)
    n, m = (len(pair[side]["variables"]) for side in ("test", "gold"))
    mapping = best_mapping(pair)
    if rng.random() < 0.3:
        prices = {str(j): rng.randint(0, 3) * pair["scale"] for j in range(m) if rng.random() < 0.5}
        proof: Any = {"counts": rng.choice([{}, {"prices": prices}])}
        upper = checker.counts(pair, proof["counts"])
    else:
        best = checker.score(pair, mapping)
        proof = random_proof(rng, terms(pair), (n, m), best, rng.randrange(5))
        upper = checker.bound(terms(pair), proof)
    if rng.random() < 0.2:
        mapping = [None] * n
    return pair, claim(pair, mapping, proof, upper + rng.choice([0, 0, 0, 1]))


@cache
def best_score(seed: int) -> int:
    """Return what a best mapping of a random case scores."""
    pair, _ = random_case(seed)
    return checker.score(pair, best_mapping(pair))


def claim(pair: Any, mapping: list[int | None], proof: Any, upper: int) -> Any:
    claims = {"mapping": mapping, "value": checker.score(pair, mapping), "upper": upper}
    about = {"schema": 2, "id": pair["id"], "digest": digest(pair)}
    return {**CERTIFICATE, **about, **claims, "proof": proof}


def holds(pair: Any, certificate: Any, version: Version) -> bool:
    """Tell whether the proof proves the claim of the certificate."""
    least, best = bounds(*translate(pair, certificate, version))
    value, upper = certificate["value"], certificate["upper"]
    return bool(best == -value and -upper <= least <= best)


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_what_certificates_claim_is_shown(version: Version) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(day_share(400)):
        pair, certificate = random_case(seed)
        verdict = check(pair, certificate)
        assert holds(pair, certificate, version), seed
        if verdict == "verified":
            least, best = bounds(*translate(pair, certificate, version))
            assert least == best
        shapes = {"counts", "sieve", "pair", "cliques"}
        shape = next(iter(certificate["proof"].keys() & shapes), "leaf")
        kinds[f"{verdict} {shape}"] += 1
    assert min(kinds.values()) >= day_share(5)
    assert len(kinds) == 10


def puzzle(rng: random.Random) -> Any:
    """Return a pair of graphs without concepts, for which a single leaf is rarely enough."""

    def side() -> Any:
        names = [*"wxyz"][: rng.randint(3, 4)]
        edges = [[["to"], rng.sample(names, 2)] for _ in range(rng.randint(3, 6))]
        return {"variables": names, "triples": [*edges, [["all"], rng.sample(names, 3)]]}

    return {**PAIR, "test": side(), "gold": side()}


def by_cases(
    rng: random.Random,
    known: list[Term],
    best: int,
    banned: frozenset[Pair] = frozenset(),
    held: frozenset[Pair] = frozenset(),
) -> Any:
    """Return a tree which proves that no mapping without *banned* pairs scores above *best*.

    The tree does not split at pairs that are *held*. Raises `IndexError` if no pair is left.
    """
    leaf = {"denominator": rng.choice([1, 2, 6])}
    if checker.bound(known, leaf, banned) <= best:
        return leaf
    free = {p for _, pairs in known for p in pairs if banned.isdisjoint(pairs)}
    out = frozenset(p for p, most in checker._leaf(known, leaf, banned)[1].items() if most <= best)
    if out and rng.random() < 0.4:
        rest = by_cases(rng, known, best, banned | out, held)
        return {"sieve": leaf, "score": best, "rest": rest}
    i, j = p = rng.choice(sorted(free - held))
    rivals = {q for _, pairs in known for q in pairs if (q[0] == i) != (q[1] == j)}
    with_pair = by_cases(rng, known, best, banned | rivals, held | {p})
    without = by_cases(rng, known, best, banned | {p}, held)
    return {"pair": p, "with": with_pair, "without": without}


def below_cliques(rng: random.Random, known: list[Term], best: int) -> Any:
    """Return a tree that proves the bound, below cliques of which some help."""
    sizes = [max([0, *(p[side] for _, pairs in known for p in pairs)]) + 1 for side in (0, 1)]
    while True:
        rows = {"cliques": random_cliques(rng, known, *sizes), "unit": rng.choice([1, 2])}
        below, total = reweighted(known, rows)
        most = rows["unit"] * (best + 1) - 1 - total
        with suppress(IndexError):  # else so much was taken that it is missed
            return {**rows, "rest": by_cases(rng, below, most)}


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_proofs_by_cases_are_accepted(version: Version) -> None:
    sizes = []
    for seed in range(day_share(60)):
        rng = random.Random(seed)
        pair = puzzle(rng)
        mapping = best_mapping(pair)
        best = checker.score(pair, mapping)
        known = terms(pair)
        proof = below_cliques(rng, known, best) if seed % 2 else by_cases(rng, known, best)
        upper = rng.choice([best, best, best + 1])
        certificate = claim(pair, mapping, proof, upper)
        assert check(pair, certificate) == ("verified" if best == upper else "bounded")
        assert holds(pair, certificate, version), seed
        sizes.append(str(proof).count("with'"))
    assert max(sizes) >= 5


def test_a_term_that_costs_something() -> None:
    """Both pairs score 2. Their relation costs 1, and the pairs cannot be scored without it."""
    sides = [
        {"variables": ["x", "y"], "triples": [*[[[a], [a]] for a in "xy"] * 2, [[to], ["x", "y"]]]}
        for to in ("to", "from")
    ]
    similar = [[["to"], ["from"], -1]]
    pair = {
        **PAIR,
        "duplicates": "multiset",
        "similar": similar,
        "test": sides[0],
        "gold": sides[1],
    }
    assert terms(pair) == [(2, ((0, 0),)), (-1, ((0, 0), (1, 1))), (2, ((1, 1),))]
    certificate = claim(pair, [0, 1], {"denominator": 1}, 4)
    formula, proof = translate(pair, certificate, "1.1")
    assert formula == COSTLY
    assert bounds(formula, proof) == (-4, -3)
    assert least_value(formula) == -3


COSTLY = """\
* #variable= 3 #constraint= 5
* A pair: the position of a test variable, and that of a gold variable, from 0
* x1: pair 0-0
* x2: pair 1-1
* x3: term 0-0 1-1
* minus the score
min: -2 x1 -2 x2 +1 x3 ;
* at most one pair of each test variable
-1 x1 >= -1 ;
-1 x2 >= -1 ;
* at most one pair of each gold variable
-1 x1 >= -1 ;
-1 x2 >= -1 ;
* a term that costs something counts with its pairs
-1 x1 -1 x2 +1 x3 >= -1 ;
"""


def least_value(formula: str) -> int:
    """Return the least value of a problem in the format OPB, by trying everything."""
    problem = Problem.parse(formula)
    choices = product(*((x, -x) for x in range(1, problem.variables + 1)))
    return min(problem.value({*true}) for true in choices if problem.allows({*true}))


@pytest.mark.slow
def test_the_least_value_is_minus_the_best_score() -> None:
    tried = 0
    for seed in range(day_share(400)):
        pair, certificate = random_case(seed)
        formula = translate(pair, certificate, "2.0").formula
        if Problem.parse(formula).variables <= 9:
            assert least_value(formula) == -best_score(seed), seed
            tried += any(weight < 0 and len(pairs) > 1 for weight, pairs in terms(pair))
    assert tried >= day_share(5)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_proof_of_another_problem_is_refused(version: Version) -> None:
    """After a weight of the problem rises, the proven bound either fails or still holds."""
    refused = 0
    for seed in range(100):
        pair, certificate = random_case(seed)
        formula, proof = translate(pair, certificate, version)
        other = re.sub("^min: -", "min: -9", formula, flags=re.MULTILINE)
        if other != formula and refuses(other, proof):
            refused += 1
        elif Problem.parse(other).variables <= 12:
            assert bounds(other, proof)[0] <= least_value(other), seed
    assert refused >= 30


def refuses(formula: str, proof: str) -> bool:
    try:
        bounds(formula, proof)
    except (ValueError, IndexError):
        return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_falsified_proofs_show_nothing_false(version: Version) -> None:
    rng = random.Random(0)
    outcomes: Counter[str] = Counter()
    for seed in range(300):
        pair, certificate = random_case(seed)
        formula, proof = translate(pair, certificate, version)
        other = falsified(rng, proof)
        if other != proof and refuses(formula, other):
            outcomes["refused"] += 1
        elif other != proof:
            least, best = bounds(formula, other)
            assert least <= -best_score(seed) <= best, seed
            outcomes["true"] += 1
    assert outcomes["refused"] > 100


def falsified(rng: random.Random, proof: str) -> str:
    """Change a number or leave out a line, somewhere behind the head."""
    lines = proof.splitlines()
    place = rng.randrange(1, len(lines))
    if rng.random() < 0.2:
        return "\n".join([*lines[:place], *lines[place + 1 :]])
    numbers = [*re.finditer(r"\d+", lines[place])]
    if numbers:
        start, end = rng.choice(numbers).span()
        changed = int(lines[place][start:end]) + rng.choice([-1, 1])
        lines[place] = f"{lines[place][:start]}{changed}{lines[place][end:]}"
    return "\n".join(lines)


FORMULA = """\
* #variable= 4 #constraint= 7
* A pair: the position of a test variable, and that of a gold variable, from 0
* x1: pair 0-0
* x2: pair 1-1
* x3: pair 1-2
* x4: term 0-0 1-1
* minus the score
min: -1 x1 -1 x2 -1 x3 -1 x4 ;
* at most one pair of each test variable
-1 x1 >= -1 ;
-1 x2 -1 x3 >= -1 ;
* at most one pair of each gold variable
-1 x1 >= -1 ;
-1 x2 >= -1 ;
-1 x3 >= -1 ;
* a term counts only with each of its pairs
+1 x1 -1 x4 >= 0 ;
+1 x2 -1 x4 >= 0 ;
"""

# The pair of certificate_samples: each pair of the term is in one row, of price 1. The worths are 3
# and 3, or 2 of x3. Twice the goal, that 4 is reached, is 8; 8 - 3 - 3 = 2.
OLD_PROOF = """\
pseudo-Boolean proof version 1.1
f 7
o x1 x2 ~x3 x4
e 8 +1 x1 +1 x2 +1 x3 +1 x4 >= 4 ;
pol 6 7 + 1 3 * + 2 3 * + 8 2 * + x3 w 2 d
c 9
"""
PROOF = """\
pseudo-Boolean proof version 2.0
f 7
soli x1 x2 ~x3 x4
pol 6 7 + 1 3 * + 2 3 * + 8 2 * + x3 w 2 d
pol 9 ~x1 + ~x2 + ~x3 + ~x4 +
output NONE
conclusion BOUNDS -3 -3
end pseudo-Boolean proof
"""


def test_proofs_are_those_written_by_hand() -> None:
    assert translate(PAIR, CERTIFICATE, "1.1") == (FORMULA, OLD_PROOF)
    assert translate(PAIR, CERTIFICATE, "2.0") == (FORMULA, PROOF)
    assert bounds(FORMULA, OLD_PROOF) == bounds(FORMULA, PROOF) == (-3, -3)


@pytest.mark.parametrize(
    ("proof", "changed"),
    [
        (OLD_PROOF, OLD_PROOF.replace("f 7", "f 6")),
        (OLD_PROOF, OLD_PROOF.replace("o x1 x2 ~x3 x4", "o x1 x2 x3 x4")),  # not one-to-one
        (OLD_PROOF, OLD_PROOF.replace("o x1 x2 ~x3 x4", "o x1 x2 ~x3")),
        (OLD_PROOF, OLD_PROOF.replace(">= 4", ">= 3")),  # what e says is not so
        (OLD_PROOF, OLD_PROOF.replace("c 9", "c 8")),  # no contradiction
        (OLD_PROOF, OLD_PROOF.replace("6 7 + 1", "7 1")),  # a summand less
        (OLD_PROOF, OLD_PROOF.replace("x3 w 2 d", "x3 w -2 d")),
        (OLD_PROOF, OLD_PROOF.replace("8 2 *", "8 -2 *")),
        (OLD_PROOF, OLD_PROOF.replace("8 2 *", "10 2 *")),  # not known yet
        (OLD_PROOF, OLD_PROOF + "pol 1\n" + "end\n"),
        (OLD_PROOF, OLD_PROOF.replace("pol", "rup")),
        (PROOF, PROOF.replace("BOUNDS -3 -3", "BOUNDS -3 -4")),
        (PROOF, PROOF.replace("BOUNDS -3 -3", "BOUNDS -2 -3")),
        (PROOF, PROOF.replace("BOUNDS -3 -3", "BOUNDS -2 -2")),
        (PROOF, PROOF.replace("pol 9 ~x1 + ~x2 + ~x3 + ~x4 +\n", "")),  # the bound is not there
        (PROOF, PROOF.replace("end pseudo-Boolean proof\n", "")),
        (PROOF, PROOF.replace("output NONE\n", "")),
    ],
)
def test_the_oracle_refuses_a_changed_proof(proof: str, changed: str) -> None:
    assert changed != proof
    assert refuses(FORMULA, changed)


def test_the_oracle_forgets_what_followed_from_a_negation() -> None:
    pair, certificate = shown_by_contradiction()
    formula, proof = translate(pair, certificate, "2.0")
    end = re.search(r"^end (\d+)\nend$", proof, re.MULTILINE)
    assert end
    outside = proof.replace(end[0], f"{end[0]}\npol {end[1]}")
    assert not refuses(formula, proof)
    assert refuses(formula, outside)


def shown_by_contradiction() -> tuple[Any, Any]:
    """Return a certificate with a split and a gap, of a bound below the sum of all terms.

    Three test variables may be mapped to two gold ones: they score 2, and 6 would be all.
    """
    same = [[["is", "a"], [name]] for name in "xyz"]
    pair = {**PAIR, "similar": []}
    pair |= {side: {"variables": [*"xyz"], "triples": same} for side in ("test", "gold")}
    pair["gold"] = {"variables": ["x", "y"], "triples": same[:2]}
    leaf = {"denominator": 1}
    proof = {"pair": [0, 0], "with": leaf, "without": leaf}
    assert checker.bound(terms(pair), proof) == 3
    return pair, claim(pair, [0, 1, None], proof, 3)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_proof_that_leaves_a_gap_shows_its_bound(version: Version) -> None:
    pair, certificate = shown_by_contradiction()
    formula, proof = translate(pair, certificate, version)
    assert "\nred " in proof
    assert bounds(formula, proof) == (-3, -2)


def test_deep_trees_are_accepted() -> None:
    proof: Any = {"denominator": 2}
    for k in range(5000):
        proof = {"pair": [k % 2, k % 3], "with": {"denominator": 2}, "without": proof}
    assert holds(PAIR, {**CERTIFICATE, "proof": proof}, "2.0")


def test_a_certificate_is_translated_to_the_same_bytes_each_time() -> None:
    for seed in range(20):
        pair, certificate = random_case(seed)
        again = copy.deepcopy((pair, certificate))
        assert translate(pair, certificate, "2.0") == translate(*again, "2.0")


def test_what_proves_nothing_is_not_translated() -> None:
    with pytest.raises(Untranslatable, match="does not prove"):
        translate(PAIR, {**CERTIFICATE, "proof": {"denominator": 1, "prices": {"0": 5}}}, "2.0")
    pair, certificate = shown_by_contradiction()
    with pytest.raises(Untranslatable, match="does not prove"):
        translate(pair, {**certificate, "proof": {"denominator": 1, "prices": {"0": 5}}}, "2.0")


def test_too_many_terms_are_not_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = {**CERTIFICATE, "proof": {"counts": {}}}
    assert holds(PAIR, certificate, "2.0")
    monkeypatch.setattr(cutting_planes, "MOST_MATCHES", 3)
    with pytest.raises(Untranslatable, match="4 matches of triples are too many"):
        translate(PAIR, certificate, "2.0")


@pytest.mark.parametrize("duplicates", ["set", "multiset", "product"])
def test_prices_of_triples_add_up_and_cover_what_two_triples_count(duplicates: str) -> None:
    """The prices add up to the most, and those of two triples to their credit or more."""
    rng, credit = random.Random(0), checker.CREDIT[duplicates]
    for _ in range(200):
        system, gold = (
            sorted(rng.choices(range(1, 6), k=rng.randint(0, 5)), reverse=True) for _ in range(2)
        )
        u, v = dual(credit, system, gold)
        assert min([0, *u, *v]) == 0
        assert sum(u) + sum(v) == sum(map(credit, system, gold))
        pairs = product(zip(u, system, strict=True), zip(v, gold, strict=True))
        assert all(a + b >= credit(m, n) for (a, m), (b, n) in pairs)
