"""The metrics by name, and ways of counting by name of profile and by label."""

import json
from collections.abc import Sequence

from exactmatch.errors import InputError, UsageError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.counter import CounterMetric
from exactmatch.metrics.dscorer import DScorer
from exactmatch.metrics.edm import Edm
from exactmatch.metrics.mrp import Mrp
from exactmatch.metrics.s2match import S2match
from exactmatch.metrics.sdp import Sdp
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.ucca import Ucca

_KINDS: Sequence[type[Metric]] = (
    Smatch, S2match, Mrp, CounterMetric, Sdp, Edm, Ucca, SemBleu, DScorer
)  # fmt: skip

#: Name on the command line -> metric. The first one for a format is its default.
METRICS: dict[str, type[Metric]] = {kind.name: kind for kind in _KINDS}

#: Those that map variables.
ALIGNMENT_BASED: dict[str, type[AlignmentMetric]] = {
    name: kind for name, kind in METRICS.items() if issubclass(kind, AlignmentMetric)
}


def metric_for(form: str, name: str | None = None) -> type[Metric]:
    """Return the metric called so, or the usual one for graphs of the format *form*.

    Raises `UsageError` for a metric that does not exist, and `InputError` for one that compares
    graphs of another format.
    """
    if name is None:
        return next(kind for kind in METRICS.values() if kind.format == form)
    kind = metric_called(name)
    check_format(kind, form)
    return kind


def metric_called(name: str) -> type[Metric]:
    """Return the metric called so. Raises `UsageError` if there is none."""
    if not isinstance(name, str) or name not in METRICS:
        raise UsageError(f"no metric is called {name!r}; there are {', '.join(METRICS)}")
    return METRICS[name]


def check_format(metric: Metric | type[Metric], form: str) -> None:
    """Raise `InputError` if *metric* does not take graphs of the format *form*."""
    taken = (metric.format, *metric.also)
    if form not in taken:
        raise InputError(
            f"{metric.name} compares graphs in {' or '.join(taken)}; these are in {form}"
        )


def profile_called(kind: type[Metric], name: str) -> Metric:
    """Return the profile *name* of a metric. Raises `UsageError` if there is none."""
    if name not in kind.profiles:
        there = ", ".join(kind.profiles)
        raise UsageError(f"no profile of {kind.name} is called {name!r}; there are {there}")
    return kind.profiles[name]


def alignment_based(metric: Metric) -> AlignmentMetric:
    """Return *metric* if it maps variables; raise `UsageError` if it does not."""
    if not isinstance(metric, AlignmentMetric):
        there = ", ".join(ALIGNMENT_BASED)
        raise UsageError(f"{metric.name} maps no variables; this takes one of {there}")
    return metric


def metric_labelled(label: str) -> AlignmentMetric:
    """Return the metric that has this label; similarities and synonyms have to be added.

    Raises `UsageError` if none has.
    """
    for kind in ALIGNMENT_BASED.values():
        for known in kind.profiles.values():
            if known.profile == label:
                return known
    try:
        content = json.loads(label)
        kind = ALIGNMENT_BASED[content["metric"]]
        return kind(content["profile"]).with_choices(**content["choices"])
    except (KeyError, ValueError, TypeError, RecursionError):
        raise UsageError(f"no way of counting is labelled {label!r}") from None
