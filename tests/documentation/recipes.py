"""Follow the recipes of a page to the letter: each step writes a file, or adds to one."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_STEP = re.compile(
    r"^\*\*(?:Write|In) `(?P<path>[\w./]+)`"
    r"(?:, (?P<where>below|above|instead of) `(?P<place>[^\n]+)`|, (?P<end>at the end))?:\*\*\n\n"
    r"```py\n(?P<code>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_SESSION = re.compile(r"^```py\n(>>> .*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^ {4}exactmatch (.+)$", re.MULTILINE)


class Step(NamedTuple):
    """A step of a recipe.

    where: ``below``, ``above`` or ``instead of`` the text *place* in the file *path*; ``at the
    end`` of it; or empty, if *code* is the whole file.
    """

    path: str
    where: str
    place: str
    code: str


def steps(page: str) -> Iterator[Step]:
    """Yield the steps of all recipes of a page."""
    for found in _STEP.finditer(page):
        where = found["where"] or found["end"] or ""
        yield Step(found["path"], where, found["place"] or "", found["code"])


def follow(step: Step, root: Path) -> None:
    """Do what a step says. Its place must be there exactly once."""
    path = root / step.path
    if not step.where:
        path.parent.mkdir(exist_ok=True)
        path.write_text(step.code, encoding="utf-8")
        return
    text = path.read_text(encoding="utf-8")
    if step.where == "at the end":
        path.write_text(text + step.code, encoding="utf-8")
        return
    assert text.count(step.place) == 1, f"{step.path} has {text.count(step.place)} {step.place!r}"
    before, after = text.split(step.place)
    changed = {
        "below": f"{step.place}\n{step.code.removesuffix(chr(10))}",
        "above": step.code + step.place,
        "instead of": step.code.removesuffix("\n"),
    }
    path.write_text(before + changed[step.where] + after, encoding="utf-8")


def sessions(page: str) -> list[str]:
    """Return the sessions with Python that a page shows."""
    return _SESSION.findall(page)


def commands(page: str) -> list[str]:
    """Return the arguments of the commands that a page tells its readers to try."""
    return _COMMAND.findall(page)
