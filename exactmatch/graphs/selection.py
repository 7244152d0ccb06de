"""Select the pairs of a corpus to score: by identifier, and by conditions."""

import operator
import os
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, NamedTuple, Self, TypeAlias

from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.pairing import Couple, GraphPair, Skipped
from exactmatch.graphs.readers.source import read_lines, source_name
from exactmatch.graphs.unicode_form import nfc

#: The fields of conditions: those known before a pair is read, and those of its graphs.
_OF_COUPLES: dict[str, Callable[[Couple], str | int]] = {
    "id": lambda couple: couple.identifier,
    "position": lambda couple: couple.position,
}
_OF_PAIRS: dict[str, Callable[[GraphPair], str | int]] = {
    "framework": lambda pair: pair.framework,
    "system_variables": lambda pair: len(pair.system.variables),
    "gold_variables": lambda pair: len(pair.gold.variables),
    "system_triples": lambda pair: len(pair.system.triples),
    "gold_triples": lambda pair: len(pair.gold.triples),
}
#: The fields of a condition, as texts and as numbers.
TEXTS: Sequence[str] = ("id", "framework")
NUMBERS: Sequence[str] = [name for name in (*_OF_COUPLES, *_OF_PAIRS) if name not in TEXTS]

_CONDITION = r"(?s)\s*(\w+)\s*(!=|<=|>=|=|<|>|~)\s*(.*?)\s*"
_OF_TEXT: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "~": lambda text, pattern: re.search(pattern, text) is not None,
}
_OF_NUMBERS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
#: A comma before another condition; other commas are part of a value.
_NEXT = rf",(?=\s*(?:{'|'.join((*TEXTS, *NUMBERS))})\s*(?:!=|[<>]=?|[=~]))"

#: Identifiers of pairs, or a file of them; None are all.
Ids: TypeAlias = Iterable[str] | PathLike[str] | None


class Condition(NamedTuple):
    """A condition on a pair: its *field* compared with *value* by an *operator*."""

    field: str
    operator: str
    value: str | int

    @classmethod
    def of(cls, text: str) -> Self:
        """Read a condition, such as ``gold_variables<=20``. Raises `UsageError` for other text."""
        match = re.fullmatch(_CONDITION, text)
        if match is None or match[1] not in (*TEXTS, *NUMBERS):
            raise UsageError(
                f"{text!r} is no condition: compare {', '.join(TEXTS)} by =, !=, ~, and "
                f"{', '.join(NUMBERS)} by =, !=, <, <=, >, >="
            )
        field, sign, value = match.groups()
        if sign not in (_OF_TEXT if field in TEXTS else _OF_NUMBERS):
            raise UsageError(f"{text!r}: {field} cannot be compared by {sign}")
        if field not in TEXTS:
            if not re.fullmatch(r"-?[0-9]{1,18}", value):
                raise UsageError(f"{text!r}: {value!r} is no whole number")
            return cls(field, sign, int(value))
        if sign == "~":
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", FutureWarning)
                    re.compile(value)
            except (re.error, OverflowError, RecursionError) as error:
                raise UsageError(f"{text!r}: no regular expression: {error}") from error
        return cls(field, sign, value)

    def holds(self, value: str | int) -> bool:
        """Tell whether it holds for a pair whose field is *value*."""
        compare = (_OF_TEXT if self.field in TEXTS else _OF_NUMBERS)[self.operator]
        return compare(value, self.value)


def listed_conditions(text: str) -> list[str]:
    """Return the conditions of a list with commas."""
    return re.split(_NEXT, text)


class Selection(NamedTuple):
    """The pairs that have one of *ids* (None: any) and meet all *conditions*."""

    ids: frozenset[str] | None = None
    conditions: tuple[Condition, ...] = ()

    @classmethod
    def of(cls, ids: Ids, where: Sequence[str]) -> Self:
        """Return the selection of identifiers (or a file of them) and of conditions as text.

        Raises `InputError` for a file that cannot be read, and `UsageError` for other types.
        """
        named = read_ids(ids) if isinstance(ids, PathLike) else ids
        return cls(
            None if named is None else frozenset(map(nfc, _texts(named, "ids"))),
            tuple(Condition.of(text) for text in _texts(where, "where")),
        )

    def may_take(self, couple: Couple) -> bool:
        """Tell whether a pair may be selected, as far as is known before it is read."""
        return (self.ids is None or couple.identifier in self.ids) and all(
            one.holds(_OF_COUPLES[one.field](couple))
            for one in self.conditions
            if one.field in _OF_COUPLES
        )

    def takes(self, pair: GraphPair | Skipped) -> bool:
        """Tell whether a pair that may be selected is selected, now that it has been read.

        An unreadable pair is selected, so that it is counted as skipped.
        """
        return isinstance(pair, Skipped) or all(
            one.holds(_OF_PAIRS[one.field](pair))
            for one in self.conditions
            if one.field in _OF_PAIRS
        )


def _texts(given: object, name: str) -> list[str]:
    """Return the texts of *given*. Raises `UsageError` for anything else, also a single text."""
    if isinstance(given, Iterable) and not isinstance(given, str):
        listed = list(given)
        texts = [text for text in listed if isinstance(text, str)]
        if len(texts) == len(listed):
            return texts
    raise UsageError(f"{name}: a list of texts is expected, not {given!r}")


def read_ids(path: PathLike[str]) -> list[str]:
    """Return the identifiers in a file, one a line; empty lines and comments (#) are skipped.

    Raises `InputError` if the file cannot be read.
    """
    if not os.path.exists(path):  # noqa: PTH110  (Path.exists raises an error for a long name)
        raise InputError(
            f"{source_name(path)}: No such file or directory (a file of identifiers, one a line; "
            'to select a pair by its identifier: --where id=NAME, in Python where="id=NAME")'
        )
    ids = []
    for number, raw in enumerate(read_lines(path), start=1):
        try:
            line = raw.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            raise InputError(f"{source_name(path)}:{number}: not UTF-8") from error
        if line and not line.startswith("#"):
            ids.append(line)
    return ids
