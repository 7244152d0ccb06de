"""Profiles: the choices that move the score of a metric, each set of them under one name.

A metric is a subclass of `Profile`: every choice is a field with few values, and a profile is a
row of them and nothing more.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import ClassVar, Self, get_args, get_type_hints

from exactmatch.errors import UsageError
from exactmatch.graph import Graph
from exactmatch.problem import Pair
from exactmatch.triples import Duplicates, ItemGraph, Similar


@dataclass(frozen=True, slots=True)
class Profile(ABC):
    """How two graphs are compared. Raises `UsageError` for a value that a choice does not have.

    metric: the name of the metric on the command line and in signatures.
    title: the name of the metric for people.
    unit: what it counts, in the plural.
    format: the format of the files that hold its graphs.
    parts: the kinds of triples of a breakdown, in the order in which they are shown.
    scale: what a triple counts that matches in full; 1 where there is nothing in between.
    known: the profiles of the metric by their names on the command line.
    name: the name in the signature.
    duplicates: how triples count that are written more than once.
    """

    metric: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[str] = "triples"
    format: ClassVar[str]
    parts: ClassVar[Sequence[str]]
    scale: ClassVar[int] = 1
    known: ClassVar[Mapping[str, "Profile"]]

    name: str = "custom"

    def __post_init__(self) -> None:
        for choice, values in self.choices().items():
            if getattr(self, choice) not in values:
                raise UsageError(
                    f"{choice} is {getattr(self, choice)!r}; there are {', '.join(values)}"
                )

    @property
    @abstractmethod
    def duplicates(self) -> Duplicates: ...

    @abstractmethod
    def normalise(self, graph: Graph) -> ItemGraph:
        """Return the triples of *graph* as this profile counts them."""

    @abstractmethod
    def likely(self, test: ItemGraph, gold: ItemGraph) -> Iterator[Pair]:
        """Yield the variables, by position, that look alike: smart initialisation tries them."""

    def parts_of(self, label: Sequence[str]) -> Sequence[str]:
        """Return the *parts* to which a triple with this label belongs: its kind, if not more."""
        return label[:1]

    def similar(self, test: ItemGraph, gold: ItemGraph) -> Similar:
        """Return what different labels count for that are similar; most metrics have none."""
        return {}

    @classmethod
    @cache
    def choices(cls) -> Mapping[str, Sequence[str]]:
        """Return the choices, in the order of the fields, and the values of each."""
        hints = get_type_hints(cls)
        values = {f.name: get_args(hints[f.name]) for f in fields(cls)}
        return {name: v for name, v in values.items() if all(isinstance(x, str) for x in v) and v}

    def with_choices(self, **choices: str) -> Self:
        """Return this profile with some choices changed.

        Raises `UsageError` for a choice or a value that does not exist.
        """
        for choice in choices:
            if choice not in self.choices():
                there = ", ".join(self.choices())
                raise UsageError(f"no choice is called {choice!r}; there are {there}")
        return replace(self, **choices)

    def label(self) -> str:
        """Return the name of a known profile, or metric and signature of any other one."""
        known = any(self == profile for profile in self.known.values())
        return self.name if known else f"{self.metric}|{self.signature()}"

    def signature(self) -> str:
        """Return name and choices in one line, in the manner of sacreBLEU.

        The name is ``custom`` where the choices are not those of the profile called so.
        """
        known = next((p for p in self.known.values() if p.name == self.name), self)
        same = all(getattr(self, choice) == getattr(known, choice) for choice in self.choices())
        parts = [f"profile:{self.name if same else 'custom'}"]
        parts += [
            f"{choice.replace('_', '-')}:{getattr(self, choice)}" for choice in self.choices()
        ]
        return "|".join(parts)
