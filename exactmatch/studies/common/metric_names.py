"""Names of metrics in studies: ``smatch``, ``smatch:s+4r``, ``smatch:top=none:s``.

A name begins with that of a metric. After colons and in any order follow at most one search
(``exact`` or a heuristic), at most one profile, choices, and `EXCHANGED`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from exactmatch.errors import UsageError
from exactmatch.graphs.distinct_names import distinct
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import (
    ALIGNMENT_BASED,
    METRICS,
    alignment_based,
    check_format,
    metric_called,
    metric_for,
)
from exactmatch.scoring.choices import chosen_metric
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import several
from exactmatch.solving.names import EXACT
from exactmatch.solving.search.methods import METHODS
from exactmatch.studies.common.judges import Judge

#: Exchanges system and gold graph: SEMBLEU^{YX} in Opitz et al. (2020), Table 8.
EXCHANGED = "exchanged"


@dataclass(frozen=True, slots=True)
class MetricName:
    """A parsed name; *text* is the name as it was given.

    profile: None if the name has none. method: ``exact`` or a heuristic.
    """

    text: str
    metric: str
    profile: str | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    method: str = EXACT
    exchanged: bool = False


@dataclass(frozen=True, slots=True)
class NamedMetric:
    """A parsed name, with a metric that is ready for use."""

    name: str
    metric: Metric
    method: str = EXACT
    exchanged: bool = False


#: A metric, optionally with the heuristic that searches its mappings: ``smatch``, ``smatch:s+4r``,
#: a `Metric`, or one with the name of a heuristic.
MetricWithSearch: TypeAlias = str | Metric | tuple[Metric, str] | NamedMetric


def listed(metric: MetricWithSearch | Sequence[MetricWithSearch]) -> list[MetricWithSearch]:
    """Return one metric or several as a list. Raises `UsageError` for anything else."""
    if isinstance(metric, str | Metric | NamedMetric):
        return [metric]
    return several("metric", metric)


def metric_name(text: str) -> MetricName:
    """Return the parsed name. Raises `UsageError` for unknown and repeated parts."""
    first, *parts = (part.strip() for part in text.split(":"))
    kind = metric_called(first)
    methods = (EXACT, *METHODS) if first in ALIGNMENT_BASED else ()
    given: dict[str, str] = {}
    choices: dict[str, str] = {}
    for part in parts:
        choice, is_choice, value = part.partition("=")
        if is_choice:
            said, key, word = choices, choice.replace("-", "_"), value
        elif part == EXCHANGED:
            said, key, word = given, part, part
        elif part in methods:
            said, key, word = given, "method", part
        elif part in kind.profiles:
            said, key, word = given, "profile", part
        else:
            what = "heuristic or profile" if methods else "profile"
            there = ", ".join([*methods, *kind.profiles])
            raise UsageError(
                f"{text!r}: no {what} of {first} is called {part!r}; the values are {there}"
            )
        if key in said:
            raise UsageError(f"{text!r}: two values for one {key}, {said[key]} and {word}")
        said[key] = word
    method = given.get("method", EXACT)
    return MetricName(text, first, given.get("profile"), choices, method, EXCHANGED in given)


def usual_names(form: str, *, takes: Sequence[str] = ()) -> list[str]:
    """Return metrics for a format that need nothing but what they *take*, and hill climbing.

    They compare the same unit as the usual metric: in UMR, sentence graphs.
    """
    usual = metric_for(form)
    fitting = [
        name
        for name, kind in METRICS.items()
        if kind.format == usual.format
        and form in (kind.format, *kind.also)
        and set(kind.needs) <= set(takes)
    ]
    aligning = [name for name in fitting if name in ALIGNMENT_BASED]
    return [*aligning, f"{usual.name}:s+4r", *(name for name in fitting if name not in aligning)]


def chosen_judges(
    metrics: Sequence[MetricWithSearch],
    form: str,
    profile: str,
    choices: Mapping[str, str],
    settings: Settings,
) -> list[Judge]:
    """Return the judges of graphs of the format *form*; by default the usual metrics.

    *profile* and *choices* apply to metrics whose names have none. Raises `UsageError` for unknown
    names, and `InputError` for metrics of another format.
    """
    named = [named_metric(one, form, profile, choices) for one in metrics or usual_names(form)]
    return [
        Judge(name, one.metric, settings.searched_by(one.method), one.exchanged)
        for name, one in zip(distinct(one.name for one in named), named, strict=True)
    ]


def named_metric(
    given: MetricWithSearch, form: str, profile: str, choices: Mapping[str, str]
) -> NamedMetric:
    """Return the metric for graphs of the format *form*.

    The arguments, and the errors, are those of `chosen_judges`.
    """
    if isinstance(given, NamedMetric):
        check_format(given.metric, form)
        return given
    if isinstance(given, str):
        name = metric_name(given.strip())
        own = {**choices, **name.choices}
        metric = chosen_metric(form, name.metric, name.profile or profile, own)
        return NamedMetric(name.text, metric, name.method, name.exchanged)
    one, method = _with_search(given)
    chosen = chosen_metric(form, one, profile, choices)
    if method == EXACT:
        return NamedMetric(one.name, chosen)
    return NamedMetric(f"{one.name}:{method}", alignment_based(chosen), method)


def _with_search(given: Metric | tuple[Metric, str]) -> tuple[Metric, str]:
    """Return a metric and its search. Raises `UsageError` for another type."""
    match given:
        case Metric():
            return given, EXACT
        case (Metric() as metric, str(method)):
            return metric, method
    raise UsageError(f"{given!r} is no metric: give a name, a Metric, or a Metric and a heuristic")
