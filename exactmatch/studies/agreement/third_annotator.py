"""The order in which items are given to a third annotator."""

from collections.abc import Sequence
from typing import NamedTuple

from exactmatch.studies.agreement.measure import DisputedItem, Frequent


class ItemForThird(NamedTuple):
    """An item on which annotators disagree, and its differences.

    certain: the number of differences that hold under every best mapping. arbitrary: the number of
        the others, each of which holds under some of them.
    differences: all differences, those that are certain first.
    """

    item: DisputedItem
    certain: int
    arbitrary: int
    differences: Sequence[Frequent]


def for_third_annotator(items: Sequence[DisputedItem]) -> list[ItemForThird]:
    """Return the *items* on which annotators disagree, in the order for a third annotator.

    The lowest mean F1 comes first and, of equal ones, the item with the most certain differences.
    Others stay in their order.
    """
    found = [_with_differences(item) for item in items if item.mean_f1 < 1]
    return sorted(found, key=lambda one: (one.item.mean_f1, -one.certain))


def _with_differences(item: DisputedItem) -> ItemForThird:
    certain = sum(one.times for one in item.most_frequent)
    some = sum(one.times_some for one in item.most_frequent)
    # `most_frequent` sorts by the number of certain ones already.
    return ItemForThird(item, certain, some - certain, item.most_frequent)
