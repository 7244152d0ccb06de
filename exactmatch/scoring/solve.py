"""Solve a pair of graphs of any size within limits of time and memory.

Graphs of many equal labels make a term of every two triples of a label. A problem that would be too
large is not built: counts of triples then give the bound, and the mapping grows along the edges.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from exactmatch.errors import VerificationError
from exactmatch.problem.solver_work import SolverWork
from exactmatch.scoring.build import worths
from exactmatch.scoring.comparison import Comparison
from exactmatch.solving.names import BOUND, EXACT, START
from exactmatch.solving.settings import SolverSettings
from exactmatch.solving.strategy import Solution, solve
from exactmatch.stopping.deadline import Deadline, OutOfTime

if TYPE_CHECKING:
    from exactmatch.problem.compact import CompactProblem
    from exactmatch.solving.dual.counting import CountsProof

COUNTS = "counts"

#: The bytes of a term, from the problem to the check of its proof; measured.
_TERM = 1200


def solve_within(
    comparison: Comparison, settings: SolverSettings, *, is_derived: bool = False
) -> Solution:
    """Return a mapping and a proven bound for two graphs, within the limits of *settings*.

    See `exactmatch.solving.strategy.solve` for the rest. Raises `VerificationError` as that does.
    """
    solution = partial(solve, settings=settings, is_derived=is_derived, likely=comparison.likely)
    most_held = math.inf if settings.memory is None else settings.memory // _TERM
    most = len(comparison.system.triples) * len(comparison.gold.as_gold())
    is_small = most <= settings.budgets.small_terms and most <= most_held
    # Before the limit, where that is likely to come.
    early = None if is_small else _mapped_by_labels(comparison)
    try:
        found = _solve_or_count(comparison, solution, settings, most_held, is_small)
    except OutOfTime:
        found = _bound_by_labels(comparison)
    is_by_name = settings.is_by_name
    # The result of a heuristic, or of a solver by name, is its own, if it has found anything.
    is_own = found.mapping and (is_by_name or settings.method != EXACT)
    is_cut_short = found.timed_out or found.too_large
    if is_cut_short and not is_own and settings.may_use(START):
        found = _or_by_labels(found, *(early or _mapped_by_labels(comparison)))
    if is_by_name and found.work is None:
        found = found._replace(work=SolverWork())
    return found


def _solve_or_count(
    comparison: Comparison,
    solution: Callable[..., Solution],
    settings: SolverSettings,
    most_held: float,
    is_small: bool,
) -> Solution:
    """Return the result of *solution* or, for a large pair, of counts.

    Unless the result may rest on our bound, the solver's bound stands, and counts only check it. A
    small problem is solved from nothing; *is small* says so in advance. *most_held* terms fit into
    the memory. Raises `OutOfTime` if the deadline comes before there is a result.
    """
    deadline, budgets = settings.deadline, settings.budgets
    is_bounded = settings.may_use(BOUND)
    most = 0 if is_small else comparison.most_terms(deadline)
    if most <= min(budgets.small_terms, most_held):
        with suppress(OutOfTime):
            return _permitted(comparison, solution(comparison.built(deadline)), is_bounded)
    most = most or comparison.most_terms(deadline)
    fits = most <= most_held
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


def _bound_by_labels(comparison: Comparison) -> Solution:
    """Return no mapping, and the bound that takes no time, for use after a time limit."""
    from exactmatch.solving.dual.counting import prove_by_labels

    system, gold = comparison.system.occurrences, comparison.gold.gold_occurrences
    by_label = worths(system, comparison.values)
    found = prove_by_labels(system, gold, by_label, comparison.metric.duplicates)
    proof = _checked(comparison, found, 0)
    return Solution(0, proof.upper, {}, COUNTS, proof.upper > 0, proof)


def at_least_by_labels(comparison: Comparison, solution: Solution) -> Solution:
    """Return *solution* with a mapping of equal labels if that one scores more.

    It is for pairs that a limit cut short, perhaps before any mapping was found.
    """
    return _or_by_labels(solution, *_mapped_by_labels(comparison))


def _or_by_labels(solution: Solution, mapping: dict[int, int], value: int) -> Solution:
    """Return *solution*, with this *mapping* if it scores more."""
    if value <= solution.lower:
        return solution
    late = solution.timed_out and value < solution.upper
    return solution._replace(lower=value, mapping=mapping, timed_out=late)


def _mapped_by_labels(comparison: Comparison) -> tuple[dict[int, int], int]:
    """Return a mapping of equal labels, and its score; see `equal_labels`."""
    from exactmatch.solving.search.equal_labels import map_equal_labels, value_of

    system, gold = comparison.system, comparison.gold
    links = comparison.links
    ours, theirs = system.occurrences, gold.gold_occurrences
    none: Mapping[str, Sequence[str]] = {}
    left, right = ([(g.keys or none).get(v, ()) for v in g.variables] for g in (system, gold))
    allows = (lambda _: True) if links is None else links.allows
    # Targets that can be written in two ways would look unlike the triples of the same graph.
    mapping = map_equal_labels(ours, gold.occurrences, left, right, allows)
    by_label = worths(ours, comparison.values)
    return mapping, value_of(mapping, ours, theirs, by_label, comparison.metric.duplicates)


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
