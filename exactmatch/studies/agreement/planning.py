"""How many items are enough for the agreement of annotators, and which of them share too few."""

from collections.abc import Mapping
from dataclasses import dataclass

from exactmatch.graphs.items import FilePair
from exactmatch.studies.agreement.means import MeanAgreement, mean_columns
from exactmatch.studies.agreement.measure import Agreement, Compared
from exactmatch.studies.common.item_numbers import (
    ItemColumns,
    Planned,
    check_width,
    planned,
    planned_width,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementPlan:
    """How many items give confidence intervals of a half-width of *width*.

    among, with_consensus: for the mean micro F1 of every two annotators, and of each with the
        consensus; None if there is none.
    pairs: for the F1 of each two files.
    """

    width: float
    among: Planned | None
    with_consensus: Planned | None
    pairs: Mapping[FilePair, Planned]

    @property
    def thin(self) -> list[FilePair]:
        """The pairs of files that share too few items."""
        return [files for files, one in self.pairs.items() if one.is_thin]


def plan_agreement(agreement: Agreement, width: float) -> AgreementPlan:
    """Return how many items are enough. Raises `UsageError` as `check_width` does."""
    check_width(width)
    means = agreement.means
    return AgreementPlan(
        width=width,
        among=_of_mean("mean of every two", means.among, agreement, width),
        with_consensus=_of_mean(
            f"mean with {means.consensus}", means.with_consensus, agreement, width
        ),
        pairs={files: _of_pair(files, both, width) for files, both in agreement.compared.items()},
    )


def _of_mean(
    name: str, mean: MeanAgreement | None, agreement: Agreement, width: float
) -> Planned | None:
    if mean is None:
        return None
    low, high, (micro, _) = mean_columns([agreement.compared[files].score for files in mean.files])
    found = mean.micro
    gap = found.upper - found.value
    items = ItemColumns(low, high, micro)
    return planned_width(name, items, found.interval, gap, width, agreement.resampling)


def _of_pair(files: FilePair, both: Compared, width: float) -> Planned:
    interval, score = both.interval, both.score
    now = None if interval is None else (interval.high - interval.low) / 2
    fixed = (score.f1_upper - score.f1) / 2
    return planned(" / ".join(files), "half-width", [], score.pairs, now, fixed, width)
