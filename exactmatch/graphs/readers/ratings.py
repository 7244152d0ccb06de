"""Read human ratings: numbers in the order of the gold standard, or identifier, tab, number.

The first line may be a header, whose last word is in letters. The file may be compressed with gzip.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike

from exactmatch.errors import InputError
from exactmatch.graphs.readers.source import read_lines, source_name


@dataclass(frozen=True, slots=True)
class Ratings:
    """The ratings of a file, in its order; *digest* is its SHA-256.

    identifiers: the identifiers of the rated items, None if the file has none. lines: the line of
    each rating.
    """

    path: str
    digest: str
    values: Sequence[float]
    identifiers: Sequence[str] | None
    lines: Sequence[int]


def read_ratings(path: str | PathLike[str]) -> Ratings:
    """Read ratings. Raises `InputError`, with the line, for a malformed file."""
    whole = sha256()
    lines, name = read_lines(path, watch=whole.update), source_name(path)
    texts = ((number, _text(line, name, number)) for number, line in enumerate(lines, start=1))
    rows = [(number, text.split("\t")) for number, text in texts if text.strip()]
    if rows and rows[0][0] == 1 and _is_title(rows[0][1][-1]):
        del rows[0]
    if not rows:
        raise InputError(f"{name}: holds no rating")
    width = len(rows[0][1])
    if width > 2:
        raise InputError(
            f"{name}:{rows[0][0]}: {width} columns; expected a rating, or identifier, tab, rating"
        )
    values: list[float] = []
    first: dict[str, int] = {}
    for number, cells in rows:
        if len(cells) != width:
            raise InputError(f"{name}:{number}: {len(cells)} columns, but {width} before")
        value = _number(cells[-1])
        if value is None:
            raise InputError(f"{name}:{number}: {cells[-1].strip()!r} is no rating")
        identifier = cells[0].strip() if width == 2 else str(number)
        if first.setdefault(identifier, number) != number:
            raise InputError(
                f"{name}:{number}: {identifier} is rated twice, first in line {first[identifier]}"
            )
        values.append(value)
    return Ratings(
        name, whole.hexdigest(), values, [*first] if width == 2 else None, [*first.values()]
    )


def _text(line: bytes, name: str, number: int) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = f"byte 0x{line[error.start]:02x}"
        raise InputError(f"{name}:{number}: {byte} is not UTF-8; convert the file") from error


def _is_title(text: str) -> bool:
    """Tell the title of a column from a rating, also from a malformed one (4,5; -; nan)."""
    try:
        float(text)
    except ValueError:
        return any(letter.isalpha() for letter in text)
    return False


def _number(text: str) -> float | None:
    """Return a finite number, None for anything else."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
