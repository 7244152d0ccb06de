"""``exactmatch verify``: certificates against the files that they are about."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactmatch.cli.answers import give, say_pair_note
from exactmatch.cli.click_options import (
    FILE,
    GroupedCommand,
    format_option,
    option,
    options,
    output_option,
)
from exactmatch.cli.metric_options import word_options
from exactmatch.cli.progress_bar import progress
from exactmatch.errors import NotProvenError, VerificationError
from exactmatch.metrics.registry import ALIGNMENT_BASED
from exactmatch.runtime.output import check_outputs
from exactmatch.scoring.declaration import COUNTING, PROOF
from exactmatch.scoring.options import Pairing

if TYPE_CHECKING:
    from exactmatch.api.verify import Verification


@click.command(cls=GroupedCommand)
@click.argument("certificates", type=FILE)
@click.argument("system", type=FILE)
@click.argument("gold", type=FILE)
@options(Pairing)
@option(
    "--metric",
    type=click.Choice([*ALIGNMENT_BASED]),
    group=COUNTING,
    help="Insist on certificates of this metric.  [default: what they name]",
)
@option(
    "--profile",
    metavar="NAME",
    group=COUNTING,
    help="Insist on certificates of this profile of the metric.",
)
@word_options(hidden=False)
@option(
    "--reification-table",
    type=click.Path(),
    metavar="FILE",
    group=COUNTING,
    help="The table of reifications from a file, where the certificates are about one.",
)
@option(
    "--with",
    "checker",
    type=click.Choice(["python", "coq"]),
    default="python",
    show_default=True,
    group=PROOF,
    help="What checks: the checker of one file, or the program exactmatch-coqcheck, which is proven"
    " in Coq and has to be built before.",
)
@option(
    "--require-all",
    is_flag=True,
    group=PROOF,
    help="Exit with 3 unless all pairs are verified.",
)
@format_option
@output_option
def verify(
    certificates: Path,
    system: Path,
    gold: Path,
    pairing: Pairing,
    metric: str | None,
    profile: str | None,
    words: dict[str, Any],
    reification_table: str | None,
    checker: Any,
    require_all: bool,
    output_format: str,
    output: Path | None,
) -> None:
    """Check the CERTIFICATES of a score of SYSTEM against GOLD.

    CERTIFICATES is what exactmatch score --certificates wrote, with the same pairing options and
    files of similarities, synonyms or reifications. The graphs are read anew and counted under the
    profile that the certificates name, which is printed; the checking is done by a program of its
    own, which uses nothing else of exactmatch.

    \b
    verified  the mapping scores what is claimed, and no mapping scores more
    bounded   the mapping scores what is claimed, and the best one no more than is claimed
    refuted   something that is claimed is not so
    unproven  there is no certificate, or no proof in it

    Exit status: 4 if anything is refuted; 3 if not all is verified and --require-all asks for it;
    1 if the certificates are of another metric or profile; otherwise 0.
    """
    from exactmatch.api.verify import verify

    check_outputs([str(path) for path in (certificates, system, gold)], output)
    result = verify(
        certificates,
        system,
        gold,
        checker=checker,
        metric=metric,
        profile=profile,
        **words,
        reification_table=reification_table,
        pairing=pairing,
        progress=progress,
        note=say_pair_note,
    )
    give(_json(result) if output_format == "json" else _text(result), output)
    if result.refuted:
        raise VerificationError(f"certificates refuted: {result.refuted}")
    missing = result.total - result.verified
    if require_all and missing:
        raise NotProvenError(f"{missing} of {result.total} pairs not verified")


def _json(result: "Verification") -> str:
    from exactmatch.report.json import SCHEMA

    names = ("id", "verdict", "reason")
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "metric": result.metric.name,
        "profile": result.metric.profile,
        "signature": result.signature,
        "checker": result.checker,
        **{str(verdict): count for verdict, count in result.counts.items()},
        "findings": [dict(zip(names, finding, strict=True)) for finding in result.findings],
    }
    return json.dumps(content, indent=2)


def _text(result: "Verification") -> str:
    return "\n".join(
        [
            *(f"{verdict} {name!a}: {reason!a}" for name, verdict, reason in result.findings),
            "  ".join(f"{verdict}: {count}" for verdict, count in result.counts.items()),
            result.signature,
        ]
    )
