"""The numbers of pairs, in columns."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from exactmatch.errors import InputError
from exactmatch.metrics.smatch import Smatch
from exactmatch.studies.common.outcomes import (
    CERTIFIED,
    CHECKED,
    EMPTIED,
    OPTIMAL,
    TIMED_OUT,
    TOO_LARGE,
    PairOutcome,
    PairRow,
)
from exactmatch.studies.common.pairs import ProofCounts, ScoreCollector, ScoredPairs


def row(matched: int, **changes: Any) -> PairRow:
    return PairRow(matched, matched, matched, matched, 0, "dual", 0.0)._replace(**changes)


def collected(*rows: PairRow) -> ScoredPairs:
    collector = ScoreCollector([f"x{k}" for k in range(len(rows))], Smatch.profiles["default"])
    for item, one in enumerate(rows):
        collector.add(item, PairOutcome(row=one))
    return collector.finish()


def test_scores_are_kept_in_columns() -> None:
    scored = collected(
        row(3, system_total=4, gold_total=6, flags=OPTIMAL | CERTIFIED),
        row(1, matched_upper=2, system_total=5, gold_total=2, flags=TIMED_OUT, solver="ilp"),
        row(0, flags=OPTIMAL | EMPTIED, solver="ilp"),
    )
    assert (scored.matched, scored.matched_upper, scored.system_total, scored.gold_total) == (
        4, 5, 9, 8,
    )  # fmt: skip
    assert (scored.pairs, scored.optimal, scored.certified, scored.timed_out, scored.emptied) == (
        3, 2, 1, 1, 1,
    )  # fmt: skip
    assert scored.by_word == {"ilp": 1}
    assert scored.macro_f1 == (6 / 10 + 2 / 7 + 0) / 3
    assert scored.macro_f1_upper == (6 / 10 + 4 / 7 + 0) / 3
    part = scored.restricted(np.array([False, True, True]))
    assert (part.matched, part.gap, part.pairs, part.by_word) == (1, 1, 2, {"ilp": 1})
    assert collected().macro_f1 == collected().f1 == 0


def test_counts_beyond_64_bits() -> None:
    large = row(2**62 - 1)
    assert collected(large, large, large).matched == 3 * (2**62 - 1)
    assert collected(large, large).macro_f1 == 1.0
    for count in (2**62, 2**80):
        with pytest.raises(InputError, match=f"pair x0: {count} triples are too many"):
            collected(row(count))


def test_proofs_are_counted_over_all_pairs_of_files() -> None:
    word = OPTIMAL, "scip"
    one = collected(
        row(3, system_total=4, gold_total=6, flags=OPTIMAL | CERTIFIED),
        row(1, matched_upper=4, flags=TIMED_OUT, solver="ilp"),
        row(1, matched_upper=2, flags=TOO_LARGE | CHECKED),
        row(0, flags=word[0], solver=word[1]),
    )
    other = collected(
        row(5, flags=OPTIMAL | EMPTIED, solver="maxsat"),
        row(2, flags=word[0], solver=word[1]),
    )
    other = replace(other, skipped_items=np.array([7, 8, 9]))
    assert ProofCounts.of([one, other]) == ProofCounts(
        pairs=6, optimal=4, certified=1, gap=4, by_word={"maxsat": 1, "scip": 2},
        bounded_by_word={"ilp": 1}, timed_out=1, too_large=1, skipped=3, emptied=1, scale=1,
    )  # fmt: skip
    found = ProofCounts.of([one, other])
    assert list(found.by_word) == ["maxsat", "scip"]
    assert (found.lacking, found.all_proven) == (4, False)
    assert ProofCounts.of([collected(row(1, flags=OPTIMAL))]).all_proven
