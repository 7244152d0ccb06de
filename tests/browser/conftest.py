"""Pages in a real browser, where there is one."""

from collections.abc import Iterator

import pytest
from browser_pages import Pages, made_pages
from chromium import Window, window


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
    """Yield the browser; fail if a test leaves a complaint, a run label, or a request."""
    yield browser
    assert browser.errors() == []
    hacked, loaded = browser.run(
        "return [window.hacked, performance.getEntriesByType('resource').map((one) => one.name)]"
    )
    assert hacked is None
    assert all(name.startswith("file:") and "/pairs/" in name for name in loaded)
