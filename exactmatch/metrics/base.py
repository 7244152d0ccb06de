"""What a metric is: it counts something of each pair of graphs; added up, that makes a score.

A metric is a subclass of `Metric` and an instance a way to count: a choice is a field with few
values, a profile a set of choices that has a name.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    NamedTuple,
    Self,
    TypeAlias,
    TypeVar,
    get_args,
    get_type_hints,
)

from exactmatch.errors import UsageError
from exactmatch.graphs.graph import ALL_ERRORS, Extent, Graph, IllFormedPolicy
from exactmatch.metrics.counts import Counts, Figures, Range, SentenceTriples, Subscore
from exactmatch.problem.solver_work import SolverWork

if TYPE_CHECKING:
    from fractions import Fraction
    from os import PathLike

    from exactmatch.graphs.words import Classes, Synonyms
    from exactmatch.metrics.amr.reifications import ReificationTable
    from exactmatch.metrics.best_mappings import BestMappings
    from exactmatch.metrics.similarity import Similarity

#: The value of a choice, or of a parameter that stands beside them; as text, it is read.
Choice: TypeAlias = "str | int | Sequence[float] | PathLike[str] | ReificationTable"


#: Why there is nothing to prove where a metric has a mapping, but makes it by rules of its own.
MAPPED_BY_RULES = "variables are mapped by rules; other mappings may match more"

#: What there is none of; nobody changes them.
_NO_COUNTS: Mapping[str, Counts] = {}
_NO_SUMS: "Mapping[str, Fraction]" = {}
_NO_RANGES: Mapping[str, Range] = {}
_NO_SUBSCORES: Mapping[str, Subscore] = {}
_NO_MAPPING: Mapping[str, str] = {}
_NO_SENTENCES: Mapping[str, SentenceTriples] = {}

_Counted = TypeVar("_Counted", Counts, Range, Subscore)


class Statistics(NamedTuple):
    """What a metric counts of a pair of graphs or, added up, of many.

    matched, matched_upper, system_total, gold_total: as in `exactmatch.metrics.counts.Score`.
    breakdown: the counts of parts of the metric, by their names.
    sums: other numbers that a formula needs, by their names.
    ranges: how far the counts of parts move between the best mappings, by their names.
    subscores: what matches of single phenomena, by name, where that was asked for.
    """

    matched: int = 0
    matched_upper: int = 0
    system_total: int = 0
    gold_total: int = 0
    breakdown: Mapping[str, Counts] = _NO_COUNTS
    sums: "Mapping[str, Fraction]" = _NO_SUMS
    ranges: Mapping[str, Range] = _NO_RANGES
    subscores: Mapping[str, Subscore] = _NO_SUBSCORES

    def __add__(self, other: "Statistics") -> "Statistics":  # type: ignore[override]
        sums = self.sums
        if other.sums:
            sums = {**sums, **{name: sums.get(name, 0) + n for name, n in other.sums.items()}}
        return Statistics(
            self.matched + other.matched,
            self.matched_upper + other.matched_upper,
            self.system_total + other.system_total,
            self.gold_total + other.gold_total,
            _added(self.breakdown, other.breakdown),
            sums,
            _added(self.ranges, other.ranges),
            _added(self.subscores, other.subscores),
        )


def _added(these: Mapping[str, _Counted], those: Mapping[str, _Counted]) -> Mapping[str, _Counted]:
    if not those:
        return these
    both = dict(these)
    for part, counts in those.items():
        both[part] = both[part] + counts if part in both else counts
    return both


class Measurement(NamedTuple):
    """What a metric says of a pair of graphs. Metrics without a mapping leave all defaults.

    mapping: system variable to gold variable, by name.
    solver: what proved the result or, if nothing did, what worked on it last.
    timed_out: the time limit left a gap.
    too_large: the problem would not fit into the memory it may take, and was not solved.
    certified: the upper bound rests on a proof that was checked, or needs none.
    confirmed: another solver proved the same optimum; None if it was not asked.
    certificate: the proof as a line of JSON, see `exactmatch.certificate.checker`; None if it was
        not asked for.
    end_certificates: the proofs of the ends of ranges, alike; see `exactmatch.scoring.best`.
    best: what is known of all best mappings; None if nothing is, or it was not asked for.
    sentences: how the sentences of documents fare, see `exactmatch.scoring.by_sentence`.
    work: who did what, where a solver was asked for by name.
    """

    statistics: Statistics
    mapping: Mapping[str, str] = _NO_MAPPING
    solver: str = "none"
    timed_out: bool = False
    too_large: bool = False
    certified: bool = True
    confirmed: bool | None = None
    certificate: str | None = None
    end_certificates: Sequence[str] = ()
    best: "BestMappings | None" = None
    sentences: Mapping[str, SentenceTriples] = _NO_SENTENCES
    work: SolverWork | None = None


@dataclass(frozen=True, slots=True, repr=False, eq=False)  # subclasses have these
class Metric(ABC):
    """A way to compare two graphs. Raises `UsageError` for a value that a choice does not have.

    name: what it is called on the command line and in signatures, *title* what people call it.
    unit: what it counts, in the plural.
    format: the format of the files that hold its graphs.
    also: other formats of files whose graphs it takes.
    parts: those of a breakdown, in the order in which they are shown.
    maps_variables: it is scored under the best mapping of variables.
    unproven: why there is nothing to prove, where it is not.
    scale: what a triple counts that matches in full; 1 where there is nothing in between.
    takes: what it can take from files: ``similarity`` of concepts, ``synonyms``,
        ``classes`` of concepts.
    parameters: what `with_choices` takes besides choices: numbers.
    profiles: sets of choices by their names on the command line.
    papers: where the metric is defined, by keys of ``papers.bib``; profile_papers: what a profile
        is defined in besides.
    former: profiles as they were before they got a new number in their names.
    profile: the name in the signature.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[str] = "triples"
    format: ClassVar[str]
    also: ClassVar[Sequence[str]] = ()
    parts: ClassVar[Sequence[str]] = ()
    maps_variables: ClassVar[bool] = False
    unproven: ClassVar[str] = "no mapping of variables is needed"
    scale: ClassVar[int] = 1
    takes: ClassVar[Sequence[str]] = ()
    parameters: ClassVar[Sequence[str]] = ()
    profiles: ClassVar[Mapping[str, "Metric"]]
    papers: ClassVar[Sequence[str]]
    profile_papers: ClassVar[Mapping[str, Sequence[str]]] = {}
    former: ClassVar[Sequence["Metric"]] = ()

    profile: str = "custom"

    def __post_init__(self) -> None:
        for choice, values in self.choices().items():
            if getattr(self, choice) not in values:
                raise UsageError(
                    f"{choice} is {getattr(self, choice)!r}; there are {', '.join(values)}"
                )

    @property
    def extent(self) -> Extent:
        """How much of a UMR file is compared at once; all other formats have graphs alone."""
        return "sentence"

    @property
    def can_exceed(self) -> bool:
        """Whether more can match than there is, as each pair of equal triples counts."""
        return False

    @property
    def ill_formed_policy(self) -> IllFormedPolicy:
        """What becomes of pairs with an ill-formed graph, in formats that have such."""
        return ALL_ERRORS

    @abstractmethod
    def signature(self, search: str = "") -> str:
        """Return name and choices in one line, in the manner of sacreBLEU.

        *search* says how mappings are looked for; it is left out where there are none.
        """

    def figures(self, statistics: Statistics) -> Figures | None:
        """Return what the metric makes of statistics by a formula; None if it divides counts.

        Its further figures have the same names for all statistics: they are columns of tables.
        """
        return None

    def for_format(self, form: str) -> Self:
        """Return this metric as it compares graphs of a format."""
        return self

    def lacking(self) -> str | None:
        """Return what the program that the profile follows always has, and this metric has not."""
        return None

    def with_words(
        self,
        *,
        similarity: "Similarity | None" = None,
        synonyms: "Synonyms | None" = None,
        classes: "Classes | None" = None,
    ) -> Self:
        """Return this metric with what it takes of this. Raises `UsageError` if it lacks any."""
        return self

    @classmethod
    @cache
    def choices(cls) -> Mapping[str, Sequence[str]]:
        """Return the choices, in the order of the fields, and the values of each."""
        hints = get_type_hints(cls)
        values = {f.name: get_args(hints[f.name]) for f in fields(cls)}
        return {name: v for name, v in values.items() if all(isinstance(x, str) for x in v) and v}

    def with_choices(self, **choices: Choice) -> Self:
        """Return this metric with some choices changed.

        Raises `UsageError` for a choice or a value that does not exist.
        """
        for choice in choices:
            if choice not in self.choices():
                there = ", ".join((*self.choices(), *self.parameters)) or "none"
                raise UsageError(f"{self.name} has no choice called {choice!r}; there are {there}")
        changes: dict[str, Any] = choices
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class AlignmentFreeMetric(Metric):
    """A metric that compares two graphs by itself: nobody searches a mapping for it."""

    @abstractmethod
    def measure(self, system: Graph, gold: Graph) -> Measurement:
        """Compare two graphs."""
