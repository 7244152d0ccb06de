"""The base of metrics: a metric counts something in each pair of graphs; the sum gives a score.

A metric is a subclass of `Metric`; an instance fixes its choices. A choice is a field with few
values, a profile is a named set of choices.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
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
from exactmatch.metrics.counts import Counts, Figures, Range
from exactmatch.metrics.equal_by_fields import EqualByFields

if TYPE_CHECKING:
    from fractions import Fraction
    from os import PathLike

    from exactmatch.graphs.camr_places import SentenceLengths
    from exactmatch.graphs.words import Classes, Synonyms
    from exactmatch.metrics.amr.reifications import ReificationTable
    from exactmatch.metrics.best_mappings import BestMappings
    from exactmatch.metrics.credits import Credits
    from exactmatch.metrics.sentence_triples import SentenceTriples
    from exactmatch.metrics.similarity import Similarity
    from exactmatch.metrics.subscores.subscore import Subscore
    from exactmatch.problem.solver_work import SolverWork

#: The value of a choice, or of a further parameter; text is parsed.
Choice: TypeAlias = (
    "str | int | Sequence[float] | PathLike[str] | ReificationTable | Credits | None"
)


#: The reason why there is nothing to prove for a metric that maps variables by its own rules.
MAPPED_BY_RULES = "variables are mapped by rules; other mappings may match more"

#: The name, in the sums of statistics, of the number of pairs that no time was left to count.
NOT_COUNTED = "pairs not counted"

#: Types of parameters that only type checkers load.
_NOT_LOADED = {"Credits": object, "ReificationTable": object}

#: Empty values, which nobody changes.
_NO_COUNTS: Mapping[str, Counts] = {}
_NO_SUMS: "Mapping[str, Fraction]" = {}
_NO_RANGES: Mapping[str, Range] = {}
_NO_SUBSCORES: "Mapping[str, Subscore]" = {}
_NO_MAPPING: Mapping[str, str] = {}
_NO_SENTENCES: "Mapping[str, SentenceTriples]" = {}

#: The arguments of `exactmatch.metric` for files of words, and what goes with them.
_OF_FILES = frozenset(
    {"vectors", "similarity", "synonyms", "classes", "lengths", "cut_off", "sense_factor"}
)

_Counted = TypeVar("_Counted", Counts, Range, "Subscore")


class Statistics(NamedTuple):
    """The counts of a metric for a pair of graphs or, added up, for many.

    matched, matched_upper, system_total, gold_total: as in `exactmatch.metrics.counts.Score`.
    breakdown: the counts of parts of the metric, by their names.
    sums: other numbers that a formula needs, by their names.
    ranges: the ranges of the counts of parts over the best mappings, by their names.
    subscores: the counts of single phenomena, by name, if they are asked for.
    """

    matched: int = 0
    matched_upper: int = 0
    system_total: int = 0
    gold_total: int = 0
    breakdown: Mapping[str, Counts] = _NO_COUNTS
    sums: "Mapping[str, Fraction]" = _NO_SUMS
    ranges: Mapping[str, Range] = _NO_RANGES
    subscores: "Mapping[str, Subscore]" = _NO_SUBSCORES

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
    """The result of a metric for a pair of graphs. Metrics without a mapping leave all defaults.

    mapping: system variable to gold variable, by name.
    solver: the solver that proved the result or, without a proof, the last one that worked on it.
    timed_out: whether the time limit left a gap.
    too_large: whether the problem exceeds the memory limit, and was not solved.
    checked: whether the upper bound rests on a checked proof, or needs none.
    confirmed: another solver proved the same optimum; None if it was not asked.
    certificate: the proof as a line of JSON, see `exactmatch.certificate.checker`; None if it was
        not asked for.
    end_certificates: the proofs of the ends of ranges; see `exactmatch.scoring.best`.
    best: facts about all best mappings; None if they are unknown or not asked for.
    sentences: the losses of the sentences of documents, see `exactmatch.scoring.by_sentence`.
    work: the work of a solver that was asked for by name.
    """

    statistics: Statistics
    mapping: Mapping[str, str] = _NO_MAPPING
    solver: str = "none"
    timed_out: bool = False
    too_large: bool = False
    checked: bool = True
    confirmed: bool | None = None
    certificate: str | None = None
    end_certificates: Sequence[str] = ()
    best: "BestMappings | None" = None
    sentences: "Mapping[str, SentenceTriples]" = _NO_SENTENCES
    work: "SolverWork | None" = None

    @property
    def is_proven(self) -> bool:
        """Whether the mapping is proven to be the best, or none is needed."""
        return self.statistics.matched == self.statistics.matched_upper

    @property
    def certified(self) -> bool:
        """Whether the result is proven, and its proof checked. All reports count this."""
        return self.is_proven and self.checked


@dataclass(frozen=True, slots=True, repr=False, eq=False)  # subclasses have these attributes
class Metric(EqualByFields, ABC):
    """A way to compare two graphs. Raises `UsageError` for an unknown value of a choice.

    name: its name on the command line and in signatures; *title* is the name for people.
    unit: the unit of counting, in the plural.
    format: the format of its files.
    also: other formats that it accepts.
    parts: the parts of a breakdown, in the order of tables.
    maps_variables: whether it is scored under the best mapping of variables.
    is_of_amr: whether its triples are those of AMRs.
    unproven: why there is nothing to prove, if that is so.
    scale: the value of a full match; 1 if there are no partial matches.
    takes: the words it takes from files: ``similarity`` of concepts, ``synonyms``, ``classes`` of
        concepts, ``lengths`` of sentences.
    needs: those of them without which it compares nothing.
    parameters: the arguments of `with_choices` besides choices: numbers, lists, and tables.
    profiles: sets of choices by their names on the command line.
    papers: the papers that define the metric, by keys of ``papers.bib``; profile_papers: further
        papers of a profile.
    former: earlier versions of profiles, before a new number in their names.
    unsaid: choices that signatures leave out, each with the value that changes nothing; see
        `is_unsaid`.
    profile: the name in the signature.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    unit: ClassVar[str] = "triples"
    format: ClassVar[str]
    also: ClassVar[Sequence[str]] = ()
    parts: ClassVar[Sequence[str]] = ()
    maps_variables: ClassVar[bool] = False
    is_of_amr: ClassVar[bool] = False
    unproven: ClassVar[str] = "no mapping of variables is needed"
    scale: ClassVar[int] = 1
    takes: ClassVar[Sequence[str]] = ()
    needs: ClassVar[Sequence[str]] = ()
    parameters: ClassVar[Sequence[str]] = ()
    profiles: ClassVar[Mapping[str, "Metric"]]
    papers: ClassVar[Sequence[str]] = ()
    profile_papers: ClassVar[Mapping[str, Sequence[str]]] = {}
    former: ClassVar[Sequence["Metric"]] = ()
    unsaid: ClassVar[Mapping[str, str]] = {"unicode": "as-written"}

    profile: str = "custom"

    def __post_init__(self) -> None:
        for choice, values in self.choices().items():
            if getattr(self, choice) not in values:
                raise UsageError(
                    f"{choice} is {getattr(self, choice)!r}; the values are {', '.join(values)}"
                )

    def __repr__(self) -> str:
        shown = (f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
        return f"{type(self).__qualname__}({', '.join(shown)})"

    @property
    def extent(self) -> Extent:
        """The part of a UMR file that is compared at once; all other formats only have graphs."""
        return "sentence"

    @property
    def can_exceed(self) -> bool:
        """Whether matches can exceed totals, since each pair of equal triples counts."""
        return False

    @property
    def ill_formed_policy(self) -> IllFormedPolicy:
        """How pairs with an ill-formed graph are treated, in formats that have such graphs."""
        return ALL_ERRORS

    @abstractmethod
    def signature(self, search: str = "") -> str:
        """Return name and choices in one line, in the manner of sacreBLEU.

        *search* describes the search for mappings; it is left out if there is none.
        """

    def is_unsaid(self, choice: str) -> bool:
        """Tell whether signatures leave a choice out, so that older signatures stay."""
        return bool(getattr(self, choice, None) == self.unsaid.get(choice))

    def _with_form(self, signature: str) -> str:
        """Return *signature* with the form in which text is compared, unless that is left out."""
        form = getattr(self, "unicode", "as-written")
        return signature if self.is_unsaid("unicode") else f"{signature}|unicode:{form}"

    def figures(self, statistics: Statistics) -> Figures | None:
        """Return the results of a formula for statistics; None if the metric divides counts.

        Its further results have the same names for all statistics, since they are columns of
        tables.
        """
        return None

    @property
    def has_formula(self) -> bool:
        """Whether the results are those of a formula."""
        return type(self).figures is not Metric.figures

    @property
    def tells_sentences(self) -> bool:
        """Whether the sentences of a document can be counted one by one."""
        return False

    def results(self, statistics: Statistics) -> Figures | None:
        """Return `figures`, or what is known of them if a pair is not counted; None as there."""
        found = self.figures(statistics)
        return found.unknown() if found and statistics.sums.get(NOT_COUNTED) else found

    def for_format(self, form: str) -> Self:
        """Return this metric for graphs of a format."""
        return self

    def lacking(self) -> str | None:
        """Return the words that the profile's original program has, and this metric lacks."""
        return None

    def unlike_program(self, graph: Graph) -> Sequence[str]:
        """Return notes on what the profile's original program reads otherwise in a graph."""
        return ()

    def with_words(
        self,
        *,
        similarity: "Similarity | None" = None,
        synonyms: "Synonyms | None" = None,
        classes: "Classes | None" = None,
        lengths: "SentenceLengths | None" = None,
    ) -> Self:
        """Return this metric with the words that it takes. Raises `UsageError` if it lacks any."""
        return self

    @classmethod
    @cache
    def choices(cls) -> Mapping[str, Sequence[str]]:
        """Return the choices, in the order of the fields, and the values of each."""
        known = [f for f in fields(cls) if f.name not in cls.parameters and f.default is not None]
        hints = {f.name: f.type for f in known}
        if any(isinstance(hint, str) for hint in hints.values()):  # as text, types take longer
            hints = get_type_hints(cls, localns=_NOT_LOADED)
        values = {f.name: get_args(hints[f.name]) for f in known}
        return {name: v for name, v in values.items() if all(isinstance(x, str) for x in v) and v}

    @classmethod
    def check_choices(cls, names: Iterable[str]) -> None:
        """Raise `UsageError` for a name that is neither a choice nor a parameter."""
        known = (*cls.choices(), *cls.parameters)
        for name in names:
            if name not in known:
                raise UsageError(_no_choice(cls.name, name, known))

    def with_choices(self, **choices: Choice) -> Self:
        """Return this metric with some choices changed.

        Raises `UsageError` for an unknown choice or value.
        """
        if not choices:
            return self
        self.check_choices(choices)
        changes: dict[str, Any] = choices
        return replace(self, **changes)


class AlignmentFreeMetric(Metric):
    """A metric that compares two graphs by itself, without a search for a mapping."""

    __slots__ = ()

    @abstractmethod
    def measure(self, system: Graph, gold: Graph) -> Measurement:
        """Compare two graphs."""


def _no_choice(metric: str, name: str, known: Sequence[str]) -> str:
    """Return the message about a choice that the *metric* does not have.

    Files of words, such as vectors, are no choices: only a `Metric` holds them.
    """
    if name in _OF_FILES:
        there = f"give --{name.replace('_', '-')}, in Python exactmatch.metric(NAME, {name}=...)"
    else:
        there = f"the choices are {', '.join(known) or 'none'}"
    return f"{metric} has no choice called {name!r}; {there}"


def not_counted(system: Graph, gold: Graph) -> Measurement:
    """Return the measurement of a pair that no time was left to count: anything may match.

    If triples are counted, no side has more of them than *most*. With both totals as large as that,
    all ratios of counts lie between those of the bounds, also in sums over pairs. Other formulas,
    some of which count n-grams or motifs, have no such bounds: `Metric.results` says so.
    """
    from fractions import Fraction

    most = max(1, _size(system), _size(gold))
    statistics = Statistics(0, most, most, most, sums={NOT_COUNTED: Fraction(1)})
    return Measurement(statistics, timed_out=True)


def _size(graph: Graph) -> int:
    """Return the number of triples of a graph and its sentences, and of their tops."""
    of_sentences = sum(len(s.triples) + len(s.document_level) + 1 for s in graph.sentences)
    return max(len(graph.triples) + len(graph.tops), of_sentences)
