"""The recipes are followed to the letter, in a copy of the repository, and their results used."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from documentation.recipes import Step, commands, follow, sessions, steps
from nightly import by_day

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / "recipes.md", ROOT / "docs" / "recipes-reports.md"]

pytestmark = [pytest.mark.checkout, pytest.mark.slow]

#: Runs, in the copy, what a page shows: sessions with Python, and commands.
_RUN = """
import doctest, json, shlex, sys
from click.testing import CliRunner
from exactmatch.cli import main

shown = json.load(sys.stdin)
for text in shown["sessions"]:
    session = doctest.DocTestParser().get_doctest(text, {}, "recipe", None, 0)
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session)
for line in shown["commands"]:
    done = CliRunner().invoke(main, shlex.split(line))
    if done.exit_code or not done.stdout:
        print(f"exactmatch {line}: status {done.exit_code}", done.output, done.exc_info)
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the repository in which all recipes have been followed."""
    root = tmp_path_factory.mktemp("recipes")
    for folder in ("exactmatch", "encodings", "instances"):
        left_out = shutil.ignore_patterns("__pycache__", "*.c")
        shutil.copytree(ROOT / folder, root / folder, ignore=left_out)
    shutil.copy(ROOT / "pyproject.toml", root)
    for page in PAGES:
        for step in steps(page.read_text(encoding="utf-8")):
            follow(step, root)
    return root


@pytest.mark.parametrize("page", by_day(PAGES), ids=lambda page: page.name)
def test_recipes_work_as_printed(page: Path, copy: Path) -> None:
    text = page.read_text(encoding="utf-8")
    shown = {"sessions": sessions(text), "commands": commands(text)}
    assert all(shown.values())
    done = subprocess.run(
        [sys.executable, "-P", "-c", _RUN],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy)},
        input=json.dumps(shown),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_every_recipe_has_steps_that_are_followed() -> None:
    for page in PAGES:
        for recipe in page.read_text(encoding="utf-8").split("\n## ")[1:]:
            assert [*steps(recipe)], recipe.partition("\n")[0]
            assert commands(recipe) or sessions(recipe), recipe.partition("\n")[0]


def test_a_place_that_is_not_there_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    follow(Step("a.py", "below", "x = 1", "y = 2\n"), tmp_path)
    assert (tmp_path / "a.py").read_text(encoding="utf-8") == "x = 1\ny = 2\n"
    with pytest.raises(AssertionError, match="has 0 'z = 1'"):
        follow(Step("a.py", "below", "z = 1", "y = 2\n"), tmp_path)
