"""List the best mappings of one pair of graphs."""

from dataclasses import replace
from functools import partial

from exactmatch.api.show import show_later
from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.pairing import GraphPair
from exactmatch.metrics.base import Choice
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import PairReading
from exactmatch.scoring.options import NamedMetricOptions, PairProving
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import check_number
from exactmatch.stopping.deadline import Deadline


@keywords
def best_mappings(
    system: Graphs,
    gold: Graphs,
    *,
    limit: int = 10,
    id: str | None = None,
    named: NamedMetricOptions,
    proving: PairProving,
    pairing: PairReading,
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
    request = PairRequest.of(system, gold, named, choices, pairing)
    return run_best_mappings(request, proving, limit, id)[1]


def run_best_mappings(
    request: PairRequest, proving: PairProving, limit: int, identifier: str | None
) -> tuple[GraphPair, PairScore]:
    """Do what `best_mappings` does, but also return the graphs.

    *identifier* names the pair, None the only one.
    """
    check_number("limit", limit, 1)
    settings = Settings.of(proving, best_mappings=limit)
    pair, counted = request.one_pair(identifier)
    score = score_pair(pair, counted, settings, Deadline())
    alone = PairRequest([pair.system], [pair.gold], (counted,), settings=settings)
    return pair, replace(score, pages=partial(show_later, alone))
