"""The sentences of a corpus of documents that lose most, kept as documents are scored."""

import heapq
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from exactmatch.metrics.counts import NONE, SEVERAL, Range, SentenceTriples

#: So many are kept.
_MOST = 10
#: What the triples of all sentences together are called.
_SINGLE = "single"


class SentenceLoss(NamedTuple):
    """A sentence of the document called *identifier*: its number there, and its counts."""

    identifier: str
    sentence: str
    counts: SentenceTriples


class SentenceSummary(NamedTuple):
    """What the sentences of a corpus lose.

    totals: the counts of triples that are in a single sentence, in several, or in none.
    worst: the sentences that lose most, the worst first; of equals, those that came first.
    """

    totals: Mapping[str, SentenceTriples]
    worst: Sequence[SentenceLoss]


class SentenceLosses:
    """What the documents added so far lose, sentence by sentence."""

    def __init__(self) -> None:
        self._number = 0
        self._totals = {name: SentenceTriples() for name in (_SINGLE, SEVERAL, NONE)}
        # A heap: the least loss is first, the last of equals before the others.
        self._kept: list[tuple[int, int, SentenceLoss]] = []

    def add(self, identifier: str, sentences: Mapping[str, SentenceTriples]) -> None:
        """Add a document."""
        for sentence, counts in sentences.items():
            name = sentence if sentence in self._totals else _SINGLE
            self._totals[name] += counts
            if name == _SINGLE and counts.lost > 0:
                self._number += 1
                loss = SentenceLoss(identifier, sentence, counts)
                heapq.heappush(self._kept, (counts.lost, -self._number, loss))
                if len(self._kept) > _MOST:
                    heapq.heappop(self._kept)

    def summed_up(self) -> SentenceSummary:
        """Return what they lose."""
        kept = sorted(self._kept, reverse=True)
        return SentenceSummary(dict(self._totals), [loss for _, _, loss in kept])

    def state(self) -> Any:
        """Return all that is known, as JSON has it."""
        return [self._number, self._totals, self._kept]

    def restore(self, state: Any) -> None:
        """Go on where another was when it was asked for *state*."""
        self._number, totals, kept = state
        self._totals = {name: _restored(counts) for name, counts in totals.items()}
        self._kept = [
            (lost, number, SentenceLoss(identifier, sentence, _restored(counts)))
            for lost, number, (identifier, sentence, counts) in kept
        ]


def _restored(counts: Any) -> SentenceTriples:
    ours, our_total, theirs, their_total, *ranges = counts
    return SentenceTriples(ours, our_total, theirs, their_total, *(Range(*one) for one in ranges))
