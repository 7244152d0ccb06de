"""``exactmatch matrix`` and ``exactmatch nearest``: compare all graphs of two files."""

import sys
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from exactmatch.cli.answers import print_answer, print_rows, require_proven, signer
from exactmatch.cli.click_options import (
    FILE,
    Adding,
    Command,
    GroupedCommand,
    adding,
    exact_option,
    file_option,
    format_option,
    long_signature_option,
    option,
    options,
    require_option,
)
from exactmatch.cli.metric_options import SENTENCE_METRIC, AskedMetrics, metric_options
from exactmatch.cli.progress_bar import watched
from exactmatch.cli.screen import show
from exactmatch.cli.short_help import Example
from exactmatch.runtime.standard_streams import is_terminal
from exactmatch.scoring.declaration import INPUT, OUTPUT, PROOF
from exactmatch.scoring.joint_options import CorpusComparing
from exactmatch.scoring.options import CorpusReading, PairProving, Work

if TYPE_CHECKING:
    from exactmatch.many.matrix_results import Matrix, NearestGraphs

_require_option: Adding = require_option("every printed result is proven")


class _TableAnswer(NamedTuple):
    """How a table and its summary are given."""

    output_format: str
    output: Path | None
    long_signature: bool
    require_optimal: bool


def _answering(command: Command) -> Command:
    """Give *command* the options on its answer as a `_TableAnswer`, *answer*."""

    @wraps(command)
    def called(
        output_format: str,
        output: Path | None,
        long_signature: bool,
        require_optimal: bool,
        **others: Any,
    ) -> Any:
        answer = _TableAnswer(output_format, output, long_signature, require_optimal)
        return command(answer=answer, **others)

    return called


def _table_option(endings: str, what: str) -> Adding:
    return file_option(
        "--output",
        "-o",
        help=f"Write {what} to FILE in the format of its ending ({endings}), and print a summary. "
        "By default, print them as CSV, and the summary on standard error.",
    )


@click.command(
    cls=GroupedCommand,
    usual=(
        *("metric", "profile", "on-error", "at-least", "solver"),
        *("timeout", "memory", "workers", "format", "output"),
    ),
    examples=(
        Example("matrix corpus.amr -o scores.npz", "compare all graphs with each other"),
        Example(
            "matrix system.amr gold.amr --at-least 0.9 -o near.csv",
            "list the pairs whose F1 is 0.9 or more",
        ),
        Example(
            "matrix system.amr gold.amr --solver cpsat -o scores.npz",
            "have CP-SAT solve every pair",
        ),
    ),
)
@click.argument("graphs", metavar="FILE", type=FILE)
@click.argument("other", required=False, type=FILE)
@options(CorpusReading)
@metric_options(SENTENCE_METRIC)
@option(
    "--at-least",
    metavar="F1",
    type=click.FloatRange(min=0),
    group=PROOF,
    help="Keep only pairs whose F1 may reach this (above 1 only with products of duplicates). "
    "Others are not solved if bounds rule them out: "
    "those by numbers of triples, by labels, and the first dual bound.",
)
@adding(_require_option, exact_option, options(PairProving, Work))
@format_option
@long_signature_option
@_table_option(".npz, .csv, .parquet", "the cells")
@_answering
def matrix(
    graphs: Path,
    other: Path | None,
    asked: AskedMetrics,
    at_least: float | None,
    comparing: CorpusComparing,
    answer: _TableAnswer,
) -> None:
    """Compare all graphs of FILE, or all with those of OTHER.

    Scores are proven as those of exactmatch score are. The report counts the pairs that each kind
    of bound decided. With FILE alone, a table has each pair once, and no graph against itself; DRSs
    as clauses have both orders, and themselves. .npz has all pairs as arrays of two dimensions or,
    with --at-least, one entry for each kept pair.
    """
    from exactmatch.many.corpora import matrix
    from exactmatch.many.report import MATRIX_ENDINGS, check_ending

    if answer.output is not None:
        check_ending(answer.output, MATRIX_ENDINGS)
    result = matrix(
        graphs,
        other,
        named=asked.one_with_profile(),
        at_least=at_least,
        comparing=watched(comparing),
        **asked.choices,
    )
    _answer(result, answer)


@click.command(
    cls=GroupedCommand,
    usual=(
        *("metric", "profile", "on-error", "top", "exclude-self"),
        *("timeout", "memory", "workers", "format", "output"),
    ),
    examples=(
        Example("nearest queries.amr corpus.amr", "list the ten nearest graphs of each query"),
        Example(
            "nearest corpus.amr corpus.amr --exclude-self --top 1",
            "find the nearest other graph of each graph",
        ),
        Example(
            "nearest queries.amr corpus.amr --top 3 -o near.csv",
            "write the three nearest graphs to a table",
        ),
    ),
)
@click.argument("queries", type=FILE)
@click.argument("corpus", type=FILE)
@option(
    "--top",
    "number",
    metavar="K",
    type=click.IntRange(1),
    default=10,
    show_default=True,
    group=OUTPUT,
    help="The number of neighbours of each query.",
)
@option(
    "--exclude-self",
    is_flag=True,
    group=INPUT,
    help="For equal QUERIES and CORPUS: leave out each graph itself from its neighbours.",
)
@options(CorpusReading)
@metric_options(SENTENCE_METRIC, without={"top"})
@adding(_require_option, exact_option, options(PairProving, Work))
@format_option
@long_signature_option
@_table_option(".csv, .parquet", "the neighbours")
@_answering
def nearest(
    queries: Path,
    corpus: Path,
    number: int,
    exclude_self: bool,
    asked: AskedMetrics,
    comparing: CorpusComparing,
    answer: _TableAnswer,
) -> None:
    """Find the graphs of CORPUS that have the highest F1 with each of QUERIES.

    The neighbours are proven unless a limit leaves pairs open; of equally near ones, the first in
    CORPUS wins. Pairs that bounds rule out are not solved: bounds by numbers of triples, by labels,
    and the first dual bound.
    """
    from exactmatch.many.corpora import nearest
    from exactmatch.many.report import NEAREST_ENDINGS, check_ending

    if answer.output is not None:
        check_ending(answer.output, NEAREST_ENDINGS)
    result = nearest(
        queries,
        corpus,
        top=number,
        exclude_self=exclude_self,
        named=asked.one_with_profile(),
        comparing=watched(comparing),
        **asked.choices,
    )
    _answer(result, answer)


def _answer(result: "Matrix | NearestGraphs", answer: _TableAnswer) -> None:
    from exactmatch.many.report import (
        summary_json,
        summary_text,
        table_for_people,
        table_text,
        write_table,
    )

    sign = signer(None, is_long=answer.long_signature)
    is_json = answer.output_format == "json"
    summary = summary_json(result) if is_json else summary_text(result, sign)
    if answer.output is None:
        if is_terminal(sys.stdout):
            show(table_for_people(result))
        else:
            print_rows(table_text(result), None)
        show(summary, err=True)
    else:
        write_table(result, answer.output)
        print_answer(summary, None)
    require_proven(result.open, require=answer.require_optimal)
    if result.skipped:
        raise SystemExit(1)
