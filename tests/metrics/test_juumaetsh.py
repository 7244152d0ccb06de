"""juːmæʧ: its rules one by one, and the figures of its program.

Figures of the program are the output of ``compare_umr.pl`` of ufal/umrtools (4377bc4, 2026-06-29)
for these files.
"""

import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from nightly import by_day, day_share
from oracles import ranked_links
from seeds import cases
from umr_pairs import random_pair

import exactmatch
from exactmatch.cli import main
from exactmatch.errors import UsageError
from exactmatch.graphs.graph import CONCEPT
from exactmatch.metrics import juumaetsh
from exactmatch.metrics.juumaetsh import UMRTOOLS_2026
from exactmatch.metrics.registry import metric_for
from exactmatch.metrics.umr import mapping_rules as symmetrisation
from exactmatch.metrics.umr.mapping_rules import Symmetrisation
from exactmatch.metrics.umr.nodes import Nodes, UmrNode, Value
from exactmatch.scoring.results import CorpusScore

#: matched, of the system, of the gold standard
Counts = tuple[int, int, int]


def sentence(
    graph: str, surface: str = "", level: str = "", *, words: str = "a b", k: int = 1
) -> str:
    blocks = [
        f"# :: snt{k}\nWords: {words}",
        f"# sentence level graph:\n{graph}",
        "# alignment:\n" + surface.replace("; ", "\n"),
        f"# document level annotation:\n{level}",
    ]
    return "\n\n".join(block.strip() for block in blocks) + "\n\n\n"


def score(system: str, gold: str, **choices: Any) -> CorpusScore:
    return exactmatch.score(system, gold, metric="umatch", profile="umrtools-2026", **choices)


def counts(system: str, gold: str, **choices: Any) -> Counts:
    found = score(system, gold, **choices)
    assert found.matched == found.matched_upper
    return found.matched, found.system_total, found.gold_total


def mapping(system: str, gold: str) -> dict[str, str]:
    (pair,) = score(system, gold).per_pair
    return dict(pair.mapping)


def test_it_is_a_profile_of_umatch() -> None:
    assert metric_for("UMR", "umatch").profiles["umrtools-2026"] is UMRTOOLS_2026


@pytest.mark.parametrize(
    "gold, system, surface, survivor",
    [
        ("(s1g / x :p 1 :q 2)", "(s1b / x :r (s1c / y :p 1 :q 2))", "1-1", "s1b"),
        ("(s1g / x :p 1)", "(s1b / x :r (s1c / x :p 1))", "1-1", "s1c"),
        ("(s1g / x :p 1)", "(s1b / x :r (s1c / x :p 2))", "1-1", "s1c"),
        ("(s1g / x)", "(s1b / x :r (s1c / x))", "2-2", "s1c"),
        ("(s1c / x)", "(s1b / x :r (s1c / x))", "1-1", "s1c"),
        ("(s1g / x)", "(s1b / x :r (s1a / x))", "1-1", "s1a"),
    ],
    ids=["concepts", "values", "roles", "length of text", "same name", "code points"],
)
def test_which_link_survives(gold: str, system: str, surface: str, survivor: str) -> None:
    """Each pair differs in one rule; the later rules would choose the other link."""
    variable, other = gold[1:4], "s1a" if "s1a" in system else "s1c"
    ours = sentence(system, f"s1b: 1-1; {other}: {surface}", words="a bbb")
    theirs = sentence(gold, f"{variable}: 1-2", words="a bbb")
    assert mapping(ours, theirs) == {survivor: variable}


def test_roles_to_nodes_match_where_these_are_linked() -> None:
    """Both children share a token with both others; the roles that lead to them decide."""
    gold = "(s1a / x :ARG0 (s1b / y) :ARG1 (s1c / y))"
    system = "(s1a / x :ARG1 (s1b / y) :ARG0 (s1c / y))"
    surface = "s1a: 1-1; s1b: 2-2; s1c: 2-2"
    # The rules are not good at it: children look alike, names decide, and the roles are lost.
    assert mapping(sentence(system, surface), sentence(gold, surface)) == {
        "s1a": "s1a", "s1b": "s1b", "s1c": "s1c",
    }  # fmt: skip
    assert counts(sentence(system, surface), sentence(gold, surface)) == (3, 5, 5)


def test_values_are_compared_with_links_that_are_about_to_go() -> None:
    """Links that a node has lost at their other end count until it is looked at."""
    gold = "(s1a / say-01 :ARG1 (s1b / person) :op1 (s1c / say-01))"
    below = "(s1b / and :ARG1 (s1d / say-02) :op1 3)"
    system = f"(s1a / and :ARG0-of {below} :mod (s1c / person) :ARG1 (s1e / person))"
    surface = "s1a: 1-1; s1b: 1-1; s1c: 1-1"
    found = mapping(sentence(system, f"{surface}; s1e: 1-1"), sentence(gold, surface))
    assert found == {"s1a": "s1a", "s1b": "s1c", "s1c": "s1b"}


def test_names_decide_in_both_orders() -> None:
    """Among equal links, those with ``s1a`` of the gold standard and ``s1d`` come first."""
    gold = sentence("(s1a / x :ARG0-of (s1b / y))", "s1a: 1-1; s1b: 2-2, 1-1", words="a a")
    system = sentence("(s1a / z :op1 (s1c / u) :op2 (s1d / v))", "s1c: 2-2; s1d: 1-1", words="a a")
    assert mapping(system, gold) == {"s1c": "s1b", "s1d": "s1a"}


def test_a_concept_that_is_spelled_like_a_variable() -> None:
    text = sentence("(s1a / s1b :r (s1b / x))", "s1a: 1-1")
    assert counts(text, text) == (3, 3, 3)
    assert counts(sentence("(s1a / s1b :r (s1b / y))", "s1a: 1-1"), text) == (1, 3, 3)


def test_nodes_without_tokens_are_linked_among_themselves() -> None:
    """They are linked only to each other, by concepts; names by their operands, op10 first."""
    gold = sentence('(s1x / name :op2 "b" :op10 "a")')
    same = sentence('(s1y / name :op10 "a" :op2 "b")')
    assert counts(same, gold) == (3, 3, 3)
    assert counts(sentence('(s1y / name :op1 "b" :op2 "a")'), gold) == (0, 3, 3)
    assert counts(sentence('(s1y / name :op10 "a" :op2 "b")', "s1y: 1-1"), gold) == (0, 3, 3)
    assert counts(sentence("(s1y / other)"), sentence("(s1y / one)")) == (0, 1, 1)


def test_tokens_beyond_the_sentence() -> None:
    """Such tokens link no nodes, but a node aligned only with them counts as aligned."""
    found = score(sentence("(s1a / x)", "s1a: 3-3"), sentence("(s1a / x)", "s1a: 2-3"))
    assert found.matched == 0
    assert found.breakdown["token sets"] == (0, 1, 1)
    assert counts(sentence("(s1a / x)", "s1a: 3-3"), sentence("(s1a / x)")) == (0, 1, 1)


def test_values_match_as_often_as_both_sides_have_them() -> None:
    """Values count without quotes and empty strings, as often as both sides have them."""
    gold = sentence('(s1a / x :p "v" :p v :q "" :ARG0-of (s1b / y))', "s1a: 1-1; s1b: 2-2")
    same = '(s1a / x :p v :p "v" :p v :q "" :ARG0-of (s1b / y))'
    assert counts(sentence(same, "s1a: 1-1; s1b: 2-2"), gold) == (5, 6, 5)
    turned = "(s1b / y :P v :ARG0 (s1a / x))"
    assert counts(sentence(turned, "s1a: 1-1; s1b: 2-2"), gold) == (2, 4, 5)


def test_only_some_roles_of_the_document_count() -> None:
    level = "(s1s0 / sentence :temporal ((author :before s1a) (s1a :after author)))"
    text = sentence("(s1a / x :p 1 :q 2)", "s1a: 1-1", level)
    assert counts(text, text) == (5, 5, 5)
    assert counts(text, text, top="attribute") == (6, 6, 6)
    assert counts(text, text, document_level="ignore") == (3, 3, 3)
    assert counts(text, text, only="concept,:q,before") == (3, 3, 3)
    assert counts(text, text, only="p,TOP", top="attribute") == (2, 2, 2)
    assert counts(text, text, excluding="concept,after") == (3, 3, 3)
    assert counts(text, text, only="p,q", excluding="q") == (1, 1, 1)
    with pytest.raises(UsageError, match="every role that could count is excluded"):
        UMRTOOLS_2026.with_choices(only="p", excluding="p")
    with pytest.raises(UsageError, match="expected names of roles"):
        UMRTOOLS_2026.with_choices(only=3)


def test_what_is_shown_beside_the_score() -> None:
    gold = sentence("(s1a / x :p 1 :r (s1b / y :q 2))", "s1a: 1-1; s1b: 2-2")
    system = sentence("(s1a / x :p 2 :r (s1b / y) :t (s1c / z))", "s1a: 1-1; s1c: 1-2")
    found = score(system, gold)
    shown = {name: tuple(found.breakdown[name]) for name in found.breakdown}
    assert shown == {
        "concept": (1, 3, 2),
        "attribute": (0, 1, 2),
        "relation": (0, 2, 1),
        "document level": (0, 0, 0),
        "token sets": (1, 2, 2),
        "mapped nodes": (2, 3, 2),
        "values in mapped nodes": (1, 5, 5),
    }


#: Two documents: in both, the second sentence says that its node is that of the first.
SAME = "(s2s0 / sentence :coref ((s1a :same-entity s2a)))"
DOCUMENT = sentence("(s1a / x)", "s1a: 1-1") + sentence("(s2a / y)", "s2a: 1-1", SAME, k=2)


def test_the_last_variable_of_a_name_wins() -> None:
    """In the first document, ``s1a`` is a variable of the second one, and not mapped yet."""
    twice = DOCUMENT + DOCUMENT
    assert counts(DOCUMENT, DOCUMENT) == (3, 3, 3)
    assert counts(twice, twice) == (5, 6, 6)
    assert counts(twice, twice, scope="document") == (6, 6, 6)


def test_what_does_not_match_is_in_the_total_of_the_system_by_its_own_image() -> None:
    """In one file, the name is a variable of a later sentence; in the other, it is none."""
    with_variable = sentence("(s1b / x)", "", "(s1s0 / sentence :modal ((author :sees s2a)))")
    with_variable += sentence("(s2a / y)", k=2)
    without = with_variable.replace("(s2a / y)", "(s2b / y)")
    assert counts(without, with_variable) == (2, 2, 3)
    assert counts(with_variable, without) == (3, 4, 3)
    assert counts(without, with_variable, scope="document") == (2, 3, 3)
    assert counts(with_variable, without, scope="document") == (2, 3, 3)


def test_damage_costs_the_program_all_that_comes_after_it() -> None:
    """With the graph, the program loses everything after it; with the alignment, it loses less."""
    level = "(s1s0 / sentence :modal ((author :sees s1a)))"
    text = sentence("(s1a / x)", "s1a: 1-1", level)
    choices = {"top": "attribute"}
    assert counts(text, text, **choices) == (3, 3, 3)
    damaged = text.replace("/ x)", "/ x) x")
    assert counts(damaged, damaged, **choices) == (1, 1, 1)
    assert counts(damaged, text, **choices) == (0, 1, 3)
    assert counts(damaged, damaged, scope="document", **choices) == (3, 3, 3)
    other = damaged.replace("/ x)", "/ y)")
    assert mapping(other, damaged) == {"s1a": "s1a"} and mapping(other, text) == {}
    later = sentence("(s2a / y)", "", "(s2s0 / sentence :coref ((s1a :same-entity s2a)))", k=2)
    assert counts(damaged + later, damaged + later) == (3, 3, 3)  # it is no variable there
    assert counts(other + later, text + later) == (1, 2, 4)
    damaged = text.replace("1-1", "1-1\ns1b: 2-2")
    assert counts(damaged, damaged, **choices) == (2, 2, 2)
    assert counts(damaged, text, scope="document", **choices) == (3, 3, 3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "choices, wanted",
    by_day(
        [
            ({}, (961, 2197, 2015)),
            ({"top": "attribute"}, (1042, 2340, 2158)),
            ({"document_level": "ignore"}, (716, 1561, 1413)),
            ({"only": "concept,ARG0,before,TOP", "top": "attribute"}, (398, 819, 803)),
            ({"excluding": "mod,concept,overlap"}, (611, 1479, 1359)),
        ]
    ),
    ids=["default", "top", "without document level", "only", "except"],
)
def test_random_files_score_what_the_program_says(choices: dict[str, str], wanted: Counts) -> None:
    pairs = [random_pair(seed) for seed in range(60)]
    found = [counts(system, gold, **choices) for system, gold in pairs]
    assert tuple(map(sum, zip(*found, strict=True))) == wanted


@pytest.mark.slow
def test_scoped_by_document_files_are_themselves_and_can_be_swapped() -> None:
    for system, gold in map(random_pair, range(cases(30))):
        _, total, same_total = itself = counts(gold, gold, scope="document")
        assert itself == (total, total, same_total) and total == same_total
        forth = counts(system, gold, scope="document")
        assert forth == tuple(counts(gold, system, scope="document")[k] for k in (0, 2, 1))


def random_nodes(rng: random.Random, names: list[str], tokens: int) -> Nodes:
    """Return nodes that share tokens and are connected, so that many links compete."""
    chosen = sorted(rng.sample(names, rng.randint(1, len(names))))
    return {
        name: UmrNode(
            name,
            name,
            tuple(
                Value(
                    rng.choice([CONCEPT, "A", "B"]),
                    rng.choice([*chosen, *chosen, "x", ""]),
                )
                for _ in range(rng.randrange(5))
            ),
            rng.choice(["", "p", "q"]),
            rng.choice([None, *[tuple(rng.sample(range(1, tokens + 2), 2))] * 4]),
            rng.choice([0, 1, 5]),
        )
        for name in chosen
    }


@pytest.mark.slow
def test_links_are_resolved_as_if_all_were_ranked_anew_each_time() -> None:
    rng = random.Random("links that compete")
    names = ["a", "b", "ab", "ba", "aa", "aab", "baa", "c"]  # some make the same text together
    for _ in range(day_share(1000)):
        tokens = rng.randint(1, 4)
        gold, system = (random_nodes(rng, names, tokens) for _ in range(2))
        found = Symmetrisation(gold, system, tokens, lambda _: True)
        assert found.resolve() == ranked_links.resolved(gold, system, tokens, CONCEPT)


def test_a_sentence_with_too_many_links_is_an_error_that_can_be_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symmetrisation, "MOST_LINKS", 3)
    monkeypatch.setattr(juumaetsh, "MOST_LINKS", 3)
    few = sentence("(s1a / x :p (s1b / y))", "s1a: 1-1; s1b: 2-2")
    many = sentence("(s1a / x :p (s1b / y))", "s1a: 1-2; s1b: 1-2")
    assert score(few, few).value == 1
    files = [tmp_path / f"{name}.umr" for name in "ab"]
    for file in files:
        file.write_text(many, encoding="utf-8")
    command = ["score", *map(str, files), "--metric", "umatch", "--profile", "umrtools-2026"]
    said = "more than 3 pairs of nodes share a token or a concept, too many for the rules of juːmæʧ"
    for more in ([], ["--on-error", "skip"]):
        result = CliRunner().invoke(main, [*command, *more], catch_exceptions=False)
        assert result.exit_code == 1
        assert f"{files[1]}:1: sentence 1: {said}" in result.stderr
        assert ("pairs skipped: 1" in result.stdout) == bool(more)


@pytest.mark.parametrize("concept, images", [("x", {"s1a": "s1b"}), ("y", {})])
def test_a_notebook_says_that_nodes_were_mapped_by_rules(
    concept: str, images: dict[str, str]
) -> None:
    """This also holds if the rules map no nodes."""
    (pair,) = score(sentence("(s1a / x)"), sentence(f"(s1b / {concept})")).per_pair
    assert pair.mapping == images
    assert ": mapped by rules; other mappings may match more</caption>" in pair._repr_html_()
