"""Join every K consecutive DRSs of a file of clauses into one.

    python benchmarks/join_clauses.py K INPUT OUTPUT

Documents are the large system cases of the benchmark. Variables are renamed apart and comments are
left out; all other words stay as they were.
"""

from __future__ import annotations

import re
from pathlib import Path

from join import run

_COMMENT = re.compile(r"(?<!\S)%.*")
#: The word after the box; it is no variable even if it is spelled like one.
_RELATION = 1


def join_file(source: Path, target: Path, size: int) -> int:
    """Write the joined DRSs of one file to another, and return how many there are."""
    drss = read_clauses(source.read_text(encoding="utf-8-sig"))
    groups = [drss[i : i + size] for i in range(0, len(drss), size)]
    documents = [
        f"% ::id {number}x{size}\n{join_clauses(group)}" for number, group in enumerate(groups, 1)
    ]
    target.write_text("\n".join(documents), encoding="utf-8")
    return len(documents)


def read_clauses(text: str) -> list[list[list[str]]]:
    """Return the words of the clauses of each DRS; blocks that have only comments are no DRSs."""
    blocks = [
        [words for line in block.splitlines() if (words := _COMMENT.sub("", line).split())]
        for block in re.split(r"\n\s*\n", text)
    ]
    return [clauses for clauses in blocks if clauses]


def join_clauses(drss: list[list[list[str]]]) -> str:
    """Return one DRS of several, one clause a line."""
    return "".join(
        " ".join(rename_variables(words, f"s{number}_")) + "\n"
        for number, clauses in enumerate(drss, start=1)
        for words in clauses
    )


def rename_variables(words: list[str], prefix: str) -> list[str]:
    """Return a clause in which every variable has the prefix."""
    return [
        word if position == _RELATION or word.startswith('"') else prefix + word
        for position, word in enumerate(words)
    ]


if __name__ == "__main__":
    run("DRSs", join_file)
