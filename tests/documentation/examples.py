"""Read the examples of a page, and run them.

A ``console`` block holds commands after ``$`` and their output. A ``python`` block holds a program
or, after ``>>>``, a session. All examples of a page run one after the other in one folder, and its
Python in one namespace. In the expected output, ``...`` matches any text.
"""

import doctest
import os
import re
import shlex
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from exactmatch.cli import main

_FENCE = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: How a version stands in signatures, reports and answers to --version.
_VERSIONS = re.compile(r"(version:|exactmatch |version )\d+\.\d+[\w.]*")
_TERMINAL = {"COLUMNS": "80"}
_KERNEL = re.compile(r"\((compiled|interpreted) kernel\)")


class Example(NamedTuple):
    """A piece of a page, *kind* being the word on its fence, and the line on which it begins."""

    kind: str
    text: str
    line: int


class Command(NamedTuple):
    """A command after ``$``, and its expected output."""

    typed: str
    shown: str


def examples(page: str) -> Iterator[Example]:
    """Yield the examples of a page in order."""
    for found in _FENCE.finditer(page):
        yield Example(found[1], found[2], page.count("\n", 0, found.start(2)) + 1)


def commands(example: Example) -> list[Command]:
    """Return the commands of a ``console`` block."""
    before, *pieces = re.split(r"^\$ ", example.text, flags=re.MULTILINE)
    assert not before.strip(), f"line {example.line}: output of no command"
    halves = [piece.partition("\n") for piece in pieces]
    return [Command(typed, shown) for typed, _, shown in halves]


class Console:
    """A small shell for the examples: patterns of files, ``> FILE`` and ``echo $?``.

    The current folder must be *folder*, since commands of exactmatch run in this process.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._status = 0

    def run(self, typed: str) -> str:
        """Return the output of a command, with standard output and standard error together."""
        typed, _, target = typed.partition(" > ")
        words = [word for typed_word in shlex.split(typed) for word in self._files(typed_word)]
        if words == ["echo", "$?"]:
            return f"{self._status}\n"
        start = self._invoke if words[0] == "exactmatch" else self._start
        self._status, printed = start(words)
        if not target:
            return printed
        (self._folder / target).write_text(printed, encoding="utf-8")
        return ""

    def _invoke(self, words: list[str]) -> tuple[int, str]:
        """Run a command of exactmatch in this process; return its status and its output."""
        done = CliRunner().invoke(
            main, words[1:], prog_name=words[0], env=_TERMINAL, catch_exceptions=False
        )
        return done.exit_code, done.output

    def _start(self, words: list[str]) -> tuple[int, str]:
        """Run another program; return its status and its output."""
        done = subprocess.run(
            [*self._program(words[0]), *words[1:]],
            cwd=self._folder,
            env={**os.environ, **_TERMINAL},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        return done.returncode, done.stdout

    def _files(self, word: str) -> list[str]:
        if not re.search(r"[*\[]", word):
            return [word]
        found = sorted(path.relative_to(self._folder) for path in self._folder.glob(word))
        return [path.as_posix() for path in found] or [word]

    def _program(self, name: str) -> list[str]:
        if name == "python":
            return [sys.executable]
        return [sys.executable, str(Path(sysconfig.get_path("scripts")) / name)]


def run_python(example: Example, names: dict[str, Any]) -> str:
    """Run a ``python`` block with the global *names*; return the failures of its session."""
    if ">>> " not in example.text:
        exec(compile(example.text, f"line {example.line}", "exec"), names)
        return ""
    session = doctest.DocTestParser().get_doctest(
        example.text, names, "page", "page", example.line - 1
    )
    wrong: list[str] = []
    # A session gets its own copy of the names, which is looked at afterwards.
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(
        session, out=wrong.append, clear_globs=False
    )
    names.update(session.globs)
    return "".join(wrong)


def is_as_shown(shown: str, printed: str) -> bool:
    """Tell whether *printed* matches the page, whatever the versions are."""
    pieces = re.split(r" *\.\.\.", _plain(shown))
    pattern = "(?s:.*)".join(map(re.escape, pieces))
    return re.fullmatch(pattern, _plain(printed)) is not None


def _plain(text: str) -> str:
    text = _KERNEL.sub("(some kernel)", _VERSIONS.sub(r"\1N", text))
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
