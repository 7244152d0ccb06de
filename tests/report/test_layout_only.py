"""Reports only lay out the results of studies: they count, average and sort nothing."""

import ast
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

import exactmatch.studies

FOLDER = Path(exactmatch.studies.__file__).parent
#: The modules that lay out studies.
REPORTS = sorted(
    {
        *(f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/report*.py")),
        "common/contest_table",
        "common/notes",
        "common/plan_report",
    }
)
#: What numbers are computed with.
_LIBRARIES = {"collections", "fractions", "itertools", "math", "numpy", "random", "scipy"}
_FUNCTIONS = {"abs", "divmod", "max", "min", "round", "sorted", "sum"}
_OPERATORS = (ast.Div, ast.FloorDiv, ast.Mod, ast.Mult, ast.Pow, ast.Sub)


def parsed(name: str) -> ast.Module:
    return ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))


def test_every_study_has_a_report() -> None:
    folders = {path.parent.name for path in FOLDER.glob("*/measure.py")}
    assert folders == {name.split("/")[0] for name in REPORTS} - {"common"}


@pytest.mark.parametrize("name", REPORTS)
def test_reports_take_results_from_studies_and_no_functions(name: str) -> None:
    for node in ast.walk(parsed(name)):
        if isinstance(node, ast.Import):
            assert not {alias.name.split(".")[0] for alias in node.names} & _LIBRARIES
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            place = module.removeprefix("exactmatch.studies.").replace(".", "/")
            assert module.split(".")[0] not in _LIBRARIES | {"statistics"} or (
                module == "collections.abc"
            )
            if module.startswith("exactmatch.studies.") and place not in REPORTS:
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
