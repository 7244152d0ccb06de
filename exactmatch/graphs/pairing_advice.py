"""Say which way of pairing two files allow, and where their identifiers differ.

A message suggests the other way of pairing only if both files allow it. So they are read to the end
before it is suggested.
"""

from collections.abc import Iterable, Sequence

from exactmatch.errors import InputError

#: How messages suggest the other way of pairing, to people and to programs.
BY_IDENTIFIER = 'to pair by identifier: --pair-by id, in Python pair_by="id"'

BY_POSITION = 'to pair by position: --pair-by position, in Python pair_by="position"'

#: So many differing identifiers are named.
_NAMED = 2


class DifferingIdentifiers:
    """The pairs by position whose identifiers differ, since nobody asked to compare them."""

    def __init__(self) -> None:
        self.number = 0
        self._first: list[str] = []

    def add(self, identifiers: Iterable[str | None]) -> None:
        """Add the identifiers of the graphs of one pair, or of one item."""
        self.number += 1
        if len(self._first) < _NAMED:
            named = (identifier for identifier in identifiers if identifier is not None)
            self._first.append(" and ".join(dict.fromkeys(named)))

    def notes(self) -> list[str]:
        """Return a note with the number of pairs and the first of them; none if all agree."""
        if not self.number:
            return []
        first = "; ".join(self._first)
        return [f"paired by position, though identifiers differ ({self.number}): {first}"]


def differ(identifiers: Iterable[str | None]) -> bool:
    """Tell whether two of *identifiers* differ; None is no identifier."""
    return len({identifier for identifier in identifiers if identifier is not None}) > 1


def instead_of_position(names: Sequence[str], files: Sequence[Sequence[str | None]]) -> str:
    """Return the advice for files that cannot be paired by position with their identifiers checked.

    *files* are the identifiers of the graphs of each file, and *names* those of the files.
    """
    reason = _why_not_by_identifier(names, files)
    if reason is None:
        return BY_IDENTIFIER
    if len({len(identifiers) for identifiers in files}) == 1:
        return BY_POSITION
    return f"nor can they be paired by identifier: {reason}"


def _why_not_by_identifier(
    names: Sequence[str], files: Sequence[Sequence[str | None]]
) -> str | None:
    """Return why files cannot be paired by identifier; None if they can."""
    for name, identifiers in zip(names, files, strict=True):
        nameless = identifiers.count(None)
        if nameless:
            if nameless == len(identifiers):
                return f"no graph of {name} has an identifier, # ::id ..."
            return f"graphs of {name} without identifier, # ::id ...: {nameless}"
        if len(set(identifiers)) < len(identifiers):
            return f"in {name}, an identifier occurs twice"
    if not set.intersection(*map(set, files)):
        return f"no identifier is in {'both' if len(names) == 2 else 'all'} files"
    return None


def instead_of_identifier(names: Sequence[str], counts: Sequence[int]) -> str:
    """Return the advice for files that cannot be paired by identifier; *counts* are of graphs."""
    if len(set(counts)) == 1:
        return BY_POSITION
    numbers = ", ".join(f"{n} in {name}" for name, n in zip(names, counts, strict=True))
    return f"nor can they be paired by position: number of graphs: {numbers}"


def rest_of(graphs: Iterable[object]) -> int:
    """Return the number of graphs that are still to be read, as far as the file can be cut."""
    number = 0
    try:
        for _ in graphs:
            number += 1
    except InputError:
        pass
    return number
