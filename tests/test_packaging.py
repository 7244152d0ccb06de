"""The package: the cost of importing it, the imports between rooms, the folder encodings."""

import ast
import codecs
import encodings
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

import networkx
import pytest

import exactmatch

ROOT = Path(__file__).resolve().parents[1]
INSTANCES = ROOT / "instances"
checkout = pytest.mark.checkout

#: The floors of the house, from the lowest: a room imports only from floors below its own.
LAYERS = [
    ["errors", "_requirements", "_version", "stopping"],
    ["problem", "graphs", "certificate", "runtime"],
    ["metrics", "encodings"],
    ["solving"],
    ["scoring"],
    ["report", "compat"],
    ["api", "many"],
    ["studies"],
    ["cli"],
]
#: What a room may import, where that is less than the floors below: it knows nothing of the rest.
ALLOWED = {
    "certificate": {"errors"},
    "solving": {"errors", "stopping", "problem", "certificate", "encodings"},
    "metrics": {"errors", "stopping", "problem", "graphs"},
}
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def python(*words: str | Path, **environment: str) -> str:
    run = subprocess.run(
        [sys.executable, *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def modules() -> Iterator[tuple[str, Path]]:
    """Yield the modules of exactmatch; the folder encodings under its shipped name."""
    package = resources.files("exactmatch")
    assert isinstance(package, Path)
    for path in package.rglob("*.py"):
        name = path.relative_to(package.parent).with_suffix("").as_posix().replace("/", ".")
        yield name.removesuffix(".__init__"), path
    for path in (ROOT / "encodings").glob("*.py"):
        yield f"exactmatch.encodings.{path.stem}", path


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the imports of a module; it is read once for all tests."""
    return frozenset(imported_by(ast.parse(path.read_text(encoding="utf-8")), path))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements of a module and what holds them, but no expression: most nodes are."""
    found = [tree]
    for node in found:
        yield node
        found += [
            child
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case)
        ]


def imported_by(tree: ast.AST, path: Path) -> set[str]:
    found = set()
    for node in statements(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 and node.module, "relative import"
            found.add(node.module)
            if node.module == "exactmatch":
                found |= {f"exactmatch.{alias.name}" for alias in node.names}
    return found


def test_layers_import_only_what_is_below_them() -> None:
    seen = set()
    for name, path in modules():
        own = name.split(".")[1] if "." in name else ""
        if own in ("", "__main__"):
            continue
        seen.add(own)
        for other in imported(path):
            room = other.split(".")[1] if other.startswith("exactmatch.") else own
            assert room == own or RANK[room] < RANK[own], f"{name} imports {other}"
            assert room == own or room in ALLOWED.get(own, RANK), f"{name} imports {other}"
    assert seen == set(RANK)


def test_no_module_is_in_a_circle_of_imports() -> None:
    """Imports in functions, and those for type checkers, count as well."""
    paths = dict(modules())
    graph = networkx.DiGraph()
    for name, path in paths.items():
        for other in imported(path):
            graph.add_edge(name, other if other in paths else other.rpartition(".")[0])
    graph.remove_edges_from([*networkx.selfloop_edges(graph)])
    assert graph.has_edge("exactmatch.cli.score", "exactmatch.cli.signals")
    assert [*networkx.simple_cycles(graph)] == []


def test_the_report_of_a_study_scores_nothing_and_its_measure_reports_nothing() -> None:
    for name, path in modules():
        if name.startswith("exactmatch.studies.") and name.endswith(".measure"):
            assert not [other for other in imported(path) if other.startswith("exactmatch.report")]
        if name.startswith("exactmatch.studies.") and name.endswith(".report"):
            assert "exactmatch.scoring.pair" not in imported(path)


def test_the_problem_imports_nothing_of_ours() -> None:
    (path,) = (path for name, path in modules() if name == "exactmatch.problem")
    assert not any(name.startswith("exactmatch") for name in imported(path))


def test_the_command_line_starts_without_heavy_libraries() -> None:
    code = "import exactmatch.__main__, exactmatch.cli as c, sys; "
    code += "[c.main.get_command(None, n) for n in c.COMMANDS]; print(*sys.modules)"
    loaded = python("-c", code).split()
    heavy = {
        "ortools",
        "numpy",
        "pandas",
        "pysat",
        "networkx",
        "penman",
        "pyarrow",
        "rich",
        "scipy",
        "matplotlib",
        "dask",
        "distributed",
    }
    assert not heavy & set(loaded)


@pytest.mark.parametrize(("given", "threads"), [(None, "1"), ("2", "2")])
def test_commands_give_blas_one_thread_unless_people_have_chosen(
    given: str | None, threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gc.set_threshold", lambda *_: None)
    import exactmatch.__main__

    seen = []
    for name in ("atexit.register", "exactmatch.__main__.listen_to_the_end"):
        monkeypatch.setattr(name, lambda *_: None)
    monkeypatch.setattr(
        "exactmatch.__main__._run", lambda _: seen.append(os.environ["OPENBLAS_NUM_THREADS"])
    )
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    if given:
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", given)
    exactmatch.__main__.run()
    assert seen == [threads]


def test_help_loads_no_command() -> None:
    """Such a command must answer at once."""
    code = "import sys; from exactmatch.cli import main; main(['--help'], standalone_mode=False)"
    lines = python("-c", f"{code}; print(*sys.modules)").splitlines()
    ours = {name for name in lines[-1].split() if name.startswith("exactmatch.")}
    rest = {"_version", "errors", "stopping", "stopping.interrupts", "runtime", "runtime.harmless"}
    rest |= {"runtime.standard_streams", "cli", "cli.signals", "cli.screen", "cli.memory_errors"}
    rest |= {"cli.short_help"}
    assert ours == {f"exactmatch.{name}" for name in rest}


@pytest.mark.slow
def test_networkx_is_imported_where_it_is_used() -> None:
    rooms = ("scoring.joint_graph", "graphs.convert.networkx", "studies.principles.from_files")
    code = "import sys, " + ", ".join(f"exactmatch.{room}" for room in rooms)
    assert "networkx" not in python("-c", f"{code}; print(*sys.modules)").split()


def test_easy_pairs_need_no_solver() -> None:
    code = "import exactmatch as e, sys; e.score('(a / b)', '(a / b)'); print(*sys.modules)"
    assert "ortools" not in python("-c", code).split()


@pytest.mark.slow
def test_the_dual_needs_no_other_process() -> None:
    """Loading what starts processes takes longer than scoring a few sentences."""
    code = (
        "import exactmatch as e, sys; "
        "e.score('(a / b)', '(a / b)', certificates=True); print(*sys.modules)"
    )
    loaded = set(python("-c", code).split())
    assert "exactmatch.solving.dual.branch_and_bound" in loaded
    processes = {"multiprocessing", "pickle", "queue", "selectors", "socket", "subprocess"}
    assert not {*processes, "exactmatch.solving.solver_process"} & loaded


@pytest.mark.slow
def test_what_everybody_uses_needs_no_scipy(tmp_path: Path) -> None:
    """SciPy comes with an extra; bounds by counts are those of a pair that has no memory."""
    one, two = tmp_path / "one.amr", tmp_path / "two.amr"
    one.write_text("(a / b :r (c / d) :r (e / d))", encoding="utf-8")
    two.write_text("(a / d :r (c / d))", encoding="utf-8")
    code = (
        "import sys; sys.modules['scipy'] = None; import exactmatch as e; one, two = sys.argv[1:]; "
        "from pathlib import Path; paths = Path(one), Path(two); "
        "score = e.score(*paths, memory=1); e.agreement([one, two]); e.compare([one], two); "
        "print(score.per_pair[0].solver, score.matched_upper)"
    )
    assert python("-c", code, str(one), str(two)) == "counts 3\n"


def test_scoring_two_sentences_loads_no_room_that_it_does_not_need(tmp_path: Path) -> None:
    """Loading all of them takes longer than scoring a few sentences."""
    one, two = tmp_path / "one.amr", tmp_path / "two.amr"
    one.write_text("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))", encoding="utf-8")
    two.write_text("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02))", encoding="utf-8")
    code = (
        "import sys; before = {*sys.modules}; from exactmatch.cli import main\n"
        "main(sys.argv[1:], standalone_mode=False); print(*{*sys.modules} - before)"
    )
    loaded = set(python("-c", code, "score", str(one), str(two)).splitlines()[-1].split())
    readers = ["clauses", "examined", "mrp", "penman_parser", "sbn", "sbn_layout", "umr"]
    readers += ["well_formed"]
    metrics = ["amr.documents", "amr.from_mrp", "amr.from_sbn", "amr.sentence_sets"]
    metrics += ["amr.root_distance", "amr.standardise"]
    metrics += ["best_mappings", "subscores", "umr.keys"]
    unneeded = {
        *(
            "api.runs",
            "api.score",
            "cli.command_line",
            "compat",
            "encodings.base",
            "many",
            "studies",
        ),
        *(f"problem.{name}" for name in ("compact", "joining", "solver_work")),
        *(f"report.{name}" for name in ("json", "pages", "per_pair", "shown_pairs")),
        *(f"runtime.{name}" for name in ("checkpoint", "cluster", "pool", "processes")),
        *(f"scoring.{name}" for name in ("by_sentence", "frames", "pair", "validity")),
        *(f"scoring.{name}" for name in ("sentence_losses", "solver_totals")),
        *(f"solving.{name}" for name in ("best", "dual.core", "dual.counting", "dual.levels")),
        "solving.search.growth",
        *(f"graphs.readers.{name}" for name in readers),
        *(f"metrics.{name}" for name in metrics),
    }
    for name in unneeded:
        assert find_spec(f"exactmatch.{name}") is not None, name
    assert "exactmatch.metrics.smatch" in loaded
    assert not {f"exactmatch.{name}" for name in unneeded} & loaded
    library = {"csv", "decimal", "fractions", "hashlib", "json", "multiprocessing", "pickle"}
    library |= {"random", "shlex", "subprocess", "tempfile", "textwrap"}
    assert not library & loaded


@pytest.mark.slow
def test_workers_of_studies_load_neither_numpy_nor_reports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loading them takes longer than all else that a worker loads."""
    one, two = (shutil.copy(INSTANCES / "agreement" / f"{name}.amr", tmp_path) for name in "ab")
    sent: list[bytes] = []

    def send(work: object, *_: object) -> Iterator[object]:
        sent.append(pickle.dumps(work))
        raise InterruptedError

    monkeypatch.setattr("exactmatch.studies.common.sweep.in_order", send)
    studies: list[Callable[[], object]] = [
        lambda: exactmatch.agreement([one, two]),
        lambda: exactmatch.compare([one], two),
        lambda: exactmatch.correlate([one, two], two),
        lambda: exactmatch.explain(one, two, between=["default", "smatch-1.0.4"]),
        lambda: exactmatch.principles(one, two),
        lambda: exactmatch.search_error([one], two),
    ]
    for study in studies:
        with pytest.raises(InterruptedError):
            study()
    path = tmp_path / "sent"
    path.write_bytes(pickle.dumps(sent))
    code = (
        "import pickle, sys\n"
        "for work in pickle.load(open(sys.argv[1], 'rb')): print(pickle.loads(work))\n"
        "print(*sys.modules)"
    )
    *works, loaded = python("-c", code, path).splitlines()
    assert len(works) == len(studies)
    assert "exactmatch.studies.common.sweep" in loaded.split()
    unneeded = ("numpy", "networkx", "scipy", "exactmatch.report", "exactmatch.studies.common.plan")
    assert not [name for name in loaded.split() if name.startswith(unneeded)]


def test_comparing_needs_no_dual() -> None:
    loaded = python("-c", "import exactmatch.scoring.comparison, sys; print(*sys.modules)").split()
    assert "exactmatch.scoring.comparison" in loaded
    solving = ("exactmatch.certificate", "exactmatch.solving")
    assert not [name for name in loaded if name.startswith(solving)]


def test_the_standard_encodings_are_untouched() -> None:
    assert Path(encodings.__file__).parent == Path(os.__file__).parent / "encodings"
    for name in ("idna", "punycode", "utf-7", "cp1252", "big5"):
        codecs.lookup(name)


def test_encodings_are_leaves() -> None:
    for name, path in modules():
        if name.startswith("exactmatch.encodings."):
            assert "exactmatch.encodings" not in imported(path)
            assert path.stem not in sys.stdlib_module_names


@checkout
def test_what_is_compiled_is_what_is_written() -> None:
    """If this fails, install again: Python prefers a compiled module to a newer source."""
    for source in (ROOT / "exactmatch").rglob("*.py"):
        for compiled in source.parent.glob(f"{source.stem}.*"):
            if compiled.suffix in (".so", ".pyd"):
                assert compiled.stat().st_mtime >= source.stat().st_mtime, compiled.name


@checkout
def test_no_init_file_in_encodings() -> None:
    assert not (ROOT / "encodings" / "__init__.py").exists()


@checkout
@pytest.mark.parametrize("flags", [(), ("-S",), ("-X", "utf8"), ("-X", "frozen_modules=off")])
def test_the_interpreter_starts_with_the_repository_on_its_path(flags: tuple[str, ...]) -> None:
    code = "import encodings.idna; print(encodings.__file__)"
    output = python(*flags, "-c", code, PYTHONPATH=str(ROOT))
    assert not output.startswith(str(ROOT))


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a checkout by git")
def test_a_checkout_has_the_same_bytes_everywhere() -> None:
    """Git for Windows asks for other line ends (core.autocrlf); no file may get them."""
    listed = subprocess.run(
        ["git", "-c", "core.autocrlf=true", "ls-files", "--eol"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    kinds = {}
    for line in listed.stdout.splitlines():
        said, name = line.split("\t", 1)
        kinds[name] = (said.split()[0], said.partition("attr/")[2].strip())
    assert len(kinds) > 1000
    assert {attributes for _, attributes in kinds.values()} == {"text=auto eol=lf", "-text"}
    data = [name for name in kinds if name.startswith(("instances/", "tests/golden/"))]
    assert {kinds[name][1] for name in data} == {"-text"}
    # What is converted when it is committed has no other line ends to lose.
    assert not [n for n, (kept, how) in kinds.items() if "crlf" in kept and how != "-text"]
