"""The choices of a metric on which the labels of AMRs depend."""

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
