"""The checker in Coq: its theorem, and the same verdicts as checker.py."""

import json
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from certificate_samples import CERTIFICATE, PAIR, TRIANGLE, TRIANGLE_CERTIFICATE, TRIANGLE_PROOF
from coq_program import Proven
from differential import compare, proven_verdicts
from random_certificates import sample

import exactmatch
from exactmatch.certificate import coq_program
from exactmatch.certificate.checker import check_all

HARD = Path(__file__).resolve().parents[2] / "instances" / "hard"

pytestmark = pytest.mark.coq


def same(proven: Proven, pairs: list[Any], certificates: list[Any]) -> Counter[str]:
    """Compare the verdicts of both checkers, and return how many there are of each."""
    lines = [json.dumps(each).encode() for each in certificates]
    expected = list(check_all(pairs, lines))
    answer = proven_verdicts(proven.program, lines, [json.dumps(pair).encode() for pair in pairs])
    compare([], expected, *answer)
    return Counter(verdict for _, verdict, _ in expected)


def test_nothing_is_assumed(proven: Proven) -> None:
    assert proven.printed.split("\n")[-2:] == ["Closed under the global context", ""]
    assert proven.printed.count("Axioms") == 0


def test_coq_says_of_an_example_what_the_checker_says(proven: Proven) -> None:
    assert same(proven, [PAIR], [CERTIFICATE]) == {"verified": 1}
    assert same(proven, [PAIR], [{**CERTIFICATE, "upper": 4}]) == {"bounded": 1}
    assert same(proven, [PAIR], [{**CERTIFICATE, "value": 4, "upper": 4}]) == {"refuted": 1}
    assert same(proven, [PAIR], [{**CERTIFICATE, "proof": "none"}]) == {"unproven": 1}
    assert same(proven, [PAIR], []) == {"unproven": 1}
    assert same(proven, [PAIR], [{**CERTIFICATE, "id": "q"}]) == {"unproven": 1, "refuted": 1}


def test_coq_says_of_random_certificates_what_the_checker_says(proven: Proven) -> None:
    rng = random.Random("coq")
    pairs, certificates = map(list, zip(*(sample(rng) for _ in range(300)), strict=True))
    counts = same(proven, pairs, certificates)
    assert counts["verified"] > 50 and counts["bounded"] > 50 and not counts["refuted"]


@pytest.mark.parametrize("name", ["loops", "small"])
def test_certificates_of_hard_pairs_are_verified(proven: Proven, tmp_path: Path, name: str) -> None:
    system, gold = (HARD / f"{name}.{side}.amr" for side in ("system", "gold"))
    certificates = tmp_path / "certificates"
    exactmatch.score(system, gold, certificates=certificates, breakdown=True)
    pairs = exactmatch.export(system, gold, to="triples", breakdown=True)
    lines = certificates.read_bytes().splitlines()
    told, last, status = proven_verdicts(proven.program, lines, pairs.encode().splitlines())
    assert (told, status) == ([], 0) and last.startswith("verified: ")


def test_a_long_proof_takes_all_the_stack_there_is(
    proven: Proven, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The usual 8 MiB, which most systems let programs raise, hold half of this."""
    monkeypatch.setenv("PATH", str(proven.program.parent))
    cliques = [*TRIANGLE_PROOF["cliques"], *([[0, [[[0, 0]]]]] * 200_000)]
    long = {**TRIANGLE_CERTIFICATE, "proof": {**TRIANGLE_PROOF, "cliques": cliques}}
    found = coq_program.check_all([TRIANGLE], [json.dumps(long).encode()])
    assert found == [("", "verified", "")]


def test_verify_asks_the_proven_program(
    proven: Proven, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, gold = (HARD / f"small.{side}.amr" for side in ("system", "gold"))
    certificates = tmp_path / "certificates"
    exactmatch.score(system, gold, certificates=certificates)
    folder = os.pathsep.join([str(proven.program.parent), os.environ["PATH"]])
    monkeypatch.setenv("PATH", folder)
    found = exactmatch.verify(certificates, system, gold, checker="coq")
    assert (found.verified, found.total, found.checker) == (10, 10, "coq")
    text = certificates.read_text(encoding="utf-8")
    certificates.write_text(text.replace('"value":', '"value":1', 1), encoding="utf-8")
    found = exactmatch.verify(certificates, system, gold, checker="coq")
    assert (found.verified, found.refuted) == (9, 1)
