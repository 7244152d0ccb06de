"""Tables of credits: the degree to which two different values of one role match.

A row (role, value, value, credit) says that two triples of this role match with this credit, from 0
to 1, if they have these values, in either order, at nodes that are mapped to each other. The role
``instance`` stands for concepts. Roles and values are compared as the metric compares those of
graphs. A table is one more way of similar labels (`AlignmentMetric.similar`), so all proofs hold.

A triple matches at most one other. So if a node has several values that credits link, directly or
through further values, none of them matches in part anywhere in this graph.

The named table ``umr-lattices-2024`` holds the lattices of the guidelines of UMR for aspect, modal
strength, person and number. The head of the file gives its source and its rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from math import gcd
from typing import NamedTuple

from exactmatch.errors import InputError, shown

#: The tables of the package.
NAMED: Sequence[str] = ("umr-lattices-2024",)

#: Credits are whole multiples of one part in so many.
PARTS = 1000


class Credit(NamedTuple):
    """A row of a table; *parts* of 1000 count."""

    role: str
    one: str
    other: str
    parts: int


@dataclass(frozen=True, slots=True)
class Credits:
    """The *rows* that give any credit; *digest* identifies the table.

    scale: the value of a full match, with which all credits are whole numbers.
    """

    digest: str
    rows: Sequence[Credit] = field(repr=False, compare=False)
    scale: int

    def __bool__(self) -> bool:
        """Tell whether any two values match in part."""
        return bool(self.rows)


def parse_credits(lines: Sequence[bytes], name: str) -> Credits:
    """Return the table of these lines.

    Raises `InputError`, with *name* and the line, for a malformed row.
    """
    import hashlib

    from exactmatch.graphs.readers.graph_lines import is_graph_line

    table: dict[tuple[str, str, str], int] = {}
    for number, raw in enumerate(lines, start=1):
        where = f"{name}:{number}"
        if is_graph_line(raw):
            raise InputError(f"{where}: holds graphs; expected a table of credits")
        try:
            text = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
        except UnicodeDecodeError as error:
            byte = f"byte 0x{raw[error.start]:02x}"
            raise InputError(f"{where}: {byte} is not UTF-8; convert the file") from error
        if text and not text.startswith("#"):
            role, one, other, parts = _row(text, where)
            known = table.setdefault((role, min(one, other), max(one, other)), parts)
            if known != parts:
                raise InputError(
                    f"{where}: {shown(one)} and {shown(other)} have credit {parts / PARTS} here, "
                    f"but {known / PARTS} before"
                )
    rows = tuple(
        Credit(role, one, other, parts)
        for (role, one, other), parts in table.items()
        if parts and one != other
    )
    scale = PARTS // gcd(PARTS, *(row.parts for row in rows))
    return Credits(hashlib.sha256(b"\n".join(lines)).hexdigest(), rows, scale)


def _row(text: str, where: str) -> Credit:
    """Return the row of a line, which *where* names."""
    words = [word.strip() for word in text.split("\t")] if "\t" in text else text.split()
    if len(words) == 4:
        words[0] = words[0].removeprefix(":")
    if len(words) != 4 or not all(words):
        raise InputError(
            f"{where}: {shown(text)!r}: expected a role, two values and a credit, with tabs or "
            "blanks between"
        )
    role, one, other, credit = words
    parts = _parts(credit, where)
    if one == other and parts != PARTS:
        raise InputError(f"{where}: {shown(one)} has credit {credit} with itself; that is always 1")
    return Credit(role, one, other, parts)


def _parts(text: str, where: str) -> int:
    """Return a credit in parts of 1000."""
    from exactmatch.graphs.readers.source import fraction

    try:
        parts = fraction(text) * PARTS
    except (ValueError, ArithmeticError) as error:
        raise InputError(f"{where}: credit {text[:40]!r} is no number") from error
    if not 0 <= parts <= PARTS:
        raise InputError(f"{where}: credit {text} is not between 0 and 1")
    if parts.denominator != 1:
        raise InputError(f"{where}: credit {text} is not in thousandths; round it to three digits")
    return int(parts)


@cache
def named_credits(name: str) -> Credits:
    """Return a table that comes with the package."""
    from importlib import resources

    path = resources.files("exactmatch.metrics") / "umr" / f"{name}.tsv"
    return parse_credits(path.read_bytes().splitlines(), name)
