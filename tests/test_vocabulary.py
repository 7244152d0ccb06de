"""The words of docs/architecture.md: one thing, one word, in identifiers, options and keys."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import resources
from pathlib import Path

import click
import pytest

from exactmatch.cli import main

PACKAGE = Path(str(resources.files("exactmatch")))
ENCODINGS = Path(__file__).resolve().parents[1] / "encodings"

#: A word, and what may still be called so: whole identifiers, or rooms and modules.
RULED_OUT = {
    # A key of published certificates, and an argument of smatch; else it is the system.
    "test": {"certificate/checker.py", "compat"},
    "align": set(),
    "aligned": set(),
    "aligner": set(),
    "alignment": {
        "AlignmentMetric",
        "AlignmentFreeMetric",
        "alignment_based",
        "ALIGNMENT_BASED",
        "alignment_metric",
        "compat",
    },
    "alignments": {"surface_alignments"},
    "unaligned": set(),
    "anchored": {"graphs/readers/mrp.py"},  # nodes of MRP are anchored to text
    "direct": set(),
    "item": {
        "studies",
        "report",
        "many",
        "graphs/items.py",
        "scoring",
        "cli",
        "compat",
    },  # what a study resamples
    "items": {"studies", "report", "many", "graphs/items.py", "scoring", "cli"},
    "grading": set(),
    "counting": {"solving/dual/counting.py", "COUNTING"},  # a bound; a heading of help
    "ascent": set(),
    "presence": set(),
    "superfluous": set(),
    "sieve": {"certificate/checker.py"},  # a key of published certificates
    "torn": set(),
    "judged": set(),
    "judgement": set(),
}


def modules() -> Iterator[tuple[str, Path]]:
    """Yield our modules with their places, written as in ``metrics/mrp.py``."""
    for path in PACKAGE.rglob("*.py"):
        yield path.relative_to(PACKAGE).as_posix(), path
    for path in ENCODINGS.glob("*.py"):
        yield f"encodings/{path.name}", path


def identifiers(tree: ast.AST) -> Iterator[str]:
    """Yield the names that a module gives to things of its own."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            arguments = node.args
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            yield from (argument.arg for argument in every)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


@cache
def tree(path: Path) -> ast.Module:
    """Return a module as Python reads it, once for all tests."""
    return ast.parse(path.read_text("utf-8"))


def words(identifier: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)}


def test_identifiers_are_words_of_the_house() -> None:
    wrong = []
    for place, path in modules():
        allowed_here = {place, place.split("/")[0], place.removesuffix(".py")}
        names = {*identifiers(tree(path)), path.stem}
        for name in names:
            for word in words(name) & RULED_OUT.keys():
                allowed = RULED_OUT[word]
                if name.strip("_") not in allowed and not allowed & allowed_here:
                    wrong.append(f"{place}: {name}")
    assert not wrong


def commands() -> Iterator[click.Command]:
    for command in main.commands.values():
        yield command
        if isinstance(command, click.Group):
            yield from command.commands.values()


def test_options_are_words_of_the_house() -> None:
    names = {
        opt.lstrip("-").replace("-", "_")
        for command in commands()
        for parameter in command.params
        if not getattr(parameter, "hidden", False)
        for opt in parameter.opts
    }
    wrong = {
        name for name in names for w in words(name) & RULED_OUT.keys() if name not in RULED_OUT[w]
    }
    assert not wrong


@pytest.mark.parametrize("name", ["test_total", "test_triples", '"test"'])
def test_keys_are_words_of_the_house(name: str) -> None:
    """What other programs wrote may hold old keys: scores of tools, and pairs for the checker."""
    known = {"graphs/readers/tool_scores.py", "scoring/comparison.py", "solving/certificates.py"}
    known |= {f"certificate/{name}.py" for name in ("checker", "coq_theorem")}
    found = {place for place, path in modules() if name in path.read_text("utf-8")}
    assert found <= known


def test_no_two_classes_of_one_name() -> None:
    names = Counter(
        node.name
        for _, path in modules()
        for node in tree(path).body
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, times in names.items() if times > 1] == []
