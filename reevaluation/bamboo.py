"""The pairs with human ratings of flipz357/bamboo-amr-benchmark, scored exactly.

    python reevaluation/bamboo.py BAMBOO --output FOLDER [--suite SUITE] [--smatch SITE_PACKAGES]

BAMBOO is a clone of the repository (no licence file; its README asks for a citation). SUITE is a
clone of flipz357/amr-metric-suite (MIT), whose program gave the published Smatch. SITE_PACKAGES is
where smatch 1.0.4 is installed. A program takes a minute for all pairs.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from correlations import Estimate, Numbers, mean, pearson, pearson_difference, spearman
from digests import checked
from program_counts import Claim, compared, compared_columns, smatch_program
from rescoring import TRACES, Rescored, Workshop, certificates_digest
from result_tables import Cell, Table, write_tables
from study_arguments import study_parser

import exactmatch
from exactmatch.metrics.base import Metric

#: The table of the README of the repository (version 0.2 of 2023-12-07), in percent: Pearson's r,
#: and of role confusion the share of the pairs of pairs that are ordered rightly.
PUBLISHED = {
    "Smatch": {
        "main": {"sts": 58.39, "sick": 59.75, "para": 41.32},
        "reify": {"sts": 58.03, "sick": 61.79, "para": 39.47},
        "syno": {"sts": 56.13, "sick": 57.37, "para": 39.54},
        "role_confusion": {"sts": 89.87, "sick": 98.32, "para": 88.14},
    },
    "SmatchPP": {
        "main": {"sts": 58.54, "sick": 59.75, "para": 41.38},
        "reify": {"sts": 58.35, "sick": 59.75, "para": 41.39},
        "syno": {"sts": 56.28, "sick": 57.37, "para": 39.66},
        "role_confusion": {"sts": 89.87, "sick": 98.32, "para": 88.31},
    },
}

#: The lines of orig.test.txt that are rated, and their column, as evaluate4tasks.py reads them:
#: the first pair of sick and para stands for a header. The last pair of each is that of a line
#: without sentences.
_RATED = {"sts": (0, 1379, 4), "sick": (1, 4928, 3), "para": (1, 1726, 0)}

#: A similarity that no concept has: with it, S2match knows no similar words.
_NO_SIMILARITY = "no-such-word\tno-other-word\t1\n"

SUITE = "program of amr-metric-suite"
SMATCH = "smatch 1.0.4"


class Test(NamedTuple):
    """A test set: pairs of a corpus, in one variant."""

    corpus: str
    variant: str

    @property
    def name(self) -> str:
        """The name of the test."""
        return f"{self.corpus}.{self.variant}"


TESTS = [Test(corpus, variant) for variant in PUBLISHED["Smatch"] for corpus in _RATED]


def ways(folder: Path) -> dict[str, tuple[Metric, dict[str, str]]]:
    """Return the profiles, with the arguments of `exactmatch.verify` for each.

    The program of amr-metric-suite counts as S2match's program does if no two words are similar:
    the root counts with its concept, and only the last of parallel relations counts.
    """
    nothing = folder / "no-similarity.tsv"
    nothing.write_text(_NO_SIMILARITY, "utf-8")
    suite = exactmatch.metric("s2match", profile="program", similarity=nothing, sense_factor="0")
    return {
        "suite": (suite, {"similarity": str(nothing), "sense_factor": "0"}),
        **{
            profile: (exactmatch.metric("smatch", profile=profile), {})
            for profile in ("smatch-1.0.4", "smatchpp-1.8-generic", "default")
        },
    }


def ratings(clone: Path, test: Test) -> Numbers:
    """Return the human ratings of the pairs, or None for role confusion."""
    first, last, column = _RATED[test.corpus]
    lines = (clone / test.corpus / "orig.test.txt").read_text("utf-8").split("\n")[first:last]
    return np.array([float(line.split("\t")[column]) for line in lines])


def measured(clone: Path, test: Test, scores: Numbers) -> Estimate:
    """Return Pearson's r or the accuracy of *scores*, in percent."""
    if test.variant == "role_confusion":
        found = mean(ordered_rightly(scores))
    else:
        first, last, _ = _RATED[test.corpus]
        found = pearson(ratings(clone, test), scores[first:last])
    return Estimate(*(100 * value for value in found))


def ordered_rightly(scores: Numbers) -> Numbers:
    """Return 1 for each two pairs of which the second one, the paraphrase, scores more."""
    return (scores[1::2] > scores[::2]).astype(float)


def main() -> None:
    """Write the tables."""
    parser = study_parser(__doc__, "bamboo")
    parser.add_argument("--suite", type=Path)
    parser.add_argument("--smatch", type=Path)
    asked = parser.parse_args()
    checked(asked.bamboo, "bamboo")
    workshop = Workshop(folder=asked.output / "bamboo", workers=asked.workers)
    workshop.folder.mkdir(parents=True, exist_ok=True)
    runs: dict[tuple[Test, str], Rescored] = {}
    claims: dict[tuple[Test, str], list[Claim | None]] = {}
    counted = ways(workshop.folder)
    for test in TESTS:
        place = asked.bamboo / test.corpus / test.variant
        source, target = place / "src.test.amr", place / "tgt.test.amr"
        for way, (metric, words) in counted.items():
            name = f"{test.name}.{way}"
            runs[test, way] = workshop.rescore(name, source, target, metric, **words)
            print(f"{name}: {runs[test, way].f1:.4f}", flush=True)
        for program, folder in programs(asked.suite, asked.smatch).items():
            output = workshop.folder / "programs" / f"{test.name}.{program.split()[0]}.jsonl"
            claims[test, program] = smatch_program(folder, source, target, output)
    write_tables(
        asked.output,
        "bamboo",
        [
            overview_table(asked.bamboo, runs, claims),
            intervals_table(asked.bamboo, runs),
            search_table(asked.bamboo, runs, claims, counted),
            objectives_table(asked.bamboo, runs, claims),
            runs_table(runs),
        ],
    )


def programs(suite: Path | None, smatch: Path | None) -> dict[str, Path]:
    """Return where the programs are that are given."""
    there = {
        SUITE: suite and suite / "py3-Smatch-and-S2match" / "smatch",
        SMATCH: smatch,
    }
    return {name: folder for name, folder in there.items() if folder is not None}


_Runs = Mapping[tuple[Test, str], Rescored]
_Claims = Mapping[tuple[Test, str], list[Claim | None]]


def exact_scores(run: Rescored) -> Numbers:
    """Return the F1 of each pair."""
    return np.array([row.f1 for row in run.rows])


def claimed_scores(claims: list[Claim | None]) -> Numbers:
    """Return the F1 of each pair by a program; 0 where the program has none."""
    return np.array([claim.f1 if claim else 0.0 for claim in claims])


def all_scores(runs: _Runs, claims: _Claims) -> dict[tuple[Test, str], Numbers]:
    """Return the scores of the pairs by everything that scores them."""
    return {
        **{key: exact_scores(run) for key, run in runs.items()},
        **{key: claimed_scores(found) for key, found in claims.items()},
    }


def overview_table(clone: Path, runs: _Runs, claims: _Claims) -> Table:
    """Return the published figures of each test, and those of programs and exact scores."""
    scores = all_scores(runs, claims)
    names = list(dict.fromkeys(name for _, name in scores))
    rows: list[list[Cell]] = []
    for test in TESTS:
        published = [f"{PUBLISHED[m][test.variant][test.corpus]:.2f}" for m in PUBLISHED]
        values = [f"{measured(clone, test, scores[test, name]).value:.2f}" for name in names]
        rows.append([test.corpus, test.variant, *published, *values])
    said = [name if name in (SUITE, SMATCH) else f"exact: {name}" for name in names]
    columns = ["corpus", "variant", *(f"{metric}, published" for metric in PUBLISHED), *said]
    return Table(
        "overview", "Pearson's r with human ratings, and accuracy", columns, rows,
        "In percent; of role confusion, the share of pairs that are ordered rightly.",
    )  # fmt: skip


def intervals_table(clone: Path, runs: _Runs) -> Table:
    """Return the exact correlations with their intervals and with ranks."""
    rows: list[list[Cell]] = []
    for (test, way), run in runs.items():
        scores = exact_scores(run)
        found = measured(clone, test, scores)
        first, last, _ = _RATED[test.corpus]
        rho = (
            None
            if test.variant == "role_confusion"
            else f"{100 * spearman(ratings(clone, test), scores[first:last]):.2f}"
        )
        rows.append([test.corpus, test.variant, way, *(f"{n:.2f}" for n in found), rho])
    columns = ["corpus", "variant", "exact", "Pearson or accuracy", "from", "to", "Spearman"]
    return Table("intervals", "Exact scores: intervals of 95 % over pairs", columns, rows)


def search_table(
    clone: Path, runs: _Runs, claims: _Claims, counted: Mapping[str, tuple[Metric, object]]
) -> Table:
    """Return the losses of the programs by search: triples, and correlation."""
    rows: list[list[Cell]] = []
    for (test, program), found in claims.items():
        way = "suite" if program == SUITE else "smatch-1.0.4"
        run = runs[test, way]
        counts = compared(found, run.rows, counted[way][0].scale)
        change = search_cost(clone, test, claimed_scores(found), exact_scores(run))
        rows.append([test.corpus, test.variant, program, *counts,
                     *(f"{100 * n:+.2f}" for n in change)])  # fmt: skip
    columns = ["corpus", "variant", "program", *compared_columns(), "r minus exact r", "from", "to"]
    return Table(
        "search", "What search costs the programs", columns, rows,
        "Against exact scores of the same objective; in percent, intervals of 95 % over pairs.",
    )  # fmt: skip


def search_cost(clone: Path, test: Test, claimed: Numbers, exact: Numbers) -> Estimate:
    """Return how much more the scores of a program correlate than the exact scores."""
    if test.variant == "role_confusion":
        return mean(ordered_rightly(claimed) - ordered_rightly(exact))
    first, last, _ = _RATED[test.corpus]
    return pearson_difference(ratings(clone, test), claimed[first:last], exact[first:last])


def objectives_table(clone: Path, runs: _Runs, claims: _Claims) -> Table:
    """Return the distance of each way of scoring from the published Smatch and SmatchPP."""
    scores = all_scores(runs, claims)
    rows: list[list[Cell]] = []
    for metric, published in PUBLISHED.items():
        for name in dict.fromkeys(name for _, name in scores):
            gaps = [
                abs(measured(clone, test, scores[test, name]).value
                    - published[test.variant][test.corpus])
                for test in TESTS
            ]  # fmt: skip
            rows.append([metric, name, f"{sum(gaps) / len(gaps):.2f}", f"{max(gaps):.2f}"])
    columns = ["published", "scored by", "mean distance", "largest"]
    return Table("objectives", "Which objective the published values are of", columns, rows)


def runs_table(runs: _Runs) -> Table:
    """Return a row for each test and way of counting, and one for all."""
    rows: list[list[Cell]] = [
        [test.corpus, test.variant, way, len(run.rows), run.proven, run.certified, run.emptied,
         run.f1, *run.traces]
        for (test, way), run in runs.items()
    ]  # fmt: skip
    every = list(runs.values())
    total: list[Cell] = [
        sum(len(run.rows) for run in every), sum(run.proven for run in every),
        sum(run.certified for run in every), sum(run.emptied for run in every), None, None,
        certificates_digest(every)[:16], sum(run.seconds for run in every),
    ]  # fmt: skip
    columns = [
        "corpus",
        "variant",
        "counted as",
        "pairs",
        "proven",
        "certified",
        "emptied",
        "F1",
        *TRACES,
    ]
    return Table("runs", "Scored files", columns, [*rows, ["all", "", "", *total]])


if __name__ == "__main__":
    main()
