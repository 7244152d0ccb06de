"""From juːmæʧ to Smatch, or to exact umatch: what it costs UMR to be compared as juːmæʧ does it.

juːmæʧ maps nodes by rules, and only to nodes that share a token, or are aligned with none and have
the same concept; it compares roles as written. So its mapping is first replaced by the best one of
all that its links allow: what that brings is its search error. Then Smatch counts the same triples,
and a node that is aligned with none may be mapped to any such, whatever its concept. Then any node
may be mapped to any: that was the restriction. Then inverse roles are turned round, and whatever
else the profile of Smatch takes otherwise is changed, choice by choice.
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

#: How Smatch counts the same triples as umatch without the document level.
_AS_UMATCH = Smatch(
    duplicates="multiset",
    inverse="as-written",
    mod="separate",
    case="keep",
    anchors="tokens",
)

#: What is changed first: what a node may be mapped to, then what edges are the same.
_FIRST = ("anchors", "inverse")


def path_between(first: Metric, second: AlignmentMetric) -> list[ChoiceChange]:
    """Return what takes *first* to *second*, one step at a time.

    They are of one metric, or *first* is juːmæʧ or umatch over UMR, and *second* Smatch. Raises
    `UsageError` for others, and where they do not compare as much of a file at once.
    """
    path = _path(first, second)
    extents = {metric.extent for metric in metrics_on(first, path)}
    if len(extents) > 1:
        raise UsageError(
            f"one end compares a {first.extent} of UMR at once, the other a {second.extent}: take "
            "choices that make both compare sentences, such as "
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
    """Return Smatch with the choices of umatch. Raises `UsageError` if it has no such."""
    if metric.only or metric.excluding:
        raise UsageError("smatch counts all roles: a difference from umatch is explained for all")
    return replace(
        _AS_UMATCH,
        top="constant" if metric.top == "attribute" else "none",
        document_level=metric.document_level,
    )
