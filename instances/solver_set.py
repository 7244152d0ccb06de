"""Write the problems of the benchmark set for solvers: in WCNF, OPB, LP and MPS, from seeds.

    python instances/solver_set.py [NAME ...] -o FOLDER [--grade GRADE ...] [--format FORMAT ...]
    python instances/solver_set.py [NAME ...] --measure SECONDS [--solver SOLVER ...]
    python instances/solver_set.py [NAME ...] --digests

The index, ``instances/solver_set.csv``, names the problems. It says of each what is known of its
optimum, who proved that, and the digests of its files, which have to be those of what is written.
``--measure`` has our solvers work on the problems, so long each, and writes the index anew;
``--digests`` writes the digests alone anew, after a change of what is written.
``instances/SOLVER_SET.md`` says what the set is.
"""

import argparse
import csv
import hashlib
import random
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import penman
from generate import FAMILIES, Labelled, Pair, family, random_graph, text, with_shuffled
from texts import clause_text, document, drs, misread, misread_clauses, with_level

from exactmatch.errors import VerificationError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair
from exactmatch.graphs.readers.detect import read_text
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.smatch import Smatch
from exactmatch.problem import MatchingProblem, Term
from exactmatch.problem.model_formats import Names, export
from exactmatch.scoring.comparison import compare
from exactmatch.solving.names import AUTO, SOLVERS
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import Solution, solve
from exactmatch.stopping.deadline import Deadline

HERE = Path(__file__).resolve().parent
INDEX = HERE / "solver_set.csv"
FORMATS = ("wcnf", "opb", "lp", "mps")
#: Grade -> the seconds in which the fastest solver, ours or another, proves the optimum.
GRADES = {"second": 1.0, "minute": 60.0, "open": float("inf")}
#: Who shows the bound: a proof of ours that was checked, or nothing but the size of the graphs.
CHECKED, TOTAL = "checked proof", "all triples"
ANNOTATORS = ("a", "b", "c", "d")

_SMATCH = Smatch.profiles["default"]
_COUNTER = CounterMetric.profiles["default"]


class Problem(NamedTuple):
    """A matching problem, the variables' names in both graphs, and the triples of each."""

    problem: MatchingProblem
    names: Names
    totals: tuple[int, int]


def cubic(size: int, rng: random.Random) -> Pair:
    """A graph of one label in which each node has three neighbours, against itself."""
    return with_shuffled(_cubic_graph(size, rng), rng)


def cubics(size: int, rng: random.Random) -> Pair:
    """Two such graphs that have nothing to do with each other."""
    return _cubic_graph(size, rng), _cubic_graph(size, rng)


def moved(size: int, rng: random.Random) -> Pair:
    """A graph of one label, against itself with half of the edges beyond a tree elsewhere."""
    graph = random_graph(size, size // 2, "p", 1, rng)
    variables, tree = graph.variables(), 2 * size - 1
    others = [
        (source if rng.random() < 0.5 else rng.choice(variables), role, target)
        for source, role, target in graph.triples[tree:]
    ]
    changed = Labelled(list(dict.fromkeys(graph.triples[:tree] + others)))
    return graph, with_shuffled(changed, rng)[1]


def _cubic_graph(size: int, rng: random.Random) -> Labelled:
    """Return a circle of *size* nodes, an even number, and edges that pair them."""
    variables = [f"v{k}" for k in range(size)]
    circle = zip(variables, variables[1:] + variables[:1], strict=True)
    mixed = rng.sample(variables, size)
    edges = [*circle, *zip(mixed[::2], mixed[1::2], strict=True)]
    concepts = [(variable, ":instance", "p") for variable in variables]
    return Labelled(concepts + [(a, ":ARG0", b) for a, b in dict.fromkeys(edges)])


#: Pairs of graphs under Smatch: those of ``generate.py``, and those above.
GRAPHS = {**FAMILIES, "cubic": cubic, "cubics": cubics, "moved": moved}
#: Families in which all triples match.
ISOMORPHIC = {"parallel", "chorus", "isomorphic", "unlabelled", "strings", "cubic"}


def _graphs(name: str, size: int, seed: int) -> Problem:
    if name in FAMILIES:
        texts = family(name, size, seed)
    else:
        system, gold = GRAPHS[name](size, random.Random(f"{name} {size} {seed}"))
        texts = text(system), text(gold)
    return compared(texts, _SMATCH)


def _weighted(name: str, size: int, seed: int) -> Problem:
    """Two unrelated graphs, each triple of a weight from 1 to 9, as graded similarities give it."""
    rng = random.Random(f"{name} {size} {seed}")
    made = _graphs("unrelated", size, seed)
    old = made.problem
    terms = [Term(rng.randint(1, 9) * term.weight, term.pairs) for term in old.terms]
    return made._replace(problem=MatchingProblem(old.n_left, old.n_right, terms))


def _clauses(name: str, size: int, seed: int) -> Problem:
    """Two DRSs of *size* events: the terms of roles are of three pairs, one of them boxes."""
    rng = random.Random(f"{name} {size} {seed}")
    return compared((_drs(size, rng), _drs(size, rng)), _COUNTER)


def _drs(size: int, rng: random.Random) -> str:
    boxes = [f"b{k}" for k in range(1 + size // 2)]
    things = [f"x{k}" for k in range(size)]
    lines = [f"{a} CONTINUATION {b}" for a, b in pairwise(boxes)]
    lines += [f'{rng.choice(boxes)} {rng.choice(["man", "dog"])} "n.01" {x}' for x in things]
    for k in range(size):
        box, event = rng.choice(boxes), f"e{k}"
        lines.append(f'{box} {rng.choice(["see", "bite"])} "v.01" {event}')
        lines += [f"{box} {role} {event} {rng.choice(things)}" for role in ("Agent", "Theme")]
    return "\n".join(lines) + "\n"


def _annotators(name: str, size: int, seed: int) -> Problem:
    """So many sentences of the agreement study as one document, by annotator number *seed*."""
    sides = ANNOTATORS[seed - 1], "consensus"
    system, gold = (text(_sentences(side, slice(size))) for side in sides)
    return compared((system, gold))


def _strangers(name: str, size: int, seed: int) -> Problem:
    """The first *size* of those sentences by annotator *seed*, against the last of the consensus.

    Up to half of the sentences, no sentence is in both documents.
    """
    system = _sentences(ANNOTATORS[seed - 1], slice(size))
    gold = _sentences("consensus", slice(-size, None))
    return compared((text(system), text(gold)))


def _umr(name: str, size: int, seed: int) -> Problem:
    """The same in the manner of UMR: both texts have a level of the document."""
    rng = random.Random(f"{name} {size} {seed}")
    system = with_level(_sentences(ANNOTATORS[seed - 1], slice(size)), rng)
    gold = with_level(_sentences("consensus", slice(-size, None)), rng)
    return compared((text(system), text(gold)))


def _noisy(name: str, size: int, seed: int) -> Problem:
    """The first *size* sentences of the consensus as a poor parser has them, against themselves."""
    rng = random.Random(f"{name} {size} {seed}")
    gold = _sentences("consensus", slice(size))
    return compared((text(misread(gold, 0.7, rng)), text(gold)))


def _sentences(side: str, chosen: slice) -> Labelled:
    """Return some sentences of the agreement study as one document."""
    return document(penman.load(HERE / "agreement" / f"{side}.amr")[chosen])


def _texts(name: str, size: int, seed: int) -> Problem:
    """The DRSs of two texts of *size* sentences that have nothing to do with each other."""
    rng = random.Random(f"{name} {size} {seed}")
    return compared((clause_text(drs(size, rng)), clause_text(drs(size, rng))), _COUNTER)


def _noisy_texts(name: str, size: int, seed: int) -> Problem:
    """The DRS of such a text as a poor parser has it, against itself."""
    rng = random.Random(f"{name} {size} {seed}")
    gold = drs(size, rng)
    return compared((clause_text(misread_clauses(gold, 0.5, rng)), clause_text(gold)), _COUNTER)


def compared(texts: tuple[str, str], metric: AlignmentMetric = _SMATCH) -> Problem:
    """Return the problem of two texts of one graph each."""
    sides = [read_text(each, "solver set").graphs[0] for each in texts]
    system, gold = (side for side in sides if isinstance(side, Graph))
    comparison = compare(GraphPair("", system, gold), metric)
    names = tuple(comparison.system.variables), tuple(comparison.gold.variables)
    totals = comparison.system_total, comparison.gold_total
    return Problem(comparison.problem, names, totals)


MAKERS: dict[str, Callable[[str, int, int], Problem]] = {
    **dict.fromkeys(GRAPHS, _graphs),
    "weighted": _weighted,
    "clauses": _clauses,
    "agreement": _annotators,
    "strangers": _strangers,
    "umr": _umr,
    "noisy": _noisy,
    "texts": _texts,
    "noisytexts": _noisy_texts,
}


def problem_of(name: str) -> Problem:
    """Return the problem called *name*: a family, a size and a seed."""
    kind, size, seed = _parts(name)
    return MAKERS[kind](kind, size, seed)


def _parts(name: str) -> tuple[str, int, int]:
    kind, size, seed = name.split("-")
    return kind, int(size), int(seed)


@dataclass(frozen=True)
class Entry:
    """A line of the index: what is known of a problem, and the digests of its files.

    *upper_by* tells who shows that no mapping scores more than *upper*: `CHECKED`, `TOTAL`, or the
    solver whose word it is.
    """

    name: str
    grade: str = ""
    left: int = 0
    right: int = 0
    candidates: int = 0
    terms: int = 0
    lower: int = 0
    upper: int = 0
    upper_by: str = ""
    wcnf: str = ""
    opb: str = ""
    lp: str = ""
    mps: str = ""

    @property
    def is_solved(self) -> bool:
        """Whether the optimum is known."""
        return self.lower == self.upper


def read_index(path: Path = INDEX) -> list[Entry]:
    """Return the lines of the index."""
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            Entry(**{name: type(getattr(_EMPTY, name))(value) for name, value in row.items()})
            for row in csv.DictReader(lines)
        ]


_EMPTY = Entry("")


def write_index(entries: Iterable[Entry], path: Path = INDEX) -> None:
    """Write the lines of the index, and put them in place when all are there."""
    new = path.with_suffix(".new")
    with new.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Entry)], lineterminator="\n")
        writer.writeheader()
        writer.writerows(map(asdict, sorted(entries, key=lambda entry: _parts(entry.name))))
    new.replace(path)


def model(name: str, made: Problem, target: str) -> bytes:
    """Return the file of a problem in the format *target*."""
    title = f"exactmatch benchmark set: {name}"
    return export(made.problem, made.names, made.totals, title, target).encode()


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(content).hexdigest()


def write(entries: Sequence[Entry], formats: Sequence[str], folder: Path) -> list[str]:
    """Write the files of *entries*; return the names of those that have other digests."""
    folder.mkdir(parents=True, exist_ok=True)
    others = []
    for entry in entries:
        made = problem_of(entry.name)
        for target in formats:
            content = model(entry.name, made, target)
            path = folder / f"{entry.name}.{target}"
            path.write_bytes(content)
            if digest(content) != getattr(entry, target):
                others.append(path.name)
    return others


def measured(old: Entry, solvers: Sequence[str], seconds: float) -> Entry:
    """Return what is known of a problem after each of *solvers* has had so many seconds for it."""
    made = problem_of(old.name)
    problem = made.problem
    digests = {target: digest(model(old.name, made, target)) for target in FORMATS}
    best = replace(
        old,
        grade=old.grade or "open",
        left=problem.n_left,
        right=problem.n_right,
        candidates=len(problem.candidates),
        terms=problem.n_terms,
        wcnf=digests["wcnf"],
        opb=digests["opb"],
        lp=digests["lp"],
        mps=digests["mps"],
    )
    if not old.upper_by:
        best = replace(best, upper=problem.total, upper_by=TOTAL)
    if _parts(old.name)[0] in ISOMORPHIC:
        best = replace(best, lower=made.totals[0], upper=made.totals[0], upper_by=TOTAL)
    for solver in solvers:
        start = time.monotonic()
        deadline = Deadline.after(seconds)
        found = solve(problem, SolverSettings(solver=solver, deadline=deadline))
        took = time.monotonic() - start
        best = _with(best, found)
        if found.is_optimal:
            grade = next(grade for grade, limit in GRADES.items() if took <= limit)
            best = replace(best, grade=min(best.grade, grade, key=list(GRADES).index))
        if best.grade == "second":
            break
    return best


def _with(known: Entry, found: Solution) -> Entry:
    """Return *known* with the bounds of *found* where they are better, or as good and checked."""
    if found.lower > known.upper or found.upper < known.lower:
        raise VerificationError(f"{known.name}: {found.lower} to {found.upper} contradicts {known}")
    known = replace(known, lower=max(known.lower, found.lower))
    word = CHECKED if found.is_checked else found.solver
    is_better = found.upper < known.upper
    if is_better or (found.upper == known.upper and word == CHECKED and known.upper_by != TOTAL):
        known = replace(known, upper=found.upper, upper_by=word)
    return known


def main() -> None:
    """Write files or, if asked, the index."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="these problems alone")
    parser.add_argument("--grade", nargs="+", choices=GRADES, default=[*GRADES], help="all")
    parser.add_argument("--format", nargs="+", choices=FORMATS, default=FORMATS, help="all")
    parser.add_argument("--solver", nargs="+", choices=SOLVERS, default=[AUTO], help="auto")
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="where files go")
    task.add_argument("--measure", type=float, metavar="SECONDS", help="of each solver, a problem")
    task.add_argument("--digests", action="store_true", help="write the digests anew")
    options = parser.parse_args()
    entries = {entry.name: entry for entry in read_index()}
    chosen = [
        entry
        for entry in (entries.get(name, Entry(name)) for name in options.names or entries)
        if not entry.grade or entry.grade in options.grade
    ]
    if options.output is None:
        solvers = [] if options.digests else options.solver
        for entry in chosen:
            entries[entry.name] = measured(entry, solvers, options.measure or 0)
            write_index(entries.values())
            print(*asdict(entries[entry.name]).values(), sep="\t", flush=True)
        return
    others = write(chosen, options.format, options.output)
    if others:
        sys.exit(f"not the files of the index: {' '.join(others)}")


if __name__ == "__main__":
    main()
