"""List the best mappings of one pair of graphs."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Choice, Metric
from exactmatch.metrics.registry import alignment_based
from exactmatch.report.shown_pairs import show_later
from exactmatch.scoring.choices import chosen_metric
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.options import Pairing, PairLimits, Settings, Solver, Telling
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.sides import check_number, pair_of, read_pairs
from exactmatch.stopping.deadline import Deadline


@keywords
def best_mappings(
    system: Graphs,
    gold: Graphs,
    *,
    limit: int = 10,
    id: str | None = None,
    metric: str | Metric | None = None,
    profile: str = "default",
    solver: Solver,
    limits: PairLimits,
    pairing: Pairing,
    telling: Telling,
    **choices: Choice,
) -> PairScore:
    """Return the score of one pair, with its best mappings in ``best``.

    ``best`` also has whether there are more mappings, and the pairs of variables in every best
    mapping and in any; see `exactmatch.metrics.best_mappings.BestMappings`. It is None if the score
    is not proven or the search was too large.

    Args:
        system, gold: the graphs, as for `exactmatch.score`.
        limit: the largest number of mappings to list.
        id: the pair, if there are several: its identifier or its number.
        metric, profile, **choices: as for `exactmatch.score`; the metric is alignment-based.
        {options}

    Raises:
        InputError: for files and graphs that cannot be used, and if there is no such pair.
        UsageError: for unknown options, and if *id* is missing.
        VerificationError: if two computations of the same number disagree.

    Example:
        >>> import exactmatch
        >>> system = "(a / and :op1 (x / bird) :op2 (y / bird))"
        >>> score = exactmatch.best_mappings(system, "(b / bird)", top="none")
        >>> score.best.mappings, score.best.are_all, sorted(score.best.every)
        ([{'x': 'b'}, {'y': 'b'}], True, [])
    """
    return best_mappings_of(
        system,
        gold,
        lambda form: alignment_based(chosen_metric(form, metric, profile, choices)),
        limit=limit,
        id=id,
        solver=solver,
        limits=limits,
        pairing=pairing,
        telling=telling,
    )[1]


def best_mappings_of(
    system: Graphs,
    gold: Graphs,
    choose: Callable[[str], AlignmentMetric],
    *,
    limit: int,
    id: str | None,
    solver: Solver,
    limits: PairLimits,
    pairing: Pairing,
    telling: Telling,
) -> tuple[GraphPair, PairScore]:
    """Return the result of `best_mappings`, and the graphs; *choose* is as for `read_pairs`."""
    check_number("limit", limit, 1)
    settings = Settings.of(solver, limits, best_mappings=limit)
    with read_pairs(system, gold, "reading", choose, pairing, telling, id) as (pairs, counted):
        pair = pair_of(pairs, id)
    score = score_pair(pair, counted, settings, Deadline())
    request = PairRequest([pair.system], [pair.gold], (counted,), settings=settings)
    return pair, replace(score, pages=partial(show_later, request))
