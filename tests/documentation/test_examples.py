"""The examples on the first page and in docs/ print the output shown there."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from documentation.examples import Console, Example, commands, examples, is_as_shown, run_python

ROOT = Path(__file__).resolve().parents[2]
_PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
#: The examples of each page that has some.
EXAMPLES = {
    page.name: found
    for page in _PAGES
    if (found := list(examples(page.read_text(encoding="utf-8"))))
}

pytestmark = pytest.mark.checkout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder as the examples expect it, with only the instances."""
    for name in ("instances", "exactmatch/certificate"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.so", "*.c"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("page", EXAMPLES)
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
