"""``exactmatch export`` and ``import-solution``: a pair's model for any solver, and its answer."""

from pathlib import Path
from typing import Any

import click

import exactmatch
from exactmatch.cli.answers import give, say_note
from exactmatch.cli.asked_metrics import AskedMetrics
from exactmatch.cli.groups import OUTPUT, GroupedCommand, option
from exactmatch.cli.metric_options import metric_options
from exactmatch.cli.options import (
    FILE,
    format_option,
    id_option,
    output_option,
    pairing_options,
)
from exactmatch.cli.progress import progress
from exactmatch.exchange.export import FORMATS
from exactmatch.output import check_outputs, write_text


@click.command(cls=GroupedCommand)
@click.argument("system", type=FILE)
@click.argument("gold", type=FILE)
@id_option
@pairing_options
@metric_options
@option(
    "--to",
    "target",
    type=click.Choice([*FORMATS, "triples"]),
    required=True,
    group=OUTPUT,
    help="Format.",
)
@option(
    "--breakdown",
    is_flag=True,
    group=OUTPUT,
    help="With triples: what the certificates of ranges are about as well, after each pair.",
)
@output_option
def export(
    system: Path,
    gold: Path,
    identifier: str | None,
    pair_by: Any,
    on_error: Any,
    asked: AskedMetrics,
    target: Any,
    breakdown: bool,
    output: Path | None,
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
    check_outputs([str(system), str(gold)], output)
    text = exactmatch.export(
        system,
        gold,
        target,
        id=identifier,
        metric=asked.one(),
        profile=asked.profile,
        breakdown=breakdown,
        pair_by=pair_by,
        on_error=on_error,
        progress=progress,
        note=say_note,
        **asked.choices,
    )
    if output is None:
        click.echo(text, nl=False)
    else:
        write_text(output, text)


@click.command("import-solution", cls=GroupedCommand)
@click.argument("solution", type=FILE)
@click.argument("system", type=FILE)
@click.argument("gold", type=FILE)
@id_option
@pairing_options
@metric_options
@format_option
@output_option
def import_solution(
    solution: Path,
    system: Path,
    gold: Path,
    identifier: str | None,
    pair_by: Any,
    on_error: Any,
    asked: AskedMetrics,
    output_format: str,
    output: Path | None,
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
    from exactmatch.report.json import pair_json
    from exactmatch.report.text import mapping_text

    check_outputs([str(path) for path in (solution, system, gold)], output)
    pair, score = exactmatch.import_solution(
        solution,
        system,
        gold,
        id=identifier,
        metric=asked.one(),
        profile=asked.profile,
        pair_by=pair_by,
        on_error=on_error,
        progress=progress,
        note=say_note,
        **asked.choices,
    )
    if output_format == "json":
        give(pair_json(score), output)
    else:
        give(mapping_text(pair, score).removesuffix("\n"), output)
