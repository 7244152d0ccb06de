"""What differs between the graphs of two sides, as text for a terminal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import get_args

from exactmatch.errors import InputError
from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.pairing import GraphPair, OnError, PairBy, Skipped
from exactmatch.graphs.selection import Ids, Selection
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Choice, Metric
from exactmatch.metrics.registry import alignment_based
from exactmatch.report.side_by_side import Look, differs, pair_text
from exactmatch.report.views.limits import VIEW_LIMIT
from exactmatch.report.views.pair_view import MOST_MAPPINGS, pair_view
from exactmatch.runtime.progress import Progress, unwatched
from exactmatch.runtime.workers import ClusterAddress, Workers, default_limit
from exactmatch.scoring.choices import chosen_metric
from exactmatch.scoring.corpus import Output, Scored, Write, score_corpus
from exactmatch.scoring.options import Settings
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.sides import (
    Note,
    both_sides,
    check_known,
    check_number,
    sharing,
    unheard,
    watching,
)
from exactmatch.solving.names import AUTO

#: Less than so many columns is too little for a text.
NARROWEST = 20


def diff(
    system: Graphs,
    gold: Graphs,
    *,
    id: str | None = None,
    width: int | None = None,
    color: bool = False,
    metric: str | Metric | None = None,
    profile: str = "default",
    solver: str = AUTO,
    timeout: float | None = 60.0,
    seed: int = 0,
    memory: int | None = None,
    view_limit: int = VIEW_LIMIT,
    pair_by: PairBy = "position",
    on_error: OnError = "stop",
    ids: Ids = None,
    where: Sequence[str] = (),
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    progress: Progress = unwatched,
    note: Note = unheard,
    **choices: Choice,
) -> str:
    """Return the pairs that differ as text: both graphs, and what differs under the mapping.

    Args:
        system, gold: the graphs, as for `exactmatch.score`.
        id: show this pair alone, whether it differs or not: its identifier or its number.
        width: columns of a terminal; from 100 on, both graphs stand side by side. None: they stand
            one below the other, in lines that are as long as they are.
        color: show what differs in colours of a terminal, and not in brackets.
        metric: the name of a metric that maps variables, or such a `Metric`.
        view_limit: show pairs of up to so many nodes and triples, those of both graphs together, as
            a whole; of larger ones an excerpt of so many at most: what differs, and what is around
            it.
        profile, solver, timeout, seed, memory, pair_by, on_error, ids, where, workers, cluster,
            progress, note, **choices: as for `exactmatch.score`.

    Raises:
        InputError: for files and graphs that cannot be used, and if there is no pair called *id*.
        UsageError: for options that do not exist or do not go together.
        VerificationError: if two computations of the same number disagree.
        WorkerError: if a worker process has died.

    Example:
        >>> import exactmatch
        >>> system, gold = "(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))"
        >>> text = exactmatch.diff(system, gold)
        >>> print(text, end="")
        # ::id 1
        # 3 triples matched of 4 and 4, F1 0.7500; proven (dual, proof checked): no mapping ...
        # no other mapping is as good
        # < system   > gold   ! {other label}: 1   a=b mapped to b
           (s / sing-01 :top
        <!   :ARG0 (b=c / {bird}))
        >!   :ARG0 (c / {cat}))
    """
    texts: list[str] = []
    scored = diff_until_cut(
        system,
        gold,
        texts.append,
        look=Look(width, color),
        identifier=id,
        metric=metric,
        profile=profile,
        solver=solver,
        timeout=timeout,
        seed=seed,
        memory=memory,
        view_limit=view_limit,
        pair_by=pair_by,
        on_error=on_error,
        selection=Selection.of(None if id is not None else ids, where),
        workers=sharing(workers, cluster),
        progress=progress,
        note=note,
        sum_up=note,
        choices=choices,
    )
    if scored.cut_by is not None:
        raise scored.cut_by
    return "".join(texts)


def diff_until_cut(
    system: Graphs,
    gold: Graphs,
    give: Callable[[str], object],
    *,
    look: Look,
    identifier: str | None,
    metric: str | Metric | None,
    profile: str,
    solver: str,
    timeout: float | None,
    seed: int,
    memory: int | None,
    view_limit: int,
    pair_by: PairBy,
    on_error: OnError,
    selection: Selection | None,
    workers: Workers,
    progress: Progress,
    note: Note,
    sum_up: Note,
    choices: Mapping[str, Choice],
) -> Scored:
    """Do what `diff` does, but *give* each text as it comes; an interrupt is in the result.

    *note* is told of pairs, *sum_up* of all of them.
    """
    check_known("on_error", on_error, get_args(OnError))
    if look.width is not None:
        check_number("width", look.width, NARROWEST)
    check_number("view_limit", view_limit, 1)
    settings = Settings(
        solver=solver,
        timeout=timeout,
        seed=seed,
        memory=default_limit(workers) if memory is None else memory,
        best_mappings=MOST_MAPPINGS,
    )
    given = _Given(give)
    with both_sides(system, gold, pair_by, on_error) as sides:
        counted = alignment_based(chosen_metric(sides.format, metric, profile, choices))
        line = partial(
            _text, metric=counted, limit=view_limit, look=look, always=identifier is not None
        )
        scored = score_corpus(
            sides.couples(counted, only=identifier),
            [counted],
            settings,
            on_error=on_error,
            workers=workers,
            selection=selection,
            outputs=[Output("texts", Path("-"), line, given.taking)],
            watching=watching(sides, progress, note),
        )
    if identifier is None:
        sum_up(f"{given.number} of {scored.scores[0].pairs} pairs differ")
    elif not given.number and scored.cut_by is None:
        raise InputError(scored.note or "there is no pair to show")
    if scored.note is not None:
        sum_up(scored.note)
    return scored


class _Given:
    """Gives texts on as they come, with an empty line between two; *number* is how many."""

    def __init__(self, give: Callable[[str], object]) -> None:
        self.number = 0
        self._give = give

    @contextmanager
    def taking(self, _: Path) -> Iterator[Write]:
        """Yield what takes a text."""
        yield self._take

    def _take(self, text: str) -> None:
        self.number += 1
        self._give("\n" * (self.number > 1) + text)


def _text(
    pair: GraphPair | Skipped,
    score: PairScore,
    *,
    metric: AlignmentMetric,
    limit: int,
    look: Look,
    always: bool,
) -> str | None:
    """Return what is shown of a pair; nothing if it is skipped, or not asked for and the same."""
    if isinstance(pair, Skipped):
        return None
    view = pair_view(pair, metric, score, limit)
    return pair_text(view, look) if always or differs(view) else None
