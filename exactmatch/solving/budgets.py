"""How much of everything a pair may take: all budgets of solving, settled by measurements."""

from typing import NamedTuple

from exactmatch.dual.budgets import DualBudgets

_DUAL = DualBudgets()


class Budgets(NamedTuple):
    """What is spent on a pair before something else is tried. Shares of time are from 0 to 1.

    dual: of the dual.
    maxsat_terms: above so many terms, RC2 is no longer the fastest, and on some problems far from
        it; solver_terms: above so many, no solver is asked: SCIP would go on for seconds after its
        time limit.
    warm_start: before a solver, the warm start may take this part of the time.
    proof, proof_alone: the dual may take that one before a solver, and that one before none, since
        its proof has yet to be checked.
    small_terms: problems of up to so many terms are solved from nothing, before anything that needs
        no terms.
    looked_at: what needs no terms looks at so many triples to improve its mapping.
    coarse, building: what needs no terms may take this part of the time, and building a problem
        that part of the rest.
    """

    dual: DualBudgets = _DUAL
    maxsat_terms: int = 500
    solver_terms: int = 40_000
    warm_start: float = 0.3
    proof: float = 0.7
    proof_alone: float = 0.9
    small_terms: int = 100_000
    looked_at: int = 3_000_000
    coarse: float = 0.2
    building: float = 0.5
