"""Show the differences between the graphs of two sides, as text for a terminal."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import get_args

from exactmatch.errors import InputError
from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.pairing import GraphPair, OnError, Skipped
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Choice
from exactmatch.report.document import MOD_NOTE
from exactmatch.report.side_by_side import DiffLayout, differs, pair_text
from exactmatch.report.views.pair_view import MOST_MAPPINGS, pair_view
from exactmatch.scoring.corpus import (
    BADNESS,
    Line,
    Output,
    Scored,
    Shown,
    Worst,
    Write,
    score_corpus,
)
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.joint_options import PickedPairs, ShowingPairs
from exactmatch.scoring.options import (
    NamedMetricOptions,
    View,
)
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.sides import (
    check_known,
    check_number,
)
from exactmatch.scoring.stream import ScoringTask

#: A text needs at least so many columns.
NARROWEST = 20


@keywords
def diff(
    system: Graphs,
    gold: Graphs,
    *,
    picked: PickedPairs,
    width: int | None = None,
    color: bool = False,
    named: NamedMetricOptions,
    showing: ShowingPairs,
    **choices: Choice,
) -> str:
    """Return the pairs that differ as text: both graphs, and their differences under the mapping.

    Args:
        system, gold: the graphs, as for `exactmatch.score`.
        id: show only this pair, whether or not it differs: its identifier or its number.
        worst: the number of pairs to show, the worst by *sort* first: ``difference``, ``score``,
            ``gap``, ``size`` or ``seconds``, as for the command ``score``. None shows all pairs
            that differ, in the order of the files.
        width: columns of a terminal; from 100 on, both graphs stand side by side. None: one graph
            stands below the other, and lines are not folded.
        color: mark differences by terminal colours instead of brackets.
        metric: the name of an alignment-based metric, or such a `Metric`.
        profile, **choices: as for `exactmatch.score`.
        {options}

    Raises:
        InputError: for files and graphs that cannot be used, and if there is no pair called *id*.
        UsageError: for unknown options, and options that cannot be combined.
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
    if picked.id is not None:
        showing = showing.but(ids=None)
    request = PairRequest.of(system, gold, named, choices, showing).of_shown(showing)
    texts: list[str] = []
    scored = run_diff(
        request,
        texts.append,
        look=DiffLayout(width, color),
        view=showing.only(View),
        worst=picked.ranking,
        identifier=picked.id,
    )
    if scored.cut_by is not None:
        raise scored.cut_by
    return "".join(texts)


def run_diff(
    request: PairRequest,
    give: Callable[[str], object],
    *,
    look: DiffLayout,
    view: View,
    worst: tuple[int, str] | None,
    identifier: str | None,
) -> Scored:
    """Do what `diff` does, but call *give* with each text; an interrupt is part of the result.

    The *worst* pairs (a number and a measure of badness) are given after all are scored.
    *identifier* is the only pair to show.
    """
    # Complex: pairs are shown as they come, or the worst ones at the end, and then what was shown.
    check_known("on_error", request.pairing.on_error, get_args(OnError))
    _check_shown(look, view, worst)
    given = _Given(give)
    kept = _Kept()
    with request.opened() as sides:
        counted = request.aligning(sides.format)
        line = partial(_text, counted, view.view_limit, look, identifier is not None)
        scored = score_corpus(
            sides.couples(counted, only=identifier),
            ScoringTask(
                [counted],
                replace(request.full_settings, best_mappings=MOST_MAPPINGS),
                request.pairing.on_error,
                request.workers,
                request.selection,
            ),
            outputs=[
                Output("texts", Path("-"), line, given.taking)
                if worst is None
                else Output("texts", Path("-"), partial(_identified, line), kept.taking)
            ],
            # All pairs are ranked: a score does not tell whether a pair differs.
            worst=None if worst is None else partial(Worst, sys.maxsize, worst[1], _identifier),
            watching=request.watching(sides),
        )
    if worst is not None:
        ranked = (pair["id"] for pair in scored.worst[0] if pair["id"] in kept.texts)
        for name in islice(ranked, worst[0]):
            given.take(kept.texts[name])
    if given.has_domain and getattr(counted, "mod", "separate") != "separate":
        give(f"\n# {MOD_NOTE}\n")
    if identifier is None:
        differing = given.number if worst is None else len(kept.texts)
        shown = "" if worst is None else f"; shown: {given.number}, the worst by {worst[1]}"
        pairs = scored.scores[0].pairs
        differ = "pair differs" if pairs == 1 else "pairs differ"
        request.sum_up(f"{differing} of {pairs} {differ}{shown}")
    elif not given.number and scored.cut_by is None:
        raise InputError(scored.note or "there is no pair to show")
    if scored.note is not None:
        request.sum_up(scored.note)
    return scored


def _check_shown(look: DiffLayout, view: View, worst: tuple[int, str] | None) -> None:
    if look.width is not None:
        check_number("width", look.width, NARROWEST)
    check_number("view_limit", view.view_limit, 1)
    if worst is not None:
        check_number("worst", worst[0], 1)
        check_known("sort", worst[1], [*BADNESS])


class _Given:
    """Passes texts on, with an empty line between two; *number* counts them.

    has_domain: whether one has the role ``domain``.
    """

    def __init__(self, give: Callable[[str], object]) -> None:
        self.number = 0
        self.has_domain = False
        self._give = give

    @contextmanager
    def taking(self, _: Path) -> Iterator[Write]:
        """Yield a function that takes a text."""
        yield self.take

    def take(self, text: str) -> None:
        """Pass a text on."""
        self.number += 1
        self.has_domain = self.has_domain or ":domain" in text
        self._give("\n" * (self.number > 1) + text)


class _Kept:
    """Keeps texts until the wanted ones are known, by the identifiers of their pairs."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    @contextmanager
    def taking(self, _: Path) -> Iterator[Write]:
        """Yield a function that takes the lines made by `_identified`."""
        yield self._take

    def _take(self, line: str) -> None:
        identifier, text = json.loads(line)
        self.texts[identifier] = f"{text}\n"


def _identifier(score: PairScore) -> Shown:
    return {"id": score.identifier}


def _identified(line: Line, pair: GraphPair | Skipped, score: PairScore) -> str | None:
    text = line(pair, score)
    return None if text is None else json.dumps([score.identifier, text])


def _text(
    metric: AlignmentMetric,
    limit: int,
    look: DiffLayout,
    always: bool,
    pair: GraphPair | Skipped,
    score: PairScore,
) -> str | None:
    """Return the text of a pair; nothing if it is skipped, or equal and not asked for."""
    if isinstance(pair, Skipped):
        return None
    view = pair_view(pair, metric, score, limit)
    return pair_text(view, look) if always or differs(view) else None
