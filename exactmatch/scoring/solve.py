"""Solve a pair of graphs of any size within limits of time and memory.

Graphs of many equal labels make a term of every two triples of a label. A problem that would be too
large is not built: counts of triples then give the bound, and the mapping grows along the edges.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from exactmatch.encodings import NAMES
from exactmatch.errors import VerificationError
from exactmatch.problem.solver_work import SolverWork
from exactmatch.scoring.build import worths
from exactmatch.scoring.comparison import Comparison
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.names import BOUND, EXACT, GIVEN
from exactmatch.solving.search.methods import Starts
from exactmatch.solving.strategy import Solution, solve
from exactmatch.stopping.deadline import Deadline, OutOfTime

if TYPE_CHECKING:
    from exactmatch.problem.compact import CompactProblem
    from exactmatch.solving.dual.counting import CountsProof

COUNTS = "counts"

#: The bytes of a term, from the problem to the check of its proof; measured.
_TERM = 1200
_USUAL = Budgets()


def solve_within(
    comparison: Comparison,
    *,
    method: str,
    starts: Starts = "all",
    solver: str,
    seed: int,
    deadline: Deadline,
    memory: int,
    given: Sequence[str] = GIVEN,
    certify: bool = False,
    is_derived: bool = False,
    budgets: Budgets = _USUAL,
) -> Solution:
    """Return a mapping and a proven bound for two graphs, in *memory* bytes and before *deadline*.

    See `exactmatch.solving.strategy.solve` for the rest. Raises `VerificationError` as that does.
    """
    solution = partial(
        solve,
        method=method,
        starts=starts,
        solver=solver,
        seed=seed,
        deadline=deadline,
        given=given,
        memory=memory,
        certify=certify,
        is_derived=is_derived,
        likely=comparison.likely,
        budgets=budgets,
    )
    is_by_name = method == EXACT and solver in NAMES
    is_bounded = BOUND in given or not is_by_name
    try:
        found = _solve_or_count(comparison, solution, deadline, memory, budgets, is_bounded)
    except OutOfTime:
        found = _bound_by_labels(comparison)
    if is_by_name and found.work is None:
        found = found._replace(work=SolverWork())
    return found


def _solve_or_count(
    comparison: Comparison,
    solution: Callable[..., Solution],
    deadline: Deadline,
    memory: int,
    budgets: Budgets,
    is_bounded: bool,
) -> Solution:
    """Return the result of *solution* or, for a large pair, of counts.

    Unless our bound is required (*is bounded*), the solver's bound stands, and counts only check
    it. Raises `OutOfTime` if *deadline* comes before there is a result.
    """
    small = min(budgets.small_terms, memory // _TERM)
    is_small = len(comparison.system.triples) * len(comparison.gold.as_gold()) <= small
    most = 0 if is_small else _most_terms(comparison, deadline)
    if most <= small:
        with suppress(OutOfTime):
            return _permitted(comparison, solution(comparison.built(deadline)), is_bounded)
    most = most or _most_terms(comparison, deadline)
    fits = most * _TERM <= memory
    share = deadline.share(budgets.coarse) if fits else deadline
    coarse = _solve_by_counts(comparison, comparison.compacted(deadline), share, budgets.looked_at)
    if not fits:
        return coarse._replace(timed_out=False, too_large=True)
    try:
        fine = solution(comparison.built(deadline.share(budgets.building)), hint=coarse.mapping)
        fine = _permitted(comparison, fine, is_bounded)
    except OutOfTime:
        return coarse
    if max(fine.lower, coarse.lower) > min(fine.upper, coarse.upper):
        raise VerificationError(
            f"{fine.solver} found the optimum in [{fine.lower}, {fine.upper}], "
            f"counts in [{coarse.lower}, {coarse.upper}]"
        )
    if fine.upper <= coarse.upper or not is_bounded:
        return fine
    late = fine.timed_out and fine.lower < coarse.upper
    return fine._replace(upper=coarse.upper, proof=coarse.proof, solver=COUNTS, timed_out=late)


def _most_terms(comparison: Comparison, deadline: Deadline) -> int:
    """Return an upper bound on the number of terms. Raises `OutOfTime`."""
    if comparison.links is None:
        comparison.compacted(deadline)  # counts are used there
    return comparison.most_terms()


def _bound_by_labels(comparison: Comparison) -> Solution:
    """Return no mapping, and the bound that takes no time, for use after a time limit."""
    from exactmatch.solving.dual.counting import prove_by_labels

    system, gold = comparison.system.occurrences, comparison.gold.gold_occurrences
    by_label = worths(system, comparison.similar, comparison.scale)
    found = prove_by_labels(system, gold, by_label, comparison.metric.duplicates)
    proof = _checked(comparison, found, 0)
    return Solution(0, proof.upper, {}, COUNTS, proof.upper > 0, proof)


def _permitted(comparison: Comparison, solution: Solution, is_bounded: bool) -> Solution:
    """Return *solution* without forbidden pairs, which score nothing.

    Without a bound of our own, the bound is the number of triples.
    """
    if not is_bounded:
        upper = min(solution.upper, comparison.most_of_all())
        late = solution.timed_out and solution.lower < upper
        solution = solution._replace(upper=upper, timed_out=late)
    if comparison.links is None:
        return solution
    return solution._replace(mapping=comparison.permitted(solution.mapping))


def _solve_by_counts(
    comparison: Comparison, compact: "CompactProblem", deadline: Deadline, looked_at: int
) -> Solution:
    """Return a mapping and a bound that need no terms; the bound is checked against the triples."""
    from exactmatch.solving.dual.counting import prove_by_counts
    from exactmatch.solving.search.growth import grow_mapping

    mapping = comparison.permitted(grow_mapping(compact, deadline, looked_at))
    value = compact.value(mapping)
    proof = _checked(comparison, prove_by_counts(compact, deadline), value)
    return Solution(value, proof.upper, mapping, COUNTS, value < proof.upper, proof)


def _checked(comparison: Comparison, proof: "CountsProof", value: int) -> "CountsProof":
    """Return *proof* if the triples confirm it, and a mapping scores *value*.

    Raises `VerificationError` if they do not.
    """
    from exactmatch.certificate.checker import MALFORMED, counts

    if proof.prices is None:
        shown = comparison.most_by_labels()  # as the checker does, in a fraction of its time
    else:
        try:
            shown = counts(comparison.as_json(""), proof.as_json()["counts"])
        except MALFORMED as error:
            raise VerificationError(f"a proof by counts is wrong: {error}") from error
    if not value <= shown <= proof.upper:
        raise VerificationError(
            f"a proof by counts gives {shown}, not {proof.upper}, and a mapping scores {value}"
        )
    return proof
