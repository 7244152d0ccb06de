"""Measure how far heuristics, ours or another tool's, miss the optimum, from files to a report."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from exactmatch.errors import InputError, UsageError
from exactmatch.graphs.readers.tool_scores import TOOLS, ToolScores, read_tool_scores
from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import extent_for, mending_policy
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.options import StudyFiles, StudyOptions, TableLength
from exactmatch.scoring.sides import check_known, check_number, several
from exactmatch.solving.search.methods import METHODS, STARTS, Starts
from exactmatch.studies.common.claims import Claims, check_claims, is_one_number
from exactmatch.studies.common.given_systems import given_systems
from exactmatch.studies.common.item_groups import asked_groups
from exactmatch.studies.common.notes import apart
from exactmatch.studies.common.pairs import ScoreCollector
from exactmatch.studies.common.plan import Plan, StudyResult, study_result
from exactmatch.studies.common.sealing import Certified
from exactmatch.studies.search_error.attempts import PAPER_METHODS, PROGRAM, chosen_methods
from exactmatch.studies.search_error.measure import SearchDesign, SearchError
from exactmatch.studies.search_error.measure import search_error as measure_search_error
from exactmatch.studies.search_error.report import search_error_report
from exactmatch.studies.search_error.report_claims import claims_report


@keywords
def search_error(
    systems: Sequence[StrPath] | Mapping[str, StrPath | Sequence[StrPath]],
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
    tables: TableLength,
    files: StudyFiles,
    shared: StudyOptions,
    **choices: str,
) -> StudyResult[SearchError] | StudyResult[Claims]:
    """Measure how far heuristics, or the scores of another tool, stay below the optimum.

    Args:
        systems: the paths of their files; or, by the name of each system, its file or the files of
            its runs, each of which is a system of its own here.
        gold: the path of the gold standard; if None, every two of *systems* are compared.
        methods: the heuristics, such as ``s+4r``, and ``ilp-paper``, the integer linear program of
            the paper. By default (without *restarts*), all heuristics, and with *group_by* that
            program as well.
        restarts: for each number N, a further method: a smart start and N random ones.
        seeds: how often to run each heuristic, with seeds from *seed* on.
        starts: what heuristics map, at the start and later: ``all`` variables of the smaller graph,
            or pairs of ``candidates`` alone, which share a possible match.
        document: the number of consecutive pairs that make one score; None is the whole file.
        group_by: the items of a group make one score. It is ``::`` and the key of the comments that
            name the group, or the path of a file with an identifier, a tab and a group on each
            line.
        scores: a file of scores of *tool* for these pairs, whose claims are checked instead.
        tool: ``smatch``, ``smatchpp``, ``mtool``, ``counter``, or ``other`` for any tool else.

    The other arguments, and the errors, are those of `exactmatch.agreement`.

    Example:
        >>> import exactmatch
        >>> system, gold = "instances/paper/system.amr", "instances/paper/gold.amr"
        >>> exactmatch.search_error([system], gold, methods=["s"], seeds=2)
        <StudyResult Search error: 1 of 1 pair optimal>
    """
    # Complex: heuristics or the claims of a tool, by files, documents or groups.
    given, methods = given_systems(systems), several("methods", methods)
    restarts = several("restarts", restarts)
    _check_numbers(restarts, seeds, tables.rows, document)
    if document is not None and group_by is not None:
        raise UsageError("--document and --group-by cannot be combined")
    plan = Plan.of_call(search_error, locals())
    for method in methods:
        check_known("method", method, [*METHODS, PROGRAM])
    check_known("starts", starts, STARTS)
    _check_tool(scores, tool)
    others = [] if gold is None else [gold]
    _check_files(len(given.files) + len(others), is_one_pair=scores is not None)
    study = plan.read([*given.files, *others], given.labels(*others))
    counted = plan.alignment_metric(study.format)
    study = study.of_extent(extent_for(study.format, [counted]))
    names = [source.name for source in study.sources]
    runs = given.runs(names[: len(given.files)]) if given.are_named else {}
    every_pair = [(n, names[-1]) for n in names[:-1]] if gold else list(combinations(names, 2))
    pairs = every_pair if gold else study.sharing(every_pair)
    usual = PAPER_METHODS if group_by is not None else tuple(METHODS)
    tried = methods or (() if restarts else usual)
    grouping = None if group_by is None else asked_groups(study, group_by)
    groups = None if grouping is None else grouping.groups
    chosen = chosen_methods(tried, restarts) if scores is None else {}
    design = SearchDesign(chosen, seeds, document, groups, tables.rows)
    total = study.pairs_on_all(pairs)
    claimed = None if scores is None or tool is None else _claimed(scores, tool, total)
    with plan.certificates(study, every_pair) as certificates:
        with plan.sweeping("searching", total, keep=certificates.keep) as sweeping:
            settings = replace(plan.settings, starts=starts)
            found = measure_search_error(study, pairs, design, counted, settings, sweeping)
        exact = list(found.scores.values())
        nothing = ScoreCollector(study.names, counted).finish()
        certified = [
            Certified(files, files, counted.name, counted, found.scores.get(files, nothing))
            for files in every_pair
        ]
        against = names[-1] if gold else None
        study_choices = plan.study_choices(study, mending_policy([counted]), against)._replace(
            runs=runs
        )
        pages_written = plan.write_pages(found.study, pairs, counted)
        result: SearchError | Claims = found
        if claimed is None:
            origin = plan.provenance(found.study, counted, *(grouping.read if grouping else ()))
            report = search_error_report(found, origin, tables.rows)
            without = [files for files in every_pair if files not in pairs]
            report = replace(report, notes=[*report.notes, *apart(without)])
        else:
            result = checked = check_claims(claimed, exact[0])
            origin = plan.provenance(found.study, counted, (claimed.path, claimed.digest))
            report = claims_report(checked, pairs[0], origin, tables.rows)
        report = plan.sealed(report, certificates, "search-error", study, certified, study_choices)
    shown = replace(plan.with_solver(report, {counted.name: exact}), pages=pages_written)
    return study_result(result, shown, found.study, exact)  # type: ignore[return-value]


def _check_numbers(restarts: Sequence[int], seeds: int, rows: int, document: int | None) -> None:
    for number in restarts:
        check_number("restarts", number, 0)
    check_number("seeds", seeds, 1)
    check_number("rows", rows, 0)
    if document is not None:
        check_number("document", document, 1)


def _claimed(scores: StrPath, tool: str, pairs: int) -> ToolScores:
    """Read the scores of *tool*, which have to be one for each of so many *pairs*."""
    claimed = read_tool_scores(scores, tool)
    if is_one_number(claimed, pairs):
        raise InputError(
            f"{claimed.path}: one score, but there are {pairs} pairs of graphs; exactmatch explain "
            "--scores compares one number with what mappings reach"
        )
    return claimed


def _check_tool(scores: StrPath | None, tool: str | None) -> None:
    if tool is not None:
        check_known("tool", tool, TOOLS)
    if (scores is None) != (tool is None):
        raise UsageError("--scores needs --from, and --from needs --scores")


def _check_files(number: int, *, is_one_pair: bool) -> None:
    """Raise `UsageError` unless so many files are enough, or are one pair."""
    if number < 2 or (is_one_pair and number != 2):
        raise UsageError("name a system and a gold standard")
