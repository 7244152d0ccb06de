"""Notes on proofs and limits, and the cases without a note."""

from dataclasses import replace

from exactmatch.studies.common.notes import caveats, limits, proven
from exactmatch.studies.common.pairs import ProofCounts

ALL = ProofCounts(
    pairs=9, optimal=9, certified=9, gap=0, by_word={}, bounded_by_word={},
    timed_out=0, too_large=0, skipped=0, emptied=0, scale=1,
)  # fmt: skip


def test_all_proven_by_checked_proofs() -> None:
    assert proven(ALL) == "Proven: 9 of 9 pairs of graphs"
    assert proven(ALL, "pairs") == "Proven: 9 of 9 pairs"
    assert caveats(ALL) == limits(ALL) == []


def test_what_is_proven_by_the_word_of_solvers_is_told() -> None:
    worded = replace(ALL, optimal=8, certified=5, by_word={"ilp": 2, "maxsat": 1})
    assert proven(worded) == (
        "Proven: 8 of 9 pairs of graphs, 5 by a checked proof, 2 by the word of ilp, "
        "1 by the word of maxsat"
    )
    bounded = replace(ALL, bounded_by_word={"cpsat": 3, "ilp": 4})
    assert limits(bounded) == [
        "Upper bounds by the word of cpsat: 3.",
        "Upper bounds by the word of ilp: 4.",
    ]


def test_what_is_not_proven() -> None:
    assert caveats(replace(ALL, optimal=8)) == [
        "Where a pair is not proven, the true F1 lies between F1 and 'at most'."
    ]
    assert caveats(replace(ALL, optimal=7, timed_out=1, too_large=2, scale=1000)) == [
        "Where a pair is not proven, the true F1 lies between F1 and 'at most'.",
        "Matched triples and totals are counted in 1/1000 of a triple.",
        "Pairs that reached the time limit: 1.",
        "Pairs too large for the memory limit: 2.",
    ]
