"""Tell the people of several work files apart, also those of one name.

Work files have names, and no other sign of a person. A person's later file holds what the earlier
one holds. So if, of two files, neither holds all entries that the other has under a name, the name
is that of two people: the second one gets a number (``Anna#2``). The page does the same, in
``report/pages/adjudication/people.js``.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from exactmatch.many.adjudication.work import Entry, WorkFile, entry_key, in_order

#: The number of a name that several people have.
_NUMBER = re.compile(r"#\d+$")
#: What does not count when names are compared.
_BLANKS = re.compile(r"[\s\ufeff]")
#: Names of so many letters are near each other if so many letters differ.
_NEAR = ((8, 2), (3, 1))
#: Longer names are near only if nothing but case and blanks differs: comparing letters takes time.
_LONGEST_NAME = 100


class Renamed(NamedTuple):
    """A person of the work at *place* (from 0), who has another name in what is merged."""

    place: int
    there: str
    here: str


class MergedEntries(NamedTuple):
    """The entries of several works, each once and in the order of time, and whose name changed."""

    entries: list[Entry]
    renamed: list[Renamed]


def merged_entries(works: Iterable[WorkFile]) -> MergedEntries:
    """Join several works of one batch; the names of the first one stay."""
    entries: dict[str, Entry] = {}
    held: dict[str, set[str]] = {}  # what each person said
    renamed: list[Renamed] = []
    for place, work in enumerate(works):
        names = _names_here(_said_by(work.entries), held)
        renamed += [Renamed(place, *both) for both in names.items() if both[0] != both[1]]
        for entry in work.entries:
            over = tuple((names.get(who, who), when) for who, when in entry.over)
            ours = entry._replace(who=names[entry.who], over=over)
            entries.setdefault(entry_key(ours), ours)
            held.setdefault(ours.who, set()).add(_said(entry))
    return MergedEntries(in_order(entries.values()), renamed)


def _said(entry: Entry) -> str:
    """Return an entry without the names of people."""
    return entry_key(entry._replace(who="", over=()))


def _said_by(entries: Iterable[Entry]) -> dict[str, set[str]]:
    """Return what each person of a work said, by name and in the order of the work."""
    found: dict[str, set[str]] = {}
    for entry in entries:
        found.setdefault(entry.who, set()).add(_said(entry))
    return found


def _names_here(said: Mapping[str, Set[str]], held: Mapping[str, Set[str]]) -> dict[str, str]:
    """Return the name of each person of a work beside those whose entries are *held*."""
    names: dict[str, str] = {}
    for name, ours in said.items():
        # The same name comes first: then nobody's name changes without need.
        for other in sorted(held, key=lambda one: (one != name, one)):
            is_one = held[other] <= ours or ours <= held[other]
            if is_one and _base(other) == _base(name) and other not in names.values():
                names[name] = other
                break
    for name in [one for one in said if one not in names]:
        names[name] = _free(name, {*held, *names.values(), *(said.keys() - names.keys() - {name})})
    return names


def _base(name: str) -> str:
    return _NUMBER.sub("", name)


def _free(name: str, taken: Set[str]) -> str:
    """Return *name*, with another number if others have *taken* it."""
    number = 2
    free = name
    while free in taken:
        free = f"{_base(name)}#{number}"
        number += 1
    return free


def near_people(people: Iterable[str]) -> list[list[str]]:
    """Return groups of names that differ in case, blanks or a few letters only.

    People of one name, of whom all but one have numbers, are known to be several.
    """
    names = sorted({*people})
    groups: list[list[str]] = []
    for base in sorted({_base(name) for name in names}):
        near = [group for group in groups if any(_are_near(base, other) for other in group)]
        groups = [group for group in groups if group not in near]
        groups.append([*(one for group in near for one in group), base])
    return [
        [name for name in names if _base(name) in group]
        for group in sorted(map(sorted, groups))
        if len(group) > 1
    ]


def _are_near(name: str, other: str) -> bool:
    one, two = _letters(name), _letters(other)
    shorter, longer = sorted((len(one), len(two)))
    most = next((most for least, most in _NEAR if shorter >= least), 0)
    if longer - shorter > most or longer > _LONGEST_NAME:
        return one == two
    return _changes(one, two) <= most


def _letters(name: str) -> str:
    return _BLANKS.sub("", unicodedata.normalize("NFKC", name).lower())


def _changes(one: str, other: str) -> int:
    """Return the least number of letters to add, drop or replace (Levenshtein's distance)."""
    row: list[int] = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        before, row[0] = row[0], i
        for j, theirs in enumerate(other, start=1):
            least = min(row[j] + 1, row[j - 1] + 1, before + int(letter != theirs))
            before, row[j] = row[j], least
    return row[-1]


def notes_on(found: MergedEntries, files: Sequence[str]) -> list[str]:
    """Return what is to be said of the people in *files*, whose works were joined."""
    people = {entry.who for entry in found.entries}
    return [
        *(
            f"{files[one.place]}: {_quoted(one.there)} is another person than the one before, and "
            f"called {_quoted(one.here)}: neither file has all entries of the other"
            if _base(one.there) == one.there
            else f"{files[one.place]}: {_quoted(one.there)} is called {_quoted(one.here)}"
            for one in found.renamed
        ),
        *(
            f"names that are near each other: {', '.join(map(_quoted, group))}; "
            "if they are one person, give the entries one name"
            for group in near_people(people)
        ),
    ]


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
