"""Tests of the checker that is proven in Coq, where there is Coq."""

import pytest
from coq_program import Proven, build


@pytest.fixture(scope="session")
def proven(tmp_path_factory: pytest.TempPathFactory) -> Proven:
    """Return the program that Coq has proven, made once for all tests."""
    return build(tmp_path_factory.mktemp("coq"))
