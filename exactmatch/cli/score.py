"""``exactmatch score``: one file of graphs against another."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from exactmatch.cli.answers import give, require, say_note, say_pair_note
from exactmatch.cli.click_options import (
    FILE,
    Adding,
    GroupedCommand,
    adding,
    format_option,
    option,
    options,
    output_option,
    part,
    proof_options,
    worst_options,
)
from exactmatch.cli.metric_options import AskedMetrics, metric_options
from exactmatch.cli.progress_bar import progress
from exactmatch.cli.signals import show_notes
from exactmatch.errors import NotProvenError, UsageError
from exactmatch.runtime.output import check_apart, check_outputs
from exactmatch.runtime.workers import MOST
from exactmatch.scoring.corpus import USUAL_BADNESS
from exactmatch.scoring.declaration import COUNTING, OUTPUT, PROOF
from exactmatch.scoring.options import (
    CorpusLimits,
    Details,
    Pairing,
    PairLimits,
    Proving,
    Search,
    Selecting,
    Settings,
    Solver,
    Telling,
    Work,
)
from exactmatch.solving.names import EXACT
from exactmatch.solving.search.methods import METHODS, Starts
from exactmatch.stopping.interrupts import current

if TYPE_CHECKING:
    from exactmatch.metrics.base import Metric
    from exactmatch.metrics.subscores.asked import Subscores
    from exactmatch.scoring.corpus import Scored
    from exactmatch.scoring.results import CorpusScore
    from exactmatch.scoring.validity.file_faults import FaultCounter, FileValidity

_search_options: Adding = adding(
    option(
        "--exact/--heuristic",
        default=True,
        group=PROOF,
        help="Prove the score (the default), or only search for a good mapping.",
    ),
    option(
        "--method",
        type=click.Choice(list(METHODS)),
        group=PROOF,
        help="The search of --heuristic, as named by Cai and Knight (2013).  [default: s+4r]",
    ),
    part(Search, "starts"),
    options(Solver),
    proof_options,
    part(Proving, "cross_check"),
)

_PATH = click.Path(path_type=Path)

_file_options: Adding = adding(
    *(
        option(f"--{name}", type=_PATH, metavar="FILE", group=OUTPUT, help=help)
        for name, help in (
            (
                "per-pair",
                "Write each pair's result to FILE: CSV or Parquet if its name ends in .csv or "
                ".parquet, else one JSON object a line.",
            ),
            ("mappings", "Write each pair's mapping of variables to FILE, to be read."),
            ("certificates", "Write the proof of each pair to FILE, for exactmatch verify."),
        )
    ),
    option(
        "--no-seconds",
        "seconds_shown",
        is_flag=True,
        flag_value=False,
        default=True,
        group=OUTPUT,
        help="Leave out times in JSON and tables, so that equal runs print equal results.",
    ),
    worst_options("Show the N worst pairs as well."),
    option(
        "--resume",
        type=_PATH,
        metavar="FOLDER",
        group=OUTPUT,
        help="Keep what is finished in FOLDER: the same command goes on where it was broken off. "
        "Files are written at the end, then.",
    ),
)

_subscore_options: Adding = adding(
    part(Details, "breakdown", "subscores"),
    option(
        "--aspects",
        type=FILE,
        metavar="FILE",
        group=COUNTING,
        help="Subscores of your own: a TOML file of roles and concepts.",
    ),
    option(
        "--frames",
        type=FILE,
        metavar="FILE",
        group=COUNTING,
        help="For aspects, roles of frames that stand for others: go-02 ARG4 destination, one a "
        "line.",
    ),
)


@click.command(cls=GroupedCommand)
@click.argument("system", type=FILE)
@click.argument("gold", type=FILE)
@options(Pairing, Selecting)
@metric_options
@_subscore_options
@option(
    "--free-too",
    is_flag=True,
    group=COUNTING,
    help="With --sentences: score documents with variables mapped to any sentence as well, and the "
    "difference. Files for each pair are with the sentences aligned.",
)
@part(Details, "by_sentence")
@option(
    "--by-framework",
    is_flag=True,
    group=COUNTING,
    help="The table of the MRP tasks: F1 by framework and their average, labelled and unlabelled.",
)
@option(
    "--check",
    "with_validity",
    is_flag=True,
    group=COUNTING,
    help="Count what is wrong with the graphs of both files as well, as exactmatch check does.",
)
@_search_options
@options(PairLimits, Work)
@part(CorpusLimits, "total_timeout")
@format_option
@output_option
@_file_options
def score(
    system: Path,
    gold: Path,
    pairing: Pairing,
    selecting: Selecting,
    asked: AskedMetrics,
    details: Details,
    aspects: Path | None,
    frames: Path | None,
    free_too: bool,
    by_framework: bool,
    with_validity: bool,
    exact: bool,
    method: str | None,
    starts: Starts | None,
    proving: Proving,
    require_optimal: bool,
    require_certified: bool,
    limits: CorpusLimits,
    work: Work,
    output_format: str,
    output: Path | None,
    per_pair: Path | None,
    mappings: Path | None,
    certificates: Path | None,
    seconds_shown: bool,
    worst: int | None,
    sort: str | None,
    resume: Path | None,
) -> None:
    """Score the graphs of SYSTEM against those of GOLD.

    Both are files of graphs, possibly compressed with gzip: AMRs in PENMAN notation, UMR documents,
    MRP graphs as JSON lines, or DRSs in clause form or SBN. - is standard input. Precision is
    measured on SYSTEM, recall on GOLD. The files are read once, with several metrics too, and as
    pairs are scored: they may be pipes, and of any length.
    """
    from exactmatch.api.score import score_until_cut
    from exactmatch.graphs.selection import Selection
    from exactmatch.scoring.sides import check_one_stdin, resolve_workers

    for name, value in (("method", method), ("starts", starts)):
        if exact and value is not None:
            raise UsageError(f"--{name} goes with --heuristic")
    if by_framework and free_too:
        raise UsageError("--by-framework goes without --free-too")
    _check_worst(worst, sort, by_framework=by_framework, seconds_shown=seconds_shown)
    listed = [file for file in (selecting.ids, aspects, frames) if file is not None]
    files = [system, gold, *listed]
    check_one_stdin(*files)
    inputs = [str(file) for file in files]
    check_outputs(inputs, output, per_pair, mappings, certificates)
    if resume is not None:
        check_apart(resume, output)
    counters = _counters() if with_validity else []
    scored = score_until_cut(
        system,
        gold,
        _metrics(asked, by_framework=by_framework, free_too=free_too),
        Settings.of(
            Search(method=EXACT if exact else method or "s+4r", starts=starts or "all"),
            proving,
            limits,
            details,
            memory=MOST,
            certificates=certificates is not None,
            subscores=_asked_subscores(details.subscores, aspects, frames),
        ),
        pairing=pairing,
        telling=Telling(progress=progress, note=say_pair_note),
        profile="default" if by_framework or free_too else asked.profile,
        choices={} if by_framework or free_too else asked.choices,
        per_pair=per_pair,
        mappings=mappings,
        certificates=certificates,
        memory=limits.memory,
        selection=Selection.of(selecting.ids, selecting.where),
        with_seconds=seconds_shown,
        resume=resume,
        workers=resolve_workers(work),
        sum_up=say_note,
        worst=None if worst is None else (worst, sort or USUAL_BADNESS),
        counters=counters,
        free_too=free_too,
    )
    scores = scored.scores
    validity = [counter.finish() for counter in counters]
    shown = _shown(
        scored,
        validity,
        output_format,
        by_framework=by_framework,
        free_too=free_too,
        with_seconds=seconds_shown,
    )
    give(shown, output)
    if scored.cut_by is not None:
        finish_partial(scored.cut_by)
    require(scores, optimal=require_optimal, certified=require_certified)
    _require_confirmed(scores)
    if any(s.skipped or s.emptied or s.missing_ids or s.left_out for s in scores):
        raise SystemExit(1)


def _metrics(
    asked: AskedMetrics, *, by_framework: bool, free_too: bool
) -> "Sequence[str | Metric | None]":
    if by_framework:
        return asked.with_and_without_labels()
    return asked.within_sentences_and_free() if free_too else asked.chosen()


def _asked_subscores(names: Any, aspects: Path | None, frames: Path | None) -> "Subscores | None":
    if names is None and aspects is None:
        if frames is not None:
            raise UsageError("--frames goes with --subscores or --aspects")
        return None
    import exactmatch

    listed = [] if names is None else [names]
    return exactmatch.select_subscores(*listed, aspects=aspects, frames=frames)


def _counters() -> "list[FaultCounter]":
    """Return what counts the faults of the system's graphs and of those of the gold standard."""
    from exactmatch.scoring.validity.file_faults import FaultCounter

    return [FaultCounter(), FaultCounter()]


def _check_worst(
    worst: int | None, sort: str | None, *, by_framework: bool, seconds_shown: bool
) -> None:
    if sort is not None and worst is None:
        raise UsageError("--sort goes with --worst")
    if sort == "seconds" and not seconds_shown:
        raise UsageError("--sort seconds goes without --no-seconds")
    if worst is not None and by_framework:
        raise UsageError("--worst goes without --by-framework")


def _shown(
    scored: "Scored",
    validity: "Sequence[FileValidity]",
    output_format: str,
    *,
    by_framework: bool,
    free_too: bool,
    with_seconds: bool,
) -> str:
    if output_format == "json":
        from exactmatch.report.json import difference_content, results_json

        further = {"difference": difference_content(*scored.scores)} if free_too else {}
        return results_json(
            scored.scores, scored.worst, _counts(validity), further, with_seconds=with_seconds
        )
    from exactmatch.report.text import corpus_text, free_text, official_text, worst_text

    texts = list(map(corpus_text, scored.scores))
    for number, pairs in enumerate(scored.worst):
        texts[number] += f"\n\n{worst_text(scored.scores[number], pairs)}"
    if by_framework:
        texts = [official_text(*scored.scores)]
    if free_too:
        texts[1:] = [free_text(*scored.scores)]
    if validity:
        from exactmatch.report.validity import counts_text

        texts.append(counts_text(validity))
    return "\n\n".join(texts)


def _counts(validity: "Sequence[FileValidity]") -> dict[str, Any]:
    """Return the faults of both sides for JSON, nothing if they were not counted."""
    if not validity:
        return {}
    from exactmatch.report.validity import counts_content

    return dict(zip(("system", "gold"), map(counts_content, validity), strict=True))


def finish_partial(cut_by: BaseException) -> NoReturn:
    """End after a partial result: an interrupt has been answered by it, an error is to be told."""
    if not isinstance(cut_by, KeyboardInterrupt):
        raise cut_by
    show_notes(cut_by)
    raise SystemExit(current().status)


def _require_confirmed(scores: "Sequence[CorpusScore]") -> None:
    """Raise `NotProvenError` if a second solver was asked and has not proven all in time."""
    for score in scores:
        if score.confirmed is not None and score.confirmed < score.pairs:
            missing = score.pairs - score.confirmed
            raise NotProvenError(f"{missing} of {score.pairs} pairs not confirmed in time")
