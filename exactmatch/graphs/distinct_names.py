"""Make names distinct: a repeated name gets a number (``lpp_1943.507#2``)."""

from collections.abc import Iterable


class DistinctNames:
    """The names given so far."""

    def __init__(self) -> None:
        self._times: dict[str, int] = {}

    def distinct(self, name: str) -> str:
        """Return *name*, with a number if it was given before."""
        distinct = name
        while distinct in self._times:
            self._times[name] += 1
            distinct = f"{name}#{self._times[name]}"
        self._times[distinct] = 1
        return distinct


def distinct(names: Iterable[str]) -> list[str]:
    """Return *names*, with a number at each repeated one."""
    given = DistinctNames()
    return [given.distinct(name) for name in names]
