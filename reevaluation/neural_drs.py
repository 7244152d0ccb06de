"""DRSs of RikVN/Neural_DRS against the gold standard of RikVN/DRS_parsing, scored exactly.

    python reevaluation/neural_drs.py NEURAL_DRS DRS_PARSING --output FOLDER

NEURAL_DRS and DRS_PARSING are clones of the two repositories (both under the MIT licence). Counter
counts synonyms of WordNet as one, by a table that is in DRS_PARSING; with --synonyms, by any that
`exactmatch score` takes. With --counter, Counter itself scores some of the pairs; this names
the Python of an environment that has numpy, psutil and PyYAML.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from digests import checked
from program_counts import Claim, compared, compared_columns, counter_program
from rank_changes import rank_changes, ranks
from rescoring import TRACES, PairRow, Rescored, Workshop, certificates_digest
from result_tables import Cell, Table, write_tables
from study_arguments import study_parser

import exactmatch

#: The table of Scores.md in the repository, in percent, by release and part; systems are called as
#: their files are. Of several runs, the mean.
PUBLISHED = {
    ("pmb-2.1.0", "dev"): {
        "seq2seq_char_best_model": 83.6,
        "seq2seq_word_best_model": 83.1,
        "seq2seq_char_best_gold_only": 77.9,
        "seq2seq_word_best_gold_only": 75.1,
        "boxer": 74.3,
        "amr2drs": 43.2,
        "sim_spar": 56.8,
        "spar": 39.7,
    },
    ("pmb-2.2.0", "dev"): {
        "bert_char_sem": 85.5,
        "bert_char_2enc": 85.6,
        "bert_char_1enc": 86.1,
        "bert_only": 85.4,
        "marian_best_gold_silver": 85.6,
        "marian_best_gold_only": 81.3,
        "best_opennmt": 80.9,
        "boxer": 72.2,
        "sim_spar": 53.3,
        "spar": 40.0,
    },
    ("pmb-2.2.0", "test"): {
        "bert_char_sem": 87.7,
        "bert_char_2enc": 88.1,
        "bert_char_1enc": 88.3,
        "bert_only": 87.9,
        "marian_best_gold_silver": 87.0,
        "marian_best_gold_only": 83.4,
        "best_opennmt": 83.2,
        "boxer": 72.2,
        "sim_spar": 57.7,
        "spar": 40.8,
    },
    ("pmb-3.0.0", "dev"): {
        "bert_char_sem_2enc": 88.4,
        "bert_char_2enc": 88.1,
        "bert_char_1enc": 88.1,
        "bert_only": 87.6,
        "best_marian": 86.8,
        "best_opennmt": 84.3,
        "boxer": 78.2,
        "sim_spar": 54.9,
        "spar": 40.9,
    },
    ("pmb-3.0.0", "test"): {
        "bert_char_sem_2enc": 89.3,
        "bert_char_2enc": 89.0,
        "bert_char_1enc": 89.2,
        "bert_only": 88.5,
        "best_marian": 87.7,
        "best_opennmt": 84.9,
        "boxer": 78.8,
        "sim_spar": 59.2,
        "spar": 42.1,
    },
}

#: Counter's table of synonyms.
_SYNONYMS = "evaluation/wordnet_dict_en.py"
_OUTPUT = re.compile(
    r"output/(?P<release>[^/]+)/(?:en/)?(?P<part>dev|test)/(?P<system>\w+)"
    r"(?:/output(?P<run>\d)\.(?:txt|seq\.drs\.res)|\.txt)"
)


class Output(NamedTuple):
    """A file of DRSs that a system has made: one of several *run*s, or, 0, the only one."""

    path: str
    release: str
    part: str
    system: str
    run: int

    @property
    def name(self) -> str:
        """The name of the run among the runs of its part."""
        return f"{self.system}.{self.run}" if self.run else self.system


def outputs(paths: Sequence[str]) -> Iterator[Output]:
    """Yield those of *paths* that hold the output of a system."""
    for path in paths:
        if found := _OUTPUT.fullmatch(path):
            yield Output(
                path, found["release"], found["part"], found["system"], int(found["run"] or 0)
            )


def logged(clone: Path, output: Output) -> float | None:
    """Return the F-score that an eval.txt beside the output tells, with four digits."""
    log = (clone / output.path).with_name("eval.txt")
    if not output.run or not log.exists():
        return None
    scores = re.search(r"score-type: F-score\n.*\nAll scores: (.*)", log.read_text("utf-8"))
    return float(scores[1].split(", ")[output.run - 1]) if scores else None


def main() -> None:
    """Write the tables."""
    parser = study_parser(__doc__, "neural_drs", "drs_parsing")
    parser.add_argument("--synonyms", type=Path)
    parser.add_argument("--counter", type=Path)
    parser.add_argument("--sample", type=int, default=25)
    asked = parser.parse_args()
    paths = checked(asked.neural_drs, "neural_drs")
    checked(asked.drs_parsing, "drs_parsing")
    synonyms = asked.synonyms or asked.drs_parsing / _SYNONYMS
    metric = exactmatch.metric("counter", profile="counter-2021", synonyms=synonyms)
    workshop = Workshop(folder=asked.output / "neural_drs", workers=asked.workers)
    runs = {}
    for output in outputs(paths):
        gold = asked.drs_parsing / "data" / output.release / "gold" / f"{output.part}.txt"
        name = f"{output.release}.{output.part}.{output.name}"
        system = asked.neural_drs / output.path
        runs[output] = workshop.rescore(name, system, gold, metric, synonyms=str(synonyms))
        print(f"{name}: {runs[output].f1:.4f}", flush=True)
    published = {output: logged(asked.neural_drs, output) for output in runs}
    tables = [
        parts_table(runs, published),
        means_table(runs),
        changes_table(runs, published),
        objective_table(runs, published, synonyms, asked.workers),
        counts_table(asked.neural_drs, runs),
        runs_table(runs, published),
    ]
    if asked.counter:
        folder = asked.drs_parsing.resolve() / "evaluation"
        tables.append(
            program_table(asked.counter, folder, workshop.folder, runs, published, asked.sample)
        )
    write_tables(asked.output, "neural_drs", tables)


#: The runs of each part, and what was published of them.
_Runs = Mapping[Output, Rescored]
_Published = Mapping[Output, float | None]


def by_part(runs: _Runs) -> dict[tuple[str, str], dict[Output, Rescored]]:
    """Return the runs of each release and part."""
    found: dict[tuple[str, str], dict[Output, Rescored]] = {}
    for output, run in runs.items():
        found.setdefault((output.release, output.part), {})[output] = run
    return found


def parts_table(runs: _Runs, published: _Published) -> Table:
    """Return a row for each part, and one for all."""
    columns = [
        "release",
        "part",
        "files",
        "pairs",
        "proven",
        "certified",
        "emptied",
        "logged",
        "mean difference",
        "largest",
        "same to 4 digits",
        *TRACES,
    ]
    parts = by_part(runs)
    rows = [_part_row(release, part, own, published) for (release, part), own in parts.items()]
    return Table(
        "parts", "By release and part", columns, [*rows, _part_row("all", "", runs, published)],
        "Logged: runs with a score in an eval.txt; differences are exact minus logged. "
        "Lost by climbing: triples that s+4r does not find.",
    )  # fmt: skip


def _part_row(release: str, part: str, runs: _Runs, published: _Published) -> list[Cell]:
    known = [
        (run.f1, score) for output, run in runs.items() if (score := published[output]) is not None
    ]
    differences = [exact - score for exact, score in known]
    return [
        release, part, len(runs), sum(len(run.rows) for run in runs.values()),
        sum(run.proven for run in runs.values()), sum(run.certified for run in runs.values()),
        sum(run.emptied for run in runs.values()), len(known),
        sum(differences) / len(known) if known else None,
        max(differences, key=abs) if known else None,
        sum(round(exact, 4) == score for exact, score in known),
        sum(run.lost for run in runs.values()),
        certificates_digest(list(runs.values()))[:16], sum(run.seconds for run in runs.values()),
    ]  # fmt: skip


def means_table(runs: _Runs) -> Table:
    """Return the scores of Scores.md beside exact ones, in percent, with ranks."""
    rows: list[list[Cell]] = []
    for (release, part), own in by_part(runs).items():
        exact: dict[str, list[float]] = {}
        for output, run in own.items():
            exact.setdefault(output.system, []).append(100 * run.f1)
        means = {system: sum(values) / len(values) for system, values in exact.items()}
        published = PUBLISHED[release, part]
        before, after = ranks(published), ranks(means)
        rows += [
            [release, part, system, len(exact[system]), f"{score:.1f}", f"{means[system]:.2f}",
             before[system], after[system]]
            for system, score in published.items()
        ]  # fmt: skip
    columns = ["release", "part", "system", "runs", "published", "exact", "rank", "exact rank"]
    return Table("means", "Scores.md and exact means, in percent", columns, rows)


def changes_table(runs: _Runs, published: _Published) -> Table:
    """Return the runs that change places."""
    rows: list[list[Cell]] = []
    for (release, part), own in by_part(runs).items():
        known = {o.name: score for o in own if (score := published[o]) is not None}
        named = {output.name: run for output, run in own.items()}
        for change in rank_changes(known, named):
            rows.append(
                [
                    release,
                    part,
                    change.better,
                    change.other,
                    change.published,
                    change.exact,
                    change.p,
                    "yes" if change.significant else "no",
                ]
            )
    columns = ["release", "part", "published as better", "than", "published difference",
               "exact difference", "p (Holm)", "significant"]  # fmt: skip
    return Table("changes", "Runs that change places", columns, rows)


def objective_table(runs: _Runs, published: _Published, synonyms: Path, workers: int) -> Table:
    """Return how many of the logged scores that are not exact fit another objective.

    That objective is Counter's if boxes are recognised by relations, not by the first word.
    """
    metric = exactmatch.metric(
        "counter", profile="counter-2021", synonyms=synonyms, sorts="by-relation"
    )
    rows: list[list[Cell]] = []
    for (release, part), own in by_part(runs).items():
        known = {o: score for o in own if (score := published[o]) is not None}
        other = {o: score for o, score in known.items() if round(own[o].f1, 4) != score}
        scored = {
            o: exactmatch.score(
                Path(own[o].system), Path(own[o].gold), metric=metric, workers=workers,
                on_error="empty",
            )
            for o in other
        }  # fmt: skip
        gaps = [abs(scored[o].f1 - score) for o, score in other.items()]
        same = sum(round(scored[o].f1, 4) == score for o, score in other.items())
        proven = sum(found.optimal == found.pairs for found in scored.values())
        rows.append([release, part, len(known), len(known) - len(other), len(other), proven, same,
                     max(gaps, default=None)])  # fmt: skip
    columns = ["release", "part", "logged", "same", "others", "proven", "same by relation",
               "largest distance"]  # fmt: skip
    return Table("objective", "Another objective", columns, rows)


def counts_table(clone: Path, runs: _Runs) -> Table:
    """Return how the published counts of single pairs (.prf) compare with exact ones."""
    rows: list[list[Cell]] = []
    for output, run in runs.items():
        log = (clone / output.path).with_suffix(".prf")
        if log.exists():
            lines = log.read_text("utf-8").splitlines()
            claims = [Claim(*map(int, line.split())) for line in lines]
            rows.append([output.path, *compared(claims, run.rows)])
    columns = [
        "file",
        *compared_columns("clauses"),
    ]
    return Table("counts", "Published counts of single pairs (.prf)", columns, rows)


def program_table(
    python: Path, folder: Path, kept: Path, runs: _Runs, published: _Published, size: int
) -> Table:
    """Return the scores by Counter, by release and part.

    It scores all pairs of the file whose published score is farthest above the exact one, and
    *size* of each other file. Pairs of which a graph cannot be read are left out.
    """
    rows: list[list[Cell]] = []
    for (release, part), own in by_part(runs).items():
        farthest = farthest_above(own, published)
        pairs: list[tuple[str, str]] = []
        exact: list[PairRow] = []
        for output, run in own.items():
            drawn = sampled(run, len(run.rows) if output == farthest else size, seed=output.path)
            system, gold = (clause_texts(Path(path)) for path in (run.system, run.gold))
            pairs += [(system[k], gold[k]) for k in drawn]
            exact += [run.rows[k] for k in drawn]
        place = kept.resolve() / "programs" / f"{release}.{part}.prf"
        claims = counter_program(python, folder, pairs, place)
        name = farthest.name if farthest else None
        rows.append([release, part, len(own), name, *compared(claims, exact)])
    columns = ["release", "part", "files", "in full", *compared_columns("clauses")]
    return Table(
        "program", "Counter on the same files", columns, rows,
        f"In full: the file whose published score is farthest above; {size} pairs of each other.",
    )  # fmt: skip


def farthest_above(runs: Mapping[Output, Rescored], published: _Published) -> Output | None:
    """Return the file whose published score is farthest above the exact one, or None.

    The first file stands for a mean of several files.
    """
    gaps: dict[Output, float] = {}
    for (release, part), own in by_part(runs).items():
        for system, mean in PUBLISHED[release, part].items():
            files = {output: run.f1 for output, run in own.items() if output.system == system}
            logs = {output: score for output in files if (score := published[output]) is not None}
            gaps |= {output: score - files[output] for output, score in logs.items()}
            if files and not logs:
                gaps[min(files)] = mean / 100 - sum(files.values()) / len(files)
    farthest = max(gaps, key=gaps.__getitem__)
    return farthest if gaps[farthest] > 0 else None


def sampled(run: Rescored, size: int, seed: str) -> list[int]:
    """Return the positions of *size* pairs that have been read, or of all if there are fewer."""
    there = [k for k, row in enumerate(run.rows) if row.system_total and row.gold_total]
    return sorted(random.Random(seed).sample(there, min(size, len(there))))


def clause_texts(path: Path) -> list[str]:
    """Return the DRSs of a file, without the lines of comments, as Counter reads them."""
    found: list[str] = []
    lines: list[str] = []
    for line in [*path.read_text("utf-8").split("\n"), ""]:
        if line.strip().startswith("%"):
            continue
        if line.strip():
            lines.append(line)
        elif lines:
            found.append("\n".join(lines))
            lines = []
    return found


def runs_table(runs: _Runs, published: _Published) -> Table:
    """Return a row for each file."""
    rows: list[list[Cell]] = []
    for output, run in runs.items():
        score = published[output]
        rows.append([
            output.release, output.part, output.name, len(run.rows), score, run.f1,
            None if score is None else run.f1 - score, run.proven, run.emptied, *run.traces,
        ])  # fmt: skip
    columns = [
        "release",
        "part",
        "run",
        "pairs",
        "published",
        "exact",
        "difference",
        "proven",
        "emptied",
        *TRACES,
    ]
    return Table("runs", "Files", columns, rows)


if __name__ == "__main__":
    main()
