"""Tables of reifications: roles, and the concepts with two roles that mean the same.

A rule (role, concept, source, target) says that ``(x :role y)`` is ``(z / concept :source x :target
y)``. A file has one rule a line, with tabs between its four words; lines that start with ``#`` are
comments. The first rule of a role expands it, and the first rule of a concept collapses it.

The named tables are facts about AMR, as in two programs:

* ``penman-1.3.1``: the module ``penman.models.amr`` of penman 1.3.1 (Goodman 2020), which follows
  the list of roles of the AMR editor.
* ``smatchpp-1.8``: the table of smatch++ 1.8.0 (Opitz 2023). It has ``have-degree-91`` where penman
  has ``have-degree-92``, and lacks ten roles. For ``poss`` it names ``have-03`` as well, but does
  not use it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from exactmatch.errors import InputError, shown

#: The tables of the package.
NAMED: Sequence[str] = ("penman-1.3.1", "smatchpp-1.8")


class Reification(NamedTuple):
    """A rule; roles are written without colon."""

    role: str
    concept: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class ReificationTable:
    """The *rules* in order; *digest* identifies the table."""

    digest: str
    rules: Sequence[Reification] = field(repr=False, compare=False)


def parse_table(lines: Sequence[bytes], name: str) -> ReificationTable:
    """Return the table of these lines.

    Raises `InputError`, with *name* and the line, for a malformed rule, and if there is no rule.
    """
    import hashlib

    rules = []
    for number, raw in enumerate(lines, start=1):
        try:
            text = raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            byte = f"byte 0x{raw[error.start]:02x}"
            raise InputError(f"{name}:{number}: {byte} is not UTF-8; convert the file") from error
        if not text.strip() or text.startswith("#"):
            continue
        words = [word.strip().removeprefix(":") for word in text.split("\t")]
        if len(words) != 4 or not all(words):
            raise InputError(
                f"{name}:{number}: {shown(text)!r}: expected a role, a concept, the role of the "
                "source and that of the target, with tabs between"
            )
        rule = Reification(*words)
        if rule.source == rule.target:
            raise InputError(
                f"{name}:{number}: source and target both have the role {shown(rule.source)}"
            )
        rules.append(rule)
    if not rules:
        raise InputError(f"{name}: holds no reification")
    digest = hashlib.sha256(b"\n".join(lines)).hexdigest()
    return ReificationTable(digest=digest, rules=tuple(rules))


@cache
def named_table(name: str) -> ReificationTable:
    """Return a table that comes with the package."""
    from importlib import resources

    path = resources.files("exactmatch.metrics.amr") / f"{name}.tsv"
    return parse_table(path.read_bytes().splitlines(), name)
