"""DRSs in SBN, of LastDance500/Parallel-Meaning-Bank-5, scored exactly.

    python reevaluation/pmb5.py CLONE --output FOLDER [--program PYTHON]

The repository (no licence file) has the output of three parsers for the test parts of PMB 5.1.0 in
four languages, and the gold standard. Its README had scores in May 2024. PYTHON is that of an
environment with networkx and penman, in which the repository's own scorer runs.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from digests import checked
from rescoring import TRACES, Workshop
from result_tables import Cell, Table, write_tables
from study_arguments import study_parser

import exactmatch

#: The table of README.md in commit 3cb504e, by language and parser: mean F1 and ill-formed texts,
#: in percent.
PUBLISHED = {
    ("en", "mt5"): (88.8, 2.8),
    ("en", "byt5"): (91.4, 2.1),
    ("en", "mbart"): (89.1, 2.3),
    ("nl", "mt5"): (86.7, 1.9),
    ("nl", "byt5"): (88.0, 0.7),
    ("nl", "mbart"): (86.1, 1.8),
    ("it", "mt5"): (47.0, 16.0),
    ("it", "byt5"): (79.8, 5.0),
    ("it", "mbart"): (64.5, 3.4),
    ("de", "mt5"): (82.0, 2.8),
    ("de", "byt5"): (87.2, 0.7),
    ("de", "mbart"): (86.2, 1.8),
}

#: The objective of the scorer, and the one that it has as it stands; see docs/counting.md.
PROFILES = ("pmb-5", "pmb-5-tabs")

_SCORER = "src/evalution/parsing_smatch/sbn"

#: Runs the scorer from one seed: it seeds anew, by the clock, at each start.
_SEEDED = """
import random, runpy, sys
random.seed(0)
random.seed = lambda *words: None
sys.argv = sys.argv[1:]
sys.path.insert(0, "")
runpy.run_path(sys.argv[0], run_name="__main__")
"""
_OUTPUT = re.compile(
    r"results/parsing_pre_train/(?P<language>..)/[a-z]+-(?P<system>[a-z0-9]+)-[^/]+"
    r"/(?P<part>standard|challenge0)\.sbn"
)
_PARTS = {"standard": "standard", "challenge0": "long"}


class Output(NamedTuple):
    """A file of texts that a system has made for a part of a language."""

    path: str
    language: str
    part: str
    system: str

    @property
    def gold(self) -> str:
        """The path of the gold standard."""
        return f"data/pmb-5.1.0/seq2seq/{self.language}/test/{self.part}.sbn"

    @property
    def published(self) -> tuple[float, float] | None:
        """The F1 and the share of ill-formed texts that were published, in percent."""
        standard = self.part == "standard"
        return PUBLISHED.get((self.language, self.system)) if standard else None


def outputs(paths: Sequence[str]) -> Iterator[Output]:
    """Yield those of *paths* that hold the output of a system."""
    for path in paths:
        if found := _OUTPUT.fullmatch(path):
            yield Output(path, found["language"], _PARTS[found["part"]], found["system"])


class Scored(NamedTuple):
    """The scores of two files by the repository's scorer.

    pairs: F1 by the number of the pair, from 0, without ill-formed pairs.
    """

    mean: float
    ill_formed: float
    pairs: dict[int, float]


def scored(printed: str) -> Scored:
    """Read the output of the scorer."""
    pairs = {int(k): float(f1) for k, f1 in re.findall(r"^(\d+):([\d.e-]+)$", printed, re.M)}
    mean, ill_formed = (
        float(re.findall(rf"^{what}: ([\d.e-]+)$", printed, re.M)[-1])
        for what in ("average f1 smatch score", "ill-formed")
    )
    return Scored(mean, ill_formed, pairs)


def scorer(python: Path, folder: Path, gold: Path, system: Path, kept: Path) -> Scored:
    """Return the scores by the scorer in *folder*; *kept* has its output, not computed again."""
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        words = [python, "-W", "ignore", "-c", _SEEDED, "sbn_smatch.py", "-s1", gold, "-s2", system]
        done = subprocess.run(
            list(map(str, words)), check=True, capture_output=True, text=True, cwd=folder,
            env={**os.environ, "PYTHONHASHSEED": "0"},
        )  # fmt: skip
        kept.write_text(done.stdout, "utf-8")
    return scored(kept.read_text("utf-8"))


def main() -> None:
    """Write the tables."""
    parser = study_parser(__doc__, "clone")
    parser.add_argument("--program", type=Path)
    asked = parser.parse_args()
    clone = asked.clone.resolve()
    found = sorted(outputs(checked(clone, "pmb5")), key=lambda output: output[1:])
    workshop = Workshop(folder=asked.output / "pmb5", workers=asked.workers)
    metrics = {name: exactmatch.metric("smatch", profile=name) for name in PROFILES}
    rows: list[list[Cell]] = []
    proofs: list[list[Cell]] = []
    search: list[list[Cell]] = []
    for output in found:
        name = f"{output.language}.{output.part}.{output.system}"
        system, gold = clone / output.path, clone / output.gold
        runs = {
            profile: workshop.rescore(f"{name}.{profile}", system, gold, metric)
            for profile, metric in metrics.items()
        }
        plain = runs["pmb-5"]
        said = None
        if asked.program:
            kept = workshop.folder.resolve() / "programs" / f"{name}.txt"
            said = scorer(asked.program, clone / _SCORER, gold, system, kept)
            search.append([name, *held_against(said, [row.f1 for row in runs["pmb-5-tabs"].rows])])
        f1, ill_formed = map(str, output.published) if output.published else (None, None)
        rows.append([
            output.language, output.part, output.system, len(plain.rows), f1,
            *(f"{100 * run.macro_f1:.2f}" for run in runs.values()),
            f"{100 * said.mean:.2f}" if said else None, ill_formed,
            f"{100 * said.ill_formed:.1f}" if said else None,
        ])  # fmt: skip
        proofs += [
            [name, profile, len(run.rows), run.f1, run.proven, run.certified, *run.traces]
            for profile, run in runs.items()
        ]  # fmt: skip
    tables = [
        Table("scores", "Mean F1 in percent", ["language", "part", "system", "texts", "published",
              *(f"exact: {profile}" for profile in PROFILES), "program", "ill-formed, published",
              "ill-formed, program"], rows),
        Table("files", "Exact scores",
              ["file", "profile", "pairs", "F1", "proven", "certified", *TRACES], proofs),
        Table("search", "The program's F1 of each pair, beside that of pmb-5-tabs",
              ["file", "pairs", "same", "below", "above", "F1 lost"], search),
    ]  # fmt: skip
    write_tables(asked.output, "pmb5", tables)


def held_against(said: Scored, exact: Sequence[float]) -> tuple[int, int, int, int, float]:
    """Return the pairs with equal, lower and higher F1, and the F1 that lower ones lose."""
    gaps = [exact[k] - f1 for k, f1 in said.pairs.items()]
    below = [gap for gap in gaps if gap > _SAME]
    above = sum(gap < -_SAME for gap in gaps)
    return len(gaps), len(gaps) - len(below) - above, len(below), above, sum(below)


#: Scores that differ by less are the same, computed in another order.
_SAME = 1e-9


if __name__ == "__main__":
    main()
