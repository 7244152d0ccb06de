"""Certificates of ranges beside those of pairs: what each is about, and if they fit together."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from exactmatch.best.certificates import ends_of
from exactmatch.certificate.checker import MALFORMED, parse, score
from exactmatch.comparison import Comparison

_Object = dict[str, Any]


def contents(comparison: Comparison, identifier: str) -> Iterator[_Object]:
    """Yield what the certificates of a pair and of all its ranges are about, in their order."""
    yield comparison.as_json(identifier)
    for _, towards in ends_of(comparison):
        yield towards.as_json(identifier)


class RangeCertificates:
    """The certificates on *lines*, by pair, where there are such of ranges.

    misfits: pairs with a mapping that reaches the end of a range, but is not a best one.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._mappings: defaultdict[str, list[Any]] = defaultdict(list)
        self._labels: defaultdict[str, list[Any]] = defaultdict(list)
        self._best: dict[str, Any] = {}
        self.misfits: list[str] = []
        for line in lines:
            try:
                certificate = parse(line)
                self._labels[certificate["id"]].append(certificate.get("profile"))
                if str(certificate.get("profile")).startswith('{"range"'):
                    self._mappings[certificate["id"]].append(certificate.get("mapping"))
                else:
                    self._best[certificate["id"]] = certificate.get("value")
            except MALFORMED:
                continue  # it is refuted where all are checked

    def contents(self, comparison: Comparison, identifier: str) -> Iterator[_Object]:
        """Yield what the certificates of a pair are about; with ranges only if it has such.

        They come in the order in which the certificates name them, then those without one.
        """
        if identifier not in self._mappings:
            yield comparison.as_json(identifier)
            return
        pair, *ends = contents(comparison, identifier)
        waiting = {content["profile"]: content for content in (pair, *ends)}
        labels = self._labels[identifier]
        for label in labels[: len(waiting)]:
            yield waiting.pop(label if label in waiting else next(iter(waiting)))
        del labels[: 1 + len(ends)]  # the rest is about another pair of that name
        yield from waiting.values()
        reached = {_scored(pair, mapping) for mapping in self._mappings[identifier]}
        if reached != {self._best.get(identifier)}:
            self.misfits.append(identifier)


def _scored(pair: _Object, mapping: Any) -> int | None:
    """Return what a mapping scores; None if it is none."""
    try:
        return score(pair, mapping)
    except MALFORMED:
        return None
