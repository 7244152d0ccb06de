"""UMRs of ufal/UMR, with published output of smatch, scored exactly.

    python reevaluation/ufal_umr.py UMR --output FOLDER

UMR is a clone of the repository (no licence file). It has the output of smatch 1.0.4 (with -v) for
graphs converted from other treebanks, compared with graphs by annotators, in English and Czech. The
graphs are read from that output, since the files beside it have changed later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from digests import checked
from program_counts import Claim, compared, compared_columns
from rescoring import TRACES, Workshop
from result_tables import Cell, Table, write_tables
from study_arguments import study_parser

import exactmatch

#: What smatch printed of two files.
LOGS = {
    "english": "data/english/comparison_1-5-smatch.txt",
    "czech": "data/czech/PDT-C-dtest/evaluation/evaluation-dtest-smatch.txt",
}

_GRAPH = re.compile(r"AMR ([12]) \(one-line\): (.*)")
_TRIPLES = re.compile(r"(?:Instance|Attribute|Relation) triples of AMR ([12]): (\d+)")
_MATCHED = re.compile(r"best match number (\d+)")


def printed(text: str) -> Iterator[Claim]:
    """Yield smatch's output (with -v) for each pair."""
    totals = {"1": 0, "2": 0}
    for line in text.splitlines():
        if found := _TRIPLES.match(line):
            totals[found[1]] += int(found[2])
        elif found := _MATCHED.match(line):
            yield Claim(int(found[1]), totals["1"], totals["2"])
            totals = {"1": 0, "2": 0}


def graphs(text: str, side: str) -> str:
    """Return the graphs of a *side* ("1" or "2") that smatch printed, as PENMAN.

    smatch joins lines without a space between them, takes any colon outside quotes for the
    beginning of a role, and ignores everything after the last parenthesis.
    """
    lines = [found[2] for found in _GRAPH.finditer(text) if found[1] == side]
    return "\n\n".join(map(_spaced, lines)) + "\n"


def _spaced(line: str) -> str:
    """Return a graph with a space before each role."""
    parts = line[: line.rindex(")") + 1].split('"')
    return '"'.join(part if k % 2 else part.replace(":", " :") for k, part in enumerate(parts))


def main() -> None:
    """Write the tables."""
    asked = study_parser(__doc__, "umr").parse_args()
    checked(asked.umr, "ufal_umr")
    metric = exactmatch.metric("smatch", profile="smatch-1.0.4")
    workshop = Workshop(folder=asked.output / "ufal_umr", workers=asked.workers)
    rows: list[list[Cell]] = []
    for name, path in LOGS.items():
        text = (asked.umr / path).read_text("utf-8")
        files = [workshop.written(f"{name}.{side}.amr", graphs(text, side)) for side in "12"]
        run = workshop.rescore(name, files[0], files[1], metric)
        counts = compared(list(printed(text)), run.rows)
        score = re.findall(r"F-score: ([\d.]+)", text)[-1]
        rows.append([name, score, run.f1, *counts, run.proven, run.certified, *run.traces])
    columns = ["files", "published", "exact", *compared_columns(), "proven", "certified", *TRACES]
    table = Table("files", "What smatch printed, and exact scores", columns, rows)
    write_tables(asked.output, "ufal_umr", [table])


if __name__ == "__main__":
    main()
