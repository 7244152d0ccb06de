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
    "align": {"AlignSmatch", "align_smatch"},  # the name of a published metric
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
        "per_item",  # an option of a command that works on items
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
def words(identifier: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)}


def ruled_out(name: str, place: str) -> bool:
    """Return whether a name has a word that is ruled out in this module."""
    here = {name.strip("_"), place, place.split("/")[0], place.removesuffix(".py")}
    return any(here.isdisjoint(RULED_OUT[word]) for word in words(name) & RULED_OUT.keys())


@pytest.mark.slow
def test_identifiers_are_words_of_the_house() -> None:
    wrong = []
    for place, path in modules():
        written = {*re.findall(r"\w+", path.read_text("utf-8")), path.stem}
        suspected = {name for name in written if ruled_out(name, place)}
        # Reading a module as Python does takes long, and few have such a word at all.
        if suspected:
            names = {*identifiers(ast.parse(path.read_text("utf-8"))), path.stem}
            wrong += [f"{place}: {name}" for name in names & suspected]
    assert not wrong


def commands() -> Iterator[click.Command]:
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        assert command is not None
        yield command
        if isinstance(command, click.Group):
            yield from command.commands.values()


#: The option of a study that orders its items.
OF_ITEMS = "items"


def test_options_are_words_of_the_house() -> None:
    names = {
        opt.lstrip("-").replace("-", "_")
        for command in commands()
        for parameter in command.params
        if not getattr(parameter, "hidden", False)
        for opt in parameter.opts
    }
    wrong = {
        name
        for name in names - {OF_ITEMS}
        for w in words(name) & RULED_OUT.keys()
        if name not in RULED_OUT[w]
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
        name
        for _, path in modules()
        for name in re.findall(r"^class (\w+)", path.read_text("utf-8"), re.MULTILINE)
    )
    assert [name for name, times in names.items() if times > 1] == []
