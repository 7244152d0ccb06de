"""AMRs of parsers, and of a converter, against those of annotators, from four repositories.

    python reevaluation/amr_outputs.py NORMAN AMR_WORLD MTOOL WISER --output FOLDER
        [--smatch SITE_PACKAGES]

Of clones of goodmami/norman (MIT): what three parsers made of The Little Prince; the gold standard
is in flipz357/AMR-World (no licence file). Of cfmrp/mtool (LGPL): what a parser made of the test
set of AMR 2.0, and the gold standard as that parser has it. Of emorynlp/wiser (Apache 2.0): 1,000
sentences of dialogues in WISeR, by annotators, and converted from their AMRs. No repository has a
score of these files. SITE_PACKAGES is where smatch 1.0.4 is installed.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from digests import checked
from program_counts import compared, compared_columns, smatch_program
from rescoring import TRACES, Workshop
from result_tables import Cell, Table, write_tables
from study_arguments import study_parser

import exactmatch

_LITTLE_PRINCE = ("amr_world", "data/reference_amrs/amr-bank-struct-v1.6-training.txt")
PROFILES = ("smatch-1.0.4", "default")


class Files(NamedTuple):
    """Two files of graphs, each by the clone and the path in it."""

    name: str
    system: tuple[str, str]
    gold: tuple[str, str]


FILES = (
    *(
        Files(
            f"Little Prince, {parser}",
            ("norman", f"sys/amr-bank-struct-v1.6-training.{parser}.txt"),
            _LITTLE_PRINCE,
        )
        for parser in ("amr-eager", "camr", "jamr")
    ),
    Files(
        "AMR 2.0 test, coli",
        ("mtool", "data/score/amr/coli.system.amr"),
        ("mtool", "data/score/amr/coli.gold.amr"),
    ),
    Files(
        "WISeR, converted",
        ("wiser", "wiser-dialogue/wiser_dialogue_corpus_converted.penman"),
        ("wiser", "wiser-dialogue/wiser_dialogue_corpus.penman"),
    ),
)


def without_comments(text: str) -> str:
    """Return graphs without comments: two files of the same sentences call them differently."""
    return "".join(f"{line}\n" for line in text.splitlines() if not line.startswith("#"))


def main() -> None:
    """Write the tables."""
    names = ("norman", "amr_world", "mtool", "wiser")
    parser = study_parser(__doc__, *names)
    parser.add_argument("--smatch", type=Path)
    asked = parser.parse_args()
    clones: dict[str, Path] = {name: getattr(asked, name) for name in names}
    for name, clone in clones.items():
        checked(clone, name)
    workshop = Workshop(folder=asked.output / "amr_outputs", workers=asked.workers)
    rows: list[list[Cell]] = []
    search: list[list[Cell]] = []
    for files in FILES:
        called = files.name.replace(", ", ".").replace(" ", "_")
        system, gold = (
            workshop.written(
                f"{called}.{side}.amr", without_comments((clones[name] / path).read_text("utf-8"))
            )
            for side, (name, path) in (("system", files.system), ("gold", files.gold))
        )
        for profile in PROFILES:
            metric = exactmatch.metric("smatch", profile=profile)
            run = workshop.rescore(f"{called}.{profile}", system, gold, metric)
            print(f"{run.name}: {run.f1:.4f}", flush=True)
            rows.append([files.name, profile, len(run.rows), run.f1, run.proven, run.certified,
                         run.emptied, *run.traces])  # fmt: skip
            if asked.smatch and profile == "smatch-1.0.4":
                kept = workshop.folder / "programs" / f"{called}.jsonl"
                claims = smatch_program(asked.smatch, system, gold, kept)
                search.append([files.name, *compared(claims, run.rows)])
    columns = ["files", "profile", "pairs", "exact", "proven", "certified", "emptied", *TRACES]
    tables = [
        Table("files", "Exact scores", columns, rows),
        Table("program", "smatch 1.0.4 on the same files",
              ["files", *compared_columns()], search),
    ]  # fmt: skip
    write_tables(asked.output, "amr_outputs", tables)


if __name__ == "__main__":
    main()
