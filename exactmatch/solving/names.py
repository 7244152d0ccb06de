"""Names of the method and of the solvers that prove results."""

from exactmatch.encodings import NAMES

#: The method with a proof; the others are heuristics, those of `exactmatch.solving.search.methods`.
EXACT = "exact"

AUTO = "auto"
DUAL = "dual"
BRANCH_AND_BOUND = "branch-and-bound"
PRESOLVE = "presolve"
START = "start"
BOUND = "bound"
#: The solvers that prove a result: the fastest, the dual bound with branch and bound but without
#: any solver, or a solver by its name.
SOLVERS = (AUTO, DUAL, *NAMES)
#: What a solver asked for by name may receive: a problem without forced and dominated pairs, the
#: mapping of a hill climb, and the first dual bound.
GIVEN = (PRESOLVE, START, BOUND)
#: The value for a solver that receives nothing.
NOTHING = "none"
#: CP-SAT and SCIP take seeds of 31 bits.
LARGEST_SEED = 2**31 - 1
#: The printed result for a paper's program has to be that program's own.
_AS_PUBLISHED = frozenset({"ilp-paper"})


def usually_given(solver: str) -> tuple[str, ...]:
    """Return the usual input of *solver*, unless another one is requested."""
    return () if solver in _AS_PUBLISHED else GIVEN
