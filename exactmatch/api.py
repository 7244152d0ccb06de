"""The Python interface: `score` and `best_mapping`."""

import time
from collections.abc import Iterable
from contextlib import ExitStack
from os import PathLike
from typing import Any, NamedTuple, TypeAlias, cast, get_args

import penman

from exactmatch.corpus import CorpusScore, Options, PairScore, sum_up
from exactmatch.errors import GraphError, InputError, UsageError
from exactmatch.graph import PENMAN, Graph
from exactmatch.memory import default_limit
from exactmatch.metrics.profiles import Profile
from exactmatch.metrics.registry import metric_for, profile_called
from exactmatch.pairing import OnError, PairBy, Unread, couple_graphs
from exactmatch.readers.detect import cut_texts, recognise, same_format
from exactmatch.readers.penman import from_penman
from exactmatch.readers.source import ByteStream, text_chunks
from exactmatch.solving.strategy import AUTO, EXACT
from exactmatch.streaming import score_stream

#: Text in any of the formats, a path to a file, a graph (of the penman library, or as
#: `exactmatch.from_networkx` returns it), or several such texts or graphs.
#: Graphs should be read with penman's AMR model, ``penman.load(path, model=amr.model)``: by default
#: penman turns roles round that are no inverses (``consist-of``).
Graphs: TypeAlias = (
    str | PathLike[str] | penman.Graph | Graph | Iterable[str | penman.Graph | Graph]
)


def score(
    test: Graphs,
    gold: Graphs,
    *,
    metric: str | None = None,
    profile: str | Profile = "default",
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
) -> CorpusScore:
    """Score the graphs of *test* against those of *gold*.

    Args:
        test: the graphs that are judged; see `Graphs` for what may be given.
        gold: the gold standard.
        metric: ``smatch``, ``mrp`` or ``counter``; None is the usual one for the format of the
            graphs. For S2match, give a `exactmatch.metrics.s2match.S2matchProfile`.
        profile: how a metric counts: ``default``, ``smatch-1.0.4``, or a `Profile`.
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
        **choices: single choices of the profile, such as ``top="none"``; see `Profile`.

    Returns:
        The score of the corpus, with those of the pairs in ``per_pair``.

    Raises:
        InputError: for files and graphs that cannot be used.
        UsageError: for a profile, method or choice that does not exist.
        VerificationError: if two computations of the same number disagree.
        WorkerError: if a worker process has died.

    Example:
        >>> import exactmatch
        >>> exactmatch.score("(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))")
        <CorpusScore P 0.7500, R 0.7500, F1 0.7500, 1 of 1 optimal>
    """
    start = time.monotonic()
    most = default_limit(workers)
    _check_known("pair_by", pair_by, get_args(PairBy))
    _check_known("on_error", on_error, get_args(OnError))
    with ExitStack() as opened:
        left, right = _graphs(test, "test", opened), _graphs(gold, "gold", opened)
        form = same_format({"test": left.format, "gold": right.format})
        options = Options(
            profile=_profile(form, metric, profile, choices),
            method=method,
            solver=solver,
            timeout=timeout,
            total_timeout=total_timeout,
            seed=seed,
            memory=most if memory is None else memory,
            cross_check=cross_check,
            certificates=certificates,
            breakdown=breakdown,
        )
        couples = couple_graphs(
            left.graphs,
            right.graphs,
            test_name=_name(test, "test"),
            gold_name=_name(gold, "gold"),
            pair_by=pair_by,
        )
        answers = list(score_stream(couples, [options], on_error=on_error, workers=workers))
    scores = [cast(PairScore, answer.results[0]) for answer in answers]
    notes = [note for answer in answers for note in answer.notes]
    return sum_up(scores, options, seconds=time.monotonic() - start, notes=notes)


def best_mapping(
    test: str | penman.Graph | Graph, gold: str | penman.Graph | Graph, **options: Any
) -> PairScore:
    """Return the score of two graphs, with the ``mapping`` of variables that reaches it.

    The options and errors are those of `score`; for more than one graph, `UsageError` is raised.

    Example:
        >>> import exactmatch
        >>> test = "(s / sing-01 :ARG0 (b / bird :mod (o / old)))"
        >>> best = exactmatch.best_mapping(test, "(x / bird :mod (y / old))")
        >>> dict(best.mapping), best.status
        ({'b': 'x', 'o': 'y'}, 'optimal')
    """
    result = score(test, gold, **options)
    if len(result.per_pair) != 1:
        raise UsageError(f"best_mapping takes one graph a side, not {len(result.per_pair)}")
    return result.per_pair[0]


def _check_known(what: str, value: str, known: Iterable[str]) -> None:
    if value not in known:
        raise UsageError(f"no {what} is called {value!r}; there are {', '.join(known)}")


def _profile(
    form: str, metric: str | None, profile: str | Profile, choices: dict[str, str]
) -> Profile:
    if isinstance(profile, str):
        profile = profile_called(metric_for(form, metric), profile)
    if not isinstance(profile, Profile):
        raise UsageError(f"{profile!r} is no profile")
    return profile.with_choices(**choices)


class _Given(NamedTuple):
    """The name of the format of the graphs that were given, and the graphs."""

    format: str
    graphs: Iterable[Unread]


def _graphs(given: Graphs, name: str, opened: ExitStack) -> _Given:
    if isinstance(given, str):
        is_graph = given.lstrip("\ufeff \t\r\n").startswith(("(", "#"))
        lines = given.encode(errors="replace").splitlines()
        if given.strip() and not is_graph and recognise(lines) == PENMAN:
            raise InputError(f"{name}: text of graphs expected; a file is given as a pathlib.Path")
        return _Given(*cut_texts(text_chunks(given), name))
    if isinstance(given, PathLike):
        stream = opened.enter_context(ByteStream(given))
        return _Given(*cut_texts(stream.chunks(), stream.name))
    several = [given] if isinstance(given, penman.Graph | Graph) else given
    if not isinstance(several, Iterable) or isinstance(several, bytes):
        raise UsageError(f"{name}: graphs cannot be had from {type(given).__name__}")
    graphs: list[Unread] = []
    formats: dict[str, str] = {}
    for number, graph in enumerate(several, start=1):
        if isinstance(graph, str):
            called = f"{name}[{number - 1}]"
            formats[called], texts = cut_texts(text_chunks(graph), called)
            graphs += texts
        elif isinstance(graph, Graph):
            formats[f"{name}[{number - 1}]"] = graph.format
            graphs.append(graph)
        elif isinstance(graph, penman.Graph):
            graphs.append(_converted(graph, name, number))
        else:
            raise UsageError(f"{name}[{number - 1}]: {type(graph).__name__} is no graph")
    if not graphs:
        raise InputError(f"{name}: no graph in it")
    return _Given(same_format(formats) if formats else PENMAN, graphs)


def _converted(graph: penman.Graph, name: str, number: int) -> Graph | GraphError:
    try:
        return from_penman(graph, f"{name}[{number - 1}]", number)
    except GraphError as error:
        return error


def _name(given: Graphs, default: str) -> str:
    return str(given) if isinstance(given, PathLike) else default
