"""``exactmatch principles``: what metrics do to the seven principles of Opitz et al. (2020)."""

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from exactmatch.cli.progress import progress
from exactmatch.cli.reports import StudyRequest, study_command
from exactmatch.errors import UsageError
from exactmatch.metrics.registry import DIRECT, METRICS
from exactmatch.search.methods import METHODS

if TYPE_CHECKING:
    from exactmatch.studies.judged import Judged
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
    from exactmatch.studies.judged import Aligned
    from exactmatch.studies.principles import measure_principles

    if request.counting.metrics:
        raise UsageError("name the metrics with --metrics")
    if request.certificates or request.require_optimal or request.require_certified:
        raise UsageError("certificates and required proofs go with the other studies")
    study = request.read([first, second])
    plain = _without_words(request)
    options = plain.options(study)
    judged = _judged(request, study, asked)
    items = _items(study, sample, request.seed)
    with progress("judging", len(items), "pairs") as advance:
        found = measure_principles(
            study,
            judged,
            Aligned(options.profile, timeout=request.timeout, memory=options.memory),
            seeds=seeds,
            first_seed=request.seed,
            items=items,
            workers=request.workers,
            advance=advance,
        )
    origin = request.provenance(study, options)
    request.answer(principles_report(found, seeds, origin), found.study, [])


def _items(study: "Study", sample: int | None, seed: int) -> list[int]:
    """Return the items that both files have, or a sample of them."""
    items = study.common_items()
    if sample is None or sample >= len(items):
        return items
    return sorted(random.Random(seed).sample(items, sample))


def _judged(request: StudyRequest, study: "Study", asked: str | None) -> "list[Judged]":
    """Return the metrics that are asked for, or all that suit the files."""
    names = _usual(request, study.format) if asked is None else asked.split(",")
    return [_judge(request, study.format, name.strip()) for name in dict.fromkeys(names)]


def _usual(request: StudyRequest, form: str) -> list[str]:
    has_words = request.counting.grading.vectors or request.counting.grading.similarities
    aligning = [
        name
        for name, kind in METRICS.items()
        if kind.format == form and (name != "s2match" or has_words)
    ]
    direct = [name for name, known in DIRECT.items() if known["default"].format == form]
    return [*aligning, f"{aligning[0]}:s+4r", *direct]


def _without_words(request: StudyRequest) -> StudyRequest:
    """Return *request* without word vectors and similarities, which only s2match takes."""
    bare = request.counting.grading.without_words()
    return replace(request, counting=replace(request.counting, grading=bare))


def _judge(request: StudyRequest, form: str, name: str) -> "Judged":
    from exactmatch.metrics.profiles import Profile
    from exactmatch.studies.judged import Aligned, Unaligned

    metric, _, method = name.partition(":")
    if metric not in (*METRICS, *DIRECT):
        raise UsageError(f"no metric is called {metric!r}; there are {', '.join(METRICS | DIRECT)}")
    if method and (method not in METHODS or metric in DIRECT):
        raise UsageError(f"{name!r}: no heuristic of {metric} is called {method!r}")
    fitting = request if metric == "s2match" else _without_words(request)
    (chosen,) = replace(fitting.counting, metrics=(metric,)).chosen(form)
    if isinstance(chosen, Profile):
        return Aligned(chosen, method or "exact", request.timeout, request.pair_memory)
    return Unaligned(chosen)
