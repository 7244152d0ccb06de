"""Documents of AMR: the sentences of each node, and the pairs that may be mapped."""

import random
from itertools import product
from typing import Any, get_args

import pytest

import exactmatch
from exactmatch.errors import InputError
from exactmatch.graphs.graph import CONCEPT, Graph, Variable
from exactmatch.metrics.amr.documents import coreferent
from exactmatch.metrics.amr.sentence_sets import Rule, sentence_sets
from exactmatch.metrics.reaching import reaching
from exactmatch.metrics.smatch import Smatch

DOCUMENT = """(d / document
  :snt1 (a / go-02 :ARG0 (p / person :name (n / name :op1 "Ada")) :ARG4 (c / city))
  :snt2 (b / plan-01 :ARG0 p :ARG1 (s / swim-01 :ARG0 p :location c)
    :part (x / pool :mod (y / old)))
  :snt3 (e / like-01 :ARG0 (z / coref-entity :coref p :coref s) :ARG1-of (w / why-01)))"""


def sets(text: str, rule: Rule) -> dict[str, str]:
    (graph,) = exactmatch.loads(text)
    return {variable: "".join(keys) for variable, keys in sentence_sets(graph, rule).items()}


def test_sets_of_sentences_are_those_of_the_definition() -> None:
    assert sets(DOCUMENT, "aligned") == {
        "d": "root", "a": "1", "p": "12", "n": "12", "c": "12", "b": "2", "s": "2", "x": "2",
        "y": "2", "e": "3", "z": "3", "w": "3",
    }  # fmt: skip


def test_sets_of_sentences_may_be_those_of_docsmatch() -> None:
    # coref leads back, from what is in a chain to the node of the chain.
    assert sets(DOCUMENT, "aligned-docsmatch") == {
        "d": "root", "a": "1", "p": "12", "n": "12", "c": "12", "b": "2", "s": "2", "x": "2",
        "y": "2", "e": "3", "z": "123", "w": "3",
    }  # fmt: skip


def test_coref_as_docsmatch_in_the_order_of_nodes() -> None:
    # What the program says of both: z hangs from a alone, the first node that leads to it.
    nested = (
        "(d / document :snt1 (a / x :ARG0 (b / y :coref (z / w)) :coref z) :snt2 (c / v :ARG1 b))"
    )
    expected = {"d": "root", "a": "1", "b": "12", "z": "1", "c": "2"}
    assert sets(nested, "aligned-docsmatch") == expected
    inverse = "(d / document :snt1 (a / x) :snt2 (b / y :coref (z / w :ARG1 a :coref-of a)))"
    expected = {"d": "root", "a": "1", "b": "12", "z": "1"}
    assert sets(inverse, "aligned-docsmatch") == expected


@pytest.mark.parametrize("rule", get_args(Rule))
def test_what_is_no_document_is_one_sentence(rule: Rule) -> None:
    found = sets("(a / b :snt (c / d))", rule)
    by_order = {"a": "root1", "c": "1"}
    assert found == (by_order if rule == "aligned-by-order" else {"a": "root", "c": "root"})


def test_the_order_of_edges_makes_no_difference() -> None:
    text = "(d / document :snt1 (a / x :part (c / z)) :snt2 (b / y :part c))"
    turned = "(d / document :snt2 (b / y :part (c / z)) :snt1 (a / x :part c))"
    expected = {"a": "1", "b": "2", "c": "12", "d": "root"}
    assert sets(text, "aligned") == sets(turned, "aligned") == expected


def test_the_length_of_a_path_makes_no_difference() -> None:
    """Edges between sentences lead to c on a path of one, and on a path of two: both count."""
    text = "(d / document :snt1 (a / x :coref (c / z)) :snt2 (b / y :coref (e / w :part c)))"
    assert sets(text, "aligned") == {"a": "1", "b": "2", "c": "12", "d": "root", "e": "2"}


def test_what_other_edges_lead_to_is_no_matter_of_edges_between_sentences() -> None:
    text = "(d / document :snt1 (a / x :ARG0 (c / z)) :snt2 (b / y :coref (e / w :part c)))"
    assert sets(text, "aligned") == {"a": "1", "b": "2", "c": "1", "d": "root", "e": "2"}
    # Here c is reached along ARG0, but only behind coref: so part leads to it as well.
    chain = "(d / document :snt1 (a / x :coref (e / w :ARG0 (c / z))) :snt2 (b / y :part c))"
    assert sets(chain, "aligned") == {"a": "1", "b": "2", "c": "12", "d": "root", "e": "1"}


def test_nothing_leads_through_the_root() -> None:
    text = "(d / document :snt1 (a / x :ARG0 d) :snt2 (b / y))"
    assert sets(text, "aligned") == {"d": "root1", "a": "1", "b": "2"}


def test_bridging_does_not_make_a_node_coreferent() -> None:
    (graph,) = exactmatch.loads(
        "(d / document :snt1 (a / x :ARG0 (q / y :ARG1 (p / z))) :snt2 (b / x :ARG0 q) "
        ":snt3 (c / x :part p) :snt4 (e / x :subset p))"
    )
    assert coreferent(graph, sentence_sets(graph, "aligned")) == {"q"}


def test_sentences_may_be_aligned_by_order() -> None:
    numbered = DOCUMENT.replace("snt3", "snt7").replace("snt2", "snt5")
    assert sets(numbered, "aligned-by-order") == sets(DOCUMENT, "aligned")


def test_two_sentences_of_one_number() -> None:
    text = "(d / document :snt1 (a / b) :snt1 (c / e))"
    with pytest.raises(InputError, match=r":1: two sentences of a document are called :snt1"):
        exactmatch.score(text, text, sentences="aligned")


def _document(rng: random.Random, prefix: str, length: int) -> str:
    """Return a document of so many small sentences, linked at random."""
    names: list[str] = []
    sentences = []
    for number in range(1, 1 + length):
        parts = []
        for _ in range(rng.randrange(1, 3)):
            name = f"{prefix}{len(names)}"
            links = [
                f":{rng.choice(['ARG0', 'ARG1', 'ARG0-of', 'part', 'coref', 'mod'])} {other}"
                for other in rng.sample(names, min(len(names), rng.randrange(2)))
            ]
            names.append(name)
            parts.append(f"{name} / {rng.choice('xy')} {' '.join(links)}")
        first, *rest = parts
        nested = "".join(f" :{rng.choice(['ARG0', 'ARG1-of'])} ({part})" for part in rest)
        sentences.append(f":snt{number} ({first}{nested})")
    return f"({prefix} / document {' '.join(sentences)})"


def _best(system: str, gold: str, metric: Smatch) -> int:
    """Return the most that a mapping matches of variables that share a sentence, trying all."""
    (left,), (right,) = exactmatch.loads(system), exactmatch.loads(gold)
    free = Smatch()
    triples, others = free.normalise(left).triples, set(free.normalise(right).triples)
    rule = metric.sentences
    assert rule != "free"
    mine, theirs = _closure(left, rule), _closure(right, rule)
    images = [[None, *(w for w in theirs if mine[v] & theirs[w])] for v in mine]
    best = 0
    for chosen in product(*images):
        used = [image for image in chosen if image is not None]
        if len(set(used)) == len(used):
            mapping = dict(zip(mine, chosen, strict=True))
            renamed = {(t.label, tuple(mapping[v] for v in t.variables)) for t in set(triples)}
            best = max(best, len(renamed & {tuple(t) for t in others}))
    return best


BETWEEN = ("coref", "part", "subset")


def _add_as_docsmatch(
    edge: tuple[str, str, str], steps: list[tuple[str, str]], late: list[tuple[str, str]]
) -> None:
    relation, source, target = edge
    if relation == "mod":
        steps.append((source, target))
    elif relation.endswith("-of"):
        steps += [(source, target), (target, source)]
    else:
        (late if relation == "coref" else steps).append((source, target))
        if relation in BETWEEN:
            steps.append((target, source))


def _below(starts: set[str], steps: list[tuple[str, str]]) -> set[str]:
    found = set(starts)
    while more := {b for a, b in steps if a in found} - found:
        found |= more
    return found


def _closure(graph: Graph, rule: Rule) -> dict[str, set[str]]:
    """Return the sentences of each variable, by adding pairs until nothing changes."""
    edges = [
        (relation, ends[0][0], ends[1].name)
        for relation, ends, _ in graph.triples
        if relation != CONCEPT and isinstance(ends[1], Variable)
    ]
    (top,) = graph.tops
    steps: list[tuple[str, str]] = []
    late: list[tuple[str, str]] = []
    for edge in edges:
        if rule == "aligned-docsmatch":
            _add_as_docsmatch(edge, steps, late)
        elif edge[1] != top:
            (late if edge[0] in BETWEEN else steps).append(edge[1:])
    roots = {relation[3:]: target for relation, source, target in edges if source == top}
    start = {top} if rule == "aligned-docsmatch" else set(roots.values())
    if rule == "aligned-docsmatch":  # one after the other, once
        for a, b in late:
            if a in _below(start, steps) and b not in _below(start, steps):
                steps.append((a, b))
    else:  # what other edges lead to is known from the beginning
        known = _below(start, steps)
        steps += [(a, b) for a, b in late if b not in known]
    found: dict[str, set[str]] = {variable: set() for variable in graph.variables}
    found[top].add("root")
    for number, root in roots.items():
        for variable in _below({root}, steps):
            found[variable].add(number)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("rule", get_args(Rule))
def test_aligned_optima_are_the_best_of_all_mappings(rule: Rule) -> None:
    rng = random.Random(20)
    less = 0
    for _ in range(28):
        length, other = rng.randrange(1, 4), rng.randrange(1, 4)
        if rule != "aligned-by-order":
            other = length
        system, gold = _document(rng, "a", length), _document(rng, "b", other)
        metric = Smatch().with_choices(sentences=rule)
        score = exactmatch.score(system, gold, metric=metric, certificates=False)
        wanted = _best(system, gold, metric)
        assert (score.matched, score.matched_upper) == (wanted, wanted)
        free = exactmatch.score(system, gold).matched
        assert free >= wanted
        less += free > wanted
        assert exactmatch.score(system, system, metric=metric).f1 == 1
    assert less > 0


def test_one_sentence_is_free() -> None:
    rng = random.Random(4)
    for _ in range(10):
        system, gold = (_document(rng, name, 1) for name in "ab")
        for rule in get_args(Rule):
            constrained = exactmatch.score(system, gold, sentences=rule)
            assert constrained.matched == exactmatch.score(system, gold).matched


def test_a_number_of_many_digits_is_no_sentence() -> None:
    text = f"(d / document :snt{'1' * 5000} (a / b))"
    assert sets(text, "aligned") == {"d": "root", "a": "root"}


def test_of_several_tops_the_first_is_the_document() -> None:
    (graph,) = exactmatch.loads(DOCUMENT)
    several = graph._replace(tops=("d", "a"))
    assert sentence_sets(several, "aligned") == sentence_sets(graph, "aligned")


def test_without_links_a_document_is_the_sum_of_its_sentences() -> None:
    # The edge :snt counts in the place of the root of a sentence; the root and its concept are two.
    rng = random.Random(11)
    for _ in range(20):
        sentences = [
            [_document(rng, f"{side}{n}", 1).partition(":snt1 ")[2][:-1] for n in range(1, 4)]
            for side in "ab"
        ]
        system, gold = (
            f"(d / document {' '.join(f':snt{n} {one}' for n, one in enumerate(side, start=1))})"
            for side in sentences
        )
        alone = exactmatch.score(*sentences, profile="smatch-1.0.4").matched
        assert exactmatch.score(system, gold, profile="docsmatch").matched == alone + 2


@pytest.mark.parametrize("solver", ["cpsat", "maxsat", "ilp"])
def test_solvers_agree(solver: Any) -> None:
    rng = random.Random(12)
    for _ in range(8):
        pair = _document(rng, "a", 3), _document(rng, "b", 3)
        found = exactmatch.best_mapping(*pair, sentences="aligned", solver=solver)
        assert found.matched == exactmatch.best_mapping(*pair, sentences="aligned").matched
        assert found.gap == 0


def test_sentences_lead_to_all_that_their_roots_reach() -> None:
    """Walk from each root, by the definition; cycles and shared nodes included."""
    rng = random.Random("sentences")
    for _ in range(300):
        nodes = [f"x{k}" for k in range(rng.randint(1, 9))]
        steps = {node: rng.choices(nodes, k=rng.randrange(3)) for node in nodes}
        roots = rng.choices(nodes, k=rng.randint(1, 4))
        found = reaching(roots, steps)
        for place, root in enumerate(roots):
            reached, waiting = {root}, [root]
            while waiting:
                new = {*steps[waiting.pop()]} - reached
                reached |= new
                waiting += new
            assert reached == {node for node, bits in found.items() if bits >> place & 1}
