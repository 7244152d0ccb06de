"""Score outputs of any kind in training loops, within a limit of steps.

For many rewards at once, there is a pool of processes that keep gold graphs.
"""

import pickle
import sys
import time
from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from itertools import islice
from types import TracebackType
from typing import Any, NamedTuple, Self

from exactmatch.errors import InputError, UsageError, VerificationError
from exactmatch.graphs.graph import PENMAN, Graph, Mending
from exactmatch.graphs.pairing import Couple, read_mended
from exactmatch.graphs.readers.detect import cut_texts, plain_text
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import text_chunks
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Choice, Measurement, Metric
from exactmatch.metrics.counts import Score
from exactmatch.metrics.registry import metric_called
from exactmatch.metrics.triples import NormalisedGraph
from exactmatch.runtime.pool import Known, StandingPool
from exactmatch.runtime.workers import Workers, number_of
from exactmatch.scoring.by_cover import COVER, CoverRoad, road_of
from exactmatch.scoring.choices import chosen_metric
from exactmatch.scoring.options import Settings
from exactmatch.scoring.pair import Mapper
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.sides import check_number
from exactmatch.solving.budgets import Budgets, DualBudgets
from exactmatch.solving.names import DUAL
from exactmatch.stopping.deadline import Deadline

#: Sentences take at most 20 steps, nearly all of them none.
STEPS = 100

#: Longer texts, and graphs of more triples, count as unreadable.
LONGEST = 400_000

MOST_TRIPLES = 10_000

#: A text of so many bytes has no more triples than that: each takes four, or more.
_SHORT = 4 * MOST_TRIPLES

#: The memory and the looks at rows that a pair may take: a fraction of a second at most.
_MEMORY = 24 << 20

_LOOKED_AT = 20_000

_NEVER = Deadline()


class Gold(NamedTuple):
    """A gold graph that is read and, if its metric normalises graphs, normalised."""

    graph: Graph
    normalised: NormalisedGraph | None


class Kept(NamedTuple):
    """A gold graph on a worker: its text, if counts can use the text, and the graph."""

    text: GraphText | None
    gold: Gold | None


class Rewards:
    """Scores graphs by a metric within a limit of steps, whatever the graphs are."""

    def __init__(
        self,
        metric: str | Metric | None,
        profile: str,
        choices: Mapping[str, Choice],
        steps: int,
        repair: bool = False,
    ) -> None:
        """Raises `UsageError` for an unknown metric, profile or choice."""
        check_number("steps", steps, 0)
        self._asked = metric, profile, choices
        self._repair = repair
        self._settings = Settings(solver=DUAL, memory=_MEMORY)
        self._budgets = Budgets(dual=DualBudgets(steps=steps), looked_at=_LOOKED_AT)
        self._metrics: dict[str, Metric] = {}
        self._roads: dict[str, CoverRoad | None] = {}
        self._kept: dict[Hashable, Kept] = {}
        if metric is not None:
            named = metric if isinstance(metric, Metric) else metric_called(metric)
            self._metric(named.format)

    def keep(self, key: Hashable, gold: object) -> None:
        """Keep a gold graph, read and normalised."""
        self._kept[key] = Kept(_short_text(gold), self._gold(gold))

    def score(self, name: str, system: object, gold: object) -> PairScore:
        """Return the score of two graphs; unreadable ones make a skipped pair."""
        return self._scored(name, system, self._gold(gold))

    def score_kept(self, name: str, system: object, key: Hashable) -> PairScore:
        """Return the score of a graph and the gold graph kept under *key*."""
        return self._scored(name, system, self._kept[key].gold)

    def value(self, system: object, gold: object) -> float:
        """Return the reward of two graphs."""
        value = self._counted(system, _short_text(gold))
        return self._value(system, self._gold(gold)) if value is None else value

    def value_kept(self, system: object, key: Hashable) -> float:
        """Return the reward of a graph and the gold graph kept under *key*."""
        kept = self._kept[key]
        value = self._counted(system, kept.text)
        return self._value(system, kept.gold) if value is None else value

    def _value(self, system: object, gold: Gold | None) -> float:
        score = self._scored("", system, gold, counts_alone=True)
        return score.value if score.is_compared else 0.0

    def _counted(self, system: object, gold: GraphText | None) -> float | None:
        """Return the reward of two texts without reading graphs; None if graphs are needed."""
        text = None if gold is None else _short_text(system)
        metric = None if text is None else self._metric(PENMAN)
        road = self._road(metric, PENMAN) if isinstance(metric, AlignmentMetric) else None
        if road is None:
            return None
        try:
            counts = road.count_texts(Couple("", text, gold, "", ""))
        except VerificationError:  # a defect of the program
            return 0.0
        if counts is None:
            return None
        matched, system_total, gold_total = counts
        return Score(
            matched=matched,
            matched_upper=matched,
            system_total=system_total,
            gold_total=gold_total,
        ).value

    def _scored(
        self, name: str, system: object, gold: Gold | None, counts_alone: bool = False
    ) -> PairScore:
        """Return a score; if *counts_alone*, it may have no mapping."""
        graph = self._read(system)
        if graph is None or gold is None or graph.format != gold.graph.format:
            return PairScore.skipped(name)
        metric = self._metric(graph.format)
        assert metric is not None  # as for the gold graph
        start = time.monotonic()
        try:
            mapper = Mapper(name, self._settings, _NEVER, _NEVER, self._budgets)
            if isinstance(metric, AlignmentMetric) and gold.normalised is not None:
                metric.check(graph, gold.graph)
                sides = metric.normalise(graph), gold.normalised
                road = self._road(metric, graph.format) if counts_alone else None
                counts = None if road is None else road.count_triples(*sides)
                if counts is not None:
                    measurement = Measurement(counts.statistics(), solver=COVER)
                else:
                    measurement = mapper.map_triples(metric, *sides)
            else:
                measurement = mapper.measure(metric, graph, gold.graph)
            seconds = time.monotonic() - start
            return PairScore.of(name, metric, measurement, seconds=seconds)
        except MemoryError:
            raise
        except Exception:  # graphs made by hand may be malformed in any way
            return PairScore.skipped(name)

    def _read(self, given: object) -> Graph | None:
        metric = self._metric(PENMAN)
        mending: Mending = "none" if metric is None else metric.ill_formed_policy.mending
        return read(given, mending, repair=self._repair)

    def _gold(self, given: object) -> Gold | None:
        graph = self._read(given)
        metric = None if graph is None else self._metric(graph.format)
        if graph is None or metric is None:
            return None
        try:
            if isinstance(metric, AlignmentMetric):
                return Gold(graph, metric.normalise(graph))
            return Gold(graph, None)
        except MemoryError:
            raise
        except Exception:
            return None

    def _road(self, metric: AlignmentMetric, form: str) -> CoverRoad | None:
        """Return the scorer by covers, which takes no steps; None if there are only few pairs."""
        if form not in self._roads:
            is_usual = self._budgets.dual.steps >= STEPS
            self._roads[form] = road_of(metric, self._settings) if is_usual else None
        return self._roads[form]

    def _metric(self, form: str) -> Metric | None:
        """Return the metric for graphs of a format; None if the requested one takes another."""
        if form not in self._metrics:
            try:
                self._metrics[form] = chosen_metric(form, *self._asked)
            except InputError:
                return None
        return self._metrics[form]


def reward(
    system: object,
    gold: object,
    *,
    metric: str | Metric | None = None,
    profile: str = "default",
    steps: int = STEPS,
    repair: bool = False,
    **choices: Choice,
) -> float:
    """Return F1 of two graphs, or the score of another kind of *metric*; 0 for unreadable graphs.

    For any graphs, the function raises nothing, prints nothing, and returns the same number every
    time. The score is that of the best mapping found within *steps*: the true score, unless the
    steps are used up.

    Args:
        system, gold: text of one graph in any of the formats, or a graph of exactmatch or penman.
            Anything else is unreadable, as are texts of more than 400,000 characters and graphs of
            more than 10,000 triples.
        metric, profile, **choices: as for `exactmatch.score`.
        steps: the steps of the dual bound; after them, the best mapping found counts. Nearly all
            sentences need none; pairs too large for 24 MiB are given none.
        repair: read graphs as other readers of PENMAN do, as for `exactmatch.score`.

    Raises:
        UsageError: for an unknown metric, profile or choice, and a wrong number of steps.
        MemoryError: as in any function.

    Example:
        >>> import exactmatch
        >>> exactmatch.reward("(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))")
        0.75
        >>> exactmatch.reward("(s / sing-01 :ARG0", "(s / sing-01)"), exactmatch.reward(None, None)
        (0.0, 0.0)
        >>> exactmatch.reward("(s / sing-01 :ARG0 (b / bird)", "(s / sing-01)", repair=True)
        0.6666666666666666
    """
    check_number("steps", steps, 0)  # before 1.0 takes the place of 1, an equal key
    try:
        rewards = _known(metric, profile, steps, repair, tuple(choices.items()))
    except TypeError:  # unhashable values, such as lists of weights
        rewards = Rewards(metric, profile, choices, steps, repair)
    return rewards.value(system, gold)


def read(given: object, mending: Mending = "none", *, repair: bool = False) -> Graph | None:
    """Return the single graph of *given*, if it can be read and is not too large.

    The graph is mended by *mending* or, with *repair*, as far as possible.
    """
    try:
        graph = _graph(given, mending, repair=repair)
        is_small = graph is not None and len(graph.triples) <= MOST_TRIPLES
        return graph if is_small else None
    except MemoryError:
        raise
    except Exception:  # objects may do anything
        return None


def _short_text(given: object) -> GraphText | None:
    """Return the graph in a string that clearly has one graph, not too large; otherwise None."""
    text = plain_text(given, "graph")
    return text if text is not None and len(text.data) <= _SHORT else None


def _graph(given: object, mending: Mending, *, repair: bool) -> Graph | None:
    if isinstance(given, Graph):
        return given
    if isinstance(given, str):
        if len(given) > LONGEST:
            return None
        texts = cut_texts(text_chunks(given), "graph").texts
        found = [read_mended(text._replace(repair=repair), mending) for text in islice(texts, 2)]
        return found[0] if len(found) == 1 and isinstance(found[0], Graph) else None
    penman: Any = sys.modules.get("penman")  # such a graph exists only where penman is imported
    if penman is not None and isinstance(given, penman.Graph):
        from exactmatch.graphs.readers.penman import from_penman

        return from_penman(given, "graph", 1)
    return None


@lru_cache(maxsize=16)
def _known(
    metric: str | Metric | None,
    profile: str,
    steps: int,
    repair: bool,
    choices: tuple[tuple[str, Choice], ...],
) -> Rewards:
    return Rewards(metric, profile, dict(choices), steps, repair)


#: Pairs that are sent together, at most.
_TOGETHER = 32


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

    As with `exactmatch.reward`, unreadable graphs raise nothing, and the results are the same with
    any number of workers. Processes start when they are first needed. They end with the ``with``
    statement, by `close`, or with the program.

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
        work = _AtWork(Rewards(metric, profile, choices, steps, repair))
        self._pool = StandingPool(work, number_of(workers))
        self._size = number_of(workers)
        self._kept: dict[Hashable, object] = {}
        self._versions: dict[Hashable, int] = {}

    def keep(self, golds: Mapping[Any, object]) -> None:
        """Keep gold graphs by key: texts or graphs, which replace those with the same keys.

        A process receives a kept graph when it first needs it, and reads and normalises it once.
        """
        for key, gold in golds.items():
            self._kept[key] = _portable(gold)
            self._versions[key] = self._versions.get(key, 0) + 1

    def rewards(self, pairs: Iterable[tuple[object, object]]) -> list[float]:
        """Return the rewards of *pairs*, in order.

        A pair is a system's graph and either a gold graph or the key of a kept one. Raises
        `WorkerError` if two processes die of the same pairs, and `UsageError` after `close`.
        """
        return self._results(pairs, are_whole=False)

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

        return [one for found in self._pool.results(batches, packed, _called) for one in found]

    def _pair(self, name: str, system: object, gold: object) -> _Pair:
        try:
            is_kept = gold in self._kept
        except Exception:  # it cannot be hashed, so it is no key
            is_kept = False
        return _Pair(name, _portable(system), gold if is_kept else _portable(gold), is_kept)

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
        return list(map(self._score if batch.are_whole else self._value, batch.pairs))

    def _score(self, pair: _Pair) -> PairScore:
        score = self._rewards.score_kept if pair.is_kept else self._rewards.score
        return score(pair.name, pair.system, pair.gold)

    def _value(self, pair: _Pair) -> float:
        value = self._rewards.value_kept if pair.is_kept else self._rewards.value
        return value(pair.system, pair.gold)


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
