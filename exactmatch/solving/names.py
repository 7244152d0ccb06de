"""Names of the method and of the solvers that prove results."""

from exactmatch.encodings import NAMES

#: The method that proves its result; the others are heuristics, those of
#: `exactmatch.solving.search.methods`.
EXACT = "exact"

AUTO = "auto"
DUAL = "dual"
BRANCH_AND_BOUND = "branch-and-bound"
PRESOLVE = "presolve"
START = "start"
BOUND = "bound"
#: What may prove a result: whatever is fastest, the dual bound with branch and bound but without
#: any solver, or a solver on its own.
SOLVERS = (AUTO, DUAL, *NAMES)
#: What a solver asked for by name may be given: a problem without forced and dominated pairs, the
#: mapping of a hill climb, and the first bound of the dual.
GIVEN = (PRESOLVE, START, BOUND)
#: What a solver is given that is given nothing.
NOTHING = "none"
#: What is printed for a program of a paper is to be what that program finds.
_AS_PUBLISHED = frozenset({"ilp-paper"})


def usually_given(solver: str) -> tuple[str, ...]:
    """Return what *solver* is given unless something else is asked for."""
    return () if solver in _AS_PUBLISHED else GIVEN
