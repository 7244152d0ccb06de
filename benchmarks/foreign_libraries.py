"""Measure solvers of others, called from Python, on the benchmark set for solvers.

    python benchmarks/foreign_libraries.py LIBRARY [NAME ...] --work DIR [--seconds SECONDS]

LIBRARY is the installed package of a solver: highspy, pyscipopt, gurobipy, cplex, xpress, coptpy or
pytoulbar2. All but pytoulbar2 read the program with pair rows, folded, which our own solvers get;
pytoulbar2 gets a cost function network. The seconds of processor time are those of solving: loading
and reading are left out. Problems that a free licence does not allow are named. Rows are added to
those of ``solver_set_table.py``, whose ``--report`` prints the table of both.
"""

import argparse
import itertools
import math
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from agree import INSTANCES
from solver_set_table import Run, measure

from exactmatch.problem import MatchingProblem
from exactmatch.problem.linear_program import folded
from exactmatch.problem.model_formats import PROGRAMS
from exactmatch.stopping.deadline import Deadline

sys.path.insert(0, str(INSTANCES))
import solver_set

#: Costs are whole numbers, so a solver may stop as soon as less than this is open.
_GAP = 0.999
#: A search that has taken more of its time may have been limited.
_IN_TIME = 0.9
#: Bounds are floating-point numbers.
_ROUNDING = 1e-5


class Task(NamedTuple):
    """A problem that a solver has read; *solve* returns the least cost it has found and its bound.

    A mapping costs *base* less its score.
    """

    solve: Callable[[], tuple[float, float]]
    base: int = 0


def highspy(path: Path, seconds: float) -> Task:
    """Let highspy read *path*, an MPS file."""
    model = import_module("highspy").Highs()
    for name, value in {"output_flag": False, "threads": 1, "time_limit": seconds}.items():
        model.setOptionValue(name, value)
    model.setOptionValue("mip_abs_gap", _GAP)
    model.setOptionValue("mip_rel_gap", 0.0)
    model.readModel(str(path))

    def solve() -> tuple[float, float]:
        model.run()
        info = model.getInfo()
        return (info.objective_function_value, info.mip_dual_bound)

    return Task(solve)


def pyscipopt(path: Path, seconds: float) -> Task:
    """Let PySCIPOpt read *path*."""
    model = import_module("pyscipopt").Model()
    model.hideOutput()
    model.setParams({"limits/time": seconds, "limits/absgap": _GAP, "timing/clocktype": 1})
    model.readProblem(str(path))

    def solve() -> tuple[float, float]:
        model.optimize()
        return (model.getPrimalbound(), model.getDualbound())

    return Task(solve)


def gurobipy(path: Path, seconds: float) -> Task:
    """Let gurobipy read *path*."""
    library = import_module("gurobipy")
    model = library.read(str(path), env=library.Env(params={"OutputFlag": 0}))
    for name, value in {"Threads": 1, "MIPGapAbs": _GAP, "MIPGap": 0, "TimeLimit": seconds}.items():
        model.setParam(name, value)

    def solve() -> tuple[float, float]:
        model.optimize()
        return (model.ObjVal if model.SolCount else 0, model.ObjBound)

    return Task(solve)


def cplex(path: Path, seconds: float) -> Task:
    """Let cplex read *path*."""
    model = import_module("cplex").Cplex()
    for stream in ("log", "results", "warning", "error"):
        getattr(model, f"set_{stream}_stream")(None)
    model.read(str(path))
    model.parameters.threads.set(1)
    model.parameters.timelimit.set(seconds)
    model.parameters.mip.tolerances.absmipgap.set(_GAP)
    model.parameters.mip.tolerances.mipgap.set(0)

    def solve() -> tuple[float, float]:
        model.solve()
        found = model.solution
        cost = found.get_objective_value() if found.is_primal_feasible() else 0
        return (cost, found.MIP.get_best_objective())

    return Task(solve)


def xpress(path: Path, seconds: float) -> Task:
    """Let xpress read *path*."""
    model = import_module("xpress").problem()
    model.setControl({"outputlog": 0, "threads": 1, "timelimit": seconds})
    model.setControl({"mipabsstop": _GAP, "miprelstop": 0})
    model.readProb(str(path))

    def solve() -> tuple[float, float]:
        model.optimize()
        found = model.attributes
        return (found.mipbestobjval if found.mipsols else 0, found.bestbound)

    return Task(solve)


def coptpy(path: Path, seconds: float) -> Task:
    """Let coptpy read *path*."""
    model = import_module("coptpy").Envr().createModel("")
    for name, value in {"Logging": 0, "Threads": 1, "AbsGap": _GAP, "RelGap": 0}.items():
        model.setParam(name, value)
    model.setParam("TimeLimit", seconds)
    model.read(str(path))

    def solve() -> tuple[float, float]:
        model.solve()
        return (model.objval if model.hasmipsol else 0, model.bestbnd)

    return Task(solve)


def pytoulbar2(problem: MatchingProblem, seconds: float) -> Task:
    """Let pytoulbar2 build a network for *problem*.

    Each left node is a variable, with *none* (0) and its images as values. The terms of the same
    left nodes are a cost function; at most one variable has a right node as its value.
    """
    images = defaultdict(list)
    for left, right in problem.candidates:
        images[left].append(right)
    place = {left: k for k, left in enumerate(images)}
    value = {(left, right): images[left].index(right) + 1 for left, right in problem.candidates}
    network = import_module("pytoulbar2").CFN(problem.total + 1)
    for left, rights in images.items():
        network.AddVariable(f"l{left}", range(len(rights) + 1))
    weights: dict[tuple[int, ...], dict[tuple[int, ...], int]] = defaultdict(dict)
    for weight, pairs in problem.terms:
        scope = tuple(left for left, _ in pairs)
        weights[scope][tuple(value[pair] for pair in pairs)] = weight
    base = 0
    for scope, function in weights.items():
        most = max(function.values())
        base += most
        values = itertools.product(*(range(len(images[left]) + 1) for left in scope))
        costs = [most - function.get(each, 0) for each in values]
        network.AddFunction([place[left] for left in scope], costs)
    for right in range(problem.n_right):
        chosen = [
            (place[pair[0]], value[pair], -1) for pair in problem.candidates if pair[1] == right
        ]
        if len(chosen) > 1:
            network.AddGeneralizedLinearConstraint(chosen, ">=", -1)

    def solve() -> tuple[float, float]:
        limit = math.ceil(seconds)
        began = time.monotonic()
        found = network.Solve(showSolutions=0, timeLimit=limit)
        cost = base if found is None else found[1]
        # A search that was not limited leaves its first bound as it was; one that has just run out
        # of time may look like one that was not.
        is_whole = network.Limit is None and time.monotonic() - began < _IN_TIME * limit
        return (cost, cost if is_whole else network.GetDDualBound())

    return Task(solve, base)


LIBRARIES = {each.__name__: each for each in (highspy, pyscipopt, gurobipy, cplex, xpress, coptpy)}
NETWORKS = {pytoulbar2.__name__: pytoulbar2}


def measured(name: str, library: str, seconds: float) -> Run:
    """Return the run of a library on a problem of the set, for about so many seconds."""
    problem = solver_set.problem_of(name).problem
    if library in NETWORKS:
        task = NETWORKS[library](problem, seconds)
    else:
        task = _reading(problem, LIBRARIES[library], seconds)
    before = time.process_time()
    best, least = task.solve()
    cpu = round(time.process_time() - before, 3)
    upper = min(math.floor(task.base - least + _ROUNDING), problem.total)
    return Run(name, library, round(task.base - best), upper, cpu)


def _measured_or_refused(name: str, library: str, seconds: float) -> Run | None:
    """Return the run, or print what the library objects."""
    try:
        return measured(name, library, seconds)
    except Exception as error:  # a library has errors of its own
        print(f"{library} refuses {name}: {error}", file=sys.stderr)
        return None


def _reading(
    problem: MatchingProblem, library: Callable[[Path, float], Task], seconds: float
) -> Task:
    """Let a library read the program of *problem*."""
    program = folded(problem, Deadline()).program
    with TemporaryDirectory() as folder:
        path = Path(folder, "program.mps")
        path.write_text(PROGRAMS["mps"](program, []), encoding="utf-8")
        return library(path, seconds)


def main() -> None:
    """Measure what the command line requests."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("library", choices=[*LIBRARIES, *NETWORKS], help="the solver's package")
    parser.add_argument("names", nargs="*", metavar="NAME", help="these problems alone")
    parser.add_argument("--work", type=Path, required=True, help="folder for rows")
    parser.add_argument("--seconds", type=float, default=60.0, help="of each run (60)")
    parser.add_argument("--core", type=int, default=0, help="where the solver runs (0)")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {options.core})
    names = options.names or [entry.name for entry in solver_set.read_index()]
    measure(
        [(name, options.library) for name in names],
        options.work / "solver_set.jsonl",
        lambda name, library: _measured_or_refused(name, library, options.seconds),
    )


if __name__ == "__main__":
    main()
