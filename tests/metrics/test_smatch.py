"""Smatch profiles: pairs on which published scorers disagree, with the true optimum."""

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from nightly import day_share
from samples import random_graph

import exactmatch
from exactmatch.errors import UsageError
from exactmatch.graphs.graph import Constant, Triple, Variable
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import NormalisedTriple

CHOICES = Smatch.choices()

#: One of UMR: its node is aligned with one of two words, and the document level speaks of it.
SENTENCE = """# :: snt1
Words: one two

# sentence level graph:
(s1a / b :ARG0-of "c")

# alignment:
s1a: {}-{}

# document level annotation:
(s1s0 / sentence :modal ((author :full-affirmative s1a)))
"""
DEFAULT = Smatch.profiles["default"]

LOOPS_A = "(v0 / p :ARG0 (v1 / p :ARG0 (v2 / p :ARG0 v2) :ARG1 v2) :ARG1 v1)"
LOOPS_B = "(v0 / q :ARG0 (v1 / p :ARG1 (v2 / p :ARG1 (v3 / p)) :ARG1 v0) :ARG0 v3 :ARG0 v0)"
ORDER_A = "(v0 / p :ARG1 (v1 / q) :ARG0 (v2 / q :ARG0 (v3 / p)) :ARG1 (v4 / p))"
ORDER_B = "(v0 / q :ARG1 (v1 / p :ARG0 (v2 / p)))"

#: System, gold, then matched, system total and gold total: in smatch 1.0.4 (by brute force over its
#: own objective), and by default.
PAIRS = [
    ("(a / b :polarity - :polarity -)", "(x / b :polarity - :polarity -)", (6, 4, 4), (3, 3, 3)),
    ("(a / b :polarity - :polarity -)", "(x / b :polarity -)", (4, 4, 3), (3, 3, 3)),
    ("(a / c :ARG0 (b / d) :ARG0 b)", "(a / c :ARG0 (b / d) :ARG0 b)", (7, 5, 5), (4, 4, 4)),
    ('(n / name :op1 "A" :op1 "a")', '(n / name :op1 "A")', (4, 4, 3), (3, 3, 3)),
    ("(a / c :ARG0 (b / d :ARG0-of a))", "(a / c :ARG0 (b / d))", (5, 5, 4), (4, 4, 4)),
    ('(n / name :op1 "New York")', '(n / name :op1 "New Jersey")', (3, 3, 3), (2, 3, 3)),
    (
        '(i / i :mod (x / foo :op1 "i am"))',
        '(z / i :mod (x / foo :op1 "i am"))',
        (4, 5, 5),
        (5, 5, 5),
    ),
    ("(x / foo :mod 5)", "(x / foo)", (2, 2, 2), (2, 3, 2)),
    ("(x / foo :mod 5)", "(x / foo :domain-of 5)", (2, 2, 2), (3, 3, 3)),
    ('(x / foo :ARG1-of "bar")', "(x / foo)", (2, 2, 2), (2, 3, 2)),
    ("(c / car)", "(d / dog)", (1, 2, 2), (1, 2, 2)),
    ("(a / alpha :TOP top)", "(a / alpha)", (3, 3, 2), (2, 3, 2)),
    (
        '(c / company :name (n / name :op1 "C"))',
        '(x / company :name (y / name :op1 "C"))',
        (5, 5, 5),
        (5, 5, 5),
    ),
    (
        "(g / go-01 :mode x :ARG0 (b / boy))",
        "(g / go-01 :mode x :ARG0 (x / boy))",
        (4, 5, 5),
        (4, 5, 5),
    ),
    ("(r / ring :consist-of (g / gold))", "(g / gold :consist (r / ring))", (2, 4, 4), (2, 4, 4)),
    (
        "(r / ring :prep-in-place-of (g / gold))",
        "(g / gold :prep-in-place (r / ring))",
        (3, 4, 4),
        (3, 4, 4),
    ),
    ("(a / c :ARG0-OF (b / d))", "(b / d :ARG0 (a / c))", (2, 4, 4), (3, 4, 4)),
    ("(a / c :ARG0-of-of (b / d))", "(a / c :ARG0 (b / d))", (3, 4, 4), (4, 4, 4)),
    ("(r / red :mod-of (c / car))", "(r / red :domain (c / car))", (3, 4, 4), (4, 4, 4)),
    ("(c / car :mod (r / red))", "(c / car :domain-of (r / red))", (4, 4, 4), (4, 4, 4)),
    ("(c / car :mod (r / red))", "(r / red :domain (c / car))", (3, 4, 4), (3, 4, 4)),
    (LOOPS_A, LOOPS_B, (5, 9, 11), (5, 9, 11)),
    (
        "(v / vote-01 :time v :condition v)",
        "(v / vote-01 :time v :condition v)",
        (4, 4, 4),
        (4, 4, 4),
    ),
    (ORDER_A, ORDER_B, (4, 10, 6), (4, 10, 6)),
    (ORDER_B, ORDER_A, (4, 6, 10), (4, 6, 10)),
    ("(a / c~e.1 :ARG0~e.2 (b / d~e.3))", "(a / c :ARG0 (b / d))", (1, 4, 4), (4, 4, 4)),
    ("(a / c_ :ARG0_ (b / d__))", "(a / c :ARG0 (b / d))", (4, 4, 4), (1, 4, 4)),
    ('(n / name :op1 "Obama")', "(n / name :op1 Obama)", (3, 3, 3), (3, 3, 3)),
    ("(a / alpha :quant 1.0)", "(a / alpha :quant 1)", (2, 3, 3), (2, 3, 3)),
    ("(a / alpha :ARG0 b)", "(x / alpha :ARG0 y)", (2, 3, 3), (2, 3, 3)),
    ("(a / alpha :op1 STRASSE)", "(x / alpha :op1 straße)", (2, 3, 3), (3, 3, 3)),
    ("(a / c\t:ARG0 (b / d))", "(a / c :ARG0 (b / d))", (3, 4, 4), (4, 4, 4)),
]


@pytest.mark.parametrize("system, gold, smatch, default", PAIRS)
def test_pairs_on_which_scorers_disagree(
    system: str, gold: str, smatch: tuple[int, ...], default: tuple[int, ...]
) -> None:
    for profile, expected in (("smatch-1.0.4", smatch), ("default", default)):
        found = exactmatch.best_mapping(system, gold, profile=profile)
        assert found.status == "optimal"
        assert (found.matched, found.system_total, found.gold_total) == expected, profile


@pytest.mark.parametrize("role", ["consist-of", "prep-on-behalf-of", "prep-out-of"])
@pytest.mark.parametrize("profile", ["default", "paper-2013", "smatch-1.0.4"])
def test_roles_that_end_like_inverses(role: str, profile: str) -> None:
    as_written = f"(r / ring :{role} (g / gold))"
    turned_round = f"(g / gold :{role.removesuffix('-of')} (r / ring))"
    inverse = f"(g / gold :{role}-of (r / ring))"
    root = Smatch.profiles[profile].top != "none"
    for other, matched in ((as_written, 3 + root), (turned_round, 2), (inverse, 3)):
        assert exactmatch.best_mapping(as_written, other, profile=profile).matched == matched


@pytest.mark.parametrize("profile", ["smatchpp-1.8-generic", "smatchpp-1.8-amr"])
def test_all_roles_that_end_so_can_be_inverses(profile: str) -> None:
    as_written = "(r / ring :consist-of (g / gold))"
    turned_round = "(g / gold :consist (r / ring))"
    assert exactmatch.best_mapping(as_written, turned_round, profile=profile).matched == 3


def test_a_constant_under_an_inverse_role_keeps_its_role() -> None:
    (graph,) = exactmatch.loads("(a / b :ARG0-of 5 :op1-of-of 6)")
    for inverse, even in (("restored", "op1"), ("as-written", "op1-of-of")):
        triples = DEFAULT.with_choices(inverse=inverse).normalise(graph).triples
        found = [(t.name, t.label[2]) for t in triples if t.kind == "attribute"]
        assert found == [("arg0-of", "5"), (even, "6")]


def test_a_quoted_word_is_no_variable() -> None:
    """Smatch 1.0.4 leaves an underscore for a closing quote, which is not the end of the text."""
    same = exactmatch.best_mapping(
        '(x / foo :op1 "x")', '(y / foo :op1 "x")', profile="smatch-1.0.4"
    )
    assert (same.matched, same.system_total, same.gold_total) == (3, 3, 3)
    metric = DEFAULT.with_choices(strings="first-word")
    for string, written in (('"x"', "x_"), (r'"a\"b"', "a\\_b"), ('"x y"', "x"), ('"x_y"', "x_y_")):
        (graph,) = exactmatch.loads(f"(a / b :op1 {string})")
        found = [t for t in metric.normalise(graph).triples if t.kind == "attribute"]
        assert found == [NormalisedTriple(("attribute", "op1", written), ("a",))]


@pytest.mark.parametrize("metric", Smatch.profiles.values(), ids=Smatch.profiles)
def test_variables_of_one_concept_look_alike(metric: Smatch) -> None:
    rng = random.Random("alike")
    for _ in range(day_share(100)):
        texts = [random_graph(rng, rng.randint(1, 5))[0] for _ in range(2)]
        system, gold = (exactmatch.loads(text)[0] for text in texts)
        concepts = [re.findall(r"(\w+) / (\w)", text) for text in texts]
        expected = {(v, w) for v, one in concepts[0] for w, other in concepts[1] if one == other}
        sides = metric.normalise(system), metric.normalise(gold)
        found = list(metric.likely(*sides))
        assert found == sorted(set(found))
        pairs = {(sides[0].variables[i], sides[1].variables[j]) for i, j in found}
        assert {pair for pair in pairs if ":" not in "".join(pair)} == expected  # no new nodes


#: For each value of each choice, a pair of graphs and what it matches then.
ALIGNED = ("aligned", "aligned-by-order", "aligned-docsmatch")

CHOSEN = [
    ("(a / b)", "(x / c)", {"top": {"constant": 1, "attribute": 1, "concept": 0, "none": 0}}),
    ("(a / b)", "(x / b :TOP top)", {"top": {"constant": 2, "attribute": 2}}),
    (
        "(a / b :op1 1 :op1 1 :op1 1)",
        "(a / b :op1 1 :op1 1)",
        {"duplicates": {"set": 3, "multiset": 4, "product": 8}},
    ),
    (
        "(a / b :ARG0 (c / d) :ARG1 c :op1 1 :op1 2)",
        "(a / b :ARG0 (c / d) :ARG1 c :op1 1 :op1 2)",
        {"parallel": {"keep": 7, "last": 5}},
    ),
    # The root's concept and triple have the weight 5, c its concept and relation 4, and so on.
    (
        "(a / b :r (c / b :r (d / b :r (e / b :r (f / b :r (g / b))))))",
        "(a / b :r (c / b :r (d / b :r (e / b :r (f / b :r (g / b))))))",
        {"root_distance": {"ignore": 12, "weighted": 32, "core": 10}},
    ),
    # With one character for the letter, and with a combining tilde.
    (
        "(a / s\u00e3o :op1 \u00e3)",
        "(x / sa\u0303o :op1 A\u0303)",
        {"unicode": {"nfc": 3, "as-written": 1}},
    ),
    ('(a / b :op1 "x y")', '(a / b :op1 "x z")', {"strings": {"whole": 2, "first-word": 3}}),
    (
        "(a / b :ARG0-OF (c / d))",
        "(c / d :ARG0 (a / b))",
        {"inverse": {"restored": 3, "all": 3, "once": 2, "as-written": 2}},
    ),
    (
        "(a / b :consist-of (c / d))",
        "(c / d :consist (a / b))",
        {"inverse": {"restored": 2, "all": 3, "once": 2}},
    ),
    (
        "(a / b :ARG0-of (c / d))",
        "(c / d :ARG0 (a / b))",
        {"inverse": {"restored": 3, "once": 3, "as-written": 2}},
    ),
    (
        "(a / b :mod-of (c / d))",
        "(a / b :domain (c / d))",
        {"mod": {"unified": 4, "plain": 3, "separate": 3}},
    ),
    (
        "(a / b :mod (c / d))",
        "(a / b :domain-of (c / d))",
        {"mod": {"unified": 4, "plain": 4, "separate": 3}},
    ),
    ("(a / b :ARG0-of 5)", "(a / b :ARG0-of 5)", {"inverse_constants": {"keep": 3, "drop": 2}}),
    ("(a / b :op1 ß)", "(a / B :op1 SS)", {"case": {"fold": 3, "lower": 2, "keep": 1}}),
    ('(a / b :op1 "x")', "(a / b :op1 x)", {"quotes": {"ignore": 3, "delete": 3, "keep": 2}}),
    ("(a / o'clock)", "(a / oclock)", {"quotes": {"ignore": 1, "delete": 2, "keep": 1}}),
    ("(a / b :wiki -)", "(a / b)", {"wiki": {"keep": 2, "drop": 2}}),
    ("(a / b :wiki -)", "(a / b :wiki -)", {"wiki": {"keep": 3, "drop": 2}}),
    ("(a / b-01)", "(a / b-02)", {"senses": {"keep": 1, "drop": 2}}),
    (
        "(a / b :quant 2)",
        "(a / b :ARG1-of (h / have-quant-91 :ARG2 2))",
        {"reification": {"keep": 2, "collapse": 3, "expand": 5}},
    ),
    (
        "(a / and :op1 (b / c) :op2 (d / e))",
        "(a / and :op1 (d / e) :op2 (b / c))",
        {"coordination": {"numbered": 4, "unordered": 6}},
    ),
    (
        "(a / b :quant 2)",
        "(a / b :polarity 2)",
        {"constants": {"attributes": 2, "nodes": 3, "nodes-smatchpp-1.8": 3}},
    ),
    (SENTENCE.format(1, 1), SENTENCE.format(2, 2), {"anchors": {"none": 3, "tokens": 0}}),
    (SENTENCE.format(1, 1), SENTENCE.format(2, 2), {"document_level": {"ignore": 3, "count": 4}}),
    (
        "(d / e :snt1 (a / x :mod (c / z)) :snt2 (b / y))",
        "(d / e :snt1 (b / y) :snt2 (a / x :mod (c / z)))",
        {"sentences": {"free": 6, **dict.fromkeys(ALIGNED, 4)}},
    ),
    (
        "(d / e :snt1 (a / x) :snt3 (b / y))",
        "(d / e :snt1 (a / x) :snt3 (b / y))",
        {"sentences": {"aligned-by-order": 6}},
    ),
    ("a.n.01", "a.n.01", {"boxes": {"member": 4, "none": 3}}),  # and the box, and the root
    ("a.n.01", "a.n.02", {"concepts": {"whole": 3, "no-sense": 4, "parts": 6}}),
    ("a.n.01 PartOf +1 b.n.01", "a.n.01 b.n.01 Part -1", {"of_roles": {"six": 7, "none": 6}}),
    (
        "a.n.01 QuantityOf +1 b.n.01",
        "a.n.01 b.n.01 Quantity -1",
        {"of_roles": {"six": 6, "all": 7, "none": 6}},
    ),
    (
        "a.n.01 Agent +1 Theme +1 b.n.01",
        "a.n.01 Agent +1 b.n.01",
        {"parallel_edges": {"all": 7, "last": 6}},
    ),
    (
        "a.n.01 CONTINUATION <0 b.n.01",
        "a.n.01 CONTINUATION <0 b.n.01",
        {"unreachable": {"keep": 7, "drop": 4}},
    ),
    (
        "NEGATION <1 RESULT <1 a.n.01",
        "b.n.01 Result +1 c.n.01",
        {"box_mapping": {"apart": 2, "free": 3}},
    ),
    ("a.n.01 EQU now", "b.v.01 Time +1 a.n.01 EQU now", {"tabs": {"drop": 5, "keep": 4}}),
    ("(a / b_)", "(a / b)", {"underscores": {"keep": 1, "strip": 2}}),
    ("(a / b~e.1)", "(a / b)", {"surface_alignments": {"drop": 2, "keep": 1}}),
]


@pytest.mark.parametrize("system, gold, expected", CHOSEN)
def test_each_choice_is_an_option(
    system: str, gold: str, expected: dict[str, dict[str, int]]
) -> None:
    for choice, values in expected.items():
        for value, matched in values.items():
            metric = DEFAULT.with_choices(**{choice: value})
            found = exactmatch.best_mapping(system, gold, metric=metric)
            assert found.matched == matched, value


def test_every_choice_is_tested() -> None:
    tested = {(c, v) for _, _, chosen in CHOSEN for c, values in chosen.items() for v in values}
    tested |= {("reification_table", table) for table in CHOICES["reification_table"]}  # below
    tested |= {
        ("unclosed", value) for value in CHOICES["unclosed"]
    }  # in tests/graphs/test_repair.py
    tested |= {("blanks", value) for value in CHOICES["blanks"]}  # in PAIRS, by profile
    for choice in ("ill_formed", "gold_ill_formed"):  # in tests/graphs/test_ill_formed.py
        tested |= {(choice, value) for value in CHOICES[choice]}
    assert tested == {(choice, value) for choice, values in CHOICES.items() for value in values}


def test_signature_tells_every_choice() -> None:
    signatures = {DEFAULT.signature()}
    for choice, values in CHOICES.items():
        for value in values:
            changed = DEFAULT.with_choices(**{choice: value})
            assert (changed == DEFAULT) == (value == getattr(DEFAULT, choice))
            same: dict[str, Any] = {choice: value}
            assert changed == replace(DEFAULT, **same)
            assert ("smatch|profile:custom" in changed.signature()) == (changed != DEFAULT)
            signatures.add(changed.signature())
    assert len(signatures) == 1 + sum(len(values) - 1 for values in CHOICES.values())


def test_unknown_choices_are_refused() -> None:
    with pytest.raises(UsageError, match="no choice called 'name'"):
        exactmatch.score("(a / b)", "(a / b)", name="mine")  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="no choice called 'nothing'"):
        exactmatch.score("(a / b)", "(a / b)", nothing="at all")  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="top is 'root'; the values are constant, attribute"):
        exactmatch.score("(a / b)", "(a / b)", top="root")  # type: ignore[call-overload]
    with pytest.raises(UsageError, match="top is 'root'"):
        Smatch(profile="mine", top="root")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="no profile"):
        exactmatch.score("(a / b)", "(a / b)", profile="smatch")
    own = Smatch(profile="mine", top="none")
    assert exactmatch.best_mapping("(a / b)", "(a / c)", metric=own).matched == 0


def test_what_is_no_triple_is_refused() -> None:
    """Compiled code would read arbitrary memory."""
    graph = exactmatch.loads("(a / b)")[0]
    for wrong in (5, ["/", (Variable("a"), Constant("b"))], Triple("/", ("a", "b"))):  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="not a tuple"):
            Smatch().normalise(graph._replace(triples=(wrong,)))  # type: ignore[arg-type]


def test_names_may_be_of_a_kind_of_strings() -> None:
    class Name(str):
        __slots__ = ()

    graph = exactmatch.loads("(a / b :ARG0 (c / d) :ARG1 c :kind only-here)")[0]
    edge = Triple(Name("ARG1"), (Variable(Name("a")), Variable(Name("c"))))
    attribute = Triple(Name("kind"), (Variable(Name("a")), Constant(Name("only-here"))))
    copied = graph._replace(triples=(*graph.triples[:-2], edge, attribute))
    metric = Smatch(case="keep")  # of which nothing is remembered yet
    assert metric.normalise(copied) == metric.normalise(graph)


def test_a_triple_of_three_arguments_is_no_triple_of_an_amr() -> None:
    graph = exactmatch.loads("(a / b)")[0]
    three = Triple("ARG0", (Variable("a"), Variable("a"), Constant("c")))
    with pytest.raises(ValueError, match="has two arguments, not 3"):
        Smatch.profiles["default"].normalise(graph._replace(triples=(*graph.triples, three)))


def test_the_older_smatch_of_amr_metric_suite() -> None:
    """Counts of the py3 smatch.py in flipz357/amr-metric-suite: 5 of 5 and 5, and 3 of 7 and 7.

    It keeps only the last of parallel triples, and counts the root with its concept.
    """
    system = [
        "(s / see-01 :ARG0 (b / Boy) :ARG1 b :quant 1 :quant 2)",
        '(p / person :domain (m / man) :mod (o / old) :name "Mary Ann" )',
    ]
    gold = [
        "(s / see-01 :ARG1 (b / boy) :quant 2)",
        '(m / man :mod (p / person :ARG0-of (o / old)) :name "Mary" )',
    ]
    found = exactmatch.score(system, gold, profile="amr-metric-suite")
    assert isinstance(found, exactmatch.CorpusScore)
    counts = [(pair.matched, pair.system_total, pair.gold_total) for pair in found.per_pair]
    assert counts == [(5, 5, 5), (3, 7, 7)]
