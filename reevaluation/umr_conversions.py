"""UMRs by converters against those of annotators, and one text twice, scored exactly as juːmæʧ.

    python reevaluation/umr_conversions.py UD2UMR UMR --output FOLDER

UD2UMR is a clone of fjambe/UD2UMR, UMR one of ufal/UMR (no licence file in either). Both have UMRs
that programs made of treebanks, UMRs that people drew of the same sentences, and what
compare_umr.pl of ufal/umrtools printed of the two. That program maps nodes by rules.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal, NamedTuple

from digests import checked
from program_counts import Claim
from rescoring import TRACES, Rescored, Workshop
from result_tables import Cell, Table, write_tables
from study_arguments import study_parser

import exactmatch
from exactmatch.studies.common.statistics import Resampling, confidence_interval

#: Fewer pairs are too few for an interval.
_FEWEST = 50


_Counts = Literal["count", "ignore"]


class Files(NamedTuple):
    """Two files of UMRs and what was printed of them, by the clone and the paths in it.

    document_level: whether its triples count; where they do not, none were printed as such.
    """

    name: str
    clone: str
    system: str
    gold: str
    log: str
    document_level: _Counts


_CZECH = "data/czech/PDT-C-dtest/evaluation"
_LATIN = "data/latin/LDT-manual-comparison"
_TWICE = "data/czech/Estonsko-pilot"
FILES = (
    *(
        Files(
            f"{language}, UD2UMR",
            "ud2umr",
            f"testset/converter-output_total_{code}_test.txt",
            f"testset/gold_total_{code}_test.txt",
            f"testset/comparison-{code}.txt",
            "ignore",
        )
        for language, code in (("Czech", "cs"), ("English", "en"), ("Italian", "it"))
    ),
    Files(
        "English, AMR",
        "umr",
        "data/english/converted_total_1-5.umr",
        "data/english/gold_total_1-5.umr",
        "data/english/comparison_1-5.txt",
        "ignore",
    ),
    Files(
        "Czech, PDT-C",
        "umr",
        f"{_CZECH}/dtest-conv.umr",
        f"{_CZECH}/dtest-gold.umr",
        f"{_CZECH}/evaluation-dtest.txt",
        "count",
    ),
    Files(
        "Latin, LDT",
        "umr",
        f"{_LATIN}/latin_conv_50_dmr.umr",
        f"{_LATIN}/FIXED_TOKENS_latin_umr-0001.txt",
        f"{_LATIN}/evaluation-ldt.txt",
        "count",
    ),
    Files(
        "Czech, two annotators",
        "umr",
        f"{_TWICE}/mf920922-133_estonsko-ML.umr",
        f"{_TWICE}/mf920922-133_estonsko-DZ.umr",
        f"{_TWICE}/comparison-DZ-ML.txt",
        "count",
    ),
)

_VALUES = re.compile(r"Out of (\d+) non-empty \S+ values, (\d+) found")


def printed(text: str) -> Claim:
    """Return what compare_umr.pl printed: the last two lines are of all values, also unmapped."""
    gold, system = _VALUES.findall(text)[-2:]
    return Claim(int(gold[1]), int(system[0]), int(gold[0]))


def interval(run: Rescored) -> str | None:
    """Return the interval of 95 % of the exact F1 over pairs, in percent."""
    if len(run.rows) < _FEWEST:
        return None
    found = confidence_interval(run.items, Resampling())
    return f"{100 * found.low:.2f} to {100 * found.high:.2f}" if found else None


def by_rules(system: Path, gold: Path, document_level: _Counts) -> Claim:
    """Return what the program's rules give today (profile ``umrtools-2026``)."""
    metric = exactmatch.metric("umatch", profile="umrtools-2026", document_level=document_level)
    found = exactmatch.score(system, gold, metric=metric)
    return Claim(found.matched, found.system_total, found.gold_total)


def shown(claim: Claim) -> str:
    """Return counts as people read them."""
    return f"{claim.matched} of {claim.system_total} and {claim.gold_total}"


def main() -> None:
    """Write the tables."""
    asked = study_parser(__doc__, "ud2umr", "umr").parse_args()
    clones: dict[str, Path] = {"ud2umr": asked.ud2umr, "umr": asked.umr}
    checked(asked.ud2umr, "ud2umr")
    checked(asked.umr, "ufal_umr_files")
    workshop = Workshop(folder=asked.output / "umr_conversions", workers=asked.workers)
    rows: list[list[Cell]] = []
    for files in FILES:
        clone = clones[files.clone]
        system, gold = clone / files.system, clone / files.gold
        metric = exactmatch.metric("umatch", document_level=files.document_level)
        called = files.name.replace(", ", ".").replace(" ", "_")
        run = workshop.rescore(called, system, gold, metric)
        said = printed((clone / files.log).read_text("utf-8"))
        today = by_rules(system, gold, files.document_level)
        exact = Claim(
            sum(row.matched for row in run.rows),
            sum(row.system_total for row in run.rows),
            sum(row.gold_total for row in run.rows),
        )
        rows.append([
            files.name, f"{100 * said.f1:.2f}", shown(said), shown(today), shown(exact),
            f"{100 * exact.f1:.2f}", interval(run), len(run.rows), run.proven, run.certified,
            *run.traces,
        ])  # fmt: skip
    columns = [
        "files",
        "published",
        "values, published",
        "values, umrtools-2026",
        "values, exact",
        "exact",
        "interval",
        "pairs",
        "proven",
        "certified",
        *TRACES,
    ]
    table = Table(
        "files", "juːmæʧ as printed, and exact scores", columns, rows,
        "F1 in percent; intervals of 95 % over pairs: sentences, or documents where the document "
        "level counts.",
    )  # fmt: skip
    write_tables(asked.output, "umr_conversions", [table])


if __name__ == "__main__":
    main()
