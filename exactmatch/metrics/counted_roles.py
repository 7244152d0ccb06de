"""The roles whose values count: those of one list alone, if there is one, but for those of another.

Lists are text, with commas between names without colon.
"""

from collections.abc import Sequence
from typing import Any

from exactmatch.errors import UsageError

#: The parameters of a metric that are such lists.
PARAMETERS = ("only", "excluding")


def is_counted(role: str, only: str, excluding: str) -> bool:
    """Tell whether the values of a role count."""
    return (not only or role in only.split(",")) and role not in excluding.split(",")


def list_of_roles(value: object) -> str:
    """Return a list of roles as metrics hold it, sorted, from such text or a sequence of names.

    Raises `UsageError` for anything else.
    """
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, Sequence) or not all(isinstance(word, str) for word in words):
        raise UsageError(f"{value!r}: names of roles are expected, with commas between them")
    names = {word.strip().removeprefix(":") for word in words} - {""}
    if value and not names:
        raise UsageError(f"{value!r} names no role")
    return ",".join(sorted(names))


def take_lists(choices: dict[str, Any]) -> dict[str, str]:
    """Take the lists of roles out of *choices*, and return them as metrics hold them."""
    return {name: list_of_roles(choices.pop(name)) for name in PARAMETERS if name in choices}


def check_roles(only: str, excluding: str) -> None:
    """Raise `UsageError` if no role is left."""
    if only and not any(is_counted(role, only, excluding) for role in only.split(",")):
        raise UsageError("all that is to count is excluded")
