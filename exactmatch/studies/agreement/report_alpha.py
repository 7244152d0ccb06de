"""Krippendorff's alpha in the columns of a table, and in words."""

from collections.abc import Callable
from typing import Literal, TypeVarTuple

from exactmatch.report.document import Column, at_most
from exactmatch.report.wording import between
from exactmatch.studies.chance.coefficients import Bounds, Coefficient
from exactmatch.studies.chance.distances import Distance
from exactmatch.studies.common.notes import interval_text
from exactmatch.studies.common.statistics import Resampling

_Objects = TypeVarTuple("_Objects")

#: The distances in words.
DISTANCE_WORDS: dict[Distance, str] = {
    "plain": "triples without a partner",
    "diff": "triples without a partner beyond the difference in size",
    "norm": "1 - F1",
}


def alpha_columns(
    key: str, title: str, of_row: Callable[[*_Objects], Coefficient | None]
) -> list[Column[*_Objects]]:
    """Return the columns of alpha: the least and the largest value, and the confidence interval.

    *of_row* returns the coefficient of a row, None if it has none.
    """

    def bounds(*row: *_Objects) -> Bounds | None:
        found = of_row(*row)
        return None if found is None else found.value

    def end(which: Literal["low", "high"]) -> Callable[[*_Objects], float | None]:
        def of(*row: *_Objects) -> float | None:
            found = of_row(*row)
            if found is None or found.interval is None:
                return None
            return float(getattr(found.interval, which))

        return of

    return [
        *_bounds_columns(key, title, bounds),
        Column(f"{key}_low", "from", end("low"), if_known=True),
        Column(f"{key}_high", "to", end("high"), if_known=True),
    ]


def disagreement_columns(
    of_row: Callable[[*_Objects], Coefficient | None],
) -> list[Column[*_Objects]]:
    """Return the columns of the observed and of the expected disagreement."""

    def of(which: Literal["observed", "expected"]) -> Callable[[*_Objects], Bounds | None]:
        def bounds(*row: *_Objects) -> Bounds | None:
            found = of_row(*row)
            return None if found is None else getattr(found, which)

        return bounds

    return [
        *_bounds_columns("observed", "D_o", of("observed")),
        *_bounds_columns("expected", "D_e", of("expected")),
    ]


def _bounds_columns(
    key: str, title: str, of_row: Callable[[*_Objects], Bounds | None]
) -> list[Column[*_Objects]]:
    def low(*row: *_Objects) -> float | None:
        found = of_row(*row)
        return None if found is None else float(found.low)

    def high(*row: *_Objects) -> float | None:
        found = of_row(*row)
        return None if found is None else float(found.high)

    return [Column(key, title, low, if_known=True), at_most(key, high)]


def alpha_text(distance: Distance, alpha: Coefficient, resampling: Resampling) -> str:
    """Return alpha of a *distance*, squared, in words."""
    said = f"Krippendorff's alpha ({DISTANCE_WORDS[distance]}, squared)"
    if alpha.value is None:
        return f"{said} undefined: {alpha.undefined}"
    value = between(float(alpha.value.low), float(alpha.value.high))
    return f"{said} {value}{interval_text(alpha.interval, resampling)}"
