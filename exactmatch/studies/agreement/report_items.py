"""The table of items for a third annotator."""

from collections.abc import Sequence

from exactmatch.report.document import Column, Rows, Table
from exactmatch.studies.agreement.report import differences_text
from exactmatch.studies.agreement.third_annotator import ItemForThird


def items_table(items: Sequence[ItemForThird]) -> Table:
    """Return the table, in the order of *items*."""
    return Rows(enumerate(items, start=1)).table(
        "third",
        "Items for a third annotator",
        [
            Column("order", "order", lambda order, one: order),
            Column("item", "item", lambda order, one: one.item.name),
            Column("mean_f1", "mean F1", lambda order, one: one.item.mean_f1),
            Column("lowest_f1", "lowest", lambda order, one: one.item.lowest_f1),
            Column("lowest_files", "between", lambda order, one: " / ".join(one.item.lowest)),
            Column("certain", "certain", lambda order, one: one.certain),
            Column("arbitrary", "arbitrary", lambda order, one: one.arbitrary),
            Column(
                "differences", "differences", lambda order, one: differences_text(one.differences)
            ),
        ],
    )
