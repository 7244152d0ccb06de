"""More pairs ruled out of a block, by a dual of its own that goes down as far as it can.

What proves a score may stop as soon as its bound is less than 1 above it. Reduced costs rule out
the more pairs, the lower the bound.
"""

from exactmatch.deadline import Deadline, OutOfTime
from exactmatch.dual.descent import Descent, Incumbent
from exactmatch.dual.kernel import relax
from exactmatch.problem import MatchingProblem
from exactmatch.proof import Leaf

_ITERATIONS = 300


def low_bound(problem: MatchingProblem, best: int, deadline: Deadline) -> Leaf | None:
    """Return the proof of a low bound for a problem whose best mappings score *best*.

    Returns None if *deadline* comes first.
    """
    incumbent = Incumbent(best - 1)
    try:
        descent = Descent(relax(problem, deadline), incumbent, deadline)
        for _ in range(2):
            incumbent.value = best - 1  # or it would be content with the score itself
            descent.converge(_ITERATIONS)
        incumbent.value = best - 1
        descent.fixed()
        return descent.leaf()
    except OutOfTime:
        return None
