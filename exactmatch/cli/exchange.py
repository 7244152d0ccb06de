"""``exactmatch export`` and ``import-solution``: a pair's model for any solver, and its answer."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactmatch.cli.counting import Counting, counting_options
from exactmatch.cli.options import (
    check_outputs,
    format_option,
    id_option,
    pairing_options,
)
from exactmatch.cli.pairs import pair_of, read_pairs, scored_pairs
from exactmatch.errors import InputError, UsageError
from exactmatch.exchange.export import FORMATS
from exactmatch.output import write_text

if TYPE_CHECKING:
    from exactmatch.metrics.alignment_based import AlignmentMetric
    from exactmatch.pairing import GraphPair

_FILE = click.Path(allow_dash=True)
_TRIPLES = "triples"


def _triples(pair: "GraphPair", metric: "AlignmentMetric") -> str:
    """Return a pair as a line that the checker of certificates reads."""
    from exactmatch.certificate.writer import line
    from exactmatch.comparison import compare

    return line(compare(pair, metric).as_json(pair.identifier)) + "\n"


def _model(pair: "GraphPair", metric: "AlignmentMetric", target: str) -> str:
    """Return the model of a pair in the format *target*."""
    from exactmatch.comparison import compare
    from exactmatch.exchange.export import export

    comparison = compare(pair, metric)
    names = (comparison.system.variables, comparison.gold.variables)
    title = f"exactmatch: pair {pair.identifier}, {comparison.metric.signature()}"
    totals = (comparison.system_total, comparison.gold_total)
    return export(comparison.problem, names, totals, title, target)


@click.command()
@click.argument("system", type=_FILE)
@click.argument("gold", type=_FILE)
@id_option
@click.option(
    "--to", "target", type=click.Choice([*FORMATS, _TRIPLES]), required=True, help="Format."
)
@click.option(
    "--output",
    "-o",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write to FILE instead of standard output.",
)
@pairing_options
@counting_options
def export(
    system: str,
    gold: str,
    identifier: str | None,
    target: str,
    output: Path | None,
    pair_by: Any,
    on_error: Any,
    counting: Counting,
) -> None:
    """Write the model of one pair for any solver.

    The pair is that of SYSTEM and GOLD called so by --id. The largest value of the model is the
    number of triples that the best mapping matches; in formats that minimise it is the negative
    (opb, mps), or the weight that is left out (wcnf). Comments say which variable is which pair.

    \b
    wcnf         weighted partial MaxSAT, format of the MaxSAT Evaluation since 2022
    opb          pseudo-Boolean optimisation, format of the Pseudo-Boolean Competition
    lp, mps      0/1 linear program
    cpsat-proto  model of OR-tools' CP-SAT, in text form
    json         the matching problem itself
    triples      both graphs, as the checker of certificates reads them; without --id, all pairs
    """
    check_outputs((system, gold), output)
    with read_pairs(system, gold, pair_by, on_error, "reading") as (pairs, form):
        metric = counting.alignment_metric(form)
        write = _triples if target == _TRIPLES else partial(_model, target=target)
        every = target == _TRIPLES and identifier is None
        chosen = scored_pairs(pairs) if every else [pair_of(pairs, identifier)]
        text = "".join(write(pair, metric) for pair in chosen)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text)


@click.command("import-solution")
@click.argument("solution", type=_FILE)
@click.argument("system", type=_FILE)
@click.argument("gold", type=_FILE)
@id_option
@pairing_options
@format_option
@counting_options
def import_solution(
    solution: str,
    system: str,
    gold: str,
    identifier: str | None,
    pair_by: Any,
    on_error: Any,
    output_format: str,
    counting: Counting,
) -> None:
    """Score the mapping that another solver has found for an exported model.

    SOLUTION is what the solver printed or wrote; the other arguments are those of the export. The
    triples are counted from the graphs, whatever the solver claims.

    \b
    Understood are
      v lines of literals or bits      MaxSAT and pseudo-Boolean solvers
      v_0_1 1                          a name and its value, as linear solvers write them
      solution: 1                      the response of CP-SAT in text form
      {"mapping": [[0, 1], ...]}       JSON, pairs of positions
    """
    from exactmatch.comparison import compare
    from exactmatch.exchange.solution import read_solution
    from exactmatch.pair_scoring import score_mapping
    from exactmatch.readers.source import read_lines, source_name
    from exactmatch.report.json import pair_json
    from exactmatch.report.text import mapping_text

    if solution == "-" and "-" in (system, gold):
        raise UsageError("only one of the files can be standard input")
    with read_pairs(system, gold, pair_by, on_error, "reading") as (pairs, form):
        metric = counting.alignment_metric(form)
        pair = pair_of(pairs, identifier)
    name = source_name(solution)
    try:
        text = b"\n".join(read_lines(solution)).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not a text in UTF-8") from error
    mapping = read_solution(text, compare(pair, metric).problem, name)
    score = score_mapping(pair, metric, mapping, solver=name)
    as_json = output_format == "json"
    click.echo(pair_json(score) if as_json else mapping_text(pair, score), nl=as_json)
