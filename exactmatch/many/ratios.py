"""F1 of many pairs at once."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def f1_of(matched: Any, totals: Any) -> "NDArray[np.float64]":
    """Return F1 from arrays of one shape: what matches, and the triples of both sides together.

    It is 0 where there are none. Both are whole numbers below 2**53, so each quotient is rounded as
    that of a single score is (`exactmatch.counts.Score`). What is less here is less indeed.
    """
    import numpy as np

    found: NDArray[np.float64] = np.zeros(totals.shape)
    np.divide(2.0 * matched, totals, out=found, where=totals > 0)
    return found
