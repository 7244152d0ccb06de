"""Certificates of ranges beside those of pairs: their subjects, and whether they are consistent."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from exactmatch.certificate.checker import MALFORMED, parse, score
from exactmatch.scoring.best import ends_of
from exactmatch.scoring.comparison import Comparison

_Object = dict[str, Any]

#: The reason for a pair that `RangeCertificates` finds to be a misfit.
MISFIT = "the mapping for an end of a range does not score as much as the pair's own"


class _RangeEnd(NamedTuple):
    """The claim of a certificate: the end of a range, exactly, or an interval that contains it."""

    mapping: Any
    is_exact: bool


def contents(comparison: Comparison, identifier: str) -> Iterator[_Object]:
    """Yield the subjects of the certificates of a pair and of all its ranges, in order."""
    yield comparison.as_json(identifier)
    for _, towards in ends_of(comparison):
        yield towards.as_json(identifier)


class RangeCertificates:
    """The certificates on *lines*, by pair, if there are certificates of ranges.

    misfits: pairs whose mapping for the end of a range scores more than the pair's own or, unless
        the certificate claims an interval, less. Such a mapping proves no end.
    """

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._ends: defaultdict[str, list[_RangeEnd]] = defaultdict(list)
        self._labels: defaultdict[str, list[Any]] = defaultdict(list)
        self._best: dict[str, Any] = {}
        self.misfits: list[str] = []
        for line in lines:
            try:
                certificate = parse(line)
                self._labels[certificate["id"]].append(certificate.get("profile"))
                if str(certificate.get("profile")).startswith('{"range"'):
                    is_exact = certificate.get("value") == certificate.get("upper")
                    claim = _RangeEnd(certificate.get("mapping"), is_exact)
                    self._ends[certificate["id"]].append(claim)
                else:
                    self._best[certificate["id"]] = certificate.get("value")
            except MALFORMED:
                continue  # it is refuted where all are checked

    def contents(self, comparison: Comparison, identifier: str) -> Iterator[_Object]:
        """Yield the subjects of the certificates of a pair, with ranges only if it has range
        certificates.

        They come in the order in which the certificates name them; those without one come last.
        """
        if identifier not in self._ends:
            yield comparison.as_json(identifier)
            return
        pair, *ends = contents(comparison, identifier)
        waiting = {content["profile"]: content for content in (pair, *ends)}
        labels = self._labels[identifier]
        for label in labels[: len(waiting)]:
            yield waiting.pop(label if label in waiting else next(iter(waiting)))
        del labels[: 1 + len(ends)]  # the rest belongs to another pair of that name
        yield from waiting.values()
        best = self._best.get(identifier)
        if not all(_fits(end, pair, best) for end in self._ends[identifier]):
            self.misfits.append(identifier)


def _fits(end: _RangeEnd, pair: _Object, best: Any) -> bool:
    """Tell whether the mapping for an end scores as the mapping of the pair, which scores *best*.

    An interval that contains the end may come from a mapping that scores less.
    """
    found = _scored(pair, end.mapping)
    if found == best or end.is_exact:
        return bool(found == best)
    return found is not None and type(best) is int and found < best


def _scored(pair: _Object, mapping: Any) -> int | None:
    """Return the score of a mapping; None if it is invalid."""
    try:
        return score(pair, mapping)
    except MALFORMED:
        return None
