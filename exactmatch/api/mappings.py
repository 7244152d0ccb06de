"""All the best mappings of one pair of graphs."""

from dataclasses import replace

from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.pairing import GraphPair, OnError, PairBy
from exactmatch.metrics.base import Choice, Metric
from exactmatch.metrics.registry import alignment_based
from exactmatch.report.shown_pairs import pages_of_pair
from exactmatch.runtime.progress import Progress, unwatched
from exactmatch.runtime.workers import default_limit
from exactmatch.scoring.choices import chosen_metric
from exactmatch.scoring.options import Settings
from exactmatch.scoring.pair import score_pair
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.sides import Note, check_number, pair_of, read_pairs, unheard
from exactmatch.solving.names import AUTO
from exactmatch.stopping.deadline import Deadline


def best_mappings(
    system: Graphs,
    gold: Graphs,
    *,
    limit: int = 10,
    id: str | None = None,
    metric: str | Metric | None = None,
    profile: str = "default",
    solver: str = AUTO,
    timeout: float | None = 60.0,
    seed: int = 0,
    memory: int | None = None,
    pair_by: PairBy = "position",
    on_error: OnError = "stop",
    progress: Progress = unwatched,
    note: Note = unheard,
    **choices: Choice,
) -> PairScore:
    """Return the score of one pair, with its best mappings in ``best``.

    That tells as well if there are more, and which pairs of variables all best mappings have, or
    any of them; see `exactmatch.metrics.best_mappings.BestMappings`. It is None where the score is
    not proven, or there is too much to look at.

    Args:
        system, gold: the graphs, as for `exactmatch.score`.
        limit: so many mappings are listed at most.
        id: which pair, if there are several: its identifier or its number.
        metric, profile, solver, timeout, seed, memory, pair_by, on_error, progress, note,
            **choices: as for `exactmatch.score`; the metric maps variables.

    Raises:
        InputError: for files and graphs that cannot be used, and if there is no such pair.
        UsageError: for options that do not exist, and if *id* is needed.
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
        limit=limit,
        id=id,
        metric=metric,
        profile=profile,
        solver=solver,
        timeout=timeout,
        seed=seed,
        memory=memory,
        pair_by=pair_by,
        on_error=on_error,
        progress=progress,
        note=note,
        **choices,
    )[1]


def best_mappings_of(
    system: Graphs,
    gold: Graphs,
    *,
    limit: int,
    id: str | None,
    metric: str | Metric | None,
    profile: str,
    solver: str,
    timeout: float | None,
    seed: int,
    memory: int | None,
    pair_by: PairBy,
    on_error: OnError,
    progress: Progress,
    note: Note,
    **choices: Choice,
) -> tuple[GraphPair, PairScore]:
    """Return what `best_mappings` does, and the graphs."""
    check_number("limit", limit, 1)
    settings = Settings(
        solver=solver,
        timeout=timeout,
        seed=seed,
        memory=default_limit(1) if memory is None else memory,
        best_mappings=limit,
    )
    with read_pairs(
        system,
        gold,
        "reading",
        pair_by=pair_by,
        on_error=on_error,
        progress=progress,
        note=note,
        choose=lambda form: alignment_based(chosen_metric(form, metric, profile, choices)),
        only=id,
    ) as (pairs, counted):
        pair = pair_of(pairs, id)
    score = score_pair(pair, counted, settings, Deadline())
    return pair, replace(score, pages=pages_of_pair(pair, counted, settings))
