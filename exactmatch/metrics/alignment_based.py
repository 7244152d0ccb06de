"""Metrics that map the variables of one graph to those of the other, one to one.

Such a metric turns each graph into normalised triples, and counts those that the best mapping of
variables matches.
"""

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Self

from exactmatch.errors import UsageError
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import Choice, Metric
from exactmatch.metrics.triples import Duplicates, Label, NormalisedGraph, Similar
from exactmatch.stopping.deadline import NEVER, Deadline

if TYPE_CHECKING:
    from exactmatch.graphs.readers.numbered import NumberedWords
    from exactmatch.metrics.credits import Credits
    from exactmatch.metrics.label_credits import LabelCredits
    from exactmatch.problem import Pair


#: The role that stands for concepts in a table of credits.
INSTANCE = "instance"


@dataclass(frozen=True, slots=True, init=False, repr=False, eq=False)  # subclasses have these
class AlignmentMetric(Metric):
    """A metric that is scored under the best mapping of variables.

    duplicates: how repeated triples count.
    together: fields that belong to one choice, such as the table that it uses; they change together
        when a difference is explained choice by choice.
    credits: a table of values that match in part, for metrics with this parameter.
    """

    maps_variables: ClassVar[bool] = True
    together: ClassVar[Sequence[Sequence[str]]] = ()

    credits: "Credits | None" = field(default=None, kw_only=True, repr=False)

    @property
    def scale(self) -> int:  # type: ignore[override]
        """The value of a full match: that of the table of credits, if there is one."""
        return 1 if self.credits is None else self.credits.scale

    @property
    @abstractmethod
    def duplicates(self) -> Duplicates: ...

    @property
    def can_exceed(self) -> bool:
        return self.duplicates == "product"

    @abstractmethod
    def normalise(self, graph: Graph) -> NormalisedGraph:
        """Return the triples of *graph* as this metric counts them."""

    @abstractmethod
    def likely(self, system: NormalisedGraph, gold: NormalisedGraph) -> "Iterator[Pair]":
        """Yield the pairs of similar variables, by position, which smart initialisation tries."""

    def similar(
        self, system: NormalisedGraph, gold: NormalisedGraph, deadline: Deadline = NEVER
    ) -> Similar:
        """Return the values of similar labels that differ: those that have credits.

        No value exceeds `scale`. Raises `OutOfTime` if there are many and *deadline* comes before
        all are known.
        """
        if not self.credits:
            return {}
        return label_credits(self).between(system.triples, gold.as_gold())

    def similar_kinds(self) -> Sequence[str]:
        """Return the kinds of triples that may be similar."""
        return label_credits(self).kinds if self.credits else ()

    @property
    def is_similar_by_credits(self) -> bool:
        """Whether labels that differ match in part only if they have credits."""
        return type(self).similar is AlignmentMetric.similar

    @property
    def counts_labels(self) -> bool:
        """Whether only equal labels match, in all graphs."""
        return not self.credits and self.is_similar_by_credits

    @property
    def matches_once(self) -> bool:
        """Whether a triple matches one other at most: not if any similar labels may match."""
        return self.is_similar_by_credits and self.duplicates != "product"

    def labelled(self, role: str, value: str) -> Sequence[Label]:
        """Return the labels of triples with a *role* and a *value*, in a fixed order.

        The role ``instance`` stands for concepts. A metric with the parameter ``credits`` has some.
        """
        return ()

    def with_choices(self, **choices: Choice) -> Self:
        """Return this metric with some choices changed, including its *credits*.

        A table without any credit is the same as none. Raises `UsageError` as the base does, and
        for *credits* of another type.
        """
        if choices.get("credits") is None:
            return Metric.with_choices(self, **choices)
        from exactmatch.metrics.credits import Credits

        given = choices["credits"]
        if not isinstance(given, Credits):
            raise UsageError(f"credits are {given!r}; give a table, the path of one, or its name")
        if not given:
            choices = {**choices, "credits": None}
        return Metric.with_choices(self, **choices)

    def with_scale(self, scale: int) -> Self:
        """Return this metric with a multiple of its `scale`: the same scores, in smaller units."""
        from exactmatch.metrics.credits import Credits

        known = self.credits or Credits("", (), 1)
        changes: dict[str, Any] = {"credits": replace(known, scale=scale)}
        return replace(self, **changes)

    def symbolic(self) -> Self:
        """Return the metric without graded matching: only equal labels match."""
        changes: dict[str, Any] = {"credits": None}
        return self if self.credits is None else replace(self, **changes)

    def numbered_labels(self) -> "NumberedWords | None":
        """Return the numbers of labels for graphs that are read from PENMAN into numbers.

        None if labels, or candidates, are not decided word by word.
        """
        return None

    def parts_of(self, label: Sequence[str]) -> Sequence[str]:
        """Return the *parts* to which a triple with this label belongs: its kind, or more."""
        return label[:1]

    def check(self, system: Graph, gold: Graph) -> None:
        """Raise `InputError` if these two cannot be compared; most metrics compare any two."""
        return None

    def files(self) -> Mapping[str, str]:
        """Return the metric's inputs from files, such as similarities, by name and digest."""
        return {"credits": self.credits.digest[:12]} if self.credits else {}

    def said(self) -> Sequence[str]:
        """Return the choices in signatures and labels: all but those that change nothing."""
        return [one for one in self.choices() if not self.is_unsaid(one)]

    def label(self) -> str:
        """Return the name of a known profile, or all choices of another one as JSON.

        Certificates use it as the metric's name; `exactmatch.metrics.registry.metric_labelled`
        reads it.
        """
        import json

        if not self.files() and self in (*self.profiles.values(), *self.former):
            return self.profile
        choices = {choice: getattr(self, choice) for choice in self.said()}
        content = {"metric": self.name, "profile": self._name(), "choices": choices}
        return json.dumps({**content, "files": dict(self.files())}, separators=(",", ":"))

    def signature(self, search: str = "") -> str:
        parts = [self.name, f"profile:{self._name()}"]
        parts += [f"{choice.replace('_', '-')}:{getattr(self, choice)}" for choice in self.said()]
        parts += [f"{name}:{value}" for name, value in self.files().items()]
        return "|".join([*parts, search] if search else parts)

    def _name(self) -> str:
        """Return ``custom`` if the choices are not those of the named profile."""
        known = next((p for p in self.profiles.values() if p.profile == self.profile), self)
        if known is self:
            return self.profile
        same = all(getattr(self, choice) == getattr(known, choice) for choice in self.choices())
        return self.profile if same else "custom"


@lru_cache(maxsize=8)
def label_credits(metric: AlignmentMetric) -> "LabelCredits":
    """Return the credits of a metric, which has a table of them, between its labels."""
    from exactmatch.metrics.label_credits import LabelCredits

    assert metric.credits
    return LabelCredits.of(metric.credits, metric.scale, metric.labelled)


def of_one_concept(
    system: NormalisedGraph,
    gold: NormalisedGraph,
    concepts: Mapping[str, Hashable],
    gold_concepts: Mapping[str, Hashable],
) -> "Iterator[Pair]":
    """Yield the pairs of variables, by position, that have one concept and may be mapped.

    In graphs with keys, which may be large, only variables that share a key are compared.
    """
    by_concept = defaultdict(list)
    for j, variable in enumerate(gold.variables):
        for key in _keys(gold, variable):
            by_concept[key, gold_concepts.get(variable)].append(j)
    for i, variable in enumerate(system.variables):
        keys = _keys(system, variable)
        images = [by_concept.get((key, concepts.get(variable)), ()) for key in keys]
        for j in images[0] if len(images) == 1 else dict.fromkeys(chain.from_iterable(images)):
            yield i, j


def _keys(graph: NormalisedGraph, variable: str) -> Sequence[str]:
    return ("",) if graph.keys is None else graph.keys.get(variable, ())
