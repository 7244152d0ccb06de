"""Consensus: votes counted by hand, names that cannot be confused, and no repair."""

import random
from fractions import Fraction

import pytest
from drs_samples import random_drs
from samples import random_graph

import exactmatch
from exactmatch.errors import UsageError
from exactmatch.metrics.smatch import Smatch

GRAPHS = [
    "(s / sing-01 :ARG0 (b / bird :mod (o / old)))",
    "(x / sing-01 :ARG0 (y / bird) :time (n / now))",
    '(s / shout-01 :ARG0 (b / bird) :polarity - :name "Al B")',
]


def votes(found: exactmatch.Consensus) -> dict[tuple[tuple[str, ...], tuple[str, ...]], str]:
    return {(vote.label, vote.variables): "".join(map(str, vote.voters)) for vote in found.votes}


def test_votes_are_those_for_each_triple() -> None:
    found = exactmatch.consensus(GRAPHS, pivot=0)
    assert votes(found) == {
        (("instance", "sing-01"), ("s",)): "01",
        (("relation", "ARG0"), ("s", "b")): "012",
        (("instance", "bird"), ("b",)): "012",
        (("relation", "domain"), ("o", "b")): "0",
        (("instance", "old"), ("o",)): "0",
        (("top",), ("s",)): "012",
        (("relation", "time"), ("s", "n")): "1",
        (("instance", "now"), ("n",)): "1",
        (("instance", "shout-01"), ("s",)): "2",
        (("attribute", "polarity", "-"), ("s",)): "2",
        (("attribute", "name", '"Al B"'), ("s",)): "2",
    }
    assert found.to_penman() == "(s / sing-01\n   :ARG0 (b / bird))"
    assert {vote.share for vote in found.votes} == {Fraction(1, 3), Fraction(2, 3), Fraction(1)}


def test_the_triples_of_the_pivot_come_first() -> None:
    found = exactmatch.consensus(GRAPHS, pivot=1)
    its_own = ["sing-01", "ARG0", "bird", "time", "now"]
    assert [vote.label[1] for vote in found.votes if vote.kind != "top"][:5] == its_own
    assert {v for vote in found.votes for v in vote.variables} == {"x", "y", "n", "o"}


def test_weights_are_votes() -> None:
    found = exactmatch.consensus(GRAPHS, pivot=0, weights=["0.2", "0.1", "0.7"])
    assert found.is_connected
    assert found.is_rooted
    text = '(s / shout-01\n   :ARG0 (b / bird)\n   :polarity -\n   :name "Al B")'
    assert found.to_penman() == text


def test_a_threshold_is_reached_exactly() -> None:
    texts = ["(a / x :mod (b / y))"] * 3 + ["(a / x)"] * 7
    for threshold in ("0.3", 0.3, Fraction(3, 10), 0):
        assert len(exactmatch.consensus(texts, threshold, pivot=0).triples) == 4
    for threshold in (0.31, 1, "1"):
        assert len(exactmatch.consensus(texts, threshold, pivot=0).triples) == 2


def test_nothing_is_repaired() -> None:
    third = "(s / shout-01 :ARG0 (b / bird) :time (n / night))"
    found = exactmatch.consensus([*GRAPHS[:2], third], pivot=1)
    assert found.faults == ["n has no concept"]
    assert (found.is_connected, found.is_rooted) == (True, True)
    with pytest.raises(UsageError, match="n has no concept"):
        found.to_penman()
    parts = exactmatch.consensus(["(a / x :ARG0 (b / y))", "(a / x :ARG1 (b / y))"], 0.6, pivot=0)
    assert parts.faults == ["2 unconnected parts"]
    assert not parts.is_connected
    roots = exactmatch.consensus(["(a / x :ARG0 (b / y))", "(b / y :ARG0-of (a / x))"], pivot=0)
    assert roots.faults == ["2 roots"]
    assert not roots.is_rooted
    assert exactmatch.consensus(["(a / x)", "(a / y)"], 0.6, pivot=0).faults == ["a has no concept"]
    none = exactmatch.consensus(["(a / x)", "(a / y :ARG0 a)"], 0.9, profile="paper-2013")
    assert none.faults == ["no triple", "no root"]
    two = exactmatch.consensus(["(a / x :ARG0 a)", "(a / y :ARG0 a)"], pivot=0)
    assert two.faults == ["a has 2 concepts"]


def test_variables_that_are_not_mapped_stay_apart() -> None:
    """Graphene's programs take a new variable for the last variable of the pivot."""
    texts = ["(a / x)", "(a / x :ARG0 (b / y))", "(a / x :ARG0 (b / y))"]
    found = exactmatch.consensus(texts, pivot=0)
    new = {v for vote in found.votes for v in vote.variables} - {"a"}
    assert new == {"b", "b2"}
    assert found.to_penman() == "(a / x)"


def test_new_names_are_no_constants() -> None:
    texts = ["(a / x :mod b :mod b2)", "(a / x :ARG0 (b / y))", "(a / x)"]
    found = exactmatch.consensus(texts, 0, pivot=0)
    assert (("instance", "y"), ("b3",)) in votes(found)


def test_what_penman_cannot_tell_is_not_written() -> None:
    """A constant of one graph is called like a variable of the other."""
    found = exactmatch.consensus(["(a / x :ARG0 (b / y))", "(a / x :ARG1 b)"], 0, pivot=0)
    assert found.faults == ["PENMAN notation cannot write it"]


def test_an_unread_graph_has_no_vote() -> None:
    found = exactmatch.consensus(["(a / x)", "(a / x", "(b / x)"], 0.6)
    assert found.to_penman() == "(a / x)"
    assert {vote.share for vote in found.votes} == {Fraction(2, 3)}


def test_the_pivot_is_the_best() -> None:
    texts = [GRAPHS[2], *GRAPHS[:2]]
    found = exactmatch.consensus(texts)
    assert found.pivot == exactmatch.candidates(texts).best
    for wrong in (3, -1):
        with pytest.raises(UsageError, match="no graph is at"):
            exactmatch.consensus(GRAPHS, pivot=wrong)


@pytest.mark.parametrize("threshold", [-0.1, 1.1, "half", "1/0", float("nan")])
def test_thresholds_that_make_no_sense(threshold: float) -> None:
    with pytest.raises(UsageError, match="threshold"):
        exactmatch.consensus(GRAPHS, threshold)


def test_the_pivot_alone_is_itself() -> None:
    """Reading the written text gives the same graph."""
    rng = random.Random(2)
    form = Smatch.profiles["default"].with_choices(case="keep", quotes="keep")
    for _ in range(50):
        text, _ = random_graph(rng, rng.randint(1, 8))
        found = exactmatch.consensus([text, text])
        before, after = (
            {(t.label, t.variables) for t in form.normalise(exactmatch.loads(one)[0]).triples}
            for one in (text, found.to_penman())
        )
        assert before == after


def test_votes_of_a_random_graph_are_what_the_mapping_matches() -> None:
    rng = random.Random(4)
    for _ in range(30):
        texts = [random_graph(rng, rng.randint(1, 7))[0] for _ in range(2)]
        found = exactmatch.consensus(texts, pivot=0)
        both = sum(len(vote.voters) == 2 for vote in found.votes)
        assert both == exactmatch.candidates(texts).matched[0, 1]


def test_drss_vote_for_clauses() -> None:
    rng = random.Random(5)
    texts = [random_drs(rng) for _ in range(3)]
    found = exactmatch.consensus(texts, 1)
    assert found.faults == ["these are no AMRs in PENMAN notation"]
    assert all(len(vote.voters) == 3 for vote in found.triples)
    with pytest.raises(UsageError, match="no AMRs"):
        found.to_penman()
