"""The metrics by name, with their profiles and labels."""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import TypeVar

from exactmatch.errors import InputError, UsageError, near_names
from exactmatch.graphs.graph import (
    ALL_ERRORS,
    CAMR,
    CLAUSES,
    MRP,
    PENMAN,
    SBN,
    UMR,
    Extent,
    IllFormedPolicy,
)
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric

_Kind = TypeVar("_Kind", bound=type[Metric])


class _Kinds(Mapping[str, _Kind]):
    """A read-only mapping from the name of a metric to its class, a subclass of `Metric`.

    A class is imported on first use. Its ``profiles`` are instances by name, and ``choices()`` has
    the values of each choice: ``METRICS["smatch"].profiles["default"].duplicates``.
    """

    def __init__(self, classes: Mapping[str, str]) -> None:
        """*classes* are their classes by their names, as ``module.Class`` of this package."""
        self._classes = classes

    def __getitem__(self, name: str) -> _Kind:
        module, _, called = self._classes[name].partition(".")
        kind: _Kind = getattr(import_module(f"exactmatch.metrics.{module}"), called)
        return kind

    def __iter__(self) -> Iterator[str]:
        return iter(self._classes)

    def __contains__(self, name: object) -> bool:
        return name in self._classes

    def __len__(self) -> int:
        return len(self._classes)


_MAPPING_VARIABLES = {
    "smatch": "smatch.Smatch",
    "s2match": "s2match.S2match",
    "mrp": "mrp.Mrp",
    "counter": "counter.CounterMetric",
    "umatch": "umatch.Umatch",
    "align-smatch": "align_smatch.AlignSmatch",
}
_OTHERS = {
    "sdp": "sdp.Sdp",
    "edm": "edm.Edm",
    "ucca": "ucca.Ucca",
    "predications": "predications.Predications",
    "sembleu": "sembleu.SemBleu",
    "dscorer": "dscorer.DScorer",
    "rematch": "rematch.Rematch",
    "ancast": "ancast.AnCast",
}

#: The alignment-based metrics.
ALIGNMENT_BASED: Mapping[str, type[AlignmentMetric]] = _Kinds(_MAPPING_VARIABLES)

#: The metrics by their names on the command line.
METRICS: Mapping[str, type[Metric]] = _Kinds({**_MAPPING_VARIABLES, **_OTHERS})

#: The usual metric for graphs of each format.
_USUAL = {
    PENMAN: "smatch",
    MRP: "mrp",
    CLAUSES: "counter",
    UMR: "smatch",
    SBN: "smatch",
    CAMR: "smatch",
}


def metric_for(form: str, name: str | None = None) -> type[Metric]:
    """Return the named metric, or the usual one for graphs of the format *form*.

    Raises `UsageError` for an unknown metric, and `InputError` for one that compares graphs of
    another format.
    """
    if name is None:
        return METRICS[_USUAL[form]]
    kind = metric_called(name)
    check_format(kind, form)
    return kind


def metric_called(name: str) -> type[Metric]:
    """Return the named metric. Raises `UsageError` if there is none."""
    if not isinstance(name, str) or name not in METRICS:
        said = f"no metric is called {name!r}; the metrics are {', '.join(METRICS)}."
        raise UsageError(f"{said}{near_names(str(name), METRICS)}".removesuffix("."))
    return METRICS[name]


def check_format(metric: Metric | type[Metric], form: str) -> None:
    """Raise `InputError` if *metric* does not take graphs of the format *form*."""
    taken = (metric.format, *metric.also)
    if form not in taken:
        others = [name for name, kind in METRICS.items() if form in (kind.format, *kind.also)]
        raise InputError(
            f"{metric.name} compares graphs in {' or '.join(taken)}; these are in {form}: use "
            f"{', '.join(others)}"
        )


def extent_for(form: str, metrics: Sequence[Metric]) -> Extent:
    """Return the part of a file of the format *form* that *metrics* compare at once.

    Raises `UsageError` if it differs between them.
    """
    if form != UMR or not metrics:
        return "sentence"
    first, *others = metrics
    for other in others:
        if other.extent != first.extent:
            raise UsageError(
                f"{first.name} compares a {first.extent} as a whole, but {other.name} a "
                f"{other.extent}; use one metric at a time, or compare sentences by both "
                "(umatch:document-level=ignore)"
            )
    return first.extent


def ill_formed_policy(metrics: Sequence[Metric]) -> IllFormedPolicy:
    """Return the policy for ill-formed graphs, which is the same for all *metrics* that have one.

    Graphs are mended only if all metrics do so in the same way; otherwise they stay errors.
    """
    if not metrics:
        return ALL_ERRORS
    policies = [metric.ill_formed_policy for metric in metrics]
    alike = len({policy.mending for policy in policies}) == 1
    return policies[0] if alike else policies[0]._replace(mending="none")


def mending_policy(metrics: Sequence[Metric]) -> IllFormedPolicy:
    """Return the policy that mends graphs as *metrics* do, and refuses all other faults."""
    return ALL_ERRORS._replace(mending=ill_formed_policy(metrics).mending)


def check_ill_formed(form: str, metrics: Sequence[Metric]) -> None:
    """Raise `UsageError` unless *metrics* treat ill-formed graphs alike, if *form* has any.

    The pairs of a run are the same for all of its metrics.
    """
    policies = [metric.ill_formed_policy for metric in metrics]
    if form == SBN and len({policy.treatments for policy in policies}) > 1:
        raise UsageError(
            "the metrics differ in how they treat ill-formed graphs (ill-formed, "
            "gold-ill-formed); use one metric at a time"
        )
    check_mending(form, metrics)


def check_mending(form: str, metrics: Sequence[Metric]) -> None:
    """Raise `UsageError` unless *metrics* replace ill-formed DRSs alike, if *form* has any.

    Otherwise the scores by one metric would depend on the others. Beside metrics that refuse
    ill-formed DRSs, those that read them refuse them, too.
    """
    mendings = {metric.ill_formed_policy.mending for metric in metrics}
    if form == CLAUSES and len(mendings) > 1 and not mendings <= {"none", "as-counter"}:
        raise UsageError(
            "the metrics differ in how they replace ill-formed DRSs (ill-formed); use one metric "
            "at a time"
        )


def check_sentences(metric: Metric, form: str) -> None:
    """Raise `UsageError` if *metric* compares larger units of the format *form* than sentences."""
    extent = extent_for(form, [metric])
    if extent != "sentence":
        raise UsageError(
            f"this {metric.name} compares a {extent} as a whole; here, only sentences are compared "
            f"({metric.name} with document-level ignore does that)"
        )


def profile_called(kind: type[Metric], name: str) -> Metric:
    """Return the profile *name* of a metric. Raises `UsageError` if there is none."""
    if name not in kind.profiles:
        there = ", ".join(kind.profiles)
        said = f"no profile of {kind.name} is called {name!r}; the profiles are {there}."
        owners = [other for other, kind in METRICS.items() if name in kind.profiles]
        owned = f" {' and '.join(owners)} has a profile of that name." if owners else ""
        raise UsageError(f"{said}{owned or near_names(str(name), kind.profiles)}".removesuffix("."))
    return kind.profiles[name]


def alignment_based(metric: Metric) -> AlignmentMetric:
    """Return *metric* if it is alignment-based; otherwise raise `UsageError`."""
    if not isinstance(metric, AlignmentMetric):
        there = ", ".join(ALIGNMENT_BASED)
        by_rules = metric.name in ALIGNMENT_BASED
        reason = "maps by rules in this profile" if by_rules else "maps no variables"
        raise UsageError(f"{metric.name} {reason}; use one of {there}")
    return metric


def metric_labelled(label: str) -> AlignmentMetric:
    """Return the metric with this label; similarities and synonyms have to be added.

    Raises `UsageError` if none has.
    """
    import json

    label = without_range(label)
    for kind in ALIGNMENT_BASED.values():
        for known in (*kind.profiles.values(), *kind.former):
            if isinstance(known, AlignmentMetric) and known.profile == label:
                return known
    try:
        content = json.loads(label)
        kind = ALIGNMENT_BASED[content["metric"]]
        return kind(content["profile"]).with_choices(**content["choices"])
    except (KeyError, ValueError, TypeError, RecursionError):
        raise UsageError(f"no metric has the label {label!r}") from None


def files_labelled(label: str) -> Sequence[str]:
    """Return the kinds of files that the metric with this label takes, such as ``credits``."""
    import json

    try:
        return [*json.loads(without_range(label))["files"]]
    except (KeyError, ValueError, TypeError, RecursionError):
        return []


def without_range(label: str) -> str:
    """Return the label of the metric without the end of a range, if it has one."""
    import json

    try:
        content = json.loads(label)
    except (ValueError, RecursionError):
        return label
    return str(content["of"]) if isinstance(content, dict) and "of" in content else label
