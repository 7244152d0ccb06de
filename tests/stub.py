"""Write ``exactmatch/__init__.pyi``, the public functions as type checkers see them.

``python tests/stub.py`` writes it anew, from the signatures with the declared options, the metrics
with their choices, and the overloads below.
"""

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import exactmatch
from exactmatch.metrics.registry import METRICS
from exactmatch.scoring.declaration import Options, groups_of

STUB = Path(exactmatch.__file__).with_suffix(".pyi")

#: Systems by name, each with its file or the files of its runs.
_NAMED_SYSTEMS = "Mapping[str, StrPath | Sequence[StrPath]]"
#: The types of some parameters, with what the function then returns; those that can be None have
#: their defaults.
OVERLOADS = {
    "score": [
        ({"metric": "MetricName | Metric | None"}, "CorpusScore"),
        ({"metric": "Several"}, "list[CorpusScore]"),
    ],
    "compare": [
        (
            {"systems": "Sequence[StrPath]", "metric": "str | Metric | NamedMetric | None"},
            "StudyResult[Ranking]",
        ),
        (
            {"systems": "Sequence[StrPath]", "metric": "Several | list[str | NamedMetric]"},
            "StudyResult[Rankings]",
        ),
        (
            {"systems": _NAMED_SYSTEMS, "metric": "str | Metric | NamedMetric | None"},
            "StudyResult[Ranking] | StudyResult[RunsRanking]",
        ),
        (
            {"systems": _NAMED_SYSTEMS, "metric": "Several | list[str | NamedMetric]"},
            "StudyResult[Rankings] | StudyResult[RunsRankings]",
        ),
    ],
    "search_error": [
        ({"scores": "None", "tool": "None"}, "StudyResult[SearchError]"),
        ({"scores": "StrPath", "tool": "str"}, "StudyResult[Claims]"),
    ],
}
#: Parameters that are the name of a metric and nothing more, by their types in the sources.
_NAMES = {"str | Metric | None": "MetricName | Metric | None", "str | None": "MetricName | None"}


def stub() -> str:
    """Return the text of the stub, not laid out."""
    functions = [name for name in exactmatch.__all__ if inspect.isfunction(_public(name))]
    texts = [text for name in functions for text in _function(name)]
    tables = [*_choices(functions)]
    others = [name for name in exactmatch.__all__ if name not in (*functions, "__version__")]
    body = "\n".join([*tables, *texts])
    names = (node for node in ast.walk(ast.parse(body)) if isinstance(node, ast.Name))
    used = {name.id for name in names if isinstance(name.ctx, ast.Load)}
    lines = ["from typing import Literal, TypedDict, Unpack, overload"]
    lines += ["import penman"] if "penman." in body else []
    for name in sorted((used & _homes().keys()) - {*others}):
        lines.append(f"from {_homes()[name]} import {name}")
    for name in others:
        home = exactmatch._LAZY.get(name, "exactmatch.errors")
        lines.append(f"from {home} import {name} as {name}")
    metrics = ", ".join(f'"{name}"' for name in METRICS)
    listed = ", ".join(f'"{name}"' for name in exactmatch.__all__)
    head = '"""Written by ``python tests/stub.py``; not to be changed by hand."""'
    last = ["__version__: str", "_LAZY: dict[str, str]", f"__all__ = [{listed}]"]
    return "\n".join([head, *lines, *last, f"MetricName = Literal[{metrics}]", body]) + "\n"


def laid_out(text: str) -> str:
    """Return *text* formatted by ruff, which must be installed."""
    for words in (["check", "--fix", "--select", "I"], ["format"]):
        run = [sys.executable, "-m", "ruff", *words, "--quiet", "--stdin-filename", str(STUB), "-"]
        text = subprocess.run(run, input=text, capture_output=True, text=True, check=True).stdout
    return text


def _public(name: str) -> Any:
    return getattr(exactmatch, name)


def _function(name: str) -> Iterator[str]:
    """Yield the lines of a function, or of its overloads."""
    function = _public(name)
    types = _types(function)
    result = types.pop("return")
    if name not in OVERLOADS:
        yield f"def {name}({_parameters(function, types, set())}) -> {result}: ..."
    for own, returned in OVERLOADS.get(name, []):
        required = {parameter for parameter, kind in own.items() if not kind.endswith("None")}
        parameters = _parameters(function, types | own, required)
        yield f"@overload\ndef {name}({parameters}) -> {returned}: ..."


def _parameters(function: Any, types: dict[str, str], required: set[str]) -> str:
    found: list[str] = []
    is_named = False
    for one in inspect.signature(function).parameters.values():
        if one.kind is one.KEYWORD_ONLY and not is_named:
            found.append("*")
        is_named = is_named or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        if one.kind is one.VAR_KEYWORD:
            found.append(f"**{one.name}: Unpack[{_table(_taken(function))}]")
            continue
        star = "*" if one.kind is one.VAR_POSITIONAL else ""
        text = f"{star}{one.name}: {types[one.name]}"
        if one.default is not one.empty and one.name not in required:
            plain = one.default is None or type(one.default) in (str, int, float, bool, tuple)
            text += f" = {one.default!r}" if plain else " = ..."
        found.append(text)
    return ", ".join(found)


def _types(function: Any) -> dict[str, str]:
    """Return the types of parameters and of the result, as they are written."""
    tree = _tree(function.__module__)
    (node,) = (
        one
        for one in tree.body
        if isinstance(one, ast.FunctionDef) and one.name == function.__name__
    )
    given = node.args
    every = [*given.args, *given.kwonlyargs, *[one for one in [given.vararg] if one is not None]]
    types = {one.arg: _text(one.annotation) for one in every}
    for slot, kind in groups_of(function).items():
        del types[slot]
        types |= {name: _declared(kind, name) for name in kind.declared}
    if "metric" in types:
        types["metric"] = _NAMES.get(types["metric"], types["metric"])
    if function.__name__ == "metric":
        types["name"] = "MetricName"
    return {**types, "return": _text(node.returns)}


def _declared(kind: type[Options], name: str) -> str:
    """Return the type of an option as it is declared, with its values if it has some."""
    owner = next(one for one in kind.__mro__ if name in one.__annotations__)
    (node,) = (
        one
        for one in _tree(owner.__module__).body
        if isinstance(one, ast.ClassDef) and one.name == owner.__name__
    )
    text = next(
        _text(one.annotation)
        for one in node.body
        if isinstance(one, ast.AnnAssign) and ast.unparse(one.target) == name
    )
    values = ", ".join(f'"{value}"' for value in kind.declared[name].values)
    return f"Literal[{values}]" if values and text == "str" else text


def _text(annotation: ast.expr | None) -> str:
    assert annotation is not None
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value
    return ast.unparse(annotation)


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(import_module(module)))


@cache
def _homes() -> dict[str, str]:
    """Return the modules of the names that the sources of public functions know."""
    modules = {"exactmatch.scoring.options", "exactmatch.scoring.choices"}
    modules |= {"exactmatch.studies.common.claims", "exactmatch.metrics.base"}
    modules |= {*exactmatch._LAZY.values()} - {"exactmatch.metrics.registry"}
    homes: dict[str, str] = {}
    for module in sorted(modules):
        for node in ast.walk(_tree(module)):
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                homes |= {one.asname or one.name: node.module for one in node.names}
    for module in sorted(modules):
        for node in _tree(module).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name] = module
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                homes[ast.unparse(target)] = module
    for name in ("TypedDict", "Literal", "Unpack", "overload", "StudyResult"):
        homes.pop(name, None)
    return {**homes, "StudyResult": "exactmatch.studies.common.plan"}


def _taken(function: Any) -> frozenset[str]:
    """Return the names of choices that *function* has as parameters of its own."""
    return frozenset(inspect.signature(function).parameters.keys() & _values().keys())


def _table(without: frozenset[str]) -> str:
    return "_Choices" + "".join(f"Without{name.title()}" for name in sorted(without))


@cache
def _values() -> dict[str, str]:
    """Return the types of all choices and parameters of metrics."""
    values: dict[str, dict[str, None]] = {}
    types: dict[str, str] = {}
    for kind in METRICS.values():
        for name, known in kind.choices().items():
            values.setdefault(name, {}).update(dict.fromkeys(known))
        types |= dict.fromkeys(kind.parameters, "Choice")
    for name, every in values.items():
        types[name] = f"Literal[{', '.join(map(repr, every))}]"
    return {**types, "reification_table": "Choice"}


def _choices(functions: list[str]) -> Iterator[str]:
    """Yield the tables of choices: one for all metrics, and those of single functions."""
    with_choices = [
        _taken(function)
        for function in map(_public, functions)
        if "choices" in inspect.signature(function).parameters
    ]
    some: frozenset[str] = frozenset().union(*with_choices)
    yield "class _Common(TypedDict, total=False):"
    yield from (f"    {name}: {kind}" for name, kind in _values().items() if name not in some)
    for without in sorted({*with_choices}, key=sorted):
        yield f"class {_table(without)}(_Common, total=False):"
        rest = [f"    {name}: {_values()[name]}" for name in sorted(some - without)]
        yield from rest or ["    pass"]


if __name__ == "__main__":
    STUB.write_text(laid_out(stub()), encoding="utf-8")
