"""Draw the figures of docs/reevaluation.md from the results of the studies.

    python reevaluation/figures.py FOLDER

FOLDER is where the studies have written their results (--output). Pictures go to FOLDER/figures.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from correlations import Estimate, mean
from program_counts import read_claims
from rank_changes import ranks
from rescoring import PairRow, Rescored, load

from exactmatch.report.document import Chart, Plot, Scatter, Series
from exactmatch.report.plots import write_plots

#: The least number of variables of each class of graphs; the last one has no end.
SIZES = (1, 6, 11, 16, 21, 31, 41)
#: A class of fewer pairs is not drawn: its share would say little.
_FEWEST = 50

#: Runs of which the objective is Smatch's as smatch 1.0.4 has it.
_SMATCH = ("bamboo/runs/*.smatch-1.0.4.json", "amr_parse_eval/runs/smatch-1.0.4.json")
_DRS = ("neural_drs/runs/*.json",)


def kept_runs(folder: Path, patterns: Sequence[str]) -> Iterator[Rescored]:
    """Yield the runs that are kept under these names."""
    for pattern in patterns:
        for kept in sorted(folder.glob(pattern)):
            yield load(kept)


def size_class(variables: int) -> int:
    """Return the least number of variables of the class that a graph is in."""
    return max((least for least in SIZES if least <= variables), default=SIZES[0])


def by_size(found: Sequence[tuple[PairRow, float]]) -> dict[int, list[float]]:
    """Return the values of the pairs in each size class that has enough pairs."""
    classes: dict[int, list[float]] = {}
    for row, value in found:
        classes.setdefault(size_class(row.variables), []).append(value)
    return {least: classes[least] for least in sorted(classes) if len(classes[least]) >= _FEWEST}


def class_names() -> list[str]:
    """Return the names of the size classes."""
    ends = [str(least - 1) for least in SIZES[1:]]
    return [*(f"{a} to {b}" for a, b in zip(SIZES, ends, strict=False)), f"{SIZES[-1]} or more"]


def share_series(label: str, found: Sequence[tuple[PairRow, float]]) -> Series:
    """Return how often something is true of pairs by their size, in percent, with intervals."""
    names = dict(zip(SIZES, class_names(), strict=True))
    shares: dict[str, Estimate] = {
        names[least]: mean(100 * np.array(values)) for least, values in by_size(found).items()
    }
    return Series(
        label,
        list(shares),
        [share.value for share in shares.values()],
        [(share.low, share.high) for share in shares.values()],
    )


def climbing_errors(runs: Iterator[Rescored]) -> list[tuple[PairRow, float]]:
    """Return of each pair whether hill climbing loses anything."""
    return [(row, float(row.climbed < row.matched)) for run in runs for row in run.rows]


def program_errors(folder: Path, patterns: Mapping[str, str]) -> list[tuple[PairRow, float]]:
    """Return of each pair whether a program loses anything, where it counts as many triples."""
    found = []
    for claims, kept in patterns.items():
        for path in sorted(folder.glob(claims)):
            run = load(folder / kept.format(path.name.removesuffix("".join(path.suffixes[-2:]))))
            for claim, row in zip(read_claims(path), run.rows, strict=True):
                if claim and claim[1:] == (row.system_total, row.gold_total):
                    found.append((row, float(claim.matched < row.matched)))
    return found


def errors_by_size(folder: Path) -> Plot:
    """Return the plot of search error by the size of graphs."""
    programs = {
        "bamboo/programs/*.smatch.jsonl": "bamboo/runs/{}.smatch-1.0.4.json",
        "amr_parse_eval/programs/*.smatch.jsonl": "amr_parse_eval/runs/{}-1.0.4.json",
    }
    return Chart(
        "reevaluation-sizes",
        "Pairs with a search error, by size",
        "variables of the system's graph",
        "percent of pairs",
        [
            share_series("smatch 1.0.4, AMR", program_errors(folder, programs)),
            share_series("s+4r, AMR", climbing_errors(kept_runs(folder, _SMATCH))),
            share_series("s+4r, DRS", climbing_errors(kept_runs(folder, _DRS))),
        ],
        categories=class_names(),
    )


def published_and_exact(folder: Path, release: str, part: str) -> Plot:
    """Return the slopes from published to exact scores of the runs of a part, with ranks."""
    rows = json.loads((folder / "neural_drs.json").read_text("utf-8"))["runs"]
    logged = {
        row["run"]: (row["published"], row["exact"])
        for row in rows
        if (row["release"], row["part"]) == (release, part) and row["published"] is not None
    }
    before = ranks({run: published for run, (published, _) in logged.items()})
    after = ranks({run: exact for run, (_, exact) in logged.items()})
    return Chart(
        f"reevaluation-ranks-{release}-{part}",
        f"Published and exact F1, {release} {part}",
        "",
        "F1",
        [
            Series(f"{run}: {before[run]}, {after[run]}", ["published", "exact"], logged[run])
            for run in sorted(logged, key=before.__getitem__)
        ],
        categories=("published", "exact"),
    )


def times_by_size(folder: Path) -> Plot:
    """Return the plot of the time for a pair by the size of graphs."""
    rows = [row for run in kept_runs(folder, ("*/runs/*.json",)) for row in run.rows]
    milliseconds: dict[int, list[float]] = {}
    for row in rows:
        milliseconds.setdefault(row.variables, []).append(1000 * row.seconds)
    sizes = [size for size in sorted(milliseconds) if len(milliseconds[size]) >= _FEWEST]
    quantiles = {"median": 0.5, "95 % of pairs within": 0.95, "slowest": 1.0}
    proven = sum(row.matched == row.upper for row in rows)
    return Scatter(
        "reevaluation-times",
        f"Time for a pair; proven: {proven:,} of {len(rows):,}",
        "variables of the system's graph",
        "milliseconds",
        [
            Series(name, sizes, [float(np.quantile(milliseconds[size], q)) for size in sizes])
            for name, q in quantiles.items()
        ],
    )


def main() -> None:
    """Write the pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args()
    plots = [
        errors_by_size(asked.folder),
        published_and_exact(asked.folder, "pmb-2.2.0", "dev"),
        times_by_size(asked.folder),
    ]
    write_plots(plots, asked.folder / "figures")


if __name__ == "__main__":
    main()
