"""Smatch on SBN: counts of the published programs, and each step from graph to triples."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from nightly import day_share
from oracles.sbn_as_penman import penman

import exactmatch
from exactmatch.errors import ExactmatchError
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import NormalisedGraph

PMB_5, TABS, UD_BOXER = (Smatch.profiles[name] for name in ("pmb-5", "pmb-5-tabs", "ud-boxer"))
AS_SMATCH = Smatch.profiles["smatch-1.0.4"].with_choices(top="none")

CONCEPTS = ("a.n.01", "A.n.01", "a.n.02", "b_.v.01", "c.d.a.03", "e.x.01", "box.n.01")
ROLES = ("Agent", "AttributeOf", "FeatureOf", "PartOf", "Of", "Result", "Name", "EQU")
CONSTANTS = ("now", "'2008'", "2008", '"New York"', '"New Jersey"', "s1", '"s1 x"', "+", "B_")
RELATIONS = ("NEGATION", "RESULT", "CONTINUATION")


def random_texts(number: int) -> Iterator[Graph]:
    """Yield graphs of texts, some with parallel edges or unreachable parts."""
    rng = random.Random("sbn")
    while number:
        words = []
        for _ in range(rng.randint(1, 5)):
            if rng.random() < 0.3:
                words += [rng.choice(RELATIONS), rng.choice(("<0", "<1", "<1", "<2"))]
            words.append(rng.choice(CONCEPTS))
            for _ in range(rng.randint(0, 3)):
                target = rng.choice((*CONSTANTS, "-1", "-1", "-2", "+1", "+2", "<0"))
                words += [rng.choice(ROLES), target]
        try:
            (graph,) = exactmatch.loads(" ".join(words))
        except ExactmatchError:  # indices that lead nowhere, and cycles
            continue
        yield graph
        number -= 1


def counted(graph: NormalisedGraph) -> Counter[tuple[object, ...]]:
    return Counter((*triple.label, *triple.variables) for triple in graph.triples)


def of_text(text: str, metric: Smatch) -> Counter[tuple[object, ...]]:
    (graph,) = exactmatch.loads(text)
    return counted(metric.normalise(graph))


@pytest.mark.slow
def test_the_triples_are_those_of_smatch_on_what_the_program_writes() -> None:
    turned = parallel = lost = 0
    tried = day_share(400)
    for graph in random_texts(tried):
        written = penman(graph)
        (amr,) = exactmatch.loads(written.replace("\t", " "))
        triples = PMB_5.normalise(graph)
        assert counted(triples) == counted(AS_SMATCH.normalise(amr))
        turned += "-of " in written
        lost += len(triples.variables) < len(graph.variables)
        parallel += len(PMB_5.with_choices(parallel_edges="all").normalise(graph).triples) > len(
            triples.triples
        )
    assert turned > tried / 8 and parallel > tried / 40 and lost > tried / 40


def test_labels_carry_the_tabs_that_smatch_reads() -> None:
    for graph in random_texts(200):
        written = re.findall(r'\((\w+) / "([^"]+)"(?: (\t+))?', penman(graph))
        expected = {
            node: text.lower() + (f"+{len(tabs)}tabs" if tabs else "")
            for node, text, tabs in written
        }
        triples = TABS.normalise(graph)
        labels = {t.variables[0]: t.name for t in triples.triples if t.kind == "instance"}
        assert labels == expected
        others = [t for t in triples.triples if t.kind != "instance"]
        assert others == [t for t in PMB_5.normalise(graph).triples if t.kind != "instance"]


def test_two_equal_concepts_at_different_depths_do_not_match_with_tabs() -> None:
    system, gold = "time.n.08 TPR now", "time.n.05 fly.v.08 Theme -1 Time +1 time.n.08 TPR now"
    for profile, matched in (("pmb-5", 4), ("pmb-5-tabs", 3)):
        found = exactmatch.best_mapping(system, gold, profile=profile)
        assert (found.matched, found.system_total, found.gold_total) == (matched, 4, 10)


def test_what_ud_boxer_counts() -> None:
    """The numbers of triples were counted by hand, on paper."""
    assert of_text("male.n.02 Name 'Tom' NEGATION <1 go.v.01 Agent -1", UD_BOXER) == Counter(
        [
            ("instance", "box", "b0"),
            ("top", "box", "b0"),
            ("instance", "synset", "s0"),
            ("attribute", "lemma", "male", "s0"),
            ("attribute", "pos", "n", "s0"),
            ("attribute", "sense", "02", "s0"),
            ("relation", "member", "b0", "s0"),
            ("relation", "name", "s0", "s0:Name"),
            ("instance", "tom", "s0:Name"),
            ("instance", "box", "b1"),
            ("relation", "negation", "b0", "b1"),
            ("instance", "synset", "s1"),
            ("attribute", "lemma", "go", "s1"),
            ("attribute", "pos", "v", "s1"),
            ("attribute", "sense", "01", "s1"),
            ("relation", "member", "b1", "s1"),
            ("relation", "agent", "s1", "s0"),
        ]
    )


@pytest.mark.parametrize("one, other", [("2008", "'2008'"), ("2008", '"2008"'), ("A_", "a")])
def test_constants_that_the_program_does_not_tell_apart(one: str, other: str) -> None:
    assert of_text(f"a.n.01 Value {one}", PMB_5) == of_text(f"a.n.01 Value {other}", PMB_5)


def test_what_may_be_mapped_to_what() -> None:
    (graph,) = exactmatch.loads('a.n.01 Name "B" NEGATION <1 c.n.01')
    found = Smatch.profiles["default"].with_choices(constants="nodes").normalise(graph)
    assert found.keys == {
        "b0": ("box",), "b1": ("box",), "s0": ("concept",), "s1": ("concept",),
        "s0:Name": ("constant",),
    }  # fmt: skip
    assert PMB_5.normalise(graph).keys is None
    (amr,) = exactmatch.loads("(a / b)")
    assert Smatch.profiles["default"].normalise(amr).keys is None


def test_a_graph_of_no_root_is_counted_from_its_first_box() -> None:
    (graph,) = exactmatch.loads("a.n.01 Agent +1 b.n.01")
    for metric in (PMB_5, TABS):
        assert metric.normalise(graph._replace(tops=())) == metric.normalise(graph)


@pytest.mark.slow
def test_depth_has_no_limit() -> None:
    (graph,) = exactmatch.loads("a.n.01 " + "NEGATION <1 a.n.01 " * 1050)
    assert "box+1051tabs" in {t.name for t in TABS.normalise(graph).triples}


def test_signatures_name_the_choices_of_sbn_that_are_not_usual() -> None:
    default = Smatch.profiles["default"]
    assert not set(Smatch.of_sbn) & {*default.said(), *Smatch.profiles["smatch-1.0.4"].said()}
    said = {"parallel_edges", "unreachable", "box_mapping", "gold_ill_formed"}
    assert said == set(Smatch.of_sbn) & {*PMB_5.said()}
    assert default.with_choices(tabs="keep").signature().endswith("|tabs:keep")


def test_proofs_of_boxes_held_apart_are_verified(tmp_path: Path) -> None:
    texts = ("a.n.01 NEGATION <1 b.n.01", "b.n.01")
    for name, text in zip(("system", "gold"), texts, strict=True):
        (tmp_path / f"{name}.sbn").write_text(f"{text}\n")
    files = tmp_path / "system.sbn", tmp_path / "gold.sbn"
    exactmatch.score(*files, certificates=tmp_path / "proofs.jsonl")
    found = exactmatch.verify(tmp_path / "proofs.jsonl", *files)
    assert found.verified == 1


def test_other_metrics_take_no_sbn() -> None:
    with pytest.raises(exactmatch.InputError, match="s2match compares graphs in PENMAN or MRP"):
        exactmatch.score("a.n.01", "a.n.01", metric="s2match")
