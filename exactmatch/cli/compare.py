"""``exactmatch compare``: systems ranked against one gold standard."""

import click

from exactmatch.cli.progress import progress
from exactmatch.cli.reports import StudyRequest, resampling_options, study_command


@click.command()
@click.argument("systems", nargs=-1, required=True, type=click.Path())
@click.option("--gold", required=True, type=click.Path(), metavar="FILE", help="Gold standard.")
@resampling_options
@study_command
def compare(
    request: StudyRequest, systems: tuple[str, ...], gold: str, resamples: int, confidence: float
) -> None:
    """Rank SYSTEMS, a file of graphs each, by their score against the gold standard.

    With confidence intervals over items, and with the significance of every difference by paired
    approximate randomisation; nothing is solved twice for it.
    """
    from exactmatch.report.ranking import ranking_report
    from exactmatch.studies.ranking import rank
    from exactmatch.studies.statistics import Resampling

    resampling = Resampling(resamples, confidence, request.seed)
    study = request.read([*systems, gold])
    metric = request.counting.alignment_metric(study.format)
    standard = study.sources[-1].name
    pairs = [(source.name, standard) for source in study.sources[:-1]]
    total = study.pairs_on_all(pairs)
    with request.keeping(pairs) as keep, progress("scoring", total, "pairs") as advance:
        result = rank(
            study,
            standard,
            metric,
            request.settings(),
            resampling,
            workers=request.workers,
            advance=advance,
            keep=keep,
        )
    report = ranking_report(result, request.provenance(study, metric))
    request.answer(report, result.study, list(result.scores.values()))
