"""Write the model of one pair in the formats that solvers read.

Variable k, counted from 1, is candidate k, a pair of variables; the comments at the head name the
pair. Further variables that a model or a format needs come after the candidates.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any

from exactmatch.problem import MatchingProblem, Pair, Term
from exactmatch.problem.linear_program import (
    Inequality,
    LinearProgram,
    Summand,
    as_printed,
    every_pair,
    grouped,
    paired,
)
from exactmatch.stopping.deadline import Deadline

#: Left and right variables by the names that they have in their graphs.
Names = tuple[tuple[str, ...], tuple[str, ...]]

#: The model of Cai and Knight (2013) as printed.
PAPER = "paper"
#: In the LP format, whose readers accept at most 560 characters a line.
_LONGEST_LINE = 500


def export(
    problem: MatchingProblem,
    names: Names,
    totals: tuple[int, int],
    title: str,
    target: str,
    model: str | None = None,
    matches: Sequence[Term] = (),
) -> str:
    """Return *problem* in the format *target*, one of `FORMATS`.

    *title* heads its comments; *totals* are the denominators of precision and recall. Neither
    *title* nor *names* may hold line feeds or control characters.

    model: ``paper``, ``grouped`` or ``pairs``, for a format of `PROGRAMS`; by default ``grouped``,
        and in ``wcnf`` the plain formula of MaxSAT.
    matches: for ``paper``, a term for each pair of triples that may match.
    """
    pairs = every_pair(problem) if model == PAPER else problem.candidates
    comments = _comments(pairs, names, totals, title)
    if target == "json":
        return _json(problem, comments)
    if target == "wcnf" and model is None:
        return _formula(_maxsat().formula(problem, Deadline()), comments)
    if model == PAPER:
        program = as_printed(pairs, matches, Deadline())
    else:
        program = (paired if model == "pairs" else grouped)(problem, Deadline())
    return PROGRAMS[target](program, comments)


def _comments(
    pairs: Sequence[Pair], names: Names, totals: tuple[int, int], title: str
) -> list[str]:
    lines = [
        title,
        f"divide by {totals[0]} for precision, by {totals[1]} for recall",
        "variable, system variable, gold variable:",
    ]
    return lines + [
        f"{v} {names[0][left]} {names[1][right]}" for v, (left, right) in enumerate(pairs, start=1)
    ]


def _commented(sign: str, comments: list[str]) -> list[str]:
    return [f"{sign} {comment}" for comment in comments]


def _maxsat() -> Any:
    return import_module("exactmatch.encodings.maxsat")


def _wcnf(program: LinearProgram, comments: list[str]) -> str:
    """Write the at-most-one rows of *program* as hard clauses, and its objective as soft ones."""
    return _formula(_maxsat().formula_of_program(program, Deadline()), comments)


def _formula(formula: Any, comments: list[str]) -> str:
    """Write weighted partial MaxSAT, in the format of the MaxSAT Evaluation since 2022."""
    lines = _commented("c", comments)
    lines += [f"h {_clause(clause)}" for clause in formula.hard]
    lines += [
        f"{weight} {_clause(clause)}"
        for weight, clause in zip(formula.wght, formula.soft, strict=True)
    ]
    return "\n".join(lines) + "\n"


def _clause(literals: Iterable[int]) -> str:
    return " ".join(map(str, (*literals, 0)))


def _opb(program: LinearProgram, comments: list[str]) -> str:
    """Write pseudo-Boolean optimisation, in the format of the Pseudo-Boolean Competition."""
    names, objective, rows = program
    # The format minimises, and its constraints are of the kind "at least". Nothing else may be in
    # the first line: some solvers refuse what others write there.
    lines = [f"* #variable= {len(names)} #constraint= {len(rows)}"]
    lines += _commented("*", comments)
    lines.append(f"min: {_opb_sum(objective)};")
    lines += [f"{_opb_sum(row)}>= {-limit} ;" for row, limit in rows]
    return "\n".join(lines) + "\n"


def _opb_sum(summands: Iterable[Summand]) -> str:
    return "".join(f"{-coefficient:+d} x{variable + 1} " for coefficient, variable in summands)


def _lp(program: LinearProgram, comments: list[str]) -> str:
    """Write a 0/1 program in the LP format of CPLEX."""
    names, objective, rows = program

    def words(summands: Iterable[Summand]) -> list[str]:
        return [f"{coefficient:+d} {names[position]}" for coefficient, position in summands]

    lines = [*_commented("\\", comments), "Maximize", *_wrapped(["Obj:", *words(objective)])]
    lines.append("Subject to")
    if names and not rows:
        rows = [Inequality([(1, 0)], 1)]  # GLPK refuses a program without rows; this one is void
    for number, (row, limit) in enumerate(rows):
        lines += _wrapped([f"C{number}:", *words(row), f"<= {limit}"])
    return "\n".join([*lines, "Binaries", *_wrapped(names), "End"]) + "\n"


def _wrapped(words: list[str]) -> list[str]:
    """Return *words* in lines that all readers of LP accept, each begun by a blank."""
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) >= _LONGEST_LINE:
            lines.append("")
        lines[-1] += f" {word}"
    return lines


def _mps(program: LinearProgram, comments: list[str]) -> str:
    """Write a 0/1 program in the free MPS format, in which not all readers can maximise."""
    names, objective, rows = program
    columns: list[list[str]] = [[] for _ in names]
    for coefficient, position in objective:
        columns[position].append(f"COST {-coefficient}")
    for number, (row, _) in enumerate(rows):
        for coefficient, position in row:
            columns[position].append(f"C{number} {coefficient}")
    lines = [*_commented("*", comments), "NAME exactmatch", "ROWS", " N COST"]
    lines += [f" L C{number}" for number in range(len(rows))]
    lines += ["COLUMNS", " MARK0 'MARKER' 'INTORG'"]
    lines += [
        f" {name} {entry}" for name, column in zip(names, columns, strict=True) for entry in column
    ]
    lines += [" MARK1 'MARKER' 'INTEND'", "RHS"]
    lines += [f" RHS C{number} {limit}" for number, (_, limit) in enumerate(rows) if limit]
    lines += ["BOUNDS", *(f" BV BOUND {name}" for name in names), "ENDATA"]
    return "\n".join(lines) + "\n"


def _cpsat_proto(program: LinearProgram, comments: list[str]) -> str:
    """Write the model of OR-tools' CP-SAT, as a protocol buffer in text form."""
    cp_sat = import_module("exactmatch.encodings.cp_sat")
    model, _ = cp_sat.build_model(program, Deadline())
    return "\n".join([*_commented("#", comments), f"{model.proto}\n"])


def _json(problem: MatchingProblem, comments: list[str]) -> str:
    """Write the matching problem itself."""
    content = {
        "comments": comments,
        "n_left": problem.n_left,
        "n_right": problem.n_right,
        "candidates": problem.candidates,
        "terms": [[term.weight, *term.pairs] for term in problem.terms],
    }
    return json.dumps(content) + "\n"


#: The name of a format of programs, and the function that writes it.
PROGRAMS: dict[str, Callable[[LinearProgram, list[str]], str]] = {
    "wcnf": _wcnf,
    "opb": _opb,
    "lp": _lp,
    "mps": _mps,
    "cpsat-proto": _cpsat_proto,
}
FORMATS = (*PROGRAMS, "json")
