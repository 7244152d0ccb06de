"""The page on trust names the lines of each checker: those that are neither blank nor comments."""

import ast
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CERTIFICATE = ROOT / "exactmatch/certificate"


def lines_of_code(path: Path) -> int:
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        comments = {
            line
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        }
        rest = [line for k, line in enumerate(text.splitlines(), 1) if k not in comments]
    else:
        rest = re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL).splitlines()
    return sum(1 for line in rest if line.strip() and not line.strip().startswith("#"))


@pytest.mark.parametrize(
    "names, said",
    [
        (["proof_check.py"], "compiled if there is a compiler | these N lines"),
        (["cover_check.py"], "cover_check.py`, likewise | these N lines"),
        (["checker.py"], "| N lines of Python"),
        (["coq/json.ml", "coq/main.ml", "coq/reader.ml", "coq/sha256.ml"], "; N lines around"),
        (["coq/Statement.v"], "Statement.v` takes N lines"),
    ],
)
def test_the_lines_of_a_checker_are_as_many_as_the_page_says(
    names: Sequence[str], said: str
) -> None:
    found = sum(lines_of_code(CERTIFICATE / name) for name in names)
    page = (ROOT / "docs/trust.md").read_text("utf-8")
    told = re.search(re.escape(said).replace("N", r"(\d+)", 1), page)
    assert told is not None
    assert abs(int(told[1]) - found) <= 5, found
