"""Reports lay out what studies have computed: nothing is counted, averaged or sorted in them."""

import ast
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

import exactmatch.report

FOLDER = Path(exactmatch.report.__file__).parent
#: The modules that lay out studies; of the others, plots place marks and json rounds seconds.
REPORTS = sorted(
    {
        "agreement",
        "claims",
        "correlation",
        "explanation",
        "layers",
        "notes",
        "principles",
        "ranking",
        "search_error",
    }
)
#: What numbers are computed with.
_LIBRARIES = {"collections", "fractions", "itertools", "math", "numpy", "random", "scipy"}
_FUNCTIONS = {"abs", "divmod", "max", "min", "round", "sorted", "sum"}
_OPERATORS = (ast.Div, ast.FloorDiv, ast.Mod, ast.Mult, ast.Pow, ast.Sub)


def parsed(name: str) -> ast.Module:
    return ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))


def test_every_module_that_reads_a_study_is_known() -> None:
    texts = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py")}
    assert {name for name, text in texts.items() if "exactmatch.studies" in text} == set(REPORTS)


@pytest.mark.parametrize("name", REPORTS)
def test_reports_take_results_from_studies_and_no_functions(name: str) -> None:
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.Import):
            assert not {alias.name.split(".")[0] for alias in node.names} & _LIBRARIES
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            assert module.split(".")[0] not in _LIBRARIES | {"statistics"} or (
                module == "collections.abc"
            )
            if module.startswith("exactmatch.studies"):
                for alias in node.names:
                    found = getattr(import_module(module), alias.name)
                    assert not isinstance(found, FunctionType), alias.name


@pytest.mark.parametrize("name", REPORTS)
def test_reports_do_not_calculate(name: str) -> None:
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.BinOp):
            assert not isinstance(node.op, _OPERATORS), ast.unparse(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in _FUNCTIONS, ast.unparse(node)
