"""Rematch: the motifs by hand, figures of the authors' program, and an oracle of our own."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest
from samples import counted, only_graph, random_graph

import exactmatch
from exactmatch.metrics.rematch import Rematch

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
DEFAULT, PROGRAM = Rematch.profiles["default"], Rematch.profiles["program"]


def counts(system: str, gold: str, metric: Rematch = DEFAULT) -> dict[str, tuple[int, ...]]:
    found = counted(metric, only_graph(system), only_graph(gold)).breakdown
    return {kind.removesuffix(" motifs"): tuple(each) for kind, each in found.items()}


def score(system: str, gold: str, metric: Rematch = DEFAULT) -> tuple[int, int]:
    """Return how many motifs are in both, and how many in either."""
    found = counted(metric, only_graph(system), only_graph(gold))
    union = found.system_total + found.gold_total - found.matched
    figures = metric.figures(found)
    assert figures is not None and figures.value == (found.matched / union if union else 0)
    return found.matched, union


def test_rematch_is_as_counted_by_hand() -> None:
    """A red car of 2 wheels that a boy drives, against a red car of 3 wheels that a girl drives.

    system: attributes (color, red), (quant, 2); instances drive-01, boy, car with each of both;
    relations drive-01 ARG0 boy and, with each motif of the car, drive-01 ARG1 car: 2 + 4 + 3.
    gold: the same with (quant, 3) and girl.
    """
    system = "(d / drive-01 :ARG0 (b / boy) :ARG1 (c / car :color red :quant 2))"
    gold = "(x / drive-01 :ARG0 (y / girl) :ARG1 (z / car :color red :quant 3))"
    assert counts(system, gold) == {
        "attribute": (1, 2, 2),
        "instance": (2, 4, 4),
        "relation": (1, 3, 3),
    }
    assert score(system, gold) == (4, 14)


@pytest.mark.parametrize(
    "one, other",
    [
        ("(a / b :ARG0-of (c / d))", "(c / d :ARG0 (a / b))"),  # the root does not count
        ("(a / b :mod (c / d))", "(c / d :domain (a / b))"),
        ("(a / b :r (c / d) :s (e / d))", "(a / b :r (c / d) :s c)"),  # nor who is who
        ("(a / b :r 1 :s 2)", "(x / b :s 2 :r 1)"),
        ("(a / b :r 1 :r 1)", "(a / b :r 1)"),
    ],
)
def test_graphs_of_the_same_motifs_score_1(one: str, other: str) -> None:
    matched, union = score(one, other)
    assert matched == union > 0


def test_multisets_tell_how_often() -> None:
    twice, once = "(a / b :r (c / d) :s (e / d))", "(a / b :r (c / d) :s c)"
    # d occurs twice as an instance, and the motifs of the relations are the same.
    assert score(twice, once, Rematch(multiplicity="multiset")) == (4, 5)


def test_strings_and_roles_are_read_as_the_program_does() -> None:
    # Strings count up to their first space, and their quotes leave an underscore, which goes.
    assert score('(a / b :op1 "x y")', '(a / b :op1 "x z")', PROGRAM) == (2, 2)
    assert score('(a / b :op1 "x y")', '(a / b :op1 "x z")') == (0, 4)
    assert score('(a / b :op1 "x")', "(a / b :op1 x)", PROGRAM) == (2, 2)
    # Roles of relations keep their case, those of attributes do not.
    assert score("(a / b :R (c / d))", "(a / b :r (c / d))", PROGRAM) == (2, 4)
    assert score("(a / b :R 1)", "(a / b :r 1)", PROGRAM) == (2, 2)
    # A value top goes, as that of the root does; a string does not.
    assert score("(a / b :r top)", "(a / b)", PROGRAM) == (1, 1)
    assert score("(a / b :r top)", "(a / b)") == (0, 3)
    assert score('(a / b :r "top")', "(a / b)", PROGRAM) == (0, 3)


def test_words_of_one_class_match(tmp_path: Path) -> None:
    file = tmp_path / "classes.txt"
    file.write_text("# frames\nSay-01 SPEAK\ntell-01 SPEAK\n")
    one, other = "(a / say-01 :ARG0 (b / boy))", "(a / tell-01 :ARG0 (b / boy))"
    assert score(one, other) == (1, 5)
    known = exactmatch.metric("rematch", classes=file)
    assert isinstance(known, Rematch)
    assert score(one, other, known) == (3, 3)
    assert re.fullmatch(r"rematch\|.*\|classes:[0-9a-f]{12}\|unicode:nfc", known.signature())
    for text, reason in {
        "say-01\n": "classes.txt:1: 1 words, expected a concept and a class",
        "a b\na c\n": "classes.txt:2: a has class b before",
        "#\n": "classes.txt: holds no class",
    }.items():
        file.write_text(text)
        with pytest.raises(exactmatch.InputError, match=re.escape(reason)):
            exactmatch.metric("rematch", classes=file)
    with pytest.raises(exactmatch.UsageError, match="smatch: takes no classes; use rematch"):
        file.write_text("a b\n")
        exactmatch.metric("smatch", classes=file)


def test_graphs_with_nothing_in_common_score_0_in_rematch() -> None:
    assert score("(a / b)", "(c / d)") == (0, 2)
    assert exactmatch.score("(a / b)", "(c / d)", metric="rematch").value == 0.0


def test_a_corpus_is_the_sum_over_pairs() -> None:
    systems, golds = ["(a / b)", "(a / b :r (c / d))"], ["(a / b)", "(a / b :r (c / e))"]
    assert exactmatch.score(systems, golds, metric="rematch").value == (1 + 1) / (1 + 5)


def test_random_graphs_against_an_oracle() -> None:
    """Motifs from the triples that random graphs were made of, as strings."""
    rng = random.Random(7)
    for _ in range(300):
        (one, left), (other, right) = (random_graph(rng, rng.randint(1, 6)) for _ in range(2))
        for metric in (DEFAULT, Rematch(multiplicity="multiset")):
            ours, theirs = _motifs(left), _motifs(right)
            if metric.multiplicity == "set":
                ours, theirs = Counter(set(ours)), Counter(set(theirs))
            matched = (ours & theirs).total()
            assert score(one, other, metric) == (matched, (ours | theirs).total())
        assert len(set(score(one, one))) == 1


def _motifs(triples: list[tuple[str, tuple[str, ...]]]) -> Counter[str]:
    found: list[str] = []
    nodes: dict[str, list[str]] = {}
    for label, (node, *_) in triples:
        if label.startswith("instance"):
            values = [str(t) for t, (n, *_) in triples if n == node and t.startswith("attribute")]
            nodes[node] = [f"{label} with {value}" for value in values] or [label]
            found += values + nodes[node]
    for label, ends in triples:
        if label.startswith("relation"):
            found += [f"{a} {label} {b}" for a in nodes[ends[0]] for b in nodes[ends[1]]]
    return Counter(found)
