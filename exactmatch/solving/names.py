"""Names of the method and of the solvers that prove results."""

from exactmatch.encodings import NAMES

#: The method that proves its result; the others are heuristics, those of
#: `exactmatch.solving.search.methods`.
EXACT = "exact"

AUTO = "auto"
DUAL = "dual"
BRANCH_AND_BOUND = "branch-and-bound"
PRESOLVE = "presolve"
#: What may prove a result: whatever is fastest, the dual bound with branch and bound but without
#: any solver, or a solver on its own.
SOLVERS = (AUTO, DUAL, *NAMES)
