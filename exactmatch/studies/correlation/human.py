"""Ratings by people, brought to the items of a study and to the range of scores, 0 to 1."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from exactmatch.errors import InputError, near_names
from exactmatch.graphs.readers.ratings import Ratings


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanRatings:
    """What people say of the items of a study.

    values: by the position of an item, from 0 to 1; None if it has no rating.
    low, high: the ratings in the file that 0 and 1 stand for.
    unknown: the number of ratings in the file that are of no item.
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
    """Return what the *ratings* of a file say of *items*, which are named so.

    Ratings without identifiers are those of the items at the positions in *order*, one each. They
    lie between *bounds*; if None, between the least and the greatest of them. Raises `InputError`
    for ratings that are not of these items, or not within the bounds.
    """
    low, high = bounds or (min(ratings.values), max(ratings.values))
    if low == high:
        raise InputError(f"{ratings.path}: all ratings are {low:g}; name their range")
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
        return HumanRatings(values=by_position, low=low, high=high, unknown=0)
    rated = dict(zip(ratings.identifiers, scaled, strict=True))
    unknown = rated.keys() - set(items)
    if len(unknown) == len(rated):
        first = ratings.identifiers[0]
        raise InputError(
            f"{ratings.path}: no identifier is that of an item, such as {items[0]}; the first "
            f"is {first}.{near_names(first, items)}".removesuffix(".")
        )
    values = [rated.get(item) for item in items]
    return HumanRatings(values=values, low=low, high=high, unknown=len(unknown))
