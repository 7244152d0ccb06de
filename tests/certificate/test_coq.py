"""The checker that is proven in Coq: what is proven, and the verdicts of checker.py."""

import json
import random
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from certificate_samples import CERTIFICATE, PAIR
from coq_program import build
from random_certificates import sample

import exactmatch
from exactmatch.certificate.checker import check_all

HARD = Path(__file__).resolve().parents[2] / "instances" / "hard"

pytestmark = pytest.mark.coq


class Proven:
    """The program, and what Coq prints while it is proven."""

    def __init__(self, folder: Path) -> None:
        self.printed = build(folder)
        self._program = folder / "exactmatch-coqcheck"
        self._files = folder / "certificates", folder / "pairs"

    def run(self, certificates: str, pairs: str) -> tuple[dict[str, str], str, int]:
        """Return the verdicts that are not "verified", the last line, and the exit status."""
        for file, text in zip(self._files, (certificates, pairs), strict=True):
            file.write_text(text, encoding="utf-8")
        words = [self._program, *self._files]
        run = subprocess.run(words, capture_output=True, text=True, check=False)
        assert run.stderr == ""
        *lines, last = run.stdout.splitlines()
        told = [line.split(" ", 1) for line in lines]
        name = json.JSONDecoder().raw_decode  # of the text that a line goes on with
        return {name(rest)[0]: verdict for verdict, rest in told}, last, run.returncode


@pytest.fixture(scope="module")
def proven(tmp_path_factory: pytest.TempPathFactory) -> Proven:
    return Proven(tmp_path_factory.mktemp("coq"))


def lines(objects: list[Any]) -> str:
    return "".join(f"{json.dumps(each)}\n" for each in objects)


def same(proven: Proven, pairs: list[Any], certificates: list[Any]) -> Counter[str]:
    """Compare the verdicts of both checkers; the identifiers differ."""
    encoded = [json.dumps(each).encode() for each in certificates]
    expected = {name: verdict for name, verdict, _ in check_all(pairs, encoded)}
    found, last, status = proven.run(lines(certificates), lines(pairs))
    assert {name: v for name, v in expected.items() if v != "verified"} == found
    counts = Counter(expected.values())
    verdicts = ("verified", "bounded", "refuted", "unproven")
    assert last == "  ".join(f"{v}: {counts[v]}" for v in verdicts)
    assert status == (4 if counts["refuted"] else 0)
    return counts


def test_nothing_is_assumed(proven: Proven) -> None:
    assert proven.printed.split("\n")[-2:] == ["Closed under the global context", ""]
    assert proven.printed.count("Axioms") == 0


def test_an_example(proven: Proven) -> None:
    assert same(proven, [PAIR], [CERTIFICATE]) == {"verified": 1}
    assert same(proven, [PAIR], [{**CERTIFICATE, "upper": 4}]) == {"bounded": 1}
    assert same(proven, [PAIR], [{**CERTIFICATE, "value": 4, "upper": 4}]) == {"refuted": 1}
    assert same(proven, [PAIR], [{**CERTIFICATE, "proof": "none"}]) == {"unproven": 1}
    assert same(proven, [PAIR], []) == {"unproven": 1}
    assert same(proven, [PAIR], [{**CERTIFICATE, "id": "q"}]) == {"unproven": 1, "refuted": 1}


def test_random_certificates(proven: Proven) -> None:
    rng = random.Random("coq")
    pairs, certificates = map(list, zip(*(sample(rng) for _ in range(300)), strict=True))
    counts = same(proven, pairs, certificates)
    assert counts["verified"] > 50 and counts["bounded"] > 50 and not counts["refuted"]


@pytest.mark.parametrize("name", ["loops", "small"])
def test_certificates_of_hard_pairs(proven: Proven, tmp_path: Path, name: str) -> None:
    system, gold = (HARD / f"{name}.{side}.amr" for side in ("system", "gold"))
    certificates = tmp_path / "certificates"
    exactmatch.score(system, gold, certificates=certificates, breakdown=True)
    pairs = exactmatch.export(system, gold, to="triples", breakdown=True)
    told, last, status = proven.run(certificates.read_text(encoding="utf-8"), pairs)
    assert (told, status) == ({}, 0) and last.startswith("verified: ")
