"""Count the losses of a sentence of two documents. It is loaded where these are asked for."""

from typing import NamedTuple

from exactmatch.metrics.counts import Range


class SentenceTriples(NamedTuple):
    """The losses of a sentence of two documents: its triples on either side, and the matches.

    system_matched, gold_matched: under one of the best mappings. system_range, gold_range: under
    any of them.
    """

    system_matched: int = 0
    system_total: int = 0
    gold_matched: int = 0
    gold_total: int = 0
    system_range: Range = Range()
    gold_range: Range = Range()

    @property
    def lost(self) -> int:
        """The triples of both sides that do not match."""
        return self.system_total - self.system_matched + self.gold_total - self.gold_matched

    def __add__(self, other: "SentenceTriples") -> "SentenceTriples":  # type: ignore[override]
        return SentenceTriples(
            self.system_matched + other.system_matched,
            self.system_total + other.system_total,
            self.gold_matched + other.gold_matched,
            self.gold_total + other.gold_total,
            self.system_range + other.system_range,
            self.gold_range + other.gold_range,
        )
