"""The checker in JavaScript: run by Node.js where there is one, or in a page of a browser."""

import ast
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from chromium import Window

SOURCE = Path(str(files("exactmatch.certificate") / "checker.js"))

#: Lines of certificates and of pairs, and what is found of each: identifier, verdict and reason.
Findings = list[tuple[str, str, str]]
Judge = Callable[[Sequence[bytes], Sequence[bytes]], Findings]

_TOLD = re.compile(r"(\w+) ('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"): (.*)")


class Answer(NamedTuple):
    """The program's output, and its exit status."""

    told: str
    errors: str
    status: int


def node() -> str | None:
    """Return the path of Node.js, or None if Node.js is missing."""
    return shutil.which("node") or shutil.which("nodejs")


def run(*words: str | Path, source: Path = SOURCE) -> Answer:
    """Run the checker as a program."""
    program = node()
    assert program is not None
    # What runs for a second is not worth optimising.
    ran = subprocess.run([program, "--no-opt", source, *words], capture_output=True, check=False)
    return Answer(ran.stdout.decode(), ran.stderr.decode(), ran.returncode)


def answer(lines: Sequence[bytes], pairs: Sequence[bytes], source: Path = SOURCE) -> Answer:
    """Return the program's output for lines of certificates and of pairs."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("certificates", "pairs")]
        for path, content in zip(paths, (lines, pairs), strict=True):
            path.write_bytes(b"".join(line + b"\n" for line in content))
        return run(*paths, source=source)


def judged_by_node(lines: Sequence[bytes], pairs: Sequence[bytes]) -> Findings:
    """Return the program's findings, except for verified certificates."""
    found = answer(lines, pairs)
    assert not found.errors, found.errors
    return read_findings(found.told)


def read_findings(told: str) -> Findings:
    """Return a program's output on all unverified certificates, in the words of checker.py."""
    found = []
    for line in told.splitlines()[:-1]:
        verdict, name, reason = _told(line)
        found.append((ast.literal_eval(name), verdict, ast.literal_eval(reason)))
    return found


def _told(line: str) -> Sequence[str]:
    match = _TOLD.fullmatch(line)
    assert match is not None, line
    return match.groups()


class JudgedInBrowser:
    """A judge in the page of a browser, like `judged_by_node`."""

    def __init__(self, window: Window, source: Path = SOURCE) -> None:
        self._window = window
        window.visit("about:blank")
        window.run(source.read_text("utf-8") + "\nwindow.checkAll = exactmatchChecker.checkAll;")

    def __call__(self, lines: Sequence[bytes], pairs: Sequence[bytes]) -> Findings:
        texts = [[as_text(line) for line in some] for some in (lines, pairs)]
        found = self._window.run(
            "return window.checkAll(...arguments).filter((one) => one.verdict !== 'verified')"
            ".map(({id, verdict, why}) => [id, verdict, why])",
            *texts,
        )
        return [(str(name), str(verdict), str(why)) for name, verdict, why in found]


def as_text(line: bytes) -> str:
    """Return a line as a page may have it; a text that is not UTF-8 is no JSON either."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return "no UTF-8"
