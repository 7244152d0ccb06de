"""Compare the counts of other programs with the exact counts, pair by pair."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rescoring import PairRow

#: Runs a program whose random choices come from a seed.
_SEEDED = """
import random, runpy, sys
random.seed(0)
sys.argv = sys.argv[1:]
sys.path.insert(0, "")
runpy.run_path(sys.argv[0], run_name="__main__")
"""
_SMATCH_PROGRAM = Path(__file__).with_name("run_smatch_program.py")


class Claim(NamedTuple):
    """The counts of a program for a pair, in triples or clauses."""

    matched: int
    system_total: int
    gold_total: int

    @property
    def f1(self) -> float:
        """The F1 of the pair, 0 for two empty graphs."""
        total = self.system_total + self.gold_total
        return 2 * self.matched / total if total else 0.0


class Comparison(NamedTuple):
    """The number of pairs with equal counts, and of those where a program finds less.

    failed: the program has no score. other_totals: it counts other triples, so the scores are not
    comparable. impossible: more than the proven upper bound. lost: triples below the exact count.
    """

    pairs: int
    failed: int
    other_totals: int
    impossible: int
    same: int
    below: int
    lost: int


def compared_columns(unit: str = "triples") -> list[str]:
    """Return names for the numbers of a `Comparison`, which counts what is lost in *unit*."""
    names = ["pairs", "failed", "other totals", "impossible", "same", "below"]
    return [*names, f"{unit} lost"]


def compared(claims: Sequence[Claim | None], rows: Sequence[PairRow], scale: int = 1) -> Comparison:
    """Hold the *claims* of a program against exact counts, in which a triple is *scale*."""
    failed = other = impossible = same = below = lost = 0
    for claim, row in zip(claims, rows, strict=True):
        if claim is None:
            failed += 1
        elif [scale * claim.system_total, scale * claim.gold_total] != [
            row.system_total,
            row.gold_total,
        ]:
            other += 1
        elif scale * claim.matched > row.upper:
            impossible += 1
        elif scale * claim.matched < row.matched:
            below += 1
            lost += row.matched // scale - claim.matched
        else:
            same += 1
    return Comparison(len(rows), failed, other, impossible, same, below, lost)


def smatch_program(folder: Path, system: Path, gold: Path, output: Path) -> list[Claim | None]:
    """Return the counts of the smatch.py in *folder* for the pairs of two files.

    *output* keeps them; pairs that it has are not counted again.
    """
    if not output.exists():
        output.parent.mkdir(parents=True, exist_ok=True)
        part = output.with_suffix(".part")
        words = (_SMATCH_PROGRAM, folder, system, gold, part)
        subprocess.run([sys.executable, *map(str, words)], check=True, env=_same_hashes())
        part.replace(output)
    return read_claims(output)


def _same_hashes() -> dict[str, str]:
    """Return an environment in which sets of strings always have the same order.

    If a program goes through such sets, a seed alone does not make its runs equal.
    """
    return {**os.environ, "PYTHONHASHSEED": "0"}


def read_claims(output: Path) -> list[Claim | None]:
    """Return the counts in the output of a smatch program; None for pairs on which it failed."""
    with output.open(encoding="utf-8") as lines:
        return [_claim(json.loads(line)) for line in lines]


def counter_program(
    python: Path, folder: Path, pairs: Sequence[tuple[str, str]], output: Path
) -> list[Claim | None]:
    """Return the counts of the counter.py in *folder* for *pairs* of DRSs in clause form.

    *python* is that of an environment with the packages that Counter imports: numpy, psutil and
    PyYAML. Ill-formed DRSs are scored as well. Its random choices come from a seed. *output* keeps
    its results; pairs that it has are not counted again.
    """
    if not output.exists():
        output.parent.mkdir(parents=True, exist_ok=True)
        part = output.with_suffix(".part")
        files = [output.with_suffix(f".{side}.clf") for side in ("system", "gold")]
        for k, file in enumerate(files):
            file.write_text("".join(f"{pair[k]}\n\n" for pair in pairs), "utf-8")
        words = ["-f1", files[0], "-f2", files[1], "-ms_file", part, "-al", "-ill", "score"]
        words += ["-g", folder / "clf_signature.yaml"]
        command = [python, "-c", _SEEDED, folder / "counter.py", *words]
        subprocess.run(
            list(map(str, command)),
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=folder,
            env=_same_hashes(),
        )
        part.replace(output)
    lines = output.read_text("utf-8").splitlines()
    return [Claim(*map(int, line.split())) for line in lines]


def _claim(record: dict[str, int]) -> Claim | None:
    if "error" in record:
        return None
    return Claim(record["matched"], record["system_triples"], record["gold_triples"])
