"""Compare exactmatch with smatch and smatch++, in quality and time, on the same files.

    python benchmarks/compare.py SYSTEM GOLD [--join K ...] [--dense] [--runs N] [--few N]
        [--limit N] --work DIR

Installs each tool into an environment of its own under DIR, exactmatch both compiled and
interpreted, runs all of them in turn, and prints Markdown tables. Needs Python's standard library
only, on Linux or macOS. Progress goes to stderr.
"""

from __future__ import annotations

import argparse
import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import dense
from join import join_file
from processes import CommandError, Shell, note
from tables import Corpus, report
from tools import RIVALS, SMATCHPP, Environment, Tool, environments, tools


def compare(arguments: argparse.Namespace) -> str:
    """Install the tools, run them in turn, and return the report."""
    shell = Shell(arguments.work, arguments.patience)
    where = environments(arguments.work)
    versions, troubles = install(where, shell)
    corpora = []
    for name, files, are_documents in inputs(arguments):
        note(name)
        found = tools(where, files, arguments.work)
        for tool in found:
            if tool.name in troubles:
                tool.give_up(troubles[tool.name])
        runs = arguments.few if are_documents else arguments.runs
        run_in_turn(found, runs, arguments.few, shell)
        corpora.append(Corpus(f"{len(found[0].runs[0])} {name}", found))
    return report(corpora, context(arguments, versions, shell.pin))


def inputs(arguments: argparse.Namespace) -> Iterator[tuple[str, list[str], bool]]:
    """Yield the files to score: a name, the paths of both files, and whether they are documents."""
    for size in dict.fromkeys(arguments.join):
        name = "sentences" if size == 1 else f"documents of {size}"
        yield name, prepare(arguments, size), size > 1
    if arguments.dense:
        system, gold = (arguments.work / f"dense.{name}.amr" for name in ("system", "gold"))
        dense.write(system, gold, dense.PAIRS, dense.VARIABLES, dense.SEED)
        yield "dense sentences", [str(system), str(gold)], False


def install(
    where: Mapping[str, Environment], shell: Shell
) -> tuple[dict[Path, str], dict[str, str]]:
    """Install all tools; return the versions by folder and, by name, which rival failed and why."""
    versions: dict[Path, str] = {}
    troubles = {}
    for name, environment in where.items():
        if environment.folder in versions:
            continue
        try:
            versions[environment.folder] = environment.install(shell)
        except CommandError as error:
            if name not in RIVALS:
                raise
            troubles[name] = f"not installed, {error}"
            versions[environment.folder] = f"{name} {troubles[name]}"
    return versions, troubles


def run_in_turn(found: Sequence[Tool], runs: int, few: int, shell: Shell) -> None:
    """Run every tool so many times, smatch++ *few* times; align their pairs with the first's."""
    ours, *others = found
    for number in range(1, runs + 1):
        for tool in found:  # in turn, so that a busy machine slows all alike
            if tool.name == SMATCHPP and number > few:
                continue
            note(f"run {number} of {runs}: {tool.name}")
            tool.run_once(shell)
            if tool is ours and ours.trouble:
                raise CommandError(f"exactmatch: {ours.trouble}")
    for tool in others:
        tool.even_out(len(ours.runs[0]))


def prepare(arguments: argparse.Namespace, size: int) -> list[str]:
    """Return the paths of the files to score, shortened and joined as wished."""
    paths = []
    for name in ("system", "gold"):
        path = vars(arguments)[name].resolve(strict=True)
        if arguments.limit:
            path = shorten(path, arguments.work / f"{name}.limit.amr", arguments.limit)
        if size > 1:
            target = arguments.work / f"{name}.join{size}.amr"
            join_file(path, target, size)
            path = target
        paths.append(str(path))
    return paths


def shorten(source: Path, target: Path, count: int) -> Path:
    """Write the first graphs of a file to another, and return its path."""
    blocks = re.split(r"\n\s*\n", source.read_text(encoding="utf-8-sig").strip())
    # A block of comments is no graph; the rivals' readers differ on it, so it is left out.
    graphs = [block for block in blocks if re.search(r"^\s*[^#\s]", block, re.MULTILINE)]
    target.write_text("\n\n".join(graphs[:count]) + "\n", encoding="utf-8")
    return target


def context(
    arguments: argparse.Namespace, versions: Mapping[Path, str], pin: Sequence[str]
) -> list[str]:
    """Return the compared files, the versions, and the machine."""
    names = f"{arguments.system.name} against {arguments.gold.name}"
    limit = f"first {arguments.limit} sentences" if arguments.limit else "all sentences"
    where = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    core = f"one core ({' '.join(['taskset', *pin[1:]])})" if pin else "not pinned (no taskset)"
    return [
        f"Files: {names}, {limit}",
        f"Versions: {'; '.join(versions.values())}",
        f"Runs: {arguments.runs}, of documents and of smatch++ {arguments.few}, on {where}, every "
        f"process on {core}; times are medians",
    ]


def positive(text: str) -> int:
    """Read a number of things from the command line."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def parse_arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Compare exactmatch with smatch and smatch++.")
    parser.add_argument("system", metavar="SYSTEM", type=Path, help="AMRs to be scored")
    parser.add_argument("gold", metavar="GOLD", type=Path, help="AMRs to score them against")
    parser.add_argument(
        "--join",
        metavar="K",
        type=positive,
        nargs="+",
        default=[1],
        help="join K sentences to one graph, 1 for none; several are compared one after the other",
    )
    parser.add_argument("--dense", action="store_true", help="random dense sentences as well")
    parser.add_argument("--runs", metavar="N", type=positive, default=5, help="default: 5")
    parser.add_argument(
        "--few", metavar="N", type=positive, default=1, help="of documents and smatch++ (1)"
    )
    parser.add_argument("--limit", metavar="N", type=positive, help="only the first N sentences")
    parser.add_argument(
        "--patience", metavar="SECONDS", type=positive, default=3600, help="default: 3600"
    )
    parser.add_argument("--work", metavar="DIR", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.work = arguments.work.resolve()
    arguments.few = min(arguments.few, arguments.runs)
    return arguments


def main() -> None:
    """Print the comparison asked for on the command line."""
    try:
        print(compare(parse_arguments()))
    except (CommandError, OSError, ValueError) as error:
        sys.exit(f"compare.py: {error}")


if __name__ == "__main__":
    main()
