"""``exactmatch export`` and ``import-solution``: models and proofs, and solvers' answers."""

from inspect import cleandoc
from pathlib import Path
from typing import Any, get_args

import click

from exactmatch.certificate.proof_formats import TRANSLATIONS
from exactmatch.cli.answers import Answering, finish_one, say_written
from exactmatch.cli.asked_pairs import AskedPair, one_pair_options
from exactmatch.cli.click_options import (
    FILE,
    WRITTEN,
    GroupedCommand,
    answer_options,
    option,
)
from exactmatch.cli.screen import show
from exactmatch.errors import UsageError, VerificationError
from exactmatch.runtime.output import check_place, write_text
from exactmatch.scoring.declaration import INPUT, OUTPUT
from exactmatch.scoring.options import Model, Target


@click.command(cls=GroupedCommand)
@one_pair_options
@option(
    "--to",
    "target",
    type=click.Choice([*get_args(Target), *TRANSLATIONS]),
    required=True,
    group=OUTPUT,
    help="Format.",
)
@option(
    "--model",
    type=click.Choice(get_args(Model)),
    group=OUTPUT,
    help="Rows of a program. Default: grouped, and in wcnf plain implications.",
)
@option(
    "--certificates",
    type=FILE,
    group=INPUT,
    help="With coq and veripb: the file that exactmatch score --certificates wrote for these "
    "files.",
)
@option(
    "--breakdown",
    is_flag=True,
    group=OUTPUT,
    help="With triples: also write the subjects of range certificates, after each pair.",
)
@option(
    "--output",
    "-o",
    type=WRITTEN["path"],
    metavar="PATH",
    group=OUTPUT,
    help="Write the result to this file, and proofs into this folder, instead of standard output.",
)
def export(
    pair: AskedPair,
    target: Any,
    model: Model | None,
    certificates: Path | None,
    breakdown: bool,
    output: Path | None,
) -> None:
    """Write the model of one pair for any solver, or proofs for other checkers.

    --id selects the pair of SYSTEM and GOLD. The largest value of the model is the number of
    triples that the best mapping matches. In formats that minimise, it is the negative (opb, mps)
    or the weight that is left out (wcnf). Comments say which variable stands for which pair.

    \b
    wcnf         weighted partial MaxSAT, format of the MaxSAT Evaluation since 2022
    opb          pseudo-Boolean optimisation, format of the Pseudo-Boolean Competition
    lp, mps      0/1 linear program
    cpsat-proto  model of OR-tools' CP-SAT, in text form
    json         the matching problem itself
    triples      both graphs, as the checker of certificates reads them; without --id, all pairs

    --model sets how the match of two triples depends on the mapping in wcnf, opb, lp, mps and
    cpsat-proto. import-solution reads the solutions of all models alike.

    \b
    paper        as Cai and Knight (2013) print it: every two variables, every two triples
    grouped      triples that exclude each other share a row, which bounds the optimum closer
    pairs        the same, with closer rows for clauses of DRSs

    With --certificates, the k-th certificate becomes one or two files in the folder that --output
    names. The certificates say what is counted, and --id selects those of one pair.
    """
    from exactmatch.api.export import run_export

    if target in TRANSLATIONS:
        if breakdown:
            raise UsageError(
                "--breakdown needs --to triples; proofs cover what the certificates cover"
            )
        if model is not None:
            raise UsageError("--model needs a format of programs, such as lp")
        _export_proofs(certificates, pair, target, output)
        return
    if certificates is not None:
        raise UsageError(f"--certificates needs --to {' or '.join(TRANSLATIONS)}")
    if output is not None:
        check_place(output)  # the option itself may also name a folder, of proofs
    written = run_export(pair.request(), target, model, pair.identifier, breakdown=breakdown)
    if output is None:
        click.echo(written.text, nl=False)
    else:
        write_text(output, written.text)
        say_written(output)
    finish_one(is_whole=written.is_whole)


_proofs = [f"{name:<12} {translation.files}" for name, translation in TRANSLATIONS.items()]
export.help = "\n".join([cleandoc(export.help or ""), "\n\b", *_proofs])


def _export_proofs(
    certificates: Path | None, pair: AskedPair, target: Any, folder: Path | None
) -> None:
    """Write proofs into a folder, and print their number.

    Raises `VerificationError` if a certificate is refuted.
    """
    from exactmatch.api.proof_files import export_proofs
    from exactmatch.report.text_layout import TextLayout
    from exactmatch.scoring.joint_options import CertificateOptions

    if certificates is None or folder is None:
        raise UsageError(f"--to {target} needs --certificates FILE and --output FOLDER")
    asked = pair.asked
    choices = dict(asked.choices)
    words = {name: value for name, value in asked.words.items() if name != "classes"}
    tables = {name: choices.pop(name, None) for name in ("reification_table", "credits")}
    if choices or len(asked.metrics) > 1:
        raise UsageError(
            f"--to {target} takes the metric and its choices from the certificates; "
            "leave these options out"
        )
    recounting = CertificateOptions(
        metric=next(iter(asked.metrics), None),
        profile=None if asked.profile == "default" else asked.profile,
        **tables,
        **words,
        **vars(pair.pairing),
    )
    result = export_proofs(
        certificates, pair.system, pair.gold, target, folder, id=pair.identifier, asked=recounting
    )
    lines = [f"{verdict} {name!a}: {reason!a}" for name, verdict, reason in result.unwritten]
    lines.append(f"written: {result.written}  not written: {len(result.unwritten)}")
    show(TextLayout(lines))
    if result.refuted:
        raise VerificationError(f"certificates refuted: {result.refuted}")


@click.command("import-solution", cls=GroupedCommand)
@click.argument("solution", type=FILE)
@one_pair_options
@answer_options
def import_solution(solution: Path, pair: AskedPair, answer: Answering) -> None:
    """Score the mapping that another solver has found for an exported model.

    SOLUTION is the output of the solver, or the file that it wrote; the other arguments are those
    of the export. The triples are counted from the graphs, and the solver's own count is not
    trusted.

    \b
    Understood are
      v lines of literals or bits      MaxSAT and pseudo-Boolean solvers
      v_0_1 1                          a name and its value, as linear solvers write them
      solution: 1                      the response of CP-SAT in text form
      {"mapping": [[0, 1], ...]}       JSON, pairs of positions
    """
    from exactmatch.api.export import run_import
    from exactmatch.report.json import pair_json
    from exactmatch.report.text import mapping_layout

    graphs, score = run_import(solution, pair.request(), pair.identifier)
    answer.print(
        score,
        text=lambda score: mapping_layout(graphs, score),
        json=pair_json,
    )
    finish_one(is_whole=not graphs.emptied)
