"""The Python interface: one function for each thing that the commands do."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike
from typing import NamedTuple, TypeAlias, get_args, overload

from exactmatch.corpus import score_corpus
from exactmatch.errors import GraphError, UsageError
from exactmatch.graph import Graph
from exactmatch.inputs import Graphs, common_format, opened
from exactmatch.memory import default_limit
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import check_format, metric_for, profile_called
from exactmatch.pairing import Couple, OnError, PairBy, couple_graphs, unreadable
from exactmatch.readers.detect import GraphText, parse
from exactmatch.results import CorpusScore, PairScore
from exactmatch.scoring import score_stream
from exactmatch.settings import Settings
from exactmatch.solving.strategy import AUTO, EXACT

#: Several metrics at once.
Several: TypeAlias = list[str] | list[Metric] | list[str | Metric] | tuple[str | Metric, ...]


@overload
def score(
    system: Graphs,
    gold: Graphs,
    *,
    metric: str | Metric | None = ...,
    profile: str = ...,
    method: str = ...,
    solver: str = ...,
    timeout: float | None = ...,
    total_timeout: float | None = ...,
    seed: int = ...,
    memory: int | None = ...,
    pair_by: PairBy = ...,
    on_error: OnError = ...,
    cross_check: bool = ...,
    certificates: bool = ...,
    breakdown: bool = ...,
    workers: int = ...,
    **choices: str,
) -> CorpusScore: ...


@overload
def score(
    system: Graphs,
    gold: Graphs,
    *,
    metric: Several,
    profile: str = ...,
    method: str = ...,
    solver: str = ...,
    timeout: float | None = ...,
    total_timeout: float | None = ...,
    seed: int = ...,
    memory: int | None = ...,
    pair_by: PairBy = ...,
    on_error: OnError = ...,
    cross_check: bool = ...,
    certificates: bool = ...,
    breakdown: bool = ...,
    workers: int = ...,
    **choices: str,
) -> list[CorpusScore]: ...


def score(
    system: Graphs,
    gold: Graphs,
    *,
    metric: str | Metric | Several | None = None,
    profile: str = "default",
    method: str = EXACT,
    solver: str = AUTO,
    timeout: float | None = 60.0,
    total_timeout: float | None = None,
    seed: int = 0,
    memory: int | None = None,
    pair_by: PairBy = "position",
    on_error: OnError = "stop",
    cross_check: bool = False,
    certificates: bool = False,
    breakdown: bool = False,
    workers: int = 1,
    **choices: str,
) -> CorpusScore | list[CorpusScore]:
    """Score the graphs of *system* against those of *gold*.

    Args:
        system: the graphs that are judged; see `exactmatch.inputs.Graphs` for what may be given.
        gold: the gold standard.
        metric: the name of one of `exactmatch.METRICS`, or a `Metric`; None is the usual one for
            the format of the graphs. Of several, each graph is read once for all.
        profile: how a metric counts that is named: ``default``, ``smatch-1.0.4`` and so on.
        method: ``exact``, or a heuristic: ``base``, ``r``, ``10r``, ``s``, ``s+4r``, ``s+9r``.
        solver: what proves an exact result: ``auto``, ``dual`` (none), ``cpsat``, ``maxsat``,
            ``ilp``, ``ilp-paper`` or ``brute``.
        timeout: seconds for each pair, None for no limit. What is not proven by then is
            reported as an interval.
        total_timeout: seconds for all pairs together.
        seed: of every random choice.
        memory: bytes that a pair may take; what would take more is not solved, but reported as an
            interval. None is a quarter of what is free for each worker, at most 1 GiB.
        pair_by: ``position`` or ``id``.
        on_error: what to do with graphs that cannot be read: ``stop``, ``skip`` or ``empty``.
        cross_check: prove every result a second time, with another solver.
        certificates: write down every proof, in the ``certificate`` of each pair.
        breakdown: count the matched triples of each kind as well, under the mapping found.
        workers: processes that share the work; the result is the same with any number. A program
            that asks for more than one has to start under ``if __name__ == "__main__":``.
        **choices: single choices of the metric, such as ``top="none"``; see its class.

    Returns:
        The score of the corpus, with those of the pairs in ``per_pair``; a list of such, in order,
        where several metrics are asked for.

    Raises:
        InputError: for files and graphs that cannot be used.
        UsageError: for a metric, profile, method or choice that does not exist.
        VerificationError: if two computations of the same number disagree.
        WorkerError: if a worker process has died.

    Example:
        >>> import exactmatch
        >>> exactmatch.score("(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))")
        <CorpusScore P 0.7500, R 0.7500, F1 0.7500, 1 of 1 optimal>
    """
    settings = Settings(
        method=method,
        solver=solver,
        timeout=timeout,
        total_timeout=total_timeout,
        seed=seed,
        memory=default_limit(workers) if memory is None else memory,
        cross_check=cross_check,
        certificates=certificates,
        breakdown=breakdown,
    )
    _check_known("on_error", on_error, get_args(OnError))
    names = list(metric) if isinstance(metric, list | tuple) else [metric]
    with _couples(system, gold, pair_by) as (form, couples):
        scored = score_corpus(
            couples,
            [chosen_metric(form, name, profile, choices) for name in names],
            settings,
            on_error=on_error,
            workers=workers,
            keep_pairs=True,
        )
    if scored.cut_by is not None:
        raise scored.cut_by
    return list(scored.scores) if isinstance(metric, list | tuple) else scored.scores[0]


def score_pairs(
    system: Graphs,
    gold: Graphs,
    *,
    metric: str | Metric | None = None,
    profile: str = "default",
    method: str = EXACT,
    solver: str = AUTO,
    timeout: float | None = 60.0,
    total_timeout: float | None = None,
    seed: int = 0,
    memory: int | None = None,
    pair_by: PairBy = "position",
    on_error: OnError = "stop",
    cross_check: bool = False,
    certificates: bool = False,
    breakdown: bool = False,
    workers: int = 1,
    **choices: str,
) -> Iterator[PairScore]:
    """Yield the scores of the pairs of `score` as they come, in order, and keep none.

    Files are read as pairs are asked for. Arguments and errors are those of `score`; an error in
    the files is raised when it is reached.

    Example:
        >>> import exactmatch
        >>> graphs = ["(b / bird)", "(c / cat)"]
        >>> [pair.f1 for pair in exactmatch.score_pairs(graphs, graphs)]
        [1.0, 1.0]
    """
    settings = Settings(
        method=method,
        solver=solver,
        timeout=timeout,
        total_timeout=total_timeout,
        seed=seed,
        memory=default_limit(workers) if memory is None else memory,
        cross_check=cross_check,
        certificates=certificates,
        breakdown=breakdown,
    )
    _check_known("on_error", on_error, get_args(OnError))
    with _couples(system, gold, pair_by) as (form, couples):
        chosen = chosen_metric(form, metric, profile, choices)
        answers = score_stream(couples, [chosen], settings, on_error=on_error, workers=workers)
        for answer in answers:
            yield answer.scores[0]


def best_mapping(
    system: Graphs,
    gold: Graphs,
    *,
    metric: str | Metric | None = None,
    profile: str = "default",
    method: str = EXACT,
    solver: str = AUTO,
    timeout: float | None = 60.0,
    seed: int = 0,
    memory: int | None = None,
    cross_check: bool = False,
    certificates: bool = False,
    breakdown: bool = False,
    **choices: str,
) -> PairScore:
    """Return the score of two graphs, with the ``mapping`` of variables that reaches it.

    Arguments and errors are those of `score`; for more than one graph, `UsageError` is raised.

    Example:
        >>> import exactmatch
        >>> system = "(s / sing-01 :ARG0 (b / bird :mod (o / old)))"
        >>> best = exactmatch.best_mapping(system, "(x / bird :mod (y / old))")
        >>> dict(best.mapping), best.status
        ({'b': 'x', 'o': 'y'}, 'optimal')
    """
    first, *others = score_pairs(
        system,
        gold,
        metric=metric,
        profile=profile,
        method=method,
        solver=solver,
        timeout=timeout,
        total_timeout=None,
        seed=seed,
        memory=memory,
        pair_by="position",
        on_error="stop",
        cross_check=cross_check,
        certificates=certificates,
        breakdown=breakdown,
        workers=1,
        **choices,
    )
    if others:
        raise UsageError(f"best_mapping takes one graph a side, not {1 + len(others)}")
    return first


def load(path: str | PathLike[str]) -> list[Graph]:
    """Return the graphs of a file in any of the formats, ``-`` for standard input.

    Raises `InputError` if it cannot be read, holds no graph, or has graphs that cannot be read.
    """
    from pathlib import Path

    return _read(Path(path), str(path))


def loads(text: str) -> list[Graph]:
    """Return the graphs of a text in any of the formats. Raises `InputError` as `load` does.

    Example:
        >>> import exactmatch
        >>> [graph.tops for graph in exactmatch.loads("(b / bird)")]
        [('b',)]
    """
    return _read(text, "text")


def chosen_metric(
    form: str, metric: str | Metric | None, profile: str, choices: dict[str, str]
) -> Metric:
    """Return the metric for graphs of the format *form* that is asked for.

    Raises `UsageError` for what does not exist, and `InputError` for graphs of another format.
    """
    if not isinstance(metric, Metric):
        return profile_called(metric_for(form, metric), profile).with_choices(**choices)
    check_format(metric, form)
    return metric.with_choices(**choices)


class _Pairs(NamedTuple):
    format: str
    couples: Iterator[Couple]


@contextmanager
def _couples(system: Graphs, gold: Graphs, pair_by: PairBy) -> Iterator[_Pairs]:
    """Yield the format of both sides, and what belongs together in them."""
    _check_known("pair_by", pair_by, get_args(PairBy))
    with ExitStack() as stack:
        left = stack.enter_context(opened(system, "system"))
        right = stack.enter_context(opened(gold, "gold"))
        couples = couple_graphs(
            left.graphs,
            right.graphs,
            system_name=left.name,
            gold_name=right.name,
            pair_by=pair_by,
        )
        yield _Pairs(common_format(left, right), couples)


def _read(given: str | PathLike[str], name: str) -> list[Graph]:
    with opened(given, name) as found:
        graphs = [parse(g) if isinstance(g, GraphText) else g for g in found.graphs]
    errors = [graph for graph in graphs if isinstance(graph, GraphError)]
    if errors:
        raise unreadable(errors)
    return [graph for graph in graphs if isinstance(graph, Graph)]


def _check_known(what: str, value: str, known: Iterable[str]) -> None:
    if value not in known:
        raise UsageError(f"no {what} is called {value!r}; there are {', '.join(known)}")
