"""All checkers agree on changed certificates: a sample of the cases of `differential.py`."""

import json
from collections import Counter
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import differential
import pytest
from coq_program import Proven
from differential import Case, Disagreement, cases, compare, judged, proven_verdicts
from nightly import day_share

from exactmatch.certificate import checker, proof_check


def some(count: int, seed: str) -> list[Case]:
    return list(islice(cases(seed), count))


@pytest.mark.slow
def test_the_always_on_check_agrees_and_what_is_accepted_is_true() -> None:
    found = judged(some(day_share(1500), "proven"), None)
    assert found["always-on check: accepts as checker.py"] > day_share(450)
    assert found["always-on check: refuses as checker.py"] > day_share(15)
    assert found["verified: so it is"] > day_share(400)
    assert found["bounded: the best mapping scores"] > day_share(200)
    assert found["refuted: the proof shows a bound of N, not N"] > day_share(30)
    assert found["accepted, and true: with cliques"] > day_share(35)
    assert found["refuted: a mapping may include two sets of a clique"] > 0


@pytest.mark.coq
def test_what_is_proven_agrees(proven: Proven) -> None:
    many = some(day_share(3000), "proven")
    lines = b"\n".join(case.line for case in many).splitlines()
    pairs = [json.dumps(case.pair).encode() for case in many]
    found = list(checker.check_all(map(checker.parse, pairs), lines))
    compare(many, found, *proven_verdicts(proven.program, lines, pairs))
    verdicts = Counter(verdict for _, verdict, _ in found)
    assert verdicts["verified"] > day_share(800) and verdicts["bounded"] > day_share(400)


@pytest.mark.slow
def test_a_checker_that_accepts_what_is_false_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    right = checker._require

    def lax(condition: bool, reason: str) -> None:
        right(condition or reason.startswith("the proof"), reason)

    monkeypatch.setattr(checker, "_require", lax)
    with pytest.raises(Disagreement, match="a mapping scores more or less than is claimed"):
        judged(some(400, "false"), None)


def test_an_always_on_check_that_shows_too_much_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sharper(*given: Any) -> int:
        return proof_check.bound(*given) - 1

    monkeypatch.setattr(differential, "_PLAIN", SimpleNamespace(bound=sharper, Unproven=ValueError))
    with pytest.raises(Disagreement, match="but the always-on check says"):
        judged(some(20, "sharper"), None)


@pytest.mark.parametrize("changed", [0, 1, 2])
def test_a_program_that_finds_anything_else_is_found_out(
    monkeypatch: pytest.MonkeyPatch, changed: int
) -> None:
    batch = some(20, "program")
    pairs = [checker.parse(json.dumps(case.pair).encode()) for case in batch]
    found = list(checker.check_all(pairs, [case.line for case in batch]))
    counts = Counter(verdict for _, verdict, _ in found)
    reported = [(name, verdict) for name, verdict, _ in found if verdict != "verified"]
    answer = [reported, "  ".join(f"{v}: {counts[v]}" for v in checker.VERDICTS), 4]
    monkeypatch.setattr(differential, "proven_verdicts", lambda *_: answer)
    judged(batch, Path())
    answer[changed] = [reported[1:], "verified: 20", 0][changed]
    with pytest.raises(Disagreement):
        judged(batch, Path())
