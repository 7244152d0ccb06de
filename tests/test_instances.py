"""The instances have the scores in their table."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import generate
import penman
import pytest
from click.testing import CliRunner
from oracles import brute_force as oracle
from oracles.drs import Definition

import exactmatch
from exactmatch.cli import main
from exactmatch.graphs.coupling import couple_graphs
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.pairing import GraphPair, read_pair
from exactmatch.graphs.readers.detect import read_file
from exactmatch.graphs.readers.detect import read_text as read_clauses
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.pair import score_mapping, score_pair
from exactmatch.scoring.settings import Settings
from exactmatch.stopping.deadline import Deadline

ROOT = Path(__file__).resolve().parents[1]
INSTANCES = ROOT / "instances"

#: | files | pair | matched | test | gold | how it is known |
ROW = re.compile(
    r"^\| `(\S+)` `(\S+)` \| (\S+) \| (\d+) \| (\d+) \| (\d+) \| (.*) \|$", re.MULTILINE
)
#: | DRS | matched | test | gold | and the same in counter-2021 | what is in it |
DRS_ROW = re.compile(r"^\| (\w+) ((?:\| \d+ ){6})\| [^|]* \|$", re.MULTILINE)


#: | SBN | matched | system | gold | matched with tabs | what is in it |
SBN_ROW = re.compile(r"^\| (p00/d\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| [^|]* \|$", re.M)

#: | pair | options | score | in print | remark |
FIGURE = re.compile(
    r"^\| `(figure-\S+)` \| `([^`]+)` \| ([\d.]+) \| ([\d.]+) \| (.*?) ?\|$", re.MULTILINE
)

#: | x=a, y=b, z=c | M | P | R | F |
MAPPING_ROW = re.compile(
    r"^\| x=(\w), y=(\w), z=(\w) \| (\d) \| (\S+) \| (\S+) \| (\S+) \|$", re.MULTILINE
)

PAIR = ("system", "gold")


class Row(NamedTuple):
    system: str
    gold: str
    pair: str
    matched: int
    system_total: int
    gold_total: int
    known_by: str


def table() -> list[Row]:
    text = (INSTANCES / "README.md").read_text(encoding="utf-8")
    return [
        Row(a, b, p, int(m), int(t), int(g), how) for a, b, p, m, t, g, how in ROW.findall(text)
    ]


def triples(path: Path, identifier: str) -> list[oracle.Triple]:
    """Return the triples of a graph as brute force wants them, without any code of ours."""
    graph = {g.metadata["id"]: g for g in penman.load(path)}[identifier]
    top: list[oracle.Triple] = [("top", (str(graph.top),))]
    concepts = [(f"instance {i.target}", (i.source,)) for i in graph.instances()]
    relations = [(f"relation {e.role}", (e.source, e.target)) for e in graph.edges()]
    return top + concepts + relations


def test_every_optimum_of_the_table() -> None:
    rows = table()
    scored = {
        files: exactmatch.score(INSTANCES / files[0], INSTANCES / files[1], timeout=None)
        for files in dict.fromkeys((a, b) for a, b, *_ in rows)
    }
    for row in rows:
        result = scored[row.system, row.gold]
        found = {pair.identifier: pair for pair in result.per_pair} | {"all": result}
        score = found[row.pair]
        assert (score.matched, score.system_total, score.gold_total) == row[3:6], row
        assert score.gap == 0
    assert len({row.system for row in rows}) == 1 + len(generate.COMMITTED) + 4


def test_brute_force_where_the_table_says_so() -> None:
    rows = [row for row in table() if row.known_by.startswith("brute force")]
    assert len(rows) == 15
    for row in rows:
        system = triples(INSTANCES / row.system, row.pair)
        gold = triples(INSTANCES / row.gold, row.pair)
        assert oracle.optimum(system, gold, "set") == row.matched, row


def test_isomorphic_where_the_table_says_so() -> None:
    for row in table():
        if row.known_by == "isomorphic by construction":
            assert row.matched == row.system_total == row.gold_total


@pytest.mark.parametrize("profile, column", [("pmb-5", 1), ("pmb-5-tabs", 4)])
def test_every_optimum_of_sbn(profile: str, column: int) -> None:
    rows = SBN_ROW.findall((INSTANCES / "README.md").read_text(encoding="utf-8"))
    folder = INSTANCES / "sbn"
    found = exactmatch.score(folder / "system.sbn", folder / "gold.sbn", profile=profile)
    scores = {pair.identifier: pair for pair in found.per_pair}
    assert [*scores] == [*[row[0] for row in rows], "p00/d0008", "p00/d0009"]
    for row in rows:
        score = scores[row[0]]
        wanted = tuple(map(int, (row[column], row[2], row[3])))
        assert (score.matched, score.system_total, score.gold_total) == wanted, row
        assert score.gap == 0


def test_blocks_of_sbn_are_the_same_graphs() -> None:
    blocks = exactmatch.load(INSTANCES / "sbn/gold.blocks.sbn")
    lines = exactmatch.load(INSTANCES / "sbn/gold.sbn")[: len(blocks)]
    assert len(blocks) == 2
    for block, line in zip(blocks, lines, strict=True):
        assert (block.identifier, block.triples) == (line.identifier, line.triples)


@pytest.mark.slow
def test_every_optimum_of_the_drss() -> None:
    texts = [
        "\n".join(
            (INSTANCES / f"drs/{name}{side}.clf").read_text("utf-8") for name in ("", "paper.")
        )
        for side in PAIR
    ]
    drss = [read_clauses(text, side).graphs for text, side in zip(texts, PAIR, strict=True)]
    couples = couple_graphs(*drss, system_name="system", gold_name="gold", pair_by="id")
    pairs = [read_pair(couple, "stop").pair for couple in couples]
    blocks = [[block for block in text.split("\n\n") if "::id" in block] for text in texts]
    rows = DRS_ROW.findall((INSTANCES / "README.md").read_text(encoding="utf-8"))
    assert [name for name, _ in rows] == [pair.identifier for pair in pairs]
    for (_, figures), pair, *clauses in zip(rows, pairs, *blocks, strict=True):
        found = []
        for name, profile in CounterMetric.profiles.items():
            system, gold = (Definition(text, name == "counter-2021") for text in clauses)
            assert isinstance(pair, GraphPair)
            score = score_pair(pair, profile, Settings(), Deadline())
            counts = [score.matched, score.system_total, score.gold_total]
            assert counts == [system.best(gold), system.total, gold.total]
            found += counts
        assert found == [int(figure) for figure in re.findall(r"\d+", figures)]


def test_the_example_of_the_paper() -> None:
    """Cai and Knight (2013), section 2: 4 triples match, P 4/5, R 4/6, F1 0.73."""
    files = INSTANCES / "paper/system.amr", INSTANCES / "paper/gold.amr"
    result = exactmatch.score(*files, profile="paper-2013")
    assert (result.matched, result.system_total, result.gold_total) == (4, 5, 6)
    assert round(result.f1, 2) == 0.73
    assert dict(result.per_pair[0].mapping) == {"x": "a", "y": "b", "z": "c"}


def test_every_figure_of_opitz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opitz, Parcalabescu and Frank (2020): scores as the table has them, and as in print."""
    monkeypatch.chdir(INSTANCES / "opitz")
    rows = FIGURE.findall((INSTANCES / "README.md").read_text(encoding="utf-8"))
    scores: dict[str, dict[str, float]] = {}
    for options in dict.fromkeys(options for _, options, *_ in rows):
        words = ["score", "system.amr", "gold.amr", *options.split(), "--per-pair"]
        result = CliRunner().invoke(main, [*words, str(tmp_path / "pairs.jsonl")])
        assert result.exit_code == 0, result.stderr
        lines = (tmp_path / "pairs.jsonl").read_text(encoding="utf-8").splitlines()
        scores[options] = {pair["id"]: pair["score"] for pair in map(json.loads, lines)}
    for pair, options, score, printed, remark in rows:
        found = scores[options][pair]
        assert f"{found:.3f}" == score, (pair, options)
        digits = len(printed.partition(".")[2])
        assert (f"{found:.{digits}f}" == printed) == (not remark), (pair, options)
    assert {pair for pair, *_ in rows} == {*scores["--metric sembleu"]}


def test_the_relations_of_figure_2() -> None:
    folder = INSTANCES / "opitz"
    files = folder / "system.amr", folder / "gold.amr"
    pair = exactmatch.score(*files, top="concept", breakdown=True).per_pair[0]
    relations = pair.breakdown["relation"]
    assert (pair.identifier, relations.matched, relations.gold_total) == ("figure-2", 2, 3)


def test_the_similarities_of_figure_11b() -> None:
    """Five and six triples are equal; then military and navy, poor and poverty, shape-01 and shape.

    The roots have different concepts. Graded, or with shape-01 and shape the same, no similarities
    from 1/2 on would do: 0.460 of (18 + 13) / 2 leaves 1.13 for poor and shape, and so 0.63 for
    poor; 0.488 of (15 + 13) / 2 then leaves 0.70 for military, once.
    """
    folder = INSTANCES / "opitz"
    metric = exactmatch.metric("s2match", similarity=folder / "similarities.txt")
    scored = exactmatch.score(folder / "system.amr", folder / "gold.amr", metric=metric)
    camr, jamr = scored.per_pair[-2:]
    assert camr.f1 == (5 + 0.692 + 0.635 + 0.5) / ((15 + 13) / 2)
    assert jamr.f1 == (6 + 0.635 + 0.5) / ((18 + 13) / 2)


def test_the_2_grams_of_figure_3() -> None:
    """With 6 of 10 instead of 8, the formula of SemBleu's program gives the printed scores."""
    folder = INSTANCES / "opitz"
    program = exactmatch.metric("sembleu", profile="program")
    scored = exactmatch.score(folder / "system.amr", folder / "gold.amr", metric=program)
    for pair, printed in zip(scored.per_pair[1:3], (0.422, 0.804), strict=True):
        counts = [pair.breakdown[f"{n}-grams"] for n in (1, 2, 3)]
        assert (counts[1].matched, counts[1].system_total) == (8, 10)
        assert round(pair.value * (6 / 8) ** 0.33, 3) == printed


def test_figure_4_of_the_dscorer_paper() -> None:
    for profile in CounterMetric.profiles:
        system, gold = (INSTANCES / f"drs/paper.{side}.clf" for side in PAIR)
        assert f"{exactmatch.score(system, gold, profile=profile).f1:.2%}" == "47.06%"


def test_every_mapping_of_the_example_of_the_paper() -> None:
    """The table of section 2, its six mappings scored one by one."""
    (system,), (gold,) = (read_file(INSTANCES / f"paper/{name}.amr").graphs for name in PAIR)
    assert isinstance(system, Graph) and isinstance(gold, Graph)
    metric = Smatch.profiles["paper-2013"]
    variables, images = list(system.variables), list(gold.variables)
    rows = MAPPING_ROW.findall((INSTANCES / "README.md").read_text(encoding="utf-8"))
    assert [(*row[:3], int(row[3]), row[6]) for row in rows] == [
        ("a", "b", "c", 4, "0.73"),
        ("a", "c", "b", 1, "0.18"),
        ("b", "a", "c", 0, "0.00"),
        ("b", "c", "a", 0, "0.00"),
        ("c", "a", "b", 0, "0.00"),
        ("c", "b", "a", 2, "0.36"),
    ]
    for *named, matched, precision, recall, f1 in rows:
        mapping = {variables.index(v): images.index(w) for v, w in zip("xyz", named, strict=True)}
        score = score_mapping(GraphPair("paper.1", system, gold), metric, mapping, "by hand")
        assert score.matched == int(matched)
        assert f"{score.matched}/{score.system_total}" == precision
        assert f"{score.matched}/{score.gold_total}" == recall
        assert f"{score.f1:.2f}" == f1


def test_the_agreement_study_has_the_shape_of_the_paper() -> None:
    """At least 20 sentences of 5 to 40 variables, by four annotators and their consensus."""
    study = INSTANCES / "agreement"
    names = sorted(path.name for path in study.glob("*.amr"))
    assert names == ["a.amr", "b.amr", "c.amr", "consensus.amr", "d.amr"]
    result = exactmatch.score(study / "consensus.amr", study / "consensus.amr")
    sizes = [len(pair.mapping) for pair in result.per_pair]
    assert len(sizes) >= 20 and min(sizes) == 5 and max(sizes) == 40
    assert result.f1 == 1.0


@pytest.mark.nightly
def test_the_annotators_are_what_the_script_writes(tmp_path: Path) -> None:
    study = INSTANCES / "agreement"
    for name in ("annotators.py", "consensus.amr"):
        shutil.copy(study / name, tmp_path)
    subprocess.run([sys.executable, tmp_path / "annotators.py"], check=True)
    for name in "abcd":
        assert (tmp_path / f"{name}.amr").read_bytes() == (study / f"{name}.amr").read_bytes()


def test_repeated_clauses_score_1_against_themselves() -> None:
    for name in ("parallel", "chorus"):
        text, shuffled = generate.family(name, 8, seed=0)
        assert exactmatch.score(text, text).f1 == exactmatch.score(text, shuffled).f1 == 1.0


@pytest.mark.parametrize("name", sorted(generate.FAMILIES))
def test_families_can_be_had_at_any_size(name: str) -> None:
    for size in (2, 5, 9):
        system, gold = generate.family(name, size, seed=3)
        assert (system, gold) == generate.family(name, size, seed=3)
        assert exactmatch.score(system, gold, timeout=None).optimal == 1


def test_the_files_are_what_the_generator_writes(tmp_path: Path) -> None:
    made = tmp_path / "not" / "there yet"
    generate.main(str(made))
    written = {path.name: path.read_bytes() for path in made.iterdir()}
    assert written == {path.name: path.read_bytes() for path in (INSTANCES / "hard").iterdir()}


@pytest.mark.parametrize("words, message", [([], "usage: "), (["{file}"], "error: {file}: ")])
def test_the_generator_says_what_it_needs(words: list[str], message: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    run = subprocess.run(
        [sys.executable, INSTANCES / "generate.py", *(word.format(file=file) for word in words)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith(message.format(file=file)) and "Traceback" not in run.stderr
