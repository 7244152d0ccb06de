"""Compare all checkers on changed certificates; none may accept a false one.

    python tests/differential.py COUNT [SEED] [--coq PROGRAM | --no-coq] [--node] [--browser]

The judges are `checker.py`, the program extracted from Coq (built anew, unless PROGRAM is given),
`checker.js` in Node.js and in a browser on request, and, for proofs, the always-on check, compiled
and interpreted. Prints the number of each verdict with its reason. Ends with status 1 if two judges
disagree. `test_checkers_agree.py` and `test_checker_js.py` judge some cases.

The checkers get the same bytes, and all of their findings are compared. The always-on check knows
no mappings, scores or counts, so its bound of every proof is compared with that of `checker.bound`
(`proof_nodes` lists the cases that it cannot express). Every accepted case is compared with all
mappings, counted from the definition.
"""

import argparse
import copy
import json
import random
import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from changed_certificates import change, change_pair, damaged, fit, mutate
from chromium import window
from coq_program import build
from javascript_checker import Judge, JudgedInBrowser, judged_by_node
from oracles import certified_pairs as oracle
from proof_nodes import NoNode, term_arrays, told
from random_certificates import sample

from exactmatch.certificate import checker, proof_check
from exactmatch.certificate.checker import (
    MALFORMED,
    VERDICTS,
    check_all,
    digest,
    has_cliques,
    parse,
)
from exactmatch.problem.interpreted import interpreted

_PLAIN = interpreted("exactmatch.certificate.proof_check")
#: So many certificates are given to the program at a time.
_BATCH = 2000
#: Reasons that tell what was computed, if all is a number.
COMPUTED = re.compile(
    r"the proof shows a bound of -?\d+, not -?\d+|the mapping scores -?\d+, not -?\d+ up to"
    r" -?\d+|the best mapping scores between -?\d+ and -?\d+: gap -?\d+"
)

Findings = list[tuple[str, str]]


class Disagreement(AssertionError):  # noqa: N818
    """Two checkers disagree, or one accepts a false certificate; the message has the case."""


class Case(NamedTuple):
    """A pair, and a line that may be a certificate of it; whether the pair is intact."""

    pair: Any
    line: bytes
    is_sound: bool = True


def cases(seed: str) -> Iterator[Case]:
    """Yield changed certificates without end, twenty of each random pair or a changed one."""
    rng = random.Random(seed)
    number = 0
    while True:
        pair, certificate = sample(rng)
        for k in range(20):
            if k == 10:
                change_pair(rng, pair)
                fit(rng, pair, certificate)
            name = {"id": f"é{number}"}
            yield changed(rng, {**copy.deepcopy(pair), **name}, {**certificate, **name})
            number += 1


def changed(rng: random.Random, pair: Any, certificate: Any) -> Case:
    """Return *pair* and a changed *certificate* of it; some pairs are changed, too."""
    certificate = copy.deepcopy(certificate)
    is_sound = True
    kind = rng.random()
    if kind < 0.7:
        change(rng, pair, certificate)
    elif kind < 0.85:
        for _ in range(rng.choice([1, 1, 2])):
            mutate(rng, certificate)
    elif kind < 0.9:
        change_pair(rng, pair)
        if rng.random() < 0.5:
            certificate["digest"] = digest(pair)
    elif kind < 0.95:
        mutate(rng, {"": pair[rng.choice(["test", "gold"])]})
        certificate["digest"] = digest(pair)
        is_sound = False
    line = json.dumps(certificate, ensure_ascii=rng.random() < 0.5).encode(errors="surrogatepass")
    return Case(pair, damaged(rng, line) if rng.random() < 0.05 else line, is_sound)


def judged(
    batch: Sequence[Case], program: Path | None, others: Sequence[Judge] = ()
) -> Counter[str]:
    """Return the number of each verdict with its reason; raise `Disagreement`.

    Without *program*, the program from Coq is no judge. *others* are judges in JavaScript.
    """
    lines = b"\n".join(case.line for case in batch).splitlines()
    pairs = [json.dumps(case.pair).encode() for case in batch]
    found = list(check_all(map(parse, pairs), lines))
    if program:
        compare(batch, found, *proven_verdicts(program, lines, pairs))
    for judge in others:
        compare_reasons(batch, found, judge(lines, pairs))
    reasons = Counter(f"{verdict}: {_general(verdict, why)}" for _, verdict, why in found)
    accepted = {name for name, verdict, _ in found if verdict in ("verified", "bounded")}
    for case in batch:
        reasons[f"always-on check: {_always_on(case)}"] += 1
        if case.is_sound and case.pair["id"] in accepted:
            _see_true(case)
            reasons["accepted, and true: with cliques"] += has_cliques(parse(case.line)["proof"])
    return reasons


def proven_verdicts(
    program: Path, lines: Iterable[bytes], pairs: Iterable[bytes]
) -> tuple[Findings, str, int]:
    """Return the findings of *program* except for verified ones, its last line, and its status."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("certificates", "pairs")]
        for file, content in zip(files, (lines, pairs), strict=True):
            file.write_bytes(b"".join(line + b"\n" for line in content))
        run = subprocess.run([program, *files], capture_output=True, text=True, check=False)
    if run.stderr:
        raise Disagreement(run.stderr)
    *told, last = run.stdout.splitlines()
    name = json.JSONDecoder().raw_decode  # of the text that a line goes on with
    found = [line.split(" ", 1) for line in told]
    return [(name(rest)[0], verdict) for verdict, rest in found], last, run.returncode


def compare(
    batch: Sequence[Case],
    expected: Sequence[tuple[str, str, str]],
    found: Findings,
    last: str,
    status: int,
) -> None:
    """Raise `Disagreement` unless the findings of the program equal those of `checker.py`."""
    counts = Counter(verdict for _, verdict, _ in expected)
    reported = [(name, verdict) for name, verdict, _ in expected if verdict != "verified"]
    if reported != found:
        raise _disagreement(batch, expected, {name for name, _ in {*reported} ^ {*found}})
    if last != "  ".join(f"{v}: {counts[v]}" for v in VERDICTS):
        raise Disagreement(f"{counts}, but what is proven says {last}")
    if status != (4 if counts["refuted"] else 0):
        raise Disagreement(f"the status is {status}")


def compare_reasons(
    batch: Sequence[Case],
    expected: Sequence[tuple[str, str, str]],
    found: Sequence[tuple[str, str, str]],
) -> None:
    """Raise `Disagreement` unless both list the same unverified cases, with equal numbers.

    Each checker may choose one of several reasons, and its words. If both name a computed number,
    these numbers must be equal.
    """
    mine = [one for one in expected if one[1] != "verified"]
    if [one[:2] for one in mine] != [one[:2] for one in found]:
        names = {name for name, _ in {one[:2] for one in mine} ^ {one[:2] for one in found}}
        raise _disagreement(batch, expected, names)
    both = zip(mine, found, strict=True)
    told = [(a[0], a[2], b[2]) for a, b in both if all(map(COMPUTED.fullmatch, (a[2], b[2])))]
    names = {name for name, one, other in told if one != other}
    if names:
        raise _disagreement(batch, expected, names)


def _disagreement(
    batch: Sequence[Case], expected: Sequence[tuple[str, str, str]], names: set[str]
) -> Disagreement:
    """Return the error to raise if another checker differs on the cases of these *names*."""
    differing = [one for one in expected if one[0] in names]
    seen = [case for case in batch if case.pair["id"] in names]
    return Disagreement(f"not so another checker: {differing[:3]}: {seen[:3]}")


def _general(verdict: str, why: str) -> str:
    """Return a reason without the details of its case."""
    if verdict == "verified":
        return "so it is"
    kind = re.match(r"malformed: (\w+Error)|the mapping scores|the best mapping scores", why)
    return re.sub(r"-?\d+", "N", kind[0] if kind else why)


def _always_on(case: Case) -> str:
    """Compare the bound of a proof by `checker` and by the always-on check; return the outcome."""
    try:
        known, proof = checker.terms(case.pair), parse(case.line)["proof"]
        if "counts" in proof or not isinstance(proof, dict):
            return "no tree of nodes"
    except MALFORMED:
        return "no proof"
    sizes = (len(case.pair["test"]["variables"]), len(case.pair["gold"]["variables"]))
    try:
        shown = checker.bound(known, proof)
    except MALFORMED:
        shown = None
    try:
        node, whole = told(known, sizes, proof)
    except NoNode:
        return f"cannot be told what checker.py {_kind(shown)}"
    for check in (proof_check, _PLAIN):
        bound = _bound(check, (*sizes, term_arrays(known)), node)
        if not (bound == shown if whole else _is_no_worse(bound, shown)):
            raise Disagreement(f"a bound of {shown}, but the always-on check says {bound}: {case}")
    return f"{_kind(shown)} as checker.py" if whole else f"told less, checker.py {_kind(shown)}"


def _kind(shown: int | None) -> str:
    return "refuses" if shown is None else "accepts"


def _is_no_worse(bound: int | None, than: int | None) -> bool:
    return than is None or (bound is not None and bound <= than)


def _bound(check: Any, problem: tuple[Any, ...], node: Any) -> int | None:
    """Return the bound that *check* proves, called as in `exactmatch.solving`, or None."""
    try:
        return int(check.bound(*problem, node))
    except OverflowError:
        return _bound(_PLAIN, problem, node)
    except check.Unproven:
        return None


def _see_true(case: Case) -> None:
    """Raise `Disagreement` if something is false that an accepted certificate claims."""
    certificate = parse(case.line)
    mapping, value = tuple(certificate["mapping"]), certificate["value"]
    scores = _scores(json.dumps({**case.pair, "id": ""}))
    if mapping not in scores:
        raise Disagreement(f"no mapping: {case}")
    if not scores[mapping] == value <= max(scores.values()) <= certificate["upper"]:
        raise Disagreement(f"a mapping scores more or less than is claimed: {case}")


@lru_cache(maxsize=1)  # the cases of one pair come one after the other
def _scores(pair: str) -> dict[tuple[int | None, ...], int]:
    """Return the score of every mapping of a *pair* in JSON."""
    read = json.loads(pair)
    score_of = oracle.scorer(read)
    return {tuple(one): score_of(one) for one in oracle.mappings(read)}


def main(count: int, seed: str, program: Path | None, others: Sequence[Judge]) -> Counter[str]:
    """Judge *count* changed certificates; return how many were judged how and why."""
    found: Counter[str] = Counter()
    waiting = islice(cases(seed), count)
    while batch := list(islice(waiting, _BATCH)):
        found += judged(batch, program, others)
    return found


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", nargs="?", default="differential")
    coq = parser.add_mutually_exclusive_group()
    coq.add_argument("--coq", type=Path, metavar="PROGRAM")
    coq.add_argument("--no-coq", action="store_true")
    parser.add_argument("--node", action="store_true")
    parser.add_argument("--browser", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    asked = _asked()
    with ExitStack() as opened:
        place = asked.coq
        if not (place or asked.no_coq):
            place = build(Path(opened.enter_context(tempfile.TemporaryDirectory()))).program
        judges: list[Judge] = [judged_by_node] if asked.node else []
        if asked.browser:
            judges.append(JudgedInBrowser(opened.enter_context(window())))
        results = main(asked.count, asked.seed, place, judges)
    for kind, times in sorted(results.items()):
        print(f"{times:9}  {kind}")
