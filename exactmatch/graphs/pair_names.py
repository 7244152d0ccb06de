"""Which pair of many is meant, and which names are like one that no pair has."""

import re
from collections.abc import Callable, Iterable, Iterator

from exactmatch.errors import InputError
from exactmatch.graphs.pairing import Couple

_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
#: So many names are looked through for those that are like another, and so many are told.
_LOOKED_AT = 20_000
_TOLD = 3


class Names:
    """What pairs are called, the first ones of many."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def add(self, name: str) -> None:
        """Take the name of the next pair."""
        if len(self._names) < _LOOKED_AT:
            self._names.append(name)

    def beside(self, wanted: str) -> str:
        """Return *wanted*, which no pair is called, with the names that are like it."""
        from difflib import get_close_matches

        found = get_close_matches(wanted, self._names, _TOLD)
        return f"{wanted} (like it: {', '.join(found)})" if found else wanted


def one_pair(
    couples: Iterable[Couple], wanted: str, pass_over: Callable[[Couple], object]
) -> Iterator[Couple]:
    """Yield the couple called *wanted* or, if there is none, the one of this number, from 1.

    *pass_over* is called with the others. Raises `InputError` if there is neither.
    """
    number = int(wanted) if _NUMBER.fullmatch(wanted) else 0
    names = Names()
    numbered: Couple | None = None
    is_found = False
    for couple in couples:
        names.add(couple.identifier)
        if couple.identifier == wanted:
            is_found = True
            yield couple
        elif couple.position == number:
            numbered = couple
        else:
            pass_over(couple)
    if is_found:
        return
    if numbered is None:
        raise InputError(f"no pair is called {names.beside(wanted)}")
    yield numbered
