"""The Python interface: `score` and `best_mapping`."""

import time
from collections.abc import Iterable
from os import PathLike
from typing import Any, TypeAlias, get_args

import penman

from exactmatch.corpus import CorpusScore, Options, PairScore, score_pairs, sum_up
from exactmatch.errors import GraphError, InputError, UsageError
from exactmatch.graph import Graph
from exactmatch.metrics.profiles import PROFILES, Profile
from exactmatch.pairing import OnError, PairBy, pair_graphs
from exactmatch.readers.penman import from_penman, read_file, read_text
from exactmatch.search.methods import METHODS
from exactmatch.solve import EXACT

#: PENMAN text, a path to a file, a graph of the penman library, or several such texts or graphs.
Graphs: TypeAlias = str | PathLike[str] | penman.Graph | Iterable[str | penman.Graph]


def score(
    test: Graphs,
    gold: Graphs,
    *,
    profile: str | Profile = "default",
    method: str = EXACT,
    timeout: float | None = 60.0,
    total_timeout: float | None = None,
    seed: int = 0,
    pair_by: PairBy = "position",
    on_error: OnError = "stop",
    cross_check: bool = False,
    **choices: str,
) -> CorpusScore:
    """Score the graphs of *test* against those of *gold*.

    Args:
        test: the graphs that are judged; see `Graphs` for what may be given.
        gold: the gold standard.
        profile: how triples are counted: ``default``, ``smatch-1.0.4``, or a `Profile`.
        method: ``exact``, or a heuristic: ``base``, ``r``, ``10r``, ``s``, ``s+4r``, ``s+9r``.
        timeout: seconds for each pair, None for no limit. What is not proven by then is
            reported as an interval.
        total_timeout: seconds for all pairs together.
        seed: of every random choice.
        pair_by: ``position`` or ``id``.
        on_error: what to do with graphs that cannot be read: ``stop``, ``skip`` or ``empty``.
        cross_check: prove every result a second time, with another solver.
        **choices: single choices of the profile, such as ``top="none"``; see `Profile`.

    Returns:
        The score of the corpus, with those of the pairs in ``per_pair``.

    Raises:
        InputError: for files and graphs that cannot be used.
        UsageError: for a profile, method or choice that does not exist.
        VerificationError: if two computations of the same number disagree.

    Example:
        >>> import exactmatch
        >>> exactmatch.score("(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))")
        <CorpusScore P 0.7500, R 0.7500, F1 0.7500, 1 of 1 optimal>
    """
    start = time.monotonic()
    _check_known("method", method, (EXACT, *METHODS))
    _check_known("pair_by", pair_by, get_args(PairBy))
    _check_known("on_error", on_error, get_args(OnError))
    options = Options(
        profile=_profile(profile, choices),
        method=method,
        timeout=timeout,
        total_timeout=total_timeout,
        seed=seed,
        cross_check=cross_check,
    )
    pairing = pair_graphs(
        _graphs(test, "test"),
        _graphs(gold, "gold"),
        test_name=_name(test, "test"),
        gold_name=_name(gold, "gold"),
        pair_by=pair_by,
        on_error=on_error,
    )
    scores = list(score_pairs(pairing, options))
    seconds = time.monotonic() - start
    return sum_up(scores, options, seconds=seconds, emptied=pairing.emptied)


def best_mapping(test: str | penman.Graph, gold: str | penman.Graph, **options: Any) -> PairScore:
    """Return the score of two graphs, with the ``mapping`` of variables that reaches it.

    The options are those of `score`. Raises `UsageError` for more than one graph.

    Example:
        >>> import exactmatch
        >>> best = exactmatch.best_mapping("(a / sing-01 :ARG0 (b / bird))", "(x / bird)")
        >>> dict(best.mapping), best.status
        ({'b': 'x'}, 'optimal')
    """
    result = score(test, gold, **options)
    if len(result.per_pair) != 1:
        raise UsageError(f"best_mapping takes one graph a side, not {len(result.per_pair)}")
    return result.per_pair[0]


def _check_known(what: str, value: str, known: Iterable[str]) -> None:
    if value not in known:
        raise UsageError(f"no {what} is called {value!r}; there are {', '.join(known)}")


def _profile(profile: str | Profile, choices: dict[str, str]) -> Profile:
    if isinstance(profile, str):
        _check_known("profile", profile, PROFILES)
        profile = PROFILES[profile]
    try:
        return profile.with_choices(**choices)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _graphs(given: Graphs, name: str) -> list[Graph | GraphError]:
    if isinstance(given, str):
        if not given.lstrip("\ufeff \t\r\n").startswith(("(", "#")):
            raise InputError(f"{name}: text of graphs expected; a file is given as a pathlib.Path")
        return read_text(given, name)
    if isinstance(given, PathLike):
        return read_file(given)
    several = [given] if isinstance(given, penman.Graph) else given
    graphs: list[Graph | GraphError] = []
    for number, graph in enumerate(several, start=1):
        if isinstance(graph, str):
            graphs += read_text(graph, f"{name}[{number - 1}]")
        else:
            graphs.append(_converted(graph, name, number))
    return graphs


def _converted(graph: penman.Graph, name: str, number: int) -> Graph | GraphError:
    try:
        return from_penman(graph, f"{name}[{number - 1}]", number)
    except GraphError as error:
        return error


def _name(given: Graphs, default: str) -> str:
    return str(given) if isinstance(given, PathLike) else default
