"""Tables of credits: the degree to which two different values of one role match.

A row (role, value, value, credit) says that two triples of this role match with this credit, from 0
to 1, if they have these values, in either order, at nodes that are mapped to each other. The role
``instance`` stands for concepts. Roles and values are compared as the metric compares those of
graphs. A table is one more way of similar labels (`AlignmentMetric.similar`), so all proofs hold.

A triple matches at most one other. So if a node has several values that credits link, directly or
through further values, none of them matches in part anywhere in this pair of graphs.

The named table ``umr-lattices-2024`` holds the lattices of the guidelines of UMR for aspect, modal
strength, person and number. The head of the file gives its source and its rule.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import gcd
from typing import NamedTuple

from exactmatch.errors import InputError, shown
from exactmatch.metrics.triples import Label, NormalisedTriple, Similar

#: The tables of the package.
NAMED: Sequence[str] = ("umr-lattices-2024",)

#: The role that stands for concepts.
INSTANCE = "instance"

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


@dataclass(frozen=True, slots=True)
class LabelCredits:
    """The credits of a table between the labels of a metric.

    alike: for each label of the table, its similar labels with the value of a match. group: the
    number of the group of labels that credits link, directly or through others.
    """

    alike: Mapping[Label, Mapping[Label, int]]
    group: Mapping[Label, int]

    @classmethod
    def of(
        cls, credits: Credits, scale: int, labelled: Callable[[str, str], Sequence[Label]]
    ) -> "LabelCredits":
        """Return the credits between labels; *labelled* returns those of a role with a value.

        *scale* is the value of a full match. If several rows are about the same two labels, the
        highest credit counts.
        """
        alike: dict[Label, dict[Label, int]] = {}
        for role, one, other, parts in credits.rows:
            worth = parts * scale // PARTS
            for left, right in zip(labelled(role, one), labelled(role, other), strict=False):
                if left != right:
                    for label, its_other in ((left, right), (right, left)):
                        known = alike.setdefault(label, {})
                        known[its_other] = max(worth, known.get(its_other, 0))
        return cls(alike, _groups(alike))

    @property
    def kinds(self) -> Sequence[str]:
        """The kinds of triples that may match in part."""
        return [*dict.fromkeys(label[0] for label in self.alike)]

    def between(
        self, system: Iterable[NormalisedTriple], gold: Iterable[NormalisedTriple]
    ) -> Similar:
        """Return the values of similar labels of two graphs."""
        ours = self._without_others(system)
        theirs = self._without_others(gold) if ours else set()
        return {
            (label, other): worth
            for label in sorted(ours)
            for other, worth in self.alike[label].items()
            if other in theirs
        }

    def _without_others(self, triples: Iterable[NormalisedTriple]) -> set[Label]:
        """Return the labels of the table that no node has beside another of their group."""
        first: dict[tuple[int, tuple[str, ...]], Label] = {}
        found: set[Label] = set()
        beside: set[Label] = set()
        for label, variables in triples:
            group = self.group.get(label)
            if group is not None:
                found.add(label)
                known = first.setdefault((group, variables), label)
                if known != label:
                    beside |= {known, label}
        return found - beside


def _groups(alike: Mapping[Label, Iterable[Label]]) -> dict[Label, int]:
    """Return the number of the group of each label; labels that are alike share a group."""
    group: dict[Label, int] = {}
    for number, start in enumerate(alike):
        waiting = [start]
        while waiting:
            label = waiting.pop()
            if label not in group:
                group[label] = number
                waiting += alike[label]
    return group


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
