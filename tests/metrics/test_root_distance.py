"""Smatch by distance from the root, as Cai and Lam (2019) count it."""

import random
from collections import defaultdict
from itertools import permutations

import pytest
from oracles.brute_force import Triple, variables
from samples import only_graph, random_graph

import exactmatch
from exactmatch.metrics.smatch import Smatch

WEIGHTED, CORE = (Smatch.profiles[f"cai-2019-{name}"] for name in ("weighted", "core"))

#: Relations in both directions, a second way to b, constants, and a chain of five steps.
WANT = (
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :ARG4 (c / city"
    ' :name (n / name :op1 "York" :op2 5) :mod (o / old :degree (v / very)))))'
)
GO = (
    '(g / go-02 :ARG0 (b / boy) :ARG4 (c / city :name (n / name :op1 "York" :op2 5)'
    " :mod (o / old :degree (v / very))))"
)
CHAIN = "(a / p :r (b / p :r (c / p :r (d / p :r (e / p :r (f / p :s 1) :s 1)))))"

#: A graph, and the weights of its concepts, relations, constants and root, by hand.
WEIGHTS = [
    ("(a / b)", 5, 0, 0, 5),
    ("(a / b :quant 1)", 5, 0, 4, 5),
    # w is the root; b and g are one step from it, c two, n and o three, v four.
    (WANT, 5 + 4 + 4 + 3 + 2 + 2 + 1, 4 + 4 + 4 + 3 + 2 + 2 + 1, 1 + 1, 5),
    (GO, 5 + 4 + 4 + 3 + 3 + 2, 4 + 4 + 3 + 3 + 2, 2 + 2, 5),
    # From four steps on, all count 1; the constants are five and six steps from the root.
    (CHAIN, 5 + 4 + 3 + 2 + 1 + 1, 4 + 3 + 2 + 1 + 1, 1 + 1, 5),
    # An inverse role leads away from the root as well as any other.
    ("(a / p :r-of (b / p :r-of (c / p)))", 5 + 4 + 3, 4 + 3, 0, 5),
    # d is two steps away by way of c, not three by way of b and e.
    ("(a / p :r (b / p :r (e / p :s (d / p))) :r (c / p :s d))", 5 + 4 + 4 + 3 + 3, 17, 0, 5),
]


@pytest.mark.parametrize("text, concepts, relations, constants, root", WEIGHTS)
def test_weights(text: str, concepts: int, relations: int, constants: int, root: int) -> None:
    kinds = [triple.kind for triple in WEIGHTED.normalise(only_graph(text)).triples]
    named = ("instance", "relation", "attribute", "top")
    assert [kinds.count(kind) for kind in named] == [concepts, relations, constants, root]


def test_a_match_is_worth_the_smaller_weight() -> None:
    """The mapping is that of equal names. Concepts: g 4, b 4, c 3, n 2, o 2, v 1, all but w, for
    which GO has no partner. Relations: g b 4, g c 3, c n 2, c o 2, o v 1. Constants: 1 and 1. The
    roots have different concepts.
    """
    found = exactmatch.best_mapping(WANT, GO, metric=WEIGHTED)
    assert (found.matched, found.system_total, found.gold_total) == (30, 48, 46)
    assert all(left == right for left, right in found.mapping.items())
    assert found.certified


def test_the_core_ends_at_four_steps() -> None:
    """Of the chain, f and its relation and both constants are farther, 4 of its 14 triples."""
    found = exactmatch.best_mapping(CHAIN, CHAIN, metric=CORE)
    assert (found.matched, found.system_total, found.gold_total) == (10, 10, 10)
    assert CORE.normalise(only_graph(WANT)).triples == (
        Smatch.profiles["amr-metric-suite"].normalise(only_graph(WANT)).triples
    )


def test_what_no_path_reaches_is_farthest() -> None:
    apart = only_graph("(a / p :r (b / p))")
    apart = apart._replace(triples=tuple(t for t in apart.triples if t.relation != "r"))
    kinds = [triple.kind for triple in WEIGHTED.normalise(apart).triples]
    assert (kinds.count("instance"), kinds.count("top")) == (5 + 1, 5)
    assert len(CORE.normalise(apart).triples) == 2


def test_any_top_and_any_duplicates() -> None:
    """Without its root, a graph has its weight less; a repeated triple counts as elsewhere."""
    for top, matched, total in (
        ("constant", 5 + 4, 5 + 4 + 5),
        ("attribute", 5 + 4, 5 + 4 + 5),
        ("concept", 4, 5 + 4 + 5),
        ("none", 4, 5 + 4),
    ):
        metric = Smatch(top=top, root_distance="weighted")  # type: ignore[arg-type]
        found = exactmatch.best_mapping("(a / p :s 1)", "(x / q :s 1)", metric=metric)
        assert (found.matched, found.system_total) == (matched, total)
    twice = "(a / p :s 1 :s 1)"
    for duplicates, expected in (("set", (9, 9)), ("multiset", (13, 13)), ("product", (21, 13))):
        metric = Smatch(top="none", root_distance="weighted", duplicates=duplicates)  # type: ignore[arg-type]
        found = exactmatch.best_mapping(twice, twice, metric=metric)
        assert (found.matched, found.system_total) == expected


def test_against_all_mappings() -> None:
    """An oracle that shares no code: distances by relaxation, the smaller weight of each match."""
    rng = random.Random("root distance")
    metric = Smatch(profile="mine", root_distance="weighted")
    unlike = 0
    for _ in range(80):
        (text, one), (other_text, other) = (random_graph(rng, rng.randint(1, 4)) for _ in range(2))
        ours, theirs = _weights(one), _weights(other)
        expected = max(_worth(ours, theirs, mapping) for mapping in _mappings(one, other))
        found = exactmatch.best_mapping(text, other_text, metric=metric, certificates=True)
        assert found.matched == expected
        assert (found.system_total, found.gold_total) == (sum(ours.values()), sum(theirs.values()))
        assert found.certified
        swapped = exactmatch.best_mapping(other_text, text, metric=metric)
        assert (swapped.precision, swapped.recall) == (found.recall, found.precision)
        unlike += expected != exactmatch.best_mapping(text, other_text).matched
    assert unlike > 50


def _weights(triples: list[Triple]) -> dict[Triple, int]:
    """Return the weight of each triple, by the definition."""
    distance = defaultdict(lambda: 99)
    distance[next(names[0] for label, names in triples if label == "top")] = 0
    for _ in triples:  # as many rounds as a path can be long
        for _, names in triples:
            for name in names:
                distance[name] = min(distance[name], min(distance[n] for n in names) + 1)
    return {
        (label, names): max(1, 5 - max(distance[n] for n in names) - label.startswith("attribute"))
        for label, names in triples
    }


def _mappings(one: list[Triple], other: list[Triple]) -> list[dict[str, str]]:
    left, right = variables(one), variables(other)
    if len(left) <= len(right):
        return [dict(zip(left, images, strict=True)) for images in permutations(right, len(left))]
    return [dict(zip(images, right, strict=True)) for images in permutations(left, len(right))]


def _worth(ours: dict[Triple, int], theirs: dict[Triple, int], mapping: dict[str, str]) -> int:
    return sum(
        min(weight, theirs.get((label, tuple(mapping.get(name, "") for name in names)), 0))
        for (label, names), weight in ours.items()
    )


def test_signatures_tell() -> None:
    assert WEIGHTED.signature().endswith("|parallel:last|root-distance:weighted")
    assert CORE.signature().endswith("|parallel:last|root-distance:core")
    assert "root-distance" not in Smatch.profiles["default"].signature()


def test_a_constant_of_the_document_level_is_one_step_farther() -> None:
    text = (
        "# :: snt1\nIndex: 1\nWords: left\n\n# sentence level graph:\n(s1l / leave-11)\n\n"
        "# alignment:\ns1l: 1-1\n\n# document level annotation:\n"
        "(s1s0 / sentence :temporal ((document-creation-time :before s1l)))\n"
    )
    found = exactmatch.score(text, text, root_distance="weighted", document_level="count")
    assert found.system_total == 5 + 5 + 4  # the concept and the root, and the relation in time


def test_weights_go_without_credits_and_subscores() -> None:
    chosen = exactmatch.metric("smatch", profile="cai-2019-weighted")
    with pytest.raises(exactmatch.UsageError, match="subscores count each triple once"):
        exactmatch.score("(a / b)", "(a / b)", metric=chosen, subscores=["reentrancies"])
    credited = exactmatch.metric("smatch", root_distance="weighted", credits="umr-lattices-2024")
    with pytest.raises(exactmatch.UsageError, match="weighs whole matches; leave out the credits"):
        exactmatch.score("(a / b)", "(a / b)", metric=credited)
