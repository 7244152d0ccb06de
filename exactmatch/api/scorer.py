"""Many rewards at once: a pool of processes that stays, with gold graphs that it keeps."""

import pickle
from collections.abc import Hashable, Iterable, Mapping
from types import TracebackType
from typing import Any, NamedTuple, Self

from exactmatch.api.rewards import STEPS, Rewards, read, value
from exactmatch.errors import UsageError
from exactmatch.memory import number_of
from exactmatch.metrics.base import Choice, Metric
from exactmatch.results import PairScore
from exactmatch.standing_pool import Known, StandingPool
from exactmatch.workers import Workers

#: Pairs that are sent together, at most.
_TOGETHER = 32


class _Pair(NamedTuple):
    """What is to be scored; *gold* is a key if that *is_kept*."""

    name: str
    system: object
    gold: Any
    is_kept: bool


class _Batch(NamedTuple):
    """Pairs, and the gold graphs that a process lacks for them, by key."""

    pairs: list[_Pair]
    new: dict[Hashable, object]
    are_whole: bool


class Scorer:
    """Scores graphs against gold graphs, on processes that stay, whatever the graphs are.

    As with `exactmatch.reward`, unreadable graphs raise nothing, and results are the same with any
    number of workers. Processes are started when they are needed first. They end with the ``with``
    statement, by `close`, or with the program.

    Args:
        metric, profile, steps, **choices: as for `exactmatch.reward`.
        workers: processes that share the work, or ``auto``: one for each core. With 1, all is done
            in this process. A program that asks for more has to start under
            ``if __name__ == "__main__":``.

    Several threads may use a scorer; one waits for the other. A process that is forked, or that
    gets a copy of a scorer, starts processes of its own; where it may have none, as in those of
    torch's ``DataLoader``, it does the work itself.

    Raises:
        UsageError: for what does not exist.

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
        **choices: Choice,
    ) -> None:
        work = _AtWork(Rewards(metric, profile, choices, steps))
        self._pool = StandingPool(work, number_of(workers))
        self._size = number_of(workers)
        self._kept: dict[Hashable, object] = {}
        self._versions: dict[Hashable, int] = {}

    def keep(self, golds: Mapping[Any, object]) -> None:
        """Keep gold graphs by key: texts or graphs, in place of those that had the same keys.

        Each process gets one when it needs it first, and reads and normalises it once.
        """
        for key, gold in golds.items():
            self._kept[key] = _portable(gold)
            self._versions[key] = self._versions.get(key, 0) + 1

    def rewards(self, pairs: Iterable[tuple[object, object]]) -> list[float]:
        """Return the rewards of *pairs*, in order.

        A pair is a system's graph and a gold graph, or the key under which that is kept. Raises
        `WorkerError` if two processes die of the same pairs, and `UsageError` after `close`.
        """
        return self._results(pairs, are_whole=False)

    def scores(self, pairs: Iterable[tuple[object, object]]) -> list[PairScore]:
        """Return the whole scores of *pairs*, in order, with mappings and bounds.

        Their identifiers are numbers from 1; pairs with unreadable graphs are skipped ones.
        Arguments and errors are those of `rewards`.
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
        # So many that each process has some work left when others finish.
        together = max(1, min(_TOGETHER, len(asked) // (4 * self._size)))
        batches = [asked[i : i + together] for i in range(0, len(asked), together)]

        def packed(batch: list[_Pair], known: Known) -> _Batch:
            return self._packed(batch, known, are_whole)

        return [one for found in self._pool.results(batches, packed, _called) for one in found]

    def _pair(self, name: str, system: object, gold: object) -> _Pair:
        try:
            is_kept = gold in self._kept
        except Exception:  # it cannot be hashed, and so is no key
            is_kept = False
        return _Pair(name, _portable(system), gold if is_kept else _portable(gold), is_kept)

    def _packed(self, batch: list[_Pair], known: Known, are_whole: bool) -> _Batch:
        """Return *batch* with the gold graphs that a process lacks, which it knows from now on."""
        new = {}
        for pair in batch:
            if pair.is_kept and known.get(pair.gold) != self._versions[pair.gold]:
                new[pair.gold] = self._kept[pair.gold]
                known[pair.gold] = self._versions[pair.gold]
        return _Batch(batch, new, are_whole)


class _AtWork:
    """What a process does: it scores batches, and keeps gold graphs."""

    def __init__(self, rewards: Rewards) -> None:
        self._rewards = rewards

    def __call__(self, batch: _Batch) -> list[Any]:
        for key, gold in batch.new.items():
            self._rewards.keep(key, gold)
        scores = map(self._scored, batch.pairs)
        return list(scores) if batch.are_whole else list(map(value, scores))

    def _scored(self, pair: _Pair) -> PairScore:
        score = self._rewards.score_kept if pair.is_kept else self._rewards.score
        return score(pair.name, pair.system, pair.gold)


def _called(batch: list[_Pair]) -> str:
    return f"pairs {batch[0].name} to {batch[-1].name}"


def _portable(given: object) -> object:
    """Return a text or graph such that it can be sent to another process, None for all else."""
    try:
        if isinstance(given, str):
            return str.__str__(given)
        return given if read(given) is not None and pickle.dumps(given) else None
    except MemoryError:
        raise
    except Exception:
        return None
