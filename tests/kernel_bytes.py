"""Write the output of commands for everything in instances/, to compare two kernels.

    python tests/kernel_bytes.py FOLDER [all]

Runs every metric on the first two files of each folder whose format it takes, or on every two, with
all outputs for pairs, and puts them into the new folder FOLDER. The compiled and the interpreted
kernel must give the same bytes: ``diff --recursive`` of the two folders finds nothing.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from exactmatch.cli import main
from exactmatch.graphs.graph import CAMR, CLAUSES, MRP, PENMAN, SBN, UMR
from exactmatch.metrics.registry import ALIGNMENT_BASED, METRICS

INSTANCES = Path(__file__).resolve().parents[1] / "instances"
VECTORS = "vectors/words.txt"
#: Files of each format, in twos: systems and gold standards.
FILES = {
    PENMAN: [
        *(("agreement", name, "consensus.amr") for name in ("a.amr", "b.amr", "c.amr", "d.amr")),
        *(("hard", f"{n}.system.amr", f"{n}.gold.amr") for n in ("chorus", "loops", "parallel")),
        *(("hard", f"{n}.system.amr", f"{n}.gold.amr") for n in ("isomorphic", "small")),
        *(("hard", f"{n}.system.amr", f"{n}.gold.amr") for n in ("strings", "unlabelled")),
        ("hard", "unrelated.system.amr", "unrelated.gold.amr"),
        ("opitz", "system.amr", "gold.amr"),
        ("paper", "system.amr", "gold.amr"),
        ("documents", "system.amr", "gold.amr"),
    ],
    MRP: [("mrp", "system.mrp", "gold.mrp"), ("sbn/forms", "system.mrp", "gold.mrp")],
    CLAUSES: [
        ("drs", "system.clf", "gold.clf"),
        ("drs", "paper.system.clf", "paper.gold.clf"),
        ("sbn/forms", "system.clf", "gold.clf"),
    ],
    SBN: [("sbn", "system.sbn", "gold.sbn"), ("sbn/forms", "system.sbn", "gold.sbn")],
    UMR: [("umr", "a.umr", "b.umr")],
    CAMR: [("camr", "system.camr", "gold.camr")],
}


def files_of(form: str, *, has_all: bool) -> list[tuple[str, str, str]]:
    """Return a folder and two files in it, for each two files or for the first of each folder."""
    first = {files[0]: files for files in reversed(FILES[form])}
    return FILES[form] if has_all else [*first.values()]


def runs(*, has_all: bool = True) -> Iterator[tuple[str, list[str]]]:
    """Yield a name, and the arguments of a command without its outputs."""
    for name, kind in METRICS.items():
        for form in (kind.format, *kind.also):
            for folder, system, gold in files_of(form, has_all=has_all):
                if name == "s2match" and folder in ("agreement", "hard") and not has_all:
                    continue  # they take longer than all others, interpreted
                paths = [f"{folder}/{file}" for file in (system, gold)]
                words = ["score", *paths, "--metric", name, "--timeout", "inf", "--workers", "1"]
                if name == "s2match":
                    words += ["--vectors", VECTORS]
                    if system.startswith("unrelated"):
                        continue  # it takes minutes, interpreted
                words += ["--no-seconds", "--on-error", "skip", "--format", "json", "--breakdown"]
                yield f"{name}-{folder.replace('/', '-')}-{system}", words


def written(words: list[str], name: str, folder: Path, *, has_proofs: bool) -> None:
    """Run a command, and put its output into files whose names begin with *name*."""
    outputs = ["--per-pair", str(folder / f"{name}.pairs.jsonl")]
    if has_proofs:
        outputs += ["--certificates", str(folder / f"{name}.proofs.jsonl")]
        outputs += ["--mappings", str(folder / f"{name}.mappings.txt")]
    done = CliRunner().invoke(main, [*words, *outputs], catch_exceptions=False)
    text = f"status {done.exit_code}\n{done.stdout}{done.stderr}"
    (folder / f"{name}.txt").write_text(text.replace(str(folder), "."), encoding="utf-8")


def main_program(target: str, *, has_all: bool) -> None:
    folder = Path(target).resolve()
    folder.mkdir()
    os.chdir(INSTANCES)  # paths in messages are the same wherever the instances are
    for name, words in runs(has_all=has_all):
        kind = name.partition("-")[0]
        written(words, name, folder, has_proofs=kind in ALIGNMENT_BASED)


if __name__ == "__main__":
    main_program(sys.argv[1], has_all=sys.argv[2:] == ["all"])
