"""DRSs of PMB 4 and 5 as graphs, of xiulinyang/compositional_drs_parsing, scored exactly.

    python reevaluation/compositional_drs.py CLONE --output FOLDER [--smatch SITE_PACKAGES]

The repository (no licence file) has the output of six parsers for the English dev, test and eval
parts, and for 115 long texts of PMB 5, and the gold standard, all in PENMAN. Its scores are only in
the paper (Yang et al. 2024). SITE_PACKAGES is where smatch 1.0.4 is installed; smatch scores some
pairs of each file.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from digests import checked
from program_counts import Claim, compared, compared_columns, smatch_program
from rescoring import TRACES, PairRow, Rescored, Workshop, certificates_digest
from result_tables import Cell, Table, write_tables
from study_arguments import study_parser

import exactmatch

_SEQUENCES = re.compile(
    r"data/output/seq2seqoutput/(?P<release>[45])/(?P<system>[a-z0-9]+)_(?P<part>[a-z]+)"
    r"_(?P<variant>gold(?:\+silver)?)\.txt"
)
#: The parser whose graphs are compositional; what it makes of scope comes by rule or by a parser of
#: dependencies.
_COMPOSED = re.compile(
    r"data/output/amparser/(?P<release>[45])/postprocessed_(?P<variant>scopeless|simplified)"
    r"(?P=release)_(?P<part>[a-z]+?)(?P<scope>_dependency)?\.txt"
)
#: What the part of long texts is called in the name of its gold standard; elsewhere, without "_".
_LONG = "test_long"
#: Pairs of each file that smatch scores.
SAMPLE = 100
#: Of long texts, each of which takes it seconds, one of so many.
_RARER = 4
_PARTS = ("dev", "test", "eval", "long")


class Output(NamedTuple):
    """A file of graphs that a system has made for a part of a release."""

    path: str
    release: str
    part: str
    system: str

    @property
    def gold(self) -> str:
        """The path of the gold standard."""
        part = _LONG if self.part == "long" else self.part
        return f"data/data_split/gold{self.release}/gold_{part}.txt"

    @property
    def name(self) -> str:
        """The name of the run."""
        return f"{self.release}.{self.part}.{self.system}"


def outputs(paths: Sequence[str]) -> Iterator[Output]:
    """Yield those of *paths* that hold the output of a system."""
    for path in paths:
        if found := _SEQUENCES.fullmatch(path):
            system = f"{found['system']} {found['variant']}"
        elif found := _COMPOSED.fullmatch(path):
            system = f"ams {found['variant']} {'dependency' if found['scope'] else 'rule'}"
        else:
            continue
        part = found["part"].replace(_LONG.replace("_", ""), "long")
        if part in _PARTS:
            yield Output(path, found["release"], part, system)


def main() -> None:
    """Write the tables."""
    parser = study_parser(__doc__, "clone")
    parser.add_argument("--smatch", type=Path)
    parser.add_argument("--sample", type=int, default=SAMPLE)
    asked = parser.parse_args()
    found = sorted(
        outputs(checked(asked.clone, "compositional_drs")),
        key=lambda output: (output.release, _PARTS.index(output.part), output.system),
    )
    metric = exactmatch.metric("smatch", profile="smatch-1.0.4")
    workshop = Workshop(folder=asked.output / "compositional_drs", workers=asked.workers)
    runs = {}
    for output in found:
        name = output.name.replace(" ", "_")
        system, gold = asked.clone / output.path, asked.clone / output.gold
        runs[output] = workshop.rescore(name, system, gold, metric)
        print(f"{name}: {runs[output].f1:.4f}", flush=True)
    tables = [parts_table(runs), files_table(runs)]
    if asked.smatch:
        tables.append(program_table(asked.smatch, workshop, runs, asked.sample))
    write_tables(asked.output, "compositional_drs", tables)


def files_table(runs: Mapping[Output, Rescored]) -> Table:
    """Return a row for each file."""
    rows: list[list[Cell]] = [
        [output.release, output.part, output.system, len(run.rows), run.f1, run.macro_f1,
         run.proven, run.emptied, *run.traces]
        for output, run in runs.items()
    ]  # fmt: skip
    columns = [
        "PMB",
        "part",
        "system",
        "pairs",
        "exact",
        "mean of pairs",
        "proven",
        "emptied",
        *TRACES,
    ]
    return Table("files", "Files", columns, rows)


def parts_table(runs: Mapping[Output, Rescored]) -> Table:
    """Return a row for each part, and one for all."""
    rows = []
    for key in dict.fromkeys((output.release, output.part) for output in runs):
        own = [run for output, run in runs.items() if (output.release, output.part) == key]
        rows.append([*key, *_sums(own)])
    columns = ["PMB", "part", "files", "pairs", "proven", "certified", "emptied", *TRACES]
    rows.append(["all", "", *_sums(list(runs.values()))])
    return Table("parts", "By release and part", columns, rows)


def _sums(runs: Sequence[Rescored]) -> list[Cell]:
    return [
        len(runs), sum(len(run.rows) for run in runs), sum(run.proven for run in runs),
        sum(run.certified for run in runs), sum(run.emptied for run in runs),
        sum(run.lost for run in runs), certificates_digest(runs)[:16],
        sum(run.seconds for run in runs),
    ]  # fmt: skip


def program_table(
    folder: Path, workshop: Workshop, runs: Mapping[Output, Rescored], size: int
) -> Table:
    """Return the scores by smatch 1.0.4 of *size* pairs of each file, by release and part."""
    rows: list[list[Cell]] = []
    for key in dict.fromkeys((output.release, output.part) for output in runs):
        claims: list[Claim | None] = []
        exact: list[PairRow] = []
        for output, run in runs.items():
            if (output.release, output.part) == key:
                drawn = drawn_pairs(run, sample_size(output, size), seed=output.path)
                files = [
                    workshop.written(f"{run.name}.{side}.amr", chosen(Path(path), drawn))
                    for side, path in (("system", run.system), ("gold", run.gold))
                ]
                place = workshop.folder / "programs" / f"{run.name}.jsonl"
                claims += smatch_program(folder, files[0], files[1], place)
                exact += [run.rows[k] for k in drawn]
        rows.append([*key, *compared(claims, exact)])
    columns = ["PMB", "part", *compared_columns()]
    return Table("program", f"smatch 1.0.4 on {size} pairs of each file", columns, rows)


def sample_size(output: Output, size: int) -> int:
    """Return how many pairs of a file smatch scores, where it scores *size* of others."""
    return size // _RARER if output.part == "long" else size


def drawn_pairs(run: Rescored, size: int, seed: str) -> list[int]:
    """Return the positions of *size* pairs that have been read, or of all if there are fewer."""
    there = [k for k, row in enumerate(run.rows) if row.system_total and row.gold_total]
    return sorted(random.Random(seed).sample(there, min(size, len(there))))


def chosen(path: Path, positions: Sequence[int]) -> str:
    """Return the graphs at *positions* of a file, which empty lines separate."""
    graphs = re.split(r"\n\s*\n", path.read_text("utf-8").strip())
    return "".join(f"{graphs[k]}\n\n" for k in positions)


if __name__ == "__main__":
    main()
