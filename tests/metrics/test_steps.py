"""Standardisation, rule by rule, on tiny graphs: the effect of each choice."""

import random
from collections import Counter
from pathlib import Path

import pytest

import exactmatch
from exactmatch.graphs.graph import CONCEPT, Argument, Constant, Graph, Triple, Variable
from exactmatch.metrics.amr import standardise as steps
from exactmatch.metrics.amr.reifications import NAMED, Reification, named_table
from exactmatch.metrics.amr.standardise import Triples
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import NormalisedGraph

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
DEFAULT = Smatch.profiles["default"]
SMATCHPP = Smatch.profiles["smatchpp-1.8-amr"]


def normalised(text: str, **choices: str) -> NormalisedGraph:
    (graph,) = exactmatch.loads(text)
    return DEFAULT.with_choices(**choices).normalise(graph)


def assert_same(text: str, other: str, **choices: str) -> None:
    """Assert that *text* is standardised to *other* as it is written."""
    found, expected = normalised(text, **choices), normalised(other)
    assert Counter(found.triples) == Counter(expected.triples)
    assert sorted(found.variables) == sorted(expected.variables)


@pytest.mark.parametrize(
    "text, other",
    [
        ("(d / dog :ARG1-of (o / own-01 :ARG0 (i / i)))", "(d / dog :poss (i / i))"),
        ("(i / i :ARG0-of (o / own-01 :ARG1 (d / dog)))", "(i / i :poss-of (d / dog))"),
        ("(g / go-01 :ARG1-of (h / have-polarity-91 :ARG2 -))", "(g / go-01 :polarity -)"),
        ("(g / go-01 :ARG1-of (h / HAVE-Polarity-91 :arg2 -))", "(g / go-01 :polarity -)"),
        # A constant may be the source: (5 :mod b).
        ("(b / b :ARG2-of (h / have-mod-91 :ARG1 5))", "(b / b :mod-of 5)"),
        ("(b / b :ARG2-of (h / have-mod-91 :ARG1 5))", "(b / b :domain 5)"),
        ("(b / b :ARG1-of (h / have-mod-91 :ARG2 (c / c)))", "(b / b :mod (c / c))"),
        ("(b / b :ARG2-of (h / have-mod-91 :ARG1 (c / c)))", "(b / b :domain (c / c))"),
        # Several at once, of one source, and of one another.
        (
            "(b / b :ARG1-of (h / age-01 :ARG2 3) :ARG1-of (q / have-quant-91 :ARG2 4))",
            "(b / b :age 3 :quant 4)",
        ),
        (
            "(b / b :ARG1-of (h / have-part-91"
            " :ARG2 (c / c :ARG1-of (q / have-quant-91 :ARG2 4))))",
            "(b / b :part (c / c :quant 4))",
        ),
        # Both roles lead to the same variable.
        ("(b / b :ARG1-of (h / have-part-91 :ARG2 b))", "(b / b :part b)"),
    ],
)
def test_reified_relations_are_collapsed(text: str, other: str) -> None:
    assert_same(text, other, reification="collapse")


@pytest.mark.parametrize(
    "text",
    [
        "(h / have-quant-91 :ARG1 (b / b) :ARG2 3)",  # the root
        "(b / b :ARG1-of (h / have-quant-91 :ARG2 3) :ARG0 h)",  # something leads to it
        "(b / b :ARG1-of (h / have-quant-91 :ARG2 3 :ARG0 (c / c)))",  # another role
        "(b / b :ARG1-of (h / have-quant-91 :ARG2 3 :mod 5))",
        "(b / b :ARG1-of (h / have-quant-91 :ARG2 3 :ARG2 3))",  # a role twice
        "(b / b :ARG1-of (h / have-quant-91 :ARG2 3 :ARG1 (c / c)))",
        "(b / b :ARG1 (h / have-quant-91 :ARG2 3))",
        "(b / b :ARG1-of (h / have-quant-91))",  # a role is missing
        "(b / b :ARG2-of (h / have-quant-91 :ARG0 3))",
        "(b / b :ARG1-of (h / have-quant-91 :ARG2 h))",  # it leads to itself
        "(b / b :ARG1-of (h / go-01 :ARG2 3))",  # no rule
        "(b / b :ARG1-of (h / have-degree-91 :ARG2 3))",  # not in this table
    ],
)
def test_what_no_rule_applies_to_is_not_collapsed(text: str) -> None:
    assert_same(text, text, reification="collapse")


def test_all_is_collapsed_in_one_pass() -> None:
    """The outer node has a triple more until the inner one is collapsed; so it stays."""
    text = "(b / b :ARG1-of (h / have-part-91 :ARG2 (c / c) :ARG1-of (q / have-quant-91 :ARG2 4)))"
    once = normalised(text, reification="collapse")
    assert once.variables == ("b", "h", "c")
    inner = "(b / b :ARG1-of (h / have-part-91 :ARG2 (c / c) :quant 4))"
    assert_same(text, inner, reification="collapse")


def test_a_node_between_constants_stays() -> None:
    (graph,) = exactmatch.loads("(a / b)")
    node = Variable("h")
    added = [
        Triple(CONCEPT, (node, Constant("have-quant-91"))),
        Triple("ARG1", (node, Constant("3"))),
        Triple("ARG2", (node, Constant("4"))),
    ]
    both = graph._replace(variables={"a": "", "h": ""}, triples=(*graph.triples, *added))
    metric = DEFAULT.with_choices(reification="collapse")
    assert metric.normalise(both) == DEFAULT.normalise(both)


@pytest.mark.parametrize(
    "text, other",
    [
        ("(d / dog :poss (i / i))", "(d / dog :ARG1-of (x / own-01 :ARG0 (i / i)))"),
        ("(d / dog :poss-of (i / i))", "(d / dog :ARG0-of (x / own-01 :ARG1 (i / i)))"),
        ("(d / dog :mod (i / i))", "(d / dog :ARG1-of (x / have-mod-91 :ARG2 (i / i)))"),
        ("(d / dog :domain (i / i))", "(d / dog :ARG2-of (x / have-mod-91 :ARG1 (i / i)))"),
        ("(d / dog :quant 3)", "(d / dog :ARG1-of (x / have-quant-91 :ARG2 3))"),
        ("(d / dog :mod 5)", "(d / dog :ARG1-of (x / have-mod-91 :ARG2 5))"),
        ("(d / dog :mod-of 5)", "(d / dog :ARG2-of (x / have-mod-91 :ARG1 5))"),
        ("(d / dog :quant 3 :quant 3)", "(d / dog :ARG1-of (x / have-quant-91 :ARG2 3)"
         " :ARG1-of (y / have-quant-91 :ARG2 3))"),
        ("(d / dog :beneficiary (i / i))", "(d / dog :ARG0-of (x / benefit-01 :ARG1 (i / i)))"),
        ("(d / dog :ARG0 (i / i) :op1 5)", "(d / dog :ARG0 (i / i) :op1 5)"),
    ],
)  # fmt: skip
def test_relations_are_expanded(text: str, other: str) -> None:
    metric = DEFAULT.with_choices(reification="expand", duplicates="multiset")
    found = exactmatch.best_mapping(text, other, metric=metric)
    plain = exactmatch.best_mapping(other, other, duplicates="multiset")
    assert found.matched == found.system_total == found.gold_total == plain.matched


def test_a_new_variable_is_called_after_what_it_was() -> None:
    found = normalised(
        "(d / dog :quant 3 :quant 4 :op1 x)", reification="expand", constants="nodes"
    )
    new = ("d:quant", "d:quant:2", "d:quant:arg2", "d:quant:2:arg2", "d:op1")
    assert found.variables == ("d", *new)


def test_wiki_links_may_be_left_out() -> None:
    text = '(p / person :wiki "A" :name (n / name :op1 "A") :ARG0-of (c / c :wiki -))'
    other = '(p / person :name (n / name :op1 "A") :ARG0-of (c / c))'
    assert_same(text, other, wiki="drop")


def test_coordination_may_be_without_an_order() -> None:
    text = "(a / AND :op1 (b / b) :op12 5 :opposite (c / or :op2 (d / d :op1 7)) :op (e / e))"
    found = normalised(text, coordination="unordered")
    labels = Counter(t.label for t in found.triples if t.kind in ("relation", "attribute"))
    assert labels == {
        ("relation", "op"): 3,
        ("attribute", "op", "5"): 1,
        ("relation", "opposite"): 1,
        ("attribute", "op1", "7"): 1,  # d is no coordination
    }
    assert_same("(n / name :op1 A :op2 B)", "(n / name :op1 A :op2 B)", coordination="unordered")
    # An operand that is a coordination itself.
    nested = normalised("(a / and :op1-of (b / b) :op2-of (o / or))", coordination="unordered")
    assert {t.label: t.variables for t in nested.triples if t.kind == "relation"} == {
        ("relation", "op1"): ("b", "a"),
        ("relation", "op"): ("o", "a"),
    }


def test_senses_may_be_left_out() -> None:
    text = "(g / go-01 :ARG0 (h / have-org-role-91 :op1 a-01 :ARG1 (x / mid-90s)))"
    found = normalised(text, senses="drop", top="concept")
    concepts = [t.label for t in found.triples if t.kind == "instance"]
    assert concepts == [("instance", c) for c in ("go", "have-org-role", "mid-90s")]
    assert ("top", "go") in {t.label for t in found.triples}
    assert ("attribute", "op1", "a-01") in {t.label for t in found.triples}


def test_constants_may_be_nodes() -> None:
    text = "(a / b :polarity - :op1 b :op2-of 5)"
    for value, kept in (("nodes", set()), ("nodes-smatchpp-1.8", {"b", "5"})):
        found = normalised(text, constants=value)
        concepts = {t.name for t in found.triples if t.kind == "instance"}
        attributes = {t.label[2] for t in found.triples if t.kind == "attribute"}
        assert (concepts, attributes) == ({"b", "-", "5"} - (kept - {"b"}), kept)
        assert len(found.triples) == 5 + 3 - len(kept)
    ends = {t.label[1]: t.variables for t in normalised(text, constants="nodes").triples[1:-1]}
    assert (ends["op1"], ends["op2"]) == (("a", "a:op1"), ("a:op2", "a"))


def test_steps_in_their_order() -> None:
    """Concepts lose their senses after the rules have read them; nodes come from the rest."""
    text = '(g / go-01 :ARG1-of (h / have-polarity-91 :ARG2 -) :wiki "A")'
    choices = {"reification": "collapse", "senses": "drop", "wiki": "drop", "constants": "nodes"}
    found = normalised(text, **choices)
    assert [t.label for t in found.triples] == [
        ("instance", "go"),
        ("relation", "polarity"),
        ("instance", "-"),
        ("top",),
    ]


# Whole graphs: what is expanded can be collapsed.


#: Roles whose rule is the only one of its concept, in both directions.
def unambiguous(name: str) -> list[Reification]:
    rules = named_table(name).rules
    roles, concepts = (Counter(rule[place] for rule in rules) for place in (0, 1))
    return [rule for rule in rules if roles[rule.role] == concepts[rule.concept] == 1]


def random_triples(rng: random.Random, rules: list[Reification]) -> Triples:
    """Return a connected graph, most of whose roles have a rule."""
    names = [f"v{k}" for k in range(rng.randint(1, 6))]
    triples = []

    for k, name in enumerate(names):
        triples.append(Triple(CONCEPT, (Variable(name), Constant(rng.choice("pqr")))))
        others: list[Argument] = [Constant("-"), *map(Variable, names)]
        more = [rng.choice(others) for _ in range(rng.randrange(3))]
        for other in [*map(Variable, names[:k][-1:]), *more]:
            ends = (Variable(name), other) if rng.random() < 0.5 else (other, Variable(name))
            role = rng.choice(rules).role if rng.random() < 0.8 else "ARG0"
            triples.append(Triple(role, ends))
    return Triples(names, triples)


@pytest.mark.parametrize("name", NAMED)
def test_collapsing_undoes_expanding(name: str) -> None:
    rules = unambiguous(name)
    by_role = {rule.role: rule for rule in rules}
    by_concept = {rule.concept: rule for rule in rules}
    assert len(rules) == {"penman-1.3.1": 29, "smatchpp-1.8": 28}[name]
    rng = random.Random(name)
    longer = 0
    for _ in range(300):
        graph = random_triples(rng, rules)
        expanded = steps.expanded(graph, by_role)
        assert not {t.relation for t in expanded.triples} & by_role.keys()
        longer += len(expanded.triples) > len(graph.triples)
        assert steps.collapsed(expanded, by_concept, graph.variables[:1]) == graph
    assert longer > 250


def as_graph(graph: Graph, metric: Smatch) -> Graph:
    """Return *graph* as *metric* standardises it."""
    found = metric.normalise(graph)
    triples = []
    for triple in found.triples:
        ends = tuple(map(Variable, triple.variables))
        if triple.kind == "instance":
            triples.append(Triple(CONCEPT, (*ends, Constant(triple.name))))
        elif triple.kind == "attribute":
            triples.append(Triple(triple.name, (*ends, Constant(triple.label[2]))))
        elif triple.kind == "relation":
            triples.append(Triple(triple.name, ends))
    return graph._replace(variables=dict.fromkeys(found.variables, ""), triples=tuple(triples))


@pytest.mark.parametrize(
    "choices",
    [
        {"reification": "collapse"},
        {"reification": "expand"},
        {"reification": "expand", "reification_table": "smatchpp-1.8", "constants": "nodes"},
        {"coordination": "unordered"},
        {"wiki": "drop", "senses": "drop"},
    ],
)
def test_a_graph_and_what_it_is_standardised_to_are_the_same(choices: dict[str, str]) -> None:
    metric = DEFAULT.with_choices(**choices)
    changed = 0
    for name in ("a", "b"):
        for graph in exactmatch.load(INSTANCES / "agreement" / f"{name}.amr"):
            standard = as_graph(graph, metric)
            changed += standard.triples != as_graph(graph, DEFAULT).triples
            found = exactmatch.best_mapping(graph, standard, metric=metric)
            assert found.status == "optimal"
            assert found.matched == found.system_total == found.gold_total
    assert changed > 0 or choices == {"reification": "collapse"}


def test_a_consensus_is_of_graphs_as_they_are_written() -> None:
    """A node of one graph is mapped to the target of a role in the other, which is no variable."""
    texts = [
        "(c / car :quant 3)",
        "(c / car :quant 3)",
        "(c / car :ARG1-of (h / have-quant-91 :ARG2 3))",
    ]
    found = exactmatch.consensus(texts, reification="expand", threshold=0.3)
    assert {name for vote in found.triples for name in vote.variables} == {"c", "h"}
    assert found.to_penman().split() == [
        *("(c", "/", "car", ":quant", "3", ":ARG1-of", "(h", "/", "have-quant-91", ":ARG2", "3))")
    ]
