"""Random small pairs of all metrics: every proof is correct."""

import fuzz
import pytest
from seeds import cases

from exactmatch.metrics.registry import ALIGNMENT_BASED


@pytest.mark.slow
def test_no_proof_is_wrong() -> None:
    number = cases(600)
    found = fuzz.main(number, "core")
    tried = {*ALIGNMENT_BASED, "weighted"} - {"align-smatch"}  # it has random graphs of its own
    assert {name.partition(": ")[0] for name in found} >= tried
    kinds = {name.partition(": ")[2] for name in found}
    assert {"Leaf, verified", "Fixing, verified"} <= kinds
    if number == 600:  # few pairs need a branch
        assert "Branch, verified" in kinds
    assert {"CountsProof, verified", "CountsProof, bounded"} <= kinds
    assert {"cover", "no cover", "texts, cover", "texts, no cover"} <= kinds
