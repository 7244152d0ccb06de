"""Compare dataclasses by their fields with one method for all of them.

The methods that `dataclasses` makes for each class do the same, but making them for a class of many
fields takes longer than scoring a few sentences.
"""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from operator import attrgetter


class EqualByFields:
    """A base of dataclasses with ``eq=False``: equal are two of one class with equal fields.

    Fields with ``compare=False`` do not count.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        values = self._values()
        return bool(values(self) == values(other))

    def __hash__(self) -> int:
        return hash(self._values()(self))

    @classmethod
    @cache
    def _values(cls) -> Callable[[object], object]:
        """Return a function that returns the values of the fields that are compared."""
        return attrgetter(*(f.name for f in fields(cls) if f.compare))  # type: ignore[arg-type]
