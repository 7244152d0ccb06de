"""The benchmark set for solvers: its index is right, and its files are those of the index."""

import os
import random
import re
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import foreign_solvers
import generate
import networkx as nx
import penman
import pytest
import solver_set
import texts
from foreign_solvers import Foreign
from oracles import brute_force as oracle
from solver_set import CHECKED, FORMATS, GRADES, TOTAL, Entry

from exactmatch.errors import VerificationError
from exactmatch.solving.names import AUTO, DUAL, SOLVERS

INDEX = {entry.name: entry for entry in solver_set.read_index()}
#: One of each maker, small.
SMALL = [
    "unrelated-6-1",
    "weighted-12-1",
    "clauses-4-1",
    "agreement-3-4",
    "cubics-8-1",
    "noisy-4-1",
    "umr-4-1",
    "texts-10-1",
    "noisytexts-6-1",
]


def test_every_line_of_the_index_is_well_formed() -> None:
    assert len(INDEX) == len(solver_set.read_index()) >= 60
    for entry in INDEX.values():
        family, size, seed = entry.name.split("-")
        assert family in solver_set.MAKERS and int(size) > 0 and int(seed) > 0
        assert entry.grade in GRADES and entry.upper_by in {CHECKED, TOTAL, *SOLVERS}
        assert 0 < entry.lower <= entry.upper
        assert entry.is_solved or entry.grade == "open"
        assert min(entry.left, entry.right, entry.candidates, entry.terms) > 0
        assert all(re.fullmatch("[0-9a-f]{64}", getattr(entry, target)) for target in FORMATS)
    digests = Counter(getattr(entry, target) for entry in INDEX.values() for target in FORMATS)
    assert max(digests.values()) == 1


def test_the_index_has_problems_of_each_grade_family_and_way_to_know_the_optimum() -> None:
    entries = INDEX.values()
    assert {entry.grade for entry in entries} == {*GRADES}
    assert {entry.name.split("-")[0] for entry in entries} == {*solver_set.MAKERS}
    assert {CHECKED, TOTAL} <= {entry.upper_by for entry in entries}


@pytest.mark.checkout
def test_the_page_says_how_many_problems_there_are_of_each_grade() -> None:
    page = (solver_set.HERE / "SOLVER_SET.md").read_text("utf-8")
    told = re.findall(r"^\| `(\w+)` \| [^|]* \| (\d+) \|$", page, re.MULTILINE)
    counts = Counter(entry.grade for entry in INDEX.values())
    assert told == [(grade, str(counts[grade])) for grade in GRADES]


def test_isomorphic_graphs_match_in_full_and_no_others_are_said_to() -> None:
    for entry in INDEX.values():
        is_isomorphic = entry.name.split("-")[0] in solver_set.ISOMORPHIC
        assert (entry.upper_by == TOTAL) == is_isomorphic
        assert entry.is_solved or not is_isomorphic


def test_hard_instances_that_are_in_the_set_are_the_same_pairs() -> None:
    for name, sizes in generate.COMMITTED.items():
        number = len(sizes)
        made = solver_set.problem_of(f"{name}-{sizes[-1]}-{number}")
        folder = Path(solver_set.HERE / "hard")
        texts = [(folder / f"{name}.{side}.amr").read_text("utf-8") for side in ("system", "gold")]
        last = [text.split("\n\n")[number - 1] for text in texts]
        assert solver_set.compared((last[0], last[1])).problem == made.problem
        assert f"{name}-{sizes[-1]}-{number}" in INDEX


def test_a_poor_parser_keeps_the_nodes_and_errs_about_half_of_the_time() -> None:
    gold = texts.document(penman.load(solver_set.HERE / "agreement" / "consensus.amr"))
    read = texts.misread(gold, 0.5, random.Random(1))
    assert read.variables() == gold.variables()
    assert nx.is_connected(nx.Graph((s, t) for s, _, t in read.triples))
    concepts = [(v, c) for v, role, c in gold.triples if role == ":instance"]
    kept = sum((v, ":instance", c) in read.triples for v, c in concepts)
    assert 0.4 < kept / len(concepts) < 0.6
    edges = {t for t in gold.triples if t[2] in gold.variables() and ":snt" not in t[1]}
    assert 0.2 < len(edges & {*read.triples}) / len(edges) < 0.3


def test_a_poor_parser_of_drss_keeps_the_kinds_of_nodes() -> None:
    gold = texts.drs(100, random.Random(1))
    read = [*texts.misread_clauses(gold, 0.5, random.Random(1))]
    assert len(read) == len(gold)
    for old, new in zip(gold, read, strict=True):
        assert old[2] == new[2] and old[3][0] == new[3][0]
    for k in (0, 1, 3):
        differ = [old[k] != new[k] for old, new in zip(gold, read, strict=True)]
        assert 0.1 < sum(differ) / len(gold) < 0.55


def test_each_event_of_a_umr_document_has_an_aspect_and_two_relations_of_its_level() -> None:
    (graph,) = penman.loads("(w / want-01 :ARG0 (c / cat) :ARG1 (w2 / wash-01 :ARG1 c))")
    made = texts.with_level(texts.document([graph]), random.Random(1)).triples
    assert [s for s, role, _ in made if role == ":aspect"] == ["s1_w", "s1_w2"]
    assert [t for _, role, t in made if role in texts.STRENGTHS] == ["s1_w", "s1_w2"]
    times = [(s, t) for s, role, t in made if role in texts.TIMES]
    assert [t for _, t in times] == ["s1_w", "s1_w2"] and times[0][0] == "d"
    assert times[1][0] in {"d", "s1_w"}


@pytest.mark.parametrize("name", SMALL)
def test_what_is_written_has_the_digests_of_the_index(name: str, tmp_path: Path) -> None:
    entry = INDEX[name]
    assert solver_set.write([entry], FORMATS, tmp_path) == []
    assert {path.name for path in tmp_path.iterdir()} == {f"{name}.{each}" for each in FORMATS}
    assert solver_set.write([replace(entry, lp=entry.opb)], FORMATS, tmp_path) == [f"{name}.lp"]


@pytest.mark.parametrize("name", ["unrelated-5-1", "small-6-10", "weighted-5-1", "clauses-2-1"])
def test_optima_of_the_smallest_are_those_of_brute_force(name: str) -> None:
    problem, entry = solver_set.problem_of(name).problem, INDEX[name]
    best = oracle.best_score(problem.n_left, problem.n_right, problem.terms)
    assert (entry.lower, entry.upper) == (best, best)


@pytest.mark.parametrize("name", SMALL)
def test_what_is_measured_is_what_the_index_says(name: str) -> None:
    entry = INDEX[name]
    fresh = solver_set.measured(Entry(name), [DUAL], 60)
    assert replace(fresh, grade=entry.grade) == entry


@pytest.mark.parametrize("change", [1, -1])
def test_a_wrong_optimum_is_noticed(change: int) -> None:
    entry = INDEX["unrelated-8-2"]
    wrong = replace(entry, lower=entry.lower + change, upper=entry.upper + change)
    with pytest.raises(VerificationError, match="unrelated-8-2"):
        solver_set.measured(wrong, [AUTO], 60)


def test_the_word_of_a_solver_gives_way_to_a_checked_proof_and_never_the_other_way_round() -> None:
    entry = INDEX["unrelated-6-1"]
    assert entry.upper_by == CHECKED
    told = replace(entry, upper_by="maxsat")
    assert solver_set.measured(told, [AUTO], 60) == entry
    assert solver_set.measured(entry, ["brute"], 60).upper_by == CHECKED


def test_an_index_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "index.csv"
    solver_set.write_index(reversed(INDEX.values()), path)
    assert path.read_text("utf-8") == solver_set.INDEX.read_text("utf-8")


def test_a_program_that_says_otherwise_is_named(tmp_path: Path) -> None:
    entry = INDEX["unrelated-6-1"]
    solver_set.write([entry], ["opb"], tmp_path)
    other = Foreign("other", "opb", [], "", "")
    for says, proven, wrong in [
        (entry.upper, 1, []),
        (None, 0, []),
        (entry.upper + 1, 1, [f"{entry.name}: {entry.upper + 1}, not {entry.upper}"]),
    ]:
        (found,) = foreign_solvers.compared(
            tmp_path, 1, find=lambda *_, says=says: says, programs=[other]
        )
        assert (found.tried, found.proven, found.contradicted) == (1, proven, wrong)


@pytest.mark.parametrize("foreign", foreign_solvers.SOLVERS, ids=lambda one: "-".join(one[:2]))
def test_programs_of_others_agree_where_they_are_installed(
    foreign: Foreign, tmp_path: Path
) -> None:
    if shutil.which(foreign.program) is None:
        pytest.skip(f"{foreign.program} is not installed")
    entry = INDEX["unrelated-8-2"]
    solver_set.write([entry], [foreign.format], tmp_path)
    (found,) = foreign_solvers.compared(tmp_path, 60, programs=[foreign])
    assert (found.tried, found.proven, found.contradicted) == (1, 1, [])


def test_a_program_that_replaces_its_output_file_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As glpsol does, which would put a file in the place of /dev/stdout."""
    program = tmp_path / "replacing"
    program.write_text(
        '#!/bin/sh\nrm -f "$3"\nprintf "Objective: a = 7 (MAXimum)\\n'
        'Status:     INTEGER OPTIMAL\\n" > "$3"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    glpsol = next(one for one in foreign_solvers.SOLVERS if one.program == "glpsol")
    words = ["FILE", "-o", "RESULT"]
    assert (
        foreign_solvers.optimum(glpsol._replace(program="replacing", words=words), program, 60) == 7
    )
    assert not any(
        word.startswith("/dev/") for one in foreign_solvers.SOLVERS for word in one.words
    )
