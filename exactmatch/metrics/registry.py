"""The metrics by name, and the profiles of the aligning ones by name and by label."""

from collections.abc import Mapping

from exactmatch.errors import InputError, UsageError
from exactmatch.metrics.anchored import EDM, SDP, UCCA
from exactmatch.metrics.counter import CounterProfile
from exactmatch.metrics.direct import DirectMetric
from exactmatch.metrics.dscorer import PUBLISHED, DScorer
from exactmatch.metrics.mrp import MrpProfile
from exactmatch.metrics.profiles import Profile
from exactmatch.metrics.s2match import S2matchProfile
from exactmatch.metrics.sembleu import PROGRAM, SemBleu
from exactmatch.metrics.smatch import SmatchProfile

#: Name on the command line -> the class of its profiles. The first one for a format is its default.
METRICS: dict[str, type[Profile]] = {
    kind.metric: kind for kind in (SmatchProfile, S2matchProfile, MrpProfile, CounterProfile)
}


#: What a label says of files that are no part of the profile that can be made from it.
_FROM_FILES = ("similarity", "cut-off", "sense-factor", "scale", "synonyms")


#: Metrics that need no mapping: name on the command line -> those parameters that have a name.
DIRECT: dict[str, Mapping[str, DirectMetric]] = {
    "sdp": {"default": SDP},
    "edm": {"default": EDM},
    "ucca": {"default": UCCA},
    "sembleu": {"default": SemBleu(), "program": PROGRAM},
    "dscorer": {"default": DScorer(), "published": PUBLISHED},
}


def direct_metric(name: str, profile: str, form: str) -> DirectMetric:
    """Return a metric that needs no mapping. Raises like `metric_for` and `profile_called`."""
    if profile not in DIRECT[name]:
        there = ", ".join(DIRECT[name])
        raise UsageError(f"no profile of {name} is called {profile!r}; there are {there}")
    metric = DIRECT[name][profile]
    if metric.format != form:
        raise InputError(f"{name} compares graphs in {metric.format}; these are in {form}")
    return metric


def metric_for(form: str, metric: str | None = None) -> type[Profile]:
    """Return the metric called so, or the usual one for graphs of the format *form*.

    Raises `UsageError` for a metric that does not exist, and `InputError` for one that compares
    graphs of another format.
    """
    if metric is None:
        return next(kind for kind in METRICS.values() if kind.format == form)
    if metric not in METRICS:
        raise UsageError(f"no metric is called {metric!r}; there are {', '.join(METRICS)}")
    kind = METRICS[metric]
    if kind.format != form:
        raise InputError(f"{metric} compares graphs in {kind.format}; these are in {form}")
    return kind


def profile_called(kind: type[Profile], name: str) -> Profile:
    """Return the profile *name* of a metric. Raises `UsageError` if there is none."""
    if name not in kind.known:
        there = ", ".join(kind.known)
        raise UsageError(f"no profile of {kind.metric} is called {name!r}; there are {there}")
    return kind.known[name]


def profile_labelled(label: str) -> Profile:
    """Return the profile that has this label; similarities and synonyms have to be added.

    Raises `UsageError` if none has.
    """
    for kind in METRICS.values():
        for profile in kind.known.values():
            if profile.name == label:
                return profile
    try:
        metric, *parts = label.split("|")
        choices = dict(part.split(":") for part in parts)
        name = choices.pop("profile")
        for key in _FROM_FILES:
            choices.pop(key, None)
        return METRICS[metric](name).with_choices(
            **{k.replace("-", "_"): v for k, v in choices.items()}
        )
    except (KeyError, ValueError):
        raise UsageError(f"no profile is labelled {label!r}") from None
