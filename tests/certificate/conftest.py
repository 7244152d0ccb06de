"""Tests of the checker that is proven in Coq, where there is Coq."""

import pytest
from coq_program import Proven, build, is_there

_DESELECTED = pytest.StashKey[int]()


@pytest.fixture(scope="session")
def proven(tmp_path_factory: pytest.TempPathFactory) -> Proven:
    """Return the program that Coq has proven, made once for all tests."""
    return build(tmp_path_factory.mktemp("coq"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need Coq where there is none."""
    left_out = [item for item in items if item.get_closest_marker("coq")]
    if not left_out or is_there():
        return
    config.stash[_DESELECTED] = len(left_out)
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("coq")]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if config.stash.get(_DESELECTED, 0):
        terminalreporter.write_line("Coq tests: deselected, no coqc and no OCaml with Zarith found")
