"""A hook of mkdocs: a page with all that is imported from exactmatch, from its docstrings.

Signatures are those of ``exactmatch/__init__.pyi``, as editors show them. Docstrings are taken from
the running program, in which they describe the options that functions share.
"""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import exactmatch

PLACE = "docs/reference.md"

_HEAD = """# Reference of Python

All that is imported from `exactmatch`, from its docstrings. [Python](python.md) says what it is
for.
"""
_SECTION = re.compile(r"^(Args|Returns|Yields|Raises|Example):$")
#: What begins an entry of a list: names, perhaps several, and what they are.
_ENTRY = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*): ")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page."""
    files.append(File.generated(config, PLACE, content=reference()))
    return files


def reference() -> str:
    """Return the page: functions, classes, errors and values, in the order of their names."""
    signatures = dict(_signatures())
    things = {name: getattr(exactmatch, name) for name in exactmatch.__all__ if name[0] != "_"}
    kinds = {name: _kind(one) for name, one in things.items()}
    pieces = [_HEAD]
    for kind in ("Functions", "Classes", "Errors", "Values"):
        pieces.append(f"## {kind}\n")
        for name in (name for name in things if kinds[name] == kind):
            pieces += [f"### {name}\n", signatures.get(name, ""), markdown(things[name])]
            if kind == "Classes":
                pieces += _members(things[name])
    return "\n".join(pieces)


def _kind(one: object) -> str:
    """Return the heading that something stands under."""
    if inspect.isclass(one):
        return "Errors" if issubclass(one, Exception) else "Classes"
    return "Functions" if inspect.isfunction(one) else "Values"


def _signatures() -> Iterator[tuple[str, str]]:
    """Yield the functions with their signatures; of several signatures, all."""
    text = Path(exactmatch.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            source = ast.get_source_segment(text, node) or ""
            found.setdefault(node.name, []).append(source.removesuffix(": ..."))
    for name, sources in found.items():
        yield name, "```python\n" + "\n".join(sources) + "\n```\n"


def markdown(thing: object) -> str:
    """Return what the docstring of a function or a class says."""
    section, lines = "", []
    for line in (inspect.getdoc(thing) or "").splitlines():
        begun = _SECTION.match(line)
        if begun or (section and line and not line.startswith(" ")):
            lines += ["```", ""] if section == "Example" else [""]
            section = begun[1] if begun else ""
            lines += [f"**{section}**", ""] if section else []
            lines += ["```python"] if section == "Example" else []
            if begun:
                continue
        lines.append(line.removeprefix("    ") if section else line)
    lines += ["```"] if section == "Example" else []
    return "\n".join(_with_lists(lines)) + "\n"


def _with_lists(lines: list[str]) -> Iterator[str]:
    """Yield *lines* of text, with entries as those of a list; code is left as it is."""
    is_code = is_entry = False
    for line in lines:
        is_code ^= line.startswith("```")
        entry = None if is_code else _ENTRY.match(line)
        if entry:
            if not is_entry:
                yield ""
            names = ", ".join(f"`{name}`" for name in entry[1].split(", "))
            line = f"* {names}: {line[entry.end() :]}"
        is_entry = bool(entry) or (is_entry and line.startswith("    "))
        yield line


def _members(kind: type) -> Iterator[str]:
    """Yield the public methods and computed attributes of a class, with what they say first."""
    for name, one in inspect.getmembers(kind):
        said = inspect.getdoc(one)
        is_own = callable(one) or isinstance(one, property)
        if name.startswith("_") or not is_own or not said or inspect.isclass(one):
            continue
        if not inspect.getmodule(one.fget if isinstance(one, property) else one):
            continue
        call = "" if isinstance(one, property) else "()"
        first = " ".join(said.partition("\n\n")[0].split())
        yield f"* `.{name}{call}`: {first}"
    yield ""
