"""Join every K consecutive DRSs of a file of clauses into one.

    python benchmarks/join_clauses.py K INPUT OUTPUT

Documents are the large test cases of the benchmark. Variables are renamed apart and comments are
left out; all other words stay as they were.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

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
    """Return the words of the clauses of each DRS; blocks of nothing but comments are none."""
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


def group_size(text: str) -> int:
    """Read the number of DRSs per document from the command line."""
    size = int(text)
    if size < 2:
        raise argparse.ArgumentTypeError("at least 2 DRSs make a document")
    return size


def main() -> None:
    """Join the DRSs of the file named on the command line."""
    parser = argparse.ArgumentParser(description="Join consecutive DRSs into documents.")
    parser.add_argument("size", metavar="K", type=group_size, help="DRSs per document")
    parser.add_argument("source", metavar="INPUT", type=Path)
    parser.add_argument("target", metavar="OUTPUT", type=Path)
    arguments = parser.parse_args()
    try:
        count = join_file(arguments.source, arguments.target, arguments.size)
    except (OSError, ValueError) as error:
        sys.exit(f"join_clauses.py: {error}")
    print(f"{count} documents", file=sys.stderr)


if __name__ == "__main__":
    main()
