"""Random small pairs of all metrics: every proof is correct."""

import fuzz
import pytest


@pytest.mark.slow
def test_no_proof_is_wrong() -> None:
    kinds = fuzz.main(600, "tests")
    assert {"Leaf, verified", "Branch, verified", "Fixing, verified"} <= kinds.keys()
    assert {"CountsProof, verified", "CountsProof, bounded"} <= kinds.keys()
    assert {"cover", "no cover", "texts, cover", "texts, no cover"} <= kinds.keys()
