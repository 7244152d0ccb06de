"""Find the wanted pair among many, and suggest similar names if there is none."""

import re
from collections.abc import Callable, Iterable, Iterator

from exactmatch.errors import InputError
from exactmatch.graphs.pairing import Couple
from exactmatch.graphs.unicode_form import nfc

_NUMBER = r"[1-9][0-9]{0,17}"
#: The number of names that are compared, and the number of similar ones that are shown.
_LOOKED_AT = 20_000
_SUGGESTIONS = 3


class Names:
    """The first names of many pairs."""

    def __init__(self) -> None:
        self._names: list[str] = []

    def add(self, name: str) -> None:
        """Add the name of the next pair."""
        if len(self._names) < _LOOKED_AT:
            self._names.append(name)

    def beside(self, wanted: str) -> str:
        """Return *wanted*, which names no pair, with similar names."""
        from difflib import get_close_matches

        found = get_close_matches(wanted, self._names, _SUGGESTIONS)
        return f"{wanted} (similar: {', '.join(found)})" if found else wanted


def one_pair(
    couples: Iterable[Couple], wanted: str, pass_over: Callable[[Couple], object]
) -> Iterator[Couple]:
    """Yield the pair called *wanted* or, if there is none, the pair of this number, from 1.

    *pass_over* is called with the other pairs. Raises `InputError` if there is neither.
    """
    number = int(wanted) if re.fullmatch(_NUMBER, wanted) else 0
    wanted = nfc(wanted)
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
