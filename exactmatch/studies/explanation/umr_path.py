"""The path from juːmæʧ to Smatch, or to exact umatch: the cost of juːmæʧ's way of comparing UMR.

juːmæʧ maps nodes by rules, and only to nodes that share a token, or are aligned with none and have
the same concept; it compares roles as written. So the first step replaces its mapping by the best
one that its links allow: the gain is the search error of juːmæʧ. Then Smatch counts the same
triples, and a node without tokens may be mapped to any such node, whatever its concept. Then any
node may be mapped to any: the loss came from the restriction. Then inverse roles are turned around,
and all other choices of Smatch's profile change one by one.
"""

from dataclasses import replace

from exactmatch.errors import UsageError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.juumaetsh import JuumaetshMetric
from exactmatch.metrics.registry import alignment_based
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.umatch import Umatch
from exactmatch.studies.explanation.profile_path import ChoiceChange, metrics_on, profile_path

#: The choices of Smatch that count the same triples as umatch without the document level.
_AS_UMATCH = Smatch(
    duplicates="multiset",
    inverse="as-written",
    mod="separate",
    case="keep",
    anchors="tokens",
)

#: The choices that change first: the candidates of a node, then the equality of edges.
_FIRST = ("anchors", "inverse")


def path_between(first: Metric, second: AlignmentMetric) -> list[ChoiceChange]:
    """Return the path from *first* to *second*, one step at a time.

    They are profiles of one metric, or *first* is juːmæʧ or umatch over UMR, and *second* Smatch.
    Raises `UsageError` for others, and if they compare different units of a file.
    """
    path = _path(first, second)
    extents = {metric.extent for metric in metrics_on(first, path)}
    if len(extents) > 1:
        raise UsageError(
            f"one profile compares a {first.extent} of UMR at once, the other a {second.extent}; "
            "make both compare sentences, with choices such as "
            "umatch:umrtools-2026:scope=document:document-level=ignore"
        )
    return path


def _path(first: Metric, second: AlignmentMetric) -> list[ChoiceChange]:
    if isinstance(first, JuumaetshMetric):
        exact = replace(
            Umatch("custom", first.top, first.document_level),
            only=first.only,
            excluding=first.excluding,
        )
        return [ChoiceChange("search", "by rules", "exact", exact), *_path(exact, second)]
    if isinstance(first, Umatch) and isinstance(second, Smatch):
        alike = _smatch_like(first)
        step = ChoiceChange("metric", first.name, alike.name, alike)
        return [step, *profile_path(alike, second, _FIRST)]
    return profile_path(alignment_based(first), second)


def _smatch_like(metric: Umatch) -> Smatch:
    """Return Smatch with the choices of umatch. Raises `UsageError` if it has no such choices."""
    if metric.only or metric.excluding:
        raise UsageError(
            "smatch counts all roles; explain a difference from umatch without --only and --except"
        )
    return replace(
        _AS_UMATCH,
        top="constant" if metric.top == "attribute" else "none",
        document_level=metric.document_level,
        credits=metric.credits,
    )
