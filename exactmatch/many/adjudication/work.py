"""Work files: who decided what, and when.

What somebody decides later goes over what the same person decided before. Where two people differ,
that is a conflict, until somebody who has seen both decides: that decision names those that it is
*over*. Nothing is ever taken out.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from exactmatch.errors import InputError
from exactmatch.graphs.readers.source import read_whole
from exactmatch.many.adjudication.item import Item
from exactmatch.many.adjudication.result import ADD, DROP, NEITHER, NEW, is_addition, is_new

#: The version of work files.
WORK_SCHEMA = 1
#: What stands for a difference where somebody says that an item is finished.
FINISHED = "finished"
_KEYS = ("item", "difference", "who", "when")


class Entry(NamedTuple):
    """What somebody decided or noted of a difference of an item, and when.

    choice: None takes a decision back. words: the same for people. note: None where this is a
    decision. over: whose decisions of which time it settles.
    """

    item: str
    difference: str
    who: str
    when: str
    choice: Any = None
    words: str = ""
    note: str | None = None
    over: tuple[tuple[str, str], ...] = ()

    def content(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        found: dict[str, Any] = {key: getattr(self, key) for key in _KEYS}
        if self.note is not None:
            return {**found, "note": self.note}
        found |= {"choice": self.choice, "words": self.words}
        return {**found, "over": [list(one) for one in self.over]} if self.over else found


@dataclass(frozen=True)
class WorkFile:
    """What was decided of a batch, which its *digest* names."""

    digest: str
    entries: Sequence[Entry]

    def text(self) -> str:
        """Return the text of the file."""
        content = {
            "schema": WORK_SCHEMA,
            "batch": self.digest,
            "entries": [entry.content() for entry in self.entries],
        }
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


class Conflict(NamedTuple):
    """Decisions of one difference that do not say the same."""

    item: str
    difference: str
    entries: Sequence[Entry]

    @property
    def words(self) -> str:
        """Who says what of which difference."""
        said = "; ".join(
            f"{entry.who} says {entry.words or entry.choice}" for entry in self.entries
        )
        return f"{self.difference}: {said}"


def read_work(path: Path) -> WorkFile:
    """Return the work in a file. Raises `InputError` if it is none."""
    try:
        return _work(json.loads(read_whole(path), object_pairs_hook=_once))
    except _WorkError as error:
        raise InputError(f"{path}: {error}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: no work file: {error}") from error


def is_work(path: Path) -> bool:
    """Tell whether the file at *path* is a work file, of any batch."""
    try:
        read_work(path)
    except InputError:
        return False
    return True


def _work(content: Any) -> WorkFile:
    if not isinstance(content, dict) or "schema" not in content:
        raise _WorkError("no work file: it has no schema")
    if content["schema"] != WORK_SCHEMA:
        raise _WorkError(f"schema {content['schema']!r}, and this program has {WORK_SCHEMA}")
    digest, entries = content.get("batch"), content.get("entries")
    if not isinstance(digest, str) or not isinstance(entries, list):
        raise _WorkError("no work file: it has no batch or no entries")
    return WorkFile(digest, [_entry(entry) for entry in entries])


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON. Raises `ValueError` for a repeated key: either value may count."""
    found = dict(pairs)
    if len(found) < len(pairs):
        ((repeated, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"an object has the key {json.dumps(repeated)} twice")
    return found


class _WorkError(Exception):
    """Why a work file, or an entry of it, is none."""


def _entry(content: Any) -> Entry:
    shown = json.dumps(content, ensure_ascii=False)[:80]
    if not isinstance(content, dict) or not all(isinstance(content.get(k), str) for k in _KEYS):
        raise _WorkError(f"an entry lacks one of {', '.join(_KEYS)}: {shown}")
    if not is_encodable(content):
        raise _WorkError(f"an entry has half of a character (a lone surrogate): {shown!a}")
    item, difference, who, when = (str(content[key]) for key in _KEYS)
    if not _is_time(when):
        raise _WorkError(f"a time is not like 2026-01-31T12:00:00.000Z: {shown}")
    if "note" in content:
        if not isinstance(content["note"], str):
            raise _WorkError(f"a note is no text: {shown}")
        return Entry(item, difference, who, when, note=content["note"])
    over, words = content.get("over", []), content.get("words", "")
    is_choice = "choice" in content and _is_choice(content["choice"])
    if not is_choice or not _is_over(over) or not isinstance(words, str):
        raise _WorkError(f"an entry has no choice, or words or over that are none: {shown}")
    settled = tuple((str(one), str(then)) for one, then in over)
    return Entry(item, difference, who, when, content["choice"], words, None, settled)


def is_encodable(content: Any) -> bool:
    """Tell whether UTF-8 can say it; JSON can escape what it cannot."""
    try:
        json.dumps(content, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_time(when: str) -> bool:
    """Tell whether this is a time as the page writes it: such times are in order as texts."""
    try:
        time = datetime.strptime(when, "%Y-%m-%dT%H:%M:%S.%fZ")
    except ValueError:
        return False
    return f"{time.isoformat(timespec='milliseconds')}Z" == when


def _is_choice(choice: Any) -> bool:
    """Tell whether this can be a choice in some batch."""
    said = choice[NEW] if isinstance(choice, dict) and [*choice] == [NEW] else choice
    return said is None or isinstance(said, int | str)


def _is_over(over: Any) -> bool:
    """Tell whether this names decisions, each by who and when."""
    return isinstance(over, list) and all(
        isinstance(one, list) and len(one) == 2 and all(isinstance(part, str) for part in one)
        for one in over
    )


def check_work(work: WorkFile, digest: str, items: Mapping[str, Item], name: str) -> None:
    """Raise `InputError` if *work* is of another batch, or decides what the batch does not have."""
    if work.digest != digest:
        raise InputError(
            f"{name}: of another batch ({work.digest[:12]}), not of this one ({digest[:12]}): "
            "other graphs, or other choices"
        )
    known = {key: {one.id: one for one in item.differences} for key, item in items.items()}
    for entry in work.entries:
        if entry.item not in items:
            raise InputError(f"{name}: the batch has no item {entry.item}")
        if entry.note is None and not _is_possible(entry, items[entry.item], known[entry.item]):
            raise InputError(
                f"{name}: {entry.item} has no difference {entry.difference}, or no such choice of "
                f"it: {json.dumps(entry.choice, ensure_ascii=False)[:80]}"
            )


def _is_possible(entry: Entry, item: Item, differences: Mapping[str, Any]) -> bool:
    key, choice = entry.difference, entry.choice
    if key == FINISHED or key.startswith((ADD, DROP)):
        is_known = key == FINISHED or (
            is_addition(key.removeprefix(ADD))
            if key.startswith(ADD)
            else bool(key.removeprefix(DROP))
        )
        return is_known and (choice is None or choice is True)
    one = differences.get(key)
    if one is None:
        return False
    if isinstance(choice, dict):
        said = choice.get(NEW)
        return len(choice) == 1 and isinstance(said, str) and is_new(item, one, said)
    if type(choice) is int:
        return 0 <= choice < len(one.options)
    return choice is None or choice == NEITHER


def in_force(entries: Iterable[Entry]) -> dict[tuple[str, str], list[Entry]]:
    """Return the decisions that count, by item and difference: several where people differ.

    A decision settles only earlier ones, so the last one always counts.
    """
    found: dict[tuple[str, str], dict[str, Entry]] = {}
    over: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for entry in in_order(entries):
        if entry.note is None:
            key = entry.item, entry.difference
            found.setdefault(key, {})[entry.who] = entry
            earlier = (one for one in entry.over if one[1] < entry.when)
            over.setdefault(key, set()).update(earlier)
    counted = {}
    for key, by_person in found.items():
        left = [entry for who, entry in by_person.items() if (who, entry.when) not in over[key]]
        counted[key] = sorted(left, key=lambda entry: (entry.when, entry.who))
    return counted


def latest_by_person(entries: Iterable[Entry]) -> dict[tuple[str, str], dict[str, Entry]]:
    """Return what each person decided last, by item and difference."""
    found: dict[tuple[str, str], dict[str, Entry]] = {}
    for entry in in_order(entries):
        if entry.note is None:
            found.setdefault((entry.item, entry.difference), {})[entry.who] = entry
    return found


def in_order(entries: Iterable[Entry]) -> list[Entry]:
    """Return *entries* in the order of time."""
    return sorted(entries, key=lambda entry: (entry.when, entry.who, entry_key(entry)))


def entry_key(entry: Entry) -> str:
    """Return the whole content of an entry, by which equal ones are known."""
    return json.dumps(entry.content(), sort_keys=True)


def conflicts(entries: Iterable[Entry]) -> list[Conflict]:
    """Return where people differ. Whether an item is finished is what somebody said last."""
    return [
        Conflict(*key, counted)
        for key, counted in in_force(entries).items()
        if key[1] != FINISHED
        and len({json.dumps(entry.choice, sort_keys=True) for entry in counted}) > 1
    ]
