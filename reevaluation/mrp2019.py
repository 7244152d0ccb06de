"""Graphs of MRP 2019, of ufal/mrptask and cfmrp/mtool, scored exactly.

    python reevaluation/mrp2019.py MRPTASK MTOOL --output FOLDER [--program PYTHON]

MTOOL (LGPL) has the gold standard of one of the test sets, 100 sentences of The Little Prince, and
what a parser of EDS made of them; MRPTASK (no licence file) has what the parsers of AMR and UCCA of
the team ÚFAL-Oslo made. No score of this set is with either. PYTHON is that of an environment with
numpy, in which mtool, the scorer of the task, runs.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from digests import checked
from rescoring import TRACES, Workshop
from result_tables import Cell, Table, write_tables
from study_arguments import study_parser

import exactmatch

#: The clone and the path of what a parser made, by framework.
SYSTEMS = {
    "amr": ("mrptask", "test.parsed.amr.mrp"),
    "eds": ("mtool", "data/score/eds/lpps.peking.mrp"),
    "ucca": ("mrptask", "test.parsed.ucca.mrp"),
}
_GOLD = "data/score/lpps.mrp"
#: Of which mtool has not come to an end in minutes.
_SLOW = ("ucca",)
PROFILES = ("mtool", "paper")

#: Runs mtool with a name that numpy has dropped, and from one seed: it seeds anew, by the clock, at
#: each start.
_MTOOL = """
import random, runpy, sys
import numpy
numpy.int = int
random.seed(0)
random.seed = lambda *words: None
sys.argv = sys.argv[1:]
sys.path.insert(0, "")
runpy.run_path("main.py", run_name="__main__")
"""


def graphs(text: str, framework: str, wanted: list[str] | None = None) -> dict[str, str]:
    """Return the lines of the graphs of a *framework*, by identifier; only those *wanted*."""
    found = {}
    for line in text.splitlines():
        graph = json.loads(line)
        if graph["framework"] == framework and (wanted is None or graph["id"] in wanted):
            found[graph["id"]] = line
    return {name: found[name] for name in wanted or found}


def mtool(python: Path, clone: Path, system: Path, gold: Path, kept: Path) -> dict[str, int]:
    """Return mtool's counts: of the gold standard, of the system, and of their matches.

    *kept* is the file of its output, which is not computed again.
    """
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        words = [python, "-W", "ignore", "-c", _MTOOL, "main.py", "--read", "mrp", "--score", "mrp",
                 "--gold", gold.resolve(), system.resolve()]  # fmt: skip
        done = subprocess.run(
            list(map(str, words)), check=True, capture_output=True, text=True, cwd=clone,
            env={"PYTHONHASHSEED": "0"},
        )  # fmt: skip
        kept.write_text(done.stdout, "utf-8")
    counts: dict[str, int] = json.loads(kept.read_text("utf-8"))["all"]
    return counts


def main() -> None:
    """Write the tables."""
    parser = study_parser(__doc__, "mrptask", "mtool")
    parser.add_argument("--program", type=Path)
    asked = parser.parse_args()
    clones = {"mrptask": asked.mrptask, "mtool": asked.mtool}
    for name, clone in clones.items():
        checked(clone, name)
    workshop = Workshop(folder=asked.output / "mrp2019", workers=asked.workers)
    rows: list[list[Cell]] = []
    for framework, (name, path) in SYSTEMS.items():
        gold = graphs((asked.mtool / _GOLD).read_text("utf-8"), framework)
        system = graphs((clones[name] / path).read_text("utf-8"), framework, [*gold])
        files = [
            workshop.written(f"{framework}.{side}.mrp", "".join(f"{g}\n" for g in one.values()))
            for side, one in (("system", system), ("gold", gold))
        ]
        for profile in PROFILES:
            metric = exactmatch.metric("mrp", profile=profile)
            run = workshop.rescore(f"{framework}.{profile}", files[0], files[1], metric)
            matched, of_system, of_gold = (sum(row[k] for row in run.rows) for k in (0, 2, 3))
            said = None
            if asked.program and profile == "mtool" and framework not in _SLOW:
                kept = workshop.folder / "programs" / f"{framework}.json"
                counts = mtool(asked.program, asked.mtool, files[0], files[1], kept)
                said = f"{counts['c']} of {counts['s']} and {counts['g']}"
            rows.append([
                framework, profile, len(run.rows), f"{matched} of {of_system} and {of_gold}", said,
                run.f1, run.proven, run.certified, *run.traces,
            ])  # fmt: skip
    columns = [
        "framework",
        "profile",
        "pairs",
        "exact",
        "mtool",
        "F1",
        "proven",
        "certified",
        *TRACES,
    ]
    table = Table("files", "100 sentences of MRP 2019", columns, rows)
    write_tables(asked.output, "mrp2019", [table])


if __name__ == "__main__":
    main()
