"""Scores for training loops: of anything that a program hands over, within a limit of steps."""

import sys
import time
from collections.abc import Hashable, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from exactmatch.api.metrics import chosen_metric
from exactmatch.api.pairs import check_number
from exactmatch.deadline import Deadline
from exactmatch.dual.budgets import DualBudgets
from exactmatch.errors import InputError
from exactmatch.graph import Graph
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Choice, Metric
from exactmatch.metrics.registry import metric_called
from exactmatch.pair_scoring import Mapper
from exactmatch.readers.detect import cut_texts, parse
from exactmatch.readers.source import text_chunks
from exactmatch.results import PairScore
from exactmatch.settings import Settings
from exactmatch.solving.budgets import Budgets
from exactmatch.solving.names import DUAL
from exactmatch.triples import NormalisedGraph

#: Sentences take 20 steps at most, nearly all of them none.
STEPS = 100
#: Longer texts, and graphs of more triples, count as unreadable.
LONGEST = 400_000
MOST_TRIPLES = 10_000
#: So much memory and so many looks a pair may take: no more than a fraction of a second, that is.
_MEMORY = 24 << 20
_LOOKED_AT = 20_000
_NEVER = Deadline()


class Gold(NamedTuple):
    """A graph that others are compared with, read, and normalised if its metric does that."""

    graph: Graph
    normalised: NormalisedGraph | None


class Rewards:
    """Scores graphs by a metric, within so many steps, whatever they are."""

    def __init__(
        self,
        metric: str | Metric | None,
        profile: str,
        choices: Mapping[str, Choice],
        steps: int,
    ) -> None:
        """Raises `UsageError` for what does not exist."""
        check_number("steps", steps, 0)
        self._asked = metric, profile, choices
        self._settings = Settings(solver=DUAL, memory=_MEMORY)
        self._budgets = Budgets(dual=DualBudgets(steps=steps), looked_at=_LOOKED_AT)
        self._metrics: dict[str, Metric] = {}
        self._kept: dict[Hashable, Gold | None] = {}
        if metric is not None:
            named = metric if isinstance(metric, Metric) else metric_called(metric)
            self._metric(named.format)

    def keep(self, key: Hashable, gold: object) -> None:
        """Keep a gold graph, read and normalised."""
        self._kept[key] = self._gold(gold)

    def score(self, name: str, system: object, gold: object) -> PairScore:
        """Return the score of two graphs; of unreadable ones, that of a pair that is skipped."""
        return self._scored(name, system, self._gold(gold))

    def score_kept(self, name: str, system: object, key: Hashable) -> PairScore:
        """Return the score of a graph against the gold graph that is kept under *key*."""
        return self._scored(name, system, self._kept[key])

    def _scored(self, name: str, system: object, gold: Gold | None) -> PairScore:
        graph = read(system)
        if graph is None or gold is None or graph.format != gold.graph.format:
            return PairScore.skipped(name)
        metric = self._metric(graph.format)
        assert metric is not None  # as the gold graph shows
        start = time.monotonic()
        try:
            mapper = Mapper(name, self._settings, _NEVER, _NEVER, self._budgets)
            if isinstance(metric, AlignmentMetric) and gold.normalised is not None:
                metric.check(graph, gold.graph)
                measurement = mapper.map_triples(metric, metric.normalise(graph), gold.normalised)
            else:
                measurement = mapper.measure(metric, graph, gold.graph)
            seconds = time.monotonic() - start
            return PairScore.of(name, metric, measurement, seconds=seconds)
        except MemoryError:
            raise
        except Exception:  # graphs that are made by hand may be wrong in any way
            return PairScore.skipped(name)

    def _gold(self, given: object) -> Gold | None:
        graph = read(given)
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

    def _metric(self, form: str) -> Metric | None:
        """Return the metric for graphs of a format, None if what is asked for takes no such."""
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
    **choices: Choice,
) -> float:
    """Return F1 of two graphs, or what else is the score of *metric*; of unreadable ones, 0.

    Whatever the graphs are, this raises nothing and prints nothing, and gives the same number every
    time. The score is that of the best mapping found within *steps*: the true one, unless these are
    used up.

    Args:
        system, gold: text of one graph in any of the formats, or a graph of exactmatch or penman.
            Anything else is unreadable, as are texts of more than 400,000 characters and graphs of
            more than 10,000 triples.
        metric, profile, **choices: as for `exactmatch.score`.
        steps: of the dual bound, after which the best mapping known has to do. Of sentences, nearly
            all take none; pairs too large for 24 MiB take none either.

    Raises:
        UsageError: for a metric, profile or choice that does not exist, or no number of steps.
        MemoryError: as any function may.

    Example:
        >>> import exactmatch
        >>> exactmatch.reward("(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))")
        0.75
        >>> exactmatch.reward("(s / sing-01 :ARG0", "(s / sing-01)"), exactmatch.reward(None, None)
        (0.0, 0.0)
    """
    check_number("steps", steps, 0)  # before 1.0 is taken for 1, as the same key
    try:
        rewards = _known(metric, profile, steps, tuple(choices.items()))
    except TypeError:  # what cannot be hashed, such as lists of weights
        rewards = Rewards(metric, profile, choices, steps)
    return value(rewards.score("", system, gold))


def value(score: PairScore) -> float:
    """Return the reward of a pair."""
    return score.value if score.is_compared else 0.0


def read(given: object) -> Graph | None:
    """Return the one graph that is *given*, if it can be read and is not too large."""
    try:
        graph = _graph(given)
        is_small = graph is not None and len(graph.triples) <= MOST_TRIPLES
        return graph if is_small else None
    except MemoryError:
        raise
    except Exception:  # objects can do what they like
        return None


def _graph(given: object) -> Graph | None:
    if isinstance(given, Graph):
        return given
    if isinstance(given, str):
        if len(given) > LONGEST:
            return None
        texts = cut_texts(text_chunks(given), "graph").texts
        found = [parse(text) for text in islice(texts, 2)]
        return found[0] if len(found) == 1 and isinstance(found[0], Graph) else None
    penman: Any = sys.modules.get("penman")  # whoever has such a graph has imported it
    if penman is not None and isinstance(given, penman.Graph):
        from exactmatch.readers.penman import from_penman

        return from_penman(given, "graph", 1)
    return None


@lru_cache(maxsize=16)
def _known(
    metric: str | Metric | None, profile: str, steps: int, choices: tuple[tuple[str, Choice], ...]
) -> Rewards:
    return Rewards(metric, profile, dict(choices), steps)
