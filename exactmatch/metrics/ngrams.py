"""SemBleu and DScorer: metrics that count n-grams, and weight the orders.

Choices of these metrics say which roles count: only those of one list, if it is given, without
those of another. Lists are text, with commas between names without colon.
"""

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, Self

from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.unicode_form import UnicodeForm
from exactmatch.metrics.base import (
    AlignmentFreeMetric,
    Choice,
    Measurement,
    Metric,
    Statistics,
)
from exactmatch.metrics.counts import NOTHING, Counts
from exactmatch.metrics.labelled_graph import LabelledGraph, Once, Path, TooManyPaths
from exactmatch.stopping.deadline import looking

#: The highest allowed order; a slip should not fill the memory.
_HIGHEST = 99

#: The largest number of n-grams of all orders that are listed of a graph. Every beginning of an
#: n-gram is one of a lower order, so this bounds the work, too.
_MOST_LISTED = 1_000_000


class NGram(NamedTuple):
    """An n-gram: its labels, and how often it occurs in both graphs."""

    path: Path
    system: int
    gold: int

    @property
    def matched(self) -> int:
        """How many of its occurrences match."""
        return min(self.system, self.gold)


class NGramList(NamedTuple):
    """The graphs whose paths are n-grams, and all n-grams of the orders from 1 on.

    Those that match come first, the most frequent first.
    """

    system: LabelledGraph
    gold: LabelledGraph
    orders: Sequence[Sequence[NGram]]


def _compared(system: Counter[Path], gold: Counter[Path]) -> list[NGram]:
    ngrams = (NGram(path, system[path], gold[path]) for path in {**system, **gold})
    return sorted(ngrams, key=lambda one: (-one.matched, -one.system - one.gold, one.path))


@dataclass(frozen=True, slots=True)
class NGramMetric(AlignmentFreeMetric):
    """A metric that counts n-grams of all orders from 1 up to a limit.

    Raises `UsageError` for weights that are not numbers from 0 on, or are all 0.

    weights: the weights of the orders from `lightest` on. They usually sum up to 1, but need not.
    unicode: canonically equivalent text is equal (Unicode's NFC), or text counts as written.
    lightest: the lowest order with a weight; 0 for a metric with an own factor for it.
    """

    unit: ClassVar[str] = "n-grams"
    parameters: ClassVar[Sequence[str]] = ("order", "weights")
    lightest: ClassVar[int] = 1

    profile: str = "paper"
    weights: Sequence[float] = ()
    unicode: UnicodeForm = "as-written"

    def __post_init__(self) -> None:
        AlignmentFreeMetric.__post_init__(self)
        object.__setattr__(self, "weights", _weights(self.weights))
        if self.order < 1:
            raise UsageError(
                f"weights of {self.name} begin with w{self.lightest}, and include at least w1"
            )

    @property
    def order(self) -> int:
        """The highest order that counts."""
        return len(self.weights) - 1 + self.lightest

    @classmethod
    @abstractmethod
    def uniform(cls, order: int) -> Sequence[float]:
        """Return equal weights for all orders from 1 to *order*."""

    @abstractmethod
    def labelled(self, graph: Graph) -> LabelledGraph:
        """Return the graph whose paths are the n-grams of *graph*."""

    @property
    def visited_once(self) -> Once:
        """What an n-gram visits at most once."""
        return "edges"

    def listed(self, system: Graph, gold: Graph) -> "NGramList":
        """Return the n-grams of two graphs. Raises `InputError` if a graph has too many."""
        graphs = self.labelled(system), self.labelled(gold)
        try:
            left, right = map(self._by_order, graphs)
        except TooManyPaths:
            raise self.too_many(system, gold, _MOST_LISTED) from None
        return NGramList(*graphs, list(map(_compared, left, right)))

    def _by_order(self, graph: LabelledGraph) -> list[Counter[Path]]:
        """Return the n-grams of a graph by their order, from 1 on."""
        orders: list[Counter[Path]] = [Counter() for _ in range(self.lightest, self.order + 1)]
        steps = self.order - self.lightest
        for path in looking(graph.paths(steps, self.visited_once, _MOST_LISTED)):
            orders[len(path) // 2][path] += 1
        return orders[1 - self.lightest :]

    def with_choices(self, **choices: Choice) -> Self:
        """Return this metric with some choices changed, the *order* or the *weights*.

        Without weights, those of an order are `uniform`. Raises `UsageError` as the base does, for
        an invalid order or invalid weights, and for an order that does not fit the weights.
        """
        order, weights = choices.pop("order", None), choices.pop("weights", None)
        changed = AlignmentFreeMetric.with_choices(self, **choices)
        if order is not None:
            changed = replace(changed, weights=self.uniform(_order(order)))
        if weights is None:
            return changed
        weighted = replace(changed, weights=_weights(weights))
        if order is not None and weighted.order != changed.order:
            raise UsageError(
                f"{len(weighted.weights)} weights from w{self.lightest} on are for order "
                f"{weighted.order}, not {changed.order}"
            )
        return weighted

    def too_many(self, system: Graph, gold: Graph, most: int) -> InputError:
        """Return the error about two graphs, one of which has more than *most* n-grams."""
        where = " and ".join(f"{g.location.source}:{g.location.line}" for g in (system, gold))
        return InputError(
            f"{where}: more than {most:,} {self.unit} of up to {self.order}, too many to count"
        )

    def measurement(self, orders: Sequence[Counts], sums: Mapping[str, Fraction]) -> Measurement:
        """Return the measurement of a pair: the counts of the orders from 1 on, and other sums."""
        every = sum(orders, NOTHING)
        by_name = {f"{n}-grams": counts for n, counts in enumerate(orders, start=1)}
        return Measurement(
            Statistics(
                every.matched, every.matched, every.system_total, every.gold_total, by_name, sums
            )
        )

    def weights_text(self) -> str:
        """Return the weights for a signature: in full, but with four digits for `uniform` ones."""
        usual = self.weights == tuple(self.uniform(self.order))
        return ",".join(f"{w:.4g}" if usual else f"{w!r}" for w in self.weights)


def _order(given: Choice) -> int:
    """Return an order, which may be text. Raises `UsageError` if it is invalid."""
    if isinstance(given, str) and given.isdecimal():
        given = int(given)
    if type(given) is not int or not 1 <= given <= _HIGHEST:
        raise UsageError(f"order is {given!r}; give a whole number from 1 to {_HIGHEST}")
    return given


def _weights(given: Choice) -> tuple[float, ...]:
    """Return weights, which may be text with commas. Raises `UsageError` if they are invalid."""
    try:
        numbers = given.split(",") if isinstance(given, str) else given
        if isinstance(numbers, bytes | Set):  # no list
            raise TypeError
        weights = tuple(map(float, numbers))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"weights are {given!r}; give numbers, with commas between") from None
    for weight in weights:
        if not 0 <= weight < math.inf:
            raise UsageError(f"a weight is {weight}: not a number from 0 on")
    if sum(weights) == math.inf:
        raise UsageError("the sum of the weights is too large for a number")
    if not any(weights):
        raise UsageError("no weight is above 0")
    return weights


#: The parameters of a metric that are lists of roles.
PARAMETERS = ("only", "excluding")


def is_counted(role: str, only: str, excluding: str) -> bool:
    """Tell whether the values of a role count."""
    return (not only or role in only.split(",")) and role not in excluding.split(",")


def list_of_roles(value: object) -> str:
    """Return a list of roles as metrics store it, sorted, from text or a sequence of names.

    Raises `UsageError` for anything else.
    """
    words = value.split(",") if isinstance(value, str) else value
    if not isinstance(words, Sequence) or not all(isinstance(word, str) for word in words):
        raise UsageError(f"{value!r}: expected names of roles, with commas between")
    names = {word.strip().removeprefix(":") for word in words} - {""}
    if value and not names:
        raise UsageError(f"{value!r} names no role")
    return ",".join(sorted(names))


def take_lists(choices: dict[str, Any]) -> dict[str, str]:
    """Remove the lists of roles from *choices*, and return them as metrics store them."""
    return {name: list_of_roles(choices.pop(name)) for name in PARAMETERS if name in choices}


def check_roles(only: str, excluding: str) -> None:
    """Raise `UsageError` if no role is left."""
    if only and not any(is_counted(role, only, excluding) for role in only.split(",")):
        raise UsageError("every role that could count is excluded")


def ngram_metric(metric: Metric) -> NGramMetric:
    """Return *metric* if it counts n-grams; otherwise raise `UsageError`."""
    if not isinstance(metric, NGramMetric):
        raise UsageError(f"{metric.name} counts no n-grams; use one of sembleu, dscorer")
    return metric
