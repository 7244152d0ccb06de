"""Human ratings, assigned to the items of a study and scaled to the range of scores, 0 to 1."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from exactmatch.errors import InputError, near_names
from exactmatch.graphs.readers.ratings import Ratings


@dataclass(frozen=True, slots=True)
class HumanRatings:
    """Human ratings of the items of a study.

    values: the rating from 0 to 1 by the position of an item; None if it has no rating.
    low, high: the ratings of the file that become 0 and 1.
    unknown: the number of ratings in the file that belong to no item.
    """

    values: Sequence[float | None]
    low: float
    high: float
    unknown: int


def human_ratings(
    ratings: Ratings,
    items: Sequence[str],
    order: Sequence[int],
    bounds: tuple[float, float] | None,
) -> HumanRatings:
    """Return the *ratings* of a file for *items*, given by their names.

    Ratings without identifiers belong to the items at the positions in *order*, one each. They lie
    between *bounds*; None is the least and the greatest of them. Raises `InputError` for ratings
    that do not belong to these items, or lie outside the bounds.
    """
    low, high = bounds or (min(ratings.values), max(ratings.values))
    if low == high:
        raise InputError(
            f"{ratings.path}: all ratings are {low:g}; give their range with --human-range"
        )
    if not math.isfinite(high - low):
        raise InputError(f"{ratings.path}: ratings from {low:g} to {high:g} are too far apart")
    for value, line in zip(ratings.values, ratings.lines, strict=True):
        if not low <= value <= high:
            raise InputError(
                f"{ratings.path}:{line}: rating {value:g} is not in {low:g} to {high:g}"
            )
    scaled = [(value - low) / (high - low) for value in ratings.values]
    if ratings.identifiers is None:
        if len(scaled) != len(order):
            raise InputError(
                f"{ratings.path}: {len(scaled)} ratings, but {len(order)} graphs in the gold "
                "standard"
            )
        rating_of = dict(zip(order, scaled, strict=True))
        by_position = [rating_of.get(position) for position in range(len(items))]
        return HumanRatings(by_position, low, high, unknown=0)
    rated = dict(zip(ratings.identifiers, scaled, strict=True))
    unknown = rated.keys() - set(items)
    if len(unknown) == len(rated):
        first = ratings.identifiers[0]
        raise InputError(
            f"{ratings.path}: no identifier is that of an item, such as {items[0]}; the first is "
            f"{first}.{near_names(first, items)}".removesuffix(".")
        )
    values = [rated.get(item) for item in items]
    return HumanRatings(values, low, high, unknown=len(unknown))
