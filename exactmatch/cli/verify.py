"""``exactmatch verify``: certificates against the files that they are about."""

import json
from typing import Any

import click

from exactmatch.cli.counting import Grading, grading_options
from exactmatch.cli.options import format_option, pairing_options
from exactmatch.cli.pairs import read_pairs, scored_pairs
from exactmatch.errors import InputError, NotProvenError, UsageError, VerificationError
from exactmatch.metrics.alignment_based import AlignmentMetric
from exactmatch.metrics.registry import (
    ALIGNMENT_BASED,
    alignment_based,
    check_format,
    metric_labelled,
    profile_called,
)

_FILE = click.Path(allow_dash=True)


@click.command()
@click.argument("certificates", type=_FILE)
@click.argument("system", type=_FILE)
@click.argument("gold", type=_FILE)
@click.option(
    "--metric",
    type=click.Choice([*ALIGNMENT_BASED]),
    help="Insist on certificates of this metric.  [default: what they name]",
)
@click.option(
    "--profile", metavar="NAME", help="Insist on certificates of this profile of the metric."
)
@click.option("--require-all", is_flag=True, help="Exit with 3 unless all pairs are verified.")
@pairing_options
@format_option
@grading_options
def verify(
    certificates: str,
    system: str,
    gold: str,
    metric: str | None,
    profile: str | None,
    require_all: bool,
    pair_by: Any,
    on_error: Any,
    output_format: str,
    grading: Grading,
) -> None:
    """Check the CERTIFICATES of a score of SYSTEM against GOLD.

    CERTIFICATES is what exactmatch score --certificates wrote, with the same pairing options and
    files of similarities or synonyms. The graphs are read anew and counted under the profile that
    the certificates name, which is printed; the checking is done by a program of its own, which
    uses nothing else of exactmatch.

    \b
    verified  the mapping scores what is claimed, and no mapping scores more
    bounded   the mapping scores what is claimed, and the best one no more than is claimed
    refuted   something that is claimed is not so
    unproven  there is no certificate, or no proof in it

    Exit status: 4 if anything is refuted; 3 if not all is verified and --require-all asks for it;
    1 if the certificates are of another metric or profile; otherwise 0.
    """
    from exactmatch.certificate.checker import REFUTED, VERDICTS, VERIFIED, check_all
    from exactmatch.comparison import compare
    from exactmatch.readers.source import read_lines, source_name

    if [certificates, system, gold].count("-") > 1:
        raise UsageError("only one of the files can be standard input")
    lines = [text for text in read_lines(certificates) if text.strip()]
    if not lines:
        raise InputError(f"{source_name(certificates)}: no certificate in it")
    counted = _metric(lines, source_name(certificates), grading)
    _insist(counted, metric, profile)
    counts = dict.fromkeys(VERDICTS, 0)
    others = []
    with read_pairs(system, gold, pair_by, on_error, "verifying") as (pairs, form):
        check_format(counted, form)
        triples = (compare(pair, counted).as_json(pair.identifier) for pair in scored_pairs(pairs))
        for entry in check_all(triples, lines):
            counts[entry[1]] += 1
            if entry[1] != VERIFIED:
                others.append(entry)
    if output_format == "json":
        names = ("id", "verdict", "reason")
        findings = [dict(zip(names, entry, strict=True)) for entry in others]
        head = {
            "metric": counted.name,
            "profile": counted.profile,
            "signature": counted.signature(),
        }
        click.echo(json.dumps({**head, **counts, "findings": findings}, indent=2))
    else:
        for identifier, verdict, reason in others:
            click.echo(f"{verdict} {identifier!a}: {reason!a}")
        click.echo("  ".join(f"{verdict}: {count}" for verdict, count in counts.items()))
        click.echo(counted.signature())
    if counts[REFUTED]:
        raise VerificationError(f"certificates refuted: {counts[REFUTED]}")
    missing = sum(counts.values()) - counts[VERIFIED]
    if require_all and missing:
        raise NotProvenError(f"{missing} of {sum(counts.values())} pairs not verified")


def _insist(counted: AlignmentMetric, metric: str | None, profile: str | None) -> None:
    """Raise `InputError` unless the certificates are of the metric and profile asked for."""
    if metric not in (None, counted.name):
        raise InputError(f"these certificates are of {counted.name}, not of {metric}")
    if profile is None:
        return
    wanted = profile_called(type(counted), profile)
    if any(getattr(counted, name) != getattr(wanted, name) for name in counted.choices()):
        raise InputError(f"these certificates are not of profile {profile}: {counted.signature()}")


def _metric(lines: list[bytes], name: str, grading: Grading) -> AlignmentMetric:
    """Return the metric that the first readable certificate names; the others have to agree."""
    from exactmatch.certificate.checker import MALFORMED, parse

    for text in lines:
        try:
            label = str(parse(text).get("profile"))
            found = metric_labelled(label)
        except (*MALFORMED, UsageError):
            continue
        (graded,) = grading.applied([found])
        metric = alignment_based(graded)
        if metric.label() != label:
            raise UsageError(
                f"these certificates are about other similarities or synonyms: {label}"
            )
        return metric
    raise InputError(f"{name}: no certificate in it that names a metric")
