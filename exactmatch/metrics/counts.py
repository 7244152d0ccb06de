"""Precision, recall and F1, and the intervals of their true values, from whole numbers."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from operator import add
from typing import TYPE_CHECKING, NamedTuple, Self

from exactmatch.errors import UsageError, VerificationError

if TYPE_CHECKING:
    from fractions import Fraction

_NO_OTHERS: Mapping[str, float] = {}
#: What is counted of triples that are in no single sentence is called so.
SEVERAL, NONE = "several", "none"
#: The figures that are never below 0 and never above 1.
_FROM_0_TO_1 = ("value", "precision", "recall", "f1")


class Figures(NamedTuple):
    """What a metric computes by a formula of its own, instead of dividing counts.

    value: the one figure that stands for all, from 0 to 1; *value_name* says which it is.
    precision, recall, f1: None where the metric has no such thing.
    others: further figures by their names.
    """

    value: float
    value_name: str
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    others: Mapping[str, float] = _NO_OTHERS


@dataclass(frozen=True, kw_only=True)
class Score:
    """What matches, what no mapping exceeds, and what both are divided by.

    matched: triples (or what else a metric counts) matched by the mapping that was found.
    matched_upper: triples that no mapping exceeds; equal to *matched* if that is proven best.
    system_total, gold_total: triples of the system and of the gold standard.
    figures: what takes the place of the ratios, where a metric has a formula of its own.

    Ratios whose denominator is 0 are 0, as in smatch. Precision, recall and F1 raise `UsageError`
    if the metric has none. Raises `VerificationError` for counts out of order, and for figures that
    are not from 0 to 1. Python rounds a quotient of two whole numbers correctly: of two ratios,
    the smaller one is never the larger float. But they may be the same float if the product of
    their denominators is 2 ** 53 or more; so `exact` is what scores are put in order by.
    """

    matched: int
    matched_upper: int
    system_total: int
    gold_total: int
    figures: Figures | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.matched <= self.matched_upper:
            raise VerificationError(f"{self.matched} are matched, and at most {self.matched_upper}")
        for name in _FROM_0_TO_1 if self.figures is not None else ():
            figure = getattr(self.figures, name)
            if figure is not None and not 0 <= figure <= 1:
                raise VerificationError(f"the {name} of a score is {figure}")

    @property
    def value(self) -> float:
        """The one figure that stands for all: F1 for most metrics."""
        return self.f1 if self.figures is None else self.figures.value

    @property
    def value_upper(self) -> float:
        """What the true value does not exceed."""
        return self.f1_upper if self.figures is None else self.figures.value

    @property
    def exact(self) -> "Fraction | float":
        """`value`, as it is before a ratio is rounded."""
        return self._exact(self.matched)

    @property
    def exact_upper(self) -> "Fraction | float":
        """`value_upper`, as it is before a ratio is rounded."""
        return self._exact(self.matched_upper)

    @property
    def value_name(self) -> str:
        """What the value is called."""
        return "F1" if self.figures is None else self.figures.value_name

    @property
    def precision(self) -> float:
        """Matched triples by triples of the system."""
        return self._figure("precision", self.matched, self.system_total)

    @property
    def recall(self) -> float:
        """Matched triples by triples of the gold standard."""
        return self._figure("recall", self.matched, self.gold_total)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return self._figure("f1", 2 * self.matched, self.system_total + self.gold_total)

    @property
    def precision_upper(self) -> float:
        """What the true precision does not exceed."""
        return self._figure("precision", self.matched_upper, self.system_total)

    @property
    def recall_upper(self) -> float:
        """What the true recall does not exceed."""
        return self._figure("recall", self.matched_upper, self.gold_total)

    @property
    def f1_upper(self) -> float:
        """What the true F1 does not exceed."""
        return self._figure("f1", 2 * self.matched_upper, self.system_total + self.gold_total)

    def figure(self, name: str) -> float | None:
        """Return the ratio called so, such as ``f1_upper``; None if the metric has none."""
        own = name.removesuffix("_upper")
        if self.figures is not None and getattr(self.figures, own) is None:
            return None
        figure: float = getattr(self, name)
        return figure

    @property
    def gap(self) -> int:
        """Triples between what was found and what is proven; 0 if the score is exact."""
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
        figure: float | None = getattr(self.figures, name)
        if figure is None:
            raise UsageError(f"there is no {name} of {self.value_name}: ask for its value")
        return figure


def difference(less: Score, more: Score) -> Score:
    """Return what *more* matches of the same triples beyond *less*, which cannot match more.

    The ratios of what is returned are the differences of theirs.
    """
    return Score(
        matched=max(0, more.matched - less.matched_upper),
        matched_upper=more.matched_upper - less.matched,
        system_total=more.system_total,
        gold_total=more.gold_total,
    )


class Counts(NamedTuple):
    """How many triples of the system and of the gold standard there are, and how many match."""

    matched: int
    system_total: int
    gold_total: int

    @classmethod
    def of(cls, system: Set[object], gold: Set[object]) -> Self:
        """Return the counts of two sets."""
        return cls(len(system & gold), len(system), len(gold))

    def score(self) -> Score:
        """Return precision, recall and F1."""
        return Score(
            matched=self.matched,
            matched_upper=self.matched,
            system_total=self.system_total,
            gold_total=self.gold_total,
        )

    def __add__(self, other: "Counts") -> "Counts":  # type: ignore[override]
        return Counts(
            self.matched + other.matched,
            self.system_total + other.system_total,
            self.gold_total + other.gold_total,
        )


class Range(NamedTuple):
    """What the best mappings match of a part of the triples: the *least* and the *most*.

    system_total, gold_total: triples of this part on both sides.
    unknown: pairs of graphs that are left out of all this, as their best score or the ends of their
        range are not proven.
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


class SentenceTriples(NamedTuple):
    """How a sentence of two documents fares: its triples on either side, and those that match.

    system_matched, gold_matched: under one of the best mappings. system_range, gold_range: under
    any of them.
    """

    system_matched: int = 0
    system_total: int = 0
    gold_matched: int = 0
    gold_total: int = 0
    system_range: Range = Range()
    gold_range: Range = Range()

    @property
    def lost(self) -> int:
        """The triples of both sides that do not match."""
        return self.system_total - self.system_matched + self.gold_total - self.gold_matched

    def __add__(self, other: "SentenceTriples") -> "SentenceTriples":  # type: ignore[override]
        return SentenceTriples(
            self.system_matched + other.system_matched,
            self.system_total + other.system_total,
            self.gold_matched + other.gold_matched,
            self.gold_total + other.gold_total,
            self.system_range + other.system_range,
            self.gold_range + other.gold_range,
        )


#: The counts of nothing.
NOTHING = Counts(0, 0, 0)


class Subscore(NamedTuple):
    """What matches of a phenomenon, in a pair of graphs or, added up, in many.

    matched, matched_upper: as in `Score`, or the least and the most that is matched under any of
        the best mappings. system_total, gold_total: as there.
    pairs: pairs in which either graph has the phenomenon.
    exact, exact_upper: pairs in which the whole of it matches, at least and at most so many.
    unproven: pairs of which *matched* and *matched_upper* are not proven, but true bounds.
    """

    matched: int = 0
    matched_upper: int = 0
    system_total: int = 0
    gold_total: int = 0
    pairs: int = 0
    exact: int = 0
    exact_upper: int = 0
    unproven: int = 0

    @classmethod
    def of(
        cls, interval: tuple[int, int], system_total: int, gold_total: int, *, proven: bool = True
    ) -> Self:
        """Return the subscore of a pair of graphs; *interval* is what matches."""
        matched, matched_upper = interval
        occurs = system_total + gold_total > 0
        is_exact, may_be_exact = (occurs and m == system_total == gold_total for m in interval)
        return cls(
            matched=matched,
            matched_upper=matched_upper,
            system_total=system_total,
            gold_total=gold_total,
            pairs=int(occurs),
            exact=int(is_exact),
            exact_upper=int(may_be_exact),
            unproven=int(not proven),
        )

    def score(self) -> Score:
        """Return precision, recall and F1."""
        return Score(
            matched=self.matched,
            matched_upper=self.matched_upper,
            system_total=self.system_total,
            gold_total=self.gold_total,
        )

    def __add__(self, other: "Subscore") -> "Subscore":  # type: ignore[override]
        return Subscore(*(one + another for one, another in zip(self, other, strict=True)))
