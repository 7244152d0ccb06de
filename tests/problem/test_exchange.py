"""Exported models mean the same to other solvers, and their answers are understood."""

import json
import random
import re
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest
from click.testing import CliRunner
from oracles import brute_force as oracle
from ortools.linear_solver.python import model_builder
from ortools.sat.python import cp_model
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF
from samples import random_problem

import exactmatch
from exactmatch.cli import main
from exactmatch.encodings import get_encoding
from exactmatch.errors import InputError, UsageError
from exactmatch.problem import MatchingProblem, Term
from exactmatch.problem.linear_program import LinearProgram, folded, grouped
from exactmatch.problem.model_formats import FORMATS, PROGRAMS, export
from exactmatch.problem.solver_output import read_solution
from exactmatch.scoring.options import Model
from exactmatch.stopping.deadline import Deadline

TEST = "# ::id 1\n(s / sing-01 :ARG0 (b / bird) :ARG1 (é / air))\n\n# ::id 2\n(a / alpha)\n"
GOLD = "# ::id 1\n(x / sing-01 :ARG0 (c / cat) :ARG1 (y / air))\n\n# ::id 2\n(a / alpha)\n"


def problems() -> list[MatchingProblem]:
    """Return random problems, all with a constraint."""
    rng = random.Random("exchange")
    return [problem for problem in (random_problem(rng) for _ in range(40)) if problem.rivals]


def exported(problem: MatchingProblem, target: str, model: Model | None = None) -> str:
    names = (
        tuple(f"left{i}" for i in range(problem.n_left)),
        tuple(f"right{j}" for j in range(problem.n_right)),
    )
    # A term of weight 2 or 3 stands for two pairs of triples.
    matches = [Term(part, pairs) for w, pairs in problem.terms for part in (1, w - 1) if part]
    return export(problem, names, (8, 9), "a test", target, model, matches)


class Program(NamedTuple):
    """A linear program to be maximised, as it was read."""

    names: list[str]
    objective: dict[str, float]
    rows: list[tuple[dict[str, float], float]]


def read_lp(text: str) -> Program:
    """Read the LP format as exactmatch writes it (OR-tools reads another format of that name)."""
    assert max(map(len, text.splitlines())) <= 560
    _, objective, rows, names = re.split("Maximize|Subject to|Binaries", text)

    def summands(words: str) -> dict[str, float]:
        return {name: float(c) for c, name in re.findall(r"([+-]\d+) (\w+)", words)}

    return Program(
        names=names.removesuffix("End\n").split(),
        objective=summands(objective),
        rows=[
            (summands(words), float(limit))
            for words, limit in re.findall(r"C\d+:([^<]*)<= (\d+)", rows)
        ],
    )


def read_mps(text: str) -> Program:
    """Have OR-tools read a program in the MPS format; ours are to be minimised."""
    model: Any = model_builder.Model()  # type: ignore[no-untyped-call]
    assert model.import_from_mps_string(text)
    variables = model.get_variables()
    assert all(v.is_integral and (v.lower_bound, v.upper_bound) == (0, 1) for v in variables)
    helper = model.helper
    return Program(
        names=[v.name for v in variables],
        objective={v.name: -v.objective_coefficient for v in variables if v.objective_coefficient},
        rows=[
            (
                {
                    variables[k].name: coefficient
                    for k, coefficient in zip(
                        helper.constraint_var_indices(row.index),
                        helper.constraint_coefficients(row.index),
                        strict=True,
                    )
                },
                row.upper_bound,
            )
            for row in model.get_linear_constraints()
        ],
    )


def read_opb(text: str, names: list[str]) -> Program:
    """Read a pseudo-Boolean program, whose variables are numbers of these *names*."""

    def summands(words: str) -> dict[str, float]:
        return {names[int(k) - 1]: -float(c) for c, k in re.findall(r"([+-]\d+) x(\d+)", words)}

    head, *_ = text.splitlines()
    lines = [line for line in text.splitlines() if not line.startswith("*")]
    assert head == f"* #variable= {len(names)} #constraint= {len(lines) - 1}"
    return Program(
        names=names,
        objective=summands(lines[0].removeprefix("min:")),
        rows=[(summands(line), -float(line.split(">=")[1].rstrip(" ;"))) for line in lines[1:]],
    )


def given_to_solver(problem: MatchingProblem, solver: str) -> tuple[Program, int]:
    """Return the program that the solver gets, and the optimum that it finds."""
    from ortools.math_opt.python import mathopt

    models = []
    solve = mathopt.solve

    def watched(model: mathopt.Model, *args: Any, **options: Any) -> mathopt.SolveResult:
        models.append(model)
        return solve(model, *args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mathopt, "solve", watched)
        outcome = get_encoding(solver).solve(
            problem, hint={}, upper=10**6, deadline=Deadline(), seed=0
        )
    assert outcome.lower == outcome.upper
    (model,) = models
    assert model.objective.is_maximize
    assert all(v.integer and (v.lower_bound, v.upper_bound) == (0, 1) for v in model.variables())
    program = Program(
        names=[v.name for v in model.variables()],
        objective={t.variable.name: t.coefficient for t in model.objective.linear_terms()},
        rows=[
            ({t.variable.name: t.coefficient for t in row.terms()}, row.upper_bound)
            for row in model.linear_constraints()
        ],
    )
    return program, outcome.upper


def as_program(program: LinearProgram) -> Program:
    """Return *program* with the names of its variables."""
    names, objective, rows = program
    return Program(
        names=names,
        objective={names[position]: weight for weight, position in objective},
        rows=[
            ({names[position]: sign for sign, position in summands}, limit)
            for summands, limit in rows
        ],
    )


def test_the_program_that_is_exported_is_the_grouped_one() -> None:
    for problem in problems():
        program = as_program(grouped(problem, Deadline()))
        assert read_lp(exported(problem, "lp")) == program
        assert read_mps(exported(problem, "mps")) == program
        assert read_opb(exported(problem, "opb"), program.names) == program
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        assert solved_mps(exported(problem, "mps"), problem)[0] == best


@pytest.mark.parametrize("solver", ["ilp", "highs"])
def test_the_program_that_is_solved_is_the_folded_one(solver: str) -> None:
    for problem in problems():
        solved, optimum = given_to_solver(problem, solver)
        assert as_program(folded(problem, Deadline()).program) == solved
        assert optimum == oracle.best_score(problem.n_left, problem.n_right, problem.terms)


def test_a_program_without_rows_has_one_in_lp_as_glpk_wants_it() -> None:
    program = read_lp(exported(MatchingProblem(1, 1, [Term(2, ((0, 0),))]), "lp"))
    assert program == Program(["v_0_0"], {"v_0_0": 2.0}, [({"v_0_0": 1.0}, 1.0)])


def test_a_row_of_any_length_and_a_weight_of_any_size_is_read_as_it_was() -> None:
    terms = [Term(10**30 + j, ((0, j),)) for j in range(200)]
    problem = MatchingProblem(1, 200, tuple(terms))
    program = read_lp(exported(problem, "lp"))
    assert program.rows == [({f"v_0_{j}": 1.0 for j in range(200)}, 1.0)]
    assert read_opb(exported(problem, "opb"), program.names) == program


def test_the_program_of_the_paper() -> None:
    """Two nodes a side, joined by an edge, and one pair of equal concepts (section 3)."""
    edge = Term(2, ((0, 0), (1, 1)))
    program, optimum = given_to_solver(
        MatchingProblem(2, 2, (Term(1, ((0, 1),)), edge)), "ilp-paper"
    )
    assert program.names == ["v_0_0", "v_0_1", "v_1_1", "t_0", "t_1"]
    assert program.objective == {"t_0": 1, "t_1": 2}
    one_to_one = [({"v_0_0": 1, "v_0_1": 1}, 1), ({"v_0_1": 1, "v_1_1": 1}, 1)]
    bound = [({t: 1, v: -1}, 0) for t, v in [("t_1", "v_0_0"), ("t_0", "v_0_1"), ("t_1", "v_1_1")]]
    assert sorted(program.rows, key=str) == sorted(one_to_one + bound, key=str)
    assert optimum == 2


def test_the_program_of_the_paper_as_printed() -> None:
    """Section 3, by hand: a *v* for all i and j, and a *t* for each two triples that may match.

    The triples are want(x), ARG0(x, y), ARG1(x, y) and want(a), want(b), ARG0(a, b), ARG1(a, b).
    """
    pairs = ((0, 0), (1, 1))
    problem = MatchingProblem(2, 2, [Term(1, ((0, 0),)), Term(2, pairs), Term(1, ((0, 1),))])
    matches = [Term(1, ((0, 0),)), Term(1, ((0, 1),)), Term(1, pairs), Term(1, pairs)]
    names = (("x", "y"), ("a", "b"))
    text = export(problem, names, (3, 4), "by hand", "lp", "paper", matches)
    assert text.split("Maximize")[0].splitlines()[3:] == [
        "\\ 1 x a", "\\ 2 x b", "\\ 3 y b", "\\ 4 y a"
    ]  # fmt: skip
    program = read_lp(text)
    assert program.names == ["v_0_0", "v_0_1", "v_1_1", "v_1_0", "t_0", "t_1", "t_2", "t_3"]
    assert program.objective == {"t_0": 1, "t_1": 1, "t_2": 1, "t_3": 1}
    groups = [("v_0_0", "v_0_1"), ("v_1_0", "v_1_1"), ("v_0_0", "v_1_0"), ("v_0_1", "v_1_1")]
    links = ["t_0 v_0_0", "t_1 v_0_1", "t_2 v_0_0", "t_2 v_1_1", "t_3 v_0_0", "t_3 v_1_1"]
    rows = [(dict.fromkeys(group, 1.0), 1.0) for group in groups]
    rows += [({t: 1.0, v: -1.0}, 0.0) for t, v in map(str.split, links)]
    assert sorted(program.rows, key=ordered) == sorted(rows, key=ordered)


def ordered(row: tuple[dict[str, float], float]) -> list[tuple[str, float]]:
    return sorted(row[0].items())


def test_a_model_that_is_unknown_to_python_is_named() -> None:
    with pytest.raises(UsageError, match="no model is called 'cai'"):
        exactmatch.export("(a / b)", "(a / b)", "lp", model="cai")  # type: ignore[arg-type]


@pytest.mark.parametrize("target", PROGRAMS)
def test_the_default_is_grouped_and_pair_rows_only_differ_for_larger_terms(target: str) -> None:
    rng = random.Random("models")
    larger = 0
    for _ in range(30):
        problem = random_problem(rng)
        rows = exported(problem, target, "grouped")
        if target != "wcnf":
            assert exported(problem, target) == rows
        if all(len(pairs) < 3 for _, pairs in problem.terms):
            assert exported(problem, target, "pairs") == rows
        else:
            larger += exported(problem, target, "pairs") != rows
    assert larger > 3


@pytest.mark.parametrize("model", get_args(Model))
@pytest.mark.parametrize("target", PROGRAMS)
def test_programs_of_all_models_have_the_optimum(target: str, model: Model) -> None:
    for problem in problems()[::2]:
        text = exported(problem, target, model)
        value, answer = SOLVED[target](text, problem)
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        assert value == best
        assert problem.value(read_solution(answer, problem, "answer")) == best


@pytest.mark.parametrize("model", get_args(Model))
def test_rows_of_many_variables_are_clauses_of_a_counter(model: Model) -> None:
    """Two nodes and eight, seven edges from the first node: one concept and one edge match."""
    nodes = [Term(1, ((0, j),)) for j in range(8)]
    edges = [Term(1, ((0, 0), (1, j))) for j in range(1, 8)]
    problem = MatchingProblem(2, 8, [*nodes, *edges])
    value, answer = solved_wcnf(exported(problem, "wcnf", model), problem)
    assert value == 2
    assert problem.value(read_solution(answer, problem, "answer")) == 2


def solved_wcnf(text: str, problem: MatchingProblem) -> tuple[int, str]:
    with RC2(WCNF(from_string=text)) as solver:
        model = solver.compute()
        total = sum(term.weight for term in problem.terms)
        return total - solver.cost, "v " + " ".join(map(str, model))


def solved_opb(text: str, problem: MatchingProblem) -> tuple[int, str]:
    model = cp_model.CpModel()
    variables: dict[str, Any] = {}

    def total(words: list[str]) -> Any:
        pairs = zip(words[::2], words[1::2], strict=True)
        return sum(int(c) * variables.setdefault(x, model.new_bool_var(x)) for c, x in pairs)

    for line in text.splitlines():
        if line.startswith("min:"):
            model.minimize(total(line.removeprefix("min:").rstrip(";").split()))
        elif not line.startswith("*"):
            left, right = line.rstrip(" ;").split(">=")
            model.add(total(left.split()) >= int(right))
    solver = cp_model.CpSolver()
    assert solver.solve(model) == cp_model.OPTIMAL
    literals = [x if solver.value(variable) else f"-{x}" for x, variable in variables.items()]
    return -round(solver.objective_value), "v " + " ".join(literals)


def solved_linear(model: Any) -> tuple[int, str]:
    solver = model_builder.Solver("scip")
    assert solver.solve(model) == model_builder.SolveStatus.OPTIMAL
    lines = [f"{v.name} {solver.value(v)}" for v in model.get_variables()]
    return abs(round(solver.objective_value)), "\n".join(lines)


def solved_lp(text: str, problem: MatchingProblem) -> tuple[int, str]:
    program = read_lp(text)
    model = cp_model.CpModel()
    variables = {name: model.new_bool_var(name) for name in program.names}

    def total(summands: dict[str, float]) -> Any:
        return sum(int(c) * variables[name] for name, c in summands.items())

    model.maximize(total(program.objective))
    for summands, limit in program.rows:
        model.add(total(summands) <= int(limit))
    solver = cp_model.CpSolver()
    assert solver.solve(model) == cp_model.OPTIMAL
    lines = [f"{name} {solver.value(variable)}" for name, variable in variables.items()]
    return round(solver.objective_value), "\n".join(lines)


def solved_mps(text: str, problem: MatchingProblem) -> tuple[int, str]:
    model: Any = model_builder.Model()  # type: ignore[no-untyped-call]
    assert model.import_from_mps_string(text)
    return solved_linear(model)


def solved_cpsat_proto(text: str, problem: MatchingProblem) -> tuple[int, str]:
    model = cp_model.CpModel()
    model.proto.parse_text_format(text)
    solver = cp_model.CpSolver()
    assert solver.solve(model) == cp_model.OPTIMAL
    values = solver.response_proto.solution
    lines = [
        f"{v.name.replace('x_', 'v_')} {values[k]}" for k, v in enumerate(model.proto.variables)
    ]
    return round(solver.objective_value), "\n".join(lines)


def solved_json(text: str, problem: MatchingProblem) -> tuple[int, str]:
    content = json.loads(text)
    terms = [(weight, [tuple(pair) for pair in pairs]) for weight, *pairs in content["terms"]]
    best = oracle.best_score(content["n_left"], content["n_right"], terms)
    mapping = [
        pair for pair in content["candidates"] if [pair] in [t[1:] for t in content["terms"]]
    ]
    return best, json.dumps({"mapping": mapping[:1]})


SOLVED = {
    "wcnf": solved_wcnf,
    "opb": solved_opb,
    "lp": solved_lp,
    "mps": solved_mps,
    "cpsat-proto": solved_cpsat_proto,
    "json": solved_json,
}


@pytest.mark.parametrize("target", FORMATS)
def test_models_have_the_optimum_and_solutions_come_back(target: str) -> None:
    for problem in problems():
        text = exported(problem, target)
        assert text == exported(problem, target)
        assert "left0" in text or problem.candidates[0][0] != 0
        best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
        value, answer = SOLVED[target](text, problem)
        assert value == best
        mapping = read_solution(answer, problem, "answer")
        assert len(set(mapping.values())) == len(mapping)
        if target != "json":
            assert problem.value(mapping) == best


@pytest.mark.parametrize(
    "answer",
    [
        "s OPTIMUM FOUND\nv 1 -2 3 -4 -5 6\n",
        "o 3\nv 10100\nc done\n",
        "v x1 -x2\nv x3\n",
        "v_0_0 1\nv_0_1 0\nv_1_1 0.9999999\nt_4 1\n",
        "  1 v_0_0        *              1             0             1\n"
        "  3 v_1_1        *              1             0             1\n",
        "solution: 1\nsolution: 0\nsolution: 1\nsolution: 0\nsolution: 0\nsolution: 1\n",
        "v 1\nv 3 -2\n",
        '{"mapping": [[0, 0], [1, 1]]}',
        "v_0_0 1\nv_1_1 1\nv_2_2 1\nt_0 1\n",
        "v x1 x3 x7\n",
    ],
    ids=[
        "literals",
        "bits",
        "names",
        "values",
        "glpsol",
        "response",
        "lines",
        "json",
        "a pair that matches nothing",
        "the same by number",
    ],
)
def test_answers_of_many_solvers(answer: str) -> None:
    assert read_solution(answer, square(), "answer") == {0: 0, 1: 1}


@pytest.mark.parametrize(
    "answer, reason",
    [
        ("", "no values"),
        ("s UNKNOWN\nc x1 1\n", "no values"),
        ("* v_0_0 1\n", "no values"),
        ("v 1 foo\n", "foo is no literal"),
        ("v_0_0 1\nv_9_9 1\n", "v_9_9 is not in the model"),
        ("v_0_0 1\nv_0_3 1\n", "v_0_3 is not in the model"),
        ("v_0_0 1.e.e\n", "could not convert"),
        ('{"mapping": [[0.9, 0]]}', "no pair of positions"),
        ('{"mapping": [[0, 99]]}', "no pair of positions"),
        ('{"mapping": [[1e400, 0]]}', "no pair of positions"),
        ('{"mapping": ' + "[" * 100_000, "not a solution"),
        ("v 1 2 3\n", "not one-to-one"),
        ("v_0_0 1\nv_2_0 1\n", "not one-to-one"),
        ('{"mapping": 3}', "not a solution"),
        ('{"mapping"', "not a solution"),
    ],
)
def test_answers_that_are_none(answer: str, reason: str) -> None:
    with pytest.raises(InputError, match=f"answer: .*{reason}"):
        read_solution(answer, square(), "answer")


def square() -> MatchingProblem:
    pairs = [(0, 0), (0, 1), (1, 1), (1, 2), (2, 0)]
    return MatchingProblem(3, 3, tuple(Term(1, (pair,)) for pair in pairs))


def test_a_list_of_ones_and_zeros_is_not_taken_for_bits() -> None:
    """Variable 10 is true; the zero ends the list, as some solvers write it."""
    terms = tuple(Term(1, ((k, k),)) for k in range(12))
    problem = MatchingProblem(12, 12, terms)
    assert read_solution("v 10 0\n", problem, "answer") == {9: 9}
    # As many digits as pairs, and a list of several numbers in one of its lines.
    assert read_solution("v 1 10\nv 110\nv 0\n", square(), "answer") == {0: 0}


def test_a_pair_with_nothing_to_map_has_an_empty_solution() -> None:
    nothing = MatchingProblem(2, 2, ())
    for target in FORMATS:
        text = exported(nothing, target)
        assert text
        if target != "lp":  # what reads LP here wants variables
            value, _ = SOLVED[target](text, nothing)
            assert value == 0
    assert read_solution("s OPTIMUM FOUND\no 0\nv \n", nothing, "answer") == {}
    assert read_solution("", nothing, "answer") == {}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("system.amr").write_text(TEST, encoding="utf-8")
    Path("gold.amr").write_text(GOLD, encoding="utf-8")
    return tmp_path


def test_from_file_to_solver_and_back(files: Path) -> None:
    def run(*words: str, given: str | None = None) -> str:
        result = CliRunner().invoke(
            main, [*words, "system.amr", "gold.amr", "--id", "1"], input=given
        )
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout

    wcnf = run("export", "--to", "wcnf")
    assert "c 2 b c" in wcnf.splitlines()
    with RC2(WCNF(from_string=wcnf)) as solver:
        answer = "v " + " ".join(map(str, solver.compute())) + "\n"
    Path("answer").write_text(answer, encoding="utf-8")
    shown = run("import-solution", "answer")
    assert shown.startswith("# ::id 1\n# 5 triples matched of 6 and 6, ")
    assert "é / air       y / air" in shown
    content = json.loads(run("import-solution", "--format", "json", "-", given=answer))
    assert (content["matched"], content["solver"]) == (5, "<stdin>")
    assert content["matched"] <= content["upper"]


def test_the_paper_has_a_variable_for_every_two_triples(files: Path) -> None:
    """Equal are the tops, two concepts and two roles; a top and a concept have the same pair."""
    words = "export system.amr gold.amr --id 1 --to lp --model paper"
    program = read_lp(CliRunner().invoke(main, words.split()).stdout)
    assert program.objective == {f"t_{k}": 1 for k in range(5)}
    assert [name for name in program.names if name.startswith("v_")] == program.names[:9]
    assert sum(row == ({"t_0": 1, "v_0_0": -1}, 0) for row in program.rows) == 1


def test_wrong_usage_and_bad_input(files: Path) -> None:
    Path("answer").write_bytes(b"\xff")
    for words, status, reason in [
        (["export", "system.amr", "gold.amr", "--to", "wcnf"], 2, "choose one of the 2 pairs"),
        (
            ["export", "system.amr", "gold.amr", "--to", "lp", "--id", "3"],
            1,
            "no pair is called 3",
        ),
        (["export", "system.amr", "gold.amr", "--id", "1"], 2, "missing option '--to'"),
        (["export", "system.amr", "gold.amr", "--to", "lp", "--id", "1", "-o", "no/x"], 1, "no/x"),
        (
            ["export", "system.amr", "gold.amr", "--to", "lp", "--id", "1", "-o", "gold.amr"],
            2,
            "over",
        ),
        (
            ["export", "system.amr", "gold.amr", "--to", "json", "--id", "1", "--model", "pairs"],
            2,
            "a model needs one of the formats wcnf, opb, lp, mps, cpsat-proto",
        ),
        (
            ["export", "system.amr", "gold.amr", "--to", "coq", "--model", "pairs"],
            2,
            "--model needs a format of programs",
        ),
        (["import-solution", "-", "-", "gold.amr", "--id", "1"], 2, "standard input"),
        (["import-solution", "answer", "system.amr", "gold.amr", "--id", "1"], 1, "not UTF-8 text"),
        (["import-solution", "nothing", "system.amr", "gold.amr", "--id", "1"], 1, "nothing: "),
    ]:
        result = CliRunner().invoke(main, words)
        assert (result.exit_code, result.stdout) == (status, ""), words
        assert reason in result.stderr
