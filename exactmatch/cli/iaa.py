"""``exactmatch iaa``: inter-annotator agreement."""

import click

from exactmatch.cli.progress import progress
from exactmatch.cli.reports import StudyRequest, resampling_options, study_command


@click.command()
@click.argument("annotators", nargs=-1, required=True, type=click.Path())
@click.option(
    "--consensus", type=click.Path(), metavar="FILE", help="The version that all agreed upon."
)
@resampling_options
@study_command
def iaa(
    request: StudyRequest,
    annotators: tuple[str, ...],
    consensus: str | None,
    resamples: int,
    confidence: float,
) -> None:
    """Measure the agreement of ANNOTATORS, a file of graphs each.

    Every two files are compared, and each with the consensus: F1 with its interval where not all
    is proven and with a confidence interval over items, micro and macro; what differs under the
    best mappings; and the items on which people disagree most. Items that a file lacks are
    listed, counted, and lead to exit status 1.
    """
    from exactmatch.report.agreement import agreement_report
    from exactmatch.studies.agreement import agreement, compared_pairs
    from exactmatch.studies.statistics import Resampling

    resampling = Resampling(resamples, confidence, request.seed)
    study = request.read([*annotators, *([] if consensus is None else [consensus])])
    metric = request.counting.alignment_metric(study.format)
    agreed = None if consensus is None else study.sources[-1].name
    pairs = compared_pairs([s.name for s in study.sources if s.name != agreed], agreed)
    total = study.pairs_on_all(pairs)
    with request.keeping(pairs) as keep, progress("comparing", total, "pairs") as advance:
        result = agreement(
            study,
            metric,
            request.settings(),
            resampling,
            consensus=agreed,
            disputed=request.shown,
            workers=request.workers,
            advance=advance,
            keep=keep,
        )
    report = agreement_report(result, request.provenance(study, metric), request.shown)
    scores = [compared.score for compared in result.compared.values()]
    request.answer(report, result.study, scores)
