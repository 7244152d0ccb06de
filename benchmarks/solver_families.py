"""The families of pairs on which `solvers.py` compares solvers: two files for each."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from agree import INSTANCES, generator
from join import join_sentences, read_sentences
from join_clauses import join_clauses, read_clauses
from run_solver import metric_of, pairs

from exactmatch.scoring.comparison import compare
from exactmatch.solving.presolve import presolve
from exactmatch.stopping.deadline import Deadline

#: Sentences to a document of AMRs, and of DRSs.
DOCUMENTS = (10, 20, 30, 60)
DRS_DOCUMENT = 20
#: Random families, and the sizes of their pairs; two of each size.
RANDOM = {
    "unlabelled": (12, 18, 24, 30, 36, 42),
    "unrelated": (8, 11, 14, 17, 20, 23),
    "loops": (10, 14, 18, 22, 26, 30),
}
SEEDS = (1, 2)

_Texts = list[tuple[str, str]]
_Thing = TypeVar("_Thing")


class Files(NamedTuple):
    """Files of AMRs and of DRSs, each system and gold; either may be missing."""

    amrs: tuple[Path, Path] | None
    drss: tuple[Path, Path] | None


def names(files: Files) -> list[str]:
    """Return the names of the families for which *files* suffice."""
    found = [*(_documents_name(size) for size in DOCUMENTS)] if files.amrs else []
    amrs = ["sentences", *found] if files.amrs else []
    return [*amrs, "hard", *RANDOM, *(["DRS documents"] if files.drss else [])]


def write(name: str, files: Files, count: int, folder: Path) -> tuple[Path, Path]:
    """Write up to *count* pairs of a family into *folder*; return the two files."""
    texts, suffix = _texts(name, files)
    chosen = spread(texts, count)
    paths = [folder / f"{name.replace(' ', '-')}.{side}{suffix}" for side in ("system", "gold")]
    for path, side in zip(paths, zip(*chosen, strict=True), strict=True):
        path.write_text("\n\n".join(text.strip() for text in side) + "\n", encoding="utf-8")
    return paths[0], paths[1]


def spread(things: Sequence[_Thing], count: int) -> list[_Thing]:
    """Return *count* of *things*, evenly spread, or all if there are fewer."""
    if len(things) <= count:
        return list(things)
    return [things[(2 * k + 1) * len(things) // (2 * count)] for k in range(count)]


def _texts(name: str, files: Files) -> tuple[_Texts, str]:
    if name == "hard":
        return _hard(), ".amr"
    if name in RANDOM:
        family = generator().family
        return [family(name, size, seed) for size in RANDOM[name] for seed in SEEDS], ".amr"
    if name == "DRS documents":
        assert files.drss is not None
        return _paired(files.drss, _joined_drss), ".clf"
    assert files.amrs is not None
    if name == "sentences":
        return list(_unfinished(*files.amrs)), ".amr"
    size = int(re.findall(r"\d+", name)[0])
    return _paired(files.amrs, lambda text: _joined_amrs(text, size)), ".amr"


def _documents_name(size: int) -> str:
    return f"documents of {size}"


def _hard() -> _Texts:
    """Return the pairs of ``instances/hard``, the longest first."""
    found: _Texts = []
    for system in sorted((INSTANCES / "hard").glob("*.system.amr")):
        gold = system.with_name(system.name.replace(".system.", ".gold."))
        blocks = [path.read_text("utf-8").strip().split("\n\n") for path in (system, gold)]
        found += zip(*blocks, strict=True)
    return sorted(found, key=lambda pair: -len(pair[1]))[: len(found) // 2]


def _paired(paths: tuple[Path, Path], joined: Callable[[str], list[str]]) -> _Texts:
    system, gold = (joined(path.read_text("utf-8-sig")) for path in paths)
    return list(zip(system, gold, strict=False))


def _joined_amrs(text: str, size: int) -> list[str]:
    return [join_sentences(group, size) for group in _groups(read_sentences(text), size)]


def _joined_drss(text: str) -> list[str]:
    groups = _groups(read_clauses(text), DRS_DOCUMENT)
    return [f"% ::id {k}\n{join_clauses(group)}" for k, group in enumerate(groups, start=1)]


def _groups(things: Sequence[_Thing], size: int) -> Iterator[list[_Thing]]:
    """Yield groups of *size*; an incomplete last group is dropped."""
    for start in range(0, len(things) - size + 1, size):
        yield list(things[start : start + size])


def _unfinished(system: Path, gold: Path) -> Iterator[tuple[str, str]]:
    """Yield the pairs of sentences that presolve does not solve."""
    texts = [read_sentences(path.read_text("utf-8-sig")) for path in (system, gold)]
    for pair, ours, theirs in zip(pairs(system, gold), *texts, strict=True):
        problem = compare(pair, metric_of(system)).problem
        if presolve(problem, Deadline()).problem.n_terms:
            yield ours.graph, theirs.graph
