"""From one way of counting to another of the same metric, one choice at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from exactmatch.errors import UsageError
from exactmatch.metrics.alignment_based import AlignmentMetric

#: What a metric is called between two profiles.
_BETWEEN = "custom"


@dataclass(frozen=True, slots=True)
class ChoiceChange:
    """A choice that goes from the value *before* to the value *after*, as they are shown.

    metric: how graphs are compared from then on.
    """

    choice: str
    before: str
    after: str
    metric: AlignmentMetric


def profile_path(first: AlignmentMetric, second: AlignmentMetric) -> list[ChoiceChange]:
    """Return what takes *first* to *second*: one change for each field that differs.

    The order is that of the fields of the metric, which is that of its signature. Parameters that
    are no choices count as such. Raises `UsageError` for two metrics.
    """
    if type(first) is not type(second):
        raise UsageError(
            f"{first.name} and {second.name} are two metrics: a difference is explained between "
            "two profiles of one"
        )
    names = [f.name for f in fields(first) if f.name != "profile"]
    differing = [name for name in names if getattr(first, name) != getattr(second, name)]
    path: list[ChoiceChange] = []
    before = first
    for name in differing:
        change = {name: getattr(second, name), "profile": _BETWEEN}
        after = second if name == differing[-1] else replace(before, **change)
        path.append(ChoiceChange(name, _shown(before, name), _shown(after, name), after))
        before = after
    return path


def metrics_on(first: AlignmentMetric, path: Sequence[ChoiceChange]) -> list[AlignmentMetric]:
    """Return *first*, and how graphs are compared after each change."""
    return [first, *(change.metric for change in path)]


def _shown(metric: AlignmentMetric, name: str) -> str:
    """Return the value of a field; for what is from a file, digests as in a signature."""
    value: object = getattr(metric, name)
    if isinstance(value, str | int | float):
        return str(value)
    return "|".join(f"{what}:{said}" for what, said in metric.files().items()) or "none"
