"""``exactmatch principles``: what metrics do to the seven principles of Opitz et al. (2020)."""

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from exactmatch.cli.progress import progress
from exactmatch.cli.reports import StudyRequest, study_command
from exactmatch.errors import UsageError
from exactmatch.metrics.registry import ALIGNMENT_BASED, METRICS, metric_for
from exactmatch.search.methods import METHODS
from exactmatch.solving.strategy import EXACT

if TYPE_CHECKING:
    from exactmatch.studies.judges import Judge
    from exactmatch.studies.sources import Study


@click.command()
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path())
@click.option(
    "--metrics",
    "asked",
    metavar="NAME,...",
    help="Metrics, each perhaps with a heuristic (smatch:s+4r).  [default: all that suit the "
    "files, and hill climbing]",
)
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="So often each pair is scored, from --seed on.",
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Take N pairs drawn at random instead of all.",
)
@study_command
def principles(
    request: StudyRequest,
    first: str,
    second: str,
    asked: str | None,
    seeds: int,
    sample: int | None,
) -> None:
    """Measure what metrics do to principles, on the pairs of graphs of FIRST and SECOND.

    Range, identity of indiscernibles, symmetry, determinacy, bias, overlap and gradedness, after
    Opitz, Parcalabescu and Frank (2020), with the worst counter-examples found.
    """
    from exactmatch.report.principles import principles_report
    from exactmatch.studies.principles import measure_principles

    if request.counting.metrics:
        raise UsageError("name the metrics with --metrics")
    if request.certificates or request.require_optimal or request.require_certified:
        raise UsageError("certificates and required proofs go with the other studies")
    study = request.read([first, second])
    *judges, exact = _judges(request, study.format, asked)
    items = _items(study, sample, request.seed)
    with progress("judging", len(items), "pairs") as advance:
        found = measure_principles(
            study,
            judges,
            exact,
            seeds=seeds,
            first_seed=request.seed,
            items=items,
            workers=request.workers,
            advance=advance,
        )
    origin = request.provenance(study, exact.metric)
    request.answer(principles_report(found, origin), found.study, [])


def _items(study: "Study", sample: int | None, seed: int) -> list[int]:
    """Return the items that both files have, or a sample of them."""
    items = study.common_items()
    if sample is None or sample >= len(items):
        return items
    return sorted(random.Random(seed).sample(items, sample))


def _judges(request: StudyRequest, form: str, asked: str | None) -> "list[Judge]":
    """Return the metrics that are asked for, or all that suit the files; and the usual one last."""
    from exactmatch.studies.judges import Judge

    usual = metric_for(form).name
    named = _all_for(request, form, usual) if asked is None else asked.split(",")
    names = [*dict.fromkeys(name.strip() for name in named), usual]
    searches = [_search(name) for name in names]
    counting = replace(request.counting, metrics=tuple(metric for metric, _ in searches))
    settings = request.settings()
    return [
        Judge(name, metric, replace(settings, method=method))
        for name, metric, (_, method) in zip(names, counting.chosen(form), searches, strict=True)
    ]


def _all_for(request: StudyRequest, form: str, usual: str) -> list[str]:
    """Return the metrics of a format, and one with hill climbing."""
    grading = request.counting.grading
    has_words = grading.vectors is not None or grading.similarities is not None
    fitting = [
        name
        for name, kind in METRICS.items()
        if kind.format == form and (has_words or "similarity" not in kind.takes)
    ]
    aligning = [name for name in fitting if name in ALIGNMENT_BASED]
    return [*aligning, f"{usual}:s+4r", *(name for name in fitting if name not in aligning)]


def _search(name: str) -> tuple[str, str]:
    """Return the metric and the method of a name like ``smatch:s+4r``."""
    metric, _, method = name.partition(":")
    if metric not in METRICS:
        raise UsageError(f"no metric is called {metric!r}; there are {', '.join(METRICS)}")
    if method and (method not in METHODS or metric not in ALIGNMENT_BASED):
        raise UsageError(f"{name!r}: no heuristic of {metric} is called {method!r}")
    return metric, method or EXACT
