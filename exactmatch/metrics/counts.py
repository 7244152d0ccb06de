"""Precision, recall and F1, and the intervals of their true values, from whole numbers."""

from collections import Counter
from collections.abc import Mapping, Set
from dataclasses import dataclass
from operator import add
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from exactmatch.errors import UsageError, VerificationError
from exactmatch.metrics.equal_by_fields import EqualByFields
from exactmatch.stopping.deadline import looking

if TYPE_CHECKING:
    from fractions import Fraction
    from typing import Protocol

    class HasCounts(Protocol):
        """What has the counts of a `Score`."""

        @property
        def matched(self) -> int: ...
        @property
        def matched_upper(self) -> int: ...
        @property
        def system_total(self) -> int: ...
        @property
        def gold_total(self) -> int: ...


_Thing = TypeVar("_Thing")

_NO_OTHERS: Mapping[str, float] = {}
#: The names of rows for triples of no single sentence.
SEVERAL, NONE = "several", "none"
#: The results that are always from 0 to 1.
_FROM_0_TO_1 = ("value", "precision", "recall", "f1")


class Figures(NamedTuple):
    """The results of a metric with a formula of its own, instead of ratios of counts.

    value: the main result, from 0 to 1; *value_name* is its name.
    precision, recall, f1: None if the metric does not have them.
    others: further results by name.
    is_known: whether these are the results; if not, since a limit of time came first, they are 0,
        and may be anything up to 1.
    """

    value: float
    value_name: str
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    others: Mapping[str, float] = _NO_OTHERS
    is_known: bool = True

    def unknown(self) -> "Figures":
        """Return what is known of these results if a limit of time came first: their names."""
        ratios = self.precision, self.recall, self.f1
        precision, recall, f1 = (None if ratio is None else 0.0 for ratio in ratios)
        others = dict.fromkeys(self.others, 0.0)
        return Figures(0.0, self.value_name, precision, recall, f1, others, is_known=False)


@dataclass(frozen=True, kw_only=True, eq=False)  # by fields
class Score(EqualByFields):
    """The matches, their upper bound, and the totals that both are divided by.

    matched: the triples (or other units) matched by the mapping that was found.
    matched_upper: the upper bound on matches; equal to *matched* if that is proven best.
    system_total, gold_total: triples of the system and of the gold standard.
    figures: the results that replace the ratios, for a metric with a formula of its own.

    Ratios whose denominator is 0 are 0, as in smatch. Precision, recall and F1 raise `UsageError`
    if the metric has none. Raises `VerificationError` for counts out of order, and for results
    outside 0 to 1. Python rounds a quotient of two whole numbers correctly: the smaller of two
    ratios is never the larger float. But two ratios may be the same float if the product of their
    denominators is 2 ** 53 or more, so scores are sorted by `exact`.
    """

    matched: int
    matched_upper: int
    system_total: int
    gold_total: int
    figures: Figures | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.matched <= self.matched_upper:
            raise VerificationError(
                f"{self.matched} triples match, but at most {self.matched_upper} can"
            )
        for name in _FROM_0_TO_1 if self.figures is not None else ():
            figure = getattr(self.figures, name)
            if figure is not None and not 0 <= figure <= 1:
                raise VerificationError(f"the {name} of a score is {figure}")

    @property
    def value(self) -> float:
        """The main result: F1 for most metrics."""
        return self.f1 if self.figures is None else self.figures.value

    @property
    def value_upper(self) -> float:
        """The upper bound of the true value."""
        if self.figures is None:
            return self.f1_upper
        return self.figures.value if self.figures.is_known else 1.0

    @property
    def exact(self) -> "Fraction | float":
        """`value` before a ratio is rounded."""
        return self._exact(self.matched)

    @property
    def exact_upper(self) -> "Fraction | float":
        """`value_upper` before a ratio is rounded."""
        is_open = self.figures is not None and not self.figures.is_known
        return 1.0 if is_open else self._exact(self.matched_upper)

    @property
    def value_name(self) -> str:
        """The name of the value."""
        return "F1" if self.figures is None else self.figures.value_name

    @property
    def precision(self) -> float:
        """Matched triples divided by triples of the system."""
        return self._figure("precision", self.matched, self.system_total)

    @property
    def recall(self) -> float:
        """Matched triples divided by triples of the gold standard."""
        return self._figure("recall", self.matched, self.gold_total)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self._figure("f1", 2 * self.matched, self.system_total + self.gold_total)

    @property
    def precision_upper(self) -> float:
        """The upper bound of the true precision."""
        return self._figure("precision_upper", self.matched_upper, self.system_total)

    @property
    def recall_upper(self) -> float:
        """The upper bound of the true recall."""
        return self._figure("recall_upper", self.matched_upper, self.gold_total)

    @property
    def f1_upper(self) -> float:
        """The upper bound of the true F1."""
        return self._figure("f1_upper", 2 * self.matched_upper, self.system_total + self.gold_total)

    def figure(self, name: str) -> float | None:
        """Return the named ratio, such as ``f1_upper``; None if the metric has none."""
        own = name.removesuffix("_upper")
        if self.figures is not None and getattr(self.figures, own) is None:
            return None
        figure: float = getattr(self, name)
        return figure

    @property
    def gap(self) -> int:
        """The triples between matches and upper bound; 0 if the score is exact."""
        return self.matched_upper - self.matched

    def _exact(self, matched: int) -> "Fraction | float":
        if self.figures is not None:
            return self.figures.value
        from fractions import Fraction

        total = self.system_total + self.gold_total
        return Fraction(2 * matched, total) if total else Fraction(0)

    def _figure(self, name: str, numerator: int, denominator: int) -> float:
        if self.figures is None:
            return numerator / denominator if denominator else 0.0
        own = name.removesuffix("_upper")
        figure: float | None = getattr(self.figures, own)
        if figure is None:
            raise UsageError(f"there is no {own} of {self.value_name}; use its value")
        return figure if own == name or self.figures.is_known else 1.0


def score_of(counted: "HasCounts") -> Score:
    """Return precision, recall and F1 of *counted*."""
    return Score(
        matched=counted.matched,
        matched_upper=counted.matched_upper,
        system_total=counted.system_total,
        gold_total=counted.gold_total,
    )


def difference(less: Score, more: Score) -> Score:
    """Return the matches of *more* beyond *less*, which has the same triples and cannot match more.

    The ratios of the result are the differences of the ratios.
    """
    return Score(
        matched=max(0, more.matched - less.matched_upper),
        matched_upper=more.matched_upper - less.matched,
        system_total=more.system_total,
        gold_total=more.gold_total,
    )


class Counts(NamedTuple):
    """The numbers of triples of the system and of the gold standard, and of matches."""

    matched: int
    system_total: int
    gold_total: int

    @classmethod
    def of(cls, system: Set[object], gold: Set[object]) -> Self:
        """Return the counts of two sets."""
        return cls(len(system & gold), len(system), len(gold))

    @classmethod
    def in_common(cls, system: "Counter[_Thing]", gold: "Counter[_Thing]") -> Self:
        """Return the counts of two multisets; raise `OutOfTime` if the current deadline comes."""
        matched = sum(min(times, gold[one]) for one, times in looking(system.items()))
        return cls(matched, system.total(), gold.total())

    @property
    def matched_upper(self) -> int:
        """The matches, since they are counted and not searched for."""
        return self.matched

    def score(self) -> Score:
        """Return precision, recall and F1."""
        return score_of(self)

    def times(self, unit: int) -> "Counts":
        """Return the counts in parts of a *unit*."""
        return Counts(unit * self.matched, unit * self.system_total, unit * self.gold_total)

    def __add__(self, other: "Counts") -> "Counts":  # type: ignore[override]
        return Counts(
            self.matched + other.matched,
            self.system_total + other.system_total,
            self.gold_total + other.gold_total,
        )


class Range(NamedTuple):
    """The *least* and the *most* matches of a part of the triples under the best mappings.

    system_total, gold_total: triples of this part on both sides.
    unknown: pairs of graphs that are left out here, since their best score or the ends of their
        range are not proven, or since they were not counted in time.
    """

    least: int = 0
    most: int = 0
    system_total: int = 0
    gold_total: int = 0
    unknown: int = 0

    @property
    def ends(self) -> tuple[Score, Score]:
        """Precision, recall and F1 at both ends."""
        totals = (self.system_total, self.gold_total)
        return Counts(self.least, *totals).score(), Counts(self.most, *totals).score()

    def __add__(self, other: "Range") -> "Range":  # type: ignore[override]
        return Range(*map(add, self, other))


#: The counts of nothing.
NOTHING = Counts(0, 0, 0)
