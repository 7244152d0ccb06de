"""``exactmatch score``: score one file of graphs against another."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from exactmatch.cli.answers import (
    print_answer,
    print_rows,
    require,
    require_reached,
    say_note,
    signer,
)
from exactmatch.cli.click_options import (
    FILE,
    Adding,
    GroupedCommand,
    adding,
    long_signature_option,
    option,
    options,
    output_option,
    part,
    proof_options,
    report_format_option,
    worst_options,
)
from exactmatch.cli.metric_options import ANY_METRICS, AskedMetrics, metric_options
from exactmatch.cli.progress_bar import watched
from exactmatch.cli.short_help import Example
from exactmatch.cli.signals import show_notes
from exactmatch.errors import NotProvenError, UsageError
from exactmatch.report.wording import counted
from exactmatch.runtime.output import FINISHED_PART, check_apart
from exactmatch.runtime.standard_streams import is_terminal
from exactmatch.runtime.workers import MOST
from exactmatch.scoring.corpus import USUAL_BADNESS
from exactmatch.scoring.declaration import COUNTING, OUTPUT, PROOF
from exactmatch.scoring.options import (
    ROWS_ALONE,
    CorpusLimits,
    Details,
    PairFiles,
    Pairing,
    PairLimits,
    Proving,
    Search,
    Selecting,
    Solver,
    Telling,
    Work,
)
from exactmatch.scoring.settings import Settings
from exactmatch.solving.names import EXACT
from exactmatch.solving.search.methods import METHODS, Starts
from exactmatch.stopping.interrupts import current

if TYPE_CHECKING:
    from fractions import Fraction

    from exactmatch.metrics.base import Metric
    from exactmatch.metrics.subscores.asked import Subscores
    from exactmatch.report.text_layout import TextLayout
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
    option(
        "--fail-under",
        metavar="F1",
        group=PROOF,
        help="Exit with 6 if the score is proven to be below this, and with 3 if it is not "
        "proven to reach it. The comparison is exact. With several metrics, each score has "
        "to reach it.",
    ),
    part(Proving, "cross_check"),
)

_file_options: Adding = adding(
    part(PairFiles, "per_pair", "mappings", "certificates"),
    option(
        "--no-seconds",
        "seconds",
        is_flag=True,
        # A flag whose value is False is always set in click 8.3.0 to 8.3.2.
        callback=lambda _, __, given: not given,
        group=OUTPUT,
        help="Leave out times in JSON and tables, so that equal runs print equal results.",
    ),
    worst_options("Also show the N worst pairs, by --sort."),
    part(PairFiles, "resume"),
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
        help="For aspects: a file of roles of frames and their counterparts, such as go-02 ARG4 "
        "destination, one a line.",
    ),
)


@click.command(
    cls=GroupedCommand,
    usual=(
        *("metric", "profile", "pair-by", "on-error"),
        *("worst", "per-pair", "certificates", "workers", "format", "output"),
    ),
    for_more="To rank several systems, use exactmatch compare; for annotators, exactmatch iaa; for "
    "heuristics, exactmatch search-error",
    examples=(
        Example("score system.amr gold.amr", "print the score, exact and proven"),
        Example(
            "score system.amr gold.amr --profile smatch-1.0.4",
            "print the score that compares with published Smatch",
        ),
        Example(
            "score system.amr gold.amr --worst 10 --per-pair pairs.csv",
            "show the ten worst pairs, and write a table of all pairs",
        ),
    ),
)
@click.argument("system", type=FILE)
@click.argument("gold", type=FILE)
@options(Pairing, Selecting)
@metric_options(ANY_METRICS)
@_subscore_options
@option(
    "--free-too",
    is_flag=True,
    group=COUNTING,
    help="With --sentences: also score documents with variables mapped to any sentence, and "
    "print the difference. Files with a result for each pair have aligned sentences.",
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
    help="Count the faults of both files' graphs as well, as exactmatch check does.",
)
@_search_options
@options(PairLimits, Work)
@part(CorpusLimits, "total_timeout")
@report_format_option(
    "The format of the result; csv has a row for each metric, --per-pair one for each pair."
)
@output_option
@long_signature_option
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
    fail_under: str | None,
    long_signature: bool,
    limits: CorpusLimits,
    work: Work,
    output_format: str,
    output: Path | None,
    files: PairFiles,
    worst: int | None,
    sort: str | None,
) -> None:
    """Score the graphs of SYSTEM against those of GOLD.

    Both are files of graphs, optionally compressed with gzip, in one of these formats: AMRs in
    PENMAN notation, UMR documents, MRP graphs as JSON lines, DRSs in clause form, DRSs in SBN,
    Chinese AMRs, AMRs as triples, AMRs in JSON lines, AMRs of StreamSide. - is standard input.
    Precision is measured on SYSTEM, recall on GOLD. The files are read once, even with several
    metrics, and while pairs are scored: they may be pipes, and of any length.
    """
    # Complex: this function checks each option and passes it on, one after the other.
    from exactmatch.api.until_cut import run_score
    from exactmatch.graphs.selection import Selection
    from exactmatch.scoring.asked_workers import resolve_workers
    from exactmatch.scoring.pair_request import PairRequest

    search = _search(method, starts, exact)
    if by_framework and free_too:
        raise UsageError("--by-framework and --free-too cannot be combined")
    if by_framework and fail_under is not None:
        raise UsageError("--by-framework and --fail-under cannot be combined")
    least = None if fail_under is None else _least(fail_under)
    _check_worst(worst, sort, by_framework, seconds_shown=files.seconds)
    if output_format in ROWS_ALONE:
        more = {
            "worst": worst,
            "breakdown": details.breakdown,
            "subscores": details.subscores,
            "aspects": aspects,
            "check": with_validity,
        }
        _check_one_table(output_format, more)
    if files.resume is not None:
        check_apart(Path(files.resume), output, holds=FINISHED_PART)
    counters = _counters() if with_validity else []
    metrics, profile, choices = _metrics(asked, by_framework, free_too)
    request = PairRequest(
        system,
        gold,
        metrics,
        profile,
        choices,
        Settings.of(
            search,
            proving,
            limits,
            details,
            memory=MOST,
            certificates=files.certificates is not None,
            certify=require_certified,
            subscores=_asked_subscores(details.subscores, aspects, frames),
        ),
        pairing,
        Selection.of(selecting.ids, selecting.where),
        resolve_workers(work),
        watched(Telling()),
        say_note,
    )
    scored = run_score(
        request,
        files,
        limits.memory,
        worst=None if worst is None else (worst, sort or USUAL_BADNESS),
        counters=counters,
        free_too=free_too,
    )
    scores = scored.scores
    validity = [counter.finish() for counter in counters]
    signing = signer(output, is_long=long_signature)
    form = _ScoreForm(by_framework, free_too, files.seconds, signing)
    shown = _shown(scored, validity, output_format, form)
    if output_format in ROWS_ALONE:
        print_rows(str(shown), output)
    else:
        print_answer(shown, output)
    if output is None and output_format == "text" and is_terminal(sys.stdout):
        _say_published(scores)
    if scored.cut_by is not None:
        _finish_partial(scored.cut_by)
    if least is not None:
        require_reached(scores, least, as_written=str(fail_under))
    require(scores, optimal=require_optimal, certified=require_certified)
    _require_confirmed(scores)
    if any(map(_lacks_graphs, scores)) or any(score.left_out for score in scores):
        raise SystemExit(1)


def _least(fail_under: str) -> "Fraction":
    """Return the score that --fail-under asks for. Raises `UsageError` for what is none."""
    from exactmatch.scoring.choices import share

    try:
        return share(fail_under)
    except UsageError as error:
        raise UsageError(f"--fail-under: {error}") from error


def _say_published(scores: "Sequence[CorpusScore]") -> None:
    """Print on a terminal which option gives a score comparable to published ones."""
    from exactmatch.metrics.smatch import Smatch

    if [score.metric for score in scores] == [Smatch.profiles["default"]]:
        click.echo("for a score comparable to published Smatch, use --profile smatch-1.0.4")


def _metrics(
    asked: AskedMetrics, by_framework: bool, free_too: bool
) -> "tuple[Sequence[str | Metric | None], str, Any]":
    """Return the metrics, with the profile and the choices of those that are named."""
    if by_framework:
        return asked.with_and_without_labels(), "default", {}
    if free_too:
        return asked.within_sentences_and_free(), "default", {}
    return asked.chosen(), asked.profile, asked.choices


def _asked_subscores(names: Any, aspects: Path | None, frames: Path | None) -> "Subscores | None":
    if names is None and aspects is None:
        if frames is not None:
            raise UsageError("--frames needs --subscores or --aspects")
        return None
    import exactmatch

    if names == "all":
        from exactmatch.metrics.subscores.asked import GROUPS

        say_note(
            "the subscore all is of all triples, so it is the score; groups of several subscores "
            f"are {', '.join(GROUPS)}"
        )
    listed = [] if names is None else [names]
    return exactmatch.select_subscores(*listed, aspects=aspects, frames=frames)


def _counters() -> "list[FaultCounter]":
    """Return the counters of faults of the system's graphs and of the gold graphs."""
    from exactmatch.scoring.validity.file_faults import FaultCounter

    return [FaultCounter(), FaultCounter()]


def _search(method: str | None, starts: Starts | None, exact: bool) -> Search:
    for name, value in (("method", method), ("starts", starts)):
        if exact and value is not None:
            raise UsageError(f"--{name} needs --heuristic")
    return Search(method=EXACT if exact else method or "s+4r", starts=starts or "all")


def _check_worst(
    worst: int | None, sort: str | None, by_framework: bool, *, seconds_shown: bool
) -> None:
    if sort is not None and worst is None:
        raise UsageError("--sort needs --worst")
    if sort == "seconds" and not seconds_shown:
        raise UsageError("--sort seconds and --no-seconds cannot be combined")
    if worst is not None and by_framework:
        raise UsageError("--worst and --by-framework cannot be combined")


def _check_one_table(output_format: str, more: Mapping[str, Any]) -> None:
    """Raise `UsageError` if an option of *more* is given, which a table of scores cannot show."""
    for name, value in more.items():
        if value not in (None, False):
            raise UsageError(
                f"--format {output_format} has a row for each metric; it cannot be combined "
                f"with --{name}"
            )


class _ScoreForm(NamedTuple):
    """The form of the scores: what they are of, whether seconds are shown, and the signatures.

    by_framework, free_too: whether the two scores are those of these options.
    sign: returns the signature that is shown.
    """

    by_framework: bool
    free_too: bool
    with_seconds: bool
    sign: Callable[[str], str]


def _shown(
    scored: "Scored",
    validity: "Sequence[FileValidity]",
    output_format: str,
    form: _ScoreForm,
) -> "str | TextLayout":
    if output_format == "json":
        from exactmatch.report.json import difference_content, results_json

        further = {"difference": difference_content(*scored.scores)} if form.free_too else {}
        counts, seconds = _counts(validity), form.with_seconds
        return results_json(scored.scores, scored.worst, counts, further, with_seconds=seconds)
    if output_format != "text":
        from exactmatch.cli.command_line import command_line
        from exactmatch.report.formats import FORMATS
        from exactmatch.report.score_report import score_report

        scores = dict(zip(_names(scored.scores, form), scored.scores, strict=True))
        command = command_line(click.get_current_context())
        signed = output_format in ROWS_ALONE
        report = score_report(scores, scored.worst, validity, command, signed=signed)
        return FORMATS[output_format](report)
    return _layout(scored, validity, form)


def _layout(
    scored: "Scored",
    validity: "Sequence[FileValidity]",
    form: _ScoreForm,
) -> "TextLayout":
    """Return the scores as text."""
    from exactmatch.report.text import corpus_text, free_text, official_text, worst_text
    from exactmatch.report.text_layout import TextLayout

    sign, seconds = form.sign, form.with_seconds
    texts = [corpus_text(score, sign, with_seconds=seconds).parts for score in scored.scores]
    for number, pairs in enumerate(scored.worst):
        texts[number] += ["", worst_text(scored.scores[number], pairs), ""]
    if form.by_framework:
        labelled, unlabelled = scored.scores
        texts = [official_text(labelled, unlabelled, sign).parts]
    if form.free_too:
        within, free = scored.scores
        texts[1:] = [free_text(within, free, sign).parts]
    if validity:
        from exactmatch.report.validity import counts_table

        texts.append([counts_table(validity)])
    first, *others = texts
    return TextLayout([*first, *(part for parts in others for part in ("", *parts))])


def _names(scores: "Sequence[CorpusScore]", form: _ScoreForm) -> Sequence[str]:
    """Return the names of the scores in tables."""
    if form.by_framework:
        return ("labelled", "unlabelled")
    names = [score.metric.name for score in scores]
    return [names[0], "sentences free"] if form.free_too else names


def _counts(validity: "Sequence[FileValidity]") -> dict[str, Any]:
    """Return the faults of both sides for JSON, or nothing if they were not counted."""
    if not validity:
        return {}
    from exactmatch.report.validity import counts_content

    return dict(zip(("system", "gold"), map(counts_content, validity), strict=True))


def finish_shown(scored: "Scored", *, optimal: bool, certified: bool) -> None:
    """Exit with the status of pairs that have been shown."""
    if scored.cut_by is not None:
        say_note("cut short: later pairs are not shown")
        _finish_partial(scored.cut_by)
    require(scored.scores, optimal=optimal, certified=certified)
    if any(map(_lacks_graphs, scored.scores)):
        raise SystemExit(1)


def _lacks_graphs(score: "CorpusScore") -> bool:
    return bool(score.skipped or score.emptied or score.missing_ids)


def _finish_partial(cut_by: BaseException) -> NoReturn:
    """Exit after a partial result: an interrupt is over with it, an error is still reported."""
    if not isinstance(cut_by, KeyboardInterrupt):
        raise cut_by
    show_notes(cut_by)
    raise SystemExit(current().status)


def _require_confirmed(scores: "Sequence[CorpusScore]") -> None:
    """Raise `NotProvenError` if a required second solver has not proven all pairs in time."""
    for score in scores:
        if score.confirmed is not None and score.confirmed < score.pairs:
            missing = score.pairs - score.confirmed
            raise NotProvenError(
                f"{missing} of {counted(score.pairs, 'pair')} not confirmed in time"
            )
