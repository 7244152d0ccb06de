"""Ranges, best mappings and certificates of pairs of graphs of all metrics, by brute force."""

import pytest
from best_pairs import main
from seeds import cases


@pytest.mark.slow
def test_random_pairs_are_as_brute_force_has_them() -> None:
    assert main(cases(60), "best pairs")["ranges"] >= cases(4)
