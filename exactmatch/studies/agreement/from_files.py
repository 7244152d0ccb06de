"""Inter-annotator agreement, from files to a report."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from exactmatch.metrics.base import Metric
from exactmatch.metrics.registry import extent_for, mending_policy
from exactmatch.report.formats import as_csv
from exactmatch.runtime.output import CERTIFICATES, check_apart, check_outputs, write_text
from exactmatch.scoring.choices import StrPath
from exactmatch.scoring.declaration import keywords
from exactmatch.scoring.options import (
    Chance,
    Intervals,
    ItemsForThird,
    Planning,
    StudyFiles,
    StudyOptions,
    TableLength,
    pairs_by_chance,
)
from exactmatch.scoring.sides import check_number, several
from exactmatch.studies.agreement.by_group import group_means, group_parts, group_scores
from exactmatch.studies.agreement.chance import chance_agreement
from exactmatch.studies.agreement.every_pair import Solving
from exactmatch.studies.agreement.measure import (
    Agreement,
    agreement_of,
    compare_annotators,
    compared_pairs,
)
from exactmatch.studies.agreement.planning import plan_agreement
from exactmatch.studies.agreement.report import agreement_report
from exactmatch.studies.agreement.report_items import items_table
from exactmatch.studies.agreement.report_plan import with_agreement_plan
from exactmatch.studies.agreement.third_annotator import for_third_annotator
from exactmatch.studies.common.item_groups import asked_groups
from exactmatch.studies.common.item_numbers import check_width
from exactmatch.studies.common.pairs import ScoreCollector
from exactmatch.studies.common.plan import Plan, StudyResult, grouped_by, study_result
from exactmatch.studies.common.sealing import Certified
from exactmatch.studies.common.statistics import Resampling, showing_resampling


@keywords
def agreement(
    annotators: Sequence[StrPath],
    consensus: StrPath | None = None,
    *,
    group_by: StrPath | None = None,
    metric: str | Metric | None = None,
    profile: str = "default",
    intervals: Intervals,
    correction: Chance,
    planning: Planning,
    tables: TableLength,
    third: ItemsForThird,
    files: StudyFiles,
    shared: StudyOptions,
    **choices: str,
) -> StudyResult[Agreement]:
    """Compare every two annotators, and each with the version that all agreed upon.

    Args:
        annotators: the paths of their files.
        consensus: the path of the agreed version, if there is one.
        group_by: report the agreement on each group of items as well. It is ``::`` and the key of
            the comments that name the group, or the path of a file with an identifier, a tab and a
            group on each line.
        metric: the name of an alignment-based metric, or such a `Metric`; None is the usual one for
            the format of the files.
        profile: a named set of choices of the metric.
        {options}
        **choices: single choices of the metric, such as ``top="none"``.

    Raises:
        InputError: for files and graphs that cannot be used, or if no two files have an item in
            common. (Two that have none are left out, with a note.)
        UsageError: for fewer than two files, and for unknown options.
        VerificationError: if two computations disagree, or two equal graphs do not score 1.
        WorkerError: if a worker process has died.

    Example:
        >>> import exactmatch
        >>> files = ["instances/paper/system.amr", "instances/paper/gold.amr"]
        >>> exactmatch.agreement(files, resamples=99)
        <StudyResult Inter-annotator agreement: 1 of 1 pair optimal>
    """
    # Complex: the parts of the report that are asked for, each made of what is measured.
    annotators = several("annotators", annotators)
    check_number("rows", tables.rows, 0)
    if planning.plan is not None:
        check_width(planning.plan)
    listed = _path_of_items(
        third, files, [*annotators, *([] if consensus is None else [consensus])]
    )
    plan = Plan.of_call(agreement, locals())
    expected = pairs_by_chance(correction.chance)
    resampling = Resampling(intervals.resamples, intervals.confidence, shared.seed)
    study = plan.read([*annotators, *([] if consensus is None else [consensus])])
    counted = plan.alignment_metric(study.format)
    study = study.of_extent(extent_for(study.format, [counted]))
    grouping = None if group_by is None else asked_groups(study, group_by)
    groups = None if grouping is None else grouping.groups
    agreed = None if consensus is None else study.sources[-1].name
    pairs = compared_pairs([s.name for s in study.sources if s.name != agreed], agreed)
    total = study.pairs_on_all(study.sharing(pairs))
    with plan.certificates(study, pairs) as certificates:
        with plan.sweeping("comparing", total, keep=certificates.keep) as sweeping:
            compared = compare_annotators(
                study,
                counted,
                plan.settings,
                sweeping,
                consensus=agreed,
                disputed=tables.rows if listed is None else max(tables.rows, study.items),
            )
        with showing_resampling(shared.progress):
            found = agreement_of(compared, resampling)
        solving = Solving(plan.settings, plan.workers, shared.progress)
        corrected = chance_agreement(
            found.study, found.among_scores, counted, expected, resampling, solving, groups
        )
        disputed = found.disputed
        found = replace(found, chance=corrected, disputed=disputed[: tables.rows])
        if groups is not None:
            with showing_resampling(shared.progress):
                found = replace(
                    found,
                    group_means=group_means(groups, found.among_scores, resampling),
                    group_scores=group_scores(groups, found.consensus_scores, resampling),
                )
        origin = plan.provenance(study, counted, *(grouping.read if grouping else ()))
        document = agreement_report(found, origin, tables.rows)
        scores = {files: compared.score for files, compared in found.compared.items()}
        nothing = ScoreCollector(study.names, counted).finish()
        certified = [
            Certified(
                files,
                files,
                counted.name,
                counted,
                score,
                {} if groups is None else group_parts(groups, score),
            )
            for files in pairs
            for score in [scores.get(files, nothing)]
        ]
        study_choices = plan.study_choices(study, mending_policy([counted]), agreed)._replace(
            resampling=resampling, chance=expected, group_by=grouped_by(grouping)
        )
        document = plan.sealed(document, certificates, "agreement", study, certified, study_choices)
    if planning.plan is not None:
        with showing_resampling(shared.progress):
            planned = plan_agreement(found, planning.plan)
        document = with_agreement_plan(document, found, planned)
    if listed is not None:
        ordered = items_table(for_third_annotator(disputed))
        write_text(listed, f"{as_csv(replace(document, tables=[ordered]))}\n")
    pages = plan.write_pages(found.study, [*scores], counted, by_names=True)
    shown = replace(plan.with_solver(document, {counted.name: [*scores.values()]}), pages=pages)
    return study_result(found, shown, found.study, [*scores.values()])


def _path_of_items(
    third: ItemsForThird, files: StudyFiles, inputs: Sequence[StrPath]
) -> Path | None:
    """Return the path for the items of a third annotator, which is no other file's."""
    if third.items is None:
        return None
    path = Path(third.items)
    certificates = None if files.certificates is None else Path(files.certificates)
    check_outputs([str(one) for one in inputs], path, certificates)
    if certificates is not None:
        check_apart(certificates, path, holds=CERTIFICATES)
    return path
