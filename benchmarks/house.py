"""Describe the layout of the package: its rooms and floors in numbers, and the way of one pair.

    python benchmarks/house.py [CHECKOUT]          rooms, floors, lines, complexity, names
    python benchmarks/house.py [CHECKOUT] --pair   the way of a pair from room to room
    python benchmarks/house.py --picture           draw the house into docs/architecture.md

A room is a module or a folder of the package; the encodings are one room. Modules that begin with
an underscore belong to the face of the package, and are no room. An arrow leads from a room to one
that it imports, also in a function or for type checkers alone. A room is on the floor above the
highest one that it imports; rooms that import each other are on the same floor. Everything except
the way of a pair is read from the source, by default of this checkout. Tables are in Markdown.
"""

import argparse
import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import resolve_name
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import NamedTuple

import networkx

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "architecture.md"
BEGIN = "<!-- drawn by `python benchmarks/house.py --picture` -->\n"
END = "<!-- until here -->\n"
PACKAGE = "exactmatch"
#: The options whose signatures are counted.
OPTIONS = ("timeout", "on_error", "progress", "workers")
SMALL, LARGE = 40, 400
#: A function of so many parameters, or more, is counted.
MANY = 8
COMPLEX = 15
#: The comment with which a more complex function gives its reason.
REASON = re.compile(r"# Complex: (.*)")
#: The command whose calls are recorded; ``{}`` is the folder of the pair.
COMMAND = "score {}/system.amr {}/gold.amr --duplicates multiset --workers 1"
_BRANCHES = (
    *(ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.comprehension),
    *(ast.match_case, ast.Assert),
)


_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef)
#: Where a statement, or a branch of one, has others.
_BODIES = ("body", "handlers", "orelse", "finalbody", "cases")


@dataclass(frozen=True)
class Module:
    """A Python file; *name* is its name for imports."""

    name: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def statements(self) -> list[ast.AST]:
        """The module and all statements in it, without their expressions, which are far more."""
        found: list[ast.AST] = [self.tree]
        for node in found:  # which grows meanwhile
            for name in _BODIES:
                found += getattr(node, name, ())
        return found

    @property
    def room(self) -> str:
        """The room of the module; empty for the face of the package."""
        room = self.name.split(".")[1] if "." in self.name else ""
        return "" if room.startswith("_") else room


class Lines(NamedTuple):
    """The numbers of lines of one or several modules; the rest is blank."""

    modules: int
    all: int
    code: int
    docstring: int
    comment: int


class Complexity(NamedTuple):
    """One, plus one for every branch of a function and every operand of ``and`` and ``or``.

    reason: why it may be more than `COMPLEX`, from a comment in the function.
    """

    value: int
    module: str
    function: str
    reason: str


class Place(NamedTuple):
    """A function, and the module that it is in."""

    module: str
    function: str


class Call(NamedTuple):
    """How often functions of one file called functions of another, or continued generators."""

    caller: Place
    callee: Place
    times: int


class House:
    """The modules of a checkout, and what they import."""

    def __init__(self, checkout: Path) -> None:
        paths = files(checkout)
        self.modules = {name: Module(name, path.read_text("utf-8")) for name, path in paths.items()}
        self._packages = {name for name, path in paths.items() if path.stem == "__init__"}
        self.imports = networkx.DiGraph()
        self.imports.add_nodes_from(self.modules)
        for module in self.modules.values():
            self.imports.add_edges_from((module.name, other) for other in self._imported(module))
        self.arrows = networkx.DiGraph()
        self.arrows.add_nodes_from(m.room for m in self.modules.values() if m.room)
        for one, other in self.imports.edges:
            rooms = (self.modules[one].room, self.modules[other].room)
            if all(rooms) and rooms[0] != rooms[1]:
                self.arrows.add_edge(*rooms)
        self.floors = _floors(self.arrows)

    def _imported(self, module: Module) -> Iterator[str]:
        package = module.name if module.name in self._packages else module.name.rpartition(".")[0]
        for node in module.statements:
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                place = resolve_name("." * node.level + (node.module or ""), package)
                inside = [f"{place}.{alias.name}" for alias in node.names]
                names = [name if name in self.modules else place for name in inside]
            yield from (name for name in names if name in self.modules and name != module.name)

    @property
    def rooms(self) -> list[str]:
        """The rooms from the highest floor to the lowest, by name on each."""
        return sorted(self.floors, key=lambda room: (-self.floors[room], room))


def files(checkout: Path) -> dict[str, Path]:
    """Return the modules of the package; encodings have the names under which they are shipped."""
    found = {}
    for path in sorted((checkout / PACKAGE).rglob("*.py")):
        words = path.relative_to(checkout).with_suffix("").parts
        found[".".join(words).removesuffix(".__init__")] = path
    for path in sorted((checkout / "encodings").glob("*.py")):
        found[f"{PACKAGE}.encodings.{path.stem}"] = path
    return found


def _floors(arrows: networkx.DiGraph) -> dict[str, int]:
    """Return the floor of each room, the lowest being 1."""
    circles = networkx.condensation(arrows)
    floors: dict[int, int] = {}
    for node in reversed([*networkx.topological_sort(circles)]):
        floors[node] = 1 + max((floors[below] for below in circles.successors(node)), default=0)
    return {room: floors[circles.graph["mapping"][room]] for room in arrows}


def circles(graph: networkx.DiGraph) -> list[list[str]]:
    """Return the groups of modules that import each other, directly or indirectly."""
    return sorted(sorted(c) for c in networkx.strongly_connected_components(graph) if len(c) > 1)


def lines(module: Module) -> Lines:
    """Count the lines of a module."""
    every = module.lines
    comments = {
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(module.text).readline)
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#")
    }
    docstrings = set[int]()
    for node in module.statements:
        if isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node) is not None:
            first = node.body[0]
            docstrings.update(range(first.lineno, (first.end_lineno or 0) + 1))
    written = {number for number, line in enumerate(every, start=1) if line.strip()}
    code = written - comments - docstrings
    return Lines(1, len(every), len(code), len(docstrings), len(comments))


def functions(module: Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield the functions of a module with their names, those of its classes as ``Class.name``."""
    for node in module.statements:
        if isinstance(node, _WITH_DOCSTRING):
            place = "" if isinstance(node, ast.Module) else f"{node.name}."
            yield from ((place + f.name, f) for f in node.body if isinstance(f, ast.FunctionDef))


def complexities(house: House) -> list[Complexity]:
    """Return the complexity of each function, the highest first."""
    found = [
        Complexity(_complexity(function), module.name, name, _reason(function, module))
        for module in house.modules.values()
        for name, function in functions(module)
    ]
    return sorted(found, key=lambda one: (-one.value, one))


def _complexity(function: ast.FunctionDef) -> int:
    nodes = [*ast.walk(function)]
    operands = [len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp)]
    conditions = [len(node.ifs) for node in nodes if isinstance(node, ast.comprehension)]
    return 1 + sum(isinstance(n, _BRANCHES) for n in nodes) + sum(operands) + sum(conditions)


def _reason(function: ast.FunctionDef, module: Module) -> str:
    lines = module.lines[function.lineno - 1 : function.end_lineno]
    found = REASON.search("\n".join(lines))
    return found[1] if found else ""


def parameters(house: House) -> Counter[str]:
    """Return the number of signatures with each of `OPTIONS`."""
    names = (name for found in signatures(house) for name in found)
    return Counter(name for name in names if name in OPTIONS)


def signatures(house: House) -> list[list[str]]:
    """Return the names of the parameters of each function, also of those inside others."""
    nodes = (node for module in house.modules.values() for node in ast.walk(module.tree))
    every = (node.args for node in nodes if isinstance(node, ast.FunctionDef))
    return [[a.arg for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]] for args in every]


class Keywords(NamedTuple):
    """The numbers of keyword arguments: of all, and of those handed on under their own name."""

    all: int
    handed_on: int


def keywords(house: House) -> Keywords:
    """Count the keyword arguments of all calls; ``a=a`` and ``a=of.a`` are handed on."""
    found = [
        (one.arg, one.value)
        for module in house.modules.values()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        for one in node.keywords
        if one.arg is not None
    ]
    return Keywords(len(found), sum(name == _last_name(value) for name, value in found))


def _last_name(value: ast.expr) -> str | None:
    """Return the name of a variable, or of an attribute."""
    if isinstance(value, ast.Name):
        return value.id
    return value.attr if isinstance(value, ast.Attribute) else None


def shared_names(house: House) -> dict[str, list[str]]:
    """Return the names of files that are in several rooms, with their places."""
    places: dict[str, list[Module]] = {}
    for module in house.modules.values():
        if module.room:
            places.setdefault(module.name.rpartition(".")[2], []).append(module)
    return {
        name: [module.name.removeprefix(f"{PACKAGE}.") for module in found]
        for name, found in sorted(places.items())
        if len({module.room for module in found}) > 1
    }


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table in Markdown; whole numbers stand on the right."""
    numeric = [
        bool(rows) and all(isinstance(row[k], int) for row in rows) for k in range(len(head))
    ]
    rule = ["---:" if right else "---" for right in numeric]
    cells = [[f"{c:,}" if isinstance(c, int) else str(c) for c in row] for row in rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in [list(head), rule, *cells])


def figures(house: House) -> str:
    """Return the figures of a house."""
    sizes = {name: lines(module) for name, module in house.modules.items()}
    ranked = complexities(house)
    rows: list[list[object]] = []
    for room in [*house.rooms, ""]:
        inside = [sizes[m.name] for m in house.modules.values() if m.room == room]
        rows.append([house.floors.get(room, ""), room or "the face", *_summed(inside)])
    rows.append(["", "**all**", *_summed(sizes.values())])
    handed = keywords(house)
    counts = [
        ["modules", len(sizes)],
        ["lines of code", sum(size.code for size in sizes.values())],
        [f"functions of {MANY} or more parameters", sum(len(f) >= MANY for f in signatures(house))],
        ["keyword arguments", handed.all],
        ["... handed on under their own name", handed.handed_on],
        ["rooms", len(house.floors)],
        ["floors", max(house.floors.values())],
        ["arrows between rooms", house.arrows.number_of_edges()],
        ["circles of rooms", len(circles(house.arrows))],
        ["circles of modules", len(circles(house.imports))],
        [f"modules under {SMALL} lines", sum(size.all < SMALL for size in sizes.values())],
        [f"modules over {LARGE} lines", sum(size.all > LARGE for size in sizes.values())],
        [f"functions more complex than {COMPLEX}", sum(one.value > COMPLEX for one in ranked)],
        *([f"signatures with `{name}`", parameters(house)[name]] for name in OPTIONS),
        ["names of files in several rooms", len(shared_names(house))],
    ]
    pieces = [
        table(["", ""], counts),
        table(["floor", "room", "modules", "lines", "code", "docstring", "comment"], rows),
        table(
            ["complexity", "module", "function", "why"],
            [one for one in ranked if one.value > COMPLEX] or ranked[:1],
        ),
        table(["circle"], [[" ".join(found)] for found in circles(house.imports)]),
        table(["name", "places"], [[n, " ".join(p)] for n, p in shared_names(house).items()]),
    ]
    return "\n".join(pieces)


def _summed(sizes: Iterable[Lines]) -> Iterator[int]:
    return map(sum, zip(*sizes, strict=True))


def calls(checkout: Path) -> list[Call]:
    """Return the calls between modules of *checkout* while a pair is scored, in a new process.

    The process is interpreted, since no profiler sees the calls of compiled functions.
    """
    with TemporaryDirectory() as folder:
        for name in (PACKAGE, "encodings"):
            compiled = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
            shutil.copytree(checkout / name, Path(folder, name), ignore=compiled)
        shutil.copy(checkout / "pyproject.toml", folder)  # the encodings are found by it
        words = [sys.executable, __file__, folder, "--record"]
        environment = {**os.environ, "PYTHONPATH": folder}
        done = subprocess.run(words, check=True, stdout=subprocess.PIPE, env=environment)
    return [
        Call(Place(*one), Place(*other), times) for one, other, times in json.loads(done.stdout)
    ]


def record(checkout: Path) -> list[Call]:
    """Run `COMMAND` on the package of *checkout*, which is imported.

    The first of two runs imports all modules. Functions of other libraries are skipped: their calls
    count as those of their callers.
    """
    from click.testing import CliRunner

    from exactmatch.cli import main

    names = {str(path): name for name, path in files(checkout).items()}
    seen: Counter[tuple[Place, Place]] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_code.co_filename not in names:
            return
        caller = frame.f_back
        while caller is not None and caller.f_code.co_filename not in names:
            caller = caller.f_back
        if caller is not None and caller.f_code.co_filename != frame.f_code.co_filename:
            ends = (caller.f_code, frame.f_code)
            one, other = (Place(names[code.co_filename], code.co_qualname) for code in ends)
            seen[one, other] += 1

    words = COMMAND.format(*[ROOT / "instances" / "paper"] * 2).split()
    CliRunner().invoke(main, words, catch_exceptions=False)
    sys.setprofile(note)
    try:
        CliRunner().invoke(main, words, catch_exceptions=False)
    finally:
        sys.setprofile(None)
    return [Call(*ends, times) for ends, times in seen.items()]


def way_of_a_pair(house: House, found: Sequence[Call]) -> str:
    """Return the figures of the way of a pair."""
    moves = [(call, *_rooms(house, call)) for call in found]
    moves = [(call, one, other) for call, one, other in moves if one and other and one != other]
    climbs = [move for move in moves if house.floors[move[1]] < house.floors[move[2]]]
    ends = {end.module for call in found for end in (call.caller, call.callee)}
    counts = [
        ["files", len(ends)],
        ["rooms", len({house.modules[name].room for name in ends} - {""})],
        ["calls from file to file", sum(call.times for call in found)],
        ["moves from room to room", sum(call.times for call, *_ in moves)],
        ["... the same two rooms counted once", len({tuple(rooms) for _, *rooms in moves})],
        ["climbs: moves to a higher floor", sum(call.times for call, *_ in climbs)],
        ["... the same two rooms counted once", len({tuple(rooms) for _, *rooms in climbs})],
    ]
    rows = [[_written(call.caller), _written(call.callee), call.times] for call, *_ in climbs]
    return f"{table(['', ''], counts)}\n{table(['climb from', 'to', 'times'], sorted(rows))}"


def _rooms(house: House, call: Call) -> tuple[str, str]:
    return house.modules[call.caller.module].room, house.modules[call.callee.module].room


def _written(place: Place) -> str:
    return f"{place.module.removeprefix(f'{PACKAGE}.')}: `{place.function}`"


def picture(house: House) -> str:
    """Return the house drawn in Markdown: its floors with the arrows, and a line on each room.

    An arrow is left out where others lead the same way.
    """
    drawn = ["```mermaid", "flowchart TB"]
    for floor in sorted(set(house.floors.values()), reverse=True):
        drawn += [f'  subgraph floor{floor}["{floor}"]']
        drawn += [f"    {room}" for room in house.rooms if house.floors[room] == floor]
        drawn += ["  end"]
    needed = networkx.transitive_reduction(house.arrows)
    for room in house.rooms:
        if below := sorted(needed.successors(room)):
            drawn.append(f"  {room} --> {' & '.join(below)}")
    rows = [
        [house.floors[room], f"`{room}`", _what_for(house, room), _imports(house, room)]
        for room in house.rooms
    ]
    return "\n".join([*drawn, "```", "", table(["floor", "room", "what it is", "imports"], rows)])


def _what_for(house: House, room: str) -> str:
    return (ast.get_docstring(house.modules[f"{PACKAGE}.{room}"].tree) or "").splitlines()[0]


def _imports(house: House, room: str) -> str:
    below = [other for other in house.rooms if house.arrows.has_edge(room, other)]
    return " ".join(f"`{other}`" for other in below)


def with_picture(page: str, drawn: str) -> str:
    """Return the text of a page with the house drawn anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{drawn}\n{END}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("checkout", type=Path, nargs="?", default=ROOT)
    parser.add_argument("--pair", action="store_true", help="the way of a pair")
    parser.add_argument("--picture", action="store_true", help=f"draw the house into {PAGE.name}")
    parser.add_argument("--record", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    checkout = asked.checkout.resolve()
    if asked.record:
        print(json.dumps(record(checkout)))
    elif asked.picture:
        PAGE.write_text(with_picture(PAGE.read_text("utf-8"), picture(House(ROOT))), "utf-8")
    elif asked.pair:
        print(way_of_a_pair(House(checkout), calls(checkout)))
    else:
        print(figures(House(checkout)))


if __name__ == "__main__":
    main()
