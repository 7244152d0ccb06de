"""Compare several AMRs of each item with each other: time, and savings by bounds.

    python benchmarks/candidates.py FILE FILE... --work DIR [--smatch PYTHON] [--runs N] [--check]

The files hold AMRs for the same items; a perturbed copy of the first and one of the last, made with
a fixed seed, are added to them. exactmatch reads the texts and solves all pairs of each item; with
With --smatch, a Python that has smatch 1.0.4 solves the same pairs, in turn. With --check,
`exactmatch.best_mapping` solves every pair again. One worker runs `choose` on the unchanged files.
The table goes to standard output, in Markdown; times are the least CPU seconds of all runs.
"""

import argparse
import json
import logging
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import penman
from penman.models.amr import model
from seconds import Seconds

import exactmatch
from exactmatch.many.choose import choose_from

PROFILE = "smatch-1.0.4"
HERE = Path(__file__).resolve().parent
#: The replacement of a concept or role, and how often it is used.
CONCEPTS = ("thing", "person", "and", "say-01", "know-01")
ROLES = (":ARG0", ":ARG1", ":ARG2", ":mod", ":time")
SHARE = 0.15


def perturbed(text: str, rng: random.Random) -> str:
    """Return an AMR with some concepts and roles changed, and some constants left out."""
    graph = penman.decode(text, model=model)
    variables = graph.variables()
    triples = []
    for source, role, target in graph.triples:
        changes = rng.random() < SHARE
        if role == ":instance":
            triples.append((source, role, rng.choice(CONCEPTS) if changes else target))
        elif target in variables:
            triples.append((source, rng.choice(ROLES) if changes else role, target))
        elif not changes:
            triples.append((source, role, target))
    changed = penman.Graph(triples, top=graph.top, metadata=graph.metadata)
    encoded: str = penman.encode(changed, model=model)
    return encoded


def with_perturbed(files: Sequence[Path], work: Path) -> list[Path]:
    """Return the files and two perturbed copies, which are written into the folder *work*."""
    logging.getLogger("penman").setLevel(logging.ERROR)
    copies = []
    for number, file in enumerate((files[0], files[-1])):
        rng = random.Random(number)
        copies.append(work / f"perturbed{number}.amr")
        found = (perturbed(text, rng) for text in texts_of(file))
        copies[-1].write_text("\n\n".join(found) + "\n", encoding="utf-8")
    return [*files, *copies]


def texts_of(file: Path) -> list[str]:
    """Return the texts of the graphs of a file; a block of comments alone is no graph."""
    blocks = file.read_text(encoding="utf-8").split("\n\n")
    return [b.strip() for b in blocks if any(x[:1] not in ("", "#") for x in b.split("\n"))]


def items(files: Sequence[Path]) -> Iterator[list[str]]:
    """Yield the texts of each item."""
    for texts in zip(*map(texts_of, files), strict=True):
        yield list(texts)


def ours(files: Sequence[Path]) -> dict[str, float]:
    """Return the seconds that all pairs of all items take, beginning with their texts."""
    every = list(items(files))
    exactmatch.candidates(every[0], profile=PROFILE)  # which loads what is needed
    start = Seconds.now()
    for texts in every:
        exactmatch.candidates(texts, profile=PROFILE)
    return start.passed()


def choosing(files: Sequence[Path]) -> dict[str, float]:
    """Return the seconds that choosing a graph for each item takes."""
    start = Seconds.now()
    for _ in choose_from(files, profile=PROFILE, workers=1):
        pass
    return start.passed()


def theirs(files: Sequence[Path], python: Path) -> dict[str, float]:
    """Return the seconds that smatch takes for the same pairs."""
    words = [str(python), str(HERE / "run_smatch_candidates.py"), *map(str, files)]
    run = subprocess.run(words, check=True, capture_output=True, encoding="utf-8")
    found: dict[str, float] = json.loads(run.stdout)
    return found


def check(files: Sequence[Path]) -> int:
    """Return the number of pairs that `exactmatch.best_mapping` confirms; exit if one differs."""
    checked = 0
    for number, texts in enumerate(items(files), start=1):
        found = exactmatch.candidates(texts, profile=PROFILE)
        for i, j in product(range(len(texts)), repeat=2):
            best = exactmatch.best_mapping(texts[i], texts[j], profile=PROFILE)
            known = int(found.matched[i, j]), int(found.upper[i, j]), float(found.f1[i, j])
            if known != (best.matched, best.matched_upper, best.f1):
                sys.exit(f"item {number}, graphs {i} and {j}: {known}, but {best}")
            checked += 1
    return checked


def main() -> None:
    """Print the measurements requested on the command line."""
    parser = argparse.ArgumentParser(description="Several AMRs an item, each with each.")
    parser.add_argument("files", metavar="FILE", type=Path, nargs="+")
    parser.add_argument("--work", metavar="DIR", type=Path, required=True)
    parser.add_argument("--smatch", metavar="PYTHON", type=Path)
    parser.add_argument("--runs", metavar="N", type=int, default=3)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    files = with_perturbed(arguments.files, arguments.work)
    number = sum(1 for _ in items(files))
    best = rival = chosen_in = float("inf")
    for _ in range(arguments.runs):  # in turn, so that a busy machine slows both alike
        best = min(best, ours(files)["cpu"])
        chosen_in = min(chosen_in, choosing(arguments.files)["cpu"])
        if arguments.smatch:
            rival = min(rival, theirs(files, arguments.smatch)["cpu"])
    print(f"{number} items of {len(files)} AMRs\n\n| all pairs of an item | ms |\n|---|---|")
    print(f"| exactmatch | {1000 * best / number:.2f} |")
    if arguments.smatch:
        print(f"| smatch | {1000 * rival / number:.2f} |")
    print(f"| choose, of {len(arguments.files)} files | {1000 * chosen_in / number:.2f} |")
    if arguments.check:
        print(f"\n{check(files)} pairs are as best_mapping has them")
    stages: Counter[str] = Counter()
    for chosen in choose_from(files, profile=PROFILE):
        stages.update(chosen.stages)
    print("\n| pairs in choose | number | share |\n|---|---|---|")
    for stage, pairs in stages.most_common():
        print(f"| {stage} | {pairs} | {pairs / stages.total():.1%} |")


if __name__ == "__main__":
    main()
