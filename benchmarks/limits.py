"""How far beyond ``--timeout`` a command runs, on inputs that are made to be bad for each metric.

    python benchmarks/limits.py --work DIR [--timeout 2] [--patience 60] [--only WORD ...]

It prints a table in Markdown: for each command, the seconds of reading both files (a process that
only loads them), the seconds beyond the limit (the whole process without reading and the limit),
and the result. All are seconds of processor time, and so is the limit: other work on the machine
changes nothing. The inputs are written to DIR, from a seed: the same bytes each time. A command
that takes *patience* seconds more is ended, and has a ``>``. *python* is that of another version.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from limit_inputs import INPUTS, vectors

SEED = 55


#: The options of ``score`` by the input.
COMMANDS: list[tuple[str, str]] = [
    *((name, "") for name in ("attributes", "one-node", "dense", "star", "chain", "concepts")),
    ("attributes", "--memory 100M"),
    *((name, "--profile smatch-1.0.4") for name in ("dense", "attributes")),
    *(
        (name, option)
        for name in ("attributes", "dense")
        for option in (
            "--breakdown",
            "--mappings m.txt",
            "--cross-check",
            "--certificates c.jsonl",
            "--breakdown --certificates c.jsonl",
            "--heuristic --method s",
            "--subscores damonte",
            "--subscores aspects",
            "--check",
        )
    ),
    *(
        ("reified", option)
        for option in (
            "--reification collapse",
            "--reification expand",
            "--coordination unordered",
            "--constants nodes",
            "--wiki drop",
            "--senses drop",
        )
    ),
    ("document", ""),
    ("document", "--sentences aligned"),
    ("document", "--sentences aligned-docsmatch"),
    ("document", "--sentences aligned --by-sentence"),
    ("document", "--sentences aligned --certificates c.jsonl"),
    ("sentences", "--sentences aligned --by-sentence"),
    ("document", "--sentences aligned --subscores documents"),
    ("concepts", "--metric s2match --vectors words.vec"),
    ("dense", "--metric s2match --vectors words.vec"),
    *((name, "--metric sembleu") for name in ("star", "one-node", "chain")),
    ("dense", "--metric sembleu --order 6"),
    *((name, "--metric rematch") for name in ("motifs", "attributes")),
    *((name, "--metric ancast") for name in ("temporal", "wide-time", "many-nodes", "dense")),
    *(
        (name, f"--metric {metric}")
        for name in ("temporal", "equal-nodes", "many-nodes")
        for metric in ("umatch", "umatch --profile umrtools-2026", "smatch --anchors tokens")
    ),
    ("temporal", "--document-level count"),
    *(
        ("few-clauses", f"--metric {metric}")
        for metric in ("counter", "dscorer", "dscorer --profile program")
    ),
    ("clauses", "--metric counter"),
    *(("sbn", options) for options in ("", "--subscores sbn", "--profile ud-boxer")),
    ("mrp", "--metric mrp"),
    ("mrp", "--metric mrp --profile mtool"),
    *(
        (name, f"--metric {metric}")
        for name in ("mrp", "ucca", "anchors")
        for metric in ("sdp", "edm", "ucca")
    ),
]


#: Other commands by the input, with the names that `words_of` replaces. Certificates are those of
#: the command before. Without LIMIT, a command has none.
OTHERS: list[tuple[str, str]] = [
    *((name, "check SYSTEM GOLD") for name in ("attributes", "dense", "document", "chain")),
    *((name, "check SYSTEM GOLD") for name in ("temporal", "clauses", "sbn", "mrp", "ucca")),
    *(
        (name, command)
        for name in ("attributes", "dense", "sbn")
        for command in (
            "score SYSTEM GOLD --certificates v.jsonl LIMIT",
            "verify v.jsonl SYSTEM GOLD",
        )
    ),
    (
        "dense",
        "explain SYSTEM GOLD --between smatch:default smatch:smatch-1.0.4 LIMIT",
    ),
]

#: Runs the command line with a clock of processor time.
PROGRAM = "import time; time.monotonic = time.process_time; from exactmatch.__main__ import run"
PROGRAM += "; run()"


#: How ``score`` is run.
OPTIONS = "LIMIT --workers 1 --format json"


class Run(NamedTuple):
    """The seconds of a process; its output; whether it was ended."""

    cpu: float
    output: str
    is_ended: bool


def run(command: list[str], folder: Path, most: float) -> Run:
    """Run *command* in *folder*, for at most so many seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = (round(most), round(most) + 1)
    process = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit),
    )
    is_ended = process.returncode < 0
    output, errors = process.stdout, process.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(cpu, output or errors, is_ended)


def words_of(command: str, files: list[str], limit: float) -> list[str]:
    """Return a command with the two *files* and the *limit*."""
    named = {"SYSTEM": files[:1], "GOLD": files[1:], "LIMIT": ["--timeout", str(limit)]}
    return [part for word in command.split() for part in named.get(word, [word])]


def summary(output: str) -> str:
    """Return the result in a few words."""
    try:
        found = json.loads(output)
    except ValueError:
        return output.strip().splitlines()[-1][:100] if output.strip() else "nothing"
    lower, upper = found["score"], found.get("score_upper", found.get("f1_upper"))
    words = f"{lower:.4f} to {lower if upper is None else upper:.4f}"
    words += ", timed out" * bool(found.get("timed_out")) + ", too large" * bool(
        found.get("too_large")
    )
    return words


def rows(arguments: argparse.Namespace) -> Iterator[str]:
    """Yield the rows of the table, as they are known."""
    folder: Path = arguments.work
    folder.mkdir(exist_ok=True, parents=True)
    reading: dict[str, float] = {}
    scored = [
        (name, options, f"score SYSTEM GOLD {options} {OPTIONS}") for name, options in COMMANDS
    ]
    for name, options, command in [*scored, *((name, line, line) for name, line in OTHERS)]:
        if not any(word in f"{name} {options}" for word in arguments.only):
            continue
        made = INPUTS[name]
        if "words.vec" in options and not (folder / "words.vec").exists():
            vectors(folder / "words.vec")
        files = [f"{name}-{side}.{made.ending}" for side in ("system", "gold")]
        for number, file in enumerate(files):
            rng = random.Random(f"{SEED} {name} {0 if made.is_same else number}")
            (folder / file).write_text(made.make(rng).rstrip() + "\n", encoding="utf-8")
        if name not in reading:
            load = f"import exactmatch\nfor f in {files!r}: list(exactmatch.load(f))"
            reading[name] = run([arguments.python, "-c", load], folder, 600).cpu
        (folder / "c.jsonl").unlink(missing_ok=True)
        limit = arguments.timeout if "LIMIT" in command else 0.0
        words = words_of(command, files, limit)
        found = run([arguments.python, "-c", PROGRAM, *words], folder, limit + arguments.patience)
        beyond = max(0.0, found.cpu - reading[name] - limit)
        sign = ">" if found.is_ended else ""
        said = "ended" if found.is_ended else summary(found.output)
        yield f"| {name} | `{options}` | {reading[name]:.1f} | {sign}{beyond:.1f} | {said} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--timeout", type=float, default=2.0)
    parser.add_argument("--patience", type=float, default=60.0)
    parser.add_argument("--only", nargs="+", default=[""])
    parser.add_argument("--python", default=sys.executable)
    arguments = parser.parse_args()
    print("| input | options of `score`, or command | reading (s) | beyond (s) | result |")
    print("|---|---|---:|---:|---|")
    for row in rows(arguments):
        print(row, flush=True)


if __name__ == "__main__":
    main()
