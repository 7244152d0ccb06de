"""Pages in a real browser, where there is one."""

from collections.abc import Iterator

import pytest
from browser_pages import Pages, made_pages
from chromium import Window, programs, window

_DESELECTED = pytest.StashKey[int]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that need a browser where there is none."""
    if programs() is not None:
        return
    left_out = [item for item in items if item.get_closest_marker("browser")]
    config.stash[_DESELECTED] = len(left_out)
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("browser")]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if config.stash.get(_DESELECTED, 0):
        terminalreporter.write_line(
            "browser tests: deselected, no chromium and chromium-driver found"
        )


@pytest.fixture(scope="session")
def browser() -> Iterator[Window]:
    """One browser for all tests."""
    with window() as opened:
        yield opened


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """The pages that the tests look at."""
    return made_pages(tmp_path_factory.mktemp("pages"))


@pytest.fixture
def screen(browser: Window) -> Iterator[Window]:
    """The browser; a test leaves no complaint, no label that ran, and nothing fetched."""
    yield browser
    assert browser.errors() == []
    assert browser.run("return window.hacked") is None
    loaded = browser.run("return performance.getEntriesByType('resource').map((each) => each.name)")
    assert all(name.startswith("file:") and "/pairs/" in name for name in loaded)
