"""Check the certificates of all studies in a folder.

    python reevaluation/verify_runs.py FOLDER

FOLDER is where the studies have written their results (--output). Each certificate is checked
against the graphs that it is about, by exactmatch's checker. The status is 4 if any is refuted.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from digests import sha256
from rescoring import load
from result_tables import Cell, Table, write_tables

import exactmatch


def verified(kept: Path) -> exactmatch.Verification:
    """Check the certificates of a run. Raises `SystemExit` if the file is not the one written."""
    run = load(kept)
    proofs = kept.with_suffix(".certificates.jsonl")
    if sha256(proofs) != run.certificates:
        sys.exit(f"{proofs} has changed")
    words = run.words
    return exactmatch.verify(
        proofs,
        Path(run.system),
        Path(run.gold),
        on_error="empty",
        synonyms=words.get("synonyms"),
        similarity=words.get("similarity"),
        lengths=words.get("lengths"),
        sense_factor=words.get("sense_factor", "0.5"),
    )


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    rows: list[list[Cell]] = []
    totals = [0] * 5
    spent = 0.0
    for study in sorted(path.parent for path in asked.folder.glob("*/runs")):
        start = time.perf_counter()
        counts = [0] * 5
        for kept in sorted((study / "runs").glob("*.json")):
            found = verified(kept)
            numbers = (1, *found.counts.values())
            counts = [one + other for one, other in zip(counts, numbers, strict=True)]
            print(f"{kept.stem}: {found}", flush=True)
        seconds = time.perf_counter() - start
        rows.append([study.name, *counts, seconds])
        totals = [one + other for one, other in zip(totals, counts, strict=True)]
        spent += seconds
    columns = ["study", "files", "verified", "bounded", "refuted", "unproven", "seconds"]
    table = Table("verified", "Certificates", columns, [*rows, ["all", *totals, spent]])
    write_tables(asked.folder, "verified", [table])
    sys.exit(4 if totals[3] else 0)


if __name__ == "__main__":
    main()
