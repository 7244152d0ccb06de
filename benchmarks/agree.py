"""Let all solvers prove the same pairs, and count how often two of them disagree.

    python benchmarks/agree.py [SYSTEM GOLD]...

The pairs are those of ``instances/``, 500 random hard ones, and those of the named files (under the
profile ``smatch-1.0.4``). Every solver proves each pair, once with every part that a solver may
receive and once with none, besides ``auto``; brute force is used where at most 9 variables have to
be mapped. Exits with 1 on a disagreement.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from exactmatch.errors import VerificationError
from exactmatch.graphs.coupling import couple_graphs
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair, read_pair
from exactmatch.graphs.readers.detect import read_file, read_text
from exactmatch.metrics.smatch import Smatch
from exactmatch.problem import MatchingProblem
from exactmatch.scoring.comparison import compare
from exactmatch.solving.names import AUTO, GIVEN
from exactmatch.solving.presolve import presolve
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import solve
from exactmatch.stopping.deadline import Deadline

INSTANCES = Path(__file__).resolve().parents[1] / "instances"
SOLVERS = ["cpsat", "maxsat", "ilp", "highs", "ilp-paper"]
SECONDS = 60.0
MOST_FOR_BRUTE_FORCE = 9
RANDOM_PAIRS = 500
STUDY = ["a", "b", "c", "d", "consensus"]


def generator() -> Any:
    """Return the module ``instances/generate.py``."""
    spec = spec_from_file_location("generate", INSTANCES / "generate.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["generate"] = module
    spec.loader.exec_module(module)
    return module


def from_files(system: Path, gold: Path, profile: str) -> Iterator[tuple[str, MatchingProblem]]:
    """Yield the problems of two files, with their names."""
    graphs = [read_file(path).graphs for path in (system, gold)]
    for couple in couple_graphs(*graphs, system_name=str(system), gold_name=str(gold)):
        pair = read_pair(couple, "stop").pair
        assert isinstance(pair, GraphPair)
        yield f"{system.name} {pair.identifier}", compare(pair, Smatch.profiles[profile]).problem


def random_hard() -> Iterator[tuple[str, MatchingProblem]]:
    """Yield problems of all families in sizes from 4 to 12."""
    generate = generator()
    names = sorted(generate.FAMILIES)
    for number in range(RANDOM_PAIRS):
        name, size = names[number % len(names)], 4 + number % 9
        sides = [read_text(text, name).graphs[0] for text in generate.family(name, size, number)]
        system, gold = (side for side in sides if isinstance(side, Graph))
        pair = GraphPair(f"{name} {size} {number}", system, gold)
        yield pair.identifier, compare(pair, Smatch.profiles["default"]).problem


def problems(files: list[str]) -> Iterator[tuple[str, MatchingProblem]]:
    """Yield all problems to try."""
    yield from from_files(INSTANCES / "paper/system.amr", INSTANCES / "paper/gold.amr", "default")
    for system in sorted((INSTANCES / "hard").glob("*.system.amr")):
        gold = system.with_name(system.name.replace(".system.", ".gold."))
        yield from from_files(system, gold, "default")
    for name in STUDY[:-1]:
        study = INSTANCES / "agreement"
        yield from from_files(study / f"{name}.amr", study / "consensus.amr", "default")
    yield from random_hard()
    for system_file, gold_file in zip(files[::2], files[1::2], strict=True):
        yield from from_files(Path(system_file), Path(gold_file), "smatch-1.0.4")


def optima(problem: MatchingProblem) -> dict[str, int]:
    """Return the result of each way of proving *problem*, if it was done in time."""
    presolved = presolve(problem, Deadline()).problem
    is_small = len({left for left, _ in presolved.candidates}) <= MOST_FOR_BRUTE_FORCE
    solvers = [*SOLVERS, "brute"] if is_small else SOLVERS
    ways: list[tuple[str, str, Sequence[str]]] = [(AUTO, AUTO, GIVEN)]
    ways += [(f"{solver}, given all", solver, GIVEN) for solver in solvers]
    ways += [(f"{solver}, given nothing", solver, ()) for solver in solvers]
    found = {}
    for way, solver, given in ways:
        deadline = Deadline.after(SECONDS)
        solution = solve(problem, SolverSettings(solver=solver, given=given, deadline=deadline))
        assert problem.value(solution.mapping) == solution.lower
        if solution.is_optimal:
            found[way] = solution.lower
    return found


def main(files: list[str]) -> int:
    """Print what was tried and the number of disagreements."""
    proven: Counter[str] = Counter()
    disagreements = pairs = 0
    for name, problem in problems(files):
        pairs += 1
        try:
            found = optima(problem)
        except VerificationError as error:
            disagreements += 1
            print(f"{name}: {error}")
            continue
        proven.update(found.keys())
        if len(set(found.values())) > 1:
            disagreements += 1
            print(f"{name}: {found}")
        if sys.stderr.isatty():
            print(f"\r{pairs}", end="", file=sys.stderr)
    print(f"pairs: {pairs}")
    for solver, count in proven.items():
        print(f"proven by {solver}: {count}")
    print(f"disagreements: {disagreements}")
    return int(disagreements > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
