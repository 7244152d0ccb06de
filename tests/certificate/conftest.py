"""Tests of the checker that is proven in Coq, where there is Coq."""

import os
from pathlib import Path

import pytest
from coq_program import Proven, built_once


@pytest.fixture(scope="session")
def proven(tmp_path_factory: pytest.TempPathFactory) -> Proven:
    """Return the program that Coq has proven, made once for all processes that run tests.

    The variable EXACTMATCH_PROVEN names a folder that may have it already.
    """
    if "EXACTMATCH_PROVEN" in os.environ:
        return built_once(Path(os.environ["EXACTMATCH_PROVEN"]))
    own = tmp_path_factory.getbasetemp()
    return built_once(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)
