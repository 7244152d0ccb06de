"""Explain why two scores of the same files differ, from files to a report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from exactmatch.errors import UsageError
from exactmatch.graphs.readers.tool_scores import TOOLS, read_tool_scores
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import (
    METRICS,
    alignment_based,
    check_format,
    extent_for,
    profile_called,
)
from exactmatch.scoring.choices import StrPath, chosen_metric
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.options import StudyOptions, TableLength
from exactmatch.scoring.sides import check_known, check_number, several
from exactmatch.studies.common.claims import check_whole, is_one_number
from exactmatch.studies.common.plan import Plan, StudyResult, study_result
from exactmatch.studies.explanation.measure import ExplainedPath, Explanation, explanation
from exactmatch.studies.explanation.report import explanation_report
from exactmatch.studies.explanation.umr_path import path_between


@keywords
def explain(
    system: StrPath,
    gold: StrPath,
    *,
    between: Sequence[str | Metric] | None = None,
    scores: StrPath | None = None,
    tool: str | None = None,
    metric: str | Metric | None = None,
    profile: str = "default",
    tables: TableLength,
    shared: StudyOptions,
    **choices: str,
) -> StudyResult[Explanation]:
    """Explain why two scores of the same graphs differ, to the last triple.

    Args:
        system, gold: the paths of the files.
        between: two profiles of one metric, optionally with choices (``default:top=none``), or two
            `Metric`s. One choice changes at a time, in the order of the signature. For UMR, they
            may be a profile of ``umatch`` and one of ``smatch`` (``umatch:default``).
        scores: a file of scores of *tool* for these pairs. Their difference from the exact score,
            by the second profile or else by *profile*, is search error or reading error. One score
            of all pairs together is compared with what mappings, and other profiles, reach.
        tool: ``smatch``, ``smatchpp``, ``mtool``, ``counter``, or ``other`` for any tool else.
        profile: the profile of the metric if there is no *between*.

    The other arguments, and the errors, are those of `exactmatch.agreement`.

    Example:
        >>> import exactmatch
        >>> system, gold = "instances/paper/system.amr", "instances/paper/gold.amr"
        >>> why = exactmatch.explain(system, gold, between=["default", "default:top=none"])
        >>> [(step.changed.choice, step.change.matched) for step in why.found.steps]
        [('top', -1)]
    """
    check_number("rows", tables.rows, 0)
    between = None if between is None else several("between", between)
    plan = Plan.of_call(explain, locals())
    if tool is not None:
        check_known("tool", tool, TOOLS)
    if (scores is None) != (tool is None):
        raise UsageError("--scores needs --from, and --from needs --scores")
    if between is None and scores is None:
        raise UsageError("name two profiles (--between), or scores of a tool (--scores)")
    claimed = None if scores is None or tool is None else read_tool_scores(scores, tool)
    study = plan.read([system, gold])
    usual = plan.alignment_metric(study.format)
    ends: Sequence[Metric] = [usual]
    if between is not None:
        ends = _ends(between, usual, study.format, profile, choices)
    for end in ends:
        check_format(end, study.format)
    last = alignment_based(ends[-1])
    changes = path_between(ends[0], last)
    study = study.of_extent(extent_for(study.format, [ends[0]]))
    names = [profile] if between is None else [_name(end) for end in between]
    path = ExplainedPath(names, ends[0], changes)
    total = study.pairs_on_all([(study.sources[0].name, study.sources[1].name)])
    profiles = {}
    if claimed is not None:
        check_whole(last)
        if is_one_number(claimed, total):
            profiles = _other_profiles(last, study.format)
            total *= 2
    with plan.sweeping("scoring", total) as sweeping:
        explained = explanation(study, path, plan.settings, sweeping, claimed, profiles)
    others = [] if claimed is None else [(claimed.path, claimed.digest)]
    origin = plan.provenance(explained.study, last, *others)
    document = explanation_report(explained, origin, tables.rows)
    return study_result(explained, document, explained.study, explained.scores)


def _other_profiles(metric: AlignmentMetric, form: str) -> dict[str, AlignmentMetric]:
    """Return, by name, the other profiles of a metric that compare the same items."""
    others = {
        name: alignment_based(_profile(name, metric, form, {}))
        for name, known in metric.profiles.items()
        if known.profile != metric.profile
    }
    return {
        name: other
        for name, other in others.items()
        if (other.extent, other.scale) == (metric.extent, 1)
    }


def _ends(
    between: Sequence[str | Metric],
    usual: AlignmentMetric,
    form: str,
    profile: str,
    choices: Mapping[str, str],
) -> list[Metric]:
    if len(between) != 2:
        raise UsageError(f"between takes two profiles, not {len(between)}")
    if profile != "default":
        raise UsageError("--between names both profiles; leave out --profile")
    return [
        end if isinstance(end, Metric) else _profile(end, usual, form, choices) for end in between
    ]


def _profile(text: str, usual: AlignmentMetric, form: str, choices: Mapping[str, str]) -> Metric:
    """Return the named profile, optionally with choices, of the metric *usual*.

    The profile takes the words of *usual*. A profile of another metric is given with the name of
    the metric. Raises `UsageError` for unknown names.
    """
    first, *parts = (part.strip() for part in text.split(":"))
    kind: type[Metric] = type(usual)
    if first in METRICS:
        kind = METRICS[first]
        first, *parts = parts if parts and "=" not in parts[0] else ["default", *parts]
    known = profile_called(kind, first)
    own = dict(choices) if kind is type(usual) else {}
    for part in parts:
        choice, is_choice, value = part.partition("=")
        if not is_choice:
            raise UsageError(f"{text}: {part} is no choice (such as top=none)")
        own[choice.replace("-", "_")] = value
    chosen = known
    if isinstance(known, type(usual)):
        counted = {choice: getattr(known, choice) for choice in known.choices()}
        chosen = replace(usual, profile=known.profile, **counted)
    return chosen_metric(form, chosen, "default", own)


def _name(end: str | Metric) -> str:
    return end.profile if isinstance(end, Metric) else end
