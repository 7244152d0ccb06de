"""Coreference of documents as a subscore: nodes, edges, and the range over all best mappings."""

import pytest

import exactmatch
from exactmatch.errors import UsageError
from exactmatch.metrics.smatch import Smatch

# In each of the representations: two documents, and what docSmatch printed of coreference (matched,
# of system, of gold) in the best mapping, which is the only one.
GO = "(d / document :snt1 (a / go-02 :ARG0 (p / person {}) :ARG4 (c / city)) :snt2 (b / see-01 {}))"
SHARED = GO.format("", ":ARG0 p :ARG1 (f / friend :poss p)")
OTHER = GO.format("", ":ARG0 p :ARG1 (f / friend)")
CHAIN = GO.format(
    ":coref-of (e / coref-entity :coref h)", ":ARG0 (h / he) :ARG1 (f / friend :poss (g / i))"
)
LONGER = CHAIN.replace(":coref h)", ":coref h :coref g)")
IMPLICIT = GO.format(
    ":coref-of (e / coref-entity :coref h)", ":ARG0 (h / implicit-role) :part-of c :subset p"
)
ARGUMENT = GO.format(":coref-of (e / coref-entity)", ":ARG0 e :ARG1 (f / friend :poss e)")


def coreference(system: str, gold: str, name: str = "coreference") -> tuple[int, ...]:
    found = exactmatch.score(system, gold, profile="docsmatch", subscores=name).subscores[name]
    return found[:4]


@pytest.mark.parametrize(
    "system, gold, expected",
    [
        (SHARED, SHARED, (3, 3, 3)),
        (OTHER, SHARED, (2, 2, 3)),
        (CHAIN, LONGER, (3, 3, 4)),
        (LONGER, CHAIN, (3, 4, 3)),
        (IMPLICIT, IMPLICIT, (5, 5, 5)),
        (CHAIN, IMPLICIT, (3, 3, 5)),
        (ARGUMENT, ARGUMENT, (4, 4, 4)),
    ],
)
def test_coreference_counts_as_docsmatch_counts_it(
    system: str, gold: str, expected: tuple[int, int, int]
) -> None:
    matched, *totals = expected
    assert coreference(system, gold) == (matched, matched, *totals)


def test_nodes_edges_and_the_rest_add_up() -> None:
    names = ["coreference", "coreference-nodes", "coreference-edges", "coreference-apart", "all"]
    found = exactmatch.score(
        CHAIN, LONGER, profile="docsmatch", subscores=",".join(names)
    ).subscores
    whole, nodes, edges, rest, everything = (found[name][:4] for name in names)
    assert [a + b for a, b in zip(nodes, edges, strict=True)] == [*whole]
    assert [a + b for a, b in zip(whole, rest, strict=True)] == [*everything]
    assert found["coreference"].exact == 0
    assert found["coreference-apart"].exact == 1
    assert exactmatch.select_subscores("documents").definitions.keys() == {*names}


def test_range_over_all_best_mappings() -> None:
    # Two nodes are as good for one: by the first, a node of a chain is matched, by the other, not.
    system = "(d / document :snt1 (a / x :ARG0 (b / coref-entity) :ARG1 (c / y)))"
    gold = "(d / document :snt1 (a / x :ARG2 (e / coref-entity) :ARG1 e))"
    assert coreference(system, gold, "coreference-nodes") == (0, 1, 1, 1)
    assert coreference(system, gold) == (0, 1, 2, 3)
    # A triple of coreference that matches another is in neither part: there are but four apart.
    assert coreference(system, gold, "coreference-apart") == (4, 4, 6, 4)
    assert coreference(system, gold, "all") == (5, 5, 8, 7)
    # docSmatch prints 0 here; another mapping that is as good matches two edges.
    assert coreference(ARGUMENT, SHARED) == (0, 2, 4, 3)


def test_what_is_no_document_has_none() -> None:
    text = "(a / b :ARG0 (c / d) :ARG1 c)"
    score = exactmatch.score(text, text, sentences="aligned", subscores="documents")
    assert score.subscores["coreference"].pairs == 0
    assert score.subscores["coreference-apart"][:4] == (5, 5, 5, 5)


def test_of_free_sentences_nothing_is_coreference() -> None:
    text = "(a / p :part (b / q) :subset (c / coref-entity :coref b))"
    metrics = (Smatch().with_choices(sentences="aligned"), Smatch())
    aligned, free = exactmatch.score(text, text, metric=metrics, subscores="documents")
    names = [name for name in free.subscores if name != "all"]
    assert len(names) == 4
    assert [free.subscores[name].pairs for name in names] == [0, 0, 0, 0]
    assert aligned.subscores["coreference"].pairs == 1


@pytest.mark.parametrize("pair", [(SHARED, OTHER), (ARGUMENT, SHARED), (LONGER, LONGER)])
def test_without_a_mapping_bounds_are_no_more_than_there_is(pair: tuple[str, str]) -> None:
    """One triple is written twice. Triples of one label bound the sum of their products."""
    for system, gold in (pair, tuple(text.replace(":ARG0 p", ":ARG0 p :ARG0 p") for text in pair)):
        proven = exactmatch.score(system, gold, profile="docsmatch", subscores="documents")
        cut = exactmatch.score(system, gold, profile="docsmatch", subscores="documents", memory=1)
        assert cut.too_large == 1
        for name, found in cut.subscores.items():
            assert found.matched <= proven.subscores[name].matched
            assert found.matched_upper >= proven.subscores[name].matched_upper
            if ":ARG0 p :ARG0 p" not in system:
                assert found.matched_upper <= min(found.system_total, found.gold_total)


def test_sentences_have_to_be_told() -> None:
    with pytest.raises(UsageError, match="coreference needs documents with aligned sentences"):
        exactmatch.score(SHARED, SHARED, subscores="coreference")
    metrics = (Smatch().with_choices(sentences="aligned"), Smatch())
    both = exactmatch.score(
        SHARED, SHARED, metric=metrics, subscores="coreference,coreference-apart"
    )
    assert [len([s for s in one.subscores.values() if s.pairs]) for one in both] == [2, 0]
