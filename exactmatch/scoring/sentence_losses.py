"""Collect the sentences of a corpus of documents that lose most, as documents are scored."""

import heapq
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from exactmatch.metrics.counts import NONE, SEVERAL, Range
from exactmatch.metrics.sentence_triples import SentenceTriples

#: The number of sentences that are kept.
_MOST = 10
#: The name of the row for the triples of all sentences together.
_SINGLE = "single"


class SentenceLoss(NamedTuple):
    """A sentence of the document called *identifier*: its number there, and its counts."""

    identifier: str
    sentence: str
    counts: SentenceTriples


class SentenceSummary(NamedTuple):
    """The losses of the sentences of a corpus.

    totals: the counts of triples that are in a single sentence, in several, or in none.
    worst: the sentences that lose most, the worst first; of equals, those that came first.
    """

    totals: Mapping[str, SentenceTriples]
    worst: Sequence[SentenceLoss]


class SentenceLosses:
    """The losses of the documents added so far, by sentence."""

    def __init__(self) -> None:
        self._number = 0
        self._totals = {name: SentenceTriples() for name in (_SINGLE, SEVERAL, NONE)}
        # A heap: the least loss is first; of equals, the last one is first.
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
        """Return the summary."""
        kept = sorted(self._kept, reverse=True)
        return SentenceSummary(dict(self._totals), [loss for _, _, loss in kept])

    def state(self) -> Any:
        """Return the state as values for JSON."""
        return [self._number, self._totals, self._kept]

    def restore(self, state: Any) -> None:
        """Continue from the *state* of another run."""
        self._number, totals, kept = state
        self._totals = {name: _restored(counts) for name, counts in totals.items()}
        self._kept = [
            (lost, number, SentenceLoss(identifier, sentence, _restored(counts)))
            for lost, number, (identifier, sentence, counts) in kept
        ]


def _restored(counts: Any) -> SentenceTriples:
    ours, our_total, theirs, their_total, *ranges = counts
    return SentenceTriples(ours, our_total, theirs, their_total, *(Range(*one) for one in ranges))
