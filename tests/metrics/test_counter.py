"""Counter profiles: brute force over an independent definition, and each choice by hand."""

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from drs_samples import random_drs
from nightly import day_share
from oracles.drs import SYMMETRIC, Definition

from exactmatch.cli import main
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.readers.detect import read_text
from exactmatch.graphs.readers.word_files import read_synonyms
from exactmatch.metrics.counter import CounterMetric, word_class
from exactmatch.metrics.registry import METRICS, metric_labelled, profile_called
from exactmatch.scoring.comparison import compare
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline
from exactmatch.studies.common.differences import differences

DEFAULT = CounterMetric.profiles["default"]
COUNTER = CounterMetric.profiles["counter-2021"]


def drs(text: str) -> Graph:
    """Return the DRS whose clauses are separated by line ends or semicolons."""
    (graph,) = read_text(text.replace(";", "\n"), "drs").graphs
    assert isinstance(graph, Graph), graph
    return graph


def score(system: str, gold: str, profile: CounterMetric = DEFAULT) -> PairScore:
    """Score two DRSs, with a certificate, which is checked before it is returned."""
    settings = Settings(certificates=True)
    result = score_pair(GraphPair("pair", drs(system), drs(gold)), profile, settings, Deadline())
    assert result.status == "optimal"
    assert result.certificate is not None and '"proof":"none"' not in result.certificate
    return result


def counts(result: PairScore) -> tuple[int, int, int]:
    return result.matched, result.system_total, result.gold_total


def random_pair(seed: int) -> tuple[str, str]:
    """Return two DRSs, half of the time one and the same in other words."""
    rng = random.Random(seed)
    system = random_drs(rng)
    if rng.random() < 0.5:
        return system, random_drs(rng)
    return system, rewritten(system, rng)


def rewritten(text: str, rng: random.Random) -> str:
    """Return a DRS with other variables, and with arguments swapped where order is free."""
    names = [f"{c}{k}" for c in "bxest" for k in range(1, 4)]
    new = {name: f"{name[0]}{rng.randint(0, 9)}{name[1]}" for name in names}
    lines = []
    for line in text.splitlines():
        box, relation, *others = (new.get(word, word) for word in line.split())
        if relation in SYMMETRIC and rng.random() < 0.5:
            others.reverse()
        lines.append(" ".join((box, relation, *others)))
    rng.shuffle(lines)
    return "\n".join(lines)


@pytest.mark.slow
@pytest.mark.parametrize("profile", [DEFAULT, COUNTER], ids=["default", "counter-2021"])
def test_counter_is_as_brute_force_has_it(profile: CounterMetric) -> None:
    for seed in range(180):
        system, gold = random_pair(seed)
        one, other = (Definition(text, profile is COUNTER) for text in (system, gold))
        expected = (one.best(other), one.total, other.total)
        assert counts(score(system, gold, profile)) == expected, (seed, system, gold)


@pytest.mark.slow
@pytest.mark.parametrize("profile", [DEFAULT, COUNTER], ids=["default", "counter-2021"])
def test_counter_obeys_laws(profile: CounterMetric) -> None:
    for seed in range(500, 500 + day_share(75)):
        system, gold = random_pair(seed)
        result = score(system, gold, profile)
        back = score(gold, system, profile)
        assert counts(back) == (result.matched, result.gold_total, result.system_total)
        if profile is DEFAULT:
            assert score(system, system).f1 == 1.0
            assert counts(score(rewritten(system, random.Random(seed)), gold)) == counts(result)
            sorts = [drs(text).variables for text in (system, gold)]
            assert all(sorts[0][v] == sorts[1][w] for v, w in result.mapping.items())


LOOP = """\
b1 REF x1
b1 Name x1 "tom"
b1 male "n.02" x1
b2 REF e1
b2 Agent e1 e1
b2 Theme e1 x1
b2 TPR e1 "now"
b2 wash "v.01" e1
b2 NOT b2
"""


def test_a_clause_that_repeats_a_variable_never_matches_in_counter() -> None:
    """Counter never matches the clause, b2 Agent e1 e1, even with itself, but counts it.

    Without the two REF clauses there are 7; b2 NOT b2 matches, as it has no third variable.
    """
    assert counts(score(LOOP, LOOP)) == (7, 7, 7)
    result = score(LOOP, LOOP, COUNTER)
    assert counts(result) == (6, 7, 7)
    assert round(result.f1, 3) == 0.857
    # It matches a clause with the same repetition, and no other.
    assert score("b1 Agent e1 e1", "b1 Agent x2 x2").matched == 1
    assert score("b1 Agent e1 e1", "b1 Agent e1 x1").matched == 0
    assert score("b1 EQU e1 e1", "b1 EQU x2 x2").matched == 1
    assert score("b1 IMP b1 b2", "b1 IMP b1 b2", COUNTER).matched == 0


#: System, gold, then the triples that match and the totals in the default profile.
PAIRS = [
    # REF counts only where its referent is in no other clause of its box.
    ("b1 REF x1;b1 man 'n.01' x1", "b1 REF x1;b1 man 'n.01' x1", (1, 1, 1)),
    ("b1 REF x1;b2 man 'n.01' x1", "b1 REF x1;b2 man 'n.01' x1", (2, 2, 2)),
    ("b1 REF x1;b1 REF x1", "b1 REF x1", (1, 1, 1)),
    # The direction of a role.
    ("b1 PartOf x1 x2;b1 a 'n.01' x1", "b1 Part x2 x1;b1 a 'n.01' x1", (2, 2, 2)),
    ("b1 PartOf x1 'tom'", "b1 Part 'tom' x1", (1, 1, 1)),
    ("b1 Part x1 'tom'", "b1 Part 'tom' x1", (0, 1, 1)),
    ("b1 Of x1 'tom'", "b1 Of x1 'tom'", (1, 1, 1)),
    ("b1 Of x1 'tom'", "b1 Of 'tom' x1", (0, 1, 1)),
    # Arguments that may be swapped, and that may not.
    ("b1 NEQ x1 x2;b1 a 'n.01' x1", "b1 NEQ x2 x1;b1 a 'n.01' x1", (2, 2, 2)),
    ("b1 LES x1 x2;b1 a 'n.01' x1", "b1 LES x2 x1;b1 a 'n.01' x1", (1, 2, 2)),
    ("b1 EQU x1 'now'", "b1 EQU 'now' x1", (1, 1, 1)),
    ("b1 EQU 'a' 'b'", "b1 EQU 'b' 'a'", (1, 1, 1)),
    ("b1 TPR 'a' 'b'", "b1 TPR 'b' 'a'", (0, 1, 1)),
    ("b1 NEQ x1 x2;b1 NEQ x2 x1", "b1 NEQ x1 x2", (1, 1, 1)),
    ("b1 NEQ x1 x2;b1 NEQ x2 x3", "b1 NEQ x1 x2;b1 NEQ x3 x2", (2, 2, 2)),
    # A constant never equals a variable, nor one kind of clause another.
    ("b1 TPR x1 'now'", "b1 TPR x1 x2", (0, 1, 1)),
    ("b1 Topic x1 x2", "b1 TOPIC b2 b3", (0, 1, 1)),
    # Letter case and quotes count.
    ("b1 Name x1 'Tom'", "b1 Name x1 'tom'", (0, 1, 1)),
]


@pytest.mark.parametrize("system, gold, expected", PAIRS)
def test_pairs_of_drss_count_as_by_hand(system: str, gold: str, expected: tuple[int, ...]) -> None:
    assert counts(score(system.replace("'", '"'), gold.replace("'", '"'))) == expected


@pytest.mark.parametrize("operator", ["APX", "NEQ", "EQU", "TAB", "TPR", "LES", "TIN", "SXY"])
def test_arguments_that_may_be_swapped(operator: str) -> None:
    system, gold = (f"b1 {operator} {order};b1 Theme x1 x2" for order in ("x1 x2", "x2 x1"))
    for profile in (DEFAULT, COUNTER):
        assert score(system, gold, profile).matched == 1 + (operator in SYMMETRIC)


def test_kinds_of_clauses_are_told_apart() -> None:
    """Operators are in capitals, however long; roles begin with one; concepts have a sense."""
    kinds = {
        "b1 REF x1": "operator",
        "b1 NOT b2": "operator",
        "b1 TPR x1 x2": "operator",
        "b1 ALSO b2": "operator",
        "b1 CONTRAST b2 b3": "operator",
        "b1 Of x1 x2": "role",
        "b1 PartOf x1 x2": "role",
        'b1 TIN "n.01" x1': "concept",
        'b1 Agent "v.01" x1': "concept",
    }
    for clause, kind in kinds.items():
        (found,) = DEFAULT.normalise(drs(clause)).triples
        assert (found.kind, DEFAULT.parts_of(found.label)[0]) == (kind, kind), clause


#: For each value of each choice, a pair of DRSs and what it matches then, and the system's total.
CHOSEN = [
    (
        "unicode",
        'b1 s\u00e3o "n.01" x1;b1 Name x1 "\u00e3"',
        {"nfc": (2, 2), "as-written": (0, 2)},
    ),
    ("refs", "b1 REF x1;b1 REF x1", {"unused": (1, 1), "unused-unrepeated": (0, 0), "all": (1, 1)}),
    (
        "refs",
        'b1 REF x1;b1 man "n.01" x1',
        {"unused": (1, 1), "unused-unrepeated": (1, 1), "all": (2, 2)},
    ),
    ("senses", 'b1 man "n.02" x1;b1 man "n.01" x1', {"keep": (1, 2), "ignore": (1, 1)}),
    ("concepts", 'b1 boy "n.02" x1;b1 man "n.01" x1', {"keep": (1, 2), "ignore": (1, 1)}),
    ("roles", "b1 Agent x1 x2;b1 Theme x1 x2", {"keep": (1, 2), "ignore": (1, 1)}),
    ("loops", "b1 Agent x1 x1", {"match": (1, 1), "never": (0, 1)}),
    ("swapped", "b1 EQU x1 x2;b1 EQU x2 x1", {"one": (1, 1), "two": (1, 2)}),
    (
        "sorts",
        'b1 PRP x1 b2;b2 Agent x2 "tom"',
        {"by-relation": (2, 2), "by-first-mention": (0, 2)},
    ),
    ("second_constant", 'b1 TPR "now" "then"', {"keep": (0, 1), "map": (1, 1)}),
    ("second_constant", 'b1 time "n.08" "then"', {"keep": (0, 1), "map": (1, 1)}),
    ("ill_formed", "b1 NOT b1", {"score": (1, 1), "dummy": (0, 1), "spar": (10, 10)}),
]
#: What the DRSs of a choice are compared with.
OTHER = {
    "unicode": 'b1 sa\u0303o "n.01" x1;b1 Name x1 "a\u0303"',
    "refs": 'b2 man "n.01" x1;b2 REF x1;b3 REF x2',
    "senses": 'b1 man "n.01" x1',
    "concepts": 'b1 man "n.01" x1',
    "roles": "b1 Theme x1 x2",
    "loops": "b1 Agent x1 x1",
    "swapped": "b1 EQU x1 x2",
    "sorts": 'b2 Agent x2 "tom";b1 PRP x1 b2',
    "second_constant": 'b1 TPR "now" x1;b1 time "n.08" x1',
    "ill_formed": "b1 NOT b1",
}


@pytest.mark.parametrize("choice, system, expected", CHOSEN)
def test_each_choice_changes_what_counts(
    choice: str, system: str, expected: dict[str, tuple[int, int]]
) -> None:
    for value, (matched, total) in expected.items():
        profile = DEFAULT.with_choices(**{choice: value})
        result = score(system, OTHER[choice], profile)
        assert (result.matched, result.system_total) == (matched, total), value
        assert metric_labelled(profile.label()).label() == profile.label()


def test_every_choice_is_tested() -> None:
    tested = {(choice, value) for choice, _, expected in CHOSEN for value in expected}
    every = CounterMetric.choices()
    assert tested == {(choice, value) for choice, values in every.items() for value in values}


def test_profiles_of_counter_have_names() -> None:
    assert METRICS["counter"] is CounterMetric
    assert profile_called(CounterMetric, "default") is DEFAULT
    assert metric_labelled("counter.2") is DEFAULT
    assert metric_labelled("counter-2021") is COUNTER
    assert DEFAULT.signature().startswith("counter|profile:counter.2|refs:unused|senses:keep|")
    with pytest.raises(UsageError, match="senses is 'drop'; the values are keep, ignore"):
        DEFAULT.with_choices(senses="drop")


def test_synonyms_match_if_they_are_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.clf").write_text('b1 REF x1\nb1 human "n.01" x1\nb1 Role x1 "now"\n', encoding="utf-8")
    Path("b.clf").write_text('b1 REF x1\nb1 person "n.01" x1\nb1 Role x1 "now"\n', encoding="utf-8")
    Path("s.txt").write_text("# WordNet\nhuman.n.01 person.n.01\n\n", encoding="utf-8")

    def run(*words: str) -> Result:
        return CliRunner().invoke(main, words)

    plain = run("score", "a.clf", "b.clf", "--format", "json")
    assert json.loads(plain.stdout)["matched"] == 1
    words = ("--synonyms", "s.txt")
    score = ("score", "a.clf", "b.clf", *words, "--format", "json")
    content = json.loads(run(*score, "--certificates", "c.jsonl").stdout)
    assert content["matched"] == content["system_total"] == content["gold_total"] == 2
    assert "|synonyms:" in content["signature"]
    verify = ("verify", "c.jsonl", "a.clf", "b.clf")
    counted, signature = run(*verify, *words).stdout.splitlines()
    assert counted == "verified: 1  bounded: 0  refuted: 0  unproven: 0"
    assert content["signature"].startswith(signature)
    assert "have other similarities, synonyms, tables, lengths or credits" in run(*verify).stderr


def test_synonyms_may_have_another_sense(tmp_path: Path) -> None:
    path = tmp_path / "s.txt"
    path.write_text("home.n.02 dwelling.n.01\n", encoding="utf-8")
    metric = DEFAULT.with_words(synonyms=read_synonyms(path))
    clauses = 'b1 home "n.02" x1;b1 home "n.01" x1;b1 dwelling "n.01" x1;b1 Agent x1 "n.02"'
    labels = [triple.label for triple in metric.normalise(drs(clauses)).triples]
    dwelling = ("concept", "dwelling", "b", '"n.01"', "x")
    # The clause of a synonym becomes that of its concept, and counts once.
    assert labels == [dwelling, ("concept", "home", "b", '"n.01"', "x"), ("role", *labels[2][1:])]
    assert score('b1 home "n.02" x1', 'b1 dwelling "n.01" x1', metric).matched == 1
    assert score('b1 home "n.01" x1', 'b1 dwelling "n.01" x1', metric).matched == 0


def test_boxes_and_referents_of_one_concept_look_alike() -> None:
    system = DEFAULT.normalise(
        drs('b1 man "n.01" x1;b1 Agent e1 x1;b2 man "n.01" x2;b2 go "v.01" e1')
    )
    gold = DEFAULT.normalise(drs('k1 go "v.01" s1;k1 man "n.01" s2;k1 Agent s1 s2'))
    found = [(system.variables[i], gold.variables[j]) for i, j in DEFAULT.likely(system, gold)]
    assert found == [
        ("b1", "k1"), ("x1", "s2"), ("b2", "k1"), ("x2", "s2"), ("b2", "k1"), ("e1", "s1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text, message",
    [
        ("# nothing\n", "holds no synonym"),
        ("a.n.01\n", ":1: 1 words, expected two concepts"),
        ("a.n.01 b.x.01\n", ":1: 'b.x.01' is no concept with a sense"),
        ("a.n.01 b.n.01\na.n.01 c.n.01\n", ":2: a.n.01 counts as another concept before"),
    ],
)
def test_a_line_that_is_no_synonym_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "s.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_synonyms(path)
    assert message in str(caught.value)


def test_what_matches_in_another_order_is_no_difference() -> None:
    one, other = drs('b1 NEQ x1 x2; b1 a "n.01" x1'), drs('b1 NEQ y2 y1; b1 a "n.01" y1')
    comparison = compare(GraphPair("x", one, other), DEFAULT)
    mapping = {"b1": "b1", "x1": "y1", "x2": "y2"}
    assert comparison.count_matched(mapping) == 2
    assert differences(comparison.system, comparison.gold, mapping, "set") == []
    other = drs('b1 NEQ y2 y1; b1 b "n.01" y1')
    comparison = compare(GraphPair("x", one, other), DEFAULT)
    (found,) = differences(comparison.system, comparison.gold, mapping, "set")
    assert (found.kind, found.system, found.gold) == ("concept", 'a b "n.01" x', 'b b "n.01" x')


def test_labels_tell_the_kind() -> None:
    text = """\
b1 NOT b2
b1 TPR t1 "now"
b1 SXY x1 x2
b1 Co-Theme e1 x1
b1 PartOf "hearer" x1
b1 person "n.01" x1
b1 USA "n.01" x1
b1 go "v.02" e1
b1 good "a.01" x1
b1 good "s.01" x1
b1 now "r.01" x1"""
    labels = [item.label for item in DEFAULT.normalise(drs(text)).triples]
    assert labels[:6] == [
        ("operator", "NOT", "b", "b"),
        ("operator", "TPR", "b", "x", '"now"'),
        ("operator", "SXY", "b", "x", "x"),
        ("role", "Co-Theme", "b", "x", "x"),
        ("role", "Part", "b", "x", '"hearer"'),
        ("concept", "person", "b", '"n.01"', "x"),
    ]
    classes = ["noun", "noun", "verb", "adjective", "adjective", "adverb"]
    assert [word_class(label) for label in labels] == [None] * 5 + classes
    without = DEFAULT.with_choices(senses="ignore").normalise(drs(text)).triples
    assert [word_class(item.label) for item in without] == [None] * 10
    nothing = DEFAULT.with_choices(concepts="ignore", roles="ignore").normalise(drs(text)).triples
    assert {item.label for item in nothing} - set(labels) == {
        ("role", "", "b", "x", "x"),
        ("role", "", "b", "x", '"hearer"'),
        ("concept", "", "b", "", "x"),
    }


def test_boxes_and_referents_are_all_mapped_together() -> None:
    gold = LOOP.replace("e1", "e9").replace("x1", "x9").replace("b1", "k1").replace("b2", "k2")
    mapping = score(LOOP, gold).mapping
    assert mapping == {"b1": "k1", "x1": "x9", "b2": "k2", "e1": "e9"}
