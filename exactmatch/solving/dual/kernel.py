"""Choose the form of the kernel: compiled, or interpreted for numbers beyond 64 bits.

Compiled, all weights together must be less than `LARGEST_TOTAL` = 2**48; larger ones are left to
the interpreted code. Below that, `largest_scale` keeps the total in units of 1 / scale below 2**52.
Shares, worths, prices, profits and distances are sums and differences of a few such numbers; only a
step of the dual multiplies one by another number, an averaged primal of at most 2**10 (plus 1), so
that all stay below 2**63.
"""

from exactmatch.problem import MatchingProblem
from exactmatch.problem.integers import COMPILED
from exactmatch.problem.interpreted import interpreted
from exactmatch.solving.dual.layout import Relaxation
from exactmatch.stopping.deadline import Deadline

#: Weights may add up to less than this in compiled code, and to less than that when scaled.
LARGEST_TOTAL = 1 << 48
_LARGEST_SCALED = 1 << 52


def relax(problem: MatchingProblem, deadline: Deadline) -> Relaxation:
    """Return the relaxation of *problem*, compiled or interpreted, as its weights require.

    Raises `OutOfTime` if *deadline* comes first, as do all later calls on the relaxation.
    """
    if COMPILED and problem.total >= LARGEST_TOTAL:
        wide: Relaxation = interpreted("exactmatch.solving.dual.layout").Relaxation(
            problem, deadline
        )
        return wide
    return Relaxation(problem, deadline)


def largest_scale(total: int, wanted: int) -> int:
    """Return *wanted*, halved until the product with *total* is safe in compiled code.

    The interpreter's own totals may have any scale.
    """
    while total < LARGEST_TOTAL and total * wanted >= _LARGEST_SCALED:
        wanted //= 2
    return wanted
