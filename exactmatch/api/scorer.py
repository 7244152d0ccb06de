"""Score many outputs in training loops, on processes that stay alive and keep gold graphs."""

import pickle
from collections.abc import Hashable, Iterable, Mapping
from types import TracebackType
from typing import Any, NamedTuple, Self

from exactmatch.api.completions import completion_text
from exactmatch.api.reward import STEPS, Rewards, read
from exactmatch.errors import GoldError, InputError, UsageError, briefly
from exactmatch.graphs.inputs import as_path
from exactmatch.graphs.readers.source import ByteStream
from exactmatch.metrics.base import Choice, Metric
from exactmatch.runtime.pool import Known, StandingPool
from exactmatch.runtime.workers import Workers, number_of
from exactmatch.scoring.results import PairScore

#: Pairs that are sent together, at most.
_TOGETHER = 32

#: Characters of a key or a text in messages, at most.
_SHOWN = 60


class _Pair(NamedTuple):
    """A pair to score; if *is_kept*, *gold* is a key."""

    name: str
    system: object
    gold: Any
    is_kept: bool


class _Batch(NamedTuple):
    """Pairs, and the gold graphs by key that their process does not have yet."""

    pairs: list[_Pair]
    new: dict[Hashable, object]
    are_whole: bool


class Scorer:
    """Scores graphs against gold graphs, on processes that stay alive between calls.

    As with `exactmatch.reward`, unreadable graphs of systems raise nothing, unreadable gold
    graphs raise ValueError, and the results are the same with any number of workers. Processes
    start when they are first needed. They end with the ``with`` statement, by `close`, or with
    the program.

    Args:
        metric, profile, steps, repair, **choices: as for `exactmatch.reward`.
        workers: the number of processes that share the work, or ``auto``: one for each core. With
            1, this process does all the work. A program with more must start under
            ``if __name__ == "__main__":``.

    Several threads may share a scorer; one waits for the other. A forked process, or one that
    receives a copy of a scorer, starts processes of its own. Where it may not start any, as in a
    worker of torch's ``DataLoader``, it does the work itself.

    Raises:
        UsageError: for an unknown metric, profile or choice.

    Example:
        >>> import exactmatch
        >>> with exactmatch.Scorer() as scorer:
        ...     scorer.keep({"x.1": "(s / sing-01 :ARG0 (b / bird))"})
        ...     scorer.rewards([("(s / sing-01)", "x.1"), ("(s /", "x.1"), ("(b / c)", "(b / c)")])
        [0.6666666666666666, 0.0, 1.0]
    """

    def __init__(
        self,
        metric: str | Metric | None = None,
        *,
        workers: Workers = 1,
        profile: str = "default",
        steps: int = STEPS,
        repair: bool = False,
        **choices: Choice,
    ) -> None:
        self._rewards = Rewards(metric, profile, choices, steps, repair)
        work = _AtWork(self._rewards)
        self._pool = StandingPool(work, number_of(workers))
        self._size = number_of(workers)
        self._kept: dict[Hashable, object] = {}
        self._versions: dict[Hashable, int] = {}

    @briefly
    def keep(self, golds: Mapping[Any, object]) -> None:
        """Keep gold graphs by key: texts, paths or graphs, which replace those with the same keys.

        All of them are read at once, to see that they can be. A process receives a kept graph when
        it first needs it, and reads and normalises it once. Raises ValueError, and keeps none, if
        one of them is unreadable.
        """
        portable = {key: self._checked(key, gold) for key, gold in golds.items()}
        for key, gold in portable.items():
            self._kept[key] = gold
            self._versions[key] = self._versions.get(key, 0) + 1

    @briefly
    def rewards(self, pairs: Iterable[tuple[object, object]]) -> list[float]:
        """Return the rewards of *pairs*, in order.

        A pair is a system's graph and either a gold graph or the key of a kept one. A gold graph
        may be the path of a file that holds it. A system's text is never a path, since models
        write such texts.

        Raises ValueError for an unknown key and for an unreadable gold graph, `WorkerError` if two
        processes die of the same pairs, and `UsageError` after `close`.
        """
        return self._results(pairs, are_whole=False)

    @briefly
    def scores(self, pairs: Iterable[tuple[object, object]]) -> list[PairScore]:
        """Return the full scores of *pairs*, in order, with mappings and bounds.

        Their identifiers are numbers from 1; pairs with unreadable graphs are skipped. Arguments
        and errors are those of `rewards`.
        """
        return self._results(pairs, are_whole=True)

    def close(self) -> None:
        """End the processes."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _results(self, pairs: Iterable[tuple[object, object]], *, are_whole: bool) -> list[Any]:
        if self._pool.is_closed:
            raise UsageError("this scorer has been closed")
        asked = [
            self._pair(str(number), system, gold)
            for number, (system, gold) in enumerate(pairs, start=1)
        ]
        # Small enough that each process has work left when others finish.
        together = max(1, min(_TOGETHER, len(asked) // (4 * self._size)))
        batches = [asked[i : i + together] for i in range(0, len(asked), together)]

        def packed(batch: list[_Pair], known: Known) -> _Batch:
            return self._packed(batch, known, are_whole)

        results = [one for found in self._pool.results(batches, packed, _called) for one in found]
        for pair, found in zip(asked, results, strict=True):
            if isinstance(found, GoldError):
                raise GoldError(f"pair {pair.name}: {_shown(pair.gold)} is no kept key; {found}")
        return results

    def _checked(self, key: object, gold: object) -> object:
        """Return a gold graph to keep under *key*. Raises `GoldError` if it cannot be used."""
        try:
            gold = _read_if_file(gold)
            self._rewards.gold(gold)
            portable = _portable(gold)
            if portable is None:
                raise GoldError("the gold graph cannot be used: no other process can get it")
        except GoldError as error:
            raise GoldError(f"{_shown(key)}: {error}") from error
        return portable

    def _pair(self, name: str, system: object, gold: object) -> _Pair:
        """Return a pair to score. Raises `GoldError` for what is neither a graph nor a key."""
        try:
            is_kept = gold in self._kept
        except Exception:  # it cannot be hashed, so it is no key
            is_kept = False
        portable = gold if is_kept else _portable(_read_if_file(gold, f"pair {name}: "))
        if portable is None:
            raise GoldError(f"pair {name}: {_shown(gold)} is neither a gold graph nor a kept key")
        return _Pair(name, _portable(completion_text(system)), portable, is_kept)

    def _packed(self, batch: list[_Pair], known: Known, are_whole: bool) -> _Batch:
        """Return *batch* with the gold graphs that a process lacks, and note that it has them."""
        new = {}
        for pair in batch:
            if pair.is_kept and known.get(pair.gold) != self._versions[pair.gold]:
                new[pair.gold] = self._kept[pair.gold]
                known[pair.gold] = self._versions[pair.gold]
        return _Batch(batch, new, are_whole)


class _AtWork:
    """The part of a scorer in a process: it scores batches, and keeps gold graphs."""

    def __init__(self, rewards: Rewards) -> None:
        self._rewards = rewards

    def __call__(self, batch: _Batch) -> list[Any]:
        for key, gold in batch.new.items():
            self._rewards.keep(key, gold)
        score = self._score if batch.are_whole else self._value
        found: list[Any] = []
        for pair in batch.pairs:
            try:
                found.append(score(pair))
            except GoldError as error:  # the first one of all batches is raised
                found.append(error)
        return found

    def _score(self, pair: _Pair) -> PairScore:
        score = self._rewards.score_kept if pair.is_kept else self._rewards.score
        return score(pair.name, pair.system, pair.gold)

    def _value(self, pair: _Pair) -> float:
        value = self._rewards.value_kept if pair.is_kept else self._rewards.value
        return value(pair.system, pair.gold)


def _shown(given: object) -> str:
    """Return a key or a gold graph in words. Objects of strange types may do anything."""
    is_plain = type(given) in (str, int, float, bool, type(None))
    return repr(given)[:_SHOWN] if is_plain else f"a {type(given).__name__}"


def _read_if_file(gold: object, place: str = "") -> object:
    """Return the text of the file that *gold* names; *gold* itself if it is no path.

    Raises `GoldError`, which begins with *place*, if the file cannot be read.
    """
    path = as_path(gold)
    if path is None:
        return gold
    try:
        with ByteStream(path) as stream:
            return b"".join(stream.chunks()).decode("utf-8", "surrogatepass")
    except InputError as error:
        raise GoldError(f"{place}the gold graph cannot be used: {error}") from error


def _called(batch: list[_Pair]) -> str:
    return f"pairs {batch[0].name} to {batch[-1].name}"


def _portable(given: object) -> object:
    """Return a text or graph that can be sent to another process; None for anything else."""
    try:
        if isinstance(given, str):
            return str.__str__(given)
        return given if read(given) is not None and pickle.dumps(given) else None
    except MemoryError:
        raise
    except Exception:
        return None
