"""Scores of labels, on graphs counted by hand."""

import pytest

import exactmatch

BOYS = (
    "(a / and :op1 (b / boy :polarity -) :op2 (b2 / boy :polarity -) :op3 (g / girl))",
    "(a / and :op1 (b / boy :polarity -) :op2 (g2 / girl :polarity -) :op3 (g / girl))",
)
CITIES = (
    '(t / talk-01 :ARG0 (c / city :wiki "Paris" :name (n / name :op1 "New" :op2 "York"))'
    ' :ARG1 (d / city :name (m / name :op1 "Rome")) :ARG2 (x / talk-02 :ARG0 c))',
    '(t / talk-02 :ARG0 (c / city :wiki "Rome" :name (n / name :op2 "York" :op1 "New"))'
    ' :ARG1 (d / town :name (m / name :op1 "Rome")) :ARG2 (x / talk :ARG0 c))',
)


def counts(pair: tuple[str, str], name: str) -> tuple[int, int, int] | None:
    found = exactmatch.best_mapping(*pair, subscores=name).subscores
    if name not in found:
        return None
    assert found[name].matched == found[name].matched_upper
    return found[name].matched, found[name].system_total, found[name].gold_total


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("concepts", (3, 4, 4)),  # F1 is 0.75 and 1: Damonte et al., and their successors
        ("concepts-set", (3, 3, 3)),
        ("negations", (1, 2, 2)),
        ("negations-set", (1, 1, 2)),
        ("without-variables", (4, 6, 6)),
        ("without-variables-set", (4, 5, 6)),
        ("frames", None),
        ("entities", None),
    ],
)
def test_labels_count_as_multisets_or_sets(
    name: str, expected: tuple[int, int, int] | None
) -> None:
    assert counts(BOYS, name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("frames", (1, 2, 1)),
        ("frames-without-senses", (1, 2, 1)),
        ("entities", (1, 2, 2)),
        ("names", (1, 2, 2)),
        ("wiki", (0, 1, 1)),
    ],
)
def test_labels_of_each_kind_are_counted(name: str, expected: tuple[int, int, int]) -> None:
    assert counts(CITIES, name) == expected


TWICE = '(c / city :name (n / name :op1 "A") :name (m / name :op1 "B") :polarity - :polarity "no")'


@pytest.mark.parametrize(
    ("name", "expected", "as_written"),
    [("entities", 1, 2), ("negations", 1, 2), ("names", 2, 2)],
)
def test_a_node_counts_once_unless_the_profile_counts_what_is_written_twice(
    name: str, expected: int, as_written: int
) -> None:
    assert counts((TWICE, TWICE), name) == (expected,) * 3
    found = exactmatch.best_mapping(TWICE, TWICE, subscores=name, profile="smatch-1.0.4").subscores
    assert found[name][:4] == (as_written,) * 4


def test_names_match_in_full() -> None:
    """Another name, and the words of one in another order, do not match."""
    pair = (CITIES[0], CITIES[0].replace('op1 "New" :op2 "York"', 'op1 "York" :op2 "New"'))
    assert counts(pair, "entities") == (2, 2, 2)
    assert counts(pair, "names") == (1, 2, 2)


def test_an_operand_of_many_digits_is_no_word_of_a_name() -> None:
    text = f'(c / city :name (n / name :op{"9" * 6000} "A" :op1 "B"))'
    assert counts((text, text), "names") == (1, 1, 1)
    assert counts((text, text.replace('"A"', '"C"')), "names") == (1, 1, 1)


def test_without_roles_and_without_senses() -> None:
    pair = ("(b / bark-01 :ARG0 (d / dog))", "(b / bark-02 :ARG1 (d / dog))")
    found = exactmatch.best_mapping(*pair, subscores="all,unlabeled,without-senses").subscores
    assert [found[name].matched for name in found] == [2, 3, 3]
    turned = ("(b / bark-01 :ARG0 (d / dog))", "(d / dog :ARG0 (b / bark-01))")
    found = exactmatch.best_mapping(*turned, top="none", subscores="unlabeled").subscores
    assert found["unlabeled"][:4] == (2, 2, 3, 3)


def test_a_frame_without_its_sense_is_no_other_concept() -> None:
    pair = ("(b / bark-01)", "(b / bark)")
    found = exactmatch.best_mapping(*pair, top="none", subscores="without-senses").subscores
    assert found["without-senses"].matched == 0


def test_constants_as_nodes_have_the_same_labels() -> None:
    usual, nodes = (
        exactmatch.best_mapping(
            *CITIES, constants=constants, subscores="names,wiki,entities"
        ).subscores
        for constants in ("attributes", "nodes")
    )
    assert usual == nodes
