"""Score a corpus, its pairs one by one, and the best mapping of two graphs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from exactmatch.errors import UsageError
from exactmatch.graphs.graph import PENMAN, UMR
from exactmatch.graphs.inputs import Graphs
from exactmatch.graphs.pairing import OnError, couple_plain
from exactmatch.graphs.selection import Selection
from exactmatch.metrics.base import Choice, Metric
from exactmatch.metrics.registry import alignment_based
from exactmatch.runtime.output import check_apart, check_outputs
from exactmatch.runtime.workers import MOST, Workers, default_limit
from exactmatch.scoring.by_cover import CoverRoad, mapping_road_of
from exactmatch.scoring.choices import (
    Several,
    StrPath,
    check_by_sentence,
    check_subscores,
    chosen_metric,
    chosen_subscores,
)
from exactmatch.scoring.corpus import Output, Scored, score_corpus
from exactmatch.scoring.declaration import Options, keywords
from exactmatch.scoring.from_texts import map_texts
from exactmatch.scoring.options import (
    CorpusLimits,
    Details,
    Note,
    PairFiles,
    Pairing,
    Proving,
    Search,
    Selecting,
    Settings,
    Telling,
    Work,
)
from exactmatch.scoring.results import CorpusScore, PairScore
from exactmatch.scoring.sides import Sides, both_sides, check_known, resolve_workers, watching
from exactmatch.scoring.stream import score_stream

if TYPE_CHECKING:
    from exactmatch.runtime.checkpoint import Checkpoint
    from exactmatch.scoring.corpus import Worst
    from exactmatch.scoring.validity.file_faults import FaultCounter

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
        system: the graphs to judge; see `exactmatch.graphs.inputs.Graphs` for the types.
        given.
        metric: a name in `exactmatch.METRICS`, or a `Metric`, as `exactmatch.metric` returns it;
            None is the usual metric for the format of the graphs. With several metrics, each graph
            is read once for all.
        profile: a named set of choices of the metric: ``default``, ``smatch-1.0.4`` and so on.
        profile: how a metric counts that is named: ``default``, ``smatch-1.0.4`` and so on.
        {options}
        **choices: single choices of the metric, such as ``top="none"``; see its class.

    Returns:
        The score of the corpus, with those of the pairs in ``per_pair``; with several metrics, a
            list of scores in their order.
        where several metrics are asked for.

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
    from exactmatch.report.shown_pairs import PagesLater

    workers = resolve_workers(work, telling.note)
    several = isinstance(metric, list | tuple)
    selection = Selection.of(selecting.ids, selecting.where)
    scored = score_until_cut(
        system,
        gold,
        metric if isinstance(metric, list | tuple) else (metric,),
        _settings(
            details,
            search,
            proving,
            limits,
            memory=MOST,
            certificates=files.certificates is not False,
        ),
        pairing=pairing,
        telling=telling,
        memory=limits.memory,
        profile=profile,
        choices=choices,
        files=files,
        workers=workers,
        sum_up=telling.note,
        selection=selection,
        keep_pairs=files.resume is None,
    )
    if scored.cut_by is not None:
        raise scored.cut_by
    later = partial(
        PagesLater,
        system=system,
        gold=gold,
        pairing=pairing,
        selection=selection,
        workers=workers,
    )
    scores = [
        replace(one, pages=later(metric=one.metric, settings=one.settings)) for one in scored.scores
    ]
    return scores if several else scores[0]


def _settings(details: Details, *groups: Options, **asked: Any) -> Settings:
    """Return the settings of the options, with the requested subscores."""
    subscores = chosen_subscores(details.subscores)
    return Settings.of(details, *groups, subscores=subscores, **asked)


def score_until_cut(
    system: Graphs,
    gold: Graphs,
    metrics: Sequence[str | Metric | None],
    settings: Settings,
    *,
    pairing: Pairing,
    telling: Telling,
    profile: str,
    choices: Mapping[str, Choice],
    files: PairFiles,
    memory: int | None,
    selection: Selection,
    workers: Workers,
    sum_up: Note,
    keep_pairs: bool = False,
    worst: tuple[int, str] | None = None,
    counters: "Sequence[FaultCounter]" = (),
    free_too: bool = False,
) -> Scored:
    """Do what `score` does, but after an interrupt return the finished part, and the interrupt.

    *memory* is that of *settings*, None for the usual. *worst* is the number of worst pairs to
    return as well, and the measure of badness. *telling* reports on pairs; *sum_up* receives the
    result of all. *counters* count the faults of both sides as they are read. With *free_too*, the
    second of two metrics is the first one with free sentences; files are written for the first.
    """
    check_known("on_error", pairing.on_error, get_args(OnError))
    certificates = None if isinstance(files.certificates, bool) else files.certificates
    named = (files.per_pair, files.mappings, certificates)
    paths = [None if path is None else Path(path) for path in named]
    _check_paths(system, gold, *paths, resume=files.resume)
    inputs = {} if files.resume is None else _files_in_words(system, gold)
    with (
        _resumed(files.resume) as checkpoint,
        both_sides(system, gold, pairing, counters) as sides,
    ):
        chosen = [chosen_metric(sides.format, name, profile, choices) for name in metrics]
        _check_chosen(chosen, settings, sides.format, free_too=free_too)
        for lacking in filter(None, (one.lacking() for one in chosen)):
            sum_up(lacking)
        outputs = _outputs(
            chosen[:1] if free_too else chosen,
            *paths,
            with_seconds=files.seconds,
            further=_further_columns(settings, chosen, repair=pairing.repair),
        )
        settings = replace(
            settings,
            memory=_memory(memory, workers, checkpoint),
            best_mappings=_best_mappings(files, by_sentence=settings.by_sentence),
            repair=pairing.repair,
        )
        if checkpoint is not None:
            from exactmatch.api.runs import run_in_words

            run = run_in_words(
                inputs,
                chosen,
                settings,
                pairing,
                selection,
                {output.name: output.path for output in outputs},
                with_seconds=files.seconds,
                worst=worst,
            )
            checkpoint.begin(run, [output.name for output in outputs])
        scored = score_corpus(
            sides.couples(*chosen),
            chosen,
            settings,
            on_error=pairing.on_error,
            workers=workers,
            selection=selection,
            outputs=outputs,
            keep_pairs=keep_pairs,
            worst=None if worst is None else _worst(*worst, with_seconds=files.seconds),
            checkpoint=checkpoint,
            watching=watching(sides, telling),
        )
    if scored.note is not None:
        sum_up(scored.note)
    return scored


def _check_paths(
    system: Graphs,
    gold: Graphs,
    per_pair: Path | None,
    *others: Path | None,
    resume: StrPath | None,
) -> None:
    """Raise `UsageError` if an output file is also an input, or cannot be written."""
    inputs = [str(given) for given in (system, gold) if isinstance(given, PathLike)]
    check_outputs(inputs, per_pair, *others)
    if resume is not None:
        check_apart(Path(resume), per_pair, *others)
    if per_pair is not None:
        from exactmatch.scoring.frames import check_parquet

        check_parquet(per_pair)


def _files_in_words(system: Graphs, gold: Graphs) -> dict[str, str]:
    from exactmatch.api.runs import inputs_in_words

    return inputs_in_words(system, gold)


@contextmanager
def _resumed(folder: StrPath | None) -> "Iterator[Checkpoint | None]":
    """Yield what *folder* holds of the run to resume; None if no folder is named."""
    if folder is None:
        yield None
        return
    from exactmatch.runtime.checkpoint import checkpoint_in

    with checkpoint_in(Path(folder)) as checkpoint:
        yield checkpoint


def _memory(given: int | None, workers: Workers, checkpoint: "Checkpoint | None") -> int:
    """Return the memory for a pair; a resumed run keeps the limit that it began with."""
    if given is None and checkpoint is not None and checkpoint.run is not None:
        from exactmatch.api.runs import kept_memory

        return kept_memory(checkpoint.run)
    return default_limit(workers) if given is None else given


def _best_mappings(files: PairFiles, *, by_sentence: bool) -> int | None:
    """Return how many best mappings the requested files and tables need."""
    if files.mappings is not None:
        return 1
    return None if files.per_pair is None and not by_sentence else 0


def _check_chosen(
    metrics: Sequence[Metric], settings: Settings, graph_format: str, *, free_too: bool
) -> None:
    """Raise `UsageError` if *metrics*, or graphs of this format, lack a requested feature."""
    check_subscores(settings.subscores, metrics)
    check_by_sentence(settings.by_sentence, metrics)
    if free_too and graph_format == UMR:
        raise UsageError("--free-too is for documents of AMR; documents of UMR are always aligned")


def _further_columns(settings: Settings, metrics: Sequence[Metric], *, repair: bool) -> list[str]:
    replaces = any(one.ill_formed_policy.mending in ("dummy", "spar") for one in metrics)
    asked = {
        "subscores": settings.subscores is not None,
        "sentences": settings.by_sentence,
        "mended": repair or replaces,
        "given": settings.is_by_name,
        "own": settings.is_by_name,
    }
    return [name for name, is_asked in asked.items() if is_asked]


def _outputs(
    metrics: Sequence[Metric],
    per_pair: Path | None,
    mappings: Path | None,
    certificates: Path | None,
    *,
    with_seconds: bool,
    further: Sequence[str],
) -> list[Output]:
    """Return the requested files. Raises `UsageError` if *metrics* do not support them."""
    outputs = []
    if per_pair is not None:
        from exactmatch.report.per_pair import per_pair_output

        outputs.append(
            per_pair_output(per_pair, metrics[0], with_seconds=with_seconds, further=further)
        )
    if mappings is not None:
        from exactmatch.report.text import mapping_text

        outputs.append(Output("mappings", mappings, mapping_text))
    if certificates is not None:
        from exactmatch.report.text import certificate_line

        outputs.append(Output("certificates", certificates, certificate_line))
    if outputs and len(metrics) > 1:
        raise UsageError("files for each pair need a single metric")
    if mappings is not None or certificates is not None:
        alignment_based(metrics[0])
    return outputs


def _worst(most: int, field: str, *, with_seconds: bool) -> "Callable[[], Worst]":
    from exactmatch.report.json import pair_content
    from exactmatch.scoring.corpus import Worst

    return partial(Worst, most, field, partial(pair_content, with_seconds=with_seconds))


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
    of the first best mappings, and their common part. With 0, the mapping is at least the defined
    one, the same for any solver (see `exactmatch.metrics.best_mappings`).

    Example:
        >>> import exactmatch
        >>> graphs = ["(b / bird)", "(c / cat)"]
        >>> [pair.f1 for pair in exactmatch.score_pairs(graphs, graphs)]
        [1.0, 1.0]
    """
    workers = resolve_workers(work)
    settings = _settings(
        details,
        search,
        proving,
        limits,
        workers=workers,
        certificates=certificates,
        best_mappings=best_mappings,
    )
    check_known("on_error", pairing.on_error, get_args(OnError))
    selection = Selection.of(selecting.ids, selecting.where)
    with both_sides(system, gold, pairing) as sides:
        chosen = chosen_metric(sides.format, metric, profile, choices)
        yield from _pair_scores(sides, chosen, settings, pairing, workers, selection)


def _pair_scores(
    sides: Sides,
    metric: Metric,
    settings: Settings,
    pairing: Pairing,
    workers: Workers,
    selection: Selection | None,
) -> Iterator[PairScore]:
    """Yield the scores of the pairs that are selected."""
    settings = replace(settings, repair=pairing.repair)
    check_subscores(settings.subscores, [metric])
    check_by_sentence(settings.by_sentence, [metric])
    answers = score_stream(
        sides.couples(metric),
        [metric],
        settings,
        on_error=pairing.on_error,
        workers=workers,
        selection=selection,
    )
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
    settings = _settings(
        details,
        search,
        proving,
        limits,
        workers=workers,
        certificates=certificates,
        best_mappings=best_mappings,
    )
    with both_sides(system, gold, pairing) as sides:
        chosen = chosen_metric(sides.format, metric, profile, choices)
        first, *others = _pair_scores(sides, chosen, settings, pairing, workers, None)
    if others:
        raise UsageError(f"best_mapping takes one graph a side, not {1 + len(others)}")
    from exactmatch.report.shown_pairs import PagesLater

    pages = PagesLater(system=system, gold=gold, metric=chosen, settings=settings, pairing=pairing)
    return replace(first, pages=pages)


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
    if couple is None or "reification_table" in choices:
        return None
    try:
        counted, road = _road(metric, profile, *choices.items())
    except TypeError:  # what cannot be hashed
        return None
    if road is None:
        return None
    from exactmatch.report.shown_pairs import PagesLater

    pages = PagesLater(system=system, gold=gold, metric=counted)
    return map_texts(couple, counted, _USUAL, road, pages)


@lru_cache(_KNOWN, typed=True)
def _road(
    metric: str | Metric | None, profile: str, *choices: tuple[str, Choice]
) -> tuple[Metric, CoverRoad | None]:
    """Return a metric for PENMAN, and what counts pairs by it."""
    chosen = chosen_metric(PENMAN, metric, profile, dict(choices))
    return chosen, mapping_road_of(chosen)
