"""What F1 no mapping exceeds, for a graph and all others at once, before any pair is looked at."""

from typing import TYPE_CHECKING

from exactmatch.many.pairwise import Pairwise
from exactmatch.many.ratios import f1_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Limits:
    """Limits on the F1 of graphs of system and gold. Rows are arrays, by graph of gold.

    totals: what recall is divided by.
    """

    def __init__(self, pairwise: Pairwise) -> None:
        import numpy as np

        self._pairwise = pairwise
        metric = pairwise.metric
        self._system_totals = pairwise.system.totals(metric)
        self._totals = np.array(pairwise.gold.totals(metric), dtype=np.int64)

    def both_totals(self, i: int) -> "NDArray[np.int64]":
        """Return what F1 is divided by: the triples of graph *i* and of each graph of gold."""
        return self._totals + self._system_totals[i]

    def by_totals(self, i: int) -> "NDArray[np.float64]":
        """Return limits by the numbers of triples."""
        import numpy as np

        pairwise = self._pairwise
        if not pairwise.counts_labels or pairwise.metric.duplicates == "product":
            return np.full(len(self._totals), np.inf)
        return f1_of(np.minimum(self._totals, self._system_totals[i]), self.both_totals(i))

    def by_labels(self, i: int) -> "NDArray[np.float64]":
        """Return limits by the numbers of triples of each label."""
        import numpy as np

        if not self._pairwise.counts_labels:
            return np.full(len(self._totals), np.inf)
        return f1_of(
            np.asarray(self._pairwise.labels.bounds(i), dtype=np.int64), self.both_totals(i)
        )


def least_matched(f1: float, totals: int) -> int:
    """Return how many triples must match, at least, for an F1 of *f1*; *totals* is of both sides.

    If not even all would do, it is more than *totals*. F1 is the rounded quotient, as in tables:
    what is found there reaches itself. Rounding keeps the order, so that no pair is lost whose true
    F1 reaches the true *f1*. The first guess is not too large: the product errs by less than 1
    while *totals* are below 2**52.
    """
    if totals == 0:
        return 0 if f1 <= 0 else 1
    least = max(0, int(f1 * totals / 2) - 1)
    while 2 * least / totals < f1:
        least += 1
    return least
