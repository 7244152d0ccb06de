"""``exactmatch verify``: check certificates against the files of graphs."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from exactmatch.cli.answers import Answering, say_note
from exactmatch.cli.click_options import (
    FILE,
    GroupedCommand,
    answer_options,
    option,
    options,
)
from exactmatch.cli.metric_options import word_options
from exactmatch.cli.named_files import ReadInPart
from exactmatch.cli.progress_bar import watched
from exactmatch.cli.short_help import Example
from exactmatch.errors import NotProvenError, UsageError, VerificationError
from exactmatch.metrics.registry import ALIGNMENT_BASED
from exactmatch.report.wording import counted
from exactmatch.runtime.output import check_outputs
from exactmatch.scoring.declaration import COUNTING, INPUT, PROOF
from exactmatch.scoring.joint_options import VerifyOptions, VerifyStudyOptions
from exactmatch.scoring.options import Pairing

if TYPE_CHECKING:
    from exactmatch.api.verify import Verification
    from exactmatch.report.text_layout import TextLayout
    from exactmatch.studies.verification import StudyVerification


@click.command(
    cls=GroupedCommand,
    examples=(
        Example(
            "verify proofs.jsonl system.amr gold.amr",
            "check the certificates that score --certificates proofs.jsonl wrote",
        ),
        Example(
            "verify proofs --require-all",
            "check the folder that iaa --certificates proofs wrote, and exit with 3 unless all "
            "is verified",
        ),
        Example(
            "verify proofs.jsonl system.amr gold.amr --with coq",
            "check with the checker that is proven in Coq",
        ),
    ),
)
@click.argument("certificates", type=FILE)
@click.argument("system", type=FILE, required=False)
@click.argument("gold", type=FILE, required=False)
@option(
    "--graphs",
    type=ReadInPart(path_type=Path, file_okay=False),
    metavar="DIR",
    group=INPUT,
    help="For a folder of certificates: the folder that its paths of graphs are relative to.  "
    "[default: the current folder]",
)
@options(Pairing)
@option(
    "--metric",
    type=click.Choice([*ALIGNMENT_BASED]),
    group=COUNTING,
    help="Require certificates of this metric.  [default: the one that they name]",
)
@option(
    "--profile",
    metavar="NAME",
    group=COUNTING,
    help="Require certificates of this profile of the metric.  [default: the one that they name]",
)
@word_options(hidden=False)
@option(
    "--reification-table",
    type=click.Path(),
    metavar="FILE",
    group=COUNTING,
    help="The table of reifications of the certificates, if it came from a file.",
)
@option(
    "--credits",
    type=click.Path(),
    metavar="FILE",
    group=COUNTING,
    help="The table of credits of the certificates, or its name.",
)
@option(
    "--with",
    "checker",
    type=click.Choice(["python", "coq"]),
    default="python",
    show_default=True,
    group=PROOF,
    help="The checker: the Python file, or the program exactmatch-coqcheck, which is proven in "
    "Coq and has to be built first.",
)
@option(
    "--require-all",
    is_flag=True,
    group=PROOF,
    help="Exit with 3 unless all pairs are verified.",
)
@answer_options
def verify(
    certificates: Path,
    system: Path | None,
    gold: Path | None,
    graphs: Path | None,
    asked: VerifyOptions,
    require_all: bool,
    answer: Answering,
) -> None:
    """Check the CERTIFICATES of a score of SYSTEM against GOLD, or a folder of a study.

    CERTIFICATES is the file that exactmatch score --certificates wrote. Give the same pairing
    options and files of similarities, synonyms, reifications or credits. The graphs are read again,
    and counted under the profile that the certificates name (it is printed). A separate program,
    which uses nothing else of exactmatch, checks the proofs.

    Without SYSTEM and GOLD, CERTIFICATES is the folder that iaa, compare or search-error
    --certificates wrote. Its manifest names the graphs and how to read them. All files of graphs
    have to be unchanged. The result of the study is computed again from the proofs, and printed in
    a sentence.

    \b
    verified  the mapping scores what is claimed, and no mapping scores more
    bounded   the mapping scores what is claimed, and the best one no more than is claimed
    refuted   something that is claimed is not so
    unproven  there is no certificate, or no proof in it

    Exit status: 4 if any certificate is refuted or a file has changed; 3 if --require-all is given
    and not all pairs are verified; 1 if the certificates have another metric or profile, or files
    are missing or left over; otherwise 0.
    """
    if system is None or gold is None:
        _check_alone(system, asked)
        study = _verified_folder(certificates, graphs or Path(), asked, answer.output)
        answer.print(study, text=_study_text, json=_study_json)
        total = sum(study.counts.values())
        _end(study.verified, study.refuted, total, require_all)
        return
    if certificates.is_dir():
        raise UsageError(
            f"{certificates} is a folder, whose manifest names the graphs: leave SYSTEM and GOLD "
            "out"
        )
    if graphs is not None:
        raise UsageError("--graphs needs a folder of certificates, without SYSTEM and GOLD")
    from exactmatch.api.verify import verify

    result = verify(certificates, system, gold, asked=watched(asked))
    answer.print(result, text=_text, json=_json)
    files = (certificates, system, gold)
    if _reason_of_all(result) is not None and all(file.is_file() for file in files):
        swapped = verify(certificates, gold, system, asked=watched(asked))
        if swapped.verified:
            say_note(f"these look like certificates of {gold} against {system}: swap the two files")
    _end(result.verified, result.refuted, result.total, require_all)


def _check_alone(system: Path | None, asked: VerifyOptions) -> None:
    """Raise `UsageError` for options that contradict the manifest of a folder."""
    if system is not None:
        raise UsageError(
            "name CERTIFICATES, SYSTEM and GOLD; or only the folder of a study, which has the "
            "certificates of all its files"
        )
    pairing_differs = vars(asked.only(Pairing)) != vars(Pairing())
    if pairing_differs or asked.metric is not None or asked.profile is not None:
        raise UsageError(
            "a folder of certificates fixes how graphs are paired and compared; "
            "leave these options out"
        )


def _verified_folder(
    folder: Path, graphs: Path, asked: VerifyOptions, output: Path | None
) -> "StudyVerification":
    """Check the certificates of a study."""
    from exactmatch.studies.verification import files_of_study, verify_study

    if not folder.exists():
        raise UsageError(f"there is no {folder}")
    if not folder.is_dir():
        raise UsageError(f"{folder} is no folder of a study: name SYSTEM and GOLD as well")
    check_outputs([str(path) for path in files_of_study(folder, graphs)], output)
    result = verify_study(folder, graphs=graphs, asked=watched(asked).only(VerifyStudyOptions))
    if result.remark:
        say_note(result.remark)
    return result


def _end(verified: int, refuted: int, total: int, require_all: bool) -> None:
    """Raise the error that belongs to these numbers."""
    if refuted:
        raise VerificationError(f"certificates refuted: {refuted}")
    if require_all and verified < total:
        raise NotProvenError(f"{total - verified} of {counted(total, 'pair')} not verified")


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


def _reason_of_all(result: "Verification") -> str | None:
    """Return the reason for which all of several certificates are refuted, if it is the same."""
    reasons = {finding.reason for finding in result.findings}
    is_same = result.refuted == result.total > 1 == len(reasons)
    return reasons.pop() if is_same else None


def _text(result: "Verification") -> "TextLayout":
    from exactmatch.report.text_layout import TextLayout

    reason = _reason_of_all(result)
    findings = (
        [f"{verdict} {name!a}: {reason!a}" for name, verdict, reason in result.findings]
        if reason is None
        else [f"refuted, each of {result.total}: {reason!a}"]
    )
    return TextLayout(
        [
            *findings,
            "  ".join(f"{verdict}: {count}" for verdict, count in result.counts.items()),
            result.signature,
        ]
    )


def _study_json(result: "StudyVerification") -> str:
    from exactmatch.report.json import SCHEMA

    content: dict[str, Any] = {
        "schema": SCHEMA,
        "study": result.study,
        "sentence": result.sentence,
        "manifest": result.manifest,
        "signatures": [*result.signatures],
        "checker": result.checker,
        "graphs": result.graphs,
        **result.counts,
        "files": {name: dict(counts) for name, counts in result.files.items()},
        "solved_again": result.solved_again,
        **({"groups": {**result.groups}} if result.groups else {}),
        **({"layers": {**result.layers}} if result.layers else {}),
        "findings": [finding._asdict() for finding in result.findings],
    }
    return json.dumps(content, indent=2)


def _study_text(result: "StudyVerification") -> "TextLayout":
    from exactmatch.report.text_layout import TextLayout

    return TextLayout(
        [
            *(
                f"{one.verdict} {one.file!a}"
                + ("" if one.identifier is None else f" {one.identifier!a}")
                + f": {one.reason!a}"
                for one in result.findings
            ),
            f"unchanged: {result.graphs} files of graphs, {len(result.files)} of certificates",
            "  ".join(f"{verdict}: {count}" for verdict, count in result.counts.items()),
            *(
                [
                    f"without certificates: {result.solved_again:,} pairs of graphs of different "
                    "items, solved again to correct for chance"
                ]
                if result.solved_again
                else []
            ),
            *([result.sentence] if result.sentence else []),
            *(f"group {name!r}: {said}" for name, said in result.groups.items()),
            *(f"layer {name}: {said}" for name, said in result.layers.items()),
            *result.signatures,
            f"SHA-256 of the manifest: {result.manifest}",
        ]
    )
