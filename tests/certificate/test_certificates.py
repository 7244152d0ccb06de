"""Certificates as they are written, and how the command line verifies them."""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import generate
import pytest
from click.testing import CliRunner
from missing_prover import without_relaxations
from nightly import by_day
from samples import WEAK, compared, random_graph, random_problem

import exactmatch
from exactmatch.certificate import checker
from exactmatch.cli import main
from exactmatch.metrics.registry import metric_labelled
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.triples import (
    Duplicates,
    NormalisedGraph,
    NormalisedTriple,
    Similar,
)
from exactmatch.scoring.build import build_problem
from exactmatch.scoring.comparison import pair_as_json
from exactmatch.scoring.match_values import MatchValues
from exactmatch.solving.certificates import certificate_json, proof_json
from exactmatch.solving.dual.branch_and_bound import prove
from exactmatch.solving.dual.layout import Relaxation
from exactmatch.solving.names import AUTO, DUAL
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import solve
from exactmatch.stopping.deadline import Deadline

TEST = "# ::id one\n(a / and :op1 (b / bird) :op2 (c / cat :mod (o / old)))\n"
SIMILAR: Similar = {(("a1",), ("b1",)): 3, (("b2",), ("a2",)): 7}
GOLD = "# ::id one\n(x / and :op1 (y / cat :mod (z / old)) :op2 (w / bird))\n"


def run(*arguments: object) -> Any:
    return CliRunner().invoke(main, [str(a) for a in arguments])


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 12 pairs of graphs, their certificates, and the pairs for the checker."""
    folder = tmp_path_factory.mktemp("certified")
    rng = random.Random("certificates")
    for name in ("system", "gold"):
        blocks = [f"# ::id g{k}\n{random_graph(rng, 6)[0]}\n" for k in range(11)]
        hard = generate.family("unrelated", 6, seed=1)[name == "gold"]
        text = "\n".join([*blocks, f"# ::id hard\n{hard}\n"])
        (folder / f"{name}.amr").write_text(text, encoding="utf-8")
    inputs = (folder / "system.amr", folder / "gold.amr")
    assert run("score", *inputs, "--certificates", folder / "c.jsonl").exit_code == 0
    assert run("export", *inputs, "--to", "triples", "-o", folder / "p.jsonl").exit_code == 0
    return folder


@pytest.fixture
def files(certified: Path, tmp_path: Path) -> Path:
    """A copy of that folder, which a test may change."""
    return shutil.copytree(certified, tmp_path, dirs_exist_ok=True)


def verify(folder: Path, *options: str) -> Any:
    names = ("c.jsonl", "system.amr", "gold.amr")
    return run("verify", *(folder / name for name in names), *options)


def script(folder: Path) -> "subprocess.CompletedProcess[str]":
    names = (folder / "c.jsonl", folder / "p.jsonl")
    command = [sys.executable, "-I", "-S", checker.__file__, *map(str, names)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def change(folder: Path, edit: Callable[[dict[str, Any]], object], line: int = -1) -> None:
    path = folder / "c.jsonl"
    certificates = [json.loads(text) for text in path.read_text().splitlines()]
    edit(certificates[line])
    path.write_text("".join(json.dumps(c) + "\n" for c in certificates))


def test_what_is_written_is_verified(files: Path) -> None:
    counted, signature = verify(files).output.splitlines()
    assert counted == "verified: 12  bounded: 0  refuted: 0  unproven: 0"
    assert signature.startswith("smatch|profile:default.2|top:constant|")
    content = json.loads(verify(files, "--format", "json").output)
    assert content["verified"] == 12
    assert (content["metric"], content["profile"]) == ("smatch", "default.2")
    assert content["signature"] == signature
    done = script(files)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{counted}\n", "")


def test_a_metric_or_profile_can_be_insisted_on(files: Path) -> None:
    assert verify(files, "--metric", "smatch", "--profile", "default").exit_code == 0
    other = verify(files, "--metric", "s2match")
    assert other.exit_code == 1
    assert "these certificates are of the metric smatch, not of s2match" in other.output
    other = verify(files, "--profile", "smatch-1.0.4")
    assert other.exit_code == 1
    assert "these certificates are not of the profile smatch-1.0.4: smatch|profile:default.2|" in (
        other.output
    )
    assert verify(files, "--profile", "counter-2021").exit_code == 2


def test_all_can_be_required(files: Path) -> None:
    assert verify(files, "--require-all").exit_code == 0
    change(files, lambda c: c.update(upper=c["upper"] + 2))
    bounded = verify(files, "--require-all")
    assert bounded.exit_code == 3
    assert "error: 1 of 12 pairs not verified" in bounded.output


def test_an_interval_is_bounded(files: Path) -> None:
    change(files, lambda c: c.update(upper=c["upper"] + 2))
    result = verify(files)
    assert result.exit_code == 0
    reason, counted, _ = result.output.splitlines()
    assert reason.startswith("bounded 'hard': 'the best mapping scores between ")
    assert reason.endswith(": gap 2'")
    assert counted == "verified: 11  bounded: 1  refuted: 0  unproven: 0"
    assert json.loads(verify(files, "--format", "json").output)["bounded"] == 1
    assert script(files).stdout == f"{reason}\n{counted}\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "edit, reason",
    by_day(
        [
            (lambda c: c.update(value=c["value"] + 1), "the mapping scores"),
            (lambda c: c.update(upper=c["upper"] - 1), "the mapping scores"),
            (lambda c: c["mapping"].__setitem__(0, c["mapping"][1]), "not one-to-one"),
            (lambda c: c["mapping"].__setitem__(0, 99), "of other variables"),
            (lambda c: c.update(proof={"denominator": 1}), "the proof shows a bound of"),
            (lambda c: c.update(proof={"denominator": -1}), "a price is negative"),
            (lambda c: c.pop("value"), "malformed"),
            (lambda c: c.update(schema=3), "of another schema"),
            (lambda c: c.update(digest=c["digest"][:-1]), "about another pair"),
            # Of these kinds, further ones.
            (lambda c: c.update(value=c["value"] - 1, upper=c["upper"] - 1), "the mapping scores"),
            (lambda c: c["mapping"].reverse(), "the mapping scores"),
            (
                lambda c: c.update(proof={"denominator": 2, "prices": {"0": -1}}),
                "a price is negative",
            ),
            (lambda c: c.update(proof={"denominator": 2.5}), "malformed"),
            (lambda c: c.update(proof=[]), "malformed"),
            (lambda c: c.update(profile="custom"), "about another pair"),
        ],
        9,
    ),
)
def test_what_is_not_so_is_refuted(
    files: Path, edit: Callable[[dict[str, Any]], object], reason: str
) -> None:
    change(files, edit)
    result = verify(files)
    assert result.exit_code == 4
    assert "refuted 'hard': " in result.stdout and reason in result.stdout
    assert "verified: 11  bounded: 0  refuted: 1  unproven: 0" in result.stdout
    assert script(files).returncode == 4


def test_a_graph_edited_by_one_triple_is_refuted(files: Path) -> None:
    path = files / "gold.amr"
    text = path.read_text()
    at = text.rindex("ARG0")
    path.write_text(f"{text[:at]}ARG7{text[at + 4 :]}")
    result = verify(files)
    assert result.exit_code == 4 and "'hard': 'it is about another pair" in result.stdout


def test_certificates_go_with_their_pairs(files: Path) -> None:
    lines = (files / "c.jsonl").read_text().splitlines()
    swapped = lines[0].replace('"g0"', '"g1"'), lines[1].replace('"g1"', '"g0"')
    (files / "c.jsonl").write_text("\n".join([*swapped, *lines[2:-1], "{nonsense"]))
    result = verify(files)
    assert result.exit_code == 4
    assert "refuted 'certificate 12': \"malformed" in result.stdout
    assert "unproven 'hard': " in result.stdout
    assert "verified: 9  bounded: 0  refuted: 3  unproven: 1" in result.stdout
    (files / "c.jsonl").write_text("\n".join([*lines, lines[0]]))
    assert "refuted 'g0': 'there is no such pair, or it had one'" in verify(files).stdout
    (files / "c.jsonl").write_text("")
    assert (verify(files).exit_code, verify(files).stdout) == (1, "")


def test_identifiers_may_be_anything_in_the_output(files: Path) -> None:
    change(files, lambda c: c.update(id="verified: 99\n\u2028é\x1b[31m"))
    assert script(files).stdout.isascii() and "\x1b" not in script(files).stdout
    assert len(script(files).stdout.splitlines()) == 3


def test_the_word_of_a_solver_is_not_in_the_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    without_relaxations(monkeypatch)
    comparison = compared(*generate.family("unrelated", 6, seed=1))
    content = comparison.as_json("x")
    uppers = set()
    for solver, used in ((AUTO, "maxsat"), (DUAL, DUAL)):
        found = solve(comparison.problem, SolverSettings(solver=solver, certify=True, budgets=WEAK))
        assert (found.solver, found.is_optimal) == (used, solver == AUTO)
        written = certificate_json(content, found.proof, mapping=found.mapping, lower=found.lower)
        assert checker.check(content, written) == "bounded"
        assert written["value"] == found.lower < written["upper"]
        assert found.is_optimal or written["upper"] == found.upper
        uppers.add(written["upper"])
    assert len(uppers) == 1


def test_no_certificate_is_written_that_the_checker_refutes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weak = {"denominator": 1, "prices": {"0": 99}}
    monkeypatch.setattr("exactmatch.solving.certificates.proof_json", lambda *_: weak)
    with pytest.raises(exactmatch.VerificationError, match="refuted: the proof shows"):
        exactmatch.score(TEST, GOLD, certificates=True)


def test_what_a_solver_by_name_finds_is_checked() -> None:
    for solver in ("cpsat", "brute"):
        best = exactmatch.best_mapping(TEST, GOLD, certificates=True, solver=solver)
        assert best.certificate is not None and '"proof":{' in best.certificate


@pytest.mark.slow
def test_proofs_of_random_problems_hold_and_are_small() -> None:
    rng = random.Random("proofs")
    sizes, branches = [], 0
    for _ in range(1500):
        problem = random_problem(rng)
        proof = prove(problem, Deadline())
        written = json.loads(json.dumps(proof_json(proof)))
        found = [(term.weight, term.pairs) for term in problem.terms]
        assert checker.bound(found, written) == proof.lower
        sizes.append(len(json.dumps(written)))
        branches += "pair" in written
    assert sorted(sizes)[len(sizes) // 2] < 60
    assert branches > 0


def test_shares_are_written_only_where_equal_ones_prove_less() -> None:
    rng = random.Random("shares")
    unequal = 0
    for _ in range(1500):
        problem = random_problem(rng)
        proof = prove(problem, Deadline())
        written = proof_json(proof)
        if "shares" in written:
            scale = written["denominator"]
            dual = Relaxation(problem).dual(scale)
            dual.divide_equally()
            assert dual.evaluate() // scale > proof.upper
            unequal += 1
    assert unequal > 20


def test_hard_pairs_are_certified() -> None:
    for family in ("unlabelled", "unrelated", "parallel"):
        for seed in range(4):
            system, gold = generate.family(family, 7, seed=seed)
            best = exactmatch.best_mapping(system, gold, certificates=True)
            assert best.certificate is not None
            assert best.status == "optimal" and '"proof":"none"' not in best.certificate


@pytest.mark.parametrize("duplicates", ["set", "multiset", "product"])
def test_the_checker_makes_the_same_terms(duplicates: Duplicates) -> None:
    rng = random.Random(f"terms {duplicates}")
    for _ in range(200):
        test, gold = _item_graph(rng), _item_graph(rng)
        scale, similar = rng.choice([(1, {}), (10, SIMILAR)])
        values = MatchValues(duplicates, similar, scale)
        problem = build_problem(test, gold, values)
        pair = pair_as_json("x", "y", test, gold, values)
        assert checker.terms(pair) == [(t.weight, t.pairs) for t in problem.terms]


def _item_graph(rng: random.Random) -> NormalisedGraph:
    variables = tuple(f"v{k}" for k in range(rng.randint(1, 4)))
    items = [
        NormalisedTriple((rng.choice("ab") + str(size),), tuple(rng.choices(variables, k=size)))
        for size in (rng.randint(1, 3) for _ in range(rng.randint(0, 9)))
    ]
    return NormalisedGraph(variables, items)


def test_labels_name_profiles_and_their_choices() -> None:
    for profile in (*Smatch.profiles.values(), Smatch().with_choices(top="none")):
        assert metric_labelled(profile.label()).label() == profile.label()
    labels = [p.label() for p in Smatch.profiles.values()]
    assert labels == [
        *("default.2", "paper-2013", "smatch-1.0.4.3", "amr-metric-suite", "opitz-2020"),
        *("cai-2019-weighted", "cai-2019-core", "docsmatch", "pmb-5", "pmb-5-tabs", "ud-boxer"),
        *("smatchpp-1.8-generic", "smatchpp-1.8-amr"),
    ]
    for label in ("", "nonsense", "profile:x|top:here", "profile:x|nothing:none", "a:b:c"):
        with pytest.raises(exactmatch.UsageError):
            metric_labelled(label)
