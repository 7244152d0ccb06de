"""``exactmatch ngrams``: the n-grams of one pair, and the graphs whose paths they are."""

from pathlib import Path
from typing import Literal, get_args

import click

from exactmatch.cli.answers import finish_one, print_answer
from exactmatch.cli.asked_pairs import AskedPair, pair_options
from exactmatch.cli.click_options import GroupedCommand, option, output_option
from exactmatch.cli.metric_options import NGRAM_METRIC
from exactmatch.scoring.declaration import OUTPUT

_Format = Literal["text", "json", "dot"]


@click.command(cls=GroupedCommand)
@pair_options(NGRAM_METRIC)
@option(
    "--rows",
    type=click.IntRange(min=0),
    default=15,
    show_default=True,
    metavar="N",
    group=OUTPUT,
    help="List up to N n-grams of each order; JSON has all.",
)
@option(
    "--format",
    "output_format",
    type=click.Choice(get_args(_Format)),
    default="text",
    show_default=True,
    group=OUTPUT,
    help="Text, JSON, or both graphs in the language of Graphviz (dot -Tsvg).",
)
@output_option
def ngrams(pair: AskedPair, rows: int, output_format: _Format, output: Path | None) -> None:
    """List the n-grams of one pair, and how many of them match.

    --id selects the pair of SYSTEM and GOLD. An n-gram of SemBleu or DScorer is a path through a
    graph of labels, which --format dot draws. N-grams that match come first.
    """
    from exactmatch.api.ngrams import run_ngrams
    from exactmatch.report.ngrams import ngrams_dot, ngrams_json, ngrams_layout

    graphs, found = run_ngrams(pair.request(), pair.identifier)
    if output_format == "text":
        print_answer(ngrams_layout(found, rows), output)
    else:
        print_answer((ngrams_json if output_format == "json" else ngrams_dot)(found), output)
    finish_one(is_whole=not graphs.emptied)
