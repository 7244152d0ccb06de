"""The path from one profile to another of the same metric, one choice at a time."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from math import lcm

from exactmatch.errors import UsageError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import alignment_based

#: The name of a change of metric among choices.
_BETWEEN = "custom"


@dataclass(frozen=True, slots=True)
class ChoiceChange:
    """A choice that changes from the value *before* to the value *after*, as they are shown.

    choice: its name, or several with commas that change together.
    metric: the metric after the change.
    """

    choice: str
    before: str
    after: str
    metric: AlignmentMetric


def profile_path(
    first: AlignmentMetric, second: AlignmentMetric, before_others: Sequence[str] = ()
) -> list[ChoiceChange]:
    """Return the path from *first* to *second*: one change for each field that differs.

    The order is that of the fields of the metric, as in its signature, except that *before_others*
    come first; fields that are `together` change at once. Parameters that are no choices count as
    choices. Raises `UsageError` for two different metrics.
    """
    if type(first) is not type(second):
        raise UsageError(
            f"{first.name} and {second.name} are two metrics; name two profiles of one metric, or "
            "umatch and smatch"
        )
    path: list[ChoiceChange] = []
    before = first
    ordered = sorted(_groups(first), key=lambda group: _place(group, before_others))
    groups = [*filter(None, (_differing(group, first, second) for group in ordered))]
    for names in groups:
        changes = {name: getattr(second, name) for name in names}
        after = second if names is groups[-1] else replace(before, profile=_BETWEEN, **changes)
        path.append(
            ChoiceChange(", ".join(names), _shown(before, names), _shown(after, names), after)
        )
        before = after
    return path


def _groups(metric: AlignmentMetric) -> list[Sequence[str]]:
    """Return the fields that change together, in the order of the first of each group."""
    groups: dict[str, Sequence[str]] = {}
    names = [f.name for f in fields(metric) if f.name not in ("profile", "credits")]
    for name in (*names, "credits"):  # signatures end with files
        group = next((group for group in metric.together if name in group), (name,))
        groups.setdefault(group[0], group)
    return [*groups.values()]


def _place(group: Sequence[str], before_others: Sequence[str]) -> int:
    return before_others.index(group[0]) if group[0] in before_others else len(before_others)


def _differing(
    names: Sequence[str], first: AlignmentMetric, second: AlignmentMetric
) -> Sequence[str]:
    return [name for name in names if getattr(first, name) != getattr(second, name)]


def metrics_on(first: Metric, path: Sequence[ChoiceChange]) -> list[Metric]:
    """Return *first*, and the metric after each change."""
    return [first, *(change.metric for change in path)]


def in_one_scale(metrics: Sequence[Metric]) -> Sequence[Metric]:
    """Return the same metrics, in units in which the matches of all can be compared.

    Raises `UsageError` if a metric that maps by rules would need other units.
    """
    scale = lcm(*(metric.scale for metric in metrics))
    if all(metric.scale == scale for metric in metrics):
        return metrics
    return [alignment_based(metric).with_scale(scale) for metric in metrics]


def _shown(metric: AlignmentMetric, names: Sequence[str]) -> str:
    """Return the values of fields; for values from files, digests as in a signature."""
    return ", ".join(_value(metric, getattr(metric, name)) for name in names)


def _value(metric: AlignmentMetric, value: object) -> str:
    if isinstance(value, str | int | float):
        return str(value)
    return "|".join(f"{what}:{said}" for what, said in metric.files().items()) or "none"
