"""Draw the figures of reevaluation/RESULTS.md from the results of the studies.

    python reevaluation/figures.py FOLDER

FOLDER is where the studies have written their results (--output). Pictures go to FOLDER/figures,
and the numbers in them to FOLDER/figures.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import compositional_drs
import numpy as np
from correlations import Estimate
from digests import listed
from program_counts import Claim, read_claims
from rank_changes import ranks
from rescoring import PairRow, Rescored, load
from result_tables import Cell, Table, write_tables

from exactmatch.report.document import Chart, Plot, Scatter, Series
from exactmatch.report.plots import write_plots

#: The least number of variables of each class of graphs; the last one has no end.
SIZES = (1, 6, 11, 16, 21, 31, 41, 61)
#: A class of fewer pairs is not drawn: its share would say little.
_FEWEST = 50
_RESAMPLES = 9999
#: From this number of variables on, graphs of a ten are taken together.
_LARGE = 40

#: The runs of each kind of graphs. Of several objectives on the same pairs, that of the program
#: that the field uses.
KINDS = {
    "AMR": (
        "bamboo/runs/*.smatch-1.0.4.json",
        "amr_parse_eval/runs/smatch-1.0.4.json",
        "amr_outputs/runs/*.smatch-1.0.4.json",
    ),
    "DRS, clauses": ("neural_drs/runs/*.json",),
    "DRS, graphs": (
        "compositional_drs/runs/*.json",
        "pmb5/runs/*.pmb-5.json",
        "sbn_evaluation_tool/runs/*.json",
    ),
    "UMR": ("ufal_umr/runs/*.json", "umr_conversions/runs/*.json"),
    "MRP": ("mrp2019/runs/*.mtool.json",),
    "Chinese AMR": ("chinese_amr/runs/*.json",),
}

#: What smatch 1.0.4 has counted of AMRs, and the run that it belongs to.
_SMATCH = {
    "bamboo/programs/*.smatch.jsonl": "bamboo/runs/{}.smatch-1.0.4.json",
    "amr_parse_eval/programs/smatch.smatch.jsonl": "amr_parse_eval/runs/{}-1.0.4.json",
    "amr_outputs/programs/*.jsonl": "amr_outputs/runs/{}.smatch-1.0.4.json",
}
#: The parts of Neural_DRS of which scores of single runs were published.
_LOGGED = (
    ("pmb-2.2.0", "dev"),
    ("pmb-2.2.0", "test"),
    ("pmb-3.0.0", "dev"),
    ("pmb-3.0.0", "test"),
)

#: Of each pair, its row and a value.
_Found = Sequence[tuple[PairRow, float]]


def kept_runs(folder: Path, patterns: Sequence[str]) -> Iterator[Rescored]:
    """Yield the runs that are kept under these names."""
    for pattern in patterns:
        for kept in sorted(folder.glob(pattern)):
            yield load(kept)


def size_class(variables: int) -> int:
    """Return the least number of variables of the class that a graph is in."""
    return max((least for least in SIZES if least <= variables), default=SIZES[0])


def by_size(found: _Found) -> dict[int, list[float]]:
    """Return the values of the pairs in each size class that has enough pairs."""
    classes: dict[int, list[float]] = {}
    for row, value in found:
        classes.setdefault(size_class(row.variables), []).append(value)
    return {least: classes[least] for least in sorted(classes) if len(classes[least]) >= _FEWEST}


def class_names() -> list[str]:
    """Return the names of the size classes."""
    ends = [str(least - 1) for least in SIZES[1:]]
    return [*(f"{a} to {b}" for a, b in zip(SIZES, ends, strict=False)), f"{SIZES[-1]} or more"]


def share(values: Sequence[float]) -> Estimate:
    """Return how often something is true, in percent, with its interval of a bootstrap.

    A resample of so many 0 and 1 has a binomial number of 1.
    """
    pairs, found = len(values), sum(values) / len(values)
    drawn = np.random.default_rng(0).binomial(pairs, found, _RESAMPLES) / pairs
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Estimate(100 * found, 100 * float(low), 100 * float(high))


def share_series(label: str, found: _Found) -> Series:
    """Return how often something is true of pairs by their size, in percent, with intervals."""
    names = dict(zip(SIZES, class_names(), strict=True))
    shares = {names[least]: share(values) for least, values in by_size(found).items()}
    return Series(
        label,
        list(shares),
        [one.value for one in shares.values()],
        [(one.low, one.high) for one in shares.values()],
    )


def searched_pairs(runs: Iterator[Rescored]) -> list[PairRow]:
    """Return the pairs whose system graph has variables; what cannot be read has none."""
    return [row for run in runs for row in run.rows if row.variables]


def climbing_errors(rows: Sequence[PairRow]) -> _Found:
    """Return of each pair whether hill climbing loses anything."""
    return [(row, float(row.climbed < row.matched)) for row in rows]


def held_against(claims: Sequence[Claim | None], rows: Sequence[PairRow]) -> _Found:
    """Return of each pair whether a program loses anything, where it counts as many triples."""
    return [
        (row, float(claim.matched < row.matched))
        for claim, row in zip(claims, rows, strict=True)
        if claim and claim[1:] == (row.system_total, row.gold_total)
    ]


def amr_errors(folder: Path) -> _Found:
    """Return of each pair of AMRs whether smatch 1.0.4 loses anything."""
    found: list[tuple[PairRow, float]] = []
    for claims, kept in _SMATCH.items():
        for path in sorted(folder.glob(claims)):
            name = path.name.removesuffix(".jsonl").removesuffix(".smatch")
            found += held_against(read_claims(path), load(folder / kept.format(name)).rows)
    return found


def drs_graph_errors(folder: Path) -> _Found:
    """Return the same of the pairs of DRSs as graphs that it was run on."""
    paths = listed(Path(__file__).parent / "digests" / "compositional_drs.sha256")
    found: list[tuple[PairRow, float]] = []
    for output in compositional_drs.outputs([*paths]):
        name = output.name.replace(" ", "_")
        claims = folder / "compositional_drs" / "programs" / f"{name}.jsonl"
        if claims.exists():
            run = load(folder / "compositional_drs" / "runs" / f"{name}.json")
            size = compositional_drs.sample_size(output, compositional_drs.SAMPLE)
            drawn = compositional_drs.drawn_pairs(run, size, seed=output.path)
            found += held_against(read_claims(claims), [run.rows[k] for k in drawn])
    return found


def all_errors(folder: Path) -> dict[str, _Found]:
    """Return of each pair whether a search loses anything, by the search and the graphs."""
    return {
        "smatch 1.0.4, AMR": amr_errors(folder),
        "smatch 1.0.4, DRS, graphs": drs_graph_errors(folder),
        **{
            f"s+4r, {kind}": climbing_errors(searched_pairs(kept_runs(folder, patterns)))
            for kind, patterns in KINDS.items()
        },
    }


def errors_by_size(key: str, errors: Mapping[str, _Found]) -> Plot:
    """Return the plot of search error by the size of graphs."""
    return Chart(
        key,
        "Pairs with a search error, by size",
        "variables of the system's graph",
        "percent of pairs",
        [share_series(label, found) for label, found in errors.items()],
        categories=class_names(),
    )


def errors_table(errors: Mapping[str, _Found]) -> Table:
    """Return the shares that are drawn, and those of all pairs."""
    rows: list[list[Cell]] = []
    for label, found in errors.items():
        if not found:
            continue
        names = dict(zip(SIZES, class_names(), strict=True))
        classes = {names[least]: values for least, values in by_size(found).items()}
        for name, values in {**classes, "all": [value for _, value in found]}.items():
            one = share(values)
            cells = (f"{one.value:.2f}", f"{one.low:.2f}", f"{one.high:.2f}")
            rows.append([label, name, len(values), *cells])
    columns = ["search, graphs", "variables", "pairs", "percent", "from", "to"]
    return Table("errors", "Pairs with a search error", columns, rows)


def slopes(
    key: str, title: str, y_title: str, scores: Mapping[str, tuple[float, float]], ranked: bool
) -> Plot:
    """Return the slopes from published to exact scores; *ranked* names have both ranks."""
    before = ranks({name: published for name, (published, _) in scores.items()})
    after = ranks({name: exact for name, (_, exact) in scores.items()})
    return Chart(
        key,
        title,
        "",
        y_title,
        [
            Series(
                f"{name}: {before[name]}, {after[name]}" if ranked else name,
                ["published", "exact"],
                scores[name],
            )
            for name in sorted(scores, key=before.__getitem__)
        ],
        categories=("published", "exact"),
    )


def rows_of(folder: Path, study: str, key: str) -> list[dict[str, str]]:
    """Return the rows of a table of a study."""
    rows: list[dict[str, str]] = json.loads((folder / f"{study}.json").read_text("utf-8"))[key]
    return rows


def drs_slopes(folder: Path) -> Iterator[Plot]:
    """Yield the slopes of the runs of each part; of means, where only these were published."""
    rows = rows_of(folder, "neural_drs", "runs")
    for release, part in _LOGGED:
        logged = {
            row["run"]: (float(row["published"]), float(row["exact"]))
            for row in rows
            if (row["release"], row["part"]) == (release, part) and row["published"] is not None
        }
        title = f"Published and exact F1, {release} {part}"
        yield slopes(f"reevaluation-ranks-{release}-{part}", title, "F1", logged, ranked=True)
    means = {
        row["system"]: (float(row["published"]), float(row["exact"]))
        for row in rows_of(folder, "neural_drs", "means")
        if row["release"] == "pmb-2.1.0"
    }
    title = "Published and exact F1, pmb-2.1.0 dev"
    yield slopes("reevaluation-ranks-pmb-2.1.0-dev", title, "F1, percent", means, ranked=True)


def bamboo_slopes(folder: Path) -> Plot:
    """Return the slopes from published correlations to exact ones by the same objective."""
    scores = {
        f"{row['corpus']}, {row['variant']}": (
            float(row["Smatch, published"]),
            float(row["exact: suite"]),
        )
        for row in rows_of(folder, "bamboo", "overview")
        if row["variant"] != "role_confusion"
    }
    title = "Smatch of BAMBOO, published and exact"
    return slopes("reevaluation-bamboo", title, "Pearson's r, percent", scores, ranked=False)


def umr_slopes(folder: Path) -> Plot:
    """Return the slopes of UMRs, where as many values or triples were counted."""
    scores = {
        f"{row['files'].capitalize()}, Smatch": (
            100 * float(row["published"]),
            100 * float(row["exact"]),
        )
        for row in rows_of(folder, "ufal_umr", "files")
    }
    for row in rows_of(folder, "umr_conversions", "files"):
        published, exact = (row[f"values, {of}"].split(" of ")[1] for of in ("published", "exact"))
        if published == exact:
            scores[row["files"]] = (float(row["published"]), float(row["exact"]))
    title = "UMR: published and exact F1"
    return slopes("reevaluation-umr", title, "F1, percent", scores, ranked=False)


def times_by_size(rows: Sequence[PairRow]) -> Plot:
    """Return the plot of the time for a pair by the size of graphs."""
    milliseconds: dict[int, list[float]] = {}
    for row in rows:
        size = row.variables if row.variables < _LARGE else row.variables // 10 * 10
        milliseconds.setdefault(size, []).append(1000 * row.seconds)
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


def times_table(rows: Sequence[PairRow]) -> Table:
    """Return how many pairs are proven, and how fast, by the size of graphs."""
    names = class_names()
    classes: dict[str, list[PairRow]] = {name: [] for name in names}
    for row in rows:
        classes[names[SIZES.index(size_class(row.variables))]].append(row)
    cells: list[list[Cell]] = []
    for name, own in {**classes, "all": rows}.items():
        seconds = [1000 * row.seconds for row in own]
        proven = sum(row.matched == row.upper for row in own)
        times = [f"{np.quantile(seconds, q):.1f}" for q in (0.5, 0.95, 1.0)] if own else [None] * 3
        cells.append([name, len(own), proven, *times])
    columns = ["variables", "pairs", "proven", "median", "95 percent", "slowest"]
    return Table("times", "Time for a pair, in milliseconds", columns, cells)


def main() -> None:
    """Write the pictures, and the numbers in them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    errors = all_errors(folder)
    programs = {label: found for label, found in errors.items() if label.startswith("smatch")}
    climbing = {label: found for label, found in errors.items() if label not in programs}
    rows = searched_pairs(kept_runs(folder, ("*/runs/*.json",)))
    plots = [
        errors_by_size("reevaluation-sizes", climbing),
        errors_by_size("reevaluation-sizes-smatch", programs),
        *drs_slopes(folder),
        bamboo_slopes(folder),
        umr_slopes(folder),
        times_by_size(rows),
    ]
    write_plots(plots, folder / "figures")
    write_tables(folder, "figures", [errors_table(errors), times_table(rows)])


if __name__ == "__main__":
    main()
