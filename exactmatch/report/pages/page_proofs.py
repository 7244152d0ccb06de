"""Assign certificates to the pairs of a page, which checks them in the browser."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import Any

from exactmatch.certificate.checker import MALFORMED, parse
from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.readers.source import LONGEST_CERTIFICATE, read_lines, source_name
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.comparison import Comparison

#: Limits of a pair in a page: characters of its certificate and of its subject; and terms times
#: leaves of the proof, of which a browser manages this many in seconds.
_MOST_CHARACTERS = 2_000_000
_MOST_LOOKS = 300_000
#: Each leaf has this key, and nothing else has it.
_LEAF = '"denominator"'
#: The beginning of the metric's name in the certificate of an end of a range.
_OF_RANGE = '{"range"'
#: Choices of how graphs are read, which do not change what counts in them.
_OF_READING = {"unclosed", "unicode", "blanks"}


class PageProofs:
    """The certificates of a file, which are given to the pairs of a page in order.

    file: its name. left: the number of certificates not given to a pair so far.
    """

    def __init__(self, certificates: StrPath, metric: AlignmentMetric) -> None:
        """Read the certificates; unreadable ones belong to no pair.

        Raises `InputError` if there is none, and `UsageError` if they are of another metric.
        """
        self.file = source_name(certificates)
        self._waiting: defaultdict[str, deque[str]] = defaultdict(deque)
        self.left = 0
        profiles = set()
        for line in read_lines(certificates, longest=LONGEST_CERTIFICATE):
            if line.strip():
                self.left += 1
                profiles.add(self._keep(line))
        if not profiles - {None}:
            raise InputError(f"{self.file}: holds no certificate")
        labels = [label for label in _labels(metric) if label in profiles]
        if not labels:
            raise UsageError(f"{self.file}: no certificate of {metric.signature()}")
        self._label = labels[0]

    def _keep(self, line: bytes) -> str | None:
        """Keep a certificate for its pair; return how it counts triples, None if unreadable."""
        try:
            certificate = parse(line)
            profile = str(certificate["profile"])
        except MALFORMED:
            return None
        if not profile.startswith(_OF_RANGE):
            self._waiting[certificate["id"]].append(line.decode())
        return profile

    def take(self, identifier: str, counted: str, terms: int) -> dict[str, Any]:
        """Return the page's data of the next certificate of a pair with this name.

        *counted* is its subject, as the checker reads it, with up to so many *terms*.
        """
        if not self._waiting[identifier]:
            return {"certificate": None}
        self.left -= 1
        certificate = self._waiting[identifier].popleft()
        size, looks = len(certificate) + len(counted), certificate.count(_LEAF) * terms
        if size > _MOST_CHARACTERS or looks > _MOST_LOOKS:
            return {"certificate": None, "size": size, "looks": looks}
        return {"certificate": certificate, "about": _labelled(counted, self._label)}


def _labels(metric: AlignmentMetric) -> Iterator[str]:
    """Yield what certificates call *metric*, and what those of earlier releases do.

    A profile that has a new number since graphs are read otherwise counts the same of graphs.
    """
    yield metric.label()
    for former in metric.former:
        differing = {
            name for name in metric.choices() if getattr(former, name) != getattr(metric, name)
        }
        if differing <= _OF_READING:
            yield former.profile


def _labelled(counted: str, label: str) -> str:
    """Return the counted triples of a pair, for certificates with this *label*."""
    import json

    content = json.loads(counted)
    return counted if content["profile"] == label else json.dumps({**content, "profile": label})


def proof_content(comparison: Comparison, identifier: str) -> Iterable[str]:
    """Return the arguments of `PageProofs.take` for a pair: its subject, and its terms."""
    import json

    content = comparison.in_largest_unit().as_json(identifier)
    return json.dumps(content), str(comparison.most_terms())
