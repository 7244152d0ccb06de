"""Chinese AMRs by the parser of chenllliang/Two-Stage-CAMRP, scored exactly as Align-smatch.

    python reevaluation/chinese_amr.py CLONE --output FOLDER

The repository (no licence file) has what its parser made of test A of CAMRP 2022, the gold standard
of it, and Align-smatch, the scorer of that task (Xiao et al. 2022). Its score of the two is in the
README. The files are scored as they are, and the program scores all pairs from a seed.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from digests import checked
from program_counts import Claim, compared, compared_columns
from rescoring import TRACES, Workshop
from result_tables import Cell, Table, write_tables
from study_arguments import study_parser

import exactmatch

_TOOLS = "Chinese-AMR/tools"
SYSTEM = "result/testA.with_r.with_extra.relation.literal.sync_with_no_r.with_func_words.camr_tuple"
GOLD = "test_A/gold_testa.txt"
LENGTHS = "test_A/max_len_testA.txt"
#: As the README has them.
PUBLISHED = "P 0.78, R 0.76, F 0.77"

#: Instance, attribute and relation triples of a graph: name, node, and value or node.
Triples = tuple[list[Any], list[Any], list[Any]]


def module(path: Path, name: str) -> ModuleType:
    """Return a program of the repository as a module."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return made


def graphs(reader: ModuleType, path: Path, lengths: dict[str, str]) -> Iterator[Any]:
    """Yield the graphs of a file, as the program reads them."""
    with path.open(encoding="utf-8") as lines:
        while graph := reader.CAMR.get_CAMR(lines, lengths, smatch=False):
            yield graph


def counted(graph: Any, prefix: str) -> Triples:
    """Return the triples that Align-smatch counts."""
    graph.rename_node(prefix)
    found: Triples = graph.get_triples()
    return found


def said(program: ModuleType, pairs: list[tuple[Triples, Triples]]) -> list[Claim]:
    """Return what Align-smatch counts of the pairs, from one seed: it seeds anew at each start."""
    program.random = random.Random(0)  # type: ignore[attr-defined]
    program.random.seed = lambda *words: None
    claims = []
    for system, gold in pairs:
        program.match_triple_dict.clear()
        _, matched = program.get_best_match(*system, *gold, "a", "b")
        claims.append(Claim(matched, sum(map(len, system)), sum(map(len, gold))))
    return claims


def main() -> None:
    """Write the tables."""
    asked = study_parser(__doc__, "clone").parse_args()
    checked(asked.clone, "two_stage_camrp")
    reader = module(asked.clone / _TOOLS / "read_tuples.py", "read_tuples")
    program = module(asked.clone / _TOOLS / "Align-smatch.py", "align_smatch")
    with (asked.clone / LENGTHS).open(encoding="utf-8") as lines:
        lengths = program.max_len(lines)
    sides = [
        [counted(graph, prefix) for graph in graphs(reader, asked.clone / path, lengths)]
        for path, prefix in ((SYSTEM, "a"), (GOLD, "b"))
    ]
    workshop = Workshop(folder=asked.output / "chinese_amr", workers=asked.workers)
    place = asked.clone / LENGTHS
    metric = exactmatch.metric("align-smatch", lengths=place)
    files = (asked.clone / SYSTEM, asked.clone / GOLD)
    run = workshop.rescore("test_A", *files, metric, lengths=str(place))
    claims = said(program, list(zip(*sides, strict=True)))
    matched = sum(row.matched for row in run.rows)
    totals = [sum(row[k] for row in run.rows) for k in (2, 3)]
    exact = f"P {matched / totals[0]:.4f}, R {matched / totals[1]:.4f}, F {run.f1:.4f}"
    rows: list[list[Cell]] = [
        ["test A", PUBLISHED, exact, *compared(claims, run.rows), run.proven, run.certified,
         *run.traces]
    ]  # fmt: skip
    columns = ["part", "published", "exact", *compared_columns(), "proven", "certified", *TRACES]
    table = Table("parts", "Align-smatch, and exact scores of its objective", columns, rows)
    write_tables(asked.output, "chinese_amr", [table])


if __name__ == "__main__":
    main()
