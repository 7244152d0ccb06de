"""Parses that people preferred, of Heidelberg-NLP/AMRParseEval, scored exactly.

    python reevaluation/amr_parse_eval.py CLONE --output FOLDER [--smatch SITE_PACKAGES]

The repository (no licence file; its README asks for a citation) has 200 sentences of The Little
Prince, each parsed by two systems, and which parse people prefer. The reference graphs of its other
half are not public. SITE_PACKAGES is where smatch 1.0.4 is installed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from correlations import Numbers, mean
from digests import checked
from program_counts import compared, compared_columns, smatch_program
from rescoring import TRACES, Workshop, micro_f1
from result_tables import Cell, Table, write_tables
from study_arguments import study_parser

import exactmatch

#: The profiles, and what takes part in the comparison with the program.
PROFILES = ("smatch-1.0.4", "smatchpp-1.8-generic", "default")


def preferences(clone: Path) -> Numbers:
    """Return which parse of each sentence people prefer: 1 the first, -1 the second, 0 neither."""
    lines = (clone / "qualitylp" / "LABEL.txt").read_text("utf-8").splitlines()[::2]
    return np.array([2 * float(line.split("\t")[0]) - 1 for line in lines])


def agreement(preferred: Numbers, scores: Numbers) -> Numbers:
    """Return 1 or 0 for each sentence with a preferred parse: whether that parse scores more."""
    ahead = (scores[::2] - scores[1::2]) * preferred
    result: Numbers = (ahead[preferred != 0] > 0).astype(float)
    return result


def main() -> None:
    """Write the tables."""
    parser = study_parser(__doc__, "clone")
    parser.add_argument("--smatch", type=Path)
    asked = parser.parse_args()
    checked(asked.clone, "amr_parse_eval")
    workshop = Workshop(folder=asked.output / "amr_parse_eval", workers=asked.workers)
    folder = asked.clone / "qualitylp" / "abparser"
    system, gold = folder / "src.test.amr", folder / "tgt.test.amr"
    preferred = preferences(asked.clone)
    runs = {
        profile: workshop.rescore(
            profile, system, gold, exactmatch.metric("smatch", profile=profile)
        )
        for profile in PROFILES
    }
    scores = {f"exact: {profile}": np.array([row.f1 for row in run.rows])
              for profile, run in runs.items()}  # fmt: skip
    search: list[list[Cell]] = []
    if asked.smatch:
        kept = workshop.folder / "programs" / "smatch.smatch.jsonl"
        claims = smatch_program(asked.smatch, system, gold, kept)
        scores["smatch 1.0.4"] = np.array([claim.f1 if claim else 0.0 for claim in claims])
        search.append(["smatch 1.0.4", *compared(claims, runs["smatch-1.0.4"].rows)])
    rows: list[list[Cell]] = [
        [name, *(f"{100 * n:.1f}" for n in mean(agreement(preferred, found)))]
        for name, found in scores.items()
    ]
    files: list[list[Cell]] = [
        [profile, len(run.rows), micro_f1(run.rows[::2]), micro_f1(run.rows[1::2]), run.proven,
         run.certified, *run.traces]
        for profile, run in runs.items()
    ]  # fmt: skip
    tables = [
        Table("preferences", "How often the preferred parse scores more, in percent",
              ["scored by", "agrees", "from", "to"], rows,
              f"{int((preferred != 0).sum())} sentences of which people prefer a parse; intervals "
              "of 95 % over sentences."),
        Table("files", "Exact scores of the two parsers",
              ["profile", "pairs", "first parser", "second parser", "proven", "certified",
               *TRACES], files),
        Table("search", "What the program finds",
              ["program", *compared_columns()], search),
    ]  # fmt: skip
    write_tables(asked.output, "amr_parse_eval", tables)


if __name__ == "__main__":
    main()
