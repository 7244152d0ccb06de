"""Score outputs of any kind in training loops, within a limit of steps."""

import sys
import time
from collections.abc import Hashable, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from exactmatch.api.completions import completion_text
from exactmatch.errors import (
    ExactmatchError,
    GoldError,
    InputError,
    UsageError,
    VerificationError,
    shortened,
)
from exactmatch.graphs.graph import PENMAN, UMR, Graph, Mending
from exactmatch.graphs.pairing import Couple, read_mended
from exactmatch.graphs.readers.detect import cut_texts, plain_text
from exactmatch.graphs.readers.graph_text import GraphText
from exactmatch.graphs.readers.source import text_chunks
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import AlignmentFreeMetric, Choice, Measurement, Metric
from exactmatch.metrics.counts import score_of
from exactmatch.metrics.registry import metric_called
from exactmatch.metrics.triples import NormalisedGraph
from exactmatch.scoring.by_cover import COVER, CoverCounter, counter_of
from exactmatch.scoring.choices import chosen_metric
from exactmatch.scoring.pair import Mapper
from exactmatch.scoring.results import PairScore
from exactmatch.scoring.settings import Settings
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
    gold: Gold


class Rewards:
    """Scores graphs by a metric within a limit of steps, whatever the graphs of systems are.

    Gold graphs that cannot be used raise `GoldError`.
    """

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
        self._counters: dict[str, CoverCounter | None] = {}
        self._kept: dict[Hashable, Kept] = {}
        if metric is not None:
            named = metric if isinstance(metric, Metric) else metric_called(metric)
            self._metric(named.format)

    def keep(self, key: Hashable, gold: object) -> None:
        """Keep a gold graph, read and normalised."""
        self._kept[key] = Kept(_short_text(gold), self.gold(gold))

    def score(self, name: str, system: object, gold: object) -> PairScore:
        """Return the score of two graphs; an unreadable *system* makes a skipped pair."""
        return self._scored(name, system, self.gold(gold))

    def score_kept(self, name: str, system: object, key: Hashable) -> PairScore:
        """Return the score of a graph and the gold graph kept under *key*."""
        return self._scored(name, system, self._kept[key].gold)

    def value(self, system: object, gold: object) -> float:
        """Return the reward of two graphs."""
        value = self._counted(system, _short_text(gold))
        return self._value(system, self.gold(gold)) if value is None else value

    def value_kept(self, system: object, key: Hashable) -> float:
        """Return the reward of a graph and the gold graph kept under *key*."""
        kept = self._kept[key]
        value = self._counted(system, kept.text)
        return self._value(system, kept.gold) if value is None else value

    def _value(self, system: object, gold: Gold) -> float:
        score = self._scored("", system, gold, counts_alone=True)
        return score.value if score.is_compared else 0.0

    def _counted(self, system: object, gold: GraphText | None) -> float | None:
        """Return the reward of two texts without reading graphs; None if graphs are needed."""
        text = None if gold is None else _short_text(system)
        metric = None if text is None else self._metric(PENMAN)
        counter = self._counter(metric, PENMAN) if isinstance(metric, AlignmentMetric) else None
        if counter is None:
            return None
        try:
            counts = counter.count_texts(Couple("", text, gold, "", ""))
        except VerificationError:  # a defect of the program
            return 0.0
        if counts is None:
            return None
        return score_of(counts.statistics()).value

    def _scored(
        self, name: str, system: object, gold: Gold, counts_alone: bool = False
    ) -> PairScore:
        """Return a score; if *counts_alone*, it may have no mapping."""
        graph = read(system, self._mending(), repair=self._repair)
        if graph is None or graph.format != gold.graph.format:
            return PairScore.skipped(name)
        metric = self._metric(graph.format)
        assert metric is not None  # as for the gold graph
        start = time.monotonic()
        try:
            if graph.format == UMR:
                graph, gold = _cut_alike(graph, gold, metric)
            mapper = Mapper(name, self._settings, _NEVER, _NEVER, self._budgets)
            if isinstance(metric, AlignmentMetric) and gold.normalised is not None:
                metric.check(graph, gold.graph)
                sides = metric.normalise(graph), gold.normalised
                counter = self._counter(metric, graph.format) if counts_alone else None
                counts = None if counter is None else counter.count_triples(*sides)
                if counts is not None:
                    measurement = Measurement(counts.statistics(), solver=COVER)
                else:
                    measurement = mapper.map_triples(metric, *sides)
            else:
                measurement = mapper.measure(metric, graph, gold.graph)
            seconds = time.monotonic() - start
            return PairScore.of(name, metric, measurement, seconds=seconds)
        except (MemoryError, GoldError):
            raise
        except VerificationError:  # a defect of the program
            return PairScore.skipped(name)
        except Exception:  # graphs made by hand may be malformed in any way
            self._check_alone(metric, gold.graph)
            return PairScore.skipped(name)

    def _check_alone(self, metric: Metric, gold: Graph) -> None:
        """Raise `GoldError` if *gold* cannot even be compared with itself."""
        try:
            if isinstance(metric, AlignmentMetric):
                metric.check(gold, gold)
                metric.normalise(gold)
            elif isinstance(metric, AlignmentFreeMetric):
                metric.measure(gold, gold)
        except MemoryError:
            raise
        except Exception as error:
            raise GoldError(f"the gold graph cannot be used: {_reason(error)}") from error

    def _mending(self) -> Mending:
        metric = self._metric(PENMAN)
        return "none" if metric is None else metric.ill_formed_policy.mending

    def gold(self, given: object) -> Gold:
        """Return a gold graph, read and normalised. Raises `GoldError` if that fails."""
        try:
            graph = _graph(given, self._mending(), repair=self._repair)
            metric = self._metric(graph.format)
            if metric is None:
                raise InputError(f"it is in {graph.format}, which the metric does not take")
            if isinstance(metric, AlignmentMetric):
                return Gold(graph, metric.normalise(graph))
            return Gold(graph, None)
        except (MemoryError, UsageError):
            raise
        except Exception as error:  # objects may do anything
            raise GoldError(f"the gold graph cannot be used: {_reason(error)}") from error

    def _counter(self, metric: AlignmentMetric, form: str) -> CoverCounter | None:
        """Return the scorer by covers, which takes no steps; None if there are only few pairs."""
        if form not in self._counters:
            is_usual = self._budgets.dual.steps >= STEPS
            self._counters[form] = counter_of(metric, self._settings) if is_usual else None
        return self._counters[form]

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
    """Return F1 of two graphs, or the score of another *metric*; 0 for a *system* that is no graph.

    Whatever *system* is, the function raises nothing, prints nothing, and returns the same number
    every time. The score is that of the best mapping found within *steps*: the true score, unless
    the steps are used up.

    Args:
        system, gold: text of one graph in any of the formats, or a graph of exactmatch or penman;
            *system* may also be a chat completion, a list of messages with ``role`` and
            ``content``, whose last message counts. Anything else is unreadable, as are texts of
            more than 400,000 characters and graphs of more than 10,000 triples.
        metric, profile, **choices: as for `exactmatch.score`.
        steps: the steps of the dual bound; after them, the best mapping found counts. Nearly all
            sentences need none; pairs too large for 24 MiB are given none.
        repair: read graphs as other readers of PENMAN do, as for `exactmatch.score`.

    Raises:
        ValueError: for a *gold* that is unreadable, such as a path or None. A score of 0 would
            hide the mistake and spoil the training. The error is an `InputError`, too.
        UsageError: for an unknown metric, profile or choice, and a wrong number of steps.
        MemoryError: as in any function.

    Example:
        >>> import exactmatch
        >>> exactmatch.reward("(s / sing-01 :ARG0 (b / bird))", "(s / sing-01 :ARG0 (c / cat))")
        0.75
        >>> exactmatch.reward("(s / sing-01 :ARG0", "(s / sing-01)")
        0.0
        >>> exactmatch.reward(None, "(s / sing-01)")
        0.0
        >>> exactmatch.reward("(s / sing-01 :ARG0 (b / bird)", "(s / sing-01)", repair=True)
        0.6666666666666666
    """
    check_number("steps", steps, 0)  # before 1.0 takes the place of 1, an equal key
    try:
        rewards = _known(metric, profile, steps, repair, tuple(choices.items()))
    except TypeError:  # unhashable values, such as lists of weights
        rewards = Rewards(metric, profile, choices, steps, repair)
    try:
        return rewards.value(completion_text(system), gold)
    except GoldError as error:
        raise shortened(error)  # noqa: B904  (the same error)


def read(given: object, mending: Mending = "none", *, repair: bool = False) -> Graph | None:
    """Return the single graph of *given*, if it can be read and is not too large.

    The graph is mended by *mending* or, with *repair*, as far as possible.
    """
    try:
        return _graph(given, mending, repair=repair)
    except MemoryError:
        raise
    except Exception:  # objects may do anything
        return None


def _cut_alike(system: Graph, gold: Gold, metric: Metric) -> tuple[Graph, Gold]:
    """Return two graphs of UMR with the same tokens where they hold the same characters."""
    from exactmatch.graphs.sentences import with_common_tokens

    theirs, ours = with_common_tokens([gold.graph, system])
    if not isinstance(metric, AlignmentMetric) or theirs.sentences == gold.graph.sentences:
        return ours, gold._replace(graph=theirs)
    return ours, Gold(theirs, metric.normalise(theirs))


def _short_text(given: object) -> GraphText | None:
    """Return the graph in a string that clearly has one graph, not too large; otherwise None."""
    text = plain_text(given, "graph")
    return text if text is not None and len(text.data) <= _SHORT else None


def _graph(given: object, mending: Mending, *, repair: bool) -> Graph:
    """Do as `read` does. Raises `InputError` for what cannot be read or is too large."""
    graph = _graph_of_any_size(given, mending, repair)
    if len(graph.triples) > MOST_TRIPLES:
        raise InputError(f"it has more than {MOST_TRIPLES:,} triples")
    return graph


def _graph_of_any_size(given: object, mending: Mending, repair: bool) -> Graph:
    if isinstance(given, Graph):
        return given
    if isinstance(given, str):
        if len(given) > LONGEST:
            raise InputError(f"its text has more than {LONGEST:,} characters")
        texts = cut_texts(text_chunks(given), "graph").texts
        found = [read_mended(text._replace(repair=repair), mending) for text in islice(texts, 2)]
        if len(found) != 1:
            raise InputError("its text has more than one graph")
        if not isinstance(found[0], Graph):
            raise found[0] or InputError("its text has no graph")
        return found[0]
    penman: Any = sys.modules.get("penman")  # such a graph exists only where penman is imported
    if penman is not None and isinstance(given, penman.Graph):
        from exactmatch.graphs.readers.penman import from_penman

        return from_penman(given, "graph", 1)
    raise InputError(f"expected a graph or the text of one, not {type(given).__name__}")


def _reason(error: Exception) -> str:
    """Return why a graph cannot be used; errors of strange objects have no words of their own."""
    return str(error) if isinstance(error, ExactmatchError) else type(error).__name__


@lru_cache(maxsize=16)
def _known(
    metric: str | Metric | None,
    profile: str,
    steps: int,
    repair: bool,
    choices: tuple[tuple[str, Choice], ...],
) -> Rewards:
    return Rewards(metric, profile, dict(choices), steps, repair)
