"""Score a corpus, its pairs one by one, and the best mapping of two graphs."""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, get_args

from exactmatch.api.until_cut import run_score
from exactmatch.errors import UsageError
from exactmatch.graphs.coupling import couple_plain
from exactmatch.graphs.graph import PENMAN
from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.pairing import OnError
from exactmatch.graphs.selection import Selection
from exactmatch.metrics.base import Choice, Metric
from exactmatch.runtime.workers import MOST, Workers
from exactmatch.scoring.asked_details import check_by_sentence, check_subscores, chosen_subscores
from exactmatch.scoring.asked_workers import resolve_workers
from exactmatch.scoring.by_cover import CoverCounter, mapping_counter_of
from exactmatch.scoring.choices import Several, chosen_metric
from exactmatch.scoring.declaration import Options, keywords
from exactmatch.scoring.from_texts import map_texts
from exactmatch.scoring.options import (
    CorpusLimits,
    Details,
    PairFiles,
    Pairing,
    Proving,
    Search,
    Selecting,
    Telling,
    Work,
)
from exactmatch.scoring.pair_request import PairRequest
from exactmatch.scoring.results import CorpusScore, PairScore, WritePage
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import Sides, check_known
from exactmatch.scoring.stream import ScoringTask, score_stream

#: So many best mappings are listed if nothing but the defined one is asked for.
_DEFINED = 0
_USUAL = Settings()
#: Ways to count that are remembered.
_KNOWN = 16


@keywords
def score(
    system: Graphs,
    gold: Graphs,
    *,
    metric: str | Metric | Several | None = None,
    profile: str = "default",
    search: Search,
    proving: Proving,
    limits: CorpusLimits,
    pairing: Pairing,
    files: PairFiles,
    details: Details,
    selecting: Selecting,
    work: Work,
    telling: Telling,
    **choices: Choice,
) -> CorpusScore | list[CorpusScore]:
    """Score the graphs of *system* against those of *gold*.

    Args:
        system: the graphs to judge: the path of a file, a text in any format, a graph of
            exactmatch, penman or networkx, or a list of texts and graphs. A string is a path if
            it names a file or ends like a file of graphs (``.amr``), otherwise a text.
        gold: the graphs to compare them with, of the same types.
        metric: a name in `exactmatch.METRICS`, or a `Metric`, as `exactmatch.metric` returns it;
            None is the usual metric for the format of the graphs. With several metrics, each graph
            is read once for all.
        profile: a named set of choices of the metric: ``default``, ``smatch-1.0.4`` and so on.
        {options}
        **choices: single choices of the metric, such as ``top="none"``; see its class.

    Returns:
        The score of the corpus, with those of the pairs in ``per_pair``; with several metrics, a
        list of scores in their order.

    Raises:
        InputError: for files and graphs that cannot be used.
        UsageError: for an unknown metric, profile, method or choice.
        VerificationError: if two computations of the same number disagree.
        WorkerError: if a worker process has died, or a cluster is lost.

    Example:
        >>> import exactmatch
        >>> exactmatch.score("(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))")
        <CorpusScore P 0.7500, R 0.7500, F1 0.7500, 1 of 1 optimal>
    """
    workers = resolve_workers(work, telling.note)
    several = isinstance(metric, list | tuple)
    request = PairRequest(
        system,
        gold,
        metric if isinstance(metric, list | tuple) else (metric,),
        profile,
        choices,
        _settings(
            details,
            search,
            proving,
            limits,
            memory=MOST,
            certificates=files.certificates is not False,
        ),
        pairing,
        Selection.of(selecting.ids, selecting.where),
        workers,
        telling,
        telling.note,
    )
    scored = run_score(request, files, limits.memory, keep_pairs=files.resume is None)
    if scored.cut_by is not None:
        raise scored.cut_by
    scores = [
        replace(one, pages=_pages(request, one.metric, one.settings)) for one in scored.scores
    ]
    return scores if several else scores[0]


def _pages(request: PairRequest, metric: Metric, settings: Settings) -> WritePage:
    """Return what writes the pages of a score that is known, when they are asked for."""
    return partial(_write_pages, request.again(metric, settings))


def _write_pages(request: PairRequest, output: Path) -> Path:
    from exactmatch.api.show import show_later  # few scores are shown

    return show_later(request, output)


def _settings(details: Details, *groups: Options, **asked: Any) -> Settings:
    """Return the settings of the options, with the requested subscores."""
    subscores = chosen_subscores(details.subscores)
    return Settings.of(details, *groups, subscores=subscores, **asked)


def _settings_of_pairs(
    groups: tuple[Details, Search, Proving, CorpusLimits],
    workers: Workers,
    certificates: bool,
    best_mappings: int | None,
) -> Settings:
    """Return the settings of a function that gives the scores of pairs."""
    return _settings(
        *groups, workers=workers, certificates=certificates, best_mappings=best_mappings
    )


@keywords
def score_pairs(
    system: Graphs,
    gold: Graphs,
    *,
    metric: str | Metric | None = None,
    profile: str = "default",
    search: Search,
    proving: Proving,
    limits: CorpusLimits,
    pairing: Pairing,
    certificates: bool = False,
    details: Details,
    best_mappings: int | None = None,
    selecting: Selecting,
    work: Work,
    **choices: Choice,
) -> Iterator[PairScore]:
    """Yield the scores of the pairs of `score` in order, and keep none of them.

    Files are read when pairs are needed. Arguments and errors are those of `score`; an error in a
    file is raised where it is reached. With *best_mappings*, ``best`` of each score lists that many
    of the first best mappings, and their common part. With 0, ``best`` has the first one alone,
    which is the same for any solver; see `exactmatch.metrics.best_mappings`.

    Example:
        >>> import exactmatch
        >>> graphs = ["(b / bird)", "(c / cat)"]
        >>> [pair.f1 for pair in exactmatch.score_pairs(graphs, graphs)]
        [1.0, 1.0]
    """
    workers = resolve_workers(work)
    request = PairRequest(
        system,
        gold,
        (metric,),
        profile,
        choices,
        _settings_of_pairs(
            (details, search, proving, limits), workers, certificates, best_mappings
        ),
        pairing,
        Selection.of(selecting.ids, selecting.where),
        workers,
    )
    check_known("on_error", pairing.on_error, get_args(OnError))
    with request.opened() as sides:
        (chosen,) = request.chosen(sides.format)
        yield from _pair_scores(request, sides, chosen)


def _pair_scores(request: PairRequest, sides: Sides, metric: Metric) -> Iterator[PairScore]:
    """Yield the scores of the pairs that are selected."""
    settings = request.full_settings
    check_subscores(settings.subscores, [metric])
    check_by_sentence(settings.by_sentence, [metric])
    on_error, selection = request.pairing.on_error, request.selection
    task = ScoringTask([metric], settings, on_error, request.workers, selection)
    answers = score_stream(sides.couples(metric), task)
    with closing(answers):  # the workers end when the caller stops asking for pairs
        for answer in answers:
            if answer.is_selected:
                yield answer.scores[0]


@keywords
def best_mapping(
    system: Graphs,
    gold: Graphs,
    *,
    metric: str | Metric | None = None,
    profile: str = "default",
    search: Search,
    proving: Proving,
    limits: CorpusLimits,
    pairing: Pairing,
    certificates: bool = False,
    details: Details,
    best_mappings: int = _DEFINED,
    work: Work,
    **choices: Choice,
) -> PairScore:
    """Return the score of two graphs, with the best ``mapping`` of variables.

    Of several best mappings, the defined one is returned. Arguments and errors are those of
    `score_pairs`; for more than one graph, `UsageError` is raised.

    Example:
        >>> import exactmatch
        >>> system = "(s / sing-01 :ARG0 (b / bird :mod (o / old)))"
        >>> best = exactmatch.best_mapping(system, "(x / bird :mod (y / old))")
        >>> dict(best.mapping), best.status
        ({'b': 'x', 'o': 'y'}, 'optimal')
    """
    groups = (search, proving, limits, pairing, details, work)
    if certificates is False and best_mappings is _DEFINED and all([g.is_usual for g in groups]):
        score = _at_once(system, gold, metric, profile, choices)
        if score is not None:
            return score
    workers = resolve_workers(work)
    request = PairRequest(
        system,
        gold,
        (metric,),
        profile,
        choices,
        _settings_of_pairs(
            (details, search, proving, limits), workers, certificates, best_mappings
        ),
        pairing,
        workers=workers,
    )
    with request.opened() as sides:
        (chosen,) = request.chosen(sides.format)
        first, *others = _pair_scores(request, sides, chosen)
    if others:
        raise UsageError(f"best_mapping takes one graph a side, not {1 + len(others)}")
    return replace(first, pages=_pages(request, chosen, request.settings))


def _at_once(
    system: Graphs,
    gold: Graphs,
    metric: str | Metric | None,
    profile: str,
    choices: Mapping[str, Choice],
) -> PairScore | None:
    """Return what `best_mapping` does where nothing else is asked, and both graphs are plain texts.

    If the text has more, or is not proven at once, the result is None.
    """
    couple = couple_plain(system, gold)
    # A table may be a file, which may change.
    if couple is None or not {"reification_table", "credits"}.isdisjoint(choices):
        return None
    try:
        counted, counter = _counter(metric, profile, *choices.items())
    except TypeError:  # what cannot be hashed
        return None
    if counter is None:
        return None
    return map_texts(
        couple, counted, _USUAL, counter, partial(_page_at_once, system, gold, counted)
    )


def _page_at_once(system: Graphs, gold: Graphs, metric: Metric, output: Path) -> Path:
    """Write the page of a pair that was mapped at once."""
    settings = Settings.of(best_mappings=_DEFINED)
    return _write_pages(PairRequest(system, gold, (metric,), settings=settings), output)


@lru_cache(_KNOWN, typed=True)
def _counter(
    metric: str | Metric | None, profile: str, *choices: tuple[str, Choice]
) -> tuple[Metric, CoverCounter | None]:
    """Return a metric for PENMAN, and what counts pairs by it."""
    chosen = chosen_metric(PENMAN, metric, profile, dict(choices))
    return chosen, mapping_counter_of(chosen)
