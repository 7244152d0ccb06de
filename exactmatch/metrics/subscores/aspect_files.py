"""Files about subscores: aspects in TOML, and tables of frames.

A table of frames gives, for roles of a frame, other roles of the same meaning: each line has a
concept, one of its roles, and the role that stands for it (``go-02 ARG4 destination``); lines that
start with ``#`` are comments. Roles are written with or without colon, and letter case does not
matter in either file.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from exactmatch.errors import InputError
from exactmatch.graphs.readers.source import read_lines, source_name
from exactmatch.metrics.subscores.aspects import Aspect


@dataclass(frozen=True, slots=True)
class Frames:
    """Roles by concept and role, in lower case; *digest* identifies the table."""

    digest: str
    table: Mapping[tuple[str, str], str] = field(repr=False, compare=False)

    def role(self, concept: str, role: str) -> str | None:
        """Return the role that stands for *role* of *concept*; None if the table has none."""
        return self.table.get((concept.lower(), role.lower()))


_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

#: The keys of an aspect, and the types of their values.
_KINDS: Mapping[str, type] = {
    "title": str,
    "roles": list,
    "concepts": list,
    "reentrant": bool,
    "context": int,
    "parents": bool,
    "predicates": bool,
}


def read_frames(path: str | PathLike[str]) -> Frames:
    """Read a table of frames. Raises `InputError`, with the line, for a malformed file."""
    lines, name = read_lines(path), source_name(path)
    table: dict[tuple[str, str], str] = {}
    for number, raw in enumerate(lines, start=1):
        words = _text(raw, f"{name}:{number}").lower().split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 3:
            raise InputError(
                f"{name}:{number}: {len(words)} words, expected a concept, its role and another"
            )
        concept, role, other = words[0], words[1].lstrip(":"), words[2].lstrip(":")
        if table.setdefault((concept, role), other) != other:
            raise InputError(f"{name}:{number}: {concept} has another role for {role} before")
    if not table:
        raise InputError(f"{name}: holds no frame")
    return Frames(lines.digest(), table)


def read_aspects(path: str | PathLike[str]) -> tuple[Mapping[str, Aspect], str]:
    """Read aspects by name, and return them with the digest of their file.

    Raises `InputError` for a file without aspects, or with unknown keys.
    """
    import tomllib

    lines, name = read_lines(path), source_name(path)
    try:
        return _aspects(tomllib.loads(_text(lines.whole(), name)), name), lines.digest()
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name}: {error}") from error
    except RecursionError:
        raise InputError(f"{name}: nested too deeply") from None
    except ValueError:  # Python's message on integers with thousands of digits
        raise InputError(f"{name}: a number with too many digits") from None


def _aspects(content: dict[str, Any], name: str) -> Mapping[str, Aspect]:
    tables = content.pop("aspects", None)
    if content or not isinstance(tables, dict) or not tables:
        raise InputError(f"{name}: expected tables [aspects.NAME], and nothing else")
    return {called: _aspect(called, says, name) for called, says in tables.items()}


def _aspect(called: str, says: Any, name: str) -> Aspect:
    where = f"{name}: aspect {called!r}"
    if not _NAME.fullmatch(called):
        raise InputError(f"{where}: a name has lower-case letters and digits, with hyphens between")
    if not isinstance(says, dict):
        raise InputError(f"{where}: expected a table")
    for key, value in says.items():
        if key not in _KINDS:
            raise InputError(f"{where}: there is no key {key!r}; the keys are {', '.join(_KINDS)}")
        if type(value) is not _KINDS[key]:
            raise InputError(f"{where}: {key} is {value!r}, expected {_KINDS[key].__name__}")
    if not (says.get("roles") or says.get("concepts") or says.get("reentrant")):
        raise InputError(f"{where}: it has neither roles nor concepts, and is not reentrant")
    if says.get("context", 0) < 0:
        raise InputError(f"{where}: context is {says['context']}")
    words = {key: _lowered(says.get(key, []), where, key) for key in ("roles", "concepts")}
    others = {key: value for key, value in says.items() if key not in (*words, "title")}
    return Aspect(
        says.get("title", called),
        frozenset(role.lstrip(":") for role in words["roles"]),
        frozenset(words["concepts"]),
        framed=True,
        **others,
    )


def _lowered(given: list[Any], where: str, key: str) -> list[str]:
    for word in given:
        if not isinstance(word, str) or not word.strip(":"):
            raise InputError(f"{where}: {key} has {word!r}, expected a string")
    return [word.lower() for word in given]


def _text(raw: bytes, where: str) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = f"byte 0x{raw[error.start]:02x}"
        raise InputError(f"{where}: {byte} is not UTF-8; convert the file") from error
