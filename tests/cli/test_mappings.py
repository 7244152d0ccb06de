"""``exactmatch mappings``, and the mappings that ``score`` writes."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from nightly import by_day
from samples import random_graph

import exactmatch
from exactmatch.cli import main

INSTANCES = Path(__file__).resolve().parents[2] / "instances"
A, B = (str(INSTANCES / "agreement" / f"{name}.amr") for name in "ab")

#: Two birds for one; a and c are the same in both best mappings.
SYSTEM = "(a / and :op1 (x / bird) :op2 (y / bird) :op3 (c / cat))\n"
GOLD = "(z / and :op4 (b / bird) :op5 (k / cat))\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("system.amr").write_text(SYSTEM, encoding="utf-8")
    Path("gold.amr").write_text(GOLD, encoding="utf-8")


def run(command: str, *words: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, [command, *words], catch_exceptions=False)
    assert result.exit_code == status, (result.stdout, result.stderr)
    return result


def rows(text: str) -> list[list[str]]:
    """Return the words of each row that is no comment."""
    return [line.split() for line in text.splitlines() if line and not line.startswith("#")]


def equal_trees() -> tuple[str, str]:
    """Write two trees of equal labels, whose proof takes long, and return their files."""
    for name in ("one", "other"):
        rng = random.Random(name)
        text = "(v0 / x)"
        for k in range(1, 40):
            v = f"v{rng.randrange(k)}"
            text = text.replace(f"({v} / x", f"({v} / x :R (v{k} / x)")
        Path(f"{name}.amr").write_text(text + "\n", encoding="utf-8")
    return "one.amr", "other.amr"


def test_all_of_them_side_by_side() -> None:
    text = run("mappings", "system.amr", "gold.amr", "--require-optimal").stdout
    head, first = text.split("# 1\n")
    first, second = first.split("# 2\n")
    assert "as good" in head and "or more" not in head
    same = [["a", "/", "and", "z", "/", "and"], ["c", "/", "cat", "k", "/", "cat"]]
    x, y, b = (f"{v} / bird".split() for v in "xyb")
    assert rows(first) == [same[0], [*x, "~", *b], same[1], [*y, "~", "-"]]
    assert sorted(rows(second)) == sorted([*same, [*y, "~", *b], [*x, "~", "-"]])


def test_no_more_than_asked_for() -> None:
    text = run("mappings", "system.amr", "gold.amr", "--all", "1").stdout
    assert "# 1\n" in text and "# 2\n" not in text
    assert "1 or more other" in text
    assert "1 or more other" not in run("mappings", "system.amr", "gold.amr", "--all", "2").stdout


def test_json_has_the_defined_mapping() -> None:
    found = run("mappings", "system.amr", "gold.amr", "--all", "1", "--format", "json").stdout
    assert json.loads(found)["mapping"] == [["a", "z"], ["x", "b"], ["c", "k"]]


@pytest.mark.parametrize(
    ("system", "gold", "status"),
    [(SYSTEM, SYSTEM, 0), (SYSTEM, "(p / q)", 0), ("()", "()", 1)],  # the last are unreadable
)
def test_a_single_one_has_no_marks(system: str, gold: str, status: int) -> None:
    Path("system.amr").write_text(system + "\n", encoding="utf-8")
    Path("gold.amr").write_text(gold + "\n", encoding="utf-8")
    words = ("--on-error", "empty", "--require-optimal")
    text = run("mappings", "system.amr", "gold.amr", *words, status=status).stdout
    assert "no other mapping is as good" in text
    assert "~" not in text.replace("a ~ marks differences", "")


@pytest.mark.parametrize("limit", ["0", "0.01"])
def test_without_proof_there_is_no_list(limit: str) -> None:
    asked = (*equal_trees(), "--timeout", limit)
    text = run("mappings", *asked).stdout
    assert ", feasible" in text or "other mappings may be as good" in text
    assert "~" not in text
    run("mappings", *asked, "--require-optimal", status=3)


@pytest.mark.parametrize("limit", [("--timeout", "0.01"), ("--memory", "1K")])
def test_without_proof_nothing_is_known_of_ranges(limit: tuple[str, str]) -> None:
    words = ("--breakdown", "--format", "json", "--mappings", "m.txt", "--certificates", "c.jsonl")
    content = json.loads(run("score", *equal_trees(), *words, *limit).stdout)
    assert content["optimal"] == 0
    assert {part["range"]["unknown"] for part in content["breakdown"].values()} == {1}
    assert "~" not in Path("m.txt").read_text("utf-8")
    assert len(Path("c.jsonl").read_text("utf-8").splitlines()) == 1
    run("verify", "c.jsonl", "one.amr", "other.amr")


@pytest.mark.parametrize(
    ("system", "gold"), [("drs/system.clf", "drs/gold.clf"), ("mrp/system.mrp", "mrp/gold.mrp")]
)
def test_mappings_of_other_formats_are_listed(system: str, gold: str) -> None:
    paths = [INSTANCES / system, INSTANCES / gold]
    for pair in exactmatch.score(paths[0], paths[1]).per_pair:
        identifier = pair.identifier
        text = run("mappings", *map(str, paths), "--id", identifier, "--all", "3").stdout
        best = exactmatch.best_mappings(paths[0], paths[1], id=identifier, limit=3).best
        assert best is not None
        assert f"# {len(best.mappings)}\n" in text
        assert f"# {len(best.mappings) + 1}\n" not in text
        assert ("or more" in text) == (not best.are_all)


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("--id", "study.1", "--metric", "sembleu"), 2),  # it maps no variables
        (("--id", "study.1", "--all", "0"), 2),
        ((), 2),  # which of them?
        (("--id", "nobody"), 1),
    ],
)
def test_what_makes_no_sense_is_refused(words: tuple[str, ...], status: int) -> None:
    assert run("mappings", A, B, *words, status=status).stderr


def scored(*words: str) -> tuple[list[dict[str, Any]], str]:
    """Score 16 random pairs; return the pairs, and the mappings as text."""
    rng = random.Random("scored")
    for name in ("systems", "golds"):
        graphs = [f"# ::id {k}\n{random_graph(rng, rng.randint(3, 9))[0]}\n" for k in range(16)]
        Path(f"{name}.amr").write_text("\n".join(graphs), encoding="utf-8")
    run(
        "score", "systems.amr", "golds.amr", "--breakdown", "--no-seconds",
        "--per-pair", "p.jsonl", "--mappings", "m.txt", *words,
    )  # fmt: skip
    lines = Path("p.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines], Path("m.txt").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "needs"), by_day([("cpsat", "ortools"), ("maxsat", "pysat"), ("auto", "exactmatch")])
)
def test_every_solver_shows_the_same(solver: str, needs: str) -> None:
    pytest.importorskip(needs)
    few = ("--timeout", "inf", "--seed", "7")
    pairs, text = scored("--solver", "dual")
    others, other_text = scored("--solver", solver, *few)
    assert text == other_text and " ~ " in text
    assert len(pairs) == len(others) == 16
    for pair, other in zip(pairs, others, strict=True):
        assert pair["mapping"] == other["mapping"]
        assert pair["breakdown"].keys() == other["breakdown"].keys()
        for name, part in pair["breakdown"].items():
            assert part["range"] == other["breakdown"][name]["range"]
    ranges = [part["range"] for pair in pairs for part in pair["breakdown"].values()]
    assert any(found["least"] < found["most"] for found in ranges)


@pytest.mark.nightly
def test_workers_change_nothing() -> None:
    words = ("--certificates", "c.jsonl")
    alone = scored(*words, "--workers", "1")
    certificates = Path("c.jsonl").read_bytes()
    assert scored(*words, "--workers", "2") == alone
    assert Path("c.jsonl").read_bytes() == certificates


def test_the_mapping_that_score_writes_is_the_first() -> None:
    _, text = scored()
    for block in text.strip().split("\n\n")[:6]:
        identifier = block.splitlines()[0].removeprefix("# ::id ")
        listed = run("mappings", "systems.amr", "golds.amr", "--id", identifier).stdout
        assert rows(block) == rows(listed.split("# 1\n")[1].split("\n# 2\n")[0])


def test_what_does_not_fit_into_memory_is_not_listed() -> None:
    files = equal_trees()
    said = run("mappings", *files, "--memory", "1K", "--require-optimal", status=3)
    assert "of 80 and 80, feasible" in said.stdout
    assert "is no amount of memory" in run("mappings", *files, "--memory", "x", status=2).stderr
