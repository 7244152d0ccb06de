"""The choices of a metric on which the labels of AMRs depend."""

from operator import attrgetter
from typing import NamedTuple


class LabelChoices(NamedTuple):
    """The values of these choices, described in `exactmatch.metrics.amr.amr_metric`."""

    case: str
    inverse: str
    inverse_constants: str
    mod: str
    quotes: str
    strings: str
    surface_alignments: str
    underscores: str
    unicode: str


#: Returns the values of these choices of a metric, in order.
label_values = attrgetter(*LabelChoices._fields)
