"""The Python interface."""

import doctest
from pathlib import Path

import penman
import pytest

import exactmatch
from exactmatch import api
from exactmatch.errors import InputError, UsageError

TEST = "(s / sing-01 :ARG0 (b / bird))"
GOLD = "(s / sing-01 :ARG0 (c / cat))"


def test_examples_of_the_documentation() -> None:
    assert doctest.testmod(api).attempted >= 4
    assert doctest.testmod(api).failed == 0


def test_texts_graphs_and_paths_score_the_same(tmp_path: Path) -> None:
    for name, text in (("test", TEST), ("gold", GOLD)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    results = [
        exactmatch.score(TEST, GOLD),
        exactmatch.score([TEST], [GOLD]),
        exactmatch.score(penman.decode(TEST), [penman.decode(GOLD)]),
        exactmatch.score(tmp_path / "test", tmp_path / "gold"),
    ]
    assert {(r.matched, r.test_total, r.gold_total, r.optimal) for r in results} == {(3, 4, 4, 1)}
    assert {r.signature for r in results} == {results[0].signature}


def test_a_path_given_as_text_is_explained() -> None:
    with pytest.raises(InputError, match=r"pathlib\.Path"):
        exactmatch.score("system.amr", "gold.amr")


def test_result() -> None:
    result = exactmatch.score([TEST, "(a / b)"], [GOLD, "(a / b)"])
    assert (result.precision, result.recall, result.f1) == (5 / 6, 5 / 6, 5 / 6)
    assert (result.f1_upper, result.gap, result.pairs) == (result.f1, 0, 2)
    assert repr(result) == "<CorpusScore P 0.8333, R 0.8333, F1 0.8333, 2 of 2 optimal>"
    assert repr(result.per_pair[0]).startswith("<PairScore 1: P 0.7500, R 0.7500, F1 0.7500, opt")
    with pytest.raises(AttributeError):
        result.matched = 4  # type: ignore[misc]


def test_intervals_are_shown() -> None:
    result = exactmatch.score(TEST, GOLD, method="base")
    assert result.matched <= 3 <= result.matched_upper
    wide = exactmatch.CorpusScore(
        matched=1, matched_upper=2, test_total=4, gold_total=4, signature="", long_signature="",
        per_pair=(), seconds=0.0,
    )  # fmt: skip
    assert "F1 0.2500 to 0.5000" in repr(wide)


def test_best_mapping() -> None:
    best = exactmatch.best_mapping(TEST, GOLD)
    assert dict(best.mapping) == {"s": "s", "b": "c"}
    with pytest.raises(UsageError, match="one graph a side, not 2"):
        exactmatch.best_mapping(f"{TEST}\n\n{TEST}", f"{GOLD}\n\n{GOLD}")


def test_wrong_usage() -> None:
    with pytest.raises(UsageError, match="no method is called 'best'"):
        exactmatch.score(TEST, GOLD, method="best")
    with pytest.raises(UsageError, match="pair_by"):
        exactmatch.score(TEST, GOLD, pair_by="name")  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="no attribute 'scores_of'"):
        exactmatch.scores_of  # noqa: B018
    assert set(exactmatch.__all__) <= set(dir(exactmatch))


def test_numbers_are_equal_only_as_text() -> None:
    assert exactmatch.score("(a / b :quant 1.0)", "(a / b :quant 1)").matched == 2


def test_no_matching_variables_at_all() -> None:
    result = exactmatch.score("(a / b)", "(a / c)", top="none")
    assert (result.matched, result.f1, result.optimal) == (0, 0.0, 1)


def test_cross_check_counts_what_is_confirmed() -> None:
    assert exactmatch.score(TEST, GOLD).confirmed is None
    assert exactmatch.score([TEST] * 3, [GOLD] * 3, cross_check=True).confirmed == 3
