"""Pages: links lead somewhere, options exist, and the first page is short."""

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click
import pytest

from exactmatch.cli import main

ROOT = Path(__file__).resolve().parents[2]
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [
    *(
        ROOT / name
        for name in (
            "README.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "SECURITY.md",
            "CODE_OF_CONDUCT.md",
        )
    ),
    *(ROOT / folder / "README.md" for folder in ("benchmarks", "encodings", "instances")),
    ROOT / "instances" / "SOLVER_SET.md",
    ROOT / "reevaluation" / "RESULTS.md",
    *DOCS,
]

#: Options of programs that are not ours, and of scripts in benchmarks/, instances/ and
#: reevaluation/.
FOREIGN = {
    *(
        "--quiet",
        "--editable",
        "--no-deps",
        "--strict",
        "--clear",
        "--annotate",
        "--all-files",
        "--omit",
    ),
    *("--work", "--join", "--limit", "--runs", "--patience", "--sizes", "--pairs", "--plot"),
    *("--pair", "--picture", "--dense", "--few", "--instructions"),
    *("--against", "--counts", "--dask"),
    *("--drs", "--families", "--solvers", "--parts", "--limits", "--core", "--report"),
    *("--grade", "--measure", "--digests", "--seconds"),
    *("--update-golden", "--config-file"),
    *("--suite", "--counter", "--program"),
    *("--coref-subscore", "--ms", "--significant", "--trace", "--smatch", "--check"),
    *("--nthreads", "--nworkers", "--scheduler-file", "--memory-limit"),
    *("--polarity", "--least"),  # made by recipes
}

#: Files that are written as examples, and one that must not be.
IMAGINED = re.compile(
    r"NAME|sizes|concepts|skeleton|dependencies|prompted|highs_milp|count\.py|ortools"
)

pytestmark = pytest.mark.checkout


def anchors(page: Path) -> set[str]:
    """Return the fragments that headings of *page* have, as they are shown on the web."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_what_is_there(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        path, _, fragment = target.partition("#")
        there = page.parent / path if path else page
        assert there.exists(), target
        assert not fragment or fragment in anchors(there), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_options_exist(page: Path) -> None:
    known = {"--help", *FOREIGN}
    context = click.Context(main)
    for command in (main, *(main.get_command(context, n) for n in main.list_commands(context))):
        assert command is not None
        for parameter in command.params:
            known.update(parameter.opts, parameter.secondary_opts)
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*[a-z]", text))
    assert named <= known, named - known


def commands_named(text: str) -> Iterator[list[str]]:
    """Yield the words of each command that a page names: in code, in a block, or at a prompt.

    `smatch` in code is left out, since it is the name of a metric there.
    """
    plain = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    yield from (span.split() for span in re.findall(r"`(?!smatch )([^`\n]+)`", plain))
    for line in re.findall(r"^(?: {4}|\$ )exactmatch (.*)$", text, re.MULTILINE):
        yield line.split()


#: Commands with options that the recipes of these pages make; `test_recipes` runs them.
RECIPES = ("recipes.md", "recipes-reports.md")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.name not in RECIPES], ids=lambda page: page.name
)
def test_commands_have_the_options_that_are_named_with_them(page: Path) -> None:
    context = click.Context(main)
    for name, *words in commands_named(page.read_text(encoding="utf-8")):
        command = main.get_command(context, name) if name in main.list_commands(context) else None
        if command is None:
            continue
        known = {"--help"}.union(*(p.opts + p.secondary_opts for p in command.params))
        named = {word for word in words if re.fullmatch(r"--[a-z][a-z-]*[a-z]", word)}
        assert named <= known, (name, named - known)


@cache
def paths() -> list[str]:
    """Return the files and folders of the repository, without environments and what git keeps."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        place = Path(folder)
        if place.name == ".git" or "pyvenv.cfg" in names:
            folders.clear()
        else:
            found += [f"/{(place / x).relative_to(ROOT).as_posix()}" for x in folders + names]
    return found


@pytest.mark.parametrize(
    "page", ["docs/architecture.md", *(f"docs/{name}" for name in RECIPES), "CONTRIBUTING.md"]
)
def test_files_that_are_named_are_there(page: str) -> None:
    """Files that a recipe tells its readers to write are exempt."""
    there = paths()
    text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text("utf-8"), flags=re.M | re.S)
    named = set(re.findall(r"`([\w./-]+(?:\.py|\.md|/))`", text))
    missing = {n for n in named if not any(place.endswith(f"/{n.rstrip('/')}") for place in there)}
    assert {name for name in missing if not IMAGINED.search(name)} == set()


#: Words that a page may have: what one reads in a quarter of an hour.
_LONGEST_PAGE = 4000


@pytest.mark.parametrize("page", DOCS, ids=lambda page: page.name)
def test_pages_are_short_and_say_first_for_whom_they_are(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.match(r"# .+\n\n\*For .+\.\*\n\n", text)
    assert len(text.split()) <= _LONGEST_PAGE


def test_the_first_page_is_short_and_the_list_of_pages_leads_to_all() -> None:
    first = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(first.splitlines()) <= 120
    assert "](docs/index.md)" in first
    listed = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in DOCS:
        assert page.name == "index.md" or f"]({page.name})" in listed, page.name


def test_the_first_page_says_how_to_install_on_its_first_screen() -> None:
    first = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:25]
    assert any(line.startswith("python3 -m venv") and "pip install" in line for line in first)


def test_pages_give_the_times_of_interpreted_code_as_the_benchmarks_do() -> None:
    tables = (ROOT / "benchmarks/README.md").read_text(encoding="utf-8")
    run = tables.split("### One run")[1].split("### Caveats")[0]
    rows = [[cell.strip() for cell in line.split("|")] for line in run.splitlines() if "|" in line]
    ratios = [float(row[4]) for row in rows if row[2] == "CPU"]
    assert len(ratios) == 8
    said = f"[{min(ratios):.0f} to {max(ratios):.0f} times as slow]"
    for page in ("README.md", "docs/faq.md"):
        assert said in (ROOT / page).read_text(encoding="utf-8"), page
