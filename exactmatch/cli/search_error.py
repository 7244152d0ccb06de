"""``exactmatch search-error``: how far heuristics, ours or another tool's, miss the optimum."""

from itertools import combinations
from typing import TYPE_CHECKING

import click

from exactmatch.cli.progress import progress
from exactmatch.cli.reports import StudyRequest, study_command
from exactmatch.errors import UsageError
from exactmatch.readers.tool_scores import TOOLS
from exactmatch.search.methods import METHODS

if TYPE_CHECKING:
    from exactmatch.metrics.alignment_based import AlignmentMetric
    from exactmatch.report.document import Report
    from exactmatch.studies.search_error import SearchError


@click.command("search-error")
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option(
    "--every-two",
    is_flag=True,
    help="Compare every two FILES, as in an agreement study, instead of each with the last.",
)
@click.option(
    "--method",
    "methods",
    multiple=True,
    type=click.Choice(list(METHODS)),
    help="A heuristic of Cai and Knight (2013); may be repeated.  [default: all]",
)
@click.option(
    "--restarts",
    multiple=True,
    type=click.IntRange(min=0),
    metavar="N",
    help="One smart start and N random ones, as another method; may be repeated.",
)
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="So often each method is run, from --seed on.",
)
@click.option(
    "--document",
    type=click.IntRange(min=1),
    metavar="K",
    help="Take K consecutive pairs for one score, as the paper does, instead of the whole file.",
)
@click.option(
    "--scores",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="Compare the scores that another tool has written to FILE, instead of our heuristics.",
)
@click.option("--from", "tool", type=click.Choice(TOOLS), help="The tool that wrote --scores.")
@study_command
def search_error(
    request: StudyRequest,
    files: tuple[str, ...],
    every_two: bool,
    methods: tuple[str, ...],
    restarts: tuple[int, ...],
    seeds: int,
    document: int | None,
    scores: str | None,
    tool: str | None,
) -> None:
    """Measure how far hill climbing stays below the optimum.

    FILES are systems and, last, the gold standard. Every pair is solved, and searched by each
    method from several seeds. With --scores, what another tool claims for these pairs is compared
    instead: too low, equal, or impossible, that is, above what any mapping can score.

    \b
    Understood are, for --scores,
      smatch      what smatch.py --ms prints
      mtool       what mtool --trace prints
      any tool    JSON: {"pairs": [{"id": ..., "matched": ..., "system_triples": ...,
                  "gold_triples": ...}, ...]}, or such objects one a line
    """
    from exactmatch.studies.search_error import chosen_methods
    from exactmatch.studies.search_error import search_error as run

    if (scores is None) != (tool is None):
        raise UsageError("--scores and --from go together")
    if len(files) < 2 or (scores is not None and len(files) != 2):
        raise UsageError("name a system and a gold standard")
    study = request.read(files)
    metric = request.counting.alignment_metric(study.format)
    names = [source.name for source in study.sources]
    pairs = list(combinations(names, 2)) if every_two else [(n, names[-1]) for n in names[:-1]]
    every = methods or (() if restarts else tuple(METHODS))
    total = study.pairs_on_all(pairs)
    with request.keeping(pairs) as keep, progress("searching", total, "pairs") as advance:
        result = run(
            study,
            pairs,
            chosen_methods(every, restarts) if scores is None else {},
            metric,
            request.settings(),
            seeds=seeds,
            document=document,
            worst=request.shown,
            workers=request.workers,
            advance=advance,
            keep=keep,
        )
    report = _report(request, result, metric, scores, tool)
    request.answer(report, result.study, list(result.scores.values()))


def _report(
    request: StudyRequest,
    result: "SearchError",
    metric: "AlignmentMetric",
    scores: str | None,
    tool: str | None,
) -> "Report":
    from exactmatch.readers.tool_scores import read_tool_scores
    from exactmatch.report.claims import claims_report
    from exactmatch.report.search_error import search_error_report
    from exactmatch.studies.claims import check_claims

    if scores is None or tool is None:
        return search_error_report(result, request.provenance(result.study, metric), request.shown)
    (exact,) = result.scores.values()
    claimed = read_tool_scores(scores, tool)
    origin = request.provenance(result.study, metric, (claimed.path, claimed.digest))
    return claims_report(check_claims(claimed, exact), origin, request.shown)
