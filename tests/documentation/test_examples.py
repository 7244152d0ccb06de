"""The examples on the first page and in docs/ print the output shown there."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from documentation.examples import Console, Example, commands, examples, is_as_shown, run_python
from nightly import by_day

ROOT = Path(__file__).resolve().parents[2]
_PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: The examples of each page that has some.
EXAMPLES = {
    page.name: found
    for page in _PAGES
    if (found := list(examples(page.read_text(encoding="utf-8"))))
}

pytestmark = pytest.mark.checkout


@pytest.fixture(scope="module")
def instances(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder as the examples expect it, with only the instances."""
    folder = tmp_path_factory.mktemp("examples")
    for name in ("instances", "exactmatch/certificate"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("*.so", "*.c"))
    return folder


@pytest.fixture
def folder(instances: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Make that folder the current one; remove what a page has written into it afterwards."""
    before = written(instances)
    monkeypatch.chdir(instances)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    yield instances
    after = written(instances)
    for path in sorted(after.keys() - before.keys(), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    assert before.items() <= after.items()  # what was there is as it was


def written(folder: Path) -> dict[Path, int]:
    """Return what is in *folder*, with the time at which each file was written."""
    found = [path for path in folder.rglob("*") if path.name != "__pycache__"]
    return {path: 0 if path.is_dir() else path.stat().st_mtime_ns for path in found}


#: The studies of each take longer than most other pages together, and golden files hold reports.
_LONG = {
    *("adjudication.md", "agreement.md", "certify-agreement.md", "correlation.md"),
    *("explanation.md", "faq.md", "principles.md", "python.md", "ranking.md", "seeing.md"),
    *("solvers.md", "study-metrics.md"),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "page", [*(page for page in EXAMPLES if page not in _LONG), *by_day(sorted(_LONG), 0)]
)
def test_examples_print_what_pages_show(page: str, folder: Path) -> None:
    console, names = Console(folder), dict[str, Any]()
    for example in EXAMPLES[page]:
        if example.kind == "python":
            assert run_python(example, names) == ""
            continue
        for command in commands(example):
            printed = console.run(command.typed)
            assert is_as_shown(command.shown, printed), f"$ {command.typed}\n{printed}"


def test_every_kind_of_example_is_run() -> None:
    kinds = {example.kind for found in EXAMPLES.values() for example in found}
    assert kinds == {"console", "python"} and "README.md" in EXAMPLES


def test_what_is_not_so_is_noticed(tmp_path: Path) -> None:
    console = Console(tmp_path)
    printed = console.run("python -c 'print(1, 2, 3)'")
    assert is_as_shown("1 ... 3\n", printed)
    assert not is_as_shown("1 ... 4\n", printed)
    assert not is_as_shown("", printed)
    assert console.run("echo $?") == "0\n"
    console.run("python -c 'raise SystemExit(3)'")
    assert console.run("echo $?") == "3\n"
    assert "Expected" in run_python(Example("python", ">>> 1 + 1\n3\n", 1), {})
    with pytest.raises(ZeroDivisionError):
        run_python(Example("python", "1 / 0\n", 1), {})
