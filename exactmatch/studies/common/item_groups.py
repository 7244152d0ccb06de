"""Groups of items: the sentences of a session, a genre or a document, which make one score."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from exactmatch.errors import InputError, near_names
from exactmatch.graphs.items import NOWHERE, Study
from exactmatch.graphs.readers.detect import metadata
from exactmatch.graphs.readers.group_file import GroupFile, read_groups
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.sides import path_text


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups of the items of a study.

    names: the names, in the order of their first items. of_items: for each item, the position of
    its group.
    """

    names: Sequence[str]
    of_items: Sequence[int]


class AskedGroups(NamedTuple):
    """Groups that were asked for by a *key* of comments or by a *file*; the other is None."""

    groups: Groups
    key: str | None
    file: GroupFile | None

    @property
    def read(self) -> list[tuple[str, str]]:
        """The path and the digest of the file of groups, if there is one."""
        return [] if self.file is None else [(self.file.path, self.file.sha256)]


def asked_groups(study: Study, group_by: StrPath) -> AskedGroups:
    """Return the groups that ``::`` and a key of comments name, or the file at a path.

    Raises as `path_text`, `groups_by_key`, `read_groups` and `groups_of_file` do.
    """
    text = path_text(group_by)
    if text.startswith("::"):
        key = text.removeprefix("::")
        return AskedGroups(groups_by_key(study, key), key, None)
    file = read_groups(text)
    return AskedGroups(groups_of_file(study, file), None, file)


def groups_of_file(study: Study, file: GroupFile) -> Groups:
    """Return the groups of *file*. Raises `InputError` for an item that it does not name."""
    lacking = [name for name in study.names if name not in file.groups]
    if lacking:
        have = "item has" if len(lacking) == 1 else "items have"
        said = f"{file.path}: {len(lacking)} {have} no group; the first is {lacking[0]}"
        raise InputError(f"{said}.{near_names(lacking[0], file.groups)}".removesuffix("."))
    return _numbered([file.groups[name] for name in study.names])


def groups_by_key(study: Study, key: str) -> Groups:
    """Return the groups that graphs name in their comments (``# ::key group``).

    One graph of each item is enough. Raises `InputError` if none names a group, and if two name
    different ones.
    """
    return _numbered([_said(study, item, key) for item in range(len(study.names))])


def _said(study: Study, item: int, key: str) -> str:
    """Return the group of an item."""
    first_said: dict[str, str] = {}  # the first place of each group
    places = []
    for where, said in _comments(study, item):
        places.append(where)
        if said.get(key):
            first_said.setdefault(said[key], where)
    if not first_said:
        raise InputError(f"{places[0]}: no comment of item {study.names[item]} says ::{key}")
    (group, where), *others = first_said.items()
    for other, place in others:
        raise InputError(
            f"{place}: item {study.names[item]} has ::{key} {other}, but {group} at {where}"
        )
    return group


def _comments(study: Study, item: int) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the place and the comments of each graph of an item."""
    for source in study.sources:
        place = study.places[source.name][item]
        if place != NOWHERE:
            yield source.texts.where(place), metadata(source.texts[place])


def _numbered(labels: Sequence[str]) -> Groups:
    names = list(dict.fromkeys(labels))
    positions = {name: k for k, name in enumerate(names)}
    return Groups(names, [positions[label] for label in labels])
