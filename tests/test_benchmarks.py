"""The benchmarks run, and read the output of their runners."""

import argparse
import json
import math
import os
import random
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import closing
import compare
import corpora
import dense
import foreign_libraries
import growth
import house
import limit_inputs
import limits
import many_pairs
import pytest
import run_exactmatch
import solver_families
import solver_set_table
import solver_tables
import solvers
import stages
from join import read_sentences
from processes import Command, Shell
from seconds import Seconds
from solver_families import Files
from solver_set import Entry, read_index
from solver_tables import ALL, Row
from tables import Corpus, quality_cells, report
from tools import INTERPRETED, OURS, SMATCH, Pair, Tool, environments, read_pairs, tools

import exactmatch
from exactmatch.solving.names import NOTHING

ROOT = Path(__file__).resolve().parents[1]
SYSTEM, GOLD = (ROOT / "instances" / "agreement" / name for name in ("a.amr", "consensus.amr"))


def run(module: ModuleType, *words: str | Path) -> str:
    """Run a script of the benchmarks in this process, and return what it prints."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as printed:
        patch.setattr(sys, "argv", [module.__name__, *map(str, words)])
        module.main()
    return printed.getvalue()


def start(script: str, *words: str | Path) -> str:
    """Run a script of the benchmarks, which silences logs, in a process of its own."""
    place = str(Path(exactmatch.__file__).parents[1])
    command = [sys.executable, str(ROOT / "benchmarks" / script), *map(str, words)]
    environment = os.environ | {"PYTHONPATH": place}
    return subprocess.run(
        command, check=True, capture_output=True, encoding="utf-8", env=environment
    ).stdout


def test_the_runner_writes_what_is_read(tmp_path: Path) -> None:
    output = tmp_path / "pairs.jsonl"
    run(run_exactmatch, SYSTEM, GOLD, output)
    pairs = [pair for pair in read_pairs(output) if pair]
    score = exactmatch.score(SYSTEM, GOLD, profile="smatch-1.0.4")
    assert len(pairs) == score.pairs
    assert sum(pair.matched for pair in pairs) == score.matched
    assert sum(pair.system_total for pair in pairs) == score.system_total
    assert sum(pair.gold_total for pair in pairs) == score.gold_total
    assert all(pair.matched == pair.upper and pair.seconds.cpu >= 0 for pair in pairs)


@pytest.mark.parametrize("runner", ["run_smatch.py", "run_smatchpp.py"])
def test_runners_of_rivals_write_the_same_keys(runner: str) -> None:
    """The runners cannot run here, since the rivals are not installed."""
    text = (ROOT / "benchmarks" / runner).read_text("utf-8")
    for key in ('"matched": ', '"system_total": ', '"gold_total": ', "**passed"):
        assert key in text


def test_pairs_of_rivals_are_read(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    known = '{"matched": 3, "system_total": 4, "gold_total": 5, "wall": 0.5, "cpu": 0.25}'
    path.write_text(f'{known}\n{{"id": 2, "error": "no"}}\n{{"id": 3, "matc', encoding="utf-8")
    assert read_pairs(path) == [Pair(3, 4, 5, Seconds(wall=0.5, cpu=0.25), upper=3), None]


def test_a_command_that_is_stopped_has_a_time_at_least(tmp_path: Path) -> None:
    command = Command([sys.executable, "-c", "import time; time.sleep(60)"])
    Shell(tmp_path, patience=0.2).measure(command)
    assert command.stopped and command.trouble.startswith("stopped")
    assert len(command.times) == 1
    assert command.times[0].wall >= 0.2


def test_cpu_time_is_that_of_the_command(tmp_path: Path) -> None:
    command = Command([sys.executable, "-c", "import time\nwhile time.process_time() < 0.1: pass"])
    Shell(tmp_path, patience=60).measure(command)
    assert not command.trouble
    assert command.times[0].cpu >= 0.1


def scored(tmp_path: Path) -> list[Tool]:
    """Return tools that took 1, 2, 3 ... seconds on two pairs, the last one stopped."""
    found = tools(environments(tmp_path), ["system.amr", "gold.amr"], tmp_path)
    for number, tool in enumerate(found, start=1):
        tool.whole.times = [Seconds(wall=10.0 * number, cpu=1.0 * number)]
        if tool.single is not None:
            seconds = Seconds(wall=2.0 * number, cpu=0.5 * number)
            tool.runs = [[Pair(8, 9, 10, seconds, upper=8), Pair(8, 9, 10, seconds, upper=8)]]
    found[-1].whole.stopped = True
    found[-1].whole.trouble = "stopped after 5 s"
    return found


def test_the_report_compares_by_both_clocks(tmp_path: Path) -> None:
    text = report([Corpus("2 sentences", scored(tmp_path))], ["context"])
    whole = "| 2 sentences | CPU | 1.00 | 2.00 | 3.00 | 4.00 | > 5.00 |"
    assert whole in text
    assert whole.replace("CPU | 1.00", "wall clock | 10.00") in text
    assert "| 2 sentences | CPU | 1.00 | 2.00 | 4.00 | 5.00 |" in text
    assert "| 2 sentences | wall clock | 4.00 | 2.00 | 4.00 | 5.00 |" in text
    assert "| smatch++ (stopped after 5 s) | > 5.00 |" in text
    assert "proved the optimum of 2 of 2 pairs" in text


def test_a_ratio_over_some_pairs_says_so(tmp_path: Path) -> None:
    found = scored(tmp_path)
    found[-1].runs[0][1] = None
    text = report([Corpus("2 sentences", found)], [])
    assert "| 2 sentences | CPU | 1.00 | 2.00 | 4.00 | 5.00 (1 of 2 pairs) |" in text


def test_a_rival_that_is_not_installed_has_no_result(tmp_path: Path) -> None:
    found = scored(tmp_path)
    smatch = next(tool for tool in found if tool.name == SMATCH)
    smatch.give_up("not installed")
    smatch.whole.times, smatch.runs = [], []
    text = report([Corpus("2 sentences", found)], [])
    assert "| 2 sentences | CPU | 1.00 | 2.00 | 3.00 | - | > 5.00 |" in text
    assert "smatch: no result (not installed)." in text


def test_quality_is_told_beside_rivals() -> None:
    took = Seconds(1, 1)
    ours: list[Pair | None] = [Pair(8, 9, 10, took, 8), Pair(5, 9, 9, took, 7), None]
    theirs: list[Pair | None] = [Pair(6, 9, 10, took, 6), Pair(6, 9, 9, took, 6), None]
    cells = quality_cells(theirs, ours)
    assert cells == ["2", "0", "2", "1", "2", "0", "1", f"{24 / 37:.6f}", f"{26 / 37:.6f}"]


def test_both_kernels_have_environments_of_their_own(tmp_path: Path) -> None:
    where = environments(tmp_path)
    assert where[OURS].folder != where[INTERPRETED].folder
    assert where[INTERPRETED].settings["EXACTMATCH_PURE"]


def test_documents_have_as_many_variables_as_asked_for() -> None:
    for size in (20, 100):
        found = list(growth.documents(SYSTEM, GOLD, size, 2))
        assert found
        for document in found:
            pair = growth.graph_pair(document.system, document.gold)
            variables = max(len(pair.system.variables), len(pair.gold.variables))
            assert abs(variables - size) <= growth.TOLERANCE * size
    assert not list(growth.documents(SYSTEM, GOLD, 10_000, 2))


def test_the_larger_graph_has_as_many_variables_as_asked_for(tmp_path: Path) -> None:
    one, other = tmp_path / "one.amr", tmp_path / "other.amr"
    one.write_text("(a / a)\n\n" * 50, "utf-8")
    other.write_text("(a / a :ARG0 (b / b) :ARG1 (c / c))\n\n" * 50, "utf-8")
    for system, gold in ((one, other), (other, one)):
        (document,) = growth.documents(system, gold, 31, 1)
        sizes = [document.system.count(" / "), document.gold.count(" / ")]
        assert sorted(sizes) == [11, 31]


@pytest.mark.nightly
def test_growth_is_measured(tmp_path: Path) -> None:
    plot = tmp_path / "growth.svg"
    words = ["--sizes", "60", "100", "--pairs", "1", "--plot", str(plot)]
    head, rule, *rows, empty, powers = run(growth, SYSTEM, GOLD, *words).splitlines()
    assert empty == "" and "seconds variables^" in powers
    assert [row.split("|")[6] for row in rows] == [" 1 of 1 ", " 1 of 1 "]
    assert len({line.count("|") for line in (head, rule, *rows)}) == 1
    assert "proven, proof checked" in plot.read_text("utf-8")


@pytest.mark.nightly
def test_growth_is_measured_against_pairs_and_workers() -> None:
    words = ["--against", "pairs", "workers", "--counts", "3", "30"]
    text = run(growth, SYSTEM, GOLD, *words)
    rows = [line.split("|")[1:3] for line in text.splitlines() if line.startswith("| ")]
    found = [(pairs.strip(), workers.strip()) for pairs, workers in rows]
    named = ("pairs", "workers")
    assert found == [named, ("3", "2"), ("30", "2"), named, ("30", "1"), ("30", "2")]
    assert "pairs^" in text
    assert "All have printed the same." in text


def test_what_is_open_is_added_up_over_documents() -> None:
    with_cliques = [
        closing.Run(900, closing.WITH, [(0.2, 9), (1.5, 2), (4.0, 0)]),
        closing.Run(900, closing.WITH, [(1.2, 7), (5.0, 1)]),
    ]
    without = [run._replace(form=closing.WITHOUT, gaps=run.gaps[:1]) for run in with_cliques]
    found = [closing.open_at(with_cliques, seconds) for seconds in (1, 1.2, 2, 6)]
    assert found == [None, 16, 9, 1]
    *_, before, after = closing.table(with_cliques + without, 6.0).splitlines()
    assert before == "| 900 | without cliques |  | 16 | 16 | 16 | 0 of 2 |"
    assert after == "| 900 | with cliques |  | 9 | 1 | 1 | 1 of 2 |"


@pytest.mark.nightly
def test_a_document_is_followed_until_it_is_proven(tmp_path: Path) -> None:
    plot = tmp_path / "closing.svg"
    words = ["--sizes", "60", "--pairs", "1", "--timeout", "20", "--plot", str(plot)]
    _, _, *rows = run(closing, SYSTEM, GOLD, *words).splitlines()
    assert [row.split(" | ")[-1] for row in rows] == ["1 of 1 |", "1 of 1 |"]
    assert "60 variables, without cliques" in plot.read_text("utf-8")


def test_repeated_sentences_have_variables_and_identifiers_of_their_own(tmp_path: Path) -> None:
    source, target = tmp_path / "source.amr", tmp_path / "target.amr"
    source.write_text("# ::id a\n(x / x :ARG0 x)\n\n(y / y)\n", "utf-8")
    many_pairs.repeated(source, target, 3)
    first, second, third = exactmatch.load(target)
    assert [graph.identifier for graph in (first, second, third)] == ["r0_a", "r0_", "r1_a"]
    assert [*third.variables] == ["r1_x"] and [*first.variables] == ["r0_x"]
    assert exactmatch.best_mapping(first._replace(identifier=None), "(x / x :ARG0 x)").f1 == 1


def test_the_same_seed_gives_the_same_dense_sentences(tmp_path: Path) -> None:
    contents = []
    for name in ("one", "other"):
        files = tmp_path / f"{name}.system", tmp_path / f"{name}.gold"
        dense.write(*files, 20, 14, 5)
        contents.append([path.read_bytes() for path in files])
    assert contents[0] == contents[1] and contents[0][0] != contents[0][1]
    graphs = [graph for path in files for graph in exactmatch.load(path)]
    assert [len(graph.variables) for graph in graphs] == [14] * 40


def test_dense_sentences_replace_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = tmp_path / "gold.amr"
    gold.write_text("(a / b)\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["dense.py", str(tmp_path / "new.amr"), str(gold)])
    with pytest.raises(SystemExit):
        dense.main()
    assert f"{gold} exists; name two new files" in capsys.readouterr().err
    assert gold.read_text(encoding="utf-8") == "(a / b)\n" and not (tmp_path / "new.amr").exists()


def test_what_is_compared_has_a_name_and_files_in_the_folder_for_them(tmp_path: Path) -> None:
    arguments = argparse.Namespace(
        join=[1, 3, 1], dense=True, limit=6, work=tmp_path, system=SYSTEM, gold=GOLD
    )
    names, files, are_documents = zip(*compare.inputs(arguments), strict=True)
    assert names == ("sentences", "documents of 3", "dense sentences")
    assert are_documents == (False, True, False)
    assert all(Path(path).parent == tmp_path for pair in files for path in pair)
    sizes = [[len(exactmatch.load(Path(path))) for path in pair] for pair in files]
    assert sizes == [[6, 6], [2, 2], [dense.PAIRS] * 2]


def test_documents_and_smatchpp_run_fewer_times(tmp_path: Path) -> None:
    found = scored(tmp_path)
    for tool in found:
        tool.whole.stopped, tool.whole.trouble, tool.whole.times = False, "", []
        tool.whole.words, tool.single = [sys.executable, "-c", ""], None
    found[0].runs = [[]]
    compare.run_in_turn(found, 2, 1, Shell(tmp_path, patience=60))
    assert [len(tool.whole.times) for tool in found] == [2, 2, 2, 2, 1]


@pytest.mark.nightly
def test_the_plot_is_the_same_for_the_same_points(tmp_path: Path) -> None:
    points = [
        growth.Point(10, 11, 30, 40, 0.001, True, 0, 20.0),
        growth.Point(2000, 1990, 500_000, 600_000, 61.0, False, 3, 900.0),
    ]
    drawn = []
    for name in ("one.svg", "other.svg"):
        growth.plot(points, 60.0, tmp_path / name)
        drawn.append((tmp_path / name).read_bytes())
    assert drawn[0] == drawn[1]
    assert all(label in drawn[0] for label in (b">proven, proof checked<", b">open<"))


@pytest.mark.nightly
def test_candidates_are_measured(tmp_path: Path) -> None:
    text = start("candidates.py", SYSTEM, GOLD, "--work", tmp_path, "--runs", "1", "--check")
    assert "24 items of 4 AMRs" in text
    assert "| exactmatch | " in text
    assert "| choose, of 2 files | " in text
    assert f"{24 * 16} pairs are as best_mapping has them" in text
    assert "| cover | " in text


@pytest.mark.nightly
def test_stages_are_measured() -> None:
    text = start("stages.py", SYSTEM, GOLD, "--runs", "1")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    names = [line.split("|")[1].strip() for line in rows][1:]
    assert names[: len(stages.STAGES) + 8] == [
        stages.START,
        *stages.STAGES,
        stages.REST,
        "**from bytes to checked proof**",
        "without the recount",
        "**all**",
        "penman's parsing",
        "proven by",
        "cover",
    ]
    assert text.startswith(f"{len(read_sentences(SYSTEM.read_text('utf-8')))} pairs")


def test_instructions_of_a_stage_are_those_up_to_it_less_those_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stages, "counted", lambda system, gold, last: float((last + 2) ** 2))
    counts = stages.instructions_by_stage(SYSTEM, GOLD)
    assert [*counts] == [stages.START, *stages.STAGES]
    assert [*counts.values()] == [1.0, *(2.0 * k + 3 for k in range(len(stages.STAGES)))]


@pytest.mark.nightly
def test_corpora_are_measured() -> None:
    printed = run(corpora, SYSTEM, "--top", "3", "--workers", "1")
    assert "| matrix | 300 | 300 | 0.0 % | 0 |" in printed
    assert "Queries whose neighbours differ from those of the matrix: 0." in printed


def row(given: str, cpu: float, matched: int = 5, upper: int = 5, **changes: Any) -> Row:
    """Return the result of a solver for a pair whose optimum is 5."""
    own = {"own_lower": matched, "own_upper": upper, "total": 9, "wall": cpu, "cpu": cpu}
    usual = {"family": "f", "pair": "1", "solver": "s", "given": given, "limit": 10.0}
    return Row(**{**usual, **own, "matched": matched, "upper": upper, **changes})


def test_own_bounds_of_solvers_stand_beside_what_they_were_given() -> None:
    rows = [
        row(NOTHING, 10.0, matched=3, upper=9, own_lower=None, own_upper=None),
        row(ALL, 10.0, matched=4, upper=6, own_upper=8),
        row(ALL, 2.0, pair="2"),
    ]
    table = solver_tables.report([*rows, row(NOTHING, 1.0, solver="other")])
    assert "| f | s | none | 0 of 1 | 10.000 | 4 | 4 | 2 |" in table
    assert "| f | s | presolve, start, bound | 1 of 2 | 6.000 | 3 | 1 | 1 |" in table
    assert "| f | other | none | 1 of 1 | 1.000 | 0 | 0 | 0 |" in table
    assert "| f | s | presolve, start, bound | 1.00 | 1.00 to 1.00 | 0 of 1 | 0 |" in table


def test_solvers_that_contradict_each_other_are_noticed() -> None:
    with pytest.raises(ValueError, match="'f', '1'"):
        solver_tables.report([row(NOTHING, 1.0, matched=6, upper=6), row(ALL, 1.0)])
    with pytest.raises(ValueError, match="'f', '1'"):
        solver_tables.report([row(NOTHING, 1.0), row(ALL, 1.0, own_upper=4)])


def test_the_worth_of_a_part_is_a_mean_of_ratios_with_an_interval() -> None:
    same = solver_tables.ratio([(1.0, 2.0)] * 5)
    assert [round(number, 9) for number in same] == [0.5, 0.5, 0.5]
    mixed = solver_tables.ratio([(1.0, 4.0), (4.0, 1.0), (1.0, 4.0), (4.0, 1.0)])
    assert round(mixed.mean, 9) == 1
    assert 0.25 <= mixed.low < 0.5 and 2 < mixed.high <= 4


def test_gaps_are_those_of_pairs_tried_at_all_limits() -> None:
    rows = [
        row(ALL, 1.0, matched=4, upper=7, limit=1.0),
        row(ALL, 9.0, matched=5, upper=6),
        row(ALL, 1.0, pair="2", matched=0, upper=9, limit=1.0),
    ]
    assert solver_tables.mean_gaps(rows, solver_tables.best_known(rows)) == {
        ("s", ALL): {1.0: 60.0, 10.0: 20.0}
    }
    assert "| s | presolve, start, bound | 60.0 % | 20.0 % |" in solver_tables.report(rows)


@pytest.mark.nightly
def test_plots_of_solvers_are_the_same_for_the_same_rows(tmp_path: Path) -> None:
    rows = [row(NOTHING, 1.0), row(ALL, 0.5), row(ALL, 3.0, matched=4, limit=2.0)]
    drawn = []
    for name in ("one", "other"):
        solver_tables.cactus(rows, tmp_path / f"{name}.svg")
        solver_tables.gap_plot(rows, tmp_path / f"{name}.gaps.svg")
        drawn.append([path.read_bytes() for path in sorted(tmp_path.glob(f"{name}.*"))])
    assert drawn[0] == drawn[1]
    assert all(b">s, presolve, start, bound<" in svg for svg in drawn[0])


def test_families_of_solvers_are_files_of_so_many_pairs(tmp_path: Path) -> None:
    clauses = ROOT / "instances" / "drs"
    drss = (clauses / "system.clf", clauses / "gold.clf")
    files = Files((SYSTEM, GOLD), drss)
    known = solver_families.names(files)
    assert known[:2] == ["sentences", "documents of 10"] and known[-1] == "DRS documents"
    for name, count in [("sentences", 3), ("documents of 10", 2), ("hard", 5), ("loops", 12)]:
        system, gold = solver_families.write(name, files, count, tmp_path)
        assert [len(exactmatch.load(path)) for path in (system, gold)] == [count] * 2
    assert solver_families.spread(range(10), 3) == [1, 5, 8]
    assert solver_families.names(Files(None, None))[0] == "hard"


@pytest.mark.nightly
def test_runs_of_solvers_go_on_where_they_were_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words: list[str | Path] = [SYSTEM, GOLD, "--work", tmp_path, "--families", "sentences"]
    words += ["--few", "3", "--limits", "60", "--solvers", "maxsat", "--given", NOTHING]
    with monkeypatch.context() as patch:  # the report at the end draws as well
        for plot in ("cactus", "gap_plot"):
            patch.setattr(solver_tables, plot, lambda *_: None)
        assert "| sentences | maxsat | none | 3 of 3 |" in run(solvers, *words)
        (path,) = (tmp_path / "3-pairs" / "rows").iterdir()
        lines = path.read_text("utf-8").splitlines(keepends=True)
        assert len(lines) == 3
        path.write_text("".join([*lines[:2], lines[2][:20]]), encoding="utf-8")
        again = run(solvers, *words)
    assert "3 of 3" in again
    assert path.read_text("utf-8").startswith("".join(lines[:2]))
    assert run(solvers, *words, "--report") == again
    assert (path.parents[1] / "cactus.svg").exists()


def test_solvers_on_the_set_have_a_table_with_ratios_and_intervals() -> None:
    run_of = solver_set_table.Run
    runs = [
        run_of("clauses-4-1", "auto", 8, 8, 0.01),
        run_of("clauses-4-1", "highs", 8, 8, 0.25),
        run_of("cubics-8-1", "highs", 17, 17, 2.0),
        run_of("cubics-8-1", "cpsat", 16, 18, 60.4),
        run_of("cubics-8-1", "auto", 17, 17, 5.0),
        run_of("cubics-30-1", "auto", 61, 66, 61.0),
    ]
    assert solver_set_table.table(runs, ["cubics-8-1", "clauses-4-1", "cubics-30-1", "other"]) == (
        "| problem | `auto` | `cpsat` | `highs` | ratio |\n"
        "|---|---:|---:|---:|---:|\n"
        "| `cubics-8-1` | 5 | 16 to 18, 60 | 2 | 2.5 |\n"
        "| `clauses-4-1` | 0.01 |  | 0.25 | 0.4 |\n"
        "| `cubics-30-1` | 61 to 66, 61 |  |  |  |\n"
    )


def test_libraries_read_the_program_and_their_runs_are_in_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def read(path: Path, seconds: float) -> foreign_libraries.Task:
        if " s_0 " in path.read_text("utf-8"):  # the program has pair rows of larger terms
            raise OverflowError("too large")
        return foreign_libraries.Task(lambda: (-8.0, -8.9))

    monkeypatch.delattr(os, "sched_setaffinity", raising=False)
    monkeypatch.setitem(foreign_libraries.LIBRARIES, "cplex", read)
    run(foreign_libraries, "cplex", "unrelated-5-1", "clauses-6-1", "--work", tmp_path)
    assert capsys.readouterr().err.endswith("cplex refuses clauses-6-1: too large\n")
    (row,) = solver_set_table.read_runs(tmp_path / "solver_set.jsonl")
    assert row[:4] == ("unrelated-5-1", "cplex", 8, 8)
    assert "| `cplex` |" in run(solver_set_table, "--report", "--work", tmp_path)


class Network:
    """A cost function network, solved by enumeration, unless the seconds are too few."""

    def __init__(self, most: int) -> None:
        self.Limit: str | None = None
        self.variables: list[range] = []
        self.functions: list[tuple[list[int], list[int]]] = []
        self.constraints: list[list[tuple[int, int, int]]] = []

    def add_variable(self, name: str, values: range) -> None:
        self.variables.append(values)

    def add_function(self, scope: list[int], costs: list[int]) -> None:
        assert len(costs) == math.prod(len(self.variables[each]) for each in scope)
        self.functions.append((scope, costs))

    def add_constraint(
        self, summands: list[tuple[int, int, int]], operator: str, least: int
    ) -> None:
        assert (operator, least) == (">=", -1)
        self.constraints.append(summands)

    def solve(self, **options: int) -> tuple[tuple[int, ...], int, int] | None:
        if options["timeLimit"] == 1:
            self.Limit = "time"
            return None
        allowed = (values for values in product(*self.variables) if self._holds(values))
        best = min(allowed, key=self._cost)
        return best, self._cost(best), 1

    def dual_bound(self) -> float:
        return 0.0

    def _holds(self, values: tuple[int, ...]) -> bool:
        return all(
            sum(weight for variable, value, weight in each if values[variable] == value) >= -1
            for each in self.constraints
        )

    def _cost(self, values: tuple[int, ...]) -> int:
        cost = 0
        for scope, costs in self.functions:
            place = 0
            for variable in scope:
                place = place * len(self.variables[variable]) + values[variable]
            cost += costs[place]
        return cost


#: The methods by their names in pytoulbar2.
NETWORK = {
    "AddVariable": Network.add_variable,
    "AddFunction": Network.add_function,
    "AddGeneralizedLinearConstraint": Network.add_constraint,
    "Solve": Network.solve,
    "GetDDualBound": Network.dual_bound,
}


@pytest.mark.parametrize("name", ["unrelated-5-1", "weighted-5-1"])
def test_a_network_has_the_optimum_of_the_problem(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("pytoulbar2")
    monkeypatch.setattr(module, "CFN", type("CFN", (Network,), NETWORK), raising=False)
    monkeypatch.setitem(sys.modules, "pytoulbar2", module)
    (known,) = (entry for entry in read_index() if entry.name == name)
    found = foreign_libraries.measured(name, "pytoulbar2", 60)
    assert (found.lower, found.upper) == (known.lower, known.upper)
    limited = foreign_libraries.measured(name, "pytoulbar2", 0.5)
    assert limited.lower == 0 and limited.upper >= known.upper


def test_solvers_that_contradict_the_index_are_noticed() -> None:
    known = Entry("cubics-8-1", lower=17, upper=17)
    for lower, upper in [(16, 16), (18, 18)]:
        with pytest.raises(ValueError, match="cubics-8-1"):
            solver_set_table.check(solver_set_table.Run(known.name, "auto", lower, upper, 1), known)
    solver_set_table.check(solver_set_table.Run(known.name, "auto", 0, 99, 1), known)


@pytest.mark.nightly
def test_the_table_of_the_set_goes_on_where_it_was_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "sched_setaffinity", raising=False)
    words: list[str | Path] = ["small-6-10", "unrelated-5-1", "--work", tmp_path]
    words += ["--solvers", "auto", "maxsat"]
    first = run(solver_set_table, *words)
    assert first.count("| `small-6-10` |") == first.count("| `unrelated-5-1` |") == 1
    path = tmp_path / "solver_set.jsonl"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    assert len(lines) == 4
    path.write_text("".join([*lines[:3], lines[3][:20]]), encoding="utf-8")
    run(solver_set_table, *words)
    again = path.read_text("utf-8").splitlines(keepends=True)
    assert again[:3] == lines[:3] and json.loads(again[3])["upper"] == 8
    with pytest.raises(SystemExit):
        run(solver_set_table, "unrelated-5-9", "--work", tmp_path)


#: A package of three rooms, two of which have a circle between modules.
SMALL_HOUSE = {
    "__init__": "from exactmatch.top.walk import walk",
    "encodings/__init__": '"""The registry."""',
    "ground": '"""The ground."""\n\n# Low.\ndef stand(timeout, *, workers=1):\n    pass\n',
    "middle/__init__": '"""The middle."""',
    "middle/walk": "from exactmatch import ground\nfrom exactmatch.middle import run\n",
    "middle/run": "def run(a):\n    from . import walk\n    return a and 1 or [x for x in a if x]",
    "top/__init__": '"""The top."""',
    "top/walk": "from exactmatch.middle.run import run\nfrom exactmatch.ground import stand\n"
    "def walk(timeout, of):\n    stand(timeout=timeout, workers=of.workers, far=timeout)\n",
}


@pytest.fixture
def small_house(tmp_path: Path) -> house.House:
    for name, text in SMALL_HOUSE.items():
        path = tmp_path / "exactmatch" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "encodings").mkdir()
    (tmp_path / "encodings" / "leaf.py").write_text("import os\n", encoding="utf-8")
    return house.House(tmp_path)


def test_rooms_lie_on_the_floor_above_what_they_import(small_house: house.House) -> None:
    assert small_house.floors == {"top": 3, "middle": 2, "encodings": 1, "ground": 1}
    assert set(small_house.arrows.edges) == {
        ("top", "middle"),
        ("top", "ground"),
        ("middle", "ground"),
    }
    assert house.circles(small_house.arrows) == []
    assert house.circles(small_house.imports) == [
        ["exactmatch.middle.run", "exactmatch.middle.walk"]
    ]
    assert house.shared_names(small_house) == {"walk": ["middle.walk", "top.walk"]}


def test_lines_parameters_and_complexity_are_counted(small_house: house.House) -> None:
    ground = small_house.modules["exactmatch.ground"]
    assert house.lines(ground) == house.Lines(1, all=5, code=2, docstring=1, comment=1)
    assert house.parameters(small_house) == {"timeout": 2, "workers": 1}
    assert sorted(map(len, house.signatures(small_house))) == [1, 2, 2]
    assert house.keywords(small_house) == house.Keywords(all=3, handed_on=2)
    most = house.complexities(small_house)[0]
    # One, an operand of "or" and one of "and", a loop and its condition.
    assert (most.value, most.function) == (5, "run")


def test_a_picture_leaves_out_arrows_that_a_longer_way_replaces(small_house: house.House) -> None:
    drawn = house.picture(small_house)
    assert "  top --> middle\n" in drawn and "  middle --> ground\n" in drawn
    assert "| 3 | `top` | The top. | `middle` `ground` |" in drawn


def test_calls_into_a_higher_floor_are_climbs(small_house: house.House) -> None:
    low, high = house.Place("exactmatch.ground", "stand"), house.Place("exactmatch.top.walk", "f")
    calls = [house.Call(high, low, 5), house.Call(low, high, 2)]
    text = house.way_of_a_pair(small_house, calls)
    assert "| moves from room to room | 7 |" in text
    assert "| climbs: moves to a higher floor | 2 |" in text
    assert "| ground: `stand` | top.walk: `f` | 2 |" in text


@pytest.fixture(scope="module")
def whole_house() -> house.House:
    """The layout of this checkout."""
    return house.House(ROOT)


@pytest.mark.nightly
def test_the_picture_of_the_house_is_that_of_its_imports(whole_house: house.House) -> None:
    page = house.PAGE.read_text("utf-8")
    drawn = house.picture(whole_house)
    assert house.with_picture(page, drawn) == page, "python benchmarks/house.py --picture"


@pytest.mark.nightly
def test_a_function_that_is_complex_says_why(whole_house: house.House) -> None:
    ranked = house.complexities(whole_house)
    without = [one for one in ranked if one.value > house.COMPLEX and not one.reason]
    assert not without, "simplify it, or say why in it: # Complex: ..."


@pytest.mark.nightly
def test_the_way_of_a_pair_goes_from_the_command_to_the_dual_and_back(
    whole_house: house.House,
) -> None:
    calls = house.calls(ROOT)
    seen = {call.callee.module for call in calls}
    rooms = ("cli.answers", "graphs.pairing", "metrics.smatch", "solving.strategy", "report.text")
    assert {f"exactmatch.{name}" for name in rooms} <= seen
    assert "| climbs" in house.way_of_a_pair(whole_house, calls)


@pytest.mark.nightly
@pytest.mark.parametrize("name", limit_inputs.INPUTS)
def test_inputs_that_are_bad_for_a_metric_are_read(name: str) -> None:
    make = limit_inputs.INPUTS[name].make
    first, again = (make(random.Random(name), size=9) for _ in range(2))
    assert first == again
    assert len(exactmatch.loads(first)) == 1


@pytest.mark.nightly
def test_seconds_beyond_a_limit_are_a_table(tmp_path: Path) -> None:
    printed = run(limits, "--work", tmp_path, "--only", "anchors --metric edm", "--timeout", "50")
    head, _, row = printed.splitlines()
    assert [cell.strip() for cell in head.split("|")][1:3] == [
        "input",
        "options of `score`, or command",
    ]
    name, options, _, beyond, result = (cell.strip() for cell in row.split("|")[1:-1])
    assert (name, options, beyond) == ("anchors", "`--metric edm`", "0.0")
    assert result == "1.0000 to 1.0000"
