"""Docstrings have no line and no argument twice, and no fragments: traces of a bad merge."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from nightly import by_day

ROOT = Path(__file__).resolve().parents[2]
_ARGUMENTS = re.compile(r"^Args:\n(.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)
_NAMES = re.compile(r"^ {4}([*\w]+(?:, [*\w]+)*):", re.MULTILINE)
#: A line of a section that neither names something nor is indented like its explanation.
_FRAGMENT = re.compile(r"^ {4}[a-z][^:]*[^:,]$", re.MULTILINE)

pytestmark = pytest.mark.checkout


Documented = ast.Module | ast.ClassDef | ast.FunctionDef


def with_docstrings(node: ast.AST) -> Iterator[Documented]:
    """Yield the module, classes and functions at and in *node*: they are not in expressions."""
    if isinstance(node, Documented):
        yield node
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from with_docstrings(inner)


def docstrings(folder: str) -> Iterator[tuple[str, str]]:
    """Yield the place and the text of each docstring in a folder."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in with_docstrings(ast.parse(path.read_text(encoding="utf-8"))):
            text = ast.get_docstring(node)
            if text is not None:
                named = getattr(node, "name", "module")
                yield f"{path.relative_to(ROOT)}: {named}", text


def faults(text: str) -> Iterator[str]:
    """Yield what a docstring says twice, and the fragments of its arguments."""
    lines = [line.strip() for line in text.splitlines()]
    yield from (f"twice in a row: {one}" for one, other in pairwise(lines) if one and one == other)
    for section in _ARGUMENTS.findall(text):
        names = [name for found in _NAMES.findall(section) for name in found.split(", ")]
        yield from (f"argument twice: {name}" for name, n in Counter(names).items() if n > 1)
        yield from (f"fragment: {line}" for line in _FRAGMENT.findall(section))


@pytest.mark.parametrize("folder", by_day(["exactmatch", "encodings", "tests"], 2))
def test_docstrings_say_nothing_twice(folder: str) -> None:
    found = [f"{place}: {fault}" for place, text in docstrings(folder) for fault in faults(text)]
    assert found == []


def test_faults_of_docstrings_are_seen() -> None:
    text = "Do it.\n\nIt may fail.\nIt may fail.\n\nArgs:\n    a: one.\n    given.\n    a, b: both."
    assert [*faults(text)] == [
        "twice in a row: It may fail.",
        "argument twice: a",
        "fragment:     given.",
    ]
