"""How far heuristics, ours or another tool's, miss the optimum, from files to a report."""

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import overload

from exactmatch.errors import UsageError
from exactmatch.graphs.items import Missing, Study
from exactmatch.graphs.pairing import PairBy
from exactmatch.graphs.readers.group_file import read_groups
from exactmatch.graphs.readers.tool_scores import TOOLS, read_tool_scores
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import extent_for
from exactmatch.runtime.progress import Progress, unwatched
from exactmatch.runtime.workers import ClusterAddress, Workers
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.sides import check_known, check_number, check_several, sharing
from exactmatch.solving.search.methods import METHODS, STARTS, Starts
from exactmatch.studies.common.claims import Claims, check_claims
from exactmatch.studies.common.plan import Plan, StudyOnError, StudyResult, as_written, study_result
from exactmatch.studies.search_error.attempts import PAPER_METHODS, PROGRAM, chosen_methods
from exactmatch.studies.search_error.item_groups import Groups, groups_by_key, groups_of_file
from exactmatch.studies.search_error.measure import SearchError
from exactmatch.studies.search_error.measure import search_error as measure_search_error
from exactmatch.studies.search_error.report import search_error_report
from exactmatch.studies.search_error.report_claims import claims_report


@overload
def search_error(
    systems: Sequence[StrPath],
    gold: StrPath | None = ...,
    *,
    methods: Sequence[str] = ...,
    restarts: Sequence[int] = ...,
    seeds: int = ...,
    starts: Starts = ...,
    document: int | None = ...,
    group_by: StrPath | None = ...,
    scores: None = ...,
    tool: None = ...,
    metric: str | Metric | None = ...,
    profile: str = ...,
    rows: int = ...,
    certificates: StrPath | None = ...,
    pages: StrPath | None = ...,
    timeout: float | None = ...,
    memory: int | None = ...,
    seed: int = ...,
    workers: Workers = ...,
    cluster: ClusterAddress | None = ...,
    pair_by: PairBy | None = ...,
    missing: Missing = ...,
    on_error: StudyOnError = ...,
    progress: Progress = ...,
    command: str | None = ...,
    **choices: str,
) -> StudyResult[SearchError]: ...


@overload
def search_error(
    systems: Sequence[StrPath],
    gold: StrPath | None = ...,
    *,
    methods: Sequence[str] = ...,
    restarts: Sequence[int] = ...,
    seeds: int = ...,
    starts: Starts = ...,
    document: int | None = ...,
    group_by: StrPath | None = ...,
    scores: StrPath,
    tool: str,
    metric: str | Metric | None = ...,
    profile: str = ...,
    rows: int = ...,
    certificates: StrPath | None = ...,
    pages: StrPath | None = ...,
    timeout: float | None = ...,
    memory: int | None = ...,
    seed: int = ...,
    workers: Workers = ...,
    cluster: ClusterAddress | None = ...,
    pair_by: PairBy | None = ...,
    missing: Missing = ...,
    on_error: StudyOnError = ...,
    progress: Progress = ...,
    command: str | None = ...,
    **choices: str,
) -> StudyResult[Claims]: ...


def search_error(
    systems: Sequence[StrPath],
    gold: StrPath | None = None,
    *,
    methods: Sequence[str] = (),
    restarts: Sequence[int] = (),
    seeds: int = 5,
    starts: Starts = "all",
    document: int | None = None,
    group_by: StrPath | None = None,
    scores: StrPath | None = None,
    tool: str | None = None,
    metric: str | Metric | None = None,
    profile: str = "default",
    rows: int = 15,
    certificates: StrPath | None = None,
    pages: StrPath | None = None,
    timeout: float | None = 60.0,
    memory: int | None = None,
    seed: int = 0,
    workers: Workers = 1,
    cluster: ClusterAddress | None = None,
    pair_by: PairBy | None = None,
    missing: Missing = "pairwise",
    on_error: StudyOnError = "stop",
    progress: Progress = unwatched,
    command: str | None = None,
    **choices: str,
) -> StudyResult[SearchError] | StudyResult[Claims]:
    """Measure how far heuristics, or the scores of another tool, stay below the optimum.

    Args:
        systems: the paths of their files.
        gold: the path of the gold standard; if None, every two of *systems* are compared.
        methods: the heuristics, such as ``s+4r``, and ``ilp-paper``, the integer linear program of
            the paper; if neither they nor *restarts* are given, all heuristics, and with *group_by*
            that program as well.
        restarts: for each number, another method: a smart start and so many random ones.
        seeds: so often each method is run, from *seed* on.
        starts: what heuristics map, to begin with and all the time: ``all`` variables of the
            smaller graph, or pairs of ``candidates`` alone, of which some triples may match.
        document: so many consecutive pairs make one score; None is the whole file.
        group_by: the items of a group make one score: ``::`` and the key of the comments that
            name the group, or the path of a file of lines of an identifier, a tab and a group.
        scores: a file of scores of *tool* for these pairs, whose claims are checked instead.
        tool: ``smatch``, ``smatchpp``, ``mtool`` or ``counter``.

    The other arguments, and what is raised, are those of `exactmatch.agreement`.
    """
    for what, several in (("systems", systems), ("methods", methods), ("restarts", restarts)):
        check_several(what, several)
    for number in restarts:
        check_number("restarts", number, 0)
    check_number("seeds", seeds, 1)
    check_number("rows", rows, 0)
    if document is not None:
        check_number("document", document, 1)
    if document is not None and group_by is not None:
        raise UsageError("--document and --group-by exclude each other")
    workers = sharing(workers, cluster)
    plan = Plan(
        command=command or as_written(search_error, locals()),
        metric=metric,
        profile=profile,
        choices=choices,
        certificates=certificates,
        timeout=timeout,
        memory=memory,
        seed=seed,
        workers=workers,
        pair_by=pair_by,
        missing=missing,
        on_error=on_error,
        progress=progress,
        pages=pages,
    )
    for method in methods:
        check_known("method", method, [*METHODS, PROGRAM])
    check_known("starts", starts, STARTS)
    if tool is not None:
        check_known("tool", tool, TOOLS)
    if (scores is None) != (tool is None):
        raise UsageError("--scores and --from go together")
    files = [*systems, *([] if gold is None else [gold])]
    if len(files) < 2 or (scores is not None and len(files) != 2):
        raise UsageError("name a system and a gold standard")
    study = plan.read(files)
    counted = plan.alignment_metric(study.format)
    study = study.of_extent(extent_for(study.format, [counted]))
    names = [source.name for source in study.sources]
    pairs = [(n, names[-1]) for n in names[:-1]] if gold else list(combinations(names, 2))
    usual = PAPER_METHODS if group_by is not None else tuple(METHODS)
    tried = methods or (() if restarts else usual)
    groups, grouping = _groups(study, group_by)
    total = study.pairs_on_all(pairs)
    with plan.keeping(pairs) as keep, progress("searching", total, "pairs") as advance:
        found = measure_search_error(
            study,
            pairs,
            chosen_methods(tried, restarts) if scores is None else {},
            counted,
            replace(plan.settings, starts=starts),
            seeds=seeds,
            document=document,
            groups=groups,
            worst=rows,
            workers=workers,
            advance=advance,
            keep=keep,
        )
    exact = list(found.scores.values())
    pages_written = plan.write_pages(found.study, pairs, counted)
    if scores is None or tool is None:
        origin = plan.provenance(found.study, counted, *grouping)
        shown = replace(search_error_report(found, origin, rows), pages=pages_written)
        return study_result(found, shown, found.study, exact)
    claimed = read_tool_scores(scores, tool)
    checked = check_claims(claimed, exact[0])
    origin = plan.provenance(found.study, counted, (claimed.path, claimed.digest))
    shown = replace(claims_report(checked, pairs[0], origin, rows), pages=pages_written)
    return study_result(checked, shown, found.study, exact)


def _groups(
    study: Study, group_by: StrPath | None
) -> tuple[Groups | None, Sequence[tuple[str, str]]]:
    """Return the groups that are asked for, and path and digest of the file that says them."""
    if group_by is None:
        return None, []
    text = os.fspath(group_by)
    if text.startswith("::"):
        return groups_by_key(study, text.removeprefix("::")), []
    file = read_groups(text)
    return groups_of_file(study, file), [(file.path, file.digest)]
